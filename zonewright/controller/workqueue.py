"""The queue between handlers and workers: which key is due, which is in work, which has to come back.

One entry per key, whatever number of adds:
- its priority is the highest asked for, its time the earliest; so adding a key now cancels its later retry;
- a key that is handed out is not handed out again before `done`; adding it meanwhile marks it, and it comes back once;
- of the keys that are due the highest priority goes first, then the one that was added first;
- as many workers are at it as wait for something: see BACK_SOON.

A key that fails goes back with `add_rate_limited`, which keeps the priority it was handed out with. `drain` closes the
intake and waits for the queue *and* for the work, up to a deadline. Nothing is called back while the lock is held. It
knows keys by equality: neither Kubernetes nor what is done with a key.
"""

import itertools
import math
import threading
from collections.abc import Hashable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Generic, Literal, TypeVar

from zonewright import metrics
from zonewright.client.backoff import RateLimiter
from zonewright.clock import Clock, SystemClock

K = TypeVar("K", bound=Hashable)

# controller-runtime's LowPriority: what a restart or a resync brings must not hold up what people change.
LOW_PRIORITY = -100

# Seconds. Workers that only compute share one interpreter lock, and take longer together than one of them alone. So one
# that is back this soon goes on alone while the others stand by; when it is not, because it waits for something, the
# next takes over.
BACK_SOON = 0.001

_LABELS = ("name", "controller")
_DEPTH = metrics.gauge("workqueue_depth", "Keys that wait, due or not.", *_LABELS)
_ADDS = metrics.counter("workqueue_adds_total", "Keys added.", *_LABELS)
_QUEUED = metrics.histogram(
    "workqueue_queue_duration_seconds", "From due to handed out.", *_LABELS, bounds=metrics.DECADES
)
_WORKED = metrics.histogram(
    "workqueue_work_duration_seconds", "From handed out to done.", *_LABELS, bounds=metrics.DECADES
)
_UNFINISHED = metrics.gauge("workqueue_unfinished_work_seconds", "Sum of the ages of all work under way.", *_LABELS)
_LONGEST = metrics.gauge("workqueue_longest_running_processor_seconds", "Age of the oldest work under way.", *_LABELS)
_RETRIES = metrics.counter("workqueue_retries_total", "Rate-limited adds.", *_LABELS)


class _Entry(Generic[K]):
    """A key that waits. Heaps hold entries lazily: one that was moved or taken is recognised by its `ticket`."""

    __slots__ = ("due", "key", "priority", "reason", "ticket")

    def __init__(self, key: K, priority: int, due: float, reason: str) -> None:
        self.key, self.priority, self.due, self.reason = key, priority, due, reason
        self.ticket = -1  # of its one valid place in a heap; -1 while it is in none


class _Work:
    __slots__ = ("priority", "reason", "started")

    def __init__(self, started: float, priority: int, reason: str) -> None:
        self.started, self.priority, self.reason = started, priority, reason


@dataclass(frozen=True, slots=True)
class QueueItem(Generic[K]):
    """One line of `WorkQueue.snapshot`, for people."""

    key: K
    state: Literal["processing", "ready", "delayed", "again"]  # again: in work, and comes back when that is done
    priority: int
    seconds: float  # processing: so far; ready: overdue; delayed: until it is due
    failures: int
    reason: str


