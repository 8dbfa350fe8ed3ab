"""The model's world: simulated name servers, zone objects as the API server has them, and the core between them.

Knows how things happen. What may happen is in rules.py, what must hold in invariants.py and liveness.py: those watch,
and hear of each step before it is entered in the books here. Time moves only when somebody moves it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import dns.name

from reconcilers.ddns.plan import Change
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.desired.views import yields
from reconcilers.engine.api import (
    ObjectRef,
    Plan,
    RecordState,
    Role,
    StatusChange,
    ZoneGone,
    ZoneKey,
    ZoneRef,
)
from reconcilers.engine.core.core import Core, Limits
from reconcilers.engine.core.protocol import (
    Completed,
    Delete,
    Dispatch,
    Drain,
    Effect,
    Event,
    Failed,
    Gone,
    Notify,
    NotLive,
    Now,
    Op,
    OpKind,
    Poll,
    Present,
    Result,
    SetServer,
    Sync,
    Tick,
    Want,
)
from reconcilers.engine.debug import services
from reconcilers.reasons import Reason
from tests.support.engine_world import (
    BAD,
    ODD,
    FakeServer,
    Ledger,
    Records,
    ZoneObject,
    address_key,
    endpoint_ref,
    is_bad,
    server_spec,
    zone_name,
)
from tests.unit.reconcilers.engine.model.planner import decide, label_of, row
from tests.unit.reconcilers.engine.model.watcher import Watcher

NAMES = [zone_name(text) for text in ("example.org", "child.example.org", "example.net", "example.com")]
ADOPTED = NAMES[2:]
"""What the server of others has zones for, in worlds with such a server."""
LABELS = ["a", "b", "c", "d", "e", "f"]
VALUES = ["192.0.2.1", "192.0.2.2", "192.0.2.3", BAD, ODD]
LIMITS = Limits(workers=2, per_server=1, backoff_base=1.0, backoff_cap=8.0)
"""More zones than workers: operations wait for each other."""

NO_REPLY = Failed(Reason.SERVER_UNREACHABLE, "no reply")


class World:
    """Servers p1 and p2 (primaries), s1 (secondary), perhaps ext (of others, adopted); p1 may have a second name.

    `removed` servers have no object any more, `suspended` ones cannot be spoken to. `flight` is what the core asked for
    and was not told the end of; `replies` are known to the server already. `unnoticed` zones changed behind the core's
    back: only a poll finds that. `queue` has the zone objects that wait for a reconcile. `theirs` is what others put
    into the zones of theirs. `vanished` are the UIDs of zone objects that went without our consent, `forgotten` those
    that no process knows of any more; `orphaned` is what they claimed in zones of others. `has_planner`:
    zones have endpoints.
    """

    def __init__(self) -> None:
        self.watchers: list[Watcher] = []
        self.ledger = Ledger(witness=self._writing)
        self.has_planner = False
        self.now = Now(0.0, 1_700_000_000.0)
        self.core = Core(LIMITS)
        self.servers: dict[str, FakeServer] = {}
        self.removed: set[str] = set()
        self.suspended: set[str] = set()
        self.objects: dict[str, ZoneObject] = {}
        self.flight: dict[int, Op] = {}
        self.replies: dict[int, Result] = {}
        self.completed: list[Completed] = []
        self.unnoticed: set[ZoneKey] = set()
        self.theirs: dict[dns.name.Name, dict[RRsetKey, RRset]] = {zone: {} for zone in NAMES}
        self.vanished: set[str] = set()
        self.orphaned: set[tuple[dns.name.Name, RRsetKey]] = set()
        self.forgotten: set[str] = set()
        self.interrupted = False
        self.queue: set[str] = set()
        self._uids = itertools.count(1)

    def begin(self, *, adopted: bool, two_names: bool = False, planner: bool = False) -> None:
        """Three servers of ours, and one of others if `adopted`. `two_names`: p1 is registered twice."""
        self.has_planner = planner
        for name, role in {"p1": Role.PRIMARY, "p2": Role.PRIMARY, "s1": Role.SECONDARY}.items():
            self.servers[name] = FakeServer(server_spec(name, role), self.ledger)
            self.submit(SetServer(self.servers[name].spec))
        if adopted:
            server = self.servers["ext"] = FakeServer(server_spec("ext", adopted=True), self.ledger)
            for zone in ADOPTED:
                server.foreign_zone(zone)
                self.ledger.tainted.add(zone)
            self.submit(SetServer(server.spec))
        if two_names:
            for name in ("p1", "p1-again"):
                spec = replace(server_spec(name), identity="the same")
                self.servers.setdefault(name, FakeServer(spec, self.ledger, zones=self.servers["p1"].zones)).spec = spec
                self.submit(SetServer(spec))

    # --- what is there -----------------------------------------------------------------------------------------------

    @property
    def has_adopted(self) -> bool:
        return "ext" in self.servers

    def present_servers(self) -> list[FakeServer]:
        return [server for server in self.servers.values() if server.name not in self.removed]

    def registrations(self, name: str) -> list[FakeServer]:
        """The server of this name, under each of its names."""
        zones = self.servers[name].zones
        return [server for server in self.servers.values() if server.zones is zones]

    def live_objects(self) -> list[ZoneObject]:
        return [owner for owner in self.objects.values() if not owner.deleting]

    def keys_of(self, owner: ZoneObject) -> list[ZoneKey]:
        return [ZoneKey(server, owner.zone) for server in self.servers]

    def oldest(self) -> Op:
        return min(self.flight.values(), key=lambda op: op.id)

    def pages(self) -> list[dict[str, Any]]:
        return services(self.core.model, {}, self.now)

    # --- around the core ---------------------------------------------------------------------------------------------

    def submit(self, event: Event) -> None:
        self.ledger.step += 1
        effects = self.core.handle(event, self.now)
        self.interrupted = True  # until all effects are taken, should an invariant fail on the way
        for effect in effects:
            self._take(effect)
        self.interrupted = False
        while self.queue:
            self._reconcile_queued(self.objects.get(self.queue.pop()))

    def _reconcile_queued(self, owner: ZoneObject | None) -> None:
        """What does not concern it leads to nothing: a resync would hide lost wake-ups."""
        if owner is None:
            return
        planned = self.is_out_of_date(owner)
        if owner.deleting:
            if planned:
                self.delete(owner)
            return
        is_back = self._is_back(owner)
        if is_back:
            self.respecify(self.keys_of(owner))
        if self.place(owner) or planned or is_back:
            self.install(owner)

    def _is_back(self, owner: ZoneObject) -> bool:
        """A duplicate that was released, and that the zone was given to before that."""
        return not owner.refused and self.core.zone(owner.ref) is None

    def _writing(self, server: str, zone: dns.name.Name, change: Change, records: Records) -> None:
        for watcher in self.watchers:
            watcher.writing(server, zone, change, records)

    def _take(self, effect: Effect) -> None:
        for watcher in self.watchers:
            watcher.effect(effect)
        match effect:
            case Dispatch(op):
                for watcher in self.watchers:
                    watcher.dispatched(op)
                self.flight[op.id] = op
            case Notify(change):
                self._notified(change)

    def pass_time(self, seconds: float) -> None:
        self.now = Now(self.now.mono + seconds, self.now.unix + seconds)

    def redeliver(self, event: Completed) -> None:
        before = self.pages()
        effects = self.core.handle(event, self.now)
        for watcher in self.watchers:
            watcher.redelivered(before, effects)

    # --- the reconcilers, reduced to what they must do ----------------------------------------------------------------

    def new_ref(self, zone: dns.name.Name, *, older: bool = False) -> ZoneRef:
        """UIDs are in order of age. `older`: than all that are there."""
        number = next(self._uids) * (-1 if older else 1)
        return ZoneRef(zone, f"uid-{number}", "default", f"zone-{number}")

    def create(self, owner: ZoneObject) -> None:
        if any(other.zone == owner.zone for other in self.live_objects()):
            self.ledger.contested.add(owner.zone)
        self.objects[owner.ref.uid] = owner
        owner.plan = Plan() if self.has_planner else None
        self.respecify(self.keys_of(owner))
        self.wake_rivals(owner)
        self.reconcile(owner)

    def respecify(self, keys: Sequence[ZoneKey]) -> None:
        for watcher in self.watchers:
            watcher.respecified(keys)

    def rivals(self, owner: ZoneObject) -> list[ZoneObject]:
        """The other objects of the same zone name. One that is being deleted has no say: the engine waits for it."""
        return [other for other in self.live_objects() if other is not owner and other.zone == owner.zone]

    def wake_rivals(self, owner: ZoneObject) -> None:
        """What a changed spec or a deletion leads to."""
        self.queue |= {rival.ref.uid for rival in self.rivals(owner)}

    def held_by(self, owner: ZoneObject) -> frozenset[str]:
        """As the zone reconciler finds it out."""
        known = self.core.zone(owner.ref)
        return owner.held if known is None else frozenset(each.name for each in known.servers if each.is_held)

    def place(self, owner: ZoneObject) -> bool:
        """On which of the servers that it selects does it work? Whether that changed."""
        lost = set[str]()
        for rival in self.rivals(owner):
            lost |= {
                name
                for name in owner.selected & rival.selected
                if yields(
                    name,
                    held=self.held_by(owner),
                    rival_held=self.held_by(rival),
                    junior=rival.seniority < owner.seniority,
                )
            }
        for watcher in self.watchers:
            watcher.placed(owner, lost)
        before = owner.primaries | owner.secondaries
        taken = owner.selected - lost
        owner.primaries = frozenset(name for name in taken if self.servers[name].spec.role is Role.PRIMARY)
        owner.secondaries = taken - owner.primaries if owner.primaries else frozenset()
        after = owner.primaries | owner.secondaries
        if before != after:
            owner.former = (owner.former | before) - after - self.removed
            owner.joined |= dict.fromkeys(owner.primaries - before, self.ledger.step + 1)
            self.respecify(self.keys_of(owner))
        return before != after

    def is_out_of_date(self, owner: ZoneObject) -> bool:
        """Was anything read since its plan was made?"""
        return owner.plan is not None and self.core.reads(owner.ref) not in {None, owner.plan.reads}

    def make_plan(self, owner: ZoneObject) -> None:
        """On what was read last; while that is not known all stays as it was decided before."""
        if owner.plan is None or self.core.reads(owner.ref) is None:
            return
        if owner.content is None or owner.content.reads != self.core.reads(owner.ref):
            content = self.core.content(owner.ref)
            owner.content = content if content is not None and content.known else None
        if owner.content is not None:
            wanted = () if owner.deleting else owner.endpoints
            owner.decided, owner.plan = decide(owner.zone, owner.content, wanted)
            for watcher in self.watchers:
                watcher.planned(owner)

    def install(self, owner: ZoneObject) -> None:
        if owner.refused:
            if self.core.zone(owner.ref) is not None or owner.held or owner.former:
                self.submit(Gone(ZoneGone(owner.ref, owner.servers, owner.adopted_claims())))
            return
        owner.claimed_servers = True
        self.make_plan(owner)
        self._own_as_wanted(owner)
        for entry in owner.contributions().values():
            self.ledger.desired.add(entry.rrset)
            if not is_bad(entry.rrset) and not entry.planned:
                for ref, _ in entry.contributors:
                    owner.claims.setdefault(entry.rrset.key, set()).add(ref)
        self.submit(Want(owner.wanted()))

    def put_record(self, owner: ZoneObject, ref: ObjectRef, label: str, value: str) -> None:
        owner.records[ref] = (label, value)
        owner.versions[ref] = owner.versions.get(ref, 0) + 1
        owner.installed[ref] = self.ledger.step

    def put_endpoint(self, owner: ZoneObject, label: str, value: str) -> None:
        ref = endpoint_ref(label)
        owner.endpoints[label] = value
        owner.versions[ref] = owner.versions.get(ref, 0) + 1
        owner.installed[ref] = self.ledger.step

    def delete(self, owner: ZoneObject) -> None:
        owner.deleting = True
        self.wake_rivals(owner)
        self.make_plan(owner)
        self.submit(Gone(ZoneGone(owner.ref, owner.servers, owner.adopted_claims(), plan=owner.plan)))

    def vanish(self, owner: ZoneObject, *, down: bool) -> None:
        """Somebody took its finalizer off. `down`: while no operator ran."""
        del self.objects[owner.ref.uid]
        self.vanished.add(owner.ref.uid)
        self.wake_rivals(owner)
        self.orphaned |= {(owner.zone, key) for key in owner.adopted_claims().get("ext", ())}
        if down:
            self.restart()
        else:
            self.submit(Gone(ZoneGone(owner.ref)))

    def _abandon_orphaned(self) -> None:
        """What objects had claimed that went without our consent, and no other object of the zone claims."""
        owners = self.objects.values()
        claimed = {(owner.zone, key) for owner in owners for key in owner.adopted_claims().get("ext", ())}
        for zone, key in self.orphaned - claimed:
            self._abandon(zone, key)
        self.orphaned.clear()

    def _abandon(self, zone: dns.name.Name, key: RRsetKey) -> None:
        """Nobody can tell any more that it was ours: from now on it is somebody else's."""
        held = self.servers["ext"].zones.get(zone)  # none of theirs, if the claim was forged
        if held is not None and key in held.records:
            self.theirs[zone][key] = held.records[key]
            held.theirs.add(key)

    def reconcile(self, owner: ZoneObject) -> None:
        if not owner.deleting:
            self.place(owner)
            self.install(owner)
        elif owner.ref.uid in self.objects:
            self.delete(owner)

    def set_server(self, name: str) -> None:
        self.suspended.discard(name)
        self.respecify([ZoneKey(name, zone) for zone in NAMES])
        self.submit(SetServer(self.servers[name].spec))

    def change_strictness(self, server: FakeServer) -> None:
        """It starts again with another configuration."""
        strict = not server.strict
        for each in self.registrations(server.name):
            each.strict = strict
            each.spec = replace(each.spec, incarnation=f"{strict} {self.ledger.step}")
            self.set_server(each.name)

    def _notified(self, change: StatusChange) -> None:
        """The ordinary reconcile: read how things stand, write status, release finalizers."""
        owner = self.objects.get(change.zone.uid)
        if owner is None:
            assert change.zone.uid in self.vanished, "a callback for an object that does not exist"
            return
        if change.released:
            self._release(owner)
            return
        status = self.core.zone(change.zone)
        self.queue.add(change.zone.uid)
        if not owner.deleting:
            owner.held = self.held_by(owner)
        if status and not owner.deleting and not owner.refused:
            owner.serial = max(owner.serial, status.serial or 0)
            owner.former = {each.name for each in status.servers} - owner.primaries - owner.secondaries
        for ref in change.records:
            self._write_status(owner, ref)

    def _release(self, owner: ZoneObject) -> None:
        if not owner.deleting:  # a duplicate, which stays; its status says that it is nowhere
            owner.held, owner.former = frozenset(), set()
            self.queue.add(owner.ref.uid)
            return
        for watcher in self.watchers:
            watcher.released(owner)
        del self.objects[owner.ref.uid]
        if not any(owner.zone in server.zones for server in self.servers.values()):
            for name, serial in [entry for entry in self.ledger.contents if entry[0] == owner.zone]:
                del self.ledger.contents[name, serial]

    def _write_status(self, owner: ZoneObject, ref: ObjectRef) -> None:
        outcome = self.core.record(owner.ref, ref)
        assert outcome is not None
        mine = [key for key, refs in owner.claims.items() if ref in refs]
        if not owner.deleting and not ref.part:  # of endpoints the registry tells
            owner.adopted[ref] = outcome.adopted
        if outcome.state is RecordState.PUBLISHED and (ref in owner.records or ref.part in owner.endpoints):
            owner.published[ref] = outcome.version
            for watcher in self.watchers:
                watcher.published(owner, ref, outcome)
        if outcome.state is RecordState.GONE and ref.part:
            for watcher in self.watchers:
                watcher.gone(owner, ref, address_key(owner.zone, ref.part))
        if outcome.state is RecordState.GONE:
            for key in mine:
                self._give_up_claim(owner, ref, key)

    def _give_up_claim(self, owner: ZoneObject, ref: ObjectRef, key: RRsetKey) -> None:
        for watcher in self.watchers:
            watcher.gone(owner, ref, key)
        owner.claims[key].discard(ref)
        owner.adopted.pop(ref, None)
        if not owner.claims[key]:
            del owner.claims[key]

    # --- operations and servers --------------------------------------------------------------------------------------

    def finish(self, op: Op, fault: str = "none") -> None:
        if op.id not in self.flight:
            return
        event = Completed(op.id, self._result(op, fault))
        del self.flight[op.id]
        self.replies.pop(op.id, None)
        self.completed.append(event)
        self._count_claims(op, event.result)
        self.submit(event)

    def _count_claims(self, op: Op, result: Result) -> None:
        """By design: what an object claims, and what stands there when the zone is first read, is ours."""
        replica, server = self.core.model.replicas.get(op.key), self.servers[op.key.server]
        held = server.zones.get(op.key.zone)
        if replica is None or held is None or server.spec.adopted or not isinstance(result, Present):
            return
        owner = self.objects.get(held.owner)
        if owner is not None and owner.ref.uid not in replica.counted:
            held.theirs -= owner.claims.keys() & (result.records or {}).keys()

    def finish_on(self, server: str, at_most: int = 8) -> None:
        """Let what is in flight on one server, and what follows from it, end well."""
        for _ in range(at_most):
            op = next((op for op in self.flight.values() if op.key.server == server), None)
            if op is None:
                return
            self.finish(op)

    def _result(self, op: Op, fault: str) -> Result:
        if op.id in self.replies:
            return NO_REPLY if fault in {"lost reply", "broken"} else self.replies[op.id]
        if fault == "error":
            return Failed(Reason.TSIG_VERIFICATION_FAILED, "BADKEY", ambiguous=False)
        if fault == "lost request":
            return NO_REPLY
        if fault == "broken":
            return self.apply(op, stop_after=1)
        done = self.apply(op)
        return NO_REPLY if fault == "lost reply" else done

    def apply(self, op: Op, stop_after: int | None = None) -> Result:
        server = self.servers[op.key.server]
        if op.kind is OpKind.CREATE:
            owner = self.objects.get(op.ref.uid)
            if owner is None or owner.deleting:
                return NotLive()
        if isinstance(op.payload, Delete) and op.payload.unknown:
            owner = self.objects.get(op.payload.uid)
            if owner is not None and not owner.deleting:
                return Failed(Reason.CONFLICT, "its object is alive", ambiguous=False)
        return server.carry_out(op, lambda: self.core.allocate(op.id, self.now), stop_after=stop_after)

    def transfer(self, source: str, zone: dns.name.Name) -> bool:
        """What NOTIFY leads to."""
        held = self.servers["s1"].zones.get(zone)
        before = list(held.records.values()) if held else []
        moved = self.servers["s1"].transfer_from(self.servers[source], zone)
        if moved:
            for watcher in self.watchers:
                watcher.transferred(source, zone, before)
        return moved

    def change_theirs(self, zone: dns.name.Name, key: RRsetKey, value: RRset | None) -> None:
        """Others write to a zone of theirs."""
        self.theirs[zone].pop(key, None)
        if value is not None:
            self.theirs[zone][key] = value
        self.change_by_others("ext", zone, key, value)

    def change_by_others(self, server: str, zone: dns.name.Name, key: RRsetKey, value: RRset | None) -> None:
        """Others write to a zone, whosever it is."""
        self.servers[server].foreign_change(zone, key, value)
        self.unnoticed.add(ZoneKey(server, zone))
        for owner in self.live_objects():
            if owner.zone == zone:
                self._own_as_wanted(owner)

    def _own_as_wanted(self, owner: ZoneObject) -> None:
        """By design: in a zone of ours what stands as a record wants it is ours, whoever put it there."""
        wanted = {key: each.rrset for key, each in owner.contributions().items() if not each.planned}
        for server in self.servers.values():
            held = server.zones.get(owner.zone)
            if held is not None and held.owner == owner.ref.uid:
                held.theirs -= {key for key in held.theirs & wanted.keys() if wanted[key] == held.records.get(key)}

    def take_over(self, server: str, zone: dns.name.Name, label: str, items: Sequence[RRset]) -> None:
        """Others write to a row of endpoints, or leave it."""
        held = self.servers[server].zones[zone]
        for key in row(zone, label):
            value = next((item for item in items if item.key == key), None)
            if value is None and key not in held.records:
                continue
            if server == "ext":
                self.change_theirs(zone, key, value)
            else:
                self.change_by_others(server, zone, key, value)
            (held.theirs.add if value else held.theirs.discard)(key)

    def theirs_in(self, zone: dns.name.Name) -> set[RRsetKey]:
        """What others have anywhere in zones of this name. A row of endpoints that they have on one primary stays as it
        is on the other: where the primaries differ nothing is removed."""
        held = (server.zones.get(zone) for server in self.servers.values())
        theirs = {key for each in held if each for key in each.theirs}
        labels = filter(None, (label_of(zone, key) for key in theirs))
        return theirs.union(*(row(zone, label) for label in labels))

    # --- the end of a process, and of a history ----------------------------------------------------------------------

    def drain(self) -> None:
        self.submit(Drain())
        while self.flight:
            self.finish(self.oldest())
        for watcher in self.watchers:
            watcher.drained()

    def restart(self) -> None:
        # A process takes seconds to start: more of them than serials that a zone without a status was given in one.
        self.pass_time(30.0)
        self._give_up_what_is_in_doubt()
        self._abandon_orphaned()
        self._forget_what_was_left_where()
        self.forgotten |= self.vanished
        self.core = Core(LIMITS)
        for owner in self.objects.values():
            owner.decided, owner.plan, owner.content = frozenset(), Plan() if self.has_planner else None, None
        self.flight.clear()
        self.replies.clear()
        self.completed.clear()
        self.unnoticed.clear()
        self.queue.clear()
        for watcher in self.watchers:
            watcher.restarted()
        for server in self.present_servers():
            if server.name not in self.suspended:
                self.submit(SetServer(server.spec))
        for owner in list(self.objects.values()):
            owner.installed = dict.fromkeys([*owner.records, *map(endpoint_ref, owner.endpoints)], 0)
            if owner.ref.uid in self.objects:
                self.reconcile(owner)

    def _give_up_what_is_in_doubt(self) -> None:
        """By design: what went into an adopted zone, and was not seen there before the end, is somebody else's then."""
        for key, replica in self.core.model.replicas.items():
            if key.server == "ext":
                standing = self.servers["ext"].zones[key.zone].records
                owners = [owner for owner in self.objects.values() if owner.zone == key.zone]
                ours = {each for owner in owners for each in owner.adopted_claims().get("ext", ())}
                sent = replica.attempted | self._applied_unheard(key)
                lost = {each: value for each, value in sent.items() if standing.get(each) == value}
                if replica.wanted is None:  # it went in while the zone was on its way out: there was nobody to tell
                    lost |= {each: value for each, value in standing.items() if each in replica.owned}
                for each in lost.keys() - ours:
                    if label_of(key.zone, each) is None:  # else the registry knows
                        self._abandon(key.zone, each)

    def _applied_unheard(self, key: ZoneKey) -> dict[RRsetKey, RRset]:
        """What was published by operations of which the core never heard."""
        ops = [op for number, op in self.flight.items() if number in self.replies and op.key == key]
        syncs = [op.payload for op in ops if isinstance(op.payload, Sync)]
        return {change.key: change.after for each in syncs for change in each.changes if change.after}

    def _forget_what_was_left_where(self) -> None:
        """By design: a claim that another server keeps alive counts on every server of its object after a start."""
        for owner in self.objects.values():
            for server in self.servers.values():
                held = server.zones.get(owner.zone)
                if held and not server.spec.adopted and held.owner == owner.ref.uid:
                    held.theirs -= owner.claims.keys()

    def heal(self) -> None:
        """All servers are up and can be spoken to, and a poll has found what changed."""
        for server in self.servers.values():
            server.up = True
        for name in sorted(self.suspended):
            self.set_server(name)
        for server in self.present_servers():
            if server.strict:
                self.change_strictness(server)
        for key in sorted(self.unnoticed):
            for server in self.registrations(key.server):
                self.submit(Poll(ZoneKey(server.name, key.zone)))
        self.unnoticed.clear()

    def come_to_rest(self) -> None:
        """Only time and NOTIFY help."""
        for times in itertools.count():
            for watcher in self.watchers:
                watcher.waited(times)
            if self.flight:
                self.finish(self.oldest())
                continue
            moved = [self.transfer(name, zone) for name in ("p1", "p2") for zone in NAMES]
            wake = self.core.next_wake()
            if wake is None and not any(moved):
                break
            if wake is not None:
                self.now = Now(max(wake, self.now.mono), self.now.unix + max(0.0, wake - self.now.mono))
            self.submit(Tick())
        for watcher in self.watchers:
            watcher.rested()
