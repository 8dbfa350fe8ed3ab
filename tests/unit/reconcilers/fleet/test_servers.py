"""Which instances serve which zones."""

import json
from typing import Any

import pytest

from generated.kinds import Bind9Instance, DNSZone
from reconcilers.engine.api import Role
from reconcilers.fleet.servers import Fleet, ServerChoice, ServerSource, server_of
from zonewright.api.kind import Request
from zonewright.api.objects import Object
from zonewright.api.selectors import Selector


def instance(name: str, namespace: str = "dns", *, spec: dict[str, Any] | None = None, **metadata: Any) -> Object[Any]:
    meta = {"name": name, "namespace": namespace, "resourceVersion": "1", "uid": name, **metadata}
    status = {"status": meta.pop("status")} if "status" in meta else {}
    fields = {"metadata": meta, "spec": spec or {"role": "primary", "external": {"address": "192.0.2.1"}}, **status}
    return Object(Bind9Instance, Request(namespace, name), 1, 1, json.dumps(fields).encode())


def choice(cluster: str | None = None, *namespaces: str, **labels: str) -> ServerChoice:
    source = ServerSource(Selector.from_fields({"matchLabels": labels}), frozenset(namespaces))
    return ServerChoice("dns", cluster, (source,) if labels else ())


def elsewhere(name: str, allows: str = "", cluster: str = "", tier: str = "a") -> Object[Any]:
    """An instance of namespace `other`."""
    spec = {"role": "primary", "clusterRef": cluster, "external": {"address": "192.0.2.1"}}
    annotations = {"bindy.firestoned.io/allow-zone-namespaces": allows} if allows else {}
    return instance(name, "other", spec=spec, labels={"tier": tier}, annotations=annotations)


@pytest.mark.parametrize(
    ("what", "wanted", "taken"),
    [
        (instance("labelled", labels={"tier": "a"}), choice(tier="a"), True),
        (instance("labelled otherwise", labels={"tier": "b"}), choice(tier="a"), False),
        (instance("of the cluster", spec={"role": "primary", "clusterRef": "c"}), choice("c"), True),
        (instance("of another cluster", spec={"role": "primary", "clusterRef": "d"}), choice("c"), False),
        (instance("of no cluster"), choice(), False),
        (elsewhere("neither agrees"), choice(tier="a"), False),
        (elsewhere("only it agrees", allows="x, dns"), choice(tier="a"), False),
        (elsewhere("only it agrees, to all", allows="*"), choice(tier="a"), False),
        (elsewhere("only the zone agrees"), choice(None, "other", tier="a"), False),
        (elsewhere("it allows somebody else", allows="x"), choice(None, "other", tier="a"), False),
        (elsewhere("the zone names another namespace", allows="dns"), choice(None, "x", tier="a"), False),
        (elsewhere("both agree", allows="x, dns"), choice(None, "x", "other", tier="a"), True),
        (elsewhere("both agree, it to all", allows="*"), choice(None, "other", tier="a"), True),
        (elsewhere("both agree and labels differ", allows="dns", tier="b"), choice(None, "other", tier="a"), False),
        (elsewhere("it claims the cluster", allows="dns", cluster="c"), choice("c"), False),
        (
            elsewhere("it claims the cluster of a zone that names its namespace", "dns", "c", tier="b"),
            choice("c", "other", tier="a"),
            False,
        ),
        (instance("at home beside named namespaces", labels={"tier": "a"}), choice(None, "other", tier="a"), True),
    ],
    ids=lambda value: value.name if isinstance(value, Object) else "",
)
def test_an_instance_takes_part(what: Object[Any], wanted: ServerChoice, taken: bool):
    assert wanted.takes(server_of(what)) is taken


def test_a_namespace_counts_for_the_selector_that_it_stands_beside():
    by_tier = {tier: Selector.from_fields({"matchLabels": {"tier": tier}}) for tier in "ab"}
    sources = (ServerSource(by_tier["a"], frozenset({"other"})), ServerSource(by_tier["b"]))
    wanted = ServerChoice("dns", None, sources)
    assert wanted.takes(server_of(elsewhere("one", allows="dns", tier="a")))
    assert not wanted.takes(server_of(elsewhere("two", allows="dns", tier="b")))


ANNOTATION = "(annotation bindy.firestoned.io/allow-zone-namespaces)"


