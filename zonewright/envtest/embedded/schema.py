"""Structural schemas, compiled: a plain OpenAPI v3 dict becomes a tree of nodes that prune, default and validate walk.

Knows JSON Schema as Kubernetes restricts it, and nothing of kinds, metadata or storage. CEL rules are not evaluated."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

MISSING: Any = object()
REF = "#/components/schemas/"
Lookup = Callable[[str], "Node"]


@dataclass(slots=True, eq=False, weakref_slot=True)
class Node:
    """What is allowed at one place. `checks` has the rules on values in their source form, for validation only."""

    type: str = ""
    properties: dict[str, "Node"] = field(default_factory=dict)
    additional: "Node | None" = None
    items: "Node | None" = None
    required: tuple[str, ...] = ()
    default: Any = MISSING
    nullable: bool = False
    preserve: bool = False
    embedded: bool = False
    int_or_string: bool = False
    list_type: str = "atomic"
    list_keys: tuple[str, ...] = ()
    merge_key: str = ""
    merges: bool = False
    atomic: bool = False
    checks: Mapping[str, Any] = field(default_factory=dict)
    has_defaults: bool = False


CHECKS = frozenset(
    {
        "enum", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
        "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems",
        "allOf", "anyOf", "oneOf", "not",
    }
)  # fmt: skip


def compile_schema(schema: Mapping[str, Any], lookup: Lookup | None = None) -> Node:
    """`lookup` finds what a $ref names; only the schemas of built-in kinds have those."""
    if reference := reference_of(schema):
        if lookup is None:
            raise ValueError(f"a structural schema cannot hold a reference: {reference}")
        return lookup(reference)
    node = Node()
    fill(node, schema, lookup)
    return node


def reference_of(schema: Mapping[str, Any]) -> str:
    """The target of `$ref`, or of `allOf` around a single one, which is how OpenAPI adds a default to a reference."""
    parts = schema.get("allOf", ())
    ref = schema.get("$ref") or (parts[0].get("$ref") if len(parts) == 1 else None)
    return ref.removeprefix(REF) if ref else ""


def fill(node: Node, schema: Mapping[str, Any], lookup: Lookup | None = None) -> None:
    """Fills `node` in place, so that a schema may refer to itself."""
    node.type = schema.get("type", "")
    node.properties = {name: compile_schema(part, lookup) for name, part in schema.get("properties", {}).items()}
    node.additional = compile_additional(schema.get("additionalProperties"), lookup)
    node.items = compile_schema(schema["items"], lookup) if isinstance(schema.get("items"), dict) else None
    node.required = tuple(schema.get("required", ()))
    node.nullable = bool(schema.get("nullable"))
    if schema.get("default") is not None:
        node.default = schema["default"]
    fill_extensions(node, schema)
    node.checks = {name: schema[name] for name in CHECKS & schema.keys()}
    children = [*node.properties.values(), node.additional, node.items]
    node.has_defaults = any(child and (child.default is not MISSING or child.has_defaults) for child in children)


def compile_additional(part: Any, lookup: Lookup | None) -> Node | None:
    if isinstance(part, dict):
        return compile_schema(part, lookup)
    return Node(preserve=True) if part is True else None


def fill_extensions(node: Node, schema: Mapping[str, Any]) -> None:
    node.int_or_string = bool(schema.get("x-kubernetes-int-or-string")) or schema.get("format") == "int-or-string"
    node.embedded = bool(schema.get("x-kubernetes-embedded-resource"))
    node.preserve = bool(schema.get("x-kubernetes-preserve-unknown-fields"))
    node.list_type = schema.get("x-kubernetes-list-type", "atomic")
    node.list_keys = tuple(schema.get("x-kubernetes-list-map-keys", ()))
    node.merge_key = schema.get("x-kubernetes-patch-merge-key", "")
    node.merges = "merge" in schema.get("x-kubernetes-patch-strategy", "").split(",")
    node.atomic = schema.get("x-kubernetes-map-type") == "atomic"


def prune(node: Node, value: Any, path: str, unknown: list[str]) -> None:
    """Drops what the schema does not name, in place, and reports where."""
    if isinstance(value, dict):
        prune_object(node, value, path, unknown)
    elif isinstance(value, list) and node.items is not None:
        for index, item in enumerate(value):
            if isinstance(item, (dict, list)):
                prune(node.items, item, f"{path}[{index}]", unknown)


def prune_object(node: Node, value: dict[str, Any], path: str, unknown: list[str]) -> None:
    for name in list(value):
        child = node.properties.get(name) or node.additional
        if child is not None:
            if isinstance(value[name], (dict, list)):
                prune(child, value[name], f"{path}.{name}" if path else name, unknown)
        elif not node.preserve and not (node.embedded and name in {"apiVersion", "kind", "metadata"}):
            del value[name]
            unknown.append(f"{path}.{name}" if path else name)


def apply_defaults(node: Node, value: Any) -> None:
    """Fills in defaults, and drops nulls where null is neither allowed nor replaced by a default."""
    if isinstance(value, dict):
        default_object(node, value)
    elif isinstance(value, list) and node.items is not None:
        for item in value:
            apply_defaults(node.items, item)


def default_object(node: Node, value: dict[str, Any]) -> None:
    if node.has_defaults:
        for name, child in node.properties.items():
            if child.default is not MISSING and (name not in value or (value[name] is None and not child.nullable)):
                default = child.default
                value[name] = deepcopy(default) if isinstance(default, (dict, list)) else default
    for name in list(value):
        child_or_none = node.properties.get(name) or node.additional
        if child_or_none is None:
            continue
        if value[name] is None and not child_or_none.nullable:
            del value[name]
        elif isinstance(value[name], (dict, list)):
            apply_defaults(child_or_none, value[name])
