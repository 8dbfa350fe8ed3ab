"""The whole operator on one page: which parts there are, and which changes wake which reconciler.

records ──claim──▶ selection ──▶ zone reconciler ──whole zone──▶ engine ──▶ name servers
   ▲                                                               │
   └────────────────── keys of what changed ◀──────────────────────┘"""

from typing import Any, Unpack

from controllers import forecast
from controllers.identity import cluster_uid
from controllers.mappers import (
    namesakes_of_server,
    namesakes_of_zone,
    records_of_zone,
    registration_changed,
    server_changed,
    servers_of_zone,
    zone_released,
    zones_of_record,
    zones_of_server,
)
from controllers.options import EndpointOptions, Options, Source
from generated import kinds
from generated.informers import Informers
from reconcilers.desired.selection import Selection
from reconcilers.endpoint import ERROR_EVENT, READY_EVENT, CrdSource, EndpointReconciler, register_status_updates
from reconcilers.endpoints.assignment import Assignments, ObjectKey
from reconcilers.endpoints.callbacks import StatusUpdates
from reconcilers.endpoints.intake import Intake
from reconcilers.endpoints.service import service_of
from reconcilers.engine import Engine, EngineOptions, StatusChange
from reconcilers.fleet.servers import Fleet
from reconcilers.instance import InstanceReconciler
from reconcilers.reasons import Reason
from reconcilers.record import RecordReconciler
from reconcilers.records import RECORD_KINDS
from reconcilers.servers.reach import dialer
from reconcilers.source import SourceReconciler
from reconcilers.status.invalid_zones import InvalidZones
from reconcilers.status.writer import EventOptions, Writer
from reconcilers.timing import BETWEEN_WRITES, MOMENT
from reconcilers.zone import ZoneReconciler, is_live, with_uid
from zonewright import (
    Config,
    Controller,
    Kind,
    Manager,
    Object,
    Request,
    SystemClock,
    annotations_changed,
    any_of,
    deletion_changed,
    finalizers_changed,
    generation_changed,
    labels_changed,
)
from zonewright.api.builtin import kinds as builtin

# What people change about a record, and what we write into its metadata; changes of its status wake nobody.
RECORD_CHANGED = any_of(generation_changed, labels_changed, deletion_changed, annotations_changed, finalizers_changed)
ZONE_CHANGED = any_of(generation_changed, deletion_changed, annotations_changed)
INSTANCE_CHANGED = any_of(generation_changed, labels_changed, deletion_changed, annotations_changed)
SELECTION_CHANGED = any_of(generation_changed, deletion_changed)
MEMBERSHIP_CHANGED = any_of(SELECTION_CHANGED, zone_released)

MOST_SHOWN = 1000  # entries of each list on a debug page


def build(options: Options, config: Config) -> Manager:
    """Everything, wired and not yet started."""
    return assemble(options, config).manager


def assemble(options: Options, config: Config) -> "Parts":
    """The same, for those who look into it."""
    manager = Manager(config, options.manager)
    parts = Parts(manager, options)
    manager.informer(kinds.DNSZone).add_view(parts.selection.on_zone)
    manager.informer(kinds.DNSZone).add_view(parts.fleet.on_zone)
    manager.informer(kinds.Bind9Instance).add_view(parts.fleet.on_instance)
    manager.informer(kinds.DNSZone).add_view(parts.intake.on_zone)
    if not options.namespace:
        manager.informer(builtin.Namespace, metadata_only=True).add_view(parts.intake.on_namespace)
    for kind in RECORD_KINDS:
        manager.informer(kind).add_view(parts.selection.on_record)
    _wire_zones(parts)
    _wire_records(parts)
    _wire_instances(parts)
    _wire_endpoints(parts, options.endpoints)
    parts.engine.register_status_callback(parts.deliver)
    # Not before the caches are synced: a role that is still being applied would look like one that lacks this.
    manager.add_preparation(lambda: parts.engine.identify(cluster_uid(manager.client, options.lease_namespace)))
    manager.add_runnable(parts.engine)
    manager.live.add("engine", parts.engine.complaint)
    manager.add_debug("difftracker/services", parts.engine.services)
    manager.add_debug("difftracker/buffered", parts.engine.buffered)
    if options.dry_run:
        manager.add_debug("dry-run", lambda _query: forecast.document(forecast.gather(parts.sources), MOST_SHOWN))
    return parts


