"""The reconciler of DNSZone: hands the whole of a zone to the engine, and writes what came of it into status.

It does no DNS itself. Woken by its own object, by records that come, change or go, by instances and by the engine; many
wake-ups of a moment are one reconcile, and status is written at most once a second."""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import dns.name

from generated import kinds
from generated.bindy_firestoned_io_v1beta1 import DNSZone, DNSZoneSpec
from reconcilers.ddns.errors import InvalidName, InvalidRecordData
from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.presentation import InvalidField
from reconcilers.ddns.rrset import RRsetKey
from reconcilers.desired.apex import own_contributions, zone_config
from reconcilers.desired.merge import Contribution
from reconcilers.desired.ownership import CONSENT_ANNOTATION, ZONE_FINALIZER, claimed_own, zone_itself, zone_patch
from reconcilers.desired.selection import Selection, ZoneSet
from reconcilers.desired.views import ZoneView, spec_of, yields, zone_name_of, zone_view
from reconcilers.endpoints.assignment import Assignments, Obstacle
from reconcilers.engine.api import Plan, Role, ZoneConfig, ZoneGone, ZoneRef, ZoneStatus, ZoneWanted
from reconcilers.fleet.servers import Fleet, Server
from reconcilers.reasons import Reason
from reconcilers.status.invalid_zones import InvalidZone, InvalidZones
from reconcilers.status.pacing import InstallThrottle, StatusDebounce
from reconcilers.status.writer import Writer
from reconcilers.status.zone import (
    MOST_RECORDS,
    Condition,
    ZoneFacts,
    adopting,
    duplicate,
    holders,
    obstacle,
    zone_status,
)
from zonewright import (
    Client,
    Clock,
    Informer,
    InvalidObject,
    InvalidSelector,
    NotFound,
    Object,
    Request,
    Result,
    bound,
    remove_finalizer,
    status_differs,
)


class ZoneEngine(Protocol):
    """What a zone needs of the engine."""

    def want(self, wanted: ZoneWanted) -> None: ...
    def delete(self, gone: ZoneGone) -> None: ...
    def zone(self, ref: ZoneRef) -> ZoneStatus | None: ...


