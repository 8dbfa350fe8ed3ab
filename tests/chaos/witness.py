"""Watches the servers all the time, also while the manager is dead: what must never be seen, not even for a moment.

One thread. It asks each server for its serials and transfers a zone whenever that changed."""

import contextlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol, Self

import dns.exception

from testbed.named import NameServer
from testbed.stage import Stage
from tests.chaos.model import ZONES, Model, without_ttl

PAUSE = 0.1


class Wanting(Protocol):
    """Who knows what was ever wanted: the lines of each zone, without TTLs."""

    intended: dict[str, set[str]]


@dataclass(slots=True)
class Witness:
    """A context: it watches while one is inside. `seen` counts transfers."""

    stage: Stage
    world: Wanting
    steady: dict[str, set[str]]  # zone -> lines that are always served
    loose: Callable[[str, set[str]], Iterable[str]] = lambda _zone, _content: ()  # what must never be seen in a zone
    violations: list[str] = field(default_factory=list)
    seen: int = 0
    _serials: dict[tuple[str, str], int] = field(default_factory=dict)
    _contents: dict[tuple[str, int], frozenset[str]] = field(default_factory=dict)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._watch, name="witness", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(PAUSE):
            for server in self.stage.servers:
                for zone in ZONES:
                    # A transfer that meets an update in the making may be refused: the next look will do.
                    with contextlib.suppress(OSError, dns.exception.DNSException):
                        self._look(server, zone)

    def _look(self, server: NameServer, zone: str) -> None:
        serial = self.stage.serial(server, ZONES[zone])
        before = self._serials.get((server.name, zone))
        if serial is None or serial == before:
            return
        serial, content = self.stage.contents(server, ZONES[zone])
        self._serials[server.name, zone] = serial
        self.seen += 1
        where = f"{server.name}, {ZONES[zone]} at serial {serial}"
        self._check(before is None or serial > before, f"{where}: the serial went back from {before}")
        earlier = self._contents.setdefault((zone, serial), frozenset(content))
        self._check(earlier == content, f"{where}: one serial, two contents: {sorted(earlier ^ content)}")
        lost = self.steady[zone] - content
        self._check(not lost, f"{where}: what nobody touches is not served: {sorted(lost)}")
        strange = set(without_ttl(content)) - self.world.intended[zone]
        self._check(not strange, f"{where}: nobody ever wanted {sorted(strange)}")
        loose = sorted(self.loose(zone, content))
        self._check(not loose, f"{where}: {', '.join(loose)}")

    def _check(self, held: bool, text: str) -> None:
        if not held:
            self.violations.append(text)


def steady_lines(model: Model) -> dict[str, set[str]]:
    """To be asked while the model holds nothing else."""
    return {zone: model.served(zone) for zone in ZONES}
