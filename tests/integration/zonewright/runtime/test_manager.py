"""A manager on a real API server: start and stop order, standby, health, metrics, debugging, events."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from zonewright import Config, Kind, Manager, ManagerOptions, Request, Result
from zonewright.controller.workqueue import LOW_PRIORITY
from zonewright.envtest.cluster import Cluster
from zonewright.manager.leader import LeaseOptions
from zonewright.testing import eventually

CONFIG_MAP: Kind[dict] = Kind("", "v1", "ConfigMap", "configmaps")
SECRET: Kind[dict] = Kind("", "v1", "Secret", "secrets")


class Recorder:
    """Remembers what it was asked to reconcile."""

    def __init__(self, behaviour: Callable[[Request], Result | None] = lambda _: None) -> None:
        self.seen: list[str] = []
        self.behaviour = behaviour

    def reconcile(self, request: Request) -> Result | None:
        self.seen.append(request.name)
        return self.behaviour(request)


@pytest.fixture
def config(cluster: Cluster) -> Config:
    return Config.load(cluster.kubeconfig)


@pytest.fixture
def managers(config: Config, namespace: str) -> Iterator[Callable[..., Manager]]:
    """Makes managers that watch the test's namespace and are stopped at its end."""
    with ExitStack() as stack:

        def make(**options: Any) -> Manager:
            manager = Manager(config, ManagerOptions(namespace=namespace, **options), exit_process=exits.append)
            stack.callback(manager.stop)
            return manager

        exits: list[int] = []
        yield make
    assert exits == [], "no test but those of a lost lease may end the process"


@pytest.fixture
def maps(cluster: Cluster, namespace: str) -> str:
    return f"/api/v1/namespaces/{namespace}/configmaps"


def config_map(name: str, **data: str) -> dict:
    return {"metadata": {"name": name}, "data": data}


def fetch(manager: Manager, path: str) -> tuple[int, str]:
    assert manager.http is not None
    url = f"http://127.0.0.1:{manager.http.port}{path}"
    try:
        with urllib.request.urlopen(url, timeout=60) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_objects_that_exist_and_that_appear_are_reconciled(cluster, managers, maps):
    cluster.create(maps, config_map("before"))
    recorder, manager = Recorder(), managers()
    manager.controller("maps", recorder, workers=2).for_(CONFIG_MAP)
    manager.start()
    assert manager.wait_until_working(120)
    eventually(lambda: "before" in recorder.seen)
    cluster.create(maps, config_map("after"))
    eventually(lambda: "after" in recorder.seen)


def test_workers_wait_until_every_handler_has_had_every_object(cluster, managers, maps):
    for number in range(20):
        cluster.create(maps, config_map(f"m{number}"))
    known: list[int] = []
    manager = managers()
    manager.controller(
        "maps", Recorder(lambda _: known.append(len(manager.informer(CONFIG_MAP).objects()))), workers=1
    ).for_(CONFIG_MAP)
    manager.start()
    eventually(lambda: len(known) >= 20)
    assert min(known) >= 20


def test_a_resync_reconciles_everything_again(cluster, managers, maps):
    cluster.create(maps, config_map("steady"))
    recorder, manager = Recorder(), managers(resync=0.05)
    manager.controller("maps", recorder).for_(CONFIG_MAP)
    manager.start()
    eventually(lambda: recorder.seen.count("steady") >= 3)


def test_a_reconciler_reads_its_own_writes(cluster, managers, maps, namespace):
    cluster.create(maps, config_map("counter", n="0"))
    read: list[str] = []

    def reconcile(request: Request) -> None:
        if request.name == "counter" and not read:
            client, cache = manager.client, manager.informer(CONFIG_MAP)
            client.patch(CONFIG_MAP, "counter", {"data": {"n": "1"}}, namespace=namespace)
            found = cache.get(request)
            assert found is not None
            read.append(found["data"]["n"])

    manager = managers()
    manager.controller("maps", Recorder(reconcile)).for_(CONFIG_MAP)
    manager.start()
    eventually(lambda: read)
    assert read == ["1"]


def test_stop_drains_what_is_due_and_stops_runnables_after_the_workers(cluster, managers, maps):
    order: list[str] = []
    stopping = threading.Event()

    class Engine:
        def start(self) -> None:
            order.append("engine started")

        def stop(self) -> None:
            order.append("engine stopped")

    class Slow:
        def reconcile(self, request: Request) -> None:
            stopping.wait(120)
            order.append(request.name)

    manager = managers(drain_timeout=60.0)
    manager.add_runnable(Engine())
    builder = manager.controller("slow", Slow(), workers=1)
    manager.start()
    assert manager.wait_until_working(120)
    for number in range(5):
        builder.enqueue(Request("", f"key {number}"))
    builder.enqueue(Request("", "tomorrow"), after=86400)
    stopper = threading.Thread(target=manager.stop)
    stopper.start()
    assert manager._ending.wait(120)
    stopping.set()
    stopper.join(120)
    assert order == ["engine started", *(f"key {number}" for number in range(5)), "engine stopped"]
    manager.stop()  # a second stop waits for the first and does nothing


