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
        fleet=world.fleet,
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


LATER = "2026-01-02T00:00:00Z"


def ready_message(world: World, name: str) -> str:
    conditions = world.status("Bind9Instance", name)["conditions"]
    return str(next(each["message"] for each in conditions if each["type"] == "Ready"))


def second(world: World, **external: Any) -> None:
    fields = EXTERNAL | external
    world.api.apply("Bind9Instance", "p2", {"external": fields}, labels={"tier": "demo"}, creationTimestamp=LATER)


def test_a_second_registration_of_a_server_names_the_first_and_does_nothing(
    world: World, found: list[Health], monkeypatch: pytest.MonkeyPatch
):
    second(world, bindcarUrl="http://192.0.2.54:8080")
    world.apply_zone()
    reconciler = instances(world)
    reconciler.reconcile(key("p1"))
    monkeypatch.delattr(module, "probe")
    result = reconciler.reconcile(key("p2"))
    assert result is not None
    assert result.requeue_after == HEALTHY_INTERVAL
    assert world.engine.servers.keys() == {"dns/p1"}
    assert world.condition("Bind9Instance", "p2") == ("False", "DuplicateServer")
    assert "Bind9Instance dns/p1 already stands for this server (same address 192.0.2.53:53)" in ready_message(
        world, "p2"
    )
    assert "delete one of the two" in ready_message(world, "p2")
    assert world.status("Bind9Instance", "p1")["zonesCount"] == 1
    assert world.status("Bind9Instance", "p2")["zonesCount"] == 0


def test_a_server_that_becomes_a_second_registration_leaves_the_engine(world: World, found: list[Health]):
    second(world, address="192.0.2.54", bindcarUrl="http://192.0.2.54:8080")
    reconciler = instances(world)
    for name in ("p1", "p2"):
        reconciler.reconcile(key(name))
    assert world.engine.servers.keys() == {"dns/p1", "dns/p2"}
    second(world)
    reconciler.reconcile(key("p2"))
    assert world.engine.servers.keys() == {"dns/p1"}


def test_the_second_registration_takes_over_when_the_first_goes_and_keeps_it_over_a_restart(
    world: World, found: list[Health]
):
    second(world)
    reconciler = instances(world)
    for name in ("p1", "p2"):
        reconciler.reconcile(key(name))
    world.api.delete("Bind9Instance", "p1")
    for name in ("p1", "p2"):
        reconciler.reconcile(key(name))
    assert world.engine.servers.keys() == {"dns/p2"}
    assert world.condition("Bind9Instance", "p2") == ("True", "AllReady")
    world.api.apply("Bind9Instance", "p1", {"external": EXTERNAL}, labels={"tier": "demo"})  # older, by its timestamp
    world.restart()
    reconciler = instances(world)
    for name in ("p1", "p2"):
        reconciler.reconcile(key(name))
    assert world.engine.servers.keys() == {"dns/p2"}
    assert world.condition("Bind9Instance", "p1") == ("False", "DuplicateServer")


def test_one_server_under_two_addresses_is_known_by_what_its_bindcar_says(world: World, found: list[Health]):
    found[:] = [Health(server_id="an-id")]
    second(world, address="192.0.2.54", bindcarUrl="http://192.0.2.54:8080")
    reconciler = instances(world)
    for name in ("p1", "p2"):
        reconciler.reconcile(key(name))
    assert world.engine.servers.keys() == {"dns/p1"}
    assert "same server id an-id" in ready_message(world, "p2")
    assert world.status("Bind9Instance", "p1")["server"] == {"id": "an-id", "address": "192.0.2.53:53"}
    world.restart()
    found[:] = [AWAY]
    reconciler = instances(world)
    for name in ("p2", "p1"):
        reconciler.reconcile(key(name))
    assert world.engine.servers.keys() == {"dns/p1"}, "it is known while no server answers, and whoever comes first"
    assert world.condition("Bind9Instance", "p2") == ("False", "DuplicateServer")


def test_the_engine_hears_what_tells_the_server_from_others(world: World, found: list[Health]):
    found[:] = [WELL, Health(server_id="an-id"), AWAY]
    reconciler = instances(world)
    for identity in ("192.0.2.53:53", "an-id", "an-id"):
        reconciler.reconcile(key("p1"))
        assert world.engine.servers["dns/p1"].identity == identity


@pytest.mark.parametrize("finalizers", [[], ["somebody else's"]], ids=["gone", "going"])
def test_a_server_that_goes_leaves_the_engine(world: World, found: list[Health], finalizers: list[str]):
    reconciler = instances(world)
    reconciler.reconcile(key("p1"))
    world.writes()
    world.api.apply("Bind9Instance", "p1", {"external": EXTERNAL}, finalizers=finalizers)
    world.api.delete("Bind9Instance", "p1")
    assert reconciler.reconcile(key("p1")) is None
    assert world.engine.servers == {}
    assert world.writes() == ([("Bind9Instance/p1", "status")] if finalizers else [])
    if finalizers:
        assert world.condition("Bind9Instance", "p1") == ("False", "Deleting")


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


def test_status_has_the_id_that_was_found_last(world: World, found: list[Health]):
    found[:] = [Health(server_id="an-id"), AWAY, Health(server_id="another-id")]
    reconciler = instances(world)
    for expected in ("an-id", "an-id", "another-id"):
        reconciler.reconcile(key("p1"))
        assert world.status("Bind9Instance", "p1")["server"] == {"id": expected, "address": "192.0.2.53:53"}
