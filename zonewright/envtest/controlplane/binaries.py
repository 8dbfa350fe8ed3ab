"""Where the control plane's programs come from: KUBEBUILDER_ASSETS, the cache, a release, or the Go toolchain.

`ensure` tries them in this order. Whoever gets the programs holds a lock, and they appear in the cache all at once, so
that two runs on a fresh machine share one download or build. What is complete of an interrupted download or build is
kept, and the next `ensure` goes on from there. Nothing here starts any of the programs.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from zonewright.envtest.controlplane import build, download
from zonewright.envtest.errors import Unavailable
from zonewright.envtest.paths import built_directory, released_directory

PROGRAMS = ("etcd", "kube-apiserver", "kube-controller-manager", "kubectl")


class Way(NamedTuple):
    """A way to get the programs: `make` completes a directory or raises Unavailable; `cache` keeps the result."""

    cache: Path
    make: Callable[[Path, Console], None]


def usual_ways() -> tuple[Way, ...]:
    """Return the quick way and the slow one."""
    return Way(released_directory(), download.fetch), Way(built_directory(), build.compile_programs)


def ensure(*, ways: Sequence[Way] | None = None, console: Console | None = None) -> Path:
    """Return a directory with all programs; raise Unavailable with every obstacle in one line when there is no way."""
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    if assets:
        return _from_assets(Path(assets))
    ways = usual_ways() if ways is None else ways
    if found := _cached(ways):
        return found
    console = console or Console(stderr=True, highlight=False)
    with _lock(ways[0].cache.parent / "lock", console):
        # Another run may have got them while this one waited.
        return _cached(ways) or _get(ways, console)


def installed() -> Path | None:
    """Return the directory with all programs if they are on this machine already; gets nothing."""
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    return _from_assets(Path(assets)) if assets else _cached(usual_ways())


def missing(directory: Path) -> list[str]:
    """Name the programs that a directory lacks."""
    return [name for name in PROGRAMS if not _is_program(directory / name)]


def _is_program(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0 and os.access(path, os.X_OK)


def program(directory: Path, name: str) -> Path:
    """Return the path of one program of a directory that ensure() gave."""
    own = directory / name
    return own if own.exists() else _lendable(name) or own


def _from_assets(directory: Path) -> Path:
    """Take what the variable says, or refuse: silently testing on something else would be worse.

    The usual envtest directory has no kube-controller-manager; the cache may lend its own.
    """
    absent = missing(directory)
    if absent and (absent != ["kube-controller-manager"] or not _lendable("kube-controller-manager")):
        raise Unavailable(
            f"KUBEBUILDER_ASSETS={directory} lacks {', '.join(absent)}: add it there or unset the variable"
        )
    return directory


def _lendable(name: str) -> Path | None:
    candidates = (built_directory() / name, released_directory() / name)
    return next((path for path in candidates if path.exists()), None)


def _cached(ways: Sequence[Way]) -> Path | None:
    return next((way.cache for way in ways if not missing(way.cache)), None)


def _get(ways: Sequence[Way], console: Console) -> Path:
    obstacles = []
    for way in ways:
        try:
            return _make(way, console)
        except Unavailable as obstacle:
            console.print(f"control plane: {obstacle}", markup=False, soft_wrap=True)
            obstacles.append(str(obstacle))
    raise Unavailable(
        f"cannot get the control plane, because {'; '.join(obstacles)}. "
        "Or set KUBEBUILDER_ASSETS to a directory that holds its programs"
    )


def _make(way: Way, console: Console) -> Path:
    """Complete the programs aside and move them into place whole; what an interruption leaves there is used again."""
    unfinished = way.cache.with_name(f".{way.cache.name}.unfinished")
    for path in (way.cache, unfinished):
        if path.exists() and not path.is_dir():
            raise Unavailable(f"{path} is not a directory: remove it")
    unfinished.mkdir(parents=True, exist_ok=True)
    way.make(unfinished, console)
    if absent := missing(unfinished):
        raise Unavailable(f"{', '.join(absent)} did not come out of it: remove {unfinished} and try again")
    shutil.rmtree(way.cache, ignore_errors=True)
    return unfinished.rename(way.cache)


@contextmanager
def _lock(path: Path, console: Console) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            console.print("another run is getting the control plane's programs: waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
