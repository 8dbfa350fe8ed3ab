"""Leader election on a Lease: at most one replica writes, also when the API server hangs.

The timing is client-go's: a lease lasts 15 s, its holder renews it every 2 s and gives up when it could not for 10 s.
What keeps two replicas from writing at once:
- the holder's `Fence` closes `renew_deadline` after the last *successful* renewal was *sent*. It is checked against the
  monotonic clock just before each write, so that no stuck request or thread can hold it open;
- others take over when they saw no renewal for the whole lease by *their own* monotonic clock, which began later than
  the holder's. Clocks of different machines are never compared, and the times in the Lease are for people only.

The margin between the two (5 s) is for writes that are on the wire when the fence closes. It knows the API by three
methods, and nothing of what leadership is for.
"""

import datetime as dt
import math
import os
import random
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from zonewright import log, metrics
from zonewright.api.errors import AlreadyExists, ApiError, Conflict, NotFound
from zonewright.api.kind import Kind
from zonewright.clock import Clock, SystemClock
from zonewright.manager.fence import Fence

LEASE: Kind[dict[str, Any]] = Kind("coordination.k8s.io", "v1", "Lease", "leases")

_log = log.get_logger(__name__)
_STATUS = metrics.gauge("leader_election_master_status", "1 while this process leads.", "name")
_SLOW = metrics.counter("leader_election_slowpath_total", "Renewals that had to read the lease first.", "name")

Fields = dict[str, Any]


def default_identity() -> str:
    """The pod's name, so that people see who leads; and something random: a restarted pod is another replica."""
    return f"{os.environ.get('POD_NAME') or socket.gethostname()}_{os.urandom(8).hex()}"


@dataclass(frozen=True, slots=True)
class LeaseOptions:
    """The Lease that replicas compete for, and how fast. One name for all replicas of one operator."""

    namespace: str
    name: str
    identity: str = field(default_factory=default_identity)
    lease_duration: float = 15.0
    renew_deadline: float = 10.0
    retry_period: float = 2.0

    def __post_init__(self) -> None:
        if not 0 < self.retry_period < self.renew_deadline < self.lease_duration:
            raise ValueError("leader election needs 0 < retry_period < renew_deadline < lease_duration")

    @property
    def request_timeout(self) -> float:
        """Below the renew deadline, so that a request which hangs leaves time for a second one."""
        return self.renew_deadline / 2


class Leases(Protocol):
    """The part of `Client` that is needed. It must not ask the fence: who wants the lease does not hold it yet."""

    def get_fields(self, kind: Kind[Any], name: str, namespace: str, *, timeout: float) -> Fields: ...
    def create(self, kind: Kind[Any], obj: Any, *, timeout: float) -> Any: ...
    def update(self, kind: Kind[Any], obj: Any, *, timeout: float) -> Any: ...


