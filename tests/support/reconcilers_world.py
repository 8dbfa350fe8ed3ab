"""A world for reconcilers: objects as an API server would keep them, and an engine that says what a test tells it to.

The caches, selection and fleet are the real ones. Only the edges are played: the API server, the engine, the events."""

import base64
import copy
import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from generated.kinds import KINDS
from reconcilers.desired.selection import Selection
from reconcilers.desired.views import record_view
from reconcilers.engine.api import (
    ObjectRef,
    RecordOutcome,
    RecordState,
    ServerSpec,
    ZoneGone,
    ZoneRef,
    ZoneStatus,
    ZoneWanted,
)
from reconcilers.fleet.servers import Fleet
from reconcilers.reasons import Reason
from reconcilers.record import RecordReconciler
from reconcilers.records import RECORD_KINDS
from reconcilers.status.invalid_zones import InvalidZones
from reconcilers.status.writer import Writer
from reconcilers.zone import ZoneReconciler
from zonewright import Conflict, Kind, NotFound, Object, Request
from zonewright.api import decode
from zonewright.api.objects import Handler
from zonewright.clock import FakeClock

NAMESPACE = "dns"
DEEP = "<nested too deep>"  # stands for what Python's own encoders cannot write
DELETED_AT = "2026-01-02T00:00:00Z"

PUBLISHED = RecordOutcome(RecordState.PUBLISHED, propagated=True, reason=Reason.RECORD_PUBLISHED)
ON_PRIMARIES = RecordOutcome(RecordState.PUBLISHED, reason=Reason.RECORD_PUBLISHED)
PENDING = RecordOutcome(RecordState.PENDING, reason=Reason.PROGRESSING)
REMOVING = RecordOutcome(RecordState.REMOVING)
GONE = RecordOutcome(RecordState.GONE)


def failed(reason: Reason, message: str = "no") -> RecordOutcome:
    return RecordOutcome(RecordState.FAILED, reason=reason, message=message)


class Api:
    """Stores objects and tells handlers, as API server and informers do together. `writes` has what was patched."""

    def __init__(self) -> None:
        self._versions = itertools.count(1)
        self._objects: dict[tuple[str, Request], dict[str, Any]] = {}
        self._handlers: dict[str, list[Handler]] = {}
        self.writes: list[tuple[str, str, Mapping[str, Any]]] = []  # kind/name, metadata or status, body
        self.before_patch: Callable[[], None] = lambda: None

    # -- what people do

    def handle(self, kind: str, handler: Handler) -> None:
        self._handlers.setdefault(kind, []).append(handler)

    def forget_handlers(self) -> None:
        self._handlers.clear()

    def replay(self) -> None:
        """As the first list does."""
        for kind, request in list(self._objects):
            for handler in self._handlers.get(kind, ()):
                handler(None, self.object(kind, request), True)

    def apply(self, kind: str, name: str, spec: Mapping[str, Any], namespace: str = NAMESPACE, **metadata: Any) -> None:
        """Create, or replace spec and what of metadata is given."""
        key = (kind, Request(namespace, name))
        fields = copy.deepcopy(self._objects.get(key)) or _new(kind, key[1])
        if fields.get("spec") != spec:
            fields["metadata"]["generation"] += 1
        fields["metadata"] |= metadata
        self._store(key, {**fields, "spec": dict(spec)})

    def delete(self, kind: str, name: str, namespace: str = NAMESPACE) -> None:
        key = (kind, Request(namespace, name))
        fields = copy.deepcopy(self._objects[key])
        fields["metadata"]["deletionTimestamp"] = DELETED_AT
        self._store(key, fields)

    def vanish(self, kind: str, name: str, namespace: str = NAMESPACE) -> None:
        """Somebody takes the finalizers off and deletes it."""
        key = (kind, Request(namespace, name))
        self._objects[key]["metadata"]["finalizers"] = []
        self.delete(kind, name, namespace)

    def keep_secret(self, name: str, use: str, **data: str) -> None:
        """Nobody watches Secrets; they are read when they are needed."""
        encoded = {entry: base64.b64encode(text.encode()).decode() for entry, text in data.items()}
        self._objects["Secret", Request(NAMESPACE, name)] = {"type": f"bindy.firestoned.io/{use}", "data": encoded}

    # -- what reconcilers do

    def object(self, kind: str, request: Request) -> Object[Any] | None:
        fields = self._objects.get((kind, request))
        return _view(kind, request, fields) if fields else None

    def get_fields(self, kind: Kind[Any], name: str, namespace: str = "") -> dict[str, Any]:
        fields = self._objects.get((kind.kind, Request(namespace, name)))
        if fields is None:
            raise NotFound(f"{kind.kind} {name} not found", status=404, reason="NotFound")
        return copy.deepcopy(fields)

    def get_object(self, kind: Kind[Any], name: str, namespace: str = "") -> Object[Any]:
        return _view(kind.kind, Request(namespace, name), self.get_fields(kind, name, namespace))

    def patch(
        self, kind: Kind[Any], name: str, body: Mapping[str, Any], *, namespace: str, subresource: str | None = None
    ) -> Object[Any]:
        """A merge patch; what does not belong to the subresource is dropped, as the API server does."""
        key = (kind.kind, Request(namespace, name))
        self.before_patch()
        fields = copy.deepcopy(self._objects[key])
        expected = (body.get("metadata") or {}).get("resourceVersion")
        if expected is not None and expected != fields["metadata"]["resourceVersion"]:
            raise Conflict("the object has been modified", status=409, reason=Reason.CONFLICT)
        part = subresource or "metadata"
        fields[part] = _merged(fields.get(part) or {}, body.get(part) or {})
        self.writes.append((f"{kind.kind}/{name}", part, body))
        self._store(key, fields)
        return _view(kind.kind, key[1], fields)

    def _store(self, key: tuple[str, Request], fields: dict[str, Any]) -> None:
        kind, request = key
        old = self.object(kind, request)
        metadata = fields["metadata"]
        metadata["resourceVersion"] = str(next(self._versions))
        gone = "deletionTimestamp" in metadata and not metadata.get("finalizers")
        if gone:
            self._objects.pop(key, None)
        else:
            self._objects[key] = fields
        for handler in self._handlers.get(kind, ()):
            handler(old, None if gone else self.object(kind, request), False)


