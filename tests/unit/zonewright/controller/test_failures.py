"""Which failures become a condition, when, and with which words; and that telling them does no harm."""

import json
import logging
from typing import Any

import pytest

from zonewright.api import decode
from zonewright.api.conditions import set_condition
from zonewright.api.errors import (
    ApiError,
    Conflict,
    FencedOff,
    Forbidden,
    InvalidObject,
    NotFound,
    ServerError,
    TerminalError,
    TooManyRequests,
    Unreachable,
)
from zonewright.api.kind import Kind, Request
from zonewright.api.patches import status_differs
from zonewright.client.backoff import RateLimiter
from zonewright.clock import FakeClock
from zonewright.controller.builder import ControllerBuilder
from zonewright.controller.controller import Controller, Result
from zonewright.controller.failures import PASSING_AFTER, SPACING, UNEXPECTED_AFTER, FailureConditions
from zonewright.controller.workqueue import WorkQueue

WIDGET: Kind[Any] = Kind("bench.example.org", "v1", "Widget", "widgets", subresources=frozenset({"status"}))
KEY = Request("n", "a")
OTHER = {"type": "Synced", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}


class World:
    """One object, a cache of it, an API that stores what is patched, and a reconciler that does what it is told."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.stored: dict[str, Any] | None = {
            "metadata": {"name": "a", "namespace": "n", "resourceVersion": "1", "generation": 4},
            "status": {"conditions": [OTHER], "phase": "Running", "gone": None},
        }
        self.raw: bytes | None = None
        self.patches: list[dict[str, Any]] = []
        self.refusals: list[Exception] = []
        self.error: BaseException | None = None
        queue: WorkQueue[Request] = WorkQueue("w", clock=self.clock, limiter=RateLimiter(chance=lambda: 0.5))
        self.controller = Controller("w", self, queue=queue)
        self.controller.observer = FailureConditions(
            WIDGET, self, self, condition="Ready", reason="ReconcileError", clock=self.clock
        )

    # what is asked of an informer and of the client

    def object(self, request):
        return None if self.stored is None else decode.single(WIDGET, self.raw or json.dumps(self.stored).encode())

    def get_object(self, kind, name, namespace, *, timeout) -> Any:
        return self.object(Request(namespace, name))

    def patch(self, kind, name, body, *, namespace, subresource, timeout) -> Any:
        assert (kind, name, namespace, subresource) == (WIDGET, "a", "n", "status")
        assert 0 < timeout <= 5
        if self.refusals:
            raise self.refusals.pop(0)
        assert self.stored is not None
        assert body["metadata"] == {"resourceVersion": self.stored["metadata"]["resourceVersion"]}
        self.patches.append(body["status"])
        self.stored["status"].update(body["status"])
        self.stored["metadata"]["resourceVersion"] = str(1 + len(self.patches))

    # what a controller does

    def reconcile(self, request) -> Result | None:
        if self.error is not None:
            raise self.error
        return None

    def fails(self, error: BaseException, times: int = 1) -> None:
        self.error = error
        for _ in range(times):
            self.controller.enqueue(KEY)
            assert self.controller.queue.get(timeout=0) == KEY
            self.controller.queue.done(KEY, forget=self.controller.process(KEY))

    def succeeds(self) -> None:
        self.error = None
        self.controller.enqueue(KEY)
        assert self.controller.queue.get(timeout=0) == KEY
        self.controller.queue.done(KEY, forget=self.controller.process(KEY))

    def ready(self) -> dict[str, Any] | None:
        assert self.stored is not None
        return next((each for each in self.stored["status"]["conditions"] if each["type"] == "Ready"), None)


@pytest.fixture
def world():
    return World()


WHEN = {
    "a bug": (KeyError("spec"), UNEXPECTED_AFTER),
    "what a reconciler cannot mean": (SystemExit(3), UNEXPECTED_AFTER),
    "a request that may not be made": (Forbidden("no"), UNEXPECTED_AFTER),
    "any other refusal": (ApiError("teapot", status=418), UNEXPECTED_AFTER),
    "something that is not there": (NotFound("no such CRD"), UNEXPECTED_AFTER),
    "a conflict": (Conflict("changed"), PASSING_AFTER),
    "a server in trouble": (ServerError("webhook failed"), PASSING_AFTER),
    "a busy server": (TooManyRequests("busy", retry_after=0.1), PASSING_AFTER),
    "a server that is away": (Unreachable("no reply"), PASSING_AFTER),
    "something else that is away": (ConnectionRefusedError("no"), PASSING_AFTER),
    "a time-out": (TimeoutError("late"), PASSING_AFTER),
    "what is not tried again": (TerminalError("bad name"), 1),
    "an object that cannot be read": (InvalidObject("Widget n/a", "spec.size: too large"), 1),
}


@pytest.mark.parametrize(("error", "after"), WHEN.values(), ids=WHEN.keys())
def test_it_is_told_when_it_lasts(world, error, after):
    world.fails(error, after - 1)
    assert world.patches == []
    world.fails(error)
    assert world.ready() == {
        "type": "Ready", "status": "False", "reason": "ReconcileError", "message": f"{type(error).__name__}: {error}",
        "observedGeneration": 4, "lastTransitionTime": world.ready()["lastTransitionTime"],
    }  # fmt: skip


def test_who_does_not_lead_says_nothing(world):
    world.fails(FencedOff("not the leader"), 50)
    assert world.patches == []


def test_other_conditions_and_fields_stay_and_only_conditions_are_written(world):
    world.fails(KeyError("spec"), 3)
    assert world.stored["status"]["conditions"][0] == OTHER
    assert world.stored["status"]["phase"] == "Running"
    assert [list(patch) for patch in world.patches] == [["conditions"]]


def test_conflicts_between_them_do_not_count_and_do_not_forgive(world):
    world.fails(KeyError("spec"), 2)
    world.fails(Conflict("changed"), 3)
    assert world.patches == []
    world.fails(KeyError("spec"))
    assert world.ready()["message"] == "KeyError: 'spec'"


def test_a_success_in_between_forgives(world):
    for _ in range(4):
        world.fails(KeyError("spec"), 2)
        world.succeeds()
    assert world.patches == []


def test_it_is_written_once_however_often_it_fails(world):
    world.fails(KeyError("spec"), 40)
    world.clock.advance(SPACING * 3)
    world.fails(KeyError("spec"), 40)
    assert len(world.patches) == 1


def test_a_message_that_changes_with_every_try_is_written_once_a_minute(world):
    for number in range(40):
        world.fails(ValueError(f"at 0x{number:x}"))
    assert len(world.patches) == 1
    moment = world.ready()["lastTransitionTime"]
    world.clock.advance(SPACING)
    world.fails(ValueError("another"), 5)
    assert len(world.patches) == 2
    assert world.ready()["message"] == "ValueError: another"
    assert world.ready()["lastTransitionTime"] == moment, "it was False before"


def test_a_change_by_people_is_answered_at_once(world):
    world.fails(ValueError("size"), 3)
    world.stored["metadata"]["generation"] = 5
    world.fails(ValueError("colour"))
    assert (world.ready()["message"], world.ready()["observedGeneration"]) == ("ValueError: colour", 5)


def test_a_status_that_the_reconciler_wrote_before_is_written_again_after_a_success(world):
    """Nobody clears the condition: whoever compares with what is stored finds a difference."""

    def own(stored):
        return {"conditions": set_condition(stored["conditions"], "Ready", True, "Done", "", 4, world.clock.now())}

    world.stored["status"] = own(world.stored["status"])
    assert not status_differs(world.stored["status"], own(world.stored["status"]))
    world.fails(KeyError("spec"), 3)
    assert status_differs(world.stored["status"], own(world.stored["status"]))
    assert own(world.stored["status"])["conditions"][-1]["status"] == "True"


MESSAGES = {
    "long ones are cut": (ValueError("x" * 40_000), lambda text: len(text.encode()) == 1024 and text.endswith("…")),
    "of many bytes too": (ValueError("ü" * 40_000), lambda text: len(text.encode()) <= 1024),
    "no token": (ValueError("Authorization: Bearer abcdefgh12345678"), lambda text: "abcdefgh" not in text),
    "no traceback": (
        ValueError("failed: Traceback (most recent call last):\n  File 'x.py'\nKeyError"),
        lambda text: text == "ValueError: failed:",
    ),
    "one line": (ValueError("a\n  b"), lambda text: text == "ValueError: a b"),
    "without a text": (ValueError(), lambda text: text == "ValueError"),
}


@pytest.mark.parametrize(("error", "fits"), MESSAGES.values(), ids=MESSAGES.keys())
def test_the_message_is_the_exception(world, error, fits):
    world.fails(error, 3)
    assert fits(world.ready()["message"])


def test_an_exception_without_a_text_of_its_own(world):
    class Broken(Exception):
        def __str__(self) -> str:
            raise RecursionError

    world.fails(Broken(), 3)
    assert world.ready()["message"] == "Broken"


def test_when_the_cache_is_behind_the_object_is_read_again(world):
    world.refusals = [Conflict("changed")]
    world.fails(TerminalError("bad name"))
    assert world.ready()["message"] == "TerminalError: bad name"


@pytest.mark.parametrize(
    "refusal", [Conflict("again"), Forbidden("no"), Unreachable("away"), FencedOff("no"), KeyError()]
)
def test_what_cannot_be_written_is_logged_once_and_tried_with_the_next_retry(world, refusal, caplog):
    caplog.set_level(logging.WARNING)
    world.refusals = [refusal] * 10
    world.fails(KeyError("spec"), 7)
    assert world.patches == []
    assert len([record for record in caplog.records if "could not be told" in record.message]) == 1
    world.refusals = []
    world.fails(KeyError("spec"))
    assert len(world.patches) == 1


def test_an_object_that_is_gone_is_not_written(world):
    world.stored = None
    world.fails(KeyError("spec"), 5)
    assert world.patches == []


def test_an_object_that_cannot_be_read_is_told_so(world):
    head = json.dumps(world.stored).encode()[:-1]
    world.raw = head + b',"spec":' + b"[" * 5000 + b"]" * 5000 + b"}"
    with pytest.raises(InvalidObject) as caught:
        world.object(KEY).fields()
    world.fails(caught.value)
    assert "spec: nested deeper than 200 levels" in world.ready()["message"]
    assert world.stored["status"]["conditions"][0] == OTHER


@pytest.mark.parametrize("status", [None, [], "odd", {"conditions": 7}, {"conditions": [7, {}]}], ids=str)
def test_a_status_of_the_wrong_type_is_no_obstacle(world, status):
    world.raw = json.dumps({**world.stored, "status": status}).encode()
    world.fails(KeyError("spec"), 3)
    assert [each["type"] for each in world.patches[0]["conditions"]] == ["Ready"]


def test_nothing_is_kept_of_keys_that_do_well(world):
    world.fails(KeyError("spec"), 3)
    world.succeeds()
    assert world.controller.observer._failing == {}


# -- the builder


class Informer:
    def add_handler(self, handler):
        return self

    def has_synced(self):
        return True


def test_other_conditions_are_read_from_the_server_when_the_cache_holds_less(world):
    """A cache of metadata would make it look as if there were none, and the patch would take them away."""

    class Metadata:
        def object(self, request):
            found = world.object(request)
            return decode.single(WIDGET, json.dumps({"metadata": found.fields()["metadata"]}).encode())

    world.stored["status"]["conditions"] = [{"type": "Other", "status": "True"}]
    world.controller.observer = FailureConditions(
        WIDGET, Metadata(), world, condition="Ready", reason="ReconcileError", clock=world.clock, whole=False
    )
    world.fails(KeyError("spec"), UNEXPECTED_AFTER)
    assert {each["type"] for each in world.stored["status"]["conditions"]} == {"Other", "Ready"}


@pytest.mark.parametrize("shape", [{"metadata_only": True}, {"transform": dict}, {}])
def test_the_builder_knows_whether_its_cache_holds_whole_objects(world, shape):
    builder = ControllerBuilder(Controller("b", world), lambda _kind, **_: Informer(), world)  # type: ignore[arg-type]
    builder.for_(WIDGET, **shape).on_error(condition="Ready", reason="Failed")
    observer: Any = builder.controller.observer
    assert observer._whole is (not shape)


@pytest.mark.parametrize("first", ["for_", "on_error"])
def test_the_builder_takes_them_in_any_order(world, first):
    builder = ControllerBuilder(Controller("b", world), lambda _kind, **_: Informer(), world)  # type: ignore[arg-type]
    if first == "for_":
        builder.for_(WIDGET).on_error(condition="Ready", reason="Failed")
    else:
        builder.on_error(condition="Ready", reason="Failed").for_(WIDGET)
    assert isinstance(builder.controller.observer, FailureConditions)


def test_a_kind_without_a_status_is_refused_when_it_is_wired(world):
    kind: Kind[Any] = Kind("", "v1", "ConfigMap", "configmaps")
    builder = ControllerBuilder(Controller("b", world), lambda _kind, **_: Informer(), world)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="ConfigMap has no status subresource"):
        builder.for_(kind).on_error(condition="Ready", reason="Failed")
