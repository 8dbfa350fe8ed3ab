"""A record in a zone: its spec as DNS data, and its contribution to what the zone publishes. Pure."""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from reconcilers import records
from reconcilers.ddns.errors import InvalidName, InvalidRecordData
from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.presentation import InvalidField, owner
from reconcilers.ddns.rdata import parse_rdata, rdtype_of
from reconcilers.ddns.rrset import RRset, RRsetKey, RRsetTooLarge
from reconcilers.desired.merge import Contribution
from reconcilers.desired.ownership import owned_names
from reconcilers.desired.views import RecordView, ZoneView


def data_of(record: RecordView, zone: ZoneView) -> tuple[RRset | None, str | None]:
    """What the record's spec means in the zone, or what is wrong with it."""
    if record.error is not None:
        return None, record.error
    ttl = record.spec.ttl if record.spec.ttl is not None else zone.ttl
    try:
        name = owner(record.name, zone.origin)
        texts = records.handler(record.rdtype).rdata(record.spec, zone.origin)
        return RRset.of(name, ttl, [parse_rdata(record.rdtype, text, origin=zone.origin) for text in texts]), None
    except RRsetTooLarge as error:
        return None, f"spec.{_largest_field(record.spec)}: {error}"
    except (InvalidField, InvalidRecordData) as error:
        return None, str(error)


def _largest_field(spec: Any) -> str:
    """The field that makes a spec large, as manifests write it."""
    fields: dict[str, Any] = spec.to_dict()
    return max(fields, key=lambda field: len(str(fields[field])))


def contribution_of(record: RecordView, zone: ZoneView, data: RRset | None, *, readable: bool) -> Contribution:
    """The record's part in the zone.

    It is published once the claim is on the object: in metadata, before any server hears of it."""
    claimed = (
        record.has_finalizer
        and zone.zone_name in record.claim.claimed_zones
        and record.name in record.claim.claimed_names
    )
    published = data if claimed else None
    return Contribution(
        ref=record.ref,
        version=record.version,
        age=record.created,
        rrset=published,
        owned=frozenset(_keys(record, zone, owned_names(record.claim, zone.zone_name))),
        adopted=frozenset(_adopted(record, zone)) if record.claim.adopted else frozenset(),
        readable=readable,
    )


def _adopted(record: RecordView, zone: ZoneView) -> Iterator[tuple[str, RRsetKey]]:
    """As its status says: (server, RRset). Whoever writes status may claim nothing outside the zone."""
    for zone_name, server, name in record.claim.adopted:
        if zone_name == zone.zone_name:
            with contextlib.suppress(InvalidName):
                absolute = parse_zone(name)
                if absolute.is_subdomain(zone.origin):
                    yield server, RRsetKey(absolute, rdtype_of(record.rdtype))


def _keys(record: RecordView, zone: ZoneView, names: Iterable[str]) -> Iterable[RRsetKey]:
    for name in names:
        try:
            yield RRsetKey(owner(name, zone.origin), rdtype_of(record.rdtype))
        except InvalidField:
            continue  # never published under a name that is none
