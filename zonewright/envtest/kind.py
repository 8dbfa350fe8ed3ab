"""The kind backend: a Kubernetes cluster in containers, through pytest-kind.

Of pytest-kind only create, delete, load_docker_image and kubeconfig_path are used, and its programs are always passed
in: by itself it would download old ones. What is needed (docker, kind, a node image) is looked for before anything is
started, so that "cannot, because ..." takes a second and not a timeout.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from zonewright.envtest import kubectl
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.errors import Unavailable
from zonewright.envtest.external import from_kubeconfig
from zonewright.envtest.processes import Run

if TYPE_CHECKING:
    from pytest_kind.cluster import KindCluster

CLUSTER_NAME = "zonewright"


class Kind:
    """A kind cluster: the one that is there, or one that is made for this run and deleted with it."""

    name = "kind"

    def __init__(
        self,
        *,
        image: str | None = None,
        kind: str | None = None,
        cluster_name: str = CLUSTER_NAME,
        keep: bool = False,
    ) -> None:
        """Choose the cluster; `image` defaults to KIND_IMAGE and then to kind's own."""
        self._image = image or os.environ.get("KIND_IMAGE")
        self._kind = kind
        self._name = cluster_name
        self._keep = keep
        self._run: Run | None = None
        self._cluster: KindCluster | None = None

    def start(self) -> Cluster:
        """Create the cluster, or take the one of that name."""
        kind = find_kind(self._kind)
        existed = self._name in clusters(kind)
        if not existed:
            require_image(self._image)
        self._run = Run()
        kubeconfig = self._run.directory / "kind.kubeconfig"
        if existed:
            self._keep = True
            export_kubeconfig(kind, self._name, kubeconfig)
        self._cluster = _pytest_kind(self._name, kubeconfig, self._image, Path(kind), self._run.directory)
        with _told():
            self._cluster.create()
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


def _pytest_kind(name: str, kubeconfig: Path, image: str | None, kind: Path, directory: Path) -> KindCluster:
    try:
        from pytest_kind.cluster import KindCluster  # noqa: PLC0415 (a development package: runs must do without)
    except ImportError as missing:
        raise Unavailable("no kind cluster: pytest-kind is not installed: pip install pytest-kind") from missing
    # It makes a directory below the current one for what it would download; given every path, that stays empty.
    with contextlib.chdir(directory):
        # Without a path it would download an old kubectl; raises Unavailable where there is none.
        return KindCluster(name, kubeconfig, image, kind, kubectl.find())


def up(image: str | None = None, name: str = CLUSTER_NAME) -> bool:
    """Create a cluster that stays, with its context in KUBECONFIG; tell whether it was not there before."""
    kind = find_kind()
    if name in clusters(kind):
        export_kubeconfig(kind, name)
        return False
    image = image or os.environ.get("KIND_IMAGE")
    require_image(image)
    chosen = ["--image", image] if image else []
    with _told():
        subprocess.run([kind, "create", "cluster", "--name", name, "--wait", "3m", *chosen], check=True)
    return True


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Make a failure of kind an obstacle like the others; what it printed is on the screen already."""
    try:
        yield
    except subprocess.CalledProcessError as failure:
        raise Unavailable(f"no kind cluster: `kind create cluster` failed with {failure.returncode}") from failure


def down(name: str = CLUSTER_NAME) -> None:
    """Delete a cluster; one that is not there is deleted already."""
    subprocess.run([find_kind(), "delete", "cluster", "--name", name], check=True)


def find_kind(kind: str | None = None) -> str:
    """Return kind's path when it can work here; raise Unavailable with the first obstacle otherwise."""
    kind = kind or shutil.which("kind")
    if kind is None:
        raise Unavailable("no kind cluster: the program kind is missing: install it and docker")
    if shutil.which("docker") is None:
        raise Unavailable("no kind cluster: docker is missing: install it")
    done = _run(["docker", "version", "--format", "{{.Server.Version}}"])
    if done.returncode != 0:
        raise Unavailable(f"no kind cluster: docker does not answer ({_last_line(done.stderr)})")
    return kind


def require_image(image: str | None) -> None:
    """Make sure that docker has the node image; kind's default is kind's own business."""
    if image is None or _run(["docker", "image", "inspect", image]).returncode == 0:
        return
    pulled = _run(["docker", "pull", image])
    if pulled.returncode != 0:
        raise Unavailable(f"no kind cluster: no node image {image} ({_last_line(pulled.stderr)})")


def clusters(kind: str) -> list[str]:
    """Name the clusters that exist."""
    return _run([kind, "get", "clusters"]).stdout.split()


def export_kubeconfig(kind: str, name: str, path: Path | None = None) -> None:
    """Write a cluster's credentials to a file, KUBECONFIG unless said otherwise."""
    where = ["--kubeconfig", str(path)] if path else []
    done = _run([kind, "export", "kubeconfig", "--name", name, *where])
    if done.returncode != 0:
        remedy = "`zonewright envtest kind down` removes it"
        raise Unavailable(f"the kind cluster {name} does not run: {remedy} ({_last_line(done.stderr)})")


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1]
