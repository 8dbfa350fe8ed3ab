"""The model's planner of endpoints, reduced to what it must do: decide by the registry's TXT which rows are ours. Pure.

A row is an address and the TXT beside it that says whose it is. It is somebody else's where the TXT says so, and where
an address stands without any.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import dns.name

from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine.api import Plan, ZoneContent
from tests.support.engine_world import ENDPOINTS, address_key, mark

Held = Mapping[RRsetKey, RRset]


def decide(zone: dns.name.Name, content: ZoneContent, wanted: Collection[str]) -> tuple[frozenset[str], Plan]:
    """The labels to publish of those that endpoints want, and what is to go."""
    servers = content.primaries.values()
    free = {label for label in ENDPOINTS if not any(is_theirs(zone, label, held) for held in servers)}
    obsolete = (key for label in free.difference(wanted) for held in servers for key in ours(zone, label, held))
    former = {
        name: frozenset(key for label in ENDPOINTS for key in ours(zone, label, held))
        for name, held in content.former.items()
    }
    return frozenset(free.intersection(wanted)), Plan(content.reads, frozenset(obsolete), former)


def is_theirs(zone: dns.name.Name, label: str, held: Held) -> bool:
    """Does the row belong to somebody else there?"""
    found = held.get(mark(zone, label).key)
    return found != mark(zone, label) if found else address_key(zone, label) in held


def ours(zone: dns.name.Name, label: str, held: Held) -> Iterator[RRsetKey]:
    """What of the row stands there and is ours."""
    if held.get(mark(zone, label).key) == mark(zone, label):
        yield from (key for key in row(zone, label) if key in held)


def row(zone: dns.name.Name, label: str) -> tuple[RRsetKey, RRsetKey]:
    """Of the address and its TXT."""
    return address_key(zone, label), mark(zone, label).key


def label_of(zone: dns.name.Name, key: RRsetKey) -> str | None:
    """The row that the key belongs to, if it is one of endpoints."""
    return next((label for label in ENDPOINTS if key in row(zone, label)), None)
