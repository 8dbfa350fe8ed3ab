"""Histories that the model failed on once, each replayed as it was found.

An event that cannot happen any more is passed over: the world has changed since.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engine_world import BAD
from tests.unit.reconcilers.engine.model.test_model import EngineModel
from tests.unit.reconcilers.engine.model.world import NAMES

ORG, CHILD, NET, COM = NAMES

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

RELEASED_BY_ITS_OTHER_NAME_WHILE_DOWN = (
    step("begin", two_names=True),
    step("zone_is_created", name=COM, both=False, secondary=False),
    step("server_comes_back_empty_and_refuses_what_others_have", name="p1", record=1, restart=False, which=7),
    step("zone_is_replaced", which=9),
    step("zone_selects_a_server_by_its_other_name", down=True, which=7),
    step(
        "somebody_else_writes_to_one_primary_while_we_write_to_the_other",
        label="a",
        record=0,
        value="192.0.2.3",
        which=3,
    ),
)
"""A zone that was replaced and then moved to the other name of its server still stood under the first one."""

REPLACED_BESIDE_ITS_RIVAL = (
    step("begin", foreign=True),
    step("zone_is_created", name=NET, both=False, secondary=True),
    step("zone_is_created", name=ORG, both=True, secondary=False),
    step("a_second_object_of_a_zone_appears", older=True, primaries={"p1"}, records=True, secondary=True, which=5),
    step("zone_is_replaced", which=4),
    step("servers_of_a_zone_change", both=False, down=False, secondary=True, which=4),
    step("zone_is_deleted", which=8),
    step("server_takes_other_data", name="p1"),
)
"""An object was not known to the engine when all had come to rest."""

TAKEN_WHERE_ANOTHER_OBJECT_HAS_THE_ZONE = (
    step("begin"),
    step("zone_is_created", name=ORG, both=False, secondary=False),
    step(
        "a_second_object_of_a_zone_appears", older=False, primaries={"p1", "p2"}, records=True, secondary=False, which=0
    ),
    step("many_records_change", values=["192.0.2.1"] * 6, which=0),
    step("somebody_else_takes_a_name_that_we_left", record=0, value="192.0.2.1", which=0),
    step("operator_drains_and_restarts"),
)
"""Somebody else's address stayed on p1, rightly: the claim for it was that of the other object, which has p2."""

REPLACED_WHILE_ITS_ENDPOINTS_ARE_IN_DOUBT = (
    step("begin", foreign=True, planner=True),
    step("zone_is_created", name=NET, both=False, secondary=False, endpoints={"x": "192.0.2.1", "y": "192.0.2.1"}),
    step("zone_is_replaced", which=0),
    step("zone_changes_while_its_operation_is_in_flight", fault="none", record=0, value="192.0.2.1", which=0),
    step("zone_changes_while_its_operation_is_in_flight", fault="lost reply", record=0, value="192.0.2.1", which=0),
    step("zone_is_replaced", which=0),
)
"""On an adopted server: what stood there for the endpoints of the first object was removed before the second one's
plan, which keeps it, and without asking whether it is still ours."""

CHANGED_WHILE_IT_IS_REFUSED = (
    step("begin", two_names=True, planner=True, foreign=True),
    step("zone_is_created", name=CHILD, both=False, secondary=False, endpoints={}),
    step("endpoint_changes", label="y", value=BAD, which=0),
    step("operation_ends", fault="none", which=0),
    step("operation_ends", fault="none", which=0),
    step("endpoint_changes", label="y", value="192.0.2.1", which=0),
    step("many_records_change", values=["192.0.2.1"] * 6, which=0),
    step("somebody_else_takes_a_name_that_we_left", record=1, value="192.0.2.1", which=0),
)
"""An endpoint's address was published without the TXT beside it: the refusal of the old address held on to that."""

TAKEN_OVER_ON_ONE_OF_TWO_PRIMARIES = (
    step("begin", planner=True),
    step("zone_is_created", name=NET, both=False, secondary=False, endpoints={}),
    step("servers_of_a_zone_change", both=False, down=True, secondary=False, which=0),
    step("server_comes_back_empty_and_refuses_what_others_have", name="p2", record=0, restart=True, which=0),
    step(
        "zone_is_created",
        name=COM,
        both=True,
        secondary=False,
        endpoints={"x": "192.0.2.1", "y": "192.0.2.1"},
    ),
    step("zone_is_created", name=ORG, both=False, secondary=False, endpoints={}),
    step("operator_crashes", applied=False),
    step("servers_of_a_zone_change", both=True, down=False, secondary=False, which=9),
    step("server_comes_back_empty_and_refuses_what_others_have", name="p1", record=1, restart=False, which=0),
    step("somebody_else_takes_over_an_endpoint", label="y", marked=False, name="p2", value="192.0.2.3", zone=COM),
)
"""The TXT beside our address stayed on p1, rightly: on p2 the address is somebody else's, and where the primaries
differ nothing is removed."""

