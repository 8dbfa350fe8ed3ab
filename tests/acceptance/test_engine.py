"""The diff-tracking engine: one test per criterion of docs/requirements.md, named after it.

Services are zones on servers here, endpoints and pods are RRsets (docs/concepts/engine.md has the mapping). Most of it
is about the engine alone and runs on servers in memory; what is about status and finalizers runs on an API server and
BIND.
"""

import ast
import json
import threading
from collections import Counter

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from reconcilers.engine import Engine, EngineOptions, ZoneGone, ZoneRef, debug
from reconcilers.engine.api import DesiredRRset, RecordState, ZoneConfig
from reconcilers.engine.core.core import Limits
from reconcilers.engine.core.protocol import Finished, OpKind
from reconcilers.engine.diagram import PAGE, mermaid
from reconcilers.engine.metrics import EngineMetrics
from tests.support import ROOT
from tests.support.engine_rig import REF, ZONE, Rig, record, wanted
from tests.support.engine_world import BAD, FakeServer, Ledger, rrset, server_spec, soa, zone_name
from tests.support.scene import Scene
from zonewright.testing import eventually

ENGINE = ROOT / "reconcilers" / "engine"


@pytest.fixture
def rig():
    return Rig()


# -- 1, 10: status


@pytest.mark.criterion(number="EN-1")
def test_1_the_status_is_filled_in_when_the_asynchronous_creation_completes(scene: Scene):
    scene.create_zone()
    zone = scene.wait("dnszones", "zone")
    assert zone["status"]["serial"] > 0
    assert [each["status"] for each in zone["status"]["bind9Instances"]] != []


@pytest.mark.criterion(number="EN-10")
def test_10_a_state_transition_brings_the_object_back_for_its_status(rig):
    rig.want({"a": "192.0.2.1"}, correlation="reconcile-1")
    rig.resolve_waiting()
    told = [change for change in rig.changes if record("a") in change.records]
    assert told
    assert {change.correlation for change in told} == {"reconcile-1"}
    assert rig.outcome("a").ready


# -- 2: cleanup


@pytest.mark.criterion(number="EN-2")
def test_2_an_asynchronous_deletion_leaves_nothing_stale(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www")
    scene.delete("dnszones", "zone")
    assert eventually(lambda: not scene.exists("dnszones", "zone"))


@pytest.mark.criterion(number="EN-2")
def test_2_the_engine_forgets_a_deleted_zone_altogether(rig):
    rig.want({"a": "192.0.2.1"}, secondaries=frozenset({"s1"}))
    rig.resolve_waiting()
    rig.delete()
    rig.resolve_waiting()
    assert (rig.core.model.zones, rig.core.model.replicas, rig.core.model.highest) == ({}, {}, {})
    assert rig.core.next_wake() is None


# -- 3, 4: small things


@pytest.mark.criterion(number="EN-3")
def test_3_the_cluster_name_is_never_empty():
    with pytest.raises(ValueError, match="cluster name"):
        Engine(EngineOptions(cluster=""))


@pytest.mark.criterion(number="EN-4")
def test_4_nothing_is_imported_twice():
    for file in ENGINE.glob("*.py"):
        tree = ast.parse(file.read_text())
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom | ast.Import)]
        names = Counter(alias.asname or alias.name for node in imports for alias in node.names)
        assert [name for name, count in names.items() if count > 1] == [], file


# -- 5: pods


def pods(*addresses):
    item = rrset(ZONE, "pods", "A", *addresses)
    return {item.key: DesiredRRset(item, pods=len(addresses))}


@pytest.mark.criterion(number="EN-5")
def test_5_pods_are_added_updated_and_deleted_through_the_engine(rig):
    base = wanted()
    rig.want(rrsets={**base.rrsets, **pods("192.0.2.10")})
    rig.resolve_waiting()
    assert rig.served("p1", "pods") == {"192.0.2.10"}
    rig.want(rrsets={**base.rrsets, **pods("192.0.2.10", "192.0.2.11")})
    rig.resolve_waiting()
    assert rig.served("p1", "pods") == {"192.0.2.10", "192.0.2.11"}
    rig.want(rrsets=base.rrsets)
    rig.resolve_waiting()
    assert rig.served("p1", "pods") == set()


# -- 6, 7: what the tests have to cover


class Memory:
    """A server in memory behind the real shell."""

    def __init__(self):
        self.ledger = Ledger(tainted={zone_name(f"z{number}.test") for number in range(50)} | {ZONE})
        self.server, self.lock = FakeServer(server_spec("p1"), self.ledger), threading.Lock()
        self.inside, self.most = 0, 0

    def carry_out(self, op, next_serial):
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        try:
            with self.lock:
                return self.server.carry_out(op, next_serial)
        finally:
            with self.lock:
                self.inside -= 1

    def close(self):
        pass


@pytest.fixture
def memory():
    return Memory()


@pytest.fixture
def engine(memory):
    one = Engine(EngineOptions("cluster", workers=4, per_server=3), connect=lambda spec: memory)
    one.set_server(memory.server.spec)
    one.start()
    yield one
    one.stop(timeout=60)


