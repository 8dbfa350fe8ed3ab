"""What a manager has to know before it may work: asked for until it is known, or until it is clear that it cannot."""

import threading
from collections.abc import Iterator

import pytest

from zonewright import CannotStart, Config, LeaseOptions, Manager, ManagerOptions, Unreachable
from zonewright.client.backoff import Backoff
from zonewright.manager import manager as module


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[Manager]:
    """Without kinds: it works at once, on an API server that is not there."""
    monkeypatch.setattr(module, "PREPARING", Backoff(base=0.001, cap=0.01))
    made = Manager(Config("http://127.0.0.1:1", lambda: "Bearer token"), ManagerOptions(), exit_process=lambda _: None)
    yield made
    made.stop()


class Runnable:
    def __init__(self) -> None:
        self.started = threading.Event()

    def start(self) -> None:
        self.started.set()

    def stop(self) -> None:
        """Nothing to do."""


def test_it_is_tried_until_the_api_server_answers_and_nothing_runs_before(manager: Manager) -> None:
    runnable, tries = Runnable(), []

    def prepare() -> None:
        tries.append(runnable.started.is_set())
        if len(tries) < 4:
            raise Unreachable("timed out")

    manager.add_preparation(prepare)
    manager.add_runnable(runnable)
    manager.start()
    assert manager.wait_until_working(60)
    assert runnable.started.is_set()
    assert tries == [False] * 4


def test_one_that_cannot_succeed_ends_the_process_with_one_line(
    manager: Manager, caplog: pytest.LogCaptureFixture
) -> None:
    def prepare() -> None:
        raise CannotStart("allow `get` on namespace kube-system")

    runnable = Runnable()
    manager.add_preparation(prepare)
    manager.add_runnable(runnable)
    manager.start()
    assert manager._ending.wait(60)
    manager.stop()
    assert manager._exit_code == 1
    assert not runnable.started.is_set()
    (told,) = [record for record in caplog.records if "cannot start" in record.getMessage()]
    assert told.__dict__["fields"] == {"error": "allow `get` on namespace kube-system"}
    assert told.exc_info is None


def test_a_stop_does_not_wait_for_it(manager: Manager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PREPARING", Backoff(base=1000.0))
    asked = threading.Event()

    def prepare() -> None:
        asked.set()
        raise Unreachable("timed out")

    manager.add_preparation(prepare)
    manager.start()
    assert asked.wait(60)
    manager.stop()
    assert not manager.wait_until_working(0)


def test_a_replica_that_is_not_prepared_does_not_ask_for_the_lease() -> None:
    """Else one that can never work would keep the others from working. Here nobody ever gets the lease."""
    options = ManagerOptions(leader_election=LeaseOptions("own", "lease"))
    manager = Manager(Config("http://127.0.0.1:1", lambda: "Bearer token"), options, exit_process=lambda _: None)
    prepared = threading.Event()
    manager.add_preparation(prepared.set)
    manager.start()
    try:
        assert prepared.wait(60)
    finally:
        manager.stop()
