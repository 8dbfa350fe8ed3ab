"""The core's rules, one sentence each. What fails, is lost, or is refused."""

from __future__ import annotations

from dataclasses import replace

import dns.name
import pytest

from reconcilers.ddns.rrset import RRset
from reconcilers.engine.api import (
    Contributor,
    DesiredRRset,
    RecordState,
    ZoneConfig,
    ZoneKey,
    ZoneRef,
    ZoneWanted,
)
from reconcilers.engine.core import core
from reconcilers.engine.core.decide import decide
from reconcilers.engine.core.protocol import (
    Completed,
    Failed,
    OpKind,
    Parked,
    Poll,
    Sync,
    Want,
)
from reconcilers.engine.core.results import learn
from reconcilers.reasons import Reason
from tests.support.engine_rig import ALL, BOTH, CHILD, ZONE, Rig, record, wanted
from tests.support.engine_world import BAD, rrset, soa


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


@pytest.fixture
def stumble(monkeypatch):
    """The rules raise for one zone, as long as it is in the set."""
    zones = {ZONE}

    def deciding(model, replica, now):
        if replica.key.zone in zones:
            raise ValueError("something unforeseen")
        return decide(model, replica, now)

    monkeypatch.setattr(core, "decide", deciding)
    return zones


def test_a_zone_that_the_rules_stumble_over_rests_with_growing_pauses_and_says_so(rig, stumble):
    rig.want({"a": "192.0.2.1"})
    parked = [effect for effect in rig.effects if isinstance(effect, Parked)]
    assert [(each.key.zone, each.retry_in) for each in parked] == [(ZONE, 1.0)]
    assert rig.outcome("a").reason is Reason.INTERNAL_ERROR
    assert "something unforeseen" in rig.zone().servers[0].message
    rig.advance(1.0)
    assert [each.retry_in for each in rig.effects if isinstance(each, Parked)] == [1.0, 2.0]


def test_it_goes_on_when_they_do_not_stumble_any_more(rig, stumble):
    rig.want({"a": "192.0.2.1"})
    stumble.clear()
    rig.advance(1.0)
    rig.resolve_waiting()
    assert rig.outcome("a").ready
    assert rig.zone().servers[0].reason is None


def test_one_that_was_as_wanted_when_they_stumbled_is_well_again(rig, stumble):
    stumble.clear()
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    stumble.add(ZONE)
    rig.want({"a": "192.0.2.1"}, consent=True)
    assert rig.zone().servers[0].reason is Reason.INTERNAL_ERROR
    stumble.clear()
    rig.advance(1.0)
    assert rig.zone().servers[0].reason is None


def test_other_zones_go_on_meanwhile(rig, stumble):
    rig.want()
    rig.submit(Want(wanted(zone=CHILD, ref=ZoneRef(CHILD, "uid-2"), config=ZoneConfig(soa(CHILD)))))
    while rig.flight:
        rig.finish()
    assert rig.core.zone(ZoneRef(CHILD, "uid-2")).published


def test_an_answer_that_the_rules_stumble_over_is_a_failure_of_which_nothing_is_known(rig, monkeypatch):
    def learning(model, replica, op, result, now):
        if not isinstance(result, Failed):
            raise TypeError("unhashable type: 'dict'")
        return learn(model, replica, op, result, now)

    rig.want({"a": "192.0.2.1"})
    with monkeypatch.context() as patch:
        patch.setattr(core, "learn", learning)
        rig.finish()
    assert rig.failures()[-1].result.reason is Reason.INTERNAL_ERROR
    assert not rig.flight
    rig.advance(1.0)
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


def test_what_points_to_an_address_that_appears_is_sent_again_at_once(rig, monkeypatch):
    """BIND refuses an MX whose target lies in the zone and has no address."""
    exchange = rrset(ZONE, "@", "MX", "10 mail.example.org.")
    monkeypatch.setattr(rig.servers["p1"], "takes", lambda change: change is None or change.key != exchange.key)
    rig.submit(Want(with_exchange(exchange)))
    rig.resolve_waiting()
    assert rig.outcome("mx").reason == Reason.REJECTED
    monkeypatch.undo()
    rig.submit(Want(with_exchange(exchange, {"mail": "192.0.2.1"})))
    rig.resolve_waiting()
    assert rig.outcome("mx").ready


def with_exchange(exchange: RRset, records: dict[str, str] | None = None) -> ZoneWanted:
    zone = wanted(records)
    entry = DesiredRRset(exchange, frozenset({Contributor(record("mx"), "1")}))
    return replace(zone, rrsets={**zone.rrsets, exchange.key: entry})