@pytest.mark.criterion(number="EN-6")
def test_6_tests_start_the_engine_and_look_at_its_state(engine):
    engine.want(wanted({"a": "192.0.2.1"}))
    assert eventually(lambda: engine.zone(REF).published)
    assert eventually(lambda: [entry["state"] for entry in engine.services({})] == ["created"])


@pytest.mark.criterion(number="EN-7.1")
def test_7_add_service(rig):
    rig.want()
    rig.resolve_waiting()
    assert rig.state() == "created"


@pytest.mark.criterion(number="EN-7.1")
def test_7_update_endpoints(rig):
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    rig.want({"a": "192.0.2.2"})
    rig.resolve_waiting()
    assert rig.served("p1", "a") == {"192.0.2.2"}


@pytest.mark.criterion(number="EN-7.1")
def test_7_delete_service(rig):
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    rig.delete()
    rig.resolve_waiting()
    assert rig.state() is None
    assert rig.servers["p1"].zones == {}


@pytest.mark.criterion(number="EN-7.1")
def test_7_on_service_creation_complete(rig):
    rig.want({"a": "192.0.2.1"})
    rig.finish()
    assert rig.state() == "creation_in_progress"
    rig.finish()
    assert rig.state() == "update_in_progress"


@pytest.mark.criterion(number="EN-7.1")
def test_7_check_pending_deletions(rig):
    rig.want({"a": "192.0.2.1"}, secondaries=frozenset({"s1"}))
    rig.resolve_waiting()
    rig.delete()
    assert rig.state() == "deletion_pending"
    rig.finish()
    assert rig.state() == "deletion_in_progress"


@pytest.mark.criterion(number="EN-7.2")
def test_7_parallel_execution_keeps_to_its_semaphore(engine, memory):
    refs = [ZoneRef(zone_name(f"z{number}.test"), f"uid-z{number}") for number in range(50)]
    for ref in refs:
        engine.want(wanted(zone=ref.zone, ref=ref, config=ZoneConfig(soa(ref.zone))))
    assert eventually(lambda: all(engine.zone(ref).published for ref in refs))
    assert 1 <= memory.most <= 3


@pytest.mark.criterion(number="EN-7.2")
def test_7_retries_go_on_for_ever_with_growing_pauses(rig):
    rig.want()
    pauses = []
    for _ in range(8):
        rig.fail()
        pauses.append(rig.failures()[-1].retry_in)
        rig.advance(pauses[-1])
    assert pauses == sorted(pauses)
    rig.resolve_waiting()
    assert rig.zone().published


@pytest.mark.criterion(number="EN-7.2")
def test_7_an_error_in_one_location_does_not_block_the_others(rig):
    rig.want({"a": "192.0.2.1", "bad": BAD, "c": "192.0.2.3"})
    rig.resolve_waiting()
    assert rig.outcome("a").ready
    assert rig.outcome("c").ready
    assert rig.outcome("bad").state is RecordState.FAILED


@pytest.mark.criterion(number="EN-7.3")
def test_7_locations_are_synced_by_difference(rig):
    rig.want({"a": "192.0.2.1", "b": "192.0.2.2"})
    rig.resolve_waiting()
    rig.want({"a": "192.0.2.1", "b": "192.0.2.3"})
    rig.resolve_waiting()
    changes = rig.sent[-1].payload.changes
    assert [str(change.key) for change in changes] == ["b.example.org. A"]


