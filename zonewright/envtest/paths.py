"""The places envtest keeps things: a cache that survives, and run directories that must not. Knows no program."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Iterator
from pathlib import Path

from zonewright.envtest.errors import Unavailable

KUBERNETES_VERSION = "1.36.3"
ETCD_VERSION = "3.6.8"
RELEASE_VERSION = "1.36.2"  # the newest 1.36 that is published as an envtest archive

# Every run directory starts with this, so that `envtest orphans` finds those that earlier runs left.
RUN_PREFIX = "zonewright-envtest-"


def cache_directory() -> Path:
    """Return the cache of this user."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "zonewright"


def make_cache_directory(name: str = "") -> Path:
    """Make a directory in the cache, if it is not there."""
    path = cache_directory() / name
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable_cache(error) from error
    return path


def unusable_cache(error: OSError) -> Unavailable:
    """Say what to do about a cache that cannot be written to."""
    return Unavailable(
        f"the cache {cache_directory()} cannot be used: {error.strerror}: {error.filename}; "
        "set XDG_CACHE_HOME to a directory that you can write to"
    )


def platform_key() -> str:
    """Name this machine the way Go and the Kubernetes releases do: linux-amd64."""
    machine = platform.machine().lower()
    return f"{platform.system().lower()}-{ {'x86_64': 'amd64', 'aarch64': 'arm64'}.get(machine, machine) }"


def built_directory() -> Path:
    """Return where the control plane that was built here is kept; another version is another directory."""
    return _controlplanes() / f"v{KUBERNETES_VERSION}-etcd{ETCD_VERSION}-{platform_key()}"


def released_directory() -> Path:
    """Return where the control plane that was downloaded is kept."""
    return _controlplanes() / f"v{RELEASE_VERSION}-release-{platform_key()}"


def _controlplanes() -> Path:
    return cache_directory() / "controlplane"


def controlplane_directories() -> Iterator[Path]:
    """Yield where the programs may be, first choice first."""
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    if assets:
        yield Path(assets)
    yield built_directory()
    yield released_directory()


def run_root() -> Path:
    """Return the directory that holds the run directories."""
    return Path(tempfile.gettempdir())


def import_root() -> Path:
    """Return the directory that `zonewright` is imported from: a checkout, or site-packages."""
    return Path(__file__).resolve().parents[2]
