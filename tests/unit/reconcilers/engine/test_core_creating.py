"""The core's rules, one sentence each. Zones that are not there yet."""

from __future__ import annotations

import pytest

from reconcilers.engine.api import ZoneConfig, ZoneKey
from reconcilers.engine.core.protocol import Failed, NotLive, OpKind, Poll, Refused
from reconcilers.reasons import Reason
from tests.support.engine_rig import ALL, ZONE
from tests.support.engine_world import soa


def test_nothing_is_sent_before_the_zone_was_observed(rig):
    rig.want({"a": "192.0.2.1"})
    assert rig.kinds() == ["observe"]


def test_records_wait_for_their_zone_and_then_go_out_in_one_update(rig):
    rig.want({"a": "192.0.2.1"})
    rig.want({"a": "192.0.2.1", "b": "192.0.2.2"})
    assert rig.outcome("b").reason == "ZoneNotReady"
    rig.resolve_waiting()
    assert rig.kinds("p1") == ["observe", "create", "sync"]
    assert rig.outcome("b").ready


def test_an_object_that_is_not_live_gets_no_zone_until_it_is_wanted_again(rig):
    rig.want({"a": "192.0.2.1"})
    rig.finish()
    rig.finish(result=NotLive())
    rig.resolve_waiting()
    assert rig.kinds() == ["observe", "create"]
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    assert rig.zone().published


def test_a_refused_creation_is_parked_until_it_is_asked_differently(rig):
    rig.want()
    rig.finish()
    rig.finish(result=Refused(Reason.BINDCAR_BAD_REQUEST, "400: no"))
    rig.resolve_waiting()
    assert rig.kinds() == ["observe", "create"]
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    assert rig.kinds() == ["observe", "create"], "a record more does not make it another zone"
    rig.want(config=ZoneConfig(soa(ZONE, refresh=99)), generation=2)
    rig.resolve_waiting()
    assert rig.zone().published


@pytest.mark.parametrize(
    "result",
    [Refused(Reason.BINDCAR_BAD_REQUEST, "400: no"), Failed(Reason.CONFLICT, "409: no", ambiguous=True)],
    ids=["refused", "failed"],
)
def test_a_zone_that_cannot_be_created_says_why_also_after_the_next_look(rig, result):
    rig.want()
    rig.finish()
    rig.finish(result=result)
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    rig.step()  # the back-off is over
    assert rig.next_op().kind is OpKind.OBSERVE
    rig.finish()
    [server] = rig.zone().servers
    assert (server.reason, server.message) == (result.reason, result.message)


def test_a_secondary_is_created_once_a_primary_has_the_zone(rig):
    rig.want(**ALL)
    rig.resolve_waiting()
    assert rig.kinds("s1")[:2] == ["observe", "create"]
    first = next(op.id for op in rig.sent if op.key.server == "s1" and op.kind is OpKind.CREATE)
    assert all(op.id < first for op in rig.sent if op.key.server == "p1" and op.kind is OpKind.CREATE)


def test_what_a_zone_is_created_with_was_published_then(rig):
    """One that was served before comes whole, without an UPDATE that would tell."""
    rig.want({"a": "192.0.2.1"}, serial_floor=7)
    rig.resolve_waiting()
    assert rig.kinds("p1") == ["observe", "create"]
    published = rig.outcome("a").last_updated
    assert published is not None

    rig.advance(60)
    rig.servers["p1"].lose_everything()
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    rig.resolve_waiting()
    assert rig.served("p1", "a") == {"192.0.2.1"}
    assert rig.outcome("a").last_updated == published, "that a server lost it does not make it new"
