"""The status of a zone, from what selection and engine know: one function of values. Pure."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reconcilers.desired.ownership import CONSENT_ANNOTATION
from reconcilers.desired.selection import Tally
from reconcilers.endpoints.assignment import Obstacle
from reconcilers.engine.api import MassDelete, Role, ServerStatus, ZoneStatus
from reconcilers.fleet.servers import Server, instances_with
from reconcilers.reasons import Reason
from zonewright import Request, set_condition

API_VERSION = "bindy.firestoned.io/v1beta1"
MOST_RECORDS = 1000  # of status.records: a list that cannot outgrow etcd's limit for an object
MOST_LEFT_OUT = 3  # named in a message; the others are counted


@dataclass(frozen=True, slots=True)
class Condition:
    type: str
    status: bool
    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class ZoneFacts:
    """All that the status is made of."""

    namespace: str
    generation: int
    tally: Tally
    servers: Sequence[Server]
    engine: ZoneStatus | None
    refusal: Condition | None = None  # the zone is not served, and this is why
    served: bool = True  # as far as anybody knows, also while it is refused
    lost: Mapping[str, Request] = field(default_factory=dict)  # server -> the zone object that has the zone there
    left_out: Sequence[str] = ()  # servers that match and take no part, each with what is missing


def zone_status(facts: ZoneFacts, before: Mapping[str, Any], now: dt.datetime) -> dict[str, Any]:
    conditions = before.get("conditions")
    for condition in (ready(facts), progressing(facts), degraded(facts)):
        conditions = set_condition(
            conditions, condition.type, condition.status, condition.reason, condition.message, facts.generation, now
        )
    servers = _servers(facts, before)
    serial = facts.engine.serial if facts.engine else None
    return {
        "conditions": conditions,
        "observedGeneration": facts.generation,
        **({"serial": serial} if serial is not None else _kept(before, "serial")),
        "recordsCount": facts.tally.selected,
        "readyRecordsCount": facts.tally.ready,
        "records": [_record(kind, name, facts.namespace) for kind, name in facts.tally.names],
        "recordsTruncated": facts.tally.ready > len(facts.tally.names),
        "bind9Instances": servers,
        "bind9InstancesCount": len(servers),
    }


def _servers(facts: ZoneFacts, before: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A zone that the engine does not know may still be where status says it was, unless it is known to be gone."""
    if facts.engine is not None:
        adopted = adopting(before)
        return [_server(each, adopted=each.name in adopted) for each in facts.engine.servers]
    return (before.get("bind9Instances") or []) if facts.served else []


def ready(facts: ZoneFacts) -> Condition:
    if facts.refusal is not None:
        return facts.refusal
    if facts.engine is not None and facts.engine.deleting:
        return _deleting(facts.engine)
    if not any(server.role is Role.PRIMARY for server in facts.servers):
        return Condition("Ready", False, Reason.NO_PRIMARY_INSTANCES, _no_primary(facts.left_out))
    if facts.engine is not None and facts.engine.mass_delete is not None:
        return _waiting_for_consent(facts.engine.mass_delete)
    if facts.engine is not None and facts.engine.published:
        count = sum(server.role is Role.PRIMARY and server.ready for server in facts.servers)
        if count:
            return Condition("Ready", True, Reason.ZONE_PUBLISHED, f"served by {_primaries(count)}")
    return _unpublished(facts)


_PASSING = frozenset({Reason.PROGRESSING, Reason.DELETING})


def obstacle(facts: ZoneFacts) -> Obstacle | None:
    """What the zone waits for, for those who want something in it; None if that is a matter of a moment."""
    found = ready(facts)
    if found.status or found.reason in _PASSING:
        return None
    held = facts.engine.servers if facts.engine is not None else ()
    served = facts.served if facts.refusal is not None else any(each.role is Role.PRIMARY for each in held)
    return Obstacle(found.reason, found.message, served)


def _no_primary(left_out: Sequence[str]) -> str:
    text = "no primary Bind9Instance is selected: look at clusterRef and bind9InstancesFrom"
    more = len(left_out) - MOST_LEFT_OUT
    return "; ".join([text, *left_out[:MOST_LEFT_OUT], *([f"and {more} more"] if more > 0 else [])])


def _waiting_for_consent(held: MassDelete) -> Condition:
    text = (
        f"{held.removals} of {held.total} RRsets would be removed at once: "
        f"annotate the zone with {CONSENT_ANNOTATION}=true to let that happen"
    )
    return Condition("Ready", False, Reason.WAITING_FOR_CONSENT, text)


