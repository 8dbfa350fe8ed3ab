"""Definitions of a Kubernetes OpenAPI document -> definitions for the model writer, under Kubernetes' own names.

A CRD is one tree, and its classes are named after paths; a built-in kind is made of definitions that have names and
refer to each other. Where CRDs are described by the cluster that serves them, one set of built-in models reads the
objects of older and newer clusters. So what another version may do differently is no error: enums are text, and what
Go writes as null (an empty list, a map, a time that is not set) may be null although the document requires it.
"""

from collections.abc import Mapping
from typing import Any

from zonewright.codegen.schema.prepare import finish, normalise
from zonewright.codegen.schema.scalars import INT_OR_STRING_REF, QUANTITY_REF, TIMESTAMP_REF
from zonewright.codegen.schema.walk import Node, rewrite

REF = "#/components/schemas/"
SCALARS = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": QUANTITY_REF,
    "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": TIMESTAMP_REF,
    "io.k8s.apimachinery.pkg.apis.meta.v1.Time": TIMESTAMP_REF,
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": INT_OR_STRING_REF,
}
GO_ZEROS: tuple[object, ...] = ("", 0, False)


def is_class(definition: Mapping[str, Any]) -> bool:
    """Whether it has fields; others are scalars, maps or any value, and are written where they are used."""
    return bool(definition.get("properties"))


def reference(node: Mapping[str, Any]) -> str | None:
    """The definition that a node stands for. OpenAPI wraps a reference that has a description in `allOf`."""
    wrapped = node.get("allOf") or [node]
    target = wrapped[0].get("$ref") if len(wrapped) == 1 else None
    return str(target).removeprefix(REF) if target else None


def convert(definition: Mapping[str, Any], definitions: Mapping[str, Any], names: Mapping[str, str]) -> Node:
    """One definition, ready for the model writer. `names` are the classes that stand for other definitions."""

    def change(node: Node) -> Node:
        target = reference(node)
        return _tolerant(_resolved(node, target, definitions, names) if target else node)

    return finish({"": normalise(_tolerate_absent(rewrite(definition, change)))})[""]


def _resolved(node: Node, target: str, definitions: Mapping[str, Any], names: Mapping[str, str]) -> Node:
    told = {"description": node["description"]} if "description" in node else {}
    if target in SCALARS:
        return {"$ref": SCALARS[target], **told}
    if target in names:
        return {"$ref": f"#/$defs/{names[target]}", **told}
    return {**definitions[target], **told}


def _tolerant(node: Node) -> Node:
    """Without the zero values of Go, which OpenAPI lists as defaults, and with enums as text."""
    if not isinstance(node.get("default", ""), (str, int)) or node.get("default") in GO_ZEROS:
        node.pop("default", None)
    values = node.pop("enum", None)
    if values:
        listed = ", ".join(f"`{value}`" for value in values)
        node["description"] = f"{node.get('description', '')} One of {listed}.".strip()
    return node


def _tolerate_absent(node: Node) -> Node:
    """Required fields that Go writes as null while they are empty."""
    required = set(node.get("required", ()))
    properties = {
        name: {**child, "nullable": True} if name in required and _may_be_nil(child) else child
        for name, child in node["properties"].items()
    }
    return {**node, "properties": properties}


def _may_be_nil(node: Mapping[str, Any]) -> bool:
    return node.get("type") in {"array", "object"} or node.get("$ref") == TIMESTAMP_REF
