"""The engine's shell: threads, locks, the clock and the servers around the pure core."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controllers.runtime.clock import Clock
from reconcilers.engine.values import (
    ObjectRef,
    RecordOutcome,
    ServerSpec,
    StatusChange,
    ZoneGone,
    ZoneRef,
    ZoneStatus,
    ZoneWanted,
)

StatusCallback = Callable[[StatusChange], None]
"""Called outside the engine's lock, on the engine's own thread: enqueue keys and return."""


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """`workers` is the global limit of operations in flight, `per_server` that for one server."""

    cluster: str
    workers: int = 16
    per_server: int = 4
    poll_interval: float = 30.0
    backoff_base: float = 0.25
    backoff_cap: float = 30.0


class Engine:
    """Thread-safe. `start` and `stop` make it a runnable of the manager: start after leadership, stop = drain."""

    def __init__(
        self,
        options: EngineOptions,
        *,
        connect: Callable[[ServerSpec], Any] | None = None,
        clock: Clock | None = None,
        fence: Callable[[], None] | None = None,
        live: Callable[[ZoneRef], bool] | None = None,
    ) -> None:
        """`connect` makes the client of a server (default: the real one, server.connect(spec, cluster)).

        `fence` is called before each write and raises when it must not happen. `live` answers from a fresh read: does the
        zone object exist with this UID, our finalizer, and no deletion timestamp? Nothing is created without it.
        """

    def start(self) -> None:
        """Begin to work. What was wanted before start waits."""

    def stop(self, timeout: float = 25.0) -> bool:
        """Drain: dispatch nothing new, let what is in flight finish and be reported. True if all of it did."""
        raise AssertionError

    def set_server(self, spec: ServerSpec) -> None:
        """Install or replace a server: address, key, readiness and incarnation may change at run time."""

    def remove_server(self, name: str) -> None:
        """The server's object is gone: forget its zones without any DNS work; nothing waits for it any longer."""

    def want(self, wanted: ZoneWanted) -> None:
        """Install the whole desired zone. Cheap when little changed; the same again is a no-op."""

    def delete(self, gone: ZoneGone) -> None:
        """The zone's object is being deleted: ordered removal, then a `StatusChange` with `released=True`."""

    def zone(self, ref: ZoneRef) -> ZoneStatus | None:
        """How the zone stands; None when the engine knows nothing of it (never wanted here, or released)."""
        raise AssertionError

    def record(self, zone: ZoneRef, ref: ObjectRef) -> RecordOutcome | None:
        """How the object stands in the zone: O(its own RRsets). None when the zone itself is not known here."""
        raise AssertionError

    def register_status_callback(self, callback: StatusCallback) -> Callable[[], None]:
        """Add a callback; returns the function that takes it away. One that raises is logged and counted, no more."""
        raise AssertionError

    def services(self, query: Mapping[str, str]) -> list[dict[str, Any]]:
        """For /debug/difftracker/services; `?key=` filters. JSON-able, one consistent snapshot, never a secret."""
        raise AssertionError

    def buffered(self, query: Mapping[str, str]) -> list[dict[str, Any]]:
        """For /debug/difftracker/buffered."""
        raise AssertionError
