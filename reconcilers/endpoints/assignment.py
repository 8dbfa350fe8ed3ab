"""Which zone publishes which endpoint, and the plan of each zone: a view over the caches of sources and zones.

The informers keep it up to date as a view, before any controller is woken by the same event. An object that changes
costs its own endpoints and the names that they touch; its zones plan those names at their next reconcile.

A zone takes endpoints of its own namespace, and of others if its `allowEndpointsFrom` selects them. Of all zones that
take an endpoint, those with the longest match publish it: compared label by label, never by suffix.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol, TypeVar

import dns.rdatatype as rt
from dns.name import Name
from dns.rdatatype import RdataType

from reconcilers.ddns.errors import InvalidRecordData
from reconcilers.ddns.names import canonical
from reconcilers.ddns.rdata import rdtype_of
from reconcilers.ddns.rrset import RRsetKey
from reconcilers.desired.selection import ZoneSet
from reconcilers.desired.views import ZoneView
from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.plan import Candidate, Policy, Rules, Verdict
from reconcilers.endpoints.planner import Change, Outcome, Records, ZonePlanner
from reconcilers.endpoints.rdata import rrset_of
from reconcilers.engine.api import DesiredRRset, ObjectRef, Plan, ZoneContent, ZoneRef
from reconcilers.reasons import Reason
from reconcilers.records import RECORD_KINDS, rdtype
from zonewright import Request, get_logger, metrics

log = get_logger(__name__)

_ENDPOINTS = metrics.gauge("zonewright_source_endpoints", "Endpoints that objects ask for, by source.", "source")


class Servers(Protocol):
    """What the plan needs of the engine."""

    def content(self, ref: ZoneRef, since: int | None = None) -> ZoneContent | None: ...
    def look(self, ref: ZoneRef, keys: Collection[RRsetKey]) -> Sequence[Records]: ...


class ObjectKey(NamedTuple):
    """An object that has endpoints."""

    kind: str
    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class ObjectEndpoints:
    """An object's endpoints at one moment.

    `claimed` are the zones that its metadata names, so that it is known after a crash where it may have something; None
    for objects that are not ours to write on, whose RRsets only the registry remembers."""

    key: ObjectKey
    uid: str
    endpoints: tuple[Endpoint, ...]
    claimed: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a zone object publishes nothing new, or removes nothing: its own Ready condition.

    `served`: something of it may stand on servers; if not, nothing is to be removed from there."""

    reason: Reason
    message: str
    served: bool = True

    @property
    def publishes(self) -> bool:
        """Only removals wait."""
        return self.reason is Reason.WAITING_FOR_CONSENT


@dataclass(frozen=True, slots=True)
class Placed:
    """An endpoint, the zones that publish it, why it is left out, if it is, and what its zones wait for.

    `unread`: an earlier process may have published it, and this one has yet to read its zone's servers."""

    endpoint: Endpoint
    ref: ObjectRef
    zones: tuple[ZoneRef, ...] = ()
    verdict: Verdict | None = None
    version: str = ""
    obstacle: str = ""
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """What a zone publishes for endpoints, and on which reading of its servers that was decided."""

    wanted: Mapping[RRsetKey, DesiredRRset]
    plan: Plan


@dataclass(slots=True)
class _Zone:
    view: ZoneView
    planner: ZonePlanner
    lock: threading.Lock = field(default_factory=threading.Lock)
    obstacle: Obstacle | None = None
    reads: int = 0  # of the servers, when the planner last heard of them; 0: never
    former: Mapping[str, frozenset[RRsetKey]] = field(default_factory=dict)  # ours, on adopted servers that it left


@dataclass(slots=True)
class _Object:
    asked: ObjectEndpoints
    parts: tuple[ObjectRef, ...]
    inherited: frozenset[str] = frozenset()  # claimed when this process first saw it
    unclaimed: frozenset[RRsetKey] = frozenset()  # wanted, and not claimed in its metadata yet
    candidates: dict[ObjectRef, tuple[Request, ...]] = field(default_factory=dict)  # in the planners of these zones
    left: dict[tuple[Request, ObjectRef], ZoneRef] = field(default_factory=dict)  # taken back, perhaps still published


