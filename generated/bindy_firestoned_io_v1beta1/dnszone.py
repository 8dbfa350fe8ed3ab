# Written by `make generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""DNSZone of bindy.firestoned.io/v1beta1."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from ..base import Model, Timestamp
from ..resource import Resource
from ..shapes import Condition, LabelSelector, LabelSelectorRequirement


class DNSZoneSpecAllowEndpointsFrom(Model):
    """Namespaces, chosen by their labels, whose DNSEndpoints, Services and Ingresses may publish in this zone. This namespace always may; when absent, no other; an empty selector allows all."""

    match_expressions: Annotated[
        list[LabelSelectorRequirement] | None, Field(alias="matchExpressions", max_length=64)
    ] = None
    """Further requirements; a namespace must meet all of them."""
    match_labels: Annotated[dict[str, Any] | None, Field(alias="matchLabels")] = None
    """Labels that a namespace must have, all of them and with exactly these values."""


DNSZoneSpecBind9InstancesFromNamespacesItem = TypeAliasType(
    "DNSZoneSpecBind9InstancesFromNamespacesItem",
    Annotated[str, Field(max_length=63, min_length=1, pattern="^[a-z0-9]([\\-a-z0-9]*[a-z0-9])?$")],
)


class DNSZoneSpecNameServers(Model):
    """A name server of the zone."""

    hostname: Annotated[
        str,
        Field(
            max_length=254,
            min_length=1,
            pattern="^(([A-Za-z0-9_\\-]|[^\\x00-\\x7F]){1,63}\\.)*([A-Za-z0-9_\\-]|[^\\x00-\\x7F]){1,63}\\.?$",
        ),
    ]
    """Host name of the server, as `ns1.example.org.`"""
    ipv4_address: Annotated[
        str | None,
        Field(
            alias="ipv4Address",
            max_length=15,
            pattern="^((25[0-5]|(2[0-4]|1[0-9]|[1-9])?[0-9])\\.){3}(25[0-5]|(2[0-4]|1[0-9]|[1-9])?[0-9])$",
        ),
    ] = None
    """Its IPv4 address, published as an A record when the host name lies inside the zone."""
    ipv6_address: Annotated[str | None, Field(alias="ipv6Address", max_length=45, pattern="^[0-9A-Fa-f:.]+$")] = None
    """Its IPv6 address, published as an AAAA record when the host name lies inside the zone."""


class DNSZoneSpecRecordsFrom(Model):
    """One way to choose records."""

    selector: LabelSelector
    """Chooses records by their labels."""


class DNSZoneSpecSoaRecord(Model):
    """The start of authority: who runs the zone, and how secondaries and resolvers treat it."""

    admin_email: Annotated[
        str,
        Field(
            alias="adminEmail",
            max_length=320,
            min_length=1,
            pattern="^([^\\t\\n\\f\\r @]+@)?((\\\\.|[^\\t\\n\\f\\r .@\\\\]){1,63}\\.)*(\\\\.|[^\\t\\n\\f\\r .@\\\\]){1,63}\\.?$",
        ),
    ]
    """Mailbox of the zone's administrator, either as `admin@example.org` or as DNS writes it, `admin.example.org.`"""
    expire: Annotated[int, Field(ge=1, le=2147483647)] = 604800
    """Seconds after which a secondary that reaches no primary stops answering for the zone."""
    negative_ttl: Annotated[int, Field(alias="negativeTtl", ge=0, le=2147483647)] = 3600
    """Seconds that resolvers may remember that a name does not exist."""
    primary_ns: Annotated[
        str,
        Field(
            alias="primaryNs",
            max_length=254,
            min_length=1,
            pattern="^(([A-Za-z0-9_\\-]|[^\\x00-\\x7F]){1,63}\\.)*([A-Za-z0-9_\\-]|[^\\x00-\\x7F]){1,63}\\.?$",
        ),
    ]
    """Host name of the zone's first name server, as `ns1.example.org.`"""
    refresh: Annotated[int, Field(ge=1, le=2147483647)] = 3600
    """Seconds after which a secondary asks for a newer serial."""
    retry: Annotated[int, Field(ge=1, le=2147483647)] = 600
    """Seconds after which a secondary repeats a question that got no answer."""
    serial: Annotated[int, Field(ge=0, le=4294967295)] = 1
    """Lower bound of the zone's serial number. The operator owns the serial and only ever raises it."""


