import contextlib

import pytest

from reconcilers.status.pacing import InstallThrottle, StatusDebounce
from reconcilers.timing import LONGEST_REST, PASSING, REST_FACTOR
from zonewright import Request
from zonewright.clock import FakeClock

ZONE, OTHER = Request("dns", "zone"), Request("dns", "other")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.mark.parametrize(("took", "rest"), [(0.0, 0.0), (0.01, REST_FACTOR * 0.01), (5.0, LONGEST_REST)])
def test_a_zone_rests_in_proportion_to_what_its_turn_took(clock: FakeClock, took: float, rest: float):
    turns = InstallThrottle(clock)
    assert turns.wait(ZONE) <= 0
    with turns.taken(ZONE):
        clock.advance(took)
    assert turns.wait(ZONE) == pytest.approx(rest)
    assert turns.wait(OTHER) <= 0
    clock.advance(rest)
    assert turns.wait(ZONE) == pytest.approx(0)


def test_a_turn_that_failed_was_a_turn(clock: FakeClock):
    turns = InstallThrottle(clock)
    with contextlib.suppress(ValueError), turns.taken(ZONE):
        clock.advance(0.01)
        raise ValueError
    assert turns.wait(ZONE) > 0


def test_turns_of_what_is_gone_are_forgotten(clock: FakeClock):
    turns = InstallThrottle(clock)
    with turns.taken(ZONE):
        clock.advance(1)
    turns.forget(ZONE)
    assert turns._next == {}


def test_a_change_under_way_has_its_time_again_after_the_zone_was_settled(clock: FakeClock):
    pace = StatusDebounce(clock)
    assert pace.hold_back(ZONE, published=False) == pytest.approx(PASSING)
    clock.advance(PASSING)
    assert pace.hold_back(ZONE, published=False) == pytest.approx(0)
    assert pace.hold_back(ZONE, published=True) == 0
    assert pace.hold_back(ZONE, published=False) == pytest.approx(PASSING)


def test_pace_forgets_what_is_gone(clock: FakeClock):
    pace = StatusDebounce(clock)
    pace.hold_back(ZONE, published=False)
    pace.wrote(ZONE)
    pace.forget(ZONE)
    assert pace.spacing(ZONE) == 0
    assert (pace._wrote, pace._unpublished) == ({}, {})
