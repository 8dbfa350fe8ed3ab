"""Read-your-writes: the replies to our own writes, until the watch has brought them.

A reconcile that writes and runs again before its own change came back through the watch would otherwise decide on the
old object, and write again or create twice. The store asks the overlay on every read and tells it how far the watch is.
Not thread-safe: it lives under the store's lock.
"""

from typing import Generic, TypeVar

from zonewright.api.kind import Request
from zonewright.api.objects import Object

M = TypeVar("M")


class Overlay(Generic[M]):
    def __init__(self) -> None:
        self._written: dict[Request, Object[M]] = {}

    def __len__(self) -> int:
        return len(self._written)

    def put(self, written: Object[M], cached: Object[M] | None) -> None:
        """Keeps a write's reply if it is news. Replies to two writes may arrive in either order."""
        known = self._written.get(written.key) or cached
        if known is None or written.version > known.version:
            self._written[written.key] = written

    def newer(self, key: Request, cached: Object[M] | None) -> Object[M] | None:
        """The newer of what was written and what is cached."""
        written = self._written.get(key)
        if written is None or (cached is not None and cached.version >= written.version):
            return cached
        return written

    def newer_objects(self) -> list[Object[M]]:
        return list(self._written.values())

    def seen(self, key: Request, version: int) -> None:
        """The watch has brought this key's state as of `version`: a write up to there is no longer ahead."""
        written = self._written.get(key)
        if written is not None and written.version <= version:
            del self._written[key]

    def seen_all(self, version: int) -> None:
        """The watch is complete up to `version`. What it did not bring is gone, or is outside of what we watch."""
        if self._written:
            self._written = {key: kept for key, kept in self._written.items() if kept.version > version}

    def clear(self) -> None:
        self._written.clear()
