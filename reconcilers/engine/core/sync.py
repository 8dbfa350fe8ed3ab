"""Rule 4 in detail: bring a copy of a zone to the wanted content and serial. Part of the core.

One serial names one content, on every server (S15). So the serial of a version goes out only with a message that
makes the content complete; what a server holds on the way there gets serials that nothing else ever has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice

from reconcilers.ddns.plan import Change, Guard, in_order
from reconcilers.ddns.rrset import RRsetKey
from reconcilers.ddns.soa import Soa, serial_gt
from reconcilers.ddns.update import split, units
from reconcilers.engine.api import Role, ZoneConfig
from reconcilers.engine.core.book import Book
from reconcilers.engine.core.mass_delete import hold_mass_removal
from reconcilers.engine.core.model import Trouble, Zone, ZoneOnServer
from reconcilers.engine.core.protocol import Now, Observe, OpKind, Ownership, Payload, Sync
from reconcilers.reasons import Reason

MESSAGE_BYTES = 48_000
"""What surely fits one UPDATE message: only then may it carry the serial of the whole version."""

CHASES = 9
CHASE_FIRST = 0.004
"""A secondary usually has a change within milliseconds of the NOTIFY. After CHASES looks, each twice as long after
the one before (about 2 s together), it is told to transfer."""


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


def sync(book: Book, site: ZoneOnServer, zone: Zone, now: Now) -> Decision:
    """A primary: changes, or the serial alone, or nothing."""
    hold_mass_removal(book, site, zone)
    if not site.dirty and not _other_soa(site, zone):
        if _named(book, site, zone):
            return Rest.IDLE
        return OpKind.SYNC, Sync((), _soa(site, zone, book.target(zone, now, ahead_of=site.serial)), _standing(site))
    changes = changes_for(site, site.dirty)
    return OpKind.SYNC, Sync(changes, _soa(site, zone, _serial(book, site, zone, changes, now)), _standing(site))


def _standing(site: ZoneOnServer) -> Soa | None:
    """The SOA that the server had when we last knew."""
    return site.soa.at(site.serial) if site.soa is not None and site.serial is not None else None


def removal(book: Book, site: ZoneOnServer, now: Now) -> tuple[OpKind, Payload] | None:
    """Take our RRsets out of an adopted zone; None when nothing of ours is left. Deleting is exempt from the guard."""
    if not site.dirty or site.soa is None or not site.leaving:
        return None
    changes = changes_for(site, site.dirty)
    return OpKind.SYNC, Sync(changes, site.soa.at(book.allocate(site.leaving[0], now)), _standing(site))


def follow(book: Book, site: ZoneOnServer, zone: Zone, now: Now) -> Decision:
    """A secondary: NOTIFY does the work. Look until it has the serial; have it transfer again only if it does not."""
    primaries = [primary for primary in book.sites_of(zone, Role.PRIMARY) if primary.is_present()]
    if zone.target is None or not any(in_sync(primary, zone) for primary in primaries):
        return Rest.IDLE
    if site.wrong:
        site.trouble = Trouble(
            Reason.ZONE_TRANSFER_FAILED, f"has serial {site.serial} with another content than the primaries"
        )
        return OpKind.SYNC, Sync()
    if site.serial == zone.target:
        return (OpKind.OBSERVE, Observe()) if site.doubt else Rest.IDLE
    if _is_ahead(site, zone) and all(in_sync(primary, zone) for primary in primaries):
        # It will not take what lies behind it: the primaries have to overtake it.
        zone.target = None
        return Rest.IDLE
    return _chase(site, zone, now)


def _is_ahead(site: ZoneOnServer, zone: Zone) -> bool:
    return site.serial is not None and zone.target is not None and serial_gt(site.serial, zone.target)


def _chase(site: ZoneOnServer, zone: Zone, now: Now) -> Decision:
    if site.chased != zone.target:
        site.chased, site.chases, site.next_look = zone.target, 0, now.mono + CHASE_FIRST
    if now.mono < site.next_look:
        return Later(site.next_look - now.mono)
    if site.chases < CHASES:
        site.chases += 1
        site.next_look = now.mono + CHASE_FIRST * 2**site.chases
        return OpKind.OBSERVE, Observe(site.serial, content=False)
    site.trouble = Trouble(Reason.ZONE_TRANSFER_FAILED, f"has serial {site.serial}, the primaries have {zone.target}")
    return OpKind.SYNC, Sync()


def in_sync(site: ZoneOnServer, zone: Zone) -> bool:
    """Is this copy known to be exactly the wanted content, under its serial?"""
    return (
        site.is_present()
        and site.is_mine()
        and not site.dirty
        and site.serial == zone.target
        and site.serial is not None
    )


def changes_for(site: ZoneOnServer, keys: Iterable[RRsetKey]) -> tuple[Change, ...]:
    """The changes that make these RRsets as desired, addresses first."""
    return tuple(in_order(Change(key, site.records.get(key), site.desired(key), _guard(site, key)) for key in keys))


def _guard(site: ZoneOnServer, key: RRsetKey) -> Guard:
    """The first publish in a zone that we did not create must not overwrite what somebody put there a moment ago."""
    if site.ownership is Ownership.ADOPTED and key not in site.owned and key not in site.records:
        return Guard.ABSENT
    return Guard.NONE


def _named(book: Book, site: ZoneOnServer, zone: Zone) -> bool:
    """The content is right: is its serial the one of the wanted version, or can it become that?"""
    serial = site.serial
    if serial is None or serial == zone.target:
        return True
    if site.past or serial_gt(book.highest.get(zone.ref.zone, zone.floor), serial) or serial_gt(zone.floor, serial):
        return False
    # Nothing anywhere is ahead of it: whatever the serial was before, this one names the wanted content.
    zone.target = serial
    zone.name_final(serial, zone.version)
    return True


def _serial(book: Book, site: ZoneOnServer, zone: Zone, changes: Collection[Change], now: Now) -> int:
    if site.past:
        return book.past(zone, now)
    if fits_one_message(changes):
        return book.target(zone, now, ahead_of=site.serial)
    return book.allocate(zone, now)


def fits_one_message(changes: Collection[Change]) -> bool:
    """Surely: the server's client splits the same way, with a little more room."""
    return len(list(islice(split(units(changes), budget=MESSAGE_BYTES), 2))) <= 1


def _soa(site: ZoneOnServer, zone: Zone, serial: int) -> Soa:
    """In an adopted zone the SOA is somebody else's: only its serial moves."""
    if site.ownership is Ownership.ADOPTED and site.soa is not None:
        return site.soa.at(serial)
    return config_of(zone).soa.at(serial)


def _other_soa(site: ZoneOnServer, zone: Zone) -> bool:
    return site.ownership is Ownership.OURS and site.soa is not None and not site.soa.same_config(config_of(zone).soa)
