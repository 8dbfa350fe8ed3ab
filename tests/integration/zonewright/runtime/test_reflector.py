"""A cache on an API server that forgets, restarts, hangs up and changes its mind: it converges each time."""

import secrets
from typing import Any

import pytest

from tests.support.gadgets import cached, gadget, install, kind_of, stored, uninstall
from zonewright.api.errors import ApiError
from zonewright.api.kind import Request
from zonewright.cache import reflector as reflector_module
from zonewright.cache.informer import Informer
from zonewright.cache.informers import InformerSet
from zonewright.client.backoff import Backoff
from zonewright.client.client import Client
from zonewright.client.config import Config
from zonewright.envtest.chaos import CloseHalf, Duplicate, EndWatch, ExpireWatch, Fail, Freeze
from zonewright.testing import eventually


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """The pauses after failures grow as they do in earnest, but from a fiftieth of a second."""
    monkeypatch.setattr(reflector_module, "BACKOFF", Backoff(base=0.02, cap=1.0, jitter=0.2))


@pytest.fixture
def start(namespace, request):
    """Starts an informer on a cluster (or on the proxy before it), with a handler that keeps a copy of its own."""

    def start(cluster, kind, **options):
        api = Client.from_config(Config.load(cluster.kubeconfig))
        informers = InformerSet(api, namespace=namespace)
        informer = informers.informer(kind, **options)
        mirror = mirrors[informer] = {}
        registration = informer.add_handler(lambda old, new, initial: follow(mirror, old, new))
        informers.start()
        request.addfinalizer(api.close)
        request.addfinalizer(informers.stop)
        assert informers.wait(120)
        assert registration.has_synced()
        return informer

    return start


mirrors: dict[Informer[Any], dict[str, str]] = {}


def follow(mirror, old, new):
    """Applies a change to a handler's copy, and insists that no step is missing."""
    name = (new or old).name
    assert mirror.get(name) == (old.resource_version if old else None)
    if new:
        mirror[name] = new.resource_version
    else:
        del mirror[name]


def converges(client, informer, namespace):
    eventually(lambda: cached(informer) == stored(client, informer, namespace), what="a cache of what the server has")
    eventually(lambda: mirrors[informer] == cached(informer), what="a handler that knows it")


def some_changes(client, kind, namespace, tag):
    """Creates two objects, changes one and deletes an older one."""
    client.create(kind, gadget(f"{tag}-new", namespace))
    client.create(kind, gadget(f"{tag}-changed", namespace))
    client.patch(kind, f"{tag}-changed", {"spec": {"size": 9}}, namespace=namespace)
    client.delete(kind, "old", namespace)


@pytest.fixture
def old(client, kind, namespace):
    client.create(kind, gadget("old", namespace))
    client.create(kind, gadget("stays", namespace))


def test_it_follows(client, cluster, kind, namespace, old, start):
    informer = start(cluster, kind)
    some_changes(client, kind, namespace, "a")
    converges(client, informer, namespace)
    found = informer.get(Request(namespace, "a-changed"))
    assert found["spec"] == {"size": 9}
    assert "managedFields" not in found["metadata"]


def test_pages_instead_of_streaming_lists(client, cluster, kind, namespace, old, start, monkeypatch):
    monkeypatch.setattr("zonewright.cache.listwatch.PAGE_SIZE", 1)
    original = reflector_module.Reflector.__init__

    def without_watch_list(self, *arguments, **options):
        original(self, *arguments, **options)
        self._watch_list = False
        self._list_at = ""

    monkeypatch.setattr(reflector_module.Reflector, "__init__", without_watch_list)
    informer = start(cluster, kind)
    some_changes(client, kind, namespace, "a")
    converges(client, informer, namespace)


def test_a_selector_limits_what_is_cached(client, cluster, kind, namespace, start):
    client.create(kind, gadget("in", namespace, labels={"app": "x"}))
    client.create(kind, gadget("out", namespace))
    informer = start(cluster, kind, label_selector="app=x")
    assert cached(informer).keys() == {"in"}
    client.patch(kind, "out", {"metadata": {"labels": {"app": "x"}}}, namespace=namespace)
    client.patch(kind, "in", {"metadata": {"labels": {"app": None}}}, namespace=namespace)
    eventually(lambda: cached(informer).keys() == {"out"}, what="labels that move objects in and out")


