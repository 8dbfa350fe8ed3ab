"""A record in a zone: its spec as DNS data, and its contribution to what the zone publishes. Pure."""

from collections.abc import Iterable
from typing import Any

from reconcilers import records
from reconcilers.ddns.errors import InvalidRecordData
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
        owned=frozenset(
            _keys(record, zone, owned_names(record.claim, zone.zone_name, record.name, published=published is not None))
        ),
        readable=readable,
    )


def _keys(record: RecordView, zone: ZoneView, names: Iterable[str]) -> Iterable[RRsetKey]:
    for name in names:
        try:
            yield RRsetKey(owner(name, zone.origin), rdtype_of(record.rdtype))
        except InvalidField:
            continue  # never published under a name that is none
