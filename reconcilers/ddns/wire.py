"""DNS messages as bytes: assembling requests, walking replies. The fast path's one seam.

A request is a header, a question and sections of resource records that were encoded before (see rrset.py); nothing is
built per record here. A reply is walked record by record without making objects.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import dns.name
import dns.rdataclass
import dns.rdatatype

from reconcilers.ddns.errors import MalformedReply
from reconcilers.ddns.names import CanonicalName, name_wire
from reconcilers.ddns.tsig import Signature

MAX_MESSAGE = 65535
"""What the two length bytes of DNS over TCP can say."""

QUERY, NOTIFY, UPDATE = 0, 4, 5
AUTHORITATIVE = 0x0400

_HEADER = struct.Struct("!HHHHHH")
_QUESTION = struct.Struct("!HH")
_RECORD = struct.Struct("!HHIH")
_MAX_JUMPS = 128


class Section(NamedTuple):
    """Encoded resource records and how many they are."""

    records: int
    wire: bytes


EMPTY = Section(0, b"")


def join(sections: Sequence[tuple[int, bytes]]) -> Section:
    """Several sections as one."""
    return Section(sum([records for records, _ in sections]), b"".join([wire for _, wire in sections]))


def assemble(
    message_id: int,
    opcode: int,
    zone: dns.name.Name,
    rdtype: int,
    *,
    answer: Section = EMPTY,
    authority: Section = EMPTY,
    flags: int = 0,
) -> bytes:
    """A request about one zone. For an UPDATE, `answer` holds the prerequisites and `authority` the changes."""
    header = _HEADER.pack(message_id, opcode << 11 | flags, 1, answer.records, authority.records, 0)
    question = name_wire(zone) + _QUESTION.pack(rdtype, dns.rdataclass.IN)
    return b"".join((header, question, answer.wire, authority.wire))


class Record(NamedTuple):
    """One resource record of a reply, as offsets into it."""

    start: int
    rdtype: int
    rdclass: int
    ttl: int
    rdata: int
    length: int


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply's header; its records are walked on demand."""

    message: bytes
    message_id: int
    flags: int
    counts: tuple[int, int, int, int]

    @classmethod
    def parse(cls, message: bytes) -> Reply:
        """Read the header; anything shorter is no DNS message."""
        if len(message) < _HEADER.size:
            raise MalformedReply(f"the reply has only {len(message)} bytes", ambiguous=True)
        message_id, flags, *counts = _HEADER.unpack_from(message)
        return cls(message, message_id, flags, (counts[0], counts[1], counts[2], counts[3]))

    @property
    def rcode(self) -> int:
        """The answer in one number; 0 is NOERROR. (Extended rcodes need EDNS, which we never send.)"""
        return self.flags & 0x0F

    @property
    def authoritative(self) -> bool:
        """Whether the server speaks for the zone."""
        return bool(self.flags & AUTHORITATIVE)

    def records(self) -> Iterator[Record]:
        """All records after the question, in order."""
        return walk(self.message, self.counts[0], sum(self.counts[1:]))

    def answers(self) -> Iterator[Record]:
        """The records of the answer section."""
        return walk(self.message, self.counts[0], self.counts[1])

    def signature(self) -> Signature | None:
        """The TSIG record, which is the last of the message if there is one."""
        last = None
        if self.counts[3]:
            for last in self.records():  # noqa: B007 - only the last one is wanted
                pass
        if last is None or last.rdtype != dns.rdatatype.TSIG:
            return None
        return Signature.parse(last.start, self.message[last.rdata : last.rdata + last.length])


def walk(message: bytes, questions: int, records: int) -> Iterator[Record]:
    """Records one after the other, each checked to lie within the message."""
    cursor, unpack, size = _HEADER.size, _RECORD.unpack_from, len(message)
    try:
        for _ in range(questions):
            cursor = skip_name(message, cursor) + _QUESTION.size
        for _ in range(records):
            start = cursor
            cursor = skip_name(message, cursor)
            rdtype, rdclass, ttl, length = unpack(message, cursor)
            rdata = cursor + 10
            cursor = rdata + length
            if cursor > size:
                raise MalformedReply("a record reaches beyond the reply", ambiguous=True)
            yield Record(start, rdtype, rdclass, ttl, rdata, length)
    except (IndexError, struct.error) as exc:
        raise MalformedReply("the reply is cut off", ambiguous=True) from exc


def skip_name(message: bytes, cursor: int) -> int:
    """The offset behind a name."""
    while length := message[cursor]:
        if length >= 0xC0:
            return cursor + 2
        cursor += length + 1
    return cursor + 1


def read_labels(message: bytes, cursor: int) -> tuple[bytes, ...]:
    """The labels of a possibly compressed name, in lower case."""
    labels: list[bytes] = []
    jumps = 0
    try:
        while length := message[cursor]:
            if length >= 0xC0:
                cursor = (length & 0x3F) << 8 | message[cursor + 1]
                jumps += 1
                if jumps > _MAX_JUMPS:
                    raise MalformedReply("a name's compression pointers form a loop", ambiguous=True)
                continue
            labels.append(message[cursor + 1 : cursor + 1 + length].lower())
            cursor += length + 1
    except IndexError as exc:
        raise MalformedReply("a name reaches beyond the reply", ambiguous=True) from exc
    return (*labels, b"")


def read_name(message: bytes, cursor: int) -> CanonicalName:
    """A possibly compressed name."""
    return CanonicalName.trusted(read_labels(message, cursor))
