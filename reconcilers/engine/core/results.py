"""Applies a completed operation's result to the model. Part of the core.

Success updates what is observed from what was *sent*; a definite failure backs off; whatever may or may not have
happened makes the zone UNKNOWN. Decides nothing: the rules look at the facts afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping

from reconcilers.ddns.plan import UNTOUCHABLE
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine.api import Role
from reconcilers.engine.core import serials
from reconcilers.engine.core.install import merged, reconsider_rejected, reject, retry_rejected
from reconcilers.engine.core.mass_delete import drop_stale_withheld
from reconcilers.engine.core.model import Known, Model, Rejection, Replica, Trouble, Zone
from reconcilers.engine.core.protocol import (
    Absent,
    Applied,
    Configure,
    Create,
    Delete,
    Failed,
    NotLive,
    Now,
    Op,
    OpKind,
    Ownership,
    Present,
    Refused,
    Result,
    Sync,
    Unchanged,
)
from reconcilers.reasons import Reason


def learn(model: Model, replica: Replica, op: Op, result: Result, now: Now) -> set[RRsetKey]:
    """Take the result into account; returns the keys of RRsets whose wanted content changed by it."""
    match result:
        case Failed():
            _failed(replica, op, result)
        case Refused():
            _refused(replica, op, result)
        case NotLive():
            model.zones[op.ref.uid].suspended = True
        case Absent():
            _absent(model, replica, op)
        case Unchanged():
            _seen(replica)
            if op.role is Role.PRIMARY and replica.count_claims():
                replica.mark_all()
        case Present():
            return _present(model, replica, op, result, now)
        case Applied():
            return _applied(model, replica, op, result, now)
    return set()


def _failed(replica: Replica, op: Op, result: Failed) -> None:
    replica.trouble = Trouble(result.reason, result.message)
    _not_as_a_whole(replica, op)
    if op.kind is OpKind.OBSERVE:
        replica.mark_unknown(trusted=True)
    elif result.ambiguous:
        in_doubt(replica, op)


def in_doubt(replica: Replica, op: Op) -> None:
    """The operation may or may not have been carried out: what it wrote is ours if it stands there."""
    replica.mark_unknown(trusted=False)
    if isinstance(op.payload, Sync):
        replica.attempted |= {change.key: change.after for change in op.payload.changes if change.after}
    elif isinstance(op.payload, Create):
        replica.attempted |= {rrset.key: rrset for rrset in op.payload.content}


def _refused(replica: Replica, op: Op, result: Refused) -> None:
    """A terminal failure parks what was asked, not the zone: asked differently, it is tried again at once."""
    replica.trouble = Trouble(result.reason, result.message)
    payload = op.payload
    if op.kind is OpKind.OBSERVE:
        replica.mark_unknown(trusted=True)
    if _not_as_a_whole(replica, op):
        return
    if isinstance(payload, Create):
        replica.parked = payload.soa.at(0), payload.options, frozenset(payload.content)
    elif isinstance(payload, Configure):
        replica.parked = payload.options
    elif isinstance(payload, Delete):
        replica.parked = payload.uid


def _not_as_a_whole(replica: Replica, op: Op) -> bool:
    """Whatever the reason was: the next attempt is one that can be bisected."""
    whole = isinstance(op.payload, Create) and op.payload.whole
    replica.incremental = replica.incremental or whole
    return whole


def _seen(replica: Replica) -> None:
    replica.known, replica.trusted, replica.verify, replica.incremental = Known.PRESENT, True, False, False
    if replica.failed in {None, OpKind.OBSERVE}:
        replica.trouble = None


# --- observed --------------------------------------------------------------------------------------------------------


def _absent(model: Model, replica: Replica, op: Op) -> None:
    if replica.known is not Known.ABSENT and op.role is Role.PRIMARY:
        replica.read_anew(model.next_reading())
    replica.lost()
    if replica.failed is not OpKind.CREATE:  # why it cannot be created is true until it is
        replica.trouble = None


def _present(model: Model, replica: Replica, op: Op, seen: Present, now: Now) -> set[RRsetKey]:
    first = replica.known is Known.UNKNOWN and replica.serial is None
    drifted = replica.trusted and replica.serial is not None and replica.serial != seen.serial
    _seen(replica)
    replica.ownership, replica.owner_uid, replica.holder = seen.ownership, seen.owner_uid, seen.holder
    replica.serial, replica.soa = seen.serial, seen.soa
    replica.options = seen.options or replica.options
    if isinstance(op.payload, Create):
        replica.backdated = op.payload.backdated
        replica.attempted |= {rrset.key: rrset for rrset in op.payload.content}
    if seen.serial is not None and replica.is_mine():
        serials.saw(model, replica.key.zone, seen.serial)
    zone = replica.wanted
    if op.role is Role.SECONDARY:
        if zone is not None and seen.records is not None:
            _compare_secondary(model, replica, zone, seen.records)
        elif zone is not None and first and replica.key.zone in model.begun and seen.serial in zone.finals:
            # The serial was chosen before it was known to be in use: an earlier process may have named other data so.
            replica.suspect = True
        return set()
    if seen.records is None:
        return set()
    as_sent = isinstance(op.payload, Create) and frozenset(op.payload.content) == frozenset(seen.records.values())
    changed = _read(model, replica, zone, dict(seen.records), drifted=drifted, as_sent=as_sent)
    if isinstance(op.payload, Create):
        _published_at_creation(replica, op.payload, now)
    return changed | (retry_rejected(zone, replica, now.mono) if zone is not None and replica.is_mine() else set())


def _read(
    model: Model,
    replica: Replica,
    zone: Zone | None,
    records: dict[RRsetKey, RRset],
    *,
    drifted: bool,
    as_sent: bool,
) -> set[RRsetKey]:
    """The whole content of a primary. `as_sent`: just what we created it with."""
    before = replica.dirty.copy()
    replica.records = records
    replica.owned &= records.keys()
    replica.owned |= _arrived(replica)
    first = zone is not None and zone.ref.uid not in replica.counted
    replica.count_claims()
    changed: set[RRsetKey] = set()
    if zone is not None and replica.is_mine():
        replica.owned |= replica.as_wanted(zone.content)
        if first:
            _note_found(replica, zone)
            changed |= reconsider_rejected(model, zone, replica)
        changed |= drop_stale_withheld(replica, zone) | _keep_unreadable(replica, zone)
    if not as_sent:
        replica.read_anew(model.next_reading())
    replica.mark_all()
    if zone is not None and replica.is_mine():
        # Left alone: a zone may have other writers (a certificate's challenge), whose RRsets are not ours to judge.
        zone.foreign = sum(1 for key in records if key not in zone.content and key not in replica.owned)
        if drifted:
            zone.repaired += len(replica.dirty - before)
            suspect_secondaries(model, zone)
    return changed


def _note_found(replica: Replica, zone: Zone) -> None:
    """What was published before this process began: where a change is refused, everything goes back to that."""
    replica.found.clear()
    for key in replica.owned:
        if replica.records[key] == zone.content.get(key):
            zone.confirmed.setdefault(key, zone.content[key])
        elif key in zone.content or key in zone.rejected:
            replica.found[key] = replica.records[key]


def _arrived(replica: Replica) -> set[RRsetKey]:
    """What was sent without a reply, and stands there: it is ours, also in a zone that is not wanted there by now."""
    arrived = {key for key, rrset in replica.attempted.items() if replica.records.get(key) == rrset}
    replica.attempted.clear()
    return arrived if replica.ownership is not Ownership.FOREIGN else set()


def _keep_unreadable(replica: Replica, zone: Zone) -> set[RRsetKey]:
    unreadable = zone.wanted.unreadable if zone.wanted else frozenset()
    standing = unreadable & replica.records.keys() & (replica.owned | zone.content.keys())
    return {key for key in standing if zone.put(key, merged(replica.records[key], zone.content.get(key)))}


def suspect_secondaries(model: Model, zone: Zone) -> None:
    """Serials that we did not choose are about: the secondaries' contents have to be compared too."""
    for replica in model.replicas_of(zone, Role.SECONDARY):
        replica.suspect = True


