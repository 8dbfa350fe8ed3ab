"""What a completed operation teaches. Part of the core.

Success updates what is observed from what was *sent*; a definite failure backs off; whatever may or may not have
happened makes the zone UNKNOWN. Returns nothing: the rules look at the facts afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping

from reconcilers.ddns.plan import UNTOUCHABLE, Guard
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.ddns.soa import serial_gt
from reconcilers.engine.api import Role
from reconcilers.engine.core.book import Book
from reconcilers.engine.core.install import merged, reject, retry_rejected
from reconcilers.engine.core.mass_delete import drop_stale_holds
from reconcilers.engine.core.model import Known, Rejection, Trouble, Zone, ZoneOnServer
from reconcilers.engine.core.protocol import (
    Absent,
    Applied,
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
    Update,
)
from reconcilers.engine.core.sync import in_sync
from reconcilers.reasons import Reason


def learn(book: Book, site: ZoneOnServer, op: Op, result: Result, now: Now) -> set[RRsetKey]:
    """Take the result into account; returns the keys of RRsets whose wanted content changed by it."""
    match result:
        case Failed():
            _failed(site, op, result)
        case Refused():
            _refused(site, op, result)
        case NotLive():
            book.zones[op.ref.uid].suspended = True
        case Absent():
            site.lost()
            site.trouble = None
        case Unchanged():
            _seen(site)
        case Present():
            return _present(book, site, op, result, now)
        case Applied():
            return _applied(book, site, op, result, now)
    return set()


def _failed(site: ZoneOnServer, op: Op, result: Failed) -> None:
    site.trouble = Trouble(result.reason, result.message)
    _not_as_a_whole(site, op)
    if op.kind is OpKind.OBSERVE:
        site.doubted(trusted=True)
    elif result.ambiguous:
        site.doubted(trusted=False)
        if isinstance(op.payload, Sync):
            firsts = (change for change in op.payload.changes if change.guard is Guard.ABSENT)
            site.attempted |= {change.key: change.after for change in firsts if change.after}


def _refused(site: ZoneOnServer, op: Op, result: Refused) -> None:
    """A terminal failure parks what was asked, not the zone: asked differently, it is tried again at once."""
    site.trouble = Trouble(result.reason, result.message)
    payload = op.payload
    if op.kind is OpKind.OBSERVE:
        site.doubted(trusted=True)
    if _not_as_a_whole(site, op):
        return
    if isinstance(payload, Create):
        site.parked = payload.soa.at(0), payload.options, frozenset(payload.content)
    elif isinstance(payload, Update):
        site.parked = payload.options
    elif isinstance(payload, Delete):
        site.parked = payload.uid


def _not_as_a_whole(site: ZoneOnServer, op: Op) -> bool:
    """Whatever the reason was: the next attempt is one that can be bisected."""
    whole = isinstance(op.payload, Create) and op.payload.whole
    site.piecemeal = site.piecemeal or whole
    return whole


def _seen(site: ZoneOnServer) -> None:
    site.known, site.trusted, site.verify, site.piecemeal = Known.PRESENT, True, False, False
    if site.failed in {None, OpKind.OBSERVE}:
        site.trouble = None


# --- observed --------------------------------------------------------------------------------------------------------


def _present(book: Book, site: ZoneOnServer, op: Op, seen: Present, now: Now) -> set[RRsetKey]:
    first = site.known is Known.UNKNOWN and site.serial is None
    unmoved = site.serial == seen.serial
    drifted = site.trusted and site.serial is not None and not unmoved
    _seen(site)
    site.ownership, site.owner_uid = seen.ownership, seen.owner_uid
    site.serial, site.soa = seen.serial, seen.soa
    site.options = seen.options or site.options
    if isinstance(op.payload, Create):
        site.past = op.payload.past
    if seen.serial is not None and site.is_mine():
        book.saw(site.key.zone, seen.serial)
    zone = site.wanted
    if op.role is Role.SECONDARY:
        if zone is not None and seen.records is not None:
            _compare_copy(book, site, zone, seen.records)
        elif zone is not None and first and site.key.zone in book.begun and seen.serial in zone.finals:
            # The serial was chosen before it was known to be in use: an earlier process may have named other data so.
            site.doubt = True
        return set()
    if seen.records is None:
        return set()
    changed = _read(book, site, zone, dict(seen.records), drifted=drifted, unmoved=unmoved)
    return changed | (retry_rejected(zone, site, now.mono) if zone is not None and site.is_mine() else set())


def _read(
    book: Book, site: ZoneOnServer, zone: Zone | None, records: dict[RRsetKey, RRset], *, drifted: bool, unmoved: bool
) -> set[RRsetKey]:
    """The whole content of a primary. `unmoved`: its serial is the one that we last knew it to have."""
    before = site.dirty.copy()
    site.records = records
    site.owned |= _arrived(site)
    changed: set[RRsetKey] = set()
    if zone is not None and site.is_mine():
        site.owned |= _ours(book, site, zone)
        if unmoved or site.serial in zone.finals:
            site.owned |= _missed(book, site, zone)
        changed = drop_stale_holds(site, zone) | _keep_unreadable(site, zone)
    site.mark_all()
    if zone is not None and site.is_mine():
        # Left alone: a zone may have other writers (a certificate's challenge), whose RRsets are not ours to judge.
        zone.foreign = sum(1 for key in records if key not in zone.content and key not in site.owned)
        if drifted:
            zone.repaired += len(site.dirty - before)
            doubt_copies(book, zone)
    return changed


def _ours(book: Book, site: ZoneOnServer, zone: Zone) -> set[RRsetKey]:
    """What is ours where it stands: what we want in a zone that we created, and what metadata claims.

    In an adopted zone an RRset that is just as we want it, and that we did not put there, is somebody else's: it counts
    as published and is never taken away.
    """
    wanted = zone.content.keys() if site.ownership is Ownership.OURS else ()
    claimed = zone.wanted.claimed.keys() if zone.wanted else set[RRsetKey]()
    if not book.claims_count(zone, site.key.server):
        claimed = {key for key in claimed & site.records.keys() if site.records[key] == zone.content.get(key)}
    return {*wanted, *claimed}


def _arrived(site: ZoneOnServer) -> set[RRsetKey]:
    """What was sent without a reply, and stands there: it is ours, also in a zone that we are leaving by now."""
    arrived = {key for key, rrset in site.attempted.items() if site.records.get(key) == rrset}
    site.attempted.clear()
    return arrived if site.ownership is not Ownership.FOREIGN else set()


def _missed(book: Book, site: ZoneOnServer, zone: Zone) -> set[RRsetKey]:
    """What a primary that is behind holds, and one that is in sync does not: it missed the removal while it was away.

    Asked only where the serial is one of ours: somebody else's RRset would have moved it, and is left alone.
    """
    if site.ownership is not Ownership.OURS or site.serial is None or zone.target is None:
        return set()
    if not serial_gt(zone.target, site.serial):
        return set()
    peers = [peer for peer in book.sites_of(zone, Role.PRIMARY) if peer is not site and in_sync(peer, zone)]
    return {key for key in site.records if any(key not in peer.records for peer in peers)}


def _keep_unreadable(site: ZoneOnServer, zone: Zone) -> set[RRsetKey]:
    unreadable = zone.wanted.unreadable if zone.wanted else frozenset()
    standing = unreadable & site.records.keys() & (site.owned | zone.content.keys())
    return {key for key in standing if zone.put(key, merged(site.records[key], zone.content.get(key)))}


def doubt_copies(book: Book, zone: Zone) -> None:
    """Serials that we did not choose are about: the secondaries' contents have to be compared too."""
    for copy in book.sites_of(zone, Role.SECONDARY):
        copy.doubt = True