class Parts:
    """What the reconcilers share, and how they wake each other."""

    def __init__(self, manager: Manager, options: Options) -> None:
        self.manager = manager
        self.workers = options.workers
        self.dry_run = options.dry_run
        self.informers = Informers(manager)
        self.clock = SystemClock()
        self.selection = Selection(self.ready_count_moved, dry_run=options.dry_run)
        self.fleet, self.invalid_zones = Fleet(), InvalidZones()
        self.status_updates = StatusUpdates()
        self.dial = dialer(options.reach, manager.config, manager.client)
        self.engine = Engine(
            EngineOptions(
                options.cluster_name,
                workers=options.operations,
                poll_interval=options.poll_interval,
                dry_run=options.dry_run,
            ),
            dial=self.dial,
            clock=self.clock,
            fence=manager.fence.check,
            live=is_live(manager.client),
            find=with_uid(self.informers.dnszone),
        )
        self.assignments = Assignments(
            options.endpoints.rules,
            self.engine,
            wake_zone=self.wake_zone,
            wake_object=self.wake_object,
            on_changes=self.status_updates.planned,
            across_namespaces=not options.namespace,
        )
        self.intake = Intake(self.assignments, self.selection, options.endpoints.steps, dry_run=options.dry_run)
        self.zone_reconciler = ZoneReconciler(
            informer=self.informers.dnszone,
            writer=self.writer(kinds.DNSZone),
            selection=self.selection,
            fleet=self.fleet,
            engine=self.engine,
            invalid_zones=self.invalid_zones,
            wake_records=self.wake_records,
            clock=self.clock,
            endpoints=self.assignments,
        )
        self.controllers: dict[str, Controller] = {}
        self.crd_source: CrdSource | None = None
        """DNSEndpoints by name; None where they are not read."""

    @property
    def sources(self) -> forecast.Sources:
        """What a dry run's report is made of."""
        return forecast.Sources(
            self.engine,
            self.assignments,
            self.selection,
            self.invalid_zones,
            self.informers.dnszone,
            [self.manager.informer(kind) for kind in RECORD_KINDS],
        )

    def writer(self, kind: Kind[Any], **events: Unpack[EventOptions]) -> Writer:
        return Writer(kind, self.manager.client, self.manager.events, read_only=self.dry_run, **events)

    def deliver(self, change: StatusChange) -> None:
        """The engine's news: to the zone, and to exactly the records whose outcome is another one now."""
        if change.released:
            self.zone_reconciler.released(change.zone)
        zone = Request(change.zone.namespace, change.zone.name)
        self.controllers["DNSZone"].enqueue(zone, after=0.0 if change.released else MOMENT, reason="engine")
        for ref in change.records:
            self.controllers[ref.kind].enqueue(Request(ref.namespace, ref.name), reason="engine")
        self.status_updates.ended(change.zone, change.records, lambda ref: self.engine.record(change.zone, ref))

    def wake_records(self, zone: Request) -> None:
        view = self.selection.zone(zone)
        for kind, name in self.selection.concerned(view) if view else ():
            self.controllers[kind].enqueue(Request(zone.namespace, name), reason=f"DNSZone {zone}")

    def wake_zone(self, zone: Request) -> None:
        self.controllers["DNSZone"].enqueue(zone, reason="endpoints")

    def wake_object(self, key: ObjectKey) -> None:
        if controller := self.controllers.get(key.kind):
            controller.enqueue(Request(key.namespace, key.name), reason="endpoints")

    def wake_dnsendpoint(self, key: Request) -> None:
        self.controllers["DNSEndpoint"].enqueue(key, reason="status update")

    def ready_count_moved(self, zone: Request) -> None:
        self.controllers["DNSZone"].enqueue(zone, after=BETWEEN_WRITES, reason="records became ready, or not")


def _wire_zones(parts: Parts) -> None:
    builder = (
        parts.manager.controller("dnszone", parts.zone_reconciler, workers=parts.workers)
        .for_(kinds.DNSZone, predicate=ZONE_CHANGED)
        .watches(kinds.DNSZone, namesakes_of_zone(parts.selection), predicate=MEMBERSHIP_CHANGED)
        .watches(kinds.Bind9Instance, zones_of_server(parts.selection), predicate=server_changed)
        .on_error(condition="Ready", reason=Reason.RECONCILE_ERROR)
    )
    for kind in RECORD_KINDS:
        builder.watches(kind, zones_of_record(parts.selection), predicate=RECORD_CHANGED)
    parts.controllers["DNSZone"] = builder.controller