class Election:
    """One replica's view of the lease: `attempt` tries once to get or to keep it. Its time and its API are inputs."""

    def __init__(self, leases: Leases, options: LeaseOptions, fence: Fence, clock: Clock) -> None:
        self._leases, self._options, self._fence, self._clock = leases, options, fence, clock
        self._held: Fields | None = None  # the lease as we last wrote it: the fast path needs no read
        self._seen: tuple[str, str] | None = None  # holder and resource version, as last observed
        self._seen_at = -math.inf
        self._slow = _SLOW.labels(options.name)
        self.holder = ""
        self.expires = -math.inf  # when others may take the lease over; monotonic

    def attempt(self, timeout: float) -> bool:
        """True when the lease is ours now. Raises `ApiError` when that cannot be known."""
        if self._held is not None:
            try:
                self._write(self._held, timeout)
            except Conflict:
                self._held = None  # somebody wrote the lease: look who
            else:
                return True
        self._slow.inc()
        return self._read_and_take(timeout)

    def _read_and_take(self, timeout: float) -> bool:
        try:
            lease = self._leases.get_fields(LEASE, self._options.name, self._options.namespace, timeout=timeout)
        except NotFound:
            return self._try(lambda: self._write(self._fresh(), timeout))
        self._observe(lease)
        if self.holder not in {"", self._options.identity} and not self._expired(lease):
            return False
        return self._try(lambda: self._write(lease, timeout))

    def _try(self, write: Callable[[], None]) -> bool:
        try:
            write()
        except (AlreadyExists, Conflict):
            return False  # another replica was faster
        return True

    def release(self, timeout: float) -> None:
        """Lets the next replica take over at once instead of after a whole lease."""
        if self._held is None:
            return
        spec = {**self._held["spec"], "leaseDurationSeconds": 1, "renewTime": self._now()}
        del spec["holderIdentity"]  # the API server takes a lease without a holder, not one with an empty name
        self._leases.update(LEASE, {**self._held, "spec": spec}, timeout=timeout)
        self._held = None

    def _observe(self, lease: Fields) -> None:
        """A lease that changed was alive when we looked: its time starts anew, on our clock."""
        holder = (lease.get("spec") or {}).get("holderIdentity") or ""
        seen = (holder, lease["metadata"]["resourceVersion"])
        if seen != self._seen:
            self._seen, self._seen_at = seen, self._clock.monotonic()
        self.holder = holder

    def _expired(self, lease: Fields) -> bool:
        duration = lease["spec"].get("leaseDurationSeconds") or self._options.lease_duration
        return self._clock.monotonic() >= self._seen_at + duration

    def _write(self, lease: Fields, timeout: float) -> None:
        sent = self._clock.monotonic()
        wanted = {**lease, "spec": self._spec(lease.get("spec") or {})}
        save = self._leases.update if "resourceVersion" in lease["metadata"] else self._leases.create
        self._held = save(LEASE, wanted, timeout=timeout)
        self.holder = self._options.identity
        self.expires = sent + self._options.lease_duration
        self._fence.open_until(sent + self._options.renew_deadline)

    def _spec(self, before: Fields) -> Fields:
        mine = before.get("holderIdentity") == self._options.identity
        transitions = before.get("leaseTransitions") or 0
        return {
            "holderIdentity": self._options.identity,
            "leaseDurationSeconds": math.ceil(self._options.lease_duration),
            "acquireTime": before["acquireTime"] if mine else self._now(),
            "renewTime": self._now(),
            # The first holder of a new lease is no transition.
            "leaseTransitions": transitions if mine or not before else transitions + 1,
        }

    def _fresh(self) -> Fields:
        metadata = {"name": self._options.name, "namespace": self._options.namespace}
        return {"apiVersion": LEASE.api_version, "kind": LEASE.kind, "metadata": metadata}

    def _now(self) -> str:
        return self._clock.now().astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class LeaderElector:
    """Runs an election: a thread that renews, and one that watches the fence, as the first may hang in a request."""

    def __init__(
        self,
        leases: Leases,
        options: LeaseOptions,
        fence: Fence,
        *,
        on_lost: Callable[[], None],
        clock: Clock | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.options = options
        self._clock: Clock = clock or SystemClock()
        self._fence, self._on_lost, self._chance = fence, on_lost, chance
        self._election = Election(leases, options, fence, self._clock)
        self._leading = threading.Event()
        self._stopping = threading.Event()
        self._ended = threading.Lock()  # held by whoever ends the leadership: that happens once
        self._threads: list[threading.Thread] = []
        self._status = _STATUS.labels(options.name)
        self._told = ""

    @property
    def is_leader(self) -> bool:
        return self._leading.is_set() and self._fence.is_open

    @property
    def holder(self) -> str:
        """Who holds the lease, as far as this replica knows."""
        return self._election.holder

    @property
    def expires(self) -> float:
        """Monotonic: from then on another replica may lead."""
        return self._election.expires

    @property
    def end_by(self) -> float:
        """Monotonic: when what still runs after a loss must be cut off. A fifth of the margin is for doing that."""
        return self.expires - 0.2 * (self.options.lease_duration - self.options.renew_deadline)

    def state(self) -> dict[str, Any]:
        """For people."""
        return {
            "lease": f"{self.options.namespace}/{self.options.name}",
            "identity": self.options.identity,
            "holder": self.holder,
            "leading": self.is_leader,
            "may_write_for": round(self._fence.remaining(), 3),
        }

    def start(self) -> None:
        self._start("leader-election", self._elect)

    def wait(self, timeout: float) -> bool:
        """True once this replica leads."""
        return self._leading.wait(timeout)

    def stop(self) -> None:
        """A clean end: stops renewing and gives the lease back. Call it when nothing writes any more."""
        self._stopping.set()
        if self._ended.acquire(blocking=False):  # else it was lost: nothing to give back, and nothing to wait for
            for thread in self._threads:
                thread.join(self.options.request_timeout)
            if self._leading.is_set():
                self._release()
        self._fence.close()
        self._status.set(0)

    def alive(self) -> bool:
        return self._stopping.is_set() or all(thread.is_alive() for thread in self._threads)

    def _start(self, name: str, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _elect(self) -> None:
        while not self._stopping.is_set() and not self._attempt():
            # As client-go: those who wait do not all come at once.
            self._clock.wait(self._stopping, self.options.retry_period * (1 + 1.2 * self._chance()))
        if self._stopping.is_set():
            return
        _log.info("became leader", lease=self.options.name, identity=self.options.identity)
        self._status.set(1)
        self._start("leader-watchdog", self._watch_the_fence)
        self._leading.set()
        self._renew()

    def _renew(self) -> None:
        while not self._clock.wait(self._stopping, self.options.retry_period):
            if not self._fence.is_open:
                return  # the watchdog has noticed too
            if not self._attempt() and self._election.holder != self.options.identity:
                self._lose(f"{self._election.holder or 'another replica'} took the lease")
                return

    def _attempt(self) -> bool:
        """One try; false when the lease is not ours, or when that could not be found out this time."""
        left = self._fence.remaining() if self._leading.is_set() else math.inf
        try:
            won = self._election.attempt(max(0.001, min(self.options.request_timeout, left)))
        except ApiError as error:
            _log.warning("lease cannot be had", lease=self.options.name, error=str(error))
            return False
        except Exception as error:  # noqa: BLE001 - a Lease is anybody's to write: what stands in it must not end this
            _log.error("lease cannot be had", exc_info=error, lease=self.options.name)
            return False
        if not won and self._told != self._election.holder:
            self._told = self._election.holder
            _log.info("another replica leads", lease=self.options.name, holder=self._told)
        return won

    def _watch_the_fence(self) -> None:
        while not self._clock.wait(self._stopping, self._fence.remaining()):
            if not self._fence.is_open:
                self._lose("the lease could not be renewed in time")
                return

    def _lose(self, why: str) -> None:
        self._fence.close()
        if not self._ended.acquire(blocking=False):
            return
        self._status.set(0)
        _log.error("lost the leader lease", lease=self.options.name, why=why)
        self._on_lost()

    def _release(self) -> None:
        try:
            self._election.release(self.options.request_timeout)
        except Exception as error:  # noqa: BLE001 - it expires; what else is to be stopped must not wait for that
            _log.warning("lease was not released, it will expire", lease=self.options.name, error=str(error))