class DNSZoneStatusBind9Instances(Model):
    """A server of the zone."""

    adopted: bool | None = None
    """The server has no bindcar: the zone there belongs to others, and records remember in their own status what of it is theirs (`zones[].adopted`)."""
    api_version: Annotated[str | None, Field(alias="apiVersion")] = None
    """API version of the instance."""
    kind: str | None = None
    """Always Bind9Instance."""
    last_reconciled_at: Annotated[Timestamp | None, Field(alias="lastReconciledAt")] = None
    """When the operator last heard from it about this zone."""
    message: str | None = None
    """What is wrong, or what is awaited."""
    name: str
    """Name of the Bind9Instance."""
    namespace: str
    """Namespace of the Bind9Instance."""
    role: Literal["primary", "secondary"] | None = None
    """Whether it is written to, or transfers the zone from a primary."""
    serial: Annotated[int | None, Field(ge=0, le=4294967295)] = None
    """The serial that it serves."""
    status: Literal["Claimed", "Configured", "Failed", "Unclaimed"]
    """Claimed, about to serve the zone; Configured, serving it; Failed, see `message`; Unclaimed, about to let go of it."""


class DNSZoneStatusDnssec(Model):
    """State of the zone's signatures."""

    algorithm: str | None = None
    """Algorithm of the signing key."""
    ds_records: Annotated[list[str] | None, Field(alias="dsRecords")] = None
    """DS records for the parent zone, in presentation format."""
    key_tag: Annotated[int | None, Field(alias="keyTag", ge=0, le=65535)] = None
    """Tag of the key-signing key."""
    last_key_rollover: Annotated[str | None, Field(alias="lastKeyRollover")] = None
    """When the key last changed."""
    next_key_rollover: Annotated[str | None, Field(alias="nextKeyRollover")] = None
    """When the key is to change next."""
    signed: bool
    """Whether the zone is signed."""


class DNSZoneStatusRecords(Model):
    """A selected record that is ready."""

    api_version: Annotated[str, Field(alias="apiVersion")]
    """API version of the record."""
    kind: str
    """Kind of the record, as ARecord."""
    last_reconciled_at: Annotated[Timestamp | None, Field(alias="lastReconciledAt")] = None
    """When the zone last took up or confirmed the record."""
    name: str
    """Name of the record object."""
    namespace: str
    """Namespace of the record object."""
    record_name: Annotated[str | None, Field(alias="recordName")] = None
    """The record's owner name in DNS."""


class DNSZoneSpecBind9InstancesFrom(Model):
    """One way to choose instances."""

    namespaces: Annotated[list[DNSZoneSpecBind9InstancesFromNamespacesItem] | None, Field(max_length=64)] = None
    """Other namespaces whose instances may be chosen too; they receive the whole zone. Instances of this namespace always may."""
    selector: LabelSelector
    """Chooses instances by their labels."""