@pytest.mark.parametrize(
    ("what", "wanted", "says"),
    [
        (elsewhere("both agree", allows="dns"), choice(None, "other", tier="a"), ""),
        (elsewhere("neither agrees: not even its name is told"), choice(tier="a"), ""),
        (elsewhere("labels differ", allows="dns", tier="b"), choice(None, "other", tier="a"), ""),
        (instance("at home", labels={"tier": "a"}), choice(tier="a"), ""),
        (
            elsewhere("the zone does not name it", allows="dns"),
            choice(tier="a"),
            "matches but its namespace is not named in bind9InstancesFrom[].namespaces",
        ),
        (
            elsewhere("it does not allow the zone", allows="x"),
            choice(None, "other", tier="a"),
            f"matches but does not allow namespace dns {ANNOTATION}",
        ),
        (
            elsewhere("of the cluster", allows="dns", cluster="c"),
            choice("c"),
            (
                "is of cluster c but in another namespace, which clusterRef does not reach: "
                "select it by bind9InstancesFrom[] with namespaces"
            ),
        ),
        (elsewhere("of the cluster, and nobody's business", cluster="c"), choice("c"), ""),
    ],
    ids=lambda value: value.name.replace(" ", "-") if isinstance(value, Object) else "",
)
def test_a_zone_is_told_of_a_server_that_lacks_consent(what: Object[Any], wanted: ServerChoice, says: str):
    server = server_of(what)
    assert wanted.missing_consent(server) == says
    assert wanted.left_out([server]) == ([f"Bind9Instance {server.name} {says}"] if says else [])
    assert wanted.concerns(server) is (bool(says) or wanted.takes(server))


def test_the_role_of_an_external_server_may_stand_in_either_place():
    inside = instance("a", spec={"external": {"address": "192.0.2.1", "role": "secondary"}})
    outside = instance("b", spec={"role": "secondary", "external": {"address": "192.0.2.1"}})
    assert server_of(inside).role is server_of(outside).role is Role.SECONDARY


def test_without_bindcar_its_zones_are_adopted():
    spec = {"external": {"address": "192.0.2.1", "bindcarUrl": "http://192.0.2.1:8080"}}
    assert server_of(instance("a")).adopted
    assert not server_of(instance("b", spec=spec)).adopted
    assert not server_of(instance("c", spec={"role": "primary", "clusterRef": "c"})).adopted


def zone_on(*names: str) -> Object[Any]:
    entries = [{"namespace": "dns", "name": name} for name in names]
    fields = {"metadata": {"name": "zone", "namespace": "dns"}, "status": {"bind9Instances": entries}}
    return Object(DNSZone, Request("dns", "zone"), 1, 1, json.dumps(fields).encode())


def test_the_fleet_knows_which_instances_are_duplicates():
    fleet = Fleet()
    for name in ("one", "two"):
        fleet.on_instance(None, instance(name), True)

    def working() -> list[str]:
        return [server.key.name for server in fleet.working()]

    assert working() == ["one"]
    with_two = instance("two", status={"observedGeneration": 1})
    fleet.on_instance(None, with_two, False)
    zone = zone_on("two")
    fleet.on_zone(None, zone, False)
    assert working() == ["two"], "it has a zone"
    fleet.on_zone(zone, None, False)
    fleet.on_instance(with_two, None, False)
    assert working() == ["one"]


def test_the_fleet_hears_of_a_server_id_before_status_says_it():
    fleet = Fleet()
    for name, address in (("one", "192.0.2.1"), ("two", "192.0.2.2")):
        fleet.on_instance(None, instance(name, spec={"external": {"address": address}}), True)
        assert fleet.duplicates() == {}
        fleet.found(Request("dns", name), "an-id")
    assert [str(key) for key in fleet.duplicates()] == ["dns/two"]
    fleet.found(Request("dns", "gone"), "an-id")


def test_a_server_that_both_sides_agree_on_may_be_used_whatever_its_labels():
    wanted = choice(None, "other", tier="a")
    assert wanted.may_use(server_of(instance("home")))
    assert wanted.may_use(server_of(elsewhere("agreed", allows="dns", tier="b")))
    assert not wanted.may_use(server_of(elsewhere("not allowed")))
    assert not choice(tier="a").may_use(server_of(elsewhere("not named", allows="dns")))


def test_the_fleet_follows_its_informer():
    fleet = Fleet()
    one = instance("one")
    fleet.on_instance(None, one, True)
    assert [server.name for server in fleet] == ["dns/one"]
    fleet.on_instance(one, None, False)
    assert list(fleet) == []


def test_the_fleet_works_out_anew_which_is_the_first_when_a_zone_comes_or_goes():
    fleet = Fleet()
    for name in ("one", "two"):
        fleet.on_instance(None, instance(name, status={"observedGeneration": 1}), True)
    zone = zone_on("two")
    assert [str(key) for key in fleet.duplicates()] == ["dns/two"]
    fleet.on_zone(None, zone, False)
    assert [str(key) for key in fleet.duplicates()] == ["dns/one"], "the other has a zone now"
    fleet.on_zone(zone, None, False)
    assert [str(key) for key in fleet.duplicates()] == ["dns/two"]


def test_a_server_that_is_being_deleted_is_no_longer_there():
    fleet = Fleet()
    fleet.on_instance(None, instance("one"), True)
    fleet.on_instance(instance("one"), instance("one", deletionTimestamp="2026-01-02T00:00:00Z"), False)
    assert list(fleet) == []
