"""Caches cut to size, on whatever API server there is: typed built-in kinds, selectors, namespaces, metadata only."""

import contextlib
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from zonewright import Client, Config, InformerSet, Kind, Manager, ManagerOptions, Object, Request
from zonewright.api import decode
from zonewright.api.builtin import kinds
from zonewright.api.builtin.core_v1 import ConfigMap, Service, ServicePort, ServiceSpec
from zonewright.api.builtin.meta_v1 import ObjectMeta
from zonewright.api.builtin.networking_v1 import Ingress, IngressRule, IngressSpec
from zonewright.cache import reflector as reflector_module
from zonewright.cache.informer import Informer
from zonewright.cache.listwatch import ApiSource
from zonewright.client.backoff import Backoff
from zonewright.envtest.chaos import ChaosProxy, Fail
from zonewright.envtest.cluster import Cluster
from zonewright.testing import eventually


class Recorder:
    def __init__(self) -> None:
        self.seen: set[str] = set()

    def reconcile(self, request: Request) -> None:
        self.seen.add(str(request))


@pytest.fixture
def manager(cluster: Cluster, namespace: str) -> Iterator[Manager]:
    made = Manager(Config.load(cluster.kubeconfig), ManagerOptions(namespace=namespace))
    yield made
    made.stop()


