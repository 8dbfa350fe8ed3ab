# Written by `make generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""DNSEndpoint of externaldns.k8s.io/v1alpha1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..resource import Resource
from ..shapes import Condition


class DNSEndpointSpecEndpointsProviderSpecific(Model):
    """One setting."""

    name: str | None = None
    """Name of the setting."""
    value: str | None = None
    """Value of the setting."""


class DNSEndpointStatusEndpointStatuses(Model):
    """An endpoint that is not programmed."""

    dns_name: Annotated[str | None, Field(alias="dnsName")] = None
    """Its name."""
    message: str | None = None
    """Why not, in a sentence."""
    programmed: bool | None = None
    """Whether it is in DNS."""
    reason: str | None = None
    """Why not, in one CamelCase word: Failed, Filtered, OwnerMismatch, ConflictLost, Invalid or Reconciling."""
    record_type: Annotated[str | None, Field(alias="recordType")] = None
    """Its type."""
    set_identifier: Annotated[str | None, Field(alias="setIdentifier")] = None
    """Its identifier."""


class DNSEndpointSpecEndpoints(Model):
    """The records of one name and type."""

    dns_name: Annotated[str | None, Field(alias="dnsName")] = None
    """The absolute name of the records, with or without the final dot. The DNSZone with the longest match publishes it, of this namespace or of one whose `allowEndpointsFrom` selects it."""
    labels: dict[str, str] | None = None
    """Labels that external-dns keeps in its registry. Accepted and not used: the registry has the owner and this object."""
    provider_specific: Annotated[
        list[DNSEndpointSpecEndpointsProviderSpecific] | None, Field(alias="providerSpecific")
    ] = None
    """Settings that only some DNS providers know. `record-type` with the value `ptr` asks for a PTR record of each address; those of other providers have no effect."""
    record_ttl: Annotated[int | None, Field(alias="recordTTL")] = None
    """Seconds that resolvers may cache the records. 0, or nothing, means the zone's default for new records, and leaves the TTL of those that are there."""
    record_type: Annotated[str | None, Field(alias="recordType")] = None
    """Type of the records: A, AAAA, CNAME, TXT, SRV, NS, PTR, MX, NAPTR or DNAME."""
    set_identifier: Annotated[str | None, Field(alias="setIdentifier")] = None
    """Tells apart several endpoints of one name and type; they are published together, as one set."""
    targets: list[str] | None = None
    """The values of the records: addresses, host names, text (with or without quotes), or fields as in a zone file, `10 mail.example.org` for MX and `0 10 443 www.example.org` for SRV."""


class DNSEndpointStatus(Model):
    """What the operator observed and did; written by the operator only."""

    conditions: list[Condition] | None = None
    """`Accepted` (Accepted, Invalid): the object makes sense. `Synced` (SyncSuccessful, SyncFailed, Reconciling): the last synchronisation succeeded. `Ready` (Programmed, Failed, Filtered, OwnerMismatch, ConflictLost, Invalid, Reconciling): every endpoint is in DNS."""
    endpoint_statuses: Annotated[list[DNSEndpointStatusEndpointStatuses] | None, Field(alias="endpointStatuses")] = None
    """The endpoints that are not programmed, and why; the first 100 of them."""
    endpoints: int | None = None
    """How many endpoints a DNSZone takes."""
    last_sync_time: Annotated[Timestamp | None, Field(alias="lastSyncTime")] = None
    """When something of this object was last programmed into DNS."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration", ge=0)] = None
    """The metadata.generation that this status describes."""
    provider_status: Annotated[str | None, Field(alias="providerStatus")] = None
    """What each primary said last, as `dns-system/primary-0: NOERROR`."""
    records: str | None = None
    """How many records are programmed, of how many, as `3/5`."""


class DNSEndpointSpec(Model):
    """The wanted records."""

    endpoints: list[DNSEndpointSpecEndpoints] | None = None
    """The records. What is wrong in one of them is told in `status.endpointStatuses` and stops no other."""


class DNSEndpoint(Resource):
    """DNS records as external-dns takes them, of any type and for any zone. Every object that external-dns accepts is accepted here; what cannot be published is told in the status, endpoint by endpoint."""

    api_version: Annotated[Literal["externaldns.k8s.io/v1alpha1"], Field(alias="apiVersion")] = (
        "externaldns.k8s.io/v1alpha1"
    )
    kind: Literal["DNSEndpoint"] = "DNSEndpoint"
    spec: DNSEndpointSpec | None = None
    """The wanted records."""
    status: DNSEndpointStatus | None = None
    """What the operator observed and did; written by the operator only."""
