"""Events on Services: what is told, when, and what is not told again."""

from typing import Any

import pytest

from reconcilers.endpoints.assignment import ObjectKey
from reconcilers.engine.api import ObjectRef, RecordOutcome, RecordState, ZoneRef
from reconcilers.reasons import Reason
from reconcilers.source import SourceReconciler
from reconcilers.timing import PASSING
from tests.support.endpoint_servers import Place
from tests.support.endpoints import service
from zonewright import Object, Request
from zonewright.api.builtin import kinds
from zonewright.clock import FakeClock

KEY, SERVICE = Request("shop", "api"), ObjectKey("Service", "shop", "api")
HOSTNAME, INTERNAL = (f"external-dns.kubernetes.io/{word}" for word in ("hostname", "internal-hostname"))
# One name that is published, and one that is not: of a ClusterIP Service only the internal one is.
BOTH = {HOSTNAME: "api.example.org", INTERNAL: "api-int.example.org"}


class Recorder:
    """Takes events."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, str]] = []

    def record(self, _kind: Any, _subject: Any, severity: str, reason: str, message: str) -> None:
        self.told.append((severity, reason, message))


class World:
    """One Service, and an engine that has published all of it or nothing. It is the informer and the engine."""

    def __init__(self) -> None:
        self.place, self.clock, events = Place(), FakeClock(), Recorder()
        self.zone = self.place.zone("example.org")
        self.published = False
        self.obj: Object[Any] | None = None
        self.told = events.told
        this: Any = self
        recorder: Any = events
        self.reconciler = SourceReconciler(
            kinds.Service,
            informer=this,
            events=recorder,
            assignments=self.place.assignments,
            engine=this,
            clock=self.clock,
        )

    def object(self, _: Request) -> Object[Any] | None:
        return self.obj

    def record(self, _: ZoneRef, ref: ObjectRef) -> RecordOutcome | None:
        if not self.published:
            return None
        [placed] = [each for each in self.place.assignments.placed(SERVICE) if each.ref == ref]
        now = self.clock.now()
        return RecordOutcome(
            RecordState.PUBLISHED, placed.version, propagated=True, reason=Reason.RECORD_PUBLISHED, last_updated=now
        )

    def apply(self, annotations: dict[str, str]) -> None:
        self.obj = service("api", {"clusterIP": "10.0.0.1"}, annotations, namespace="shop")
        self.place.put(self.obj)
        self.place.plan(self.zone)


@pytest.fixture
def world() -> World:
    return World()


def test_nothing_is_told_while_a_change_is_on_its_way(world: World):
    world.apply(BOTH)
    again = world.reconciler.reconcile(KEY)
    assert (world.told, again and again.requeue_after) == ([], PASSING)
    world.published = True
    assert world.reconciler.reconcile(KEY) is None
    [(kind, reason, message)] = world.told
    assert (kind, reason) == ("Warning", "RecordError")
    assert message.startswith("1 of 2 endpoints not in DNS: api.example.org: the address of a ClusterIP Service")


def test_what_is_wrong_is_told_although_something_else_stays_on_its_way(world: World):
    world.apply(BOTH)
    world.reconciler.reconcile(KEY)
    world.clock.advance(PASSING)
    world.reconciler.reconcile(KEY)
    [(_, reason, message)] = world.told
    assert reason == "RecordError"
    assert message.startswith("2 of 2 endpoints not in DNS: api.example.org: the address")


def test_the_same_is_told_once_and_news_again(world: World):
    world.published = True
    world.apply({INTERNAL: "api-int.example.org"})
    world.reconciler.reconcile(KEY)
    world.reconciler.reconcile(KEY)
    assert [reason for _, reason, _ in world.told] == ["RecordReady"]
    world.apply(BOTH)
    world.reconciler.reconcile(KEY)
    world.apply({INTERNAL: "api-int.example.org"})
    world.reconciler.reconcile(KEY)
    assert [reason for _, reason, _ in world.told] == ["RecordReady", "RecordError", "RecordReady"]


def test_who_asks_for_nothing_hears_nothing(world: World):
    world.apply({})
    assert world.reconciler.reconcile(KEY) is None
    assert world.told == []
