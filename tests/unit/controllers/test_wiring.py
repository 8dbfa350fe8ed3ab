"""The operator as it is wired: what holds for every controller of it."""

import json
from pathlib import Path
from typing import Any

import yaml

from controllers.options import Options
from controllers.wiring import INSTANCE_CHANGED, build
from generated.kinds import KINDS
from reconcilers.fleet.servers import NAMESPACES_ANNOTATION
from reconcilers.records import RECORD_KINDS
from zonewright import Config, Object, Request
from zonewright.controller.failures import FailureConditions


def test_every_controller_tells_failures_that_last_on_its_object():
    manager = build(Options("test", http="off"), Config("http://127.0.0.1:1", lambda: "Bearer token"))
    told = {
        each.name: (each.observer._kind.kind, each.observer._condition, each.observer._reason)
        for each in manager.controllers
        if isinstance(each.observer, FailureConditions)
    }
    kinds = ["DNSZone", "DNSEndpoint", "Bind9Instance", *(kind.kind for kind in RECORD_KINDS)]
    assert told == {kind.lower(): (kind, "Ready", "ReconcileError") for kind in kinds}
    assert all("status" in KINDS[kind].subresources for kind in kinds)


def test_the_role_lets_it_read_the_one_namespace_that_identifies_the_cluster():
    role = yaml.safe_load(Path("config/rbac/role.yaml").read_text())
    rules = [rule for rule in role["rules"] if rule["resources"] == ["namespaces"]]
    assert [(rule.get("resourceNames"), rule["verbs"]) for rule in rules] == [
        (["kube-system"], ["get"]),
        (None, ["list", "watch"]),  # their labels, for allowEndpointsFrom
    ]


def test_an_instance_is_looked_at_again_when_it_lets_another_namespaces_zones_in():
    """Its status lists the zones on it, and no zone changes by that."""

    def instance(annotations: dict[str, str]) -> Object[Any]:
        metadata = {"name": "p1", "namespace": "dns", "generation": 1, "annotations": annotations}
        return Object(KINDS["Bind9Instance"], Request("dns", "p1"), 1, 1, json.dumps({"metadata": metadata}).encode())

    assert INSTANCE_CHANGED(instance({}), instance({NAMESPACES_ANNOTATION: "other"}))
    assert not INSTANCE_CHANGED(instance({}), instance({}))
