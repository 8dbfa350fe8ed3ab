"""Several namespaces of a kind, cached as one: an informer whose parts are informers, one to a namespace.

Each part lists and watches its namespace at a version of its own, so each has a store of its own; a key says which
part it belongs to. The parts share the lock under which handlers are called: these hear of one change at a time, as
from any other informer.
"""

import dataclasses
import time
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Handler, Object
from zonewright.cache.informer import Informer, Registration
from zonewright.cache.reflector import ReflectorState
from zonewright.cache.store import IndexFunction

M = TypeVar("M")


class JointRegistration(Registration):
    """A handler's places in all parts."""

    def __init__(self, handler: Handler, places: Iterable[Registration]) -> None:
        super().__init__(handler, lambda _: None)
        self._places = tuple(places)

    def has_synced(self) -> bool:
        return all(place.has_synced() for place in self._places)

    def wait(self, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        return all(place.wait(max(0.0, deadline - time.monotonic())) for place in self._places)

    def remove(self) -> None:
        for place in self._places:
            place.remove()


class NamespacesInformer(Informer[M], Generic[M]):
    """Answers as one cache. Has no store and no reflector: whatever `Informer` does with its own is asked of parts."""

    def __init__(self, kind: Kind[M], parts: Mapping[str, Informer[M]], title: str) -> None:
        self.kind, self.title = kind, title
        self._parts = parts
        first = next(iter(parts.values()))
        self.scope, self.shape = ",".join(parts), first.shape
        self._delivery = first._delivery  # noqa: SLF001 - what it is shared for

    # --- life

    def start(self) -> None:
        for part in self._parts.values():
            part.start()

    def stop(self, timeout: float = 5.0) -> None:
        for part in self._parts.values():
            part.stop(timeout)

    def has_synced(self) -> bool:
        return all(part.has_synced() for part in self._parts.values())

    def wait(self, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        return all(part.wait(max(0.0, deadline - time.monotonic())) for part in self._parts.values())

    @property
    def alive(self) -> bool:
        return all(part.alive for part in self._parts.values())

    def state(self) -> ReflectorState:
        """As bad as the worst of them."""
        states = [part.state() for part in self._parts.values()]
        return dataclasses.replace(
            states[0],
            kind=self.title,
            synced=all(state.synced for state in states),
            version=min(state.version for state in states),
            seconds_since_activity=max(state.seconds_since_activity for state in states),
            failures=sum(state.failures for state in states),
            last_error=next((state.last_error for state in states if state.last_error), ""),
            watch_list=all(state.watch_list for state in states),
        )

    # --- reads

    def get(self, request: Request) -> M | None:
        part = self._parts.get(request.namespace)
        return None if part is None else part.get(request)

    def object(self, request: Request) -> Object[M] | None:
        part = self._parts.get(request.namespace)
        return None if part is None else part.object(request)

    def objects(self, namespace: str | None = None) -> "list[Object[M]]":
        return [found for part in self._of(namespace) for found in part.objects()]

    def by_index(self, name: str, value: str) -> "list[Object[M]]":
        return [found for part in self._parts.values() for found in part.by_index(name, value)]

    def keys(self) -> "list[Request]":
        return [key for part in self._parts.values() for key in part.keys()]  # noqa: SIM118 - not a mapping

    def invalid(self) -> Mapping[Request, str]:
        return {key: error for part in self._parts.values() for key, error in part.invalid().items()}

    def __len__(self) -> int:
        return sum(len(part) for part in self._parts.values())

    @property
    def bytes(self) -> int:
        return sum(part.bytes for part in self._parts.values())

    def _of(self, namespace: str | None) -> "Iterable[Informer[M]]":
        if namespace is None:
            return self._parts.values()
        return [self._parts[namespace]] if namespace in self._parts else []

    # --- handlers

    def add_view(self, handler: Handler) -> Registration:
        with self._delivery:
            return JointRegistration(handler, [part.add_view(handler) for part in self._parts.values()])

    def add_handler(self, handler: Handler) -> Registration:
        with self._delivery:
            return JointRegistration(handler, [part.add_handler(handler) for part in self._parts.values()])

    def add_index(self, name: str, function: IndexFunction[M]) -> None:
        for part in self._parts.values():
            part.add_index(name, function)

    def wrote(self, written: Object[M]) -> None:
        part = self._parts.get(written.namespace)
        if part is not None:
            part.wrote(written)

    def reduced(self, object_: Object[M]) -> Object[M]:
        return next(iter(self._parts.values())).reduced(object_)

    def replace(self, objects: Iterable[Object[M]], version: int) -> None:
        """Each part is the sink of its own reflector; the whole is nobody's."""
        raise NotImplementedError

    def apply(self, object_: Object[M], *, deleted: bool) -> None:
        """See `replace`."""
        raise NotImplementedError

    def progress(self, version: int) -> None:
        """See `replace`."""
        raise NotImplementedError

    def list(self, namespace: str | None = None) -> "list[M]":
        return [found for part in self._of(namespace) for found in part.list()]
