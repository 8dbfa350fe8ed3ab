"""Programs in the background that cannot be left behind: this side of the pipe to `zonewright.envtest.supervisor`.

    with Run() as run:
        server = run.start("server", ["some-program", "--port", "20053"])
        ...
        server.kill()

A `Run` has one supervisor and one directory, both gone when it is closed or when this process dies in whatever way.
Everything it starts carries OWNER_VARIABLE in its environment, by which `zonewright.envtest.orphans` would know it.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from zonewright.envtest import supervisor
from zonewright.envtest.paths import RUN_PREFIX, run_root

# Value: "PID:START", the test run that a program belongs to and when that started: numbers alone are used again.
OWNER_VARIABLE = "ZONEWRIGHT_ENVTEST_OWNER"


class ProgramFailed(RuntimeError):
    """A program did not start or ended by itself; the message holds the end of its log."""


def started_at(pid: int) -> str | None:
    """Return when a process started, in the kernel's clock ticks, or None when it is gone (or a zombie)."""
    fields = _stat(pid)
    return None if fields[0] in {"Z", "X"} else fields[19]


def _stat(pid: int) -> list[str]:
    """Return what the kernel says of a process or thread, its state first; that is X, dead, when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["X"]


def owner_marker(pid: int | None = None) -> str:
    """Return what marks the things that belong to a process, this one unless said otherwise."""
    pid = pid or os.getpid()
    return f"{pid}:{started_at(pid)}"


@dataclass(slots=True)
class Program:
    """One program in the background."""

    name: str
    pid: int
    log: Path
    _run: Run = field(repr=False)
    _returncode: int | None = None

    @property
    def running(self) -> bool:
        """Tell whether it has not ended; a paused program is running."""
        return self.returncode is None

    @property
    def returncode(self) -> int | None:
        """Return how it ended, None while it runs."""
        if self._returncode is None:
            self._returncode = self._run.order("poll", pid=self.pid)["returncode"]
        return self._returncode

    @property
    def paused(self) -> bool:
        """Tell whether a SIGSTOP has reached all its threads: one that is just computing may go on for a moment."""
        threads = (int(each.name) for each in Path(f"/proc/{self.pid}/task").iterdir())
        return all(_stat(each)[0] in {"T", "X"} for each in threads)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._run.order("signal", pid=self.pid, number=int(number))

    def kill(self) -> None:
        """End it, its process group included, without a chance to tidy up."""
        self.stop(timeout=0, polite=False)

    def stop(self, *, timeout: float = 10, polite: bool = True) -> int:
        """Ask it to end, kill it when it has not in time, and return how it ended."""
        if self._returncode is None:
            if not polite:
                self.signal(signal.SIGKILL)
            self._returncode = self._run.order("stop", pids=[self.pid], timeout=timeout)["returncodes"][0]
        return self._returncode

    def wait(self, timeout: float) -> int:
        """Wait for its end and return how it ended."""
        deadline = time.monotonic() + timeout
        while (code := self.returncode) is None:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.name} still runs after {timeout:g} s")
            time.sleep(0.02)
        return code

    def output(self, lines: int | None = None) -> str:
        """Return what it printed, or the last lines of that."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return text if lines is None else "\n".join(text.splitlines()[-lines:])

    def check(self) -> None:
        """Raise ProgramFailed when it has ended."""
        if not self.running:
            raise ProgramFailed(f"{self.name} ended with {self.returncode}:\n{self.output(15)}")


class Run:
    """A directory and a set of programs that end together with this process at the latest."""

    def __init__(self) -> None:
        self.directory = run_root() / f"{RUN_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
        self._lock = threading.Lock()
        self._orders = 0
        # -I: neither PYTHONPATH nor the current directory may change what this process imports.
        self._supervisor = subprocess.Popen(
            [sys.executable, "-I", supervisor.__file__, str(self.directory), owner_marker()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            text=True,
            cwd="/",
            env=self._environment({}),
        )
        try:
            ready = "ready" in self._answer()
        except BaseException:  # an interrupt: nobody else knows this run yet
            self.close()
            raise
        if not ready:
            raise ProgramFailed(f"the supervisor does not start: is {run_root()} writable?")

    def start(
        self, name: str, argv: Sequence[str | Path], *, env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> Program:
        """Start a program; `env` is added to this process's environment. Its log is NAME.log in the run's directory."""
        log = self.directory / f"{name}.log"
        command = [str(word) for word in argv]
        answer = self.order(
            "start", argv=command, env=self._environment(env or {}), cwd=str(cwd or self.directory), log=str(log)
        )
        return Program(name, answer["pid"], log, self)

    def stop(self, programs: Sequence[Program], *, timeout: float = 10) -> None:
        """Stop several programs at the same time."""
        self.order("stop", pids=[program.pid for program in programs], timeout=timeout)

    def order(self, order: str, **details: Any) -> dict[str, Any]:
        """Give the supervisor an order and return its answer."""
        orders, _ = self._pipes()
        with self._lock:
            self._orders += 1
            try:
                orders.write(json.dumps({"order": order, "id": self._orders, **details}) + "\n")
                orders.flush()
                answer = self._answer_to(self._orders)
            except (BrokenPipeError, ValueError) as gone:
                raise ProgramFailed("the supervisor is gone, and with it everything this run started") from gone
        if "error" in answer:
            raise ProgramFailed(f"{details.get('argv', [order])[0]}: {answer['error']}")
        return answer

    def _answer_to(self, wanted: int) -> dict[str, Any]:
        """Skip answers to earlier orders: a signal may have ended the wait for one of them."""
        while (answer := self._answer()).get("id", wanted) != wanted:
            pass
        return answer

    def _answer(self) -> dict[str, Any]:
        line = self._pipes()[1].readline()
        answer: dict[str, Any] = json.loads(line or '{"error": "the supervisor is gone"}')
        return answer

    def close(self) -> None:
        """End every program and remove the directory."""
        orders, answers = self._pipes()
        with contextlib.suppress(BrokenPipeError):  # it is gone already, and everything with it
            orders.close()
        self._supervisor.wait()
        answers.close()

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        orders, answers = self._supervisor.stdin, self._supervisor.stdout
        assert orders is not None  # noqa: S101 (both were asked for above; this is for the type checker)
        assert answers is not None  # noqa: S101
        return orders, answers

    def _environment(self, more: Mapping[str, str]) -> dict[str, str]:
        return {**os.environ, **more, OWNER_VARIABLE: owner_marker()}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
