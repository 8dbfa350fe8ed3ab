"""What a zone's status says: conditions, servers, counts."""

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from reconcilers.ddns.names import parse_zone
from reconcilers.desired.selection import Tally
from reconcilers.engine.api import ClaimState, MassDelete, Role, ServerStatus, ZoneRef, ZoneStatus
from reconcilers.fleet.servers import Server
from reconcilers.reasons import Reason
from reconcilers.status.zone import (
    MOST_RECORDS,
    Condition,
    ZoneFacts,
    degraded,
    holders,
    progressing,
    ready,
    zone_status,
)
from zonewright.api.kind import Request

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
NONE = Tally(0, 0, ())


def server(name: str = "p1", role: Role = Role.PRIMARY, *, up: bool = True) -> Server:
    return Server(Request("dns", name), role, "192.0.2.53", False, "", {}, frozenset({"dns"}), up)


def copy(
    name: str = "dns/p1", role: Role = Role.PRIMARY, reason: Reason | None = None, *, synced: bool = True
) -> ServerStatus:
    state = ClaimState.FAILED if reason else ClaimState.CONFIGURED
    return ServerStatus(name, role, state, 7, synced, reason, f"{reason} here" if reason else "")


def engine(*copies: ServerStatus, published: bool = True, **more: Any) -> ZoneStatus:
    ref = ZoneRef(parse_zone("example.org"), "uid", "dns", "zone")
    return ZoneStatus(ref, 1, 7, published, published, copies or (copy(),), **more)


def facts(
    state: ZoneStatus | None = None, *servers: Server, refusal: Condition | None = None, tally: Tally = NONE
) -> ZoneFacts:
    return ZoneFacts("dns", 2, tally, servers or (server(),), state, refusal)


REFUSED = Condition("Ready", False, Reason.DUPLICATE_ZONE, "DNSZone dns/first is older")
NOBODY = ZoneFacts("dns", 2, NONE, (), None)
UNREACHABLE = copy(reason=Reason.SERVER_UNREACHABLE, synced=False)


