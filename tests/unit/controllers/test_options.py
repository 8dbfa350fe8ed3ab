"""Options are checked before anything starts, and errors name the flag."""

from typing import Any

import pytest

from controllers.options import InvalidOptions, Options, spelled, ttl


@pytest.mark.parametrize(
    ("flag", "changes"),
    [
        ("--cluster-name", {"cluster_name": " "}),
        ("--cluster-name", {"cluster_name": "x" * 217}),
        ("--cluster-name", {"cluster_name": "prod/6f1c2a04-9d3b-4c55-8a51-1f0c7e2b9d10"}),
        ("--workers", {"workers": 0}),
        ("--operations", {"operations": 0}),
        ("--poll-interval", {"poll_interval": 0.5}),
        ("--drain-seconds", {"drain_seconds": -1}),
        ("--http", {"http": "8080"}),
        ("--http", {"http": "localhost:99999"}),
    ],
)
def test_a_bad_option_is_refused_by_name(flag: str, changes: dict[str, Any]):
    with pytest.raises(InvalidOptions, match=flag):
        Options(**{"cluster_name": "here", **changes})


def test_http_may_be_off_and_may_be_ipv6():
    assert Options("here", http="off").manager.http is None
    assert Options("here", http="[::1]:8080").manager.http == "[::1]:8080"


def test_leader_election_can_be_left_out():
    assert Options("here", leader_elect=False).manager.leader_election is None
    lease = Options("here", lease_namespace="ns").manager.leader_election
    assert lease is not None
    assert (lease.namespace, lease.name) == ("ns", "zonewright-leader")


def test_switches_can_be_said_as_programs_in_go_take_them():
    words = ["--update-dnsendpoint-status=false", "--create-ptr=true", "--txt-owner-id=true", "--http=off"]
    assert spelled(words) == ["--no-update-dnsendpoint-status", "--create-ptr", "--txt-owner-id=true", "--http=off"]


@pytest.mark.parametrize(("text", "seconds"), [("0", 0), ("300", 300), ("5m", 300), ("1h30m", 5400)])
def test_a_ttl_is_seconds_or_a_duration(text: str, seconds: int):
    assert ttl(text) == seconds


def test_a_ttl_that_makes_no_sense_is_refused():
    with pytest.raises(InvalidOptions, match=r"--min-ttl: '5 minutes' is neither seconds nor a duration, as 300 or 5m"):
        ttl("5 minutes")
