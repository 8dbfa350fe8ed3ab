"""The worker pool: takes keys from the queue, calls the reconciler, and decides what each outcome means.

| reconcile ends with          | then                                                             |
|------------------------------|------------------------------------------------------------------|
| an exception                 | back in the queue after the key's back-off; counted, logged once |
| `TerminalError`              | not tried again until something changes; counted, logged once    |
| `InvalidObject`              | the same: the object does not fit its schema                     |
| `Result(requeue_after=d)`    | back-off forgotten, back in the queue after d seconds            |
| `Result()` or None           | back-off forgotten                                               |

No exception of a reconciler ends a worker, nor one of what hears of it. An `observer` is told of each outcome:
`failures.py` writes those that last into status. It knows keys and threads: what wakes a key up is the builder's part,
what is done about it the reconciler's.
"""

import itertools
import os
import threading
import time
from dataclasses import dataclass
from typing import Protocol

from zonewright import log, metrics
from zonewright.api.errors import ApiError, FencedOff, InvalidObject, TerminalError, TooManyRequests
from zonewright.api.kind import Request
from zonewright.client import deadline
from zonewright.controller.failures import sentence
from zonewright.controller.workqueue import LOW_PRIORITY, WorkQueue

__all__ = ["LOW_PRIORITY", "Controller", "Reconciler", "Result"]

_log = log.get_logger(__name__)

_TOTAL = metrics.counter("controller_runtime_reconcile_total", "Reconciles by outcome.", "controller", "result")
_ERRORS = metrics.counter("controller_runtime_reconcile_errors_total", "Reconciles that raised.", "controller")
_TERMINAL = metrics.counter(
    "controller_runtime_terminal_reconcile_errors_total", "Reconciles that raised TerminalError.", "controller"
)
_PANICS = metrics.counter(
    "controller_runtime_reconcile_panics_total", "Reconciles that raised what only a bug raises.", "controller"
)
_TIME = metrics.histogram("controller_runtime_reconcile_time_seconds", "Duration of a reconcile.", "controller")
_WORKERS = metrics.gauge("controller_runtime_max_concurrent_reconciles", "Workers.", "controller")
_ACTIVE = metrics.gauge("controller_runtime_active_workers", "Workers that reconcile right now.", "controller")

# What Go would panic about: a nil dereference, an index out of range, a division by zero, a failed assertion.
_BUGS = (ArithmeticError, AssertionError, AttributeError, LookupError, NameError, RecursionError, TypeError)
# The world's fault, not the code's: where it was noticed says nothing, so that the traceback is left out of the log.
_ORDINARY = (ApiError, FencedOff, OSError)
# Trying again cannot help before the object changes, and then it is tried again anyway.
_FOR_GOOD = (InvalidObject, TerminalError)


@dataclass(frozen=True, slots=True)
class Result:
    """What a reconcile asks for. `requeue_after` is in seconds."""

    requeue_after: float | None = None


class Reconciler(Protocol):
    """What a team writes: makes the world match one object, whatever has happened before."""

    def reconcile(self, request: Request) -> Result | None:
        """Brings the world to what the object at this key says. Called again and again: must be idempotent."""


_NOTHING_MORE = Result()


class Observer(Protocol):
    """Hears how each reconcile ended. Must not raise."""

    def succeeded(self, request: Request) -> None: ...
    def failed(self, request: Request, error: BaseException, failures: int, *, final: bool) -> None: ...


