"""The kind cluster is what the other end-to-end tests take it for."""

from __future__ import annotations

from envtest.cluster import Cluster


def test_the_nodes_are_ready(cluster: Cluster) -> None:
    cluster.kubectl("wait", "--for=condition=Ready", "nodes", "--all", "--timeout=120s")


def test_the_projects_kinds_are_accepted_and_served(crds: Cluster) -> None:
    served = crds.kubectl("api-resources", "--api-group=bindy.firestoned.io", "-o", "name").split()

    assert {"dnszones.bindy.firestoned.io", "arecords.bindy.firestoned.io"} <= set(served)


def test_namespaces_end(cluster: Cluster, namespace: str) -> None:
    cluster.kubectl("delete", "namespace", namespace, "--timeout=120s")

    assert cluster.request("GET", f"/api/v1/namespaces/{namespace}").status == 404
