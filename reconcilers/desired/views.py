"""Records and zones as selection sees them: read once from the cached bytes, then only values. Pure.

An object that does not fit its model is still a record: what it holds in DNS is known from its metadata and is neither
lost nor removed; only what it wants now cannot be told."""

import functools
import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import msgspec
from dns.name import Name
from pydantic import BaseModel, ValidationError

from generated.bindy_firestoned_io_v1beta1 import DNSZone, DNSZoneSpec
from reconcilers import records
from reconcilers.ddns.errors import InvalidName
from reconcilers.ddns.names import parse_zone, parse_zone_name
from reconcilers.desired.merge import Who
from reconcilers.desired.ownership import ZONE_FINALIZER, Claim, finalizer
from reconcilers.engine.api import ObjectRef, ZoneRef
from reconcilers.fleet.servers import ServerChoice, ServerSource
from reconcilers.reasons import Reason
from zonewright import CustomKind, InvalidObject, InvalidSelector, Object, Request, Selector, find_condition

DEFAULT_TTL = 3600


Side = Object[Any] | None
"""An object before or after a change."""


def one_of(old: Side, new: Side) -> Object[Any]:
    """The object that a change is about: at least one side is there."""
    return cast("Object[Any]", new or old)


@dataclass(frozen=True, slots=True)
class RecordView:
    """A record object at one moment."""

    kind: CustomKind[Any]
    key: Request
    uid: str
    generation: int
    created: str
    labels: Mapping[str, str]
    deleting: bool
    has_finalizer: bool  # ours
    claim: Claim
    ready: str  # the reason of its Ready condition; "" while there is none
    version: str  # recordHash, of the present spec
    published_version: str  # the one that status says was published
    name: str
    spec: Any  # the kind's typed spec; None when the object does not fit its model
    error: str | None = None

    @property
    def who(self) -> Who:
        return (self.kind.kind, self.key.name)

    @property
    def ref(self) -> ObjectRef:
        return ObjectRef(self.kind.kind, self.key.namespace, self.key.name, self.uid)

    @property
    def rdtype(self) -> str:
        return records.rdtype(self.kind)

    @property
    def is_ready(self) -> bool:
        return self.ready == Reason.RECORD_PUBLISHED

    def as_claimed(self, zone: "ZoneView") -> "RecordView":
        """As it would be once it has claimed its name in the zone."""
        zones, names = self.claim.claimed_zones | {zone.zone_name}, self.claim.claimed_names | {self.name}
        return replace(self, has_finalizer=True, claim=replace(self.claim, claimed_zones=zones, claimed_names=names))


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone object at one moment, as far as records are concerned."""

    key: Request
    uid: str
    created: str
    origin: Name
    selectors: tuple[Selector, ...]
    servers: ServerChoice
    ttl: int
    deleting: bool
    released: bool  # on its way out, and our finalizer is off: nothing of it is left on any server
    claimed: bool = False  # our finalizer is on: it was, or is about to be, brought to its servers
    endpoints_from: Selector | None = None  # which other namespaces' endpoints it takes, by the namespace's labels

    @property
    def zone_name(self) -> str:
        """As annotations and status carry it: without the final dot."""
        return _zone_name(self.origin)

    @property
    def ref(self) -> ZoneRef:
        return ZoneRef(self.origin, self.uid, self.key.namespace, self.key.name)

    @property
    def seniority(self) -> tuple[bool, str, str, str]:
        """What was brought to servers before comes first, then what is older."""
        return (not self.claimed, self.created, self.key.namespace, self.key.name)


def yields(server: str, *, held: Collection[str], rival_held: Collection[str], junior: bool) -> bool:
    """Does a zone object leave this server to a rival of the same zone name?

    Who holds the zone there keeps it. Where both say so, the owner marker on the server decides, so both ask for it.
    Where neither does, seniority decides: see ZoneView."""
    if server in held or server in rival_held:
        return server not in held
    return junior


@functools.lru_cache(maxsize=4096)
def _zone_name(origin: Name) -> str:
    """Asked many times for every event of every record."""
    return origin.to_text(omit_final_dot=True)


def zone_view(obj: Object[DNSZone]) -> ZoneView:
    """Raises InvalidObject or InvalidName: such a zone selects nothing, and its own reconcile says why."""
    spec = spec_of(obj, DNSZoneSpec)
    return ZoneView(
        key=obj.key,
        uid=obj.uid,
        created=obj.creation_timestamp or "",
        origin=_origin(spec),
        selectors=tuple(Selector.from_fields(source.selector) for source in spec.records_from or ()),
        servers=ServerChoice(
            namespace=obj.namespace,
            cluster=spec.cluster_ref,
            sources=tuple(
                ServerSource(Selector.from_fields(source.selector), frozenset(source.namespaces or ()))
                for source in spec.bind9_instances_from or ()
            ),
        ),
        ttl=spec.ttl if spec.ttl is not None else DEFAULT_TTL,
        deleting=obj.deleting,
        released=obj.deleting and ZONE_FINALIZER not in obj.finalizers,
        claimed=ZONE_FINALIZER in obj.finalizers,
        endpoints_from=None if spec.allow_endpoints_from is None else Selector.from_fields(spec.allow_endpoints_from),
    )


def _origin(spec: DNSZoneSpec) -> Name:
    try:
        return parse_zone_name(spec.zone_name)
    except InvalidName as error:
        raise InvalidName(f"spec.zoneName: {error}") from error


def remembered_zone(obj: Object[DNSZone]) -> ZoneView | None:
    """A zone that cannot be read, as far as it can: it was claimed, so it may be served, and records may be in it.

    None if it was not, or if not even its name can be told. Then nothing of it is on any server."""
    if ZONE_FINALIZER not in obj.finalizers:
        return None
    try:
        return zone_view(_without_unreadable(obj))
    except (InvalidObject, InvalidName, InvalidSelector):
        return _named_only(obj)


def _without_unreadable(obj: Object[DNSZone]) -> Object[DNSZone]:
    return Object(obj.kind, obj.key, obj.version, obj.generation, msgspec.json.encode(obj.readable_fields()))


def _named_only(obj: Object[DNSZone]) -> ZoneView | None:
    try:
        origin = parse_zone(zone_name_of(obj))
    except InvalidName:
        return None
    nowhere = ServerChoice(obj.namespace, None, ())
    return ZoneView(
        obj.key,
        obj.uid,
        obj.creation_timestamp or "",
        origin,
        (),
        nowhere,
        DEFAULT_TTL,
        deleting=obj.deleting,
        released=False,
        claimed=True,
    )


def zone_name_of(obj: Object[Any]) -> str:
    """Of a zone that may not fit its model."""
    spec = obj.readable_fields().get("spec")
    return str(spec.get("zoneName", "")) if isinstance(spec, dict) else ""


def record_view(obj: Object[Any]) -> RecordView:
    """Of an object whose kind is one of `records.RECORD_KINDS`."""
    kind = cast("CustomKind[Any]", obj.kind)
    fields = obj.readable_fields()
    spec, error = _typed_spec(obj)
    status = fields.get("status") or {}
    ready = find_condition(status.get("conditions"), "Ready")
    return RecordView(
        kind=kind,
        key=obj.key,
        uid=obj.uid,
        generation=obj.generation,
        created=obj.creation_timestamp or "",
        labels=obj.labels,
        deleting=obj.deleting,
        has_finalizer=finalizer(kind.kind) in obj.finalizers,
        claim=_claim(obj, status),
        ready=(ready or {}).get("reason") or "",
        # Without what cannot be read, a spec may look like the one that was published before.
        version=record_hash(fields.get("spec") or {}) if error is None else record_hash({"error": error}),
        published_version=status.get("recordHash") or "",
        name=str((fields.get("spec") or {}).get("name", "")),
        spec=spec,
        error=error,
    )


def claim_of(obj: Object[Any]) -> Claim:
    """Also of an object that cannot be read as a whole: what it holds is known from its metadata and status."""
    return _claim(obj, obj.status())


def _claim(obj: Object[Any], status: Mapping[str, Any]) -> Claim:
    return Claim.of({"metadata": {"annotations": obj.annotations}, "status": status})


class _Spec(msgspec.Struct):
    spec: msgspec.Raw = msgspec.Raw(b"null")


_decode_spec = msgspec.json.Decoder(_Spec).decode
S = TypeVar("S", bound=BaseModel)


def spec_of(obj: Object[Any], model: type[S]) -> S:
    """The spec alone: a zone's status lists a thousand records, and a status that does not fit is rewritten anyway.

    Raises InvalidObject, naming the fields."""
    if obj.unreadable is not None:
        obj.fields()  # raises
    try:
        return model.model_validate_json(bytes(_decode_spec(obj.raw).spec))
    except ValidationError as error:
        obj.fields()  # raises if it is nested too deep: that is easier to understand
        problems = (".".join(map(str, ("spec", *each["loc"]))) + f": {each['msg']}" for each in error.errors())
        raise InvalidObject(f"{obj.kind} {obj.key}", "; ".join(problems)) from error
    except (ValueError, RecursionError) as error:
        raise InvalidObject(f"{obj.kind} {obj.key}", str(error)) from error


def record_hash(spec: Mapping[str, Any]) -> str:
    """SHA-256 of what determines the DNS data. Key order and spelling of the manifest do not count."""
    return hashlib.sha256(msgspec.json.encode(spec, order="deterministic")).hexdigest()


def _typed_spec(obj: Object[Any]) -> tuple[Any, str | None]:
    model: Any = obj.kind.model().model_fields["spec"].annotation
    try:
        return spec_of(obj, model), None
    except InvalidObject as error:
        return None, error.error
