# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Models of rbac.authorization.k8s.io/v1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .clusterrole import AggregationRule as AggregationRule
    from .clusterrole import ClusterRole as ClusterRole
    from .clusterrolebinding import ClusterRoleBinding as ClusterRoleBinding
    from .common import PolicyRule as PolicyRule
    from .common import RoleRef as RoleRef
    from .common import Subject as Subject
    from .role import Role as Role
    from .rolebinding import RoleBinding as RoleBinding

_HOMES = {
    "AggregationRule": "clusterrole",
    "ClusterRole": "clusterrole",
    "ClusterRoleBinding": "clusterrolebinding",
    "PolicyRule": "common",
    "RoleRef": "common",
    "Subject": "common",
    "Role": "role",
    "RoleBinding": "rolebinding",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
