"""Downloads released programs: the envtest archive (etcd, kube-apiserver, kubectl), and kube-controller-manager, which
that archive lacks, from the Kubernetes release of the same version.

Both are checked before anything is unpacked or run: the archive against the SHA-512 pinned here, the single program
against the one published beside it. A download that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path, PurePosixPath
from typing import IO

from rich.console import Console

from zonewright.envtest.errors import Unavailable
from zonewright.envtest.paths import RELEASE_VERSION, platform_key


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
ARCHIVED = ("etcd", "kube-apiserver", "kubectl")
LARGEST = 1 << 30  # bytes; the largest of these files has about 100 MB


def fetch(directory: Path, console: Console, *, release: Release = RELEASE, platform: str | None = None) -> None:
    """Fill a directory with the programs of a release."""
    platform = platform or platform_key()
    if platform not in release.sha512:
        raise Unavailable(f"no release of it is known for {platform}")
    console.print(
        f"downloading the control plane {release.version} for {platform}: about 150 MB, once for this machine"
    )
    with console.status("downloading"):
        if not all(_complete(directory / name) for name in ARCHIVED):
            _archive(release, platform, directory)
        _controller_manager(release, platform, directory)
    console.print(f"downloaded the control plane {release.version}")


def _archive(release: Release, platform: str, directory: Path) -> None:
    name = f"envtest-v{release.version}"
    url = f"{release.archives}/{name}/{name}-{platform}.tar.gz"
    with _downloaded(url, release.sha512[platform], directory) as file:
        _unpack(file, directory)


def _controller_manager(release: Release, platform: str, directory: Path) -> None:
    url = f"{release.programs}/v{release.version}/bin/{platform.replace('-', '/')}/kube-controller-manager"
    with _open(f"{url}.sha512") as reply:
        expected = reply.read(1024).decode().split()[0]
    with _downloaded(url, expected, directory) as file, file.open("rb") as content:
        _install(content, directory / "kube-controller-manager")


@contextmanager
def _downloaded(url: str, sha512: str, directory: Path) -> Iterator[Path]:
    """Give the checked file for the length of the block. What is incomplete stays for the next try."""
    name = url.rpartition("/")[2]
    file = directory / f".{name}.part"
    _continue(url, file)
    try:
        with file.open("rb") as content:
            if hashlib.file_digest(content, "sha512").hexdigest() != sha512.lower():
                raise Unavailable(f"{name} has the wrong checksum: not used")
        yield file
    finally:
        file.unlink()


def _continue(url: str, file: Path) -> None:
    """Add to a file what it lacks of a download."""
    try:
        with _open(url, start=file.stat().st_size if file.exists() else 0) as reply, file.open("ab") as content:
            if reply.status != HTTPStatus.PARTIAL_CONTENT:  # a server that knows no ranges sends everything
                content.truncate(0)
            while block := reply.read(1 << 20):
                content.write(block)
                if content.tell() > LARGEST:
                    raise Unavailable(f"{url} has more than {LARGEST >> 20} MiB: not used")
            if reply.length:
                raise Unavailable(f"{url} broke off with {reply.length} bytes to go: run the same command again")
    except (OSError, HTTPException) as problem:
        raise _obstacle(url, problem) from problem


def _open(url: str, *, start: int = 0) -> HTTPResponse:
    headers = {"Range": f"bytes={start}-"} if start else {}
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 (the address is a constant above)
    try:
        reply: HTTPResponse = urllib.request.urlopen(request, timeout=TIMEOUT)  # noqa: S310 (as above)
    except urllib.error.HTTPError as refused:
        with refused:
            # There is nothing behind what an earlier try has: begin again, the checksum decides.
            if start and refused.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                return _open(url)
            raise _obstacle(url, refused) from refused
    except OSError as problem:
        raise _obstacle(url, problem) from problem
    return reply


def _obstacle(url: str, problem: Exception) -> Unavailable:
    return Unavailable(f"{url} cannot be downloaded ({getattr(problem, 'reason', problem)})")


def _unpack(archive: Path, directory: Path) -> None:
    """Take the files by their base names, whatever folder the archive has them in: no path of its is ever used."""
    try:
        with tarfile.open(archive, mode="r:gz") as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isfile() else None
                if content is not None:
                    _install(content, directory / PurePosixPath(member.name).name)
    except (OSError, EOFError, tarfile.TarError) as problem:
        raise Unavailable(f"{archive.name} cannot be unpacked into {directory} ({problem})") from problem


def _install(content: IO[bytes], path: Path) -> None:
    with path.open("wb") as file:
        shutil.copyfileobj(content, file)
    path.chmod(0o755)  # last: what can be run is complete


def _complete(path: Path) -> bool:
    return os.access(path, os.X_OK)
