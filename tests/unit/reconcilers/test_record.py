"""The life of a record: what is written into its object, when, and how often. The engine is played."""

from dataclasses import replace
from typing import Any

import pytest

from generated.kinds import KINDS
from reconcilers.ddns.names import parse_zone
from reconcilers.desired.ownership import NAME_ANNOTATION, ZONE_ANNOTATION, ZONE_FINALIZER, finalizer
from reconcilers.engine.api import RecordOutcome, RecordState
from reconcilers.reasons import Reason
from reconcilers.record import RecordReconciler
from reconcilers.timing import CATCHING_UP, PASSING, SUPERSEDED
from tests.support.reconcilers_world import (
    DEEP,
    GONE,
    ON_PRIMARIES,
    PENDING,
    PUBLISHED,
    REMOVING,
    STATUS,
    World,
    failed,
    key,
    zone_spec,
)
from zonewright import Conflict, Result

OURS = finalizer("ARecord")
CLAIM, STATUS_WRITE = ("ARecord/www", "metadata"), ("ARecord/www", "status")
AWAY = RecordOutcome(RecordState.PENDING, reason=Reason.SERVER_UNREACHABLE, message="dns/p1: no answer")


@pytest.fixture
def world() -> World:
    """One zone that selects `zone=example.org`."""
    world = World()
    world.apply_zone()
    return world


def settle(world: World, reconciler: RecordReconciler, outcome: RecordOutcome | None, name: str = "www") -> None:
    """Reconcile until there is nothing left to wait for."""
    if outcome is not None:
        world.say(outcome, name)
    for _ in range(5):
        result = reconciler.reconcile(key(name))
        if result is None or result.requeue_after is None:
            return
        world.clock.advance(result.requeue_after)
    raise AssertionError("it never comes to rest")


def published(world: World, **record: str) -> RecordReconciler:
    """A record that is in DNS, and known to be."""
    world.apply_a(**record)
    reconciler = world.records()
    reconciler.reconcile(key("www"))
    settle(world, reconciler, PUBLISHED)
    assert world.condition("ARecord", "www") == ("True", "RecordPublished")
    world.writes()
    return reconciler


# -- new, changed, deleted: how many writes


def test_a_new_record_costs_exactly_two_writes_and_the_claim_comes_first(world: World):
    world.apply_a()
    reconciler = world.records()
    reconciler.reconcile(key("www"))
    assert world.writes() == [CLAIM]
    metadata = world.get("ARecord", "www")["metadata"]
    assert metadata["finalizers"] == [OURS]
    assert metadata["annotations"] == {ZONE_ANNOTATION: "example.org", NAME_ANNOTATION: "www"}
    settle(world, reconciler, PUBLISHED)
    assert world.writes() == [STATUS_WRITE]
    settle(world, reconciler, PUBLISHED)
    assert world.writes() == []


def test_nothing_is_wanted_of_the_engine_before_the_claim_is_on_the_object(world: World):
    world.apply_a()
    before = world.selection.zone_set(key("zone"))
    assert before is not None
    assert not before.wanted
    world.records().reconcile(key("www"))
    after = world.selection.zone_set(key("zone"))
    assert after is not None
    assert [str(entry.rrset) for entry in after.wanted.values()] == ["www.example.org. 3600 IN A 192.0.2.1"]


def test_a_claim_that_the_api_server_refuses_publishes_nothing(world: World):
    world.apply_a()
    world.api.before_patch = lambda: world.apply_a(annotations={"note": "somebody was faster"})
    with pytest.raises(Conflict):
        world.records().reconcile(key("www"))
    chosen = world.selection.zone_set(key("zone"))
    assert chosen is not None
    assert not chosen.wanted


def test_a_changed_value_costs_one_write(world: World):
    reconciler = published(world)
    before = world.status("ARecord", "www")["recordHash"]
    world.apply_a(address="192.0.2.2")
    settle(world, reconciler, PUBLISHED)
    assert world.writes() == [STATUS_WRITE]
    status = world.status("ARecord", "www")
    assert status["recordHash"] != before
    assert status["addresses"] == "192.0.2.2"
    assert status["observedGeneration"] == 2


@pytest.mark.parametrize("stale", [PUBLISHED, failed(Reason.REJECTED), failed(Reason.RECORD_CONFLICT)])
def test_what_became_of_the_version_before_is_no_news_of_this_one(world: World, stale: RecordOutcome):
    reconciler = published(world)
    world.say(stale)
    world.apply_a(address="192.0.2.2")
    result = reconciler.reconcile(key("www"))
    assert result is not None
    assert result.requeue_after == pytest.approx(PASSING)
    assert world.writes() == []
    world.clock.advance(PASSING)
    reconciler.reconcile(key("www"))
    assert world.condition("ARecord", "www") == ("False", "ZoneNotReady")
    assert world.status("ARecord", "www")["addresses"] == "192.0.2.1"


