"""The core's rules, one sentence each. Secondaries are watched, and told to transfer when they do not by themselves."""

from __future__ import annotations

from reconcilers.ddns.soa import serial_gt
from reconcilers.engine.api import ZoneKey
from reconcilers.engine.core.protocol import (
    Now,
    OpKind,
    Poll,
    Sync,
)
from reconcilers.timing import LOOKS
from tests.support.engine_rig import ALL, ZONE, Rig
from tests.support.engine_world import rrset


def test_a_secondary_is_watched_with_growing_pauses_and_then_told_to_transfer(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    rig.want({"a": "192.0.2.2"}, version="2", **ALL)
    while not any(op.kind is OpKind.SYNC and op.key.server == "s1" for op in rig.sent):
        rig.step()
    assert not rig.outcome("a").propagated
    assert rig.kinds("s1").count("observe") >= LOOKS
    rig.resolve_waiting()
    assert rig.outcome("a").propagated


def test_a_secondary_with_the_right_serial_and_the_wrong_content_is_told_to_transfer(rig):
    """Somebody wrote to a primary by himself: serials prove nothing any more, contents are compared."""
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    replica = rig.servers["s1"].zones[ZONE]
    stale = rrset(ZONE, "stale", "A", "192.0.2.67")
    value = rrset(ZONE, "a", "A", "192.0.2.66")
    rig.servers["p1"].foreign_change(ZONE, value.key, value)
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    for _ in range(40):
        rig.step()
        rig.servers["s1"].transfer_from(rig.servers["p1"], ZONE)
        replica.records[stale.key] = stale
        if any(op.payload == Sync() for op in rig.sent):
            break
    assert any(op.payload == Sync() and op.key.server == "s1" for op in rig.sent)
    assert not rig.zone().propagated
    del replica.records[stale.key]
    rig.resolve_waiting()
    assert rig.zone().propagated


def test_a_secondary_that_is_ahead_is_overtaken(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    ahead = rig.zone().serial + 5000
    rig.servers["s1"].zones[ZONE].serial = ahead
    rig.submit(Poll(ZoneKey("s1", ZONE)))
    rig.resolve_waiting()
    assert serial_gt(rig.zone().serial, ahead)
    assert rig.zone().propagated


def test_a_replica_of_an_earlier_life_that_has_our_serial_by_chance_is_told_to_transfer(rig):
    """Serials follow the clock, and those before a restart may have been ahead of it."""
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    before = rig.zone().serial
    again = Rig()
    again.servers = rig.servers
    for name in ("p1", "p2"):
        again.servers[name].zones.clear()
    again.now = Now(0.0, before - 2.0)  # two serials are for the zones that begin empty
    again.want({"a": "192.0.2.9"}, **ALL)
    while others := [op for op in again.flight.values() if op.key.server != "s1"]:
        again.finish(others[0])
    assert again.zone().serial == before
    while not any(op.payload == Sync() and op.key.server == "s1" for op in again.sent):
        again.step()
    assert not again.zone().propagated
    again.servers["s1"].zones[ZONE].serial = None  # to transfer again is to forget what is there
    again.resolve_waiting()
    assert again.served("s1", "a") == {"192.0.2.9"}
    assert again.zone().propagated
