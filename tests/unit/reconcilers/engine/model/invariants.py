"""What must hold in the model's world at every moment: S1-S19.

Each class is one property and its docstring the sentence that says it; docs/concepts/engine.md has the same sentences,
and a test compares them. An invariant watches the world and keeps what it needs to judge it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import dns.name

from reconcilers.ddns.plan import Change
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.ddns.soa import serial_gt
from reconcilers.engine.api import ObjectRef, RecordOutcome, Role, ZoneKey
from reconcilers.engine.core.lifecycle import is_legal
from reconcilers.engine.core.model import Known, Replica
from reconcilers.engine.core.protocol import (
    Create,
    Delete,
    Effect,
    Failed,
    Finished,
    Op,
    OpKind,
    Refused,
    Sync,
    Transition,
)
from reconcilers.engine.debug import gauges
from reconcilers.engine.metrics import EngineMetrics
from tests.support.engine_world import FakeServer, Records, StoredZone, ZoneObject, apex, is_odd, rrset
from tests.unit.reconcilers.engine.model.planner import is_theirs, label_of
from tests.unit.reconcilers.engine.model.watcher import Watcher
from tests.unit.reconcilers.engine.model.world import ADOPTED, LIMITS, World


class S1(Watcher):
    """At most one operation is in flight per replica, and no more than the limits allow in all and per server."""

    def dispatched(self, op: Op) -> None:
        flight = self.world.flight.values()
        assert op.key not in {other.key for other in flight}, "S1: two operations for one zone on a server"
        assert len(flight) < LIMITS.workers, "S1: more operations than slots"
        on_server = [other for other in flight if other.key.server == op.key.server]
        assert len(on_server) < LIMITS.per_server, "S1: more operations than slots of the server"


class S2(Watcher):
    """Nothing is written to a zone that is not known to exist."""

    def dispatched(self, op: Op) -> None:
        if op.kind in {OpKind.SYNC, OpKind.CONFIGURE}:
            replica = self.world.core.model.replicas[op.key]
            assert replica.known is Known.PRESENT, "S2: a write to a zone that is not known to exist"


class S3(Watcher):
    """A zone is not deleted on a primary while a secondary's replica of it is left, or a delegation to it in a zone of
    the same namespace."""

    def dispatched(self, op: Op) -> None:
        if not isinstance(op.payload, Delete) or op.role is Role.SECONDARY:
            return
        owner = self.world.objects.get(op.payload.uid)
        if owner is None or not owner.deleting:
            return
        for server in self.world.servers.values():
            zone = server.zones.get(op.key.zone)
            theirs = zone is not None and zone.role is Role.SECONDARY and zone.owner == owner.ref.uid
            replica = self.world.core.model.replicas.get(ZoneKey(server.name, op.key.zone))
            known = replica is not None and not self._cannot_be_asked(replica)
            blocks = theirs and known and server.up and server.name in owner.secondaries
            assert not blocks, f"S3: {op.key} is deleted while {server.name} has a replica"

    def _cannot_be_asked(self, replica: Replica) -> bool:
        """For another zone object, which is not held up by that."""
        silent = replica.failures or replica.key.server in self.world.suspended
        return bool(replica.wanted and replica.known is Known.UNKNOWN and silent)


class S4(Watcher):
    """Every zone of ours, and every CREATE in flight, has its zone object, which keeps its finalizer as long."""

    # Unless somebody took the finalizer off by hand.

    def stepped(self) -> None:
        known = self.world.objects.keys() | self.world.vanished
        for op in self.world.flight.values():
            if op.kind is OpKind.CREATE and op.key.server not in self.world.removed:
                assert op.ref.uid in known, f"S4: {op.key} is being created for a gone object"
        for server in self.world.present_servers():
            for name, zone in server.zones.items():
                if zone.owner:
                    assert zone.owner in known, f"S4: {server.name} has {name} of a gone object"

    def released(self, owner: ZoneObject) -> None:
        for server in self.world.present_servers():
            zone = server.zones.get(owner.zone)
            assert not (zone and zone.owner == owner.ref.uid), f"S4: {server.name} still has {owner.ref}"


class S5(Watcher):
    """Zones of others, and what others have in a zone that we adopted, stay as they are."""

    def stepped(self) -> None:
        for name in ADOPTED if self.world.has_adopted else ():
            records = self.world.servers["ext"].zones[name].records
            for item in apex(name):
                assert records.get(item.key) == item, "S5: the apex of an adopted zone"
            for key, value in self.world.theirs[name].items():
                assert records.get(key) == value, f"S5: {key}"


class S6(Watcher):
    """The completion of an operation that is not in flight any more changes nothing."""

    def redelivered(self, before: list[dict[str, Any]], effects: list[Effect]) -> None:
        assert effects == [], "S6: a stale completion had an effect"
        assert self.world.pages() == before, "S6: a stale completion changed something"


class S7(Watcher):
    """A record is published or propagated only if those servers had its version, and gone only if no primary has it."""

    def published(self, owner: ZoneObject, ref: ObjectRef, outcome: RecordOutcome) -> None:
        assert outcome.version == str(owner.versions[ref]), f"S7: {ref} is {outcome}"
        self._had(owner, ref, self._required(owner))
        if outcome.propagated:
            self._had(owner, ref, [self.world.servers[name] for name in owner.secondaries - self.world.removed])

    def _required(self, owner: ZoneObject) -> list[FakeServer]:
        primaries = [server for server in self.world.present_servers() if server.name in owner.primaries]
        return [server for server in primaries if server.spec.ready] or primaries

    def _held(self, owner: ZoneObject) -> list[StoredZone]:
        found = (server.zones.get(owner.zone) for server in self.world.present_servers())
        return [zone for zone in found if zone]

    def _had(self, owner: ZoneObject, ref: ObjectRef, servers: list[FakeServer]) -> None:
        """Each has the RRset of this version, or had it since this version was installed; or what this object alone has
        in it, should others have joined since."""
        entries = owner.contributions().values()
        value = next(entry.rrset for entry in entries if ref in {each.ref for each in entry.contributors})
        label, address = owner.records.get(ref) or (ref.part, owner.endpoints[ref.part])
        mine = rrset(owner.zone, label, "A", address)
        for server in servers:
            if server.strict and is_odd(value):
                continue  # it is left out of what the others agree on
            zone = server.zones.get(owner.zone)
            stands = zone.records.get(value.key) if zone is not None else None
            holds = stands == value or (stands is not None and value.key == mine.key and mine.data <= stands.data)
            held = self.world.ledger.last_held.get((server.name, owner.zone, value), -1) >= owner.installed[ref]
            # A primary that joined later is the zone's business: records that were Ready stay so.
            late = owner.joined.get(server.name, 0) > owner.installed[ref]
            assert holds or held or late, f"S7: {ref} is Ready, but {server.name} never had {value}"

    def gone(self, owner: ZoneObject, ref: ObjectRef, key: RRsetKey) -> None:
        """No primary, dead or alive, holds the RRset as it was with this object in it.

        Of a zone that is deleted as a whole, the zone object keeps its finalizer until all of it is gone: S4."""
        if owner.deleting:
            return
        entry = owner.contributions().get(key)
        if entry is not None and ref in {each.ref for each in entry.contributors}:
            return
        if ref.part and any(is_theirs(owner.zone, ref.part, held.records) for held in self._held(owner)):
            return  # nobody can say whose the row is, where primaries disagree
        for server in self.world.present_servers():
            zone = server.zones.get(owner.zone) if server.name in owner.primaries else None
            left = zone.records.get(key) if zone is not None and zone.owner == owner.ref.uid else None
            fine = (
                left is None
                or (zone is not None and key in zone.theirs)
                or (entry is not None and (left == entry.rrset or not server.takes(entry.rrset)))
            )
            assert fine, f"S7: {ref} is gone, but {server.name} has {left}"


class S8(Watcher):
    """The state of a replica changes only as the table of states allows."""

    def effect(self, effect: Effect) -> None:
        if isinstance(effect, Transition):
            legal = is_legal(effect.before, effect.after)  # type: ignore[arg-type]
            assert legal, f"S8: {effect.key} went from {effect.before} to {effect.after}"


class S9(Watcher):
    """Nothing is remembered that is neither wanted, nor to be removed, nor in flight."""

    def stepped(self) -> None:
        model = self.world.core.model
        assert model.zones.keys() <= self.world.objects.keys() | self.world.vanished, "S9: a zone of a gone object"
        for key, replica in model.replicas.items():
            assert replica.claimants or replica.former_claimants or key in model.busy, f"S9: {key} is kept for nothing"
        _, buffered, _ = gauges(model)
        desired = sum(len(owner.contributions()) for owner in self.world.objects.values())
        assert buffered <= desired, "S9: more RRsets wait for their zone than are desired"


class S10(Watcher):
    """Every finished attempt to change something is counted once, and the gauges are what a recount gives."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.metrics = EngineMetrics(lambda: gauges(world.core.model))
        self.attempts = 0

    def effect(self, effect: Effect) -> None:
        self.metrics.note(effect)
        self.attempts += isinstance(effect, Finished) and effect.op.kind is not OpKind.OBSERVE

    def stepped(self) -> None:
        counted = sum(self.metrics._operations.values()) + sum(self.metrics._syncs.values())
        assert counted == self.attempts, "S10: counters"
        model = self.world.core.model
        assert sum(gauges(model)[0].values()) == len(model.replicas), "S10: gauges"