def test_what_stands_in_an_adopted_zone_is_remembered_at_once_under_its_name(world: World):
    world.apply_a()
    reconciler = world.records()
    reconciler.reconcile(key("www"))
    world.writes()
    world.say(replace(PENDING, adopted=frozenset({("dns/ext", parse_zone("www.example.org"))})))
    reconciler.reconcile(key("www"))
    assert world.writes() == [STATUS_WRITE]
    status = world.status("ARecord", "www")
    assert status["zone"] == "example.org"
    assert status["zones"][0]["adopted"] == [{"instance": "dns/ext", "name": "www.example.org."}]
    assert world.condition("ARecord", "www")[0] == "False"
    result = reconciler.reconcile(key("www"))
    assert result is None or result.requeue_after
    assert world.writes() == [], "once is enough"


def test_a_deleted_record_remembers_at_once_what_is_still_to_be_removed_from_an_adopted_zone(world: World):
    world.apply_a()
    reconciler = world.records()
    reconciler.reconcile(key("www"))
    world.api.delete("ARecord", "www")
    world.writes()
    world.say(replace(REMOVING, adopted=frozenset({("dns/ext", parse_zone("www.example.org"))})))
    reconciler.reconcile(key("www"))
    assert world.writes() == [STATUS_WRITE]
    (zone,) = world.status("ARecord", "www")["zones"]
    assert zone["adopted"] == [{"instance": "dns/ext", "name": "www.example.org."}]
    assert world.condition("ARecord", "www") == ("False", "Deleting")
    reconciler.reconcile(key("www"))
    assert world.writes() == [], "once is enough"


@pytest.mark.parametrize("reason", [Reason.SERVER_UNREACHABLE, Reason.WAITING_FOR_CONSENT])
def test_a_deletion_that_something_keeps_says_so_when_it_lasts(world: World, reason: Reason):
    reconciler = published(world)
    world.api.delete("ARecord", "www")
    world.say(replace(REMOVING, reason=reason, message="dns/p1: no answer"))
    assert reconciler.reconcile(key("www")) == Result(requeue_after=PASSING)
    assert world.writes() == []
    world.clock.advance(PASSING)
    settle(world, reconciler, None)
    assert world.writes() == [STATUS_WRITE]
    assert world.condition("ARecord", "www") == ("False", reason)
    assert world.get("ARecord", "www")["status"]["publishedName"] == "www"
    settle(world, reconciler, GONE)
    assert world.api.object("ARecord", key("www")) is None


def test_a_deleted_record_is_released_with_one_write_once_it_is_gone(world: World):
    reconciler = published(world)
    world.api.delete("ARecord", "www")
    settle(world, reconciler, REMOVING)
    assert world.writes() == []
    assert world.get("ARecord", "www")["metadata"]["finalizers"] == [OURS]
    settle(world, reconciler, GONE)
    assert world.writes() == [CLAIM]
    assert world.api.object("ARecord", key("www")) is None
    assert reconciler.reconcile(key("www")) is None


def test_a_record_whose_zone_lost_its_last_primary_says_so_when_it_lasts(world: World):
    reconciler = published(world)
    world.say(RecordOutcome(RecordState.PENDING, reason=Reason.NO_PRIMARY_INSTANCES, message="nobody"))
    assert reconciler.reconcile(key("www")) == Result(requeue_after=PASSING)
    settle(world, reconciler, None)
    assert world.writes() == [STATUS_WRITE]
    assert world.condition("ARecord", "www") == ("False", "NoPrimaryInstances")


def test_a_restart_writes_nothing(world: World):
    published(world)
    for outcome in (None, PENDING, AWAY, PUBLISHED):
        settle(world, world.records(), outcome)
    assert world.writes() == []
    assert world.condition("ARecord", "www") == ("True", "RecordPublished")


def test_a_server_that_dies_does_not_rewrite_what_was_published(world: World):
    reconciler = published(world)
    settle(world, reconciler, AWAY)
    world.clock.advance(60)
    settle(world, reconciler, AWAY)
    assert world.writes() == []


