"""The process: starts everything in order, keeps it, and ends it in order.

    manager = Manager(Config.load(), ManagerOptions(http="127.0.0.1:8080"))
    manager.controller("config", reconciler, workers=4).for_(CONFIG_MAP)
    sys.exit(manager.run())

Start: HTTP, caches, sync, preparations, leader election, runnables, workers. A standby replica waits in the election,
with warm caches. Stop: readiness, runnables finish what is under way and workers tell of it, intake, workers (drained,
with a deadline), runnables, events, lease, caches, HTTP. A lost lease is not a stop: nothing more may be written, so
nothing is drained, and the process ends with an error; if a worker does not let go before another replica may lead, it
ends at once.

It wires the parts and knows how long each may take; what they do is theirs.
"""

import contextlib
import dataclasses
import gc
import math
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, Unpack, overload, runtime_checkable

from zonewright import log
from zonewright.api.errors import ApiError
from zonewright.api.kind import Kind
from zonewright.api.shaping import Selection, Shaping
from zonewright.cache.informer import Informer
from zonewright.cache.informers import InformerSet
from zonewright.client.backoff import Backoff, RateLimiter
from zonewright.client.client import Client
from zonewright.client.config import Config
from zonewright.controller.builder import ControllerBuilder
from zonewright.controller.controller import Controller, Reconciler
from zonewright.controller.failures import sentence
from zonewright.manager import debug
from zonewright.manager.fence import Fence
from zonewright.manager.health import Health, cache_complaint
from zonewright.manager.leader import LeaderElector, LeaseOptions
from zonewright.manager.recorder import EventRecorder

if TYPE_CHECKING:
    from zonewright.api.partial import PartialObjectMetadata
    from zonewright.manager.httpserver import HttpServer

M = TypeVar("M")

_log = log.get_logger(__name__)

SWITCH_SECONDS = 0.0005
PREPARING = Backoff(base=0.5, cap=30.0)  # as patient as a cache that waits for its API server
SETTLING_SECONDS = 3.0  # at a stop, for reconciles that runnables woke up: they may wait their turn, and wake others


@dataclass(frozen=True, slots=True)
class ManagerOptions:
    """How a manager runs."""

    namespace: str = ""
    """Watch this namespace only; "" is all of them."""
    leader_election: LeaseOptions | None = None
    """None: this is the only replica, and it always leads."""
    http: str | None = None
    """"host:port" of probes, metrics and debugging; None serves nothing."""
    resync: float | None = None
    """Reconcile everything again after so many seconds. Changes are never missed: this is for worlds that drift."""
    drain_timeout: float = 20.0
    """How long a stop waits for reconciles. Pods get 30 s in all by default."""
    component: str = "operator"
    """Who this is: the user agent, and where events come from."""
    read_only: bool = False
    """Nothing is written to the API server: no lease, no event, and whatever a reconciler tries raises `FencedOff`."""

    def __post_init__(self) -> None:
        if self.read_only and self.leader_election is not None:
            raise ValueError("a manager that only reads takes no lease: leave leader_election out")


class CannotStart(Exception):
    """Raised by a preparation: the process ends with this text, which says what to do, and exit code 1."""


class Runnable(Protocol):
    """Something of the process that only the leader runs: started before the workers, stopped after them."""

    def start(self) -> None:
        """Begin; returns at once."""

    def stop(self) -> object:
        """End; returns when nothing of it runs any more."""


@runtime_checkable
class Drainable(Protocol):
    """A runnable with work under way that reconcilers write about, so it has to end before they do."""

    def drain(self, timeout: float) -> object:
        """Begin nothing new; return when what is under way has ended and reconcilers were woken up about it."""


