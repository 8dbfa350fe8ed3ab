"""Host names with addresses, as Services and Ingresses ask for them: one endpoint for each type of target. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

from reconcilers.endpoints.annotations import Annotations
from reconcilers.endpoints.endpoint import RESOURCE_LABEL, Endpoint, ObjectReference
from reconcilers.endpoints.rdata import Fields, checked
from reconcilers.endpoints.targets import type_for
from reconcilers.reasons import Reason
from zonewright import Object
from zonewright.api.builtin.core_v1.service import LoadBalancerIngress
from zonewright.api.builtin.networking_v1.ingress import IngressLoadBalancerIngress


@dataclass(frozen=True, slots=True)
class Host:
    """A host name, and where in the object it is written."""

    name: str
    field: str
    position: int


@dataclass(frozen=True, slots=True)
class Targets:
    """What a host name is to point at, and where in the object that is written."""

    values: tuple[str, ...]
    field: str
    from_pods: bool = False


def load_balancer(entries: Iterable[LoadBalancerIngress | IngressLoadBalancerIngress]) -> Targets:
    """What a status says: an entry may have an address and a host name."""
    values = [value for entry in entries for value in (entry.ip, entry.hostname) if value]
    return Targets(tuple(values), "status.loadBalancer.ingress")


@dataclass(frozen=True, slots=True)
class Asking:
    """The object that asks for host names, and what its annotations say about all of them."""

    ref: ObjectReference
    annotations: Annotations

    @classmethod
    def of(cls, obj: Object[Any], source: str) -> Self:
        return cls(ObjectReference.of(obj, source), Annotations.of(obj.annotations))

    def hosts(self, annotation: str) -> dict[str, str]:
        """The host names that an annotation lists, each with its field."""
        return dict.fromkeys(self.annotations.names(annotation), self.annotations.field(annotation))

    @property
    def own_targets(self) -> Targets | None:
        """Those of the target annotation, which count instead of all others."""
        values = self.annotations.names("target")
        return Targets(values, self.annotations.field("target")) if values else None

    def endpoints(self, host: Host, targets: Targets) -> list[Endpoint]:
        """A, AAAA and CNAME, as far as there are targets of the type."""
        by_type: dict[str, list[str]] = {"A": [], "AAAA": [], "CNAME": []}
        for target in targets.values:
            by_type[type_for(target)].append(target)
        return [self._endpoint(host, record_type, values, targets) for record_type, values in by_type.items() if values]

    def refused(self, host: Host, reason: Reason, message: str) -> Endpoint:
        """A host name that gets no records, and why; of no type."""
        return self._bare(host, "", ()).refused(reason, message)

    def unreadable(self, why: str) -> Endpoint:
        """The whole object, as an endpoint without a name."""
        return self.refused(Host("", "", 0), Reason.ENDPOINT_INVALID, why)

    def _endpoint(self, host: Host, record_type: str, values: Iterable[str], targets: Targets) -> Endpoint:
        fields = Fields(host.field, "record type", "TTL", targets.field)
        endpoint = checked(self._bare(host, record_type, tuple(values)), fields)
        return replace(endpoint, pods=len(endpoint.targets)) if targets.from_pods else endpoint

    def _bare(self, host: Host, record_type: str, targets: tuple[str, ...]) -> Endpoint:
        return Endpoint(
            host.name,
            record_type,
            targets,
            ttl=self.annotations.ttl,
            set_identifier=self.annotations.set_identifier,
            labels=((RESOURCE_LABEL, self.ref.resource),),
            provider_specific=self.annotations.provider_specific,
            refs=(self.ref,),
            position=host.position,
            warnings=self.annotations.warnings,
        )
