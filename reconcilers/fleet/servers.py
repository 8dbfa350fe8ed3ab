"""Which Bind9Instances serve which zones. Knows no API server.

An instance takes part in a zone of its own namespace, or of one that its annotation names, if the zone's `clusterRef`
is its cluster or one of the zone's `bind9InstancesFrom` selectors matches its labels."""

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reconcilers.engine.api import Role
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

    @property
    def name(self) -> str:
        """What the engine calls it."""
        return str(self.key)


@dataclass(frozen=True, slots=True)
class ServerChoice:
    """What a zone says about its servers."""

    namespace: str
    cluster: str | None
    selectors: tuple[Selector, ...]

    def takes(self, server: Server) -> bool:
        if self.namespace not in server.namespaces and "*" not in server.namespaces:
            return False
        in_cluster = self.cluster is not None and self.cluster == server.cluster
        return in_cluster or any(selector.matches(server.labels) for selector in self.selectors)

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
    )


class Fleet:
    """All instances, kept up to date by their informer, as a view. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._servers: dict[Request, Server] = {}

    def on_instance(self, old: Object[Any] | None, new: Object[Any] | None, initial: bool) -> None:  # noqa: ARG002 - a Handler
        with self._lock:
            if new is not None:
                self._servers[new.key] = server_of(new)
            elif old is not None:
                self._servers.pop(old.key, None)

    def __iter__(self) -> Iterator[Server]:
        with self._lock:
            return iter(list(self._servers.values()))
