"""The engine's state for people: what /debug/difftracker/* answers and what the gauges count. Pure.

Lists are bounded, and nothing in them can be a secret: servers appear by name only.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

import dns.rdatatype

from reconcilers.engine.core.book import Book
from reconcilers.engine.core.decide import blockers
from reconcilers.engine.core.lifecycle import State, state_of
from reconcilers.engine.core.model import Zone, ZoneOnServer
from reconcilers.engine.core.protocol import Now

MAX_ENTRIES = 1000
MAX_ITEMS = 100


def services(book: Book, query: Mapping[str, str], now: Now) -> list[dict[str, Any]]:
    """One entry per zone on a server."""
    chosen = [site for key, site in sorted(book.sites.items()) if _matches(query, str(key), site.uid)]
    return [_service(book, site, now) for site in chosen[:MAX_ENTRIES]]


def _matches(query: Mapping[str, str], *names: str) -> bool:
    wanted = query.get("key", "")
    return not wanted or wanted in names


def _service(book: Book, site: ZoneOnServer, now: Now) -> dict[str, Any]:
    op, zone = site.op, site.wanted
    waits = site.not_before > now.mono
    return {
        "key": str(site.key),
        "uid": site.uid,
        "state": state_of(site).value,
        "wanted": zone is not None,
        "observed": site.known.name.lower(),
        "serial": site.serial,
        "records": len(site.records),
        "differing": len(site.dirty),
        "op": {"id": op.id, "kind": op.kind.value, "age": round(now.mono - op.started, 3)} if op else None,
        "retries": site.failures,
        "next_retry_at": _moment(now.unix + site.not_before - now.mono) if waits else None,
        "parked_reason": site.trouble.reason if site.parked is not None and site.trouble else None,
        "blocked_by": sorted(blockers(book, site)) if site.wanted is None else [],
        "last_error": f"{site.trouble.reason}: {site.trouble.message}" if site.trouble else None,
    }


def _moment(unix: float) -> str:
    return dt.datetime.fromtimestamp(unix, dt.UTC).isoformat(timespec="milliseconds")


def buffered(book: Book, query: Mapping[str, str], now: Now) -> list[dict[str, Any]]:
    """One entry per zone whose RRsets wait for it to exist."""
    waiting = sorted(_waiting(book), key=lambda zone: (zone.ref.zone, zone.ref.uid))
    chosen = [zone for zone in waiting if _matches(query, str(zone.ref.zone), str(zone.ref), zone.ref.uid)]
    return [_buffer(zone, now) for zone in chosen[:MAX_ENTRIES]]


def _waiting(book: Book) -> Iterator[Zone]:
    for zone in book.zones.values():
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


def gauges(book: Book) -> tuple[dict[str, int], int, int]:
    """(zones on servers by state, RRsets that wait, members from pods that wait)."""
    states = dict.fromkeys((state.value for state in State), 0)
    for site in book.sites.values():
        states[state_of(site).value] += 1
    endpoints = pods = 0
    for zone in _waiting(book):
        of_pods = [entry.pods for entry in zone.contributions if entry.pods]
        pods += sum(of_pods)
        endpoints += len(zone.content) - len(of_pods)
    return states, endpoints, pods