@pytest.mark.parametrize(
    ("sentence", "known", "status", "reason", "says"),
    [
        ("every primary has it", facts(engine()), True, "ZonePublished", "served by 1 primary"),
        (
            "two primaries have it",
            facts(engine(), server("p1"), server("p2"), server("s1", Role.SECONDARY)),
            True,
            "ZonePublished",
            "served by 2 primaries",
        ),
        (
            "one of two primaries is down",
            facts(engine(), server("p1"), server("p2", up=False)),
            True,
            "ZonePublished",
            "served by 1 primary",
        ),
        ("no server is selected", NOBODY, False, "NoPrimaryInstances", "bind9InstancesFrom"),
        (
            "a server that matches lacks consent",
            replace(NOBODY, left_out=["Bind9Instance x/p1 matches but"]),
            False,
            "NoPrimaryInstances",
            "look at clusterRef and bind9InstancesFrom; Bind9Instance x/p1 matches but",
        ),
        (
            "many servers that match lack consent",
            replace(NOBODY, left_out=["a", "b", "c", "d", "e"]),
            False,
            "NoPrimaryInstances",
            "; a; b; c; and 2 more",
        ),
        (
            "one more than are named is left out",
            replace(NOBODY, left_out=["a", "b", "c", "d"]),
            False,
            "NoPrimaryInstances",
            "; a; b; c; and 1 more",
        ),
        (
            "only secondaries are selected",
            facts(engine(), server("s1", Role.SECONDARY)),
            False,
            "NoPrimaryInstances",
            "clusterRef",
        ),
        ("no primary is ready", facts(engine(), server(up=False)), False, "NoPrimaryInstances", "dns/p1"),
        ("it is refused", facts(engine(), refusal=REFUSED), False, "DuplicateZone", "dns/first"),
        ("the engine has just heard of it", facts(None), False, "Progressing", "being brought"),
        ("it is under way", facts(engine(copy(synced=False), published=False)), False, "Progressing", "being brought"),
        (
            "its primary fails",
            facts(engine(UNREACHABLE, published=False)),
            False,
            "ServerUnreachable",
            "dns/p1: ServerUnreachable here",
        ),
        (
            "its deletion waits for servers",
            facts(engine(UNREACHABLE, copy("dns/s1", Role.SECONDARY), deleting=True)),
            False,
            "Deleting",
            "still to be taken off dns/p1 (ServerUnreachable here), dns/s1",
        ),
        (
            "its deletion waits for something else",
            facts(engine(deleting=True, blocked_by=("dns/p1:org. example.org. NS",))),
            False,
            "Deleting",
            "before that, dns/p1:org. example.org. NS has to go",
        ),
        (
            "a mass removal waits",
            facts(engine(mass_delete=MassDelete(30, 100))),
            False,
            "WaitingForConsent",
            "30 of 100 RRsets would be removed at once: annotate the zone with bindy.firestoned.io/allow-mass-delete",
        ),
        (
            "a mass removal waits and a primary is down",
            facts(engine(UNREACHABLE, published=False, mass_delete=MassDelete(30, 100))),
            False,
            "WaitingForConsent",
            "30 of 100",
        ),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_ready(sentence: str, known: ZoneFacts, status: bool, reason: str, says: str):
    found = ready(known)
    assert (found.status, found.reason) == (status, reason)
    assert says in found.message


@pytest.mark.parametrize(
    ("sentence", "known", "status", "says"),
    [
        ("all is done", facts(engine()), False, "nothing"),
        ("changes wait", facts(engine(pending=3)), True, "3 changes pending"),
        ("a copy is behind", facts(engine(copy(synced=False))), True, "waiting for dns/p1"),
        ("a failing copy is no progress", facts(engine(UNREACHABLE)), False, "nothing"),
        ("it is refused", facts(engine(pending=3), refusal=REFUSED), False, "nothing"),
        ("nobody knows yet", facts(None), False, "nothing"),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_progressing(sentence: str, known: ZoneFacts, status: bool, says: str):
    found = progressing(known)
    assert found.status is status
    assert says in found.message


def test_degraded_names_every_server_that_fails_and_why():
    bad_copy = copy("dns/s1", Role.SECONDARY, Reason.ZONE_TRANSFER_FAILED, synced=False)
    found = degraded(facts(engine(copy(), UNREACHABLE, bad_copy)))
    assert (found.status, found.reason) == (True, "ServersFailing")
    assert found.message == "dns/p1: ServerUnreachable here; dns/s1: ZoneTransferFailed here"


def test_a_dead_secondary_degrades_a_zone_that_is_ready():
    known = facts(engine(copy(), copy("dns/s1", Role.SECONDARY, Reason.SERVER_UNREACHABLE, synced=False)))
    assert ready(known).status
    assert degraded(known).status


def test_a_secondary_that_waits_for_its_primaries_does_not_degrade_a_new_zone():
    waiting = copy("dns/s1", Role.SECONDARY, Reason.ZONE_NOT_READY, synced=False)
    assert not degraded(facts(engine(copy(synced=False), waiting))).status
    assert degraded(facts(engine(UNREACHABLE, waiting))).message == "dns/p1: ServerUnreachable here"


def test_a_primary_that_does_not_serve_the_zone_degrades_it():
    assert degraded(facts(engine(copy("dns/p0", Role.PRIMARY, Reason.ZONE_NOT_READY, synced=False)))).status


def test_a_healthy_zone_is_not_degraded():
    assert not degraded(facts(engine())).status
    assert not degraded(facts(None)).status


# -- the whole


def test_servers_are_listed_with_role_state_serial_and_trouble():
    told = zone_status(facts(engine(copy(), UNREACHABLE)), {}, NOW)
    assert told["bind9InstancesCount"] == 2
    assert told["bind9Instances"] == [
        {
            "apiVersion": "bindy.firestoned.io/v1beta1",
            "kind": "Bind9Instance",
            "namespace": "dns",
            "name": "p1",
            "role": "primary",
            "status": "Configured",
            "serial": 7,
        },
        {
            "apiVersion": "bindy.firestoned.io/v1beta1",
            "kind": "Bind9Instance",
            "namespace": "dns",
            "name": "p1",
            "role": "primary",
            "status": "Failed",
            "serial": 7,
            "message": "ServerUnreachable here",
        },
    ]
    assert holders(told) == {"dns/p1"}


def test_no_list_outgrows_etcd_and_the_counts_stay_exact():
    names = tuple(("ARecord", f"host{number:05}") for number in range(MOST_RECORDS))
    told = zone_status(facts(engine(), tally=Tally(10_000, 9_999, names)), {}, NOW)
    assert (told["recordsCount"], told["readyRecordsCount"]) == (10_000, 9_999)
    assert len(told["records"]) == MOST_RECORDS == 1000
    assert told["recordsTruncated"] is True


def test_a_list_that_is_whole_is_not_truncated():
    told = zone_status(facts(engine(), tally=Tally(2, 1, (("ARecord", "www"),))), {}, NOW)
    assert told["recordsTruncated"] is False
    assert told["records"] == [
        {"apiVersion": "bindy.firestoned.io/v1beta1", "kind": "ARecord", "name": "www", "namespace": "dns"}
    ]


@pytest.mark.parametrize(
    ("known", "before", "serial"),
    [
        (facts(engine()), {"serial": 6}, 7),
        (facts(None), {"serial": 6}, 6),
        (facts(replace(engine(), serial=None)), {"serial": 6}, 6),
        (facts(None), {}, None),
    ],
    ids=["published", "after a restart", "not known yet", "new"],
)
def test_the_serial_is_never_forgotten(known: ZoneFacts, before: dict[str, Any], serial: int | None):
    assert zone_status(known, before, NOW).get("serial") == serial


def test_the_same_facts_make_the_same_status_later():
    first = zone_status(facts(engine()), {}, NOW)
    assert zone_status(facts(engine()), first, NOW + dt.timedelta(hours=1)) == first


@pytest.mark.parametrize(("known", "told"), [(None, True), (True, True), (False, None)])
def test_that_a_zone_is_adopted_is_kept_while_it_cannot_be_told(known: bool | None, told: bool | None):
    before = {"bind9Instances": [{"namespace": "dns", "name": "p1", "adopted": True}]}
    (entry,) = zone_status(facts(engine(replace(copy(), adopted=known))), before, NOW)["bind9Instances"]
    assert entry.get("adopted") is told
