"""Limits on values: from the OpenAPI 3.0 dialect of CRDs to JSON Schema 2020-12."""

from typing import Any

from zonewright.codegen.schema.walk import Node

NUMERIC = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
BY_TYPE = {
    "string": ("minLength", "maxLength", "pattern"),
    "array": ("minItems", "maxItems"),
    "integer": NUMERIC,
    "number": NUMERIC,
}
ALL = frozenset({keyword for keywords in BY_TYPE.values() for keyword in keywords})


def normalise_bounds(node: Node) -> Node:
    """Limits that belong to the type, as JSON Schema writes them; the others never had an effect."""
    allowed = BY_TYPE.get(str(node.get("type")), ())
    node = {keyword: value for keyword, value in node.items() if keyword not in ALL or keyword in allowed}
    for inclusive, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        # In OpenAPI 3.0 `exclusiveMinimum: true` changes what `minimum` means.
        if node.pop(exclusive, False) is True and inclusive in node:
            node[exclusive] = node.pop(inclusive)
    for keyword in NUMERIC:
        if keyword in node:
            node[keyword] = _integral(node[keyword])
    if node.get("type") == "number":
        # 0.3 is no multiple of 0.1 in binary: a float check would refuse what the API server accepts.
        node.pop("multipleOf", None)
    return node


def _integral(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value