def test_a_field_selector_too(client, cluster, kind, namespace, old, start):
    informer = start(cluster, kind, field_selector="metadata.name=stays")
    assert cached(informer).keys() == {"stays"}


def test_history_is_forgotten_while_the_watch_is_down(client, cluster, chaos, kind, namespace, old, start):
    informer = start(chaos, kind)
    refusing = chaos.add(Fail(503), verb="WATCH")
    chaos.drop_watches()
    some_changes(client, kind, namespace, "a")
    cluster.forget_history()
    chaos.remove(refusing)
    converges(client, informer, namespace)


def test_the_stream_says_that_history_is_gone(client, chaos, kind, namespace, old, start):
    informer = start(chaos, kind)
    chaos.add(ExpireWatch(), verb="WATCH", times=1)
    chaos.drop_watches()
    some_changes(client, kind, namespace, "a")
    converges(client, informer, namespace)


def test_the_api_server_is_killed_and_comes_back(client, cluster, kind, namespace, old, start):
    informer = start(cluster, kind)
    before = informer.state().version
    cluster.restart_api(kill=True)
    eventually(lambda: stored_or_none(client, informer, namespace), what="the API server's return")
    some_changes(client, kind, namespace, "a")
    converges(client, informer, namespace)
    assert informer.state().version > before


def stored_or_none(client, informer, namespace):
    try:
        return stored(client, informer, namespace)
    except ApiError:
        return None


@pytest.mark.parametrize(
    "fault", [CloseHalf(after=1), EndWatch(after=1), Duplicate()], ids=lambda fault: type(fault).__name__
)
def test_the_watch_misbehaves(client, chaos, kind, namespace, old, start, fault):
    informer = start(chaos, kind)
    chaos.add(fault, verb="WATCH", times=2)
    chaos.drop_watches()
    some_changes(client, kind, namespace, "a")
    converges(client, informer, namespace)


def test_a_silent_watch_is_noticed(client, chaos, kind, namespace, old, start, monkeypatch):
    monkeypatch.setattr(reflector_module, "SILENCE", (0.5, 0.6))
    informer = start(chaos, kind)
    chaos.add(Freeze(), verb="WATCH", times=1)
    chaos.drop_watches()
    some_changes(client, kind, namespace, "a")
    converges(client, informer, namespace)


def test_the_crd_is_deleted_and_created_again(client, cluster, namespace, start):
    kind = kind_of(f"recreated-{secrets.token_hex(3)}.example.org")
    install(client, kind)
    client.create(kind, gadget("before", namespace))
    informer = start(cluster, kind)
    uninstall(client, kind)
    install(client, kind)
    client.create(kind, gadget("after", namespace))
    converges(client, informer, namespace)
    assert cached(informer).keys() == {"after"}
    uninstall(client, kind)


def test_a_kind_whose_crd_comes_later(client, cluster, namespace):
    kind = kind_of(f"later-{secrets.token_hex(3)}.example.org")
    informers = InformerSet(client, namespace=namespace)
    informer = informers.informer(kind)
    informers.start()
    eventually(lambda: informer.state().failures, what="a first try that fails")
    install(client, kind)
    client.create(kind, gadget("a", namespace))
    assert informers.wait(120)
    eventually(lambda: cached(informer).keys() == {"a"})
    informers.stop()
    uninstall(client, kind)


def test_our_own_writes_are_read_at_once(cluster, kind, namespace):
    client = Client.from_config(Config.load(cluster.kubeconfig))
    informers = InformerSet(client, namespace=namespace)
    client.on_write = informers.wrote
    informer = informers.informer(kind)
    informers.start()
    assert informers.wait(120)
    client.create(kind, gadget("a", namespace))
    for size in range(30):
        client.patch(kind, "a", {"spec": {"size": size}}, namespace=namespace)
        found = informer.get(Request(namespace, "a"))
        assert found is not None
        assert found["spec"] == {"size": size}
    client.delete(kind, "a", namespace)
    eventually(lambda: informer.object(Request(namespace, "a")) is None)
    eventually(lambda: len(informer._store._overlay) == 0, what="a cache that needs no overlay")
    informers.stop()
    client.close()


def test_it_stops_at_once(client, cluster, kind, start):
    informer = start(cluster, kind)
    informer.stop(30)  # a read that nobody interrupts may last for more than a minute
    assert not informer.alive
