"""The reconciler of DNSEndpoint: what it claims, what it says and when, and what it does without permission."""

from dataclasses import replace
from typing import Any

import pytest

from generated.kinds import KINDS
from reconcilers.desired.selection import ZoneSet
from reconcilers.endpoint import CrdSource, EndpointReconciler, register_status_updates
from reconcilers.endpoints import crd
from reconcilers.endpoints.assignment import ObjectEndpoints, ObjectKey, Obstacle
from reconcilers.endpoints.callbacks import Changes, StatusUpdates
from reconcilers.endpoints.intake import FINALIZER, zones_claimed
from reconcilers.engine.api import (
    ClaimState,
    ObjectRef,
    RecordOutcome,
    RecordState,
    Role,
    ServerStatus,
    ZoneRef,
    ZoneStatus,
)
from reconcilers.reasons import Reason
from reconcilers.status.writer import Writer
from reconcilers.timing import FORBIDDEN, PASSING
from tests.support.endpoint_servers import Place
from tests.support.reconcilers_world import Api, Cache, Events
from zonewright import Forbidden, NotFound, Request, Result, find_condition
from zonewright.clock import FakeClock

KEY = Request("shop", "one")
OBJECT = ObjectKey("DNSEndpoint", "shop", "one")
WWW = {"dnsName": "www.example.org", "recordType": "A", "targets": ["192.0.2.1"]}
OTHER = {**WWW, "targets": ["192.0.2.2"]}
PUBLISHED = RecordOutcome(RecordState.PUBLISHED, propagated=True, reason=Reason.RECORD_PUBLISHED)
NOTHING = ZoneSet({}, {}, {}, frozenset())
NO_SERVER = Obstacle(Reason.NO_PRIMARY_INSTANCES, "no primary Bind9Instance is selected", served=False)


class Engine:
    """Says of each endpoint what it is told to, zone by zone."""

    def __init__(self) -> None:
        self.outcomes: dict[str, RecordOutcome] = {}
        self.answer = ""

    def record(self, zone: ZoneRef, ref: ObjectRef) -> RecordOutcome | None:
        return self.outcomes.get(zone.name)

    def zone(self, ref: ZoneRef) -> ZoneStatus | None:
        reason = Reason.SERVER_UNREACHABLE if self.answer else None
        server = ServerStatus("dns/p1", Role.PRIMARY, ClaimState.CONFIGURED, reason=reason, message=self.answer)
        return ZoneStatus(ref, 1, 1, True, True, (server,))


