"""The process that owns every program envtest starts, and outlives a test run that is killed.

It runs as `python -I supervisor.py DIRECTORY OWNER`, in a session of its own, and takes orders as JSON lines on its
standard input. The end of that input, however it comes about, is the order to end: SIGKILL closes a pipe as surely as a
clean exit does. It then kills everything it started, what that started in turn, and removes the run's directory.

Standard library only, and no import of envtest: it must start in a few milliseconds and work whatever the project is
like. The other side of the pipe is `zonewright.envtest.processes`.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


class Supervisor:
    """Starts and ends programs by order. One thread, one order at a time."""

    def __init__(self) -> None:
        self._programs: dict[int, subprocess.Popen[bytes]] = {}
        self._prctl = _find_prctl()
        # Children of a program that died become ours, so that end_all() finds them.
        self._prctl(PR_SET_CHILD_SUBREAPER, 1)

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        """Carry out one order and return the answer to it."""
        orders: dict[str, Callable[..., dict[str, Any]]] = {
            "start": self.start,
            "signal": self.signal,
            "poll": self.poll,
            "stop": self.stop,
        }
        return orders[order.pop("order")](**order)

    def start(self, argv: list[str], env: dict[str, str], cwd: str, log: str) -> dict[str, Any]:
        """Start a program in a process group of its own, with both outputs in a log file."""
        with Path(log).open("ab") as output:
            program = subprocess.Popen(
                argv,
                env=env,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # Safe here: this process has one thread. It covers the one case that end_all() cannot, our own SIGKILL.
                preexec_fn=lambda: self._prctl(PR_SET_PDEATHSIG, signal.SIGKILL),  # noqa: PLW1509
            )
        self._programs[program.pid] = program
        return {"pid": program.pid}

    def signal(self, pid: int, number: int) -> dict[str, Any]:
        """Send a signal to one program; one that has ended hears nothing and that is no error."""
        self._programs[pid].send_signal(number)
        return {}

    def poll(self, pid: int) -> dict[str, Any]:
        """Tell whether a program has ended, and how."""
        return {"returncode": self._programs[pid].poll()}

    def stop(self, pids: list[int], timeout: float) -> dict[str, Any]:
        """Ask programs to end, all at once; kill the groups of those that have not when the time is over."""
        programs = [self._programs[pid] for pid in pids]
        for program in programs:
            program.send_signal(signal.SIGTERM)
            program.send_signal(signal.SIGCONT)  # a paused program cannot end in order
        deadline = time.monotonic() + timeout
        for program in programs:
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(max(0.0, deadline - time.monotonic()))
            _kill_group(program.pid)
        return {"returncodes": [program.wait() for program in programs]}

    def end_all(self) -> None:
        """Kill everything, and what that leaves: children of a killed program come to us in their turn."""
        for pid in self._programs:
            _kill_group(pid)
        while True:
            for pid in _children():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            try:
                os.waitpid(-1, 0)
            except ChildProcessError:
                return


def _find_prctl() -> Callable[[int, int], int]:
    """Return prctl(2), or something that does nothing where the system has none: there only end_all() protects."""
    if not sys.platform.startswith("linux"):
        return lambda _option, _value: 0
    function = ctypes.CDLL(None, use_errno=True).prctl
    return lambda option, value: int(function(option, value, 0, 0, 0))


def _kill_group(pid: int) -> None:
    # The group's number stays taken as long as one member lives, so it cannot be somebody else's by now.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _children() -> list[int]:
    with contextlib.suppress(OSError):
        return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    return []


def _answer(supervisor: Supervisor, order: dict[str, Any]) -> dict[str, Any]:
    """Answers carry their order's id: a wait for one that was interrupted must not leave it for the next order."""
    identity = order.pop("id")
    try:
        answer = supervisor.obey(order)
    except (OSError, KeyError, TypeError, ValueError) as problem:
        answer = {"error": f"{type(problem).__name__}: {problem}"}
    return {"id": identity, **answer}


def serve(directory: Path, owner: str, orders: IO[str], answers: IO[str]) -> None:
    """Make the directory, obey until the orders end, then leave nothing behind.

    Whoever makes the directory must be the one that removes it: a test run may be killed between any two steps.
    """
    supervisor = Supervisor()
    try:
        directory.mkdir(mode=0o700)
        (directory / "owner").write_text(owner)
        print(json.dumps({"ready": str(directory)}), file=answers, flush=True)
        for line in orders:
            print(json.dumps(_answer(supervisor, json.loads(line))), file=answers, flush=True)
    except (BrokenPipeError, ValueError):
        pass  # whoever asked is gone, perhaps in the middle of an order: the same as the end of the orders
    finally:
        supervisor.end_all()
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    # Only the end of the orders ends us: whoever signals us by mistake must not make orphans.
    # (A handler, not SIG_IGN: programs would inherit that, and could no longer be asked to end.)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    serve(Path(sys.argv[1]), sys.argv[2], sys.stdin, sys.stdout)