class S11(Watcher):
    """No zone is created for an object that is gone, replaced or being deleted."""

    def dispatched(self, op: Op) -> None:
        if op.kind is OpKind.CREATE:
            owner = self.world.objects.get(op.ref.uid)
            assert owner is not None, "S11: CREATE for an object that is gone"
            assert not owner.deleting, "S11: CREATE for an object that is being deleted"


class S12(Watcher):
    """Nothing is dispatched after a drain began, and nothing is in flight when it is over."""

    def dispatched(self, op: Op) -> None:
        assert not self.world.core.draining, "S12: dispatched after the drain began"

    def drained(self) -> None:
        assert not self.world.core.model.busy, "S12: after a drain nothing is in flight"


class S13(Watcher):
    """Serials never go back; readers see neither what was never desired nor an empty zone in place of a full one."""

    # That every RRset was desired once is checked where servers store it: Ledger.stood.

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.seen: dict[tuple[str, dns.name.Name], tuple[StoredZone, int | None]] = {}

    def stepped(self) -> None:
        for server in self.world.servers.values():
            for name, zone in server.zones.items():
                held, serial = self.seen.get((server.name, name), (None, None))
                if held is zone and zone.serial is not None and serial is not None:
                    ahead = zone.serial == serial or serial_gt(zone.serial, serial)
                    assert ahead, f"S13: {server.name} {name} went from {serial} to {zone.serial}"
                self.seen[server.name, name] = (zone, zone.serial)

    def transferred(self, source: str, zone: dns.name.Name, before: Sequence[RRset]) -> None:
        """A replica with wanted records is never replaced by a zone that was only just created."""
        records = self.world.servers["s1"].zones[zone].records
        if len(records) == len(apex(zone)):
            owners = [owner for owner in self.world.live_objects() if owner.zone == zone]
            wanted = {entry.rrset for owner in owners for entry in owner.contributions().values()}
            lost = [value for value in before if value in wanted and value not in records.values()]
            assert not lost, f"S13: {source}'s empty zone was taken for news; lost {lost}"


