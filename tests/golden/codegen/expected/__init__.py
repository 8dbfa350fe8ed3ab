# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Models, registry and informers of the CRDs. Importing this package costs nothing; its parts load on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .informers import Informers as Informers
    from .kinds import KINDS as KINDS

_HOMES = {"Informers": "informers", "KINDS": "kinds"}
__all__ = ["KINDS", "Informers"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
