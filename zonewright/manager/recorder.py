"""Kubernetes Events: what `kubectl describe` shows below an object. Recording one never blocks and never fails.

The same event again (same object, type, reason and message) adds to the count of the first. A background thread does
the writing; a burst of equal events is one write. Each object has a budget, so that one flapping object cannot flood
the API server, and what is over it is counted and dropped. Events are for people: nothing may depend on one being
seen.
"""

import contextlib
import datetime as dt
import itertools
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from zonewright import log, metrics
from zonewright.api.conditions import shortened, timestamp
from zonewright.api.errors import ApiError, FencedOff, NotFound
from zonewright.api.identity import Identity, identify
from zonewright.api.kind import Kind
from zonewright.clock import Clock, SystemClock

EVENT: Kind[dict[str, Any]] = Kind("", "v1", "Event", "events")

_log = log.get_logger(__name__)
_WRITTEN = metrics.counter("zonewright_events_written_total", "Event writes.").labels()
_DROPPED = metrics.counter("zonewright_events_dropped_total", "Events over an object's budget or unwritable.").labels()

EventType = Literal["Normal", "Warning"]

# client-go's spam filter: 25 at once, then one in five minutes, per object.
BURST = 25
REFILL = 300.0
# How many different events are remembered for aggregation, and how many may wait to be written.
REMEMBERED = 4096
WAITING = 1000


class Events(Protocol):
    """The part of `Client` that is needed."""

    def create(self, kind: Kind[Any], obj: Any, *, timeout: float) -> Any: ...
    def patch(self, kind: Kind[Any], name: str, body: Mapping[str, Any], *, namespace: str, timeout: float) -> Any: ...


class _What(NamedTuple):
    """Events that agree in this are one."""

    subject: Identity
    type: EventType
    reason: str
    message: str


@dataclass(slots=True)
class _Known:
    name: str
    count: int


@dataclass(slots=True)
class _Budget:
    tokens: float
    at: float


