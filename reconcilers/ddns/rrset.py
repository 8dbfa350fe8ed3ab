"""RRsets: the unit of everything we publish. Immutable, hashable, equal when they mean the same.

The bytes of the record data are kept canonical (see rdata.py) and the bytes of the whole RRset are encoded once, so
that a message is assembled by joining bytes. Knows nothing of zones, servers or who contributed what.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype

from reconcilers.ddns.errors import InvalidRecordData
from reconcilers.ddns.names import canonical, name_wire
from reconcilers.ddns.rdata import canonical_wire, from_canonical

MAX_TTL = 2**31 - 1
"""RFC 2181 section 8."""

MAX_BYTES = 60_000
"""The largest RRset in wire form. It has to fit one UPDATE of 65,535 bytes (RFC 1035 4.2.2) together with its removal,
two SOAs and a signature, which take at most 3,000 with the longest names."""

_HEADER = 10  # type, class, TTL and length of a record (RFC 1035 3.2.1)

_FIXED = struct.Struct("!HHIH")


class RRsetKey(NamedTuple):
    """Where an RRset lives in its zone."""

    name: dns.name.Name
    rdtype: dns.rdatatype.RdataType

    def __str__(self) -> str:
        return f"{self.name} {dns.rdatatype.to_text(self.rdtype)}"


@dataclass(frozen=True, slots=True)
class RRset:
    """All records of one type at one name. `data` is the canonical wire form of each; never empty."""

    name: dns.name.Name
    rdtype: dns.rdatatype.RdataType
    ttl: int
    data: frozenset[bytes]
    _wire: bytes | None = field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, name: dns.name.Name, ttl: int, rdatas: Iterable[dns.rdata.Rdata]) -> RRset:
        """The RRset of these records at `name`; they must be of one type."""
        unique = list(rdatas)
        kinds = {rdata.rdtype for rdata in unique}
        if len(kinds) != 1:
            raise InvalidRecordData(f"an RRset has one type, not {len(kinds)}")
        return cls.of_wire(name, kinds.pop(), ttl, map(canonical_wire, unique))

    @classmethod
    def of_wire(cls, name: dns.name.Name, rdtype: dns.rdatatype.RdataType, ttl: int, data: Iterable[bytes]) -> RRset:
        """The RRset of records that are canonical bytes already."""
        if not 0 <= ttl <= MAX_TTL:
            raise InvalidRecordData(f"TTL {ttl} is not within 0..{MAX_TTL}")
        made = cls(canonical(name), rdtype, ttl, frozenset(data))
        if not made.data:
            raise InvalidRecordData("an RRset has at least one record")
        if made.size > made.limit:
            raise RRsetTooLarge(made)
        return made

    @property
    def key(self) -> RRsetKey:
        """Name and type."""
        return RRsetKey(self.name, self.rdtype)

    @property
    def size(self) -> int:
        """Bytes in wire form."""
        return sum(map(len, self.data)) + len(self.data) * (len(name_wire(self.name)) + _HEADER)

    @property
    def limit(self) -> int:
        """The size up to which it can be published. Former name servers are removed one by one, in the same message."""
        return MAX_BYTES // 2 if self.rdtype == dns.rdatatype.NS else MAX_BYTES

    @property
    def rdatas(self) -> frozenset[dns.rdata.Rdata]:
        """The records as dnspython values, decoded on each call: for people and tests, not for comparing."""
        return frozenset(from_canonical(self.rdtype, wire) for wire in self.data)

    @property
    def wire(self) -> bytes:
        """All records in wire form (uncompressed), encoded on first use."""
        if self._wire is None:
            object.__setattr__(self, "_wire", encode(self.name, self.rdtype, dns.rdataclass.IN, self.ttl, self.data))
        return self._wire or b""

    def __len__(self) -> int:
        return len(self.data)

    def __str__(self) -> str:
        kind = dns.rdatatype.to_text(self.rdtype)
        return "\n".join(sorted(f"{self.name} {self.ttl} IN {kind} {rdata.to_text()}" for rdata in self.rdatas))


class RRsetTooLarge(InvalidRecordData):
    """More than fits one UPDATE."""

    def __init__(self, rrset: RRset) -> None:
        super().__init__(
            f"{rrset.key} would have {rrset.size:,} bytes in {len(rrset):,} records; "
            f"at most {rrset.limit:,} bytes fit one DNS message"
        )


def encode(name: dns.name.Name, rdtype: int, rdclass: int, ttl: int, data: Collection[bytes]) -> bytes:
    """One resource record per item of `data`, in a stable order."""
    owner = name_wire(name)
    ordered = data if len(data) == 1 else sorted(data)
    return b"".join([owner + _FIXED.pack(rdtype, rdclass, ttl, len(wire)) + wire for wire in ordered])
