"""What a dry run would do, for people and for programs: made of the engine's outlook and the objects' standings.

Reads what the operator's parts know, and asks nobody else. Never says that nothing would change where something could
not be read."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import dns.rdatatype

from reconcilers.ddns.plan import Change
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.desired.selection import Selection
from reconcilers.desired.views import record_view
from reconcilers.endpoint import EndpointEngine
from reconcilers.endpoint import standings_of as standings_of_endpoints
from reconcilers.endpoints.assignment import Assignments, ObjectKey
from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.engine import Doing, Intent, Outlook, RecordState, Role, ZoneRef
from reconcilers.reasons import Reason
from reconcilers.record import standings_of as standings_of_record
from reconcilers.status.endpoint import Standing
from reconcilers.status.invalid_zones import InvalidZones
from reconcilers.status.record import verdict
from zonewright import Informer, Object

SIGNS = {(False, True): "+", (True, True): "~", (True, False): "-"}
NOTHING = "No changes: nothing would be written."
WORDS = {"+": "create", "~": "change", "-": "delete"}


class Foreteller(EndpointEngine, Protocol):
    """What is asked of the engine."""

    def outlook(self) -> list[Outlook]: ...


@dataclass(frozen=True, slots=True)
class Sources:
    """The parts of an operator that know."""

    engine: Foreteller
    assignments: Assignments
    selection: Selection
    invalid_zones: InvalidZones
    zones: Informer[Any]
    records: Sequence[Informer[Any]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that an object asks for and that would not be published."""

    kind: str
    namespace: str
    name: str
    dns_name: str
    record_type: str
    set_identifier: str
    reason: str
    message: str

    def __str__(self) -> str:
        what = " ".join(filter(None, (self.dns_name, self.record_type, self.set_identifier)))
        return f"{self.kind} {self.namespace}/{self.name} ({what}): {self.reason}: {self.message}"


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a zone, or about what could not be read."""

    about: str
    message: str

    def __str__(self) -> str:
        return f"{self.about}: {self.message}"


@dataclass(frozen=True, slots=True)
class Forecast:
    """What would be done, what would not, and what could not be read: then it is not complete."""

    outlooks: tuple[Outlook, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    notes: tuple[Note, ...] = ()
    problems: tuple[Note, ...] = ()

    @property
    def changing(self) -> list[Outlook]:
        return [each for each in self.outlooks if each.intent is not None]

    @property
    def complete(self) -> bool:
        return not self.problems

    def count(self) -> dict[str, int]:
        """RRsets by what would become of them, on every server."""
        signs = [sign(change) for each in self.changing for change in (each.intent.changes if each.intent else ())]
        return {word: signs.count(each) for each, word in WORDS.items()}


def sign(change: Change) -> str:
    return SIGNS[change.before is not None, change.after is not None]


# --- gathering


def gather(sources: Sources) -> Forecast:
    """As things stand now."""
    outlooks = tuple(sources.engine.outlook())
    refusals = (*_refused_endpoints(sources), *_refused_records(sources))
    notes = (*_left_alone(outlooks), *_zones(sources))
    return Forecast(outlooks, refusals, notes, tuple(_problems(outlooks)))


def _problems(outlooks: Iterable[Outlook]) -> Iterator[Note]:
    unplanned: dict[ZoneRef, None] = {}
    for each in outlooks:
        about = f"zone {_zone(each.zone)} on server {each.key.server}"
        if not each.read:
            yield Note(about, _why(each) or "it did not answer in time")
        elif each.reason is Reason.INTERNAL_ERROR:
            yield Note(about, _why(each))
        if not each.planned:
            unplanned[each.zone] = None
    for zone in unplanned:
        text = "what endpoints would publish cannot be told: not every server that decides could be read"
        yield Note(f"zone {_zone(zone)}", text)


def _why(each: Outlook) -> str:
    return f"{each.reason}: {each.message}" if each.reason is not None else ""


def _left_alone(outlooks: Iterable[Outlook]) -> Iterator[Note]:
    for each in outlooks:
        if each.read and each.intent is None and each.reason not in {None, Reason.INTERNAL_ERROR}:
            yield Note(f"zone {_zone(each.zone)} on server {each.key.server}", _why(each))


def _zones(sources: Sources) -> Iterator[Note]:
    for obj in sorted(sources.zones.objects(), key=lambda each: each.key):
        about = f"DNSZone {obj.namespace}/{obj.name}"
        if obj.deleting:
            continue
        if (invalid := sources.invalid_zones.get(obj.key)) is not None:
            yield Note(about, f"would not be published: {invalid.message}")
            continue
        view = sources.selection.zone(obj.key)
        status = sources.engine.zone(view.ref) if view is not None else None
        if status is not None and status.mass_delete is not None:
            held = status.mass_delete
            yield Note(about, f"{held.removals} of {held.total} RRsets would be removed at once, if somebody agreed")
        if status is None or not any(server.role is Role.PRIMARY for server in status.servers):
            yield Note(about, "would not be published: it selects no primary Bind9Instance that can be used")


def _refused_endpoints(sources: Sources) -> Iterator[Refusal]:
    for key in sources.assignments.objects():
        for standing in standings_of_endpoints(sources.assignments, sources.engine, key):
            if (why := _refused(standing)) is not None:
                yield _refusal(key, standing.placed.endpoint, *why)


def _refused(standing: Standing) -> tuple[str, str] | None:
    if (found := standing.placed.verdict) is not None:
        return found.reason, found.message
    failed = (each for each in standing.outcomes if each is not None and each.state is RecordState.FAILED)
    return next(((str(each.reason), each.message) for each in failed), None)


def _refusal(key: ObjectKey, endpoint: Endpoint, reason: str, message: str) -> Refusal:
    return Refusal(*key, endpoint.dns_name, endpoint.record_type, endpoint.set_identifier, reason, message)


def _refused_records(sources: Sources) -> Iterator[Refusal]:
    """But for those that only wait for a server: that is told of the server."""
    for informer in sources.records:
        for obj in sorted(informer.objects(), key=lambda each: each.key):
            if not obj.deleting:
                yield from _refused_record(sources, obj)


def _refused_record(sources: Sources, obj: Object[Any]) -> Iterator[Refusal]:
    record = record_view(obj)
    standings = standings_of_record(record, sources.selection, sources.engine, sources.invalid_zones)
    found = verdict(record, standings)
    unselected = found.reason in {Reason.NOT_SELECTED, Reason.ZONE_DELETED}
    if not found.ready and (unselected or not found.passing):
        yield Refusal(record.kind.kind, *record.key, record.name, record.rdtype, "", found.reason, found.message)


# --- for people


def text(forecast: Forecast) -> Iterator[str]:
    """Line by line."""
    for each in forecast.changing:
        yield from _changes(each)
        yield ""
    yield from _listed("Would not be published:", forecast.refusals)
    yield from _listed("Left alone:", forecast.notes)
    yield from _listed("Could not be read:", forecast.problems)
    yield summary(forecast)


def _listed(title: str, items: Sequence[object]) -> Iterator[str]:
    if items:
        yield title
        yield from (f"  {item}" for item in items)
        yield ""


def _changes(each: Outlook) -> Iterator[str]:
    intent = each.intent
    if intent is None:
        return
    yield f"{_heading(each, intent)}:"
    for setting in intent.settings:
        yield f"  ~ {setting.name}: {setting.before or '(none)'} -> {setting.after or '(none)'}"
    for change in sorted(intent.changes, key=lambda change: change.key):
        yield f"  {sign(change)} {' '.join(_key_document(change.key).values())}: {_became(change)}"


def _heading(each: Outlook, intent: Intent) -> str:
    zone = f"zone {_zone(each.zone)} on {each.role} {each.key.server}"
    after = f" (after {', '.join(intent.waits_for)})" if intent.waits_for else ""
    return {
        Doing.CREATE: f"+ {zone} would be created{after}",
        Doing.REPLACE: f"~ {zone} would be deleted and created anew{after}",
        Doing.DELETE: f"- {zone} would be deleted{after}",
        Doing.CHANGE: f"~ {zone} would be changed{after}",
        Doing.TRANSFER: f"~ {zone} would be transferred again{after}",
    }[intent.doing]


def _became(change: Change) -> str:
    return " -> ".join(_data(rrset) for rrset in (change.before, change.after) if rrset is not None)


def _data(rrset: RRset) -> str:
    return f"{rrset.ttl} {', '.join(_values(rrset))}"


def _values(rrset: RRset) -> list[str]:
    return sorted(rdata.to_text() for rdata in rrset.rdatas)


def _zone(ref: ZoneRef) -> str:
    name = ref.zone.to_text(omit_final_dot=True)
    return f"{name} (DNSZone {ref.namespace}/{ref.name})" if ref.name else name


def summary(forecast: Forecast) -> str:
    """One line, which claims no more than is known."""
    if not forecast.complete:
        end = "The plan is not complete: see above what could not be read."
        return f"{_sum(forecast)} {end}" if forecast.changing else end
    return _sum(forecast) if forecast.changing else NOTHING


def _sum(forecast: Forecast) -> str:
    rrsets = ", ".join(f"{number} to {word}" for word, number in forecast.count().items())
    zones = len(forecast.changing)
    return f"Plan: {rrsets} (RRsets), in {zones} {'zone' if zones == 1 else 'zones'} on servers."


# --- for programs


def document(forecast: Forecast, at_most: int | None = None) -> dict[str, Any]:
    """As JSON values; of each list at most so many."""
    zones = [_zone_document(each, at_most) for each in forecast.changing]
    lists = {
        "zones": zones,
        "notPublished": [_refusal_document(each) for each in forecast.refusals],
        "leftAlone": [{"about": each.about, "message": each.message} for each in forecast.notes],
        "unread": [{"about": each.about, "message": each.message} for each in forecast.problems],
    }
    return {
        "complete": forecast.complete,
        "summary": forecast.count(),
        **{name: items[:at_most] for name, items in lists.items()},
    }


def _zone_document(each: Outlook, at_most: int | None) -> dict[str, Any]:
    intent = each.intent or Intent(Doing.CHANGE)
    return {
        "zone": each.zone.zone.to_text(omit_final_dot=True),
        "namespace": each.zone.namespace,
        "name": each.zone.name,
        "server": each.key.server,
        "role": each.role.value,
        "action": intent.doing.value,
        "waitsFor": list(intent.waits_for),
        "settings": [setting._asdict() for setting in intent.settings],
        "changes": [_change_document(change) for change in intent.changes[:at_most]],
        "changesCount": len(intent.changes),
    }


def _change_document(change: Change) -> dict[str, Any]:
    return {
        "action": WORDS[sign(change)],
        **_key_document(change.key),
        "before": _rrset_document(change.before),
        "after": _rrset_document(change.after),
    }


def _key_document(key: RRsetKey) -> dict[str, str]:
    return {"name": key.name.to_text(omit_final_dot=True), "type": dns.rdatatype.to_text(key.rdtype)}


def _rrset_document(rrset: RRset | None) -> dict[str, Any] | None:
    return None if rrset is None else {"ttl": rrset.ttl, "data": _values(rrset)}


def _refusal_document(each: Refusal) -> dict[str, str]:
    return {
        "kind": each.kind,
        "namespace": each.namespace,
        "name": each.name,
        "dnsName": each.dns_name,
        "recordType": each.record_type,
        "setIdentifier": each.set_identifier,
        "reason": each.reason,
        "message": each.message,
    }
