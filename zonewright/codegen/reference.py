"""The fields of a kind as api.md shows them: from the CRD's own schema, descriptions and all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from zonewright.codegen.schema.structural import INT_OR_STRING
from zonewright.codegen.schema.walk import children

LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "matches `{}`",
    "format": "{}",
}


@dataclass(frozen=True, slots=True)
class Field:
    path: str
    type: str
    required: bool
    default: str
    description: str
    limits: tuple[str, ...]


def fields(schema: Mapping[str, Any], section: str) -> list[Field]:
    """Every field below a property of the root (`spec`, `status`), outer before inner."""
    node = (schema.get("properties") or {}).get(section)
    return list(_fields(node, section)) if node else []


def other_sections(schema: Mapping[str, Any]) -> list[str]:
    usual = {"apiVersion", "kind", "metadata", "spec", "status"}
    return [name for name in schema.get("properties") or {} if name not in usual]


def rules(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """The CEL rules of a schema with the path they stand at: what people meet as `kubectl apply` errors."""
    for rule in schema.get("x-kubernetes-validations") or ():
        yield path or "the object", rule.get("message") or f"`{rule.get('rule', '')}`"
    for step, child in children(schema):
        yield from rules(child, _join(path, step))


def _fields(node: Mapping[str, Any], path: str) -> Iterator[Field]:
    required = set(node.get("required") or ())
    for step, child in children(node):
        inner = _join(path, step)
        if step not in {"[]", "{}"}:
            yield _field(child, inner, step in required)
        yield from _fields(child, inner)


def _field(node: Mapping[str, Any], path: str, required: bool) -> Field:
    return Field(
        path=path,
        type=type_name(node),
        required=required,
        default="" if node.get("default") is None else f"`{_json(node['default'])}`",
        description=" ".join(str(node.get("description", "")).split()),
        limits=tuple(_limits(node)),
    )


def type_name(node: Mapping[str, Any]) -> str:
    """How people write the type: `string`, `list of string`, `map of object`."""
    if node.get(INT_OR_STRING):
        return "integer or string"
    if "items" in node:
        return f"list of {type_name(node['items'])}"
    if isinstance(node.get("additionalProperties"), Mapping):
        return f"map of {type_name(node['additionalProperties'])}"
    return str(node.get("type", "any"))


def _limits(node: Mapping[str, Any]) -> Iterator[str]:
    if "enum" in node:
        yield "one of " + ", ".join(f"`{_json(value)}`" for value in node["enum"])
    yield from (text.format(node[keyword]) for keyword, text in LIMITS.items() if keyword in node)
    if node.get("nullable"):
        yield "may be null"


def _json(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def _join(path: str, step: str) -> str:
    return f"{path}{step}" if step in {"[]", "{}"} else f"{path}.{step}".lstrip(".")