class World:
    def __init__(self) -> None:
        self.api, self.events, self.clock = Api(), Events(), FakeClock()
        self.restart()

    def restart(self) -> None:
        """Another process: only what the API server has is known."""
        self.engine, self.place = Engine(), Place()
        self.zone = self.place.zone("example.org")
        self.api.forget_handlers()
        self.api.handle("DNSEndpoint", self._on_object)
        cache: Any = Cache(self.api, "DNSEndpoint")
        api: Any = self.api
        events: Any = self.events
        self.woken: list[Request] = []
        self.source = CrdSource(cache, self.woken.append)
        self.reconciler = EndpointReconciler(
            source=self.source,
            writer=Writer(KINDS["DNSEndpoint"], api, events, success_event="RecordReady", failure_event="RecordError"),
            assignments=self.place.assignments,
            engine=self.engine,
            clock=self.clock,
        )
        self.api.replay()

    def _on_object(self, old: Any, new: Any, initial: bool) -> None:
        asked = (
            ObjectEndpoints(OBJECT, new.uid, tuple(crd.endpoints(new)), zones_claimed(new))
            if new is not None
            else ObjectEndpoints(OBJECT, "", (), frozenset())
        )
        self.place.assignments.put(asked)

    def apply(self, *endpoints: dict[str, Any]) -> None:
        self.api.apply("DNSEndpoint", "one", {"endpoints": list(endpoints)}, namespace="shop")

    def reconcile(self) -> Result | None:
        return self.reconciler.reconcile(KEY)

    def settle(self) -> None:
        """Let what is only passing pass."""
        self.reconcile()
        self.reconcile()
        self.clock.advance(PASSING)
        self.reconcile()

    def publish(self, zone: str = "example.org") -> None:
        """The engine has published the object as it is now."""
        self.place.assignments.plan(self.zone.key, NOTHING)
        [version] = {each.version for each in self.place.assignments.placed(OBJECT)}
        self.engine.outcomes[zone] = RecordOutcome(
            RecordState.PUBLISHED, version, propagated=True, reason=Reason.RECORD_PUBLISHED
        )

    def forbid(self, *parts: str) -> None:
        """Of writes: those to `metadata` or `status`."""
        patch = Api.patch

        def refused(kind: Any, name: str, body: Any, *, namespace: str, subresource: str | None = None) -> Any:
            if (subresource or "metadata") in parts:
                raise Forbidden("dnsendpoints is forbidden", status=403, reason="Forbidden")
            return patch(self.api, kind, name, body, namespace=namespace, subresource=subresource)

        self.api.patch = refused  # type: ignore[method-assign]

    def allow(self) -> None:
        del self.api.patch

    @property
    def fields(self) -> dict[str, Any] | None:
        found = self.api.object("DNSEndpoint", KEY)
        return found.fields() if found else None

    def condition(self, kind: str = "Ready") -> dict[str, Any]:
        return find_condition(((self.fields or {}).get("status") or {}).get("conditions"), kind) or {}

    @property
    def status(self) -> dict[str, Any]:
        return (self.fields or {}).get("status") or {}

    @property
    def ready(self) -> tuple[str, str]:
        found = self.condition()
        return found.get("status", ""), found.get("reason", "")


@pytest.fixture
def world() -> World:
    found = World()
    found.apply(WWW)
    return found


def published(world: World) -> None:
    world.settle()
    world.publish()
    world.reconcile()
    assert world.ready == ("True", "Programmed")


# -- truth about the present spec


def test_ready_is_about_the_present_spec_and_not_about_what_was_published_before(world: World):
    published(world)
    world.apply(OTHER)
    world.settle()
    assert world.ready == ("False", "Reconciling")
    assert world.condition()["observedGeneration"] == 2
    world.publish()
    world.reconcile()
    assert world.ready == ("True", "Programmed")


def test_what_passes_in_a_moment_is_not_written(world: World):
    published(world)
    world.apply(OTHER)
    assert world.reconcile() == Result(requeue_after=PASSING)
    assert world.condition()["observedGeneration"] == 1, "whoever waits for generation 2 goes on waiting"


def test_a_zone_that_does_not_exist_yet_is_no_failure(world: World):
    world.settle()
    waits = RecordOutcome(RecordState.PENDING, reason=Reason.ZONE_NOT_READY, message="waits until it exists on p1")
    world.engine.outcomes["example.org"] = waits
    world.settle()
    assert world.ready == ("False", "Reconciling")
    assert "waits until it exists on p1" in world.condition()["message"]


# -- after a restart


def test_a_restart_takes_nothing_back_while_the_servers_are_yet_to_be_read(world: World):
    published(world)
    world.restart()
    world.settle()
    assert world.ready == ("True", "Programmed")
    assert world.condition()["observedGeneration"] == 1


def test_what_status_says_of_each_endpoint_counts_until_the_servers_were_read(world: World):
    world.apply(WWW, {**WWW, "dnsName": "lost.example.org"}, {**WWW, "dnsName": "bad.example.org", "targets": ["x"]})
    world.settle()
    world.engine.outcomes["example.org"] = PUBLISHED
    world.reconcile()
    before = world.status
    assert before["records"] == "2/3"
    world.restart()
    world.settle()
    assert world.status == before


def test_a_change_that_was_made_while_nobody_worked_is_not_ready_after_a_restart(world: World):
    published(world)
    world.apply(OTHER)
    world.restart()
    world.settle()
    assert world.ready == ("False", "Reconciling")


