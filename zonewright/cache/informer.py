"""Informer: the shared cache of one kind, and who is told of its changes.

Sits on a reflector (which fills it) and a store (which holds it); controllers, mappers and reconcilers sit on the
informer. There is one per kind, shape and process, whatever number of controllers use it: `InformerSet` sees to that.

Handlers are called in the reflector's thread, in order, one change at a time, with the state before and after. A
handler that comes late is first told everything that is there. A reader that asks after a handler was called sees at
least what the handler saw; a reader that asks after a write of this process sees the write.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

from zonewright import metrics
from zonewright.api.errors import InvalidObject
from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Handler, Object
from zonewright.api.selectors import Selector
from zonewright.cache.listwatch import Source
from zonewright.cache.reflector import Reflector, ReflectorState
from zonewright.cache.shape import Shape
from zonewright.cache.store import Change, IndexFunction, Store
from zonewright.clock import Clock
from zonewright.log import get_logger

M = TypeVar("M")
PLAIN = Shape()

_log = get_logger(__name__)

OBJECTS = metrics.gauge("zonewright_cache_objects", "Cached objects.", "kind")
BYTES = metrics.gauge("zonewright_cache_bytes", "Size of the cached objects.", "kind")
INVALID = metrics.gauge("zonewright_cache_invalid_objects", "Cached objects that do not fit their model.", "kind")
AGE = metrics.gauge(
    "zonewright_reflector_bookmark_age_seconds", "Time since the watch brought anything, bookmarks included.", "kind"
)
HANDLER_ERRORS = metrics.counter("zonewright_handler_errors_total", "Exceptions raised by event handlers.", "kind")


class Registration:
    """A handler's place in an informer."""

    def __init__(self, handler: Handler, remove: "Callable[[Registration], None]") -> None:
        self.handler = handler
        self._remove = remove
        self._synced = threading.Event()

    def has_synced(self) -> bool:
        """Whether every object that was there at first has been delivered to this handler."""
        return self._synced.is_set()

    def mark_synced(self) -> None:
        self._synced.set()

    def wait(self, timeout: float) -> bool:
        return self._synced.wait(timeout)

    def remove(self) -> None:
        """No further calls, once a call under way has returned."""
        self._remove(self)


