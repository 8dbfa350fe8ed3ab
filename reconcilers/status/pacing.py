"""When a zone's turn is, and when its status is written: many records change at once, and the zone is one."""

from collections.abc import Iterator
from contextlib import contextmanager

from reconcilers.timing import BETWEEN_WRITES, LONGEST_REST, PASSING, REST_FACTOR
from zonewright import Clock, Request


class InstallThrottle:
    """To install a zone costs in proportion to its size, and every changed record asks for it.

    A single change never waits. In a burst zones take a part of the processor and leave the rest to their records. The
    API server's time with a large status does not count: the next change would wait for nothing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._next: dict[Request, float] = {}

    def wait(self, key: Request) -> float:
        """Seconds until the zone's next turn."""
        return self._next.get(key, 0.0) - self._clock.monotonic()

    @contextmanager
    def taken(self, key: Request) -> Iterator[None]:
        begun = self._clock.monotonic()
        try:
            yield
        finally:
            ended = self._clock.monotonic()
            self._next[key] = ended + min(REST_FACTOR * (ended - begun), LONGEST_REST)

    def forget(self, key: Request) -> None:
        self._next.pop(key, None)


class StatusDebounce:
    """When a zone's status may be written: not while a change is under way for a moment, and not too often."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wrote: dict[Request, float] = {}
        self._unpublished: dict[Request, float] = {}

    def hold_back(self, key: Request, *, published: bool) -> float:
        """Seconds that a change under way still has before status tells of it."""
        if published:
            self.published(key)
            return 0.0
        now = self._clock.monotonic()
        return PASSING - (now - self._unpublished.setdefault(key, now))

    def published(self, key: Request) -> None:
        self._unpublished.pop(key, None)

    def spacing(self, key: Request) -> float:
        """Seconds until the next write."""
        last = self._wrote.get(key)
        return 0.0 if last is None else BETWEEN_WRITES - (self._clock.monotonic() - last)

    def wrote(self, key: Request) -> None:
        self._wrote[key] = self._clock.monotonic()

    def forget(self, key: Request) -> None:
        self._wrote.pop(key, None)
        self._unpublished.pop(key, None)
