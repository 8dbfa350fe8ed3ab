# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Models of meta/v1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .common import Condition as Condition
    from .common import LabelSelector as LabelSelector
    from .common import LabelSelectorRequirement as LabelSelectorRequirement
    from .common import ManagedFieldsEntry as ManagedFieldsEntry
    from .common import ObjectMeta as ObjectMeta
    from .common import OwnerReference as OwnerReference

_HOMES = {
    "Condition": "common",
    "LabelSelectorRequirement": "common",
    "ManagedFieldsEntry": "common",
    "OwnerReference": "common",
    "LabelSelector": "common",
    "ObjectMeta": "common",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
