"""Caches cut to size, on whatever API server there is: typed built-in kinds, selectors, namespaces, metadata only."""

import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from zonewright import Config, Manager, ManagerOptions, Request
from zonewright.api.builtin import kinds
from zonewright.api.builtin.core_v1 import ConfigMap, Service, ServicePort, ServiceSpec
from zonewright.api.builtin.meta_v1 import ObjectMeta
from zonewright.api.builtin.networking_v1 import Ingress, IngressRule, IngressSpec
from zonewright.cache.informer import Informer
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


def test_a_transform_keeps_the_rest_away(manager: Manager, namespace: str, config_map: Callable[..., None]) -> None:
    config_map("first")
    small = manager.informer(kinds.ConfigMap, transform=without_data)
    started(manager)
    read = small.get(Request(namespace, "first"))
    assert isinstance(read, ConfigMap)
    assert read.data is None
    assert small.bytes < 1000 * len(small)


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