def test_a_pending_change_does_say_that_the_server_is_away(world: World):
    reconciler = published(world)
    world.apply_a(address="192.0.2.2")
    settle(world, reconciler, AWAY)
    assert world.condition("ARecord", "www") == ("False", "ServerUnreachable")
    assert world.writes() == [STATUS_WRITE]


# -- patience


@pytest.mark.parametrize(
    ("what", "outcome"),
    [
        ("the zone is not known yet", None),
        ("the update is under way", PENDING),
        ("a server is away", AWAY),
    ],
)
def test_a_passing_state_is_written_only_if_it_lasts(world: World, what: str, outcome: RecordOutcome | None):
    world.apply_a()
    reconciler = world.records()
    reconciler.reconcile(key("www"))
    world.writes()
    if outcome:
        world.say(outcome)
    result = reconciler.reconcile(key("www"))
    assert result is not None
    assert result.requeue_after == pytest.approx(PASSING)
    world.clock.advance(PASSING - 0.01)
    reconciler.reconcile(key("www"))
    assert world.writes() == []
    world.clock.advance(0.02)
    assert reconciler.reconcile(key("www")) is None
    assert world.writes() == [STATUS_WRITE]


def test_passing_from_one_passing_state_to_the_next_does_not_start_the_wait_again(world: World):
    world.apply_a()
    reconciler = world.records()
    for outcome in (None, PENDING, AWAY):
        if outcome:
            world.say(outcome)
        reconciler.reconcile(key("www"))
        world.clock.advance(PASSING / 2)
    reconciler.reconcile(key("www"))
    assert world.condition("ARecord", "www") == ("False", "ServerUnreachable")


def test_another_change_starts_the_wait_again(world: World):
    reconciler = published(world)
    world.say(PENDING)
    for last in range(2, 6):
        world.apply_a(address=f"192.0.2.{last}")
        reconciler.reconcile(key("www"))
        world.clock.advance(PASSING * 0.6)
    assert world.writes() == []


def test_what_is_final_is_written_at_once(world: World):
    world.apply_a()
    reconciler = world.records()
    reconciler.reconcile(key("www"))
    world.say(failed(Reason.REJECTED, "REFUSED"))
    assert reconciler.reconcile(key("www")) is None
    assert world.condition("ARecord", "www") == ("False", "Rejected")


def test_ready_waits_a_moment_for_the_secondaries_and_is_then_written_together(world: World):
    world.apply_a()
    reconciler = world.records()
    reconciler.reconcile(key("www"))
    world.say(ON_PRIMARIES)
    result = reconciler.reconcile(key("www"))
    assert result is not None
    assert result.requeue_after == pytest.approx(CATCHING_UP)
    world.clock.advance(CATCHING_UP / 2)
    world.say(PUBLISHED)
    assert reconciler.reconcile(key("www")) is None
    assert world.writes() == [CLAIM, STATUS_WRITE]
    assert world.condition("ARecord", "www", "Propagated") == ("True", "Propagated")


def test_a_secondary_that_takes_its_time_does_not_hold_up_ready(world: World):
    world.apply_a()
    reconciler = world.records()
    reconciler.reconcile(key("www"))
    settle(world, reconciler, ON_PRIMARIES)
    assert world.condition("ARecord", "www") == ("True", "RecordPublished")
    assert world.condition("ARecord", "www", "Propagated") == ("False", "TransferPending")
    settle(world, reconciler, PUBLISHED)
    assert world.condition("ARecord", "www", "Propagated") == ("True", "Propagated")


def test_what_it_remembers_of_a_record_goes_with_the_record(world: World):
    reconciler = published(world)
    world.api.delete("ARecord", "www")
    settle(world, reconciler, GONE)
    reconciler.reconcile(key("www"))
    assert reconciler._patience == {}


# -- renamed, relabelled


def test_a_renamed_record_claims_its_new_name_before_it_is_published(world: World):
    reconciler = published(world)
    world.apply_a(owner="web")
    reconciler.reconcile(key("www"))
    assert world.writes() == [CLAIM]
    assert world.get("ARecord", "www")["metadata"]["annotations"][NAME_ANNOTATION] == "web"
    assert world.status("ARecord", "www")["publishedName"] == "www"
    settle(world, reconciler, PUBLISHED)
    assert world.writes() == [STATUS_WRITE]
    assert world.status("ARecord", "www")["publishedName"] == "web"