class EventRecorder:
    """Writes Kubernetes events about objects, in the background: aggregated, limited, never in a reconcile's way."""

    def __init__(
        self, client: Events, component: str = "operator", *, clock: Clock | None = None, read_only: bool = False
    ) -> None:
        """`read_only`: nothing is written, and nothing is kept."""
        self._client, self._component, self._read_only = client, component, read_only
        self._clock: Clock = clock or SystemClock()
        self._condition = threading.Condition()
        self._pending: dict[_What, int] = {}  # guarded by the condition, as is _busy
        self._busy = False
        self._stopping = False
        self._known: OrderedDict[_What, _Known] = OrderedDict()  # the writer's own, as are the budgets
        self._budgets: OrderedDict[str, _Budget] = OrderedDict()
        self._numbers = itertools.count(1)
        self._thread: threading.Thread | None = None

    def record(self, kind: Kind[Any] | None, subject: object, type: EventType, reason: str, message: str) -> None:  # noqa: A002 - as the API names it
        """`subject` is a cache's view, a model or a dict; `kind` is needed only for one that does not name its own."""
        if self._read_only:
            return
        who = identify(subject)
        if kind is not None:
            who = Identity(kind.api_version, kind.kind, who.namespace, who.name, who.uid, "")
        else:
            who = Identity(who.api_version, who.kind, who.namespace, who.name, who.uid, "")
        what = _What(who, type, reason, shortened(message))
        with self._condition:
            if what not in self._pending and len(self._pending) >= WAITING:
                _DROPPED.inc()
                return
            self._pending[what] = self._pending.get(what, 0) + 1
            self._condition.notify_all()

    def start(self) -> None:
        """Start to write, in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="events", daemon=True)
        self._thread.start()

    def flush(self, timeout: float) -> bool:
        """Waits until everything recorded so far was written or given up; false when that took longer."""
        with self._condition:
            return self._condition.wait_for(lambda: not self._pending and not self._busy, timeout)

    def stop(self, timeout: float = 5.0) -> None:
        """Write what waits, as far as the time goes, and end."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join(timeout)

    def complaint(self) -> str | None:
        """Why no event is written any more; None when all is well, and before the start."""
        ended = self._thread is not None and not self._stopping and not self._thread.is_alive()
        return "its thread has ended" if ended else None

    def _run(self) -> None:
        while (batch := self._take()) is not None:
            for what, count in batch.items():
                self.write(what, count)
            with self._condition:
                self._busy = False
                self._condition.notify_all()

    def _take(self) -> dict[_What, int] | None:
        with self._condition:
            self._condition.wait_for(lambda: self._pending or self._stopping)
            if not self._pending:
                return None
            batch, self._pending = self._pending, {}
            self._busy = True
            return batch

    def write(self, what: _What, count: int) -> None:
        """One write, or none when the object is over its budget. Whatever goes wrong is counted, not raised."""
        if not self._has_budget(what.subject.uid or what.subject.name):
            _DROPPED.inc(count)
            return
        try:
            self._write(what, count)
            _WRITTEN.inc()
        except (ApiError, FencedOff, OSError) as error:
            _DROPPED.inc(count)
            _log.debug("event was not written", reason=what.reason, error=str(error))
        except Exception as error:  # noqa: BLE001 - one event must not end the thread that writes all of them
            _DROPPED.inc(count)
            _log.error("event was not written", exc_info=error, reason=what.reason)

    def _write(self, what: _What, count: int) -> None:
        known = self._known.get(what)
        if known is not None:
            known.count += count
            body = {"count": known.count, "lastTimestamp": self._now()}
            with contextlib.suppress(NotFound):  # the API server forgets events after an hour: then it is a new one
                self._client.patch(EVENT, known.name, body, namespace=_namespace(what.subject), timeout=5.0)
                self._known.move_to_end(what)
                return
        name = self._new_name(what.subject)
        self._client.create(EVENT, self._event(what, name, count), timeout=5.0)
        _remember(self._known, what, _Known(name, count))

    def _has_budget(self, subject: str) -> bool:
        now = self._clock.monotonic()
        budget = self._budgets.get(subject) or _Budget(BURST, now)
        budget.tokens = min(BURST, budget.tokens + (now - budget.at) / REFILL)
        budget.at = now
        _remember(self._budgets, subject, budget)
        if budget.tokens < 1:
            return False
        budget.tokens -= 1
        return True

    def _new_name(self, subject: Identity) -> str:
        # As client-go: the object's name and something unique, so that events of one object sort together.
        nanoseconds = int(self._clock.now().timestamp() * 1e6) * 1000 + next(self._numbers)
        return f"{subject.name[:200].rstrip('.-')}.{nanoseconds:x}"

    def _event(self, what: _What, name: str, count: int) -> dict[str, Any]:
        subject, now = what.subject, self._now()
        return {
            "apiVersion": EVENT.api_version,
            "kind": EVENT.kind,
            "metadata": {"name": name, "namespace": _namespace(subject)},
            "involvedObject": {
                "apiVersion": subject.api_version,
                "kind": subject.kind,
                "namespace": subject.namespace,
                "name": subject.name,
                "uid": subject.uid,
            },
            "type": what.type,
            "reason": what.reason,
            "message": what.message,
            "source": {"component": self._component},
            "reportingComponent": self._component,
            "firstTimestamp": now,
            "lastTimestamp": now,
            "count": count,
        }

    def _now(self) -> str:
        return timestamp(self._clock.now().astimezone(dt.UTC))


def _namespace(subject: Identity) -> str:
    """Events are namespaced; those of cluster-scoped objects live in "default", where kubectl looks for them."""
    return subject.namespace or "default"


def _remember(memory: OrderedDict[Any, Any], key: object, value: object) -> None:
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > REMEMBERED:
        memory.popitem(last=False)
