"""An endpoint as DNS data, or what is wrong with it. Pure."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import dns.rdata

from reconcilers.ddns.errors import InvalidRecordData
from reconcilers.ddns.presentation import InvalidField
from reconcilers.ddns.rrset import MAX_TTL, RRset
from reconcilers.endpoints.endpoint import Endpoint, Verified
from reconcilers.endpoints.targets import canonical_target, check_type, rdata_of
from reconcilers.reasons import Reason

_SINGLE = frozenset({"CNAME", "DNAME"})  # RFC 1034 3.6.2, RFC 6672 2.4: a name has one


@dataclass(frozen=True, slots=True)
class Fields:
    """Where people find in the object what a message is about."""

    name: str
    record_type: str
    ttl: str
    targets: str
    numbered: bool = False
    """Whether a target's index means something to people: Services and Ingresses have theirs sorted by type."""

    @classmethod
    def of(cls, endpoint: Endpoint) -> Self:
        """Of a DNSEndpoint, which writes everything itself; of what other objects ask for as a whole, plain words."""
        if endpoint.refs and endpoint.refs[0].source != "crd":
            return cls("host name", "record type", "TTL", "targets")
        entry = f"spec.endpoints[{endpoint.position}]"
        return cls(f"{entry}.dnsName", f"{entry}.recordType", f"{entry}.recordTTL", f"{entry}.targets", numbered=True)


def rdatas(endpoint: Endpoint, fields: Fields | None = None) -> list[dns.rdata.Rdata]:
    """The data of each target, in the order of the targets. Raises InvalidField, which names the target."""
    fields = fields or Fields.of(endpoint)
    with _naming(fields.record_type):
        check_type(endpoint.record_type)
    found = []
    for index, target in enumerate(endpoint.targets):
        with _naming(f"{fields.targets}[{index}]" if fields.numbered else fields.targets):
            found.append(rdata_of(endpoint.record_type, target))
    if not found:
        raise InvalidField(fields.targets, "there are no targets")
    if endpoint.record_type in _SINGLE and len(set(found)) > 1:
        raise InvalidField(fields.targets, f"a name has one {endpoint.record_type}, not {len(set(found))}")
    return found


def rrset_of(endpoint: Endpoint, default_ttl: int = 0, fields: Fields | None = None) -> RRset:
    """What the endpoint publishes; `default_ttl` is the zone's. Raises InvalidField."""
    if (known := _verified(endpoint)) is not None:
        return known if endpoint.ttl else replace(known, ttl=default_ttl)
    fields = fields or Fields.of(endpoint)
    data = rdatas(endpoint, fields)
    with _naming(fields.name):
        name = endpoint.name
    if endpoint.ttl < 0:
        raise InvalidField(fields.ttl, f"{endpoint.ttl} is less than 0")
    with _naming(fields.ttl if endpoint.ttl > MAX_TTL else fields.targets):
        return RRset.of(name, endpoint.ttl or default_ttl, data)


def checked(endpoint: Endpoint, fields: Fields | None = None) -> Endpoint:
    """With sorted, unique targets in canonical spelling; or, if it cannot be published, as it is, with its problem."""
    if endpoint.problem is not None or _verified(endpoint) is not None:
        return endpoint
    try:
        rrset = rrset_of(endpoint, fields=fields)
    except InvalidField as error:
        return endpoint.refused(Reason.ENDPOINT_INVALID, str(error))
    spelled = tuple(sorted({canonical_target(endpoint.record_type, target) for target in endpoint.targets}))
    content = (endpoint.dns_name, endpoint.record_type, spelled, endpoint.ttl)
    return replace(endpoint, targets=spelled, verified=Verified(content, rrset))


def _verified(endpoint: Endpoint) -> RRset | None:
    known = endpoint.verified
    return known.rrset if known is not None and known.content == endpoint.content else None


@contextlib.contextmanager
def _naming(field: str) -> Iterator[None]:
    try:
        yield
    except InvalidRecordData as error:
        raise InvalidField(field, error) from error
