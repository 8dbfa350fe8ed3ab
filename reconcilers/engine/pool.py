"""Connections to servers: one client per worker that needs one, kept while its server stays the same."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from reconcilers.engine.adapter import ZoneServer
from reconcilers.engine.api import ServerSpec


class Pool:
    """Thread-safe. A client is used by one thread at a time."""

    def __init__(self, connect: Callable[[ServerSpec], ZoneServer]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._idle: dict[str, tuple[ServerSpec, list[ZoneServer]]] = {}

    @contextlib.contextmanager
    def borrow(self, spec: ServerSpec) -> Iterator[ZoneServer]:
        """A client for the server as `spec` describes it."""
        server = self._take(spec) or self._connect(spec)
        try:
            yield server
        finally:
            self._give_back(spec, server)

    def drop(self, name: str) -> None:
        """The server is gone."""
        with self._lock:
            _, idle = self._idle.pop(name, (None, []))
        _close(idle)

    def close(self) -> None:
        """Close what is idle; what is in use is closed by nobody, its threads are daemons."""
        for name in list(self._idle):
            self.drop(name)

    def _take(self, spec: ServerSpec) -> ZoneServer | None:
        with self._lock:
            known, idle = self._idle.get(spec.name, (spec, []))
            if known == spec:
                return idle.pop() if idle else None
            self._idle[spec.name] = (spec, [])
        # Another address or key: the old connections are of no use.
        _close(idle)
        return None

    def _give_back(self, spec: ServerSpec, server: ZoneServer) -> None:
        with self._lock:
            known, idle = self._idle.setdefault(spec.name, (spec, []))
            if known == spec:
                idle.append(server)
                return
        server.close()


def _close(servers: list[ZoneServer]) -> None:
    for server in servers:
        server.close()