def test_a_relabelled_record_keeps_the_old_zone_in_mind_until_it_is_gone_from_there(world: World):
    world.apply_zone("other", "example.net")
    reconciler = published(world)
    world.apply_a(labels={"zone": "example.net"})
    world.say(PUBLISHED, zone="other")
    settle(world, reconciler, REMOVING)
    zones = {entry["zoneName"] for entry in world.status("ARecord", "www")["zones"]}
    annotation = world.get("ARecord", "www")["metadata"]["annotations"][ZONE_ANNOTATION]
    assert "example.org" in zones | set(annotation.split(","))
    settle(world, reconciler, GONE)
    assert [entry["zoneName"] for entry in world.status("ARecord", "www")["zones"]] == ["example.net"]
    assert world.get("ARecord", "www")["metadata"]["annotations"][ZONE_ANNOTATION] == "example.net"


def test_a_record_that_no_zone_selects_any_more_lets_go_of_everything(world: World):
    reconciler = published(world)
    world.apply_a(labels={})
    settle(world, reconciler, REMOVING)
    assert world.get("ARecord", "www")["metadata"]["finalizers"] == [OURS]
    settle(world, reconciler, GONE)
    metadata, status = world.get("ARecord", "www")["metadata"], world.status("ARecord", "www")
    assert not metadata["finalizers"]
    assert not metadata["annotations"]
    assert status.keys() == {"conditions", "observedGeneration"}
    assert world.condition("ARecord", "www") == ("False", "NotSelected")


def test_a_record_that_leaves_before_the_engine_had_it_keeps_its_claim_until_the_zone_is_read_again(world: World):
    """Its zone's reconcile may be about to hand it over: a claim given up now would leave a name that nobody knows."""
    world.apply_a()
    reconciler = world.records()
    reconciler.reconcile(key("www"))
    world.say(GONE)  # the zone was read with it, and the engine has not heard of that yet
    world.apply_a(labels={})
    assert reconciler.reconcile(key("www")) == Result(requeue_after=SUPERSEDED)
    assert world.get("ARecord", "www")["metadata"]["annotations"][ZONE_ANNOTATION] == "example.org"
    settle(world, reconciler, GONE)
    assert not world.get("ARecord", "www")["metadata"]["finalizers"]


# -- the zone goes, or never came


def delete_both(world: World, *, held_by: str) -> None:
    """The record, and its zone, which a finalizer still holds."""
    world.apply_zone(finalizers=[held_by])
    world.api.delete("DNSZone", "zone")
    world.api.delete("ARecord", "www")


def test_while_its_zone_is_deleted_a_record_keeps_its_claim_until_nothing_of_it_is_left(world: World):
    reconciler = published(world)
    delete_both(world, held_by="bindy.firestoned.io/dnszone-finalizer")
    settle(world, reconciler, REMOVING)
    assert world.get("ARecord", "www")["metadata"]["finalizers"] == [OURS]
    settle(world, reconciler, GONE)
    assert world.api.object("ARecord", key("www")) is None


def test_a_zone_that_only_somebody_else_still_holds_has_let_go_of_its_records(world: World):
    reconciler = published(world)
    delete_both(world, held_by="example.org/theirs")
    settle(world, reconciler, None)
    assert world.api.object("ARecord", key("www")) is None


def test_a_record_whose_zone_is_gone_is_released_and_says_so(world: World):
    reconciler = published(world)
    world.api.delete("DNSZone", "zone")
    settle(world, reconciler, None)
    assert not world.get("ARecord", "www")["metadata"]["finalizers"]
    assert world.condition("ARecord", "www") == ("False", "ZoneDeleted")
    settle(world, reconciler, None)
    assert world.condition("ARecord", "www") == ("False", "ZoneDeleted")


def test_a_record_that_nobody_selects_is_told_so_and_gets_no_marks(world: World):
    world.apply_a(labels={})
    settle(world, world.records(), None)
    assert world.condition("ARecord", "www") == ("False", "NotSelected")
    assert world.writes() == [STATUS_WRITE]


# -- poison


def test_an_object_that_cannot_be_read_keeps_what_it_holds(world: World):
    reconciler = published(world)
    world.api.apply("ARecord", "www", {"name": 7}, labels={"zone": "example.org"})
    settle(world, reconciler, None)
    assert world.condition("ARecord", "www") == ("False", "InvalidRecordData")
    assert world.get("ARecord", "www")["metadata"]["annotations"][ZONE_ANNOTATION] == "example.org"
    assert world.status("ARecord", "www")["publishedName"] == "www"
    chosen = world.selection.zone_set(key("zone"))
    assert chosen is not None
    assert {str(each) for each in chosen.unreadable} == {"www.example.org. A"}


