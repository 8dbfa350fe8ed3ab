"""A changed object -> the keys to reconcile. Pure functions of the object before and after, and of the selection.

Both sides count: a record that is relabelled wakes the zone it left as well as the zone it came to."""

from collections.abc import Iterable, Iterator

from reconcilers.ddns.errors import InvalidName
from reconcilers.desired.selection import Selection
from reconcilers.desired.views import Side, ZoneView, claim_of, zone_view
from reconcilers.fleet.registrations import registration_of
from reconcilers.fleet.servers import Server, server_of
from zonewright import InvalidObject, InvalidSelector, Mapper, Request, finalizers_changed


def zones_of_record(selection: Selection) -> Mapper:
    """Record -> the zones that select it or hold something of it."""

    def mapper(old: Side, new: Side) -> Iterator[Request]:
        for side in filter(None, (old, new)):
            yield from selection.zones_for(side.namespace, side.labels, claim_of(side).zones)

    return mapper


def records_of_zone(selection: Selection, kind: str) -> Mapper:
    """Zone -> the records of one kind that it selects, selected, or holds."""

    def mapper(old: Side, new: Side) -> Iterator[Request]:
        for view in _views(old, new):
            for record_kind, name in selection.concerned(view):
                if record_kind == kind:
                    yield Request(view.key.namespace, name)

    return mapper


def namesakes_of_zone(selection: Selection) -> Mapper:
    """Zone -> the other objects for the same zone: when the oldest goes, the next one takes over."""

    def mapper(old: Side, new: Side) -> Iterator[Request]:
        for view in _views(old, new):
            yield from (other.key for other in selection.namesakes(view))

    return mapper


def zones_of_server(selection: Selection) -> Mapper:
    """Instance -> the zones on it, and those that it would be on if both sides agreed: their status says what lacks."""

    def mapper(old: Side, new: Side) -> Iterator[Request]:
        servers = [server_of(side) for side in (old, new) if side is not None]
        for zone in selection.zones():
            if any(zone.servers.concerns(server) for server in servers):
                yield zone.key

    return mapper


def namesakes_of_server(fleet: Iterable[Server]) -> Mapper:
    """Instance -> the others for the server that it stands or stood for: when the first goes, the next takes over."""

    def mapper(old: Side, new: Side) -> Iterator[Request]:
        sides = [side for side in (old, new) if side is not None]
        places = {place for side in sides for place in registration_of(side).places}
        for other in fleet:
            if other.key != sides[0].key and not places.isdisjoint(other.registration.places):
                yield other.key

    return mapper


def servers_of_zone(servers: Iterable[Server]) -> Mapper:
    """Zone -> the instances it is on: their status counts it."""

    def mapper(old: Side, new: Side) -> Iterator[Request]:
        for view in _views(old, new):
            yield from (server.key for server in view.servers.among(servers))

    return mapper


def server_changed(old: Side, new: Side) -> bool:
    """A predicate: an instance changed in a way that its zones can notice."""
    return old is None or new is None or server_of(old) != server_of(new)


def registration_changed(old: Side, new: Side) -> bool:
    """A predicate: an instance came, went or stands for another server now."""
    return old is None or new is None or registration_of(old).places != registration_of(new).places


def zone_released(old: Side, new: Side) -> bool:
    """A predicate: a zone that is being deleted lost a finalizer. If it was ours, it is gone from all servers."""
    return new is not None and new.deleting and finalizers_changed(old, new)


def _views(*sides: Side) -> Iterator[ZoneView]:
    for side in filter(None, sides):
        try:
            yield zone_view(side)
        except (InvalidObject, InvalidName, InvalidSelector):
            continue  # selects nothing; its own reconcile says why
