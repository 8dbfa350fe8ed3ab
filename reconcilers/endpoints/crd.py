"""The crd source: a DNSEndpoint's endpoints. Pure.

Its CRD accepts every manifest that external-dns accepts, so anything can be in `spec`. What is wrong in an entry
becomes that entry's problem and stops no other.
"""

from typing import Any

import msgspec

from reconcilers.endpoints.endpoint import RESOURCE_LABEL, Endpoint, ObjectReference, sorted_pairs
from reconcilers.endpoints.rdata import checked
from reconcilers.reasons import Reason
from zonewright import InvalidObject, Object

SOURCE = "crd"


class _Setting(msgspec.Struct):
    name: str | None = None
    value: str | None = None


class _Entry(msgspec.Struct, rename="camel"):
    """An item of spec.endpoints; a null is as good as an absent field."""

    dns_name: str | None = None
    record_type: str | None = None
    targets: list[str] | None = None
    record_ttl: int | None = msgspec.field(default=None, name="recordTTL")
    set_identifier: str | None = None
    labels: dict[str, str] | None = None
    provider_specific: list[_Setting] | None = None


def endpoints(obj: Object[Any]) -> list[Endpoint]:
    """What a DNSEndpoint asks for: nothing once it is being deleted.

    An object that cannot be read as a whole gives one endpoint without a name, which says so."""
    if obj.deleting:
        return []
    ref = ObjectReference.of(obj, SOURCE)
    try:
        entries = _entries(obj.fields())
    except InvalidObject as error:
        return [_unreadable(ref, error.error)]
    return [_endpoint(entry, position, ref) for position, entry in enumerate(entries)]


def _entries(fields: dict[str, Any]) -> list[Any]:
    spec = fields.get("spec") or {}
    entries = spec.get("endpoints") or [] if isinstance(spec, dict) else spec
    if not isinstance(entries, list):
        raise InvalidObject("spec.endpoints", "spec.endpoints is not a list")
    return entries


def _endpoint(given: Any, position: int, ref: ObjectReference) -> Endpoint:
    try:
        entry = msgspec.convert(given, _Entry)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        message = f"spec.endpoints[{position}]{where.rstrip('`')}: {what}"
        return _named(given, position, ref).refused(Reason.ENDPOINT_INVALID, message)
    labels = {**(entry.labels or {}), RESOURCE_LABEL: ref.resource}
    return checked(
        Endpoint(
            dns_name=entry.dns_name or "",
            record_type=(entry.record_type or "").upper(),
            targets=tuple(entry.targets or ()),
            ttl=entry.record_ttl or 0,
            set_identifier=entry.set_identifier or "",
            labels=sorted_pairs(labels),
            provider_specific=sorted_pairs(
                {each.name or "": each.value or "" for each in entry.provider_specific or ()}
            ),
            refs=(ref,),
            position=position,
        )
    )


def _named(given: Any, position: int, ref: ObjectReference) -> Endpoint:
    """An entry that cannot be read, as far as status has to name it."""
    entry = given if isinstance(given, dict) else {}
    name, record_type, identifier = (
        text if isinstance(text := entry.get(field), str) else ""
        for field in ("dnsName", "recordType", "setIdentifier")
    )
    labels = ((RESOURCE_LABEL, ref.resource),)
    return Endpoint(name, record_type, (), set_identifier=identifier, labels=labels, refs=(ref,), position=position)


def _unreadable(ref: ObjectReference, why: str) -> Endpoint:
    return _named(None, 0, ref).refused(Reason.ENDPOINT_INVALID, why)
