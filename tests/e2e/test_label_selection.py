"""Seed 002 on a real cluster: its integration scenario (5.2) and its manual test plan (5.3), on `make run`.

The name servers are real too and run beside the tests, registered as external Bind9Instances. Nothing here looks inside
the operator: only the API, the servers' answers and the log that a person would read.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from hack.demo.records import steps
from hack.demo.steps import NAMESPACE, manager_works
from testbed.stage import GROUP, ROOT, Stage, stage
from zonewright.envtest import ports
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.processes import Run
from zonewright.testing import eventually

ZONE = "e2e.example.org"
SELECTED = {"zone": "e2e"}
PATIENCE = 60.0


@pytest.fixture(scope="module")
def operator(cluster: Cluster, background: Run) -> Iterator[Stage]:
    """The operator as a developer runs it against a context, with a primary and a secondary beside it."""
    context = yaml.safe_load(cluster.kubeconfig.read_text())["current-context"]
    with stage("", cluster=cluster, run=background) as running:
        running.install_crds()
        running.http_port = ports.reserve()
        settings = {
            "KUBECONFIG": str(cluster.kubeconfig),
            "ZONEWRIGHT_HTTP": f"127.0.0.1:{running.http_port}",
            "ZONEWRIGHT_LOG_FORMAT": "json",
        }
        running.manager = background.start("make-run", ["make", "run", f"CONTEXT={context}"], cwd=ROOT, env=settings)
        eventually(lambda: manager_works(running), timeout=PATIENCE, what="the manager's start")
        yield running
        running.manager.check()


def test_5_2_a_record_is_selected_published_updated_and_forgotten(operator: Stage, namespace: str) -> None:
    operator.register_servers(namespace)
    look = functools.partial(operator.object, namespace=namespace)
    zones, records = (f"{GROUP}/namespaces/{namespace}/{plural}" for plural in ("dnszones", "arecords"))

    # 1, 2: a zone with a selector, a record that it selects
    operator.cluster.create(zones, zone())
    operator.cluster.create(records, record("192.0.2.1"))

    # 3, 4: the zone lists the record, the record tells its zone
    soon(lambda: listed(look("dnszones", "zone")) == ["www"], "the zone lists the record")
    soon(lambda: told_zones(look("arecords", "www")) == (ZONE, ZONE), "the record tells its zone")
    soon(lambda: answers(operator) == [{"192.0.2.1"}] * 2, "both servers answer")
    first = look("dnszones", "zone")["status"]["serial"]

    # 5, 6, 7: a change reaches DNS as an update, and the zone follows
    operator.cluster.patch(f"{records}/www", {"spec": {"ipv4Address": "192.0.2.2"}})
    soon(lambda: answers(operator) == [{"192.0.2.2"}] * 2, "both servers answer with the change")
    soon(lambda: look("dnszones", "zone")["status"]["serial"] > first, "the zone's serial rises")
    soon(lambda: "nsupdate" in operator.manager_log(), "a line about the update")

    # 8, 9: a deleted record is gone everywhere
    operator.cluster.delete(f"{records}/www")
    soon(lambda: answers(operator) == [set(), set()], "no server answers any more")
    soon(lambda: listed(look("dnszones", "zone")) == [], "the zone's status is empty")

    operator.cluster.delete(f"{zones}/zone")
    operator.cluster.wait_gone(f"{zones}/zone")


def zone() -> dict[str, Any]:
    spec = {
        "zoneName": ZONE,
        "soaRecord": {"primaryNs": f"ns1.{ZONE}.", "adminEmail": f"admin@{ZONE}"},
        "recordsFrom": [{"selector": {"matchLabels": SELECTED}}],
        "bind9InstancesFrom": [{"selector": {"matchLabels": {"dns.example.org/tier": "demo"}}}],
    }
    return {"apiVersion": "bindy.firestoned.io/v1beta1", "kind": "DNSZone", "metadata": {"name": "zone"}, "spec": spec}


def record(address: str) -> dict[str, Any]:
    metadata = {"name": "www", "labels": SELECTED}
    spec = {"name": "www", "ipv4Address": address, "ttl": 300}
    return {"apiVersion": "bindy.firestoned.io/v1beta1", "kind": "ARecord", "metadata": metadata, "spec": spec}


def listed(found: dict[str, Any]) -> list[str]:
    return [entry["name"] for entry in (found.get("status") or {}).get("records") or ()]


def told_zones(found: dict[str, Any]) -> tuple[str | None, str | None]:
    """In metadata and in status."""
    annotations, status = found["metadata"].get("annotations") or {}, found.get("status") or {}
    return annotations.get("bindy.firestoned.io/zone"), status.get("zone")


def answers(operator: Stage) -> list[set[str]]:
    return [operator.ask(server, f"www.{ZONE}", "A") for server in operator.servers]


def soon(condition: Any, what: str) -> None:
    eventually(condition, timeout=PATIENCE, what=what, every=0.1)


@pytest.fixture
def my_cluster(operator: Stage) -> Iterator[Stage]:
    """The namespace and the servers of `my-cluster` that the manual plan starts from."""
    operator.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    operator.register_servers(NAMESPACE)
    for server in operator.servers:
        path = f"{GROUP}/namespaces/{NAMESPACE}/bind9instances/{server.name}"
        operator.cluster.patch(path, {"spec": {"clusterRef": "my-cluster"}})
    yield operator
    operator.cluster.delete(f"/api/v1/namespaces/{NAMESPACE}")
    operator.cluster.wait_gone(f"/api/v1/namespaces/{NAMESPACE}", timeout=120)


def test_5_3_the_manual_test_plan_holds_step_by_step(my_cluster: Stage) -> None:
    _, *plan = steps()  # the first deploys the operator, which `make run` has done

    for step in plan:
        for act in step.does:
            act(my_cluster)
        for look in step.holds:
            soon(functools.partial(look, my_cluster), step.text)
