# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Models of apps/v1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .daemonset import DaemonSet as DaemonSet
    from .daemonset import DaemonSetCondition as DaemonSetCondition
    from .daemonset import DaemonSetSpec as DaemonSetSpec
    from .daemonset import DaemonSetStatus as DaemonSetStatus
    from .daemonset import DaemonSetUpdateStrategy as DaemonSetUpdateStrategy
    from .daemonset import RollingUpdateDaemonSet as RollingUpdateDaemonSet
    from .deployment import Deployment as Deployment
    from .deployment import DeploymentCondition as DeploymentCondition
    from .deployment import DeploymentSpec as DeploymentSpec
    from .deployment import DeploymentStatus as DeploymentStatus
    from .deployment import DeploymentStrategy as DeploymentStrategy
    from .deployment import RollingUpdateDeployment as RollingUpdateDeployment
    from .replicaset import ReplicaSet as ReplicaSet
    from .replicaset import ReplicaSetCondition as ReplicaSetCondition
    from .replicaset import ReplicaSetSpec as ReplicaSetSpec
    from .replicaset import ReplicaSetStatus as ReplicaSetStatus
    from .statefulset import RollingUpdateStatefulSetStrategy as RollingUpdateStatefulSetStrategy
    from .statefulset import StatefulSet as StatefulSet
    from .statefulset import StatefulSetCondition as StatefulSetCondition
    from .statefulset import StatefulSetOrdinals as StatefulSetOrdinals
    from .statefulset import (
        StatefulSetPersistentVolumeClaimRetentionPolicy as StatefulSetPersistentVolumeClaimRetentionPolicy,
    )
    from .statefulset import StatefulSetSpec as StatefulSetSpec
    from .statefulset import StatefulSetStatus as StatefulSetStatus
    from .statefulset import StatefulSetUpdateStrategy as StatefulSetUpdateStrategy

_HOMES = {
    "DaemonSetCondition": "daemonset",
    "DaemonSetStatus": "daemonset",
    "RollingUpdateDaemonSet": "daemonset",
    "DaemonSetUpdateStrategy": "daemonset",
    "DaemonSetSpec": "daemonset",
    "DaemonSet": "daemonset",
    "DeploymentCondition": "deployment",
    "DeploymentStatus": "deployment",
    "RollingUpdateDeployment": "deployment",
    "DeploymentStrategy": "deployment",
    "DeploymentSpec": "deployment",
    "Deployment": "deployment",
    "ReplicaSetCondition": "replicaset",
    "ReplicaSetSpec": "replicaset",
    "ReplicaSetStatus": "replicaset",
    "ReplicaSet": "replicaset",
    "RollingUpdateStatefulSetStrategy": "statefulset",
    "StatefulSetCondition": "statefulset",
    "StatefulSetOrdinals": "statefulset",
    "StatefulSetPersistentVolumeClaimRetentionPolicy": "statefulset",
    "StatefulSetStatus": "statefulset",
    "StatefulSetUpdateStrategy": "statefulset",
    "StatefulSetSpec": "statefulset",
    "StatefulSet": "statefulset",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
