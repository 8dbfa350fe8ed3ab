"""Rule 4 in detail: bring a replica to the wanted content and serial. Part of the core.

One serial names one content, on every server (S15). So the serial of a revision goes out only with a message that
makes the content complete; what a server holds on the way there gets serials that nothing else ever has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice

import dns.rdatatype as rt

from reconcilers.ddns.plan import Change, Prerequisite, in_order
from reconcilers.ddns.rrset import MAX_BYTES, RRsetKey
from reconcilers.ddns.soa import Soa, serial_gt
from reconcilers.ddns.update import split, units
from reconcilers.engine.api import ObjectRef, Role, ZoneConfig
from reconcilers.engine.core import serials
from reconcilers.engine.core.mass_delete import withhold_mass_removal
from reconcilers.engine.core.model import Model, Replica, Trouble, Zone
from reconcilers.engine.core.protocol import Now, Observe, OpKind, Ownership, Payload, Sync
from reconcilers.reasons import Reason
from reconcilers.timing import FIRST_LOOK, LOOKS

MESSAGE_BYTES = 48_000
"""What surely fits one UPDATE message: only then may it carry the serial of the whole revision."""


class Rest(Enum):
    """Nothing to send."""

    IDLE = auto()
    """All is as it should be, or waits for something that will wake it."""
    RELEASE = auto()
    """Nobody wants it and nothing of ours is there."""


@dataclass(frozen=True, slots=True)
class Later:
    """Look again after `seconds`."""

    seconds: float


Step = tuple[OpKind, Payload]
Decision = Step | Rest | Later


def config_of(zone: Zone) -> ZoneConfig:
    """The configuration of a zone that is wanted."""
    if zone.wanted is None:
        raise ValueError(f"{zone.ref} is not wanted")
    return zone.wanted.config


def sync(model: Model, replica: Replica, zone: Zone, now: Now) -> Decision:
    """A primary: changes, or the serial alone, or nothing."""
    withhold_mass_removal(model, replica, zone)
    if replica.refused:
        replica.trouble = next(iter(replica.refused.values())).trouble
        if not replica.dirty:
            return Rest.IDLE
    if not replica.dirty and not _other_soa(replica, zone):
        if zone.awaits_plan or _named(model, replica, zone):
            return Rest.IDLE
        return OpKind.SYNC, Sync(
            (), _soa(replica, zone, serials.target(model, zone, now, ahead_of=replica.serial)), _standing(replica)
        )
    changes = changes_for(replica, replica.dirty)
    return OpKind.SYNC, Sync(
        changes, _soa(replica, zone, _serial(model, replica, zone, changes, now)), _standing(replica)
    )


def _standing(replica: Replica) -> Soa | None:
    """The SOA that the server had when we last knew."""
    return replica.soa.at(replica.serial) if replica.soa is not None and replica.serial is not None else None


def removal(model: Model, replica: Replica, now: Now) -> tuple[OpKind, Payload] | None:
    """Take our RRsets out of an adopted zone; None when nothing of ours is left. Deleting is exempt from the guard."""
    if not replica.dirty or replica.soa is None or not replica.former_claimants:
        return None
    changes = changes_for(replica, replica.dirty)
    return OpKind.SYNC, Sync(
        changes, replica.soa.at(serials.allocate(model, replica.former_claimants[0], now)), _standing(replica)
    )


def follow(model: Model, replica: Replica, zone: Zone, now: Now) -> Decision:
    """A secondary: NOTIFY does the work. Look until it has the serial; have it transfer again only if it does not."""
    primaries = [primary for primary in model.replicas_of(zone, Role.PRIMARY) if primary.is_present()]
    if zone.target is None or not any(in_sync(primary, zone) for primary in primaries):
        return Rest.IDLE
    if replica.wrong:
        replica.trouble = Trouble(
            Reason.ZONE_TRANSFER_FAILED, f"has serial {replica.serial} with another content than the primaries"
        )
        return OpKind.SYNC, Sync()
    if replica.serial == zone.target:
        return (OpKind.OBSERVE, Observe()) if replica.suspect else Rest.IDLE
    if _is_ahead(replica, zone) and all(in_sync(primary, zone) for primary in primaries):
        # It will not take what lies behind it: the primaries have to overtake it.
        zone.target = None
        return Rest.IDLE
    return _catch_up(replica, zone, now)


def _is_ahead(replica: Replica, zone: Zone) -> bool:
    return replica.serial is not None and zone.target is not None and serial_gt(replica.serial, zone.target)


def _catch_up(replica: Replica, zone: Zone, now: Now) -> Decision:
    if replica.catching_up != zone.target:
        replica.catching_up, replica.looks, replica.next_look = zone.target, 0, now.mono + FIRST_LOOK
    if now.mono < replica.next_look:
        return Later(replica.next_look - now.mono)
    if replica.looks < LOOKS:
        replica.looks += 1
        replica.next_look = now.mono + FIRST_LOOK * 2**replica.looks
        return OpKind.OBSERVE, Observe(replica.serial, content=False)
    replica.trouble = Trouble(
        Reason.ZONE_TRANSFER_FAILED, f"has serial {replica.serial}, the primaries have {zone.target}"
    )
    return OpKind.SYNC, Sync()


def in_sync(replica: Replica, zone: Zone) -> bool:
    """Is this replica known to be exactly the wanted content, under its serial?"""
    return (
        replica.is_present()
        and replica.is_mine()
        and not replica.dirty
        and not zone.awaits_plan
        and not replica.refused
        and replica.serial == zone.target
        and replica.serial is not None
    )


def changes_for(replica: Replica, keys: Iterable[RRsetKey]) -> tuple[Change, ...]:
    """The changes that make these RRsets as desired, addresses first.

    The TXT that says whose something is goes last: should we be interrupted, nothing stays that nobody owns.
    """
    changes = in_order(_change(replica, key) for key in keys)
    return tuple(sorted(changes, key=_is_registry_removal))


def _is_registry_removal(change: Change) -> bool:
    return change.after is None and change.key.rdtype == rt.TXT and change.prerequisite is Prerequisite.EXACT


def _change(replica: Replica, key: RRsetKey) -> Change:
    before, after = replica.records.get(key), replica.desired(key)
    if not replica.is_planned(key):
        return Change(key, before, after, _prerequisite(replica, key))
    # What a planner decided, it decided on what was read: no change of anybody else since then is undone. What is too
    # large to be named beside what takes its place is guarded by the zone's SOA alone.
    size = sum(len(rrset.wire) for rrset in (before, after) if rrset)
    exact = Prerequisite.EXACT if size <= MAX_BYTES else Prerequisite.NONE
    return Change(key, before, after, exact, _part(replica, key))


def _part(replica: Replica, key: RRsetKey) -> ObjectRef | None:
    """The endpoint that the RRset is of, or was: its address and the TXT beside it are published and removed as one."""
    refs = {ref for zone in replica.planners() for ref in (*zone.contributors(key), *zone.leaving.get(key, ()))}
    return min(refs, default=None)


def _prerequisite(replica: Replica, key: RRsetKey) -> Prerequisite:
    """The first publish in a zone that we did not create must not overwrite what somebody put there a moment ago."""
    if replica.ownership is Ownership.ADOPTED and key not in replica.owned and key not in replica.records:
        return Prerequisite.ABSENT
    return Prerequisite.NONE


def _named(model: Model, replica: Replica, zone: Zone) -> bool:
    """The content is right: is its serial the one of the wanted revision, or can it become that?"""
    serial = replica.serial
    if serial is None or serial == zone.target:
        return True
    if (
        replica.backdated
        or serial_gt(model.highest.get(zone.ref.zone, zone.floor), serial)
        or serial_gt(zone.floor, serial)
    ):
        return False
    # Nothing anywhere is ahead of it: whatever the serial was before, this one names the wanted content.
    zone.target = serial
    zone.name_final(serial, zone.revision)
    return True


def _serial(model: Model, replica: Replica, zone: Zone, changes: Collection[Change], now: Now) -> int:
    if replica.backdated:
        return serials.backdated(model, zone, now)
    # Before there is a current plan nobody knows what the whole content is.
    if fits_one_message(changes) and not replica.refused and not zone.awaits_plan:
        return serials.target(model, zone, now, ahead_of=replica.serial)
    return serials.allocate(model, zone, now)


def fits_one_message(changes: Collection[Change]) -> bool:
    """Surely: the server's client splits the same way, with a little more room."""
    return len(list(islice(split(units(changes), budget=MESSAGE_BYTES), 2))) <= 1


def _soa(replica: Replica, zone: Zone, serial: int) -> Soa:
    """In an adopted zone the SOA is somebody else's: only its serial moves."""
    if replica.ownership is Ownership.ADOPTED and replica.soa is not None:
        return replica.soa.at(serial)
    return config_of(zone).soa.at(serial)


def _other_soa(replica: Replica, zone: Zone) -> bool:
    return (
        replica.ownership is Ownership.OURS
        and replica.soa is not None
        and not replica.soa.same_config(config_of(zone).soa)
    )
