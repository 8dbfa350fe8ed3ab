"""Who owns which field: metadata.managedFields, kept on every write, and server-side apply on top of it. Pure.

A field is a path of elements spelled as in FieldsV1: `f:name` for a member, `k:{...}` for an item of a list keyed by
fields, `v:...` for an item of a set. A set of fields is a frozenset of such paths, a tree only when stored."""

import json
from collections import deque
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from zonewright.envtest.embedded import codec
from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.schema import MISSING, Node

Path = tuple[str, ...]
FieldSet = frozenset[Path]
Fields = dict[str, Any]
CONTAINER = object()
LIST = object()
ITEM = object()
# Nobody owns what identifies an object or what the server alone writes.
UNOWNED = frozenset(
    {("f:apiVersion",), ("f:kind",), ("f:metadata",)}
    | {
        ("f:metadata", f"f:{name}")
        for name in (
            "name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
            "deletionGracePeriodSeconds", "selfLink", "managedFields",
        )
    }
)  # fmt: skip
UNOWNED_TREE = ("f:apiVersion", "f:kind")
UNOWNED_META = frozenset(path[1] for path in UNOWNED if len(path) > 1) | {"."}


@dataclass(frozen=True, slots=True)
class Manager:
    name: str
    operation: str
    api_version: str
    subresource: str = ""

    @property
    def key(self) -> tuple[str, str, str, str]:
        return (self.operation, self.name, self.api_version, self.subresource)

    def __str__(self) -> str:
        text = f'"{self.name}"' + (f' with subresource "{self.subresource}"' if self.subresource else "")
        return f"{text} using {self.api_version}" if self.operation == "Update" else text


@dataclass(frozen=True, slots=True)
class Share:
    """What one manager owns, and since when."""

    manager: Manager
    fields: FieldSet
    time: str


# ---- from objects to paths ----


def flatten(node: Node | None, value: Any, path: Path, found: dict[Path, Any]) -> None:
    """Every path in `value`; scalars and atomic values with their value, what merely holds others as CONTAINER."""
    if isinstance(value, dict) and not (node and node.atomic):
        found[path] = CONTAINER
        for name, item in value.items():
            declared = node.properties.get(name) if node else None
            place = (*path, f"f:{name}")
            flatten(declared or (node.additional if node else None), item, place, found)
            if declared is None and found[place] is CONTAINER:
                # What a schema does not name is a key of a map, and owned like an item of a list.
                found[place] = ITEM
    elif isinstance(value, list) and node and node.list_type in {"set", "map"}:
        found[path] = LIST
        for item in value:
            place = (*path, element_of(node, item))
            flatten(node.items, item, place, found)
            if isinstance(item, dict):
                found[place] = ITEM
    else:
        found[path] = value


def element_of(node: Node, item: Any) -> str:
    if node.list_type == "map" and isinstance(item, dict):
        keys = {key: item.get(key, default_of(node, key)) for key in sorted(node.list_keys)}
        return "k:" + codec.encode(keys).decode()
    return "v:" + codec.encode(item).decode()


def default_of(node: Node, key: str) -> Any:
    found = node.items.properties[key].default if node.items and key in node.items.properties else MISSING
    return None if found is MISSING else found


def paths_of(node: Node, fields: Mapping[str, Any]) -> dict[Path, Any]:
    found: dict[Path, Any] = {}
    flatten(node, fields, (), found)
    del found[()]
    return {path: value for path, value in found.items() if path not in UNOWNED and path[:2] not in UNOWNED}


def applied_set(node: Node, config: Mapping[str, Any]) -> FieldSet:
    """What a manager claims by applying `config`: its leaves, list items and empty objects, not what leads there."""
    found = paths_of(node, config)
    holders = {path[:-1] for path in found}
    return frozenset(
        path for path, value in found.items() if value is not LIST and (value is not CONTAINER or path not in holders)
    )


# ---- trees, as stored ----


def to_tree(fields: FieldSet) -> Fields:
    tree: Fields = {}
    ordered = sorted(fields)
    for path, following in zip_longest(ordered, ordered[1:], fillvalue=()):
        place = tree
        for element in path:
            place = place.setdefault(element, {})
        if following[: len(path)] == path:  # what lies below a path sorts right after it
            place["."] = {}
    return tree


def from_tree(tree: Mapping[str, Any]) -> FieldSet:
    found: set[Path] = set()
    collect(tree, (), found)
    return frozenset(found)


