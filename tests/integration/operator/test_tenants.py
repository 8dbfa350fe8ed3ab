"""Instances and zones of different namespaces: nothing goes from one to the other unless both sides agree."""

import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from reconcilers.fleet.servers import NAMESPACES_ANNOTATION
from testbed.named import NameServer, register
from testbed.named.registration import instance
from tests.support.scene import LABEL, Scene
from zonewright.testing import eventually


def offer(neighbour: Scene, server: NameServer, *, allows: str = "", tier: str = "demo") -> None:
    """Register the server with the neighbour, as one of cluster `production`."""
    register(server, neighbour.stage.cluster, neighbour.namespace, labels={LABEL: tier})
    annotations = {"annotations": {NAMESPACES_ANNOTATION: allows or None}}
    neighbour.patch("bind9instances", server.name, {"metadata": annotations, "spec": {"clusterRef": "production"}})
    neighbour.wait("bind9instances", server.name)


def select(*namespaces: str, tier: str = "demo") -> list[dict[str, object]]:
    return [{"selector": {"matchLabels": {LABEL: tier}}, "namespaces": list(namespaces)}]


def holders(scene: Scene) -> set[str]:
    status = scene.get("dnszones", "zone").get("status") or {}
    return {each["name"] for each in status.get("bind9Instances") or ()}


@pytest.mark.parametrize("spec", [{"clusterRef": "production"}, {"bind9InstancesFrom": select()}])
def test_nothing_lost_rogue_instance_of_another_namespace_gets_nothing(
    scene: Scene, neighbour: Scene, named: Callable[..., NameServer], spec: dict[str, Any]
):
    """It has the zone's cluster and labels and allows every namespace: it is the zone that does not name it."""
    own = {each.name for each in scene.stage.servers}
    for name in own:
        scene.patch("bind9instances", name, {"spec": {"clusterRef": "production"}})
    rogue = named("primary")
    rogue.rndc("querylog", "on")
    offer(neighbour, rogue, allows="*")
    scene.create_zone(**{"bind9InstancesFrom": None, **spec})
    scene.create_a("www")
    scene.wait("arecords", "www", "Propagated")
    scene.wait("dnszones", "zone", "Progressing", status="False")
    neighbour.patch("bind9instances", rogue.name, {"metadata": {"labels": {"again": "now"}}})
    scene.caught_up()
    assert holders(scene) == own
    scene.served("www", "192.0.2.1")
    assert neighbour.get("bind9instances", rogue.name)["status"]["zonesCount"] == 0
    assert scene.zone not in rogue.log(100_000)
    assert not list((rogue.directory / "data").glob(f"{scene.zone}*"))


def test_a_zone_is_on_a_server_of_another_namespace_while_both_sides_agree(
    scene: Scene, neighbour: Scene, named: Callable[..., NameServer]
):
    server = named("primary")
    offer(neighbour, server, tier="shared")
    name_servers = [{"hostname": f"ns1.{scene.zone}.", "ipv4Address": "192.0.2.53"}]
    scene.create_zone(bind9InstancesFrom=select(tier="shared"), nameServers=name_servers)
    assert server.name not in scene.refused("dnszones", "zone", "NoPrimaryInstances"), (
        "it allows nobody: no name is told"
    )

    def says(text: str) -> None:
        told = f"Bind9Instance {neighbour.namespace}/{server.name} matches but {text}"
        eventually(lambda: told in scene.refused("dnszones", "zone", "NoPrimaryInstances"), what=told)
        eventually(lambda: scene.stage.serial(server, scene.zone) is None, what="a server without the zone")

    def serves() -> None:
        scene.wait("dnszones", "zone")
        eventually(lambda: scene.stage.serial(server, scene.zone) is not None, what="the zone on the server")

    def allow(namespaces: str | None) -> None:
        annotations = {NAMESPACES_ANNOTATION: namespaces}
        neighbour.patch("bind9instances", server.name, {"metadata": {"annotations": annotations}})

    def name(*namespaces: str) -> None:
        scene.patch("dnszones", "zone", {"spec": {"bind9InstancesFrom": select(*namespaces, tier="shared")}})

    allow(scene.namespace)
    says("its namespace is not named in bind9InstancesFrom[].namespaces")
    name(neighbour.namespace)
    serves()
    allow(None)
    says(f"does not allow namespace {scene.namespace} (annotation {NAMESPACES_ANNOTATION})")
    allow(f"elsewhere, {scene.namespace}")
    serves()
    name("elsewhere")
    says("its namespace is not named in bind9InstancesFrom[].namespaces")