def _compare_copy(book: Book, site: ZoneOnServer, zone: Zone, records: Mapping[RRsetKey, RRset]) -> None:
    """A secondary's content against what the primaries hold: ours exactly, and nothing that no primary has."""
    known = {key for primary in book.sites_of(zone, Role.PRIMARY) for key in primary.records}
    missing = any(records.get(key) != rrset for key, rrset in zone.content.items())
    surplus = any(key not in known and key.rdtype not in UNTOUCHABLE for key in records)
    site.wrong, site.doubt = missing or surplus, False


# --- applied ---------------------------------------------------------------------------------------------------------


def _applied(book: Book, site: ZoneOnServer, op: Op, result: Applied, now: Now) -> set[RRsetKey]:
    site.trouble = None
    match op.payload:
        case Create() as created:
            _created(site, op, created)
            return retry_rejected(site.wanted, site, now.mono) if site.wanted else set()
        case Update() as update:
            site.options = update.options
        case Delete():
            site.lost()
        case Sync() as sync if op.role is Role.PRIMARY:
            return _synced(book, site, sync, result, now)
        case _:
            # A secondary was told to transfer: whether it did has to be seen.
            site.wrong, site.doubt, site.chases = False, site.wrong or site.doubt, 0
            site.doubted(trusted=False)
    return set()


