"""The engine: threads around the core, on servers in memory. No sockets, no sleeps."""

import gc
import threading
from functools import partial

import pytest

from reconcilers.engine import Engine, EngineOptions, Role, ServerSpec, ZoneGone, ZoneRef
from reconcilers.engine.api import Bindcar, StatusChange, ZoneConfig
from reconcilers.engine.core.core import Core
from reconcilers.engine.core.protocol import Failed, OpKind
from reconcilers.reasons import Reason
from tests.support.engine_rig import REF, record, wanted
from tests.support.engine_world import FakeServer, Ledger, server_spec, soa, zone_name
from zonewright.api.errors import FencedOff
from zonewright.testing import eventually


class Anything(set):
    """Every zone may hold anything: these tests are not about contents."""

    def __contains__(self, item):
        return True


class Memory:
    """Connections to one server in memory; `gate` can hold every operation back."""

    def __init__(self, server):
        self.server, self.lock = server, threading.Lock()
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Event()
        self.seen, self.remember = [], True

    def carry_out(self, op, next_serial):
        self.entered.set()
        self.gate.wait(60)
        with self.lock:
            if self.remember:
                self.seen.append(op)
            return self.server.carry_out(op, next_serial)

    def close(self):
        pass


class Listener:
    def __init__(self, engine):
        self.changes, self.condition = [], threading.Condition()
        engine.register_status_callback(self)

    def __call__(self, change):
        with self.condition:
            self.changes.append(change)
            self.condition.notify_all()

    def wait(self, check):
        with self.condition:
            assert self.condition.wait_for(check, 120)


@pytest.fixture
def memory():
    return Memory(FakeServer(server_spec("p1"), Ledger(tainted=Anything())))


@pytest.fixture
def make(memory):
    made = []

    def engine(**options):
        one = Engine(EngineOptions("cluster", backoff_base=0.01), connect=lambda spec: memory, **options)
        one.set_server(memory.server.spec)
        made.append(one)
        return one

    yield engine
    memory.gate.set()
    for one in made:
        one.stop(timeout=60)


def published(engine):
    return lambda: (status := engine.zone(REF)) is not None and status.published


def test_what_was_wanted_before_the_start_is_done_after_it(make):
    engine = make()
    listener = Listener(engine)
    engine.want(wanted({"a": "192.0.2.1"}, correlation="r-17"))
    assert engine.record(REF, record("a")).reason == "ZoneNotReady"
    engine.start()
    listener.wait(published(engine))
    assert engine.record(REF, record("a")).ready
    assert {change.correlation for change in listener.changes} == {"r-17"}


def test_a_callback_that_raises_harms_nobody(make):
    engine = make()

    def broken(change):
        raise RuntimeError("a fault")

    engine.register_status_callback(broken)
    listener = Listener(engine)
    engine.start()
    engine.want(wanted())
    listener.wait(published(engine))
    assert engine.metrics._callback_failures > 0


def test_a_callback_can_be_taken_away(make):
    engine = make()
    heard: list[StatusChange] = []
    forget = engine.register_status_callback(heard.append)
    forget()
    listener = Listener(engine)
    engine.start()
    engine.want(wanted())
    listener.wait(published(engine))
    assert heard == []


def test_a_drain_lets_what_is_in_flight_finish_and_starts_nothing_new(make, memory):
    engine = make()
    listener = Listener(engine)
    memory.gate.clear()
    engine.start()
    engine.want(wanted({"a": "192.0.2.1"}))
    assert memory.entered.wait(60)
    stopped = []
    stopper = threading.Thread(target=lambda: stopped.append(engine.stop(timeout=60)))
    stopper.start()
    eventually(lambda: engine._core.draining, what="the beginning of the drain")
    memory.gate.set()
    stopper.join(60)
    assert stopped == [True]
    assert [op.kind for op in memory.seen] == [OpKind.OBSERVE]
    assert listener.changes


def test_a_drain_that_takes_too_long_says_so(make, memory):
    engine = make()
    memory.gate.clear()
    engine.start()
    engine.want(wanted())
    assert memory.entered.wait(60)
    assert engine.stop(timeout=0.01) is False


def test_without_the_lease_nothing_is_written(make, memory):
    def fence():
        raise FencedOff("this process does not hold the leader lease")

    engine = make(fence=fence)
    listener = Listener(engine)
    engine.start()
    engine.want(wanted())
    listener.wait(lambda: engine.zone(REF).servers[0].reason is Reason.PROGRESSING)
    assert {op.kind for op in memory.seen} == {OpKind.OBSERVE}


def test_every_thread_survives_a_defect_and_the_next_poll_looks_again(memory, monkeypatch):
    aftermath, struck = Core._aftermath, threading.Event()

    def strike(self, replica, op, changed):
        if not struck.is_set():
            struck.set()
            raise RecursionError("nested too deep")
        aftermath(self, replica, op, changed)

    monkeypatch.setattr(Core, "_aftermath", strike)
    engine = Engine(EngineOptions("cluster", workers=1, poll_interval=0.05), connect=lambda spec: memory)
    engine.set_server(memory.server.spec)
    engine.start()
    engine.want(wanted({"a": "192.0.2.1"}))
    assert struck.wait(60)
    eventually(published(engine), what="the zone")
    assert engine.complaint() is None
    assert engine.stop(timeout=60)


def test_a_thread_that_has_ended_is_told(make):
    engine = make()
    engine.start()
    assert engine.complaint() is None
    engine._work.put(None)  # what only `stop` does
    eventually(lambda: engine.complaint() is not None, what="a complaint")
    assert "threads have ended: engine-" in str(engine.complaint())


