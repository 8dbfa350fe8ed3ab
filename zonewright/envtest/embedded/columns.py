"""What `kubectl get` shows of built-in kinds: the columns of kube-apiserver's printers. tables.py does the rest."""

from collections.abc import Callable
from typing import Any

from zonewright.envtest.embedded.resources import Column, Fields

NONE = "<none>"


def text(path: str, missing: str = "") -> Callable[[Fields], Any]:
    parts = path.split(".")

    def cell(fields: Fields) -> Any:
        value: Any = fields
        for part in parts:
            value = (value or {}).get(part)
        return missing if value is None else value

    return cell


def size(path: str) -> Callable[[Fields], int]:
    read = text(path)
    return lambda fields: len(read(fields) or ())


NAME = Column("Name", "string", text("metadata.name"), format="name", description="Name of the object")
CREATED = text("metadata.creationTimestamp")
AGE = Column("Age", "string", CREATED, age=True, description="Time since creation")


def column(name: str, cell: Callable[[Fields], Any], kind: str = "string", priority: int = 0) -> Column:
    return Column(name, kind, cell, priority=priority)


def selector(path: str) -> Callable[[Fields], str]:
    read = text(path)
    return lambda fields: ",".join(f"{key}={value}" for key, value in sorted((read(fields) or {}).items())) or NONE


def pod_ready(fields: Fields) -> str:
    statuses = (fields.get("status") or {}).get("containerStatuses") or []
    ready = sum(bool(status.get("ready")) for status in statuses)
    return f"{ready}/{len((fields.get('spec') or {}).get('containers') or [])}"


def pod_status(fields: Fields) -> str:
    if fields["metadata"].get("deletionTimestamp"):
        return "Terminating"
    status = fields.get("status") or {}
    for container in status.get("containerStatuses") or []:
        state = container.get("state") or {}
        reason = (state.get("waiting") or {}).get("reason") or (state.get("terminated") or {}).get("reason")
        if reason:
            return str(reason)
    return str(status.get("reason") or status.get("phase") or "Unknown")


def pod_restarts(fields: Fields) -> str:
    statuses = (fields.get("status") or {}).get("containerStatuses") or []
    return str(sum(status.get("restartCount", 0) for status in statuses))


def service_ports(fields: Fields) -> str:
    ports = (fields.get("spec") or {}).get("ports") or []
    shown = [
        f"{port['port']}{':' + str(port['nodePort']) if port.get('nodePort') else ''}/{port.get('protocol', 'TCP')}"
        for port in ports
    ]
    return ",".join(shown) or NONE


def service_external(fields: Fields) -> str:
    spec = fields.get("spec") or {}
    own = ",".join(spec.get("externalIPs") or ())
    if spec.get("type") == "ExternalName":
        return str(spec.get("externalName") or NONE)
    if spec.get("type") == "LoadBalancer":
        return ",".join(part for part in (balancers(fields), own) if part) or "<pending>"
    return own or NONE


def balancers(fields: Fields) -> str:
    """Where traffic comes in: addresses and names, in order, as of a set."""
    points = text("status.loadBalancer.ingress")(fields) or []
    return ",".join(sorted({point.get("ip") or point.get("hostname") or "" for point in points} - {""}))


def ingress_hosts(fields: Fields) -> str:
    hosts = [rule["host"] for rule in text("spec.rules")(fields) or [] if rule.get("host")]
    more = f" + {len(hosts) - 3} more..." if len(hosts) > 3 else ""
    return ",".join(hosts[:3]) + more or "*"


def event_object(fields: Fields) -> str:
    about = fields.get("involvedObject") or {}
    return f"{about.get('kind', '').lower()}/{about.get('name', '')}"


def event_last_seen(fields: Fields) -> Any:
    return fields.get("lastTimestamp") or fields.get("eventTime") or fields["metadata"].get("creationTimestamp")


def deployment_ready(fields: Fields) -> str:
    return f"{text('status.readyReplicas', '0')(fields)}/{text('spec.replicas', '0')(fields)}"


def slice_ports(fields: Fields) -> str:
    return ",".join(str(port.get("port", "*")) for port in fields.get("ports") or []) or "<unset>"


def slice_endpoints(fields: Fields) -> str:
    found = [address for endpoint in fields.get("endpoints") or [] for address in endpoint.get("addresses") or []]
    more = f" + {len(found) - 3} more..." if len(found) > 3 else ""
    return ",".join(found[:3]) + more or "<unset>"


COLUMNS: dict[str, tuple[Column, ...]] = {
    "Namespace": (NAME, column("Status", text("status.phase")), AGE),
    "Secret": (NAME, column("Type", text("type")), column("Data", size("data"), "string"), AGE),
    "ConfigMap": (NAME, column("Data", lambda f: size("data")(f) + size("binaryData")(f), "string"), AGE),
    "ServiceAccount": (NAME, AGE),
    "Service": (
        NAME,
        column("Type", text("spec.type")),
        column("Cluster-IP", text("spec.clusterIP", NONE)),
        column("External-IP", service_external),
        column("Port(s)", service_ports),
        AGE,
        column("Selector", selector("spec.selector"), priority=1),
    ),
    "Pod": (
        NAME,
        column("Ready", pod_ready),
        column("Status", pod_status),
        column("Restarts", pod_restarts),
        AGE,
        column("IP", text("status.podIP", NONE), priority=1),
        column("Node", text("spec.nodeName", NONE), priority=1),
    ),
    "Event": (
        Column("Last Seen", "string", event_last_seen, age=True),
        column("Type", text("type")),
        column("Reason", text("reason")),
        column("Object", event_object),
        column("Message", text("message")),
        Column("Name", "string", text("metadata.name"), format="name", priority=1),
    ),
    "Lease": (NAME, column("Holder", text("spec.holderIdentity")), AGE),
    "Deployment": (
        NAME,
        column("Ready", deployment_ready),
        column("Up-to-date", text("status.updatedReplicas", "0"), "string"),
        column("Available", text("status.availableReplicas", "0"), "string"),
        AGE,
        column("Selector", selector("spec.selector.matchLabels"), priority=1),
    ),
    "EndpointSlice": (
        NAME,
        column("AddressType", text("addressType")),
        column("Ports", slice_ports),
        column("Endpoints", slice_endpoints),
        AGE,
    ),
    "Ingress": (
        NAME,
        column("Class", text("spec.ingressClassName", NONE)),
        column("Hosts", ingress_hosts),
        column("Address", balancers),
        column("Ports", lambda fields: "80, 443" if text("spec.tls")(fields) else "80"),
        AGE,
    ),
    "PodDisruptionBudget": (
        NAME,
        column("Min Available", text("spec.minAvailable", "N/A")),
        column("Max Unavailable", text("spec.maxUnavailable", "N/A")),
        column("Allowed Disruptions", text("status.disruptionsAllowed", "0"), "integer"),
        AGE,
    ),
    "CustomResourceDefinition": (
        NAME,
        Column("Created At", "date", CREATED),
    ),
}
