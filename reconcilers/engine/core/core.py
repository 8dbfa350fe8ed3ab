"""The engine's core: `handle(event, now) -> effects`. No clock, no I/O, no threads.

Every event first changes facts (what is wanted, what was observed), then the rules are asked for each zone on a
server that the event touched, while there are slots. Whoever calls it carries out what is dispatched and reports each
completion.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import dns.name
import dns.rdatatype as rt

from reconcilers.ddns.plan import Prerequisite
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine.api import (
    ObjectRef,
    Outlook,
    RecordOutcome,
    Role,
    ServerSpec,
    ZoneContent,
    ZoneGone,
    ZoneKey,
    ZoneRef,
    ZoneStatus,
    ZoneWanted,
)
from reconcilers.engine.core import outcomes, serials
from reconcilers.engine.core.decide import decide
from reconcilers.engine.core.dryrun import intent, outlook
from reconcilers.engine.core.install import install, retry_all_rejected, retry_refused_by_former
from reconcilers.engine.core.model import Known, Model, Replica, Trouble, Zone
from reconcilers.engine.core.planning import content, follow_plan, look
from reconcilers.engine.core.protocol import (
    Applied,
    CaughtUp,
    Completed,
    Create,
    Dispatch,
    Drain,
    Effect,
    Event,
    Failed,
    Finished,
    Gone,
    Intended,
    Now,
    Op,
    OpKind,
    Parked,
    Payload,
    Poll,
    Refused,
    RemoveServer,
    Result,
    SetServer,
    SuspendServer,
    Sync,
    Tick,
    Want,
)
from reconcilers.engine.core.reporting import Reporter
from reconcilers.engine.core.results import in_doubt, learn
from reconcilers.engine.core.sync import Decision, Later, Rest
from reconcilers.reasons import Reason

_SILENCE = frozenset({Reason.SERVER_UNREACHABLE, Reason.BINDCAR_UNREACHABLE})


@dataclass(frozen=True, slots=True)
class Limits:
    """How much at once, and how long after a failure."""

    workers: int = 16
    per_server: int = 4
    backoff_base: float = 0.25
    backoff_cap: float = 30.0

    # A server that does not answer holds a worker for as long as a time-out takes. Those that did not answer last time,
    # and those that were never asked, get one worker each, and together they leave some to the others.

    @property
    def for_silent(self) -> int:
        """How many workers may wait for servers that did not answer last time."""
        return max(1, self.workers // 2)

    @property
    def for_doubtful(self) -> int:
        """How many may wait for those and for servers that were never asked."""
        return max(1, self.workers * 3 // 4)


class Core:
    """Not thread-safe; the engine calls it under its lock. In a dry run it dispatches nothing but looks."""

    def __init__(self, limits: Limits | None = None, *, dry_run: bool = False) -> None:
        self.limits = limits or Limits()
        self._dry_run = dry_run
        self.model = Model()
        self.draining = False
        self._last_op = 0
        self._queues: dict[str, deque[ZoneKey]] = {}
        self._queued: set[ZoneKey] = set()
        self._timers: list[tuple[float, int, ZoneKey]] = []
        self._last_timer = 0
        self._effects: list[Effect] = []
        self._reporter = Reporter(self.model)

    # --- reading -----------------------------------------------------------------------------------------------------

    def zone(self, ref: ZoneRef) -> ZoneStatus | None:
        """How the zone stands, None if it is not known here."""
        zone = self.model.zones.get(ref.uid)
        return outcomes.zone_status(self.model, zone) if zone else None

    def record(self, zone: ZoneRef, ref: ObjectRef) -> RecordOutcome | None:
        """How the object stands in the zone, None if the zone is not known here."""
        found = self.model.zones.get(zone.uid)
        return outcomes.record_outcome(self.model, found, ref) if found else None

    def reads(self, ref: ZoneRef) -> int | None:
        """The number of the last reading of its servers, None if the zone is not known here."""
        zone = self.model.zones.get(ref.uid)
        return zone.reads if zone else None

    def content(self, ref: ZoneRef, since: int | None = None) -> ZoneContent | None:
        """What its servers hold, None if the zone is not known here; without RRsets if nothing was read `since`."""
        zone = self.model.zones.get(ref.uid)
        return content(self.model, zone, since) if zone else None

    def look(self, ref: ZoneRef, keys: Collection[RRsetKey]) -> list[Mapping[RRsetKey, RRset]]:
        """What each of its primaries holds at these keys."""
        zone = self.model.zones.get(ref.uid)
        return look(self.model, zone, keys) if zone else []

    def outlook(self) -> list[Outlook]:
        """Every zone on every server, as a dry run sees it."""
        replicas = (replica for _, replica in sorted(self.model.replicas.items()))
        return [outlook(self.model, each) for each in replicas if each.claimants or each.former_claimants]

    def next_wake(self) -> float | None:
        """When (monotonic) a Tick is due; None if nothing waits for time to pass."""
        while self._timers and not self._is_due(self._timers[0]):
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def allocate(self, op_id: int, now: Now) -> int:
        """A serial of its own for a further message of this operation."""
        for op in self.model.busy.values():
            if op.id == op_id:
                return self._allocate_for(op, now)
        raise KeyError(f"operation {op_id} is not in flight")

    def _allocate_for(self, op: Op, now: Now) -> int:
        zone = self.model.zones.get(op.ref.uid) or Zone(op.ref)
        replica = self.model.replicas.get(op.key)
        past = replica is not None and replica.op is op and replica.backdated
        return serials.backdated(self.model, zone, now) if past else serials.allocate(self.model, zone, now)

    # --- events ------------------------------------------------------------------------------------------------------

    def handle(self, event: Event, now: Now) -> list[Effect]:
        """Take in one event; returns what is to be done."""
        match event:
            case Want(wanted):
                self._want(wanted, now)
            case Gone(gone):
                self._gone(gone)
            case SetServer(spec):
                self._set_server(spec, now)
            case SuspendServer(name, why):
                self._suspend_server(name, why)
            case RemoveServer(name):
                self._remove_server(name, now)
            case Completed(op_id, result):
                self._completed(op_id, result, now)
            case Poll(key):
                self._poll(key)
            case Drain():
                self.draining = True
            case Tick():
                pass
        self._fire_timers(now)
        self._follow_plans()
        self._pump(now)
        effects, self._effects = self._effects, []
        return effects + self._reporter.effects(now)

    def _want(self, wanted: ZoneWanted, now: Now) -> None:
        zone = self.model.zones.get(wanted.ref.uid)
        if zone is None:
            zone = self.model.zones[wanted.ref.uid] = Zone(wanted.ref, reads=self.model.next_reading())
        if zone.deleting:
            return  # an object that is being deleted never comes back
        before = zone.wanted
        servers = zone.servers
        keys = install(zone, wanted, now.mono)
        if wanted.serial_floor:
            serials.saw(self.model, zone.ref.zone, wanted.serial_floor)
        for name in sorted(servers | zone.servers):
            self._assign(zone, name)
        moved = before is None or before.primaries != wanted.primaries
        if moved:
            self._on_no_primaries(zone)
        self._count_claims(zone)
        if moved or before is None or (before.generation, before.config) != (wanted.generation, wanted.config):
            self._reset_backoff(self.model.replicas_of(zone))
        self._mark_changed(zone, keys)

    def _count_claims(self, zone: Zone) -> None:
        """On servers whose content is known already; elsewhere when it is first read."""
        for name in sorted(zone.servers):
            replica = self.model.replica(ZoneKey(name, zone.ref.zone))
            if replica.is_present() and replica.role is Role.PRIMARY and replica.count_claims():
                replica.mark_all()

    def _assign(self, zone: Zone, server: str) -> None:
        """Put the zone object on the right list of its replica on this server."""
        replica = self.model.replica(ZoneKey(server, zone.ref.zone))
        before = replica.wanted
        wants = server in zone.roles and not zone.deleting
        _enlist(zone, replica.claimants, member=wants)
        _enlist(zone, replica.former_claimants, member=not wants and server in zone.servers)
        if replica.wanted is not before:
            self._compare(replica)
        self._schedule(replica)

    def _compare(self, replica: Replica) -> None:
        """It is for another zone object now: what others have there may be in the way of that one's objects."""
        zone = replica.wanted
        if zone is not None:
            replica.disown_planned()
        replica.mark_all()
        if zone is not None:
            self._reporter.records_changed(zone, outcomes.in_trouble(self.model, zone, replica.conflicts))

    def _follow_plans(self) -> None:
        """Before anything is dispatched: may it still be done?"""
        for zone in self._reporter.touched():
            if (zone.plan is not None or zone.applied is not None) and follow_plan(self.model, zone):
                self._schedule_zone(zone)

    def _gone(self, gone: ZoneGone) -> None:
        zone = self.model.zones.get(gone.ref.uid)
        if zone is None:
            zone = Zone(gone.ref, adopted_claims=gone.adopted_claims, reads=self.model.next_reading())
            self.model.zones[gone.ref.uid] = zone
        if not zone.deleting:
            zone.deleting, zone.correlation = True, gone.correlation
            zone.pending.clear()
            zone.unpropagated.clear()
        zone.end_with(gone.plan)
        for name in sorted(gone.servers - zone.servers - zone.cleared):
            server = self.model.servers.get(name)
            zone.roles[name] = server.role if server else Role.PRIMARY
        left = zone.servers - gone.servers - self.model.servers.keys() - self.model.suspended.keys()
        for name in sorted(left):
            # Named by an earlier call, which the end of that server had superseded.
            zone.forget_server(name)
            self._assign(zone, name)
        for name in sorted(zone.servers):
            self._assign(zone, name)
        self._count_claims(zone)
        self._schedule_zone(zone)

    def _set_server(self, spec: ServerSpec, now: Now) -> None:
        before = self.model.servers.get(spec.name)
        self.model.servers[spec.name] = spec
        self.model.identities[spec.name] = spec.identity
        self.model.suspended.pop(spec.name, None)
        if before == spec:
            return
        other = before is None or _identity(before) != _identity(spec)
        for replica in self._replicas_on(spec.name):
            if other:
                # What is in flight goes to the server as it was: its completion will be stale.
                if replica.op is not None:
                    in_doubt(replica, replica.op)
                replica.op, replica.in_flight = None, frozenset()
                replica.mark_unknown(trusted=False)
                self._forget_refusals(replica, now)
            self._reset_backoff([replica])
            self._schedule_siblings(replica)
            for zone in replica.claimants:
                # Whether it is Ready decides who waits for it.
                self._reporter.records_changed(zone, outcomes.resolve_all_waiting(self.model, zone))

    def _forget_refusals(self, replica: Replica, now: Now) -> None:
        """It is another process, perhaps with another configuration: it may take what it refused before."""
        for zone in replica.claimants:
            if keys := retry_all_rejected(zone, replica, now.mono):
                self._mark_changed(zone, keys)

    def _suspend_server(self, name: str, why: str) -> None:
        """Forget nothing, send nothing: its zones wait, and whoever has a change pending there hears why."""
        trouble = Trouble(Reason.SERVER_UNREACHABLE, why)
        if self.model.suspended.get(name) == trouble:
            return
        self.model.servers.pop(name, None)
        self.model.suspended[name] = trouble
        for replica in self._replicas_on(name):
            for zone in replica.claimants:
                self._reporter.records_changed(zone, self._waiting_for(replica, zone))
                self._schedule_zone(zone)
            self._schedule(replica)

    def _remove_server(self, name: str, now: Now) -> None:
        """No DNS work: the server may not exist any more, and nothing may wait for it."""
        self.model.servers.pop(name, None)
        self.model.suspended.pop(name, None)
        self.model.identities.pop(name, None)
        self.model.answers.pop(name, None)
        self._queued.difference_update(self._queues.pop(name, ()))
        for replica in self._replicas_on(name):
            zones = [*replica.claimants, *replica.former_claimants]
            self._forget(replica)
            for zone in zones:
                zone.forget_server(name)
                self._mark_changed(zone, retry_refused_by_former(zone, now.mono))
                self._on_no_primaries(zone)
                self._schedule_zone(zone)

    def _on_no_primaries(self, zone: Zone) -> None:
        """Without any primary nothing is published, whatever was before."""
        if zone.wanted is not None and not zone.primaries and not zone.deleting:
            for key in zone.wanted.rrsets:
                zone.unpublish(key)
            self._reporter.records_changed(zone, {ref for refs in zone.pending.values() for ref in refs})

    def _poll(self, key: ZoneKey) -> None:
        replica = self.model.replicas.get(key)
        if replica is not None and replica.known is not Known.UNKNOWN:
            replica.verify = True
            self._schedule(replica)

    # --- completions -------------------------------------------------------------------------------------------------

    def _completed(self, op_id: int, result: Result, now: Now) -> None:
        op = next((op for op in self.model.busy.values() if op.id == op_id), None)
        if op is None:
            return
        del self.model.busy[op.key]
        self._note_answer(op.key.server, result)
        replica = self.model.replicas.get(op.key)
        if replica is None or replica.op is not op:
            if replica is not None:
                self._schedule(replica)
            return
        replica.op, replica.in_flight, replica.verify = None, frozenset(), False
        serial, conflicts = replica.serial, frozenset(replica.conflicts)
        result, changed = self._learn(replica, op, result, now)
        retry = self._back_off(replica, op, result, now)
        self._effects.append(Finished(op, result, now.mono - op.started, retry))
        self._reporter.operation_touched(op)
        self._aftermath(replica, op, changed | (replica.conflicts ^ conflicts))
        zone = replica.wanted
        if (
            zone
            and replica.role is Role.SECONDARY
            and replica.serial is not None
            and serial != replica.serial == zone.target
        ):
            self._effects.append(CaughtUp(replica.key, zone.ref.uid, replica.serial))

    def _note_answer(self, server: str, result: Result) -> None:
        """Whatever it answers, it does: only a silent server holds up others."""
        if server in self.model.servers:
            self.model.answers[server] = not (isinstance(result, Failed) and result.reason in _SILENCE)

    def _learn(self, replica: Replica, op: Op, result: Result, now: Now) -> tuple[Result, set[RRsetKey]]:
        """A result that the rules stumble over is a failure of which nothing is known."""
        try:
            return result, learn(self.model, replica, op, result, now)
        except Exception as error:  # noqa: BLE001 - one server's answer must not stop all others
            failure = Failed.unexpectedly(error)
            self._effects.append(Parked(replica.key, replica.uid, error, self._delay(replica.failures + 1)))
            return failure, learn(self.model, replica, op, failure, now)

    def _aftermath(self, replica: Replica, op: Op, changed: set[RRsetKey]) -> None:
        """Who else is concerned: other replicas of the zone, children whose delegation went, objects that waited."""
        self._schedule_siblings(replica)
        changes = op.payload.changes if isinstance(op.payload, Sync) else ()
        for change in changes:
            if change.key.rdtype in {rt.NS, rt.DS} and change.after is None:
                self._schedule_name(change.key.name)
        sent = [change.key for change in changes]
        for left in replica.former_claimants:
            # What stands in an adopted zone that they left is remembered in their objects' status.
            self._reporter.records_changed(left, {ref for key in sent for ref in left.contributors(key)})
            self._reporter.records_changed(left, outcomes.resolve_waiting(self.model, left, sent))
        zone = replica.wanted
        if zone is None:
            return
        if changed:
            self._mark_changed(zone, changed)
        self._reporter.records_changed(
            zone,
            outcomes.resolve_waiting(self.model, zone, sent)
            if sent
            else outcomes.resolve_all_waiting(self.model, zone),
        )
        # Those whose first version went out, and who want another one or nothing by now, have to remember that it did.
        firsts = [change.key for change in changes if change.prerequisite is Prerequisite.ABSENT]
        waiting = (refs for key in firsts for refs in (zone.pending.get(key, ()), zone.leaving.get(key, ())))
        self._reporter.records_changed(zone, {ref for refs in waiting for ref in refs})

    def _back_off(self, replica: Replica, op: Op, result: Result, now: Now) -> float | None:
        """Only a success or a changed spec ends a back-off; churn in the records does not."""
        if not isinstance(result, Failed | Refused) and not _made_no_progress(replica, op, result):
            if _ends_backoff(replica, op):
                replica.failures, replica.not_before, replica.failed = 0, 0.0, None
            return None
        replica.failed = op.kind
        replica.failures += 1
        delay = self._delay(replica.failures)
        replica.not_before = now.mono + delay
        if isinstance(result, Failed | Refused) and replica.failures == 1 and replica.wanted:
            self._reporter.records_changed(replica.wanted, self._waiting_for(replica, replica.wanted))
        return delay

    def _delay(self, failures: int) -> float:
        return min(self.limits.backoff_cap, self.limits.backoff_base * 2.0 ** min(failures - 1, 30))

    def _waiting_for(self, replica: Replica, zone: Zone) -> set[ObjectRef]:
        """Only objects with a change pending here hear of a server's trouble; it is the zone's to show."""
        if replica.role is not Role.PRIMARY:
            return set()
        pending = {ref for key, refs in zone.pending.items() if not replica.clean(key) for ref in refs}
        return pending | {ref for key, refs in zone.leaving.items() if not replica.free_of(key) for ref in refs}

    # --- what to look at again ---------------------------------------------------------------------------------------

    def _mark_changed(self, zone: Zone, keys: Iterable[RRsetKey]) -> None:
        """The wanted content changed at these keys: compare each replica there, and see who can stop waiting."""
        keys = set(keys)
        for replica in self.model.replicas_of(zone, Role.PRIMARY):
            for key in keys:
                replica.mark(key)
        self._schedule_zone(zone, resolve_waiting=False)
        self._reporter.records_changed(zone, outcomes.resolve_waiting(self.model, zone, keys))
        self._reporter.records_changed(zone, outcomes.in_trouble(self.model, zone, keys))

    def _schedule_zone(self, zone: Zone, *, resolve_waiting: bool = True) -> None:
        for name in sorted(zone.servers):
            if replica := self.model.replicas.get(ZoneKey(name, zone.ref.zone)):
                self._schedule(replica)
        self._reporter.zone_touched(zone)
        if resolve_waiting:
            self._reporter.records_changed(zone, outcomes.resolve_all_waiting(self.model, zone))

    def _schedule_siblings(self, replica: Replica) -> None:
        self._schedule_name(replica.key.zone)

    def _schedule_name(self, name: dns.name.Name) -> None:
        for sibling in list(self.model.siblings(name)):
            self._schedule(sibling)

    def _schedule(self, replica: Replica) -> None:
        """Ask the rules again, when there is a slot."""
        if not (replica.claimants or replica.former_claimants or replica.key in self.model.busy):
            self._forget(replica)
            return
        self._reporter.replica_touched(replica)
        if replica.key not in self._queued:
            self._queued.add(replica.key)
            self._queues.setdefault(replica.key.server, deque()).append(replica.key)

    def _replicas_on(self, server: str) -> list[Replica]:
        return [replica for key, replica in self.model.replicas.items() if key.server == server]

    def _reset_backoff(self, replicas: Iterable[Replica]) -> None:
        for replica in replicas:
            replica.failures, replica.not_before, replica.failed, replica.parked = 0, 0.0, None, None
            self._schedule(replica)

    # --- timers ------------------------------------------------------------------------------------------------------

    def _wake(self, replica: Replica, at: float) -> None:
        replica.wake_at = at
        self._last_timer += 1  # between timers of one moment: first come, first served, the same in every run
        heapq.heappush(self._timers, (at, self._last_timer, replica.key))

    def _is_due(self, timer: tuple[float, int, ZoneKey]) -> bool:
        """Is the timer still meant? One that was superseded, or whose zone is gone, is not."""
        replica = self.model.replicas.get(timer[2])
        return replica is not None and replica.wake_at == timer[0]

    def _fire_timers(self, now: Now) -> None:
        while self._timers and self._timers[0][0] <= now.mono:
            timer = heapq.heappop(self._timers)
            if self._is_due(timer):
                replica = self.model.replicas[timer[2]]
                replica.wake_at = None
                self._schedule(replica)

    # --- dispatching -------------------------------------------------------------------------------------------------

    def _pump(self, now: Now) -> None:
        progress = True
        while progress:
            progress = False
            for server in list(self._queues):
                progress = self._serve(server, now) or progress

    def _serve(self, server: str, now: Now) -> bool:
        """Look at the next zone of this server's queue; False when there is none or no slot."""
        queue = self._queues.get(server)
        if not queue:
            self._queues.pop(server, None)
            return False
        if not self._has_slot(server):
            return False
        key = queue.popleft()
        self._queues[server] = self._queues.pop(server)  # the next turn is that of the others
        self._queued.discard(key)
        replica = self.model.replicas.get(key)
        if replica is not None:
            self._consider(replica, now)
        return True

    def _has_slot(self, server: str) -> bool:
        answers, limits = self.model.answers, self.limits
        busy = [key.server for key in self.model.busy]
        if len(busy) >= limits.workers:
            return False
        if answers.get(server):
            return busy.count(server) < limits.per_server
        doubtful = [each for each in busy if not answers.get(each)]
        if server in doubtful or len(doubtful) >= limits.for_doubtful:
            return False
        silent = sum(1 for each in doubtful if each in answers)
        return server not in answers or silent < limits.for_silent

    def _consider(self, replica: Replica, now: Now) -> None:
        replica.trouble = self.model.suspended.get(replica.key.server, replica.trouble)
        if self.draining or replica.key in self.model.busy or replica.key.server not in self.model.servers:
            return
        if now.mono < replica.not_before:
            self._wake(replica, replica.not_before)
            return
        if replica.claimants:
            self._release(replica, [zone for zone in replica.former_claimants if replica.is_free_of(zone)])
        zone = replica.wanted
        target = zone.target if zone else None
        try:
            decision = decide(self.model, replica, now)
        except Exception as error:  # noqa: BLE001 - one zone that the rules stumble over must not stop all others
            self._park(replica, error, now)
            return
        if zone is not None and zone.target != target:
            # The serial that names the content is another one: the other replicas need it too.
            self._schedule_zone(zone)
        if not (self._dry_run and self._withheld(replica, decision, now)):
            self._follow(replica, decision, now)

    def _follow(self, replica: Replica, decision: Decision, now: Now) -> None:
        match decision:
            case Rest.IDLE if replica.trouble is not None and replica.trouble.reason is Reason.INTERNAL_ERROR:
                replica.trouble, replica.failures = None, 0
                self._reporter.replica_touched(replica)
            case Rest.RELEASE:
                self._release(replica, list(replica.former_claimants))
            case Later(seconds):
                self._wake(replica, now.mono + seconds)
            case (kind, payload):
                self._dispatch(replica, kind, payload, now)

    def _withheld(self, replica: Replica, decision: Decision, now: Now) -> bool:
        """In a dry run: is it left undone? What would be done is told when it is another thing than before."""
        kind = decision[0] if isinstance(decision, tuple) else None
        if kind is OpKind.OBSERVE or isinstance(decision, Later):
            return False  # afterwards more is known
        found = intent(self.model, replica, decision, now)
        if found != replica.intent:
            replica.intent = found
            self._effects.append(Intended(replica.key, replica.uid, found))
            self._reporter.replica_touched(replica)
        return kind is not None

    def _park(self, replica: Replica, error: Exception, now: Now) -> None:
        """Tried again when its back-off ends: whatever the rules stumbled over may be gone by then."""
        replica.failures += 1
        delay = self._delay(replica.failures)
        replica.not_before = now.mono + delay
        failure = Failed.unexpectedly(error)
        replica.trouble = Trouble(failure.reason, failure.message)
        self._wake(replica, replica.not_before)
        self._effects.append(Parked(replica.key, replica.uid, error, delay))
        self._reporter.replica_touched(replica)
        if replica.wanted is not None:
            self._reporter.records_changed(replica.wanted, self._waiting_for(replica, replica.wanted))

    def _dispatch(self, replica: Replica, kind: OpKind, payload: Payload, now: Now) -> None:
        zone = replica.wanted or replica.former_claimants[0]
        self._last_op += 1
        op = Op(
            id=self._last_op,
            key=replica.key,
            server=self.model.servers[replica.key.server],
            kind=kind,
            payload=payload,
            ref=zone.ref,
            role=replica.role,
            attempt=replica.failures + 1,
            started=now.mono,
            correlation=zone.correlation,
            removing=replica.wanted is None,
        )
        replica.op = self.model.busy[replica.key] = op
        replica.in_flight = _written(payload)
        self._reporter.operation_touched(op)
        self._effects.append(Dispatch(op))

    # --- endings -----------------------------------------------------------------------------------------------------

    def _release(self, replica: Replica, zones: list[Zone]) -> None:
        """Nothing of theirs is there: these zone objects need not wait for this server any longer."""
        if not zones:
            return
        for zone in zones:
            replica.former_claimants.remove(zone)
            if zone.deleting:
                zone.cleared.add(replica.key.server)
            zone.forget_server(replica.key.server)
            self._schedule_zone(zone)
        self._schedule_siblings(replica)

    def _forget(self, replica: Replica) -> None:
        self._reporter.replica_touched(replica)
        self.model.forget_replica(replica.key)


