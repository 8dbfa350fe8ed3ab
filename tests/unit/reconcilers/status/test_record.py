"""What a record's status says, of all that can be known about it."""

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from generated.kinds import KINDS
from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.rdata import parse_rdata
from reconcilers.ddns.rrset import RRset
from reconcilers.desired.ownership import AdoptedRRset, Claim
from reconcilers.desired.selection import Membership
from reconcilers.desired.views import RecordView, ZoneView
from reconcilers.engine.api import ObjectRef, RecordOutcome, RecordState
from reconcilers.fleet.servers import ServerChoice
from reconcilers.reasons import Reason
from reconcilers.status.invalid_zones import InvalidZone
from reconcilers.status.record import Standing, about, adopted_differs, obstacle, record_status, verdict
from tests.support.reconcilers_world import GONE, ON_PRIMARIES, PENDING, PUBLISHED, REMOVING, failed
from zonewright.api.kind import Request
from zonewright.api.selectors import Selector

NOW = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
EARLIER = dt.datetime(2026, 1, 1, 11, 59, 58, tzinfo=dt.UTC)
WINNER = ObjectRef("CNAMERecord", "dns", "alias", "uid")
UNREACHABLE = RecordOutcome(RecordState.PENDING, reason=Reason.SERVER_UNREACHABLE, message="dns/p1: no answer")
DUPLICATE = InvalidZone("it is a duplicate", served=False)
NO_PRIMARIES = RecordOutcome(RecordState.PENDING, reason=Reason.NO_PRIMARY_INSTANCES, message="no primary")
BAD_KEY = RecordOutcome(RecordState.PENDING, reason=Reason.TSIG_VERIFICATION_FAILED, message="dns/p1: BADKEY")

RECORD = RecordView(
    kind=KINDS["ARecord"],
    key=Request("dns", "www"),
    uid="uid-www",
    generation=3,
    created="2026-01-01T00:00:00Z",
    labels={},
    deleting=False,
    has_finalizer=True,
    claim=Claim(),
    ready="",
    version="v2",
    published_version="",
    name="www",
    spec=None,
)
BEFORE: dict[str, Any] = {
    "recordHash": "v1",
    "lastUpdated": "2026-01-01T10:00:00Z",
    "publishedName": "old",
    "addresses": "192.0.2.9",
}


def zone(name: str = "example.org", *, released: bool = False) -> ZoneView:
    return ZoneView(
        key=Request("dns", name.partition(".")[0]),
        uid=f"uid-{name}",
        created="2026-01-01T00:00:00Z",
        origin=parse_zone(name),
        selectors=(Selector(),),
        servers=ServerChoice("dns", None, ()),
        ttl=300,
        deleting=released,
        released=released,
    )


def standing(
    outcome: RecordOutcome | None = PUBLISHED,
    *,
    at: str = "example.org",
    selected: bool = True,
    error: str | None = None,
    winner: ObjectRef | None = None,
    too_many: bool = False,
    refusal: InvalidZone | None = None,
) -> Standing:
    origin = parse_zone(at)
    rrset = RRset.of(parse_zone(f"www.{at}"), 300, [parse_rdata("A", "192.0.2.1", origin=origin)])
    return Standing(Membership(zone(at), selected, error, winner, too_many, rrset), outcome, refusal)


def status(*standings: Standing, record: RecordView = RECORD, before: dict[str, Any] | None = None) -> dict[str, Any]:
    return record_status(record, before or {}, standings, verdict(record, standings), NOW)


def condition(told: dict[str, Any], kind: str = "Ready") -> dict[str, Any]:
    return next(each for each in told["conditions"] if each["type"] == kind)


# -- every reason of the API


