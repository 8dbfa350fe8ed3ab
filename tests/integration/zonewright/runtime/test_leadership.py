"""Two managers, one lease, and an API server that hangs: at no moment may both write.

Each manager talks through a proxy of its own that can stop forwarding without closing anything, which is what a dead
network or a stuck API server looks like. What counts is what the API server stored, in the order it stored it.
"""

import dataclasses
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import pytest

from zonewright import Client, Config, Kind, Manager, ManagerOptions, Request, Result
from zonewright.cache.informers import InformerSet
from zonewright.envtest.cluster import Cluster
from zonewright.manager.leader import LeaseOptions
from zonewright.testing import eventually

CONFIG_MAP: Kind[dict] = Kind("", "v1", "ConfigMap", "configmaps")
LEDGER = "ledger"
# A renewal that comes late on a busy machine must not lose the lease, and the margins must be as long as in earnest,
# because they are what the tests are about: the last fifth of the time between deadline and end is one second.
TIMING = {"lease_duration": 10.0, "renew_deadline": 5.0, "retry_period": 0.25}


class HangingProxy:
    """Forwards bytes, until told to hang. What is in it then stays in it, as in a network that stopped."""

    def __init__(self, server: str) -> None:
        target = urlsplit(server)
        self._target = (target.hostname, target.port)
        self._flowing = threading.Event()
        self._flowing.set()
        self.held: list[bytes] = []  # what came while it hung
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.server = f"{target.scheme}://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def hang(self) -> None:
        self._flowing.clear()

    def resume(self) -> None:
        self._flowing.set()

    def sever(self) -> None:
        """What the kernel does for a process that ends: its connections are gone, with what was still in them."""
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()
        self.sever()
        self.resume()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                upstream = socket.create_connection(self._target)
                self._sockets += (client, upstream)
                for source, sink in ((client, upstream), (upstream, client)):
                    threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not self._flowing.is_set():
                    self.held.append(data)
                self._flowing.wait()
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)


class Replica:
    """A manager whose reconciler writes its name into the ledger, over and over."""

    def __init__(self, name: str, config: Config, namespace: str, timing: Mapping[str, float]) -> None:
        self.name = name
        self.sent: list[float] = []
        self.exits: list[tuple[float, int]] = []
        self.proxy = HangingProxy(config.server)
        lease = LeaseOptions(namespace, "leader", name, **timing)
        self.manager = Manager(
            dataclasses.replace(config, server=self.proxy.server),
            ManagerOptions(namespace=namespace, leader_election=lease, drain_timeout=1.0),
            exit_process=self._exit,
        )
        self.manager.client.fence = self._fence
        self.builder = self.manager.controller("ledger", self, workers=2).for_(CONFIG_MAP)

    def reconcile(self, request: Request) -> Result | None:
        if request.name != LEDGER:
            return None
        body = {"data": {"writer": self.name, "n": str(len(self.sent))}}
        self.manager.client.patch(CONFIG_MAP, LEDGER, body, namespace=request.namespace)
        return Result(requeue_after=0.01)

    def _fence(self) -> None:
        """The last thing before a write is sent."""
        now = time.monotonic()  # before the check: a thread that is held up after it did not check any later
        self.manager.fence.check()
        self.sent.append(now)

    def _exit(self, code: int) -> None:
        exited = time.monotonic()
        self.proxy.sever()
        self.exits.append((exited, code))

    def close(self) -> None:
        self.proxy.close()
        self.manager.stop()


class History:
    """Who wrote the ledger, in the order in which the API server stored it."""

    def __init__(self, config: Config, namespace: str) -> None:
        self.writers: list[str] = []
        self.informers = InformerSet(Client.from_config(config), namespace=namespace)
        self.informers.informer(CONFIG_MAP).add_handler(self._saw)
        self.informers.start()

    def _saw(self, _old, new, _initial) -> None:
        if new is not None and new.name == LEDGER:
            self.writers.append(new.fields().get("data", {}).get("writer", ""))

    def goes_on(self, writer: str) -> None:
        """Wait until it holds a good number of further writes."""
        seen = self.writers.count(writer)
        eventually(lambda: self.writers.count(writer) > seen + 20, what=f"further writes by {writer}")

    def changes(self) -> list[str]:
        """Without repetitions: ["", "a", "b"] is one hand-over."""
        seen = self.writers[:]
        return [writer for at, writer in enumerate(seen) if at == 0 or seen[at - 1] != writer]