class ZoneReconciler:
    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        informer: Informer[DNSZone],
        writer: Writer,
        selection: Selection,
        fleet: Fleet,
        engine: ZoneEngine,
        invalid_zones: InvalidZones,
        wake_records: Callable[[Request], None],
        clock: Clock,
        endpoints: Assignments | None = None,
    ) -> None:
        self._informer = informer
        self._writer = writer
        self._selection = selection
        self._fleet = fleet
        self._engine = engine
        self._invalid_zones = invalid_zones
        self._wake_records = wake_records
        self._endpoints = endpoints
        self._clock = clock
        self._debounce, self._throttle = StatusDebounce(clock), InstallThrottle(clock)
        self._released = Released()
        self._installed: dict[Request, ZoneRef] = {}  # reconciles of one object never run at the same time

    def released(self, ref: ZoneRef) -> None:
        """From the engine: nothing of this zone is left on any server."""
        self._released.add(ref)

    def reconcile(self, request: Request) -> Result | None:
        obj = self._informer.object(request)
        if obj is None:
            self._forget(request)
            return None
        self._withdraw(request, unless=obj.uid)
        if (wait := self._throttle.wait(request)) > 0:
            return Result(requeue_after=wait)
        return self._reconcile(request, obj)

    def _reconcile(self, request: Request, obj: Object[DNSZone]) -> Result | None:
        view = self._selection.zone(request)
        if obj.deleting:
            return self._release(obj, view)
        try:
            spec, view = spec_of(obj, DNSZoneSpec), zone_view(obj)
            config = zone_config(spec, view.ttl)
            selected = self._servers(obj, view)
            lost = self._lost(obj, view, selected)
            servers = [server for server in selected if server.name not in lost]
            own = own_contributions(spec, view, _addresses(servers, request.namespace))
        except (InvalidObject, InvalidField, InvalidRecordData, InvalidSelector) as error:
            return self._refuse(obj, Condition("Ready", False, Reason.INVALID_ZONE, str(error)), ())
        if lost and not any(server.role is Role.PRIMARY for server in servers):
            if self._may_be_served(obj, view.ref):
                self._engine.delete(self._gone(obj, view.ref, view))
            return self._refuse(obj, duplicate(view.zone_name, lost), servers)
        if self._invalid_zones.set(request, None):
            self._wake_records(request)
            self._hinder(request, None)
        self._released.forget(request)  # it may have been withdrawn while it was a duplicate
        with self._throttle.taken(request):
            floor = spec.soa_record.serial or 0
            obj = self._install(obj, view, config, own, servers, floor)
        return self._report(obj, self._engine.zone(view.ref), servers, lost=lost, left_out=self._left_out(view))

    # -- which servers

    def _servers(self, obj: Object[DNSZone], view: ZoneView) -> list[Server]:
        """Those that it selects, and those it is on and selects by another name: it does not leave a server so."""
        working = self._fleet.working()
        taken = view.servers.among(working)
        if not (others := self._by_another_name(view) - {server.name for server in taken}):
            return taken
        held = others & self._servers_with(obj.status(), self._engine.zone(view.ref))
        stays = [server for server in working if server.name in held and view.servers.may_use(server)]
        return sorted([*taken, *stays], key=lambda server: server.key)

    def _by_another_name(self, view: ZoneView) -> frozenset[str]:
        """The servers that the zone selects as a duplicate: by the name of their first registration."""
        duplicates = self._fleet.duplicates()
        selected = view.servers.among(self._fleet) if duplicates else []
        return frozenset(str(duplicates[server.key].first) for server in selected if server.key in duplicates)

    def _left_out(self, view: ZoneView) -> list[str]:
        """The servers that it would have, each with why it has not."""
        duplicates = self._fleet.duplicates()
        selected = view.servers.among(self._fleet) if duplicates else []
        further = [
            f"Bind9Instance {server.name} is a duplicate of {duplicates[server.key].first} and does nothing"
            for server in selected
            if server.key in duplicates
        ]
        return further + view.servers.left_out(self._fleet)

    # -- to the engine

    def _install(
        self,
        obj: Object[DNSZone],
        view: ZoneView,
        config: ZoneConfig,
        own: Sequence[Contribution],
        servers: Sequence[Server],
        floor: int,
    ) -> Object[DNSZone]:
        """Claim, then install. The object as it is afterwards."""
        adopted = any(server.adopted for server in servers if server.role is Role.PRIMARY)
        contributions = () if adopted else own
        mine = frozenset(contribution.rrset.key for contribution in contributions if contribution.rrset)
        # What an earlier spec claimed stays claimed until this one is published: only then is it known to be gone.
        # An adopted zone's apex is somebody else's: what we had at ours went with the servers that had it.
        known = self._engine.zone(view.ref)
        done = known is not None and known.published and known.generation == obj.generation
        earlier = frozenset[RRsetKey]() if done or adopted else claimed_own(obj.annotations)
        status = obj.status()
        obj = self._writer.metadata(obj, zone_patch(obj, mine | earlier))
        self._selection.set_own(view.key, contributions)
        chosen = self._selection.zone_set(view.key)
        if chosen is None:
            return obj  # deleted meanwhile: the event that says so is on its way
        planned = self._endpoints.plan(view.key, chosen) if self._endpoints else None
        self._installed[view.key] = view.ref
        itself = frozenset({zone_itself(view.key, view.uid)})
        leaving = {key: itself for key in claimed_own(obj.annotations) if key not in chosen.claimed}
        names = frozenset(server.name for server in servers)
        self._engine.want(
            ZoneWanted(
                ref=view.ref,
                generation=obj.generation,
                config=config,
                rrsets={**planned.wanted, **chosen.wanted} if planned and planned.wanted else chosen.wanted,
                primaries=_named(servers, Role.PRIMARY),
                secondaries=_named(servers, Role.SECONDARY),
                former=self._servers_with(status, known) - names - self._by_another_name(view),
                claimed={**chosen.claimed, **leaving} if leaving else chosen.claimed,
                adopted_claims=self._adopted_claims(status, chosen),
                unreadable=chosen.unreadable,
                plan=planned.plan if planned else None,
                serial_floor=max(floor, status.get("serial") or 0),
                consent=obj.annotations.get(CONSENT_ANNOTATION) == "true",
                correlation=str(bound().get("reconcile", "")),
            )
        )
        return obj

    def _adopted_claims(self, status: Mapping[str, Any], chosen: ZoneSet) -> Mapping[str, Collection[RRsetKey]]:
        """What records have published where the zone is somebody else's, as their status says, server by server.

        Version 0.1 did not write that: there all that is claimed counts on each server that the zone's status names."""
        adopting_servers = {server.name for server in self._fleet if server.adopted}
        old = (holders(status) - adopting(status)) & adopting_servers
        return {**dict.fromkeys(old, chosen.claimed.keys()), **chosen.adopted}

    def _servers_with(self, status: Mapping[str, Any], known: ZoneStatus | None) -> frozenset[str]:
        """The servers that may hold the zone: as the engine says, and if it is new there, as status remembers.

        Only those that are still there as objects: nobody waits for a server that was taken away. And no duplicates:
        what is deleted through one is gone from the server that the other stands for."""
        known_to_have = frozenset(server.name for server in known.servers) if known else holders(status)
        return known_to_have & {server.name for server in self._fleet.working()}

    def _lost(self, obj: Object[DNSZone], view: ZoneView, servers: Sequence[Server]) -> dict[str, Request]:
        """The servers that another zone object has this zone on: server -> that object."""
        # One that is released has nothing anywhere, whatever its status says: only somebody else's finalizer keeps it.
        namesakes = (rival for rival in self._selection.namesakes(view) if not rival.released)
        rivals = sorted(namesakes, key=lambda rival: rival.seniority)
        if not rivals:
            return {}
        held = self._held(obj, view.ref)
        found: dict[str, Request] = {}
        for rival in rivals:
            theirs = self._held(self._informer.object(rival.key), rival.ref)
            junior = rival.seniority < view.seniority
            for server in filter(rival.servers.takes, servers):
                if yields(server.name, held=held, rival_held=theirs, junior=junior):
                    found.setdefault(server.name, rival.key)
        return found

    def _held(self, obj: Object[DNSZone] | None, ref: ZoneRef) -> frozenset[str]:
        """The servers that a zone object has its zone on: as the engine knows, else as status remembers."""
        known = self._engine.zone(ref)
        if known is not None:
            return frozenset(server.name for server in known.servers if server.is_held)
        return holders(obj.status()) if obj is not None else frozenset()

    # -- to the API server

    def _report(
        self,
        obj: Object[DNSZone],
        status: ZoneStatus | None,
        servers: Sequence[Server],
        *,
        lost: Mapping[str, Request] | None = None,
        left_out: Sequence[str] = (),
    ) -> Result | None:
        published = not servers or (status is not None and status.published)
        settled = published and not obj.deleting
        if (wait := self._debounce.hold_back(obj.key, published=settled)) > 0:
            return Result(requeue_after=wait)  # before any work: the change itself is waiting for the processor
        tally = self._selection.tally(obj.key, MOST_RECORDS)
        facts = ZoneFacts(obj.namespace, obj.generation, tally, servers, status, lost=lost or {}, left_out=left_out)
        return self._write(obj, facts)

    def _refuse(self, obj: Object[DNSZone], why: Condition, servers: Sequence[Server]) -> Result | None:
        ref = _ref_of(obj)
        served = ref is not None and self._may_be_served(obj, ref)
        duplicate = why.reason is Reason.DUPLICATE_ZONE
        if self._invalid_zones.set(obj.key, InvalidZone(why.message, served, duplicate)):
            self._wake_records(obj.key)
        self._debounce.published(obj.key)
        tally = self._selection.tally(obj.key, MOST_RECORDS)
        engine = self._engine.zone(ref) if ref is not None else None
        return self._write(obj, ZoneFacts(obj.namespace, obj.generation, tally, servers, engine, why, served))

    def _may_be_served(self, obj: Object[DNSZone], ref: ZoneRef) -> bool:
        """Whether something of it may be on a server: as the engine knows, or as it was before this process."""
        before = bool(holders(obj.status())) and not self._released.has(obj)
        return before or self._engine.zone(ref) is not None

    def _write(self, obj: Object[DNSZone], facts: ZoneFacts) -> Result | None:
        self._hinder(obj.key, obstacle(facts))
        before = obj.status()
        status = zone_status(facts, before, self._clock.now())
        if not status_differs(before, status):
            return None
        if (wait := self._debounce.spacing(obj.key)) > 0:
            return Result(requeue_after=wait)
        self._writer.status(obj, status)
        self._debounce.wrote(obj.key)
        return None

    def _hinder(self, key: Request, found: Obstacle | None) -> None:
        """Endpoints say in their own status what their zone waits for."""
        if self._endpoints is not None:
            self._endpoints.hinder(key, found)

    # -- the end of a zone

    def _release(self, obj: Object[DNSZone], view: ZoneView | None) -> Result | None:
        patch = remove_finalizer(obj, ZONE_FINALIZER)
        if patch is None:
            return None
        ref = view.ref if view else _ref_of(obj)
        if ref is None or self._released.has(obj) or self._never_served(obj, ref):
            self._writer.metadata(obj, patch)
            return None
        self._engine.delete(self._gone(obj, ref, view))
        going = self._engine.zone(ref)
        return self._report(obj, going, self._servers(obj, view) if view else ()) if going else None

    def _gone(self, obj: Object[DNSZone], ref: ZoneRef, view: ZoneView | None) -> ZoneGone:
        chosen = self._selection.zone_set(obj.key)
        servers = frozenset(server.name for server in self._servers(obj, view)) if view else frozenset[str]()
        status = obj.status()
        return ZoneGone(
            ref=ref,
            servers=self._servers_with(status, self._engine.zone(ref)) | servers,
            adopted_claims=self._adopted_claims(status, chosen) if chosen else {},
            plan=self._plan_of_the_end(obj.key, chosen),
            correlation=str(bound().get("reconcile", "")),
        )

    def _plan_of_the_end(self, key: Request, chosen: ZoneSet | None) -> Plan | None:
        """In a zone of others what endpoints have there goes too; which that is, the registry there tells."""
        planned = self._endpoints.plan(key, chosen) if self._endpoints and chosen else None
        return planned.plan if planned else None

    def _never_served(self, obj: Object[DNSZone], ref: ZoneRef) -> bool:
        """A duplicate that never got to any server has nothing there, and what stands there is another object's."""
        return self._invalid_zones.get(obj.key) is not None and not self._may_be_served(obj, ref)

    def _forget(self, request: Request) -> None:
        self._invalid_zones.set(request, None)
        self._withdraw(request)
        self._debounce.forget(request)
        self._throttle.forget(request)
        self._released.forget(request)

    def _withdraw(self, request: Request, unless: str = "") -> None:
        """An object that went without our consent, its finalizer taken off by hand: what it has on servers goes too.

        Nothing waits for that, and nothing remembers it after a restart: then it is an earlier incarnation of whoever
        wants the zone next."""
        ref = self._installed.get(request)
        if ref is not None and ref.uid != unless:
            del self._installed[request]
            if self._engine.zone(ref) is not None:
                self._engine.delete(ZoneGone(ref))


