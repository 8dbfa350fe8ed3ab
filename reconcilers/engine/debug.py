"""The engine's state for people: what /debug/difftracker/* answers and what the gauges count. Pure.

Lists are bounded, and nothing in them can be a secret: servers appear by name only.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

import dns.rdatatype

from reconcilers.engine.core.decide import blockers
from reconcilers.engine.core.lifecycle import State, state_of
from reconcilers.engine.core.model import Model, Replica, Zone
from reconcilers.engine.core.protocol import Now

MAX_ENTRIES = 1000
MAX_ITEMS = 100


def services(model: Model, query: Mapping[str, str], now: Now) -> list[dict[str, Any]]:
    """One entry per zone on a server."""
    chosen = [replica for key, replica in sorted(model.replicas.items()) if _matches(query, str(key), replica.uid)]
    return [_service(model, replica, now) for replica in chosen[:MAX_ENTRIES]]


def _matches(query: Mapping[str, str], *names: str) -> bool:
    wanted = query.get("key", "")
    return not wanted or wanted in names


def _service(model: Model, replica: Replica, now: Now) -> dict[str, Any]:
    op, zone = replica.op, replica.wanted
    waits = replica.not_before > now.mono
    return {
        "key": str(replica.key),
        "uid": replica.uid,
        "state": state_of(replica).value,
        "wanted": zone is not None,
        "observed": replica.known.name.lower(),
        "serial": replica.serial,
        "records": len(replica.records),
        "differing": len(replica.dirty),
        "awaiting_plan": len(replica.blocked),
        "op": {"id": op.id, "kind": op.kind.value, "age": round(now.mono - op.started, 3)} if op else None,
        "retries": replica.failures,
        "next_retry_at": _moment(now.unix + replica.not_before - now.mono) if waits else None,
        "parked_reason": replica.trouble.reason if replica.parked is not None and replica.trouble else None,
        "blocked_by": sorted(blockers(model, replica)) if replica.wanted is None else [],
        "last_error": f"{replica.trouble.reason}: {replica.trouble.message}" if replica.trouble else None,
    }


def _moment(unix: float) -> str:
    return dt.datetime.fromtimestamp(unix, dt.UTC).isoformat(timespec="milliseconds")


def buffered(model: Model, query: Mapping[str, str], now: Now) -> list[dict[str, Any]]:
    """One entry per zone whose RRsets wait for it to exist."""
    waiting = sorted(_waiting(model), key=lambda zone: (zone.ref.zone, zone.ref.uid))
    chosen = [zone for zone in waiting if _matches(query, str(zone.ref.zone), str(zone.ref), zone.ref.uid)]
    return [_buffer(zone, now) for zone in chosen[:MAX_ENTRIES]]


def _waiting(model: Model) -> Iterator[Zone]:
    for zone in model.zones.values():
        if zone.buffered and not zone.deleting and zone.content:
            yield zone


def _buffer(zone: Zone, now: Now) -> dict[str, Any]:
    items = [
        {
            "id": key.name.to_text(),
            "kind": dns.rdatatype.to_text(key.rdtype),
            "since": _moment(now.unix - now.mono + zone.since.get(key, now.mono)),
        }
        for key in sorted(zone.content)[:MAX_ITEMS]
    ]
    return {"key": str(zone.ref.zone), "uid": zone.ref.uid, "items": items, "count": len(zone.content)}


def gauges(model: Model) -> tuple[dict[str, int], int, int]:
    """(zones on servers by state, RRsets that wait, members from pods that wait)."""
    states = dict.fromkeys((state.value for state in State), 0)
    for replica in model.replicas.values():
        states[state_of(replica).value] += 1
    endpoints = pods = 0
    for zone in _waiting(model):
        of_pods = [entry.pods for entry in zone.contributions if entry.pods]
        pods += sum(of_pods) + (zone.plan.pods if zone.plan else 0)
        endpoints += len(zone.content) - len(of_pods)
    return states, endpoints, pods
