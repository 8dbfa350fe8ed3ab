# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Models of lower.example.org/v1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .lowercase import Lowercase as Lowercase
    from .lowercase import LowercaseSpec as LowercaseSpec

_HOMES = {
    "LowercaseSpec": "lowercase",
    "Lowercase": "lowercase",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
