"""The life of an external instance: what the engine hears, and what its status says. The probe is played."""

from typing import Any

import pytest

import reconcilers.instance as module
from reconcilers.engine.api import Role, ServerSpec
from reconcilers.fleet.external import Health
from reconcilers.instance import MOST_ZONES, InstanceReconciler
from reconcilers.reasons import Reason
from reconcilers.timing import FAILING_INTERVAL, HEALTHY_INTERVAL
from tests.support.reconcilers_world import DEEP, Cache, World, key

EXTERNAL = {
    "address": "192.0.2.53",
    "role": "primary",
    "bindcarUrl": "http://192.0.2.53:8080",
    "bindcarTokenSecretRef": {"name": "token"},
}
WELL = Health(incarnation="boot 1")
AWAY = Health(Reason.SERVER_UNREACHABLE, "192.0.2.53: no answer")


@pytest.fixture
def world() -> World:
    world = World()
    world.api.keep_secret("token", "bindcar-token", token="hush")
    world.api.apply("Bind9Instance", "p1", {"external": EXTERNAL}, labels={"tier": "demo"})
    return world


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Health]:
    """What the next probes find, the last one for ever."""
    outcomes = [WELL]

    def probe(server: ServerSpec, dial: Any) -> Health:
        return outcomes.pop(0) if len(outcomes) > 1 else outcomes[0]

    monkeypatch.setattr(module, "probe", probe)
    return outcomes


def instances(world: World) -> InstanceReconciler:
    api: Any = world.api
    cache: Any = Cache(world.api, "Bind9Instance")
    nobody: Any = None
    return InstanceReconciler(
        informer=cache,
        client=api,
        writer=world.writer("Bind9Instance"),
        selection=world.selection,
        engine=world.engine,
        dial=nobody,
        clock=world.clock,
    )


def test_a_server_that_is_well_is_ready_and_known_to_the_engine(world: World, found: list[Health]):
    result = instances(world).reconcile(key("p1"))
    assert result is not None
    assert result.requeue_after == HEALTHY_INTERVAL
    server = world.engine.servers["dns/p1"]
    assert (server.role, server.ready, server.incarnation) == (Role.PRIMARY, True, "boot 1")
    assert world.condition("Bind9Instance", "p1") == ("True", "AllReady")
    assert world.condition("Bind9Instance", "p1", "Configured") == ("True", "ConfigurationValid")
    assert world.status("Bind9Instance", "p1")["serviceAddress"] == "192.0.2.53:53"


@pytest.mark.parametrize(
    "reason",
    [Reason.SERVER_UNREACHABLE, Reason.TSIG_VERIFICATION_FAILED, Reason.BINDCAR_AUTH_FAILED, Reason.GATEWAY_ERROR],
)
def test_a_server_that_is_not_well_says_why_and_is_looked_at_sooner(world: World, found: list[Health], reason: Reason):
    found[:] = [Health(reason, "why")]
    result = instances(world).reconcile(key("p1"))
    assert result is not None
    assert result.requeue_after == FAILING_INTERVAL
    assert world.condition("Bind9Instance", "p1") == ("False", reason)
    assert world.condition("Bind9Instance", "p1", "Configured") == ("True", "ConfigurationValid")
    assert world.engine.servers["dns/p1"].ready is False


def test_nothing_is_written_while_nothing_changes(world: World, found: list[Health]):
    reconciler = instances(world)
    for _ in range(3):
        reconciler.reconcile(key("p1"))
        world.clock.advance(HEALTHY_INTERVAL)
    assert world.writes() == [("Bind9Instance/p1", "status")]


def test_a_server_that_falls_and_comes_back_is_told_both_times(world: World, found: list[Health]):
    found[:] = [WELL, AWAY, WELL]
    reconciler = instances(world)
    for _ in range(3):
        reconciler.reconcile(key("p1"))
    assert world.events.told == [("Normal", "AllReady"), ("Warning", "ServerUnreachable"), ("Normal", "AllReady")]


@pytest.mark.parametrize(
    ("sentence", "spec", "says"),
    [
        ("no external", {"role": "primary", "clusterRef": "c"}, "spec.external"),
        ("a field without effect", {"external": EXTERNAL, "replicas": 3}, "spec.replicas"),
        ("no Secret", {"external": EXTERNAL | {"tsigSecretRef": {"name": "none"}}}, "spec.external.tsigSecretRef"),
        ("no model", {"external": EXTERNAL | {"role": "king"}}, "spec.external.role"),
        ("nested too deep", {"external": EXTERNAL, "storage": DEEP}, "spec.storage: nested deeper than 200 levels"),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_a_configuration_that_cannot_be_used_names_the_field_and_suspends_the_server(
    world: World, found: list[Health], sentence: str, spec: dict[str, Any], says: str
):
    reconciler = instances(world)
    reconciler.reconcile(key("p1"))
    world.api.apply("Bind9Instance", "p1", spec, labels={"tier": "demo"})
    result = reconciler.reconcile(key("p1"))
    assert result is not None
    assert result.requeue_after == FAILING_INTERVAL
    assert world.engine.servers == {}
    assert says in world.engine.suspended["dns/p1"]
    for condition in ("Ready", "Configured"):
        assert world.condition("Bind9Instance", "p1", condition) == ("False", "ConfigurationInvalid")
    assert says in world.status("Bind9Instance", "p1")["conditions"][0]["message"]
    assert "serviceAddress" not in world.status("Bind9Instance", "p1")


@pytest.mark.parametrize("finalizers", [[], ["somebody else's"]], ids=["gone", "going"])
def test_a_server_that_goes_leaves_the_engine(world: World, found: list[Health], finalizers: list[str]):
    reconciler = instances(world)
    reconciler.reconcile(key("p1"))
    world.writes()
    world.api.apply("Bind9Instance", "p1", {"external": EXTERNAL}, finalizers=finalizers)
    world.api.delete("Bind9Instance", "p1")
    assert reconciler.reconcile(key("p1")) is None
    assert world.engine.servers == {}
    assert world.writes() == []


def test_its_zones_are_listed_and_counted(world: World, found: list[Health]):
    world.apply_zone("b", "b.example.org")
    world.apply_zone("a", "a.example.org")
    world.apply_zone("elsewhere", "c.example.org", spec={"bind9InstancesFrom": []})
    instances(world).reconcile(key("p1"))
    status = world.status("Bind9Instance", "p1")
    assert [entry["zoneName"] for entry in status["zones"]] == ["a.example.org", "b.example.org"]
    assert status["zonesCount"] == 2


def test_the_list_of_zones_is_cut_and_the_count_is_exact(
    world: World, found: list[Health], monkeypatch: pytest.MonkeyPatch
):
    assert MOST_ZONES == 1000
    monkeypatch.setattr(module, "MOST_ZONES", 2)
    for number in range(3):
        world.apply_zone(f"z{number}", f"z{number}.example.org")
    instances(world).reconcile(key("p1"))
    status = world.status("Bind9Instance", "p1")
    assert (len(status["zones"]), status["zonesCount"]) == (2, 3)
