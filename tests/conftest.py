"""What every test may use: a cluster, a namespace, name servers. See envtest/pytest_plugin.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from envtest.cluster import Cluster

pytest_plugins = ["envtest.pytest_plugin", "tests.project", "tests.scene"]

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def crds(cluster: Cluster) -> Cluster:
    """The cluster with the project's own kinds installed."""
    cluster.install_crds(ROOT / "config" / "crd")
    return cluster
