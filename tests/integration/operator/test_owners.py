"""Two clusters, an operator in each, one name for both, and the same name servers."""

from collections.abc import Iterator

import pytest

from testbed.named import register
from testbed.stage import Stage
from tests.support.scene import LABEL, Scene
from zonewright.envtest.backend import backend
from zonewright.envtest.processes import Run


@pytest.fixture
def elsewhere(operator: Stage, background: Run, namespace: str) -> Iterator[Scene]:
    """A cluster of its own, whose operator has the same --cluster-name and whose instances are the same servers."""
    with backend("embedded") as cluster:
        other = Stage(cluster, background, operator.primaries, operator.secondaries, _starts=100)
        other.install_crds()
        cluster.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
        for server in other.servers:
            register(server, cluster, namespace, labels={LABEL: "demo"})
        other.start_manager("--poll-interval", "1")
        try:
            yield Scene(other, namespace)
        finally:
            assert other.manager is not None
            other.manager.stop(timeout=25)


def test_nothing_lost_two_operators_with_one_cluster_name_in_two_clusters(scene: Scene, elsewhere: Scene) -> None:
    scene.create_zone()
    scene.create_a("www", "192.0.2.1")
    scene.wait("dnszones", "zone")
    scene.served("www", "192.0.2.1")
    before = scene.serials()

    elsewhere.zone = scene.zone
    elsewhere.create_zone()
    elsewhere.create_a("www", "192.0.2.2")
    assert "for cluster stage/" in elsewhere.refused("dnszones", "zone", "Conflict")
    elsewhere.delete_zones()
    scene.served("www", "192.0.2.1")
    assert scene.serials() == before

    scene.create_a("more", "192.0.2.3")
    scene.served("more", "192.0.2.3")
