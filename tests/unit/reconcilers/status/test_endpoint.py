"""The status of a DNSEndpoint, condition by condition."""

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from reconcilers.ddns.names import parse_zone
from reconcilers.endpoints.assignment import Placed
from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.plan import Verdict
from reconcilers.engine.api import ObjectRef, RecordOutcome, RecordState, ZoneRef
from reconcilers.reasons import Reason
from reconcilers.status.endpoint import (
    EndpointFacts,
    Report,
    Standing,
    endpoint_status,
    set_sync_failed,
    set_sync_success,
)
from zonewright import find_condition

NOW = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
LATER = NOW + dt.timedelta(minutes=5)
ZONE = ZoneRef(parse_zone("example.org"), "uid", "shop", "zone")
PUBLISHED = RecordOutcome(RecordState.PUBLISHED, last_updated=NOW)
FOUND = RecordOutcome(RecordState.PUBLISHED)  # as it stood there before this process
REFUSED = RecordOutcome(RecordState.FAILED, reason=Reason.REJECTED, message="p1: REFUSED")
PENDING = RecordOutcome(RecordState.PENDING, reason=Reason.PROGRESSING)


def standing(*outcomes: RecordOutcome | None, verdict: Verdict | None = None, name: str = "www") -> Standing:
    endpoint = Endpoint(f"{name}.example.org", "A", ("192.0.2.1",))
    zones = () if verdict else (ZONE,) * max(1, len(outcomes))
    return Standing(Placed(endpoint, ObjectRef("DNSEndpoint", "shop", "one", "uid"), zones, verdict), outcomes)


def left_out(reason: Reason) -> Standing:
    return standing(verdict=Verdict(reason, f"because of {reason}"))


def status(
    *standings: Standing, before: dict[str, Any] | None = None, now: dt.datetime = NOW, **facts
) -> dict[str, Any]:
    return endpoint_status(EndpointFacts(3, standings, **facts), before or {}, now)


def condition(found: dict[str, Any], kind: str) -> dict[str, Any]:
    return find_condition(found["conditions"], kind) or {}


