"""Events on Services and Ingresses about the endpoints that they ask for. Their status is not ours to write.

What a process finds published already it does not tell again: a restart is no news."""

from typing import Any

from reconcilers.endpoint import ERROR_EVENT, READY_EVENT, EndpointEngine, standings_of
from reconcilers.endpoints.assignment import Assignments, ObjectKey
from reconcilers.reasons import Reason
from reconcilers.status.endpoint import EndpointFacts, ready, warnings
from reconcilers.status.pacing import StatusDebounce
from zonewright import Clock, EventRecorder, Informer, Kind, Request, Result


class SourceReconciler:
    """Of one kind."""

    def __init__(
        self,
        kind: Kind[Any],
        *,
        informer: Informer[Any],
        events: EventRecorder,
        assignments: Assignments,
        engine: EndpointEngine,
        clock: Clock,
    ) -> None:
        self._kind = kind
        self._informer = informer
        self._events = events
        self._assignments = assignments
        self._engine = engine
        self._debounce = StatusDebounce(clock)
        self._told: dict[Request, tuple[str, str]] = {}

    def reconcile(self, request: Request) -> Result | None:
        obj = self._informer.object(request)
        key = ObjectKey(self._kind.kind, request.namespace, request.name)
        standings = standings_of(self._assignments, self._engine, key)
        if obj is None or not standings:
            self._told.pop(request, None)
            self._debounce.forget(request)
            return None
        facts = EndpointFacts(obj.generation, standings)
        if (wait := self._debounce.hold_back(request, published=not facts.passing)) > 0:
            return Result(requeue_after=wait)
        _, is_ready, reason, message = ready(facts)
        message += warnings(facts)
        if reason is Reason.RECONCILING or self._told.get(request) == (reason, message):
            return None
        known = request in self._told
        self._told[request] = (reason, message)
        if not is_ready:
            self._events.record(None, obj, "Warning", ERROR_EVENT, message)
        elif known or any(each.last_updated for each in standings):
            self._events.record(None, obj, "Normal", READY_EVENT, message)
        return None
