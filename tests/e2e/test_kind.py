"""The kind cluster is what the other end-to-end tests take it for."""

from __future__ import annotations

from zonewright.envtest.cluster import Cluster


def test_the_nodes_are_ready(cluster: Cluster) -> None:
    nodes = [node["metadata"]["name"] for node in cluster.get("/api/v1/nodes")["items"]]

    assert nodes
    for name in nodes:
        cluster.wait_for(f"/api/v1/nodes/{name}", timeout=120)


def test_the_projects_kinds_are_accepted_and_served(crds: Cluster) -> None:
    served = {each["name"] for each in crds.get("/apis/bindy.firestoned.io/v1beta1")["resources"]}

    assert {"dnszones", "arecords"} <= served


def test_namespaces_end(cluster: Cluster, namespace: str) -> None:
    cluster.delete(f"/api/v1/namespaces/{namespace}")

    cluster.wait_gone(f"/api/v1/namespaces/{namespace}", timeout=120)