def _written(payload: Payload) -> frozenset[RRsetKey]:
    if isinstance(payload, Sync):
        return frozenset(change.key for change in payload.changes)
    return frozenset(rrset.key for rrset in payload.content) if isinstance(payload, Create) else frozenset()


def _enlist(zone: Zone, group: list[Zone], *, member: bool) -> None:
    if member and zone not in group:
        group.append(zone)
    elif not member and zone in group:
        group.remove(zone)


def _identity(spec: ServerSpec) -> object:
    """What makes it another server to talk to; readiness alone does not."""
    return spec.address, spec.port, spec.bindcar, spec.key, spec.incarnation, spec.role


def _made_no_progress(replica: Replica, op: Op, result: Result) -> bool:
    """Done, and yet the same thing is to be done again: retried slowly.

    A secondary that was told to transfer has to show that it did; removals that an adopted zone's server will not take
    have nobody to tell. Where somebody else writes at planned keys all the time, a plan may be out of date for ever.
    """
    if not isinstance(op.payload, Sync) or not isinstance(result, Applied):
        return False
    lost = {key for key, reason, _ in result.rejected if reason is Reason.RECORD_CONFLICT}
    if any(change.key in lost for change in op.payload.changes if change.prerequisite is Prerequisite.EXACT):
        return True
    return op.role is Role.SECONDARY or bool(result.rejected and replica.wanted is None)


def _ends_backoff(replica: Replica, op: Op) -> bool:
    """That the server can be looked at does not mean that it takes what it did not take before."""
    if op.kind is not OpKind.OBSERVE or replica.failed in {None, OpKind.OBSERVE}:
        return True
    zone = replica.wanted
    caught_up = zone is not None and replica.serial == zone.target and not replica.wrong and not replica.suspect
    return op.role is Role.SECONDARY and caught_up
