"""The manager is killed -9, again and again, at random moments of its work; after each restart all must be well.

A round: changes while it runs, the kill somewhere among them, changes while it is down, the restart, now and then a
second kill while it starts, and a few more changes. Then objects and servers must become what the model says."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from testbed.named import NameServer
from testbed.stage import Stage, stage
from tests.chaos.model import ZONES
from tests.chaos.witness import Witness, steady_lines
from tests.chaos.world import NAMESPACE, World
from tests.support.scene import is_idle
from zonewright.testing import eventually

LOOKS = 30  # at the end, at a manager that must stay idle
# No second chance by polling: a lost wake-up must show as what it is.
FLAGS = ("--poll-interval", "3600")


class Violation(AssertionError):
    """The text says what is wrong and what led to it."""


class Players(Protocol):
    """Who makes changes, and knows what should come of them."""

    done: Counter[str]
    history: list[str]

    @property
    def size(self) -> int: ...
    def change(self) -> None: ...
    def differences(self) -> Iterable[str]: ...
    def versions(self) -> dict[str, str]: ...


@dataclass(slots=True)
class Kill9:
    stage: Stage
    world: Players
    witness: Witness
    rng: random.Random

    def play(self, number: int) -> str:
        """One round; returns its summary in a line."""
        begun, before, self.world.history = time.monotonic(), self.world.done.copy(), []
        kills = self._disturb()
        restarted = time.monotonic()
        self.settle()
        done = self.world.done - before
        changes = ", ".join(f"{count} {what}" for what, count in sorted(done.items()))
        return (
            f"round {number}: {kills} kills among {done.total()} changes ({changes}); "
            f"{self.world.size} objects settled {time.monotonic() - restarted:.1f} s after the start; "
            f"{time.monotonic() - begun:.1f} s"
        )

    def _disturb(self) -> int:
        self._change_and_kill(changes=self.rng.randint(3, 12), within=1.0)
        self._change(self.rng.randint(0, 5))
        kills = 1
        self.stage.start_manager(*FLAGS)
        while self.rng.random() < 0.35:
            # It takes a second or two to read the world and to begin: that is when it knows least.
            self._change_and_kill(changes=self.rng.randint(0, 3), within=3.0)
            self.stage.start_manager(*FLAGS)
            kills += 1
        self._change(self.rng.randint(0, 4), pause=0.2)
        return kills

    def _change_and_kill(self, *, changes: int, within: float) -> None:
        manager = self.stage.manager
        assert manager is not None
        manager.check()
        timer = threading.Timer(self.rng.uniform(0, within), manager.kill)
        self.world.history.append(f"(kill -9 in {timer.interval:.2f} s)")
        timer.start()
        self._change(changes, pause=within / (changes + 1))
        timer.join()
        self.world.history.append("(the manager is down)")

    def _change(self, changes: int, pause: float = 0.0) -> None:
        for _ in range(changes):
            time.sleep(self.rng.uniform(0, pause))
            self.world.change()

    def settle(self) -> None:
        differences: list[str] = []

        def settled() -> bool:
            self._check_alive()
            differences[:] = list(self.world.differences())
            return not differences

        try:
            eventually(settled, every=0.1)
        except TimeoutError as error:
            raise Violation(self._story("not settled", differences)) from error
        self._check_alive()

    def rest(self) -> None:
        """At the end nothing may move any more: whoever still writes would write for ever."""
        eventually(lambda: '"working"' in self.stage.manager_log(), what="the manager's start")
        self._wait_idle()
        before = self._traces()
        for _ in range(LOOKS):
            self._wait_idle()
        after = self._traces()
        moved = [f"{key}: {before[key]} -> {after.get(key)}" for key in before if before[key] != after.get(key)]
        if moved:
            raise Violation(self._story("still moving, with nothing left to do", moved))
        self.settle()

    def _wait_idle(self) -> None:
        time.sleep(0.1)  # two objects that wake each other look idle while a watch carries the news
        try:
            eventually(lambda: is_idle(self.stage, NAMESPACE))
        except TimeoutError as error:
            raise Violation(self._story("still at work, with nothing left to do", [])) from error

    def _traces(self) -> dict[str, str]:
        """What moves when somebody writes: serials of zones, versions of objects."""
        serials = {
            f"{zone} at {server.name}": str(self.stage.serial(server, zone))
            for server in self.stage.servers
            for zone in ZONES.values()
        }
        return serials | self.world.versions()

    def _check_alive(self) -> None:
        assert self.stage.manager is not None
        self.stage.manager.check()
        dead = [f"{server.name} died:\n{server.log()}" for server in self.stage.servers if _dead(server)]
        if dead:
            raise Violation(self._story("a name server died of what it was told", dead))
        if self.witness.violations:
            raise Violation(self._story("seen on the way", self.witness.violations))

    def _story(self, title: str, differences: list[str]) -> str:
        shown = [*differences[:30], *([f"and {len(differences) - 30} more"] if len(differences) > 30 else [])]
        log = self.stage.manager.output(40) if self.stage.manager else ""
        parts = [title, *shown, "", "what was done in this round", *self.world.history, "", "the manager's log", log]
        return "\n".join(parts)


def _dead(server: NameServer) -> bool:
    return server.named is None or not server.named.running


def play(backend: str, *, rounds: int, seed: int, tell: Callable[[str], None]) -> None:
    """All rounds on a stage of their own; raises Violation at the first thing that is not as it must be."""
    rng = random.Random(seed)
    with stage(backend, primaries=2, secondaries=1) as running:
        running.install_crds()
        world = World(running, rng)
        world.set_up()
        running.start_manager(*FLAGS)
        witness = Witness(running, world, steady_lines(world.model))
        game = Kill9(running, world, witness, rng)
        game.settle()
        with witness:
            for number in range(1, rounds + 1):
                tell(game.play(number))
            game.rest()
        tell(f"{rounds} rounds; {world.done.total()} changes; {witness.seen} transfers by the witness")
