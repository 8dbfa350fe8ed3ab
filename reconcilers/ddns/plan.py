"""The difference between what a zone should hold and what it holds. Pure.

In: desired and observed RRsets by key, and which keys are ours. Out: changes, in a stable order that puts what others
point at (addresses) first. Never touches the SOA or what BIND's own DNSSEC signing maintains.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

import dns.rdatatype as rt

from reconcilers.ddns.rrset import RRset, RRsetKey

UNTOUCHABLE = frozenset(
    {rt.SOA, rt.RRSIG, rt.NSEC, rt.NSEC3, rt.NSEC3PARAM, rt.DNSKEY, rt.CDS, rt.CDNSKEY, rt.RdataType.make(65534)}
)
"""The SOA travels with every UPDATE by itself; the others are written by the server when it signs the zone."""

_ADDRESSES = frozenset({rt.A, rt.AAAA})


class Prerequisite(Enum):
    """What a change is conditional on; the server checks it in the same transaction (RFC 2136 section 2.4)."""

    NONE = "none"
    ABSENT = "absent"
    """No RRset of this name and type: nobody else's data is overwritten."""
    EXACT = "exact"
    """The RRset is exactly `before` (or absent, without one): nobody changed it since it was read."""


@dataclass(frozen=True, slots=True)
class Change:
    """One RRset that becomes `after` (None: goes away). `before` is what was last seen there.

    Changes that belong `together` are made all or none, whatever their names.
    """

    key: RRsetKey
    before: RRset | None
    after: RRset | None
    prerequisite: Prerequisite = Prerequisite.NONE
    together: Hashable = None

    @property
    def records(self) -> int:
        """How many records the change puts there."""
        return len(self.after.data) if self.after else 0


def plan(
    desired: Mapping[RRsetKey, RRset],
    observed: Mapping[RRsetKey, RRset],
    owned: Container[RRsetKey] | None = None,
) -> tuple[Change, ...]:
    """The changes that make `observed` into `desired`.

    Only keys in `owned` are ever removed; None means that the whole zone is ours.
    """
    changes = [
        Change(key, observed.get(key), rrset)
        for key, rrset in desired.items()
        if key.rdtype not in UNTOUCHABLE and observed.get(key) != rrset
    ]
    changes += [
        Change(key, rrset, None)
        for key, rrset in observed.items()
        if key not in desired and key.rdtype not in UNTOUCHABLE and (owned is None or key in owned)
    ]
    return tuple(in_order(changes))


def in_order(changes: Iterable[Change]) -> list[Change]:
    """Names that get an address first: a server that checks MX and NS targets must find them in an earlier message."""
    ready = list(changes)
    addressed = {change.key.name for change in ready if change.after and change.key.rdtype in _ADDRESSES}
    return sorted(
        ready, key=lambda change: (change.key.name not in addressed, change.key.name.labels[::-1], change.key.rdtype)
    )
