"""Which change wakes which key, and with which priority."""

import json

import pytest

from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Handler, Object
from zonewright.api.predicates import generation_changed
from zonewright.controller.builder import ControllerBuilder
from zonewright.controller.controller import Controller
from zonewright.controller.workqueue import LOW_PRIORITY
from zonewright.metrics import REGISTRY

ZONE: Kind[dict] = Kind("bindy.firestoned.io", "v1beta1", "DNSZone", "dnszones")
RECORD: Kind[dict] = Kind("bindy.firestoned.io", "v1beta1", "ARecord", "arecords")


def make(kind=RECORD, name="www", *, generation=1, version=1, labels=None, owners=()):
    metadata = {"namespace": "dns", "name": name, "labels": labels or {}, "ownerReferences": list(owners)}
    return Object(kind, Request("dns", name), version, generation, json.dumps({"metadata": metadata}).encode())


class FakeInformer:
    def __init__(self) -> None:
        self.handlers: list[Handler] = []
        self.synced = False
        self.known: list[Request] = []

    def keys(self) -> list[Request]:
        return self.known

    def object(self, request: Request) -> Object | None:
        return None

    def add_handler(self, handler: Handler) -> "FakeInformer":
        self.handlers.append(handler)
        return self

    def has_synced(self) -> bool:
        return self.synced

    def tell(self, old, new, initial=False):
        for handler in self.handlers:
            handler(old, new, initial)


class Nothing:
    def reconcile(self, request):
        return None


class World:
    def __init__(self) -> None:
        self.informers = {ZONE: FakeInformer(), RECORD: FakeInformer()}
        self.builder = ControllerBuilder(Controller("zones", Nothing()), lambda kind, **_: self.informers[kind])

    def woken(self) -> list[tuple[str, int]]:
        return [(item.key.name, item.priority) for item in self.builder.controller.queue.snapshot()]


def counted(metric: str) -> float:
    value = REGISTRY.get_sample_value(metric, {"kind": RECORD.resource})
    assert value is not None
    return value


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.parametrize(
    ("old", "new"),
    [(None, make(ZONE, "z")), (make(ZONE, "z"), make(ZONE, "z", version=2)), (make(ZONE, "z"), None)],
    ids=["created", "changed", "deleted"],
)
def test_for_wakes_the_object_itself(world, old, new):
    world.builder.for_(ZONE)
    world.informers[ZONE].tell(old, new)
    assert world.woken() == [("z", 0)]


def test_the_initial_list_comes_with_low_priority(world):
    world.builder.for_(ZONE).watches(RECORD, lambda old, new: [Request("dns", "example-org")])
    world.informers[ZONE].tell(None, make(ZONE, "z"), initial=True)
    world.informers[RECORD].tell(None, make(), initial=True)
    assert world.woken() == [("z", LOW_PRIORITY), ("example-org", LOW_PRIORITY)]


def test_a_mapper_sees_the_object_before_and_after_the_change(world):
    world.builder.watches(RECORD, lambda old, new: [Request("dns", o.labels["zone"]) for o in (old, new) if o])
    world.informers[RECORD].tell(make(labels={"zone": "left"}), make(labels={"zone": "entered"}))
    assert world.woken() == [("left", 0), ("entered", 0)]


def test_a_predicate_decides_what_is_heard(world):
    world.builder.for_(ZONE, predicate=generation_changed)
    world.informers[ZONE].tell(make(ZONE, "status"), make(ZONE, "status", version=2))
    world.informers[ZONE].tell(make(ZONE, "spec"), make(ZONE, "spec", generation=2))
    assert world.woken() == [("spec", 0)]


OWNER = {"apiVersion": "bindy.firestoned.io/v1beta1", "kind": "DNSZone", "name": "z", "uid": "1", "controller": True}
OWNERS = {
    "its controller": ([OWNER], ["z"]),
    "its controller through another version": ([{**OWNER, "apiVersion": "bindy.firestoned.io/v1"}], ["z"]),
    "not an owner that merely keeps it alive": ([{**OWNER, "controller": False}], []),
    "not an owner of another kind": ([{**OWNER, "kind": "ARecord"}], []),
    "not an owner of another group": ([{**OWNER, "apiVersion": "v1"}], []),
    "nobody without an owner": ([], []),
}


@pytest.mark.parametrize(("owners", "woken"), OWNERS.values(), ids=OWNERS.keys())
def test_owns_wakes(world, owners, woken):
    world.builder.for_(ZONE).owns(RECORD)
    world.informers[RECORD].tell(None, make(owners=owners))
    assert [name for name, _ in world.woken()] == woken


def test_an_object_that_changes_hands_wakes_both_owners(world):
    world.builder.for_(ZONE).owns(RECORD)
    world.informers[RECORD].tell(make(owners=[OWNER]), make(owners=[{**OWNER, "name": "y"}]))
    assert sorted(name for name, _ in world.woken()) == ["y", "z"]


def test_a_mapper_that_raises_is_counted_and_stops_nobody(world, caplog):
    def broken(old, new):
        raise KeyError("zone")

    world.builder.watches(RECORD, broken).watches(RECORD, lambda old, new: [Request("dns", "z")])
    before = counted("zonewright_mapper_errors_total")
    world.informers[RECORD].tell(None, make())
    assert world.woken() == [("z", 0)]
    assert counted("zonewright_mapper_errors_total") == before + 1
    assert "mapper failed" in caplog.text


def test_mappers_are_timed(world):
    world.builder.watches(RECORD, lambda old, new: ())
    before = counted("zonewright_mapper_duration_seconds_count")
    world.informers[RECORD].tell(None, make())
    assert counted("zonewright_mapper_duration_seconds_count") == before + 1


def test_a_source_wakes_keys_from_elsewhere(world):
    attached: list[Controller] = []
    world.builder.for_(ZONE).source(attached.append)
    attached[0].enqueue(Request("dns", "z"))
    world.builder.enqueue(Request("dns", "y"), priority=1)
    assert world.woken() == [("y", 1), ("z", 0)]


def test_a_resync_wakes_every_known_key_with_low_priority(world):
    world.builder.resync()
    assert world.woken() == []
    world.builder.for_(ZONE)
    world.informers[ZONE].known = [Request("dns", "z")]
    world.builder.resync()
    assert world.woken() == [("z", LOW_PRIORITY)]


def test_each_watch_asks_for_its_own_part_of_a_kind():
    asked = []

    def informer(kind, **shape):
        asked.append((kind, shape))
        return FakeInformer()

    builder = ControllerBuilder(Controller("zones", Nothing()), informer)
    builder.for_(ZONE, namespaces=["a", "b"]).owns(RECORD, label_selector="x=y")
    builder.watches(RECORD, lambda old, new: (), metadata_only=True)
    builder.resync()
    assert asked == [
        (ZONE, {"namespaces": ["a", "b"]}),
        (RECORD, {"label_selector": "x=y"}),
        (RECORD, {"metadata_only": True}),
    ]


def test_a_controller_is_for_one_kind(world):
    world.builder.for_(ZONE)
    with pytest.raises(ValueError, match="use watches"):
        world.builder.for_(RECORD)


def test_owns_needs_to_know_the_owner(world):
    with pytest.raises(ValueError, match="for_"):
        world.builder.owns(RECORD)


def test_it_has_synced_when_every_handler_has(world):
    world.builder.for_(ZONE).watches(RECORD, lambda old, new: ())
    assert not world.builder.has_synced()
    world.informers[ZONE].synced = True
    assert not world.builder.has_synced()
    world.informers[RECORD].synced = True
    assert world.builder.has_synced()
