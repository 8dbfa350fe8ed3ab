"""The last check before a write: is the lease that allows it still ours?

Threads outlive a lost lease, so every write, to the API and elsewhere, asks the fence just before it is sent. The
elector moves the deadline forward with each renewal; nothing else knows the lease. The deadline is monotonic and is
counted from the moment *before* the renewal was sent, so that no other replica can have seen the lease expire while the
fence is still open.
"""

import math
import threading

from zonewright.api.errors import FencedOff
from zonewright.clock import Clock, SystemClock


class Fence:
    """Closed when made. `open_until(math.inf)` is for processes that run without leader election."""

    def __init__(self, clock: Clock | None = None, *, why: str = "this process does not hold the leader lease") -> None:
        self._why = why
        self._monotonic = (clock or SystemClock()).monotonic
        self._lock = threading.Lock()
        self._deadline = -math.inf
        self._closed_for_good = False

    def check(self) -> None:
        """Raises `FencedOff` when the lease's deadline has passed: whatever was to be written must not be."""
        if self._monotonic() >= self._deadline:
            raise FencedOff(f"{self._why}: nothing may be written")

    @property
    def is_open(self) -> bool:
        """Whether writes may be sent."""
        return self._monotonic() < self._deadline

    def remaining(self) -> float:
        """Seconds until the fence closes; a write's timeout should not be longer."""
        return max(0.0, self._deadline - self._monotonic())

    def open_until(self, deadline: float) -> None:
        """Let writes pass until this moment of the monotonic clock."""
        with self._lock:
            if not self._closed_for_good:
                self._deadline = deadline

    def close(self) -> None:
        """For good: a renewal that was under way cannot open it again."""
        with self._lock:
            self._closed_for_good = True
            self._deadline = -math.inf
