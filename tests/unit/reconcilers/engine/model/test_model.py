"""The engine's core in a world of faults: a Hypothesis state machine.

A history is up to 50 steps of rules.py in world.py, with invariants.py checked all the time. Then everything heals and
has to come to rest (liveness.py) without any resync, which would hide lost wake-ups: only what the engine was told, and
a poll of what changed behind its back. MODEL_EXAMPLES says how many histories are tried (`make model EXAMPLES=6000`).
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import invariant

from reconcilers.engine.core import sync
from tests.unit.reconcilers.engine.model.invariants import SAFETY
from tests.unit.reconcilers.engine.model.liveness import LIVENESS
from tests.unit.reconcilers.engine.model.rules import Rules

MESSAGE_BYTES = 150
"""About three of the RRsets here fit a message: zones need several."""

# For the mutation run, which wants to know whether there is a failure, not the smallest one.
QUICK = os.environ.get("MODEL_QUICK") == "1"


class EngineModel(Rules):
    """All rules, all properties."""

    def __init__(self) -> None:
        super().__init__()
        self.limit, sync.MESSAGE_BYTES = sync.MESSAGE_BYTES, MESSAGE_BYTES
        self.world.watchers = [each(self.world) for each in (*SAFETY, *LIVENESS)]

    @invariant()
    def everything_holds(self) -> None:
        for watcher in self.world.watchers:
            watcher.stepped()

    def teardown(self) -> None:
        try:
            if self.world.servers and not self.world.interrupted:
                self.world.heal()
                self.world.come_to_rest()
        finally:
            sync.MESSAGE_BYTES = self.limit


TestEngineModel = EngineModel.TestCase
TestEngineModel.settings = settings(
    max_examples=int(os.environ.get("MODEL_EXAMPLES", "150")),
    derandomize="MODEL_EXAMPLES" not in os.environ,  # the same histories in every run of `make test`
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,) if QUICK else tuple(Phase),
)
