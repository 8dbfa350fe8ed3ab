"""Watches: each one a queue of event lines between the store, which never waits, and a client, which may be slow.

Knows which events a watcher sees and what they look like; the HTTP side (server.py) writes the lines."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator

from zonewright.envtest.embedded import codec
from zonewright.envtest.embedded.resources import Resource
from zonewright.envtest.embedded.store import Change, Entry, Event, Store
from zonewright.envtest.embedded.verbs import Query, Verbs

# A client this far behind is cut off and has to start again, as kube-apiserver does.
BACKLOG = 20_000
Render = Callable[[bytes], bytes]


class Watch:
    """One watcher. `lines` waits for events and gives them as bytes, several at once when there are."""

    def __init__(self, resource: Resource, query: Query, verbs: Verbs, render: Render) -> None:
        self.resource, self._query, self._verbs, self._render = resource, query, verbs, render
        self._pending: deque[bytes] = deque()
        self._ready = asyncio.Event()
        self.closed = False

    def offer(self, event: Event) -> None:
        if event.collection != self.resource.collection:
            return
        change = self._seen_as(event)
        if change is None:
            return
        self._push(self.line(change, event.entry))

    def _seen_as(self, event: Event) -> Change | None:
        """An object that starts or stops matching the selectors is added or deleted to this watcher."""
        matches = self._query.matches(self.resource, event.entry)
        if event.change is not Change.MODIFIED or event.before is None:
            return event.change if matches else None
        matched = self._query.matches(self.resource, event.before)
        if matches:
            return Change.MODIFIED if matched else Change.ADDED
        return Change.DELETED if matched else None

    def line(self, change: Change, entry: Entry) -> bytes:
        shown = self._render(self._verbs.shown(self.resource, entry))
        return b'{"type":"' + change.value.encode() + b'","object":' + shown + b"}\n"

    def initial(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._push(self.line(Change.ADDED, entry))

    def bookmark(self, revision: int, *, initial_end: bool = False) -> None:
        meta: dict[str, object] = {"resourceVersion": str(revision), "creationTimestamp": None}
        if initial_end:
            meta["annotations"] = {"k8s.io/initial-events-end": "true"}
        kind = {"kind": self.resource.kind, "apiVersion": self.resource.api_version, "metadata": meta}
        self._push(b'{"type":"BOOKMARK","object":' + self._render(codec.encode(kind)) + b"}\n")

    def _push(self, line: bytes) -> None:
        if len(self._pending) >= BACKLOG:
            self.close()
        else:
            self._pending.append(line)
            self._ready.set()

    def close(self) -> None:
        self.closed = True
        self._ready.set()

    async def lines(self, timeout: float) -> bytes:
        """What is pending; b"" when there was nothing for `timeout` seconds or the watch was closed."""
        if not self._pending and not self.closed:
            try:
                async with asyncio.timeout(timeout):
                    await self._ready.wait()
            except TimeoutError:
                return b""
        self._ready.clear()
        if self.closed:
            return b""
        taken = b"".join(self._pending)
        self._pending.clear()
        return taken


class Watches:
    """All watchers of the server."""

    def __init__(self, store: Store) -> None:
        self._open: dict[str, set[Watch]] = {}
        store.subscribe(self._heard)

    def _heard(self, event: Event) -> None:
        for watch in self._open.get(event.collection, ()):
            watch.offer(event)

    def add(self, watch: Watch) -> None:
        self._open.setdefault(watch.resource.collection, set()).add(watch)

    def discard(self, watch: Watch) -> None:
        self._open.get(watch.resource.collection, set()).discard(watch)

    def close_all(self) -> None:
        for watch in self:
            watch.close()

    def close_of(self, collection: str) -> None:
        """Ends the watches of a kind that is no longer served."""
        for watch in list(self._open.get(collection, ())):
            watch.close()

    def __iter__(self) -> Iterator[Watch]:
        return iter([watch for watches in self._open.values() for watch in watches])