def _alone(scene: Scene) -> NameServer:
    """Leave the scene with its first primary."""
    for server in scene.stage.servers[1:]:
        scene.delete("bind9instances", server.name)
    return scene.stage.primaries[0]


def test_nothing_lost_an_instance_of_another_namespace_without_a_key_does_not_take_a_server_from_its_owner(
    scene: Scene, neighbour: Scene
):
    one = _alone(scene)
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www")
    sleeper = instance(one, {})
    sleeper["metadata"]["name"] = "sleeper"
    for field in ("bindcarUrl", "bindcarTokenSecretRef"):
        del sleeper["spec"]["external"][field]
    scene.stage.cluster.create(neighbour.path("bind9instances"), sleeper)  # its Secret does not exist
    neighbour.refused("bind9instances", "sleeper", "DuplicateServer")
    scene.delete("bind9instances", one.name)
    neighbour.refused("bind9instances", "sleeper", "ConfigurationInvalid")
    register(one, scene.stage.cluster, scene.namespace)
    scene.patch("arecords", "www", {"spec": {"ipv4Address": "192.0.2.2"}})
    eventually(lambda: scene.stage.ask(one, f"www.{scene.zone}", "A") == {"192.0.2.2"}, what="the change")
    neighbour.refused("bind9instances", "sleeper", "DuplicateServer")


def test_nothing_lost_a_parent_zone_of_another_namespace_holds_up_no_deletion(
    scene: Scene, neighbour: Scene, named: Callable[..., NameServer]
):
    server = named("primary")
    register(server, scene.stage.cluster, neighbour.namespace)
    neighbour.zone = f"p{secrets.token_hex(3)}.test"
    scene.zone = f"child.{neighbour.zone}"
    scene.create_zone()
    scene.wait("dnszones", "zone")
    neighbour.create_zone()
    neighbour.create("NSRecord", "delegation", {"name": "child", "nameserver": "ns.example.org."})
    neighbour.wait("nsrecords", "delegation")
    server.kill()
    neighbour.delete("nsrecords", "delegation")
    neighbour.refused("nsrecords", "delegation", "ServerUnreachable")
    scene.delete("dnszones", "zone")
    eventually(lambda: not scene.exists("dnszones", "zone"), what="the end of the zone")
    server.restart()
    neighbour.delete_zones()


@pytest.fixture
def black_holes() -> Iterator[list[int]]:
    """Ports on which a server seems to listen, and nobody answers."""
    with ExitStack() as stack:
        ports = []
        for _ in range(8):
            tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=500))
            udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            udp.bind(tcp.getsockname())
            ports.append(tcp.getsockname()[1])
        yield ports


def test_nothing_lost_silent_servers_of_one_namespace_leave_workers_to_the_others(
    scene: Scene, neighbour: Scene, black_holes: list[int]
):
    scene.create_zone()
    scene.create_a("before")
    scene.wait("arecords", "before")
    key = scene.stage.primaries[0].key
    secret = {"key-name": key.name, "algorithm": key.algorithm, "secret": key.secret}
    labels = {"bindy.firestoned.io/secret-use": "tsig"}
    neighbour.stage.cluster.create(
        f"/api/v1/namespaces/{neighbour.namespace}/secrets",
        {"metadata": {"name": "key", "labels": labels}, "stringData": secret},
    )
    for port in black_holes:
        external = {"address": "127.0.0.1", "port": port, "role": "primary", "tsigSecretRef": {"name": "key"}}
        spec = {"role": "primary", "external": external}
        neighbour.create("Bind9Instance", f"hole-{port}", spec, labels={LABEL: "demo"})
    for number in range(12):
        neighbour.create_zone(f"zone{number}", f"z{number}.{neighbour.zone}")
    for port in black_holes:
        neighbour.wait("bind9instances", f"hole-{port}", status="False")
    for number in range(3):
        scene.create_a(f"after{number}")
        scene.wait("arecords", f"after{number}")
    for port in black_holes:
        neighbour.delete("bind9instances", f"hole-{port}")
    neighbour.delete_zones()
