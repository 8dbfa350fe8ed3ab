"""Events: aggregated, budgeted, and never in anybody's way."""

import pytest

from zonewright.api.errors import FencedOff, Forbidden, InvalidObject, NotFound
from zonewright.api.kind import Kind
from zonewright.clock import FakeClock
from zonewright.manager.recorder import BURST, REFILL, REMEMBERED, WAITING, EventRecorder
from zonewright.metrics import REGISTRY

ZONE: Kind[dict] = Kind("bindy.firestoned.io", "v1beta1", "DNSZone", "dnszones")


class MemoryEvents:
    def __init__(self) -> None:
        self.events: dict[str, dict] = {}
        self.error: Exception | None = None

    def create(self, kind, obj, *, timeout):
        if self.error is not None:
            raise self.error
        self.events[obj["metadata"]["name"]] = obj

    def patch(self, kind, name, body, *, namespace, timeout):
        if name not in self.events:
            raise NotFound("forgotten")
        self.events[name].update(body)


class World:
    def __init__(self) -> None:
        self.clock, self.api = FakeClock(), MemoryEvents()
        self.recorder = EventRecorder(self.api, clock=self.clock)

    def record(self, message="it looks odd", name="z", namespace="dns"):
        subject = {"metadata": {"name": name, "namespace": namespace, "uid": f"u-{name}"}}
        self.recorder.record(ZONE, subject, "Warning", "Odd", message)

    def write(self):
        """What the thread does."""
        batch, self.recorder._pending = self.recorder._pending, {}
        for what, count in batch.items():
            self.recorder.write(what, count)

    @property
    def stored(self) -> list[dict]:
        return list(self.api.events.values())


@pytest.fixture
def world() -> World:
    return World()


def dropped() -> float:
    return REGISTRY.get_sample_value("zonewright_events_dropped_total") or 0


def test_an_event_says_what_happened_to_whom(world):
    world.record()
    world.write()
    (event,) = world.stored
    assert event["involvedObject"] == {
        "apiVersion": "bindy.firestoned.io/v1beta1", "kind": "DNSZone", "namespace": "dns", "name": "z", "uid": "u-z",
    }  # fmt: skip
    assert (event["type"], event["reason"], event["message"], event["count"]) == ("Warning", "Odd", "it looks odd", 1)
    assert event["metadata"]["namespace"] == "dns"
    assert event["firstTimestamp"] == event["lastTimestamp"] == "2026-01-01T00:00:00Z"


def test_an_object_that_names_its_kind_needs_no_other(world):
    world.recorder.record(
        None, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}, "Normal", "Fine", "all is well"
    )
    world.write()
    assert world.stored[0]["involvedObject"]["kind"] == "ConfigMap"


def test_events_of_cluster_scoped_objects_live_in_default(world):
    world.record(namespace="")
    world.write()
    assert world.stored[0]["metadata"]["namespace"] == "default"


def test_a_burst_of_equal_events_is_one_write_with_their_count(world):
    for _ in range(5):
        world.record()
    world.write()
    assert [event["count"] for event in world.stored] == [5]


def test_the_same_event_later_adds_to_the_first(world):
    world.record()
    world.write()
    world.clock.advance(60)
    world.record()
    world.write()
    (event,) = world.stored
    assert event["count"] == 2
    assert event["firstTimestamp"] == "2026-01-01T00:00:00Z"
    assert event["lastTimestamp"] == "2026-01-01T00:01:00Z"


def test_other_messages_and_other_objects_are_other_events(world):
    world.record()
    world.record(message="it looks very odd")
    world.record(name="y")
    world.write()
    assert len(world.stored) == 3


def test_an_event_that_the_server_has_forgotten_is_written_anew(world):
    world.record()
    world.write()
    world.api.events.clear()
    world.record()
    world.write()
    assert [event["count"] for event in world.stored] == [1]


def test_an_object_has_a_budget_that_refills(world):
    before = dropped()
    for number in range(BURST + 5):
        world.record(message=f"number {number}")
    world.write()
    assert len(world.stored) == BURST
    assert dropped() == before + 5
    world.record(name="other")
    world.write()
    assert len(world.stored) == BURST + 1, "another object has a budget of its own"
    world.clock.advance(REFILL)
    world.record(message="later")
    world.write()
    assert len(world.stored) == BURST + 2


def test_what_cannot_be_written_is_dropped_and_counted(world):
    for error in (Forbidden("no"), FencedOff("not the leader"), ConnectionError()):
        before = dropped()
        world.api.error = error
        world.record()
        world.write()
        assert dropped() == before + 1
    assert world.stored == []


def test_long_messages_are_cut_as_the_server_demands(world):
    world.record(message="ü" * 5000)
    world.write()
    assert 1021 <= len(world.stored[0]["message"].encode()) <= 1024


def test_recording_never_blocks_and_what_is_too_much_is_dropped(world):
    before = dropped()
    for number in range(WAITING + 3):
        world.record(name=f"n{number}")
    assert dropped() == before + 3


def test_memory_is_bounded(world):
    for number in range(REMEMBERED + 10):
        world.record(name=f"n{number}")
        world.write()
    assert len(world.recorder._known) == REMEMBERED
    assert len(world.recorder._budgets) == REMEMBERED


def test_a_thread_writes_and_flush_waits_for_it(world):
    world.recorder.start()
    world.record()
    assert world.recorder.flush(60)
    assert len(world.stored) == 1
    world.recorder.stop(60)
    assert not world.recorder._thread.is_alive()


def test_what_waits_is_written_before_the_thread_ends(world):
    world.record()
    world.recorder.start()
    world.recorder.stop(60)
    assert len(world.stored) == 1


def test_flush_does_not_wait_for_ever(world):
    world.record()
    assert not world.recorder.flush(0)
    world.recorder.stop(0)


@pytest.mark.parametrize(
    "error",
    [RecursionError("deep"), KeyError("spec"), InvalidObject("Event n/a", "odd"), MemoryError()],
    ids=lambda error: type(error).__name__,
)
def test_an_event_that_cannot_be_written_does_not_end_the_others(error):
    api, subject = MemoryEvents(), {"metadata": {"name": "a", "namespace": "n", "uid": "u"}}
    recorder = EventRecorder(api)
    recorder.start()
    api.error = error
    recorder.record(ZONE, subject, "Warning", "Odd", "first")
    assert recorder.flush(60)
    api.error = None
    recorder.record(ZONE, subject, "Warning", "Odd", "second")
    assert recorder.flush(60)
    assert [event["message"] for event in api.events.values()] == ["second"]
    assert recorder.complaint() is None
    recorder.stop(60)
    assert recorder.complaint() is None, "that was asked for"


def test_one_that_only_reads_keeps_nothing_to_write():
    api = MemoryEvents()
    recorder = EventRecorder(api, read_only=True)
    recorder.start()
    recorder.record(ZONE, {"metadata": {"name": "a", "namespace": "n", "uid": "u"}}, "Warning", "Odd", "told to nobody")
    assert recorder.flush(0)
    recorder.stop(60)
    assert api.events == {}