def collect(tree: Mapping[str, Any], path: Path, found: set[Path]) -> None:
    for element, below in tree.items():
        if element == ".":
            found.add(path)
        elif below:
            collect(below, (*path, element), found)
        else:
            found.add((*path, element))


def load(entries: Iterable[Mapping[str, Any]]) -> list[Share]:
    return [
        Share(
            Manager(one.get("manager", ""), one["operation"], one.get("apiVersion", ""), one.get("subresource", "")),
            from_tree(one.get("fieldsV1", {})),
            one.get("time", ""),
        )
        for one in entries
        if one.get("operation")
    ]


def dump(shares: Iterable[Share]) -> list[Fields]:
    ordered = sorted(shares, key=lambda share: (share.manager.operation, share.time, share.manager.key))
    return [dump_share(share) for share in ordered if share.fields]


def dump_share(share: Share) -> Fields:
    return entry_of(share.manager, share.time, to_tree(share.fields))


def entry_of(manager: Manager, time: str, tree: Fields) -> Fields:
    entry = {
        "manager": manager.name,
        "operation": manager.operation,
        "apiVersion": manager.api_version,
        "time": time,
        "fieldsType": "FieldsV1",
        "fieldsV1": tree,
    }
    return entry | ({"subresource": manager.subresource} if manager.subresource else {})


# ---- writes ----


def after_creation(node: Node, fields: Fields, manager: Manager, now: str) -> list[Fields]:
    """Whoever creates an object owns all of it. The same as after_update from nothing, in one walk: creates are hot."""
    tree = whole_tree(node, fields)
    for path in UNOWNED_TREE:
        tree.pop(path, None)
    meta = {name: below for name, below in tree.pop("f:metadata", {}).items() if name not in UNOWNED_META}
    tree.pop(".", None)
    tree = ({"f:metadata": meta} if meta else {}) | tree
    return [entry_of(manager, now, tree)] if tree else []


def whole_tree(node: Node | None, value: Any) -> Fields:
    if isinstance(value, dict) and not (node and node.atomic):
        if not value:
            return {}
        properties, other = (node.properties, node.additional) if node else ({}, None)
        return {".": {}} | {
            f"f:{name}": whole_tree(properties.get(name) or other, item) for name, item in value.items()
        }
    if value and isinstance(value, list) and node and node.list_type in {"set", "map"}:
        return {".": {}} | {element_of(node, item): whole_tree(node.items, item) for item in value}
    return {}


def after_update(
    node: Node, before: Mapping[str, Any], after: Mapping[str, Any], shares: list[Share], manager: Manager, now: str
) -> list[Share]:
    """A plain write takes what it changed from whoever had it; what it removed belongs to nobody."""
    old, new = paths_of(node, before), paths_of(node, after)
    changed = frozenset(path for path, value in new.items() if path not in old or differs(old[path], value))
    gone = frozenset(old.keys() - new.keys())
    if not changed and not gone:
        return shares
    own = next((share for share in shares if share.manager.key == manager.key), Share(manager, frozenset(), now))
    others = [without(share, changed | gone) for share in shares if share.manager.key != manager.key]
    mine = (own.fields | changed) - gone
    return [*others, Share(manager, mine, own.time if mine == own.fields else now)]


def differs(one: Any, other: Any) -> bool:
    return one is not other and (one is CONTAINER or other is CONTAINER or one is ITEM or one != other)


def without(share: Share, fields: FieldSet) -> Share:
    return replace(share, fields=share.fields - fields) if share.fields & fields else share


@dataclass(frozen=True, slots=True)
class Applied:
    fields: Fields
    shares: list[Share]


def apply(
    node: Node, live: Fields, config: Fields, shares: list[Share], manager: Manager, *, force: bool, now: str
) -> Applied:
    """Merges `config` into `live`; a field that another manager set to something else is a conflict unless forced."""
    claimed = applied_set(node, config)
    merged = merge(node, live, config)
    old, new = paths_of(node, live), paths_of(node, merged)
    changed = frozenset(path for path, value in new.items() if path not in old or differs(old[path], value))
    others = [share for share in shares if share.manager.key != manager.key]
    disputes = [(share.manager, share.fields & changed) for share in others if share.fields & changed]
    if disputes and not force:
        raise conflict_of(disputes)
    others = [without(share, changed) for share in others]
    own = next((share for share in shares if share.manager.key == manager.key), None)
    kept = claimed.union(*(share.fields for share in others))
    abandoned = (own.fields - kept) if own else frozenset()
    remove(node, merged, (), abandoned, kept)
    time = own.time if own and own.fields == claimed and not changed else now
    return Applied(merged, [*others, Share(manager, claimed, time)])


