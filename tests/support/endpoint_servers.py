"""Zones, objects and servers in memory for tests of `Assignments`: the engine carries out each plan at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.desired.selection import ZoneSet
from reconcilers.desired.views import ZoneView
from reconcilers.endpoints import service
from reconcilers.endpoints.assignment import Assignments, ObjectEndpoints, ObjectKey
from reconcilers.endpoints.endpoint import Endpoint, ObjectReference
from reconcilers.endpoints.plan import Policy, Rules
from reconcilers.endpoints.rdata import checked
from reconcilers.endpoints.registry import TxtRegistry
from reconcilers.engine.api import Plan, ZoneContent, ZoneRef
from reconcilers.fleet.servers import ServerChoice
from zonewright import Object, Request, Selector
from zonewright.api.builtin.core_v1.service import Service

NO_RECORDS = ZoneSet({}, {}, {}, frozenset())


class Servers:
    """One server for each zone. It is read once; `read` says that somebody else changed something."""

    def __init__(self) -> None:
        self.content_of: dict[str, dict[RRsetKey, RRset]] = {}
        self.reads: dict[str, int] = {}
        self.known = True

    def zone(self, uid: str) -> dict[RRsetKey, RRset]:
        return self.content_of.setdefault(uid, {})

    def content(self, ref: ZoneRef, since: int | None = None) -> ZoneContent | None:
        reads = self.reads.setdefault(ref.uid, 1)
        return ZoneContent(reads, self.known, {} if since == reads else {"p1": dict(self.zone(ref.uid))})

    def look(self, ref: ZoneRef, keys: Collection[RRsetKey]) -> Sequence[Mapping[RRsetKey, RRset]]:
        return [{key: self.zone(ref.uid)[key] for key in keys if key in self.zone(ref.uid)}]


class Place:
    """All of it."""

    def __init__(self, policy: Policy = Policy.SYNC, *, across_namespaces: bool = True) -> None:
        self.servers = Servers()
        self.woken_zones: list[str] = []
        self.woken: list[str] = []
        self.assignments = Assignments(
            Rules(TxtRegistry(), "default", policy),
            self.servers,
            wake_zone=lambda zone: self.woken_zones.append(zone.name),
            wake_object=lambda key: self.woken.append(key.name),
            across_namespaces=across_namespaces,
        )
        self.published: dict[str, set[RRsetKey]] = {}

    def zone(
        self,
        name: str,
        namespace: str = "shop",
        *,
        key_name: str = "",
        allow: Mapping[str, str] | None = None,
        **more,
    ) -> ZoneView:
        """A zone object, named like the zone unless it is given a name."""
        selector = None if allow is None else Selector.from_fields({"matchLabels": dict(allow)})
        choice = ServerChoice(namespace, None, ())
        key = Request(namespace, key_name or name)
        fields = {"deleting": False, "released": False, **more}
        view = ZoneView(key, f"uid-{key}", "", parse_zone(name), (), choice, 300, endpoints_from=selector, **fields)
        self.assignments.put_zone(view)
        return view

    def ask(
        self, name: str, *endpoints: Endpoint, namespace: str = "shop", claimed: Collection[str] | None = None
    ) -> ObjectKey:
        """A DNSEndpoint; it claims what it wants, unless it is said what it claims."""
        key = ObjectKey("DNSEndpoint", namespace, name)
        ref = ObjectReference("DNSEndpoint", "externaldns.k8s.io/v1alpha1", namespace, name, f"uid-{name}", "crd")
        label = (("resource", ref.resource),)
        mine = tuple(checked(replace(each, labels=label, refs=(ref,))) for each in endpoints)
        if claimed is None:
            self.assignments.put(ObjectEndpoints(key, f"uid-{name}", mine, frozenset()))
            claimed = self.assignments.wanted_zones(key)
        self.assignments.put(ObjectEndpoints(key, f"uid-{name}", mine, frozenset(claimed)))
        return key

    def put(self, obj: Object[Service]) -> ObjectKey:
        """A Service, as the informers bring it."""
        key = ObjectKey(obj.kind.kind, obj.namespace, obj.name)
        self.assignments.put(ObjectEndpoints(key, obj.uid, tuple(service.endpoints(obj))))
        return key

    def restarted(self) -> Place:
        """Another process, which knows nothing yet but what it reads from the servers."""
        again = Place()
        again.servers = again.assignments._servers = self.servers
        return again

    def plan(self, view: ZoneView, records: ZoneSet = NO_RECORDS) -> Plan:
        """Plan the zone, and carry it out as the engine does."""
        planned = self.assignments.plan(view.key, records)
        assert planned is not None
        server, before = self.servers.zone(view.uid), self.published.get(view.uid, set())
        for key in (before - planned.wanted.keys()) | planned.plan.obsolete:
            server.pop(key, None)
        server.update({key: desired.rrset for key, desired in planned.wanted.items()})
        self.published[view.uid] = set(planned.wanted)
        return planned.plan

    def at(self, view: ZoneView, name: str, rdtype: str = "A") -> set[str]:
        found = [rrset for key, rrset in self.servers.zone(view.uid).items() if str(key) == f"{name}. {rdtype}"]
        return {rdata.to_text() for rrset in found for rdata in rrset.rdatas}

    def why(self, key: ObjectKey) -> list[str]:
        """Why each endpoint is left out; "" for those that are published."""
        return [str(each.verdict.reason) if each.verdict else "" for each in self.assignments.placed(key)]


def a(name: str, *targets: str, rdtype: str = "A") -> Endpoint:
    return Endpoint(name, rdtype, targets or ("192.0.2.1",))
