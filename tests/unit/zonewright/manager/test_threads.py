"""Every thread of a manager outlives whatever one item does to it; and if one ends nevertheless, /livez is red."""

import threading
from typing import Any

import pytest

from zonewright import Config, Manager, ManagerOptions
from zonewright.api.kind import Request
from zonewright.manager.recorder import EventRecorder
from zonewright.testing import eventually


@pytest.fixture
def manager():
    """Without kinds: it works at once, on an API server that is not there."""
    made = []

    def make(**options: Any) -> Manager:
        config = Config("http://127.0.0.1:1", lambda: "Bearer token")
        manager = Manager(config, ManagerOptions(**options), exit_process=lambda _: None)
        made.append(manager)
        return manager

    yield make
    for each in made:
        each.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_livez_tells_of_events_that_nobody_writes_any_more(manager, monkeypatch):
    def end(self: EventRecorder) -> None:
        raise KeyError("a bug that nobody knows yet")

    monkeypatch.setattr(EventRecorder, "_take", end)
    running = manager()
    assert running.live.report()[0]
    running.start()
    assert running.wait_until_working(60)
    eventually(lambda: not running.live.report()[0])
    assert "[-]events: its thread has ended" in running.live.report()[1]


def test_a_start_that_ends_its_thread_ends_the_process(manager):
    class Runnable:
        def start(self) -> None:
            raise SystemExit(3)

        def stop(self) -> None:
            """Nothing to do."""

    running = manager()
    running.add_runnable(Runnable())
    running.start()
    assert running._ending.wait(60), "it does not stay there, without workers and with livez green"
    assert running._exit_code == 1


def test_a_resync_that_fails_is_not_the_last(manager, monkeypatch):
    resynced = threading.Semaphore(0)

    def fail() -> None:
        resynced.release()
        raise RecursionError

    running = manager(resync=0.001)
    builder = running.controller("odd", None)
    monkeypatch.setattr(builder, "resync", fail)
    running.start()
    for _ in range(3):
        assert resynced.acquire(timeout=60)
    assert running.live.report()[0]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_livez_tells_of_a_resync_that_ended(manager, monkeypatch):
    def end(period: float) -> None:
        raise RecursionError

    running = manager(resync=0.001)
    monkeypatch.setattr(running, "_resync", end)
    running.start()
    eventually(lambda: "[-]resync: its thread has ended" in running.live.report()[1])


class Hostile(Exception):
    """Cannot even be told."""

    def __str__(self) -> str:
        raise RecursionError


class Observer:
    def succeeded(self, request: Request) -> None:
        raise RecursionError

    def failed(self, request: Request, error: BaseException, failures: int, *, final: bool) -> None:
        raise SystemExit


@pytest.mark.parametrize(
    "error", [Hostile(), KeyError("spec"), SystemExit(1), None], ids=lambda error: type(error).__name__
)
def test_a_worker_outlives_what_deals_with_failures(manager, error):
    calls = threading.Semaphore(0)

    class Failing:
        def reconcile(self, request: Request) -> None:
            calls.release()
            if error is not None:
                raise error

    running = manager()
    controller = running.controller("odd", Failing()).controller
    controller.observer = Observer()
    running.start()
    controller.enqueue(Request("n", "a"))
    for _ in range(4):
        assert calls.acquire(timeout=60), "the key comes back"
    assert running.live.report()[0]