def _compare_secondary(model: Model, replica: Replica, zone: Zone, records: Mapping[RRsetKey, RRset]) -> None:
    """A secondary's content against what the primaries hold: ours exactly, and nothing that no primary has."""
    known = {key for primary in model.replicas_of(zone, Role.PRIMARY) for key in primary.records}
    missing = any(records.get(key) != rrset for key, rrset in zone.content.items())
    surplus = any(key not in known and key.rdtype not in UNTOUCHABLE for key in records)
    replica.wrong, replica.suspect = missing or surplus, False


# --- applied ---------------------------------------------------------------------------------------------------------


def _applied(model: Model, replica: Replica, op: Op, result: Applied, now: Now) -> set[RRsetKey]:
    replica.trouble = None
    match op.payload:
        case Create() as created:
            _created(replica, op, created, now)
            return retry_rejected(replica.wanted, replica, now.mono) if replica.wanted else set()
        case Configure() as configure:
            replica.options = configure.options
        case Delete():
            replica.lost()
        case Sync() as sync if op.role is Role.PRIMARY:
            return _synced(model, replica, sync, result, now)
        case _:
            # A secondary was told to transfer: whether it did has to be seen.
            replica.wrong, replica.suspect, replica.looks = False, replica.wrong or replica.suspect, 0
            replica.mark_unknown(trusted=False)
    return set()