@pytest.mark.parametrize(
    ("sentence", "standings", "reason", "says", "passing"),
    [
        ("published everywhere", [standing()], "RecordPublished", "published in example.org", False),
        ("no zone wants it", [], "NotSelected", "namespace dns selects", True),
        ("its last zone lets go", [standing(REMOVING, selected=False)], "NotSelected", "recordsFrom", True),
        (
            "its zone is not known to the engine",
            [standing(None)],
            "ZoneNotReady",
            "example.org is not served yet",
            True,
        ),
        ("its zone is refused", [standing(refusal=DUPLICATE)], "ZoneNotReady", "it is a duplicate", False),
        (
            "its zone is refused and stays as it was",
            [standing(refusal=replace(DUPLICATE, served=True))],
            "ZoneNotReady",
            "it is a duplicate",
            True,
        ),
        ("the change is under way", [standing(PENDING)], "ZoneNotReady", "on its way", True),
        ("the zone has not handed it over", [standing(GONE)], "ZoneNotReady", "on its way", True),
        ("the zone has no primary", [standing(NO_PRIMARIES)], "NoPrimaryInstances", "no primary", True),
        ("its data is bad", [standing(error="spec.name: bad")], "InvalidRecordData", "spec.name: bad", False),
        ("an older one has the name", [standing(winner=WINNER)], "RecordConflict", "CNAMERecord dns/alias", False),
        ("older ones fill the RRset", [standing(too_many=True)], "RecordConflict", "at most 60,000 bytes", False),
        ("the server refuses it", [standing(failed(Reason.REJECTED, "REFUSED"))], "Rejected", "REFUSED", False),
        ("somebody else's stands there", [standing(failed(Reason.RECORD_CONFLICT))], "RecordConflict", "no", False),
        ("the server is away", [standing(UNREACHABLE)], "ServerUnreachable", "dns/p1: no answer", True),
        ("the key is wrong", [standing(BAD_KEY)], "TsigVerificationFailed", "BADKEY", True),
        (
            "one of two zones has it not yet",
            [standing(), standing(UNREACHABLE, at="example.net")],
            "ServerUnreachable",
            "p1",
            True,
        ),
        (
            "one of two zones lost its name to another zone object",
            [standing(), standing(None, at="example.net", refusal=replace(DUPLICATE, duplicate=True))],
            "RecordPublished",
            "published in example.org",
            False,
        ),
        (
            "its only zone lost its name to another zone object",
            [standing(None, refusal=replace(DUPLICATE, duplicate=True))],
            "ZoneNotReady",
            "it is a duplicate",
            False,
        ),
        (
            "both zones have it",
            [standing(), standing(at="example.net")],
            "RecordPublished",
            "published in example.org, example.net",
            False,
        ),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_ready(sentence: str, standings: list[Standing], reason: str, says: str, passing: bool):
    found = verdict(RECORD, standings)
    assert (found.reason, found.passing) == (reason, passing)
    assert found.ready is (reason == "RecordPublished")
    assert says in found.message


def test_the_zone_that_published_it_is_gone():
    orphan = replace(RECORD, claim=Claim(confirmed_zones=frozenset({"example.org"}), confirmed_name="www"))
    assert verdict(orphan, []).reason == "ZoneDeleted"


def test_that_its_zone_is_gone_it_keeps_saying_when_nothing_else_tells():
    assert verdict(replace(RECORD, ready="ZoneDeleted"), []).reason == "ZoneDeleted"


@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        (replace(PUBLISHED, version="v1"), RecordState.PENDING),
        (replace(PUBLISHED, version="v2"), RecordState.PUBLISHED),
        (replace(failed(Reason.REJECTED), version="v1"), RecordState.PENDING),
        (replace(UNREACHABLE, version="v1"), RecordState.PENDING),
        (GONE, RecordState.GONE),
        (REMOVING, RecordState.REMOVING),
    ],
)
def test_an_outcome_counts_for_the_version_it_is_about(outcome: RecordOutcome, state: RecordState):
    told = about("v2", outcome)
    assert told is not None
    assert told.state is state
    assert told.propagated is (state is RecordState.PUBLISHED)


def test_that_a_server_is_away_stays_known_for_the_next_version():
    told = about("v2", replace(UNREACHABLE, version="v1"))
    assert told is not None
    assert told.reason == "ServerUnreachable"


# -- Propagated


@pytest.mark.parametrize(
    ("standings", "propagated", "reason"),
    [
        ([standing()], "True", "Propagated"),
        ([standing(ON_PRIMARIES)], "False", "TransferPending"),
        ([standing(), standing(ON_PRIMARIES, at="example.net")], "False", "TransferPending"),
        ([standing(), standing(REMOVING, at="example.net", selected=False)], "True", "Propagated"),
        ([standing(UNREACHABLE)], "False", "ServerUnreachable"),
        ([], "False", "NotSelected"),
    ],
    ids=["everywhere", "not on a secondary", "in one of two zones", "in the one that selects", "not Ready", "nowhere"],
)
def test_propagated(standings: list[Standing], propagated: str, reason: str):
    told = condition(status(*standings), "Propagated")
    assert (told["status"], told["reason"]) == (propagated, reason)


# -- the rest of status


def test_a_published_record_says_what_where_and_since_when():
    told = status(standing(replace(PUBLISHED, last_updated=EARLIER)), standing(at="example.net"))
    assert told["observedGeneration"] == 3
    assert told["recordHash"] == "v2"
    assert told["publishedName"] == "www"
    assert told["addresses"] == "192.0.2.1"
    assert told["lastUpdated"] == "2026-01-01T11:59:58Z"
    assert told["zone"] == "example.org"
    assert told["zoneRef"] == told["zones"][0]
    assert told["zoneRef"]["kind"] == "DNSZone"
    assert [entry["zoneName"] for entry in told["zones"]] == ["example.org", "example.net"]


def test_of_several_zones_the_last_update_counts():
    outcomes = [replace(PUBLISHED, last_updated=moment) for moment in (EARLIER, NOW, EARLIER)]
    zones = ("example.org", "example.net", "example.com")

    told = status(*(standing(outcome, at=zone) for outcome, zone in zip(outcomes, zones, strict=True)))

    assert told["lastUpdated"] == "2026-01-01T12:00:00Z"


