"""The engine's core: `handle(event, now) -> effects`. No clock, no I/O, no threads.

Every event first changes facts (what is wanted, what was observed), then the rules are asked for each zone on a
server that the event touched, while there are slots. Whoever calls it carries out what is dispatched and reports each
completion.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import dns.name
import dns.rdatatype as rt

from reconcilers.ddns.plan import Guard
from reconcilers.ddns.rrset import RRsetKey
from reconcilers.engine.api import (
    ObjectRef,
    RecordOutcome,
    Role,
    ServerSpec,
    StatusChange,
    ZoneGone,
    ZoneKey,
    ZoneRef,
    ZoneStatus,
    ZoneWanted,
)
from reconcilers.engine.core import outcomes
from reconcilers.engine.core.book import Book
from reconcilers.engine.core.decide import decide
from reconcilers.engine.core.install import install
from reconcilers.engine.core.lifecycle import State, state_of
from reconcilers.engine.core.model import Known, Trouble, Zone, ZoneOnServer
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
    Flushed,
    Gone,
    Notify,
    Now,
    Op,
    OpKind,
    Payload,
    Poll,
    Refused,
    RemoveServer,
    Result,
    SetServer,
    SuspendServer,
    Sync,
    Tick,
    Transition,
    Want,
)
from reconcilers.engine.core.results import learn
from reconcilers.engine.core.sync import Later, Rest
from reconcilers.reasons import Reason


@dataclass(frozen=True, slots=True)
class Limits:
    """How much at once, and how long after a failure."""

    workers: int = 16
    per_server: int = 4
    backoff_base: float = 0.25
    backoff_cap: float = 30.0


class Core:
    """Not thread-safe; the shell calls it under its lock."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.book = Book()
        self.draining = False
        self._last_op = 0
        self._queues: dict[str, deque[ZoneKey]] = {}
        self._queued: set[ZoneKey] = set()
        self._timers: list[tuple[float, int, ZoneKey]] = []
        self._effects: list[Effect] = []
        self._states: dict[ZoneKey, State] = {}
        self._touched: dict[ZoneKey, Op | None] = {}
        self._stirred: set[str] = set()
        self._news: dict[str, set[ObjectRef]] = {}
        self._faces: dict[str, object] = {}

    # --- reading -----------------------------------------------------------------------------------------------------

    def zone(self, ref: ZoneRef) -> ZoneStatus | None:
        """How the zone stands, None if it is not known here."""
        zone = self.book.zones.get(ref.uid)
        return outcomes.zone_status(self.book, zone) if zone else None

    def record(self, zone: ZoneRef, ref: ObjectRef) -> RecordOutcome | None:
        """How the object stands in the zone, None if the zone is not known here."""
        found = self.book.zones.get(zone.uid)
        return outcomes.record_outcome(self.book, found, ref) if found else None

    def next_wake(self) -> float | None:
        """When (monotonic) a Tick is due; None if nothing waits for time to pass."""
        while self._timers and not self._is_due(self._timers[0]):
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def allocate(self, op_id: int, now: Now) -> int:
        """A serial of its own for a further message of this operation."""
        for op in self.book.busy.values():
            if op.id == op_id:
                return self._allocate_for(op, now)
        raise KeyError(f"operation {op_id} is not in flight")

    def _allocate_for(self, op: Op, now: Now) -> int:
        zone = self.book.zones.get(op.ref.uid) or Zone(op.ref)
        site = self.book.sites.get(op.key)
        past = site is not None and site.op is op and site.past
        return self.book.past(zone, now) if past else self.book.allocate(zone, now)

    # --- events ------------------------------------------------------------------------------------------------------

    def handle(self, event: Event, now: Now) -> list[Effect]:
        """Take in one event; returns what is to be done."""
        match event:
            case Want(wanted):
                self._want(wanted, now)
            case Gone(gone):
                self._gone(gone)
            case SetServer(spec):
                self._set_server(spec)
            case SuspendServer(name, why):
                self._suspend_server(name, why)
            case RemoveServer(name):
                self._remove_server(name)
            case Completed(op_id, result):
                self._completed(op_id, result, now)
            case Poll(key):
                self._poll(key)
            case Drain():
                self.draining = True
            case Tick():
                pass
        self._fire_timers(now)
        self._pump(now)
        self._tell(now)
        effects, self._effects = self._effects, []
        return effects

    def _want(self, wanted: ZoneWanted, now: Now) -> None:
        zone = self.book.zones.get(wanted.ref.uid)
        if zone is None:
            zone = self.book.zones[wanted.ref.uid] = Zone(wanted.ref, holders=wanted.holders)
        if zone.deleting:
            return  # an object that is being deleted never comes back
        before = zone.wanted
        servers = zone.servers
        keys = install(zone, wanted, now.mono)
        if wanted.serial_floor:
            self.book.saw(zone.ref.zone, wanted.serial_floor)
        for name in servers | zone.servers:
            self._assign(zone, name)
        moved = before is None or before.primaries != wanted.primaries
        if moved:
            self._bereft(zone)
        if moved or before is None or before.claimed is not wanted.claimed:
            # Where it should not be any more, only what was claimed when this process began may be ours.
            self._claim(zone, wanted, {*zone.primaries, *(zone.former if before is None else ())})
        if moved or before is None or (before.generation, before.config) != (wanted.generation, wanted.config):
            self._reset_backoff(self.book.sites_of(zone))
        self._recontent(zone, keys)

    def _claim(self, zone: Zone, wanted: ZoneWanted, servers: set[str]) -> None:
        """What its objects claim is ours to change and remove, on those of these servers that the claims are about."""
        for name in servers:
            if self.book.claims_count(zone, name):
                self.book.site(ZoneKey(name, zone.ref.zone)).owned.update(wanted.claimed)

    def _assign(self, zone: Zone, server: str) -> None:
        """Put the zone object on the right list of its copy on this server."""
        site = self.book.site(ZoneKey(server, zone.ref.zone))
        before = site.wanted
        wants = server in zone.roles and not zone.deleting
        _enlist(zone, site.claimants, member=wants)
        _enlist(zone, site.leaving, member=not wants and server in zone.servers)
        if site.wanted is not before:
            self._compare(site)
        self._touch(site)

    def _compare(self, site: ZoneOnServer) -> None:
        """It is for another zone object now: what others have there may be in the way of that one's objects."""
        site.mark_all()
        if (zone := site.wanted) is not None:
            self._report(zone, outcomes.in_trouble(self.book, zone, site.conflicts))

    def _gone(self, gone: ZoneGone) -> None:
        zone = self.book.zones.get(gone.ref.uid)
        if zone is None:
            zone = self.book.zones[gone.ref.uid] = Zone(gone.ref, holders=gone.holders)
        if not zone.deleting:
            zone.deleting, zone.correlation = True, gone.correlation
            zone.pending.clear()
            zone.unspread.clear()
        for name in gone.servers - zone.servers:
            server = self.book.servers.get(name)
            zone.roles[name] = server.role if server else Role.PRIMARY
        for name in zone.servers - gone.servers - self.book.servers.keys() - self.book.suspended.keys():
            # Named by an earlier call, which the end of that server had overtaken.
            zone.forget_server(name)
            self._assign(zone, name)
        for name in zone.servers:
            self._assign(zone, name)
            site = self.book.site(ZoneKey(name, zone.ref.zone))
            if self.book.claims_count(zone, name) and not site.owned.issuperset(gone.claimed):
                site.owned |= gone.claimed
                site.mark_all()
        self._stir_all(zone)

    def _set_server(self, spec: ServerSpec) -> None:
        before = self.book.servers.get(spec.name)
        self.book.servers[spec.name] = spec
        self.book.suspended.pop(spec.name, None)
        if before == spec:
            return
        other = before is None or _identity(before) != _identity(spec)
        for site in self._sites_on(spec.name):
            if other:
                # What is in flight goes to the server as it was: its completion will be stale.
                site.op, site.flying = None, frozenset()
                site.doubted(trusted=False)
            self._reset_backoff([site])
            self._stir_siblings(site)
            for zone in site.claimants:
                # Whether it is Ready decides who waits for it.
                self._report(zone, outcomes.settle_all(self.book, zone))

    def _suspend_server(self, name: str, why: str) -> None:
        """Forget nothing, send nothing: its zones wait, and whoever has a change pending there hears why."""
        trouble = Trouble(Reason.SERVER_UNREACHABLE, why)
        if self.book.suspended.get(name) == trouble:
            return
        self.book.servers.pop(name, None)
        self.book.suspended[name] = trouble
        for site in self._sites_on(name):
            for zone in site.claimants:
                self._report(zone, self._waiting_for(site, zone))
                self._stir_all(zone)
            self._touch(site)

    def _remove_server(self, name: str) -> None:
        """No DNS work: the server may not exist any more, and nothing may wait for it."""
        self.book.servers.pop(name, None)
        self.book.suspended.pop(name, None)
        self._queued.difference_update(self._queues.pop(name, ()))
        for site in self._sites_on(name):
            zones = [*site.claimants, *site.leaving]
            self._forget(site)
            for zone in zones:
                zone.forget_server(name)
                self._bereft(zone)
                self._stir_all(zone)

    def _bereft(self, zone: Zone) -> None:
        """Without any primary nothing is published, whatever was before."""
        if zone.wanted is not None and not zone.primaries and not zone.deleting:
            for key in zone.wanted.rrsets:
                zone.unpublish(key)
            self._report(zone, {ref for refs in zone.pending.values() for ref in refs})

    def _poll(self, key: ZoneKey) -> None:
        site = self.book.sites.get(key)
        if site is not None and site.known is not Known.UNKNOWN:
            site.verify = True
            self._touch(site)

    # --- completions -------------------------------------------------------------------------------------------------

    def _completed(self, op_id: int, result: Result, now: Now) -> None:
        op = next((op for op in self.book.busy.values() if op.id == op_id), None)
        if op is None:
            return
        del self.book.busy[op.key]
        site = self.book.sites.get(op.key)
        if site is None or site.op is not op:
            if site is not None:
                self._touch(site)
            return
        site.op, site.flying, site.verify = None, frozenset(), False
        serial, conflicts = site.serial, frozenset(site.conflicts)
        changed = learn(self.book, site, op, result, now)
        retry = self._back_off(site, op, result, now)
        self._effects.append(Finished(op, result, now.mono - op.started, retry))
        self._touched.setdefault(op.key, op)
        self._aftermath(site, op, changed | (site.conflicts ^ conflicts))
        zone = site.wanted
        if zone and site.role is Role.SECONDARY and site.serial is not None and serial != site.serial == zone.target:
            self._effects.append(CaughtUp(site.key, zone.ref.uid, site.serial))

    def _aftermath(self, site: ZoneOnServer, op: Op, changed: set[RRsetKey]) -> None:
        """Who else is concerned: other copies of the zone, children whose delegation went, objects that waited."""
        self._stir_siblings(site)
        changes = op.payload.changes if isinstance(op.payload, Sync) else ()
        for change in changes:
            if change.key.rdtype in {rt.NS, rt.DS} and change.after is None:
                self._stir_name(change.key.name)
        zone = site.wanted
        if zone is None:
            return
        if changed:
            self._recontent(zone, changed)
        sent = [change.key for change in changes]
        self._report(zone, outcomes.settle(self.book, zone, sent) if sent else outcomes.settle_all(self.book, zone))
        # Those whose first version went out, and who want another one by now, have to remember that it did.
        firsts = [change.key for change in changes if change.guard is Guard.ABSENT]
        self._report(zone, {ref for key in firsts for ref in zone.pending.get(key, ())})

    def _back_off(self, site: ZoneOnServer, op: Op, result: Result, now: Now) -> float | None:
        """Only a success or a changed spec ends a back-off; churn in the records does not."""
        if not isinstance(result, Failed | Refused) and not _made_no_progress(site, op, result):
            if _ends_backoff(site, op):
                site.failures, site.not_before, site.failed = 0, 0.0, None
            return None
        site.failed = op.kind
        site.failures += 1
        delay = min(self.limits.backoff_cap, self.limits.backoff_base * 2.0 ** min(site.failures - 1, 30))
        site.not_before = now.mono + delay
        if isinstance(result, Failed | Refused) and site.failures == 1 and site.wanted:
            self._report(site.wanted, self._waiting_for(site, site.wanted))
        return delay

    def _waiting_for(self, site: ZoneOnServer, zone: Zone) -> set[ObjectRef]:
        """Only objects with a change pending here hear of a server's trouble; it is the zone's to show."""
        if site.role is not Role.PRIMARY:
            return set()
        pending = {ref for key, refs in zone.pending.items() if not site.clean(key) for ref in refs}
        return pending | {ref for key, refs in zone.leaving.items() if not site.free_of(key) for ref in refs}

    # --- what to look at again ---------------------------------------------------------------------------------------

    def _recontent(self, zone: Zone, keys: Iterable[RRsetKey]) -> None:
        """The wanted content changed at these keys: compare each copy there, and see who can stop waiting."""
        keys = set(keys)
        for site in self.book.sites_of(zone, Role.PRIMARY):
            for key in keys:
                site.mark(key)
        self._stir_all(zone, settle=False)
        self._report(zone, outcomes.settle(self.book, zone, keys))
        self._report(zone, outcomes.in_trouble(self.book, zone, keys))

    def _stir_all(self, zone: Zone, *, settle: bool = True) -> None:
        for name in zone.servers:
            if site := self.book.sites.get(ZoneKey(name, zone.ref.zone)):
                self._touch(site)
        self._stirred.add(zone.ref.uid)
        if settle:
            self._report(zone, outcomes.settle_all(self.book, zone))

    def _stir_siblings(self, site: ZoneOnServer) -> None:
        self._stir_name(site.key.zone)

    def _stir_name(self, name: dns.name.Name) -> None:
        for sibling in list(self.book.siblings(name)):
            self._touch(sibling)

    def _touch(self, site: ZoneOnServer) -> None:
        """Ask the rules again, when there is a slot."""
        if not (site.claimants or site.leaving or site.key in self.book.busy):
            self._forget(site)
            return
        self._touched.setdefault(site.key, None)
        self._stirred.update(zone.ref.uid for zone in (*site.claimants, *site.leaving))
        if site.key not in self._queued:
            self._queued.add(site.key)
            self._queues.setdefault(site.key.server, deque()).append(site.key)

    def _sites_on(self, server: str) -> list[ZoneOnServer]:
        return [site for key, site in self.book.sites.items() if key.server == server]

    def _reset_backoff(self, sites: Iterable[ZoneOnServer]) -> None:
        for site in sites:
            site.failures, site.not_before, site.failed, site.parked = 0, 0.0, None, None
            self._touch(site)

    # --- timers ------------------------------------------------------------------------------------------------------

    def _wake(self, site: ZoneOnServer, at: float) -> None:
        site.wake_at = at
        heapq.heappush(self._timers, (at, id(site), site.key))

    def _is_due(self, timer: tuple[float, int, ZoneKey]) -> bool:
        """Is the timer still meant? One that was superseded, or whose zone is gone, is not."""
        site = self.book.sites.get(timer[2])
        return site is not None and site.wake_at == timer[0]

    def _fire_timers(self, now: Now) -> None:
        while self._timers and self._timers[0][0] <= now.mono:
            timer = heapq.heappop(self._timers)
            if self._is_due(timer):
                site = self.book.sites[timer[2]]
                site.wake_at = None
                self._touch(site)

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
        self._queued.discard(key)
        site = self.book.sites.get(key)
        if site is not None:
            self._consider(site, now)
        return True

    def _has_slot(self, server: str) -> bool:
        running = sum(1 for key in self.book.busy if key.server == server)
        return len(self.book.busy) < self.limits.workers and running < self.limits.per_server

    def _consider(self, site: ZoneOnServer, now: Now) -> None:
        site.trouble = self.book.suspended.get(site.key.server, site.trouble)
        if self.draining or site.key in self.book.busy or site.key.server not in self.book.servers:
            return
        if now.mono < site.not_before:
            self._wake(site, site.not_before)
            return
        if site.claimants:
            self._release(site, [zone for zone in site.leaving if site.is_free_of(zone)])
        zone = site.wanted
        target = zone.target if zone else None
        decision = decide(self.book, site, now)
        if zone is not None and zone.target != target:
            # The serial that names the content is another one: the other copies need it too.
            self._stir_all(zone)
        match decision:
            case Rest.RELEASE:
                self._release(site, list(site.leaving))
            case Later(seconds):
                self._wake(site, now.mono + seconds)
            case (kind, payload):
                self._dispatch(site, kind, payload, now)

    def _dispatch(self, site: ZoneOnServer, kind: OpKind, payload: Payload, now: Now) -> None:
        zone = site.wanted or site.leaving[0]
        self._last_op += 1
        op = Op(
            id=self._last_op,
            key=site.key,
            server=self.book.servers[site.key.server],
            kind=kind,
            payload=payload,
            ref=zone.ref,
            role=site.role,
            attempt=site.failures + 1,
            started=now.mono,
            correlation=zone.correlation,
            removing=site.wanted is None,
        )
        site.op = self.book.busy[site.key] = op
        site.flying = _written(payload)
        self._touched[site.key] = op
        self._effects.append(Dispatch(op))

    # --- endings -----------------------------------------------------------------------------------------------------

    def _release(self, site: ZoneOnServer, zones: list[Zone]) -> None:
        """Nothing of theirs is there: these zone objects need not wait for this server any longer."""
        if not zones:
            return
        for zone in zones:
            site.leaving.remove(zone)
            zone.forget_server(site.key.server)
            self._stir_all(zone)
        self._stir_siblings(site)

    def _forget(self, site: ZoneOnServer) -> None:
        self._touched.setdefault(site.key, None)
        self._stirred.update(zone.ref.uid for zone in (*site.claimants, *site.leaving))
        self.book.forget_site(site.key)

    # --- telling -----------------------------------------------------------------------------------------------------

    def _report(self, zone: Zone, refs: set[ObjectRef]) -> None:
        if refs:
            self._news.setdefault(zone.ref.uid, set()).update(refs)

    def _tell(self, now: Now) -> None:
        for key, op in self._touched.items():
            self._tell_state(key, op)
        self._touched.clear()
        stirred, self._stirred = self._stirred, set()
        for uid in sorted(stirred | self._news.keys()):
            if zone := self.book.zones.get(uid):
                self._tell_zone(zone, now)
        self._news.clear()

    def _tell_state(self, key: ZoneKey, op: Op | None) -> None:
        site = self.book.sites.get(key)
        before, after = self._states.get(key), state_of(site) if site else None
        if before == after:
            return
        uid = site.uid if site else ""
        if after is None:
            del self._states[key]
        else:
            self._states[key] = after
        self._effects.append(Transition(key, uid, before, after, op))

    def _tell_zone(self, zone: Zone, now: Now) -> None:
        uid = zone.ref.uid
        records = tuple(sorted(self._news.get(uid, ())))
        if zone.deleting and not zone.servers:
            del self.book.zones[uid]
            self._faces.pop(uid, None)
            self._effects.append(Notify(StatusChange(zone.ref, records, True, zone.correlation)))
            return
        self._tell_buffer(zone, now)
        face = self._face(zone)
        if records or self._faces.get(uid) != face:
            self._faces[uid] = face
            self._effects.append(Notify(StatusChange(zone.ref, records, False, zone.correlation)))

    def _tell_buffer(self, zone: Zone, now: Now) -> None:
        """Did the zone come into existence, or go out of it? That ends, or begins, the wait of its RRsets."""
        primaries = self.book.sites_of(zone, Role.PRIMARY)
        buffered = not any(site.is_present() and site.is_mine() for site in primaries)
        if zone.buffered and not buffered and zone.since:
            self._effects.append(Flushed(tuple(now.mono - since for since in zone.since.values())))
        if buffered != zone.buffered:
            zone.buffered = buffered
            zone.since = dict.fromkeys(zone.content, now.mono) if buffered else {}

    def _face(self, zone: Zone) -> object:
        """What the status of the zone object shows: it hears from us only when this changes."""
        sites = (self.book.sites.get(ZoneKey(name, zone.ref.zone)) for name in sorted(zone.servers))
        copies = tuple(
            (site.key.server, site.known, site.serial, site.trouble, bool(site.dirty), site.wrong, site.doubt)
            for site in sites
            if site
        )
        return (
            copies,
            zone.target,
            zone.deleting,
            len(zone.held),
            len(zone.rejected),
            bool(zone.pending),
            zone.foreign,
        )


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


def _made_no_progress(site: ZoneOnServer, op: Op, result: Result) -> bool:
    """Done, and yet the same thing is to be done again: retried slowly.

    A secondary that was told to transfer has to show that it did; removals that an adopted zone's server will not take
    have nobody to tell.
    """
    if op.kind is not OpKind.SYNC or not isinstance(result, Applied):
        return False
    return op.role is Role.SECONDARY or bool(result.rejected and site.wanted is None)


def _ends_backoff(site: ZoneOnServer, op: Op) -> bool:
    """That the server can be looked at does not mean that it takes what it did not take before."""
    if op.kind is not OpKind.OBSERVE or site.failed in {None, OpKind.OBSERVE}:
        return True
    zone = site.wanted
    caught_up = zone is not None and site.serial == zone.target and not site.wrong and not site.doubt
    return op.role is Role.SECONDARY and caught_up
