"""The core's rules, one sentence each. Zones on their way out, in order."""

from __future__ import annotations

from reconcilers.ddns.rrset import RRset
from reconcilers.engine.api import DesiredRRset, ZoneConfig, ZoneRef
from reconcilers.engine.core.protocol import OpKind, RemoveServer, SetServer, SuspendServer
from tests.support.engine_rig import ALL, CHILD, REF, ZONE, Rig, wanted
from tests.support.engine_world import rrset, soa


def test_secondaries_go_before_primaries(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    rig.delete()
    assert [op.key.server for op in rig.flight.values()] == ["s1"]
    assert rig.zone().blocked_by == (f"s1:{ZONE}",)
    rig.resolve_waiting()
    deletes = [op.key.server for op in rig.sent if op.kind is OpKind.DELETE]
    assert deletes[0] == "s1"
    assert set(deletes[1:]) == {"p1", "p2"}
    assert rig.changes[-1].released


def delegate(rig: Rig, child: ZoneRef) -> None:
    """Serve both zones, with a delegation from one to the other that is on its way out."""
    delegation = RRset.of(CHILD, 300, rrset(ZONE, "@", "NS", "ns.child.example.org.").rdatas)
    base = wanted()
    rig.want(rrsets={**base.rrsets, delegation.key: DesiredRRset(delegation)})
    rig.want(zone=CHILD, ref=child, config=ZoneConfig(soa(CHILD)))
    rig.resolve_waiting()
    rig.want(rrsets=base.rrsets)


def test_nothing_lost_a_delegation_of_another_namespace_holds_up_no_deletion(rig):
    child = ZoneRef(CHILD, "uid-child", "another")
    delegate(rig, child)
    rig.delete(child)
    assert not rig.zone(child).blocked_by
    rig.resolve_waiting()
    assert CHILD not in rig.servers["p1"].zones


def test_a_delegation_goes_before_the_zone_it_points_at(rig):
    child, child_ref = CHILD, ZoneRef(CHILD, "uid-child", "default")
    delegate(rig, child_ref)
    rig.delete(child_ref)
    assert [op.kind for op in rig.flight.values()] == [OpKind.SYNC]
    assert rig.zone(child_ref).blocked_by
    rig.resolve_waiting()
    assert child not in rig.servers["p1"].zones
    order = [(op.kind, op.key.zone) for op in rig.sent[-2:]]
    assert order == [(OpKind.SYNC, ZONE), (OpKind.DELETE, child)]


def test_a_dead_secondary_holds_up_the_deletion_until_its_server_is_forgotten(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    rig.servers["s1"].up = False
    rig.delete()
    for _ in range(4):
        rig.step()
    assert ZONE in rig.servers["p1"].zones
    rig.submit(RemoveServer("s1"))
    rig.resolve_waiting()
    assert rig.core.zone(REF) is None
    assert ZONE not in rig.servers["p1"].zones


def test_a_deletion_that_was_superseded_by_the_end_of_its_servers_does_not_wait_for_them(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    for name in ("p1", "p2", "s1"):
        rig.submit(RemoveServer(name))
    rig.delete(servers=frozenset({"p1", "s1"}))  # asked by a reconcile that began before that
    assert rig.core.zone(REF) is not None
    rig.delete(servers=frozenset())
    assert rig.core.zone(REF) is None
    rig.resolve_waiting()
    assert rig.core.model.replicas == {}


def test_a_zone_that_was_wanted_on_a_server_that_is_none_any_more_leaves_nothing_behind(rig):
    rig.submit(RemoveServer("p2"))
    rig.want(primaries=frozenset({"p1", "p2"}))
    rig.want(primaries=frozenset({"p1"}))
    rig.resolve_waiting()
    assert {key.server for key in rig.core.model.replicas} == {"p1"}
    rig.delete()
    rig.resolve_waiting()
    assert rig.core.zone(REF) is None


def test_a_deletion_waits_for_a_server_that_cannot_be_spoken_to_and_says_why(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    rig.submit(SuspendServer("s1", "its Secret is gone"))
    rig.delete()
    rig.resolve_waiting()
    (left,) = [each for each in rig.zone().servers if each.message]
    assert (left.name, left.reason, left.message) == ("s1", "ServerUnreachable", "its Secret is gone")
    assert ZONE in rig.servers["p1"].zones
    rig.submit(SetServer(rig.servers["s1"].spec))
    rig.resolve_waiting()
    assert rig.core.zone(REF) is None
    assert not any(ZONE in server.zones for server in rig.servers.values())


def test_a_deletion_waits_for_servers_that_are_named_and_not_known_yet(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    again = Rig()
    again.servers = rig.servers
    again.submit(RemoveServer("s1"))
    again.delete(servers=frozenset({"p1", "p2", "s1"}))
    again.resolve_waiting()
    assert again.core.zone(REF) is not None
    again.submit(SetServer(again.servers["s1"].spec))
    again.resolve_waiting()
    assert again.core.zone(REF) is None
    assert not any(ZONE in server.zones for server in again.servers.values())


def test_a_zone_that_moves_leaves_its_former_server(rig):
    rig.want({"a": "192.0.2.1"}, secondaries=frozenset({"s1"}))
    rig.resolve_waiting()
    rig.want({"a": "192.0.2.1"}, primaries=frozenset({"p2"}), secondaries=frozenset({"s1"}), former=frozenset({"p1"}))
    rig.resolve_waiting()
    assert ZONE not in rig.servers["p1"].zones
    assert rig.zone().propagated


def test_a_zone_is_not_recreated_after_its_object_began_to_go(rig):
    rig.want()
    rig.delete()
    rig.want()
    rig.resolve_waiting()
    assert rig.core.zone(REF) is None
    assert rig.servers["p1"].zones == {}


def test_deletion_at_start_finds_the_zone_by_the_servers_it_is_told(rig):
    rig.want({"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    again = Rig()
    again.servers = rig.servers
    again.delete(servers=frozenset({"p1", "p2", "s1"}))
    again.resolve_waiting()
    assert not any(ZONE in server.zones for server in rig.servers.values())
    assert again.core.zone(REF) is None


def test_a_server_that_has_let_a_zone_go_is_not_asked_again_while_others_hold_it_up(rig):
    """The reconciler names all servers each time, and is woken by what it leads to: that would go on for ever."""
    servers = frozenset({"p1", "p2"})
    rig.want({"a": "192.0.2.1"}, primaries=servers)
    rig.resolve_waiting()
    rig.submit(SuspendServer("p2", "its Secret is gone"))
    rig.delete(servers=servers)
    rig.resolve_waiting()
    asked = len(rig.sent)
    rig.delete(servers=servers)
    rig.resolve_waiting()
    assert len(rig.sent) == asked
    assert [server.name for server in rig.zone().servers] == ["p2"]
