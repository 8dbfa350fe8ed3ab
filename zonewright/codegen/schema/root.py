"""What every object has, whether its schema says so or not: kube-rs writes CRDs whose root is only spec and status."""

from collections.abc import Mapping
from typing import Any

from zonewright.codegen.schema.walk import Node

# These come with the generated base class `Resource`: metadata is the same for every kind.
INHERITED = ("apiVersion", "kind", "metadata")


def inject_root(schema: Mapping[str, Any], *, api_version: str, kind: str) -> Node:
    """The root with apiVersion and kind as literals that default to themselves, and without metadata."""
    given = {name: child for name, child in (schema.get("properties") or {}).items() if name not in INHERITED}
    literals = {
        "apiVersion": {"type": "string", "enum": [api_version], "default": api_version},
        "kind": {"type": "string", "enum": [kind], "default": kind},
    }
    required = [name for name in schema.get("required") or () if name in given]
    root = {"type": "object", "properties": {**literals, **given}, "required": required}
    return {**root, "description": schema["description"]} if "description" in schema else root
