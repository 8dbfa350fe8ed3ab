"""UPDATE messages (RFC 2136) from changes: what must travel together, and where a message ends.

All changes at one name are one `Unit` and are never separated, so a CNAME can replace an A without a moment of
NXDOMAIN. So are those that belong together: an endpoint's address and the TXT that tells whose it is. Messages are
joined from bytes that were encoded once per RRset: 1-2 µs per record, where building with dnspython takes 36-102. Pure:
no sockets, no signing.
"""

from __future__ import annotations

import struct
from collections.abc import Hashable, Iterable, Iterator, Sequence

import dns.name
import dns.rdatatype as rt

from reconcilers.ddns.names import name_wire
from reconcilers.ddns.plan import Change, Prerequisite
from reconcilers.ddns.rrset import RRset, RRsetKey, encode
from reconcilers.ddns.soa import Soa
from reconcilers.ddns.wire import EMPTY, MAX_MESSAGE, UPDATE, Section, assemble, join

BATCH_RECORDS = 500
"""One UPDATE costs two fsyncs and then 6-9 µs per record, but BIND's time per record rises past about 500."""

_IN, _NONE, _ANY = 1, 254, 255
_FIXED = struct.Struct("!HHIH")

Unit = tuple[Change, ...]
"""The changes of one name, and what belongs together with them."""


def units(changes: Iterable[Change]) -> list[Unit]:
    """The changes grouped by name and by what belongs together, in the order in which they first appear."""
    groups: dict[Hashable, list[Change]] = {}
    for change in changes:
        group = groups.setdefault(change.key.name, [])
        group.append(change)
        if change.together is not None and (other := groups.setdefault(change.together, group)) is not group:
            other += group
            for moved in group:
                groups[moved.key.name] = other
                groups[moved.together] = other
    return [tuple(group) for group in {id(group): group for group in groups.values()}.values()]


def parts(unit: Unit) -> list[Unit]:
    """A refused unit as smaller ones, if that is safe: where a CNAME comes or goes the name's changes stay together."""
    if any(change.key.rdtype == rt.CNAME for change in unit):
        return [unit]
    groups: dict[Hashable, Unit] = {}
    for change in unit:
        group = change.key if change.together is None else change.together
        groups[group] = (*groups.get(group, ()), change)
    return list(groups.values())


def split(batch: Iterable[Unit], *, budget: int, records: int = BATCH_RECORDS) -> Iterator[list[Unit]]:
    """Messages' worth of units: at most `budget` bytes and about `records` records each."""
    current: list[Unit] = []
    size = count = 0
    for unit in _small_enough(batch, budget):
        unit_size = unit_count = 0
        for change in unit:
            unit_size += _size(change)
            unit_count += change.records or 1
        if current and (size + unit_size > budget or count + unit_count > records):
            yield current
            current, size, count = [], 0, 0
        current.append(unit)
        size += unit_size
        count += unit_count
    if current:
        yield current


def _small_enough(batch: Iterable[Unit], budget: int) -> Iterator[Unit]:
    """Units that fit a message each. Only where the RRsets of one name are too much together are they separated:
    removals first, so that a CNAME is gone before other data comes."""
    for unit in batch:
        if len(unit) == 1 or sum(map(_size, unit)) <= budget:
            yield unit
        else:
            yield from ((change,) for change in sorted(unit, key=lambda change: change.after is not None))


def build(
    message_id: int,
    zone: dns.name.Name,
    batch: Sequence[Unit],
    *,
    soa: Soa | None = None,
    prerequisites: Iterable[Section] = (),
) -> bytes:
    """The unsigned UPDATE. All removals precede all additions, because the server works through them in order."""
    prerequisites, removals, additions, leftovers = list(prerequisites), [], [], []
    for unit in batch:
        for change in unit:
            if change.prerequisite is not Prerequisite.NONE:
                prerequisites.append(_prerequisite(change))
            if is_apex_ns(zone, change):
                leftovers.append(_former_servers(change))
            elif _replaces(change):
                removals.append(delete_rrset(change.key))
            if change.after is not None:
                additions.append((len(change.after.data), change.after.wire))
    if soa:
        leftovers.append(Section(1, soa.wire(zone)))
    updates = join([*removals, *additions, *leftovers])
    return assemble(message_id, UPDATE, zone, rt.SOA, answer=join(prerequisites), authority=updates)


def budget(zone: dns.name.Name, *, soa: Soa | None, prerequisites: Iterable[Section] = (), signing: int = 0) -> int:
    """How many bytes of a message are left for units."""
    fixed = len(build(0, zone, [], soa=soa, prerequisites=prerequisites))
    return MAX_MESSAGE - fixed - signing


def is_apex_ns(zone: dns.name.Name, change: Change) -> bool:
    """A change of the zone's own name servers to others.

    BIND ignores the removal of that whole RRset, so the old ones are removed one by one, after the new ones stand.
    """
    return change.key.rdtype == rt.NS and change.after is not None and change.key.name == zone


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


def soa_exact(zone: dns.name.Name, soa: Soa) -> Section:
    """Prerequisite: the zone is at this very SOA, so nobody has changed it since it was read."""
    return Section(1, encode(zone, rt.SOA, _IN, 0, [soa.rdata]))


def name_absent(name: dns.name.Name) -> Section:
    """Prerequisite, RFC 2136 2.4.5: nothing at this name."""
    return _empty(RRsetKey(name, rt.ANY), _NONE)


def outcome(change: Change) -> Section:
    """The prerequisite that holds exactly if the change has been made."""
    return rrset_exact(change.after) if change.after else rrset_absent(change.key)


def _replaces(change: Change) -> bool:
    """Whether the old RRset has to go first.

    Where nothing stood nothing is removed: that would cost BIND half as much again. Should something stand there
    after all, the verification that follows tells.
    """
    return change.before is not None or change.after is None


def _size(change: Change) -> int:
    """Bytes in a message, from above: name and fixed fields of the removal, data, and the guard."""
    size = len(change.after.wire) if change.after is not None else 0
    if change.before is not None or change.after is None:
        size += 300
    if change.prerequisite is not Prerequisite.NONE:
        size += len(_prerequisite(change).wire)
    if change.key.rdtype == rt.NS and change.before is not None:
        size += len(change.before.wire)
    return size


def _prerequisite(change: Change) -> Section:
    if change.prerequisite is Prerequisite.EXACT and change.before:
        return rrset_exact(change.before)
    return rrset_absent(change.key)


def _former_servers(change: Change) -> Section:
    if not change.before or not change.after:
        return EMPTY
    gone = change.before.data - change.after.data
    return Section(len(gone), encode(change.key.name, change.key.rdtype, _NONE, 0, gone))


def _empty(key: RRsetKey, rdclass: int) -> Section:
    return Section(1, name_wire(key.name) + _FIXED.pack(key.rdtype, rdclass, 0, 0))