@pytest.fixture(params=["streamed", "paged"])
def first_list(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches are filled by a streaming list, or by pages of one object, as servers without these make them."""
    if request.param == "streamed":
        return
    monkeypatch.setattr("zonewright.cache.listwatch.PAGE_SIZE", 1)
    original = reflector_module.Reflector.__init__

    def without_watch_list(self: Any, *arguments: Any, **options: Any) -> None:
        original(self, *arguments, **options)
        self._watch_list, self._list_at = False, ""

    monkeypatch.setattr(reflector_module.Reflector, "__init__", without_watch_list)


@pytest.fixture
def other(cluster: Cluster) -> Iterator[str]:
    name = f"other-{secrets.token_hex(4)}"
    cluster.create("/api/v1/namespaces", {"metadata": {"name": name}})
    yield name
    cluster.request("DELETE", f"/api/v1/namespaces/{name}")


@pytest.fixture
def config_map(cluster: Cluster, namespace: str) -> Callable[..., None]:
    def create(name: str, *, within: str = namespace, **labels: str) -> None:
        body = {"metadata": {"name": name, "labels": labels}, "data": {"text": "x" * 1000}}
        cluster.create(f"/api/v1/namespaces/{within}/configmaps", body)

    return create


def started(manager: Manager) -> None:
    manager.start()
    assert manager.wait_until_working(60)


def names(informer: Informer[Any]) -> set[str]:
    """Without what controllers of a real cluster put into every namespace."""
    return {object_.name for object_ in informer.objects()} - {"kube-root-ca.crt"}


def test_typed_built_in_kinds_are_created_cached_and_read(manager: Manager, namespace: str) -> None:
    services, ingresses = manager.informer(kinds.Service), manager.informer(kinds.Ingress)
    slices, namespaces = manager.informer(kinds.EndpointSlice), manager.informer(kinds.Namespace)
    started(manager)
    service = Service(
        metadata=ObjectMeta(name="web", namespace=namespace), spec=ServiceSpec(ports=[ServicePort(port=80)])
    )
    manager.client.create(kinds.Service, service)
    rules = [IngressRule(host="web.example.org")]
    ingress = Ingress(metadata=ObjectMeta(name="web", namespace=namespace), spec=IngressSpec(rules=rules))
    manager.client.create(kinds.Ingress, ingress)
    status = {"status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}}
    manager.client.patch(kinds.Ingress, "web", status, namespace=namespace, subresource="status")

    read = services.get(Request(namespace, "web"))  # our own write: no waiting
    assert read is not None
    assert read.spec is not None
    assert read.spec.cluster_ip not in {None, "", "None"}
    told = ingresses.get(Request(namespace, "web"))
    assert told is not None
    assert told.to_dict()["status"] == status["status"]
    own = namespaces.get(Request("", namespace))
    assert own is not None
    assert own.status is not None
    assert own.status.phase == "Active"
    assert slices.list() == []
    assert [found.kind for found in manager.client.list(kinds.Service, namespace)] == ["Service"]


def test_a_selector_is_left_to_the_server(manager: Manager, config_map: Callable[..., None]) -> None:
    config_map("web-1", app="web")
    config_map("db-1", app="db")
    web = manager.informer(kinds.ConfigMap, label_selector="app=web")
    one = manager.informer(kinds.ConfigMap, field_selector="metadata.name=db-1")
    everything = manager.informer(kinds.ConfigMap)
    started(manager)
    assert (names(web), names(one), names(everything)) == ({"web-1"}, {"db-1"}, {"web-1", "db-1"})
    config_map("web-2", app="web")
    eventually(lambda: names(web) == {"web-1", "web-2"}, what="the new one")
    manager.client.patch(
        kinds.ConfigMap, "web-1", {"metadata": {"labels": {"app": "db"}}}, namespace=manager.options.namespace
    )
    eventually(lambda: names(web) == {"web-2"}, what="that it left")
    assert names(everything) == {"web-1", "web-2", "db-1"}


def test_namespaces_are_watched_one_by_one_and_read_as_one(
    manager: Manager, cluster: Cluster, namespace: str, other: str, config_map: Callable[..., None]
) -> None:
    config_map("here", app="spread")
    config_map("there", within=other, app="spread")
    cluster.create(
        "/api/v1/namespaces/default/configmaps", {"metadata": {"generateName": "x-", "labels": {"app": "spread"}}}
    )
    both = manager.informer(kinds.ConfigMap, namespaces=[namespace, other], label_selector="app=spread")
    recorder = Recorder()
    options: Any = {"namespaces": [namespace, other], "label_selector": "app=spread"}
    manager.controller("spread", recorder).for_(kinds.ConfigMap, **options)
    started(manager)
    assert set(map(str, both.keys())) == {f"{namespace}/here", f"{other}/there"}
    config_map("later", within=other, app="spread")
    eventually(lambda: f"{other}/later" in recorder.seen, what="the reconcile")
    assert recorder.seen == {f"{namespace}/here", f"{other}/there", f"{other}/later"}
    cluster.delete(f"/api/v1/namespaces/{other}/configmaps/there")
    eventually(lambda: set(map(str, both.keys())) == {f"{namespace}/here", f"{other}/later"}, what="the end")


def test_metadata_is_all_that_the_server_sends(
    cluster: Cluster, namespace: str, config_map: Callable[..., None]
) -> None:
    """Not only all that is kept: a cache asks for less so that the server, the network and the decoder do less."""
    config_map("first")
    client = Client.from_config(Config.load(cluster.kubeconfig))
    source = ApiSource(client, kinds.ConfigMap, namespace=namespace, metadata_only=True)
    page = source.list("", "", limit=True)
    listed = {found.name: found for found in page.objects}
    lines = source.watch("", initial=True, seconds=1, opened=lambda _: None)
    events = [decode.event(kinds.ConfigMap, line) for batch in lines.batches(lambda: 60) for line in batch]
    streamed = {event[1].name: event[1] for event in events if not isinstance(event, decode.Bookmark)}
    assert any(isinstance(event, decode.Bookmark) and event.initial_end for event in events)
    for found in (listed["first"], streamed["first"]):
        assert found.fields().keys() == {"apiVersion", "kind", "metadata"}
    lines.close()
    client.close()


@pytest.mark.usefixtures("first_list")
def test_a_cache_of_metadata_follows(
    manager: Manager, cluster: Cluster, namespace: str, config_map: Callable[..., None]
) -> None:
    config_map("first", app="web")
    metadata, whole = manager.informer(kinds.ConfigMap, metadata_only=True), manager.informer(kinds.ConfigMap)
    started(manager)
    config_map("second", app="web")
    eventually(lambda: names(metadata) == names(whole) == {"first", "second"}, what="both")
    for name in ("first", "second"):
        read = metadata.get(Request(namespace, name))
        assert read is not None
        assert (read.api_version, read.kind, read.metadata.labels) == ("v1", "ConfigMap", {"app": "web"})
        kept = metadata.object(Request(namespace, name))
        assert kept is not None
        assert kept.fields().keys() == {"apiVersion", "kind", "metadata"}
    body = {"metadata": {"labels": {"app": "db"}}, "data": {"text": "y"}}
    manager.client.patch(kinds.ConfigMap, "first", body, namespace=namespace)
    written = metadata.object(Request(namespace, "first"))
    assert written is not None
    assert (written.labels, "data" in written.fields()) == ({"app": "db"}, False)
    cluster.delete(f"/api/v1/namespaces/{namespace}/configmaps/first")
    eventually(lambda: names(metadata) == {"second"}, what="that it is gone")


def without_data(fields: dict[str, Any]) -> dict[str, Any]:
    fields.pop("data", None)
    return fields


@pytest.mark.usefixtures("first_list")
def test_a_transform_keeps_the_rest_away(manager: Manager, namespace: str, config_map: Callable[..., None]) -> None:
    config_map("first")
    small = manager.informer(kinds.ConfigMap, transform=without_data)
    started(manager)
    config_map("second")
    eventually(lambda: names(small) == {"first", "second"}, what="both")
    for name in ("first", "second"):
        read = small.get(Request(namespace, name))
        assert isinstance(read, ConfigMap)
        assert read.data is None
    manager.client.patch(kinds.ConfigMap, "first", {"data": {"text": "y"}}, namespace=namespace)
    written = small.get(Request(namespace, "first"))
    assert written is not None
    assert written.data is None


def test_a_controller_may_watch_the_metadata_of_another_kind(
    manager: Manager, cluster: Cluster, namespace: str, config_map: Callable[..., None]
) -> None:
    recorder = Recorder()
    builder = manager.controller("web", recorder).for_(kinds.Service)
    builder.watches(
        kinds.ConfigMap,
        lambda old, new: {Request(each.namespace, each.labels["for"]) for each in (old, new) if each},
        label_selector="for",
        metadata_only=True,
    )
    started(manager)
    config_map("settings", **{"for": "web"})
    eventually(lambda: f"{namespace}/web" in recorder.seen, what="the reconcile")
    assert [informer.title for informer in manager.informers.informers()] == [
        "services",
        f"configmaps[{namespace} for metadata]",
    ]
    report = manager.ready.report()
    assert report[0], report[1]
    assert f"[+]cache-configmaps[{namespace} for metadata] ok" in report[1]


def test_two_selectors_on_one_kind_hand_an_object_over(
    manager: Manager, namespace: str, config_map: Callable[..., None]
) -> None:
    config_map("moves", app="web")
    web, database = Recorder(), Recorder()
    manager.controller("web", web).for_(kinds.ConfigMap, label_selector="app=web")
    manager.controller("database", database).for_(kinds.ConfigMap, label_selector="app=db")
    started(manager)
    eventually(lambda: web.seen, what="the first reconcile")
    assert database.seen == set()
    web.seen.clear()
    body = {"metadata": {"labels": {"app": "db"}}}
    manager.client.patch(kinds.ConfigMap, "moves", body, namespace=namespace)
    eventually(lambda: web.seen and database.seen, what="a reconcile by both: for one it is gone, for the other new")
    caches = (
        manager.informer(kinds.ConfigMap, label_selector="app=web"),
        manager.informer(kinds.ConfigMap, label_selector="app=db"),
    )
    eventually(lambda: [names(each) for each in caches] == [set(), {"moves"}], what="that it moved")


def test_a_field_that_the_server_cannot_select_by_is_reported(manager: Manager) -> None:
    """Only the server knows which there are, so this is not refused when the cache is asked for."""
    informer = manager.informer(kinds.Service, field_selector="spec.nothing=1")
    manager.start()
    eventually(lambda: "spec.nothing" in informer.state().last_error, what="the server's refusal")
    healthy, report = manager.ready.report()
    assert not healthy
    assert "spec.nothing" in report


# --- what changes while nobody watches


class Follower:
    """Caches behind a proxy that breaks their watches; each has a handler that keeps a copy of what it was told."""

    def __init__(self, chaos: ChaosProxy, namespace: str) -> None:
        self.chaos = chaos
        self.client = Client.from_config(Config.load(chaos.kubeconfig))
        self.set = InformerSet(self.client, namespace=namespace)
        self.told: dict[str, set[str]] = {}

    def informer(self, kind: Kind[Any], **shape: Any) -> Informer[Any]:
        made = self.set.informer(kind, **shape)
        told = self.told[made.title] = set()

        def hear(old: Object[Any] | None, new: Object[Any] | None, _initial: bool) -> None:
            told.difference_update({old.name} if old else ())
            told.update({new.name} if new else ())

        made.add_handler(hear)
        return made

    def start(self) -> None:
        self.set.start()
        assert self.set.wait(60)

    def holds(self, informer: Informer[Any], *wanted: str) -> None:
        expected = set(wanted)
        eventually(lambda: names(informer) == expected, what=f"{expected} in {informer.title}")
        eventually(lambda: self.told[informer.title] - {"kube-root-ca.crt"} == expected, what="a handler that knows it")


@pytest.fixture
def follower(chaos: ChaosProxy, namespace: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Follower]:
    monkeypatch.setattr(reflector_module, "BACKOFF", Backoff(base=0.02, cap=1.0, jitter=0.2))
    made = Follower(chaos, namespace)
    yield made
    made.set.stop()
    made.client.close()


@pytest.fixture(params=["continues", "reads everything again"])
def unwatched(request: pytest.FixtureRequest, cluster: Cluster, chaos: ChaosProxy) -> Callable[[], Any]:
    """A time without watches, after which they continue or have to start afresh."""

    @contextlib.contextmanager
    def blind() -> Iterator[None]:
        refusing = chaos.add(Fail(503), verb="WATCH")
        chaos.drop_watches()
        yield
        if request.param == "reads everything again":
            cluster.forget_history()
        chaos.remove(refusing)

    return blind


def test_what_no_longer_matches_leaves_a_selecting_cache(
    follower: Follower, client: Client, namespace: str, unwatched: Callable[[], Any]
) -> None:
    def create(name: str) -> None:
        spec = ServiceSpec(ports=[ServicePort(port=80)])
        metadata = ObjectMeta(name=name, namespace=namespace, labels={"app": "web"})
        client.create(kinds.Service, Service(metadata=metadata, spec=spec))

    def patch(name: str, body: dict[str, Any]) -> None:
        client.patch(kinds.Service, name, body, namespace=namespace)

    for name in ("relabelled", "retyped", "deleted", "stays"):
        create(name)
    labelled = follower.informer(kinds.Service, label_selector="app=web")
    typed = follower.informer(kinds.Service, field_selector="spec.type=ClusterIP")
    follower.start()
    for informer in (labelled, typed):
        follower.holds(informer, "relabelled", "retyped", "deleted", "stays")
    with unwatched():
        patch("relabelled", {"metadata": {"labels": {"app": "db"}}})
        patch("retyped", {"spec": {"type": "NodePort"}})
        client.delete(kinds.Service, "deleted", namespace)
        create("created")
    follower.holds(labelled, "retyped", "stays", "created")
    follower.holds(typed, "relabelled", "stays", "created")
    patch("relabelled", {"metadata": {"labels": {"app": "web"}}})
    patch("retyped", {"metadata": {"labels": None}})
    follower.holds(labelled, "relabelled", "stays", "created")


SHAPES: dict[str, dict[str, Any]] = {"metadata_only": {"metadata_only": True}, "transform": {"transform": without_data}}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_what_is_cut_stays_cut_when_watches_break(
    follower: Follower,
    client: Client,
    namespace: str,
    config_map: Callable[..., None],
    unwatched: Callable[[], Any],
    shape: dict[str, Any],
) -> None:
    for name in ("changed", "deleted", "stays"):
        config_map(name)
    informer = follower.informer(kinds.ConfigMap, **shape)
    follower.start()
    with unwatched():
        client.patch(kinds.ConfigMap, "changed", {"data": {"more": "x"}}, namespace=namespace)
        client.delete(kinds.ConfigMap, "deleted", namespace)
        config_map("created")
    follower.holds(informer, "changed", "stays", "created")
    version = client.get_object(kinds.ConfigMap, "changed", namespace).version
    eventually(lambda: informer.object(Request(namespace, "changed")).version == version, what="the change")  # type: ignore[union-attr]
    assert all("data" not in found.fields() for found in informer.objects())


def test_each_namespace_is_read_again_on_its_own(
    follower: Follower,
    client: Client,
    namespace: str,
    other: str,
    config_map: Callable[..., None],
    unwatched: Callable[[], Any],
) -> None:
    config_map("here")
    config_map("there", within=other)
    config_map("there-too", within=other)
    informer = follower.informer(kinds.ConfigMap, namespaces=[namespace, other])
    follower.start()
    with unwatched():
        client.delete(kinds.ConfigMap, "here", namespace)
        client.delete(kinds.ConfigMap, "there", other)
    follower.holds(informer, "there-too")


def test_one_namespace_that_cannot_be_watched_does_not_stop_another(
    follower: Follower, namespace: str, other: str, config_map: Callable[..., None]
) -> None:
    informer = follower.informer(kinds.ConfigMap, namespaces=[namespace, other])
    follower.start()
    refusing = follower.chaos.add(Fail(403), verb="WATCH", namespace=other)
    follower.chaos.drop_watches()
    config_map("there", within=other)
    config_map("here")
    follower.holds(informer, "here")
    eventually(lambda: informer.state().last_error, what="the refusal in the state of the whole")
    follower.chaos.remove(refusing)
    follower.holds(informer, "here", "there")