class World:
    def __init__(self, stack: ExitStack, cluster: Cluster, namespace: str, timing: Mapping[str, float]) -> None:
        config = Config.load(cluster.kubeconfig)
        cluster.create(f"/api/v1/namespaces/{namespace}/configmaps", {"metadata": {"name": LEDGER}})
        self.history = History(config, namespace)
        stack.callback(self.history.informers.stop)
        self.a, self.b = (Replica(name, config, namespace, timing) for name in "ab")
        for replica in (self.a, self.b):
            stack.callback(replica.close)
        self.a.manager.start()
        assert self.a.manager.wait_until_working(120)
        self.b.manager.start()
        eventually(lambda: self.b.manager.elector is not None and self.b.manager.elector.holder == "a")
        eventually(lambda: len(self.a.sent) > 5)


@pytest.fixture
def make_world(cluster: Cluster, namespace: str) -> Iterator[Callable[..., World]]:
    with ExitStack() as stack:
        yield lambda **timing: World(stack, cluster, namespace, {**TIMING, **timing})


@pytest.mark.slow
def test_hung_api_gives_up_lease_before_it_can_be_taken_over(make_world):
    world = make_world()
    a, b = world.a, world.b
    hung_at = time.monotonic()
    a.proxy.hang()
    eventually(lambda: a.manager.lost)
    assert not a.manager.fence.is_open
    eventually(lambda: b.sent)
    assert a.sent[-1] < hung_at + 5, "nothing is sent a renew deadline after the last renewal"
    assert a.manager.elector.expires - a.sent[-1] > 5, "what was sent last has the whole margin to arrive or to fail"
    assert b.sent[0] >= a.manager.elector.expires

    # Its workers hang in a request that nobody answers: the process ends before another one may lead.
    ((exited, code),) = eventually(lambda: a.exits)
    assert code == 1
    assert exited < b.sent[0]

    a.proxy.resume()
    world.history.goes_on("b")
    assert world.history.changes() == ["", "a", "b"], "what was stuck in the network did not overtake the new leader"


@pytest.mark.slow
def test_hung_api_gives_up_lease_and_two_managers_never_both_write(make_world):
    world = make_world()
    a, b = world.a, world.b
    a.proxy.hang()
    b.proxy.hang()
    eventually(lambda: a.exits)
    # By its own clock the standby may lead a lease after it has seen the last renewal.
    eventually(lambda: time.monotonic() > a.manager.elector.expires + 1, what="the end of the lease")
    assert b.sent == [], "who cannot reach the API server cannot know that the lease is free"
    b.proxy.resume()
    eventually(lambda: b.sent)
    a.proxy.resume()
    assert a.sent[-1] < b.sent[0]
    world.history.goes_on("b")
    assert world.history.changes() == ["", "a", "b"]


def test_hung_api_gives_up_lease_only_after_the_deadline(make_world):
    world = make_world(lease_duration=120.0, renew_deadline=90.0)
    world.a.proxy.hang()
    # A write and a renewal: a hiccup that both feel, shorter than the renew deadline.
    eventually(lambda: len(world.a.proxy.held) >= 2, what="requests that hang")
    world.a.proxy.resume()
    world.history.goes_on("a")
    assert not world.a.manager.lost
    assert world.b.sent == []


def test_a_lost_lease_ends_the_process_with_an_error(make_world):
    world = make_world(lease_duration=120.0, renew_deadline=3.0)
    world.b.manager.stop()
    world.a.proxy.hang()
    eventually(world.a.manager._ending.is_set)
    world.a.proxy.sever()  # so that nothing is left to wait for
    world.a.manager.stop()
    assert world.a.manager.lost
    assert world.a.manager._exit_code == 1
    assert world.a.exits == []
