"""How long a key that keeps failing waits for its next try: 5 ms, doubled each time, up to 1000 s, within 10 %.

Pure but for the random numbers, which are an input. It knows keys by equality and nothing of queues.
"""

import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Backoff:
    """client-go's default per-item limiter, plus jitter: keys that failed together must not come back together."""

    base: float = 0.005
    cap: float = 1000.0
    jitter: float = 0.1

    def delay(self, failures: int, chance: float) -> float:
        """After so many earlier failures; `chance` in [0, 1) picks a place within the jitter."""
        # 2**64 of any sane base is past the cap; without the bound a key that fails for a year overflows a float.
        exact = min(self.cap, self.base * 2.0 ** min(failures, 64))
        return exact * (1 + self.jitter * (2 * chance - 1))


class RateLimiter(Generic[K]):
    """Counts failures per key. Not thread-safe: the queue that owns it holds its own lock around every call."""

    def __init__(self, backoff: Backoff = Backoff(), chance: Callable[[], float] = random.random) -> None:  # noqa: B008 - frozen
        self._backoff = backoff
        self._chance = chance
        self._failures: dict[K, int] = {}

    def next_delay(self, key: K) -> float:
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        return self._backoff.delay(failures, self._chance())

    def failures(self, key: K) -> int:
        return self._failures.get(key, 0)

    def forget(self, key: K) -> None:
        self._failures.pop(key, None)
