"""What is ours in DNS, as our objects' metadata and status say it: which names in which zones. Pure.

A claim is written into an object's metadata before anything is published, and what was confirmed stands in its status.
Both together are what is ours to remove: a crash at any point leaves something to clean up and never a name that nobody
remembers. A zone claims what it publishes beyond its records (apex NS, addresses) in the same way.

| the zone on the server | claimed | confirmed in status | publish | remove when nobody wants it |
|---|---|---|---|---|
| created by us          | no      | no                  | not yet: claim first | no: it is somebody else's |
| created by us          | yes     | any                 | yes, over whatever stands there | yes |
| adopted                | yes     | not on this server  | where nothing, or the same, stands | no |
| adopted                | any     | on this server      | yes | yes |

The engine reads claims once per server, when it first reads the zone there; then its own writes tell what is ours.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from reconcilers.ddns.errors import InvalidRecordData
from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.rdata import rdtype_of
from reconcilers.ddns.rrset import RRsetKey
from reconcilers.engine.api import ObjectRef
from zonewright import Request, metadata_patch

GROUP = "bindy.firestoned.io"
ZONE_ANNOTATION = f"{GROUP}/zone"
NAME_ANNOTATION = f"{GROUP}/published-name"
CONSENT_ANNOTATION = f"{GROUP}/allow-mass-delete"

NOTHING: frozenset[str] = frozenset()
_NAMES = re.compile(
    r"(?:\\.|[^ \\])+"
)  # with blanks between them; a name may have commas, and a blank if it is escaped


def finalizer(kind: str) -> str:
    return f"{GROUP}/{kind.lower()}-finalizer"


class AdoptedRRset(NamedTuple):
    """What of an object stands in one zone on a server where the zone is somebody else's."""

    zone_name: str
    server: str
    name: str  # with the final dot


@dataclass(frozen=True, slots=True)
class Claim:
    """Zones and owner names as the object writes them. `claimed` may be published; `confirmed` was.

    `adopted` is what was confirmed in zones of others, server by server."""

    claimed_zones: frozenset[str] = NOTHING
    confirmed_zones: frozenset[str] = NOTHING
    claimed_names: frozenset[str] = NOTHING
    confirmed_name: str | None = None
    adopted: frozenset[AdoptedRRset] = frozenset()

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "Claim":
        """Reads plain JSON values, so that an object which no longer fits its model can still be cleaned up."""
        annotations = fields["metadata"].get("annotations") or {}
        status = fields.get("status") or {}
        return cls(
            claimed_zones=_zones(annotations.get(ZONE_ANNOTATION)),
            confirmed_zones=frozenset(entry["zoneName"] for entry in status.get("zones") or () if "zoneName" in entry),
            claimed_names=frozenset(_NAMES.findall(annotations.get(NAME_ANNOTATION) or "")),
            confirmed_name=status.get("publishedName"),
            adopted=frozenset(_adopted(status.get("zones") or ())),
        )

    @property
    def zones(self) -> frozenset[str]:
        """Where there may be something of this object's."""
        return self.claimed_zones | self.confirmed_zones

    @property
    def names(self) -> frozenset[str]:
        return self.claimed_names | ({self.confirmed_name} if self.confirmed_name else NOTHING)


@dataclass(frozen=True, slots=True)
class Marks:
    """The metadata a record should carry."""

    zones: frozenset[str] = NOTHING
    names: frozenset[str] = NOTHING
    finalizer: bool = False


def next_marks(
    claim: Claim, name: str, *, selected: Iterable[str], left: Iterable[str], published: bool, behind: bool
) -> Marks:
    """The marks for a record that `selected` zones want and that still stands in the zones of `left`.

    What status already confirms need not be repeated in metadata: that saves the write that would take it out again.
    `published`: status is about to confirm the present name. `behind`: something may still stand under another one."""
    wanted = frozenset(selected)
    leaving = frozenset(left) - wanted
    if not wanted:
        return Marks(claim.claimed_zones & leaving, claim.claimed_names, finalizer=True) if leaving else Marks()
    earlier = claim.claimed_names - {claim.confirmed_name}
    if published:  # what status says now is overwritten
        earlier = claim.names if behind else NOTHING
    return Marks(wanted | (leaving - claim.confirmed_zones), frozenset({name}) | earlier, finalizer=True)


def marks_patch(marks: Marks, kind: str, obj: object) -> dict[str, Any] | None:
    """A merge patch that brings a record's metadata to the marks; None when it has them already."""
    ours = [finalizer(kind)]
    return metadata_patch(
        obj,
        annotations={ZONE_ANNOTATION: _join(marks.zones, ","), NAME_ANNOTATION: _join(marks.names, " ")},
        add_finalizers=ours if marks.finalizer else (),
        remove_finalizers=() if marks.finalizer else ours,
    )


def owned_names(claim: Claim, zone_name: str) -> frozenset[str]:
    """The names under which there may be something of a record's in the zone, where we created the zone."""
    return claim.names if zone_name in claim.zones else NOTHING


# --- what a zone publishes by itself

OWN_ANNOTATION = f"{GROUP}/own-records"
ZONE_FINALIZER = finalizer("DNSZone")


def claimed_own(annotations: Mapping[str, str]) -> frozenset[RRsetKey]:
    """What the zone's annotation claims. People can edit it: a word that is no RRset claims nothing."""
    return frozenset(key for text in annotations.get(OWN_ANNOTATION, "").split() if (key := _parse(text)))


def zone_patch(obj: object, keys: Iterable[RRsetKey]) -> dict[str, Any] | None:
    """A merge patch that puts finalizer and claim on the zone; None when it has both."""
    text = " ".join(sorted(f"{key.name}/{key.rdtype.name}" for key in keys))
    return metadata_patch(obj, annotations={OWN_ANNOTATION: text}, add_finalizers=[ZONE_FINALIZER])


def zone_itself(key: Request, uid: str) -> ObjectRef:
    return ObjectRef("DNSZone", key.namespace, key.name, uid)


def _parse(text: str) -> RRsetKey | None:
    name, _, rdtype = text.rpartition("/")
    try:
        return RRsetKey(parse_zone(name), rdtype_of(rdtype))
    except InvalidRecordData:
        return None


def _adopted(zones: Iterable[Mapping[str, Any]]) -> Iterator[AdoptedRRset]:
    for zone in zones:
        for entry in zone.get("adopted") or ():
            yield AdoptedRRset(zone.get("zoneName", ""), entry.get("instance", ""), entry.get("name", ""))


def _zones(text: str | None) -> frozenset[str]:
    return frozenset(text.split(",")) if text else NOTHING


def _join(items: frozenset[str], separator: str) -> str | None:
    return separator.join(sorted(items)) if items else None
