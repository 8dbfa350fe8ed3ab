"""Which Bind9Instances serve which zones. Knows no API server.

An instance takes part in a zone of its own namespace if the zone's `clusterRef` is its cluster or one of the zone's
`bind9InstancesFrom` selectors matches its labels. Across namespaces both sides have to agree: the zone names the
instance's namespace beside the selector, and the instance's annotation names the zone's."""

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reconcilers.engine.api import Role
from reconcilers.fleet.registrations import Duplicate, Registration, duplicates, registration_of
from zonewright import Object, Request, Selector, is_true

NAMESPACES_ANNOTATION = "bindy.firestoned.io/allow-zone-namespaces"


@dataclass(frozen=True, slots=True)
class Server:
    """An instance, as far as zones are concerned. Read from plain fields: also one that fits no model has a name."""

    key: Request
    role: Role
    address: str
    adopted: bool  # its zones are somebody else's: filled, never created or deleted
    cluster: str
    labels: Mapping[str, str]
    namespaces: frozenset[str]  # whose zones it takes; "*" for all
    ready: bool
    registration: Registration = field(default_factory=Registration)

    @property
    def name(self) -> str:
        """What the engine calls it."""
        return str(self.key)

    def allows(self, namespace: str) -> bool:
        """Whether it takes zones of the namespace."""
        return namespace in self.namespaces or "*" in self.namespaces


@dataclass(frozen=True, slots=True)
class ServerSource:
    """One entry of a zone's `bind9InstancesFrom`; `namespaces` are those it names beside its own."""

    selector: Selector
    namespaces: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ServerChoice:
    """What a zone says about its servers."""

    namespace: str
    cluster: str | None
    sources: tuple[ServerSource, ...]

    def takes(self, server: Server) -> bool:
        return self._names(server) and server.allows(self.namespace)

    def may_use(self, server: Server) -> bool:
        """Whether both sides agree, whatever cluster and labels say."""
        home = server.key.namespace
        named = home == self.namespace or any(home in source.namespaces for source in self.sources)
        return named and server.allows(self.namespace)

    def _names(self, server: Server) -> bool:
        """The zone's side of it. `clusterRef` is a name that anybody can give: it reaches no other namespace."""
        if server.key.namespace == self.namespace:
            return self._matches(server)
        return any(server.key.namespace in source.namespaces for source in self._matching(server))

    def concerns(self, server: Server) -> bool:
        """Whether the zone's status tells of it."""
        return self.takes(server) or bool(self.missing_consent(server))

    def _matches(self, server: Server) -> bool:
        """Whether cluster or labels fit, whoever agreed to it."""
        return self._in_cluster(server) or any(True for _ in self._matching(server))

    def _in_cluster(self, server: Server) -> bool:
        return self.cluster is not None and self.cluster == server.cluster

    def _matching(self, server: Server) -> Iterator[ServerSource]:
        return (source for source in self.sources if source.selector.matches(server.labels))

    def missing_consent(self, server: Server) -> str:
        """What keeps a server that matches from taking part; "" if nothing does, or if the zone must not hear of it.

        A zone hears of another namespace's server only if one of the two names the other's namespace."""
        if self._names(server) and not server.allows(self.namespace):
            return f"matches but does not allow namespace {self.namespace} (annotation {NAMESPACES_ANNOTATION})"
        if self._names(server) or not server.allows(self.namespace) or not self._matches(server):
            return ""
        if any(True for _ in self._matching(server)):
            return "matches but its namespace is not named in bind9InstancesFrom[].namespaces"
        return (
            f"is of cluster {self.cluster} but in another namespace, which clusterRef does not reach: "
            "select it by bind9InstancesFrom[] with namespaces"
        )

    def left_out(self, servers: Iterable[Server]) -> list[str]:
        """The servers that match and take no part, each with what is missing."""
        missing = ((server, self.missing_consent(server)) for server in sorted(servers, key=lambda server: server.key))
        return [f"Bind9Instance {server.name} {why}" for server, why in missing if why]

    def among(self, servers: Iterable[Server]) -> list[Server]:
        return sorted((server for server in servers if self.takes(server)), key=lambda server: server.key)


def server_of(obj: Object[Any]) -> Server:
    fields = obj.readable_fields()
    spec, status = fields.get("spec") or {}, fields.get("status") or {}
    external = spec.get("external") or {}
    allowed = obj.annotations.get(NAMESPACES_ANNOTATION, "")
    return Server(
        key=obj.key,
        # A word that is no role is told by the instance's own reconcile; handlers must not stumble over it.
        role=Role.SECONDARY if (external.get("role") or spec.get("role")) == Role.SECONDARY else Role.PRIMARY,
        address=external.get("address") or "",
        adopted=bool(external) and not external.get("bindcarUrl"),
        cluster=spec.get("clusterRef") or "",
        labels=obj.labels,
        namespaces=frozenset({obj.namespace, *(name.strip() for name in allowed.split(",") if name.strip())}),
        ready=is_true(status.get("conditions"), "Ready"),
        registration=registration_of(obj),
    )


class Fleet:
    """All instances, kept up to date by their informer and that of the zones, as views. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._servers: dict[Request, Server] = {}
        self._zones: dict[Request, frozenset[Request]] = {}  # zone -> the instances that its status says have it
        self._duplicates: dict[Request, Duplicate] | None = None  # None: to be worked out again

    def on_instance(self, old: Object[Any] | None, new: Object[Any] | None, initial: bool) -> None:  # noqa: ARG002 - a Handler
        with self._lock:
            self._duplicates = None
            if new is not None and not new.deleting:
                self._servers[new.key] = server_of(new)
            elif (gone := new or old) is not None:
                # Also while somebody else's finalizer keeps it: nobody waits for a server that was taken away.
                self._servers.pop(gone.key, None)

    def on_zone(self, old: Object[Any] | None, new: Object[Any] | None, initial: bool) -> None:  # noqa: ARG002 - a Handler
        held = instances_with(new.status()) if new is not None else frozenset[Request]()
        with self._lock:
            subject = new or old
            if subject is None or self._zones.get(subject.key, frozenset()) == held:
                return
            self._duplicates = None
            self._zones[subject.key] = held
            if not held:
                del self._zones[subject.key]

    def found(self, key: Request, server_id: str) -> None:
        """A probe found out which server it is. Its status will say so, and this is now."""
        with self._lock:
            if (server := self._servers.get(key)) is not None:
                self._duplicates = None
                self._servers[key] = replace(server, registration=server.registration.found(server_id))

    def duplicates(self) -> Mapping[Request, Duplicate]:
        """The instances that stand for a server which another one stands for already."""
        with self._lock:
            if self._duplicates is None:
                holding = frozenset[Request]().union(*self._zones.values())
                registrations = {server.key: server.registration for server in self._servers.values()}
                self._duplicates = duplicates(registrations, holding)
            return self._duplicates

    def working(self) -> list[Server]:
        """All but the duplicates."""
        further = self.duplicates()
        return [server for server in self if server.key not in further]

    def __iter__(self) -> Iterator[Server]:
        with self._lock:
            return iter(list(self._servers.values()))


def instances_with(status: Mapping[str, Any]) -> frozenset[Request]:
    """The instances that a zone's status says hold it, or may."""
    entries = (entry for entry in status.get("bind9Instances") or () if isinstance(entry, dict))
    return frozenset(Request(str(entry.get("namespace", "")), str(entry.get("name", ""))) for entry in entries)
