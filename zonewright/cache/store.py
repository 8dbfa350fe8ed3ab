"""The cached objects of one kind: bytes by key, indexes, and the overlay of our own writes.

The reflector writes (`replace`, `apply`, `progress`), everybody reads. Each write returns what changed, as (old, new)
pairs; telling handlers about it is the informer's part. All methods are thread-safe and none calls out while holding
the lock, except index functions, which are pure.

What is read is never older than what was read before: a change older than what is cached is dropped, and only
`replace`, whose list the server vouches for, can turn back time.
"""

import threading
from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from zonewright.api.kind import Request
from zonewright.api.objects import Object
from zonewright.cache.overlay import Overlay
from zonewright.log import get_logger

M = TypeVar("M")
IndexFunction = Callable[[Object[M]], Iterable[str]]

_log = get_logger(__name__)


class Change(NamedTuple, Generic[M]):
    """`old` is None for a new object, `new` for a deleted one."""

    old: Object[M] | None
    new: Object[M] | None


class _Index(Generic[M]):
    def __init__(self, name: str, function: IndexFunction[M]) -> None:
        self.name = name
        self._function = function
        self._keys: dict[str, set[Request]] = {}

    def values(self, object_: Object[M]) -> frozenset[str]:
        try:
            return frozenset(self._function(object_))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's code: one odd object must not stop the watch
            _log.error("index function failed", exc_info=error, index=self.name, key=object_.key)
            return frozenset()

    def move(self, old: Object[M] | None, new: Object[M] | None) -> None:
        before = self.values(old) if old is not None else frozenset[str]()
        after = self.values(new) if new is not None else frozenset[str]()
        for value in before - after:
            self._discard(value, old.key)  # type: ignore[union-attr]  # not empty, so there is an old object
        for value in after - before:
            self._keys.setdefault(value, set()).add(new.key)  # type: ignore[union-attr]

    def keys(self, value: str) -> set[Request]:
        return set(self._keys.get(value, ()))

    def _discard(self, value: str, key: Request) -> None:
        keys = self._keys.get(value, set())
        keys.discard(key)
        if not keys:
            self._keys.pop(value, None)


class Store(Generic[M]):
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._objects: dict[Request, Object[M]] = {}
        self._overlay: Overlay[M] = Overlay()
        self._indexes: dict[str, _Index[M]] = {}
        self._bytes = 0
        self._version = 0  # of the newest change seen
        # Every change up to here is in, said the server with a list or a bookmark: whatever comes below is old.
        self._floor = 0
        # Above it a late duplicate could bring a deleted object back. Bookmarks come every minute, so these stay few.
        self._deleted: dict[Request, int] = {}

    # --- the reflector's side

    def replace(self, objects: Iterable[Object[M]], version: int) -> list[Change[M]]:
        """Makes `objects`, a complete list as of `version`, the content. Deletes come first, with the last state."""
        wanted = {object_.key: object_ for object_ in objects}
        with self._lock:
            changes = list(self._difference(wanted))
            for old, new in changes:
                self._move(old, new)
            if version < self._version:  # etcd was restored from a backup: what we wrote since never happened
                self._overlay.clear()
            self._version = version
            self._drop_confirmed(version)
        return changes

    def _difference(self, wanted: dict[Request, Object[M]]) -> Iterable[Change[M]]:
        for key, old in self._objects.items():
            if key not in wanted:
                yield Change(old, None)
        for key, new in wanted.items():
            known = self._objects.get(key)
            if known is None:
                yield Change(None, new)
            elif known.version != new.version:
                if known.uid != new.uid:  # deleted and created again while we did not look: two changes, not one
                    yield Change(known, None)
                    yield Change(None, new)
                else:
                    yield Change(known, new)

    def apply(self, object_: Object[M], *, deleted: bool = False) -> Change[M] | None:
        """One watch event. None if it is no news: a duplicate, or older than what is cached."""
        key, version = object_.key, object_.version
        with self._lock:
            old = self._objects.get(key)
            self._overlay.seen(key, version)
            self._version = max(self._version, version)
            if version <= self._known(key, old, deleted=deleted):
                return None
            if deleted:
                self._deleted[key] = version
                if old is None:
                    return None
            new = None if deleted else object_
            self._move(old, new)
        return Change(old, new)

    def _known(self, key: Request, old: Object[M] | None, *, deleted: bool) -> int:
        """The version up to which events of this key are no news."""
        if old is not None:
            # Some servers send a deletion with the version of the object's last change.
            return old.version - 1 if deleted else old.version
        return self._deleted.get(key, self._floor)

    def progress(self, version: int) -> None:
        """A bookmark: every change up to `version` was applied."""
        with self._lock:
            self._version = max(self._version, version)
            self._drop_confirmed(version)

    def _drop_confirmed(self, version: int) -> None:
        self._floor = version
        self._deleted = {key: at for key, at in self._deleted.items() if at > version} if self._deleted else {}
        self._overlay.seen_all(version)

    def _move(self, old: Object[M] | None, new: Object[M] | None) -> None:
        if new is not None:
            self._objects[new.key] = new
            self._bytes += len(new.raw)
        elif old is not None:
            del self._objects[old.key]
        if old is not None:
            self._bytes -= len(old.raw)
        for index in self._indexes.values():
            index.move(old, new)

    # --- the readers' side: each gets views of its own

    def wrote(self, written: Object[M], *, only_known: bool = False) -> None:
        """The reply to a write of ours: reads return it from now on. `only_known` ignores keys that are not cached."""
        with self._lock:
            cached = self._objects.get(written.key)
            # The watch may have been faster, and may already have brought the object's deletion after our write.
            if written.version > self._version and (cached is not None or not only_known):
                self._overlay.put(written, cached)

    def get(self, key: Request) -> Object[M] | None:
        with self._lock:
            found = self._overlay.newer(key, self._objects.get(key))
        return None if found is None else found.view()

    def objects(self, namespace: str | None = None) -> list[Object[M]]:
        with self._lock:
            found = self._merged(self._objects) if len(self._overlay) else self._objects
            return [object_.view() for object_ in found.values() if namespace in (None, object_.key.namespace)]

    def by_index(self, name: str, value: str) -> list[Object[M]]:
        with self._lock:
            index = self._indexes[name]
            cached = {key: self._objects[key] for key in index.keys(value)}
            if len(self._overlay):
                cached = {key: kept for key, kept in self._merged(cached).items() if value in index.values(kept)}
            return [object_.view() for object_ in cached.values()]

    def add_index(self, name: str, function: IndexFunction[M]) -> None:
        """Readers may ask `by_index(name, value)` from now on. A second function of the same name is an error."""
        with self._lock:
            if name in self._indexes:
                raise ValueError(f"there is an index {name!r} already")
            index = _Index(name, function)
            for object_ in self._objects.values():
                index.move(None, object_)
                object_.release()
            self._indexes[name] = index

    def _merged(self, cached: dict[Request, Object[M]]) -> dict[Request, Object[M]]:
        return {**cached, **{written.key: written for written in self._overlay.newer_objects()}}

    def keys(self) -> list[Request]:
        with self._lock:
            return list(self._objects)

    def resident(self) -> list[Object[M]]:
        """The cached objects themselves, without the overlay: for replaying them to a late handler."""
        with self._lock:
            return list(self._objects.values())

    def __len__(self) -> int:
        with self._lock:
            return len(self._objects)

    @property
    def bytes(self) -> int:
        with self._lock:
            return self._bytes

    @property
    def version(self) -> int:
        with self._lock:
            return self._version
