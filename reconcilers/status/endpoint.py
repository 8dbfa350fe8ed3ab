"""The status of a DNSEndpoint, from what is known about each of its endpoints: one function of values. Pure.

`Accepted`: it makes sense. `Synced`: what was sent was taken. `Ready`: every endpoint is in DNS, on every primary
that is Ready. Endpoints that are not are listed with the reason, and with the server's own word where it has one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from reconcilers.endpoints.assignment import Placed
from reconcilers.endpoints.callbacks import SYNCED, UNCHANGED
from reconcilers.endpoints.plan import Verdict
from reconcilers.engine.api import RecordOutcome, RecordState
from reconcilers.reasons import Reason
from zonewright import find_condition, set_condition, timestamp

MOST_LISTED = 100
"""Endpoints that status lists: an object may have thousands."""

MOST_WARNINGS = 3
"""Of those that a message tells."""

# What Ready says when several endpoints are left out for different reasons: the first of these.
_WORST = (
    Reason.ENDPOINT_FAILED,
    Reason.ENDPOINT_INVALID,
    Reason.OWNER_MISMATCH,
    Reason.CONFLICT_LOST,
    Reason.ENDPOINT_FILTERED,
    Reason.RECONCILING,
)


# What a plan decides.
_VERDICTS: Mapping[Any, Reason] = {
    str(each): each for each in (Reason.ENDPOINT_INVALID, Reason.OWNER_MISMATCH, Reason.CONFLICT_LOST)
}


@dataclass(frozen=True, slots=True)
class Standing:
    """One endpoint: where it was placed, and how it stands in each of its zones (None: not known to the engine yet)."""

    placed: Placed
    outcomes: tuple[RecordOutcome | None, ...] = ()

    @property
    def programmed(self) -> bool:
        """It is on every primary that is Ready, in each of its zones."""
        return self.reason is None

    @property
    def reason(self) -> Reason | None:
        """Why it is not; None if it is."""
        if self.placed.verdict is not None:
            return self.placed.verdict.reason
        if self._failing is not None:
            return Reason.ENDPOINT_FAILED
        if not self._pending:
            return None
        return Reason.ENDPOINT_FAILED if self.placed.obstacle else Reason.RECONCILING

    @property
    def message(self) -> str:
        """The reason in a sentence."""
        if self.placed.verdict is not None:
            return self.placed.verdict.message
        if self._failing is not None:
            return self._failing.message
        waiting = next((each.message for each in self.outcomes if each and not each.ready and each.message), "")
        return self.placed.obstacle or waiting or "the change is on its way to the zone's servers"

    @property
    def unknown(self) -> bool:
        """Nothing can be said of it yet: this process has still to read its zone."""
        return self.placed.unread and not self.programmed and self.placed.verdict is None and self._failing is None

    @property
    def rejected(self) -> bool:
        """A server refused just this, whatever else it takes."""
        return any(each and each.reason is Reason.REJECTED for each in self.outcomes)

    @property
    def _failing(self) -> RecordOutcome | None:
        """What a server refused, or the trouble that it waits for."""
        quiet = {None, Reason.PROGRESSING, Reason.ZONE_NOT_READY}
        return next((each for each in self.outcomes if each and not each.ready and each.reason not in quiet), None)

    @property
    def _pending(self) -> bool:
        return not self.outcomes or any(each is None or not each.ready for each in self.outcomes)

    @property
    def last_updated(self) -> dt.datetime | None:
        """When an UPDATE last published it, as far as this process knows."""
        return max((each.last_updated for each in self.outcomes if each and each.last_updated), default=None)


@dataclass(frozen=True, slots=True)
class Report:
    """What somebody reported of a synchronisation (`update_dnsendpoint_status`)."""

    success: bool
    message: str


@dataclass(frozen=True, slots=True)
class EndpointFacts:
    """All that the status is made of."""

    generation: int
    standings: Sequence[Standing]
    servers: str = ""  # `dns/primary-0: NOERROR`
    obstacle: str = ""  # why nothing can be done at all
    report: Report | None = None

    @property
    def passing(self) -> bool:
        """Whether something is on its way that most likely arrives in a moment."""
        return not self.obstacle and any(each.reason is Reason.RECONCILING for each in self.standings)


def remembered(standings: Sequence[Standing], status: Mapping[str, Any], generation: int) -> list[Standing]:
    """Those of which nothing can be said yet stand as status has it, if that is about the same spec.

    A restart is no news: it must not take Ready back from ten thousand objects, nor for as long as a server is away."""
    entries = status.get("endpointStatuses") or ()
    if status.get("observedGeneration") != generation or not status.get("conditions") or len(entries) >= MOST_LISTED:
        return list(standings)
    listed = {
        (each.get("dnsName", ""), each.get("recordType", ""), each.get("setIdentifier", "")): each for each in entries
    }
    return [_as_told(each, listed) if each.unknown else each for each in standings]


def _as_told(standing: Standing, listed: Mapping[tuple[str, str, str], Mapping[str, Any]]) -> Standing:
    """What failed, or was under way, is told as it is now."""
    endpoint = standing.placed.endpoint
    entry = listed.get((endpoint.dns_name, endpoint.record_type, endpoint.set_identifier))
    if entry is None:
        return replace(standing, outcomes=(RecordOutcome(RecordState.PUBLISHED),) * len(standing.outcomes))
    if (reason := _VERDICTS.get(entry.get("reason"))) is None:
        return standing
    return replace(standing, placed=replace(standing.placed, verdict=Verdict(reason, entry.get("message") or "")))


def endpoint_status(facts: EndpointFacts, before: Mapping[str, Any], now: dt.datetime) -> dict[str, Any]:
    """The whole status, ready to be compared with the one that is there."""
    planned = [each for each in facts.standings if each.placed.zones]
    missing = [each for each in facts.standings if not each.programmed]
    status: dict[str, Any] = {
        "observedGeneration": facts.generation,
        "endpoints": len(planned),
        "records": f"{len(facts.standings) - len(missing)}/{len(facts.standings)}",
        "endpointStatuses": [_entry(each, facts.obstacle) for each in missing[:MOST_LISTED]],
    }
    if facts.servers:
        status["providerStatus"] = facts.servers
    moved = _moved(facts, before)
    if moved or before.get("lastSyncTime"):
        status["lastSyncTime"] = moved or before["lastSyncTime"]
    conditions = before.get("conditions")
    for kind, value, reason, message in (_accepted(facts), _synced(facts, before, moved), ready(facts)):
        conditions = set_condition(conditions, kind, value, reason, message, facts.generation, now)
    return status | {"conditions": conditions}


def ending_status(
    generation: int, message: str, before: Mapping[str, Any], now: dt.datetime, *, failed: bool
) -> dict[str, Any]:
    """Of an object that is being deleted, while something of it is left: what it waits for."""
    reason = Reason.ENDPOINT_FAILED if failed else Reason.RECONCILING
    conditions = set_condition(before.get("conditions"), "Ready", False, reason, message, generation, now)
    return {**before, "conditions": conditions, "observedGeneration": generation}


def _moved(facts: EndpointFacts, before: Mapping[str, Any]) -> str | None:
    """When something was programmed, if that is news."""
    last = max((each.last_updated for each in facts.standings if each.last_updated), default=None)
    if last is None:
        return None
    text = timestamp(last)
    return text if text > str(before.get("lastSyncTime") or "") else None


def _entry(standing: Standing, obstacle: str) -> dict[str, Any]:
    endpoint = standing.placed.endpoint
    reason, message = standing.reason, standing.message
    if obstacle and reason is Reason.RECONCILING:
        reason, message = Reason.ENDPOINT_FAILED, obstacle
    entry = {
        "dnsName": endpoint.dns_name,
        "recordType": endpoint.record_type,
        "setIdentifier": endpoint.set_identifier,
        "programmed": False,
        "reason": str(reason),
        "message": message[:1024],
    }
    return {name: value for name, value in entry.items() if value != ""}


Condition = tuple[str, Literal["Unknown"] | bool, Reason, str]


def _accepted(facts: EndpointFacts) -> Condition:
    wrong = [each for each in facts.standings if each.reason is Reason.ENDPOINT_INVALID]
    if not wrong:
        return "Accepted", True, Reason.ENDPOINTS_ACCEPTED, f"{_count(facts)} accepted{warnings(facts)}"
    text = f"{len(wrong)} of {_count(facts)} invalid: {wrong[0].message}{warnings(facts)}"
    return "Accepted", False, Reason.ENDPOINT_INVALID, text


def warnings(facts: EndpointFacts) -> str:
    """What makes no sense, or was left out, in endpoints that are published all the same; "" if all is well."""
    told: dict[str, Standing] = {}
    for each in facts.standings:
        for text in each.placed.endpoint.warnings:
            told.setdefault(text, each)
    first = [f"; {_named(each)}: {text}" for text, each in told.items()][:MOST_WARNINGS]
    return "".join(first) + (f"; and {len(told) - len(first)} more" if len(told) > len(first) else "")


def _synced(facts: EndpointFacts, before: Mapping[str, Any], moved: str | None) -> Condition:
    if facts.obstacle:
        return "Synced", False, Reason.SYNC_FAILED, facts.obstacle
    failed = next((each for each in facts.standings if each.reason is Reason.ENDPOINT_FAILED), None)
    if failed is not None:
        return "Synced", False, Reason.SYNC_FAILED, failed.message
    if facts.report is not None and not facts.report.success:
        return "Synced", False, Reason.SYNC_FAILED, facts.report.message
    if facts.passing:
        return "Synced", "Unknown", Reason.RECONCILING, "changes are on their way to the servers"
    if facts.report is not None:
        return "Synced", True, Reason.SYNC_SUCCESSFUL, facts.report.message
    known = find_condition(before.get("conditions"), "Synced") or {}
    said = known.get("message") if known.get("status") == "True" else None
    return "Synced", True, Reason.SYNC_SUCCESSFUL, SYNCED if moved else said or UNCHANGED


def ready(facts: EndpointFacts) -> Condition:
    """Type, status, reason and message."""
    if facts.obstacle:
        return "Ready", False, Reason.ENDPOINT_FAILED, facts.obstacle
    missing = [each for each in facts.standings if not each.programmed]
    for reason in _WORST:
        worst = [each for each in missing if each.reason is reason]
        if worst:
            text = f"{len(missing)} of {_count(facts)} not in DNS: {_named(worst[0])}: {worst[0].message}"
            return "Ready", False, reason, text
    return "Ready", True, Reason.PROGRAMMED, f"{_count(facts)} in DNS"


def _named(standing: Standing) -> str:
    endpoint = standing.placed.endpoint
    return " ".join(filter(None, (endpoint.dns_name, endpoint.record_type))) or f"endpoint {endpoint.position}"


def _count(facts: EndpointFacts) -> str:
    count = len(facts.standings)
    return "1 endpoint" if count == 1 else f"{count} endpoints"


def set_sync_success(status: Mapping[str, Any], message: str, generation: int, now: dt.datetime) -> dict[str, Any]:
    """The status with `Synced` true. lastTransitionTime stays unless that is new; lastSyncTime is now."""
    conditions = set_condition(
        status.get("conditions"), "Synced", True, Reason.SYNC_SUCCESSFUL, message, generation, now
    )
    return {**status, "conditions": conditions, "observedGeneration": generation, "lastSyncTime": timestamp(now)}


def set_sync_failed(status: Mapping[str, Any], message: str, generation: int, now: dt.datetime) -> dict[str, Any]:
    """The status with `Synced` false. lastTransitionTime stays unless that is new; nothing was programmed."""
    conditions = set_condition(status.get("conditions"), "Synced", False, Reason.SYNC_FAILED, message, generation, now)
    return {**status, "conditions": conditions, "observedGeneration": generation}