def _created(site: ZoneOnServer, op: Op, created: Create) -> None:
    _seen(site)
    site.ownership, site.owner_uid = Ownership.OURS, op.ref.uid
    site.options, site.past = created.options, created.past
    if op.role is Role.SECONDARY:
        return
    site.serial, site.soa = created.soa.serial, created.soa
    site.records = {rrset.key: rrset for rrset in created.content}
    site.owned |= site.records.keys()
    site.mark_all()


def _synced(book: Book, site: ZoneOnServer, sync: Sync, result: Applied, now: Now) -> set[RRsetKey]:
    rejected = {key: Trouble(reason, message) for key, reason, message in result.rejected}
    for change in sync.changes:
        if change.key not in rejected:
            _changed(site, change.key, change.after, now)
    if result.serial is not None:
        book.saw(site.key.zone, result.serial)
    if result.sent is not None:
        site.soa, site.serial = sync.soa, result.serial
    zone = site.wanted
    if zone is not None and site.past and site.serial == zone.target:
        site.past = False
    interfered = result.sent is not None and result.serial != result.sent
    if interfered or Reason.RECORD_CONFLICT in {trouble.reason for trouble in rejected.values()}:
        # Somebody else writes to this zone, at this moment: what stands there has to be read.
        site.doubted(trusted=False)
        if zone is not None:
            doubt_copies(book, zone)
    return _rejected(site, zone, sync, rejected)


def _changed(site: ZoneOnServer, key: RRsetKey, after: RRset | None, now: Now) -> None:
    if after is None:
        site.records.pop(key, None)
        site.owned.discard(key)
    else:
        site.records[key] = after
        site.owned.add(key)
    site.mark(key)
    for zone in site.claimants:
        zone.last_updated = now.unix
        if after is not None and zone.content.get(key) == after:
            zone.updated[key] = now.unix


def _rejected(site: ZoneOnServer, zone: Zone | None, sync: Sync, rejected: dict[RRsetKey, Trouble]) -> set[RRsetKey]:
    if not rejected:
        return set()
    sent = {change.key: change.after for change in sync.changes}
    beside = site.at({key.name for key in rejected})
    changed = set()
    for key, trouble in rejected.items():
        # What was refused is what was sent; something else may be wanted by now.
        if zone is None or trouble.reason == Reason.RECORD_CONFLICT or zone.content.get(key) != sent[key]:
            continue
        reject(zone, site, key, Rejection(sent[key], trouble, site.key.server, beside[key.name]))
        changed.add(key)
    return changed
