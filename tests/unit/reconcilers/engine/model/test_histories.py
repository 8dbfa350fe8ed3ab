"""Histories that the model failed on once, each replayed as it was found.

A rule whose assumption does not hold any more is passed over: the world has changed since.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis.errors import UnsatisfiedAssumption

from tests.unit.reconcilers.engine.model.test_model import EngineModel
from tests.unit.reconcilers.engine.model.world import NAMES

NET = NAMES[2]

Step = tuple[str, dict[str, Any]]


def step(rule: str, **arguments: Any) -> Step:
    return rule, arguments


MOVED_TO_AN_ADOPTED_SERVER_WHILE_DOWN = (
    step("begin", foreign=True),
    step("operator_crashes", applied=True),
    step("zone_is_created", both=False, name=NET, secondary=False),
    step("operator_crashes", applied=False),
    step("server_cannot_be_spoken_to", name="s1"),
    step("zone_changes_while_its_operation_is_in_flight", fault="none", record=4, value="192.0.2.1", which=8),
    step("record_changes", label="d", record=5, value="192.0.2.1", which=6),
    step("server_is_taken_away", name="s1", superseded=True),
    step("time_passes", seconds=2.0),
    step("operator_crashes", applied=True),
    step("server_cannot_be_spoken_to", name="p2"),
    step("operation_ends", fault="broken", which=7),
    step("zone_changes_while_its_operation_is_in_flight", fault="lost reply", record=3, value="192.0.2.1", which=9),
    step("operator_crashes", applied=False),
    step("servers_of_a_zone_change", both=False, down=True, secondary=True, which=0),
    step("zone_changes_while_its_operation_is_in_flight", fault="lost reply", record=3, value="192.0.2.66", which=9),
    step("time_passes", seconds=0.1),
    step("zone_moves_to_a_server_of_others", down=True, which=9),
    step("server_comes_back", empty=False, name="p2", told=True),
    step("time_passes", seconds=2.0),
    step("operator_crashes", applied=False),
    step("many_records_change", values=[f"192.0.2.{last}" for last in (3, 2, 3, 3, 2, 3)], which=6),
    step("server_comes_back", empty=True, name="p1", told=True),
    step("operator_crashes", applied=False),
    step("many_records_change", values=[f"192.0.2.{last}" for last in (3, 3, 2, 3, 2, 2)], which=8),
    step("server_comes_back", empty=False, name="p2", told=False),
    step("server_is_taken_away", name="p2", superseded=False),
    step("zone_changes_while_its_operation_is_in_flight", fault="none", record=5, value="192.0.2.3", which=7),
    step("operator_crashes", applied=False),
    step("server_is_taken_away", name="p2", superseded=True),
)
"""Somebody else's address at `d` on the adopted server was replaced by ours, and the record said RecordPublished."""

FOREIGN_ADDRESS_ON_AN_ADOPTED_SERVER = (
    step("begin", foreign=True),
    step("somebody_else_writes_to_their_zone", zone=NET, label="d", value="192.0.2.1"),
    step("zone_is_created", both=False, name=NET, secondary=False),
    *MOVED_TO_AN_ADOPTED_SERVER_WHILE_DOWN[3:],
)
"""The same, with somebody else's address there from the beginning: the world of those days put it there itself."""


@pytest.fixture
def state() -> Iterator[EngineModel]:
    machine = EngineModel()
    try:
        yield machine
    finally:
        machine.teardown()


@pytest.mark.filterwarnings("ignore:Using `assume` outside")
@pytest.mark.parametrize("history", [MOVED_TO_AN_ADOPTED_SERVER_WHILE_DOWN, FOREIGN_ADDRESS_ON_AN_ADOPTED_SERVER])
def test_nothing_lost_line_4_a_zone_that_moves_while_the_operator_is_down(
    state: EngineModel, history: tuple[Step, ...]
):
    for rule, arguments in history:
        try:
            getattr(state, rule)(**arguments)
        except UnsatisfiedAssumption:
            continue
        state.everything_holds()
