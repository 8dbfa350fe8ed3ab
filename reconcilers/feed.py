"""The informers' handlers that keep the selection up to date, before any controller is woken by the same event.

Nothing here raises: an object that cannot be read leaves the selection, and its own reconcile says why."""

from collections.abc import Callable
from typing import Any

from controllers.runtime import InvalidObject, Object, Request
from controllers.runtime.objects import Handler
from controllers.runtime.selectors import InvalidSelector
from generated.kinds import CustomKind
from reconcilers.ddns.errors import InvalidName
from reconcilers.selection import Selection
from reconcilers.views import record_view, zone_view

Side = Object[Any] | None


def zone_feed(selection: Selection) -> Handler:
    def handle(old: Side, new: Side, initial: bool) -> None:  # noqa: ARG001 - a Handler
        if new is None:
            selection.drop_zone((old or new).key)  # type: ignore[union-attr] # one of them is there
            return
        try:
            selection.put_zone(zone_view(new))
        except (InvalidObject, InvalidName, InvalidSelector):
            selection.drop_zone(new.key)

    return handle


def record_feed(selection: Selection, kind: CustomKind[Any], on_tally: Callable[[Request], None]) -> Handler:
    """`on_tally` hears of zones whose count of Ready records moved: their status is due, but there is no hurry."""

    def handle(old: Side, new: Side, initial: bool) -> None:  # noqa: ARG001 - a Handler
        if new is None:
            selection.drop_record(old.namespace, (kind.kind, old.name))  # type: ignore[union-attr] # one is there
            return
        for zone in selection.put_record(record_view(new, kind)):
            on_tally(zone)

    return handle
