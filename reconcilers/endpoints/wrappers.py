"""The steps of the chain that change endpoints one by one, or add some. Pure."""

from collections.abc import Iterable
from dataclasses import replace
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

import dns.reversename

from reconcilers.ddns.rdata import brief
from reconcilers.endpoints.annotations import RECORD_TYPE
from reconcilers.endpoints.endpoint import RESOURCE_LABEL, Endpoint
from reconcilers.endpoints.rdata import checked
from reconcilers.endpoints.targets import type_for
from reconcilers.reasons import Reason

Networks = tuple[IPv4Network | IPv6Network, ...]

_EXCLUDED = "the operator's target filters exclude"


def nat64(endpoints: Iterable[Endpoint], networks: Iterable[IPv6Network]) -> list[Endpoint]:
    """And an A endpoint for each AAAA endpoint with targets in the networks: the addresses that those stand for."""
    given, inside = list(endpoints), tuple(networks)
    return given + [endpoint for each in given if inside and (endpoint := _translated(each, inside))]


def _translated(endpoint: Endpoint, networks: tuple[IPv6Network, ...]) -> Endpoint | None:
    if endpoint.problem is not None or endpoint.record_type != "AAAA":
        return None
    addresses = [address for address in map(IPv6Address, endpoint.targets) if any(address in each for each in networks)]
    if not addresses:
        return None
    targets = tuple(str(ip_address(address.packed[-4:])) for address in addresses)  # RFC 6052 2.2, for /96
    return checked(replace(endpoint, record_type="A", targets=targets, pods=0))


def filter_targets(endpoints: Iterable[Endpoint], include: Networks, exclude: Networks) -> list[Endpoint]:
    """Without the targets that the networks leave out; what has none left is refused.

    As external-dns has it, host names and text are in no network: `include` leaves addresses only.
    """
    if not include and not exclude:
        return list(endpoints)
    return [_filtered(endpoint, include, exclude) for endpoint in endpoints]


def _filtered(endpoint: Endpoint, include: Networks, exclude: Networks) -> Endpoint:
    if endpoint.problem is not None:
        return endpoint
    kept = tuple(target for target in endpoint.targets if _passes(target, include, exclude))
    if kept == endpoint.targets:
        return endpoint
    if not kept:
        return endpoint.refused(Reason.ENDPOINT_FILTERED, f"{_EXCLUDED} {_named(endpoint.targets)}")
    left_out = sorted(set(endpoint.targets) - set(kept))
    warning = f"{_EXCLUDED} {_named(left_out)}"
    return replace(endpoint.warned([warning]), targets=kept, pods=min(endpoint.pods, len(kept)))


def _passes(target: str, include: Networks, exclude: Networks) -> bool:
    if type_for(target) == "CNAME":  # no address
        return not include
    address = ip_address(target)
    return not any(address in each for each in exclude) and (not include or any(address in each for each in include))


def _named(targets: Iterable[str]) -> str:
    """A few of them: a Service may have thousands."""
    some = list(targets)
    return ", ".join(map(brief, some[:3])) + (f" and {len(some) - 3} more" if len(some) > 3 else "")


def with_ptr(endpoints: Iterable[Endpoint], *, default: bool) -> list[Endpoint]:
    """And a PTR endpoint for each address, with the names of all endpoints that have it as a target.

    An object can ask for it, or against it, with the setting record-type, which is gone afterwards."""
    given = list(endpoints)
    by_address: dict[str, list[Endpoint]] = {}
    for endpoint in given:
        if _wants_ptr(endpoint, default=default):
            for target in endpoint.targets:
                by_address.setdefault(target, []).append(endpoint)
    pointers = [_ptr(address, by_address[address]) for address in sorted(by_address)]
    return [_without_record_type(endpoint) for endpoint in given] + [checked(pointer) for pointer in pointers]


def _wants_ptr(endpoint: Endpoint, *, default: bool) -> bool:
    if endpoint.problem is not None or endpoint.record_type not in {"A", "AAAA"} or endpoint.name.is_wild():
        return False
    asked = dict(endpoint.provider_specific).get(RECORD_TYPE)
    return default if asked is None else asked.lower() == "ptr"


def _ptr(address: str, group: list[Endpoint]) -> Endpoint:
    """With the least TTL that somebody asks for."""
    first = group[0]
    pointer = Endpoint(
        dns.reversename.from_address(address).to_text(omit_final_dot=True),
        "PTR",
        tuple(endpoint.name.to_text(omit_final_dot=True) for endpoint in group),
        ttl=min((endpoint.ttl for endpoint in group if endpoint.ttl), default=0),
        labels=((RESOURCE_LABEL, first.resource),) if first.resource else (),
        position=first.position,
        derived=True,
    )
    return pointer.with_refs(ref for endpoint in group for ref in endpoint.refs)


def _without_record_type(endpoint: Endpoint) -> Endpoint:
    kept = tuple(each for each in endpoint.provider_specific if each[0] != RECORD_TYPE)
    return endpoint if kept == endpoint.provider_specific else replace(endpoint, provider_specific=kept)


def post_process(endpoints: Iterable[Endpoint], *, min_ttl: int, provider: str) -> list[Endpoint]:
    """With the default TTL, and without the settings of other DNS providers."""
    return [_processed(endpoint, min_ttl, provider) for endpoint in endpoints]


def _processed(endpoint: Endpoint, min_ttl: int, provider: str) -> Endpoint:
    ttl = endpoint.ttl or min_ttl
    settings = tuple(each for each in sorted(endpoint.provider_specific) if _is_for(provider, each[0]))
    if (ttl, settings) == (endpoint.ttl, endpoint.provider_specific):
        return endpoint
    return replace(endpoint, ttl=ttl, provider_specific=settings)


def _is_for(provider: str, setting: str) -> bool:
    return "/" not in setting or setting.startswith(f"{provider}/")