class Cache:
    """An informer, as far as reconcilers use one."""

    def __init__(self, api: Api, kind: str) -> None:
        self._api, self._kind = api, kind

    def object(self, request: Request) -> Object[Any] | None:
        return self._api.object(self._kind, request)

    def get(self, request: Request) -> Any:
        """The model."""
        found = self.object(request)
        return found and found.model()


class Events:
    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def record(self, kind: Kind[Any] | None, subject: object, type: str, reason: str, message: str) -> None:  # noqa: A002 - as the API names it
        self.told.append((type, reason))


class Engine:
    """Says of zones and records what it is told to, and keeps what it is asked for."""

    def __init__(self) -> None:
        self.outcomes: dict[tuple[str, str], RecordOutcome] = {}  # (zone object, record)
        self.zones: dict[str, ZoneStatus] = {}
        self.wanted: dict[str, ZoneWanted] = {}
        self.deleted: list[ZoneGone] = []
        self.servers: dict[str, ServerSpec] = {}
        self.suspended: dict[str, str] = {}

    def record(self, zone: ZoneRef, ref: ObjectRef) -> RecordOutcome | None:
        return self.outcomes.get((zone.name, ref.name))

    def want(self, wanted: ZoneWanted) -> None:
        self.wanted[wanted.ref.name] = wanted

    def delete(self, gone: ZoneGone) -> None:
        self.deleted.append(gone)

    def zone(self, ref: ZoneRef) -> ZoneStatus | None:
        known = self.zones.get(ref.name)
        return known if known is not None and known.ref == ref else None

    def set_server(self, spec: ServerSpec) -> None:
        self.servers[spec.name] = spec

    def suspend_server(self, name: str, why: str) -> None:
        del self.servers[name]
        self.suspended[name] = why

    def remove_server(self, name: str) -> None:
        self.servers.pop(name, None)


