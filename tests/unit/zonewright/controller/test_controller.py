"""The outcome table, and that nothing a reconciler does ends a worker."""

import json
import logging
import threading
from collections.abc import Callable

import pytest

from zonewright import log
from zonewright.api.errors import Conflict, FencedOff, InvalidObject, TerminalError, TooManyRequests
from zonewright.api.kind import Request
from zonewright.client import deadline
from zonewright.client.backoff import RateLimiter
from zonewright.clock import FakeClock
from zonewright.controller.controller import Controller, Result
from zonewright.controller.workqueue import LOW_PRIORITY, WorkQueue
from zonewright.metrics import REGISTRY
from zonewright.testing import eventually

KEY = Request("default", "www")


class Reconcile:
    """A reconciler that does what the test says."""

    def __init__(self, behaviour: Callable[[Request], Result | None]) -> None:
        self.reconcile = behaviour


def raising(error: BaseException) -> Callable[[Request], Result | None]:
    def reconcile(_: Request) -> Result | None:
        raise error

    return reconcile


def build(name: str, behaviour: Callable[[Request], Result | None]) -> tuple[Controller, FakeClock]:
    clock = FakeClock()
    queue: WorkQueue[Request] = WorkQueue(name, clock=clock, limiter=RateLimiter(chance=lambda: 0.5))
    return Controller(name, Reconcile(behaviour), queue=queue), clock


def reconcile_once(controller: Controller) -> None:
    request = controller.queue.get(timeout=0)
    assert request == KEY
    finish(controller)


def finish(controller: Controller) -> None:
    """As a worker does with the key in its hands."""
    controller.queue.done(KEY, forget=controller.process(KEY))


def value(metric: str, **labels: str) -> float:
    found = REGISTRY.get_sample_value(metric, labels)
    assert found is not None, f"{metric}{labels} does not exist"
    return found


def waits(controller: Controller) -> float | None:
    """Seconds until the key comes back; None if it does not."""
    items = controller.queue.snapshot()
    return items[0].seconds if items else None


OUTCOMES = {
    "nothing more to do": (lambda _: None, None, 0, "success"),
    "an empty result": (lambda _: Result(), None, 0, "success"),
    "again after a while": (lambda _: Result(requeue_after=60), 60, 0, "requeue_after"),
    "again at once": (lambda _: Result(requeue_after=0), 0, 0, "requeue_after"),
    "an exception is tried again after the back-off": (raising(OSError("no route")), 0.02, 3, "error"),
    "so is a conflict": (raising(Conflict("changed")), 0.02, 3, "error"),
    "and a bug": (raising(KeyError("spec")), 0.02, 3, "error"),
    "and what should never be raised": (raising(SystemExit(1)), 0.02, 3, "error"),
    "and a write that the fence refused": (raising(FencedOff("not the leader")), 0.02, 3, "error"),
    "a busy server says when to come back": (raising(TooManyRequests("busy", retry_after=7.0)), 7, 3, "error"),
    "a terminal error is not tried again": (raising(TerminalError("bad name")), None, 0, "error"),
    "nor is an object that does not fit its schema": (raising(InvalidObject("z", "no spec")), None, 0, "error"),
    "a result of the wrong type is a bug": (lambda _: "done", 0.02, 3, "error"),
}


@pytest.mark.parametrize(("behaviour", "comes_back", "failures", "result"), OUTCOMES.values(), ids=OUTCOMES.keys())
def test_outcomes(behaviour, comes_back, failures, result, request):
    name = request.node.name
    controller, _ = build(name, behaviour)
    controller.queue.add_rate_limited(KEY)  # it has failed twice before
    controller.queue.add_rate_limited(KEY)
    controller.enqueue(KEY)
    reconcile_once(controller)
    assert waits(controller) == (None if comes_back is None else pytest.approx(comes_back))
    assert controller.queue.failures(KEY) == failures
    assert value("controller_runtime_reconcile_total", controller=name, result=result) == 1
    assert value("controller_runtime_reconcile_time_seconds_count", controller=name) == 1


COUNTED = {
    "an error": (raising(OSError()), {"errors": 1, "terminal": 0, "panics": 0}),
    "a terminal error": (raising(TerminalError()), {"errors": 1, "terminal": 1, "panics": 0}),
    "a bug": (raising(AttributeError()), {"errors": 1, "terminal": 0, "panics": 1}),
    "an attempt to end the process": (raising(SystemExit()), {"errors": 1, "terminal": 0, "panics": 1}),
    "success": (lambda _: None, {"errors": 0, "terminal": 0, "panics": 0}),
}


@pytest.mark.parametrize(("behaviour", "counts"), COUNTED.values(), ids=COUNTED.keys())
def test_errors_are_counted_by_their_nature(behaviour, counts, request):
    name = request.node.name
    controller, _ = build(name, behaviour)
    controller.enqueue(KEY)
    reconcile_once(controller)
    assert counts == {
        "errors": value("controller_runtime_reconcile_errors_total", controller=name),
        "terminal": value("controller_runtime_terminal_reconcile_errors_total", controller=name),
        "panics": value("controller_runtime_reconcile_panics_total", controller=name),
    }


