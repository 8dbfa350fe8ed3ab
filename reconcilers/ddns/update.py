"""UPDATE messages (RFC 2136) from changes: what must travel together, and where a message ends.

All changes at one name are one `Unit` and are never separated, so a CNAME can replace an A without a moment of
NXDOMAIN. Units are joined into messages from bytes that were encoded once. Pure: no sockets, no signing.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import dns.name
import dns.rdatatype as rt

from reconcilers.ddns.plan import Change, Guard
from reconcilers.ddns.rrset import RRset, RRsetKey, encode, name_wire
from reconcilers.ddns.soa import Soa
from reconcilers.ddns.wire import EMPTY, MAX_MESSAGE, UPDATE, Section, assemble, join

BATCH_RRSETS = 200
"""BIND's time per record rises past about 500 records in a message; 200 RRsets keep well below it."""

_IN, _NONE, _ANY = 1, 254, 255
_FIXED = struct.Struct("!HHIH")


@dataclass(frozen=True, slots=True)
class Unit:
    """The changes of one name, encoded. In a message all `removals` come first, then `additions`, then `leftovers`."""

    changes: tuple[Change, ...]
    prerequisites: Section
    removals: Section
    additions: Section
    leftovers: Section = EMPTY
    """Old apex NS records, removed one by one after the new ones stand: BIND ignores a removal of the whole set."""

    @property
    def size(self) -> int:
        """Bytes that the unit adds to a message."""
        return sum(len(part.wire) for part in (self.prerequisites, self.removals, self.additions, self.leftovers))


def units(zone: dns.name.Name, changes: Iterable[Change]) -> list[Unit]:
    """The changes grouped by name, in the order in which the names first appear."""
    by_name: dict[dns.name.Name, list[Change]] = {}
    for change in changes:
        by_name.setdefault(change.key.name, []).append(change)
    return [unit(zone, group) for group in by_name.values()]


def unit(zone: dns.name.Name, changes: Sequence[Change]) -> Unit:
    """One name's changes, encoded."""
    apex_ns = [change for change in changes if change.key.rdtype == rt.NS and change.key.name == zone and change.after]
    return Unit(
        tuple(changes),
        join(_guard(change) for change in changes),
        join(delete_rrset(change.key) for change in changes if change not in apex_ns),
        join(add_rrset(change.after) for change in changes if change.after),
        join(_former_servers(change) for change in apex_ns),
    )


def parts(zone: dns.name.Name, whole: Unit) -> list[Unit]:
    """A refused unit as smaller ones, if that is safe: where a CNAME comes or goes the name's changes stay together."""
    if any(change.key.rdtype == rt.CNAME for change in whole.changes):
        return [whole]
    return [unit(zone, [change]) for change in whole.changes]


def split(batch: Iterable[Unit], *, budget: int, rrsets: int = BATCH_RRSETS) -> Iterator[list[Unit]]:
    """Messages' worth of units: at most `budget` bytes and about `rrsets` RRsets each."""
    current: list[Unit] = []
    size = count = 0
    for item in batch:
        if current and (size + item.size > budget or count + len(item.changes) > rrsets):
            yield current
            current, size, count = [], 0, 0
        current.append(item)
        size, count = size + item.size, count + len(item.changes)
    if current:
        yield current


def build(
    message_id: int,
    zone: dns.name.Name,
    batch: Sequence[Unit],
    *,
    soa: Soa | None = None,
    prerequisites: Iterable[Section] = (),
) -> bytes:
    """The unsigned UPDATE. All removals precede all additions, because the server works through them in order."""
    guards = join([*prerequisites, *(item.prerequisites for item in batch)])
    changes = join(
        [
            *(item.removals for item in batch),
            *(item.additions for item in batch),
            *(item.leftovers for item in batch),
            Section(1, soa.wire(zone)) if soa else EMPTY,
        ]
    )
    return assemble(message_id, UPDATE, zone, rt.SOA, answer=guards, authority=changes)


def budget(zone: dns.name.Name, *, soa: Soa | None, prerequisites: Iterable[Section] = (), signing: int = 0) -> int:
    """How many bytes of a message are left for units."""
    fixed = len(build(0, zone, [], soa=soa, prerequisites=prerequisites))
    return MAX_MESSAGE - fixed - signing


def add_rrset(rrset: RRset) -> Section:
    """RFC 2136 2.5.1: add to an RRset."""
    return Section(len(rrset.data), rrset.wire)


def delete_rrset(key: RRsetKey) -> Section:
    """RFC 2136 2.5.2: delete an RRset."""
    return _empty(key, _ANY)


def rrset_absent(key: RRsetKey) -> Section:
    """Prerequisite, RFC 2136 2.4.3: no RRset of this name and type."""
    return _empty(key, _NONE)


def rrset_exists(key: RRsetKey) -> Section:
    """Prerequisite, RFC 2136 2.4.1: some RRset of this name and type."""
    return _empty(key, _ANY)


def rrset_exact(rrset: RRset) -> Section:
    """Prerequisite, RFC 2136 2.4.2: the RRset is exactly this one. TTLs are not compared."""
    return Section(len(rrset.data), encode(rrset.name, rrset.rdtype, _IN, 0, rrset.data))


def name_absent(name: dns.name.Name) -> Section:
    """Prerequisite, RFC 2136 2.4.5: nothing at this name."""
    return _empty(RRsetKey(name, rt.ANY), _NONE)


def outcome(change: Change) -> Section:
    """The prerequisite that holds exactly if the change has been made."""
    return rrset_exact(change.after) if change.after else rrset_absent(change.key)


def _guard(change: Change) -> Section:
    if change.guard is Guard.NONE:
        return EMPTY
    if change.guard is Guard.EXACT and change.before:
        return rrset_exact(change.before)
    return rrset_absent(change.key)


def _former_servers(change: Change) -> Section:
    if not change.before or not change.after:
        return EMPTY
    gone = change.before.data - change.after.data
    return Section(len(gone), encode(change.key.name, change.key.rdtype, _NONE, 0, gone))


def _empty(key: RRsetKey, rdclass: int) -> Section:
    return Section(1, name_wire(key.name) + _FIXED.pack(key.rdtype, rdclass, 0, 0))
