"""Where the control plane's programs come from: KUBEBUILDER_ASSETS, the cache, a release, or the Go toolchain.

`ensure` tries them in this order. Whoever makes the programs holds a lock, and they appear in the cache all at once, so
that two runs on a fresh machine share one download or build. Nothing here starts any of them.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from envtest.controlplane import build, download
from envtest.errors import Unavailable
from envtest.paths import controlplane_cache

PROGRAMS = ("etcd", "kube-apiserver", "kube-controller-manager", "kubectl")

# A way to get the programs: fills an empty directory or raises Unavailable.
Maker = Callable[[Path, Console], None]
MAKERS: tuple[Maker, ...] = (download.fetch, build.compile_programs)


def ensure(*, cache: Path | None = None, makers: Sequence[Maker] = MAKERS, console: Console | None = None) -> Path:
    """Return a directory with all programs; raise Unavailable with every obstacle in one line when there is no way."""
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    if assets:
        return _from_assets(Path(assets))
    cache = cache or controlplane_cache()
    if not missing(cache):
        return cache
    console = console or Console(stderr=True)
    with _lock(cache, console):
        # Another run may have made them while this one waited.
        return cache if not missing(cache) else _make(cache, makers, console)


def missing(directory: Path) -> list[str]:
    """Name the programs that a directory lacks."""
    return [name for name in PROGRAMS if not os.access(directory / name, os.X_OK)]


def _from_assets(directory: Path) -> Path:
    """Take what the variable says, or refuse: silently testing on something else would be worse.

    The usual envtest directory has no kube-controller-manager; the cache may lend its own.
    """
    absent = missing(directory)
    lendable = controlplane_cache() / "kube-controller-manager"
    if absent == ["kube-controller-manager"] and lendable.exists():
        return directory
    if absent:
        raise Unavailable(
            f"KUBEBUILDER_ASSETS={directory} lacks {', '.join(absent)}: add it there or unset the variable"
        )
    return directory


def program(directory: Path, name: str) -> Path:
    """Return the path of one program of a directory that ensure() gave."""
    own = directory / name
    return own if own.exists() else controlplane_cache() / name


def _make(cache: Path, makers: Sequence[Maker], console: Console) -> Path:
    obstacles = []
    for maker in makers:
        workshop = cache.with_name(f".{cache.name}.{os.getpid()}")
        shutil.rmtree(workshop, ignore_errors=True)
        workshop.mkdir(parents=True)
        try:
            maker(workshop, console)
            return _publish(workshop, cache)
        except Unavailable as obstacle:
            obstacles.append(str(obstacle))
        finally:
            shutil.rmtree(workshop, ignore_errors=True)
    raise Unavailable(f"cannot get the control plane, because {'; '.join(obstacles)}")


def _publish(workshop: Path, cache: Path) -> Path:
    if absent := missing(workshop):
        raise Unavailable(f"{', '.join(absent)} did not come out of it")
    shutil.rmtree(cache, ignore_errors=True)
    workshop.rename(cache)
    return cache


@contextmanager
def _lock(cache: Path, console: Console) -> Iterator[None]:
    cache.parent.mkdir(parents=True, exist_ok=True)
    with cache.with_name(f"{cache.name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            console.print("another run is getting the control plane's programs: waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
