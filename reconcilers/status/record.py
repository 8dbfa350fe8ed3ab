"""The status of a record, from what is known about it: one function of values. Pure.

`Ready`: every primary that is itself Ready has this generation. `Propagated`: every secondary serves it too."""

import datetime as dt
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reconcilers.desired.ownership import AdoptedRRset, Claim
from reconcilers.desired.selection import Membership
from reconcilers.desired.views import RecordView
from reconcilers.engine.api import RecordOutcome, RecordState
from reconcilers.reasons import Reason
from reconcilers.status.invalid_zones import InvalidZone
from zonewright import set_condition, timestamp

ZONE_API = ("bindy.firestoned.io/v1beta1", "DNSZone")


def about(version: str, outcome: RecordOutcome | None) -> RecordOutcome | None:
    """What the engine says, as far as it is about this version of the record.

    What became of an earlier one is no news: the zone's reconcile is about to hand over the change."""
    if outcome is None or outcome.version in {"", version} or outcome.state is RecordState.PENDING:
        return outcome
    return replace(outcome, state=RecordState.PENDING, propagated=False, reason=Reason.PROGRESSING, message="")


@dataclass(frozen=True, slots=True)
class Standing:
    """A record in one zone: what selection says of it, and what the engine does."""

    membership: Membership
    outcome: RecordOutcome | None
    refusal: InvalidZone | None = None  # of the zone itself

    @property
    def gone(self) -> bool:
        """Nothing of the record is left there, or will come; or the zone goes as a whole, or never was served."""
        if self.membership.zone.released:
            return True
        if self.outcome is None:
            return self.refusal is not None and not self.refusal.served
        return self.outcome.state is RecordState.GONE and not self.membership.in_last_snapshot

    @property
    def superseded(self) -> bool:
        """It took its data back before the engine heard of it: whether the engine will is known a moment later."""
        nothing = self.outcome is not None and self.outcome.state is RecordState.GONE
        return nothing and not self.gone

    @property
    def published(self) -> bool:
        return self.outcome is not None and self.outcome.state is RecordState.PUBLISHED

    @property
    def leaving(self) -> bool:
        """Something that it wanted before may still stand there."""
        return self.outcome is not None and self.outcome.leaving

    def adopted(self, claim: Claim) -> frozenset[AdoptedRRset]:
        """What of it stands where the zone is somebody else's. Only status tells later on that it is ours, so what
        status says counts until the engine has read that server, and while the zone is being deleted."""
        zone = self.membership.zone
        if self.outcome is None or zone.deleting:
            return frozenset(each for each in claim.adopted if each.zone_name == zone.zone_name)
        return frozenset(AdoptedRRset(zone.zone_name, server, name.to_text()) for server, name in self.outcome.adopted)

    @property
    def contested(self) -> bool:
        """What stands there is somebody else's: the server had it before us."""
        if self.outcome is None or self.outcome.state is not RecordState.FAILED:
            return False
        return self.outcome.reason == Reason.RECORD_CONFLICT

    def has_data(self, confirmed: Container[str]) -> bool:
        """Whether something of the record's stands there, as far as anybody knows; `confirmed` is what status says.

        What was once published counts until it is known to be gone: nobody else remembers it."""
        if self.membership.error is None and self.gone:
            return False
        known = self.membership.zone.zone_name in confirmed and not self.contested
        adopted = self.outcome is not None and self.outcome.adopted
        return known or self.published or self.leaving or bool(adopted)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The Ready condition to be. A passing one is worth a write only if it lasts."""

    ready: bool
    reason: Reason
    message: str
    passing: bool = False


def verdict(record: RecordView, standings: Sequence[Standing]) -> Verdict:
    """The first thing that is wrong in any zone, else that all is well."""
    counted = publishing(standings)
    if not counted:
        return _unselected(record, standings)
    for standing in counted:
        found = _judge(standing)
        if found is not None:
            return found
    zones = ", ".join(standing.membership.zone.zone_name for standing in counted)
    return Verdict(True, Reason.RECORD_PUBLISHED, f"published in {zones}")


def publishing(standings: Sequence[Standing]) -> list[Standing]:
    """The zones that decide whether the record is Ready: those that select it. One that lost its name to another zone
    object counts only if there is no other."""
    selected = [standing for standing in standings if standing.membership.selected]
    return [each for each in selected if each.refusal is None or not each.refusal.duplicate] or selected


def verdict_on_deletion(record: RecordView, standings: Sequence[Standing]) -> Verdict | None:
    """A deletion is told of only if something keeps it, or if status has to remember what is still to be removed."""
    if (found := obstacle(standings)) is not None:
        return found
    if adopted_differs(record.claim, standings):
        return Verdict(False, Reason.DELETING, "the record is being removed from its zones")
    return None


def obstacle(standings: Sequence[Standing]) -> Verdict | None:
    """What keeps a record that is being deleted: a server that is away, a removal that waits for consent."""
    for standing in standings:
        if standing.gone:
            continue
        still = f"still to be removed from {standing.membership.zone.zone_name}"
        if standing.refusal is not None:
            text = f"{still}, which is not served: {standing.refusal.message}"
            return Verdict(False, Reason.ZONE_NOT_READY, text, passing=True)
        if standing.outcome is not None and standing.outcome.reason not in {None, Reason.PROGRESSING}:
            text = f"{still}: {standing.outcome.message}"
            return Verdict(False, standing.outcome.reason, text, passing=True)
    return None


def _unselected(record: RecordView, standings: Sequence[Standing]) -> Verdict:
    """Zones that it only leaves do not count; that its zone is gone it keeps saying, also when nothing else tells."""
    lost = record.claim.zones - {standing.membership.zone.zone_name for standing in standings}
    if lost or (record.ready == Reason.ZONE_DELETED and not standings):
        text = "the DNSZone that published this record is gone, and no other one selects it"
        return Verdict(False, Reason.ZONE_DELETED, text, passing=True)
    text = f"no DNSZone in namespace {record.key.namespace} selects this record: compare its labels with recordsFrom"
    return Verdict(False, Reason.NOT_SELECTED, text, passing=True)


def _judge(standing: Standing) -> Verdict | None:
    membership, outcome = standing.membership, standing.outcome
    zone = membership.zone.zone_name
    if membership.error is not None:
        return Verdict(False, Reason.INVALID_RECORD_DATA, f"cannot be published in {zone}: {membership.error}")
    if membership.winner is not None:
        text = f"{membership.winner} is older and has the name in {zone}: a CNAME can stand beside nothing else"
        return Verdict(False, Reason.RECORD_CONFLICT, text)
    if membership.too_many and membership.rrset is not None:
        limit = membership.rrset.limit
        text = f"older records fill the RRset in {zone}: at most {limit:,} bytes fit one DNS message"
        return Verdict(False, Reason.RECORD_CONFLICT, text)
    if (refusal := standing.refusal) is not None:
        text = f"zone {zone} is not served: {refusal.message}"
        return Verdict(False, Reason.ZONE_NOT_READY, text, passing=refusal.served)
    return None if standing.published else _late(zone, outcome)


def _late(zone: str, outcome: RecordOutcome | None) -> Verdict:
    if outcome is None:
        return Verdict(False, Reason.ZONE_NOT_READY, f"zone {zone} is not served yet", passing=True)
    if outcome.reason in {None, Reason.PROGRESSING}:
        text = f"the change is on its way to the servers of {zone}"
        return Verdict(False, Reason.ZONE_NOT_READY, text, passing=True)
    return Verdict(False, outcome.reason, outcome.message, passing=outcome.state is not RecordState.FAILED)


def record_status(
    record: RecordView, before: Mapping[str, Any], standings: Sequence[Standing], found: Verdict, now: dt.datetime
) -> dict[str, Any]:
    """The whole status, ready to be compared with the one that is there."""
    conditions = _conditions(before.get("conditions"), record, standings, found, now)
    with_data = [standing for standing in standings if standing.has_data(record.claim.confirmed_zones)]
    status: dict[str, Any] = {"conditions": conditions, "observedGeneration": record.generation}
    if with_data:
        zones = [_zone_ref(standing) | _adopted(standing, record.claim) for standing in with_data]
        status |= {"zone": zones[0]["zoneName"], "zoneRef": _zone_ref(with_data[0]), "zones": zones}
    if found.ready:
        return status | _published(record, before, standings, now)
    kept = {key: before.get(key) for key in ("recordHash", "lastUpdated", "addresses")} if with_data else {}
    kept["publishedName"] = _name_with_data(record, before, standings) if with_data else None
    return status | {key: value for key, value in kept.items() if value is not None}


def _name_with_data(record: RecordView, before: Mapping[str, Any], standings: Sequence[Standing]) -> str | None:
    """Under which name something of the record's stands, where it is not published as a whole.

    The former name is remembered until nothing is left there. Nothing else remembers it: the claim has the new one."""
    if any(standing.leaving for standing in standings):
        return before.get("publishedName")
    if any(standing.published for standing in standings):
        return record.name
    return before.get("publishedName")


def _conditions(
    before: Any, record: RecordView, standings: Sequence[Standing], found: Verdict, now: dt.datetime
) -> list[dict[str, Any]]:
    generation = record.generation
    conditions = set_condition(before, "Ready", found.ready, found.reason, found.message, generation, now)
    reached = found.ready and propagated(standings)
    if reached:
        reason, message = Reason.PROPAGATED, "every secondary serves it"
    elif found.ready:
        reason, message = Reason.TRANSFER_PENDING, "a secondary does not serve it yet"
    else:
        reason, message = found.reason, found.message
    return set_condition(conditions, "Propagated", reached, reason, message, generation, now)


def adopted_differs(claim: Claim, standings: Sequence[Standing]) -> bool:
    """Whether something else than status says stands in zones of others: a crash before it is written loses that."""
    return any(
        standing.adopted(claim)
        != {each for each in claim.adopted if each.zone_name == standing.membership.zone.zone_name}
        for standing in standings
    )


def propagated(standings: Sequence[Standing]) -> bool:
    """Whether every secondary serves it, in the zones that count; zones that it leaves do not."""
    return all(each.outcome is not None and each.outcome.propagated for each in publishing(standings))


def _published(
    record: RecordView, before: Mapping[str, Any], standings: Sequence[Standing], now: dt.datetime
) -> dict[str, Any]:
    return {
        "recordHash": record.version,
        "publishedName": record.name,
        "addresses": _values(standings),
        "lastUpdated": _last_updated(record, before, standings) or timestamp(now),
    }


def _last_updated(record: RecordView, before: Mapping[str, Any], standings: Sequence[Standing]) -> str | None:
    """When an UPDATE last published the record. The engine knows it since its own start, status from before that.

    None if nobody saw its UPDATE succeed: the reply was lost, or the data came with the zone's first content."""
    updates = [standing.outcome.last_updated for standing in standings if standing.outcome]
    last = max((moment for moment in updates if moment is not None), default=None)
    if last is not None:
        return timestamp(last)
    return before.get("lastUpdated") if before.get("recordHash") == record.version else None


def _values(standings: Sequence[Standing]) -> str:
    """The values in one line, for `kubectl get`."""
    rrsets = (standing.membership.rrset for standing in standings)
    rrset = next((rrset for rrset in rrsets if rrset is not None), None)
    return ", ".join(sorted(rdata.to_text() for rdata in rrset.rdatas)) if rrset else ""


def _adopted(standing: Standing, claim: Claim) -> dict[str, Any]:
    adopted = sorted(standing.adopted(claim))
    return {"adopted": [{"instance": each.server, "name": each.name} for each in adopted]} if adopted else {}


def _zone_ref(standing: Standing) -> dict[str, Any]:
    zone = standing.membership.zone
    api_version, kind = ZONE_API
    return {
        "apiVersion": api_version,
        "kind": kind,
        "name": zone.key.name,
        "namespace": zone.key.namespace,
        "zoneName": zone.zone_name,
    }
