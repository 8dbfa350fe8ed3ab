"""What may happen in the model's world: everything that Hypothesis may put into a history, in any order.

People change zones, records and servers; operations end in time, late, twice or not at all; requests and replies are
lost, connections break between two messages; servers die, come back, come back empty, are removed or cannot be spoken
to; others write to their zones; the operator crashes, with its operations applied or not, or drains and restarts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

import dns.name
from hypothesis import stateful
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition

from reconcilers.engine.api import ObjectRef, Role, ZoneKey
from reconcilers.engine.core.protocol import Op, Poll, RemoveServer, SuspendServer, Tick
from tests.support.engine_world import ENDPOINTS, ODD, ZoneObject, alias, mark, rrset
from tests.unit.reconcilers.engine.model.planner import is_theirs, row
from tests.unit.reconcilers.engine.model.world import ADOPTED, LABELS, NAMES, VALUES, World

FAULTS = ["none", "none", "none", "error", "lost request", "lost reply", "broken"]
ANY = st.integers(0, 9)
"""One of those that are there; see `pick` and `choose`."""
RECORDS = st.integers(0, 5)
Event = TypeVar("Event", bound=Callable[..., None])


class PassedOver(Exception):
    """The event cannot happen in the world as it is."""


def assume(possible: object) -> None:
    if not possible:
        raise PassedOver


def rule(**strategies: st.SearchStrategy[Any]) -> Callable[[Event], Event]:
    """An event of a history. One that cannot happen is passed over: Hypothesis' own `assume` would end the history,
    most of them after a few steps."""
    hypothesis_rule: Callable[..., Any] = stateful.rule  # its overloads know no `**strategies`

    def decorate(event: Event) -> Event:
        @wraps(event)
        def happen(*args: Any, **kwargs: Any) -> None:
            try:
                event(*args, **kwargs)
            except PassedOver:
                return

        decorated: Event = hypothesis_rule(**strategies)(happen)
        return decorated

    return decorate


def record_ref(number: int) -> ObjectRef:
    return ObjectRef("ARecord", "default", f"r{number}", f"r{number}")


class Rules(RuleBasedStateMachine):
    """One method per event. Composite ones ("while its operation is in flight") come up too rarely by chance."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()

    @initialize(
        foreign=st.sampled_from([False, False, True]),
        two_names=st.sampled_from([False, False, True]),
        planner=st.sampled_from([False, True, True]),
    )
    def begin(self, foreign: bool = False, two_names: bool = False, planner: bool = False) -> None:
        self.world.begin(adopted=foreign, two_names=two_names, planner=planner)

    def pick(self, number: int) -> ZoneObject:
        live = self.world.live_objects()
        assume(live)
        return live[number % len(live)]

    def choose(self, number: int) -> Op:
        flight = self.world.flight
        assume(flight)
        return sorted(flight.values(), key=lambda op: op.id)[number % len(flight)]

    # --- people change zones and records -----------------------------------------------------------------------------

    @rule(
        name=st.sampled_from(NAMES),
        secondary=st.booleans(),
        both=st.booleans(),
        endpoints=st.dictionaries(st.sampled_from(ENDPOINTS), st.sampled_from(VALUES[:3])),
    )
    def zone_is_created(
        self, name: dns.name.Name, secondary: bool, both: bool, endpoints: Mapping[str, str] = {}
    ) -> None:
        world = self.world
        assume(all(owner.zone != name for owner in world.live_objects()))
        adopted = world.has_adopted and name in world.servers["ext"].zones
        primaries = frozenset({"ext"} if adopted else {"p1", "p2"} if both else {"p1"}) - world.removed
        secondaries = frozenset({"s1"} if secondary and not adopted else ()) - world.removed
        owner = ZoneObject(world.new_ref(name), primaries, secondaries)
        for label, value in endpoints.items() if world.has_planner else ():
            world.put_endpoint(owner, label, value)
        world.create(owner)

    @rule(
        which=ANY,
        primaries=st.sampled_from([{"p1"}, {"p2"}, {"p1", "p2"}]),
        secondary=st.booleans(),
        older=st.booleans(),
        records=st.booleans(),
    )
    def a_second_object_of_a_zone_appears(
        self, which: int, primaries: set[str], secondary: bool, older: bool, records: bool
    ) -> None:
        """On all of the same servers, on some or on others. `older` ones were idle: no server, but a finalizer."""
        world, owner = self.world, self.pick(which)
        taken = frozenset(primaries) | ({"s1"} if secondary else set())
        assume(not owner.selected & {"ext", "p1-again"} and not world.rivals(owner) and not taken & world.removed)
        rival = ZoneObject(world.new_ref(owner.zone, older=older), frozenset(primaries), taken - primaries)
        rival.claimed_servers = older
        if records:
            world.put_record(rival, record_ref(6), LABELS[0], VALUES[0])
        world.create(rival)

    @precondition(lambda self: "p1-again" in self.world.servers)
    @rule(which=ANY, down=st.booleans())
    def zone_selects_a_server_by_its_other_name(self, which: int, down: bool) -> None:
        owner = self.pick(which)
        names = {"p1", "p1-again"}
        assume(owner.selected & names and not self.world.rivals(owner))
        self.move(owner, owner.primaries ^ names, owner.secondaries, down)

    @precondition(lambda self: self.world.has_adopted)
    @rule(which=ANY, label=st.sampled_from(LABELS))
    def somebody_forges_a_claim(self, which: int, label: str) -> None:
        """In a record's status: for a server that its zone may not use."""
        owner = self.pick(which)
        assume("ext" not in owner.servers)
        owner.forged |= {rrset(owner.zone, label, "A", VALUES[0]).key}
        self.world.install(owner)

    @rule(which=ANY, record=RECORDS, label=st.sampled_from(LABELS), value=st.sampled_from(VALUES))
    def record_changes(self, which: int, record: int, label: str, value: str) -> None:
        owner = self.pick(which)
        self.world.put_record(owner, record_ref(record), label, value)
        self.world.install(owner)

    @rule(which=ANY, record=RECORDS)
    def record_is_deleted(self, which: int, record: int) -> None:
        owner = self.pick(which)
        assume(record_ref(record) in owner.records)
        del owner.records[record_ref(record)]
        self.world.install(owner)

    @rule(which=ANY, values=st.lists(st.sampled_from(VALUES[:3]), min_size=6, max_size=6))
    def many_records_change(self, which: int, values: list[str]) -> None:
        owner = self.pick(which)
        for number, value in enumerate(values):
            self.world.put_record(owner, record_ref(number), LABELS[number], value)
        self.world.install(owner)

    @precondition(lambda self: self.world.has_planner)
    @rule(which=ANY, label=st.sampled_from(ENDPOINTS), value=st.sampled_from(VALUES))
    def endpoint_changes(self, which: int, label: str, value: str) -> None:
        owner = self.pick(which)
        self.world.put_endpoint(owner, label, value)
        self.world.install(owner)

    @precondition(lambda self: self.world.has_planner)
    @rule(which=ANY, label=st.sampled_from(ENDPOINTS))
    def endpoint_is_deleted(self, which: int, label: str) -> None:
        owner = self.pick(which)
        assume(label in owner.endpoints)
        del owner.endpoints[label]
        self.world.install(owner)

    @rule(which=ANY)
    def soa_changes(self, which: int) -> None:
        owner = self.pick(which)
        owner.refresh += 1
        owner.generation += 1
        self.world.respecify(self.world.keys_of(owner))
        self.world.install(owner)

    @rule(which=ANY, secondary=st.booleans(), both=st.booleans(), down=st.booleans())
    def servers_of_a_zone_change(self, which: int, secondary: bool, both: bool, down: bool) -> None:
        primaries = frozenset({"p1", "p2"} if both else {"p2"}) - self.world.removed
        owner = self.pick(which)
        assume(primaries and "p1-again" not in owner.servers)
        self.move(owner, primaries, frozenset({"s1"} if secondary else ()) - self.world.removed, down)

    @precondition(lambda self: self.world.has_adopted)
    @rule(which=ANY, down=st.booleans())
    def zone_moves_to_a_server_of_others(self, which: int, down: bool) -> None:
        owner = self.pick(which)
        assume(owner.zone in self.world.servers["ext"].zones and not owner.forged and not self.world.rivals(owner))
        self.move(owner, frozenset({"ext"}), frozenset(), down)

    def move(self, owner: ZoneObject, primaries: frozenset[str], secondaries: frozenset[str], down: bool) -> None:
        """`down`: the operator crashed before, and hears of it when it starts."""
        owner.generation += 1
        owner.selected = primaries | secondaries
        self.world.wake_rivals(owner)
        if down:
            self.world.restart()
            return
        self.world.respecify(self.world.keys_of(owner))
        self.world.reconcile(owner)

    @rule(which=ANY)
    def zone_is_deleted(self, which: int) -> None:
        self.world.delete(self.pick(which))

    @rule(which=ANY, down=st.booleans())
    def finalizer_is_taken_off_by_hand(self, which: int, down: bool) -> None:
        self.world.vanish(self.pick(which), down=down)

    @rule(which=ANY)
    def zone_is_replaced(self, which: int) -> None:
        """Deleted and created again under the same name, before anything could happen."""
        owner = self.pick(which)
        self.world.delete(owner)
        ref = self.world.new_ref(owner.zone)
        heir = ZoneObject(ref, owner.primaries, owner.secondaries, selected=owner.selected, records=dict(owner.records))
        heir.versions = dict.fromkeys(heir.records, 1)
        heir.installed = dict.fromkeys(heir.records, self.world.ledger.step)
        for label, value in owner.endpoints.items():
            self.world.put_endpoint(heir, label, value)
        self.world.create(heir)

    # --- operations end, time passes ---------------------------------------------------------------------------------

    @rule(which=ANY, fault=st.sampled_from(FAULTS))
    def operation_ends(self, which: int, fault: str) -> None:
        self.world.finish(self.choose(which), fault)

    @rule(which=ANY, fault=st.sampled_from(FAULTS), record=RECORDS, value=st.sampled_from(VALUES))
    def zone_changes_while_its_operation_is_in_flight(self, which: int, fault: str, record: int, value: str) -> None:
        op = self.choose(which)
        owner = self.world.objects.get(op.ref.uid)
        if owner and not owner.deleting:
            self.world.put_record(owner, record_ref(record), LABELS[record], value)
            self.world.install(owner)
        self.world.finish(op, fault)

    @rule(which=ANY, fault=st.sampled_from(FAULTS))
    def zone_is_deleted_while_its_operation_is_in_flight(self, which: int, fault: str) -> None:
        op = self.choose(which)
        owner = self.world.objects.get(op.ref.uid)
        if owner and not owner.deleting:
            self.world.delete(owner)
        self.world.finish(op, fault)

    @rule(which=ANY)
    def operation_is_applied_but_its_reply_is_slow(self, which: int) -> None:
        op = self.choose(which)
        if op.id not in self.world.replies:
            self.world.replies[op.id] = self.world.apply(op)

    @rule(which=st.integers(0, 99))
    def stale_completion_arrives(self, which: int) -> None:
        completed = self.world.completed
        assume(completed)
        self.world.redeliver(completed[which % len(completed)])

    @rule(seconds=st.sampled_from([0.1, 1.0, 2.0, 10.0]))
    def time_passes(self, seconds: float) -> None:
        self.world.pass_time(seconds)
        self.world.submit(Tick())

    # --- servers -----------------------------------------------------------------------------------------------------

    @rule(name=st.sampled_from(["p1", "p2", "s1"]))
    def server_dies(self, name: str) -> None:
        for server in self.world.registrations(name):
            server.up = False

    @rule(name=st.sampled_from(["p1", "p2", "s1"]), empty=st.booleans(), told=st.booleans())
    def server_comes_back(self, name: str, empty: bool, told: bool) -> None:
        """With its data or without; the engine may be told that it is another process, or may have to find out."""
        server = self.world.servers[name]
        for each in self.world.registrations(name):
            each.up = True
        if empty:
            if not told:
                self.world.unnoticed |= {ZoneKey(name, zone) for zone in server.zones}
            server.lose_everything()
        if told and name not in self.world.removed:
            for each in self.world.registrations(name):
                each.spec = replace(each.spec, incarnation=str(self.world.ledger.step))
                self.world.set_server(each.name)

    @rule(name=st.sampled_from(["p1", "p2"]), ready=st.booleans())
    def readiness_changes(self, name: str, ready: bool) -> None:
        server = self.world.servers[name]
        assume(name not in self.world.removed and server.spec.ready != ready)
        server.spec = replace(server.spec, ready=ready)
        self.world.set_server(name)

    @rule(name=st.sampled_from(["p1", "p2"]))
    def server_takes_other_data(self, name: str) -> None:
        """Its configuration (check-names, say) differs from that of the other primary."""
        assume(name not in self.world.removed and name not in self.world.suspended and self.world.servers[name].up)
        self.world.change_strictness(self.world.servers[name])

    @rule(which=ANY, record=RECORDS, name=st.sampled_from(["p1", "p2"]), restart=st.booleans())
    def server_comes_back_empty_and_refuses_what_others_have(
        self, which: int, record: int, name: str, restart: bool
    ) -> None:
        world, owner = self.world, self.pick(which)
        server = world.servers[name]
        assume(name in owner.primaries and name not in world.removed | world.suspended and not server.strict)
        world.put_record(owner, record_ref(record), LABELS[record], ODD)
        world.install(owner)
        for each in ("p1", "p2"):
            world.finish_on(each)
        server.lose_everything()
        for registration in world.registrations(name):
            registration.up = True
        world.change_strictness(server)
        if restart:
            world.restart()
        world.finish_on(name)

    @rule(name=st.sampled_from(["p2", "s1"]))
    def server_cannot_be_spoken_to(self, name: str) -> None:
        """Its Secret is gone, say."""
        assume(name not in self.world.removed)
        server = self.world.servers[name]
        server.spec = replace(server.spec, ready=False)
        self.world.suspended.add(name)
        self.world.submit(SuspendServer(name, "the Secret is not there"))

    @rule(name=st.sampled_from(["p2", "s1"]), superseded=st.booleans())
    def server_is_taken_away(self, name: str, superseded: bool) -> None:
        """Its object is deleted. A reconcile of a zone that began before that may come after it."""
        world = self.world
        assume(name not in world.removed)
        concerned = [owner for owner in world.objects.values() if name in owner.servers | owner.selected]
        primaries = {each for each, server in world.servers.items() if server.spec.role is Role.PRIMARY} - {name}
        assume(all(owner.selected & primaries and owner.primaries != {name} for owner in concerned))
        world.removed.add(name)
        world.suspended.discard(name)
        world.submit(RemoveServer(name))
        for owner in concerned if superseded else ():
            world.reconcile(owner)
        for owner in concerned:
            owner.selected -= {name}
            owner.primaries, owner.secondaries = owner.primaries - {name}, owner.secondaries - {name}
            owner.former.discard(name)
            world.wake_rivals(owner)
            world.respecify(world.keys_of(owner))
            world.reconcile(owner)

    @rule(name=st.sampled_from(["p2", "s1"]))
    def server_is_made_anew(self, name: str) -> None:
        world = self.world
        assume(name in world.removed and not any(op.key.server == name for op in world.flight.values()))
        world.removed.remove(name)
        world.servers[name].lose_everything()
        world.set_server(name)

    @rule(name=st.sampled_from(["p1", "p2"]), zone=st.sampled_from(NAMES))
    def secondary_transfers(self, name: str, zone: dns.name.Name) -> None:
        self.world.transfer(name, zone)

    @rule(name=st.sampled_from(["p1", "p2", "s1"]), zone=st.sampled_from(NAMES))
    def poll(self, name: str, zone: dns.name.Name) -> None:
        self.world.submit(Poll(ZoneKey(name, zone)))

    # --- others ------------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.world.has_adopted)
    @rule(zone=st.sampled_from(ADOPTED), label=st.sampled_from(LABELS), value=st.sampled_from([*VALUES[:3], None]))
    def somebody_else_writes_to_their_zone(self, zone: dns.name.Name, label: str, value: str | None) -> None:
        """To an adopted zone, where nothing of ours stands, also at a name that our objects claim."""
        world = self.world
        new = rrset(zone, label, "A", value) if value else None
        key = rrset(zone, label, "A", VALUES[0]).key
        held = world.servers["ext"].zones[zone]
        assume(key in held.theirs or (new is not None and key not in held.records))
        assume(alias(key.name) not in held.records)  # BIND ignores what is added beside one
        world.change_theirs(zone, key, new)

    @rule(
        name=st.sampled_from(["p1", "p2"]),
        zone=st.sampled_from(NAMES),
        label=st.sampled_from(LABELS),
        value=st.sampled_from([*VALUES[:3], None]),
    )
    def somebody_else_writes_to_our_zone(self, name: str, zone: dns.name.Name, label: str, value: str | None) -> None:
        """A certificate's challenge, say, at a name where nothing of ours stands."""
        server = self.world.servers[name]
        key = rrset(zone, label, "A", VALUES[0]).key
        held = server.zones.get(zone)
        assume(server.up and held is not None and held.serial is not None)
        assert held is not None
        assume(key in held.theirs or (value is not None and key not in held.records))
        self.world.change_by_others(name, zone, key, rrset(zone, label, "A", value) if value else None)

    @rule(which=ANY, record=RECORDS, value=st.sampled_from(VALUES[:3]), label=st.sampled_from(LABELS))
    def somebody_else_writes_to_one_primary_while_we_write_to_the_other(
        self, which: int, record: int, value: str, label: str
    ) -> None:
        """Their UPDATE adds one to the serial, and may arrive at one that we have given to another content."""
        world, owner = self.world, self.pick(which)
        theirs = rrset(owner.zone, label, "A", value)
        held = world.servers["p1"].zones.get(owner.zone)
        assume({"p1", "p2"} <= owner.primaries and world.servers["p1"].up and held is not None)
        assert held is not None
        assume(held.serial is not None and theirs.key not in held.records)
        world.change_by_others("p1", owner.zone, theirs.key, theirs)
        for last in (1, 2, 3):
            world.put_record(owner, record_ref(record), LABELS[record], f"192.0.2.{last}")
            world.install(owner)
            world.finish_on("p2")
        world.finish_on("p1")

    @rule(which=ANY, record=RECORDS, value=st.sampled_from(VALUES[:3]))
    def somebody_else_takes_a_name_that_we_left(self, which: int, record: int, value: str) -> None:
        """While another server, which is down, still has what we had there: until then our object keeps its claim."""
        world, owner = self.world, self.pick(which)
        assume(record_ref(record) in owner.records and "p1" in owner.primaries and world.servers["p1"].up)
        key = rrset(owner.zone, owner.records.pop(record_ref(record))[0], "A", value).key
        world.servers["p2"].up = False
        world.install(owner)
        world.finish_on("p1")
        held = world.servers["p1"].zones.get(owner.zone)
        if held is None or held.serial is None or key in held.records:
            return
        world.change_by_others("p1", owner.zone, key, rrset(owner.zone, key.name.labels[0].decode(), "A", value))
        world.install(owner)
        world.submit(Poll(ZoneKey("p1", owner.zone)))
        world.finish_on("p1")

    @precondition(lambda self: self.world.has_adopted)
    @rule(zone=st.sampled_from(ADOPTED), label=st.sampled_from(LABELS), there=st.booleans())
    def somebody_else_makes_or_removes_an_alias(self, zone: dns.name.Name, label: str, there: bool) -> None:
        """In an adopted zone: nothing of ours can be published beside it, and all of it once it is gone."""
        cname = rrset(zone, label, "CNAME", "elsewhere.example.")
        held = self.world.servers["ext"].zones[zone]
        at_name = {key for key in held.records if key.name == cname.key.name}
        assume(at_name == (set() if there else {cname.key}))
        self.world.change_theirs(zone, cname.key, cname if there else None)

    @precondition(lambda self: self.world.has_planner)
    @rule(
        name=st.sampled_from(["p1", "p2", "ext"]),
        zone=st.sampled_from(NAMES),
        label=st.sampled_from(ENDPOINTS),
        value=st.sampled_from([*VALUES[:3], None]),
        marked=st.booleans(),
    )
    def somebody_else_takes_over_an_endpoint(
        self, name: str, zone: dns.name.Name, label: str, value: str | None, marked: bool
    ) -> None:
        """With a TXT that says so, also over ours; without one where nothing stands. Or he leaves it."""
        server = self.world.servers.get(name)
        held = server.zones.get(zone) if server and server.up else None
        assume(held is not None and held.serial is not None)
        assert held is not None
        taken = is_theirs(zone, label, held.records)
        if value is None:
            assume(taken)
            self.world.take_over(name, zone, label, ())
            return
        assume(marked or taken or not any(key in held.records for key in row(zone, label)))
        address = rrset(zone, label, "A", value)
        self.world.take_over(name, zone, label, (address, mark(zone, label, "theirs")) if marked else (address,))

    @precondition(lambda self: self.world.has_planner)
    @rule(
        which=ANY,
        label=st.sampled_from(ENDPOINTS),
        value=st.sampled_from(VALUES[:3]),
        published=st.booleans(),
        deleted=st.booleans(),
    )
    def somebody_else_takes_over_an_endpoint_that_we_publish(
        self, which: int, label: str, value: str, published: bool, deleted: bool
    ) -> None:
        """While the update is on its way, or once it is done; then it may be deleted."""
        world, owner = self.world, self.pick(which)
        name = next(iter(sorted(owner.primaries)), "")
        held = world.servers[name].zones.get(owner.zone) if name else None
        assume(held is not None and held.serial is not None and world.servers[name].up)
        world.put_endpoint(owner, label, value)
        world.install(owner)
        if published:
            world.finish_on(name)
        if owner.zone not in world.servers[name].zones:
            return
        marked = (rrset(owner.zone, label, "A", "192.0.2.50"), mark(owner.zone, label, "theirs"))
        world.take_over(name, owner.zone, label, marked)
        world.submit(Poll(ZoneKey(name, owner.zone)))
        world.finish_on(name, at_most=2)
        if deleted:
            del owner.endpoints[label]
            world.install(owner)

    # --- the operator's process --------------------------------------------------------------------------------------

    @rule(applied=st.booleans())
    def operator_crashes(self, applied: bool) -> None:
        """What was in flight may or may not have happened; all that is left is what the API server knows."""
        world = self.world
        for op in list(world.flight.values()):
            # In an adopted zone what was published and not confirmed in status is taken for somebody else's: by design.
            if applied and op.id not in world.replies and op.key.server != "ext":
                world.apply(op)
        world.restart()

    @rule()
    def operator_drains_and_restarts(self) -> None:
        self.world.drain()
        self.world.restart()