@pytest.mark.criterion(number="EN-7.4")
def test_7_concurrent_add_update_and_delete_end_as_the_last_word_says(engine, memory):
    refs = [ZoneRef(zone_name(f"z{number}.test"), f"uid-z{number}") for number in range(12)]

    def work(ref, keep):
        for value in range(1, 20):
            engine.want(wanted({"a": f"192.0.2.{value}"}, zone=ref.zone, ref=ref, config=ZoneConfig(soa(ref.zone))))
        if not keep:
            engine.delete(ZoneGone(ref))

    threads = [threading.Thread(target=work, args=(ref, number % 2)) for number, ref in enumerate(refs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept, gone = refs[1::2], refs[::2]
    assert eventually(lambda: all(engine.zone(ref).published for ref in kept))
    assert eventually(lambda: all(engine.zone(ref) is None for ref in gone))
    assert set(memory.server.zones) == {ref.zone for ref in kept}
    for ref in kept:
        key = rrset(ref.zone, "a", "A", "192.0.2.1").key
        assert memory.server.zones[ref.zone].records[key] == rrset(ref.zone, "a", "A", "192.0.2.19")


@pytest.mark.criterion(number="EN-7.5")
def test_7_endpoints_that_arrive_before_the_service_is_created_are_buffered(rig):
    rig.want({"a": "192.0.2.1"})
    assert debug.buffered(rig.core.model, {}, rig.now)[0]["count"] == 3
    rig.resolve_waiting()
    assert debug.buffered(rig.core.model, {}, rig.now) == []
    assert rig.served("p1", "a") == {"192.0.2.1"}


@pytest.mark.criterion(number="EN-7.5")
def test_7_endpoints_and_deletes_that_arrive_during_creation_are_not_lost(rig):
    rig.want()
    rig.finish()
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    assert rig.served("p1", "a") == {"192.0.2.1"}
    rig.delete()
    rig.resolve_waiting()
    other = Rig()
    other.want()
    other.finish()
    other.delete()
    other.resolve_waiting()
    assert other.servers["p1"].zones == {}
    assert other.core.zone(REF) is None


# -- 8: metrics


@pytest.mark.criterion(number="EN-8")
@pytest.mark.parametrize(
    "name",
    [
        "engine_service_operations_total",
        "engine_service_operation_duration_seconds",
        "engine_pending_service_operations",
        "engine_buffered_endpoints_total",
        "engine_buffered_pods_total",
        "engine_buffer_duration_seconds",
        "engine_locations_sync_total",
        "engine_locations_sync_duration_seconds",
        "engine_location_addresses_synced",
        "engine_operation_retries_total",
    ],
)
def test_8_metric(rig, name):
    metrics = EngineMetrics(lambda: debug.gauges(rig.core.model))
    registry = CollectorRegistry(auto_describe=False)
    registry.register(metrics)
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    for effect in rig.effects:
        metrics.note(effect)
    lines = [line for line in generate_latest(registry).decode().splitlines() if line.startswith(name)]
    assert lines


# -- 9: documentation


@pytest.mark.parametrize(
    "what",
    [
        pytest.param("flowchart", marks=pytest.mark.criterion(number="EN-9.1")),
        pytest.param("stateDiagram-v2", marks=pytest.mark.criterion(number="EN-9.2")),
        pytest.param("### A zone is created", marks=pytest.mark.criterion(number="EN-9.3")),
        pytest.param("### A zone is deleted", marks=pytest.mark.criterion(number="EN-9.3")),
        pytest.param("buffered", marks=pytest.mark.criterion(number="EN-9.4")),
        pytest.param("Coming from one update per", marks=pytest.mark.criterion(number="EN-9.5")),
    ],
)
def test_9_the_documentation_has(what):
    assert what in PAGE.read_text()


@pytest.mark.criterion(number="EN-9.2")
def test_9_the_state_diagram_is_that_of_the_code():
    assert mermaid() in PAGE.read_text()


# -- 11: shutdown


@pytest.mark.criterion(number="EN-11")
def test_11_a_drain_waits_for_what_is_in_flight(memory):
    engine = Engine(EngineOptions("cluster"), connect=lambda spec: memory)
    engine.set_server(memory.server.spec)
    engine.start()
    engine.want(wanted({"a": "192.0.2.1"}))
    assert engine.stop(timeout=60) is True
    assert memory.inside == 0
    assert all(entry["op"] is None for entry in engine.services({}))


@pytest.mark.criterion(number="EN-11")
def test_11_what_was_pending_is_resumed_after_a_restart_without_a_second_creation(rig):
    rig.want({"a": "192.0.2.1"})
    rig.finish()
    rig.servers["p1"].carry_out(rig.next_op(), lambda: 1)  # created, and the operator dies before it hears of it
    again = Rig(limits=Limits(workers=2))
    again.servers = rig.servers
    again.want({"a": "192.0.2.1"})
    again.resolve_waiting()
    assert "create" not in again.kinds()
    assert again.served("p1", "a") == {"192.0.2.1"}


# -- 12: observability


@pytest.mark.criterion(number="EN-12.1")
def test_12_log_lines_are_structured(engine, caplog):
    caplog.set_level("DEBUG", logger="reconcilers.engine.engine")
    engine.want(wanted({"a": "192.0.2.1"}, correlation="reconcile-9"))
    assert eventually(lambda: engine.zone(REF).published)
    engine.stop(timeout=60)
    done = [line.fields for line in caplog.records if line.getMessage() == "operation done"]
    assert all(
        {"uid", "key", "operation", "state", "duration", "op_id", "attempt", "error"} <= set(each) for each in done
    )


@pytest.mark.criterion(number="EN-12.2")
def test_12_the_reconcile_that_caused_an_operation_can_be_traced(rig):
    rig.want({"a": "192.0.2.1"}, correlation="reconcile-9")
    rig.resolve_waiting()
    finished = [effect for effect in rig.effects if isinstance(effect, Finished)]
    assert {effect.op.correlation for effect in finished} == {"reconcile-9"}


@pytest.mark.criterion(number="EN-12.3")
def test_12_debug_pages_show_services_and_what_is_buffered(rig):
    rig.want({"a": "192.0.2.1"})
    services = debug.services(rig.core.model, {"key": f"p1:{ZONE}"}, rig.now)
    buffered = debug.buffered(rig.core.model, {"key": str(ZONE)}, rig.now)
    assert json.loads(json.dumps(services))[0]["op"]["kind"] == OpKind.OBSERVE.value
    assert json.loads(json.dumps(buffered))[0]["count"] == 3
