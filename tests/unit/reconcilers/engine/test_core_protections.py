"""The core's rules, one sentence each. What is never taken away, and what is repaired."""

from __future__ import annotations

from typing import Any

import pytest

from reconcilers.ddns.soa import serial_gt
from reconcilers.engine.api import ZoneKey
from reconcilers.engine.core.protocol import (
    OpKind,
    Poll,
    RemoveServer,
)
from tests.support.engine_rig import ALL, BOTH, REF, ZONE, Rig, claimed
from tests.support.engine_world import ODD, apex, rrset


def many(count):
    return {f"h{number}": "192.0.2.1" for number in range(count)}


@pytest.mark.parametrize(
    ("had", "keeps", "held"),
    [(40, 20, True), (40, 29, True), (40, 30, False), (100, 76, False), (12, 0, True), (8, 0, False)],
)
def test_more_than_a_quarter_and_more_than_ten_wait_for_consent(rig, had, keeps, held):
    rig.want(many(had))
    rig.resolve_waiting()
    rig.want(many(keeps))
    rig.resolve_waiting()
    assert (rig.zone().mass_delete is not None) == held
    assert rig.served("p1", f"h{had - 1}") == ({"192.0.2.1"} if held else set())
    rig.want(many(keeps), consent=True)
    rig.resolve_waiting()
    assert rig.zone().mass_delete is None
    assert rig.served("p1", f"h{had - 1}") == set()


def test_a_held_removal_is_told_and_other_changes_go_on(rig):
    rig.want(many(40))
    rig.resolve_waiting()
    rig.want({"new": "192.0.2.7"})
    rig.resolve_waiting()
    assert rig.outcome("h3").reason == "WaitingForConsent"
    assert rig.served("p1", "new") == {"192.0.2.7"}
    assert rig.zone().mass_delete.removals == 40


def test_a_server_that_catches_up_with_removals_needs_no_consent(rig):
    rig.want(many(20), **BOTH)
    rig.resolve_waiting()
    rig.servers["p2"].up = False
    rig.want({}, consent=True, **BOTH)
    for _ in range(6):
        rig.step()
    rig.want({}, consent=False, **BOTH)
    rig.servers["p2"].up = True
    rig.resolve_waiting()
    assert rig.zone().mass_delete is None
    assert rig.served("p1", "h3") == rig.served("p2", "h3") == set()


def test_deleting_the_zone_needs_no_consent(rig):
    rig.want(many(40))
    rig.resolve_waiting()
    rig.delete()
    rig.resolve_waiting()
    assert rig.servers["p1"].zones == {}


def test_nothing_is_taken_from_an_rrset_with_an_unreadable_contributor(rig):
    rig.want({"a": "192.0.2.1 192.0.2.2", "b": "192.0.2.3"})
    rig.resolve_waiting()
    keys = frozenset(rrset(ZONE, label, "A", "192.0.2.1").key for label in "ab")
    rig.want({"a": "192.0.2.1 192.0.2.9"}, unreadable=keys, version="2")
    rig.resolve_waiting()
    assert rig.served("p1", "a") == {"192.0.2.1", "192.0.2.2", "192.0.2.9"}
    assert rig.served("p1", "b") == {"192.0.2.3"}
    rig.want({"a": "192.0.2.1 192.0.2.9"}, version="3")
    rig.resolve_waiting()
    assert rig.served("p1", "a") == {"192.0.2.1", "192.0.2.9"}
    assert rig.served("p1", "b") == set()


def test_after_a_restart_an_unreadable_contributor_still_loses_nothing(rig):
    rig.want({"a": "192.0.2.1 192.0.2.2"})
    rig.resolve_waiting()
    again = Rig()
    again.servers = rig.servers
    key = rrset(ZONE, "a", "A", "192.0.2.1").key
    again.want({"a": "192.0.2.1"}, unreadable=frozenset({key}))
    again.resolve_waiting()
    assert again.served("p1", "a") == {"192.0.2.1", "192.0.2.2"}


