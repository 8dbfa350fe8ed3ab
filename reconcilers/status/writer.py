"""The two writes that a reconciler does: metadata, and status with an event when `Ready` turned.

Both are sent only if they change something, on the version they were decided on: a `Conflict` means that somebody was
faster, and the reconcile runs again and decides anew.

People look at events to learn what went wrong, so failures are told on the object itself. That a record is published is
no event of its own: a thousand of them would bury the one that matters. Zones tell of theirs together."""

from collections.abc import Mapping
from typing import Any

from zonewright import Client, EventRecorder, Kind, Object, find_condition, status_patch


class Writer:
    def __init__(self, kind: Kind[Any], client: Client, events: EventRecorder, *, success_events: bool = True) -> None:
        self._kind = kind
        self._client = client
        self._events = events
        self._success_events = success_events

    def metadata(self, obj: Object[Any], patch: Mapping[str, Any] | None) -> Object[Any]:
        """The object as it is afterwards."""
        return self._client.patch(self._kind, obj.name, patch, namespace=obj.namespace) if patch else obj

    def status(self, obj: Object[Any], status: Mapping[str, Any]) -> None:
        before = obj.status()
        patch = status_patch(obj, before, status)
        if patch is None:
            return
        self._client.patch(self._kind, obj.name, patch, namespace=obj.namespace, subresource="status")
        self._record_event(obj, before.get("conditions"), status.get("conditions"))

    def _record_event(self, obj: Object[Any], before: Any, after: Any) -> None:
        was, now = find_condition(before, "Ready") or {}, find_condition(after, "Ready")
        if now is None or (was.get("status"), was.get("reason")) == (now["status"], now["reason"]):
            return
        if now["status"] != "True":
            self._events.record(None, obj, "Warning", now["reason"], now["message"])
        elif self._success_events:
            self._events.record(None, obj, "Normal", now["reason"], now["message"])
