# Written by `make generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Models of externaldns.k8s.io/v1alpha1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .dnsendpoint import DNSEndpoint as DNSEndpoint
    from .dnsendpoint import DNSEndpointSpec as DNSEndpointSpec
    from .dnsendpoint import DNSEndpointSpecEndpoints as DNSEndpointSpecEndpoints
    from .dnsendpoint import DNSEndpointSpecEndpointsProviderSpecific as DNSEndpointSpecEndpointsProviderSpecific
    from .dnsendpoint import DNSEndpointStatus as DNSEndpointStatus
    from .dnsendpoint import DNSEndpointStatusEndpointStatuses as DNSEndpointStatusEndpointStatuses

_HOMES = {
    "DNSEndpointSpecEndpointsProviderSpecific": "dnsendpoint",
    "DNSEndpointStatusEndpointStatuses": "dnsendpoint",
    "DNSEndpointSpecEndpoints": "dnsendpoint",
    "DNSEndpointStatus": "dnsendpoint",
    "DNSEndpointSpec": "dnsendpoint",
    "DNSEndpoint": "dnsendpoint",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