class S14(Watcher):
    """What failed is not tried again before its back-off ends; back-offs grow until a success or a changed spec."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.windows: dict[ZoneKey, float] = {}
        self.failures: Counter[tuple[ZoneKey, OpKind]] = Counter()

    def dispatched(self, op: Op) -> None:
        over = self.world.now.mono >= self.windows.get(op.key, 0.0)
        assert over, f"S14: {op.key} is tried within its back-off"

    def effect(self, effect: Effect) -> None:
        if not isinstance(effect, Finished):
            return
        op = effect.op
        if isinstance(effect.result, Failed | Refused):
            self.failures[op.key, op.kind] += 1
            expected = min(LIMITS.backoff_cap, LIMITS.backoff_base * 2 ** (self.failures[op.key, op.kind] - 1))
            assert effect.retry_in is not None, "S14: a failure without a back-off"
            assert effect.retry_in >= expected, "S14: the back-off does not grow"
            self.windows[op.key] = self.world.now.mono + effect.retry_in
        elif op.kind is not OpKind.OBSERVE:
            self.respecified([op.key])

    def respecified(self, keys: Sequence[ZoneKey]) -> None:
        for key in keys:
            self.windows.pop(key, None)
            for kind in OpKind:
                self.failures.pop((key, kind), None)

    def restarted(self) -> None:
        self.windows.clear()
        self.failures.clear()


class S15(Watcher):
    """One serial names one content on every server, also after one of them died, came back empty or missed a change."""

    # That no serial names two contents is checked where servers store one: Ledger.stood. At rest all are the same.

    def rested(self) -> None:
        for owner in self.world.objects.values():
            replicas = [self.world.servers[name].zones.get(owner.zone) for name in owner.primaries | owner.secondaries]
            theirs = self.world.theirs_in(owner.zone)
            same = len({(zone.serial, zone.content(without=theirs)) for zone in replicas if zone}) <= 1
            assert same, f"S15: replicas differ: {replicas}"


class S16(Watcher):
    """No RRset is removed that no object published: what others have in a zone of ours stays too."""

    # Checked where servers carry out an UPDATE: tests.support.engine_world.


class S17(Watcher):
    """What was published, and is still wanted so, is not taken from a server because another one refuses it."""

    def dispatched(self, op: Op) -> None:
        owner = self.world.objects.get(op.ref.uid)
        held = self.world.servers[op.key.server].zones.get(op.key.zone)
        if not isinstance(op.payload, Sync) or owner is None or owner.deleting or held is None:
            return
        if op.key.server not in owner.primaries:
            return  # where the zone left, all of it goes
        for change in op.payload.changes:
            entry = owner.contributions().get(change.key)
            if entry is None or change.after == entry.rrset or held.records.get(change.key) != entry.rrset:
                continue
            published = all(owner.published.get(ref) == version for ref, version in entry.contributors)
            assert not published, f"S17: {change.key} is taken from {op.key.server}: {change.after}"


class S18(Watcher):
    """Who holds a zone keeps it: it is deleted only where its own object is gone, deleted, or does not select it."""

    # Or is refused whole, as a duplicate: then what it has on secondaries goes too.

    def dispatched(self, op: Op) -> None:
        owner = self.world.objects.get(op.payload.uid) if isinstance(op.payload, Delete) else None
        if owner is not None and not owner.deleting and not owner.refused:
            names = {each.name for each in self.world.registrations(op.key.server)}
            assert not names & owner.selected, f"S18: {op.key} of {owner.ref}, which is alive, is deleted"

    def placed(self, owner: ZoneObject, lost: Collection[str]) -> None:
        for name in owner.held.intersection(lost):
            zone = self.world.servers[name].zones.get(owner.zone)
            assert zone is None or zone.owner != owner.ref.uid, f"S18: {owner.ref} leaves {name} to a rival"


class S19(Watcher):
    """At planned keys nothing is changed but what a plan was made on, and nothing that the registry gives to others."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.seen: dict[tuple[int, dns.name.Name], dict[RRsetKey, RRset]] = {}
        self.readings: dict[str, int] = {}

    def restarted(self) -> None:
        self.readings.clear()

    def _place(self, server: str, zone: dns.name.Name) -> tuple[int, dns.name.Name]:
        """A server may have two names."""
        return id(self.world.servers[server].zones), zone

    def planned(self, owner: ZoneObject) -> None:
        """What it saw, server by server, with what is written there already and the engine does not know of yet.

        A plan that is made again on the same reading knows what was written since."""
        assert owner.content is not None
        before = self.readings.get(owner.ref.uid)
        self.readings[owner.ref.uid] = owner.content.reads
        if before == owner.content.reads:
            return
        for server, held in {**owner.content.primaries, **owner.content.former}.items():
            place = self._place(server, owner.zone)
            written = {key: self.seen.get(place, {}).get(key) for key in self._written(ZoneKey(server, owner.zone))}
            seen = {**held, **written}
            self.seen[place] = {key: rrset for key, rrset in seen.items() if rrset is not None}

    def _written(self, key: ZoneKey) -> Iterator[RRsetKey]:
        for number, op in self.world.flight.items():
            if number in self.world.replies and op.key == key and isinstance(op.payload, Sync):
                yield from (change.key for change in op.payload.changes)

    def writing(self, server: str, zone: dns.name.Name, change: Change, records: Records) -> None:
        label = label_of(zone, change.key)
        if label is None:
            return
        assert not is_theirs(zone, label, records), f"S19: {change.key} on {server} is somebody else's"
        seen = self.seen.setdefault(self._place(server, zone), {})
        stands, saw = records.get(change.key), seen.get(change.key)
        assert stands == saw, f"S19: {change.key} on {server} is {stands}, the plan was made on {saw}"
        seen.pop(change.key, None)
        if change.after:
            seen[change.key] = change.after

    def effect(self, effect: Effect) -> None:
        """What a zone was created with is the engine's own doing too."""
        if isinstance(effect, Finished) and isinstance(effect.op.payload, Create | Delete):
            self.seen.pop(self._place(effect.op.key.server, effect.op.key.zone), None)
            created = effect.op.payload.content if isinstance(effect.op.payload, Create) else ()
            self.seen[self._place(effect.op.key.server, effect.op.key.zone)] = {item.key: item for item in created}


SAFETY: tuple[type[Watcher], ...] = (
    S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, S12, S13, S14, S15, S16, S17, S18, S19,
)  # fmt: skip
