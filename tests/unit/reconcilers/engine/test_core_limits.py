"""The core's rules, one sentence each. Slots, drain, and nothing left behind."""

from __future__ import annotations

from reconcilers.engine.api import ZoneConfig, ZoneRef
from reconcilers.engine.core.core import Limits
from reconcilers.engine.core.protocol import Drain, Failed
from reconcilers.reasons import Reason
from tests.support.engine_rig import BOTH, Rig
from tests.support.engine_world import FakeServer, server_spec, soa, zone_name


def zones(count):
    return [zone_name(f"z{number}.test") for number in range(count)]


def test_no_more_operations_than_slots_and_every_zone_gets_its_turn():
    rig = Rig(limits=Limits(workers=3, per_server=2))
    rig.ledger.tainted.update(zones(10))
    for number, name in enumerate(zones(10)):
        rig.want(zone=name, ref=ZoneRef(name, f"uid-z{number}"), config=ZoneConfig(soa(name)), **BOTH)
    most = 0
    while rig.flight:
        most = max(most, len(rig.flight))
        rig.finish()
    assert most == 3
    assert len(rig.servers["p1"].zones) == len(rig.servers["p2"].zones) == 10


def test_nothing_is_dispatched_after_a_drain_began(rig):
    rig.want({"a": "192.0.2.1"})
    rig.submit(Drain())
    rig.finish()
    rig.want({"a": "192.0.2.2"})
    assert not rig.flight
    assert not rig.core.model.busy


def test_everything_is_forgotten_after_a_thousand_zones_came_and_went():
    rig = Rig(limits=Limits(workers=50, per_server=50))
    rig.ledger.tainted.update(zones(1000))
    for _ in range(3):
        refs = [ZoneRef(name, f"uid-{name}") for name in zones(1000)]
        for ref in refs:
            rig.want(zone=ref.zone, ref=ref, config=ZoneConfig(soa(ref.zone)))
        while rig.flight:
            rig.finish()
        for ref in refs:
            rig.delete(ref)
        while rig.flight:
            rig.finish()
        rig.sent.clear()
        rig.effects.clear()
    core, model, reporter = rig.core, rig.core.model, rig.core._reporter
    assert (model.zones, model.replicas, model.by_name, model.busy, model.highest) == ({}, {}, {}, {}, {})
    assert (core._queues, core._queued, reporter._states, reporter._last_reported) == ({}, set(), {}, {})
    assert (reporter._replicas, reporter._zones, reporter._records) == ({}, set(), {})
    assert core.next_wake() is None


def test_nothing_lost_servers_that_do_not_answer_leave_workers_to_those_that_do():
    """Twelve zones on eight silent servers, and one on a server that is well."""
    silent = [f"hole{number}" for number in range(8)]
    rig = Rig(limits=Limits(workers=4, per_server=2), known=())
    for name in silent:
        rig.servers[name] = FakeServer(server_spec(name), rig.ledger)
        rig.set_server(name)
    for number in range(12):
        zone = zone_name(f"z{number}.test")
        ref = ZoneRef(zone, f"uid-z{number}", "other", f"z{number}")
        rig.want(zone=zone, ref=ref, config=ZoneConfig(soa(zone)), primaries=frozenset(silent))
    assert len(rig.flight) == 3, "servers that were never asked leave one worker of four"
    rig.set_server("p1")
    rig.want({"a": "192.0.2.1"})
    rounds = 0
    while not rig.outcome("a").ready:
        rounds += 1
        assert rounds < 8, "a server that was never asked comes before those that did not answer"
        finish_on(rig, "p1")
        for op in [op for op in rig.flight.values() if op.key.server != "p1"]:
            rig.finish(op, Failed(Reason.SERVER_UNREACHABLE, "no reply in time"))
            finish_on(rig, "p1")
    assert len(rig.flight) <= 2
    rig.want({"a": "192.0.2.2"}, version="2")
    finish_on(rig, "p1")
    assert rig.outcome("a").ready, "while nothing of the others has ended"


def finish_on(rig: Rig, server: str) -> None:
    while ops := [op for op in rig.flight.values() if op.key.server == server]:
        rig.finish(ops[0])
