"""The core's rules, one sentence each. Zones that somebody else created."""

from __future__ import annotations

from reconcilers.engine.api import RecordState
from reconcilers.engine.core.protocol import RemoveServer, SetServer, SuspendServer
from tests.support.engine_rig import ADOPTED, REF, ZONE, Rig, adopted_claims, claimed, record
from tests.support.engine_world import rrset

STANDING = {("ext", rrset(ZONE, "a", "A", "192.0.2.1").key.name)}
"""What the status of record a remembers once it stands on ext."""


def test_an_adopted_zone_is_never_created(rig):
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.resolve_waiting()
    assert rig.writes() == []
    assert rig.zone().servers[0].reason == "ZoneNotServed"


def test_in_an_adopted_zone_only_what_we_put_there_is_ours(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    for label in ("taken", "same"):
        value = rrset(ZONE, label, "A", "192.0.2.50")
        rig.servers["ext"].foreign_change(ZONE, value.key, value)
    rig.want({"free": "192.0.2.1", "taken": "192.0.2.2", "same": "192.0.2.50"}, **ADOPTED)
    rig.resolve_waiting()
    assert rig.outcome("free").ready
    assert rig.outcome("same").ready
    assert rig.outcome("taken").reason == "RecordConflict"
    assert rig.served("ext", "taken") == {"192.0.2.50"}
    rig.delete()
    rig.resolve_waiting()
    assert ZONE in rig.servers["ext"].zones
    assert rig.served("ext", "free") == set()
    assert rig.served("ext", "taken") == rig.served("ext", "same") == {"192.0.2.50"}


def test_records_of_an_adopted_zone_have_to_wait_for_its_end(rig):
    """Until then only their claims tell a later start which RRsets are ours to take away."""
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.resolve_waiting()
    rig.delete()
    assert rig.outcome("a").state is RecordState.REMOVING
    rig.resolve_waiting()
    assert rig.core.record(REF, record("a")) is None


def test_records_of_a_zone_that_we_created_go_along_with_it(rig):
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    rig.delete()
    assert rig.outcome("a").state is RecordState.GONE


def test_somebody_who_is_faster_keeps_his_rrset(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.finish()
    value = rrset(ZONE, "a", "A", "192.0.2.50")
    rig.servers["ext"].foreign_change(ZONE, value.key, value)
    rig.resolve_waiting()
    assert rig.served("ext", "a") == {"192.0.2.50"}
    assert rig.outcome("a").reason == "RecordConflict"


def test_an_adopted_server_that_was_forgotten_hears_of_the_claims_again(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.resolve_waiting()
    rig.submit(RemoveServer("ext"))
    rig.set_server("ext")
    rig.want({"a": "192.0.2.2"}, version="2", **ADOPTED, **adopted_claims("a"))
    rig.resolve_waiting()
    assert rig.served("ext", "a") == {"192.0.2.2"}


def test_who_wants_something_else_by_now_hears_that_his_first_wish_was_published(rig):
    """Nothing but his status can tell a later start that what stands there is ours."""
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.finish()
    rig.want({"a": "192.0.2.2"}, version="2", **ADOPTED)
    assert not rig.outcome("a").adopted
    rig.changes.clear()
    rig.finish()
    assert rig.served("ext", "a") == {"192.0.2.1"}
    assert rig.outcome("a").state is RecordState.PENDING
    assert rig.outcome("a").adopted == STANDING
    assert any(record("a") in change.records for change in rig.changes)
    rig.resolve_waiting()
    assert rig.outcome("a").adopted == STANDING


def test_who_is_deleted_by_now_hears_that_his_first_wish_was_published(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.finish()
    rig.want({}, **ADOPTED, **claimed("a"))
    rig.changes.clear()
    rig.finish()
    assert rig.outcome("a").adopted == STANDING
    assert any(record("a") in change.records for change in rig.changes)


def lose_the_reply(rig: Rig) -> None:
    """What is published in the adopted zone for the first time arrives, and nobody hears of it."""
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.finish()
    rig.servers["ext"].carry_out(rig.next_op(), lambda: 1)
    rig.fail(ambiguous=True)


def test_what_we_may_have_published_in_an_adopted_zone_is_ours_if_it_stands_there(rig):
    lose_the_reply(rig)
    rig.want({"a": "192.0.2.2"}, **ADOPTED)
    rig.resolve_waiting()
    assert rig.served("ext", "a") == {"192.0.2.2"}
    assert rig.outcome("a").ready


def test_what_we_may_have_published_in_an_adopted_zone_is_taken_out_also_if_the_zone_goes_before_we_know(rig):
    lose_the_reply(rig)
    rig.delete()
    rig.resolve_waiting()
    assert rig.served("ext", "a") == set()


def publish_and_restart(rig: Rig) -> Rig:
    """A core that knows nothing, with servers on which the one before it has published `a` in a zone of others."""
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.resolve_waiting()
    again = Rig()
    again.servers = rig.servers
    return again


def test_a_claimed_rrset_of_an_adopted_zone_is_ours_after_a_restart(rig):
    again = publish_and_restart(rig)
    again.want({"a": "192.0.2.2"}, **ADOPTED, **adopted_claims("a"))
    again.resolve_waiting()
    assert again.served("ext", "a") == {"192.0.2.2"}


def test_an_adopted_server_that_joins_later_hears_of_claims_that_did_not_change(rig):
    again = publish_and_restart(rig)
    again.want({"a": "192.0.2.2"}, primaries=frozenset(), **adopted_claims("a"))
    again.want({"a": "192.0.2.2"}, **ADOPTED, **adopted_claims("a"))
    again.resolve_waiting()
    assert again.served("ext", "a") == {"192.0.2.2"}


def test_what_we_put_into_a_zone_of_others_is_taken_out_also_if_it_was_left_while_nobody_was_there(rig):
    again = publish_and_restart(rig)
    theirs = rrset(ZONE, "b", "A", "192.0.2.50")
    again.servers["ext"].foreign_change(ZONE, theirs.key, theirs)
    left = {"former": frozenset({"ext"}), **adopted_claims("a")}
    again.want({"a": "192.0.2.1"}, **left, **claimed("a"))
    again.want({"a": "192.0.2.1", "b": "192.0.2.1"}, **left, **claimed("a", "b"))  # b: published elsewhere meanwhile
    again.resolve_waiting()
    assert again.served("p1", "a") == {"192.0.2.1"}
    assert again.served("ext", "a") == set()
    assert again.served("ext", "b") == {"192.0.2.50"}


def test_what_was_claimed_elsewhere_is_not_ours_in_a_zone_that_is_adopted_now(rig):
    """Not even what stands there as we want it: somebody else put it there."""
    rig.servers["ext"].foreign_zone(ZONE)
    for label in ("a", "b", "gone"):
        value = rrset(ZONE, label, "A", "192.0.2.50")
        rig.servers["ext"].foreign_change(ZONE, value.key, value)
    claims = claimed("a", "b", "gone")
    rig.want({"a": "192.0.2.1", "b": "192.0.2.50"}, **claims)
    rig.resolve_waiting()
    rig.want({"a": "192.0.2.1", "b": "192.0.2.50"}, **claims, **ADOPTED, former=frozenset({"p1"}))
    rig.resolve_waiting()
    assert ZONE not in rig.servers["p1"].zones
    assert rig.outcome("a").reason == "RecordConflict"
    assert rig.outcome("b").ready
    rig.delete()
    rig.resolve_waiting()
    assert rig.core.zone(REF) is None
    assert all(rig.served("ext", label) == {"192.0.2.50"} for label in ("a", "b", "gone"))


def test_a_zone_that_comes_back_to_a_server_of_others_before_it_has_left_it_hears_of_what_is_in_its_way(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    value = rrset(ZONE, "a", "A", "192.0.2.50")
    rig.servers["ext"].foreign_change(ZONE, value.key, value)
    rig.want({"b": "192.0.2.1"}, **ADOPTED)
    rig.resolve_waiting()
    rig.servers["ext"].up = False
    moved = {"primaries": frozenset({"p1"}), "former": frozenset({"ext"})}
    rig.want({"a": "192.0.2.1", "b": "192.0.2.1"}, **moved)
    for _ in range(6):
        rig.step()
    assert rig.outcome("a").ready
    rig.want({"a": "192.0.2.1", "b": "192.0.2.1"}, **ADOPTED, former=frozenset({"p1"}))
    rig.servers["ext"].up = True
    rig.resolve_waiting()
    assert rig.outcome("a").reason == "RecordConflict"
    assert rig.outcome("b").ready
    assert any(record("a") in change.records for change in rig.changes)


def test_an_adopted_server_that_cannot_be_spoken_to_for_a_while_keeps_what_we_put_there_ours(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.resolve_waiting()
    rig.submit(SuspendServer("ext", "its Secret is gone"))
    rig.want({"a": "192.0.2.2"}, version="2", **ADOPTED)
    assert rig.outcome("a").message == "ext: its Secret is gone"
    rig.submit(SetServer(rig.servers["ext"].spec))
    rig.resolve_waiting()
    assert rig.served("ext", "a") == {"192.0.2.2"}


def test_a_record_that_is_renamed_before_a_server_that_its_zone_left_was_read_remembers_what_it_has_there(rig):
    again = publish_and_restart(rig)
    elsewhere = {"primaries": frozenset({"p1"}), "former": frozenset({"ext"})}
    again.servers["ext"].up = False
    again.want({"a": "192.0.2.1"}, **elsewhere, **adopted_claims("a"))
    again.want({}, **elsewhere, **claimed("a"), **adopted_claims("a"))
    for _ in range(6):
        again.step()
    assert again.outcome("a").adopted == STANDING
    assert again.outcome("a").state is RecordState.REMOVING
    again.servers["ext"].up = True
    again.resolve_waiting()
    assert again.outcome("a").state is RecordState.GONE
    assert again.served("ext", "a") == set()


def test_what_status_says_of_a_server_of_others_counts_until_it_was_read(rig):
    """Else the first status after a restart would forget it, and a crash before the first read would lose it."""
    again = publish_and_restart(rig)
    again.want({"a": "192.0.2.2"}, version="2", **ADOPTED, **adopted_claims("a"))
    assert again.outcome("a").adopted == STANDING
    again.finish()
    assert again.outcome("a").adopted == STANDING


def test_whoever_had_something_in_a_zone_of_others_hears_that_it_was_taken_out(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    rig.want({"a": "192.0.2.1"}, **ADOPTED)
    rig.resolve_waiting()
    rig.servers["ext"].up = False
    rig.want({"a": "192.0.2.1"}, former=frozenset({"ext"}), **adopted_claims("a"))
    for _ in range(6):
        rig.step()
    assert rig.outcome("a").ready
    assert rig.outcome("a").adopted == STANDING
    rig.changes.clear()
    rig.servers["ext"].up = True
    rig.resolve_waiting()
    assert rig.served("ext", "a") == set()
    assert not rig.outcome("a").adopted
    assert any(record("a") in change.records for change in rig.changes), "or its status would name ext for ever"
