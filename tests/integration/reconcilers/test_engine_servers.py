"""Several primaries and a secondary that die, come back, come back empty: one serial = one content, on every server
(S15).
"""

import itertools
import threading
import time

import pytest

from reconcilers.ddns import DnsError
from reconcilers.engine import ClaimState
from reconcilers.reasons import Reason
from tests.support.ddns import client_of
from tests.support.engine_stage import Stage, spec_of
from zonewright.testing import eventually

_numbers = itertools.count(1)


@pytest.fixture
def servers(named):
    return named("primary"), named("primary"), named("secondary")


@pytest.fixture
def stage(servers, request):
    made = Stage(**getattr(request, "param", {}))
    made.add(*servers)
    made.engine.start()
    yield made
    made.engine.stop(timeout=60)


@pytest.fixture
def wish(stage, servers):
    first, second, secondary = servers
    return stage.wish(f"s{next(_numbers)}.test", [first, second], [secondary])


class Watcher(threading.Thread):
    """Asks the secondary for a name all the time, and notes when it is served although the engine says "in sync
    without".
    """

    def __init__(self, wish, secondary, label):
        super().__init__(daemon=True)
        self.wish, self.secondary, self.label = wish, secondary, label
        self.stopped = threading.Event()
        self.lies = []

    def in_sync(self):
        status = self.wish.status
        return status is not None and any(each.name == self.secondary.name and each.in_sync for each in status.servers)

    def run(self):
        while not self.stopped.is_set():
            # In sync before and after the question, with the same serial: then the answer must be the wanted one.
            before = self.wish.status
            if self.in_sync():
                try:
                    served = self.wish.served(self.secondary, self.label)
                except DnsError:
                    continue
                after = self.wish.status
                if served and self.in_sync() and before.serial == after.serial:
                    self.lies.append((before.serial, served))
            self.stopped.wait(0.005)

    def stop(self):
        self.stopped.set()
        self.join(60)


def all_equal(wish, servers):
    contents = {wish.content(server) for server in servers}
    assert len(contents) == 1, contents
    return contents.pop()


def test_two_primaries_one_dies(wish, stage, servers):
    """Batches differ, one primary dies and returns empty: all copies end equal, and no secondary lies meanwhile."""
    first, second, secondary = servers
    for number in range(20):
        wish.put(f"h{number}", "192.0.2.1")
    wish.put("doomed", "192.0.2.66").install()
    wish.wait_propagated()
    all_equal(wish, servers)

    second.kill()
    wish.drop("doomed").put("later", "192.0.2.2").install()
    wish.wait_served(first, "doomed")
    wish.wait_served(secondary, "doomed")
    watcher = Watcher(wish, secondary, "doomed")
    watcher.start()
    for number in range(10):  # batches that the dead one misses, one by one
        wish.put(f"h{number}", f"192.0.2.{number + 10}").install()
        wish.wait_served(first, f"h{number}", f"192.0.2.{number + 10}")
    second.restart(empty=True)
    wish.put("after", "192.0.2.3").install()
    status = wish.wait_propagated()
    watcher.stop()

    serial, content = all_equal(wish, servers)
    assert serial == status.serial
    assert wish.rrset("doomed", "A", "192.0.2.66") not in content
    assert watcher.lies == []


def test_two_primaries_one_dies_and_returns_with_its_old_data(wish, stage, servers):
    first, second, _ = servers
    wish.put("www", "192.0.2.1").put("doomed", "192.0.2.66").install()
    wish.wait_propagated()
    second.kill()
    wish.drop("doomed").put("www", "192.0.2.2").install()
    wish.wait_served(first, "www", "192.0.2.2")
    wish.wait_outcome("doomed", waiting_for=(second.name,))
    second.restart()
    wish.wait_propagated()
    _, content = all_equal(wish, servers)
    assert wish.rrset("doomed", "A", "192.0.2.66") not in content
    assert wish.outcome("doomed").state == "gone"