class Informer(Generic[M]):
    """The cache of one kind: typed reads, and handlers that hear of every change. Made by `Manager.informer`."""

    def __init__(
        self,
        kind: Kind[M],
        source: Source,
        *,
        scope: str = "",
        shape: Shape = PLAIN,
        title: str = "",
        delivery: "threading.RLock | None" = None,
        clock: Clock | None = None,
    ) -> None:
        """`scope` is the namespace that `source` is limited to; `delivery` is shared by caches that are read as one."""
        self.kind = kind
        self.scope = scope
        self.shape = shape
        self.title = title or kind.resource
        """The kind, and the shape where it is not the usual one: what logs and health checks call this cache."""
        self._selector = Selector.parse(shape.label_selector)
        self._store: Store[M] = Store()
        reduce = self.reduced if shape.reduces else None
        self._reflector = Reflector(kind, source, self, title=self.title, reduce=reduce, clock=clock)
        # Serialises changes and the replay for late handlers. Re-entrant: a handler may add another.
        self._delivery = delivery or threading.RLock()
        self._views: tuple[Registration, ...] = ()
        self._handlers: tuple[Registration, ...] = ()
        self._synced = threading.Event()
        self._invalid_lock = threading.Lock()
        self._invalid: dict[Request, tuple[int, str]] = {}
        self._errors = HANDLER_ERRORS.labels(kind.resource)
        measure([self])

    # --- life

    def start(self) -> None:
        """Start to list and watch, in a thread of its own."""
        self._reflector.start()

    def stop(self, timeout: float = 5.0) -> None:
        """End the watch; the cache keeps what it has."""
        self._reflector.stop(timeout)

    def has_synced(self) -> bool:
        """Whether the cache holds everything and every handler that was there was told."""
        return self._synced.is_set()

    def wait(self, timeout: float) -> bool:
        """Wait for the first sync; False when the time is over."""
        return self._synced.wait(timeout)

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._reflector.alive

    def state(self) -> ReflectorState:
        """How the watch is doing: for health and debugging."""
        return self._reflector.state()

    # --- reads: what they return is the caller's own

    def get(self, request: Request) -> M | None:
        """The newest known state, or None. Raises `InvalidObject` for one that does not fit its model."""
        found = self._store.get(request)
        return None if found is None else self._model(found)

    def object(self, request: Request) -> Object[M] | None:
        """The newest known state as an `Object`: cheap, and also for one that does not fit its model."""
        return self._store.get(request)

    def objects(self, namespace: str | None = None) -> "list[Object[M]]":
        """All objects, or those of one namespace."""
        return self._store.objects(namespace)

    def by_index(self, name: str, value: str) -> "list[Object[M]]":
        """The objects that an index of `add_index` files under a value."""
        return self._store.by_index(name, value)

    def keys(self) -> "list[Request]":
        """The keys of all objects."""
        return self._store.keys()

    def invalid(self) -> Mapping[Request, str]:
        """The objects that were read and did not fit their model, with the reason, while they stay as they are."""
        with self._invalid_lock:
            return {key: error for key, (_, error) in self._invalid.items()}

    def __len__(self) -> int:
        return len(self._store)

    def __bool__(self) -> bool:
        """An empty cache is still a cache."""
        return True

    @property
    def bytes(self) -> int:
        """The size of the cached objects."""
        return self._store.bytes

    def _model(self, object_: Object[M]) -> M:
        try:
            return object_.model()
        except InvalidObject as error:
            with self._invalid_lock:
                self._invalid[object_.key] = (object_.version, error.error)
            raise

    # --- handlers

    def add_view(self, handler: Handler) -> Registration:
        """A handler that keeps an index of its own up to date: called before every ordinary handler of a change.

        Mappers, and reconciles that they wake, find the view as it is after the change, whatever was registered first.
        """
        with self._delivery:
            registration = self._introduce(handler)
            self._views += (registration,)
        return registration

    def add_handler(self, handler: Handler) -> Registration:
        """Hear of every change, after the views; one that comes late is told first what is there."""
        with self._delivery:
            registration = self._introduce(handler)
            self._handlers += (registration,)
        return registration

    def _introduce(self, handler: Handler) -> Registration:
        registration = Registration(handler, self._remove_handler)
        if self._synced.is_set():
            for object_ in self._store.resident():
                self._call(registration, None, object_, True)
                object_.release()
            registration.mark_synced()
        return registration

    def _remove_handler(self, registration: Registration) -> None:
        with self._delivery:
            self._views = tuple(kept for kept in self._views if kept is not registration)
            self._handlers = tuple(kept for kept in self._handlers if kept is not registration)

    def add_index(self, name: str, function: IndexFunction[M]) -> None:
        """File every object under the values that the function returns for it; read with `by_index`."""
        self._store.add_index(name, function)

    def wrote(self, written: Object[M]) -> None:
        """The reply to a write of this process. `Client` calls this for every write, through the `InformerSet`."""
        if self.scope not in ("", written.namespace):
            return
        only_known = not self._selects(written)
        if written.kind.model_path != self.kind.model_path:  # equal kinds: readers get the model of this one
            written = Object(self.kind, written.key, written.version, written.generation, written.raw)
        self._store.wrote(self.reduced(written), only_known=only_known)

    def _selects(self, written: Object[M]) -> bool:
        """Whether a write belongs here. One that is cached did: the watch says when it no longer does.

        Fields are for the server to compare. So are labels in the forms that `Selector` does not read (`a>1`): it takes
        those for labels that nothing has.
        """
        if self.shape.field_selector:
            return False
        return not self.shape.label_selector or self._selector.matches(written.labels)

    # --- the reflector's sink

    def reduced(self, object_: Object[M]) -> Object[M]:
        """What this cache stores of an object."""
        return self.shape.reduce(object_, self.kind) if self.shape.reduces else object_

    def replace(self, objects: Iterable[Object[M]], version: int) -> None:
        """From the reflector: everything there is, at a resource version."""
        with self._delivery:
            initial = not self._synced.is_set()
            changes = self._store.replace(objects, version)
            for change in changes:
                self._deliver(change, initial=initial)
            for registration in (*self._views, *self._handlers):
                registration.mark_synced()
            self._synced.set()
        _log.info("cache filled", kind=self.title, objects=len(self._store), changes=len(changes))

    def apply(self, object_: Object[M], *, deleted: bool) -> None:
        """From the reflector: one change."""
        with self._delivery:
            change = self._store.apply(object_, deleted=deleted)
            if change is not None:
                self._deliver(change, initial=False)

    def progress(self, version: int) -> None:
        """From the reflector: nothing changed up to this resource version (a bookmark)."""
        self._store.progress(version)

    def _deliver(self, change: Change[M], *, initial: bool) -> None:
        old, new = change
        if self._invalid:
            self._forget_invalid(change)
        for registration in self._views:
            self._call(registration, old, new, initial)
        for registration in self._handlers:
            self._call(registration, old, new, initial)
        if new is not None:
            new.release()

    def _call(self, registration: Registration, old: Object[M] | None, new: Object[M] | None, initial: bool) -> None:
        try:
            registration.handler(old, new, initial)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - one controller's mapper must not blind the others
            self._errors.inc()
            key = (new or cast("Object[M]", old)).key
            _log.error("event handler failed", exc_info=error, kind=self.kind.resource, key=key)

    def _forget_invalid(self, change: Change[M]) -> None:
        with self._invalid_lock:
            self._invalid.pop((change.new or cast("Object[M]", change.old)).key, None)

    def list(self, namespace: str | None = None) -> "list[M]":
        """All that fit their model; the others are in `invalid`."""
        models = []
        for object_ in self._store.objects(namespace):
            try:
                models.append(self._model(object_))
            except InvalidObject:
                continue
        return models


def measure(caches: "Sequence[Informer[Any]]") -> None:
    """Metrics are by kind: where it has several caches they say what these hold together."""
    resource = caches[0].kind.resource
    OBJECTS.labels(resource).set_function(lambda: sum(len(cache) for cache in caches))
    BYTES.labels(resource).set_function(lambda: sum(cache.bytes for cache in caches))
    INVALID.labels(resource).set_function(lambda: sum(len(cache.invalid()) for cache in caches))
    AGE.labels(resource).set_function(lambda: max(cache.state().seconds_since_activity for cache in caches))