class DNSZoneStatus(Model):
    """What the operator observed and did; written by the operator only."""

    bind9_instances: Annotated[list[DNSZoneStatusBind9Instances] | None, Field(alias="bind9Instances")] = None
    """The servers of the zone, one by one."""
    bind9_instances_count: Annotated[int | None, Field(alias="bind9InstancesCount")] = None
    """How many instances serve the zone or are to serve it."""
    conditions: list[Condition] | None = None
    """`Ready`: every primary serves the zone as wanted. `Progressing`: changes are on their way. `Degraded`: a server of the zone is failing while others still answer. A second zone of the same name on the same servers is not Ready, with reason DuplicateZone."""
    dnssec: DNSZoneStatusDnssec | None = None
    """State of the zone's signatures."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration", ge=0)] = None
    """The metadata.generation that this status describes."""
    ready_records_count: Annotated[int | None, Field(alias="readyRecordsCount")] = None
    """How many of them are ready."""
    records: Annotated[list[DNSZoneStatusRecords] | None, Field(max_length=1000)] = None
    """The records that are selected and ready; the first 1,000 of them, the counts are always exact."""
    records_count: Annotated[int, Field(alias="recordsCount")] = 0
    """How many records the zone selects."""
    records_truncated: Annotated[bool | None, Field(alias="recordsTruncated")] = None
    """True when `records` does not have them all."""
    serial: Annotated[int | None, Field(ge=0, le=4294967295)] = None
    """Serial of the newest content, the same on every server."""


class DNSZoneSpec(Model):
    """The wanted zone."""

    allow_endpoints_from: Annotated[DNSZoneSpecAllowEndpointsFrom | None, Field(alias="allowEndpointsFrom")] = None
    """Namespaces, chosen by their labels, whose DNSEndpoints, Services and Ingresses may publish in this zone. This namespace always may; when absent, no other; an empty selector allows all."""
    bind9_instances_from: Annotated[
        list[DNSZoneSpecBind9InstancesFrom] | None, Field(alias="bind9InstancesFrom", max_length=256)
    ] = None
    """Serve the zone on the Bind9Instances that match at least one entry, beside those of `clusterRef`. Instances of other namespaces take part only if both sides agree: the entry names their namespace in `namespaces`, and their annotation `bindy.firestoned.io/allow-zone-namespaces` names this one."""
    cluster_ref: Annotated[str | None, Field(alias="clusterRef")] = None
    """Serve the zone on every instance of this cluster in this namespace. Instances of other namespaces are chosen with `bind9InstancesFrom`, whatever cluster they say they belong to."""
    dnssec_policy: Annotated[str | None, Field(alias="dnssecPolicy", pattern="^[A-Za-z0-9][A-Za-z0-9_\\-]{0,62}$")] = (
        None
    )
    """Name of the BIND `dnssec-policy` that signs the zone: `default`, or one that its servers define. When absent, the servers' own setting applies."""
    name_server_ips: Annotated[dict[str, Any] | None, Field(alias="nameServerIps")] = None
    """Older form of `nameServers`: from host name to address, IPv4 or IPv6. Prefer `nameServers`; both are published."""
    name_servers: Annotated[list[DNSZoneSpecNameServers] | None, Field(alias="nameServers")] = None
    """The zone's name servers beside `soaRecord.primaryNs`, which always is one: its NS records, with addresses (glue) for those that lie inside the zone."""
    records_from: Annotated[list[DNSZoneSpecRecordsFrom] | None, Field(alias="recordsFrom", max_length=256)] = None
    """Which records of this namespace the zone publishes: those that match at least one entry. An empty selector matches all."""
    soa_record: Annotated[DNSZoneSpecSoaRecord, Field(alias="soaRecord")]
    """The start of authority: who runs the zone, and how secondaries and resolvers treat it."""
    ttl: Annotated[int | None, Field(ge=0, le=2147483647)] = None
    """Seconds that resolvers may cache records which set no `ttl` of their own. 3600 when absent."""
    zone_name: Annotated[
        str,
        Field(
            alias="zoneName",
            max_length=254,
            min_length=1,
            pattern="^(([A-Za-z0-9_]|[^\\x00-\\x7F])(([A-Za-z0-9_/\\-]|[^\\x00-\\x7F]){0,61}([A-Za-z0-9_]|[^\\x00-\\x7F]))?\\.)*([A-Za-z0-9_]|[^\\x00-\\x7F])(([A-Za-z0-9_/\\-]|[^\\x00-\\x7F]){0,61}([A-Za-z0-9_]|[^\\x00-\\x7F]))?\\.?$",
        ),
    ]
    """DNS name of the zone, as `example.org`; a reverse zone as `2.0.192.in-addr.arpa`. Labels have letters, digits and underscores, and between those hyphens and the slashes of RFC 2317. Names in other scripts are written as they are or as `xn--...`. The final dot is optional, upper case means lower case. It cannot be changed."""


class DNSZone(Resource):
    """A DNS zone: its name, its start of authority, the records it publishes and the servers that answer for it. Records and servers are chosen by labels, so that a zone and its records can be written by different teams."""

    api_version: Annotated[Literal["bindy.firestoned.io/v1beta1"], Field(alias="apiVersion")] = (
        "bindy.firestoned.io/v1beta1"
    )
    kind: Literal["DNSZone"] = "DNSZone"
    spec: DNSZoneSpec
    """The wanted zone."""
    status: DNSZoneStatus | None = None
    """What the operator observed and did; written by the operator only."""
