"""The core's rules, one sentence each. What happens when everything goes wrong at once is in test_model.py."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from reconcilers.ddns.rrset import RRset
from reconcilers.ddns.soa import serial_gt
from reconcilers.engine.core import Limits
from reconcilers.engine.events import (
    Absent,
    Completed,
    Create,
    Drain,
    Failed,
    NotLive,
    OpKind,
    Poll,
    Refused,
    RemoveServer,
    Sync,
)
from reconcilers.engine.syncing import CHASES
from reconcilers.engine.values import ClaimState, Contribution, RecordState, ZoneConfig, ZoneKey, ZoneRef
from tests.unit.engine.rig import CHILD, REF, ZONE, Rig, record, wanted
from tests.unit.engine.world import BAD, rrset, soa, zone_name

BOTH: dict[str, Any] = {"primaries": frozenset({"p1", "p2"})}
ALL: dict[str, Any] = {**BOTH, "secondaries": frozenset({"s1"})}
ADOPTED: dict[str, Any] = {"primaries": frozenset({"ext"})}


@pytest.fixture
def rig():
    return Rig()


# --- the seed's calls, event by state --------------------------------------------------------------------------------


def at_not_started(rig):
    rig.want({"a": "192.0.2.1"})


def at_creation(rig):
    at_not_started(rig)
    rig.finish(result=Absent())


def at_created(rig):
    at_not_started(rig)
    rig.settle()


def at_update(rig):
    at_created(rig)
    rig.want({"a": "192.0.2.2"})


def at_deletion_pending(rig):
    rig.want({"a": "192.0.2.1"}, secondaries=frozenset({"s1"}))
    rig.settle()
    rig.delete()


def at_deletion(rig):
    at_created(rig)
    rig.delete()


STATES = {
    "not_started": at_not_started,
    "creation_in_progress": at_creation,
    "created": at_created,
    "update_in_progress": at_update,
    "deletion_pending": at_deletion_pending,
    "deletion_in_progress": at_deletion,
}


@pytest.mark.parametrize("state", STATES)
def test_every_state_can_be_reached(rig, state):
    STATES[state](rig)
    assert rig.state() == state


def add_service(rig):
    rig.want({"a": "192.0.2.1"})


def update_endpoints(rig):
    rig.want({"a": "192.0.2.7", "b": "192.0.2.8"})


def delete_service(rig):
    rig.delete()


def creation_complete(rig):
    if rig.flight:
        rig.finish()


def check_pending_deletions(rig):
    rig.advance(60.0)


def pod(*addresses):
    item = rrset(ZONE, "pods", "A", *addresses)
    return {item.key: Contribution(item, pods=len(addresses))}


def add_pod(rig):
    base = wanted({"a": "192.0.2.1"})
    rig.want(rrsets={**base.rrsets, **pod("192.0.2.10")})


def update_pod(rig):
    base = wanted({"a": "192.0.2.1"})
    rig.want(rrsets={**base.rrsets, **pod("192.0.2.10", "192.0.2.11")})


def delete_pod(rig):
    rig.want({"a": "192.0.2.1"})


EVENTS = {
    "AddService": add_service,
    "UpdateEndpoints": update_endpoints,
    "DeleteService": delete_service,
    "OnServiceCreationComplete": creation_complete,
    "CheckPendingDeletions": check_pending_deletions,
    "AddPod": add_pod,
    "UpdatePod": update_pod,
    "DeletePod": delete_pod,
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("event", EVENTS)
def test_every_event_in_every_state_ends_as_wanted(rig, event, state):
    STATES[state](rig)
    deleting = rig.zone().deleting or event == "DeleteService"
    EVENTS[event](rig)
    rig.settle()
    if deleting:
        assert rig.core.zone(REF) is None
        assert rig.servers["p1"].zones == {}
        assert rig.core.book.sites == {}
    else:
        assert rig.zone().published
        assert {rr.key for rr in rig.servers["p1"].zones[ZONE].content()} == set(rig.core.book.zones["uid-1"].content)


# --- creating --------------------------------------------------------------------------------------------------------


def test_nothing_is_sent_before_the_zone_was_observed(rig):
    rig.want({"a": "192.0.2.1"})
    assert rig.kinds() == ["observe"]


def test_records_wait_for_their_zone_and_then_go_out_in_one_update(rig):
    rig.want({"a": "192.0.2.1"})
    rig.want({"a": "192.0.2.1", "b": "192.0.2.2"})
    assert rig.outcome("b").reason == "ZoneNotReady"
    rig.settle()
    assert rig.kinds("p1") == ["observe", "create", "sync"]
    assert rig.outcome("b").ready


def test_an_object_that_is_not_live_gets_no_zone_until_it_is_wanted_again(rig):
    rig.want({"a": "192.0.2.1"})
    rig.finish()
    rig.finish(result=NotLive())
    rig.settle()
    assert rig.kinds() == ["observe", "create"]
    rig.want({"a": "192.0.2.1"})
    rig.settle()
    assert rig.zone().published


def test_a_refused_creation_is_parked_until_it_is_asked_differently(rig):
    rig.want()
    rig.finish()
    rig.finish(result=Refused("BindcarBadRequest", "400: no"))
    rig.settle()
    assert rig.kinds() == ["observe", "create"]
    rig.want({"a": "192.0.2.1"})
    rig.settle()
    assert rig.kinds() == ["observe", "create"], "a record more does not make it another zone"
    rig.want(config=ZoneConfig(soa(ZONE, refresh=99)), generation=2)
    rig.settle()
    assert rig.zone().published


def test_a_secondary_is_created_once_a_primary_has_the_zone(rig):
    rig.want(**ALL)
    rig.settle()
    assert rig.kinds("s1")[:2] == ["observe", "create"]
    first = next(op.id for op in rig.sent if op.key.server == "s1" and op.kind is OpKind.CREATE)
    assert all(op.id < first for op in rig.sent if op.key.server == "p1" and op.kind is OpKind.CREATE)


# --- serials ---------------------------------------------------------------------------------------------------------


def test_both_primaries_get_the_same_serial_for_the_same_content(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.settle()
    rig.want({"a": "192.0.2.2"}, **BOTH)
    rig.settle()
    zones = [rig.servers[name].zones[ZONE] for name in ("p1", "p2")]
    assert zones[0].serial == zones[1].serial == rig.zone().serial
    assert (
        rig.kinds("p2").count("sync") == rig.kinds("p1").count("sync") == 2 or zones[0].content() == zones[1].content()
    )


def test_the_same_wish_sends_nothing(rig):
    wish = wanted({"a": "192.0.2.1"}, **ALL)
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    sent = len(rig.sent)
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.want(rrsets=wish.rrsets, **ALL)
    assert len(rig.sent) == sent


def test_a_restarted_core_finds_everything_in_place_and_writes_nothing(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    again = Rig()
    again.servers = rig.servers
    again.want({"a": "192.0.2.1"}, **ALL, serial_floor=rig.zone().serial)
    again.settle()
    assert again.writes() == []
    assert again.zone().serial == rig.zone().serial
    assert again.outcome("a").ready
    assert again.outcome("a").propagated


def test_a_changed_content_has_a_serial_of_its_own_also_on_a_server_that_missed_the_one_before(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.settle()
    first, second = rig.servers["p1"], rig.servers["p2"]
    second.up = False
    rig.want({"a": "192.0.2.2"}, **BOTH)
    for _ in range(4):
        rig.step()
    missed = first.zones[ZONE].serial
    first.up, second.up = False, True
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    while not rig.core.book.sites[ZoneKey("p1", ZONE)].failures:
        rig.step()
    rig.want({"a": "192.0.2.3"}, **BOTH)
    while rig.served("p2", "a") != {"192.0.2.3"}:
        rig.step()
    assert rig.served("p2", "a") == {"192.0.2.3"}
    assert serial_gt(second.zones[ZONE].serial, missed)


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
    rig.settle()
    assert serial_gt(rig.zone().serial, 2_026_010_099)


def test_a_zone_that_is_created_again_in_the_same_second_starts_ahead_of_its_forerunner(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    before = rig.zone().serial
    rig.delete()
    rig.settle()
    again = ZoneRef(ZONE, "uid-again")
    rig.want({"a": "192.0.2.1"}, ref=again, **ALL)
    rig.settle()
    assert serial_gt(rig.zone(again).serial, before)


def test_a_primary_that_came_back_empty_is_filled_under_serials_of_the_past(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    before = rig.zone().serial
    rig.servers["p2"].lose_everything()
    rig.submit(Poll(ZoneKey("p2", ZONE)))
    rig.settle()
    create = [op for op in rig.sent if op.kind is OpKind.CREATE][-1]
    assert isinstance(create.payload, Create)
    assert create.payload.past
    assert serial_gt(before, create.payload.soa.serial)
    assert rig.zone().serial == before, "the content did not change"
    assert rig.zone().propagated


# --- failures --------------------------------------------------------------------------------------------------------


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
    rig.settle()
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
    assert rig.submit(Completed(op.id, Failed("ServerUnreachable", "late"))) == []


def test_what_the_server_said_before_it_became_another_one_is_stale(rig):
    rig.want({"a": "192.0.2.1"})
    rig.settle()
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    op = rig.next_op()
    answer = rig.servers["p1"].carry_out(op, lambda: 1)
    rig.servers["p1"].lose_everything()
    rig.set_server("p1", incarnation="2")
    rig.finish(op, answer)
    rig.settle()
    assert rig.served("p1", "a") == {"192.0.2.1"}


def test_a_failed_read_deletes_nothing(rig):
    rig.want({"a": "192.0.2.1"})
    rig.settle()
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
    rig.settle()
    assert rig.outcome("a").ready
    assert rig.outcome("c").propagated
    assert (rig.outcome("bad").state, rig.outcome("bad").reason) == (RecordState.FAILED, "Rejected")
    assert rig.zone().published
    assert (rig.zone().pending, rig.zone().failed) == (0, 1)


def test_a_rejected_change_leaves_what_stood_there(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.settle()
    rig.want({"a": BAD}, version="2", **BOTH)
    rig.settle()
    assert rig.served("p1", "a") == rig.served("p2", "a") == {"192.0.2.1"}
    assert rig.outcome("a").reason == "Rejected"
    rig.want({"a": "192.0.2.3"}, version="3", **BOTH)
    rig.settle()
    assert rig.outcome("a").ready
    assert rig.served("p2", "a") == {"192.0.2.3"}


# --- outcomes --------------------------------------------------------------------------------------------------------


def test_only_objects_whose_outcome_changed_are_told(rig):
    rig.want({"a": "192.0.2.1", "b": "192.0.2.2"})
    rig.settle()
    rig.changes.clear()
    rig.want({"a": "192.0.2.1", "b": "192.0.2.3"})
    rig.settle()
    assert {ref for change in rig.changes for ref in change.records} == {record("b")}


def test_a_dead_primary_tells_only_those_with_a_change_pending(rig):
    records = dict.fromkeys("abcdef", "192.0.2.1")
    rig.want(records, **BOTH)
    rig.settle()
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
    rig.settle()
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
    rig.settle()
    sent = len(rig.sent)
    rig.want({"a": "192.0.2.1"}, version="2")
    assert rig.outcome("a").version == "192.0.2.1 2"
    assert rig.outcome("a").ready
    assert len(rig.sent) == sent


def test_a_removed_record_is_gone_when_every_primary_has_let_it_go(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.settle()
    rig.servers["p2"].up = False
    rig.want({}, **BOTH)
    while rig.flight:
        rig.finish()
    assert rig.outcome("a").state is RecordState.REMOVING
    assert rig.outcome("a").waiting_for == ("p2",)
    rig.servers["p2"].up = True
    rig.settle()
    assert rig.outcome("a").state is RecordState.GONE
    assert rig.served("p2", "a") == set()


def test_a_record_is_not_gone_while_an_update_that_publishes_it_is_in_flight(rig):
    rig.want()
    rig.settle()
    rig.want({"a": "192.0.2.1"})
    rig.want({})
    assert rig.outcome("a").state is RecordState.REMOVING
    rig.settle()
    assert rig.outcome("a").state is RecordState.GONE
    assert rig.served("p1", "a") == set()


def test_a_record_that_is_changed_back_is_not_ready_while_the_other_value_is_in_flight(rig):
    rig.want({"a": "192.0.2.1"})
    rig.settle()
    rig.want({"a": "192.0.2.2"})
    rig.want({"a": "192.0.2.1"}, version="3")
    assert not rig.outcome("a").ready
    rig.settle()
    assert rig.outcome("a").ready
    assert rig.served("p1", "a") == {"192.0.2.1"}


def test_after_a_restart_metadata_remembers_who_waits_for_a_removal(rig):
    rig.want({"a": "192.0.2.1"})
    rig.settle()
    again = Rig()
    again.servers = rig.servers
    key = rrset(ZONE, "a", "A", "192.0.2.1").key
    again.want({}, claimed={key: frozenset({record("a")})})
    assert again.outcome("a").state is RecordState.REMOVING
    again.settle()
    assert again.outcome("a").state is RecordState.GONE
    assert again.served("p1", "a") == set()


def test_a_zone_without_primaries_says_so(rig):
    rig.want({"a": "192.0.2.1"}, primaries=frozenset())
    assert rig.outcome("a").reason == "NoPrimaryInstances"


# --- protections -----------------------------------------------------------------------------------------------------


def many(count):
    return {f"h{number}": "192.0.2.1" for number in range(count)}


@pytest.mark.parametrize(
    ("had", "keeps", "held"),
    [(40, 20, True), (40, 29, True), (40, 30, False), (100, 76, False), (12, 0, True), (8, 0, False)],
)
def test_more_than_a_quarter_and_more_than_ten_wait_for_consent(rig, had, keeps, held):
    rig.want(many(had))
    rig.settle()
    rig.want(many(keeps))
    rig.settle()
    assert (rig.zone().guard is not None) == held
    assert rig.served("p1", f"h{had - 1}") == ({"192.0.2.1"} if held else set())
    rig.want(many(keeps), consent=True)
    rig.settle()
    assert rig.zone().guard is None
    assert rig.served("p1", f"h{had - 1}") == set()


def test_a_held_removal_is_told_and_other_changes_go_on(rig):
    rig.want(many(40))
    rig.settle()
    rig.want({"new": "192.0.2.7"})
    rig.settle()
    assert rig.outcome("h3").reason == "MassRemovalHeld"
    assert rig.served("p1", "new") == {"192.0.2.7"}
    assert rig.zone().guard.removals == 40


def test_a_server_that_catches_up_with_removals_needs_no_consent(rig):
    rig.want(many(20), **BOTH)
    rig.settle()
    rig.servers["p2"].up = False
    rig.want({}, consent=True, **BOTH)
    for _ in range(6):
        rig.step()
    rig.want({}, consent=False, **BOTH)
    rig.servers["p2"].up = True
    rig.settle()
    assert rig.zone().guard is None
    assert rig.served("p1", "h3") == rig.served("p2", "h3") == set()


def test_deleting_the_zone_needs_no_consent(rig):
    rig.want(many(40))
    rig.settle()
    rig.delete()
    rig.settle()
    assert rig.servers["p1"].zones == {}


def test_nothing_is_taken_from_an_rrset_with_an_unreadable_contributor(rig):
    rig.want({"a": "192.0.2.1 192.0.2.2", "b": "192.0.2.3"})
    rig.settle()
    keys = frozenset(rrset(ZONE, label, "A", "192.0.2.1").key for label in "ab")
    rig.want({"a": "192.0.2.1 192.0.2.9"}, unreadable=keys, version="2")
    rig.settle()
    assert rig.served("p1", "a") == {"192.0.2.1", "192.0.2.2", "192.0.2.9"}
    assert rig.served("p1", "b") == {"192.0.2.3"}
    rig.want({"a": "192.0.2.1 192.0.2.9"}, version="3")
    rig.settle()
    assert rig.served("p1", "a") == {"192.0.2.1", "192.0.2.9"}
    assert rig.served("p1", "b") == set()


def test_after_a_restart_an_unreadable_contributor_still_loses_nothing(rig):
    rig.want({"a": "192.0.2.1 192.0.2.2"})
    rig.settle()
    again = Rig()
    again.servers = rig.servers
    key = rrset(ZONE, "a", "A", "192.0.2.1").key
    again.want({"a": "192.0.2.1"}, unreadable=frozenset({key}))
    again.settle()
    assert again.served("p1", "a") == {"192.0.2.1", "192.0.2.2"}


def test_a_change_by_others_is_repaired_in_our_rrsets_and_left_alone_elsewhere(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    theirs = rrset(ZONE, "theirs", "A", "192.0.2.99")
    ours = rrset(ZONE, "a", "A", "192.0.2.98")
    for value in (theirs, ours):
        rig.servers["p1"].foreign_change(ZONE, value.key, value)
    moved = rig.servers["p1"].zones[ZONE].serial
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    rig.settle()
    repair = next(op for op in reversed(rig.sent) if op.kind is OpKind.SYNC and op.payload.changes)
    assert serial_gt(repair.payload.soa.serial, moved), "a serial that does not grow is ignored"
    assert rig.served("p1", "a") == {"192.0.2.1"}
    assert rig.served("p1", "theirs") == {"192.0.2.99"}
    assert (rig.zone().repaired, rig.zone().foreign) == (1, 1)


def test_a_change_by_others_right_before_ours_is_found_and_their_rrset_is_left_alone(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.settle()
    for value in (rrset(ZONE, "theirs", "A", "192.0.2.99"), rrset(ZONE, "a", "A", "192.0.2.98")):
        rig.servers["p1"].foreign_change(ZONE, value.key, value)
    rig.want({"a": "192.0.2.1", "b": "192.0.2.2"}, **BOTH)
    rig.settle()
    assert rig.served("p1", "a") == rig.served("p2", "a") == {"192.0.2.1"}
    assert rig.served("p1", "theirs") == {"192.0.2.99"}


def test_an_unchanged_zone_is_polled_with_its_serial_only(rig):
    rig.want({"a": "192.0.2.1"})
    rig.settle()
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    assert rig.next_op().payload.known_serial == rig.zone().serial


def test_somebody_elses_zone_is_a_conflict_and_untouched(rig):
    rig.servers["p1"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"})
    rig.settle()
    assert rig.writes() == []
    assert rig.zone().servers[0].reason == "Conflict"
    rig.delete()
    rig.settle()
    assert rig.core.zone(REF) is None
    assert ZONE in rig.servers["p1"].zones


# --- adopted zones ---------------------------------------------------------------------------------------------------


def test_an_adopted_zone_is_never_created(rig):
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.settle()
    assert rig.writes() == []
    assert rig.zone().servers[0].reason == "ZoneNotFound"


def test_in_an_adopted_zone_only_what_we_put_there_is_ours(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    for label in ("taken", "same"):
        value = rrset(ZONE, label, "A", "192.0.2.50")
        rig.servers["ext"].foreign_change(ZONE, value.key, value)
    rig.want({"free": "192.0.2.1", "taken": "192.0.2.2", "same": "192.0.2.50"}, **ADOPTED)
    rig.settle()
    assert rig.outcome("free").ready
    assert rig.outcome("same").ready
    assert rig.outcome("taken").reason == "RecordConflict"
    assert rig.served("ext", "taken") == {"192.0.2.50"}
    rig.delete()
    rig.settle()
    assert ZONE in rig.servers["ext"].zones
    assert rig.served("ext", "free") == set()
    assert rig.served("ext", "taken") == rig.served("ext", "same") == {"192.0.2.50"}


def test_somebody_who_is_faster_keeps_his_rrset(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.finish()
    value = rrset(ZONE, "a", "A", "192.0.2.50")
    rig.servers["ext"].foreign_change(ZONE, value.key, value)
    rig.settle()
    assert rig.served("ext", "a") == {"192.0.2.50"}
    assert rig.outcome("a").reason == "RecordConflict"


def test_what_we_may_have_published_in_an_adopted_zone_is_ours_if_it_stands_there(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.finish()
    rig.servers["ext"].carry_out(rig.next_op(), lambda: 1)
    rig.fail(ambiguous=True)
    rig.want({"a": "192.0.2.2"}, **ADOPTED)
    rig.settle()
    assert rig.served("ext", "a") == {"192.0.2.2"}
    assert rig.outcome("a").ready


def test_a_claimed_rrset_of_an_adopted_zone_is_ours_after_a_restart(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.settle()
    again = Rig()
    again.servers = rig.servers
    key = rrset(ZONE, "a", "A", "192.0.2.1").key
    again.want({"a": "192.0.2.2"}, claimed={key: frozenset({record("a")})}, **ADOPTED)
    again.settle()
    assert again.served("ext", "a") == {"192.0.2.2"}


def test_an_adopted_server_that_joins_later_hears_of_claims_that_did_not_change(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.settle()
    again = Rig()
    again.servers = rig.servers
    claimed = {rrset(ZONE, "a", "A", "192.0.2.1").key: frozenset({record("a")})}
    again.want({"a": "192.0.2.2"}, claimed=claimed, primaries=frozenset())
    again.want({"a": "192.0.2.2"}, claimed=claimed, **ADOPTED)
    again.settle()
    assert again.served("ext", "a") == {"192.0.2.2"}


# --- deleting --------------------------------------------------------------------------------------------------------


def test_secondaries_go_before_primaries(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    rig.delete()
    assert [op.key.server for op in rig.flight.values()] == ["s1"]
    assert rig.zone().blocked_by == (f"s1:{ZONE}",)
    rig.settle()
    deletes = [op.key.server for op in rig.sent if op.kind is OpKind.DELETE]
    assert deletes[0] == "s1"
    assert set(deletes[1:]) == {"p1", "p2"}
    assert rig.changes[-1].released


def test_a_delegation_goes_before_the_zone_it_points_at(rig):
    child, child_ref = CHILD, ZoneRef(CHILD, "uid-child")
    delegation = RRset.of(child, 300, rrset(ZONE, "@", "NS", "ns.child.example.org.").rdatas)
    base = wanted()
    rig.want(rrsets={**base.rrsets, delegation.key: Contribution(delegation)})
    rig.want(zone=child, ref=child_ref, config=ZoneConfig(soa(child)))
    rig.settle()
    rig.want(rrsets=base.rrsets)
    rig.delete(child_ref)
    assert [op.kind for op in rig.flight.values()] == [OpKind.SYNC]
    assert rig.zone(child_ref).blocked_by
    rig.settle()
    assert child not in rig.servers["p1"].zones
    order = [(op.kind, op.key.zone) for op in rig.sent[-2:]]
    assert order == [(OpKind.SYNC, ZONE), (OpKind.DELETE, child)]


def test_a_dead_secondary_holds_up_the_deletion_until_its_server_is_forgotten(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    rig.servers["s1"].up = False
    rig.delete()
    for _ in range(4):
        rig.step()
    assert ZONE in rig.servers["p1"].zones
    rig.submit(RemoveServer("s1"))
    rig.settle()
    assert rig.core.zone(REF) is None
    assert ZONE not in rig.servers["p1"].zones


def test_a_zone_that_moves_leaves_its_former_server(rig):
    rig.want({"a": "192.0.2.1"}, secondaries=frozenset({"s1"}))
    rig.settle()
    rig.want({"a": "192.0.2.1"}, primaries=frozenset({"p2"}), secondaries=frozenset({"s1"}), former=frozenset({"p1"}))
    rig.settle()
    assert ZONE not in rig.servers["p1"].zones
    assert rig.zone().propagated


def test_a_zone_is_not_recreated_after_its_object_began_to_go(rig):
    rig.want()
    rig.delete()
    rig.want()
    rig.settle()
    assert rig.core.zone(REF) is None
    assert rig.servers["p1"].zones == {}


def test_deletion_at_start_finds_the_zone_by_the_servers_it_is_told(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    again = Rig()
    again.servers = rig.servers
    again.delete(servers=frozenset({"p1", "p2", "s1"}))
    again.settle()
    assert not any(ZONE in server.zones for server in rig.servers.values())
    assert again.core.zone(REF) is None


# --- secondaries -----------------------------------------------------------------------------------------------------


def test_a_secondary_is_watched_with_growing_pauses_and_then_told_to_transfer(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    rig.want({"a": "192.0.2.2"}, version="2", **ALL)
    while not any(op.kind is OpKind.SYNC and op.key.server == "s1" for op in rig.sent):
        rig.step()
    assert not rig.outcome("a").propagated
    assert rig.kinds("s1").count("observe") >= CHASES
    rig.settle()
    assert rig.outcome("a").propagated


def test_a_secondary_with_the_right_serial_and_the_wrong_content_is_told_to_transfer(rig):
    """Somebody wrote to a primary by himself: serials prove nothing any more, contents are compared."""
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    copy = rig.servers["s1"].zones[ZONE]
    stale = rrset(ZONE, "stale", "A", "192.0.2.67")
    value = rrset(ZONE, "a", "A", "192.0.2.66")
    rig.servers["p1"].foreign_change(ZONE, value.key, value)
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    for _ in range(40):
        rig.step()
        rig.servers["s1"].transfer_from(rig.servers["p1"], ZONE)
        copy.records[stale.key] = stale
        if any(op.payload == Sync() for op in rig.sent):
            break
    assert any(op.payload == Sync() and op.key.server == "s1" for op in rig.sent)
    assert not rig.zone().propagated
    del copy.records[stale.key]
    rig.settle()
    assert rig.zone().propagated


def test_a_secondary_that_is_ahead_is_overtaken(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.settle()
    ahead = rig.zone().serial + 5000
    rig.servers["s1"].zones[ZONE].serial = ahead
    rig.submit(Poll(ZoneKey("s1", ZONE)))
    rig.settle()
    assert serial_gt(rig.zone().serial, ahead)
    assert rig.zone().propagated


# --- limits ----------------------------------------------------------------------------------------------------------


def zones(count):
    return [zone_name(f"z{number}.test") for number in range(count)]


def test_no_more_operations_than_slots_and_every_zone_gets_its_turn():
    rig = Rig(limits=Limits(workers=3, per_server=2))
    rig.ledger.tainted.update(zones(10))
    for number, name in enumerate(zones(10)):
        rig.want(zone=name, ref=ZoneRef(name, f"uid-z{number}"), config=ZoneConfig(soa(name)), **BOTH)
    most = 0
    while rig.flight:
        most = max(most, len(rig.flight))
        rig.finish()
    assert most == 3
    assert len(rig.servers["p1"].zones) == len(rig.servers["p2"].zones) == 10


def test_nothing_is_dispatched_after_a_drain_began(rig):
    rig.want({"a": "192.0.2.1"})
    rig.submit(Drain())
    rig.finish()
    rig.want({"a": "192.0.2.2"})
    assert not rig.flight
    assert not rig.core.book.busy


def test_everything_is_forgotten_after_a_thousand_zones_came_and_went():
    rig = Rig(limits=Limits(workers=50, per_server=50))
    rig.ledger.tainted.update(zones(1000))
    for _ in range(3):
        refs = [ZoneRef(name, f"uid-{name}") for name in zones(1000)]
        for ref in refs:
            rig.want(zone=ref.zone, ref=ref, config=ZoneConfig(soa(ref.zone)))
        while rig.flight:
            rig.finish()
        for ref in refs:
            rig.delete(ref)
        while rig.flight:
            rig.finish()
        rig.sent.clear()
        rig.effects.clear()
    core = rig.core
    book = core.book
    assert (book.zones, book.sites, book.by_name, book.busy, book.highest) == ({}, {}, {}, {}, {})
    assert (core._queues, core._queued, core._states, core._faces, core._news) == ({}, set(), {}, {}, {})
    assert core.next_wake() is None