class World:
    """Everything around the reconcilers, and the reconcilers on demand."""

    def __init__(self) -> None:
        self.api, self.events, self.clock = Api(), Events(), FakeClock()
        self.tallies: list[Request] = []
        self.woken: list[Request] = []
        self.restart()

    def restart(self) -> None:
        """Another process: only what the API server has is known, and the engine has said nothing yet."""
        self.selection, self.fleet, self.invalid_zones = Selection(self.tallies.append), Fleet(), InvalidZones()
        self.engine = Engine()
        self.api.forget_handlers()
        self.api.handle("DNSZone", self.selection.on_zone)
        self.api.handle("DNSZone", self.fleet.on_zone)
        self.api.handle("Bind9Instance", self.fleet.on_instance)
        for kind in RECORD_KINDS:
            self.api.handle(kind.kind, self.selection.on_record)
        self.api.replay()

    def writer(self, kind: str, *, success_events: bool = True, read_only: bool = False) -> Writer:
        api: Any = self.api
        events: Any = self.events
        return Writer(KINDS[kind], api, events, success_events=success_events, read_only=read_only)

    def records(self, kind: str = "ARecord") -> RecordReconciler:
        cache: Any = Cache(self.api, kind)
        return RecordReconciler(
            KINDS[kind],
            informer=cache,
            writer=self.writer(kind, success_events=False),
            selection=self.selection,
            engine=self.engine,
            invalid_zones=self.invalid_zones,
            clock=self.clock,
        )

    def zones(self) -> ZoneReconciler:
        cache: Any = Cache(self.api, "DNSZone")
        return ZoneReconciler(
            informer=cache,
            writer=self.writer("DNSZone"),
            selection=self.selection,
            fleet=self.fleet,
            engine=self.engine,
            invalid_zones=self.invalid_zones,
            wake_records=self.woken.append,
            clock=self.clock,
        )

    # -- people

    def apply_zone(self, name: str = "zone", zone: str = "example.org", spec: Any = None, **metadata: Any) -> None:
        self.api.apply("DNSZone", name, zone_spec(zone, **(spec or {})), **metadata)

    def apply_a(self, name: str = "www", owner: str | None = None, address: str = "192.0.2.1", **metadata: Any) -> None:
        labels = {"labels": {"zone": "example.org"}}
        self.api.apply("ARecord", name, {"name": owner or name, "ipv4Address": address}, **(labels | metadata))

    def apply_server(self, name: str, role: str = "primary", *, ready: bool = True, **external: Any) -> None:
        address = external.get("address", "192.0.2.53")
        fields = {"address": address, "bindcarUrl": f"http://{address}:8080", "role": role, **external}
        given = {key: value for key, value in fields.items() if value is not None}
        self.api.apply("Bind9Instance", name, {"external": given}, labels={"tier": "demo"})
        condition = {"type": "Ready", "status": str(ready), "reason": "x", "message": ""}
        self.api.patch(KINDS["Bind9Instance"], name, {"status": {"conditions": [condition]}}, **STATUS)
        self.api.writes.clear()

    # -- the engine

    def say(self, outcome: RecordOutcome, name: str = "www", zone: str = "zone") -> None:
        """The engine's word on an ARecord as it is now: its zone was handed over with it, or without it."""
        self.selection.zone_set(key(zone))
        obj = self.api.object("ARecord", key(name))
        installed = obj is not None and outcome.state in {
            RecordState.PENDING,
            RecordState.PUBLISHED,
            RecordState.FAILED,
        }
        version = record_view(obj).version if obj and installed else ""
        self.engine.outcomes[zone, name] = replace(outcome, version=version)

    # -- looking

    def get(self, kind: str, name: str) -> dict[str, Any]:
        return self.api.get_fields(KINDS[kind], name, NAMESPACE)

    def status(self, kind: str, name: str) -> dict[str, Any]:
        return self.get(kind, name).get("status") or {}

    def condition(self, kind: str, name: str, type: str = "Ready") -> tuple[str, str]:  # noqa: A002 - as the API names it
        """(status, reason)"""
        found = (each for each in self.status(kind, name).get("conditions") or () if each["type"] == type)
        return next(((each["status"], each["reason"]) for each in found), ("", ""))

    def message(self, kind: str, name: str) -> str:
        """Of the Ready condition."""
        found = (each for each in self.status(kind, name).get("conditions") or () if each["type"] == "Ready")
        return next((each["message"] for each in found), "")

    def writes(self) -> list[tuple[str, str]]:
        """What was written since the last look."""
        seen = [(subject, part) for subject, part, _ in self.api.writes]
        self.api.writes.clear()
        return seen


STATUS: dict[str, Any] = {"namespace": NAMESPACE, "subresource": "status"}


def key(name: str) -> Request:
    return Request(NAMESPACE, name)


def zone_spec(zone: str, **more: Any) -> dict[str, Any]:
    return {
        "zoneName": zone,
        "soaRecord": {"primaryNs": f"ns1.{zone}.", "adminEmail": f"admin@{zone}"},
        "recordsFrom": [{"selector": {"matchLabels": {"zone": zone}}}],
        "bind9InstancesFrom": [{"selector": {"matchLabels": {"tier": "demo"}}}],
        **more,
    }


def _new(kind: str, request: Request) -> dict[str, Any]:
    metadata = {
        "name": request.name,
        "namespace": request.namespace,
        "uid": f"uid-{kind}-{request.name}",
        "generation": 0,
        "creationTimestamp": "2026-01-01T00:00:00Z",
    }
    return {"apiVersion": KINDS[kind].api_version, "kind": kind, "metadata": metadata}


def _view(kind: str, request: Request, fields: Mapping[str, Any]) -> Object[Any]:
    metadata = fields["metadata"]
    version = int(metadata["resourceVersion"])
    raw = json.dumps(fields).encode()
    if DEEP.encode() in raw:
        return decode.single(KINDS[kind], raw.replace(json.dumps(DEEP).encode(), b"[" * 9_900 + b"]" * 9_900))
    return Object(KINDS[kind], request, version, metadata["generation"], raw)


def _merged(before: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """RFC 7396."""
    result = dict(before)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            result[name] = _merged(result.get(name) or {}, value)
        else:
            result[name] = value
    return result
