"""The reconciler of DNSEndpoint. Claims zones in metadata, and writes what came of its endpoints into status.

It publishes nothing itself: the sources and `Assignments` know what it wants, the zone's reconcile plans it, the engine
publishes, and the engine's callback brings the key back here."""

import datetime as dt
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from generated import kinds
from generated.externaldns_k8s_io_v1alpha1 import DNSEndpoint
from reconcilers.desired.ownership import ZONE_ANNOTATION
from reconcilers.endpoints.assignment import Assignments, ObjectKey
from reconcilers.endpoints.callbacks import Changes, StatusUpdates, SyncResult, endpoints_of
from reconcilers.endpoints.intake import FINALIZER, zones_claimed
from reconcilers.engine.api import ObjectRef, RecordOutcome, RecordState, Role, ZoneRef, ZoneStatus
from reconcilers.status.endpoint import EndpointFacts, Report, Standing, ending_status, endpoint_status, remembered
from reconcilers.status.record import about
from reconcilers.status.writer import Writer
from reconcilers.timing import FORBIDDEN, PASSING
from zonewright import (
    ApiError,
    Clock,
    Forbidden,
    Informer,
    NotFound,
    Object,
    Request,
    Result,
    get_logger,
    is_true,
    metadata_patch,
    metrics,
    status_differs,
)

READY_EVENT, ERROR_EVENT, DELETED_EVENT = "RecordReady", "RecordError", "RecordDeleted"
"""Reasons of events, as external-dns names them."""

StatusMaker = Callable[[Mapping[str, Any], dt.datetime], dict[str, Any]]
"""The status that is there, and now -> the status to be."""

log = get_logger(__name__)

_STATUS_FAILURES = metrics.counter(
    "zonewright_status_update_failures_total", "Status of DNSEndpoints that could not be written."
).labels()


class EndpointEngine(Protocol):
    """What an endpoint needs of the engine."""

    def record(self, zone: ZoneRef, ref: ObjectRef) -> RecordOutcome | None: ...
    def zone(self, ref: ZoneRef) -> ZoneStatus | None: ...


@dataclass(frozen=True, slots=True)
class Pending:
    """Since when something has been on its way: passing states are written only if they last."""

    generation: int
    since: float