@pytest.mark.parametrize("restarted", [False, True], ids=["in one process", "after a restart"])
def test_one_that_is_nested_too_deep_does_too_and_says_so(world: World, restarted: bool):
    reconciler = published(world)
    spec = {"name": "www", "ipv4Address": "192.0.2.1", "more": DEEP}
    world.api.apply("ARecord", "www", spec, labels={"zone": "example.org"})
    if restarted:
        world.restart()
        reconciler = world.records()
    settle(world, reconciler, None)
    assert world.condition("ARecord", "www") == ("False", "InvalidRecordData")
    assert "spec.more: nested deeper than 200 levels" in world.status("ARecord", "www")["conditions"][0]["message"]
    assert world.get("ARecord", "www")["metadata"]["annotations"][ZONE_ANNOTATION] == "example.org"
    assert OURS in world.get("ARecord", "www")["metadata"]["finalizers"]
    assert world.status("ARecord", "www")["publishedName"] == "www"
    chosen = world.selection.zone_set(key("zone"))
    assert chosen is not None
    assert {str(each) for each in chosen.unreadable} == {"www.example.org. A"}
    world.apply_a()
    settle(world, reconciler, PUBLISHED)
    assert world.condition("ARecord", "www") == ("True", "RecordPublished")


@pytest.mark.parametrize("spec", [{"more": DEEP}, {"ttl": "soon"}], ids=["nested too deep", "no model"])
def test_a_record_in_a_zone_that_cannot_be_read_keeps_its_claim_after_a_restart(world: World, spec: dict[str, Any]):
    published(world)
    world.apply_zone(spec=spec, finalizers=[ZONE_FINALIZER])
    world.restart()
    settle(world, world.records(), None)
    metadata = world.get("ARecord", "www")["metadata"]
    assert (metadata["annotations"][ZONE_ANNOTATION], metadata["finalizers"]) == ("example.org", [OURS])
    assert world.status("ARecord", "www")["publishedName"] == "www"


@pytest.mark.parametrize("spec", [{"more": DEEP}, {"ttl": "soon"}], ids=["nested too deep", "no model"])
def test_a_new_zone_that_cannot_be_read_is_none_of_a_records_business(world: World, spec: dict[str, Any]):
    published(world)
    world.apply_zone("other", "other.org", spec={"recordsFrom": zone_spec("example.org")["recordsFrom"], **spec})
    for _ in range(2):
        settle(world, world.records(), PUBLISHED)
        assert world.condition("ARecord", "www") == ("True", "RecordPublished")
        world.restart()
    assert world.writes() == []


def test_an_object_that_never_could_be_read_gets_no_claim(world: World):
    world.api.apply("ARecord", "www", {"name": 7}, labels={"zone": "example.org"})
    settle(world, world.records(), None)
    assert world.writes() == [STATUS_WRITE]
    assert "finalizers" not in world.get("ARecord", "www")["metadata"]


def test_an_unreadable_object_that_is_deleted_goes_when_nothing_of_it_is_left(world: World):
    reconciler = published(world)
    world.api.apply("ARecord", "www", {"name": 7}, labels={"zone": "example.org"})
    settle(world, reconciler, None)
    world.api.delete("ARecord", "www")
    settle(world, reconciler, GONE)
    assert world.api.object("ARecord", key("www")) is None


def test_a_status_that_somebody_broke_is_put_right(world: World):
    reconciler = published(world)
    world.api.patch(KINDS["ARecord"], "www", {"status": {"observedGeneration": "seven"}}, **STATUS)
    settle(world, reconciler, PUBLISHED)
    assert world.status("ARecord", "www")["observedGeneration"] == 1
    assert world.condition("ARecord", "www") == ("True", "RecordPublished")


# -- events


def test_failures_are_events_and_success_is_none(world: World):
    reconciler = published(world)
    assert world.events.told == []
    world.apply_a(address="192.0.2.2")
    settle(world, reconciler, failed(Reason.REJECTED))
    assert world.events.told == [("Warning", "Rejected")]


def test_a_ready_record_remembers_that_it_stands_on_one_more_server_of_others(world: World):
    reconciler = published(world)
    name = parse_zone("www.example.org")
    for servers in (["dns/ext"], ["dns/ext", "dns/more"], ["dns/more"]):
        world.say(replace(PUBLISHED, adopted=frozenset((server, name) for server in servers)))
        reconciler.reconcile(key("www"))
        assert world.writes() == [STATUS_WRITE], "at once: after a crash nothing else tells that it is ours"
        (zone,) = world.status("ARecord", "www")["zones"]
        assert [each["instance"] for each in zone["adopted"]] == servers