def test_at_a_stop_runnables_finish_first_and_reconcilers_write_about_it(managers, monkeypatch):
    monkeypatch.setattr("zonewright.manager.manager.SETTLING_SECONDS", 60.0)
    order: list[str] = []

    class Engine:
        def start(self) -> None: ...

        def drain(self, timeout: float) -> None:
            assert 0 < timeout <= 60.0
            order.append("engine drained")
            writer.enqueue(Request("", "news"))

        def stop(self) -> None:
            order.append("engine stopped")

    class Writer:
        def reconcile(self, request: Request) -> Result | None:
            order.append(request.name)
            if request.name == "news" and order.count("news") == 1:
                return Result(requeue_after=0.3)  # it waits its turn
            if request.name == "news":
                writer.enqueue(Request("", "its zone"), after=0.2)
            return None

    manager = managers(drain_timeout=60.0)
    manager.add_runnable(Engine())
    writer = manager.controller("writer", Writer(), workers=1)
    manager.start()
    assert manager.wait_until_working(120)
    writer.enqueue(Request("", "tomorrow"), after=86400)
    manager.stop()
    assert order == ["engine drained", "news", "news", "its zone", "engine stopped"]


def test_a_manager_that_stops_is_not_ready(managers):
    answers: list[tuple[int, str]] = []

    class Engine:
        def start(self) -> None: ...

        def drain(self, timeout: float) -> None:
            answers.append(fetch(manager, "/readyz"))

        def stop(self) -> None: ...

    manager = managers(http="127.0.0.1:0")
    manager.add_runnable(Engine())
    manager.start()
    assert manager.wait_until_working(120)
    assert fetch(manager, "/readyz")[0] == 200
    manager.stop()
    assert [code for code, _ in answers] == [503]
    assert "[-]manager: stopping" in answers[0][1]


def test_a_runnable_that_cannot_start_ends_the_process_with_an_error(managers, caplog):
    class Broken:
        def start(self) -> None:
            raise RuntimeError("no licence")

        def stop(self) -> None:
            raise AssertionError("it never started")

    manager = managers()
    manager.add_runnable(Broken())
    manager._handle_signals = lambda _: None  # this is not the process's main loop
    assert manager.run() == 1
    assert "no licence" in caplog.text


def test_a_runnable_that_cannot_stop_does_not_hold_up_the_others(managers):
    stopped = []

    class Fine:
        def start(self) -> None: ...

        def stop(self) -> None:
            stopped.append("fine")

    class Broken(Fine):
        def stop(self) -> None:
            raise RuntimeError("stuck")

    manager = managers()
    manager.add_runnable(Fine())
    manager.add_runnable(Broken())
    manager.start()
    assert manager.wait_until_working(120)
    manager.stop()
    assert stopped == ["fine"]


def test_controllers_have_names_of_their_own(managers):
    manager = managers()
    manager.controller("maps", Recorder())
    with pytest.raises(ValueError, match="already"):
        manager.controller("maps", Recorder())


# -- leader election


def lease(namespace: str, identity: str) -> LeaseOptions:
    # Long enough to be kept on a busy machine. Nobody waits for its end here: who stops gives it back.
    return LeaseOptions(
        namespace=namespace,
        name="test-leader",
        identity=identity,
        lease_duration=120.0,
        renew_deadline=90.0,
        retry_period=0.2,
    )


def test_a_standby_is_warm_and_takes_over_when_the_leader_stops(cluster, managers, maps, namespace):
    first, second = (managers(leader_election=lease(namespace, name), http="127.0.0.1:0") for name in "ab")
    recorders = []
    for manager in (first, second):
        recorders.append(Recorder())
        manager.controller("maps", recorders[-1]).for_(CONFIG_MAP)
    first.start()
    assert first.wait_until_working(120)
    second.start()
    eventually(second.informers.has_synced)
    cluster.create(maps, config_map("during"))
    eventually(lambda: "during" in recorders[0].seen)
    eventually(lambda: second.informer(CONFIG_MAP).object(Request(namespace, "during")) is not None)
    assert fetch(second, "/readyz")[0] == 200, "a standby is ready: it has what it needs to take over"
    assert recorders[1].seen == []
    assert not second.wait_until_working(0)

    first.stop()
    assert second.wait_until_working(120)
    eventually(lambda: "during" in recorders[1].seen)


def test_a_clean_stop_releases_the_lease(cluster, managers, namespace):
    manager = managers(leader_election=lease(namespace, "a"))
    manager.start()
    assert manager.wait_until_working(120)
    path = f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/test-leader"
    assert cluster.get(path)["spec"]["holderIdentity"] == "a"
    manager.stop()
    assert not cluster.get(path)["spec"].get("holderIdentity")


def test_a_standby_can_be_stopped(managers, namespace):
    first, second = (managers(leader_election=lease(namespace, name)) for name in "ab")
    first.start()
    assert first.wait_until_working(120)
    second.start()
    assert second.elector is not None
    eventually(lambda: second.elector.holder == "a", what="a standby that knows who leads")
    second.stop()
    assert not second.wait_until_working(0)


# -- what people and machines see


