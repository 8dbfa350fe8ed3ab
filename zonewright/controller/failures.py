"""Failures that last become a condition of the object: what nobody handled must not be known to the log alone.

The controller tells of every failure and success; the builder's `on_error` says which condition it is, and why. The
framework has no words of its own for either. Nothing is cleared here: the condition is one that the reconciler sets by
itself, and its next status differs from what is stored.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from zonewright import log
from zonewright.api.conditions import set_condition
from zonewright.api.errors import Conflict, FencedOff, Gone, ServerError, TooManyRequests, Unreachable
from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Object
from zonewright.api.patches import status_patch
from zonewright.client import deadline
from zonewright.clock import Clock, SystemClock

_log = log.get_logger(__name__)

UNEXPECTED_AFTER = 3
"""Failures in a row. The first two may be a cache that is behind, or another writer: gone within milliseconds."""

PASSING_AFTER = 12
"""The same for what usually passes by itself. With the queue's back-off of 5 ms, doubled, that is 10 s: it lasts."""

SPACING = 60.0
"""Seconds between two writes about one generation of an object. A write wakes the controllers that watch status: with a
message that is another one each time, every retry would be the cause of the next."""

TIMEOUT = 5.0
"""Of one write. The reconcile's own deadline may be over: that may be why it failed."""

# What a retry is for: somebody else was faster, the API server is busy or away, as is whatever else is on the network.
_PASSING = (Conflict, Gone, OSError, ServerError, TooManyRequests, Unreachable)


class Cached(Protocol):
    """What is asked of an informer."""

    def object(self, request: Request) -> Object[Any] | None: ...


class Objects(Protocol):
    """What is asked of the client."""

    def get_object(self, kind: Kind[Any], name: str, namespace: str, *, timeout: float) -> Object[Any]: ...
    def patch(
        self,
        kind: Kind[Any],
        name: str,
        body: Mapping[str, Any],
        *,
        namespace: str,
        subresource: str | None,
        timeout: float,
    ) -> Object[Any]: ...


@dataclass(slots=True)
class _Failing:
    """A key that has failed since it last succeeded."""

    unexpected: int = 0
    generation: int | None = None  # of the object when it was last told
    told_at: float = 0.0
    complained: bool = False  # that it could not be told


class FailureConditions:
    """Thread-safe; a key is in the hands of one worker at a time."""

    def __init__(
        self,
        kind: Kind[Any],
        cache: Cached,
        client: Objects,
        *,
        condition: str,
        reason: str,
        whole: bool = True,
        clock: Clock | None = None,
    ) -> None:
        self._kind, self._cache, self._client = kind, cache, client
        self._whole = whole  # a cache that holds less than the objects may lack their other conditions
        self._condition, self._reason = condition, reason
        self._clock: Clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._failing: dict[Request, _Failing] = {}

    def succeeded(self, request: Request) -> None:
        if self._failing:
            with self._lock:
                self._failing.pop(request, None)

    def failed(self, request: Request, error: BaseException, failures: int, *, final: bool) -> None:
        """The key has failed so many times in a row; `final`: it is not tried again. Raises nothing."""
        if isinstance(error, FencedOff):
            return  # another replica leads: it finds out for itself
        with self._lock:
            failing = self._failing.setdefault(request, _Failing())
        passing = isinstance(error, _PASSING)
        failing.unexpected += not passing
        if final or failures >= PASSING_AFTER or (not passing and failing.unexpected >= UNEXPECTED_AFTER):
            self._tell(request, failing, error)

    def _tell(self, request: Request, failing: _Failing, error: BaseException) -> None:
        try:
            with deadline.within(TIMEOUT):
                self._write(request, failing, sentence(error))
        except Exception as problem:  # noqa: BLE001 - whatever it is, the retries go on and the log has both
            if not failing.complained:
                failing.complained = True
                _log.warning("failure could not be told in status", error=sentence(problem))

    def _write(self, request: Request, failing: _Failing, message: str) -> None:
        found = self._cache.object(request)
        now = self._clock.monotonic()
        if found is None or (found.generation == failing.generation and now - failing.told_at < SPACING):
            return
        try:
            self._patch(found if self._whole else self._read(found), message)
        except Conflict:  # the cache is behind, and after a final failure nobody comes back
            self._patch(self._read(found), message)
        failing.generation, failing.told_at, failing.complained = found.generation, now, False

    def _read(self, found: Object[Any]) -> Object[Any]:
        return self._client.get_object(self._kind, found.name, found.namespace, timeout=TIMEOUT)

    def _patch(self, found: Object[Any], message: str) -> None:
        # Also of an object that cannot be read as a whole: that may be the very failure.
        before = {key: value for key, value in found.status().items() if value is not None}
        conditions = set_condition(
            before.get("conditions"), self._condition, False, self._reason, message, found.generation, self._clock.now()
        )
        patch = status_patch(found, before, {**before, "conditions": conditions})
        if patch is not None:
            self._client.patch(
                self._kind, found.name, patch, namespace=found.namespace, subresource="status", timeout=TIMEOUT
            )


def sentence(error: BaseException) -> str:
    """An exception's type and text in one line: no traceback, and no token that a library has put there."""
    try:
        text = str(error).partition("Traceback (most recent call last)")[0]
    except Exception:  # noqa: BLE001 - a __str__ that fails too
        text = ""
    text = log.without_secrets(" ".join(text.split()))
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
