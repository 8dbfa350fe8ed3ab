"""Every object becomes a named definition: Kind + path; equal ones share one; names once given stay (`codegen.lock`).

Elements of lists and maps that have limits are named too: a limit inside `list[...]` needs a type alias to stand on.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from zonewright.codegen import names
from zonewright.codegen.schema import bounds
from zonewright.codegen.schema.shape import Shapes
from zonewright.codegen.schema.walk import Node, children

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hoisted:
    """The definitions of one kind, and what the lock has to remember: path -> name."""

    root: str
    definitions: Mapping[str, Node]
    names: Mapping[str, str]


@dataclass(slots=True)
class Hoist:
    """Names and definitions of one kind in the making. `taken` is shared by the kinds of a package."""

    root: str
    locked: Mapping[str, str]
    shapes: Shapes
    taken: set[str]
    by_structure: dict[str, str] = field(default_factory=dict)
    structures: dict[str, str] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, Node] = field(default_factory=dict)

    def run(self, schema: Mapping[str, Any]) -> Hoisted:
        """Names first, for all places, in an order that new fields do not disturb; then the definitions."""
        places = [place for step, child in children(schema) for place in self._places(child, (self.root, step))]
        self._claim(self.root, _structure(schema))
        self.chosen[""] = self.root
        ordered = sorted(places, key=lambda place: (len(place[0]), place[0]))
        # Locked names are handed out before new ones, so that a newcomer cannot take one of them.
        for lockedness in (True, False):
            for path, node in ordered:
                if (_text(path) in self.locked) is lockedness:
                    self._name(path, node)
        self.definitions[self.root] = self._inline(schema, (self.root,))
        return Hoisted(self.root, self.definitions, self.chosen)

    def _places(self, node: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
        """Every node that gets a name of its own."""
        if self._shared(node):
            return
        if _has_name(node, path):
            yield path, node
        for step, child in children(node):
            yield from self._places(child, (*path, step))

    def _shared(self, node: Mapping[str, Any]) -> str | None:
        return self.shapes.match(node) if "properties" in node else None

    def _name(self, path: Path, node: Mapping[str, Any]) -> None:
        structure, text = _structure(node), _text(path)
        locked = self.locked.get(text)
        if locked and self.structures.get(locked, structure) == structure and self._may_have(locked):
            self.chosen[text] = self._claim(locked, structure)
        elif structure in self.by_structure:
            self.chosen[text] = self.by_structure[structure]
        else:
            self.chosen[text] = self._claim(names.unused(_candidate(path, node), self.taken), structure)

    def _may_have(self, name: str) -> bool:
        return name in self.structures or name not in self.taken

    def _claim(self, name: str, structure: str) -> str:
        self.taken.add(name)
        self.structures[name] = structure
        self.by_structure.setdefault(structure, name)
        return name

    def _refer(self, node: Mapping[str, Any], path: Path) -> Node:
        """What stands in the place of a node: a reference to its definition, or the node with its children done."""
        if not _has_name(node, path):
            return self._inline(node, path)
        name = self._shared(node)
        if name is None:
            name = self.chosen[_text(path)]
            if name not in self.definitions:
                self.definitions[name] = {}  # the place keeper fixes the order: outer before inner
                self.definitions[name] = self._definition(node, path)
        kept = {keyword: node[keyword] for keyword in ("description", "nullable", "default") if keyword in node}
        return {"$ref": f"#/$defs/{name}", **kept}

    def _definition(self, node: Mapping[str, Any], path: Path) -> Node:
        outside = ("nullable", "default")
        return {keyword: value for keyword, value in self._inline(node, path).items() if keyword not in outside}

    def _inline(self, node: Mapping[str, Any], path: Path) -> Node:
        done = dict(node)
        if "properties" in done:
            done["properties"] = {name: self._refer(child, (*path, name)) for name, child in done["properties"].items()}
        for keyword, step in (("items", "[]"), ("additionalProperties", "{}")):
            if isinstance(done.get(keyword), Mapping):
                done[keyword] = self._refer(done[keyword], (*path, step))
        return done


def hoist(
    schema: Mapping[str, Any], *, root: str, locked: Mapping[str, str], shapes: Shapes, taken: set[str]
) -> Hoisted:
    """The definitions of a normalised schema. `taken` holds the names of the package and is added to."""
    return Hoist(root, locked, shapes, taken).run(schema)


def _has_name(node: Mapping[str, Any], path: Path) -> bool:
    if "properties" in node:
        return True
    # A limit on an element cannot be written inside list[...] or dict[...].
    return path[-1] in {"[]", "{}"} and any(keyword in bounds.ALL for keyword in node)


def _structure(node: Mapping[str, Any]) -> str:
    """Equal for nodes that may share a definition: all but what stands at the reference, and descriptions."""
    outside = {keyword: value for keyword, value in node.items() if keyword not in {"nullable", "default"}}
    return json.dumps(_bare(outside), sort_keys=True)


def _bare(node: Mapping[str, Any]) -> dict[str, Any]:
    bare = {keyword: value for keyword, value in node.items() if keyword != "description"}
    if "properties" in bare:
        bare["properties"] = {name: _bare(child) for name, child in bare["properties"].items()}
    for keyword in ("items", "additionalProperties"):
        if isinstance(bare.get(keyword), Mapping):
            bare[keyword] = _bare(bare[keyword])
    return bare


def _candidate(path: Path, node: Mapping[str, Any]) -> str:
    """Kind + path. An alias says what it is an element of; a class of elements is named like the list."""
    name = "".join(names.pascal(step) for step in path)
    if "properties" in node:
        return name
    return f"{name}{'Item' if path[-1] == '[]' else 'Value'}"


def _text(path: Path) -> str:
    """`spec.rules[].host`: how the lock and people write a path."""
    return ".".join(path[1:]).replace(".[]", "[]").replace(".{}", "{}")