def test_health_metrics_and_debugging(cluster, managers, maps, namespace):
    cluster.create(maps, config_map("shown", text="hello"))
    cluster.create(
        f"/api/v1/namespaces/{namespace}/secrets", {"metadata": {"name": "key"}, "stringData": {"k": "hush"}}
    )
    manager = managers(http="127.0.0.1:0")
    manager.add_debug("answer", lambda query: {"answer": 42, **query})
    recorder = Recorder(lambda request: Result(requeue_after=600))
    builder = manager.controller("maps", recorder).for_(CONFIG_MAP)
    manager.informer(SECRET)
    manager.start()
    assert manager.wait_until_working(120)
    eventually(lambda: "shown" in recorder.seen)
    manager.add_debug("/debug/late", lambda _query: "late")

    for path in ("/readyz", "/livez", "/healthz"):
        status, text = fetch(manager, path)
        assert status == 200, text
    assert "[+]cache-configmaps ok" in fetch(manager, "/readyz")[1]

    text = fetch(manager, "/metrics")[1]
    for series in (
        'controller_runtime_reconcile_total{controller="maps",result="error"} 0.0',
        'controller_runtime_max_concurrent_reconciles{controller="maps"} 1.0',
        'workqueue_retries_total{controller="maps",name="maps"} 0.0',
        'zonewright_reflector_lists_total{kind="configmaps"} ',
        'zonewright_cache_objects{kind="configmaps"} ',
        "process_cpu_seconds_total",
    ):
        assert series in text, series

    def waiting() -> dict[str, Any] | None:
        queue = json.loads(fetch(manager, "/debug/queues?controller=maps")[1])["maps"]
        key = f"{namespace}/shown"
        return next((item for item in queue if item["key"] == key and item["state"] == "delayed"), None)

    shown = eventually(waiting, what="a key that waits for its time")
    assert shown["priority"] == LOW_PRIORITY
    assert shown["reason"] == "requeue_after"
    assert 500 < shown["due_in"] <= 600
    assert json.loads(fetch(manager, "/debug/queues?controller=other")[1]) == {}

    assert json.loads(fetch(manager, "/debug/caches")[1])["configmaps"] >= 1
    assert f"{namespace}/shown" in json.loads(fetch(manager, "/debug/caches?kind=ConfigMap")[1])["configmaps"]
    one = json.loads(fetch(manager, f"/debug/caches?kind=configmaps&key={namespace}/shown")[1])["configmaps"]
    assert one["data"] == {"text": "hello"}
    secret = fetch(manager, f"/debug/caches?kind=Secret&key={namespace}/key")[1]
    assert json.loads(secret)["secrets"]["data"] == {"k": "[hidden]"}
    assert json.loads(fetch(manager, f"/debug/caches?kind=Secret&key={namespace}/none")[1]) == {"secrets": None}

    reflectors = json.loads(fetch(manager, "/debug/reflectors")[1])
    assert {each["kind"]: each["synced"] for each in reflectors} == {"configmaps": True, "secrets": True}
    assert any("maps-0" in name for name in json.loads(fetch(manager, "/debug/threads")[1]))
    assert json.loads(fetch(manager, "/debug/answer?a=b")[1]) == {"answer": 42, "a": "b"}
    assert json.loads(fetch(manager, "/debug/late")[1]) == "late"
    status, text = fetch(manager, "/nonsense")
    assert status == 404
    assert "/debug/queues" in text

    builder.controller.stop(60)
    status, text = fetch(manager, "/livez")
    assert status == 503
    assert "workers have ended" in text


def test_a_cache_that_cannot_be_filled_is_not_ready(managers):
    manager = managers(http="127.0.0.1:0")
    nothing: Kind[dict] = Kind("example.org", "v1", "Nothing", "nothings")
    manager.controller("nothing", Recorder()).for_(nothing)
    manager.start()
    status, text = fetch(manager, "/readyz")
    assert status == 503
    assert "[-]cache-nothings.example.org: not synced yet" in text
    informer = manager.informer(nothing)
    eventually(lambda: informer.state().failures >= 2, what="another vain try")
    assert not manager.wait_until_working(0)


def test_events_are_written_once_and_counted(cluster, managers, maps, namespace):
    cluster.create(maps, config_map("subject"))
    recorded = threading.Event()

    def reconcile(request: Request) -> None:
        found = manager.informer(CONFIG_MAP).object(request)
        if found is not None and request.name == "subject" and not recorded.is_set():
            for _ in range(3):
                manager.events.record(CONFIG_MAP, found, "Warning", "Odd", "it looks odd")
            recorded.set()

    manager = managers()
    manager.controller("maps", Recorder(reconcile)).for_(CONFIG_MAP)
    manager.start()
    assert recorded.wait(120)
    assert manager.events.flush(60)
    events = cluster.get(f"/api/v1/namespaces/{namespace}/events")["items"]
    (event,) = [each for each in events if each["reason"] == "Odd"]
    assert event["involvedObject"]["name"] == "subject"
    assert event["involvedObject"]["kind"] == "ConfigMap"
    assert event["count"] == 3
    assert event["source"]["component"] == "operator"