@pytest.mark.parametrize(
    ("sentence", "before", "expected"),
    [
        ("after a restart the time in status is kept", BEFORE | {"recordHash": "v2"}, "2026-01-01T10:00:00Z"),
        ("a change that nobody saw succeed is dated when its effect is seen", BEFORE, "2026-01-01T12:00:00Z"),
        ("so is a record that came with the zone's first content", {}, "2026-01-01T12:00:00Z"),
    ],
)
def test_a_published_record_always_tells_when(sentence: str, before: dict[str, Any], expected: str) -> None:
    told = status(standing(replace(PUBLISHED, last_updated=None)), before=before)

    assert told["lastUpdated"] == expected, sentence


def test_every_condition_is_of_the_present_generation():
    assert {each["observedGeneration"] for each in status(standing())["conditions"]} == {3}


def test_the_time_of_a_condition_moves_only_when_it_flips():
    first = status(standing(UNREACHABLE))
    later = record_status(
        RECORD, first, [standing(PENDING)], verdict(RECORD, [standing(PENDING)]), NOW + dt.timedelta(1)
    )
    assert condition(later)["lastTransitionTime"] == condition(first)["lastTransitionTime"]
    flipped = record_status(RECORD, later, [standing()], verdict(RECORD, [standing()]), NOW + dt.timedelta(2))
    assert condition(flipped)["lastTransitionTime"] == "2026-01-03T12:00:00Z"


HELD = replace(RECORD, claim=Claim(confirmed_zones=frozenset({"example.org"}), confirmed_name="old"))


@pytest.mark.parametrize(
    ("sentence", "now"),
    [
        ("a server is away", standing(UNREACHABLE)),
        ("it is under way", standing(PENDING)),
        ("the server refuses the change", standing(failed(Reason.REJECTED))),
        ("it cannot be read any more", standing(PENDING, error="bad")),
        ("it cannot be read and the engine has forgotten it", standing(GONE, error="bad")),
        ("it is being removed", standing(REMOVING, selected=False)),
        ("the engine knows nothing yet", standing(None)),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_what_it_holds_is_kept_while_it_is_not_ready_because(sentence: str, now: Standing):
    told = status(now, record=HELD, before=BEFORE)
    assert {name: told[name] for name in BEFORE} == BEFORE
    assert [entry["zoneName"] for entry in told["zones"]] == ["example.org"]


def test_what_is_gone_is_no_longer_told():
    told = status(standing(GONE, selected=False), record=HELD, before=BEFORE)
    assert told.keys() == {"conditions", "observedGeneration"}


def test_in_a_zone_that_is_gone_from_all_servers_it_holds_nothing():
    leaving = standing(REMOVING, selected=False)
    assert "zones" in status(leaving, record=HELD, before=BEFORE)
    gone = replace(leaving, membership=replace(leaving.membership, zone=zone(released=True)))
    assert "zones" not in status(gone, record=HELD, before=BEFORE)


def test_what_the_engine_may_yet_be_handed_is_not_gone():
    nothing = standing(GONE, selected=False)
    assert (nothing.gone, nothing.superseded) == (True, False)
    in_last_snapshot = replace(nothing, membership=replace(nothing.membership, in_last_snapshot=True))
    assert (in_last_snapshot.gone, in_last_snapshot.superseded) == (False, True)


def test_a_record_that_met_somebody_elses_rrset_holds_nothing_there():
    told = status(standing(failed(Reason.RECORD_CONFLICT)))
    assert "publishedName" not in told
    assert "zones" not in told


def test_one_that_was_never_published_tells_no_hash():
    assert status(standing(UNREACHABLE)).keys() == {"conditions", "observedGeneration"}


@pytest.mark.parametrize(
    ("sentence", "standings", "reason", "says"),
    [
        ("nothing of it is left", [standing(GONE, selected=False)], None, ""),
        ("it is on its way out", [standing(REMOVING, selected=False)], None, ""),
        ("its zone never was served", [standing(None, selected=False, refusal=DUPLICATE)], None, ""),
        (
            "its zone is refused and stays as it was",
            [standing(None, selected=False, refusal=replace(DUPLICATE, served=True))],
            "ZoneNotReady",
            "still to be removed from example.org, which is not served: it is a duplicate",
        ),
        (
            "a server is away",
            [standing(GONE, at="example.net", selected=False), standing(UNREACHABLE, selected=False)],
            "ServerUnreachable",
            "still to be removed from example.org: dns/p1: no answer",
        ),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_what_keeps_a_record_that_is_being_deleted(
    sentence: str, standings: list[Standing], reason: str | None, says: str
):
    found = obstacle(standings)
    assert (found.reason if found else None) == reason
    assert found is None or found.message == says


def test_what_stands_with_others_is_remembered_until_its_zone_is_gone_for_good():
    """The engine forgets the records of a zone that is being deleted before it has taken them out."""
    there = AdoptedRRset("example.org", "dns/ext", "www.example.org.")
    held = replace(HELD, claim=replace(HELD.claim, adopted=frozenset({there})))
    going = standing(REMOVING, selected=False)
    going = replace(going, membership=replace(going.membership, zone=replace(zone(), deleting=True)))
    assert going.adopted(held.claim) == {there}
    assert not adopted_differs(held.claim, [going])
    (entry,) = status(going, record=held, before=BEFORE)["zones"]
    assert entry["adopted"] == [{"instance": "dns/ext", "name": "www.example.org."}]
