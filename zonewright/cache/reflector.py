"""Reflector: keeps a sink (the informer's store) equal to what the API server has of one kind, through every failure.

Above `source.py`, below `informer.py`; one thread per reflector. The rules are client-go's:

- First everything, then changes. Everything comes as a WatchList (initial events on the watch itself) where the server
  offers it, as a paged LIST where it does not. Either replaces the sink's content at once, never bit by bit.
- A watch that ends is opened again at the last version seen; nothing is listed again for that.
- Only an expired version (410, as a status or in the stream) makes it list again, and then at once and at the newest.
- A stream that is silent for longer than bookmarks are apart is dead, whatever TCP says.
- Failures back off 0.8 s, doubled to 30 s, with jitter; two quiet minutes forgive them.

One object that cannot be decoded is counted, reported and skipped; one that is nested too deep comes without its deep
parts, and is reported once per version. Nothing that the server sends ends the thread, and nothing that a handler does.
"""

import random
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from zonewright import metrics
from zonewright.api import decode
from zonewright.api.errors import ApiError, Gone, Malformed, NotFound, TooManyRequests, Unreachable
from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Object
from zonewright.cache.listwatch import Lines, Source
from zonewright.client.backoff import Backoff
from zonewright.clock import Clock, SystemClock
from zonewright.log import get_logger

M = TypeVar("M")

_log = get_logger(__name__)

BACKOFF = Backoff(base=0.8, cap=30.0, jitter=0.2)
FORGIVEN_AFTER = 120.0
# Bookmarks come about once a minute, so this much silence means a dead connection. Spread, so that the reflectors of a
# process do not all reconnect in the same second.
SILENCE = (70.0, 90.0)
# While initial events are due, silence means that the server ignored the question.
INITIAL_SILENCE = 30.0
# client-go: the server ends a watch after 5-10 minutes, which spreads load over API servers again.
WATCH_SECONDS = (300, 600)
SHORT_WATCH = 1.0
# Of objects that are nested too deep, to tell of each version once. Where there are more, some are told of again.
REMEMBERED = 1000

LISTS = metrics.counter("zonewright_reflector_lists_total", "Times that everything was read again.", "kind")
WATCHES = metrics.counter("zonewright_reflector_watches_total", "Watches opened.", "kind")
SHORT_WATCHES = metrics.counter(
    "zonewright_reflector_short_watches_total", "Watches that ended within a second without an event.", "kind"
)
MALFORMED = metrics.counter("zonewright_reflector_malformed_total", "Objects that could not be decoded.", "kind")


class Sink(Protocol[M]):
    """What a reflector fills."""

    def replace(self, objects: Iterable[Object[M]], version: int) -> None:
        """This is everything there is, as of `version`."""

    def apply(self, object_: Object[M], *, deleted: bool) -> None:
        """One object changed, or went."""

    def progress(self, version: int) -> None:
        """Nothing else changed up to `version`."""


@dataclass(frozen=True, slots=True)
class ReflectorState:
    """What the debug endpoint shows and readyz looks at."""

    kind: str
    synced: bool
    version: int
    seconds_since_activity: float
    failures: int
    last_error: str
    watch_list: bool