def _wire_records(parts: Parts) -> None:
    for kind in RECORD_KINDS:
        reconciler = RecordReconciler(
            kind,
            informer=parts.manager.informer(kind),
            writer=parts.writer(kind, success_events=False),
            selection=parts.selection,
            engine=parts.engine,
            invalid_zones=parts.invalid_zones,
            clock=parts.clock,
        )
        parts.controllers[kind.kind] = (
            parts.manager.controller(kind.kind.lower(), reconciler, workers=parts.workers)
            .for_(kind, predicate=RECORD_CHANGED)
            .watches(kinds.DNSZone, records_of_zone(parts.selection, kind.kind), predicate=MEMBERSHIP_CHANGED)
            .on_error(condition="Ready", reason=Reason.RECONCILE_ERROR)
            .controller
        )


def _wire_instances(parts: Parts) -> None:
    reconciler = InstanceReconciler(
        informer=parts.informers.bind9instance,
        client=parts.manager.client,
        writer=parts.writer(kinds.Bind9Instance),
        selection=parts.selection,
        fleet=parts.fleet,
        engine=parts.engine,
        dial=parts.dial,
        clock=parts.clock,
    )
    (
        parts.manager.controller("bind9instance", reconciler, workers=parts.workers)
        .for_(kinds.Bind9Instance, predicate=INSTANCE_CHANGED)
        .watches(kinds.Bind9Instance, namesakes_of_server(parts.fleet), predicate=registration_changed)
        .watches(kinds.DNSZone, servers_of_zone(parts.fleet), predicate=SELECTION_CHANGED)
        .on_error(condition="Ready", reason=Reason.RECONCILE_ERROR)
    )


def _wire_endpoints(parts: Parts, options: EndpointOptions) -> None:
    if Source.CRD in options.sources:
        _wire_dnsendpoints(parts, options)
    if Source.SERVICE in options.sources:
        _wire_services(parts)
    if Source.INGRESS in options.sources:
        parts.manager.informer(builtin.Ingress).add_view(parts.intake.on_ingress)
        _wire_source(parts, builtin.Ingress)


def _wire_dnsendpoints(parts: Parts, options: EndpointOptions) -> None:
    parts.informers.dnsendpoint.add_view(parts.intake.on_dnsendpoint)
    parts.crd_source = source = CrdSource(parts.informers.dnsendpoint, parts.wake_dnsendpoint)
    reconciler = EndpointReconciler(
        source=source,
        writer=parts.writer(kinds.DNSEndpoint, success_event=READY_EVENT, failure_event=ERROR_EVENT),
        assignments=parts.assignments,
        engine=parts.engine,
        clock=parts.clock,
        writes_status=options.update_dnsendpoint_status and not parts.dry_run,
    )
    parts.controllers["DNSEndpoint"] = (
        parts.manager.controller("dnsendpoint", reconciler, workers=parts.workers)
        .for_(kinds.DNSEndpoint, predicate=RECORD_CHANGED)
        .on_error(condition="Ready", reason=Reason.RECONCILE_ERROR)
        .controller
    )
    if options.update_dnsendpoint_status:
        parts.manager.add_preparation(lambda: register_status_updates(parts.status_updates, source))


def _wire_services(parts: Parts) -> None:
    services, slices = parts.manager.informer(builtin.Service), parts.manager.informer(builtin.EndpointSlice)
    slices.add_index("service", lambda each: [str(key)] if (key := service_of(each)) else [])

    def slices_of(key: Request) -> list[Object[Any]]:
        return slices.by_index("service", str(key))

    services.add_view(parts.intake.on_service(slices_of))
    slices.add_view(parts.intake.on_slice(services.object, slices_of))
    _wire_source(parts, builtin.Service)


def _wire_source(parts: Parts, kind: Kind[Any]) -> None:
    reconciler = SourceReconciler(
        kind,
        informer=parts.manager.informer(kind),
        events=parts.manager.events,
        assignments=parts.assignments,
        engine=parts.engine,
        clock=parts.clock,
    )
    parts.controllers[kind.kind] = (
        parts.manager.controller(kind.kind.lower(), reconciler)
        .for_(kind, predicate=any_of(generation_changed, annotations_changed, deletion_changed))
        .controller
    )
