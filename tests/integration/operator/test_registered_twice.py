"""One BIND server with two Bind9Instances: the first serves, the second does nothing, and nothing is deleted."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dns.exception
import dns.message
import dns.query
import pytest

from testbed.named import NameServer
from testbed.named.registration import instance, register
from testbed.stage import Stage
from tests.support.scene import LABEL, Scene, start_manager
from zonewright.testing import eventually


@pytest.fixture
def server(named: Callable[..., NameServer]) -> NameServer:
    """Registered by each test, with all its polls in its log."""
    made = named("primary")
    made.rndc("querylog", "on")
    return made


@pytest.fixture
def home(operator: Stage, namespace: str, server: NameServer) -> Iterator[Scene]:
    """A tenant without servers yet; its zones end before the server does."""
    scene = Scene(operator, namespace)
    yield scene
    scene.delete_zones()


def second(scene: Scene, server: NameServer, tier: str = "demo", **external: Any) -> str:
    """Another Bind9Instance for the server in the same namespace."""
    body = instance(server, {LABEL: tier})
    body["metadata"]["name"] = name = f"{server.name}-again"
    url = external.get("bindcarUrl")
    body["spec"]["external"] |= external | ({"bindcarUrl": url.format(port=server.bindcar_port)} if url else {})
    scene.stage.cluster.create(scene.path("bind9instances"), body)
    return name


def on(*tiers: str) -> list[dict[str, Any]]:
    return [{"selector": {"matchExpressions": [{"key": LABEL, "operator": "In", "values": list(tiers)}]}}]


@contextmanager
def kept(scene: Scene, server: NameServer) -> Iterator[None]:
    """www is served all the while: while something is done, and until the zone was polled twice after it."""
    lost, over = [], threading.Event()
    question = dns.message.make_query(f"www.{scene.zone}", "A")

    def ask() -> None:
        while not over.wait(0.002):
            with contextlib.suppress(OSError, dns.exception.DNSException):
                reply = dns.query.udp(question, server.address, port=server.port, timeout=1)
                if not reply.answer:
                    lost.append(str(reply))

    def polls() -> int:
        return server.log(100_000).count(f"query: {scene.zone} IN SOA")

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield
        before = polls()
        eventually(lambda: polls() >= before + 2, what="polls of the zone")
    finally:
        over.set()
        asker.join()
    assert lost == []


def serve(scene: Scene, **spec: Any) -> None:
    scene.create_zone(**spec)
    scene.create_a("www")
    scene.wait("arecords", "www")
    scene.wait("dnszones", "zone")


def duplicate_of(scene: Scene, name: str, first: Scene, first_name: str) -> str:
    told = scene.refused("bind9instances", name, "DuplicateServer")
    assert f"Bind9Instance {first.namespace}/{first_name} already stands for this server" in told
    return told


def test_nothing_lost_server_registered_twice_by_two_tenants_with_one_zone_name(
    home: Scene, neighbour: Scene, server: NameServer
):
    """Each zone object used to delete the other's zone, for ever, and both said that they were Ready."""
    cluster = home.stage.cluster
    register(server, cluster, home.namespace)
    serve(home)
    with kept(home, server):
        register(server, cluster, neighbour.namespace)
        neighbour.create_zone(zone=home.zone)
        neighbour.create_zone("other")
    duplicate_of(neighbour, server.name, home, server.name)
    for zone in ("zone", "other"):
        told = neighbour.refused("dnszones", zone, "NoPrimaryInstances")
        assert f"{neighbour.namespace}/{server.name} is a duplicate of {home.namespace}/{server.name}" in told
    assert home.condition("dnszones", "zone")["status"] == "True"
    assert home.stage.serial(server, neighbour.zone) is None
    with kept(home, server):
        neighbour.delete_zones()


BY_ANOTHER_NAME = {"address": "localhost", "bindcarUrl": "http://localhost:{port}"}


@pytest.mark.parametrize(
    ("where", "same"),
    [
        ({}, "address"),
        ({"bindcarUrl": None, "bindcarTokenSecretRef": None}, "address"),
        ({"address": "localhost"}, "bindcarUrl"),
        (BY_ANOTHER_NAME, "server id"),
    ],
    ids=["the-same", "without-bindcar", "another-address", "all-by-another-name"],
)
def test_nothing_lost_server_registered_twice_one_of_its_names_unselected(
    home: Scene, server: NameServer, where: dict[str, Any], same: str
):
    register(server, home.stage.cluster, home.namespace, labels={LABEL: "one"})
    home.wait("bind9instances", server.name)
    again = second(home, server, "two", **where)
    assert f"(same {same} " in duplicate_of(home, again, home, server.name)
    serve(home, bind9InstancesFrom=on("one", "two"))
    for tiers in (("one",), ("one", "two"), ("two",)):
        with kept(home, server):
            home.patch("dnszones", "zone", {"spec": {"bind9InstancesFrom": on(*tiers)}})
            home.wait("dnszones", "zone")
    home.patch("dnszones", "zone", {"spec": {"bind9InstancesFrom": on("nobody")}})
    eventually(
        lambda: home.stage.serial(server, home.zone) is None, what="the zone's end, of which all names are unselected"
    )


def test_nothing_lost_server_registered_twice_its_first_name_is_deleted(home: Scene, server: NameServer):
    register(server, home.stage.cluster, home.namespace)
    home.wait("bind9instances", server.name)
    again = second(home, server)
    duplicate_of(home, again, home, server.name)
    serve(home)
    with kept(home, server):
        home.delete("bind9instances", server.name)
        home.wait("bind9instances", again)
    home.create_a("after")
    home.wait("arecords", "after")
    assert home.stage.ask(server, f"after.{home.zone}", "A") == {"192.0.2.1"}
    assert [each["name"] for each in home.get("dnszones", "zone")["status"]["bind9Instances"]] == [again]


def test_nothing_lost_server_registered_twice_its_first_name_moves_away_and_back(
    home: Scene, server: NameServer, named: Callable[..., NameServer]
):
    elsewhere = named("primary", key=server.key)
    register(server, home.stage.cluster, home.namespace)
    home.wait("bind9instances", server.name)
    again = second(home, server)
    duplicate_of(home, again, home, server.name)
    serve(home)
    here, there = ({"port": each.port, "bindcarUrl": each.bindcar_url} for each in (server, elsewhere))
    with kept(home, server):
        home.patch("bind9instances", server.name, {"spec": {"external": there}})
        home.wait("bind9instances", again)
        home.patch("bind9instances", server.name, {"spec": {"external": here}})
        duplicate_of(home, server.name, home, again)
    home.wait("bind9instances", again)


@pytest.mark.parametrize("where", [{}, BY_ANOTHER_NAME], ids=["the-same", "all-by-another-name"])
def test_nothing_lost_server_registered_twice_keeps_its_first_name_over_a_restart(
    home: Scene, operator: Stage, server: NameServer, where: dict[str, Any]
):
    register(server, home.stage.cluster, home.namespace, labels={LABEL: "one"})
    home.wait("bind9instances", server.name)
    again = second(home, server, "two", **where)
    duplicate_of(home, again, home, server.name)
    serve(home, bind9InstancesFrom=on("one", "two"))
    assert operator.manager is not None
    with kept(home, server):
        operator.manager.kill()
        start_manager(operator)
        home.create_a("after")
        home.wait("arecords", "after")
    duplicate_of(home, again, home, server.name)
    assert [each["name"] for each in home.get("dnszones", "zone")["status"]["bind9Instances"]] == [server.name]