def test_a_restarted_empty_primary_is_filled_before_it_is_in_sync(wish, stage, servers):
    wish.put("www", "192.0.2.1").install()
    before = wish.wait_propagated().serial
    servers[0].restart(empty=True)
    stage.engine.set_server(spec_of(servers[0], incarnation="2"))
    status = wish.wait_propagated()
    assert status.serial == before, "the content did not change, so neither did its serial"
    all_equal(wish, servers)


def test_a_zone_larger_than_one_message_has_one_serial_in_the_end(wish, servers):
    for number in range(1200):
        wish.put(f"h{number}", f"198.51.100.{number % 250}")
    wish.install()
    wish.wait_propagated()
    wish.records = dict.fromkeys(wish.records, ("203.0.113.9",))
    wish.install()
    status = wish.wait_propagated()
    serial, content = all_equal(wish, servers)
    assert serial == status.serial
    assert len(content) == 1202


def test_a_dead_primary_is_the_zones_trouble_and_only_pending_records_hear_of_it(wish, stage, servers):
    for number in range(30):
        wish.put(f"h{number}", "192.0.2.1")
    wish.install()
    wish.wait_propagated()
    stage.wait_quiet()
    with stage.lock:
        stage.changes.clear()
    servers[1].kill()
    stage.poll(wish)
    failed = lambda: [each for each in wish.status.servers if each.state is ClaimState.FAILED]  # noqa: E731
    assert eventually(failed)[0].reason == "ServerUnreachable"
    wish.put("h3", "192.0.2.3").install()
    wish.wait_outcome("h3", reason=Reason.SERVER_UNREACHABLE)
    with stage.lock:
        heard = {ref for change in stage.changes for ref in change.records}
    assert heard <= {wish.object("h3")}
    stage.engine.set_server(spec_of(servers[1], ready=False))
    wish.wait_ready("h3")


def test_a_secondary_that_lost_its_replica_is_created_again(wish, stage, servers):
    wish.put("www", "192.0.2.1").install()
    wish.wait_propagated()
    servers[2].restart(empty=True)
    wish.wait_served(servers[2], "www", "192.0.2.1")
    wish.wait_propagated()


@pytest.mark.parametrize("stage", [{"timeout": 1.0}], indirect=True)
def test_a_server_that_is_frozen_is_looked_at_again_when_it_thaws(wish, stage, servers):
    wish.put("www", "192.0.2.1").install()
    wish.wait_propagated()
    servers[1].pause()
    wish.put("www", "192.0.2.2").install()
    wish.wait_outcome("www", reason=Reason.SERVER_UNREACHABLE)
    servers[1].resume()
    wish.wait_ready("www")
    wish.wait_propagated()
    all_equal(wish, servers)


def test_draining_leaves_nothing_in_doubt(wish, stage, servers):
    for number in range(300):
        wish.put(f"h{number}", "192.0.2.1")
    wish.install()
    assert stage.engine.stop(timeout=120) is True
    again = Stage()
    again.add(*servers)
    again.engine.start()
    wish.stage = again
    try:
        wish.install()
        wish.wait_propagated()
        all_equal(wish, servers)
    finally:
        again.engine.stop()


def test_the_serial_is_ahead_of_a_secondary_that_knows_a_higher_one(wish, stage, servers):
    """All primaries came back empty and the operator forgot: the secondary's serial is still superseded."""
    wish.serial_floor = int(time.time()) + 1000  # far ahead of the clock, or a slow restart would catch up with it
    wish.put("www", "192.0.2.1").install()
    high = wish.wait_propagated().serial
    wish.serial_floor = 0
    stage.engine.stop(timeout=60)
    for server in servers[:2]:
        server.restart(empty=True)
    again = Stage()
    again.add(*servers)
    again.engine.start()
    wish.stage = again
    try:
        wish.put("www", "192.0.2.9").install()
        assert wish.wait_propagated().serial > high
        assert wish.served(servers[2], "www") == {"192.0.2.9"}
        with client_of(servers[2]) as client:
            assert client.soa(wish.zone).serial == wish.status.serial
    finally:
        again.engine.stop()
