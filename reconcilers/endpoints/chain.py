"""What happens to endpoints between their sources and the plan, in the order of external-dns' wrappers. Pure.

    multi -> dedup -> nat64 -> filter_targets -> with_ptr -> post_process

Each step keeps references, and keeps what it refuses, with the problem. The order in which objects are read does not
change the result.

Objects of different namespaces may ask for one endpoint. So what a zone does not take from a namespace has to be
refused before the chain: a refused endpoint is merged with none, and after the chain its targets cannot be told apart.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any, Self

from reconcilers.ddns.rrset import MAX_TTL
from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.rdata import checked
from reconcilers.endpoints.wrappers import Networks, filter_targets, nat64, post_process, with_ptr


@dataclass(frozen=True, slots=True)
class ChainOptions:
    """What the steps do; the names are those of the flags."""

    nat64_networks: tuple[IPv6Network, ...] = ()
    target_net_filter: Networks = ()
    exclude_target_net: Networks = ()
    create_ptr: bool = False
    min_ttl: int = 0
    """For endpoints without a TTL, as external-dns means it; not a lower bound."""
    provider: str = "rfc2136"
    """Whose settings are kept: `rfc2136/...`, and those of no provider."""

    @classmethod
    def of(
        cls,
        *,
        nat64_networks: Iterable[str] = (),
        target_net_filter: Iterable[str] = (),
        exclude_target_net: Iterable[str] = (),
        create_ptr: bool = False,
        min_ttl: int = 0,
    ) -> Self:
        """From the text of flags. Raises ValueError, which names the flag; external-dns ignores some mistakes."""
        if not 0 <= min_ttl <= MAX_TTL:
            raise ValueError(f"--min-ttl: {min_ttl} is not within 0..{MAX_TTL}")
        return cls(
            nat64_networks=tuple(_nat64(network) for network in _networks("--nat64-networks", nat64_networks)),
            target_net_filter=tuple(_networks("--target-net-filter", target_net_filter)),
            exclude_target_net=tuple(_networks("--exclude-target-net", exclude_target_net)),
            create_ptr=create_ptr,
            min_ttl=min_ttl,
        )


@dataclass(frozen=True, slots=True)
class Chain:
    """All steps in their order."""

    options: ChainOptions = ChainOptions()

    def __call__(self, *sources: Iterable[Endpoint]) -> list[Endpoint]:
        """What all sources ask for together, ready for the plan."""
        options = self.options
        endpoints = nat64(dedup(multi(*sources)), options.nat64_networks)
        endpoints = filter_targets(endpoints, options.target_net_filter, options.exclude_target_net)
        endpoints = with_ptr(endpoints, default=options.create_ptr)
        return post_process(endpoints, min_ttl=options.min_ttl, provider=options.provider)


def multi(*sources: Iterable[Endpoint]) -> list[Endpoint]:
    """What all sources ask for. Services that ask for one name share it, and so do Ingresses.

    external-dns merges the targets of a source's endpoints that differ in nothing else, except CNAMEs. DNSEndpoints
    say whole RRsets: of two for one name and type, the plan chooses one. (external-dns merges those too since v0.22.)
    """
    groups: dict[Any, list[Endpoint]] = {}
    for position, endpoint in enumerate(_sorted(endpoint for source in sources for endpoint in source)):
        key = (_source(endpoint), _row(endpoint), endpoint.ttl) if _is_shared(endpoint) else position
        groups.setdefault(key, []).append(endpoint)
    return [_merged(group) if len(group) > 1 else group[0] for group in groups.values()]


def dedup(endpoints: Iterable[Endpoint]) -> list[Endpoint]:
    """Valid endpoints with sorted, unique targets; those that mean the same become one, with all references.

    The first by resource gives TTL, labels and provider-specific settings.
    """
    groups: dict[Any, list[Endpoint]] = {}
    for position, endpoint in enumerate(_sorted(map(checked, endpoints))):
        key = position if endpoint.problem else (_row(endpoint), endpoint.targets)
        groups.setdefault(key, []).append(endpoint)
    return [_joined(group) if len(group) > 1 else group[0] for group in groups.values()]


def _is_shared(endpoint: Endpoint) -> bool:
    """CNAMEs are not: a name has one (RFC 1034 3.6.2)."""
    return endpoint.problem is None and endpoint.record_type != "CNAME" and _source(endpoint) in {"service", "ingress"}


def _source(endpoint: Endpoint) -> str:
    return endpoint.refs[0].source if endpoint.refs else ""


def _merged(group: list[Endpoint]) -> Endpoint:
    targets = tuple(sorted({target for each in group for target in each.targets}))
    pods = min(sum(each.pods for each in group), len(targets))
    return replace(_joined(group), targets=targets, pods=pods)


def _joined(group: list[Endpoint]) -> Endpoint:
    first = group[0].with_refs(ref for each in group for ref in each.refs)
    return replace(
        first.warned(warning for each in group for warning in each.warnings), pods=max(each.pods for each in group)
    )


def _row(endpoint: Endpoint) -> tuple[Any, ...]:
    return (endpoint.name, endpoint.record_type, endpoint.set_identifier)


def _sorted(endpoints: Iterable[Endpoint]) -> list[Endpoint]:
    return sorted(endpoints, key=_order)


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
        endpoint.warnings,
        [(ref.resource, ref.uid, ref.api_version, ref.kind) for ref in endpoint.refs],
    )


def _networks(flag: str, texts: Iterable[str]) -> Iterator[IPv4Network | IPv6Network]:
    for text in filter(None, map(str.strip, texts)):
        try:
            yield ip_network(text, strict=False)
        except ValueError as error:
            raise ValueError(f"{flag}: {text!r} is not a network: write 192.0.2.0/24") from error


def _nat64(network: IPv4Network | IPv6Network) -> IPv6Network:
    if not isinstance(network, IPv6Network) or network.prefixlen != 96:
        raise ValueError(f"--nat64-networks: {network} is not an IPv6 network of 96 bits, as 64:ff9b::/96")
    return network
