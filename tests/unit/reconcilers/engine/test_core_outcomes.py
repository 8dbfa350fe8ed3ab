"""The core's rules, one sentence each. What the objects hear of their records."""

from __future__ import annotations

import pytest

from reconcilers.engine.api import ClaimState, RecordState, Role, ServerStatus, ZoneKey
from reconcilers.engine.core.protocol import (
    Poll,
    RemoveServer,
)
from reconcilers.reasons import Reason
from tests.support.engine_rig import BOTH, ZONE, Rig, record
from tests.support.engine_world import rrset


def test_only_objects_whose_outcome_changed_are_told(rig):
    rig.want({"a": "192.0.2.1", "b": "192.0.2.2"})
    rig.resolve_waiting()
    rig.changes.clear()
    rig.want({"a": "192.0.2.1", "b": "192.0.2.3"})
    rig.resolve_waiting()
    assert {ref for change in rig.changes for ref in change.records} == {record("b")}


def test_a_dead_primary_tells_only_those_with_a_change_pending(rig):
    records = dict.fromkeys("abcdef", "192.0.2.1")
    rig.want(records, **BOTH)
    rig.resolve_waiting()
    rig.changes.clear()
    rig.servers["p2"].up = False
    rig.submit(Poll(ZoneKey("p2", ZONE)))
    rig.finish()
    assert not [ref for change in rig.changes for ref in change.records]
    assert [each.reason for each in rig.zone().servers if each.state is ClaimState.FAILED] == ["ServerUnreachable"]
    rig.want({**records, "c": "192.0.2.9"}, version="1", **BOTH)
    while rig.flight:
        rig.finish()
    assert {ref for change in rig.changes for ref in change.records} <= {record("c")}


def test_a_primary_that_is_not_ready_does_not_hold_up_a_record(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    rig.servers["p2"].up = False
    rig.want({"a": "192.0.2.2"}, version="2", **BOTH)
    while rig.flight:
        rig.finish()
    assert rig.outcome("a").state is RecordState.PENDING
    assert rig.outcome("a").waiting_for == ("p2",)
    rig.set_server("p2", ready=False)
    assert rig.outcome("a").ready
    assert record("a") in rig.changes[-1].records


def test_a_new_version_with_the_same_data_needs_no_update(rig):
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    sent = len(rig.sent)
    rig.want({"a": "192.0.2.1"}, version="2")
    assert rig.outcome("a").version == "192.0.2.1 2"
    assert rig.outcome("a").ready
    assert len(rig.sent) == sent


def test_a_removed_record_is_gone_when_every_primary_has_let_it_go(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    rig.servers["p2"].up = False
    rig.want({}, **BOTH)
    while rig.flight:
        rig.finish()
    assert rig.outcome("a").state is RecordState.REMOVING
    assert rig.outcome("a").waiting_for == ("p2",)
    rig.servers["p2"].up = True
    rig.resolve_waiting()
    assert rig.outcome("a").state is RecordState.GONE
    assert rig.served("p2", "a") == set()


def test_a_record_is_not_gone_while_an_update_that_publishes_it_is_in_flight(rig):
    rig.want()
    rig.resolve_waiting()
    rig.want({"a": "192.0.2.1"})
    rig.want({})
    assert rig.outcome("a").state is RecordState.REMOVING
    rig.resolve_waiting()
    assert rig.outcome("a").state is RecordState.GONE
    assert rig.served("p1", "a") == set()


def test_a_record_that_is_changed_back_is_not_ready_while_the_other_value_is_in_flight(rig):
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    rig.want({"a": "192.0.2.2"})
    rig.want({"a": "192.0.2.1"}, version="3")
    assert not rig.outcome("a").ready
    rig.resolve_waiting()
    assert rig.outcome("a").ready
    assert rig.served("p1", "a") == {"192.0.2.1"}


def test_after_a_restart_metadata_remembers_who_waits_for_a_removal(rig):
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    again = Rig()
    again.servers = rig.servers
    key = rrset(ZONE, "a", "A", "192.0.2.1").key
    again.want({}, claimed={key: frozenset({record("a")})})
    assert again.outcome("a").state is RecordState.REMOVING
    again.resolve_waiting()
    assert again.outcome("a").state is RecordState.GONE
    assert again.served("p1", "a") == set()


@pytest.mark.parametrize("how", ["leaves", "is taken away"])
def test_what_was_published_waits_again_when_the_last_primary_goes(rig, how):
    rig.want({"a": "192.0.2.1"}, secondaries=frozenset({"s1"}))
    rig.resolve_waiting()
    assert rig.outcome("a").ready
    rig.changes.clear()
    if how == "leaves":
        rig.want({"a": "192.0.2.1"}, primaries=frozenset(), secondaries=frozenset({"s1"}), former=frozenset({"p1"}))
    else:
        rig.submit(RemoveServer("p1"))
    assert rig.outcome("a").reason == "NoPrimaryInstances"
    assert any(record("a") in change.records for change in rig.changes)
    rig.want({"a": "192.0.2.1"}, primaries=frozenset({"p2"}))
    assert not rig.outcome("a").ready
    rig.resolve_waiting()
    assert rig.outcome("a").ready


def test_a_zone_without_primaries_says_so(rig):
    rig.want({"a": "192.0.2.1"}, primaries=frozenset())
    assert rig.outcome("a").reason == "NoPrimaryInstances"


@pytest.mark.parametrize(
    ("state", "reason", "held"),
    [
        (ClaimState.CONFIGURED, None, True),
        (ClaimState.CLAIMED, None, True),
        (ClaimState.FAILED, Reason.SERVER_UNREACHABLE, True),
        (ClaimState.FAILED, Reason.CONFLICT, False),
        (ClaimState.FAILED, Reason.DUPLICATE_ZONE, False),
        (ClaimState.UNCLAIMED, None, False),
    ],
)
def test_a_zone_object_holds_a_server_unless_it_is_known_that_another_one_does(state, reason, held):
    assert ServerStatus("p1", Role.PRIMARY, state, reason=reason).is_held is held
