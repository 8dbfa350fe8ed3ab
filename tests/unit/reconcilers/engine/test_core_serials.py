"""The core's rules, one sentence each. One serial is one content, on every server."""

from __future__ import annotations

from itertools import pairwise

import pytest

from reconcilers.ddns.soa import serial_gt
from reconcilers.engine.api import ZoneKey, ZoneRef
from reconcilers.engine.core.protocol import (
    Create,
    Failed,
    OpKind,
    Poll,
    Refused,
    Sync,
)
from reconcilers.reasons import Reason
from tests.support.engine_rig import ALL, BOTH, ZONE, Rig, wanted
from tests.support.engine_world import rrset


def test_both_primaries_get_the_same_serial_for_the_same_content(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    rig.want({"a": "192.0.2.2"}, **BOTH)
    rig.resolve_waiting()
    zones = [rig.servers[name].zones[ZONE] for name in ("p1", "p2")]
    assert zones[0].serial == zones[1].serial == rig.zone().serial
    assert (
        rig.kinds("p2").count("sync") == rig.kinds("p1").count("sync") == 2 or zones[0].content() == zones[1].content()
    )


def test_the_same_wish_sends_nothing(rig):
    wish = wanted({"a": "192.0.2.1"}, **ALL)
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    sent = len(rig.sent)
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.want(rrsets=wish.rrsets, **ALL)
    assert len(rig.sent) == sent


def test_a_restarted_core_finds_everything_in_place_and_writes_nothing(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    again = Rig()
    again.servers = rig.servers
    again.want({"a": "192.0.2.1"}, **ALL, serial_floor=rig.zone().serial)
    again.resolve_waiting()
    assert again.writes() == []
    assert again.zone().serial == rig.zone().serial
    assert again.outcome("a").ready
    assert again.outcome("a").propagated


def test_a_server_that_a_restarted_core_does_not_know_yet_keeps_its_place(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    again = Rig(known=("p1", "p2"))
    again.servers = rig.servers
    again.want({"a": "192.0.2.1"}, **ALL, serial_floor=rig.zone().serial)
    again.resolve_waiting()
    assert again.writes() == [], "the secondary is still notified"
    again.set_server("s1")
    again.resolve_waiting()
    assert again.writes() == []
    assert again.zone().propagated


def test_a_restarted_core_leaps_over_serials_that_a_server_it_cannot_see_may_have(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    status = rig.zone().serial
    again = Rig()
    again.servers = rig.servers
    again.want({"a": "192.0.2.2"}, **BOTH, serial_floor=status)
    while again.next_op().key.server != "p1":
        again.fail()
    again.finish()
    sync = next(op.payload for op in again.flight.values() if op.kind is OpKind.SYNC)
    assert isinstance(sync, Sync)
    assert sync.soa
    assert serial_gt(sync.soa.serial, status + 99)
    again.resolve_waiting()
    assert again.zone().serial == sync.soa.serial, "once is enough"


def test_a_changed_content_has_a_serial_of_its_own_also_on_a_server_that_missed_the_one_before(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    first, second = rig.servers["p1"], rig.servers["p2"]
    second.up = False
    rig.want({"a": "192.0.2.2"}, **BOTH)
    for _ in range(4):
        rig.step()
    missed = first.zones[ZONE].serial
    first.up, second.up = False, True
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    while not rig.core.model.replicas[ZoneKey("p1", ZONE)].failures:
        rig.step()
    rig.want({"a": "192.0.2.3"}, **BOTH)
    while rig.served("p2", "a") != {"192.0.2.3"}:
        rig.step()
    assert rig.served("p2", "a") == {"192.0.2.3"}
    assert serial_gt(second.zones[ZONE].serial, missed)


@pytest.mark.parametrize("moved", ["p1", "p2"])  # one of them is looked at before the other
def test_a_serial_that_somebody_else_moved_on_one_primary_becomes_another_one_on_all(rig, moved):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    theirs = rrset(ZONE, "acme", "TXT", "token")
    rig.servers[moved].foreign_change(ZONE, theirs.key, theirs)
    rig.submit(Poll(ZoneKey(moved, ZONE)))
    rig.resolve_waiting()
    assert rig.zone().published
    assert len({rig.servers[name].zones[ZONE].serial for name in ("p1", "p2")}) == 1


def test_no_serial_is_handed_out_twice(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.finish()
    rig.finish()
    first, second = rig.flight.values()
    serials = [first.payload.soa.serial, second.payload.soa.serial]
    serials += [rig.core.allocate(op.id, rig.now) for op in (first, second, first)]
    assert len(set(serials)) == 5
    assert all(serial_gt(later, earlier) for earlier, later in pairwise(serials))


def test_a_serial_is_never_below_the_floor(rig):
    rig.want({"a": "192.0.2.1"}, serial_floor=2_026_010_100)
    rig.resolve_waiting()
    assert serial_gt(rig.zone().serial, 2_026_010_099)


def test_a_zone_that_is_created_again_in_the_same_second_starts_ahead_of_its_forerunner(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    before = rig.zone().serial
    rig.delete()
    rig.resolve_waiting()
    again = ZoneRef(ZONE, "uid-again")
    rig.want({"a": "192.0.2.1"}, ref=again, **ALL)
    rig.resolve_waiting()
    assert serial_gt(rig.zone(again).serial, before)


def lose_p2(rig):
    """Served, and then one primary comes back empty; its first CREATE after that is in flight."""
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    rig.servers["p2"].lose_everything()
    rig.submit(Poll(ZoneKey("p2", ZONE)))
    rig.finish()
    (create,) = rig.flight.values()
    return create.payload


def test_a_primary_that_came_back_empty_gets_the_zone_as_a_whole(rig):
    created = lose_p2(rig)
    before = rig.zone().serial
    assert created.whole
    assert set(created.content) == set(rig.servers["p1"].zones[ZONE].records.values())
    assert created.soa.serial == before, "the content did not change"
    sent = len(rig.sent)
    rig.resolve_waiting()
    assert [op.kind for op in rig.sent[sent:]] == [], "nothing is left to be sent"
    assert rig.zone().serial == before
    assert rig.zone().propagated


@pytest.mark.parametrize(
    "result",
    [Refused(Reason.BINDCAR_BAD_REQUEST, "400: no"), Failed(Reason.BINDCAR_INTERNAL_ERROR, "500: named said no")],
    ids=["refused", "failed"],
)
def test_a_primary_that_does_not_take_it_as_a_whole_is_filled_under_serials_of_the_past(rig, result):
    lose_p2(rig)
    before = rig.zone().serial
    rig.finish(result=result)
    rig.resolve_waiting()
    create = [op for op in rig.sent if op.kind is OpKind.CREATE][-1]
    assert isinstance(create.payload, Create)
    assert create.payload.backdated
    assert serial_gt(before, create.payload.soa.serial)
    assert rig.zone().serial == before, "the content did not change"
    assert rig.zone().propagated


def test_a_zone_that_stands_again_is_created_as_a_whole_when_it_is_lost_again(rig):
    lose_p2(rig)
    rig.finish(result=Failed(Reason.BINDCAR_UNREACHABLE, "no reply", ambiguous=True))
    rig.resolve_waiting()
    rig.servers["p2"].lose_everything()
    rig.submit(Poll(ZoneKey("p2", ZONE)))
    rig.resolve_waiting()
    create = [op for op in rig.sent if op.kind is OpKind.CREATE][-1]
    assert isinstance(create.payload, Create)
    assert create.payload.whole
