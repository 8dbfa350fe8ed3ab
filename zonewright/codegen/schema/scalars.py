"""Values that keep their text or their kind of number: references to the aliases that the generated base defines.

A timestamp parsed and written again loses its digits, `1` read as a float comes back as `1.0`, and a quantity or a port
may be a number or a string. So each is an alias of plain JSON types.
"""

from zonewright.codegen.schema.structural import INT_OR_STRING
from zonewright.codegen.schema.walk import Node

INT_OR_STRING_REF = "#/$defs/IntOrString"
QUANTITY_REF = "#/$defs/Quantity"
TIMESTAMP_REF = "#/$defs/Timestamp"
ALIASES = ("IntOrString", "Quantity", "Timestamp")

# How controller-gen, kube-rs and friends write resource.Quantity; nothing else looks like it.
QUANTITY_SUFFIXES = "([KMGTPE]i)|[numkMGTPE]|([eE]"


def name_scalars(node: Node) -> Node:
    if node.get(INT_OR_STRING):
        quantity = QUANTITY_SUFFIXES in str(node.get("pattern", ""))
        return _refer(node, QUANTITY_REF if quantity else INT_OR_STRING_REF)
    if node.get("type") == "string" and node.get("format") == "date-time" and "enum" not in node:
        return _refer(node, TIMESTAMP_REF)
    return node


def _refer(node: Node, target: str) -> Node:
    kept = ("description", "nullable", "default")
    return {"$ref": target} | {keyword: node[keyword] for keyword in kept if keyword in node}


def widen_number(node: Node) -> Node:
    """`number` admits `1`, and strict floats would write it back as `1.0`."""
    if node.get("type") == "number":
        node["type"] = ["integer", "number"]
    return node
