"""The informers of a process: one per kind and shape, made on first use, started and stopped together."""

import threading
import time
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Unpack, overload

from zonewright.api.kind import Kind
from zonewright.api.objects import Object
from zonewright.api.shaping import Selection, Shaping
from zonewright.cache.informer import Informer, measure
from zonewright.cache.listwatch import ApiSource
from zonewright.cache.namespaces import NamespacesInformer
from zonewright.cache.shape import Shape, shape_of
from zonewright.client.client import Client
from zonewright.clock import Clock

if TYPE_CHECKING:
    from zonewright.api.partial import PartialObjectMetadata

M = TypeVar("M")


class InformerSet:
    """The informers of a process. A client whose `on_write` is its `wrote` reads its own writes."""

    def __init__(self, client: Client, *, namespace: str = "", clock: Clock | None = None) -> None:
        """`namespace` limits the namespaced kinds to one namespace; "" is all of them."""
        self._client = client
        self._namespace = namespace
        self._clock = clock
        self._lock = threading.Lock()
        self._informers: dict[tuple[Kind[Any], Shape], Informer[Any]] = {}
        self._started = False

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

    def informer(self, kind: Kind[Any], **options: Unpack[Shaping]) -> Informer[Any]:
        """The one informer of a kind in this shape, made on first use; started at once if the set is."""
        shape = shape_of(kind, options, self._namespace)
        with self._lock:
            known = self._informers.get((kind, shape))
            if known is None:
                known = self._informers[kind, shape] = self._new(kind, shape)
                measure(self._of(kind))
                if self._started:
                    known.start()
        return known

    def _new(self, kind: Kind[Any], shape: Shape) -> Informer[Any]:
        title, delivery = self._title(kind, shape), threading.RLock()
        parts = {
            namespace: Informer(
                shape.kind(kind),
                self._source(kind, namespace, shape),
                scope=namespace,
                shape=shape,
                title=title,
                delivery=delivery,
                clock=self._clock,
            )
            for namespace in shape.namespaces
        }
        only = next(iter(parts.values()))
        return only if len(parts) == 1 else NamespacesInformer(only.kind, parts, title)

    def _source(self, kind: Kind[Any], namespace: str, shape: Shape) -> ApiSource:
        return ApiSource(
            self._client,
            kind,
            namespace=namespace,
            label_selector=shape.label_selector,
            field_selector=shape.field_selector,
            metadata_only=shape.metadata_only,
        )

    def _title(self, kind: Kind[Any], shape: Shape) -> str:
        """Unique: logs, health checks and debug pages tell caches apart by it."""
        title = kind.resource if shape == shape_of(kind, {}, self._namespace) else f"{kind.resource}[{shape}]"
        twins = sum(one.title.partition("#")[0] == title for one in self._of(kind))
        return f"{title}#{twins + 1}" if twins else title

    def _of(self, kind: Kind[Any]) -> list[Informer[Any]]:
        return [informer for (known, _), informer in self._informers.items() if known == kind]

    def informers(self) -> list[Informer[Any]]:
        """All that there are."""
        with self._lock:
            return list(self._informers.values())

    def start(self) -> None:
        """Start them; those that are made later start at once."""
        with self._lock:
            self._started = True
            informers = list(self._informers.values())
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
        """Pass the reply to a write on to the caches of its kind."""
        with self._lock:
            informers = self._of(written.kind)
        for informer in informers:
            informer.wrote(written)
