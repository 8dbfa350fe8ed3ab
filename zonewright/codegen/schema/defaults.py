"""Scalar defaults stay: they document what the API server fills in. Objects and arrays go.

A default list in a model is a trap: it counts as unset, so what is appended to it would not be written back.
"""

from zonewright.codegen.schema.walk import Node


def keep_scalar_default(node: Node) -> Node:
    if "default" in node and not _fits(node):
        node.pop("default")
    return node


def _fits(node: Node) -> bool:
    default = node["default"]
    if "enum" in node:
        return default in node["enum"]
    if node.get("type") == "boolean":
        return isinstance(default, bool)
    if isinstance(default, bool):
        return False
    kinds: dict[object, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float)}
    if "$ref" in node:
        return isinstance(default, (str,) if node["$ref"].endswith("Timestamp") else (str, int))
    return isinstance(default, kinds.get(node.get("type"), ()))
