"""Shapes that many CRDs repeat (Condition, LabelSelector, EnvVar ...) and the shared types that stand for them.

A shape is what a class would show: the names of the fields, their types, and what they default to. Limits on values do
not count: the shared types have none, so they accept all that the CRD accepts and write it back unchanged. For the same
reason a shared type may require less than the place it stands for, never more.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zonewright.codegen.schema.walk import Node

Fingerprint = str


@dataclass(frozen=True, slots=True)
class Shape:
    name: str
    node: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shared types, found by fingerprint."""

    by_fingerprint: Mapping[Fingerprint, str]
    required: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, nodes: Mapping[str, Node]) -> "Shapes":
        return cls(
            {fingerprint(node): name for name, node in nodes.items()},
            {name: frozenset(node.get("required", ())) for name, node in nodes.items()},
        )

    def match(self, node: Mapping[str, Any]) -> str | None:
        """The name of the shared type for a normalised object, if there is one."""
        name = self.by_fingerprint.get(fingerprint(node))
        return name if name and self.required[name] <= set(node.get("required", ())) else None

    @property
    def names(self) -> list[str]:
        return sorted(self.required)


def fingerprint(node: Mapping[str, Any]) -> Fingerprint:
    """Equal for objects that would become the same class, apart from which of their fields are required."""
    return json.dumps(_outline(node, required=True), sort_keys=True)


def _outline(node: Mapping[str, Any], *, required: bool) -> Any:
    outline: dict[str, Any] = {keyword: node[keyword] for keyword in ("type", "$ref", "default") if keyword in node}
    # An optional field without a default admits None whether it is nullable or not.
    if node.get("nullable") and (required or "default" in node):
        outline["nullable"] = True
    if "properties" in node:
        mandatory = set(node.get("required", ()))
        outline["properties"] = {
            name: _outline(child, required=name in mandatory) for name, child in node["properties"].items()
        }
    for keyword in ("items", "additionalProperties"):
        if isinstance(node.get(keyword), Mapping):
            outline[keyword] = _outline(node[keyword], required=True)
    return outline
