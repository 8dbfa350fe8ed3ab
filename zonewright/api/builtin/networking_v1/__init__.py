# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Models of networking.k8s.io/v1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .ingress import HTTPIngressPath as HTTPIngressPath
    from .ingress import HTTPIngressRuleValue as HTTPIngressRuleValue
    from .ingress import Ingress as Ingress
    from .ingress import IngressBackend as IngressBackend
    from .ingress import IngressLoadBalancerIngress as IngressLoadBalancerIngress
    from .ingress import IngressLoadBalancerStatus as IngressLoadBalancerStatus
    from .ingress import IngressPortStatus as IngressPortStatus
    from .ingress import IngressRule as IngressRule
    from .ingress import IngressServiceBackend as IngressServiceBackend
    from .ingress import IngressSpec as IngressSpec
    from .ingress import IngressStatus as IngressStatus
    from .ingress import IngressTLS as IngressTLS
    from .ingress import ServiceBackendPort as ServiceBackendPort
    from .ingressclass import IngressClass as IngressClass
    from .ingressclass import IngressClassParametersReference as IngressClassParametersReference
    from .ingressclass import IngressClassSpec as IngressClassSpec
    from .networkpolicy import IPBlock as IPBlock
    from .networkpolicy import NetworkPolicy as NetworkPolicy
    from .networkpolicy import NetworkPolicyEgressRule as NetworkPolicyEgressRule
    from .networkpolicy import NetworkPolicyIngressRule as NetworkPolicyIngressRule
    from .networkpolicy import NetworkPolicyPeer as NetworkPolicyPeer
    from .networkpolicy import NetworkPolicyPort as NetworkPolicyPort
    from .networkpolicy import NetworkPolicySpec as NetworkPolicySpec

_HOMES = {
    "IngressPortStatus": "ingress",
    "IngressTLS": "ingress",
    "ServiceBackendPort": "ingress",
    "IngressLoadBalancerIngress": "ingress",
    "IngressLoadBalancerStatus": "ingress",
    "IngressServiceBackend": "ingress",
    "IngressStatus": "ingress",
    "IngressBackend": "ingress",
    "HTTPIngressPath": "ingress",
    "HTTPIngressRuleValue": "ingress",
    "IngressRule": "ingress",
    "IngressSpec": "ingress",
    "Ingress": "ingress",
    "IngressClassParametersReference": "ingressclass",
    "IngressClassSpec": "ingressclass",
    "IngressClass": "ingressclass",
    "IPBlock": "networkpolicy",
    "NetworkPolicyPeer": "networkpolicy",
    "NetworkPolicyPort": "networkpolicy",
    "NetworkPolicyEgressRule": "networkpolicy",
    "NetworkPolicyIngressRule": "networkpolicy",
    "NetworkPolicySpec": "networkpolicy",
    "NetworkPolicy": "networkpolicy",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