def test_what_moves_to_a_zone_that_cannot_be_read_is_not_ready_there(world: World):
    published(world)
    inner = world.place.zone("www.example.org")
    world.settle()
    world.settle()
    assert inner.zone_name in (world.fields or {})["metadata"]["annotations"]["bindy.firestoned.io/zone"]
    assert world.ready == ("False", "Reconciling")


def test_what_servers_say_is_no_news_by_itself(world: World):
    """Or one server that dies would rewrite the status of every object."""
    published(world)
    world.api.writes.clear()
    world.engine.answer = "p1 does not answer"
    world.settle()
    assert world.api.writes == []


# -- zones that are refused


def test_the_message_names_a_zone_that_is_not_ready_and_its_reason(world: World):
    world.settle()
    world.place.woken.clear()
    world.place.assignments.hinder(world.zone.key, NO_SERVER)
    assert world.place.woken == ["one"]
    world.settle()
    assert world.ready == ("False", "Failed")
    said = "DNSZone shop/example.org is not Ready (NoPrimaryInstances): no primary Bind9Instance is selected"
    assert said in world.condition()["message"]
    assert world.condition("Synced")["message"] == said
    world.place.assignments.hinder(world.zone.key, None)
    published(world)


def test_a_zone_that_is_not_ready_takes_nothing_back_that_is_published(world: World):
    published(world)
    world.place.assignments.hinder(world.zone.key, NO_SERVER)
    world.settle()
    assert world.ready == ("True", "Programmed")


def test_of_two_zone_objects_of_one_name_a_duplicate_does_not_count(world: World):
    other = world.place.zone("example.org", key_name="second")
    world.place.assignments.hinder(other.key, Obstacle(Reason.DUPLICATE_ZONE, "DNSZone shop/example.org has it"))
    published(world)


def test_a_duplicate_that_is_the_only_zone_is_told(world: World):
    world.settle()
    world.place.assignments.hinder(world.zone.key, Obstacle(Reason.DUPLICATE_ZONE, "DNSZone a/b has the zone"))
    world.settle()
    assert "DNSZone a/b has the zone" in world.condition()["message"]


# -- the end of an object


def test_an_object_whose_zone_was_never_served_goes_at_once(world: World):
    world.place.assignments.hinder(world.zone.key, NO_SERVER)
    world.settle()
    assert FINALIZER in (world.fields or {})["metadata"]["finalizers"]
    world.api.delete("DNSEndpoint", "one", namespace="shop")
    world.reconcile()
    assert world.fields is None


def test_an_object_whose_zone_lost_its_servers_goes_too(world: World):
    """No plan is made without servers, so the engine is not even told that nobody wants it any more."""
    published(world)
    world.place.assignments.hinder(world.zone.key, NO_SERVER)
    waits = RecordOutcome(RecordState.PENDING, reason=Reason.NO_PRIMARY_INSTANCES, message="no primary to publish to")
    world.engine.outcomes["example.org"] = waits
    world.api.delete("DNSEndpoint", "one", namespace="shop")
    world.reconcile()
    assert world.fields is None


def test_what_keeps_an_object_is_told_if_it_lasts(world: World):
    published(world)
    obstacle = Obstacle(Reason.SERVER_UNREACHABLE, "p1 does not answer")
    world.place.assignments.hinder(world.zone.key, obstacle)
    world.engine.outcomes["example.org"] = RecordOutcome(RecordState.REMOVING)
    world.api.delete("DNSEndpoint", "one", namespace="shop")
    assert world.reconcile() == Result(requeue_after=PASSING)
    world.settle()
    assert world.ready == ("False", "Failed")
    assert "still to be removed from example.org: DNSZone shop/example.org" in world.condition()["message"]
    assert "p1 does not answer" in world.condition()["message"]
    world.engine.outcomes["example.org"] = replace(world.engine.outcomes["example.org"], state=RecordState.GONE)
    world.place.assignments.plan(world.zone.key, NOTHING)
    world.reconcile()
    assert world.fields is None
    assert world.events.told[-1] == ("Normal", "RecordDeleted")


