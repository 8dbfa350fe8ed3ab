"""A record kind is two files: stamped, generated, applied, and answered."""

from pathlib import Path

from envtest.cluster import Cluster
from hack.stage import eventually, stage
from tests.project import run
from tests.scene import Scene

FINGERPRINT = "123456789abcdef67890123456789abcdef67890123456789abcdef123456789"


def test_new_kind_is_served(cluster: Cluster, copy: Path):
    run("make", "new-kind", "KIND=SSHFP", cwd=copy)
    run("make", "generate", cwd=copy)
    # Another manager, with kinds of its own: it gets a cluster of its own, for one cluster has one.
    with stage(cluster.backend) as running:
        running.install_crds(copy / "config/crd")
        running.register_servers("default")
        running.start_manager(root=copy)
        scene = Scene(running, "default")
        scene.create_zone()
        spec = {"name": "www", "algorithm": 4, "fpType": 2, "fingerprint": FINGERPRINT}
        scene.create("SSHFPRecord", "www", spec)
        scene.wait("sshfprecords", "www", "Propagated")
        scene.served("www", f"4 2 {FINGERPRINT}", rdtype="SSHFP")
        scene.delete("sshfprecords", "www")
        scene.served("www", rdtype="SSHFP")
        eventually(lambda: not scene.exists("sshfprecords", "www"))