def test_nothing_is_created_for_an_object_that_is_not_live(make, memory):
    asked = threading.Event()

    def live(ref):
        asked.set()
        return False

    engine = make(live=live)
    engine.start()
    engine.want(wanted())
    assert asked.wait(60)
    assert engine.stop(timeout=60)
    assert {op.kind for op in memory.seen} == {OpKind.OBSERVE}


def test_a_fault_in_an_operation_is_retried(make, memory, monkeypatch):
    engine = make()
    faults = iter([ZeroDivisionError("a bug")])
    original = memory.server.carry_out

    def faulty(op, next_serial):
        for fault in faults:
            raise fault
        return original(op, next_serial)

    monkeypatch.setattr(memory.server, "carry_out", faulty)
    listener = Listener(engine)
    engine.start()
    engine.want(wanted())
    listener.wait(published(engine))


def test_log_lines_carry_the_fields_that_people_search_for(make, caplog):
    caplog.set_level("DEBUG", logger="reconcilers.engine.engine")
    engine = make()
    listener = Listener(engine)
    engine.start()
    engine.want(wanted({"a": "192.0.2.1"}, correlation="r-17"))
    listener.wait(published(engine))
    engine.stop(timeout=60)
    expected = {"uid", "key", "operation", "state", "from", "to", "op_id", "attempt", "duration", "error", "reconcile"}
    lines = [line for line in caplog.records if line.name == "reconcilers.engine.engine"]
    assert lines
    assert all(expected <= line.fields.keys() for line in lines)
    done = [line.fields for line in lines if line.getMessage() == "operation done"]
    assert {fields["operation"] for fields in done} >= {"create", "sync"}
    assert {fields["reconcile"] for fields in done} == {"r-17"}


def test_a_cluster_name_is_required():
    with pytest.raises(ValueError, match="cluster name"):
        Engine(EngineOptions(""))


def test_a_server_description_prints_no_secret():
    spec = ServerSpec("p1", Role.PRIMARY, "127.0.0.1", bindcar=Bindcar("http://127.0.0.1:8080", "hunter2"))
    assert "hunter2" not in repr(spec)


def are_published(engine, refs):
    return all(engine.zone(ref).published for ref in refs)


def are_gone(engine, refs):
    return all(engine.zone(ref) is None for ref in refs)


def told(engine):
    """Wait until the callbacks have heard everything."""
    heard = threading.Event()
    engine._mail.put(heard)
    assert heard.wait(60)


def test_content_is_what_was_read_last(make, memory):
    engine = make()
    assert engine.content(REF) is None
    assert engine.reads(REF) is None
    engine.start()
    engine.want(wanted({"a": "192.0.2.1"}))
    eventually(published(engine))
    content = engine.content(REF)
    assert content.known
    assert content.reads == engine.reads(REF)
    assert content.primaries["p1"] == memory.server.zones[REF.zone].records
    engine.stop(60)


def test_hundreds_of_zones_come_and_go_three_times_and_leave_nothing(make, memory):
    memory.remember = False
    engine = make()
    listener = Listener(engine)
    engine.start()
    sizes = []
    for number in range(3):
        names = [zone_name(f"z{zone}.test") for zone in range(400)]
        refs = [ZoneRef(name, f"{number}-{name}") for name in names]
        for ref in refs:
            engine.want(wanted(zone=ref.zone, ref=ref, config=ZoneConfig(soa(ref.zone))))
        eventually(partial(are_published, engine, refs))
        for ref in refs:
            engine.delete(ZoneGone(ref))
        eventually(partial(are_gone, engine, refs))
        told(engine)
        listener.changes.clear()
        memory.server.ledger.last_held.clear()
        gc.collect()
        sizes.append(len(gc.get_objects()))
    assert engine.services({}) == []
    assert engine.buffered({}) == []
    states, endpoints, pods = engine._snapshot_gauges()
    assert (set(states.values()), endpoints, pods) == ({0}, 0, 0)
    # Flat: a leak of one object per zone would show as 400 more each time.
    assert sizes[2] - sizes[1] < 400, sizes


def test_a_failure_is_what_status_says(make, memory, monkeypatch):
    monkeypatch.setattr(
        memory.server, "carry_out", lambda op, _: Failed(Reason.TSIG_VERIFICATION_FAILED, "BADKEY", ambiguous=False)
    )
    engine = make()
    listener = Listener(engine)
    engine.start()
    engine.want(wanted({"a": "192.0.2.1"}))
    listener.wait(lambda: engine.record(REF, record("a")).reason == "TsigVerificationFailed")


def test_nothing_lost_the_zone_of_an_object_that_the_engine_does_not_know_yet_is_left_alone(make, memory):
    """After a start the zone objects come one by one: who comes first must not delete the zones of the others."""
    before = make()
    listener = Listener(before)
    before.start()
    before.want(wanted())
    listener.wait(published(before))
    assert before.stop(timeout=60)
    memory.seen.clear()
    other = REF._replace(uid="uid-2", name="another")
    engine = make(find={REF.uid: "default/example-org"}.get)
    listener = Listener(engine)
    engine.start()
    engine.want(wanted(ref=other))
    listener.wait(lambda: any(each.reason or each.in_sync for each in engine.zone(other).servers))
    (server,) = engine.zone(other).servers
    assert server.reason == Reason.CONFLICT
    assert "for DNSZone default/example-org; it is left alone" in server.message
    assert engine.stop(timeout=60)
    assert {op.kind for op in memory.seen} == {OpKind.OBSERVE}
    assert memory.server.zones[REF.zone].owner == REF.uid
