"""Informer: the shared cache of one kind, and who is told of its changes.

Sits on a reflector (which fills it) and a store (which holds it); controllers, mappers and reconcilers sit on the
informer. There is one per kind and process, whatever number of controllers use it: `InformerSet` sees to that.

Handlers are called in the reflector's thread, in order, one change at a time, with the state before and after. A
handler that comes late is first told everything that is there. A reader that asks after a handler was called sees at
least what the handler saw; a reader that asks after a write of this process sees the write.
"""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar, cast

from zonewright import metrics
from zonewright.api.errors import InvalidObject
from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Handler, Object
from zonewright.cache.listwatch import ApiSource, Source
from zonewright.cache.reflector import Reflector, ReflectorState
from zonewright.cache.store import Change, IndexFunction, Store
from zonewright.client.client import Client
from zonewright.clock import Clock
from zonewright.log import get_logger

M = TypeVar("M")

_log = get_logger(__name__)

OBJECTS = metrics.gauge("zonewright_cache_objects", "Cached objects.", "kind")
BYTES = metrics.gauge("zonewright_cache_bytes", "Size of the cached objects.", "kind")
INVALID = metrics.gauge("zonewright_cache_invalid_objects", "Cached objects that do not fit their model.", "kind")
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
        self, kind: Kind[M], source: Source, *, scope: str = "", partial: bool = False, clock: Clock | None = None
    ) -> None:
        """`scope` is the namespace that `source` is limited to; `partial` says that selectors limit it further."""
        self.kind = kind
        self.scope = scope
        self._partial = partial
        self._store: Store[M] = Store()
        self._reflector = Reflector(kind, source, self, clock=clock)
        # Serialises changes and the replay for late handlers. Re-entrant: a handler may add another.
        self._delivery = threading.RLock()
        self._views: tuple[Registration, ...] = ()
        self._handlers: tuple[Registration, ...] = ()
        self._synced = threading.Event()
        self._invalid_lock = threading.Lock()
        self._invalid: dict[Request, tuple[int, str]] = {}
        self._errors = HANDLER_ERRORS.labels(kind.resource)
        OBJECTS.labels(kind.resource).set_function(lambda: len(self._store))
        BYTES.labels(kind.resource).set_function(lambda: self._store.bytes)
        INVALID.labels(kind.resource).set_function(lambda: len(self.invalid()))

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
        if self.scope in ("", written.namespace):
            # Whether a new object matches the selectors is for the server to say; a known one did.
            self._store.wrote(written, only_known=self._partial)

    # --- the reflector's sink

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
        _log.info("cache filled", kind=self.kind.resource, objects=len(self._store), changes=len(changes))

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


class InformerSet:
    """The informers of a process, one per kind. A client whose `on_write` is its `wrote` reads its own writes."""

    def __init__(self, client: Client, *, namespace: str = "", clock: Clock | None = None) -> None:
        """`namespace` limits the namespaced kinds to one namespace; "" is all of them."""
        self._client = client
        self._namespace = namespace
        self._clock = clock
        self._lock = threading.Lock()
        self._informers: dict[Kind[Any], tuple[Informer[Any], tuple[str | None, ...]]] = {}
        self._started = False

    def informer(
        self,
        kind: Kind[M],
        *,
        namespace: str | None = None,
        label_selector: str | None = None,
        field_selector: str | None = None,
    ) -> Informer[M]:
        """The kind's one informer, made on first use; started at once if the set is."""
        scope = (self._namespace if namespace is None else namespace) if kind.namespaced else ""
        options = (scope, label_selector, field_selector)
        with self._lock:
            known = self._informers.get(kind)
            if known is None:
                known = self._informers[kind] = (self._new(kind, *options), options)
                if self._started:
                    known[0].start()
        informer, made_with = known
        # Asking for the kind alone is asking for what there is; asking for another part of it cannot be answered.
        if options != made_with and (namespace, label_selector, field_selector) != (None, None, None):
            raise ValueError(f"the informer of {kind} exists with other options: {made_with}, not {options}")
        return informer

    def _new(self, kind: Kind[M], scope: str, label_selector: str | None, field_selector: str | None) -> Informer[M]:
        source = ApiSource(
            self._client, kind, namespace=scope, label_selector=label_selector, field_selector=field_selector
        )
        partial = bool(label_selector or field_selector)
        return Informer(kind, source, scope=scope, partial=partial, clock=self._clock)

    def informers(self) -> list[Informer[Any]]:
        """All that there are."""
        with self._lock:
            return [informer for informer, _ in self._informers.values()]

    def start(self) -> None:
        """Start them; those that are made later start at once."""
        with self._lock:
            self._started = True
            informers = [informer for informer, _ in self._informers.values()]
        for informer in informers:
            if not informer.alive:
                informer.start()

    def stop(self) -> None:
        """End all watches."""
        for informer in self.informers():
            informer.stop()

    def has_synced(self) -> bool:
        """Whether every cache holds everything."""
        return all(informer.has_synced() for informer in self.informers())

    def wait(self, timeout: float) -> bool:
        """Until everything has synced."""
        deadline = time.monotonic() + timeout
        return all(informer.wait(max(0.0, deadline - time.monotonic())) for informer in self.informers())

    def wrote(self, written: Object[Any]) -> None:
        """Pass the reply to a write on to the cache of its kind."""
        with self._lock:
            known = self._informers.get(written.kind)
        if known is not None:
            known[0].wrote(written)
