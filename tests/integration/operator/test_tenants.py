"""Instances and zones of different namespaces: nothing goes from one to the other unless both sides agree."""

from collections.abc import Callable
from typing import Any

import pytest

from reconcilers.fleet.servers import NAMESPACES_ANNOTATION
from testbed.named import NameServer, register
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
