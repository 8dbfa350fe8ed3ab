"""`python -m controllers release` as people type it, on an API server: deletions end without an operator."""

import datetime as dt
import os
import pty
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reconcilers.desired.ownership import NAME_ANNOTATION, OWN_ANNOTATION, ZONE_ANNOTATION, finalizer
from tests.support import ROOT
from tests.support.commands import controllers
from zonewright.client.client import PAGE_SIZE
from zonewright.envtest.backend import backend
from zonewright.envtest.chaos.faults import Fail
from zonewright.envtest.chaos.proxy import ChaosProxy
from zonewright.envtest.cluster import Cluster
from zonewright.testing import eventually

GROUP = "/apis/externaldns.k8s.io/v1alpha1"


def release(kubeconfig: Path, *words: str, stdin: int = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    return controllers(kubeconfig, "release", *words, stdin=stdin)


class Endpoints:
    """DNSEndpoints of one namespace, as the operator leaves them behind."""

    def __init__(self, cluster: Cluster, namespace: str) -> None:
        self.cluster, self.namespace = cluster, namespace

    def path(self, name: str = "") -> str:
        return f"{GROUP}/namespaces/{self.namespace}/dnsendpoints" + (f"/{name}" if name else "")

    def create(self, name: str, *, finalizers: tuple[str, ...] = (finalizer("DNSEndpoint"),), deleted: bool = False):
        endpoint = {"dnsName": f"{name}.example.org", "recordType": "A", "targets": ["192.0.2.1"]}
        metadata = {"name": name, "finalizers": list(finalizers), "annotations": {ZONE_ANNOTATION: "example.org"}}
        body = {"apiVersion": "externaldns.k8s.io/v1alpha1", "kind": "DNSEndpoint", "metadata": metadata}
        self.cluster.create(self.path(), {**body, "spec": {"endpoints": [endpoint]}})
        if deleted:
            self.cluster.delete(self.path(name))

    def metadata(self) -> dict[str, dict[str, Any]]:
        return {item["metadata"]["name"]: item["metadata"] for item in self.cluster.get(self.path())["items"]}

    @property
    def names(self) -> set[str]:
        return set(self.metadata())


@pytest.fixture(scope="module")
def abandoned(cluster: Cluster) -> Iterator[Cluster]:
    """A cluster of its own: on that of all tests there may be an operator, which ends deletions."""
    with backend(cluster.backend) as own:
        own.install_crds(ROOT / "config/crd")
        yield own


@pytest.fixture
def endpoints(abandoned: Cluster) -> Endpoints:
    name = f"test-{secrets.token_hex(4)}"
    abandoned.create("/api/v1/namespaces", {"metadata": {"name": name}})
    return Endpoints(abandoned, name)


@pytest.fixture
def faulty(abandoned: Cluster) -> Iterator[ChaosProxy]:
    with ChaosProxy(abandoned) as proxy:
        yield proxy


def test_a_deletion_ends_and_nothing_else_is_touched(endpoints: Endpoints):
    endpoints.create("going", deleted=True)
    endpoints.create("shared", finalizers=("example.org/theirs", finalizer("DNSEndpoint")), deleted=True)
    endpoints.create("staying")
    done = release(endpoints.cluster.kubeconfig, "--namespace", endpoints.namespace, "--deleting", "--yes")
    assert done.returncode == 0, done.stderr
    left = endpoints.metadata()
    assert set(left) == {"shared", "staying"}
    assert left["shared"]["finalizers"] == ["example.org/theirs"]
    assert left["staying"]["finalizers"] == [finalizer("DNSEndpoint")]
    assert "its deletion waits for example.org/theirs" in done.stdout
    assert done.stdout.splitlines()[-1] == "2 released, 0 gone, 0 left"
    endpoints.cluster.patch(endpoints.path("shared"), {"metadata": {"finalizers": None}})


def test_more_than_a_page_of_a_namespace_that_is_being_deleted(endpoints: Endpoints):
    count = 2 * PAGE_SIZE + 1
    for number in range(count):
        endpoints.create(f"e{number}")
    endpoints.cluster.delete(f"/api/v1/namespaces/{endpoints.namespace}")
    endpoints.cluster.request("DELETE", endpoints.path())  # on a real control plane its controllers do that
    eventually(lambda: all(each.get("deletionTimestamp") for each in endpoints.metadata().values()))
    done = release(endpoints.cluster.kubeconfig, "--namespace", endpoints.namespace, "--yes")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"{count} released, 0 gone, 0 left"
    assert endpoints.names == set()


def test_without_a_terminal_it_asks_nobody_and_does_nothing(endpoints: Endpoints):
    endpoints.create("going", deleted=True)
    done = release(endpoints.cluster.kubeconfig, "-n", endpoints.namespace)
    assert (done.returncode, endpoints.names) == (1, {"going"})
    assert "There is no terminal to ask on: give --yes" in done.stderr
    dry = release(endpoints.cluster.kubeconfig, "-n", endpoints.namespace, "--dry-run")
    assert (dry.returncode, endpoints.names) == (0, {"going"})
    assert dry.stdout.startswith(f"would release DNSEndpoint {endpoints.namespace}/going: finalizer")


def test_on_a_terminal_it_asks(endpoints: Endpoints):
    endpoints.create("going", deleted=True)
    ours, theirs = pty.openpty()
    os.write(ours, b"n\ny\n")
    refused = release(endpoints.cluster.kubeconfig, "-n", endpoints.namespace, stdin=theirs)
    assert (refused.returncode, endpoints.names) == (1, {"going"})
    done = release(endpoints.cluster.kubeconfig, "-n", endpoints.namespace, stdin=theirs)
    assert (done.returncode, endpoints.names) == (0, set()), done.stderr
    os.close(ours)
    os.close(theirs)


def test_zones_and_records_are_released_when_they_are_named(endpoints: Endpoints):
    """By default they are not: nothing but their own metadata tells what is theirs in DNS."""
    group = f"/apis/bindy.firestoned.io/v1beta1/namespaces/{endpoints.namespace}"
    soa = {"primaryNs": "ns1.example.org.", "adminEmail": "admin@example.org"}
    for kind, spec in (
        ("DNSZone", {"zoneName": "example.org", "soaRecord": soa}),
        ("ARecord", {"name": "www", "ipv4Address": "192.0.2.1"}),
    ):
        annotations = {ZONE_ANNOTATION: "example.org", NAME_ANNOTATION: "www", OWN_ANNOTATION: "example.org./NS"}
        metadata = {"name": "one", "finalizers": [finalizer(kind)], "annotations": annotations}
        body = {"apiVersion": "bindy.firestoned.io/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}
        endpoints.cluster.create(f"{group}/{kind.lower()}s", body)
        endpoints.cluster.delete(f"{group}/{kind.lower()}s/one")
    words = ("--namespace", endpoints.namespace, "--yes")
    assert release(endpoints.cluster.kubeconfig, *words).stdout.startswith("nothing to release")
    done = release(endpoints.cluster.kubeconfig, *words, "--kind", "all")
    assert done.returncode == 0, done.stderr
    assert {line.partition(":")[0] for line in done.stdout.splitlines()} == {
        f"released DNSZone {endpoints.namespace}/one",
        f"released ARecord {endpoints.namespace}/one",
        "2 released, 0 gone, 0 left",
    }
    for plural in ("dnszones", "arecords"):
        assert endpoints.cluster.get(f"{group}/{plural}")["items"] == []


def test_what_is_forbidden_is_left_and_told(endpoints: Endpoints, faulty: ChaosProxy):
    endpoints.create("going", deleted=True)
    endpoints.create("kept", deleted=True)
    faulty.add(Fail(403, message="patch is not allowed"), verb="PATCH", name="kept")
    done = release(faulty.kubeconfig, f"{endpoints.namespace}/kept", f"{endpoints.namespace}/going", "--yes")
    assert (done.returncode, endpoints.names) == (1, {"kept"})
    left = f"left DNSEndpoint {endpoints.namespace}/kept: patch is not allowed; it takes the verb patch on"
    assert left in done.stderr
    assert done.stdout.splitlines()[-1] == "1 released, 0 gone, 1 left"


def test_a_conflict_is_tried_again(endpoints: Endpoints, faulty: ChaosProxy):
    endpoints.create("going", deleted=True)
    rule = faulty.add(Fail(409), verb="PATCH", times=1)
    done = release(faulty.kubeconfig, "-n", endpoints.namespace, "--yes")
    assert (done.returncode, endpoints.names, rule.hits) == (0, set(), 1)


def test_it_refuses_while_an_operator_is_at_work(endpoints: Endpoints):
    endpoints.create("going", deleted=True)
    now = dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    spec = {"holderIdentity": "pod-1_abc", "leaseDurationSeconds": 3600, "renewTime": now, "acquireTime": now}
    leases = f"/apis/coordination.k8s.io/v1/namespaces/{endpoints.namespace}/leases"
    endpoints.cluster.create(leases, {"metadata": {"name": "zonewright-leader"}, "spec": spec})
    words = ("-n", endpoints.namespace, "--lease-namespace", endpoints.namespace, "--yes")
    done = release(endpoints.cluster.kubeconfig, *words)
    assert (done.returncode, endpoints.names) == (1, {"going"})
    assert f"an operator is at work: pod-1_abc holds lease {endpoints.namespace}/zonewright-leader" in done.stderr
    assert release(endpoints.cluster.kubeconfig, *words, "--force").returncode == 0
    assert endpoints.names == set()


def test_a_cluster_without_the_crd_has_nothing_to_release():
    with backend("embedded") as bare:
        done = release(bare.kubeconfig, "--yes")
    assert done.returncode == 0, done.stderr
    assert "the cluster has no DNSEndpoints: their CRD is not installed" in done.stdout


@pytest.mark.parametrize("words", [("www",), ("a/b/c",), ("--kind", "pod")])
def test_a_command_line_that_makes_no_sense_is_one_line(words: tuple[str, ...], endpoints: Endpoints):
    done = release(endpoints.cluster.kubeconfig, *words)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith("zonewright: ")