def test_a_retry_keeps_the_priority_of_the_initial_list():
    controller, _ = build("priority", raising(OSError()))
    controller.enqueue(KEY, priority=LOW_PRIORITY)
    reconcile_once(controller)
    assert controller.queue.snapshot()[0].priority == LOW_PRIORITY


def test_a_failure_is_logged_once_with_controller_key_and_reconcile_id():
    controller, _ = build("logged", raising(Conflict("changed")))
    controller.enqueue(KEY)
    lines: list[dict] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(json.loads(log.JsonFormatter().format(record)))  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    reconcile_once(controller)
    logging.getLogger().removeHandler(handler)
    (line,) = lines
    assert line["event"] == "reconcile failed"
    assert (line["controller"], line["key"]) == ("logged", "default/www")
    assert line["reconcile"].endswith("-1")
    assert "exception" not in line, "the world's fault needs no traceback"


def test_a_bug_is_logged_with_its_traceback(caplog):
    controller, _ = build("bug", raising(KeyError("spec")))
    controller.enqueue(KEY)
    reconcile_once(controller)
    assert caplog.records[0].exc_info


def test_every_reconcile_has_an_id_of_its_own():
    seen = []
    controller, _ = build("ids", lambda _: seen.append(log.bound()["reconcile"]))
    for _ in range(2):
        controller.enqueue(KEY)
        reconcile_once(controller)
    assert len(set(seen)) == 2


def test_the_deadline_is_passed_down():
    seen = []
    controller, _ = build("deadline", lambda _: seen.append(deadline.remaining(2000)))
    controller.timeout = 1000
    controller.enqueue(KEY)
    reconcile_once(controller)
    assert 500 < seen[0] <= 1000


def test_nothing_of_a_reconcile_is_left_behind_in_its_thread():
    controller, _ = build("clean", raising(OSError()))
    controller.enqueue(KEY)
    reconcile_once(controller)
    assert deadline.remaining(1000) == 1000
    assert log.bound() == {}


def test_a_reconcile_past_its_deadline_is_logged(caplog):
    controller, _ = build("late", lambda _: None)
    controller.timeout = -1
    controller.enqueue(KEY)
    reconcile_once(controller)
    assert "reconcile was late" in caplog.text


def test_all_series_exist_at_zero_from_the_start():
    build("fresh", lambda _: None)
    for result in ("success", "error", "requeue", "requeue_after"):
        assert value("controller_runtime_reconcile_total", controller="fresh", result=result) == 0
    for name in ("reconcile_errors_total", "terminal_reconcile_errors_total", "reconcile_panics_total"):
        assert value(f"controller_runtime_{name}", controller="fresh") == 0
    assert value("controller_runtime_active_workers", controller="fresh") == 0
    assert value("controller_runtime_max_concurrent_reconciles", controller="fresh") == 1
    queue = {"name": "fresh", "controller": "fresh"}
    for name in (
        "depth", "adds_total", "retries_total", "unfinished_work_seconds", "longest_running_processor_seconds",
        "queue_duration_seconds_count", "work_duration_seconds_count",
    ):  # fmt: skip
        assert value(f"workqueue_{name}", **queue) == 0


def test_the_queue_counts_what_passes_through_it():
    controller, clock = build("counted", raising(OSError()))
    controller.enqueue(KEY)
    queue = {"name": "counted", "controller": "counted"}
    assert value("workqueue_depth", **queue) == 1
    controller.queue.get(timeout=0)
    clock.advance(3)
    assert value("workqueue_depth", **queue) == 0
    assert value("controller_runtime_active_workers", controller="counted") == 1
    assert value("workqueue_unfinished_work_seconds", **queue) == 3
    assert value("workqueue_longest_running_processor_seconds", **queue) == 3
    finish(controller)
    assert value("workqueue_adds_total", **queue) == 2
    assert value("workqueue_retries_total", **queue) == 1
    assert value("workqueue_work_duration_seconds_sum", **queue) == 3


def test_workers_reconcile_survive_exceptions_and_end_when_told():
    done = threading.Event()
    seen: list[str] = []

    def behaviour(request: Request) -> None:
        seen.append(request.name)
        if request.name == "bad":
            raise ValueError("bad")
        done.set()

    controller = Controller("pool", Reconcile(behaviour), workers=1)
    controller.enqueue(Request("", "bad"))
    controller.enqueue(Request("", "good"))
    controller.start()
    assert done.wait(60)
    assert controller.complaint() is None
    assert controller.drain(60)
    assert controller.stop(60)
    assert seen[0] == "bad"
    assert "good" in seen, "the one worker outlived the exception"
    assert "workers have ended" in (controller.complaint() or "")


def test_a_stuck_worker_is_reported_and_not_waited_for():
    entered, release = threading.Event(), threading.Event()

    def behaviour(_: Request) -> None:
        entered.set()
        release.wait()

    controller = Controller("stuck", Reconcile(behaviour), timeout=0.001)
    controller.start()
    controller.enqueue(KEY)
    assert entered.wait(60)
    eventually(controller.complaint, every=0.001)
    assert "stuck has been reconciling default/www" in (controller.complaint() or "")
    assert (controller.oldest() or (None,))[0] == KEY
    assert not controller.drain(0)
    assert not controller.stop(0)
    release.set()
    assert controller.stop(60)
