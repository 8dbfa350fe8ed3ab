"""What a manager makes of signals, whatever they interrupt. With real signals: tests/integration/zonewright/runtime."""

import signal
import threading
from contextlib import closing

import pytest

from zonewright import Config, Manager
from zonewright.manager.manager import Wakeup


class Process:
    """A manager that runs, in a thread instead of the main one. Signals come from the test only."""

    def __init__(self) -> None:
        self.exits: list[int] = []
        self.codes: list[int] = []
        config = Config("http://127.0.0.1:1", lambda: "Bearer token")
        self.manager = Manager(config, exit_process=self.exits.append)
        self.main = threading.Thread(target=lambda: self.codes.append(self.manager.run()), daemon=True)

    def signal(self, number: signal.Signals) -> None:
        self.manager._on_signal(number, None)

    def ended(self) -> list[int]:
        self.main.join(60)
        return self.codes


@pytest.fixture
def process(monkeypatch):
    monkeypatch.setattr(Manager, "_handle_signals", lambda *_: None)  # only a main thread can
    monkeypatch.setattr("sys.setswitchinterval", lambda _: None)  # that of the test run stays as it is
    made = Process()
    made.main.start()
    assert made.manager.wait_until_working(60)
    yield made
    made.manager.stop()


def test_the_first_signal_ends_it_in_order(process):
    process.signal(signal.SIGTERM)
    assert process.ended() == [0]
    assert process.exits == []


def test_who_stops_it_from_another_thread_ends_it_too(process):
    process.manager.stop()
    assert process.ended() == [0]


def test_a_signal_is_heard_whatever_lock_the_main_thread_holds(process):
    """A handler runs in the middle of what the main thread does, and that is to wait for the end of the process."""

    def interrupted() -> None:
        with process.manager._ending._cond:
            process.signal(signal.SIGTERM)

    handling = threading.Thread(target=interrupted, daemon=True)
    handling.start()
    handling.join(30)
    assert not handling.is_alive(), "the handler waits for what it interrupted"
    assert process.ended() == [0]


def test_a_second_signal_ends_it_at_once_even_before_the_first_one_is_dealt_with(process):
    with process.manager._ending._cond:  # the stop that the first one asks for cannot begin
        for _ in range(2):
            process.signal(signal.SIGINT)
    assert process.exits == [128 + signal.SIGINT]


def test_a_lost_lease_ends_it_with_an_error(process, monkeypatch):
    monkeypatch.setattr(process.manager, "_exit_if_late", lambda: None)  # the last resort is another test's
    process.manager._on_lost()
    assert process.ended() == [1]


def test_a_signal_wakes_the_manager_in_whichever_thread_it_arrives(monkeypatch):
    heard: list[int] = []
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with closing(Wakeup()) as wakeup:
        monkeypatch.setattr(wakeup, "hear_signals", lambda: heard.append(1))
        Manager(Config("http://127.0.0.1:1", lambda: "Bearer token"))._handle_signals(wakeup)
    assert heard == [1]