BACK_BESIDE_ITS_DELETED_RIVAL = (
    step("begin", planner=True, two_names=False, foreign=False),
    step("server_cannot_be_spoken_to", name="p2"),
    step("zone_is_created", both=True, endpoints={}, name=CHILD, secondary=False),
    step("record_changes", label="c", record=5, value="192.0.2.77", which=4),
    step("somebody_else_takes_a_name_that_we_left", record=5, value="192.0.2.3", which=2),
    step(
        "a_second_object_of_a_zone_appears", older=True, primaries={"p1", "p2"}, records=True, secondary=False, which=0
    ),
    step("endpoint_changes", label="x", value="192.0.2.77", which=4),
    step("zone_is_deleted_while_its_operation_is_in_flight", fault="lost reply", which=6),
)
"""A duplicate was released, then given the zone: a new wish, so what failed for the other object is tried at once."""

TAKEN_OVER_BEFORE_THE_FINALIZER_WENT = (
    step("begin", foreign=True, two_names=False, planner=True),
    step("zone_is_created", both=False, endpoints={}, name=COM, secondary=False),
    step("zone_is_created", both=False, endpoints={"x": "192.0.2.1"}, name=NET, secondary=False),
    step(
        "somebody_else_takes_over_an_endpoint_that_we_publish",
        deleted=False,
        label="x",
        published=True,
        value="192.0.2.1",
        which=0,
    ),
    step("finalizer_is_taken_off_by_hand", down=False, which=5),
)
"""What endpoints had in the zone of others was removed without asking whether it still is what was published."""

REPLACED_TWICE_WHILE_ITS_SECONDARY_IS_NOT_LOOKED_AT = (
    step("begin", foreign=False, two_names=False, planner=True),
    step("zone_is_created", both=True, endpoints={"x": "192.0.2.1"}, name=ORG, secondary=True),
    step("server_comes_back_empty_and_refuses_what_others_have", name="p1", record=0, restart=True, which=0),
    step("zone_is_replaced", which=0),
    step("somebody_else_takes_a_name_that_we_left", record=0, value="192.0.2.1", which=0),
    step("server_takes_other_data", name="p1"),
    step("server_comes_back_empty_and_refuses_what_others_have", name="p1", record=5, restart=False, which=7),
    step("operation_ends", fault="none", which=6),
    step("server_takes_other_data", name="p1"),
    step(
        "operator_drains_and_restarts",
    ),
    step("zone_is_replaced", which=2),
)
"""The zone of the second object went from p1 before it was known whether s1 has it, because the third wants s1 too."""

PUBLISHED_BY_SOMEBODY_ELSE_JUST_AS_WE_WANT_IT = (
    step("begin", foreign=False, planner=False, two_names=True),
    step("zone_is_created", both=False, endpoints={}, name=ORG, secondary=False),
    step("zone_changes_while_its_operation_is_in_flight", fault="none", record=4, value="192.0.2.1", which=0),
    step("somebody_else_takes_a_name_that_we_left", record=4, value="192.0.2.2", which=1),
    step("server_takes_other_data", name="p1"),
    step("zone_is_created", both=False, endpoints={}, name=COM, secondary=True),
    step("zone_is_created", both=False, endpoints={}, name=CHILD, secondary=True),
    step("zone_changes_while_its_operation_is_in_flight", fault="none", record=5, value="192.0.2.3", which=7),
    step("zone_changes_while_its_operation_is_in_flight", fault="error", record=3, value="192.0.2.2", which=9),
    step("zone_changes_while_its_operation_is_in_flight", fault="none", record=4, value="192.0.2.2", which=1),
    step("somebody_else_takes_a_name_that_we_left", record=4, value="192.0.2.1", which=6),
)
"""In our own zone an address was ours or not, by whether it was read before or after the record that wants it came."""

JOINED_BEFORE_IT_IS_TOLD = (
    step("begin", foreign=False, planner=False, two_names=True),
    step("zone_is_created", both=False, endpoints={}, name=ORG, secondary=False),
    step("record_changes", label="a", record=0, value="192.0.2.1", which=0),
    step("somebody_else_takes_a_name_that_we_left", record=0, value="192.0.2.1", which=0),
    step("record_changes", label="c", record=0, value="192.0.2.1", which=0),
    step("record_changes", label="a", record=0, value="192.0.2.1", which=0),
    step("operation_ends", fault="lost request", which=8),
    step("record_changes", label="a", record=4, value="192.0.2.2", which=5),
)
"""The record was Ready with its own address, and another one had joined the RRset since."""

LEFT_TO_ONE_THAT_THE_SERVER_REFUSES = (
    step("begin", foreign=False, planner=False, two_names=True),
    step("zone_is_created", both=False, endpoints={}, name=ORG, secondary=True),
    step("server_takes_other_data", name="p1"),
    step("record_changes", label="a", record=0, value="192.0.2.1", which=0),
    step("somebody_else_takes_a_name_that_we_left", record=0, value="192.0.2.1", which=0),
    step("record_changes", label="c", record=0, value="192.0.2.1", which=0),
    step("zone_changes_while_its_operation_is_in_flight", fault="none", record=2, value="192.0.2.77", which=0),
    step("somebody_else_takes_a_name_that_we_left", record=0, value="192.0.2.1", which=0),
)
"""The address of a deleted record stayed: what the other record wants there the server does not take."""

