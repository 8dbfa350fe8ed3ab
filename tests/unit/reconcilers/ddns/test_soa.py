"""Serials on their circle (RFC 1982), and the SOA as a value."""

import dns.rdata
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.ddns import Soa, next_serial, parse_target, parse_zone, serial_add, serial_gt, serial_max

SERIALS = st.integers(0, 2**32 - 1)
ZONE = parse_zone("example.org")
SOA = Soa(parse_target("ns1.example.org"), parse_target("admin.example.org"), 7)


@pytest.mark.parametrize(
    ("left", "right", "ahead"),
    [
        (2, 1, True),
        (1, 2, False),
        (1, 1, False),
        (0, 2**32 - 1, True),
        (2**31 - 1, 0, True),
        (2**31, 0, False),
        (0, 2**31, False),
    ],
)
def test_ahead_means_less_than_half_the_circle(left, right, ahead):
    assert serial_gt(left, right) is ahead


@given(SERIALS, st.integers(1, 2**31 - 1))
def test_adding_moves_ahead(serial, steps):
    assert serial_gt(serial_add(serial, steps), serial)
    assert not serial_gt(serial, serial_add(serial, steps))


@pytest.mark.parametrize("steps", [-1, 2**31])
def test_a_step_of_half_the_circle_is_refused(steps):
    with pytest.raises(ValueError, match="raised"):
        serial_add(1, steps)


@pytest.mark.parametrize(
    ("now", "floor", "seen", "expected"),
    [
        (1_700_000_000, 0, (), 1_700_000_000),
        (1_700_000_000, 1_700_000_005, (), 1_700_000_005),
        (1_700_000_000, 0, (1_700_000_000,), 1_700_000_001),
        (1_700_000_000, 0, (5, 2_000_000_000), 2_000_000_001),
        (1_700_000_000.9, 2024010101, (2024010105, 3), 2024010106),
        (10, 0, (2**32 - 1,), 10),
        (0, 0, (2**32 - 1,), 0),
    ],
)
def test_the_next_serial_is_the_highest_of_time_floor_and_seen(now, floor, seen, expected):
    assert next_serial(now, floor, *seen) == expected


@given(st.integers(0, 2**31 - 2), st.integers(0, 2**31 - 2), st.lists(st.integers(0, 2**31 - 2), min_size=1))
def test_the_next_serial_is_ahead_of_every_one_seen(now, floor, seen):
    assert all(serial_gt(next_serial(now, floor, *seen), serial) for serial in seen)


def test_the_highest_of_several():
    assert serial_max(5, 2**32 - 1, 3) == 5
    assert serial_max(9) == 9


def test_an_soa_is_encoded_as_dnspython_does():
    text = "ns1.example.org. admin.example.org. 7 3600 600 604800 300"
    assert SOA.rdata == dns.rdata.from_text("IN", "SOA", text).to_wire()
    assert SOA.wire(ZONE).endswith(SOA.rdata)


def test_another_serial_is_the_same_configuration():
    assert SOA.at(2**32 + 3).serial == 3
    assert SOA.same_config(SOA.at(99))
    assert not SOA.same_config(Soa(SOA.primary, SOA.admin, 7, refresh=1))