class Released:
    """Zones that the engine has let go of, until their objects are gone. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._uids: dict[Request, str] = {}

    def add(self, ref: ZoneRef) -> None:
        with self._lock:
            self._uids[Request(ref.namespace, ref.name)] = ref.uid

    def has(self, obj: Object[Any]) -> bool:
        with self._lock:
            return self._uids.get(obj.key) == obj.uid

    def forget(self, key: Request) -> None:
        with self._lock:
            self._uids.pop(key, None)


def _ref_of(obj: Object[Any]) -> ZoneRef | None:
    """Of a zone that cannot be read any more, and may have been served before: its name is all that it takes to go.

    Any name, also one that no new zone may have: an earlier version may have published in it. The root never was one.
    """
    try:
        origin = parse_zone(zone_name_of(obj))
    except InvalidName:
        return None
    if origin == dns.name.root:
        return None
    return ZoneRef(origin, obj.uid, obj.namespace, obj.name)


def _addresses(servers: Iterable[Server], namespace: str) -> list[str]:
    """Those that a zone may publish as its name servers': of another namespace's server, that tenant chooses them."""
    return sorted({server.address for server in servers if server.key.namespace == namespace})


def _named(servers: Iterable[Server], role: Role) -> frozenset[str]:
    return frozenset(server.name for server in servers if server.role is role)


def with_uid(informer: Informer[DNSZone]) -> Callable[[str], Request | None]:
    """The engine's last look before it deletes a zone as one of an object that is gone: is there such an object?"""

    def find(uid: str) -> Request | None:
        return next((obj.key for obj in informer.objects() if obj.uid == uid and not obj.deleting), None)

    return find


def is_live(client: Client) -> Callable[[ZoneRef], bool]:
    """The engine's last look before it creates a zone: a fresh read, for a cache may not know of the deletion yet."""

    def live(ref: ZoneRef) -> bool:
        try:
            found = client.get_object(kinds.DNSZone, ref.name, ref.namespace)
        except NotFound:
            return False
        return ZONE_FINALIZER in found.finalizers and found.uid == ref.uid and not found.deleting

    return live
