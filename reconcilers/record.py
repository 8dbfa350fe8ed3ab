"""The reconciler of every record kind. Gathers what selection and engine know, decides, writes at most twice.

It publishes nothing itself: it claims (metadata), the zone's reconciler installs what is claimed, the engine publishes,
and the engine's callback brings the key back here for its status. What a kind means as DNS data is in records/."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reconcilers.desired.ownership import Marks, marks_patch, next_marks
from reconcilers.desired.selection import Selection
from reconcilers.desired.views import RecordView, record_view
from reconcilers.engine.api import ObjectRef, RecordOutcome, ZoneRef
from reconcilers.reasons import Reason
from reconcilers.status.invalid_zones import InvalidZones
from reconcilers.status.record import (
    Standing,
    Verdict,
    about,
    adopted_differs,
    propagated,
    publishing,
    record_status,
    verdict,
    verdict_on_deletion,
)
from reconcilers.status.writer import Writer
from reconcilers.timing import CATCHING_UP, PASSING, SUPERSEDED
from zonewright import Clock, CustomKind, Informer, Object, Request, Result, is_true


class Outcomes(Protocol):
    """What a record needs of the engine."""

    def record(self, zone: ZoneRef, ref: ObjectRef) -> RecordOutcome | None: ...


@dataclass(frozen=True, slots=True)
class Pending:
    """Since when a record has been what it is: passing states are written only if they last."""

    state: tuple[str, ...]
    since: float


class RecordReconciler:
    def __init__(
        self,
        kind: CustomKind[Any],
        *,
        informer: Informer[Any],
        writer: Writer,
        selection: Selection,
        engine: Outcomes,
        invalid_zones: InvalidZones,
        clock: Clock,
    ) -> None:
        self._kind = kind
        self._informer = informer
        self._writer = writer
        self._selection = selection
        self._engine = engine
        self._invalid_zones = invalid_zones
        self._clock = clock
        self._patience: dict[Request, Pending] = {}

    def reconcile(self, request: Request) -> Result | None:
        obj = self._informer.object(request)
        if obj is None:
            self._patience.pop(request, None)
            return None
        record = record_view(obj)
        standings = standings_of(record, self._selection, self._engine, self._invalid_zones)
        written = self._mark(obj, marks_for(record, standings))
        waits = [SUPERSEDED for standing in standings if standing.superseded]
        waits.append(self._write_status(written, record, standings))
        wait = min((each for each in waits if each > 0), default=None)
        return None if wait is None else Result(requeue_after=wait)

    def _mark(self, obj: Object[Any], marks: Marks | None) -> Object[Any]:
        """The object as it is afterwards."""
        patch = None if marks is None else marks_patch(marks, self._kind.kind, obj)
        return self._writer.metadata(obj, patch)

    def _write_status(self, obj: Object[Any], record: RecordView, standings: Sequence[Standing]) -> float:
        """Write what came of it into status, or return how many seconds to hold that back."""
        found = verdict_on_deletion(record, standings) if record.deleting else verdict(record, standings)
        before = obj.status()
        if found is None or _already_written(record, standings, found, before):
            return 0.0
        wait = self._wait(record, found, standings)
        if wait <= 0:
            self._writer.status(obj, record_status(record, before, standings, found, self._clock.now()))
        return wait

    def _wait(self, record: RecordView, found: Verdict, standings: Sequence[Standing]) -> float:
        """How much longer to hold status back."""
        if adopted_differs(record.claim, standings):
            return 0.0
        limit = PASSING if found.passing else CATCHING_UP if found.ready and not propagated(standings) else 0.0
        state = (record.uid, record.version, str(found.ready), found.reason if not found.passing else "")
        known = self._patience.get(record.key)
        if known is None or known.state != state:
            known = self._patience[record.key] = Pending(state, self._clock.monotonic())
        return limit - (self._clock.monotonic() - known.since)


def standings_of(
    record: RecordView, selection: Selection, engine: Outcomes, invalid_zones: InvalidZones
) -> list[Standing]:
    """How a record stands in each of its zones."""
    return [
        Standing(
            each, about(record.version, engine.record(each.zone.ref, record.ref)), invalid_zones.get(each.zone.key)
        )
        for each in selection.memberships(record.key.namespace, record.who)
    ]


def marks_for(record: RecordView, standings: Sequence[Standing]) -> Marks | None:
    """The metadata the record should have; None to leave it as it is."""
    selected = [standing for standing in standings if standing.membership.selected]
    if any(standing.membership.error for standing in selected):
        return None  # it cannot be told what it wants: what it holds stays, what it does not hold it does not get
    return next_marks(
        record.claim,
        record.name,
        selected=(standing.membership.zone.zone_name for standing in selected),
        left=(each.membership.zone.zone_name for each in standings if not each.membership.selected and not each.gone),
        published=bool(selected) and all(standing.published for standing in publishing(standings)),
        behind=any(standing.leaving for standing in standings),
    )


def _already_written(
    record: RecordView, standings: Sequence[Standing], found: Verdict, status: Mapping[str, Any]
) -> bool:
    """Whether status says that this very version was published, and nothing has come up but a server that is away.

    What was published is not unpublished by that: a restart, or one dead server, must not rewrite ten thousand
    statuses."""
    selected = {standing.membership.zone.zone_name for standing in publishing(standings)}
    same = record.published_version == record.version and status.get("observedGeneration") == record.generation
    if not (record.is_ready and same and selected and selected == record.claim.confirmed_zones):
        return False
    if adopted_differs(record.claim, standings):
        return False
    away = found.passing and found.reason != Reason.NO_PRIMARY_INSTANCES
    return away or (found.ready and is_true(status.get("conditions"), "Propagated"))