class Manager:
    """An operator's process: one client, a cache per kind, controllers and runnables, started and stopped in order."""

    def __init__(
        self,
        config: Config,
        options: ManagerOptions = ManagerOptions(),  # noqa: B008 - frozen
        *,
        exit_process: Callable[[int], object] = os._exit,
    ) -> None:
        self.config, self.options = config, options
        self.fence = Fence(why="this process only reads") if options.read_only else Fence()
        self.client = Client.from_config(config, fence=self.fence.check, user_agent=options.component)
        self.informers = InformerSet(self.client, namespace=options.namespace)
        self.client.on_write = self.informers.wrote
        self.events = EventRecorder(self.client, options.component, read_only=options.read_only)
        self.ready, self.live = Health(), Health()
        self.http: HttpServer | None = None
        self._debug: dict[str, Callable[[Mapping[str, str]], Any]] = {
            "queues": lambda query: debug.queues(self.controllers, query),
            "caches": lambda query: debug.caches(self.informers.informers(), query),
            "reflectors": lambda _query: [dataclasses.asdict(each.state()) for each in self.informers.informers()],
            "threads": debug.threads,
        }
        self.elector = self._new_elector(options.leader_election) if options.leader_election else None
        self._exit_process = exit_process
        self._builders: list[ControllerBuilder] = []
        self._preparations: list[Callable[[], None]] = []
        self._runnables: list[Runnable] = []
        self._started_runnables: list[Runnable] = []
        self._working = threading.Event()  # workers run
        self._ending = threading.Event()  # a stop was asked for, or the lease was lost
        self._ended = threading.Event()
        self._signalled = False
        self._failure = ""
        self._wakeup: Wakeup | None = None  # while `run` runs
        self._stop_once = threading.Lock()
        self._startup = threading.Thread(target=self._bring_up, name="startup", daemon=True)
        self._exit_code = 0
        self._lost = False
        self._resyncing: threading.Thread | None = None
        self.live.add("events", self.events.complaint)
        self.live.add("resync", self._resync_complaint)
        self.ready.add("manager", lambda: "stopping" if self._ending.is_set() else None)

    # -- wiring

    def controller(
        self, name: str, reconciler: Reconciler, *, workers: int = 1, timeout: float = 120.0
    ) -> ControllerBuilder:
        """A controller, to be told what it is for: `.for_(kind).owns(kind).watches(kind, mapper)`."""
        if any(each.name == name for each in self.controllers):
            raise ValueError(f"there is a controller {name!r} already")
        controller = Controller(name, reconciler, workers=workers, timeout=timeout)
        builder = ControllerBuilder(controller, self.informer, self.client)
        self._builders.append(builder)
        self.live.add(f"controller-{name}", controller.complaint)
        return builder

    @overload
    def informer(
        self, kind: Kind[M], *, metadata_only: Literal[False] = False, **selection: Unpack[Selection]
    ) -> Informer[M]:
        """Of models."""

    @overload
    def informer(
        self, kind: Kind[Any], *, metadata_only: Literal[True], **selection: Unpack[Selection]
    ) -> "Informer[PartialObjectMetadata]":
        """Of metadata."""

    @overload
    def informer(self, kind: Kind[Any], **shape: Unpack[Shaping]) -> Informer[Any]:
        """Of what options say that are known at run time."""

    def informer(self, kind: Kind[Any], **shape: Unpack[Shaping]) -> Informer[Any]:
        """The one cache of a kind, whoever asks; of a part of it, with `namespaces`, `label_selector`,
        `field_selector`, `transform` and `metadata_only`. The same options give the same cache, others another.
        """
        informer = self.informers.informer(kind, **shape)
        self.ready.add(f"cache-{informer.title}", lambda: cache_complaint(informer.state()))
        self.live.add(f"reflector-{informer.title}", lambda: self._thread_complaint(informer))
        return informer

    def _thread_complaint(self, informer: Informer[Any]) -> str | None:
        ended = self._startup.ident is not None and not self._ending.is_set() and not informer.alive
        return "its thread has ended" if ended else None

    def add_preparation(self, prepare: Callable[[], None]) -> None:
        """Call this once, when the caches are synced and before this replica asks for the lease.

        An `ApiError` is tried again, with back-off; a `CannotStart` ends the process. It may read and must not write.
        """
        self._preparations.append(prepare)

    def add_runnable(self, runnable: Runnable) -> None:
        """Run this too while leading: started before the workers, stopped after them."""
        self._runnables.append(runnable)

    def add_debug(self, path: str, answer: Callable[[Mapping[str, str]], Any]) -> None:
        """`GET /debug/<path>?a=b` answers with what this returns for {"a": "b"}, as JSON; to this machine only."""
        page = {path.removeprefix("/debug/").strip("/"): answer}
        self._debug.update(page)
        if self.http is not None:
            from zonewright.manager import endpoints  # noqa: PLC0415 - it is there already

            endpoints.route_debug(self.http, page)

    @property
    def controllers(self) -> list[Controller]:
        """All controllers, in the order of their wiring."""
        return [builder.controller for builder in self._builders]

    # -- life

    def run(self) -> int:
        """Runs until a signal or a lost lease; returns the exit code. Call it from the main thread."""
        # A thread whose reply has come would wait five of Python's milliseconds for one that computes.
        sys.setswitchinterval(SWITCH_SECONDS)
        with contextlib.closing(Wakeup()) as self._wakeup:
            self._handle_signals(self._wakeup)
            self.start()
            while not (self._signalled or self._ending.is_set()):
                self._wakeup.wait()
            self.stop()
        return self._exit_code

    def start(self) -> None:
        """Returns at once; `wait_until_working` waits for the end of the beginning."""
        if self.options.http:
            from zonewright.manager import endpoints  # noqa: PLC0415 - and the HTTP server with it

            self.http = endpoints.serve(self.options.http, ready=self.ready, live=self.live, debug=self._debug)
        self.informers.start()
        self._startup.start()

    def wait_until_working(self, timeout: float) -> bool:
        """True once this replica leads and its workers run; a standby stays false."""
        return self._working.wait(timeout)

    @property
    def failure(self) -> str:
        """Why it could not start; "" while it can."""
        return self._failure

    @property
    def lost(self) -> bool:
        """Whether the lease was lost: nothing may be written any more."""
        return self._lost

    def stop(self) -> None:
        """Ends everything, in order; returns when that is done, also to a second caller."""
        if not self._stop_once.acquire(blocking=False):
            self._ended.wait()
            return
        self._end()
        if self._startup.ident is not None:  # it was started
            self._startup.join(self.options.drain_timeout)
        self._stop_work()
        patience = 0.0 if self._lost else 2.0  # nobody waits for what may not be written, on an API that hangs
        self.events.flush(patience)
        self.events.stop(patience)
        if self.elector is not None:
            self.elector.stop()
            self._lease_client.close()
        self.fence.close()
        for informer in self.informers.informers():
            informer.stop(patience)
        self.client.close()
        if self.http is not None:
            self.http.stop()
        _log.info("stopped", exit_code=self._exit_code)
        self._ended.set()

    # -- up

    def _bring_up(self) -> None:
        try:
            if not self._sync():
                return
            if not all(self._prepare(preparation) for preparation in self._preparations):
                return
            if not self._lead():
                return
            self._start_work()
        except CannotStart as error:
            _log.error("cannot start", error=str(error))
            self._failure = str(error)
            self._exit_code = 1
            self._end()
        except BaseException as error:  # noqa: BLE001 - whatever it is, a process that cannot start must end
            _log.error("start failed", exc_info=error)
            self._failure = sentence(error)
            self._exit_code = 1
            self._end()

    def _sync(self) -> bool:
        """Waits until every handler has had every object that existed at the start; false when a stop came first."""
        started = time.monotonic()
        while not (self.informers.wait(0.2) and all(builder.has_synced() for builder in self._builders)):
            if self._ending.wait(0.005):
                return False
        # What is cached now lives as long as the process: the collector need not look at it ever again.
        gc.collect()
        gc.freeze()
        _log.info("caches synced", seconds=time.monotonic() - started)
        return not self._ending.is_set()

    def _prepare(self, prepare: Callable[[], None]) -> bool:
        """False when a stop came first."""
        limiter = RateLimiter[str](PREPARING)
        while not self._ending.is_set():
            try:
                prepare()
            except ApiError as error:
                _log.warning("start waits for the API server", error=str(error))
                self._ending.wait(limiter.next_delay("prepare"))
            else:
                return True
        return False

    def _lead(self) -> bool:
        if self.elector is None:
            if not self.options.read_only:
                self.fence.open_until(math.inf)
            return True
        self.elector.start()
        while not self.elector.wait(0.1):
            if self._ending.is_set():
                return False
        return True

    def _new_elector(self, options: LeaseOptions) -> LeaderElector:
        # A client of its own, without the fence: who asks for the lease does not hold it yet.
        self._lease_client = Client.from_config(self.config)
        elector = LeaderElector(self._lease_client, options, self.fence, on_lost=self._on_lost)
        self.live.add("leader-election", lambda: None if self._lost or elector.alive() else "its thread has ended")
        self.add_debug("leader", lambda _query: elector.state())
        return elector

    def _start_work(self) -> None:
        self.events.start()
        for runnable in self._runnables:
            runnable.start()
            self._started_runnables.append(runnable)
        for controller in self.controllers:
            controller.start()
        if self.options.resync:
            period = self.options.resync
            self._resyncing = threading.Thread(target=self._resync, args=(period,), name="resync", daemon=True)
            self._resyncing.start()
        self._working.set()
        _log.info("working", controllers=len(self._builders), workers=sum(each.workers for each in self.controllers))

    def _resync(self, period: float) -> None:
        while not self._ending.wait(period):
            for builder in self._builders:
                with self._survived("resync", builder.controller.name):
                    builder.resync()

    def _resync_complaint(self) -> str | None:
        ended = self._resyncing is not None and not self._ending.is_set() and not self._resyncing.is_alive()
        return "its thread has ended" if ended else None

    # -- down

    def _stop_work(self) -> None:
        deadline = time.monotonic() + (0.0 if self._lost else self.options.drain_timeout)
        if not self._lost:
            self._drain_runnables(deadline)
        for controller in self.controllers:
            controller.queue.close_intake()
        for controller in self.controllers:
            if self._working.is_set() and not controller.drain(max(0.0, deadline - time.monotonic())):
                in_work = [str(key) for key in controller.queue.processing()]
                _log.warning("work was left undone", controller=controller.name, in_work=in_work)
        for controller in self.controllers:
            controller.stop(max(0.1, deadline - time.monotonic()))
        for runnable in reversed(self._started_runnables):
            self._stop_runnable(runnable)

    def _drain_runnables(self, deadline: float) -> None:
        draining = [each for each in reversed(self._started_runnables) if isinstance(each, Drainable)]
        for runnable in draining:
            with self._survived("drain", type(runnable).__name__):
                runnable.drain(max(0.0, deadline - time.monotonic()))
        if draining:
            self._wait_for_woken(min(deadline, time.monotonic() + SETTLING_SECONDS))

    def _wait_for_woken(self, deadline: float) -> None:
        """Until no reconcile is due before the deadline. Looks twice: one's write wakes another through a watch."""
        quiet = 0
        while quiet < 2 and (left := deadline - time.monotonic()) > 0:
            quiet = quiet + 1 if all(each.queue.is_quiet(left) for each in self.controllers) else 0
            time.sleep(min(left, 0.05))

    def _stop_runnable(self, runnable: Runnable) -> None:
        with self._survived("stop", type(runnable).__name__):
            runnable.stop()

    @contextlib.contextmanager
    def _survived(self, step: str, what: str) -> Iterator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it is the turn of the others too
            _log.error(f"{step} failed", exc_info=error, what=what)

    def _on_lost(self) -> None:
        """On the elector's thread. The fence is closed already: this makes the process notice."""
        self._lost, self._exit_code = True, 1
        for controller in self.controllers:
            controller.queue.shut_down()
        threading.Thread(target=self._exit_if_late, name="exit-guard", daemon=True).start()
        self._end()

    def _exit_if_late(self) -> None:
        """Whatever still runs when another replica may lead is cut off. Nobody can stop a thread, only the process."""
        assert self.elector is not None  # noqa: S101 - it called us
        if not self._ended.wait(max(0.0, self.elector.end_by - time.monotonic())):
            _log.error("workers did not stop before the lease ran out: exiting at once")
            self._exit_process(1)

    def _handle_signals(self, wakeup: "Wakeup") -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        wakeup.hear_signals()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        """Takes no lock: it may have interrupted whoever holds it. `run` does what there is to do."""
        if self._signalled or self._ending.is_set():
            os.write(2, b"second signal: exiting at once\n")
            self._exit_process(128 + number)
        self._signalled = True
        self._wake()

    def _end(self) -> None:
        """From any thread: the stop begins, and `run` hears of it."""
        self._ending.set()
        self._wake()

    def _wake(self) -> None:
        if self._wakeup is not None:
            self._wakeup.wake()


class Wakeup:
    """What the main thread waits on: it wakes for a signal, and when a thread says so.

    Not an event. A handler that interrupts the wait for one may wait for the lock that this wait holds, for ever. And a
    signal that the kernel gives to another thread wakes no lock: Python writes to this pipe wherever it arrives.
    """

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._hears = False

    def hear_signals(self) -> None:
        """In the main thread only; they still need handlers."""
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._hears = True

    def wait(self) -> None:
        self._reader.recv(64)

    def wake(self) -> None:
        with contextlib.suppress(OSError):  # full: it is awake; closed: nobody waits
            self._writer.send(b"\0")

    def close(self) -> None:
        if self._hears:
            signal.set_wakeup_fd(-1)
        self._reader.close()
        self._writer.close()
