"""How long the reconcile that runs in this thread may still take.

A thread cannot be killed, so its deadline is passed down instead: whatever waits inside a reconcile (the API client,
a request to anything else) bounds its own timeout by `remaining`. It knows neither controllers nor what is waited for.
"""

import contextlib
import contextvars
import time
from collections.abc import Iterator

_deadline: contextvars.ContextVar[float | None] = contextvars.ContextVar("deadline", default=None)


def remaining(at_most: float) -> float:
    """`at_most` seconds, or less where the current reconcile's deadline comes first; never below a millisecond."""
    deadline = _deadline.get()
    if deadline is None:
        return at_most
    return max(0.001, min(at_most, deadline - time.monotonic()))


def expired() -> bool:
    deadline = _deadline.get()
    return deadline is not None and time.monotonic() >= deadline


def begin(seconds: float) -> contextvars.Token[float | None]:
    """The current thread starts something that may take this long; `end` takes what this returns.

    As `within`, for a hot path: a generator costs more than what it guards.
    """
    return _deadline.set(time.monotonic() + seconds)


def end(token: contextvars.Token[float | None]) -> None:
    _deadline.reset(token)


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    token = begin(seconds)
    try:
        yield
    finally:
        end(token)
