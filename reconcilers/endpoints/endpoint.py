"""Endpoint: one name and type with its targets, and the objects that ask for it. Immutable."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

from reconcilers.ddns.names import CanonicalName
from reconcilers.ddns.rrset import RRset
from reconcilers.endpoints.targets import complete_name
from reconcilers.reasons import Reason
from zonewright import Object

RESOURCE_LABEL = "resource"
"""The registry's label that says whose an endpoint is; it decides who keeps a contested name."""

Pairs = tuple[tuple[str, str], ...]
Content = tuple[str, str, tuple[str, ...], int]


class Verified(NamedTuple):
    """What was found good, and the RRset that it is."""

    content: Content
    rrset: RRset


@dataclass(frozen=True, slots=True)
class ObjectReference:
    """The object that an endpoint comes from, and the source that read it."""

    kind: str
    api_version: str
    namespace: str
    name: str
    uid: str
    source: str

    @classmethod
    def of(cls, obj: Object[Any], source: str) -> Self:
        """The reference of an object that a source reads: `crd`, `service` or `ingress`."""
        return cls(obj.kind.kind, obj.kind.api_version, obj.namespace, obj.name, obj.uid, source)

    @property
    def resource(self) -> str:
        """As external-dns' registry names it: by the source, not by the kind. Another spelling would break adoption."""
        return f"{self.source}/{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an endpoint cannot be published, for its object's status."""

    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The records of one name and type. Text as it was written; `dedup` brings targets into one form."""

    dns_name: str
    record_type: str
    targets: tuple[str, ...]
    ttl: int = 0
    """Seconds; 0 means that nobody asked for a TTL."""
    set_identifier: str = ""
    labels: Pairs = ()
    provider_specific: Pairs = ()
    refs: tuple[ObjectReference, ...] = ()
    """Each object once. Empty for an endpoint that was read from DNS."""
    position: int = 0
    """Index in the list of the first object, for its status."""
    pods: int = 0
    """How many targets come from EndpointSlices."""
    derived: bool = False
    """Made of other endpoints by an option, such as the PTR of an address: its object did not ask for it by name."""
    problem: Problem | None = None
    warnings: tuple[str, ...] = ()
    """What its objects should be told although it is published: a senseless TTL, targets that were left out."""
    verified: Verified | None = field(default=None, repr=False, compare=False)
    """By `rdata.checked`, to be checked once; the content of an endpoint that was changed since does not match it."""

    @property
    def content(self) -> Content:
        """What can be wrong."""
        return (self.dns_name, self.record_type, self.targets, self.ttl)

    @property
    def name(self) -> CanonicalName:
        """What names are compared by. Raises InvalidName; an endpoint without a problem has a name."""
        return complete_name(self.dns_name)

    @property
    def resource(self) -> str:
        """Whose it is, as the registry says it; "" if nobody said."""
        return dict(self.labels).get(RESOURCE_LABEL, "")

    @property
    def ref_object(self) -> ObjectReference | None:
        """The first object that asks for it."""
        return self.refs[0] if self.refs else None

    def with_ref_object(self, ref: ObjectReference) -> "Endpoint":
        """The same endpoint, asked for by `ref` too."""
        return self.with_refs((ref,))

    def with_refs(self, refs: Iterable[ObjectReference]) -> "Endpoint":
        """The same endpoint, asked for by these too."""
        return replace(self, refs=tuple(dict.fromkeys((*self.refs, *refs))))

    def with_label(self, name: str, value: str) -> "Endpoint":
        """The same endpoint with one label set; labels stay sorted."""
        return replace(self, labels=sorted_pairs({**dict(self.labels), name: value}))

    def warned(self, warnings: Iterable[str]) -> "Endpoint":
        """The same endpoint, with more to tell."""
        return replace(self, warnings=tuple(dict.fromkeys((*self.warnings, *warnings))))

    def refused(self, reason: Reason, message: str) -> "Endpoint":
        """The same endpoint with a problem. The first problem stays: what came later follows from it."""
        return self if self.problem is not None else replace(self, problem=Problem(reason, message))


def sorted_pairs(given: dict[str, str]) -> Pairs:
    """A mapping as an endpoint keeps it."""
    return tuple(sorted(given.items()))
