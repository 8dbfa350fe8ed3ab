# Written by `python -m codegen` from the CRDs. Do not edit: change the CRD or codegen/, then run it again.
"""The registry: what is known about every kind without loading its models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from controllers.runtime.kind import Kind, M

if TYPE_CHECKING:
    from . import bindy_firestoned_io_v1beta1, externaldns_k8s_io_v1alpha1

# What Kind.model() imports; computed, because the package may live under any name.
_PACKAGE = __name__.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class PrinterColumn:
    """A column of `kubectl get`."""

    name: str
    type: str
    json_path: str
    priority: int = 0
    description: str = ""


# eq=False: kinds compare by what they name, see Kind.
@dataclass(frozen=True, slots=True, eq=False)
class CustomKind(Kind[M]):
    """A kind that a CRD defines, with what the CRD says about it."""

    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    printer_columns: tuple[PrinterColumn, ...] = ()
    selectable_fields: tuple[str, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    example: Mapping[str, Any] | None = None
    """A spec that works, from the CRD's `example`."""

    @property
    def rdtype(self) -> str | None:
        """The DNS type that objects of this kind publish (annotation `zonewright/rdtype`), or None."""
        return self.annotations.get("zonewright/rdtype")


AAAARecord: CustomKind[bindy_firestoned_io_v1beta1.AAAARecord] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="AAAARecord",
    plural="aaaarecords",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.aaaarecord:AAAARecord",
    short_names=("aaaa",),
    categories=("zonewright", "dnsrecords"),
    printer_columns=(
        PrinterColumn("Name", "string", ".spec.name", 0, "Owner name, relative to the zone"),
        PrinterColumn("Zone", "string", ".status.zone", 0, "The zone that publishes the record"),
        PrinterColumn("Addresses", "string", ".status.addresses", 0, "The published addresses"),
        PrinterColumn(
            "TTL",
            "integer",
            ".spec.ttl",
            0,
            "Seconds that resolvers may cache the record; empty means the zone's default",
        ),
        PrinterColumn(
            "Ready",
            "string",
            ".status.conditions[?(@.type=='Ready')].status",
            0,
            "Whether every ready primary serves this generation",
        ),
        PrinterColumn(
            "Propagated",
            "string",
            ".status.conditions[?(@.type=='Propagated')].status",
            1,
            "Whether every secondary serves it too",
        ),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.name",),
    annotations={"zonewright/rdtype": "AAAA"},
    example={"name": "www", "ipv6Addresses": ["2001:db8::10", "2001:db8::11"], "ttl": 300},
)
ARecord: CustomKind[bindy_firestoned_io_v1beta1.ARecord] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="ARecord",
    plural="arecords",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.arecord:ARecord",
    short_names=("a",),
    categories=("zonewright", "dnsrecords"),
    printer_columns=(
        PrinterColumn("Name", "string", ".spec.name", 0, "Owner name, relative to the zone"),
        PrinterColumn("Zone", "string", ".status.zone", 0, "The zone that publishes the record"),
        PrinterColumn("Addresses", "string", ".status.addresses", 0, "The published addresses"),
        PrinterColumn(
            "TTL",
            "integer",
            ".spec.ttl",
            0,
            "Seconds that resolvers may cache the record; empty means the zone's default",
        ),
        PrinterColumn(
            "Ready",
            "string",
            ".status.conditions[?(@.type=='Ready')].status",
            0,
            "Whether every ready primary serves this generation",
        ),
        PrinterColumn(
            "Propagated",
            "string",
            ".status.conditions[?(@.type=='Propagated')].status",
            1,
            "Whether every secondary serves it too",
        ),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.name",),
    annotations={"zonewright/rdtype": "A"},
    example={"name": "www", "ipv4Addresses": ["192.0.2.10", "192.0.2.11"], "ttl": 300},
)
Bind9Cluster: CustomKind[bindy_firestoned_io_v1beta1.Bind9Cluster] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="Bind9Cluster",
    plural="bind9clusters",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.bind9cluster:Bind9Cluster",
    short_names=("b9c", "b9cs"),
    categories=("zonewright",),
    printer_columns=(
        PrinterColumn("Version", "string", ".spec.version", 0, "Version of BIND"),
        PrinterColumn("Primary", "integer", ".spec.primary.replicas", 0, "Primary servers wanted"),
        PrinterColumn("Secondary", "integer", ".spec.secondary.replicas", 0, "Secondary servers wanted"),
        PrinterColumn("Ready", "string", ".status.conditions[?(@.type=='Ready')].status", 0, ""),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(),
    annotations={},
    example={
        "version": "9.18",
        "primary": {"replicas": 2},
        "secondary": {"replicas": 1},
        "global": {"recursion": False, "allowQuery": ["any"]},
    },
)
Bind9GlobalCluster: CustomKind[bindy_firestoned_io_v1beta1.Bind9GlobalCluster] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="Bind9GlobalCluster",
    plural="bind9globalclusters",
    namespaced=False,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.bind9globalcluster:Bind9GlobalCluster",
    short_names=("b9gc", "b9gcs"),
    categories=("zonewright",),
    printer_columns=(
        PrinterColumn("Version", "string", ".spec.version", 0, "Version of BIND"),
        PrinterColumn("Primary", "integer", ".spec.primary.replicas", 0, "Primary servers wanted"),
        PrinterColumn("Secondary", "integer", ".spec.secondary.replicas", 0, "Secondary servers wanted"),
        PrinterColumn("Ready", "string", ".status.conditions[?(@.type=='Ready')].status", 0, ""),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(),
    annotations={},
    example={
        "namespace": "dns-system",
        "version": "9.18",
        "primary": {"replicas": 2},
        "secondary": {"replicas": 1},
        "global": {"recursion": False, "allowQuery": ["any"]},
    },
)
Bind9Instance: CustomKind[bindy_firestoned_io_v1beta1.Bind9Instance] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="Bind9Instance",
    plural="bind9instances",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.bind9instance:Bind9Instance",
    short_names=("b9", "b9s"),
    categories=("zonewright",),
    printer_columns=(
        PrinterColumn("Cluster", "string", ".spec.clusterRef", 0, "The cluster that it belongs to"),
        PrinterColumn("Role", "string", ".spec.role", 0, "primary or secondary"),
        PrinterColumn("Replicas", "integer", ".spec.replicas", 0, "Pods wanted"),
        PrinterColumn("Address", "string", ".status.serviceAddress", 1, "Where it is reached"),
        PrinterColumn("Zones", "integer", ".status.zonesCount", 0, "How many zones it has"),
        PrinterColumn("Ready", "string", ".status.conditions[?(@.type=='Ready')].status", 0, ""),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.clusterRef", ".spec.role"),
    annotations={},
    example={"clusterRef": "production", "role": "primary", "replicas": 1},
)
CAARecord: CustomKind[bindy_firestoned_io_v1beta1.CAARecord] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="CAARecord",
    plural="caarecords",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.caarecord:CAARecord",
    short_names=("caa",),
    categories=("zonewright", "dnsrecords"),
    printer_columns=(
        PrinterColumn("Name", "string", ".spec.name", 0, "Owner name, relative to the zone"),
        PrinterColumn("Zone", "string", ".status.zone", 0, "The zone that publishes the record"),
        PrinterColumn("Tag", "string", ".spec.tag", 0, "The property"),
        PrinterColumn("Value", "string", ".spec.value", 0, "The property's value"),
        PrinterColumn(
            "TTL",
            "integer",
            ".spec.ttl",
            0,
            "Seconds that resolvers may cache the record; empty means the zone's default",
        ),
        PrinterColumn(
            "Ready",
            "string",
            ".status.conditions[?(@.type=='Ready')].status",
            0,
            "Whether every ready primary serves this generation",
        ),
        PrinterColumn(
            "Propagated",
            "string",
            ".status.conditions[?(@.type=='Propagated')].status",
            1,
            "Whether every secondary serves it too",
        ),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.name",),
    annotations={"zonewright/rdtype": "CAA"},
    example={"name": "@", "flags": 0, "tag": "issue", "value": "ca.example.net", "ttl": 3600},
)
CNAMERecord: CustomKind[bindy_firestoned_io_v1beta1.CNAMERecord] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="CNAMERecord",
    plural="cnamerecords",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.cnamerecord:CNAMERecord",
    short_names=("cname",),
    categories=("zonewright", "dnsrecords"),
    printer_columns=(
        PrinterColumn("Name", "string", ".spec.name", 0, "Owner name, relative to the zone"),
        PrinterColumn("Zone", "string", ".status.zone", 0, "The zone that publishes the record"),
        PrinterColumn("Target", "string", ".spec.target", 0, "The name that this one is an alias of"),
        PrinterColumn(
            "TTL",
            "integer",
            ".spec.ttl",
            0,
            "Seconds that resolvers may cache the record; empty means the zone's default",
        ),
        PrinterColumn(
            "Ready",
            "string",
            ".status.conditions[?(@.type=='Ready')].status",
            0,
            "Whether every ready primary serves this generation",
        ),
        PrinterColumn(
            "Propagated",
            "string",
            ".status.conditions[?(@.type=='Propagated')].status",
            1,
            "Whether every secondary serves it too",
        ),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.name",),
    annotations={"zonewright/rdtype": "CNAME"},
    example={"name": "blog", "target": "www.example.org.", "ttl": 300},
)
ClusterBind9Provider: CustomKind[bindy_firestoned_io_v1beta1.ClusterBind9Provider] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="ClusterBind9Provider",
    plural="clusterbind9providers",
    namespaced=False,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.clusterbind9provider:ClusterBind9Provider",
    short_names=("cb9p", "cb9ps"),
    categories=("zonewright",),
    printer_columns=(
        PrinterColumn("Version", "string", ".spec.version", 0, "Version of BIND"),
        PrinterColumn("Primary", "integer", ".spec.primary.replicas", 0, "Primary servers wanted"),
        PrinterColumn("Secondary", "integer", ".spec.secondary.replicas", 0, "Secondary servers wanted"),
        PrinterColumn("Ready", "string", ".status.conditions[?(@.type=='Ready')].status", 0, ""),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(),
    annotations={},
    example={
        "namespace": "dns-system",
        "version": "9.18",
        "primary": {"replicas": 2},
        "secondary": {"replicas": 1},
        "global": {"recursion": False, "allowQuery": ["any"]},
    },
)
DNSEndpoint: CustomKind[externaldns_k8s_io_v1alpha1.DNSEndpoint] = CustomKind(
    group="externaldns.k8s.io",
    version="v1alpha1",
    kind="DNSEndpoint",
    plural="dnsendpoints",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.externaldns_k8s_io_v1alpha1.dnsendpoint:DNSEndpoint",
    short_names=("dnsep",),
    categories=("zonewright",),
    printer_columns=(
        PrinterColumn("Endpoints", "integer", ".status.endpoints", 0, "How many endpoints were planned for"),
        PrinterColumn("Records", "string", ".status.records", 1, "How many records are programmed, of how many"),
        PrinterColumn("Accepted", "string", ".status.conditions[?(@.type=='Accepted')].status", 0, ""),
        PrinterColumn("Ready", "string", ".status.conditions[?(@.type=='Ready')].status", 0, ""),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 1, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(),
    annotations={"api-approved.kubernetes.io": "https://github.com/kubernetes-sigs/external-dns/pull/2007"},
    example={
        "endpoints": [{"dnsName": "shop.example.org", "recordType": "A", "recordTTL": 300, "targets": ["192.0.2.80"]}]
    },
)
DNSZone: CustomKind[bindy_firestoned_io_v1beta1.DNSZone] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="DNSZone",
    plural="dnszones",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.dnszone:DNSZone",
    short_names=("zone", "zones", "dz", "dzs"),
    categories=("zonewright",),
    printer_columns=(
        PrinterColumn("Zone", "string", ".spec.zoneName", 0, "DNS name of the zone"),
        PrinterColumn("Records", "integer", ".status.recordsCount", 0, "How many records the zone selects"),
        PrinterColumn("Instances", "integer", ".status.bind9InstancesCount", 0, "How many servers the zone has"),
        PrinterColumn("Serial", "integer", ".status.serial", 0, "Serial of the newest content"),
        PrinterColumn("TTL", "integer", ".spec.ttl", 1, "Default TTL of its records"),
        PrinterColumn("Ready", "string", ".status.conditions[?(@.type=='Ready')].status", 0, ""),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.zoneName",),
    annotations={},
    example={
        "zoneName": "example.org",
        "soaRecord": {"primaryNs": "ns1.example.org.", "adminEmail": "admin@example.org"},
        "nameServers": [{"hostname": "ns1.example.org.", "ipv4Address": "192.0.2.53"}],
        "ttl": 3600,
        "recordsFrom": [{"selector": {"matchLabels": {"zone": "example.org"}}}],
        "bind9InstancesFrom": [{"selector": {"matchLabels": {"dns.example.org/tier": "demo"}}}],
    },
)
MXRecord: CustomKind[bindy_firestoned_io_v1beta1.MXRecord] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="MXRecord",
    plural="mxrecords",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.mxrecord:MXRecord",
    short_names=("mx",),
    categories=("zonewright", "dnsrecords"),
    printer_columns=(
        PrinterColumn("Name", "string", ".spec.name", 0, "Owner name, relative to the zone"),
        PrinterColumn("Zone", "string", ".status.zone", 0, "The zone that publishes the record"),
        PrinterColumn("Priority", "integer", ".spec.priority", 0, "Lower is tried first"),
        PrinterColumn("Mail Server", "string", ".spec.mailServer", 0, "The host that takes mail"),
        PrinterColumn(
            "TTL",
            "integer",
            ".spec.ttl",
            0,
            "Seconds that resolvers may cache the record; empty means the zone's default",
        ),
        PrinterColumn(
            "Ready",
            "string",
            ".status.conditions[?(@.type=='Ready')].status",
            0,
            "Whether every ready primary serves this generation",
        ),
        PrinterColumn(
            "Propagated",
            "string",
            ".status.conditions[?(@.type=='Propagated')].status",
            1,
            "Whether every secondary serves it too",
        ),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.name",),
    annotations={"zonewright/rdtype": "MX"},
    example={"name": "@", "priority": 10, "mailServer": "mail.example.org.", "ttl": 3600},
)
NSRecord: CustomKind[bindy_firestoned_io_v1beta1.NSRecord] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="NSRecord",
    plural="nsrecords",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.nsrecord:NSRecord",
    short_names=("nsr", "nsrec"),
    categories=("zonewright", "dnsrecords"),
    printer_columns=(
        PrinterColumn("Name", "string", ".spec.name", 0, "Owner name, relative to the zone"),
        PrinterColumn("Zone", "string", ".status.zone", 0, "The zone that publishes the record"),
        PrinterColumn("Nameserver", "string", ".spec.nameserver", 0, "The server that is authoritative for the name"),
        PrinterColumn(
            "TTL",
            "integer",
            ".spec.ttl",
            0,
            "Seconds that resolvers may cache the record; empty means the zone's default",
        ),
        PrinterColumn(
            "Ready",
            "string",
            ".status.conditions[?(@.type=='Ready')].status",
            0,
            "Whether every ready primary serves this generation",
        ),
        PrinterColumn(
            "Propagated",
            "string",
            ".status.conditions[?(@.type=='Propagated')].status",
            1,
            "Whether every secondary serves it too",
        ),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.name",),
    annotations={"zonewright/rdtype": "NS"},
    example={"name": "lab", "nameserver": "ns1.lab.example.org.", "ttl": 3600},
)
PTRRecord: CustomKind[bindy_firestoned_io_v1beta1.PTRRecord] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="PTRRecord",
    plural="ptrrecords",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.ptrrecord:PTRRecord",
    short_names=("ptr",),
    categories=("zonewright", "dnsrecords"),
    printer_columns=(
        PrinterColumn("Name", "string", ".spec.name", 0, "Owner name, relative to the zone"),
        PrinterColumn("Zone", "string", ".status.zone", 0, "The zone that publishes the record"),
        PrinterColumn("Target", "string", ".spec.target", 0, "The host name of the address"),
        PrinterColumn(
            "TTL",
            "integer",
            ".spec.ttl",
            0,
            "Seconds that resolvers may cache the record; empty means the zone's default",
        ),
        PrinterColumn(
            "Ready",
            "string",
            ".status.conditions[?(@.type=='Ready')].status",
            0,
            "Whether every ready primary serves this generation",
        ),
        PrinterColumn(
            "Propagated",
            "string",
            ".status.conditions[?(@.type=='Propagated')].status",
            1,
            "Whether every secondary serves it too",
        ),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.name",),
    annotations={"zonewright/rdtype": "PTR"},
    example={"name": "10", "target": "www.example.org.", "ttl": 3600},
)
SRVRecord: CustomKind[bindy_firestoned_io_v1beta1.SRVRecord] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="SRVRecord",
    plural="srvrecords",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.srvrecord:SRVRecord",
    short_names=("srv",),
    categories=("zonewright", "dnsrecords"),
    printer_columns=(
        PrinterColumn("Name", "string", ".spec.name", 0, "Owner name, relative to the zone"),
        PrinterColumn("Zone", "string", ".status.zone", 0, "The zone that publishes the record"),
        PrinterColumn("Target", "string", ".spec.target", 0, "The host that offers the service"),
        PrinterColumn("Port", "integer", ".spec.port", 0, ""),
        PrinterColumn("Priority", "integer", ".spec.priority", 1, "Lower is tried first"),
        PrinterColumn("Weight", "integer", ".spec.weight", 1, "Share among equal priorities"),
        PrinterColumn(
            "TTL",
            "integer",
            ".spec.ttl",
            0,
            "Seconds that resolvers may cache the record; empty means the zone's default",
        ),
        PrinterColumn(
            "Ready",
            "string",
            ".status.conditions[?(@.type=='Ready')].status",
            0,
            "Whether every ready primary serves this generation",
        ),
        PrinterColumn(
            "Propagated",
            "string",
            ".status.conditions[?(@.type=='Propagated')].status",
            1,
            "Whether every secondary serves it too",
        ),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.name",),
    annotations={"zonewright/rdtype": "SRV"},
    example={
        "name": "_sip._tcp",
        "priority": 10,
        "weight": 60,
        "port": 5060,
        "target": "sip.example.org.",
        "ttl": 3600,
    },
)
TXTRecord: CustomKind[bindy_firestoned_io_v1beta1.TXTRecord] = CustomKind(
    group="bindy.firestoned.io",
    version="v1beta1",
    kind="TXTRecord",
    plural="txtrecords",
    namespaced=True,
    subresources=frozenset(["status"]),
    model_path=f"{_PACKAGE}.bindy_firestoned_io_v1beta1.txtrecord:TXTRecord",
    short_names=("txt",),
    categories=("zonewright", "dnsrecords"),
    printer_columns=(
        PrinterColumn("Name", "string", ".spec.name", 0, "Owner name, relative to the zone"),
        PrinterColumn("Zone", "string", ".status.zone", 0, "The zone that publishes the record"),
        PrinterColumn("Text", "string", ".spec.text", 0, "The text, string by string"),
        PrinterColumn(
            "TTL",
            "integer",
            ".spec.ttl",
            0,
            "Seconds that resolvers may cache the record; empty means the zone's default",
        ),
        PrinterColumn(
            "Ready",
            "string",
            ".status.conditions[?(@.type=='Ready')].status",
            0,
            "Whether every ready primary serves this generation",
        ),
        PrinterColumn(
            "Propagated",
            "string",
            ".status.conditions[?(@.type=='Propagated')].status",
            1,
            "Whether every secondary serves it too",
        ),
        PrinterColumn("Reason", "string", ".status.conditions[?(@.type=='Ready')].reason", 0, ""),
        PrinterColumn("Age", "date", ".metadata.creationTimestamp", 0, ""),
    ),
    selectable_fields=(".spec.name",),
    annotations={"zonewright/rdtype": "TXT"},
    example={"name": "@", "text": ["v=spf1 mx -all"], "ttl": 3600},
)

KINDS: Mapping[str, CustomKind[Any]] = MappingProxyType(
    {
        "AAAARecord": AAAARecord,
        "ARecord": ARecord,
        "Bind9Cluster": Bind9Cluster,
        "Bind9GlobalCluster": Bind9GlobalCluster,
        "Bind9Instance": Bind9Instance,
        "CAARecord": CAARecord,
        "CNAMERecord": CNAMERecord,
        "ClusterBind9Provider": ClusterBind9Provider,
        "DNSEndpoint": DNSEndpoint,
        "DNSZone": DNSZone,
        "MXRecord": MXRecord,
        "NSRecord": NSRecord,
        "PTRRecord": PTRRecord,
        "SRVRecord": SRVRecord,
        "TXTRecord": TXTRecord,
    }
)
"""Every kind by its name; the second kind of a name by `Kind.group`, an older version by `Kind.version.group`."""

RECORD_KINDS: tuple[CustomKind[Any], ...] = tuple(kind for kind in KINDS.values() if kind.rdtype)
"""The kinds that publish a DNS record."""