class Assignments:
    """Thread-safe. `wake_zone` hears of zones that have to plan again, `wake_object` of objects whose standing changed
    by the change of another one. Both only take notes: they are called under the lock."""

    def __init__(
        self,
        rules: Rules,
        servers: Servers,
        *,
        wake_zone: Callable[[Request], None],
        wake_object: Callable[[ObjectKey], None],
        on_changes: Callable[[ZoneRef, Sequence[Change]], None] = lambda _zone, _changes: None,
        across_namespaces: bool = True,
    ) -> None:
        self._rules = rules
        self._servers = servers
        self._wake_zone = wake_zone
        self._wake_object = wake_object
        self._on_changes = on_changes
        self._across_namespaces = across_namespaces
        self._lock = threading.Lock()
        self._zones: dict[Request, _Zone] = {}
        self._origins: dict[Name, set[Request]] = {}
        self._objects: dict[ObjectKey, _Object] = {}
        self._below: dict[Name, set[ObjectKey]] = {}  # a name -> the objects with endpoints at it or below
        self._namespaces: dict[str, Mapping[str, str]] = {}  # labels
        self._in_namespace: dict[str, set[ObjectKey]] = {}
        self._held: dict[str, frozenset[RRsetKey] | None] = {}  # by resource; None: whatever it has

    # --- zones and namespaces

    def put_zone(self, view: ZoneView) -> None:
        """A zone as it is now."""
        with self._lock:
            known = self._zones.get(view.key)
            if known is not None and known.view == view:
                return
            if view.endpoints_from is not None and not self._across_namespaces:
                log.warning("spec.allowEndpointsFrom has no effect: one namespace is watched", zone=str(view.key))
            if known is not None and (known.view.uid, known.view.origin) == (view.uid, view.origin):
                known.view = view
            else:
                self._drop_zone(view.key)
                planner = ZonePlanner(view.origin, self._rules, self._is_held)
                self._zones[view.key] = _Zone(view, planner)
                self._origins.setdefault(view.origin, set()).add(view.key)
            self._place_below(view.origin)

    def drop_zone(self, key: Request) -> None:
        """The zone object is gone."""
        with self._lock:
            zone = self._zones.get(key)
            if zone is not None:
                self._drop_zone(key)
                self._place_below(zone.view.origin)

    def hinder(self, key: Request, obstacle: Obstacle | None) -> None:
        """What its zone object says of itself, if it publishes nothing new: its endpoints have to tell."""
        with self._lock:
            zone = self._zones.get(key)
            if zone is None or zone.obstacle == obstacle:
                return
            zone.obstacle = obstacle
            for each in self._below.get(zone.view.origin, ()):
                if any(key in zones for zones in self._objects[each].candidates.values()):
                    self._wake_object(each)

    def _drop_zone(self, key: Request) -> None:
        zone = self._zones.pop(key, None)
        if zone is None:
            return
        self._origins[zone.view.origin].discard(key)
        if not self._origins[zone.view.origin]:
            del self._origins[zone.view.origin]
        for obj in [self._objects[each] for each in self._below.get(zone.view.origin, ())]:
            obj.candidates = {
                ref: tuple(zone for zone in zones if zone != key) for ref, zones in obj.candidates.items()
            }
            obj.left = {(at, ref): zone_ref for (at, ref), zone_ref in obj.left.items() if at != key}

    def put_namespace(self, name: str, labels: Mapping[str, str] | None) -> None:
        """Its labels decide which zones of others take its endpoints."""
        with self._lock:
            if self._namespaces.get(name) == labels:
                return
            if labels is None:
                self._namespaces.pop(name, None)
            else:
                self._namespaces[name] = labels
            for key in list(self._in_namespace.get(name, ())):
                self._place(self._objects[key])
                self._wake_object(key)

    def _place_below(self, origin: Name) -> None:
        for key in list(self._below.get(origin, ())):
            self._place(self._objects[key])
            self._wake_object(key)

    # --- objects

    def put(self, asked: ObjectEndpoints, *, by_itself: bool = True) -> None:
        """An object as it is now. Not `by_itself`: it changed because another object did (an EndpointSlice), so its
        reconciler has not heard of it yet."""
        with self._lock:
            known = self._objects.get(asked.key)
            if known is not None and known.asked == asked:
                return
            if known is None:
                known = self._objects[asked.key] = _Object(
                    replace(asked, endpoints=()), (), asked.claimed or frozenset()
                )
                self._in_namespace.setdefault(asked.key.namespace, set()).add(asked.key)
            self._change(known, asked)
            if not by_itself:
                self._wake_object(asked.key)

    def drop(self, key: ObjectKey) -> None:
        """The object is gone, and with it whoever could be told."""
        with self._lock:
            known = self._objects.get(key)
            if known is None:
                return
            self._change(known, ObjectEndpoints(key, known.asked.uid, ()))
            del self._objects[key]
            _take(self._in_namespace, key.namespace, key)

    def _change(self, obj: _Object, asked: ObjectEndpoints) -> None:
        """Zones may plan at any moment: what is held is let go last, and nothing is withdrawn before it is held."""
        resource, held = _resource(asked), _unreadable(asked)
        before = self._held.get(resource, frozenset())
        self._hold(resource, None if held is None or before is None else before | held)
        self._index(obj.asked, asked)
        _ENDPOINTS.labels(_source(asked.key)).inc(len(asked.endpoints) - len(obj.asked.endpoints))
        obj.asked, obj.parts = asked, tuple(_parts(asked))
        self._place(obj)
        self._hold(resource, held)

    def _is_held(self, resource: str, key: RRsetKey) -> bool:
        """Called while a zone plans: reads two values, and takes no lock."""
        held = self._held.get(resource, frozenset())
        if held is None or key in held:
            return True
        obj = self._objects.get(asking) if (asking := _object_of(resource)) else None
        return obj is not None and key in obj.unclaimed

    def _hold(self, resource: str, held: frozenset[RRsetKey] | None) -> None:
        """A typing error takes nothing out of DNS: what an endpoint had stays until it is known what it wants."""
        if self._held.get(resource, frozenset()) == held:
            return
        if held == frozenset():
            del self._held[resource]
        else:
            self._held[resource] = held
        for zone in self._zones.values():
            with zone.lock:
                zone.planner.touch_kept()
            self._wake_zone(zone.view.key)

    def _index(self, before: ObjectEndpoints, after: ObjectEndpoints) -> None:
        if before.endpoints == after.endpoints:
            return
        had, has = _ancestors_of(before), _ancestors_of(after)
        for name in had - has:
            _take(self._below, name, after.key)
        for name in has - had:
            self._below.setdefault(name, set()).add(after.key)

    def _place(self, obj: _Object) -> None:
        """Bring each of its endpoints to the planners of the zones that publish it, and take it from all others."""
        before, obj.candidates = obj.candidates, {}
        before_claims, unclaimed = obj.unclaimed, frozenset(self._unclaimed(obj.asked))
        obj.unclaimed |= unclaimed  # zones may plan at any moment: let go last
        for endpoint, ref in zip(obj.asked.endpoints, obj.parts, strict=True):
            zones = self._claimed_zones(obj.asked, endpoint)
            if zones:
                obj.candidates[ref] = tuple(zone.view.key for zone in zones)
            for zone in zones:
                self._bring(zone, _candidate(endpoint, ref, zone.view))
                obj.left.pop((zone.view.key, ref), None)
        for ref, keys in before.items():
            for key in set(keys).difference(obj.candidates.get(ref, ())):
                self._withdraw(obj, ref, key)
        obj.unclaimed = unclaimed
        for name in {key.name for key in before_claims - unclaimed}:
            self._touch(name)

    def _unclaimed(self, asked: ObjectEndpoints) -> Iterator[RRsetKey]:
        """What another process has published for it already (external-dns, which claims nothing) stays meanwhile."""
        if asked.claimed is None:
            return
        for endpoint in asked.endpoints:
            zones = self._taking(asked.key.namespace, endpoint)
            if any(zone.view.zone_name not in asked.claimed for zone in zones):
                yield RRsetKey(endpoint.name, rdtype_of(endpoint.record_type))

    def _touch(self, name: Name) -> None:
        """Whether something stays there is decided anew."""
        for origin in canonical(name).upwards():
            for key in self._origins.get(origin, ()):
                zone = self._zones[key]
                with zone.lock:
                    zone.planner.touch([name])
                self._wake_zone(key)

    def _bring(self, zone: _Zone, candidate: Candidate) -> None:
        with zone.lock:
            changed = zone.planner.put(candidate)
        if changed:
            self._wake_zone(zone.view.key)

    def _withdraw(self, obj: _Object, ref: ObjectRef, key: Request) -> None:
        zone = self._zones.get(key)
        if zone is None:
            return
        with zone.lock:
            zone.planner.drop(ref)
        obj.left[key, ref] = zone.view.ref
        self._wake_zone(key)

    def _claimed_zones(self, asked: ObjectEndpoints, endpoint: Endpoint) -> list[_Zone]:
        claimed = asked.claimed
        zones = self._taking(asked.key.namespace, endpoint)
        return [zone for zone in zones if claimed is None or zone.view.zone_name in claimed]

    def _taking(self, namespace: str, endpoint: Endpoint) -> list[_Zone]:
        """The zones with the longest match among those that take it."""
        if endpoint.problem is not None:
            return []
        for origin in endpoint.name.upwards():
            found = [self._zones[key] for key in sorted(self._origins.get(origin, ()))]
            if taking := [zone for zone in found if self._takes(zone.view, namespace)]:
                return taking
        return []

    def _takes(self, view: ZoneView, namespace: str) -> bool:
        if view.deleting:
            return False
        if view.key.namespace == namespace:
            return True
        labels = self._namespaces.get(namespace)
        return view.endpoints_from is not None and labels is not None and view.endpoints_from.matches(labels)

    # --- read by mappers and reconcilers

    def zones_of(self, key: ObjectKey) -> set[Request]:
        """The zones whose plan the object is a part of, or was."""
        with self._lock:
            obj = self._objects.get(key)
            if obj is None:
                return set()
            return {zone for zones in obj.candidates.values() for zone in zones} | {zone for zone, _ in obj.left}

    def wanted_zones(self, key: ObjectKey) -> frozenset[str]:
        """The names of the zones that would publish something of it: what it has to claim first."""
        with self._lock:
            obj = self._objects.get(key)
            if obj is None:
                return frozenset()
            zones = (self._taking(key.namespace, endpoint) for endpoint in obj.asked.endpoints)
            return frozenset(zone.view.zone_name for found in zones for zone in found)

    def objects(self) -> list[ObjectKey]:
        """All that have endpoints, in order."""
        with self._lock:
            return sorted(self._objects)

    def placed(self, key: ObjectKey) -> list[Placed]:
        """Each of its endpoints, in the order of the object."""
        with self._lock:
            obj = self._objects.get(key)
            if obj is None:
                return []
            return [
                self._placed(obj, endpoint, ref) for endpoint, ref in zip(obj.asked.endpoints, obj.parts, strict=True)
            ]

    def _placed(self, obj: _Object, endpoint: Endpoint, ref: ObjectRef) -> Placed:
        if endpoint.problem is not None:
            return Placed(endpoint, ref, verdict=Verdict(*_reason(endpoint)))
        zones = self._taking(obj.asked.key.namespace, endpoint)
        if not zones:
            namespace = obj.asked.key.namespace
            text = f"no DNSZone that takes endpoints of namespace {namespace} has {endpoint.dns_name}: create one there"
            return Placed(endpoint, ref, verdict=Verdict(Reason.ENDPOINT_FILTERED, text + self._elsewhere))
        zones = _serving(zones)
        verdict = None
        for zone in zones:
            with zone.lock:
                verdict = verdict or zone.planner.verdict(ref)
        refs = tuple(zone.view.ref for zone in zones)
        obstacle = next((_told(zone) for zone in zones if zone.obstacle and not zone.obstacle.publishes), "")
        inherited = (zone for zone in zones if zone.view.zone_name in obj.inherited)
        unread = any(not zone.reads and _may_stand(zone) for zone in inherited)
        return Placed(endpoint, ref, refs, verdict, _version(endpoint), obstacle, unread)

    @property
    def _elsewhere(self) -> str:
        if self._across_namespaces:
            return ", or let spec.allowEndpointsFrom of another namespace's zone select this namespace"
        return " (spec.allowEndpointsFrom of others has no effect: the operator watches this namespace only)"

    def leaving(self, key: ObjectKey) -> list[tuple[ObjectRef, ZoneRef]]:
        """What this process took back of it, and may still be published. Nobody waits for a zone without servers."""
        with self._lock:
            left = obj.left if (obj := self._objects.get(key)) is not None else {}
            return [(ref, zone) for (at, ref), zone in left.items() if _may_stand(self._zones.get(at))]

    def left(self, key: ObjectKey, ref: ObjectRef, zone: ZoneRef) -> None:
        """Nothing is left of it there."""
        with self._lock:
            if (obj := self._objects.get(key)) is not None:
                obj.left.pop((Request(zone.namespace, zone.name), ref), None)

    def obstacle(self, zone_name: str, namespace: str) -> str:
        """What a zone of this name that takes endpoints of the namespace waits for; "" if all is well."""
        with self._lock:
            zones = [zone for zone in self._zones.values() if zone.view.zone_name == zone_name]
            return next((_told(each) for each in zones if each.obstacle and self._takes(each.view, namespace)), "")

    def may_hold(self, zone_name: str, namespace: str, resource: str) -> list[ZoneRef]:
        """The zones of this name in which something of the object may stand that is to go."""
        if self._rules.policy is not Policy.SYNC:
            return []
        with self._lock:
            zones = [zone for zone in self._zones.values() if zone.view.zone_name == zone_name]
            zones = [zone for zone in zones if not zone.view.deleting and self._takes(zone.view, namespace)]
            zones = [zone for zone in zones if _may_stand(zone)]
        return [zone.view.ref for zone in zones if not zone.reads or zone.planner.is_going(resource)]

    # --- the plan

    def plan(self, key: Request, records: ZoneSet) -> Planned | None:
        """What the zone publishes for endpoints, decided anew where something changed. None for an unknown zone."""
        with self._lock:
            zone = self._zones.get(key)
        if zone is None:
            return None
        with zone.lock:
            outcome = self._plan(zone, records)
            made = Plan(zone.reads, zone.planner.obsolete, zone.former, zone.planner.undecided_pods)
            planned = Planned(zone.planner.wanted, made)
        moved = {ObjectKey(ref.kind, ref.namespace, ref.name) for ref in outcome.moved}
        for each in moved.union(filter(None, map(_object_of, outcome.gone))):
            self._wake_object(each)
        self._on_changes(zone.view.ref, outcome.changes)
        return planned

    def _plan(self, zone: _Zone, records: ZoneSet) -> Outcome:
        content = self._servers.content(zone.view.ref, zone.reads)
        if content is None or not content.known:
            return Outcome()
        if content.reads != zone.reads:
            zone.planner.read(list(content.primaries.values()))
            zone.former = {server: zone.planner.ours(records) for server, records in content.former.items()}
            zone.reads = content.reads
        zone.planner.touch(records.touched)
        return zone.planner.plan(
            lambda keys: self._servers.look(zone.view.ref, keys), lambda name: taken(records, name)
        )


