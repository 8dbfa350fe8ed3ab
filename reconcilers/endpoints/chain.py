"""What happens to endpoints between their sources and the plan, in the order of external-dns' wrappers. Pure.

    multi -> dedup -> nat64 -> filter_targets -> with_ptr -> post_process

Each step keeps references, and keeps what it refuses, with the problem. The order in which objects are read does not
change the result.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.rdata import checked


def dedup(endpoints: Iterable[Endpoint]) -> list[Endpoint]:
    """Valid endpoints with sorted, unique targets; those that mean the same become one, with all references.

    The first by resource gives TTL, labels and provider-specific settings.
    """
    merged: dict[Any, Endpoint] = {}
    for position, endpoint in enumerate(sorted(map(checked, endpoints), key=_order)):
        key = position if endpoint.problem else (_row(endpoint), endpoint.targets)
        first = merged.get(key)
        merged[key] = endpoint if first is None else _joined(first, endpoint)
    return list(merged.values())


def _joined(first: Endpoint, other: Endpoint) -> Endpoint:
    return replace(first.with_refs(other.refs), pods=max(first.pods, other.pods))


def _row(endpoint: Endpoint) -> tuple[Any, ...]:
    return (endpoint.name, endpoint.record_type, endpoint.set_identifier)


def _order(endpoint: Endpoint) -> tuple[Any, ...]:
    """Total: equal only for equal endpoints. By resource first, as external-dns sorts what it merges."""
    return (
        endpoint.resource,
        endpoint.position,
        endpoint.dns_name,
        endpoint.record_type,
        endpoint.set_identifier,
        endpoint.targets,
        endpoint.ttl,
        endpoint.labels,
        endpoint.provider_specific,
        endpoint.pods,
        endpoint.problem.message if endpoint.problem else "",
        [(ref.resource, ref.uid, ref.api_version, ref.kind) for ref in endpoint.refs],
    )
