"""How zones and objects stand, read off the facts. Part of the core; changes nothing but who still waits.

`settle` is where an object's wait ends: its RRsets are on every primary that is Ready (published), on every secondary
(propagated), or gone from every primary.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from reconcilers.ddns.rrset import RRsetKey
from reconcilers.engine.api import (
    ClaimState,
    GuardStatus,
    ObjectRef,
    RecordOutcome,
    RecordState,
    Role,
    ServerStatus,
    ZoneKey,
    ZoneStatus,
)
from reconcilers.engine.core.book import Book
from reconcilers.engine.core.decide import blockers
from reconcilers.engine.core.model import Known, Trouble, Zone, ZoneOnServer
from reconcilers.engine.core.protocol import Ownership
from reconcilers.engine.core.sync import in_sync
from reconcilers.reasons import Reason


def settle(book: Book, zone: Zone, keys: Iterable[RRsetKey]) -> set[ObjectRef]:
    """Let those go whose wait at these keys is over; returns the objects that stand otherwise now."""
    changed: set[ObjectRef] = set()
    required = book.required(zone)
    primaries = list(book.sites_of(zone, Role.PRIMARY))
    for key in keys:
        if key in zone.pending and key not in zone.rejected and required and all(site.clean(key) for site in required):
            published = zone.pending.pop(key)
            changed |= published
            zone.unspread |= dict.fromkeys(published, zone.version)
        if key in zone.leaving and key not in zone.held and all(site.free_of(key) for site in primaries):
            changed |= zone.left(key)
    return changed | spread(book, zone)


def settle_all(book: Book, zone: Zone) -> set[ObjectRef]:
    """The same for whoever waits, after a server changed."""
    return settle(book, zone, [*zone.pending, *zone.leaving])


def in_trouble(book: Book, zone: Zone, keys: Iterable[RRsetKey]) -> set[ObjectRef]:
    """Objects that wait at these keys and will hear nothing more for now: what they wait for is in trouble already."""
    hopeless = any(site.trouble for site in book.required(zone))
    return {ref for key in keys if hopeless or _failure(book, zone, key) for ref in zone.pending.get(key, ())}


def spread(book: Book, zone: Zone) -> set[ObjectRef]:
    """Published objects that every secondary has by now."""
    if not zone.unspread:
        return set()
    reached = min((_version_at(book, zone, name) for name in zone.secondaries), default=zone.version)
    done = {ref for ref, version in zone.unspread.items() if version <= reached}
    for ref in done:
        del zone.unspread[ref]
    return done


def _version_at(book: Book, zone: Zone, server: str) -> int:
    """The version of the zone that a secondary holds: its serial names it. 0 for a serial that names none."""
    site = book.sites.get(ZoneKey(server, zone.ref.zone))
    if site is None or site.known is not Known.PRESENT or not site.is_mine() or site.serial is None:
        return 0
    return 0 if site.wrong or site.doubt else zone.finals.get(site.serial, 0)


# --- records ---------------------------------------------------------------------------------------------------------


def record_outcome(book: Book, zone: Zone, ref: ObjectRef) -> RecordOutcome:
    """How one object stands in the zone."""
    outcome = _record_outcome(book, zone, ref)
    return replace(outcome, leaving=True) if ref in zone.leavers else outcome


def _record_outcome(book: Book, zone: Zone, ref: ObjectRef) -> RecordOutcome:
    if zone.deleting:
        return _going_along(book, zone)
    keys = zone.versions.get(ref)
    if not keys:
        return _leaver(book, zone, ref)
    version = next(iter(keys.values()))
    updated = [zone.updated[key] for key in keys if key in zone.updated]
    last = dt.datetime.fromtimestamp(max(updated), dt.UTC) if updated else None
    waiting = [key for key in keys if ref in zone.pending.get(key, ())]
    if not waiting:
        done = RecordState.PUBLISHED
        return RecordOutcome(done, version, ref not in zone.unspread, Reason.RECORD_PUBLISHED, "", last)
    failure = next(filter(None, (_failure(book, zone, key) for key in waiting)), None)
    if failure:
        return RecordOutcome(RecordState.FAILED, version, False, *failure, last)
    late = [site for site in book.required(zone) if not all(site.clean(key) for key in waiting)]
    why, names = _why_late(zone, late), tuple(site.key.server for site in late)
    return RecordOutcome(RecordState.PENDING, version, False, *why, last, names, held=_is_held(book, zone, waiting))


def _going_along(book: Book, zone: Zone) -> RecordOutcome:
    """A zone that we created takes its records along. In one that we adopted they are taken away one by one.

    There only their own claims tell that they are ours, should we be interrupted: they have to last until the end."""
    servers = ((name, book.servers.get(name)) for name in zone.servers)
    adopted = tuple(sorted(name for name, server in servers if server is None or server.adopted))
    state = RecordState.REMOVING if adopted else RecordState.GONE
    message = f"{zone.ref.zone} is being deleted"
    return RecordOutcome(state, reason=Reason.ZONE_NOT_READY, message=message, waiting_for=adopted)


def _is_held(book: Book, zone: Zone, keys: Iterable[RRsetKey]) -> bool:
    adopted = [site for site in book.sites_of(zone, Role.PRIMARY) if site.ownership is Ownership.ADOPTED]
    return any(key in site.owned and key in site.records for site in adopted for key in keys)


def _leaver(book: Book, zone: Zone, ref: ObjectRef) -> RecordOutcome:
    keys = zone.leavers.get(ref)
    if not keys:
        return RecordOutcome(RecordState.GONE)
    late = [site for site in book.sites_of(zone, Role.PRIMARY) if not all(site.free_of(key) for key in keys)]
    why = _why_late(zone, late)
    if any(key in zone.held for key in keys):
        why = guard_trouble(zone)
    return RecordOutcome(RecordState.REMOVING, "", False, *why, None, tuple(site.key.server for site in late))


def _failure(book: Book, zone: Zone, key: RRsetKey) -> Trouble | None:
    if rejection := zone.rejected.get(key):
        return rejection.trouble
    for site in book.required(zone):
        if key in site.conflicts:
            return Trouble(
                Reason.RECORD_CONFLICT, f"{key} exists on {site.key.server} and is not ours: {site.records[key]}"
            )
    return None


def _failures(book: Book, zone: Zone) -> set[RRsetKey]:
    """All of them. From the few that failed, not from the many that wait: status is read at every change."""
    unlucky = set(zone.rejected).union(*(site.conflicts for site in book.required(zone)))
    return {key for key in unlucky if key in zone.pending}


def _why_late(zone: Zone, late: list[ZoneOnServer]) -> Trouble:
    if not zone.primaries:
        return Trouble(Reason.NO_PRIMARY_INSTANCES, "the zone has no primary to publish to")
    for site in late:
        if site.trouble:
            return Trouble(site.trouble.reason, f"{site.key.server}: {site.trouble.message}")
    for site in late:
        if site.known is not Known.PRESENT:
            return Trouble(Reason.ZONE_NOT_READY, f"waits until {zone.ref.zone} exists on {site.key.server}")
    return Trouble(Reason.PROGRESSING, "")


def guard_trouble(zone: Zone) -> Trouble:
    """The mass-delete guard holds."""
    return Trouble(
        Reason.WAITING_FOR_CONSENT, f"{len(zone.held)} of {len(zone.content)} RRsets would go: waits for consent"
    )


# --- zones -----------------------------------------------------------------------------------------------------------


def zone_status(book: Book, zone: Zone) -> ZoneStatus:
    """How the zone stands over all its servers."""
    servers = tuple(_server_status(book, zone, name) for name in sorted(zone.servers))
    last = dt.datetime.fromtimestamp(zone.last_updated, dt.UTC) if zone.last_updated is not None else None
    published, propagated = standing(book, zone)
    failed = len(_failures(book, zone))
    return ZoneStatus(
        ref=zone.ref,
        generation=zone.wanted.generation if zone.wanted else 0,
        serial=zone.target if zone.target is not None else _newest(zone),
        published=published,
        propagated=propagated,
        servers=servers,
        deleting=zone.deleting,
        blocked_by=tuple(_blocked(book, zone)) if zone.deleting else (),
        guard=GuardStatus(len(zone.held), len(zone.content)) if zone.held else None,
        pending=len(zone.pending) - failed,
        failed=failed,
        foreign=zone.foreign,
        repaired=zone.repaired,
        last_updated=last,
    )


def standing(book: Book, zone: Zone) -> tuple[bool, bool]:
    """(published, propagated) of the zone as a whole."""
    required = book.required(zone)
    published = bool(required) and all(in_sync(site, zone) for site in required)
    copies = all(_version_at(book, zone, name) == zone.version for name in zone.secondaries)
    return published, published and copies


def _newest(zone: Zone) -> int | None:
    return next(reversed(zone.finals), None)


def _blocked(book: Book, zone: Zone) -> list[str]:
    keys = (ZoneKey(server, zone.ref.zone) for server in sorted(zone.servers))
    return sorted({name for key in keys if key in book.sites for name in blockers(book, book.sites[key])})


def _server_status(book: Book, zone: Zone, name: str) -> ServerStatus:
    site = book.sites.get(ZoneKey(name, zone.ref.zone))
    role = zone.roles.get(name) or (site.role if site else Role.PRIMARY)
    if site is None:
        return ServerStatus(name, role, ClaimState.UNCLAIMED)
    reason, message = site.trouble or (None, "")
    state = _claim_state(site, zone)
    if state is ClaimState.FAILED and not reason:
        reason, message = Reason.DUPLICATE_ZONE, "another zone object has this name on this server"
    synced = role is Role.PRIMARY and in_sync(site, zone)
    synced = synced or (role is Role.SECONDARY and _version_at(book, zone, name) == zone.version)
    return ServerStatus(name, role, state, site.serial, synced, reason, message)


def _claim_state(site: ZoneOnServer, zone: Zone) -> ClaimState:
    if zone not in site.claimants:
        return ClaimState.UNCLAIMED
    if site.wanted is not zone or site.trouble:
        return ClaimState.FAILED
    return ClaimState.CONFIGURED if site.is_present() and site.is_mine() else ClaimState.CLAIMED