def _serving(zones: list[_Zone]) -> list[_Zone]:
    """Those that count: one that lost its name to another zone object does only if there is no other."""
    lost = Reason.DUPLICATE_ZONE
    return [zone for zone in zones if zone.obstacle is None or zone.obstacle.reason is not lost] or zones


def _may_stand(zone: _Zone | None) -> bool:
    """Whether something of the zone may be on a server."""
    return zone is None or zone.obstacle is None or zone.obstacle.served


def _told(zone: _Zone) -> str:
    if zone.obstacle is None:
        return ""
    return f"DNSZone {zone.view.key} is not Ready ({zone.obstacle.reason}): {zone.obstacle.message}"


def taken(records: ZoneSet, name: Name) -> dict[RdataType, str]:
    """The types that record objects or the zone itself publish at a name, and who. A record that cannot be read keeps
    what it has; what another one leaves is free, so that an endpoint takes it over in the same UPDATE."""
    found = {}
    for kind in _RECORD_TYPES:
        key = RRsetKey(name, kind)
        if (entry := records.wanted.get(key)) is not None:
            found[kind] = next((str(each.ref) for each in entry.contributors if each.version), "the DNSZone itself")
        elif key in records.unreadable:
            found[kind] = str(min(records.claimed[key]))
    return found


