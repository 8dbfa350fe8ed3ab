"""What became of the changes that endpoints asked for, told to whoever registered for it.

A change is planned, sent, and ends: published, refused, or gone. The plan says what changes, the engine how each ended;
callbacks hear of those that ended together, with a result for each. They cannot stop each other, nor what calls them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reconcilers.endpoints.endpoint import Endpoint, ObjectReference
from reconcilers.endpoints.planner import Change
from reconcilers.engine.api import ObjectRef, RecordOutcome, RecordState, ZoneRef
from reconcilers.reasons import Reason
from zonewright import get_logger, metrics

SYNCED = "Successfully synced DNS records"
UNCHANGED = "All records are already up to date"

log = get_logger(__name__)

_CALLBACK_ERRORS = metrics.counter(
    "zonewright_status_callback_errors_total", "Status update callbacks that raised."
).labels()
_REGISTRY_ERRORS = metrics.counter(
    "zonewright_registry_errors_total", "Changes of endpoints that a server did not take."
).labels()
_NO_CHANGES = metrics.counter(
    "zonewright_sync_no_changes_total", "Plans of a zone's endpoints that changed nothing."
).labels()


@dataclass(frozen=True, slots=True)
class Changes:
    """Endpoints by what happened to them. `update_old` and `update_new` belong together, item by item."""

    create: tuple[Endpoint, ...] = ()
    update_old: tuple[Endpoint, ...] = ()
    update_new: tuple[Endpoint, ...] = ()
    delete: tuple[Endpoint, ...] = ()

    @classmethod
    def of(cls, changes: Iterable[Change]) -> Changes:
        """Sorted by what each change is."""
        ordered = sorted(changes)
        return cls(
            create=tuple(each.after for each in ordered if each.after and not each.before),
            update_old=tuple(each.before for each in ordered if each.before and each.after),
            update_new=tuple(each.after for each in ordered if each.before and each.after),
            delete=tuple(each.before for each in ordered if each.before and not each.after),
        )


class SyncResult(NamedTuple):
    """How the change of one endpoint ended."""

    endpoint: Endpoint
    success: bool
    message: str


StatusUpdateCallback = Callable[[Changes, Sequence[SyncResult], bool, str], None]
"""Called with changes that ended together, the result of each, whether all succeeded, and the first error or so."""


def endpoints_of(changes: Changes) -> list[ObjectReference]:
    """The DNSEndpoints that changes are about, each once: of created, updated (old and new) and deleted endpoints."""
    everything = (*changes.create, *changes.update_old, *changes.update_new, *changes.delete)
    refs = (ref for each in everything for ref in each.refs if ref.kind == "DNSEndpoint")
    return list({(ref.namespace, ref.name): ref for ref in refs}.values())


class StatusUpdates:
    """Joins what was planned with what the engine says of it. Thread-safe; callbacks run on the caller's thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callbacks: tuple[StatusUpdateCallback, ...] = ()
        self._under_way: dict[str, dict[ObjectRef, Change]] = {}  # by UID of the zone

    def register_status_update_callback(self, callback: StatusUpdateCallback) -> None:
        """From now on, also while a synchronisation runs."""
        with self._lock:
            self._callbacks = (*self._callbacks, callback)

    def planned(self, zone: ZoneRef, changes: Sequence[Change]) -> None:
        """A plan of the zone. What is changed again before it ended counts as one change."""
        if not changes:
            _NO_CHANGES.inc()
            log.debug(UNCHANGED, zone=str(zone))
            return
        with self._lock:
            under_way = self._under_way.setdefault(zone.uid, {})
            for change in changes:
                earlier = under_way.get(change.ref)
                under_way[change.ref] = change._replace(before=earlier.before) if earlier else change

    def ended(
        self, zone: ZoneRef, refs: Iterable[ObjectRef], outcome: Callable[[ObjectRef], RecordOutcome | None]
    ) -> None:
        """The engine has news of these: whatever ended by that is told."""
        done = list(self._take_ended(zone, refs, outcome))
        if not done:
            return
        changes = Changes.of(change for change, _ in done)
        results = [result for _, result in done]
        failed = next((result for result in results if not result.success), None)
        _REGISTRY_ERRORS.inc(sum(not result.success for result in results))
        self._call(changes, results, success=failed is None, message=failed.message if failed else SYNCED)

    def _take_ended(
        self, zone: ZoneRef, refs: Iterable[ObjectRef], outcome: Callable[[ObjectRef], RecordOutcome | None]
    ) -> Iterator[tuple[Change, SyncResult]]:
        with self._lock:
            under_way = self._under_way.get(zone.uid, {})
            known = [(ref, under_way[ref]) for ref in refs if ref in under_way]
        for ref, change in known:
            result = _result(change, outcome(ref))
            if result is not None and self._forget(zone, ref, change):
                yield change, result

    def _forget(self, zone: ZoneRef, ref: ObjectRef, change: Change) -> bool:
        """False if another one took its place meanwhile."""
        with self._lock:
            under_way = self._under_way.get(zone.uid, {})
            if under_way.get(ref) is not change:
                return False
            del under_way[ref]
            if not under_way:
                del self._under_way[zone.uid]
            return True

    def _call(self, changes: Changes, results: Sequence[SyncResult], *, success: bool, message: str) -> None:
        for callback in self._callbacks:
            try:
                callback(changes, results, success, message)
            except Exception as error:
                _CALLBACK_ERRORS.inc()
                log.error("a status update callback raised", exc_info=error)  # noqa: TRY400 - our own logger


def _result(change: Change, outcome: RecordOutcome | None) -> SyncResult | None:
    """None while it is under way. A server that is away is an end too: it is told, and the engine goes on trying."""
    endpoint = change.after or change.before
    if endpoint is None:
        return None
    if outcome is None or outcome.state is RecordState.GONE:
        return SyncResult(endpoint, change.after is None, SYNCED)
    if outcome.state is RecordState.PUBLISHED:
        return SyncResult(endpoint, True, SYNCED)
    if outcome.reason in {None, Reason.PROGRESSING, Reason.ZONE_NOT_READY}:
        return None
    return SyncResult(endpoint, False, outcome.message)