def test_a_change_by_others_is_repaired_in_our_rrsets_and_left_alone_elsewhere(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    theirs = rrset(ZONE, "theirs", "A", "192.0.2.99")
    ours = rrset(ZONE, "a", "A", "192.0.2.98")
    for value in (theirs, ours):
        rig.servers["p1"].foreign_change(ZONE, value.key, value)
    moved = rig.servers["p1"].zones[ZONE].serial
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    rig.resolve_waiting()
    repair = next(op for op in reversed(rig.sent) if op.kind is OpKind.SYNC and op.payload.changes)
    assert serial_gt(repair.payload.soa.serial, moved), "a serial that does not grow is ignored"
    assert rig.served("p1", "a") == {"192.0.2.1"}
    assert rig.served("p1", "theirs") == {"192.0.2.99"}
    assert (rig.zone().repaired, rig.zone().foreign) == (1, 1)


def test_a_change_by_others_right_before_ours_is_found_and_their_rrset_is_left_alone(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    for value in (rrset(ZONE, "theirs", "A", "192.0.2.99"), rrset(ZONE, "a", "A", "192.0.2.98")):
        rig.servers["p1"].foreign_change(ZONE, value.key, value)
    rig.want({"a": "192.0.2.1", "b": "192.0.2.2"}, **BOTH)
    rig.resolve_waiting()
    assert rig.served("p1", "a") == rig.served("p2", "a") == {"192.0.2.1"}
    assert rig.served("p1", "theirs") == {"192.0.2.99"}


def test_an_unchanged_zone_is_polled_with_its_serial_only(rig):
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    assert rig.next_op().payload.known_serial == rig.zone().serial


def test_somebody_elses_zone_is_a_conflict_and_untouched(rig):
    rig.servers["p1"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    assert rig.writes() == []
    assert rig.zone().servers[0].reason == "Conflict"
    rig.delete()
    rig.resolve_waiting()
    assert rig.core.zone(REF) is None
    assert ZONE in rig.servers["p1"].zones


# --- what one server refuses, and what somebody else puts where we were ----------------------------------------------


def strict_again(rig: Rig, name: str) -> None:
    """The server comes back empty, and does not take what the other one has."""
    rig.servers[name].lose_everything()
    rig.servers[name].strict = True
    rig.set_server(name, incarnation="strict")


def test_nothing_lost_what_a_server_refuses_stays_on_those_that_have_it(rig):
    rig.want({"a": ODD, "b": "192.0.2.2"}, **ALL)
    rig.resolve_waiting()
    strict_again(rig, "p2")
    rig.resolve_waiting()
    assert rig.served("p1", "a") == {ODD}
    assert rig.served("p2", "a") == set()
    assert rig.served("p2", "b") == {"192.0.2.2"}
    assert rig.outcome("a").ready
    assert rig.zone().published
    assert {each.name: each.reason for each in rig.zone().servers}["p2"] == "Rejected"
    sources = rig.servers["s1"].zones[ZONE].options.primaries
    assert len(sources) == 1, "no secondary takes its content from the one that is left out"
    assert rig.servers["p1"].spec.address in sources[0]
    rig.want({"a": ODD, "b": "192.0.2.3"}, version="2", **ALL)
    rig.resolve_waiting()
    assert rig.outcome("b").ready
    assert rig.served("p2", "b") == {"192.0.2.3"}, "the rest follows"
    assert rig.servers["p1"].zones[ZONE].serial != rig.servers["p2"].zones[ZONE].serial, "another content"


def test_a_server_that_was_left_out_never_has_the_serial_of_the_others(rig):
    rig.want({"b": "192.0.2.2"}, **ALL)
    rig.resolve_waiting()
    rig.servers["p2"].up = False
    rig.set_server("p2", ready=False)
    rig.want({"a": ODD, "b": "192.0.2.2"}, **ALL)
    for _ in range(6):
        rig.step()
    assert rig.outcome("a").ready
    rig.servers["p2"].up = rig.servers["p2"].strict = True
    rig.set_server("p2", ready=True)
    rig.resolve_waiting()
    rig.want({"a": ODD, "b": "192.0.2.3"}, version="2", **ALL)
    rig.resolve_waiting()
    assert rig.outcome("b").ready
    assert rig.served("p2", "b") == {"192.0.2.3"}
    assert rig.served("s1", "a") == {ODD}
    assert rig.servers["p1"].zones[ZONE].serial == rig.servers["s1"].zones[ZONE].serial
    assert rig.servers["p1"].zones[ZONE].serial != rig.servers["p2"].zones[ZONE].serial


def test_a_server_that_was_left_out_comes_back_when_it_takes_what_the_others_have(rig):
    rig.want({"a": ODD}, **BOTH)
    rig.resolve_waiting()
    strict_again(rig, "p2")
    rig.resolve_waiting()
    rig.servers["p2"].strict = False
    rig.set_server("p2", incarnation="lenient")
    rig.resolve_waiting()
    assert rig.served("p2", "a") == {ODD}
    assert not any(each.reason for each in rig.zone().servers)
    assert rig.servers["p1"].zones[ZONE].serial == rig.servers["p2"].zones[ZONE].serial


def test_nothing_lost_what_was_published_before_a_restart_stays_though_a_server_refuses_it(rig):
    rig.want({"a": ODD}, **BOTH)
    rig.resolve_waiting()
    strict_again(rig, "p2")
    again = Rig(known=["p2"])
    again.servers = rig.servers
    again.want({"a": ODD}, **BOTH, **claimed("a"), serial_floor=1)
    again.resolve_waiting()
    again.set_server("p1")  # it becomes known only after the other one has refused
    again.resolve_waiting()
    assert again.served("p1", "a") == {ODD}
    assert again.outcome("a").ready


def test_what_a_server_refuses_goes_back_to_what_was_published_before(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    rig.servers["p2"].strict = True
    rig.want({"a": ODD}, version="2", **BOTH)
    rig.resolve_waiting()
    assert rig.served("p1", "a") == rig.served("p2", "a") == {"192.0.2.1"}
    assert rig.outcome("a").reason == "Rejected"


def test_nothing_lost_what_one_server_holds_does_not_become_the_content_of_others(rig):
    """p2 was tampered with, and refuses to take the record back."""
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    forged = rrset(ZONE, "a", "A", "192.0.2.99")
    rig.servers["p2"].foreign_change(ZONE, forged.key, forged)
    rig.servers["p2"].strict = True
    rig.want({"a": ODD}, version="2", **BOTH)
    rig.submit(Poll(ZoneKey("p2", ZONE)))
    rig.resolve_waiting()
    assert rig.served("p1", "a") == {"192.0.2.1"}
    again = Rig()
    again.servers = rig.servers
    rig.servers["p2"].foreign_change(ZONE, forged.key, forged)
    again.want({"a": ODD}, version="2", **BOTH, **claimed("a"), serial_floor=1)
    again.resolve_waiting()
    assert again.served("p1", "a") in ({"192.0.2.1"}, set())


def test_nothing_lost_a_name_that_we_left_is_not_ours_any_more(rig):
    """Its object still waits for a server that is down, and so keeps its claim, when somebody else publishes there."""
    rig.want({"a": "192.0.2.1", "b": "192.0.2.2"}, **BOTH)
    rig.resolve_waiting()
    rig.servers["p2"].up = False
    rig.want({"b": "192.0.2.2"}, **BOTH, **claimed("a", "b"))
    for _ in range(4):
        rig.step()
    assert rig.served("p1", "a") == set()
    theirs = rrset(ZONE, "a", "A", "192.0.2.99")
    rig.servers["p1"].foreign_change(ZONE, theirs.key, theirs)
    rig.want({"b": "192.0.2.3"}, version="2", **BOTH, **claimed("b", "a"))
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    rig.servers["p2"].up = True
    rig.resolve_waiting()
    assert rig.served("p1", "a") == {"192.0.2.99"}
    assert rig.served("p2", "a") == set()
    assert rig.core.model.replicas[ZoneKey("p1", ZONE)].owned == {
        item.key for item in (*apex(ZONE), rrset(ZONE, "b", "A", "192.0.2.3"))
    }, "one key for each RRset that is ours, and no more"


def test_nothing_lost_the_zone_of_a_live_object_is_not_an_earlier_incarnation(rig):
    """It does not select this server now, and status does not say that it did: it may be there all the same."""
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    again = Rig()
    again.servers = rig.servers
    again.want({"a": "192.0.2.1"}, primaries=frozenset({"p2"}))
    again.want({"b": "192.0.2.2"}, ref=REF._replace(uid="uid-2", name="another"))
    again.resolve_waiting()
    assert again.served("p1", "a") == {"192.0.2.1"}
    (server,) = again.zone(REF._replace(uid="uid-2", name="another")).servers
    assert server.reason == "Conflict"
    assert "default/example-org" in server.message


def one_server_with_two_names(rig: Rig) -> None:
    rig.servers["p2"].zones = rig.servers["p1"].zones
    for name in ("p1", "p2"):
        rig.set_server(name, identity="same")


LEFT: dict[str, Any] = {"primaries": frozenset({"p1"}), "former": frozenset({"p2"})}


def test_nothing_lost_a_server_that_is_left_by_one_of_its_two_names_keeps_the_zone(rig):
    one_server_with_two_names(rig)
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    rig.want({"a": "192.0.2.1"}, **LEFT)
    rig.resolve_waiting()
    assert rig.served("p1", "a") == {"192.0.2.1"}
    assert "delete" not in rig.kinds()
    assert [each.name for each in rig.zone().servers] == ["p1"]


def test_nothing_lost_a_zone_leaves_no_server_before_it_is_known_which_the_others_are(rig):
    """After a restart the one that it left is known first: perhaps it is the one that it is to stay on."""
    one_server_with_two_names(rig)
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    again = Rig(known=[])
    again.servers = rig.servers
    again.set_server("p2")
    again.want({"a": "192.0.2.1"}, **LEFT, **claimed("a"), serial_floor=1)
    again.resolve_waiting()
    assert "delete" not in again.kinds()
    again.set_server("p1")
    again.resolve_waiting()
    assert "delete" not in again.kinds()
    assert again.served("p1", "a") == {"192.0.2.1"}
    assert [each.name for each in again.zone().servers] == ["p1"]


def test_a_zone_leaves_another_server_as_soon_as_the_others_are_known(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    again = Rig(known=[])
    again.servers = rig.servers
    again.set_server("p2")
    again.want({"a": "192.0.2.1"}, **LEFT, **claimed("a"), serial_floor=1)
    again.resolve_waiting()
    assert ZONE in again.servers["p2"].zones
    again.set_server("p1")
    again.resolve_waiting()
    assert ZONE not in again.servers["p2"].zones


def test_a_deleted_zone_goes_from_a_server_with_two_names(rig):
    one_server_with_two_names(rig)
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    rig.delete()
    rig.resolve_waiting()
    assert ZONE not in rig.servers["p1"].zones
    assert rig.core.zone(REF) is None


@pytest.mark.parametrize("removed", [False, True], ids=["the zone leaves it", "its object is deleted"])
def test_what_only_a_server_refused_that_the_zone_left_is_published(rig, removed):
    rig.servers["p2"].strict = True
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    rig.want({"a": ODD}, version="2", **BOTH)
    rig.resolve_waiting()
    assert rig.outcome("a").reason == "Rejected"
    if removed:
        rig.submit(RemoveServer("p2"))
    else:
        rig.want({"a": ODD}, version="2", primaries=frozenset({"p1"}), former=frozenset({"p2"}))
    rig.resolve_waiting()
    assert rig.outcome("a").ready
    assert rig.served("p1", "a") == {ODD}


def test_what_a_server_refused_is_offered_again_when_it_lost_the_zone(rig, monkeypatch):
    monkeypatch.setattr("reconcilers.engine.core.decide.WHOLE", 0)  # a zone that is too large to be brought as a whole
    rig.want({"a": ODD, "b": "192.0.2.2"}, **BOTH)
    rig.resolve_waiting()
    strict_again(rig, "p2")
    rig.resolve_waiting()
    rig.servers["p2"].lose_everything()
    rig.servers["p2"].strict = False
    rig.submit(Poll(ZoneKey("p2", ZONE)))
    rig.resolve_waiting()
    assert rig.served("p2", "a") == {ODD}
    assert not any(each.reason for each in rig.zone().servers)


def test_a_server_that_was_left_out_notifies_no_secondary(rig):
    rig.want({"a": ODD}, **ALL)
    rig.resolve_waiting()
    strict_again(rig, "p2")
    rig.resolve_waiting()
    assert rig.servers["p1"].zones[ZONE].options.also_notify
    assert not rig.servers["p2"].zones[ZONE].options.also_notify


def test_what_was_removed_does_not_come_back_when_a_server_refuses_its_successor(rig):
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    rig.want({}, **BOTH, **claimed("a"))
    rig.resolve_waiting()
    rig.servers["p2"].strict = True
    rig.want({"a": ODD}, version="2", **BOTH)
    rig.resolve_waiting()
    assert rig.outcome("a").reason == "Rejected"
    assert rig.served("p1", "a") == rig.served("p2", "a") == set()


def test_nothing_lost_a_name_that_was_given_up_may_stand_for_another_server_when_it_comes_back(rig):
    """p1 was another server. Its object is made anew, and is not known yet to stand for the one that p2 stands for."""
    for name in ("p1", "p2"):
        rig.set_server(name, identity=name)
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    rig.submit(RemoveServer("p1"))
    rig.want({"a": "192.0.2.1"}, **LEFT)
    rig.resolve_waiting()
    assert "delete" not in rig.kinds()
    rig.servers["p1"].zones = rig.servers["p2"].zones
    rig.set_server("p1", identity="p2")
    rig.resolve_waiting()
    assert "delete" not in rig.kinds()
    assert rig.served("p1", "a") == {"192.0.2.1"}


def test_nothing_lost_what_others_write_to_one_primary_while_we_write_to_the_other_stays(rig):
    """Their UPDATE adds one to the serial: p1 is then at one that names a content of ours on p2."""
    rig.want({"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    theirs = rrset(ZONE, "theirs", "A", "192.0.2.9")
    rig.servers["p1"].foreign_change(ZONE, theirs.key, theirs)
    for last in (2, 3, 4):
        rig.want({"a": f"192.0.2.{last}"}, **BOTH)
        for op in [op for op in rig.flight.values() if op.key.server == "p2"]:
            rig.finish(op)
    rig.resolve_waiting()
    assert rig.served("p1", "theirs") == {"192.0.2.9"}
    assert rig.served("p1", "a") == rig.served("p2", "a") == {"192.0.2.4"}