_RECORD_TYPES = tuple(rt.from_text(rdtype(kind)) for kind in RECORD_KINDS)


def _object_of(resource: str) -> ObjectKey | None:
    """The DNSEndpoint that a registry entry names: only those wait for the end of what they had."""
    source, _, name = resource.partition("/")
    namespace, _, name = name.partition("/")
    return ObjectKey("DNSEndpoint", namespace, name) if source == "crd" and name else None


def _candidate(endpoint: Endpoint, ref: ObjectRef, zone: ZoneView) -> Candidate:
    return Candidate(
        ref=ref,
        version=_version(endpoint),
        rrset=rrset_of(endpoint, zone.ttl),
        endpoint=endpoint,
    )


def _version(endpoint: Endpoint) -> str:
    text = "\0".join((endpoint.dns_name, endpoint.record_type, str(endpoint.ttl), *endpoint.targets))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _parts(asked: ObjectEndpoints) -> Iterator[ObjectRef]:
    """A name for each endpoint that stays when others come and go beside it."""
    seen: Counter[str] = Counter()
    for each in asked.endpoints:
        text = " ".join(filter(None, (each.dns_name, each.record_type, each.set_identifier)))
        seen[text] += 1
        part = text if seen[text] == 1 else f"{text} #{seen[text]}"
        yield ObjectRef(*asked.key, asked.uid, part)