class EndpointReconciler:
    def __init__(
        self,
        *,
        source: "CrdSource",
        writer: Writer,
        assignments: Assignments,
        engine: EndpointEngine,
        clock: Clock,
        writes_status: bool = True,
    ) -> None:
        self._source = source
        self._writer = writer
        self._assignments = assignments
        self._engine = engine
        self._clock = clock
        self._writes_status = writes_status
        self._patience: dict[Request, Pending] = {}

    def reconcile(self, request: Request) -> Result | None:
        obj = self._source.object(request)
        if obj is None:
            self._patience.pop(request, None)
            self._source.forget(request)
            return None
        key = ObjectKey(kinds.DNSEndpoint.kind, request.namespace, request.name)
        holding = self._holding(key, obj)
        wanted = frozenset() if obj.deleting else self._assignments.wanted_zones(key)
        obj, obstacle = self._mark(obj, wanted | holding)
        again = Result(requeue_after=FORBIDDEN) if obstacle else None
        if not self._writes_status:
            return again
        if obj.deleting:
            return self._tell_end(obj, key, holding, obstacle) or again
        facts = self._facts(obj, key, obstacle)
        make = partial(endpoint_status, facts)
        return self._write_status(obj, make, passing=facts.passing) or again

    # -- what it holds

    def _holding(self, key: ObjectKey, obj: Object[Any]) -> frozenset[str]:
        """The zones in which something of it stands, or may stand, that is to go."""
        for ref, zone in self._assignments.leaving(key):
            outcome = self._engine.record(zone, ref)
            if outcome is None or outcome.state is RecordState.GONE:
                self._assignments.left(key, ref, zone)
        leaving = {zone.zone.to_text(omit_final_dot=True) for _, zone in self._assignments.leaving(key)}
        resource = f"crd/{key.namespace}/{key.name}"
        return frozenset(
            name
            for name in zones_claimed(obj)
            if name in leaving or self._assignments.may_hold(name, key.namespace, resource)
        )

    def _mark(self, obj: Object[Any], zones: frozenset[str]) -> tuple[Object[Any], str]:
        """The object, with finalizer and claim while it wants or holds something; and why they cannot be written."""
        patch = _marks(obj, zones)
        try:
            written = self._writer.metadata(obj, patch)
        except Forbidden as error:
            log.warning("may not write the metadata of a DNSEndpoint", key=obj.key, error=error)
            outcome = "it cannot end" if obj.deleting else "nothing new of it is published"
            return obj, f"the operator may not write metadata of DNSEndpoints, so {outcome}: {error}"
        if patch is not None and obj.deleting and not zones:
            self._writer.event(obj, DELETED_EVENT, "nothing of it is left in DNS")
        return written, ""

    # -- what it says

    def _write_status(self, obj: Object[Any], make: StatusMaker, *, passing: bool) -> Result | None:
        if (wait := self._wait(obj, passing=passing)) > 0:
            return Result(requeue_after=wait)
        before = obj.status()
        status = make(before, self._clock.now())
        # One server that dies is known from its zones: it must not rewrite the status of every object.
        answers = {"providerStatus": before["providerStatus"]} if before.get("providerStatus") else {}
        if not status_differs(before, {**status, **answers}):
            return None
        try:
            self._writer.status(obj, status)
        except ApiError as error:
            _STATUS_FAILURES.inc()
            failed = f"Failed to update status for DNSEndpoint {obj.key}: {error}"
            log.warning(failed)
            if not isinstance(error, Forbidden):
                raise
            self._writer.warning(obj, ERROR_EVENT, failed)
            return Result(requeue_after=FORBIDDEN)
        success = str(is_true(status["conditions"], "Synced")).lower()
        written = f"Updated status of DNSEndpoint {obj.key}: success={success}"
        log.debug(written)
        return None

    def _facts(self, obj: Object[Any], key: ObjectKey, obstacle: str) -> EndpointFacts:
        standings = remembered(standings_of(self._assignments, self._engine, key), obj.status(), obj.generation)
        zones = {zone for standing in standings for zone in standing.placed.zones}
        refused = next((each.message for each in standings if each.rejected), "")
        answers = "; ".join(filter(None, (self._answers(zones), refused)))
        return EndpointFacts(obj.generation, standings, answers, obstacle, self._source.report(obj))

    def _tell_end(self, obj: Object[Any], key: ObjectKey, holding: frozenset[str], obstacle: str) -> Result | None:
        """A deletion is told of only if something keeps it."""
        if not holding and not obstacle:
            return None
        why = [text for name in sorted(holding) if (text := self._assignments.obstacle(name, key.namespace))]
        leaving = (self._engine.record(zone, ref) for ref, zone in self._assignments.leaving(key))
        why += [each.message for each in leaving if each and each.message]
        still = f"still to be removed from {', '.join(sorted(holding))}"
        message = obstacle or ": ".join([still, *why[:1]])
        make = partial(ending_status, obj.generation, message, failed=bool(obstacle or why))
        return self._write_status(obj, make, passing=not obstacle)

    def _answers(self, zones: Iterable[ZoneRef]) -> str:
        """The primaries, each with its last answer."""
        said: dict[str, str] = {}
        for zone in sorted(zones):
            status = self._engine.zone(zone)
            for server in status.servers if status else ():
                if server.role is Role.PRIMARY:
                    said[server.name] = (server.message or server.reason) if server.reason else "NOERROR"
        return ", ".join(f"{name}: {answer}" for name, answer in sorted(said.items()))

    def _wait(self, obj: Object[Any], *, passing: bool) -> float:
        """How much longer to hold status back."""
        if not passing:
            self._patience.pop(obj.key, None)
            return 0.0
        known = self._patience.get(obj.key)
        if known is None or known.generation != obj.generation:
            known = self._patience[obj.key] = Pending(obj.generation, self._clock.monotonic())
        return PASSING - (self._clock.monotonic() - known.since)


