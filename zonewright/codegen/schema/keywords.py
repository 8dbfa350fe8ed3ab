"""Keeps the keywords that say something about a Python type, and writes the type down where it is only implied.

Out go the junctors (oneOf, anyOf, allOf, not): in a structural schema they state rules about values that are typed
elsewhere. As unions they cost thousands of classes and still do not enforce the rule; the API server does. Out go
titles (they would name classes), formats (they refuse or rewrite values; `scalars` has looked before), list types, CEL.
"""

from zonewright.codegen.schema.structural import INT_OR_STRING
from zonewright.codegen.schema.walk import Node

KEPT = frozenset({
    "type", "properties", "items", "additionalProperties", "required", "enum", "default", "description", "nullable",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "pattern", "minItems", "maxItems",
    "$ref",
})  # fmt: skip


def keep_typing(node: Node) -> Node:
    kept = {keyword: value for keyword, value in node.items() if keyword in KEPT}
    kind = _implied_type(node)
    if kind is None:
        return {keyword: kept[keyword] for keyword in ("description", "nullable", "default", "$ref") if keyword in kept}
    kept["type"] = kind
    return _object(kept) if kind == "object" else _enum(kept)


def _implied_type(node: Node) -> str | None:
    """The type, or None for "any value": int-or-string was turned into a reference by `scalars` before."""
    if "$ref" in node or INT_OR_STRING in node:
        return None
    if "type" in node:
        return str(node["type"])
    if "properties" in node or isinstance(node.get("additionalProperties"), dict):
        return "object"
    if "items" in node:
        return "array"
    return None


def _object(node: Node) -> Node:
    """Properties make a class, which keeps unknown fields by itself; without them it is a map."""
    node.pop("enum", None)
    if node.get("properties"):
        node.pop("additionalProperties", None)
        names = node["properties"]
        # The API server allows to require what is not declared; a class cannot.
        node["required"] = sorted({name for name in node.get("required", ()) if name in names})
        node["properties"] = {name: names[name] for name in sorted(names)}
        return node
    node.pop("properties", None)
    node.pop("required", None)
    if not isinstance(node.get("additionalProperties"), dict):
        node["additionalProperties"] = True
    return node


def _enum(node: Node) -> Node:
    """Literals hold strings, integers and booleans; null in an enum is what `nullable` says."""
    if "enum" not in node:
        return node
    values = [value for value in node["enum"] if value is not None]
    if len(values) < len(node["enum"]):
        node["nullable"] = True
    if node["type"] == "array" or not values or not all(isinstance(value, (str, int)) for value in values):
        node.pop("enum")
        return node
    # The literal says it all; a limit beside it only slows validation down.
    kept = ("type", "default", "description", "nullable")
    return {"enum": list(dict.fromkeys(values)), **{keyword: node[keyword] for keyword in kept if keyword in node}}
