"""The embedded server as a backend: a process of its own, started and ended by the test run that uses it."""

from __future__ import annotations

import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from zonewright.envtest import ports
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.errors import Unavailable
from zonewright.envtest.paths import import_root
from zonewright.envtest.processes import Program, Run

START_LIMIT = 20.0
ADDRESS = "127.0.0.1"


@dataclass
class EmbeddedCluster(Cluster):
    """An embedded API can also be taken away, made to forget, and told new tokens."""

    program: Program | None = field(default=None, repr=False)
    port: int = 0

    def stop_api(self, *, kill: bool = True) -> None:
        del kill  # Both look the same from outside: the port closes and every connection breaks.
        self._signal(signal.SIGUSR1)
        wait_until(lambda: not listening(self.port), "the embedded API still listens")

    def start_api(self) -> None:
        self._signal(signal.SIGUSR2)
        wait_until(lambda: listening(self.port), "the embedded API does not come back")

    def forget_history(self) -> None:
        self.create("/debug/envtest/compact", {})

    def new_token(self) -> str:
        return str(self.create("/debug/envtest/tokens", {})["token"])

    def revoke_token(self, token: str) -> None:
        self.create("/debug/envtest/revoke", {"token": token})

    def drop_watches(self) -> None:
        """End every watch, cleanly, as an API server does when their time is up."""
        self.create("/debug/envtest/drop-watches", {})

    def _signal(self, number: signal.Signals) -> None:
        if self.program is None:
            raise Unavailable("this embedded API belongs to another process")
        self.program.signal(number)


class Embedded:
    """A small Kubernetes API in Python: ready in under a second, forgotten when it stops."""

    name = "embedded"

    def __init__(self, *, history: int = 10_000) -> None:
        self._history = history
        self._run: Run | None = None
        self._port = 0

    def start(self) -> EmbeddedCluster:
        self._run = Run()
        self._port = ports.reserve(ADDRESS)
        directory = self._run.directory
        command = [sys.executable, "-m", "zonewright.envtest.embedded", "--directory", str(directory)]
        command += ["--port", str(self._port), "--history", str(self._history)]
        program = self._run.start("embedded", command, cwd=import_root())
        wait_until(lambda: listening(self._port), "the embedded API does not start", program)
        return EmbeddedCluster(
            backend=self.name,
            kubeconfig=directory / "kubeconfig",
            server_url=f"https://{ADDRESS}:{self._port}",
            ca=directory / "ca.crt",
            token=(directory / "token").read_text(),
            program=program,
            port=self._port,
        )

    def stop(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.close()
            ports.release(self._port)


def listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((ADDRESS, port)) == 0


def wait_until(reached: Callable[[], bool], otherwise: str, program: Program | None = None) -> None:
    deadline = time.monotonic() + START_LIMIT
    while not reached():
        if program is not None:
            program.check()
        if time.monotonic() > deadline:
            raise Unavailable(otherwise)
        time.sleep(0.01)
