"""The engine itself: threads, the lock, the clock and the servers around the pure core.

Callers hand events to the core under one lock and return at once. Worker threads carry out what it dispatches, one
clock thread lets time pass and polls, one messenger thread calls the status callbacks. Nothing here decides anything.
"""

from __future__ import annotations

import heapq
import queue
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from reconcilers.ddns.dialer import Dialer
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine import debug
from reconcilers.engine.adapter import BindServer, ZoneServer
from reconcilers.engine.api import (
    ObjectRef,
    Outlook,
    RecordOutcome,
    ServerSpec,
    StatusChange,
    ZoneContent,
    ZoneGone,
    ZoneKey,
    ZoneRef,
    ZoneStatus,
    ZoneWanted,
)
from reconcilers.engine.core.core import Core, Limits
from reconcilers.engine.core.protocol import (
    Completed,
    Delete,
    Dispatch,
    Drain,
    Effect,
    Event,
    Failed,
    Gone,
    Notify,
    NotLive,
    Now,
    Op,
    OpKind,
    Poll,
    RemoveServer,
    Result,
    SetServer,
    SuspendServer,
    Tick,
    Transition,
    Want,
)
from reconcilers.engine.metrics import EngineMetrics, internal_error, observe_update
from reconcilers.engine.oplog import OperationLog
from reconcilers.engine.pool import Pool
from reconcilers.reasons import Reason
from reconcilers.servers.cluster_id import ClusterId
from zonewright import ApiError, Clock, FencedOff, SystemClock, get_logger

log = get_logger(__name__)

MAIL_SECONDS = 0.5
"""Callbacks only enqueue keys: so long they get for that even when there is no time left."""

StatusCallback = Callable[[StatusChange], None]
"""Called outside the engine's lock, on the engine's own thread: enqueue keys and return."""


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """`cluster` is the name in every owner marker; its UID comes with `Engine.identify`.

    `workers` is the global limit of operations in flight, `per_server` that for one server. `poll_interval` is how
    often each zone on each server is checked for changes by others, with one SOA query. In a `dry_run` servers are read
    and nothing else: what would be done is logged, and `Engine.outlook` has it.
    """

    cluster: str
    workers: int = 16
    per_server: int = 4
    poll_interval: float = 30.0
    backoff_base: float = 0.25
    backoff_cap: float = 30.0
    timeout: float = 5.0
    dry_run: bool = False