def _reason(endpoint: Endpoint) -> tuple[Reason, str]:
    problem = endpoint.problem
    return (problem.reason, problem.message) if problem is not None else (Reason.ENDPOINT_INVALID, "")


_SOURCES = {"Service": "service", "Ingress": "ingress"}
# What these can have: the type is the target's, so a target that makes no sense does not tell which they want.
_OF_TARGETS = (rt.A, rt.AAAA, rt.CNAME)


def _resource(asked: ObjectEndpoints) -> str:
    """As the registry names the object."""
    return f"{_source(asked.key)}/{asked.key.namespace}/{asked.key.name}"


def _source(key: ObjectKey) -> str:
    return _SOURCES.get(key.kind, "crd")


def _unreadable(asked: ObjectEndpoints) -> frozenset[RRsetKey] | None:
    """The RRsets of which it cannot be told what the object wants; None if that may be any."""
    keys = set[RRsetKey]()
    for each in asked.endpoints:
        if each.problem is None or each.problem.reason is not Reason.ENDPOINT_INVALID:
            continue
        try:
            types = _OF_TARGETS if asked.key.kind in _SOURCES else (rdtype_of(each.record_type),)
            keys.update(RRsetKey(each.name, kind) for kind in types)
        except InvalidRecordData:
            if not each.dns_name:
                return None
    return frozenset(keys)


def _ancestors_of(asked: ObjectEndpoints) -> set[Name]:
    return {name for each in asked.endpoints if each.problem is None for name in each.name.upwards()}


K = TypeVar("K")
V = TypeVar("V")


def _take(sets: dict[K, set[V]], key: K, item: V) -> None:
    sets.get(key, set()).discard(item)
    if not sets.get(key):
        sets.pop(key, None)
