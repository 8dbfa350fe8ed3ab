"""`nullable: true` as JSON Schema says it. Optional fields admit None anyway; required ones and elements need it."""

from zonewright.codegen.schema.walk import Node


def write_null(node: Node) -> Node:
    if not node.pop("nullable", False):
        return node
    if "$ref" in node:
        return {"anyOf": [{"$ref": node.pop("$ref")}, {"type": "null"}], **node}
    if "type" in node:
        kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
        node["type"] = [*kinds, "null"]
        if "enum" in node:
            node["enum"] = [*node["enum"], None]
    return node