class Controller:
    """One reconciler with its queue and its workers. `timeout` is how long one reconcile should take at most."""

    def __init__(
        self,
        name: str,
        reconciler: Reconciler,
        *,
        workers: int = 1,
        timeout: float = 120.0,
        queue: WorkQueue[Request] | None = None,
    ) -> None:
        self.name = name
        self.workers = workers
        self.timeout = timeout
        self.queue: WorkQueue[Request] = WorkQueue(name) if queue is None else queue
        self.observer: Observer | None = None
        self._reconciler = reconciler
        self._threads: list[threading.Thread] = []
        self._ids = itertools.count(1)
        self._run = os.urandom(3).hex()  # tells the reconciles of this process from those of the one before
        self._register_metrics()

    def enqueue(self, request: Request, *, priority: int = 0, after: float = 0.0, reason: str = "") -> None:
        """Wakes a key up, from any thread: for what no watch tells of."""
        self.queue.add(request, priority=priority, after=after, reason=reason)

    # -- life

    def start(self) -> None:
        """Start the workers."""
        for number in range(self.workers):
            thread = threading.Thread(target=self._work, name=f"{self.name}-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def drain(self, timeout: float) -> bool:
        """No more keys come in; true once those that are due have been reconciled and nothing is in work."""
        return self.queue.drain(timeout)

    def stop(self, timeout: float) -> bool:
        """Hands out nothing more; true when every worker has ended in time."""
        self.queue.shut_down()
        end = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def oldest(self) -> tuple[Request, float] | None:
        """The reconcile that has been under way for longest, and for how many seconds."""
        return max(self.queue.processing().items(), key=lambda item: item[1], default=None)

    def complaint(self) -> str | None:
        """Why this controller is not well; None when it is."""
        if dead := [thread.name for thread in self._threads if not thread.is_alive()]:
            return f"workers have ended: {', '.join(dead)}"
        oldest = self.oldest()
        # A thread cannot be killed: past its deadline it gets as long again for noticing that.
        if oldest is not None and oldest[1] > 2 * self.timeout:
            return f"{self.name} has been reconciling {oldest[0]} for {oldest[1]:.0f} s"
        return None

    # -- work

    def _work(self) -> None:
        exchange, process = self.queue.exchange, self.process
        request = self.queue.get(standby=True)  # at the start all workers come at once
        while request is not None:
            try:
                well = process(request)
            except BaseException as error:  # noqa: BLE001 - what deals with failures failed: the key must come back
                well = self._mishandled(request, error)
            request = exchange(request, forget=well)

    def _mishandled(self, request: Request, error: BaseException) -> bool:
        self.queue.add_rate_limited(request, reason=sentence(error))
        _log.error("outcome of a reconcile could not be handled", exc_info=error, controller=self.name, key=request)
        return False

    def process(self, request: Request) -> bool:
        """One reconcile of a key that the queue handed out, and its outcome: true when its back-off is over."""
        bound = log.begin(controller=self.name, key=request, reconcile=f"{self._run}-{next(self._ids)}")
        limit = deadline.begin(self.timeout)
        started = time.monotonic()
        try:
            result = self._reconciler.reconcile(request)
            return self._succeeded(request, result or _NOTHING_MORE)
        except BaseException as error:  # noqa: BLE001 - a worker outlives whatever a reconciler raises
            return self._failed(request, error)
        finally:
            self._timed(time.monotonic() - started)
            deadline.end(limit)
            log.end(bound)

    def _timed(self, seconds: float) -> None:
        self._time.observe(seconds)
        if seconds > self.timeout:
            _log.warning("reconcile was late", seconds=seconds, limit=self.timeout)

    def _succeeded(self, request: Request, result: Result) -> bool:
        if self.observer is not None:
            self.observer.succeeded(request)
        after = result.requeue_after
        if after is None:
            self._success.inc()
        else:
            self.queue.requeue(request, after, reason="requeue_after")
            self._requeue_after.inc()
        return True

    def _failed(self, request: Request, error: BaseException) -> bool:
        self._error.inc()
        self._errors.inc()
        if isinstance(error, _BUGS) or not isinstance(error, Exception):
            self._panics.inc()
        final = isinstance(error, _FOR_GOOD)
        if final:
            self._terminal.inc()
            _log.warning("reconcile failed for good", error=sentence(error))
        else:
            self._retry(request, error)
        if self.observer is not None:
            self.observer.failed(request, error, self.queue.failures(request), final=final)
        return final

    def _retry(self, request: Request, error: BaseException) -> None:
        wait = error.retry_after if isinstance(error, TooManyRequests) else 0.0
        delay = self.queue.add_rate_limited(request, at_least=wait, reason=sentence(error))
        _log_failure(error, self.queue.failures(request), delay)

    def _register_metrics(self) -> None:
        name = self.name
        self._success, self._error = _TOTAL.labels(name, "success"), _TOTAL.labels(name, "error")
        self._requeue_after = _TOTAL.labels(name, "requeue_after")
        _TOTAL.labels(name, "requeue")  # controller-runtime has it: a dashboard that asks for it shall find it
        self._errors, self._terminal, self._panics = _ERRORS.labels(name), _TERMINAL.labels(name), _PANICS.labels(name)
        self._time = _TIME.labels(name)
        _WORKERS.labels(name).set(self.workers)
        _ACTIVE.labels(name).set_function(lambda: len(self.queue.processing()))


def _log_failure(error: BaseException, failures: int, delay: float) -> None:
    if isinstance(error, _ORDINARY):
        _log.warning("reconcile failed", error=sentence(error), failures=failures, retry_in=delay)
    else:
        _log.error("reconcile failed", exc_info=error, error=sentence(error), failures=failures, retry_in=delay)
