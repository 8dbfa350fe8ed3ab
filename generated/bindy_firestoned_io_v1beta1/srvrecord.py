# Written by `make generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""SRVRecord of bindy.firestoned.io/v1beta1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..resource import Resource
from ..shapes import Condition


class SRVRecordSpec(Model):
    """The wanted record."""

    name: Annotated[
        str,
        Field(
            max_length=1024,
            min_length=1,
            pattern="^(@|((\\\\.|[^\\t\\n\\f\\r .@\\\\]){1,63}\\.)*(\\\\.|[^\\t\\n\\f\\r .@\\\\]){1,63}\\.?)$",
        ),
    ]
    """Owner name of the record, relative to the zone: `_sip._tcp`, or `@` for the zone itself. A name that ends in the zone's own, with or without a final dot, is absolute. Wildcards (`*`), underscores, RFC 2317 slashes and internationalised names are allowed."""
    port: Annotated[int, Field(ge=0, le=65535)]
    """TCP or UDP port of the service on the host."""
    priority: Annotated[int, Field(ge=0, le=65535)]
    """Preference among the hosts of the service: the lowest is tried first."""
    target: Annotated[
        str,
        Field(
            max_length=1024,
            min_length=1,
            pattern="^(\\.|((\\\\.|[^\\t\\n\\f\\r .@\\\\]){1,63}\\.)*(\\\\.|[^\\t\\n\\f\\r .@\\\\]){1,63}\\.?)$",
        ),
    ]
    """The host that offers the service, as `sip.example.org.`, or without the final dot; it is always absolute. It must not be an alias. A single dot says that the service is not offered."""
    ttl: Annotated[int | None, Field(ge=0, le=2147483647)] = None
    """Seconds that resolvers may cache the record; the zone's `ttl` when absent. Records that share a name and type form one RRset, which is published with the smallest of their TTLs."""
    weight: Annotated[int, Field(ge=0, le=65535)]
    """Share of the load among hosts of equal priority; 0 where there is nothing to share."""


class SRVRecordStatusZoneRef(Model):
    """The DNSZone behind `zone`."""

    api_version: Annotated[str, Field(alias="apiVersion")]
    """API version of the DNSZone."""
    kind: str
    """Always DNSZone."""
    last_reconciled_at: Annotated[Timestamp | None, Field(alias="lastReconciledAt")] = None
    """When this zone last took up or confirmed the record."""
    name: str
    """Name of the DNSZone object."""
    namespace: str
    """Namespace of the DNSZone object."""
    zone_name: Annotated[str, Field(alias="zoneName")]
    """The zone's DNS name, as in its `spec.zoneName`."""


class SRVRecordStatusZonesAdopted(Model):
    """One RRset of this record on one server."""

    instance: str
    """Namespace and name of the Bind9Instance, with a slash between them."""
    name: str
    """The RRset's owner name, with the final dot."""


class SRVRecordStatusZones(Model):
    """A DNSZone that selects the record."""

    adopted: list[SRVRecordStatusZonesAdopted] | None = None
    """What of this record stands on servers without bindcar, whose zones belong to others. There it is the only proof that an RRset is this record's own, to be changed or removed."""
    api_version: Annotated[str, Field(alias="apiVersion")]
    """API version of the DNSZone."""
    kind: str
    """Always DNSZone."""
    last_reconciled_at: Annotated[Timestamp | None, Field(alias="lastReconciledAt")] = None
    """When this zone last took up or confirmed the record."""
    name: str
    """Name of the DNSZone object."""
    namespace: str
    """Namespace of the DNSZone object."""
    zone_name: Annotated[str, Field(alias="zoneName")]
    """The zone's DNS name, as in its `spec.zoneName`."""


class SRVRecordStatus(Model):
    """What the operator observed and did; written by the operator only."""

    addresses: str | None = None
    """The published values in one line, for `kubectl get`."""
    conditions: list[Condition] | None = None
    """`Ready`: every primary server that is itself ready serves this generation of the record. `Propagated`: every secondary serves it too, so `kubectl wait --for=condition=Propagated` waits for DNS itself. Reasons of `Ready`: RecordPublished; NotSelected, ZoneDeleted, ZoneNotServed, ZoneNotReady, NoPrimaryInstances, InvalidRecordData, RecordConflict, Rejected, ServerUnreachable, TsigVerificationFailed, WaitingForConsent, InternalError, ReconcileError."""
    last_updated: Annotated[Timestamp | None, Field(alias="lastUpdated")] = None
    """When a server last accepted an update for this record."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration", ge=0)] = None
    """The metadata.generation that this status describes."""
    published_name: Annotated[str | None, Field(alias="publishedName")] = None
    """The owner name under which the record stands in DNS; after a rename it tells what to remove."""
    record_hash: Annotated[str | None, Field(alias="recordHash")] = None
    """SHA-256, in hexadecimal, of all that determines the DNS data. While it stays the same no update is sent."""
    zone: str | None = None
    """DNS name of the zone that publishes the record (the first in order, where several do); empty while no zone selects it. Prefer `zones`."""
    zone_ref: Annotated[SRVRecordStatusZoneRef | None, Field(alias="zoneRef")] = None
    """The DNSZone behind `zone`."""
    zones: list[SRVRecordStatusZones] | None = None
    """Every DNSZone that selects the record, sorted by name; it is published in each."""


class SRVRecord(Resource):
    """An SRV record: host and port of a service (RFC 2782). A DNSZone of the same namespace publishes it when one of the zone's `recordsFrom` selectors matches its labels. Several SRVRecords of one name add up to one RRset."""

    api_version: Annotated[Literal["bindy.firestoned.io/v1beta1"], Field(alias="apiVersion")] = (
        "bindy.firestoned.io/v1beta1"
    )
    kind: Literal["SRVRecord"] = "SRVRecord"
    spec: SRVRecordSpec
    """The wanted record."""
    status: SRVRecordStatus | None = None
    """What the operator observed and did; written by the operator only."""