def _created(replica: Replica, op: Op, created: Create, now: Now) -> None:
    _seen(replica)
    replica.ownership, replica.owner_uid = Ownership.OURS, op.ref.uid
    replica.options, replica.backdated = created.options, created.backdated
    if op.role is Role.SECONDARY:
        return
    replica.serial, replica.soa = created.soa.serial, created.soa
    replica.records = {rrset.key: rrset for rrset in created.content}
    replica.owned = set(replica.records)
    replica.counted = {zone.ref.uid for zone in (*replica.claimants, *replica.former_claimants)}
    replica.mark_all()
    _published_at_creation(replica, created, now)


def _published_at_creation(replica: Replica, created: Create, now: Now) -> None:
    """What stands there of it. Not anew: a server that came back empty gets what was published before."""
    for zone in replica.claimants:
        for rrset in created.content:
            if replica.records.get(rrset.key) == zone.content.get(rrset.key) == rrset:
                zone.updated.setdefault(rrset.key, now.unix)


def _synced(model: Model, replica: Replica, sync: Sync, result: Applied, now: Now) -> set[RRsetKey]:
    rejected = {key: Trouble(reason, message) for key, reason, message in result.rejected}
    for change in sync.changes:
        if change.key not in rejected:
            _changed(replica, change.key, change.after, now)
    if result.serial is not None:
        serials.saw(model, replica.key.zone, result.serial)
    if result.sent is not None:
        replica.soa, replica.serial = sync.soa, result.serial
    zone = replica.wanted
    if zone is not None and replica.backdated and replica.serial == zone.target:
        replica.backdated = False
    interfered = result.sent is not None and result.serial != result.sent
    if interfered or Reason.RECORD_CONFLICT in {trouble.reason for trouble in rejected.values()}:
        # Somebody else writes to this zone, at this moment: what stands there has to be read.
        replica.mark_unknown(trusted=False)
        if zone is not None:
            suspect_secondaries(model, zone)
    retried = _retried_beside(replica, zone, {change.key for change in sync.changes} - rejected.keys(), now)
    return retried | _rejected(model, replica, zone, sync, rejected)


def _retried_beside(replica: Replica, zone: Zone | None, written: set[RRsetKey], now: Now) -> set[RRsetKey]:
    """What was refused at these names before may pass now: an endpoint's CNAME went, which was in a record's way."""
    if zone is None or not (zone.rejected or replica.refused):
        return set()
    names = {key.name for key in written}
    if not any(key.name in names for key in (*zone.rejected, *replica.refused)):
        return set()
    return retry_rejected(zone, replica, now.mono)


def _changed(replica: Replica, key: RRsetKey, after: RRset | None, now: Now) -> None:
    if after is None:
        replica.records.pop(key, None)
        replica.owned.discard(key)
        replica.found.pop(key, None)
    else:
        replica.records[key] = after
        replica.owned.add(key)
    replica.mark(key)
    for zone in replica.claimants:
        zone.last_updated = now.unix
        if after is None:
            zone.confirmed.pop(key, None)
        if after is not None and zone.content.get(key) == after:
            zone.updated[key] = now.unix


def _rejected(
    model: Model, replica: Replica, zone: Zone | None, sync: Sync, rejected: dict[RRsetKey, Trouble]
) -> set[RRsetKey]:
    if not rejected:
        return set()
    refused = [change for change in sync.changes if change.key in rejected]
    beside = replica.at({change.key.name for change in refused})
    # What was refused is what was sent; something else may be wanted by now, and then all that was sent as one with it.
    outdated = [change for change in refused if zone is None or zone.content.get(change.key) != change.after]
    keys, parts = {change.key for change in outdated}, {change.together for change in outdated} - {None}
    changed = set()
    for change in refused:
        trouble = rejected[change.key]
        if zone is None or trouble.reason == Reason.RECORD_CONFLICT or change.key in keys or change.together in parts:
            continue
        rejection = Rejection(change.after, trouble, replica.key.server, beside[change.key.name])
        if reject(model, zone, replica, change.key, rejection):
            changed.add(change.key)
    return changed
