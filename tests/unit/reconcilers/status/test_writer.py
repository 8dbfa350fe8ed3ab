"""The two writes of a reconciler: only what differs, on the version it was decided on; an event when Ready turns."""

from typing import Any

import pytest

from generated.kinds import KINDS
from tests.support.reconcilers_world import STATUS, World, key
from zonewright import Conflict, Object

WRITTEN = [("ARecord/www", "status")]


def ready(status: str = "True", reason: str = "RecordPublished", message: str = "") -> dict[str, Any]:
    return {"conditions": [{"type": "Ready", "status": status, "reason": reason, "message": message}]}


@pytest.fixture
def world() -> World:
    world = World()
    world.apply_a()
    return world


def present(world: World) -> Object[Any]:
    found = world.api.object("ARecord", key("www"))
    assert found is not None
    return found


def test_an_equal_status_is_not_written(world: World):
    writer = world.writer("ARecord")
    writer.status(present(world), ready())
    writer.status(present(world), ready())
    assert world.writes() == WRITTEN


def test_no_patch_is_no_request_and_the_object_stays(world: World):
    obj = present(world)
    assert world.writer("ARecord").metadata(obj, None) is obj
    assert world.writes() == []


def test_whoever_was_faster_is_not_overwritten(world: World):
    stale = present(world)
    world.apply_a(address="192.0.2.2")
    with pytest.raises(Conflict):
        world.writer("ARecord").status(stale, ready())
    assert world.status("ARecord", "www") == {}
    assert world.events.told == []


@pytest.mark.parametrize(
    ("sentence", "before", "after", "told"),
    [
        ("it became ready", None, ready(), [("Normal", "RecordPublished")]),
        ("it failed", ready(), ready("False", "Rejected"), [("Warning", "Rejected")]),
        (
            "it fails for another reason",
            ready("False", "Rejected"),
            ready("False", "ServerUnreachable"),
            [("Warning", "ServerUnreachable")],
        ),
        ("only the words changed", ready("False", "Rejected", "a"), ready("False", "Rejected", "b"), []),
        ("there is no Ready", None, {"serial": 1}, []),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_an_event_tells_when_ready_turns(world: World, sentence: str, before: Any, after: dict[str, Any], told: Any):
    if before:
        world.api.patch(KINDS["ARecord"], "www", {"status": before}, **STATUS)
    world.writer("ARecord").status(present(world), after)
    assert world.events.told == told


def test_success_is_told_only_where_it_is_asked_for(world: World):
    world.writer("ARecord", success_events=False).status(present(world), ready())
    assert world.events.told == []


def test_in_a_dry_run_nothing_is_written_and_nobody_is_told(world: World):
    writer = world.writer("ARecord", read_only=True)
    obj = present(world)
    assert writer.metadata(obj, {"metadata": {"finalizers": ["a/b"]}}) is obj
    writer.status(obj, ready("False", "Rejected"))
    assert (world.writes(), world.events.told) == ([], [])
