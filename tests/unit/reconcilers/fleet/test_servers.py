"""Which instances serve which zones."""

import json
from typing import Any

import pytest

from generated.kinds import Bind9Instance
from reconcilers.engine.api import Role
from reconcilers.fleet.servers import Fleet, ServerChoice, server_of
from zonewright.api.kind import Request
from zonewright.api.objects import Object
from zonewright.api.selectors import Selector


def instance(name: str, namespace: str = "dns", *, spec: dict[str, Any] | None = None, **metadata: Any) -> Object[Any]:
    meta = {"name": name, "namespace": namespace, "resourceVersion": "1", "uid": name, **metadata}
    fields = {"metadata": meta, "spec": spec or {"role": "primary", "external": {"address": "192.0.2.1"}}}
    return Object(Bind9Instance, Request(namespace, name), 1, 1, json.dumps(fields).encode())


def choice(cluster: str | None = None, **labels: str) -> ServerChoice:
    return ServerChoice("dns", cluster, (Selector.from_fields({"matchLabels": labels}),) if labels else ())


@pytest.mark.parametrize(
    ("what", "wanted", "taken"),
    [
        (instance("labelled", labels={"tier": "a"}), choice(tier="a"), True),
        (instance("labelled otherwise", labels={"tier": "b"}), choice(tier="a"), False),
        (instance("of the cluster", spec={"role": "primary", "clusterRef": "c"}), choice("c"), True),
        (instance("of another cluster", spec={"role": "primary", "clusterRef": "d"}), choice("c"), False),
        (instance("of no cluster"), choice(), False),
        (instance("elsewhere", "other", labels={"tier": "a"}), choice(tier="a"), False),
        (
            instance(
                "open to us",
                "other",
                labels={"tier": "a"},
                annotations={"bindy.firestoned.io/allow-zone-namespaces": "x, dns"},
            ),
            choice(tier="a"),
            True,
        ),
        (
            instance(
                "open to all",
                "other",
                labels={"tier": "a"},
                annotations={"bindy.firestoned.io/allow-zone-namespaces": "*"},
            ),
            choice(tier="a"),
            True,
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Object) else "",
)
def test_an_instance_takes_part(what: Object[Any], wanted: ServerChoice, taken: bool):
    assert wanted.takes(server_of(what)) is taken


def test_the_role_of_an_external_server_may_stand_in_either_place():
    inside = instance("a", spec={"external": {"address": "192.0.2.1", "role": "secondary"}})
    outside = instance("b", spec={"role": "secondary", "external": {"address": "192.0.2.1"}})
    assert server_of(inside).role is server_of(outside).role is Role.SECONDARY


def test_without_bindcar_its_zones_are_adopted():
    spec = {"external": {"address": "192.0.2.1", "bindcarUrl": "http://192.0.2.1:8080"}}
    assert server_of(instance("a")).adopted
    assert not server_of(instance("b", spec=spec)).adopted
    assert not server_of(instance("c", spec={"role": "primary", "clusterRef": "c"})).adopted


def test_the_fleet_follows_its_informer():
    fleet = Fleet()
    one = instance("one")
    fleet.on_instance(None, one, True)
    assert [server.name for server in fleet] == ["dns/one"]
    fleet.on_instance(one, None, False)
    assert list(fleet) == []
