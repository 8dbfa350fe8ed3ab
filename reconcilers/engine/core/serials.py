"""Which serial names which content: one serial, one content, on every server. Part of the core.

A serial only ever rises, also over restarts and when a zone is created again. RFC 1982 is the arithmetic.
"""

from __future__ import annotations

import dns.name

from reconcilers.ddns.soa import next_serial, serial_add, serial_gt
from reconcilers.engine.api import Role
from reconcilers.engine.core.model import Known, Model, Zone
from reconcilers.engine.core.protocol import Now

BACKDATED_BY = 2**30
"""How far back the serials of a zone lie that is created again while others serve it.

Far enough that no secondary takes the half-filled zone for news, near enough (RFC 1982: less than half the circle)
that the present serial is ahead of it.
"""

LEAP = 100
"""More serials than the process before this one handed out for a zone since it last wrote one into its status."""


def saw(model: Model, name: dns.name.Name, serial: int) -> None:
    """A serial in use somewhere: what is handed out later lies ahead of it."""
    highest = model.highest.get(name)
    if highest is None or serial_gt(serial, highest):
        model.highest[name] = serial


def allocate(model: Model, zone: Zone, now: Now) -> int:
    """A serial that was never used for this zone name: max(unix time, lower bound, highest seen + 1)."""
    name = zone.ref.zone
    if name in model.former:
        saw(model, name, model.former.pop(name))
    model.former = {gone: serial for gone, serial in model.former.items() if serial >= int(now.unix)}
    serial = next_serial(now.unix, zone.floor, model.highest.get(name, zone.floor))
    if name not in model.begun and zone.floor and _may_be_behind(model, zone):
        serial = serial_add(serial, LEAP)
    model.begun.add(name)
    model.highest[name] = serial
    return serial


def _may_be_behind(model: Model, zone: Zone) -> bool:
    """A primary that was not seen yet may have serials of an earlier process that nobody else knows."""
    primaries = model.replicas_of(zone, Role.PRIMARY)
    return any(replica.known is Known.UNKNOWN and replica.serial is None for replica in primaries)


def target(model: Model, zone: Zone, now: Now, *, ahead_of: int | None) -> int:
    """The serial of the zone's present revision, which must lie ahead of what the server has now."""
    if zone.target is None or (ahead_of is not None and not serial_gt(zone.target, ahead_of)):
        zone.target = allocate(model, zone, now)
        zone.name_final(zone.target, zone.revision)
    return zone.target


def backdated(model: Model, zone: Zone, now: Now) -> int:
    """A serial for a content that nobody should take for news; as unique as those of the present."""
    return (allocate(model, zone, now) - BACKDATED_BY) % 2**32
