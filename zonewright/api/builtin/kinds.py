# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""The built-in kinds: what is known about each without loading its model."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from zonewright.api.kind import Kind

if TYPE_CHECKING:
    from . import (
        apiextensions_v1,
        apps_v1,
        batch_v1,
        coordination_v1,
        core_v1,
        discovery_v1,
        events_v1,
        networking_v1,
        policy_v1,
        rbac_v1,
    )

# What Kind.model() imports.
_PACKAGE = __name__.rpartition(".")[0]


ClusterRole: Kind[rbac_v1.ClusterRole] = Kind(
    "rbac.authorization.k8s.io",
    "v1",
    "ClusterRole",
    "clusterroles",
    namespaced=False,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.rbac_v1.clusterrole:ClusterRole",
)
ClusterRoleBinding: Kind[rbac_v1.ClusterRoleBinding] = Kind(
    "rbac.authorization.k8s.io",
    "v1",
    "ClusterRoleBinding",
    "clusterrolebindings",
    namespaced=False,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.rbac_v1.clusterrolebinding:ClusterRoleBinding",
)
ConfigMap: Kind[core_v1.ConfigMap] = Kind(
    "",
    "v1",
    "ConfigMap",
    "configmaps",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.core_v1.configmap:ConfigMap",
)
CronJob: Kind[batch_v1.CronJob] = Kind(
    "batch",
    "v1",
    "CronJob",
    "cronjobs",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.batch_v1.cronjob:CronJob",
)
CustomResourceDefinition: Kind[apiextensions_v1.CustomResourceDefinition] = Kind(
    "apiextensions.k8s.io",
    "v1",
    "CustomResourceDefinition",
    "customresourcedefinitions",
    namespaced=False,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.apiextensions_v1.customresourcedefinition:CustomResourceDefinition",
)
DaemonSet: Kind[apps_v1.DaemonSet] = Kind(
    "apps",
    "v1",
    "DaemonSet",
    "daemonsets",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.apps_v1.daemonset:DaemonSet",
)
Deployment: Kind[apps_v1.Deployment] = Kind(
    "apps",
    "v1",
    "Deployment",
    "deployments",
    namespaced=True,
    subresources=frozenset(["scale", "status"]),
    model_path=f"{_PACKAGE}.apps_v1.deployment:Deployment",
)
EndpointSlice: Kind[discovery_v1.EndpointSlice] = Kind(
    "discovery.k8s.io",
    "v1",
    "EndpointSlice",
    "endpointslices",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.discovery_v1.endpointslice:EndpointSlice",
)
Event: Kind[core_v1.Event] = Kind(
    "",
    "v1",
    "Event",
    "events",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.core_v1.event:Event",
)
EventsEvent: Kind[events_v1.Event] = Kind(
    "events.k8s.io",
    "v1",
    "Event",
    "events",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.events_v1.event:Event",
)
Ingress: Kind[networking_v1.Ingress] = Kind(
    "networking.k8s.io",
    "v1",
    "Ingress",
    "ingresses",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.networking_v1.ingress:Ingress",
)
IngressClass: Kind[networking_v1.IngressClass] = Kind(
    "networking.k8s.io",
    "v1",
    "IngressClass",
    "ingressclasses",
    namespaced=False,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.networking_v1.ingressclass:IngressClass",
)
Job: Kind[batch_v1.Job] = Kind(
    "batch",
    "v1",
    "Job",
    "jobs",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.batch_v1.job:Job",
)
Lease: Kind[coordination_v1.Lease] = Kind(
    "coordination.k8s.io",
    "v1",
    "Lease",
    "leases",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.coordination_v1.lease:Lease",
)
Namespace: Kind[core_v1.Namespace] = Kind(
    "",
    "v1",
    "Namespace",
    "namespaces",
    namespaced=False,
    subresources=frozenset(["finalize", "status"]),
    model_path=f"{_PACKAGE}.core_v1.namespace:Namespace",
)
NetworkPolicy: Kind[networking_v1.NetworkPolicy] = Kind(
    "networking.k8s.io",
    "v1",
    "NetworkPolicy",
    "networkpolicies",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.networking_v1.networkpolicy:NetworkPolicy",
)
Node: Kind[core_v1.Node] = Kind(
    "",
    "v1",
    "Node",
    "nodes",
    namespaced=False,
    subresources=frozenset(["proxy", "status"]),
    model_path=f"{_PACKAGE}.core_v1.node:Node",
)
PersistentVolume: Kind[core_v1.PersistentVolume] = Kind(
    "",
    "v1",
    "PersistentVolume",
    "persistentvolumes",
    namespaced=False,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.core_v1.persistentvolume:PersistentVolume",
)
PersistentVolumeClaim: Kind[core_v1.PersistentVolumeClaim] = Kind(
    "",
    "v1",
    "PersistentVolumeClaim",
    "persistentvolumeclaims",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.core_v1.persistentvolumeclaim:PersistentVolumeClaim",
)
Pod: Kind[core_v1.Pod] = Kind(
    "",
    "v1",
    "Pod",
    "pods",
    namespaced=True,
    subresources=frozenset(
        [
            "attach",
            "binding",
            "ephemeralcontainers",
            "eviction",
            "exec",
            "log",
            "portforward",
            "proxy",
            "resize",
            "status",
        ]
    ),
    model_path=f"{_PACKAGE}.core_v1.pod:Pod",
)
PodDisruptionBudget: Kind[policy_v1.PodDisruptionBudget] = Kind(
    "policy",
    "v1",
    "PodDisruptionBudget",
    "poddisruptionbudgets",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.policy_v1.poddisruptionbudget:PodDisruptionBudget",
)
ReplicaSet: Kind[apps_v1.ReplicaSet] = Kind(
    "apps",
    "v1",
    "ReplicaSet",
    "replicasets",
    namespaced=True,
    subresources=frozenset(["scale", "status"]),
    model_path=f"{_PACKAGE}.apps_v1.replicaset:ReplicaSet",
)
Role: Kind[rbac_v1.Role] = Kind(
    "rbac.authorization.k8s.io",
    "v1",
    "Role",
    "roles",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.rbac_v1.role:Role",
)
RoleBinding: Kind[rbac_v1.RoleBinding] = Kind(
    "rbac.authorization.k8s.io",
    "v1",
    "RoleBinding",
    "rolebindings",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.rbac_v1.rolebinding:RoleBinding",
)
Secret: Kind[core_v1.Secret] = Kind(
    "",
    "v1",
    "Secret",
    "secrets",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.core_v1.secret:Secret",
)
Service: Kind[core_v1.Service] = Kind(
    "",
    "v1",
    "Service",
    "services",
    namespaced=True,
    subresources=frozenset(["proxy", "status"]),
    model_path=f"{_PACKAGE}.core_v1.service:Service",
)
ServiceAccount: Kind[core_v1.ServiceAccount] = Kind(
    "",
    "v1",
    "ServiceAccount",
    "serviceaccounts",
    namespaced=True,
    subresources=frozenset(["token"]),
    model_path=f"{_PACKAGE}.core_v1.serviceaccount:ServiceAccount",
)
StatefulSet: Kind[apps_v1.StatefulSet] = Kind(
    "apps",
    "v1",
    "StatefulSet",
    "statefulsets",
    namespaced=True,
    subresources=frozenset(["scale", "status"]),
    model_path=f"{_PACKAGE}.apps_v1.statefulset:StatefulSet",
)

KINDS: Mapping[str, Kind[Any]] = MappingProxyType(
    {
        "ClusterRole": ClusterRole,
        "ClusterRoleBinding": ClusterRoleBinding,
        "ConfigMap": ConfigMap,
        "CronJob": CronJob,
        "CustomResourceDefinition": CustomResourceDefinition,
        "DaemonSet": DaemonSet,
        "Deployment": Deployment,
        "EndpointSlice": EndpointSlice,
        "Event": Event,
        "EventsEvent": EventsEvent,
        "Ingress": Ingress,
        "IngressClass": IngressClass,
        "Job": Job,
        "Lease": Lease,
        "Namespace": Namespace,
        "NetworkPolicy": NetworkPolicy,
        "Node": Node,
        "PersistentVolume": PersistentVolume,
        "PersistentVolumeClaim": PersistentVolumeClaim,
        "Pod": Pod,
        "PodDisruptionBudget": PodDisruptionBudget,
        "ReplicaSet": ReplicaSet,
        "Role": Role,
        "RoleBinding": RoleBinding,
        "Secret": Secret,
        "Service": Service,
        "ServiceAccount": ServiceAccount,
        "StatefulSet": StatefulSet,
    }
)
"""Every kind by its name."""
