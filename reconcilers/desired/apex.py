"""What a zone publishes by itself: its SOA, the NS records of its apex and addresses for those. Pure.

BIND refuses a zone whose name server lies inside it and has no address. Where nobody gives one, the addresses of the
servers themselves are the truth."""

import ipaddress
from collections.abc import Callable, Iterable, Iterator

from dns.name import Name
from dns.rdatatype import NS

from generated.bindy_firestoned_io_v1beta1 import DNSZoneSpec
from reconcilers.ddns.errors import InvalidName
from reconcilers.ddns.names import parse_mailbox, parse_target
from reconcilers.ddns.presentation import InvalidField
from reconcilers.ddns.rdata import parse_rdata
from reconcilers.ddns.rrset import RRset
from reconcilers.ddns.soa import Soa
from reconcilers.desired.merge import Contribution
from reconcilers.desired.views import ZoneView
from reconcilers.engine.api import ObjectRef, ZoneConfig

_EARLIEST = ""  # sorts before every creationTimestamp: at its apex the zone itself is the oldest


def zone_config(spec: DNSZoneSpec, ttl: int) -> ZoneConfig:
    """Raises InvalidField for a SOA that names nobody."""
    soa = spec.soa_record
    return ZoneConfig(
        soa=Soa(
            primary=_target("spec.soaRecord.primaryNs", soa.primary_ns),
            admin=_field("spec.soaRecord.adminEmail", parse_mailbox, soa.admin_email),
            serial=0,
            refresh=soa.refresh,
            retry=soa.retry,
            expire=soa.expire,
            minimum=soa.negative_ttl,
            ttl=ttl,
        ),
        dnssec_policy=spec.dnssec_policy or "",
    )


def own_contributions(spec: DNSZoneSpec, zone: ZoneView, server_addresses: Iterable[str]) -> list[Contribution]:
    """The zone's own contributions, each under a name of its own. Raises InvalidField."""
    given = name_servers(spec)
    ns_set = RRset.of(zone.origin, zone.ttl, [parse_rdata(NS, host.to_text()) for host in sorted(given)])
    contributions = [_contribution(zone, ns_set)]
    fallback = [address for address in server_addresses if _is_address(address)]
    for host, addresses in given.items():
        if host.is_subdomain(zone.origin):
            rrsets = _address_rrsets(host, zone.ttl, addresses or fallback)
            contributions += [_contribution(zone, rrset, fallback=not addresses) for rrset in rrsets]
    return contributions


def name_servers(spec: DNSZoneSpec) -> dict[Name, list[str]]:
    """Host -> its addresses, from both of the API's spellings. `primaryNs` always is one of them."""
    found: dict[Name, list[str]] = {_target("spec.soaRecord.primaryNs", spec.soa_record.primary_ns): []}
    for number, server in enumerate(spec.name_servers or ()):
        field = f"spec.nameServers[{number}]"
        addresses = found.setdefault(_target(f"{field}.hostname", server.hostname), [])
        addresses += [_address(field, text) for text in (server.ipv4_address, server.ipv6_address) if text]
    for host, address in (spec.name_server_ips or {}).items():
        field = f"spec.nameServerIps[{host}]"
        found.setdefault(_target(field, host), []).append(_address(field, address))
    return found


def _target(field: str, text: str) -> Name:
    return _field(field, parse_target, text)


def _field(field: str, parse: Callable[[str], Name], text: str) -> Name:
    try:
        return parse(text)
    except InvalidName as error:
        raise InvalidField(field, error) from error


def _address(field: str, text: str) -> str:
    if not _is_address(text):
        raise InvalidField(field, f"{text!r} is not an IP address")
    return text


def _address_rrsets(host: Name, ttl: int, addresses: Iterable[str]) -> Iterator[RRset]:
    by_type: dict[str, set[str]] = {}
    for address in addresses:
        by_type.setdefault("A" if ipaddress.ip_address(address).version == 4 else "AAAA", set()).add(address)
    for rdtype, texts in sorted(by_type.items()):
        yield RRset.of(host, ttl, [parse_rdata(rdtype, text) for text in sorted(texts)])


def _contribution(zone: ZoneView, rrset: RRset, *, fallback: bool = False) -> Contribution:
    ref = ObjectRef("DNSZone", zone.key.namespace, f"{zone.key.name}: {rrset.key}", zone.uid)
    return Contribution(ref, "", _EARLIEST, rrset, frozenset({rrset.key}), fallback=fallback)


def _is_address(text: str) -> bool:
    """An IPv6 address with a zone (`fe80::1%eth0`) means something on one host only."""
    try:
        return "%" not in str(ipaddress.ip_address(text))
    except ValueError:
        return False