# -- without permission


def test_without_permission_for_metadata_it_says_so_and_tries_again(world: World):
    world.forbid("metadata")
    assert world.reconcile() == Result(requeue_after=FORBIDDEN)
    assert world.ready == ("False", "Failed")
    assert "may not write metadata" in world.condition("Synced")["message"]
    world.allow()
    published(world)


@pytest.mark.criterion(number="EP-K7")
def test_without_permission_for_status_an_event_says_so_and_it_tries_again(world: World):
    world.forbid("status")
    world.reconcile()
    world.reconcile()
    world.publish()
    assert world.reconcile() == Result(requeue_after=FORBIDDEN)
    assert ("Warning", "RecordError") in world.events.told
    assert FINALIZER in (world.fields or {})["metadata"]["finalizers"], "it is published all the same"
    world.allow()
    world.reconcile()
    assert world.ready == ("True", "Programmed")


def test_a_deletion_waits_for_the_permission_and_ends_with_it(world: World):
    published(world)
    world.api.delete("DNSEndpoint", "one", namespace="shop")
    world.engine.outcomes["example.org"] = RecordOutcome(RecordState.GONE)
    world.place.assignments.plan(world.zone.key, NOTHING)
    world.forbid("metadata")
    assert world.reconcile() == Result(requeue_after=FORBIDDEN)
    assert "it cannot end" in world.condition()["message"]
    assert ("Normal", "RecordDeleted") not in world.events.told
    world.allow()
    world.reconcile()
    assert world.fields is None


# -- what others report of it


@pytest.mark.criterion(number="EP-R3")
def test_an_object_can_be_read_by_name_or_is_not_found(world: World):
    found = world.source.get("shop", "one")
    assert [each.dns_name for each in (found.spec and found.spec.endpoints) or ()] == ["www.example.org"]
    with pytest.raises(NotFound, match="shop/two"):
        world.source.get("shop", "two")


@pytest.mark.criterion(number="EP-K6")
@pytest.mark.parametrize(("success", "status"), [(True, "True"), (False, "False")])
def test_a_report_is_stored_wakes_the_object_and_is_written_by_its_reconciler(world: World, success: bool, status: str):
    published(world)
    world.api.writes.clear()
    world.source.update_dnsendpoint_status("shop", "one", success, "as somebody says")
    assert world.api.writes == []
    assert world.woken == [KEY]
    world.reconcile()
    found = world.condition("Synced")
    assert (found["status"], found["message"]) == (status, "as somebody says")
    assert world.ready == ("True", "Programmed")


@pytest.mark.criterion(number="EP-K6")
def test_a_report_is_about_the_object_as_it_was_then(world: World):
    published(world)
    world.source.update_dnsendpoint_status("shop", "one", success=False, message="as somebody says")
    world.apply(OTHER)
    published(world)
    assert world.condition("Synced")["status"] == "True"


@pytest.mark.criterion(number="EP-K6")
def test_a_report_about_an_object_that_is_not_there_is_refused(world: World):
    with pytest.raises(NotFound, match="shop/two"):
        world.source.update_dnsendpoint_status("shop", "two", success=True, message="")


@pytest.mark.criterion(number="EP-K5")
def test_the_callback_of_the_source_wakes_the_objects_of_changes(world: World):
    endpoints = [
        replace(each.endpoint, dns_name=name) for each in world.place.assignments.placed(OBJECT) for name in "ab"
    ]
    world.source.on_status_update(Changes(create=tuple(endpoints)), [], True, "done")
    assert world.woken == [KEY]


@pytest.mark.criterion(number="EP-K4")
def test_a_registration_that_fails_is_a_warning(world: World, caplog: pytest.LogCaptureFixture):
    class Full(StatusUpdates):
        def register_status_update_callback(self, callback: object) -> None:
            raise RuntimeError("no room")

    register_status_updates(Full(), world.source)
    assert [(each.levelname, each.message) for each in caplog.records] == [
        ("WARNING", "Could not register the DNSEndpoint status update callback")
    ]
