"""Targets as record data, type by type: what a DNSEndpoint may write, and its one canonical spelling. Pure text."""

import re
from collections.abc import Callable
from functools import lru_cache

import dns.exception
import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import dns.rdtypes.IN.A
import dns.rdtypes.IN.AAAA

from reconcilers.ddns.errors import InvalidName, InvalidRecordData
from reconcilers.ddns.names import CanonicalName, parse_target
from reconcilers.ddns.presentation import quoted
from reconcilers.ddns.rdata import brief, canonical_wire, from_canonical, parse_rdata

_ADDRESS = re.compile(r"[0-9A-Fa-f.:]+")
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")  # a tab separates words, as a blank does
_ADDRESSES: dict[str, tuple[str, dns.rdatatype.RdataType, Callable[..., dns.rdata.Rdata]]] = {
    "A": ("IPv4", dns.rdatatype.A, dns.rdtypes.IN.A.A),
    "AAAA": ("IPv6", dns.rdatatype.AAAA, dns.rdtypes.IN.AAAA.AAAA),
}
_LONGEST_NAME = 4 * 255  # each byte of a name may be written as \DDD
_CACHED = 65536  # targets and names; each is asked for in every synchronisation


@lru_cache(maxsize=_CACHED)
def complete_name(text: str) -> CanonicalName:
    """A complete name, with or without its final dot. Raises InvalidName.

    Stricter than DNS, which takes any byte: a blank or a control character in a name is always a mistake, and one such
    name makes BIND refuse every change of the message it is in.
    """
    if len(text) > _LONGEST_NAME:
        raise InvalidName(f"{brief(text)} is not a valid DNS name: it is too long")
    name = _no_blanks(parse_target(text), text)
    if text == "@" or name == dns.name.root:
        raise InvalidName(f"{brief(text)} is not a valid DNS name: it is empty")
    return name


def check_type(record_type: str) -> None:
    """Raises InvalidRecordData for a type that endpoints cannot have."""
    if record_type not in _PARSERS:
        raise InvalidRecordData(f"{brief(record_type)} is not a record type of endpoints: {', '.join(RECORD_TYPES)}")


@lru_cache(maxsize=_CACHED)
def rdata_of(record_type: str, target: str) -> dns.rdata.Rdata:
    """One target as record data. Raises InvalidRecordData, also for a type that endpoints cannot have."""
    check_type(record_type)
    if not target or _CONTROL.search(target):
        raise InvalidRecordData(f"{brief(target)} is empty or has control characters")
    return _PARSERS[record_type](record_type, target)


@lru_cache(maxsize=_CACHED)
def canonical_target(record_type: str, target: str) -> str:
    """The spelling of a target that all targets of this meaning share: lower-case names, no final dot, short IPv6.

    As external-dns writes targets, so that `lb.example.org.` and `LB.example.org` are equal text everywhere.
    """
    rdata = rdata_of(record_type, target)
    if record_type in _ADDRESSES:
        return rdata.to_text()
    text = from_canonical(rdata.rdtype, canonical_wire(rdata)).to_text()
    if rdata.rdtype in {dns.rdatatype.TXT, dns.rdatatype.NAPTR}:
        return text
    return text[:-1] if text.endswith(".") and not text.endswith(" .") else text


def type_for(target: str) -> str:
    """The type of record for a target of a Service or an Ingress: A or AAAA for an address, else CNAME."""
    record_type = "AAAA" if ":" in target else "A"
    try:
        rdata_of(record_type, target)
    except InvalidRecordData:
        return "CNAME"
    return record_type


def _address(record_type: str, target: str) -> dns.rdata.Rdata:
    """Without the parser of zone files, which takes more than an address: comments, generic data, scopes."""
    version, rdtype, made = _ADDRESSES[record_type]
    complaint = InvalidRecordData(f"{brief(target)} is not an {version} address")
    if not _ADDRESS.fullmatch(target):
        raise complaint
    try:
        return made(dns.rdataclass.IN, rdtype, target)
    except (dns.exception.DNSException, ValueError) as exc:
        raise complaint from exc


def _host(record_type: str, target: str) -> dns.rdata.Rdata:
    if type_for(target) != "CNAME":
        raise InvalidRecordData(f"{brief(target)} is an address: {record_type} needs a host name")
    name = complete_name(target)
    if name.labels[-2].isdigit():  # RFC 1123 2.1: no top-level domain is a number, so this is an address with a typo
        raise InvalidRecordData(f"{brief(target)} is neither a host name nor an address")
    return parse_rdata(record_type, name.to_text())


def _fields_and_host(form: str) -> Callable[[str, str], dns.rdata.Rdata]:
    def parse(record_type: str, target: str) -> dns.rdata.Rdata:
        words = target.split()
        if len(words) != len(form.split()):
            raise InvalidRecordData(f"{brief(target)} is not {record_type} data: write '{form}'")
        # RFC 2782, RFC 7505: the root says that there is no such service.
        host = "." if words[-1] == "." else complete_name(words[-1]).to_text()
        return parse_rdata(record_type, " ".join((*words[:-1], host)))

    return parse


def _text(record_type: str, target: str) -> dns.rdata.Rdata:
    """In quotes as in a zone file; without, all of it is one text.

    external-dns hands the target to a zone file parser, which makes of `v=spf1 -all` two strings without a blank
    between them, and cuts `v=DKIM1; k=rsa` at the semicolon. Nobody means that.
    """
    return parse_rdata(record_type, target if target.startswith('"') else quoted(target))


_PARSERS: dict[str, Callable[[str, str], dns.rdata.Rdata]] = {
    "A": _address,
    "AAAA": _address,
    "CNAME": _host,
    "TXT": _text,
    "SRV": _fields_and_host("0 10 443 host.example.org"),
    "NS": _host,
    "PTR": _host,
    "MX": _fields_and_host("10 mail.example.org"),
    "NAPTR": parse_rdata,
    "DNAME": _host,
}

RECORD_TYPES = tuple(_PARSERS)
"""What an endpoint can be: the types of the CRD."""


def _no_blanks(name: CanonicalName, text: str) -> CanonicalName:
    if any(not 0x20 < byte < 0x7F for label in name.labels for byte in label):
        raise InvalidName(f"{brief(text)} is not a valid DNS name: it has a blank or a control character")
    return name
