"""The reconciler of Bind9Instance. Today: external servers. It probes, tells the engine and writes status.

Servers that zonewright runs itself come in at `connection`: whatever yields a ServerSpec and a Health fits here."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from generated.bindy_firestoned_io_v1beta1 import Bind9Instance, Bind9InstanceSpec
from reconcilers.ddns.dialer import Dialer
from reconcilers.desired.selection import Selection
from reconcilers.desired.views import spec_of
from reconcilers.engine.api import ServerSpec
from reconcilers.fleet.credentials import ConfigurationError
from reconcilers.fleet.external import Health, connection, probe
from reconcilers.fleet.registrations import Duplicate, registration_of
from reconcilers.fleet.servers import Fleet, server_of
from reconcilers.reasons import Reason
from reconcilers.status.writer import Writer
from reconcilers.status.zone import API_VERSION
from reconcilers.timing import FAILING_INTERVAL, HEALTHY_INTERVAL
from zonewright import Client, Clock, Informer, InvalidObject, Object, Request, Result, set_condition

MOST_ZONES = 1000  # of status.zones; the count is exact


class Servers(Protocol):
    """What an instance needs of the engine."""

    def set_server(self, spec: ServerSpec) -> None: ...
    def suspend_server(self, name: str, why: str) -> None: ...
    def remove_server(self, name: str) -> None: ...


class InstanceReconciler:
    def __init__(
        self,
        *,
        informer: Informer[Bind9Instance],
        client: Client,
        writer: Writer,
        selection: Selection,
        fleet: Fleet,
        engine: Servers,
        dial: Dialer,
        clock: Clock,
    ) -> None:
        self._informer = informer
        self._client = client
        self._writer = writer
        self._selection = selection
        self._fleet = fleet
        self._engine = engine
        self._dial = dial
        self._clock = clock

    def reconcile(self, request: Request) -> Result | None:
        obj = self._informer.object(request)
        if obj is None or obj.deleting:
            self._engine.remove_server(str(request))
            if obj is not None:
                self._write(obj, None, Health(Reason.DELETING, "it is being deleted, and no zone uses it any more"))
            return None
        if (duplicate := self._duplicate(request)) and duplicate.is_certain:
            return self._do_nothing(obj, duplicate)
        try:
            server = connection(request.name, request.namespace, spec_of(obj, Bind9InstanceSpec), self._client)
        except (ConfigurationError, InvalidObject) as error:
            self._engine.suspend_server(str(request), str(error))
            self._write(obj, None, Health(Reason.CONFIGURATION_INVALID, str(error)))
            return Result(requeue_after=FAILING_INTERVAL)
        health = probe(server, self._dial)
        if health.server_id:
            self._fleet.found(request, health.server_id)
        if duplicate := self._duplicate(request):
            return self._do_nothing(obj, duplicate, health.server_id)
        identity = health.server_id or registration_of(obj).identity
        self._engine.set_server(_with(server, health, identity))
        self._write(obj, server, health)
        return Result(requeue_after=HEALTHY_INTERVAL if health.ready else FAILING_INTERVAL)

    def _duplicate(self, request: Request) -> Duplicate | None:
        return self._fleet.duplicates().get(request)

    def _do_nothing(self, obj: Object[Bind9Instance], duplicate: Duplicate, server_id: str = "") -> Result:
        """Not even what it was asked to do before: it has no zones, and nothing is deleted through it."""
        self._engine.remove_server(str(obj.key))
        message = (
            f"Bind9Instance {duplicate.first} already stands for this server (same {duplicate.place}), so this one "
            "does nothing: delete one of the two, or give this one the address and bindcarUrl of another server"
        )
        self._write(obj, None, Health(Reason.DUPLICATE_SERVER, message, server_id=server_id))
        return Result(requeue_after=HEALTHY_INTERVAL)

    def _write(self, obj: Object[Bind9Instance], server: ServerSpec | None, health: Health) -> None:
        before = obj.status()
        self._writer.status(obj, self._status(obj, before, server, health))

    def _status(
        self, obj: Object[Bind9Instance], before: dict[str, Any], server: ServerSpec | None, health: Health
    ) -> dict[str, Any]:
        generation, now = obj.generation, self._clock.now()
        valid = health.reason is not Reason.CONFIGURATION_INVALID
        configured = (Reason.CONFIGURATION_VALID, "the configuration can be used") if valid else health.verdict
        conditions = before.get("conditions")
        conditions = set_condition(conditions, "Configured", valid, *configured, generation, now)
        conditions = set_condition(conditions, "Ready", health.ready, *health.verdict, generation, now)
        zones = self._zones(obj)
        return {
            "conditions": conditions,
            "observedGeneration": generation,
            "zones": zones[:MOST_ZONES],
            "zonesCount": len(zones),
            **({"serviceAddress": f"{server.address}:{server.port}"} if server else {}),
            **_server(obj, health.server_id),
        }

    def _zones(self, obj: Object[Bind9Instance]) -> list[dict[str, Any]]:
        if self._duplicate(obj.key):
            return []
        me = server_of(obj)
        mine = sorted((zone for zone in self._selection.zones() if zone.servers.takes(me)), key=lambda zone: zone.key)
        return [
            {
                "apiVersion": API_VERSION,
                "kind": "DNSZone",
                "name": zone.key.name,
                "namespace": zone.key.namespace,
                "zoneName": zone.zone_name,
            }
            for zone in mine
        ]


def _with(server: ServerSpec, health: Health, identity: str) -> ServerSpec:
    return replace(server, ready=health.ready, incarnation=health.incarnation, identity=identity)


def _server(obj: Object[Bind9Instance], server_id: str) -> Mapping[str, Any]:
    """`status.server`: what was found before still holds while the server does not answer."""
    known = registration_of(obj)
    found = server_id or known.server_id
    return {"server": {"id": found, "address": known.address}} if found else {}
