"""The line of wiring: which changes wake which keys of a controller.

    manager.controller("widget", reconciler, workers=4).for_(Widget).owns(ConfigMap).watches(Secret, mapper)

Handlers run on the reflector's thread, one after the other, before the next event of that kind is looked at. So
mappers and predicates are synchronous, do no I/O, and are timed; one that raises is logged and counted, and everything
else goes on. It knows informers by one method, and nothing of how they are filled.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar, Unpack

from zonewright import log, metrics
from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Handler, Mapper, Object, Predicate
from zonewright.api.owners import owner_mapper
from zonewright.api.shaping import Shaping
from zonewright.controller.controller import Controller
from zonewright.controller.failures import FailureConditions, Objects
from zonewright.controller.workqueue import LOW_PRIORITY

M = TypeVar("M")

_log = log.get_logger(__name__)

_DURATION = metrics.histogram(
    "zonewright_mapper_duration_seconds", "Time a mapper took for one change.", "kind", bounds=metrics.DECADES
)
_FAILURES = metrics.counter("zonewright_mapper_errors_total", "Mappers and predicates that raised.", "kind")


class Registration(Protocol):
    def has_synced(self) -> bool: ...


class Watched(Protocol):
    """What the builder needs of an informer."""

    def add_handler(self, handler: Handler) -> Registration: ...
    def object(self, request: Request) -> Object[Any] | None: ...
    def keys(self) -> list[Request]: ...


class Informers(Protocol):
    """The manager's `informer`."""

    def __call__(self, kind: Kind[Any], **shape: Unpack[Shaping]) -> Watched: ...


class ControllerBuilder:
    """Made by `Manager.controller`. `for_`, `owns`, `watches` and `on_error` return the builder; `for_` comes before
    `owns`, which needs the owner's kind."""

    def __init__(self, controller: Controller, informer: Informers, client: Objects | None = None) -> None:
        self.controller = controller
        self.kind: Kind[Any] | None = None
        self._primary: Watched | None = None  # the cache of that kind, in the shape that was asked for
        self._whole = True  # and whether it holds objects as they are
        self._informer, self._client = informer, client
        self._error: tuple[str, str] | None = None
        self._registrations: list[Registration] = []

    def for_(
        self, kind: Kind[Any], *, predicate: Predicate | None = None, **shape: Unpack[Shaping]
    ) -> "ControllerBuilder":
        """The kind whose keys are reconciled. `shape` are the options of `Manager.informer`: ask that for the same
        cache, with the same options, to read it.
        """
        if self.kind is not None:
            raise ValueError(f"{self.controller.name} is for {self.kind} already; use watches() for {kind}")
        self.kind, self._primary = kind, self._informer(kind, **shape)
        self._whole = not (shape.get("metadata_only") or shape.get("transform"))
        self._tell_failures()
        enqueue, reason = self.controller.queue.add, kind.kind

        def wake(old: Object[Any] | None, new: Object[Any] | None, initial: bool) -> None:
            key = (old or new).key  # type: ignore[union-attr] # one of them is there
            enqueue(key, priority=LOW_PRIORITY if initial else 0, reason=reason)

        return self._handle(self._primary, _filtered(kind, predicate, wake))

    def owns(
        self, kind: Kind[Any], *, predicate: Predicate | None = None, **shape: Unpack[Shaping]
    ) -> "ControllerBuilder":
        """A kind that the reconciler creates: a change wakes the controlling owner. Comes after `for_`."""
        if self.kind is None:
            raise ValueError(f"say what {self.controller.name} is for_() before what it owns()")
        return self.watches(kind, owner_mapper(self.kind), predicate=predicate, **shape)

    def watches(
        self, kind: Kind[Any], mapper: Mapper, *, predicate: Predicate | None = None, **shape: Unpack[Shaping]
    ) -> "ControllerBuilder":
        """Any other kind: the mapper sees the object before and after the change, and says which keys to wake."""
        enqueue, duration = self.controller.queue.add, _DURATION.labels(kind.resource)

        def wake(old: Object[Any] | None, new: Object[Any] | None, initial: bool) -> None:
            started = time.monotonic()
            requests: Iterable[Request] = mapper(old, new)
            reason = f"{kind.kind} {(old or new).key}"  # type: ignore[union-attr] # one of them is there
            for request in requests:
                enqueue(request, priority=LOW_PRIORITY if initial else 0, reason=reason)
            duration.observe(time.monotonic() - started)

        return self._handle(self._informer(kind, **shape), _filtered(kind, predicate, wake))

    def on_error(self, *, condition: str, reason: str) -> "ControllerBuilder":
        """Say in the object's status that its reconcile keeps failing: this condition False, with this reason.

        Name a condition that the reconciler sets itself, so that its next success overwrites this one. The message is
        the exception. Told are the third failure in a row, the twelfth of what usually passes (a conflict, a server
        that is away), and every `TerminalError` and `InvalidObject`.
        """
        self._error = (condition, reason)
        self._tell_failures()
        return self

    def _tell_failures(self) -> None:
        """Once both are known: the kind and the condition."""
        cache = self._primary
        if self.kind is None or cache is None or self._error is None:
            return
        if self._client is None or "status" not in self.kind.subresources:
            raise ValueError(f"{self.kind} has no status subresource that a condition could be written to")
        condition, reason = self._error
        self.controller.observer = FailureConditions(
            self.kind, cache, self._client, condition=condition, reason=reason, whole=self._whole
        )

    def source(self, attach: Callable[[Controller], None]) -> "ControllerBuilder":
        """For wake-ups that no watch tells of: `attach` gets the controller now, and keeps its `enqueue` for later."""
        attach(self.controller)
        return self

    def enqueue(self, request: Request, *, priority: int = 0, after: float = 0.0, reason: str = "") -> None:
        """Wake a key from outside: a callback, a timer."""
        self.controller.enqueue(request, priority=priority, after=after, reason=reason)

    def resync(self) -> None:
        """Wakes every known key once more, behind everything else: for what drifts without telling anybody."""
        if self._primary is not None:
            for key in self._primary.keys():  # noqa: SIM118 - not a mapping
                self.controller.enqueue(key, priority=LOW_PRIORITY, reason="resync")

    def has_synced(self) -> bool:
        """Whether every object that existed at the start has been through every handler of this controller."""
        return all(registration.has_synced() for registration in self._registrations)

    def _handle(self, informer: Watched, handler: Handler) -> "ControllerBuilder":
        self._registrations.append(informer.add_handler(handler))
        return self


def _filtered(kind: Kind[Any], predicate: Predicate | None, wake: Handler) -> Handler:
    """`wake` behind the predicate; whatever either of them raises ends here."""
    failures = _FAILURES.labels(kind.resource)

    def handle(old: Object[Any] | None, new: Object[Any] | None, initial: bool) -> None:
        try:
            if predicate is None or predicate(old, new):
                wake(old, new, initial)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - people's code on the reflector's thread: the watch must go on
            failures.inc()
            _log.error("mapper failed", exc_info=error, kind=kind.resource, key=(old or new).key)  # type: ignore[union-attr]

    return handle