def conflict_of(disputes: list[tuple[Manager, FieldSet]]) -> ApiError:
    causes = [
        {
            "reason": "FieldManagerConflict",
            "message": f"conflict with {manager}",
            "field": spell(path),
        }
        for manager, fields in disputes
        for path in sorted(fields)
    ]
    lines = [
        f"conflicts with {manager}:\n" + "\n".join(f"- {spell(path)}" for path in sorted(fields))
        for manager, fields in sorted(disputes, key=lambda dispute: str(dispute[0]))
    ]
    if len(causes) == 1:
        message = f"Apply failed with 1 conflict: {causes[0]['message']}: {causes[0]['field']}"
    else:
        message = f"Apply failed with {len(causes)} conflicts: " + "\n".join(lines)
    return ApiError(409, "Conflict", message, details={"causes": causes})


def spell(path: Path) -> str:
    """A path for people: .spec.parts[name="x"].count"""
    text = ""
    for element in path:
        kind, _, rest = element.partition(":")
        if kind == "f":
            text += f".{rest}"
        elif kind == "k":
            keys = json.loads(rest)
            text += "[" + ",".join(f"{name}={json.dumps(value)}" for name, value in keys.items()) + "]"
        else:
            text += f"[={rest}]"
    return text


def merge(node: Node | None, live: Any, config: Any) -> Any:
    if isinstance(config, dict) and not (node and node.atomic):
        result = dict(live) if isinstance(live, dict) else {}
        for name, value in config.items():
            below = (node.properties.get(name) or node.additional) if node else None
            result[name] = merge(below, result.get(name), value)
        return result
    if isinstance(config, list) and node and node.list_type in {"set", "map"}:
        return merge_list(node, live if isinstance(live, list) else [], config)
    return deepcopy(config)


def merge_list(node: Node, live: list[Any], config: list[Any]) -> list[Any]:
    wanted = {element_of(node, item): item for item in config}
    present = {element_of(node, item): item for item in live}
    return [
        merge(node.items, present.get(key), wanted[key]) if key in wanted else present[key]
        for key in merged_order(list(present), list(wanted))
    ]


def merged_order(live: list[str], wanted: list[str]) -> list[str]:
    """Applied items in the order applied; those of others stay where they stood. As structured-merge-diff has it."""
    applied, present = set(wanted), set(live)
    shared = deque(key for key in wanted if key in present)
    waiting, upcoming = deque(live), deque(wanted)
    order: list[str] = []
    taken: set[str] = set()
    while waiting or upcoming:
        if waiting and waiting[0] not in applied:
            order.append(waiting.popleft())
            continue
        if waiting and upcoming and shared and waiting[0] not in {upcoming[0], shared[0]}:
            # Its turn comes with the applied ones.
            waiting.popleft()
            continue
        if waiting and (waiting[0] in taken or (upcoming and waiting[0] == upcoming[0])):
            waiting.popleft()
        if upcoming:
            key = upcoming.popleft()
            taken.add(key)
            order.append(key)
            if shared and shared[0] == key:
                shared.popleft()
    return order


def remove(node: Node | None, value: Any, path: Path, abandoned: FieldSet, kept: FieldSet) -> None:
    """Takes out, in place, what its last owner no longer applies; what is empty after that goes too."""
    if isinstance(value, dict):
        remove_members(node, value, path, abandoned, kept)
    elif isinstance(value, list) and node and node.list_type in {"set", "map"}:
        places = [((*path, element_of(node, item)), item) for item in value]
        value[:] = [item for place, item in places if not is_abandoned(place, abandoned, kept)]
        for place, item in places:
            if below(place, abandoned):
                remove(node.items, item, place, abandoned, kept)


def remove_members(node: Node | None, value: Fields, path: Path, abandoned: FieldSet, kept: FieldSet) -> None:
    for name in list(value):
        place = (*path, f"f:{name}")
        if is_abandoned(place, abandoned, kept):
            del value[name]
        elif below(place, abandoned):
            child = (node.properties.get(name) or node.additional) if node else None
            value[name] = deepcopy(value[name])
            remove(child, value[name], place, abandoned, kept)
            if not value[name]:
                del value[name]


def is_abandoned(place: Path, abandoned: FieldSet, kept: FieldSet) -> bool:
    return place in abandoned and not any(path[: len(place)] == place for path in kept)


def below(place: Path, fields: FieldSet) -> bool:
    return any(path[: len(place)] == place and len(path) > len(place) for path in fields)
