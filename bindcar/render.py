"""A zone as named wants it: the clause for addzone and modzone, and the first zone file.

Pure. The clause is put together from words that were checked (words.py); the zone file's lines are printed by
dnspython from parsed names and data, so no text of a caller is ever copied into a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import dns.exception
import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype
from dns.rdtypes.ANY.NS import NS

from bindcar import tokens as words
from bindcar.requests import CreateZoneRequest, RecordFields, SoaFields

_PREFERENCE = frozenset({"MX", "SRV", "NAPTR"})


def zone_clause(request: CreateZoneRequest, file: Path) -> str:
    """`{ type primary; file "..."; ... };`. Never leaves allow-transfer to BIND's default, which is everybody."""
    config = request.zone_config
    key = request.update_key_name
    own_key = [f'key "{words.identifier(key, "key")}"'] if key else []
    transfer = [words.match_element(item) for item in config.allow_transfer] or own_key or ["none"]
    lines = [f"type {request.zone_type}", f'file "{file}"', _list("allow-transfer", transfer)]
    if request.zone_type == "primary":
        update = [words.match_element(item) for item in config.allow_update] or own_key or ["none"]
        lines.append(_list("allow-update", update))
        if config.dnssec_policy:
            lines.append(f'dnssec-policy "{words.identifier(config.dnssec_policy, "policy")}"')
        if config.inline_signing:
            lines.append("inline-signing yes")
    else:
        lines.append(_list("primaries", [words.server(item, key) for item in config.primaries]))
        if own_key:  # the operator itself tells secondaries of a change; it is none of their primaries
            lines.append(_list("allow-notify", own_key))
    if config.also_notify:
        lines.append(_list("also-notify", [words.server(item) for item in config.also_notify]))
    return "{ " + " ".join(f"{line};" for line in lines) + " };"


def zone_file(request: CreateZoneRequest) -> str:
    """The initial content of a primary: SOA, NS, glue, and records if there are any."""
    config = request.zone_config
    if config.soa is None:
        raise words.InvalidToken("a primary zone needs zoneConfig.soa")
    zone = dns.name.from_text(request.zone_name)
    records = [_record(record, zone, config.ttl) for record in config.records]
    servers = config.name_servers or ([] if _has_servers(zone, records) else [config.soa.primary_ns])
    glue = {_name(host, "nameServerIps"): words.address(ip) for host, ip in config.name_server_ips.items()}
    rows = [(zone, config.ttl, _soa(config.soa))]
    rows += [(zone, config.ttl, _rdata("NS", _name(server, "nameServers").to_text())) for server in servers]
    rows += [(host, config.ttl, _address(ip)) for host, ip in glue.items() if host.is_subdomain(zone)]
    rows += records
    _check_glue(zone, rows)
    _check_aliases(rows)
    return "\n".join(_lines(rows)) + "\n"


_ADDRESSES = frozenset({dns.rdatatype.A, dns.rdatatype.AAAA})
Row = tuple[dns.name.Name, int, dns.rdata.Rdata]


def _lines(rows: Iterable[Row]) -> Iterator[str]:
    for owner, ttl, rdata in rows:
        yield f"{owner} {ttl} IN {dns.rdatatype.to_text(rdata.rdtype)} {rdata.to_text()}"


def _has_servers(zone: dns.name.Name, rows: Iterable[Row]) -> bool:
    return any(owner == zone and rdata.rdtype == dns.rdatatype.NS for owner, _, rdata in rows)


def _check_glue(zone: dns.name.Name, rows: Sequence[Row]) -> None:
    """named does not load a zone whose own name servers have no address; say so before it does."""
    addressed = {owner for owner, _, rdata in rows if rdata.rdtype in _ADDRESSES}
    servers = [rdata.target for owner, _, rdata in rows if owner == zone and isinstance(rdata, NS)]
    for server in servers:
        if server.is_subdomain(zone) and server not in addressed:
            raise words.InvalidToken(f"name server {server} lies in the zone and needs an address in nameServerIps")


def _check_aliases(rows: Sequence[Row]) -> None:
    """Nor one with a CNAME beside other data."""
    owners = Counter(owner for owner, _, _ in rows)
    for owner, _, rdata in rows:
        if rdata.rdtype == dns.rdatatype.CNAME and owners[owner] > 1:
            raise words.InvalidToken(f"the CNAME at {owner} cannot stand beside other data")


def _soa(soa: SoaFields) -> dns.rdata.Rdata:
    numbers = f"{soa.serial} {soa.refresh} {soa.retry} {soa.expire} {soa.negative_ttl}"
    return _rdata("SOA", f"{_name(soa.primary_ns, 'primaryNs')} {_mailbox(soa.admin_email)} {numbers}")


def _mailbox(text: str) -> dns.name.Name:
    local, at, domain = text.partition("@")
    if not at:
        return _name(text, "adminEmail")
    if not local:
        raise words.InvalidToken(f"adminEmail {text!r} has nothing before the @")
    try:
        return dns.name.Name([local, *_name(domain, "adminEmail").labels])
    except dns.exception.DNSException as exc:
        raise words.InvalidToken(f"adminEmail: {text!r} is no mailbox in DNS: {exc}") from exc


def _record(record: RecordFields, zone: dns.name.Name, ttl: int) -> Row:
    owner = _name(record.name, "records[].name", zone)
    if not owner.is_subdomain(zone):
        raise words.InvalidToken(f"record {record.name!r} lies outside the zone")
    kind = record.type.upper()
    text = f"{record.priority} {record.value}" if record.priority is not None and kind in _PREFERENCE else record.value
    return owner, ttl if record.ttl is None else record.ttl, _rdata(kind, text)


def _address(ip: str) -> dns.rdata.Rdata:
    return _rdata("AAAA" if ":" in ip else "A", ip)


def _name(text: str, what: str, origin: dns.name.Name = dns.name.root) -> dns.name.Name:
    try:
        return dns.name.from_text(text, origin, idna_codec=dns.name.IDNA_2008_Practical)
    except (dns.exception.DNSException, UnicodeError) as exc:
        raise words.InvalidToken(f"{what}: {text!r} is no DNS name: {exc}") from exc


def _rdata(kind: str, text: str) -> dns.rdata.Rdata:
    if "\n" in text:  # dnspython would read the first line and drop the rest
        raise words.InvalidToken(f"{text!r} is no {kind} data: it has several lines")
    try:
        return dns.rdata.from_text(dns.rdataclass.IN, kind, text, origin=dns.name.root, relativize=False)
    except (dns.exception.DNSException, ValueError, UnicodeError) as exc:
        raise words.InvalidToken(f"{text!r} is no {kind} data: {exc}") from exc


def _list(statement: str, items: Iterable[str]) -> str:
    return f"{statement} {{ " + " ".join(f"{item};" for item in items) + " }"
