# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Models of policy/v1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .poddisruptionbudget import PodDisruptionBudget as PodDisruptionBudget
    from .poddisruptionbudget import PodDisruptionBudgetSpec as PodDisruptionBudgetSpec
    from .poddisruptionbudget import PodDisruptionBudgetStatus as PodDisruptionBudgetStatus

_HOMES = {
    "PodDisruptionBudgetSpec": "poddisruptionbudget",
    "PodDisruptionBudgetStatus": "poddisruptionbudget",
    "PodDisruptionBudget": "poddisruptionbudget",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
