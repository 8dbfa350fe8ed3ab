"""Refuses what cannot be generated, before any step builds on it. The API server would refuse most of it too."""

from collections.abc import Mapping
from typing import Any

from zonewright.codegen.errors import CodegenError

TYPES = {"object", "array", "string", "integer", "number", "boolean"}
INT_OR_STRING = "x-kubernetes-int-or-string"
# Deeper than any real CRD (the deepest of 316 has 31 levels) and far from Python's recursion limit.
MAX_DEPTH = 100


def check(schema: Any, path: str = "", depth: int = 0) -> None:
    """Raises CodegenError with the path of the first node that has no Python type."""
    if not isinstance(schema, Mapping):
        raise CodegenError(f"a schema is a mapping, not {schema!r}", path=path)
    if depth > MAX_DEPTH:
        raise CodegenError(f"nested more than {MAX_DEPTH} levels deep", path=path)
    _check_node(schema, path)
    _check_children(schema, path, depth + 1)


def check_root(schema: Any) -> None:
    check(schema)
    if schema.get("type", "object") != "object":
        raise CodegenError(f"the root of a CRD is an object, not {schema['type']!r}", path="type")


def _check_node(schema: Mapping[str, Any], path: str) -> None:
    if "$ref" in schema:
        raise CodegenError(
            f"$ref ({schema['$ref']!r}) is not allowed in a CRD: write the schema in its place", path=path
        )
    kind = schema.get("type")
    if kind is not None and not (isinstance(kind, str) and kind in TYPES):
        raise CodegenError(f"{kind!r} is not one of {', '.join(sorted(TYPES))}", path=_join(path, "type"))
    if kind == "array" and "items" not in schema:
        raise CodegenError("an array needs items", path=path)
    if not isinstance(schema.get("enum", []), list):
        raise CodegenError("is not a list", path=_join(path, "enum"))
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        raise CodegenError("is not a list of names", path=_join(path, "required"))


def _check_children(schema: Mapping[str, Any], path: str, depth: int) -> None:
    properties = schema.get("properties", {})
    if not isinstance(properties, Mapping):
        raise CodegenError("is not a mapping", path=_join(path, "properties"))
    for name, child in properties.items():
        if not isinstance(name, str):
            raise CodegenError(f"the property name {name!r} is not a string: quote it", path=_join(path, "properties"))
        check(child, _join(path, f"properties.{name}"), depth)
    if "items" in schema:
        check(schema["items"], _join(path, "items"), depth)
    if isinstance(schema.get("additionalProperties", False), bool):
        return
    check(schema["additionalProperties"], _join(path, "additionalProperties"), depth)


def _join(path: str, step: str) -> str:
    return f"{path}.{step}" if path else step