def standings_of(assignments: Assignments, engine: EndpointEngine, key: ObjectKey) -> list[Standing]:
    """How each endpoint of an object stands.

    A PTR that an option made of an address, and that no zone takes, is none of the object's business."""
    return [
        Standing(placed, tuple(about(placed.version, engine.record(zone, placed.ref)) for zone in placed.zones))
        for placed in assignments.placed(key)
        if not (placed.endpoint.derived and placed.verdict)
    ]


def _marks(obj: Object[Any], zones: frozenset[str]) -> dict[str, Any] | None:
    """A merge patch, None if it has them already."""
    return metadata_patch(
        obj,
        annotations={ZONE_ANNOTATION: ",".join(sorted(zones)) or None},
        add_finalizers=[FINALIZER] if zones and not obj.deleting else (),
        remove_finalizers=() if zones else [FINALIZER],
    )


class CrdSource:
    """DNSEndpoints by name, and what others report of their synchronisation. Thread-safe."""

    def __init__(self, informer: Informer[DNSEndpoint], wake: Callable[[Request], None]) -> None:
        self._informer = informer
        self._wake = wake
        self._lock = threading.Lock()
        self._reports: dict[Request, tuple[str, int, Report]] = {}

    def get(self, namespace: str, name: str) -> DNSEndpoint:
        """From the cache; the caller's own. Raises NotFound."""
        found = self._informer.get(Request(namespace, name))
        if found is None:
            raise NotFound(f"there is no DNSEndpoint {namespace}/{name}")
        return found

    def object(self, key: Request) -> Object[Any] | None:
        """As it is cached."""
        return self._informer.object(key)

    def update_dnsendpoint_status(self, namespace: str, name: str, success: bool, message: str) -> None:
        """Report how a synchronisation ended, for the object as it is now. Raises NotFound.

        The reconciler writes it into `Synced`; it stays the only writer of status. A failure that the operator sees by
        itself counts more, and the report is forgotten when the object changes."""
        key = Request(namespace, name)
        obj = self._informer.object(key)
        if obj is None:
            raise NotFound(f"there is no DNSEndpoint {key}")
        with self._lock:
            self._reports[key] = (obj.uid, obj.generation, Report(success, message))
        self._wake(key)

    def report(self, obj: Object[Any]) -> Report | None:
        """What was reported of the object as it is."""
        with self._lock:
            uid, generation, report = self._reports.get(obj.key, ("", 0, None))
        return report if (uid, generation) == (obj.uid, obj.generation) else None

    def forget(self, key: Request) -> None:
        """It is gone."""
        with self._lock:
            self._reports.pop(key, None)

    def on_status_update(
        self,
        changes: Changes,
        results: Sequence[SyncResult],  # noqa: ARG002 - a StatusUpdateCallback
        success: bool,  # noqa: ARG002
        message: str,  # noqa: ARG002
    ) -> None:
        """Every DNSEndpoint that changes are about says how they ended."""
        refs = endpoints_of(changes)
        updating = f"Updating status for {len(refs)} DNSEndpoint(s)"
        log.debug(updating)
        for ref in refs:
            self._wake(Request(ref.namespace, ref.name))


def register_status_updates(updates: StatusUpdates, source: CrdSource) -> None:
    """DNSEndpoints hear of what became of their changes. If they cannot, that is no reason to publish nothing."""
    try:
        updates.register_status_update_callback(source.on_status_update)
    except Exception as error:  # noqa: BLE001 - see above
        log.warning("Could not register the DNSEndpoint status update callback", error=error)
        return
    log.info("Registered DNSEndpoint status update callback")
