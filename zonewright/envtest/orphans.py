"""What earlier test runs left behind, if they did: programs and directories whose owner is dead.

Everything envtest starts says in its environment which test run it belongs to, and every run directory says it in a
file. What belongs to a run that still lives is nobody's orphan. Reads /proc, changes nothing.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from zonewright.envtest.paths import RUN_PREFIX, run_root
from zonewright.envtest.processes import OWNER_VARIABLE, owner_marker

# A supervisor needs a moment after its test run was killed: what still goes away by itself is not left behind.
GRACE = 10.0


@dataclass(frozen=True, slots=True)
class Orphan:
    """One thing that should not be there, and how to end it."""

    what: str
    remedy: str


def find(*, grace: float = GRACE, sleep: Callable[[float], None] = time.sleep) -> list[Orphan]:
    """Return what is left, after giving supervisors the time to do their work."""
    deadline = time.monotonic() + grace
    while (found := [*programs(), *directories()]) and time.monotonic() < deadline:
        sleep(0.1)
    return found


def programs(proc: Path = Path("/proc")) -> Iterator[Orphan]:
    """Yield the programs of dead test runs."""
    for process in proc.iterdir():
        if process.name.isdigit() and _abandoned(_owner_of(process)):
            with contextlib.suppress(OSError):  # it ended meanwhile
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                yield Orphan(f"process {process.name}: {command[:100]}", f"kill -KILL {process.name}")


def directories(root: Path | None = None) -> Iterator[Orphan]:
    """Yield the run directories of dead test runs."""
    for directory in (root or run_root()).glob(f"{RUN_PREFIX}*"):
        try:
            abandoned = _abandoned((directory / "owner").read_text())
        except OSError:
            abandoned = directory.exists()  # else another run has just removed its own
        if abandoned:
            yield Orphan(f"directory {directory}", f"rm -r {directory}")


def _owner_of(process: Path) -> str | None:
    try:
        variables = (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return None  # it ended meanwhile, or is somebody else's
    prefix = f"{OWNER_VARIABLE}=".encode()
    return next((entry[len(prefix) :].decode() for entry in variables if entry.startswith(prefix)), None)


def _abandoned(owner: str | None) -> bool:
    if not owner:
        return False
    pid = int(owner.partition(":")[0])
    return pid != os.getpid() and owner_marker(pid) != owner
