"""Downloads released programs: the envtest archive (etcd, kube-apiserver, kubectl), and kube-controller-manager, which
that archive lacks, from the Kubernetes release of the same version.

Both are checked before anything is unpacked or run: the archive against the SHA-512 pinned here, the single program
against the one published beside it.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import tarfile
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from rich.console import Console

from envtest.errors import Unavailable
from envtest.paths import RELEASE_VERSION, platform_key


@dataclass(frozen=True, slots=True)
class Release:
    """Where a version is published, and what its archives must hash to."""

    version: str
    archives: str
    programs: str
    sha512: dict[str, str]


# The sums are those of envtest-releases.yaml in the project that publishes the archives.
RELEASE = Release(
    version=RELEASE_VERSION,
    archives="https://github.com/kubernetes-sigs/controller-tools/releases/download",
    programs="https://dl.k8s.io",
    sha512={
        "linux-amd64": (
            "ea743186c8a799f5cf8faf16969f86189d003cb7d130e0ac4b58789f1e5748dc"
            "f30ebe91c837a10d5ac415383da3e10b9e64d65785c938c23e739781cfb76f08"
        ),
        "linux-arm64": (
            "2d72ee985a8e262a3c57dc9f7f0fd891f6a8c7bf7ebaa2db6dc6d8eac8ae2818"
            "1afe51c1f368b67756cdb40b10de9b205609e1726e5f27f7c6d824dd9c6649ac"
        ),
    },
)

TIMEOUT = 30.0  # seconds without a byte; a machine without a way out must find out soon and build instead


def fetch(directory: Path, console: Console, *, release: Release = RELEASE, platform: str | None = None) -> None:
    """Fill a directory with the programs of a release."""
    platform = platform or platform_key()
    if platform not in release.sha512:
        raise Unavailable(f"no release of it is known for {platform}")
    with console.status(f"downloading the control plane {release.version} for {platform}"):
        _unpack(_archive(release, platform), directory)
        _controller_manager(release, platform, directory)
    console.print(f"downloaded the control plane {release.version}")


def _archive(release: Release, platform: str) -> bytes:
    name = f"envtest-v{release.version}"
    content = _get(f"{release.archives}/{name}/{name}-{platform}.tar.gz")
    _check(content, release.sha512[platform], f"{name}-{platform}.tar.gz")
    return content


def _controller_manager(release: Release, platform: str, directory: Path) -> None:
    url = f"{release.programs}/v{release.version}/bin/{platform.replace('-', '/')}/kube-controller-manager"
    content = _get(url)
    _check(content, _get(f"{url}.sha512").decode().split()[0], "kube-controller-manager")
    _install(io.BytesIO(content), directory / "kube-controller-manager")


def _get(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT) as reply:  # noqa: S310 (the address is a constant above)
            content: bytes = reply.read()
            return content
    except (OSError, urllib.error.URLError) as problem:
        raise Unavailable(f"{url} cannot be downloaded ({getattr(problem, 'reason', problem)})") from problem


def _check(content: bytes, expected: str, name: str) -> None:
    if hashlib.sha512(content).hexdigest() != expected.lower():
        raise Unavailable(f"{name} has the wrong checksum: not used")


def _unpack(archive: bytes, directory: Path) -> None:
    """Take the files by their base names, whatever folder the archive has them in: no path of its is ever used."""
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isfile() else None
            if content is not None:
                _install(content, directory / PurePosixPath(member.name).name)


def _install(content: IO[bytes], path: Path) -> None:
    with path.open("wb") as file:
        shutil.copyfileobj(content, file)
    path.chmod(0o755)
