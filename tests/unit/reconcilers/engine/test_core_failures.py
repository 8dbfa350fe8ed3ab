"""The core's rules, one sentence each. What fails, is lost, or is refused."""

from __future__ import annotations

import dns.name

from reconcilers.engine.api import RecordState, ZoneKey
from reconcilers.engine.core.protocol import (
    Completed,
    Failed,
    OpKind,
    Poll,
    Sync,
)
from reconcilers.reasons import Reason
from tests.support.engine_rig import ALL, BOTH, ZONE, Rig
from tests.support.engine_world import BAD, rrset


def test_the_back_off_doubles_up_to_its_cap_and_churn_does_not_end_it(rig):
    rig.want({"a": "192.0.2.1"})
    delays = []
    for number in range(6):
        rig.fail()
        delays.append(rig.failures()[-1].retry_in)
        rig.want({"a": f"192.0.2.{number + 2}"})
        assert not rig.flight
        rig.advance(delays[-1])
    assert delays == [1.0, 2.0, 4.0, 8.0, 8.0, 8.0]


def test_a_zone_is_never_given_up(rig):
    rig.want({"a": "192.0.2.1"})
    for _ in range(10):
        rig.fail()
        rig.advance(8.0)
    rig.resolve_waiting()
    assert rig.outcome("a").ready


def test_a_changed_spec_ends_the_back_off(rig):
    rig.want()
    rig.fail()
    rig.want(generation=2)
    assert rig.flight


def test_a_changed_server_ends_the_back_off(rig):
    rig.want()
    rig.fail()
    rig.set_server("p1", port=5353)
    assert rig.flight


def test_what_may_have_happened_is_looked_at_first(rig):
    rig.want({"a": "192.0.2.1"})
    rig.finish()
    rig.fail(ambiguous=True)
    rig.advance(1.0)
    assert [op.kind for op in rig.flight.values()] == [OpKind.OBSERVE]


def test_a_definite_failure_is_just_tried_again(rig):
    rig.want({"a": "192.0.2.1"})
    rig.finish()
    rig.fail(ambiguous=False)
    rig.advance(1.0)
    assert [op.kind for op in rig.flight.values()] == [OpKind.CREATE]


def test_a_stale_completion_changes_nothing(rig):
    rig.want()
    op = rig.next_op()
    rig.finish()
    assert rig.submit(Completed(op.id, Failed(Reason.SERVER_UNREACHABLE, "late"))) == []


def test_what_the_server_said_before_it_became_another_one_is_stale(rig):
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    op = rig.next_op()
    answer = rig.servers["p1"].carry_out(op, lambda: 1)
    rig.servers["p1"].lose_everything()
    rig.set_server("p1", incarnation="2")
    rig.finish(op, answer)
    rig.resolve_waiting()
    assert rig.served("p1", "a") == {"192.0.2.1"}


def test_a_failed_read_deletes_nothing(rig):
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    again = Rig()
    again.servers = rig.servers
    again.want({})
    for _ in range(5):
        again.fail()
        again.advance(10.0)
    assert again.writes() == []
    assert rig.served("p1", "a") == {"192.0.2.1"}


def test_one_bad_record_does_not_hold_up_the_others(rig):
    rig.want({"a": "192.0.2.1", "bad": BAD, "c": "192.0.2.3"}, **ALL)
    rig.resolve_waiting()
    assert rig.outcome("a").ready
    assert rig.outcome("c").propagated
    assert (rig.outcome("bad").state, rig.outcome("bad").reason) == (RecordState.FAILED, "Rejected")
    assert rig.zone().published
    assert (rig.zone().pending, rig.zone().failed) == (0, 1)


def test_a_rejected_change_leaves_what_stood_there(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    rig.want({"a": BAD}, version="2", **BOTH)
    rig.resolve_waiting()
    assert rig.served("p1", "a") == rig.served("p2", "a") == {"192.0.2.1"}
    assert rig.outcome("a").reason == "Rejected"
    rig.want({"a": "192.0.2.3"}, version="3", **BOTH)
    rig.resolve_waiting()
    assert rig.outcome("a").ready
    assert rig.served("p2", "a") == {"192.0.2.3"}


def test_what_was_rejected_beside_a_cname_of_others_passes_once_that_is_gone(rig):
    cname = rrset(ZONE, "a", "CNAME", "elsewhere.example.")
    rig.want({"b": "192.0.2.2"}, **BOTH)
    rig.resolve_waiting()
    rig.servers["p1"].foreign_change(ZONE, cname.key, cname)
    rig.want({"a": "192.0.2.1", "b": "192.0.2.2"}, **BOTH)
    rig.resolve_waiting()
    assert rig.outcome("a").reason == "Rejected"
    tries = len(tries_at(rig, cname.key.name))
    elsewhere = rrset(ZONE, "theirs", "A", "192.0.2.99")
    rig.servers["p1"].foreign_change(ZONE, elsewhere.key, elsewhere)
    poll(rig, "p1")
    assert len(tries_at(rig, cname.key.name)) == tries, "nothing changed at that name"
    rig.servers["p1"].foreign_change(ZONE, cname.key, None)
    poll(rig, "p1")
    assert rig.outcome("a").ready
    assert rig.served("p1", "a") == rig.served("p2", "a") == {"192.0.2.1"}


def test_a_server_that_lost_what_was_in_the_way_gets_what_it_rejected(rig):
    cname = rrset(ZONE, "a", "CNAME", "elsewhere.example.")
    rig.want({})
    rig.resolve_waiting()
    rig.servers["p1"].foreign_change(ZONE, cname.key, cname)
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    assert rig.outcome("a").reason == "Rejected"
    rig.servers["p1"].lose_everything()
    poll(rig, "p1")
    assert rig.outcome("a").ready


def poll(rig: Rig, server: str) -> None:
    rig.submit(Poll(ZoneKey(server, ZONE)))
    rig.resolve_waiting()


def tries_at(rig: Rig, name: dns.name.Name) -> list[Sync]:
    updates = [op.payload for op in rig.writes() if isinstance(op.payload, Sync)]
    return [update for update in updates if any(change.key.name == name for change in update.changes)]