def _deleting(zone: ZoneStatus) -> Condition:
    """Told only of a deletion that lasts: somebody waits for it and wants to know for what."""
    left = ", ".join(f"{each.name} ({each.message})" if each.message else each.name for each in zone.servers)
    first = f"; before that, {', '.join(zone.blocked_by)} has to go" if zone.blocked_by else ""
    return Condition("Ready", False, Reason.DELETING, f"the zone is still to be taken off {left}{first}")


def _unpublished(facts: ZoneFacts) -> Condition:
    failing = _failing(facts, Role.PRIMARY)
    if failing and (reason := failing[0].reason):
        return Condition("Ready", False, reason, _complaints(failing))
    unready = [server for server in facts.servers if server.role is Role.PRIMARY and not server.ready]
    if unready:
        names = ", ".join(server.name for server in unready)
        return Condition("Ready", False, Reason.NO_PRIMARY_INSTANCES, f"no primary is ready: {names}")
    return Condition("Ready", False, Reason.PROGRESSING, "the zone is being brought to its servers")


def progressing(facts: ZoneFacts) -> Condition:
    if facts.refusal is not None or facts.engine is None:
        return Condition("Progressing", False, Reason.SETTLED, "nothing is under way")
    waiting = [status.name for status in facts.engine.servers if not status.in_sync and not status.reason]
    if waiting or facts.engine.pending:
        text = f"{facts.engine.pending} changes pending; waiting for {', '.join(waiting) or 'no server'}"
        return Condition("Progressing", True, Reason.PROGRESSING, text)
    return Condition("Progressing", False, Reason.SETTLED, "nothing is under way")


def degraded(facts: ZoneFacts) -> Condition:
    """A secondary of a new zone that waits for its primaries is not a failure: bind9Instances tells of it."""
    failing = [each for each in _failing(facts) if not _waits_for_primaries(each)]
    if failing:
        return Condition("Degraded", True, Reason.SERVERS_FAILING, _complaints(failing))
    if facts.lost:
        return Condition("Degraded", True, Reason.DUPLICATE_ZONE, _rivals(facts.lost))
    return Condition("Degraded", False, Reason.ALL_SERVERS_HEALTHY, "every server of the zone is well")


def duplicate(zone_name: str, lost: Mapping[str, Request]) -> Condition:
    """Every primary has the zone for another zone object."""
    text = f"{_rivals(lost)}: delete one of the two DNSZones for {zone_name}, or let them select different servers"
    return Condition("Ready", False, Reason.DUPLICATE_ZONE, text)


def _rivals(lost: Mapping[str, Request]) -> str:
    by_rival: dict[Request, list[str]] = {}
    for server, rival in sorted(lost.items()):
        by_rival.setdefault(rival, []).append(server)
    return "; ".join(f"DNSZone {rival} has the zone on {', '.join(names)}" for rival, names in by_rival.items())


def _waits_for_primaries(status: ServerStatus) -> bool:
    return status.role is Role.SECONDARY and status.reason == Reason.ZONE_NOT_READY


def _failing(facts: ZoneFacts, role: Role | None = None) -> list[ServerStatus]:
    if facts.engine is None:
        return []
    return [status for status in facts.engine.servers if status.reason and (role is None or status.role is role)]


def _complaints(failing: Sequence[ServerStatus]) -> str:
    return "; ".join(f"{status.name}: {status.message or status.reason}" for status in failing)


def _server(status: ServerStatus, *, adopted: bool) -> dict[str, Any]:
    """`adopted`: as status has it, for a server that cannot be told about now."""
    namespace, _, name = status.name.rpartition("/")
    entry = {
        "apiVersion": API_VERSION,
        "kind": "Bind9Instance",
        "namespace": namespace,
        "name": name,
        "role": status.role.value,
        "status": status.state.value,
    }
    known = adopted if status.adopted is None else status.adopted
    optional = {"serial": status.serial, "message": status.message or None, "adopted": known or None}
    return entry | {key: value for key, value in optional.items() if value is not None}


def _record(kind: str, name: str, namespace: str) -> dict[str, Any]:
    return {"apiVersion": API_VERSION, "kind": kind, "name": name, "namespace": namespace}


def _primaries(count: int) -> str:
    return "1 primary" if count == 1 else f"{count} primaries"


def _kept(before: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {key: before[key]} if before.get(key) is not None else {}


def adopting(status: Mapping[str, Any]) -> frozenset[str]:
    """Those of them where the zone is somebody else's, and records remember by themselves what is theirs."""
    return frozenset(
        f"{entry['namespace']}/{entry['name']}" for entry in status.get("bind9Instances") or () if entry.get("adopted")
    )


def holders(status: Mapping[str, Any]) -> frozenset[str]:
    """The servers that status says hold the zone, or may."""
    return frozenset(str(key) for key in instances_with(status))