class Engine:
    """Thread-safe. `start`, `drain` and `stop` make it a runnable of the manager, which starts it as the leader."""

    def __init__(
        self,
        options: EngineOptions,
        *,
        connect: Callable[[ServerSpec], ZoneServer] | None = None,
        dial: Dialer | None = None,
        clock: Clock | None = None,
        fence: Callable[[], None] | None = None,
        live: Callable[[ZoneRef], bool] | None = None,
        find: Callable[[str], object] | None = None,
    ) -> None:
        """`connect` makes the client of a server (default: DNS and bindcar through `dial`).

        `fence` is called before each write and raises when it must not happen. `live` answers from a fresh read: does
        the zone object exist with this UID, our finalizer, and no deletion timestamp? Nothing is created without it.
        `find` names the zone object with a UID, if there is one that is not being deleted: its zone is not deleted as
        that of an object which is gone.
        """
        if not options.cluster:
            raise ValueError("the engine needs a cluster name: it marks every zone as ours")
        self._options, self._dial = options, dial
        self._cluster: ClusterId | None = None
        self._clock = clock or SystemClock()
        self._fence = fence or (lambda: None)
        self._live = live or (lambda _: True)
        self._find = find or (lambda _: None)
        limits = Limits(options.workers, options.per_server, options.backoff_base, options.backoff_cap)
        self._core = Core(limits, dry_run=options.dry_run)
        self._lock = threading.Condition()
        self._pool = Pool(connect or self._connect)
        self._work: queue.SimpleQueue[Op | None] = queue.SimpleQueue()
        self._mail: queue.SimpleQueue[StatusChange | threading.Event | None] = queue.SimpleQueue()
        self._callbacks: list[StatusCallback] = []
        self._polls: list[tuple[float, ZoneKey]] = []
        self._threads: list[threading.Thread] = []
        self._stopping = False
        self.metrics = EngineMetrics(self._snapshot_gauges)
        self._oplog = OperationLog(log)

    def identify(self, uid: str) -> None:
        """The UID of the cluster, before `start`: zones whose marker has another one are foreign."""
        self._cluster = ClusterId(self._options.cluster, uid)

    def _connect(self, spec: ServerSpec) -> ZoneServer:
        if self._cluster is None:
            raise RuntimeError("identify the engine before it talks to servers: it has to know which zones are its own")
        return BindServer(
            spec,
            self._cluster,
            dial=self._dial,
            timeout=self._options.timeout,
            observer=observe_update,
            before_write=self._fence,
        )

    # --- life --------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to work. What was wanted before start waits."""
        self.metrics.register()
        names = [f"engine-{number}" for number in range(self._options.workers)]
        threads = [threading.Thread(target=self._worker, name=name, daemon=True) for name in names]
        threads.append(threading.Thread(target=self._tick, name="engine-clock", daemon=True))
        threads.append(threading.Thread(target=self._messenger, name="engine-messenger", daemon=True))
        self._threads = threads
        for thread in threads:
            thread.start()

    def drain(self, timeout: float) -> bool:
        """Dispatch nothing new; let what is in flight finish and callbacks hear of it. True if all of it did."""
        self._submit(Drain())
        if not self._threads:
            return True
        end = time.monotonic() + timeout
        with self._lock:
            drained = self._lock.wait_for(lambda: not self._core.model.busy, timeout)
        return self.flush(max(MAIL_SECONDS, end - time.monotonic())) and drained

    def stop(self, timeout: float = 0.0) -> bool:
        """Drain, and end the threads. True if nothing was left in flight."""
        drained = self.drain(timeout)
        with self._lock:
            self._stopping = True
            self._lock.notify_all()
        for _ in range(self._options.workers):
            self._work.put(None)
        self._mail.put(None)
        for thread in self._threads:
            # A worker that hangs in a server's timeout is a daemon: it does not keep the process.
            thread.join(timeout=5.0 if drained else 0.1)
        self._threads = []
        self._pool.close()
        self.metrics.unregister()
        return drained

    def complaint(self) -> str | None:
        """For /livez: a thread that has ended does not come back."""
        ended = [thread.name for thread in self._threads if not thread.is_alive()]
        return f"threads have ended: {', '.join(ended)}" if ended and not self._stopping else None

    # --- what reconcilers call ---------------------------------------------------------------------------------------

    def set_server(self, spec: ServerSpec) -> None:
        """Install or replace a server: address, key, readiness and incarnation may change at run time."""
        self._submit(SetServer(spec))

    def suspend_server(self, name: str, why: str) -> None:
        """The server is there, but its address or its keys cannot be told: its zones wait until it is set again."""
        self._submit(SuspendServer(name, why))
        self._pool.drop(name)

    def remove_server(self, name: str) -> None:
        """The server's object is gone: forget its zones without any DNS work; nothing waits for it any longer."""
        self._submit(RemoveServer(name))
        self._pool.drop(name)

    def want(self, wanted: ZoneWanted) -> None:
        """Install the whole desired zone. Cheap when little changed; the same again is a no-op."""
        self._submit(Want(wanted))

    def delete(self, gone: ZoneGone) -> None:
        """The zone's object is being deleted: ordered removal, then a `StatusChange` with `released=True`."""
        self._submit(Gone(gone))

    def zone(self, ref: ZoneRef) -> ZoneStatus | None:
        """How the zone stands; None when the engine knows nothing of it (never wanted here, or released)."""
        with self._lock:
            return self._core.zone(ref)

    def record(self, zone: ZoneRef, ref: ObjectRef) -> RecordOutcome | None:
        """How the object stands in the zone: O(its own RRsets). None when the zone itself is not known here."""
        with self._lock:
            return self._core.record(zone, ref)

    def reads(self, ref: ZoneRef) -> int | None:
        """Cheap: is the `content` that a planner has still that of the last reading? None as for `content`."""
        with self._lock:
            return self._core.reads(ref)

    def content(self, ref: ZoneRef, since: int | None = None) -> ZoneContent | None:
        """What the zone's servers hold, for a planner: copies. None when the zone itself is not known here.

        Without its RRsets if `since` are still its reads: the planner has seen them."""
        with self._lock:
            return self._core.content(ref, since)

    def look(self, ref: ZoneRef, keys: Collection[RRsetKey]) -> list[Mapping[RRsetKey, RRset]]:
        """What each primary that has the zone holds at these keys now, with what the engine wrote."""
        with self._lock:
            return self._core.look(ref, keys)

    def outlook(self) -> list[Outlook]:
        """In a dry run: what would be done with each zone on each server, and which of them could not be read."""
        with self._lock:
            return self._core.outlook()

    def flush(self, timeout: float) -> bool:
        """Wait until the callbacks have heard of all that happened so far; False if that took longer."""
        heard = threading.Event()
        self._mail.put(heard)
        return heard.wait(timeout)

    def poll(self, key: ZoneKey) -> None:
        """Look at this zone now, without waiting for its next poll."""
        self._submit(Poll(key))

    def register_status_callback(self, callback: StatusCallback) -> Callable[[], None]:
        """Add a callback; returns the function that takes it away. One that raises is logged and counted, no more."""
        with self._lock:
            self._callbacks = [*self._callbacks, callback]
        return lambda: self._unregister(callback)

    def _unregister(self, callback: StatusCallback) -> None:
        with self._lock:
            self._callbacks = [other for other in self._callbacks if other is not callback]

    def services(self, query: Mapping[str, str]) -> list[dict[str, Any]]:
        """For /debug/difftracker/services; `?key=` filters. JSON-able, one consistent snapshot, never a secret."""
        with self._lock:
            return debug.services(self._core.model, query, self._now())

    def buffered(self, query: Mapping[str, str]) -> list[dict[str, Any]]:
        """For /debug/difftracker/buffered."""
        with self._lock:
            return debug.buffered(self._core.model, query, self._now())

    def _snapshot_gauges(self) -> tuple[dict[str, int], int, int]:
        with self._lock:
            return debug.gauges(self._core.model)

    # --- around the core ---------------------------------------------------------------------------------------------

    def _now(self) -> Now:
        return Now(self._clock.monotonic(), self._clock.now().timestamp())

    def _submit(self, event: Event) -> None:
        with self._lock:
            wake = self._core.next_wake()
            try:
                effects = self._core.handle(event, self._now())
            except Exception:
                self._lock.notify_all()  # whatever it was about, its next poll is due some time
                raise
            for effect in effects:
                self._deliver(effect)
            if not self._core.model.busy or self._core.next_wake() != wake:
                self._lock.notify_all()
        # Outside the lock: writing a line may wait for a disk.
        for effect in effects:
            self.metrics.note(effect)
            self._oplog.note(effect)

    def _deliver(self, effect: Effect) -> None:
        """Queues never block; inside the lock, so that callbacks hear of changes in the order of events."""
        match effect:
            case Dispatch(op):
                self._work.put(op)
            case Notify(change):
                self._mail.put(change)
            case Transition(key, _, None, _, _):
                heapq.heappush(self._polls, (self._clock.monotonic() + self._spread(key), key))
            case Transition(_, _, _, None, _) if len(self._polls) > 2 * len(self._core.model.replicas) + 64:
                # Zones that are gone would stay here until their next poll.
                self._polls = [poll for poll in self._polls if poll[1] in self._core.model.replicas]
                heapq.heapify(self._polls)

    def _spread(self, key: ZoneKey) -> float:
        """Polls of many zones spread over the interval instead of coming at once."""
        return self._options.poll_interval * (0.5 + (hash(key) % 1000) / 1000)

    # --- threads -----------------------------------------------------------------------------------------------------

    def _worker(self) -> None:
        while (op := self._work.get()) is not None:
            self._survive(Completed(op.id, self._carry_out(op)))

    def _survive(self, event: Event) -> None:
        """The threads serve all zones: what one of them brings about ends none. Its next poll looks at it again."""
        try:
            self._submit(event)
        except Exception as error:
            internal_error()
            fields = {"handling": type(event).__name__, "error": Reason.INTERNAL_ERROR.value}
            log.error("a defect of the operator was survived", exc_info=error, **fields)  # noqa: TRY400 - our own logger

    def _carry_out(self, op: Op) -> Result:
        try:
            if op.kind is OpKind.CREATE and not self._live(op.ref):
                return NotLive()
            if isinstance(op.payload, Delete) and op.payload.unknown and (owner := self._find(op.payload.uid)):
                text = f"{op.key.server} holds {op.key.zone} for DNSZone {owner}; it is left alone"
                return Failed(Reason.CONFLICT, text, ambiguous=False)
            if op.kind is not OpKind.OBSERVE:
                self._fence()
            with self._pool.borrow(op.server) as server:
                return server.carry_out(op, lambda: self._allocate(op))
        except (ApiError, FencedOff) as error:
            return Failed(Reason.PROGRESSING, f"not done: {error}")
        except Exception as error:
            # A worker survives a fault in one operation: it is logged, and the zone is looked at again.
            internal_error()
            fields = {"key": str(op.key), "operation": op.kind, "op_id": op.id}
            log.error("operation failed unexpectedly", exc_info=error, **fields)  # noqa: TRY400 - our own logger
            return Failed.unexpectedly(error)

    def _allocate(self, op: Op) -> int:
        with self._lock:
            return self._core.allocate(op.id, self._now())

    def _tick(self) -> None:
        """Let time pass: back-offs end, polls fall due."""
        while True:
            with self._lock:
                due = min((at for at in (self._core.next_wake(), self._next_poll()) if at is not None), default=None)
                if self._stopping:
                    return
                wait = None if due is None else due - self._clock.monotonic()
                if wait is None or wait > 0:
                    self._lock.wait(wait)
                    continue
            self._survive(Tick())
            for key in self._due_polls():
                self._survive(Poll(key))

    def _next_poll(self) -> float | None:
        return self._polls[0][0] if self._polls else None

    def _due_polls(self) -> list[ZoneKey]:
        now, due = self._clock.monotonic(), []
        with self._lock:
            while self._polls and self._polls[0][0] <= now:
                _, key = heapq.heappop(self._polls)
                if key in self._core.model.replicas:
                    heapq.heappush(self._polls, (now + self._options.poll_interval, key))
                    due.append(key)
        return due

    def _messenger(self) -> None:
        while (news := self._mail.get()) is not None:
            if isinstance(news, threading.Event):
                news.set()  # all that was posted before has been delivered
            else:
                self._emit(news)

    def _emit(self, change: StatusChange) -> None:
        for callback in self._callbacks:
            try:
                callback(change)
            except Exception as error:
                self.metrics.callback_failed()
                log.error(  # noqa: TRY400 - our own logger
                    "status callback failed", exc_info=error, zone=str(change.zone), reconcile=change.correlation
                )