class Reflector(Generic[M]):
    def __init__(
        self,
        kind: Kind[M],
        source: Source,
        sink: Sink[M],
        *,
        title: str = "",
        reduce: Callable[[Object[M]], Object[M]] | None = None,
        clock: Clock | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """`title` is what logs call it, where the kind alone is ambiguous. `reduce` makes of an object what the sink
        stores. It is called before anything is collected: the first list of a small cache must not take the memory of a
        whole one."""
        self._kind = kind
        self._title = title or kind.resource
        self._source = source
        self._sink = sink
        self._reduce = reduce
        self._clock = clock or SystemClock()
        self._chance = chance
        self._stop = threading.Event()
        self._interrupt: Callable[[], None] | None = None
        self._thread: threading.Thread | None = None
        # What to ask for next. `_list_at` is the version to read everything at, or None when there is no need to.
        self._version = 0
        self._list_at: str | None = "0"
        self._watch_list = True
        self._synced = False
        # Failures in a row, where a row ends with two quiet minutes.
        self._failures = 0
        self._failed_at = 0.0
        self._last_error = ""
        self._told: dict[Request, int] = {}  # the versions of objects with unreadable parts
        self._active_at = self._clock.monotonic()
        self._lists, self._watches, self._short_watches, self._malformed = (
            family.labels(kind.resource) for family in (LISTS, WATCHES, SHORT_WATCHES, MALFORMED)
        )

    # --- the thread

    def start(self) -> None:
        self._thread = threading.Thread(target=self.run, name=f"reflector-{self._title}", daemon=True)
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """Ends the thread, also out of a blocked read."""
        self._stop.set()
        if interrupt := self._interrupt:
            interrupt()
        if self._thread is not None:
            self._thread.join(timeout)

    @property
    def alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def run(self) -> None:
        while not self._stop.is_set():
            try:
                delay = self.step()
            except BaseException as error:  # noqa: BLE001 - SystemExit too: nobody would notice a watch that ended
                delay = self._surprised(error)
            if delay > 0:
                self._clock.wait(self._stop, delay)

    def state(self) -> ReflectorState:
        return ReflectorState(
            kind=self._title,
            synced=self._synced,
            version=self._version,
            seconds_since_activity=self._clock.monotonic() - self._active_at,
            failures=self._failures,
            last_error=self._last_error,
            watch_list=self._watch_list,
        )

    # --- one list or one watch, and what follows from how it ended

    def step(self) -> float:
        """Lists or watches until that ends; returns how long to wait before the next one."""
        try:
            if self._list_at is None:
                return self._watch(str(self._version), initial=False)
            if self._watch_list:
                return self._watch(self._list_at, initial=True)
            self._list(self._list_at)
        except Gone as error:
            return self._expired(error)
        except (ApiError, TimeoutError) as error:
            return self._failed(error)
        except Exception as error:  # noqa: BLE001 - a mistake of ours must not end the thread and freeze the cache
            return self._surprised(error)
        return 0.0

    def _surprised(self, error: BaseException) -> float:
        _log.error("reflector failed", exc_info=error, kind=self._title)
        self._list_at = ""
        return self._back_off(str(error) or type(error).__name__)

    def _expired(self, error: Gone) -> float:
        """What we asked for is gone: only the newest is left to ask for. At once, unless that was it."""
        again = self._list_at == ""
        self._list_at = ""
        _log.info("the watch's version has expired; reading everything again", kind=self._title)
        return self._back_off(error.message) if again else 0.0

    def _failed(self, error: Exception) -> float:
        if self._stop.is_set():
            return 0.0
        if _too_large(error):
            self._list_at = ""
        elif isinstance(error, NotFound) and self._list_at is None:
            self._list_at = ""  # the CRD went away: what it has when it comes back is not a continuation
        delay = self._back_off(str(error))
        # A busy server, and a CRD that is a second old, answer 429; that is no news to anybody.
        say = _log.debug if isinstance(error, TooManyRequests) else _log.warning
        say("watch failed", kind=self._title, error=str(error), retry_in=delay)
        return delay

    def _back_off(self, error: str) -> float:
        now = self._clock.monotonic()
        if now - self._failed_at > FORGIVEN_AFTER:
            self._failures = 0
        delay = BACKOFF.delay(self._failures, self._chance())
        self._failures += 1
        self._failed_at = now
        self._last_error = error
        return delay

    # --- everything, as a list

    def _list(self, version: str) -> None:
        self._lists.inc()
        # client-go: the API server pages only consistent reads; and a cached one needs no paging.
        limit = version in {"", "0"}
        objects, listed_at = self._pages(version, limit=limit)
        self._sink.replace(objects, listed_at)
        self._now_synced(listed_at)

    def _pages(self, version: str, *, limit: bool) -> tuple[list[Object[Any]], int]:
        objects: list[Object[Any]] = []
        continue_ = ""
        while True:
            try:
                page = self._source.list(version, continue_, limit=limit)
            except Gone:
                if not continue_:
                    raise
                # The token expired while we paged. All at once cannot expire halfway.
                return self._pages("", limit=False)
            self._active_at = self._clock.monotonic()
            objects += page.objects if self._reduce is None else map(self._reduce, page.objects)
            self._look_through(page)
            continue_ = page.continue_
            if not continue_:
                return objects, _listed_at(page)

    def _look_through(self, page: decode.Page) -> None:
        for problem in page.malformed:
            self._skip(problem)
        for object_ in page.objects:
            if object_.unreadable is not None:
                self._tell(object_)

    # --- changes, as a watch, perhaps with everything before them

    def _watch(self, version: str, *, initial: bool) -> float:
        opened_at = self._clock.monotonic()
        try:
            lines = self._open(version, initial=initial)
        except ApiError as error:
            if initial and error.status in {400, 422}:
                self._refused(error)
                return 0.0
            raise
        before = self._version
        try:
            self._follow(lines, initial=initial)
        except TimeoutError:
            if self._list_at is not None:  # nothing came of the question for initial events: ask the other way
                self._refused(ApiError("no initial events"))
            # Silence after that is a dead connection: the same version again, on another.
        except Unreachable as error:
            if self._clock.monotonic() - opened_at < SHORT_WATCH or self._list_at is not None:
                raise
            self._last_error = str(error)
        finally:
            lines.close()
        return self._ended(opened_at, quiet=self._version == before)

    def _open(self, version: str, *, initial: bool) -> Lines:
        self._watches.inc()
        if initial:  # a WatchList: the stream begins with everything
            self._lists.inc()
        shortest, longest = WATCH_SECONDS
        seconds = shortest + int(self._chance() * (longest - shortest))
        return self._source.watch(version, initial=initial, seconds=seconds, opened=self._opened)

    def _opened(self, interrupt: Callable[[], None]) -> None:
        self._interrupt = interrupt
        if self._stop.is_set():  # `stop` came while we were connecting
            interrupt()

    def _refused(self, error: ApiError) -> None:
        self._watch_list = False
        _log.info("the server has no streaming lists; using LIST", kind=self._title, reason=str(error))

    def _ended(self, opened_at: float, *, quiet: bool) -> float:
        if self._clock.monotonic() - opened_at >= SHORT_WATCH or not quiet or self._stop.is_set():
            return 0.0
        self._short_watches.inc()
        return self._back_off("the watch ended at once")

    def _follow(self, lines: Lines, *, initial: bool) -> None:
        collected: dict[Request, Object[M]] | None = {} if initial else None
        for batch in lines.batches(self._silence):
            self._active_at = self._clock.monotonic()
            for line in batch:
                try:
                    event = decode.event(self._kind, line)
                except Malformed as error:
                    self._skip(str(error))
                except ApiError as error:
                    self._broken(error)
                else:
                    collected = self._handle(event, collected)
            if self._stop.is_set():
                return

    def _silence(self) -> float:
        """How long the stream may be silent now."""
        if self._list_at is not None:
            return INITIAL_SILENCE
        shortest, longest = SILENCE
        return shortest + self._chance() * (longest - shortest)

    def _broken(self, error: ApiError) -> None:
        """The server ended the stream with an error. Unless it says otherwise, it cannot be continued from here."""
        if not isinstance(error, Gone) and self._list_at is None:
            self._list_at = str(self._version)
        raise error

    def _handle(
        self, event: tuple[str, Object[M]] | decode.Bookmark, collected: dict[Request, Object[M]] | None
    ) -> dict[Request, Object[M]] | None:
        """One event. Returns the initial events collected so far, or None once they are complete."""
        if isinstance(event, decode.Bookmark):
            return self._bookmark(event, collected)
        type_, object_ = event
        if object_.unreadable is not None:
            self._tell(object_)
        if self._reduce is not None:
            object_ = self._reduce(object_)
        if type_ not in {"ADDED", "MODIFIED", "DELETED"}:
            _log.warning("unknown watch event", kind=self._title, type=type_)
        elif collected is None:
            self._sink.apply(object_, deleted=type_ == "DELETED")
            self._version = max(self._version, object_.version)
        elif type_ == "DELETED":
            collected.pop(object_.key, None)
        else:
            collected[object_.key] = object_
        return collected

    def _bookmark(
        self, bookmark: decode.Bookmark, collected: dict[Request, Object[M]] | None
    ) -> dict[Request, Object[M]] | None:
        version = int(bookmark.version)
        if collected is None:
            self._sink.progress(version)
            self._version = version
        elif bookmark.initial_end:
            self._sink.replace(collected.values(), version)
            self._now_synced(version)
            return None
        return collected

    def _now_synced(self, version: int) -> None:
        self._version = version
        self._list_at = None
        self._synced = True
        self._last_error = ""
        self._active_at = self._clock.monotonic()

    def _tell(self, object_: Object[M]) -> None:
        """Once per version, however often it is listed."""
        if self._told.get(object_.key) == object_.version:
            return
        if len(self._told) >= REMEMBERED:
            self._told.clear()
        self._told[object_.key] = object_.version
        self._malformed.inc()
        _log.warning(
            "object cannot be read as a whole",
            kind=self._title,
            key=object_.key,
            version=object_.version,
            error=object_.unreadable,
        )

    def _skip(self, problem: str) -> None:
        self._malformed.inc()
        _log.warning("object skipped", kind=self._title, error=problem)


def _listed_at(page: decode.Page) -> int:
    try:
        return int(page.version)
    except ValueError:
        raise Malformed(f"a list at version {page.version[:40]!r}, which is not a number") from None


def _too_large(error: Exception) -> bool:
    """The version is from the future: etcd was restored, or another API server is behind."""
    if not isinstance(error, ApiError):
        return False
    causes = error.details.get("causes")
    known = [cause for cause in causes if isinstance(cause, dict)] if isinstance(causes, list) else []
    too_large = any(cause.get("reason") == "ResourceVersionTooLarge" for cause in known)
    return too_large or "Too large resource version" in error.message
