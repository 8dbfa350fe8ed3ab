"""The kind backend: a Kubernetes cluster in containers, through pytest-kind.

Of pytest-kind only create, delete, load_docker_image and kubeconfig_path are used, and its programs are always passed
in: by itself it would download old ones. What is needed (docker, kind, a node image) is looked for before anything is
started, so that "cannot, because ..." takes a second and not a timeout.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from pytest_kind.cluster import KindCluster

from envtest import kubectl
from envtest.cluster import Cluster
from envtest.errors import Unavailable
from envtest.external import from_kubeconfig
from envtest.processes import Run

CLUSTER_NAME = "zonewright"


class Kind:
    """A kind cluster, created when it is not there and deleted when this created it."""

    name = "kind"

    def __init__(
        self,
        *,
        image: str | None = None,
        kind: str | None = None,
        cluster_name: str | None = None,
        keep: bool = False,
        kubeconfig: str | None = None,
    ) -> None:
        """Choose the cluster; `image` and `kubeconfig` default to KIND_IMAGE and KUBECONFIG."""
        self._image = image or os.environ.get("KIND_IMAGE")
        self._kind = kind or shutil.which("kind")
        self._name = cluster_name or CLUSTER_NAME
        self._keep = keep
        self._kubeconfig = kubeconfig or os.environ.get("KUBECONFIG")
        self._run: Run | None = None
        self._cluster: KindCluster | None = None

    def start(self) -> Cluster:
        """Create the cluster, or take the one of that name that is there."""
        kind = require(self._kind, self._image)
        self._run = Run()
        kubeconfig = Path(self._kubeconfig) if self._kubeconfig else self._run.directory / "kind.kubeconfig"
        self._keep = self._keep or self._name in clusters(kind)
        # pytest-kind keeps its files below the current directory; given every path, it only makes an empty one there.
        previous = Path.cwd()
        os.chdir(self._run.directory)
        try:
            self._cluster = KindCluster(self._name, kubeconfig, self._image, Path(kind), kubectl.find())
            self._cluster.create()
        finally:
            os.chdir(previous)
        return from_kubeconfig(self._cluster.kubeconfig_path, self._run.directory, backend=self.name)

    def load_image(self, image: str) -> None:
        """Give the nodes an image that docker has."""
        if self._cluster is None:
            raise ValueError("the cluster is not started")
        self._cluster.load_docker_image(image)

    def stop(self) -> None:
        """Delete the cluster unless it was there before."""
        if self._cluster is not None and not self._keep:
            self._cluster.delete()
        if self._run is not None:
            self._run.close()
        self._cluster = self._run = None


def require(kind: str | None, image: str | None) -> str:
    """Return kind's path when a cluster can be had; raise Unavailable with the first obstacle otherwise."""
    if kind is None:
        raise Unavailable("no kind cluster: the program `kind` is missing (docs/how-to/kind.md)")
    if shutil.which("docker") is None:
        raise Unavailable("no kind cluster: docker is missing (docs/how-to/kind.md)")
    done = _run(["docker", "version", "--format", "{{.Server.Version}}"])
    if done.returncode != 0:
        raise Unavailable(f"no kind cluster: docker does not answer ({_last_line(done.stderr)})")
    if image and _run(["docker", "image", "inspect", image]).returncode != 0:
        pulled = _run(["docker", "pull", image])
        if pulled.returncode != 0:
            raise Unavailable(f"no kind cluster: no node image {image} ({_last_line(pulled.stderr)})")
    return kind


def clusters(kind: str) -> list[str]:
    """Name the clusters that exist."""
    return _run([kind, "get", "clusters"]).stdout.split()


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1]