CLAIMED_AND_LEFT_BEFORE_THE_FIRST_READ = (
    step("begin", foreign=False, planner=False, two_names=True),
    step("zone_is_created", both=False, endpoints={}, name=ORG, secondary=True),
    step("operation_ends", fault="none", which=0),
    step("server_comes_back", empty=False, name="p1", told=True),
    step("operation_ends", fault="none", which=0),
    step("record_changes", label="c", record=0, value="192.0.2.1", which=0),
    step("zone_changes_while_its_operation_is_in_flight", fault="none", record=0, value="192.0.2.1", which=0),
    step("somebody_else_writes_to_our_zone", label="c", name="p1", value="192.0.2.1", zone=ORG),
)
"""Rightly removed: the record had claimed the name before the zone was first read, and somebody else's address stood
there by then."""

LEFT_WITH_A_SECONDARY_ALONE = (
    step("begin", foreign=False, two_names=False, planner=False),
    step("zone_is_created", both=True, endpoints={}, name=ORG, secondary=False),
    step("a_second_object_of_a_zone_appears", older=False, primaries={"p2"}, records=False, secondary=True, which=0),
    step("server_is_taken_away", name="p2", superseded=False),
    step("finalizer_is_taken_off_by_hand", down=False, which=0),
)
"""A zone object for which the model knows no state: people took its last primary away while another had it."""

FORGOTTEN_WHILE_IT_WAS_TAKEN_OUT = (
    step("begin", foreign=True, two_names=False, planner=True),
    step("zone_is_created", both=False, endpoints={}, name=COM, secondary=False),
    step("zone_changes_while_its_operation_is_in_flight", fault="none", record=0, value="192.0.2.1", which=0),
    step(
        "operator_drains_and_restarts",
    ),
    step("finalizer_is_taken_off_by_hand", down=False, which=0),
    step("operator_crashes", applied=True),
    step("zone_is_created", both=False, endpoints={"y": "192.0.2.1", "x": "192.0.2.3"}, name=COM, secondary=True),
)
"""The address stayed in the zone of others, rightly: the zone object had gone without our consent, and the process
that knew of it crashed."""

CLAIMED_BY_TWO_ZONE_OBJECTS = (
    step("begin", foreign=True, two_names=False, planner=False),
    step("zone_is_created", both=False, endpoints={}, name=NET, secondary=False),
    step("zone_changes_while_its_operation_is_in_flight", fault="none", record=0, value="192.0.2.1", which=0),
    step(
        "operator_drains_and_restarts",
    ),
    step("zone_is_replaced", which=0),
    step(
        "operator_drains_and_restarts",
    ),
    step("finalizer_is_taken_off_by_hand", down=True, which=0),
)
"""Rightly removed from the zone of others: one of the two objects that claimed it was still there."""


@pytest.mark.parametrize(
    "history",
    [
        MOVED_TO_AN_ADOPTED_SERVER_WHILE_DOWN,
        FOREIGN_ADDRESS_ON_AN_ADOPTED_SERVER,
        RELEASED_BY_ITS_OTHER_NAME_WHILE_DOWN,
        REPLACED_BESIDE_ITS_RIVAL,
        TAKEN_WHERE_ANOTHER_OBJECT_HAS_THE_ZONE,
        REPLACED_WHILE_ITS_ENDPOINTS_ARE_IN_DOUBT,
        CHANGED_WHILE_IT_IS_REFUSED,
        TAKEN_OVER_ON_ONE_OF_TWO_PRIMARIES,
        BACK_BESIDE_ITS_DELETED_RIVAL,
        TAKEN_OVER_BEFORE_THE_FINALIZER_WENT,
        REPLACED_TWICE_WHILE_ITS_SECONDARY_IS_NOT_LOOKED_AT,
        PUBLISHED_BY_SOMEBODY_ELSE_JUST_AS_WE_WANT_IT,
        JOINED_BEFORE_IT_IS_TOLD,
        LEFT_TO_ONE_THAT_THE_SERVER_REFUSES,
        CLAIMED_AND_LEFT_BEFORE_THE_FIRST_READ,
        LEFT_WITH_A_SECONDARY_ALONE,
        FORGOTTEN_WHILE_IT_WAS_TAKEN_OUT,
        CLAIMED_BY_TWO_ZONE_OBJECTS,
    ],
)
def test_nothing_lost_line_4_histories_that_failed_once(history: tuple[Step, ...]):
    state = EngineModel()
    try:
        for rule, arguments in history:
            getattr(state, rule)(**arguments)
            state.everything_holds()
    finally:
        state.teardown()
