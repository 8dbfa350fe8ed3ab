"""The two writes that a reconciler does: metadata, and status with an event when `Ready` turned.

Both are sent only if they change something, on the version they were decided on: a `Conflict` means that somebody was
faster, and the reconcile runs again and decides anew.

People look at events to learn what went wrong, so failures are told on the object itself. That a record is published is
no event of its own: a thousand of them would bury the one that matters. Zones tell of theirs together.

In a dry run this is the place where writes end: the object is taken for as it is."""

from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

from zonewright import Client, EventRecorder, Kind, Object, find_condition, status_patch


class EventOptions(TypedDict, total=False):
    """Which events there are; their reasons are those of the condition, unless they are given."""

    success_events: bool
    success_event: str
    failure_event: str


class Writer:
    def __init__(
        self,
        kind: Kind[Any],
        client: Client,
        events: EventRecorder,
        *,
        read_only: bool = False,
        **options: Unpack[EventOptions],
    ) -> None:
        self._kind = kind
        self._client = client
        self._events = events
        self._success_events = options.get("success_events", True)
        self._success_event = options.get("success_event", "")
        self._failure_event = options.get("failure_event", "")
        self._read_only = read_only

    def metadata(self, obj: Object[Any], patch: Mapping[str, Any] | None) -> Object[Any]:
        """The object as it is afterwards."""
        if not patch or self._read_only:
            return obj
        return self._client.patch(self._kind, obj.name, patch, namespace=obj.namespace)

    def status(self, obj: Object[Any], status: Mapping[str, Any]) -> None:
        before = obj.status()
        patch = status_patch(obj, before, status)
        if patch is None or self._read_only:
            return
        self._client.patch(self._kind, obj.name, patch, namespace=obj.namespace, subresource="status")
        self._record_event(obj, before.get("conditions"), status.get("conditions"))

    def _record_event(self, obj: Object[Any], before: Any, after: Any) -> None:
        was, now = find_condition(before, "Ready") or {}, find_condition(after, "Ready")
        if now is None or (was.get("status"), was.get("reason")) == (now["status"], now["reason"]):
            return
        if now["status"] != "True":
            self._events.record(None, obj, "Warning", self._failure_event or now["reason"], now["message"])
        elif self._success_events:
            self.event(obj, self._success_event or now["reason"], now["message"])

    def event(self, obj: Object[Any], reason: str, message: str) -> None:
        """Something went well that no condition tells."""
        self._events.record(None, obj, "Normal", reason, message)

    def warning(self, obj: Object[Any], reason: str, message: str) -> None:
        """Something went wrong that no condition can tell."""
        self._events.record(None, obj, "Warning", reason, message)
