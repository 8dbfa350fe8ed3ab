"""What a zone claims for itself: the RRsets it publishes beyond its records, in its metadata before in DNS. Pure.

As claims.py does for records: when `nameServers` loses an entry, also while the operator is down, this is how it is
known that the address it had is ours to remove."""

from collections.abc import Iterable, Mapping
from typing import Any

from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.rdata import rdtype_of
from reconcilers.ddns.rrset import RRsetKey
from reconcilers.desired.claims import GROUP, finalizer
from reconcilers.engine.api import ObjectRef
from zonewright import Request

OWN_ANNOTATION = f"{GROUP}/own-records"
ZONE_FINALIZER = finalizer("DNSZone")


def claimed_own(annotations: Mapping[str, str]) -> frozenset[RRsetKey]:
    return frozenset(_parse(text) for text in annotations.get(OWN_ANNOTATION, "").split())


def zone_patch(metadata: Mapping[str, Any], keys: Iterable[RRsetKey]) -> dict[str, Any] | None:
    """A merge patch that puts finalizer and claim on the zone; None when it has both."""
    text = " ".join(sorted(f"{key.name}/{key.rdtype.name}" for key in keys))
    present = metadata.get("annotations") or {}
    finalizers = metadata.get("finalizers") or []
    patch: dict[str, Any] = {"annotations": {OWN_ANNOTATION: text}} if present.get(OWN_ANNOTATION) != text else {}
    if ZONE_FINALIZER not in finalizers:
        patch["finalizers"] = [*finalizers, ZONE_FINALIZER]
    return {"metadata": {**patch, "resourceVersion": metadata["resourceVersion"]}} if patch else None


def zone_itself(key: Request, uid: str) -> ObjectRef:
    return ObjectRef("DNSZone", key.namespace, key.name, uid)


def _parse(text: str) -> RRsetKey:
    name, _, rdtype = text.rpartition("/")
    return RRsetKey(parse_zone(name), rdtype_of(rdtype))
