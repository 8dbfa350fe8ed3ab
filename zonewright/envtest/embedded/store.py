"""Where objects live: bytes by key, one revision counter over everything, and a window of history for watches.

An object is kept as the JSON it is served as, so that lists and watch events are copies of bytes and nothing handed out
can be changed by its reader. The store knows keys, revisions and labels; what the bytes mean is for its callers.
It is driven by one thread, the event loop's."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from zonewright.envtest.embedded import errors

# Enough for every watch of a test-suite to resume after a pause, small enough to stay in the memory budget.
HISTORY = 10_000
NO_LABELS: Mapping[str, str] = {}


class Key(NamedTuple):
    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One object at one revision."""

    key: Key
    uid: str
    revision: int
    labels: Mapping[str, str]
    owners: tuple[str, ...]
    raw: bytes


class Change(StrEnum):
    ADDED = "ADDED"
    MODIFIED = "MODIFIED"
    DELETED = "DELETED"


@dataclass(frozen=True, slots=True)
class Event:
    """One step of history. A deletion has a revision of its own, which its `entry` carries too."""

    change: Change
    collection: str
    entry: Entry
    before: Entry | None


@dataclass(slots=True)
class Collection:
    """All objects of one resource, in key order when asked."""

    entries: dict[Key, Entry] = field(default_factory=dict)
    _ordered: list[Key] | None = None

    def put(self, entry: Entry) -> None:
        if entry.key not in self.entries:
            self._ordered = None
        self.entries[entry.key] = entry

    def drop(self, key: Key) -> None:
        del self.entries[key]
        self._ordered = None

    def ordered(self) -> list[Key]:
        if self._ordered is None:
            self._ordered = sorted(self.entries)
        return self._ordered


class Store:
    def __init__(self, history: int = HISTORY) -> None:
        self.revision = 1
        self.compacted = 0
        self._history: deque[Event] = deque()
        self._limit = history
        self._collections: dict[str, Collection] = {}
        self._listeners: list[Callable[[Event], None]] = []
        self._uids: dict[str, tuple[str, Key]] = {}
        self._dependents: dict[str, set[tuple[str, Key]]] = {}

    def subscribe(self, listener: Callable[[Event], None]) -> None:
        """`listener` hears of every event, in order, before the write that made it returns."""
        self._listeners.append(listener)

    def get(self, collection: str, key: Key) -> Entry | None:
        found = self._collections.get(collection)
        return found.entries.get(key) if found else None

    def entries(self, collection: str, namespace: str = "") -> list[Entry]:
        found = self._collections.get(collection)
        if found is None:
            return []
        keys = found.ordered()
        return [found.entries[key] for key in keys if not namespace or key.namespace == namespace]

    def entries_at(self, collection: str, revision: int, namespace: str = "") -> list[Entry]:
        """The same at an earlier revision: today's state with the later history undone."""
        self.require(revision)
        past = {entry.key: entry for entry in self.entries(collection, namespace)}
        for event in reversed(self._history):
            if event.entry.revision <= revision:
                break
            if event.collection == collection and (not namespace or event.entry.key.namespace == namespace):
                if event.before is None:
                    past.pop(event.entry.key, None)
                else:
                    past[event.entry.key] = event.before
        return [past[key] for key in sorted(past)]

    def next_revision(self) -> int:
        self.revision += 1
        return self.revision

    def put(self, collection: str, entry: Entry) -> None:
        before = self.get(collection, entry.key)
        self._collections.setdefault(collection, Collection()).put(entry)
        self._index(collection, before, entry)
        change = Change.MODIFIED if before else Change.ADDED
        self._record(Event(change, collection, entry, before))

    def remove(self, collection: str, last: Entry) -> None:
        """`last` is the object as watchers see it go, at the revision of its removal."""
        before = self._collections[collection].entries[last.key]
        self._collections[collection].drop(last.key)
        self._index(collection, before, None)
        self._record(Event(Change.DELETED, collection, last, before))

    def rewrite(self, collection: str, entry: Entry) -> None:
        """Replaces the bytes without an event: what a read shows after a schema changed its defaults."""
        self._collections[collection].put(entry)

    def find(self, uid: str) -> tuple[str, Entry] | None:
        where = self._uids.get(uid)
        if where is None:
            return None
        entry = self.get(*where)
        return (where[0], entry) if entry else None

    def dependents(self, uid: str) -> list[tuple[str, Entry]]:
        found = [(collection, self.get(collection, key)) for collection, key in sorted(self._dependents.get(uid, ()))]
        return [(collection, entry) for collection, entry in found if entry]

    def since(self, revision: int) -> Iterator[Event]:
        self.require(revision)
        return iter([event for event in self._history if event.entry.revision > revision])

    def require(self, revision: int) -> None:
        if revision < self.compacted:
            raise errors.expired(f"too old resource version: {revision} ({self.compacted})")

    def compact(self, revision: int | None = None) -> int:
        """Forgets history up to `revision`, by default all of it; older watches and pages get 410 from then on."""
        # A revision of its own makes sure that "before the compaction" is in the past for every reader.
        self.compacted = self.next_revision() if revision is None else min(revision, self.revision)
        while self._history and self._history[0].entry.revision <= self.compacted:
            self._history.popleft()
        return self.compacted

    def _record(self, event: Event) -> None:
        self._history.append(event)
        if len(self._history) > self._limit:
            self.compacted = self._history.popleft().entry.revision
        for listener in self._listeners:
            listener(event)

    def _index(self, collection: str, before: Entry | None, after: Entry | None) -> None:
        if before and (after is None or before.uid != after.uid):
            self._uids.pop(before.uid, None)
        if after:
            self._uids[after.uid] = (collection, after.key)
        old, new = (before.owners if before else ()), (after.owners if after else ())
        if old != new:
            self._relink(collection, (before or after), old, new)

    def _relink(self, collection: str, entry: Entry | None, old: tuple[str, ...], new: tuple[str, ...]) -> None:
        if entry is None:
            return
        place = (collection, entry.key)
        for owner in old:
            self._dependents.get(owner, set()).discard(place)
            if not self._dependents.get(owner):
                self._dependents.pop(owner, None)
        for owner in new:
            self._dependents.setdefault(owner, set()).add(place)
