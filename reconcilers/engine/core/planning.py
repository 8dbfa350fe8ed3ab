"""The planner of endpoints outside of the engine: what it is shown, and when its word holds. Part of the core.

Where it looks it is not shown what record objects have published, also while that is on its way out: that is ours,
whatever an entry beside it says.
It decides on what stands on the servers, and only what still stands there may be changed by it: a plan that was made on
an earlier reading is not current, and nothing is done at planned keys until there is another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine.api import Plan, Role, ZoneContent, ZoneKey
from reconcilers.engine.core.model import Known, Model, Replica, Zone


def content(model: Model, zone: Zone, since: int | None = None) -> ZoneContent:
    """What a plan is made on: every server that it will be carried out on. Copies, unless nothing was read `since`.

    Where a zone has no primary left, those that it left decide whether that is known: there is nobody else to wait for.
    """
    former = list(_former(model, zone))
    deciding = model.required(zone) or former
    known = bool(deciding) and all(replica.known is not Known.UNKNOWN for replica in deciding)
    if zone.reads == since:
        return ZoneContent(zone.reads, known, {})
    primaries = (each for each in model.replicas_of(zone, Role.PRIMARY) if _is_readable(each))
    held = {each.key.server: each.records.copy() for each in primaries}
    return ZoneContent(
        zone.reads, known, held, {each.key.server: _shown(each) for each in former if _is_readable(each)}
    )


def look(model: Model, zone: Zone, keys: Collection[RRsetKey]) -> list[Mapping[RRsetKey, RRset]]:
    """What each primary holds at these keys, as last read and written, but for what record objects have there."""
    primaries = (each for each in model.replicas_of(zone, Role.PRIMARY) if _is_readable(each))
    return [
        {key: each.records[key] for key in keys if key in each.records and not _is_of_records(each, key)}
        for each in primaries
    ]


def _shown(replica: Replica) -> dict[RRsetKey, RRset]:
    shown = replica.records.copy()
    for key in replica.owned & shown.keys():
        if _is_of_records(replica, key):
            del shown[key]
    return shown


def _is_of_records(replica: Replica, key: RRsetKey) -> bool:
    """Is it ours, and not by the word of a planner? Nor where that called obsolete what stood there before."""
    if key not in replica.owned:
        return False
    zone = replica.wanted
    entry = zone.wanted.rrsets.get(key) if zone is not None and zone.wanted is not None else None
    published = entry is not None and not entry.planned and replica.records.get(key) == entry.rrset
    return published or not replica.is_planned(key)


def _is_readable(replica: Replica) -> bool:
    return replica.is_present() and replica.is_mine()


def _former(model: Model, zone: Zone) -> Iterator[Replica]:
    """The zone on servers of others that it left. Where it is ours, it goes as a whole."""
    for replica in _replicas(model, zone, zone.former):
        server = model.servers.get(replica.key.server)
        if replica.wanted is None and server is not None and server.adopted:
            yield replica


def _replicas(model: Model, zone: Zone, servers: Iterable[str]) -> Iterator[Replica]:
    for name in servers:
        if (replica := model.replicas.get(ZoneKey(name, zone.ref.zone))) is not None:
            yield replica


def follow_plan(model: Model, zone: Zone) -> bool:
    """Did the plan become current, out of date or another one? Then planned keys were compared again."""
    if zone.plan is not None:
        _note_readers(model, zone)
    current = None if zone.awaits_plan else zone.plan
    before, zone.applied = zone.applied, current
    if current is before:
        return False
    keys = _changed(model, zone, before, current)
    if current is not None:
        keys |= _forget_retired(model, zone, current)
        _confirm(model, zone, keys)
    for replica in _replicas(model, zone, zone.servers):
        if replica.wanted is None:
            replica.mark_all()
        for key in keys:
            replica.mark(key)
    return True


def _note_readers(model: Model, zone: Zone) -> None:
    """Which primaries there are, and which of them decide, is part of what a plan is made on."""
    primaries = frozenset(replica.key.server for replica in model.replicas_of(zone, Role.PRIMARY))
    readers = primaries, frozenset(replica.key.server for replica in model.required(zone))
    if zone.readers != readers:
        zone.readers = readers
        zone.reads = model.next_reading()


def _changed(model: Model, zone: Zone, before: Plan | None, current: Plan | None) -> set[RRsetKey]:
    """From one current plan to the next, what is desired is compared where it changed already."""
    if before is not None and current is not None:
        return set() if before.obsolete is current.obsolete else set(before.obsolete ^ current.obsolete)
    keys = {key for key, entry in zone.wanted.rrsets.items() if entry.planned} if zone.wanted else set[RRsetKey]()
    keys |= zone.retired
    for plan in filter(None, (before, zone.plan)):
        keys |= plan.obsolete
    return keys.union(*(replica.blocked for replica in _replicas(model, zone, zone.servers)))


def _confirm(model: Model, zone: Zone, keys: Iterable[RRsetKey]) -> None:
    """What stands somewhere as the planner wants it was published before: no other server's refusal takes it away."""
    for replica in model.replicas_of(zone, Role.PRIMARY):
        standing = {key: replica.records.get(key) for key in keys if zone.wants_planned(key)}
        for key, rrset in standing.items():
            if rrset is not None and rrset == zone.content.get(key):
                zone.confirmed.setdefault(key, rrset)


def _forget_retired(model: Model, zone: Zone, current: Plan) -> set[RRsetKey]:
    """Nobody desires these, and the planner does not call them ours: where we did not write them, they are others'.

    Not even what was held back there (a removal that was refused, or waits for consent) is ours any longer."""
    replicas = list(_replicas(model, zone, zone.servers))
    zone.retired -= current.obsolete
    theirs = {key for key in zone.retired if not any(_may_be_ours(replica, key) for replica in replicas)}
    zone.retired -= theirs
    for key in theirs:
        zone.withheld.pop(key, None)
        if zone.rejected.pop(key, None) or key in zone.content:
            zone.put(key, None)
    return theirs


def _may_be_ours(replica: Replica, key: RRsetKey) -> bool:
    return key in replica.owned or key in replica.attempted or key in replica.in_flight
