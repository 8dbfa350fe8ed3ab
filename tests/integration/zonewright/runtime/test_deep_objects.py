"""An object that is nested deeper than a Python program can follow: stored by an API server, and seen by everybody."""

import json
import logging

import pytest

from tests.support.gadgets import cached, gadget, stored
from zonewright import (
    ApiError,
    Config,
    InvalidObject,
    Manager,
    ManagerOptions,
    Patch,
    Request,
    find_condition,
    status_patch,
)
from zonewright.cache import reflector as reflector_module
from zonewright.cache.reflector import LISTS, MALFORMED
from zonewright.client.backoff import Backoff
from zonewright.envtest.cluster import Cluster
from zonewright.testing import eventually

REASON = "spec.extra: nested deeper than 200 levels"


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(reflector_module, "BACKOFF", Backoff(base=0.02, cap=1.0, jitter=0.2))


@pytest.fixture(params=[1_100, 9_900], ids=["1,100 levels", "9,900 levels"])
def levels(request, cluster: Cluster) -> int:
    if request.param > 2_000 and cluster.backend == "embedded":
        pytest.skip("the embedded API takes 2,000 levels")
    return int(request.param)


def nested(levels: int) -> bytes:
    return b'{"a":' * levels + b"1" + b"}" * levels


def create_deep(client, kind, name, namespace, levels):
    """As bytes: what a client would encode it with cannot follow it either."""
    head = json.dumps(gadget(name, namespace, labels={"app": "x"}, finalizers=["example.org/hold"])).encode()
    whole = b'{"apiVersion":"%s","kind":"%s",' % (kind.api_version.encode(), kind.kind.encode()) + head[1:-2]
    client.request("POST", kind.path(namespace), whole + b', "extra": ' + nested(levels) + b"}}")


class Recording:
    """Remembers per name what came of the last reconcile, and says in status what it found."""

    def __init__(self, manager, kind):
        self.informer, self.client, self.kind = manager.informer(kind), manager.client, kind
        self.calls: list[str] = []
        self.outcome: dict[str, str] = {}

    def reconcile(self, request):
        self.calls.append(request.name)
        try:
            found = self.informer.get(request)
            self.outcome[request.name] = "gone" if found is None else f"size {found['spec']['size']}"
        except InvalidObject as error:
            self.outcome[request.name] = error.error


@pytest.mark.parametrize("streaming", [True, False], ids=["streaming list", "pages"])
def test_nothing_lost_one_object_nested_deep_stops_no_watch(
    client, cluster, kind, namespace, levels, streaming, monkeypatch, caplog
):
    caplog.set_level(logging.WARNING)
    original = reflector_module.Reflector.__init__

    def without_watch_list(self, *arguments, **options):
        original(self, *arguments, **options)
        self._watch_list = streaming

    monkeypatch.setattr(reflector_module.Reflector, "__init__", without_watch_list)
    before, lists = MALFORMED.labels(kind.resource).value, LISTS.labels(kind.resource).value
    create_deep(client, kind, "deep-first", namespace, levels)
    client.create(kind, gadget("good-first", namespace))

    manager = Manager(Config.load(cluster.kubeconfig), ManagerOptions(namespace=namespace))
    reconciler = Recording(manager, kind)
    manager.controller("gadget", reconciler, workers=2).for_(kind)
    manager.start()
    try:
        assert manager.wait_until_working(60), "it syncs with the object there"
        eventually(lambda: reconciler.outcome == {"deep-first": REASON, "good-first": "size 1"})

        create_deep(client, kind, "deep-second", namespace, levels)
        client.create(kind, gadget("good-second", namespace, size=2))
        eventually(lambda: reconciler.outcome.get("deep-second") == REASON)
        eventually(lambda: reconciler.outcome.get("good-second") == "size 2")

        known = reconciler.informer.object(Request(namespace, "deep-second"))
        assert known is not None
        assert (dict(known.labels), list(known.finalizers)) == ({"app": "x"}, ["example.org/hold"])
        assert known.uid

        written = client.patch(kind, "deep-second", {"metadata": {"labels": {"app": "y"}}}, namespace=namespace)
        assert written.labels == {"app": "y"}, "a reply that is nested too deep is read as well"
        eventually(lambda: cached(reconciler.informer) == stored(client, reconciler.informer, namespace))
        client.delete(kind, "deep-first", namespace)
        eventually(lambda: reconciler.informer.object(Request(namespace, "deep-first")).deleting)
        for name in ("deep-first", "deep-second"):
            client.patch(kind, name, {"metadata": {"finalizers": None}}, namespace=namespace)
        client.delete(kind, "deep-second", namespace)
        eventually(lambda: reconciler.outcome["deep-first"] == reconciler.outcome["deep-second"] == "gone")
        client.patch(kind, "good-first", {"spec": {"size": 7}}, namespace=namespace)
        eventually(lambda: reconciler.outcome["good-first"] == "size 7")
        assert manager.live.report()[0]
        assert manager.ready.report()[0]
    finally:
        manager.stop()
    assert LISTS.labels(kind.resource).value - lists <= 2, "nothing was listed again"
    versions = [record.fields["version"] for record in caplog.records if "read as a whole" in record.message]
    assert len(versions) == len(set(versions)) == MALFORMED.labels(kind.resource).value - before >= 4


def test_a_deep_object_can_be_mended_and_its_status_be_written(client, kind, namespace, levels):
    create_deep(client, kind, "deep", namespace, levels)
    found = client.get_object(kind, "deep", namespace)
    with pytest.raises(InvalidObject, match="nested deeper than 200 levels"):
        client.get(kind, "deep", namespace)
    before = found.readable_fields().get("status")
    patch = status_patch(found, before, {"conditions": [{"type": "Ready", "status": "False"}]})
    client.patch(kind, "deep", patch, namespace=namespace, subresource="status")
    assert [each.error for each in client.list_objects(kind, namespace)] == [REASON]
    mended = client.patch(
        kind, "deep", {"spec": {"extra": None}, "metadata": {"finalizers": None}}, namespace=namespace
    )
    assert mended.fields()["spec"] == {"size": 1}
    assert find_condition(mended.fields()["status"]["conditions"], "Ready") == {"type": "Ready", "status": "False"}


def test_deeper_than_that_the_server_refuses_and_lives(client, kind, namespace):
    for body in (nested(20_000), b"[" * 1_000_000):
        with pytest.raises(ApiError) as caught:
            client.request("POST", kind.path(namespace), b'{"metadata":{"name":"a"},"spec":' + body + b"}")
        assert caught.value.status == 400
        with pytest.raises(ApiError) as caught:
            client.patch(kind, "a", body, namespace=namespace, type=Patch.APPLY)
        assert caught.value.status in {400, 404, 413}
    assert client.list_objects(kind, namespace) == []
