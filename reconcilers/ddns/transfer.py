"""Reading a whole zone: AXFR and IXFR messages in, RRsets out.

100,000 records make 100,000 times the cost of whatever is done per record, so record data is sliced from the message
where its type allows, and only rare types go through dnspython. Does no I/O and checks no signatures.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype as rt

from reconcilers.ddns.errors import MalformedReply
from reconcilers.ddns.names import CanonicalName
from reconcilers.ddns.rdata import canonical_wire
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.ddns.soa import Soa
from reconcilers.ddns.wire import Record, Reply, read_labels, read_name, skip_name

Labels = tuple[bytes, ...]
_Rows = dict[tuple[Labels, int], tuple[int, set[bytes]]]

_PLAIN = frozenset(
    {rt.A, rt.AAAA, rt.TXT, rt.SPF, rt.CAA, rt.SSHFP, rt.TLSA, rt.SMIMEA, rt.DS, rt.CDS, rt.DNSKEY, rt.URI}
)
"""Types without names in their data: the bytes are canonical as they come."""

_NAME_AT: dict[int, int] = {rt.NS: 0, rt.CNAME: 0, rt.PTR: 0, rt.DNAME: 0, rt.MX: 2, rt.SRV: 6}
"""Types whose data is some bytes and then one name."""

_SIGNING = frozenset({rt.RRSIG, rt.NSEC, rt.NSEC3})
"""Made by the server from the rest of the zone; nobody compares them, and they are two thirds of a signed zone."""

_NUMBERS = struct.Struct("!IIIII")
_rdtype = functools.cache(rt.RdataType.make)


@dataclass(frozen=True, slots=True)
class ZoneContent:
    """A zone as one server holds it at one serial: everything but the SOA (apart) and DNSSEC signatures."""

    zone: dns.name.Name
    soa: Soa
    rrsets: Mapping[RRsetKey, RRset]

    @property
    def serial(self) -> int:
        """The serial of this content."""
        return self.soa.serial


@dataclass(slots=True)
class TransferReader:
    """Takes the messages of one transfer in order; `done` once the closing SOA was seen."""

    zone: dns.name.Name
    known: ZoneContent | None = None
    done: bool = False
    incremental: bool = False
    _soa: Soa | None = None
    _rows: _Rows = field(default_factory=dict)
    _removing: bool = False
    _count: int = 0

    def feed(self, reply: Reply) -> None:
        """Take one message in."""
        message = reply.message
        for record in reply.answers():
            if self.done:
                raise MalformedReply(f"transfer of {self.zone}: records after the end")
            self._count += 1
            if record.rdtype == rt.SOA:
                self._boundary(read_soa(message, record))
            elif record.rdtype not in _SIGNING:
                self._store(message, record)
        # A lone SOA is the whole answer to an IXFR when nothing changed (RFC 1995 section 4).
        if self.known is not None and self._count == 1 and self._soa and self._soa.serial == self.known.serial:
            self.done = self.incremental = True

    def content(self) -> ZoneContent:
        """What was read; what did not change is shared with `known`."""
        if not self.done or self._soa is None:
            raise MalformedReply(f"transfer of {self.zone} ended too early")
        changed = dict(map(_to_rrset, self._rows.items()))
        if not self.incremental or self.known is None:
            return ZoneContent(self.zone, self._soa, changed)
        if not changed:
            return ZoneContent(self.zone, self._soa, self.known.rrsets)
        merged = {**self.known.rrsets, **changed}
        for key, rrset in changed.items():
            if not rrset.data:
                del merged[key]
        return ZoneContent(self.zone, self._soa, merged)

    def _boundary(self, soa: Soa) -> None:
        """An SOA opens and closes a transfer, and separates removals from additions in an incremental one."""
        if self._soa is None:
            self._soa = soa
        elif self._count == 2 and self.known and soa.serial == self.known.serial != self._soa.serial:
            self.incremental = self._removing = True
        elif self.incremental and self._removing:
            self._removing = False
        elif soa.serial == self._soa.serial:
            self.done = True
        elif self.incremental:
            self._removing = True
        else:
            raise MalformedReply(f"transfer of {self.zone}: an SOA in the middle")

    def _store(self, message: bytes, record: Record) -> None:
        labels = read_labels(message, record.start)
        data = canonical_data(message, record)
        row = self._rows.get((labels, record.rdtype))
        if row is None:
            row = self._rows[labels, record.rdtype] = (record.ttl, self._before(labels, record.rdtype))
        if self._removing:
            row[1].discard(data)
            return
        row[1].add(data)
        if row[0] != record.ttl:
            self._rows[labels, record.rdtype] = (record.ttl, row[1])

    def _before(self, labels: Labels, rdtype: int) -> set[bytes]:
        if not self.incremental or self.known is None:
            return set()
        key = RRsetKey(CanonicalName.trusted(labels), _rdtype(rdtype))
        rrset = self.known.rrsets.get(key)
        return set(rrset.data) if rrset else set()


def canonical_data(message: bytes, record: Record) -> bytes:
    """A record's data in canonical form, decompressed."""
    end = record.rdata + record.length
    if record.rdtype in _PLAIN:
        return message[record.rdata : end]
    prefix = _NAME_AT.get(record.rdtype)
    if prefix is not None:
        start = record.rdata + prefix
        name = b"".join(bytes((len(label),)) + label for label in read_labels(message, start))
        return message[record.rdata : start] + name
    rdata = dns.rdata.from_wire(dns.rdataclass.IN, _rdtype(record.rdtype), message, record.rdata, record.length)
    return canonical_wire(rdata)


def read_soa(message: bytes, record: Record) -> Soa:
    """The SOA in a reply."""
    admin = skip_name(message, record.rdata)
    try:
        serial, refresh, retry, expire, minimum = _NUMBERS.unpack_from(message, skip_name(message, admin))
    except struct.error as exc:
        raise MalformedReply("the SOA record is cut off") from exc
    primary, mailbox = read_name(message, record.rdata), read_name(message, admin)
    return Soa(primary, mailbox, serial, refresh, retry, expire, minimum, record.ttl)


def read_rrset(reply: Reply, key: RRsetKey) -> RRset | None:
    """The RRset at `key` in an answer section."""
    rows: set[bytes] = set()
    ttl = 0
    for record in reply.answers():
        if record.rdtype == key.rdtype and read_name(reply.message, record.start) == key.name:
            rows.add(canonical_data(reply.message, record))
            ttl = record.ttl
    return RRset(key.name, key.rdtype, ttl, frozenset(rows)) if rows else None


def _to_rrset(row: tuple[tuple[Labels, int], tuple[int, set[bytes]]]) -> tuple[RRsetKey, RRset]:
    (labels, rdtype), (ttl, data) = row
    key = RRsetKey(CanonicalName.trusted(labels), _rdtype(rdtype))
    return key, RRset(key.name, key.rdtype, ttl, frozenset(data))
