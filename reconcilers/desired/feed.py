"""The informers' handlers that keep the selection up to date, before any controller is woken by the same event.

Nothing here raises: of an object that cannot be read its own reconcile says why."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reconcilers.ddns.errors import InvalidName
from reconcilers.desired.selection import Selection
from reconcilers.desired.views import record_view, zone_view
from zonewright import CustomKind, InvalidObject, Object, Request
from zonewright.api.objects import Handler
from zonewright.api.selectors import InvalidSelector

Side = Object[Any] | None


def zone_feed(selection: Selection) -> Handler:
    def handle(old: Side, new: Side, initial: bool) -> None:  # noqa: ARG001 - a Handler
        if new is None:
            selection.drop_zone(old.key)  # type: ignore[union-attr] # one of them is there
            return
        try:
            selection.put_zone(zone_view(new))
        except (InvalidObject, InvalidName, InvalidSelector):
            _keep_zone(selection, new)

    return handle


def _keep_zone(selection: Selection, unreadable: Object[Any]) -> None:
    """As it last was: it may be served, and its records must not let go of what they hold there."""
    known = selection.zone(unreadable.key)
    if known is not None and known.uid == unreadable.uid:
        selection.put_zone(replace(known, deleting=unreadable.deleting))
    else:
        selection.drop_zone(unreadable.key)


def record_feed(selection: Selection, kind: CustomKind[Any], on_tally: Callable[[Request], None]) -> Handler:
    """`on_tally` hears of zones whose count of Ready records moved: their status is due, but there is no hurry."""

    def handle(old: Side, new: Side, initial: bool) -> None:  # noqa: ARG001 - a Handler
        if new is None:
            selection.drop_record(old.namespace, (kind.kind, old.name))  # type: ignore[union-attr] # one is there
            return
        for zone in selection.put_record(record_view(new, kind)):
            on_tally(zone)

    return handle
