"""What the servers must serve, told from the objects alone: the rules of the API written down a second time.

Shares no code with the operator and talks to nobody; it would be no judge otherwise."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

ZONES = {"alpha": "alpha.test", "beta": "beta.test"}
BOTH = "both"
ZONE_TTL = 3600
PLACES = (*ZONES, BOTH, "nowhere")  # the values that a record's label takes

Key = tuple[str, str]  # kind and name of an object


@dataclass(frozen=True, slots=True)
class Kind:
    """A record kind: how the API calls it, and how a value in presentation format is written into a spec."""

    plural: str
    rdtype: str
    spec: Callable[[str], dict[str, Any]]
    values: tuple[str, ...]


def _mail(value: str) -> dict[str, Any]:
    priority, server = value.split()
    return {"priority": int(priority), "mailServer": server}


# Few values, so that objects often say the same: what two of them want stays when one of them goes.
KINDS = {
    "ARecord": Kind("arecords", "A", lambda value: {"ipv4Address": value}, tuple(f"192.0.2.{n}" for n in range(1, 7))),
    "AAAARecord": Kind(
        "aaaarecords", "AAAA", lambda value: {"ipv6Address": value}, tuple(f"2001:db8::{n}" for n in range(1, 5))
    ),
    "MXRecord": Kind("mxrecords", "MX", _mail, tuple(f"{n}0 mx{n}.example.net." for n in range(1, 6))),
    "TXTRecord": Kind(
        "txtrecords", "TXT", lambda value: {"text": [value.strip('"')]}, tuple(f'"text {n}"' for n in range(1, 5))
    ),
    "CNAMERecord": Kind("cnamerecords", "CNAME", lambda value: {"target": value}, ("a.example.net.", "b.example.net.")),
}


@dataclass(frozen=True, slots=True)
class Record:
    kind: str
    name: str
    owner: str
    value: str
    ttl: int
    place: str
    created: str = ""  # as the API server says it

    @property
    def key(self) -> Key:
        return (self.kind, self.name)

    @property
    def rdtype(self) -> str:
        return KINDS[self.kind].rdtype

    @property
    def seniority(self) -> tuple[str, str, str]:
        return (self.created, self.name, self.kind)

    def zones(self) -> list[str]:
        return [label for label in ZONES if self.place in {label, BOTH}]

    def clashes(self, other: "Record") -> bool:
        """A CNAME stands alone at its name, or beside its equal."""
        if "CNAME" not in {self.rdtype, other.rdtype}:
            return False
        return (self.rdtype, self.value) != (other.rdtype, other.value)


@dataclass(slots=True)
class Model:
    records: dict[Key, Record] = field(default_factory=dict)

    def served(self, zone: str) -> set[str]:
        """The lines of a transfer of the zone, without its SOA."""
        published, _ = self._settled(zone)
        origin = ZONES[zone]
        ttls: dict[tuple[str, str], int] = {}
        for record in published:
            rrset = (record.owner, record.rdtype)
            ttls[rrset] = min(record.ttl, ttls.get(rrset, record.ttl))
        lines = {
            f"{_full(record.owner, origin)} {ttls[record.owner, record.rdtype]} {record.rdtype} {record.value}"
            for record in published
        }
        return lines | {f"{origin}. {ZONE_TTL} NS ns1.{origin}.", f"ns1.{origin}. {ZONE_TTL} A 127.0.0.1"}

    def published_in(self, record: Record) -> set[str]:
        """The names of the zones that serve something of this record's."""
        return {ZONES[zone] for zone in record.zones() if record in self._settled(zone)[0]}

    def ready(self) -> set[Key]:
        """Those that every zone which selects them publishes."""
        lost = {record.key for zone in ZONES for record in self._settled(zone)[1]}
        return {key for key, record in self.records.items() if record.zones() and key not in lost}

    def _settled(self, zone: str) -> tuple[list[Record], list[Record]]:
        """Published, and not because something older is in the way."""
        selected = [record for record in self.records.values() if zone in record.zones()]
        published: list[Record] = []
        lost: list[Record] = []
        for record in sorted(selected, key=lambda record: record.seniority):
            rivals = (other for other in published if other.owner == record.owner)
            (lost if any(record.clashes(other) for other in rivals) else published).append(record)
        return published, lost


def without_ttl(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        owner, _, rest = line.split(" ", 2)
        yield f"{owner} {rest}"


def _full(owner: str, origin: str) -> str:
    return f"{origin}." if owner == "@" else f"{owner}.{origin}."
