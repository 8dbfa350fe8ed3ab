"""The service source: the host names that a Service's annotations ask for, with its addresses. Pure.

| type | host names of `hostname` | of `internal-hostname` |
|---|---|---|
| LoadBalancer | spec.externalIPs, else status.loadBalancer.ingress | spec.clusterIP |
| ClusterIP | nothing: they are told | spec.clusterIP |
| ClusterIP, headless | addresses of its ready pods | the same |
| ExternalName | spec.externalIPs, else spec.externalName | the same |
| NodePort | nothing: they are told | nothing: they are told |

The target annotation counts instead of all of these. external-dns publishes node addresses and SRV records for a
NodePort; Nodes are not read here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.hosts import Asking, Host, Targets, load_balancer
from reconcilers.reasons import Reason
from zonewright import InvalidObject, Object, Request
from zonewright.api.builtin.core_v1.service import Service, ServiceSpec, ServiceStatus
from zonewright.api.builtin.discovery_v1.endpointslice import Endpoint as Member
from zonewright.api.builtin.discovery_v1.endpointslice import EndpointSlice

SOURCE = "service"
SERVICE_LABEL = "kubernetes.io/service-name"
"""Of an EndpointSlice: the Service in the same namespace whose members it lists."""

_HEADLESS = "None"
_ENDPOINTS_TYPE = "endpoints-type"
_OF_NODES = frozenset({"NodeExternalIP", "HostIP"})


def endpoints(obj: Object[Service], slices: Iterable[Object[EndpointSlice]] = ()) -> list[Endpoint]:
    """What a Service asks for; nothing while it has no address, or if it is for another controller.

    `slices` matter for a headless Service; those of other Services are left out."""
    asking = Asking.of(obj, SOURCE)
    hosts = list(_hosts(asking))
    if not hosts or not asking.annotations.ours:
        return []
    try:
        spec, status = _spec_and_status(obj)
        pods = list(_pods(obj, spec, slices)) if _is_headless(spec) else []
    except InvalidObject as error:
        return [asking.unreadable(error.error)]
    found: list[Endpoint] = []
    for host, internal in hosts:
        if targets := asking.own_targets:
            found += asking.endpoints(host, targets)
        elif why := _why_not(asking, spec, internal=internal):
            found.append(asking.refused(host, Reason.ENDPOINT_FILTERED, why))
        elif _is_headless(spec):
            found += _of_pods(asking, host, pods)
        else:
            found += asking.endpoints(host, _targets(spec, status, internal=internal))
    return found


def service_of(obj: Object[EndpointSlice]) -> Request | None:
    """The Service that an EndpointSlice lists members of."""
    name = obj.labels.get(SERVICE_LABEL)
    return Request(obj.namespace, name) if name else None


def _hosts(asking: Asking) -> Iterator[tuple[Host, bool]]:
    found = [(name, field, False) for name, field in asking.hosts("hostname").items()]
    found += [(name, field, True) for name, field in asking.hosts("internal-hostname").items()]
    for position, (name, field, internal) in enumerate(found):
        yield Host(name, field, position), internal


def _spec_and_status(obj: Object[Service]) -> tuple[ServiceSpec, ServiceStatus]:
    service = obj.model()
    return service.spec or ServiceSpec(), service.status or ServiceStatus()


def _is_headless(spec: ServiceSpec) -> bool:
    return _type(spec) == "ClusterIP" and spec.cluster_ip == _HEADLESS


def _type(spec: ServiceSpec) -> str:
    return spec.type or "ClusterIP"  # the API's default


def _why_not(asking: Asking, spec: ServiceSpec, *, internal: bool) -> str | None:
    """Why a Service of this type gets no records under a host name that it asks for."""
    annotations = asking.annotations
    if _type(spec) == "NodePort":
        return f"a NodePort Service has the addresses of nodes, which are not read: set {annotations.field('target')}"
    if not _is_headless(spec):
        if _type(spec) == "ClusterIP" and not internal:
            return f"the address of a ClusterIP Service is published with {annotations.field('internal-hostname')} only"
        return None
    if annotations.values.get(_ENDPOINTS_TYPE) in _OF_NODES:
        return f"{annotations.field(_ENDPOINTS_TYPE)}: asks for addresses of nodes, which are not read"
    return None


def _targets(spec: ServiceSpec, status: ServiceStatus, *, internal: bool) -> Targets:
    if _type(spec) == "ClusterIP" or (internal and _type(spec) == "LoadBalancer"):
        address = spec.cluster_ip
        return Targets((address,) if address and address != _HEADLESS else (), "spec.clusterIP")
    if spec.external_ips:
        return Targets(tuple(spec.external_ips), "spec.externalIPs")
    if _type(spec) == "ExternalName":
        return Targets((spec.external_name,) if spec.external_name else (), "spec.externalName")
    return load_balancer((status.load_balancer and status.load_balancer.ingress) or ())


# --- headless


@dataclass(frozen=True, slots=True)
class _Pod:
    address: str
    hostname: str


def _pods(obj: Object[Service], spec: ServiceSpec, slices: Iterable[Object[EndpointSlice]]) -> Iterator[_Pod]:
    """The pods that are ready, or all if the Service publishes those that are not."""
    for each in slices:
        if service_of(each) != obj.key:
            continue
        listed = each.model()
        if listed.address_type not in {"IPv4", "IPv6"}:
            continue
        for member in listed.endpoints or ():
            if _is_pod(member) and member.addresses and (_is_ready(member) or spec.publish_not_ready_addresses):
                yield _Pod(member.addresses[0], member.hostname or "")  # what further addresses mean is not defined


def _is_pod(member: Member) -> bool:
    return member.target_ref is not None and member.target_ref.kind == "Pod"


def _is_ready(member: Member) -> bool:
    """As the API has it: who does not say so is."""
    return member.conditions is None or member.conditions.ready is not False


def _of_pods(asking: Asking, host: Host, pods: Iterable[_Pod]) -> Iterator[Endpoint]:
    """The host name with the addresses of all, and a name below it for each pod that has one."""
    addresses: dict[str, list[str]] = {}
    for pod in pods:
        for name in (host.name, f"{pod.hostname}.{host.name}") if pod.hostname else (host.name,):
            addresses.setdefault(name, []).append(pod.address)
    for name in sorted(addresses):
        targets = Targets(tuple(addresses[name]), "EndpointSlices", from_pods=True)
        yield from asking.endpoints(replace(host, name=name), targets)
