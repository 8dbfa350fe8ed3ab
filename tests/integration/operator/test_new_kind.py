"""A record kind is two files: stamped, generated, applied as docs/how-to/add-a-record-kind.md says, and answered."""

from pathlib import Path

import pytest

from testbed.stage import stage
from tests.support.documents import blocks, shell, typed
from tests.support.project import run
from tests.support.scene import Scene
from zonewright.envtest.cluster import Cluster
from zonewright.testing import eventually

(APPLY,) = blocks("docs/how-to/add-a-record-kind.md", "console")
FINGERPRINT = "123456789abcdef67890123456789abcdef67890123456789abcdef123456789"


@pytest.mark.slow
def test_new_kind_is_served(cluster: Cluster, copy: Path):
    run("make", "new-kind", "KIND=SSHFP", cwd=copy)
    run("make", "generate", cwd=copy)
    # Another manager, with kinds of its own: it gets a cluster of its own, for one cluster has one.
    with stage(cluster.backend) as running:
        running.install_crds(copy / "config/crd")
        running.register_servers("default")
        running.start_manager(root=copy)
        scene = Scene(running, "default")
        scene.zone = "example.org"
        scene.create_zone()
        shell(typed(APPLY), cwd=copy, KUBECONFIG=str(running.cluster.kubeconfig))
        scene.wait("sshfprecords", "www", "Propagated")
        scene.served("www", f"4 2 {FINGERPRINT}", rdtype="SSHFP")
        scene.delete("sshfprecords", "www")
        scene.served("www", rdtype="SSHFP")
        eventually(lambda: not scene.exists("sshfprecords", "www"))