def conditions(found: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {each["type"]: (each["status"], each["reason"]) for each in found["conditions"]}


@pytest.mark.parametrize(
    ("standings", "accepted", "synced", "ready"),
    [
        ([standing(PUBLISHED)], ("True", "Accepted"), ("True", "SyncSuccessful"), ("True", "Programmed")),
        ([standing(REFUSED)], ("True", "Accepted"), ("False", "SyncFailed"), ("False", "Failed")),
        ([standing(PENDING)], ("True", "Accepted"), ("Unknown", "Reconciling"), ("False", "Reconciling")),
        ([standing(None)], ("True", "Accepted"), ("Unknown", "Reconciling"), ("False", "Reconciling")),
        ([left_out(Reason.ENDPOINT_INVALID)], ("False", "Invalid"), ("True", "SyncSuccessful"), ("False", "Invalid")),
        (
            [left_out(Reason.OWNER_MISMATCH)],
            ("True", "Accepted"),
            ("True", "SyncSuccessful"),
            ("False", "OwnerMismatch"),
        ),
        ([left_out(Reason.CONFLICT_LOST)], ("True", "Accepted"), ("True", "SyncSuccessful"), ("False", "ConflictLost")),
        ([left_out(Reason.ENDPOINT_FILTERED)], ("True", "Accepted"), ("True", "SyncSuccessful"), ("False", "Filtered")),
        ([], ("True", "Accepted"), ("True", "SyncSuccessful"), ("True", "Programmed")),
        (
            [left_out(Reason.ENDPOINT_FILTERED), standing(PUBLISHED), standing(REFUSED)],
            ("True", "Accepted"),
            ("False", "SyncFailed"),
            ("False", "Failed"),
        ),
        ([standing(PUBLISHED, PENDING)], ("True", "Accepted"), ("Unknown", "Reconciling"), ("False", "Reconciling")),
    ],
)
@pytest.mark.criterion(number="EP-R5")
def test_the_conditions(standings, accepted, synced, ready):
    found = status(*standings)
    assert conditions(found) == {"Accepted": accepted, "Synced": synced, "Ready": ready}
    assert all(each["observedGeneration"] == 3 for each in found["conditions"])


def test_those_that_are_not_programmed_are_listed_with_their_own_reason():
    found = status(standing(PUBLISHED), standing(REFUSED, name="bad"), left_out(Reason.OWNER_MISMATCH))
    assert [(each["dnsName"], each["reason"], each["message"]) for each in found["endpointStatuses"]] == [
        ("bad.example.org", "Failed", "p1: REFUSED"),
        ("www.example.org", "OwnerMismatch", "because of OwnerMismatch"),
    ]
    assert (found["endpoints"], found["records"]) == (2, "1/3")
    assert "bad.example.org" in condition(found, "Ready")["message"]


def test_a_thousand_that_fail_are_not_all_listed():
    found = status(*[standing(REFUSED)] * 1000)
    assert len(found["endpointStatuses"]) == 100
    assert found["records"] == "0/1000"


def test_the_time_of_the_last_synchronisation_moves_only_when_something_was_programmed():
    first = status(standing(PUBLISHED))
    assert first["lastSyncTime"] == "2026-01-02T00:00:00Z"
    assert condition(first, "Synced")["message"] == "Successfully synced DNS records"
    assert status(standing(PUBLISHED), before=first, now=LATER) == first
    assert status(standing(FOUND), before=first, now=LATER) == first, "after a restart"


def test_what_stood_there_already_is_up_to_date():
    found = status(standing(FOUND))
    assert "lastSyncTime" not in found
    assert condition(found, "Synced")["message"] == "All records are already up to date"


@pytest.mark.criterion(number="EP-R6")
def test_transition_times_move_only_when_the_status_does():
    first = status(standing(PUBLISHED))
    second = status(standing(REFUSED), before=first, now=LATER)
    third = status(left_out(Reason.OWNER_MISMATCH), before=second, now=LATER + dt.timedelta(hours=1))
    times = [condition(each, "Ready")["lastTransitionTime"] for each in (first, second, third)]
    assert times == ["2026-01-02T00:00:00Z", "2026-01-02T00:05:00Z", "2026-01-02T00:05:00Z"]


def test_what_keeps_the_operator_from_working_is_told():
    found = status(standing(None), obstacle="the operator may not write metadata of DNSEndpoints")
    assert conditions(found)["Synced"] == ("False", "SyncFailed")
    assert "may not write" in condition(found, "Ready")["message"]


def test_warnings_about_what_is_published_all_the_same_are_told_once_each():
    warned = [replace(standing(PUBLISHED, name=f"n{number}"), placed=placed(number)) for number in range(6)]
    found = status(*warned, *warned)
    assert conditions(found)["Accepted"] == ("True", "Accepted")
    assert condition(found, "Accepted")["message"] == (
        "12 endpoints accepted; n0.example.org A: warning 0; n1.example.org A: warning 1; "
        "n2.example.org A: warning 2; and 3 more"
    )


def placed(number: int) -> Placed:
    before = standing(PUBLISHED, name=f"n{number}").placed
    return replace(before, endpoint=before.endpoint.warned([f"warning {number}"]))


@pytest.mark.parametrize(("success", "value"), [(True, "True"), (False, "False")])
def test_a_report_of_somebody_else_is_told(success: bool, value: str):
    found = status(standing(PUBLISHED), report=Report(success, "as they say"))
    assert condition(found, "Synced")["status"] == value
    assert condition(found, "Synced")["message"] == "as they say"
    assert conditions(found)["Ready"] == ("True", "Programmed")


def test_a_report_of_success_hides_no_failure():
    assert conditions(status(standing(REFUSED), report=Report(True, "fine")))["Synced"] == ("False", "SyncFailed")


@pytest.mark.criterion(number="EP-R6")
def test_sync_success_and_failure_set_their_condition_and_keep_the_others():
    before = status(standing(PUBLISHED))
    failed = set_sync_failed(before, "REFUSED", 4, LATER)
    assert conditions(failed) == conditions(before) | {"Synced": ("False", "SyncFailed")}
    assert (failed["observedGeneration"], failed["lastSyncTime"]) == (4, before["lastSyncTime"])
    again = set_sync_failed(failed, "REFUSED", 4, LATER + dt.timedelta(hours=1))
    assert again == failed
    good = set_sync_success(again, "done", 5, LATER)
    assert conditions(good)["Synced"] == ("True", "SyncSuccessful")
    assert good["lastSyncTime"] == "2026-01-02T00:05:00Z"
    assert before == status(standing(PUBLISHED)), "the argument is left as it is"
