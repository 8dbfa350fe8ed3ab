"""Time as an input: whatever waits or measures asks a `Clock`, so that its tests need no sleep.

It knows nothing else. `SystemClock` is the real one; `FakeClock` stands still until a test moves it.
"""

import datetime as dt
import threading
import time
from typing import Protocol


class Clock(Protocol):
    """What tells time and waits: `SystemClock`, or a `FakeClock` in tests."""

    def monotonic(self) -> float:
        """Seconds that only ever grow; good for durations and deadlines, meaningless as a date."""

    def now(self) -> dt.datetime:
        """The wall clock, aware, in UTC; good for what people read, never for deadlines."""

    def sleep(self, seconds: float) -> None:
        """Returns after `seconds`."""

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Returns early, and true, when the event is set."""


class SystemClock:
    """The machine's own clocks."""

    # time.monotonic itself, not a method around it: queues call it for every key.
    monotonic = staticmethod(time.monotonic)
    sleep = staticmethod(time.sleep)

    def now(self) -> dt.datetime:
        """The wall clock, in UTC."""
        return dt.datetime.now(dt.UTC)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Returns early, and true, when the event is set."""
        return event.wait(seconds)


class FakeClock:
    """Starts at a fixed moment and moves only with `advance`, `sleep` or `wait`, which do so at once."""

    def __init__(self, start: dt.datetime = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._elapsed = 0.0

    def monotonic(self) -> float:
        """Seconds since the start."""
        with self._lock:
            return self._elapsed

    def now(self) -> dt.datetime:
        """The start plus what passed since."""
        return self._start + dt.timedelta(seconds=self.monotonic())

    def advance(self, seconds: float) -> None:
        """Let so many seconds pass."""
        with self._lock:
            self._elapsed += seconds

    def sleep(self, seconds: float) -> None:
        """Advances and returns at once."""
        self.advance(max(0.0, seconds))

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Advances unless the event is set."""
        if not event.is_set():
            self.sleep(seconds)
        return event.is_set()
