"""How zones and objects stand, read off the facts. Part of the core; changes nothing but who still waits.

`resolve_waiting` is where an object's wait ends: its RRsets are on every primary that is Ready (published), on every
secondary (propagated), or gone from every primary.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import replace

import dns.name

from reconcilers.ddns.rrset import RRsetKey
from reconcilers.engine.api import (
    ClaimState,
    MassDelete,
    ObjectRef,
    RecordOutcome,
    RecordState,
    Role,
    ServerStatus,
    ZoneKey,
    ZoneStatus,
)
from reconcilers.engine.core.decide import blockers
from reconcilers.engine.core.model import Known, Model, Replica, Trouble, Zone
from reconcilers.engine.core.protocol import Ownership
from reconcilers.engine.core.sync import in_sync
from reconcilers.reasons import Reason


def resolve_waiting(model: Model, zone: Zone, keys: Iterable[RRsetKey]) -> set[ObjectRef]:
    """Let those go whose wait at these keys is over; returns the objects whose outcome changed."""
    changed: set[ObjectRef] = set()
    required = model.required(zone)
    holders = [*model.replicas_of(zone, Role.PRIMARY), *_former_adopted(model, zone)]
    for key in keys:
        if (
            key in zone.pending
            and key not in zone.rejected
            and required
            and all(replica.clean(key) for replica in required)
        ):
            published = zone.pending.pop(key)
            changed |= published
            if key in zone.content:
                zone.confirmed[key] = zone.content[key]
            zone.unpropagated |= dict.fromkeys(published, zone.revision)
        if key in zone.leaving and key not in zone.withheld and all(replica.free_of(key) for replica in holders):
            changed |= zone.left(key)
    return changed | spread(model, zone)


def _former_adopted(model: Model, zone: Zone) -> Iterator[Replica]:
    """The zone on servers that it left, where it was adopted: our RRsets are still to be taken out there.

    What was not read since the start is so as far as status says it."""
    for name in zone.former:
        replica = model.replicas.get(ZoneKey(name, zone.ref.zone))
        if replica is None or replica.wanted is not None:
            continue
        unread = zone.ref.uid not in replica.counted
        if replica.ownership is Ownership.ADOPTED or (unread and zone.adopted_claims.get(name)):
            yield replica


def resolve_all_waiting(model: Model, zone: Zone) -> set[ObjectRef]:
    """The same for whoever waits, after a server changed."""
    return resolve_waiting(model, zone, [*zone.pending, *zone.leaving])


def in_trouble(model: Model, zone: Zone, keys: Iterable[RRsetKey]) -> set[ObjectRef]:
    """Objects that wait at these keys and will hear nothing more for now: what they wait for is in trouble already."""
    hopeless = any(replica.trouble for replica in model.required(zone))
    return {ref for key in keys if hopeless or _failure(model, zone, key) for ref in zone.pending.get(key, ())}


def spread(model: Model, zone: Zone) -> set[ObjectRef]:
    """Published objects that every secondary has by now."""
    if not zone.unpropagated:
        return set()
    reached = min((_revision_at(model, zone, name) for name in zone.secondaries), default=zone.revision)
    done = {ref for ref, revision in zone.unpropagated.items() if revision <= reached}
    for ref in done:
        del zone.unpropagated[ref]
    return done


def _revision_at(model: Model, zone: Zone, server: str) -> int:
    """The revision of the zone that a secondary holds: its serial names it. 0 for a serial that names none."""
    replica = model.replicas.get(ZoneKey(server, zone.ref.zone))
    if replica is None or replica.known is not Known.PRESENT or not replica.is_mine() or replica.serial is None:
        return 0
    return 0 if replica.wrong or replica.suspect else zone.finals.get(replica.serial, 0)


# --- records ---------------------------------------------------------------------------------------------------------


def record_outcome(model: Model, zone: Zone, ref: ObjectRef) -> RecordOutcome:
    """How one object stands in the zone."""
    outcome = _record_outcome(model, zone, ref)
    adopted = frozenset(_on_adopted(model, zone, ref))
    return replace(outcome, leaving=ref in zone.leavers, adopted=adopted)


def _on_adopted(model: Model, zone: Zone, ref: ObjectRef) -> Iterator[tuple[str, dns.name.Name]]:
    """Where its RRsets stand in adopted zones; before a server was read, where its status says so."""
    keys = {*zone.versions.get(ref, ()), *zone.leavers.get(ref, ())}
    for name in sorted(zone.servers):
        replica = model.replicas.get(ZoneKey(name, zone.ref.zone))
        if replica is None:
            continue
        counted = zone.ref.uid in replica.counted
        if counted and replica.ownership is not Ownership.ADOPTED:
            continue
        standing = replica.owned if counted else zone.adopted_claims.get(name, ())
        yield from ((name, key.name) for key in keys if key in standing)


def _record_outcome(model: Model, zone: Zone, ref: ObjectRef) -> RecordOutcome:
    if zone.deleting:
        return _going_along(model, zone)
    keys = zone.versions.get(ref)
    if not keys:
        return _leaver(model, zone, ref)
    version = next(iter(keys.values()))
    updated = [zone.updated[key] for key in keys if key in zone.updated]
    last = dt.datetime.fromtimestamp(max(updated), dt.UTC) if updated else None
    waiting = [key for key in keys if ref in zone.pending.get(key, ())]
    if not waiting:
        done = RecordState.PUBLISHED
        return RecordOutcome(done, version, ref not in zone.unpropagated, Reason.RECORD_PUBLISHED, "", last)
    failure = next(filter(None, (_failure(model, zone, key) for key in waiting)), None)
    if failure:
        return RecordOutcome(RecordState.FAILED, version, False, *failure, last)
    late = [replica for replica in model.required(zone) if not all(replica.clean(key) for key in waiting)]
    why, names = _why_late(zone, late), tuple(replica.key.server for replica in late)
    return RecordOutcome(RecordState.PENDING, version, False, *why, last, names)


def _going_along(model: Model, zone: Zone) -> RecordOutcome:
    """A zone that we created takes its records along. In one that we adopted they are taken away one by one.

    There only their own claims tell that they are ours, should we be interrupted: they have to last until the end."""
    servers = ((name, model.servers.get(name)) for name in zone.servers)
    adopted = tuple(sorted(name for name, server in servers if server is None or server.adopted))
    state = RecordState.REMOVING if adopted else RecordState.GONE
    message = f"{zone.ref.zone} is being deleted"
    return RecordOutcome(state, reason=Reason.ZONE_NOT_READY, message=message, waiting_for=adopted)


def _leaver(model: Model, zone: Zone, ref: ObjectRef) -> RecordOutcome:
    keys = zone.leavers.get(ref)
    if not keys:
        return RecordOutcome(RecordState.GONE)
    late = [
        replica for replica in model.replicas_of(zone, Role.PRIMARY) if not all(replica.free_of(key) for key in keys)
    ]
    why = _why_late(zone, late)
    if any(key in zone.withheld for key in keys):
        why = mass_delete_trouble(zone)
    return RecordOutcome(RecordState.REMOVING, "", False, *why, None, tuple(replica.key.server for replica in late))


def _failure(model: Model, zone: Zone, key: RRsetKey) -> Trouble | None:
    if rejection := zone.rejected.get(key):
        return rejection.trouble
    for replica in model.required(zone):
        if key in replica.conflicts:
            return Trouble(
                Reason.RECORD_CONFLICT, f"{key} exists on {replica.key.server} and is not ours: {replica.records[key]}"
            )
    return None


def _failures(model: Model, zone: Zone) -> set[RRsetKey]:
    """All of them. From the few that failed, not from the many that wait: status is read at every change."""
    unlucky = set(zone.rejected).union(*(replica.conflicts for replica in model.required(zone)))
    return {key for key in unlucky if key in zone.pending}


def _why_late(zone: Zone, late: list[Replica]) -> Trouble:
    if not zone.primaries:
        return Trouble(Reason.NO_PRIMARY_INSTANCES, "the zone has no primary to publish to")
    for replica in late:
        if replica.trouble:
            return Trouble(replica.trouble.reason, f"{replica.key.server}: {replica.trouble.message}")
    for replica in late:
        if replica.known is not Known.PRESENT:
            return Trouble(Reason.ZONE_NOT_READY, f"waits until {zone.ref.zone} exists on {replica.key.server}")
    return Trouble(Reason.PROGRESSING, "")


def mass_delete_trouble(zone: Zone) -> Trouble:
    """The mass-delete guard holds."""
    text = f"{len(zone.withheld)} of {len(zone.content)} RRsets would go: this waits for consent; the DNSZone says how"
    return Trouble(Reason.WAITING_FOR_CONSENT, text)


# --- zones -----------------------------------------------------------------------------------------------------------


def zone_status(model: Model, zone: Zone) -> ZoneStatus:
    """How the zone stands over all its servers."""
    servers = tuple(_server_status(model, zone, name) for name in sorted(zone.servers))
    last = dt.datetime.fromtimestamp(zone.last_updated, dt.UTC) if zone.last_updated is not None else None
    published, propagated = standing(model, zone)
    failed = len(_failures(model, zone))
    return ZoneStatus(
        ref=zone.ref,
        generation=zone.wanted.generation if zone.wanted else 0,
        serial=zone.target if zone.target is not None else _newest(zone),
        published=published,
        propagated=propagated,
        servers=servers,
        deleting=zone.deleting,
        blocked_by=tuple(_blocked(model, zone)) if zone.deleting else (),
        mass_delete=MassDelete(len(zone.withheld), len(zone.content)) if zone.withheld else None,
        pending=len(zone.pending) - failed,
        failed=failed,
        foreign=zone.foreign,
        repaired=zone.repaired,
        last_updated=last,
    )


def standing(model: Model, zone: Zone) -> tuple[bool, bool]:
    """(published, propagated) of the zone as a whole."""
    required = model.required(zone)
    published = bool(required) and all(in_sync(replica, zone) for replica in required)
    followed = all(_revision_at(model, zone, name) == zone.revision for name in zone.secondaries)
    return published, published and followed


def _newest(zone: Zone) -> int | None:
    return next(reversed(zone.finals), None)


def _blocked(model: Model, zone: Zone) -> list[str]:
    keys = (ZoneKey(server, zone.ref.zone) for server in sorted(zone.servers))
    return sorted({name for key in keys if key in model.replicas for name in blockers(model, model.replicas[key])})


def _server_status(model: Model, zone: Zone, name: str) -> ServerStatus:
    replica = model.replicas.get(ZoneKey(name, zone.ref.zone))
    role = zone.roles.get(name) or (replica.role if replica else Role.PRIMARY)
    if replica is None:
        return ServerStatus(name, role, ClaimState.UNCLAIMED)
    reason, message = replica.trouble or (None, "")
    state = _claim_state(replica, zone)
    if state is ClaimState.FAILED and not reason:
        reason, message = Reason.DUPLICATE_ZONE, "another zone object has this name on this server"
    synced = role is Role.PRIMARY and in_sync(replica, zone)
    synced = synced or (role is Role.SECONDARY and _revision_at(model, zone, name) == zone.revision)
    server = model.servers.get(name)
    return ServerStatus(
        name, role, state, replica.serial, synced, reason, message, adopted=server.adopted if server else None
    )


def _claim_state(replica: Replica, zone: Zone) -> ClaimState:
    if zone not in replica.claimants:
        return ClaimState.UNCLAIMED
    if replica.wanted is not zone or replica.trouble:
        return ClaimState.FAILED
    return ClaimState.CONFIGURED if replica.is_present() and replica.is_mine() else ClaimState.CLAIMED
