"""What every test may use: a cluster, a namespace, name servers. See zonewright/testing/plugin.py."""

from __future__ import annotations

import hypothesis
import pytest

from tests.support import ROOT
from zonewright.envtest.cluster import Cluster

pytest_plugins = [
    "zonewright.testing.plugin",
    "testbed.plugin",
    "tests.support.project",
    "tests.support.scene",
    "tests.support.tenants",
]


# How long an example takes says something of the machine and its load, nothing of what is tested.
hypothesis.settings.register_profile(
    "untimed",
    parent=hypothesis.settings(),  # in CI that is Hypothesis' own profile for it
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("generated tests")
    group.addoption("--ops", type=int, default=300, help="length of generated sequences of API operations")
    group.addoption("--seed", type=int, default=1, help="seed of generated tests")


@pytest.fixture(scope="session")
def crds(cluster: Cluster) -> Cluster:
    """The cluster with the project's own kinds installed."""
    cluster.install_crds(ROOT / "config" / "crd")
    return cluster