class WorkQueue(Generic[K]):
    """Keys that wait for a worker: each once, never in two workers' hands, by priority, with back-off per key."""

    def __init__(self, name: str = "", *, limiter: RateLimiter[K] | None = None, clock: Clock | None = None) -> None:
        self.name = name
        self._monotonic = (clock or SystemClock()).monotonic
        self._limiter: RateLimiter[K] = limiter or RateLimiter()
        self._lock = threading.Lock()
        self._work_came = threading.Condition(self._lock)  # for workers
        self._work_ended = threading.Condition(self._lock)  # for who drains
        self._ticket = itertools.count()
        # Everything below is guarded by the lock, the counting too.
        self._entries: dict[K, _Entry[K]] = {}  # every key that waits
        self._ready: list[tuple[int, int, _Entry[K]]] = []  # (-priority, ticket, entry), a heap
        self._delayed: list[tuple[float, int, _Entry[K]]] = []  # (due, ticket, entry), a heap
        self._processing: dict[K, _Work] = {}
        self._handed_out_at = -math.inf  # the last one
        self._idle_workers = 0
        self._timekeeper: object | None = None  # the one waiter that wakes up by itself,
        self._watched_until = math.inf  # and when
        self._intake_closed = False
        self._shut_down = False
        self._register_metrics()

    # -- in

    def add(self, key: K, *, priority: int = 0, after: float = 0.0, reason: str = "") -> None:
        """The key is due in `after` seconds. `reason` is for people who look at the queue."""
        now = self._monotonic()
        with self._lock:
            if not self._intake_closed:
                self._add(key, priority, now + after if after > 0 else now, reason, now)

    def add_rate_limited(self, key: K, *, at_least: float = 0.0, reason: str = "") -> float:
        """After a failure: due after the key's back-off, which is returned. Keeps the priority of the hand-out."""
        now = self._monotonic()
        with self._lock:
            delay = max(at_least, self._limiter.next_delay(key))
            if not self._intake_closed:
                self._retries.value += 1
                self._add(key, self._priority_in_work(key), now + delay, reason, now)
        return delay

    def requeue(self, key: K, after: float, *, reason: str = "") -> None:
        """As `add`, with the priority the key was handed out with."""
        now = self._monotonic()
        with self._lock:
            if not self._intake_closed:
                self._add(key, self._priority_in_work(key), now + max(0.0, after), reason, now)

    def forget(self, key: K) -> None:
        """The key succeeded: its next failure starts from the shortest back-off."""
        with self._lock:
            self._limiter.forget(key)

    def failures(self, key: K) -> int:
        """How often in a row it has failed."""
        with self._lock:
            return self._limiter.failures(key)

    def _priority_in_work(self, key: K) -> int:
        work = self._processing.get(key)
        return work.priority if work is not None else 0

    def _add(self, key: K, priority: int, due: float, reason: str, now: float) -> None:
        self._adds.value += 1
        entry = self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = _Entry(key, priority, due, reason)
        elif priority <= entry.priority and due >= entry.due:
            return
        else:
            entry.priority = max(priority, entry.priority)
            if due < entry.due:
                entry.due, entry.reason = due, reason
        self._place(entry, now)

    def _place(self, entry: _Entry[K], now: float) -> None:
        """Into the heap it belongs in; whatever place it had is void, because the ticket is new."""
        ticket = next(self._ticket)
        if entry.due > now:
            entry.ticket = ticket
            heappush(self._delayed, (entry.due, ticket, entry))
            self._sweep()
            if entry.due < self._watched_until:
                self._wake()  # to become the timekeeper
        elif entry.key in self._processing:
            entry.ticket = -1  # it waits for `done`
        else:
            entry.ticket = ticket
            heappush(self._ready, (-entry.priority, ticket, entry))
            # Somebody is getting through: then it is enough if somebody looks after that.
            if now + self._rest(now) < self._watched_until:
                self._wake()

    def _sweep(self) -> None:
        """Void places go when their time comes, which may be in hours; or now, if most of the heap is void."""
        if len(self._delayed) > 2 * len(self._entries) + 64:
            self._delayed = [place for place in self._delayed if place[2].ticket == place[1]]
            heapify(self._delayed)

    def _wake(self) -> None:
        if self._idle_workers:
            self._work_came.notify()

    # -- out

    def get(self, timeout: float | None = None, *, standby: bool = False) -> K | None:
        """The next key that is due; None when the queue was shut down, or after `timeout` seconds.

        A `standby`, and whoever has to wait, takes no key right after another worker took one: see BACK_SOON.
        """
        deadline = math.inf if timeout is None else self._monotonic() + timeout
        with self._lock:
            return self._next(deadline, standby=standby)

    def done(self, key: K, *, forget: bool = False) -> None:
        """The work on a key ended; `forget` its failures if it did well. Added meanwhile, it is due again now."""
        with self._lock:
            self._done(key, self._monotonic(), forget=forget)

    def exchange(self, key: K, *, forget: bool = False) -> K | None:
        """A worker's way from key to key: `done` and `get` in one."""
        now = self._monotonic()
        with self._lock:
            started = self._done(key, now, forget=forget)
            return self._next(math.inf, standby=now - started < BACK_SOON and started < self._handed_out_at)

    def _done(self, key: K, now: float, *, forget: bool) -> float:
        """When the work on it began."""
        work = self._processing.pop(key, None)
        if work is None:
            return -math.inf
        self._worked.add(now - work.started)
        if forget:
            self._limiter.forget(key)
        entry = self._entries.get(key)
        if entry is not None and entry.ticket < 0:
            self._place(entry, now)
        if self._intake_closed:
            self._work_ended.notify_all()
        return work.started

    def _next(self, deadline: float, *, standby: bool) -> K | None:
        while not self._shut_down:
            now = self._monotonic()
            self._promote(now)
            rest = self._rest(now) if standby else 0.0
            if rest <= 0 and (entry := self._pop()) is not None:
                return self._hand_out(entry, now)
            if now >= deadline:
                self._pass_the_clock_on()
                return None
            self._wait(now, deadline, rest)
            standby = True
        return None

    def _pop(self) -> _Entry[K] | None:
        while self._ready:
            _, ticket, entry = heappop(self._ready)
            if entry.ticket == ticket:
                return entry
        return None

    def _promote(self, now: float) -> None:
        """Delayed entries that have become due are ready, or wait for `done`."""
        while self._delayed:
            due, ticket, entry = self._delayed[0]
            if entry.ticket == ticket:
                if due > now:
                    return
                heappop(self._delayed)
                self._place(entry, now)
            else:
                heappop(self._delayed)

    def _hand_out(self, entry: _Entry[K], now: float) -> K:
        entry.ticket = -2  # no heap's
        del self._entries[entry.key]
        self._processing[entry.key] = _Work(now, entry.priority, entry.reason)
        self._queued.add(now - entry.due)
        self._handed_out_at = now
        self._pass_the_clock_on()
        return entry.key

    def _rest(self, now: float) -> float:
        """Seconds in which a worker that has just taken a key is expected back for the next."""
        return self._handed_out_at + BACK_SOON - now if self._processing else 0.0

    def _pass_the_clock_on(self) -> None:
        """Who stops waiting may have been the timekeeper: then another waiter has to become it."""
        if self._timekeeper is None and (self._ready or self._delayed):
            self._wake()

    def _wait(self, now: float, deadline: float, rest: float) -> None:
        """Until there may be something to do. One waiter watches the clock for all: the others need no timeout."""
        me = object()
        until = self._next_look(now, rest)
        if until < self._watched_until:
            self._timekeeper, self._watched_until = me, until
        else:
            until = math.inf
        until = min(until, deadline)
        self._idle_workers += 1
        try:
            self._work_came.wait(None if until == math.inf else until - now)
        finally:
            self._idle_workers -= 1
            if self._timekeeper is me:
                self._timekeeper, self._watched_until = None, math.inf

    def _next_look(self, now: float, rest: float) -> float:
        """When there may be a key to hand out to who waits."""
        due = self._delayed[0][0] if self._delayed else math.inf
        return min(due, now + rest) if self._ready else due

    # -- end

    def close_intake(self) -> None:
        """Adds are ignored from here on, and what is not due yet is dropped: it is found again at the next start."""
        now = self._monotonic()
        with self._lock:
            self._intake_closed = True
            self._promote(now)
            for _, ticket, entry in self._delayed:
                if entry.ticket == ticket:
                    del self._entries[entry.key]
                    entry.ticket = -2
            self._delayed.clear()

    def is_quiet(self, seconds: float) -> bool:
        """Nothing is in work, and nothing that waits falls due within this time."""
        horizon = self._monotonic() + seconds
        with self._lock:
            return not self._processing and all(entry.due > horizon for entry in self._entries.values())

    def drain(self, timeout: float) -> bool:
        """Closes the intake and waits until no key waits or is in work; false when that took longer than `timeout`."""
        self.close_intake()
        deadline = self._monotonic() + timeout
        with self._lock:
            while self._entries or self._processing:
                left = deadline - self._monotonic()
                if left <= 0 or self._shut_down:
                    return False
                self._work_ended.wait(left)
        return True

    def shut_down(self) -> None:
        """Hands out nothing more: every `get` returns None at once."""
        with self._lock:
            self._intake_closed = self._shut_down = True
            self._work_came.notify_all()
            self._work_ended.notify_all()

    # -- for people

    def __len__(self) -> int:
        with self._lock:
            return len(self._entries)

    def processing(self) -> dict[K, float]:
        """Seconds that each key has been in work."""
        now = self._monotonic()
        with self._lock:
            return {key: now - work.started for key, work in self._processing.items()}

    def snapshot(self) -> list[QueueItem[K]]:
        """What is in work, ready, and delayed, in about the order in which it will be handled."""
        now = self._monotonic()
        with self._lock:
            items = [
                QueueItem(
                    key, "processing", work.priority, now - work.started, self._limiter.failures(key), work.reason
                )
                for key, work in self._processing.items()
            ]
            waiting = [self._describe(entry, now) for entry in self._entries.values()]
        return items + sorted(waiting, key=_order)

    def _describe(self, entry: _Entry[K], now: float) -> QueueItem[K]:
        state: Literal["again", "delayed", "ready"] = "delayed" if entry.due > now else "ready"
        if state == "ready" and entry.key in self._processing:
            state = "again"
        failures = self._limiter.failures(entry.key)
        return QueueItem(entry.key, state, entry.priority, abs(entry.due - now), failures, entry.reason)

    def _register_metrics(self) -> None:
        labels = (self.name, self.name)
        self._adds, self._retries = _ADDS.adopt(*labels), _RETRIES.adopt(*labels)
        self._queued, self._worked = _QUEUED.adopt(*labels), _WORKED.adopt(*labels)
        _DEPTH.labels(*labels).set_function(self.__len__)
        _UNFINISHED.labels(*labels).set_function(lambda: sum(self.processing().values()))
        _LONGEST.labels(*labels).set_function(lambda: max(self.processing().values(), default=0.0))


def _order(item: QueueItem[K]) -> tuple[bool, int, float]:
    """Due ones by priority and then by age, delayed ones by time."""
    return (True, 0, item.seconds) if item.state == "delayed" else (False, -item.priority, -item.seconds)
