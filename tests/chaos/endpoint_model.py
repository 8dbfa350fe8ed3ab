"""What servers and statuses must say of endpoints, told from the objects and from what stands in the zones.

Who of several keeps a contested name depends on who was first, and that is written in the zone: the judge takes the
winner's name from the registry's entry, and checks everything else against the objects. Shares no code with the
operator and talks to nobody."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.chaos.model import ZONES

NAMESPACE = "chaos"
NOWHERE = "nowhere.test"
SOURCES = {"DNSEndpoint": "crd", "Service": "service", "Ingress": "ingress"}
ENTRY = re.compile(r'^(\S+)\. \d+ TXT "heritage=external-dns,external-dns/owner=default,external-dns/resource=(\S+)"$')
_LINE = re.compile(r"^(\S+)\. (\d+) (\S+) (.*)$")

Key = tuple[str, str]  # kind and name of an object
RowKey = tuple[str, str]  # a full name and a type

# Somebody else's: a record alone, one of another owner id, a CNAME, and an entry that its record has left.
_GREEN = '"heritage=external-dns,external-dns/owner=green,external-dns/resource=crd/shop/www"'
FOREIGN = (
    "taken 300 A 192.0.2.80",
    "taken 300 MX 10 mx.example.com.",
    "green 300 A 192.0.2.81",
    f"a-green 300 TXT {_GREEN}",
    "alias 300 CNAME elsewhere.example.com.",
    f"a-lone 300 TXT {_GREEN}",
)
OCCUPIED = ("taken", "green", "alias")


@dataclass(frozen=True, slots=True)
class Wish:
    """One name and type that an object asks for."""

    name: str  # in full
    rdtype: str
    values: tuple[str, ...]
    ttl: int

    @property
    def row(self) -> RowKey:
        return (self.name, self.rdtype)


@dataclass(frozen=True, slots=True)
class Asking:
    """An object that asks for names: a DNSEndpoint, a Service, an Ingress or an ARecord."""

    kind: str
    name: str
    wishes: tuple[Wish, ...]

    @property
    def key(self) -> Key:
        return (self.kind, self.name)

    @property
    def resource(self) -> str:
        return f"{SOURCES[self.kind]}/{NAMESPACE}/{self.name}"

    @property
    def is_record(self) -> bool:
        return self.kind == "ARecord"


Candidate = tuple[Asking, Wish]
Reasons = dict[tuple[Key, RowKey], str]


@dataclass(slots=True)
class Verdict:
    """What one zone is to hold, given whom its entries name; and why endpoints are left out."""

    lines: set[str] = field(default_factory=set)
    reasons: Reasons = field(default_factory=dict)
    winners: dict[RowKey, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def judge(zone: str, objects: Iterable[Asking], content: set[str]) -> Verdict:
    """A zone, by its label, without its apex and what others have there."""
    origin, entries, verdict = ZONES[zone], _entries(content), Verdict()
    wishes: dict[str, list[Candidate]] = {}
    for asking in objects:
        for wish in asking.wishes:
            if wish.name.endswith(f".{origin}"):
                wishes.setdefault(wish.name, []).append((asking, wish))
    for name, candidates in wishes.items():
        _judge_name(name, candidates, entries, origin, verdict)
    return verdict


def _judge_name(name: str, candidates: list[Candidate], entries: dict[str, str], origin: str, verdict: Verdict) -> None:
    records = [wish for asking, wish in candidates if asking.is_record]
    verdict.lines |= _lines(name, "A", records)
    asked = [each for each in candidates if not each[0].is_record]
    lost = [each for each in asked if records and each[1].rdtype in {"A", "CNAME"}]
    left = [each for each in asked if each not in lost]
    if any(wish.rdtype != "CNAME" for _, wish in left):
        lost += [each for each in left if each[1].rdtype == "CNAME"]
    for asking, wish in lost:
        verdict.reasons[asking.key, wish.row] = "ConflictLost"
    for rdtype in sorted({wish.rdtype for _, wish in left}):
        members = [each for each in left if each not in lost and each[1].rdtype == rdtype]
        if members and _is_foreign(name.removesuffix(f".{origin}"), rdtype):
            verdict.reasons |= {(asking.key, wish.row): "OwnerMismatch" for asking, wish in members}
        elif members:
            _judge_row((name, rdtype), members, entries, verdict)


def _is_foreign(label: str, rdtype: str) -> bool:
    return label in OCCUPIED or (label, rdtype) == ("lone", "A")


def _judge_row(row: RowKey, members: list[Candidate], entries: dict[str, str], verdict: Verdict) -> None:
    winner = entries.get(entry_name(row))
    group = [each for each in members if each[0].resource == winner]
    if winner is None or not group:
        verdict.wrong.append(f"{' '.join(row)}: wanted, and its entry names {winner or 'nobody'}")
        return
    if group[0][0].kind != "DNSEndpoint":  # Services share a name, as do Ingresses
        group = [each for each in members if each[0].kind == group[0][0].kind]
    data = {value for _, wish in group for value in wish.values}
    together = [wish for asking, wish in members if (asking, wish) in group or set(wish.values) == data]
    for asking, wish in members:
        if wish not in together:
            verdict.reasons[asking.key, row] = "ConflictLost"
    verdict.winners[row] = winner
    verdict.lines |= _lines(*row, together)
    verdict.lines.add(f"{entry_name(row)}. * TXT {entry_text(winner)}")


def _lines(name: str, rdtype: str, wishes: list[Wish]) -> set[str]:
    ttl = min((wish.ttl for wish in wishes), default=0)
    return {f"{name}. {ttl} {rdtype} {value}" for wish in wishes for value in wish.values}


def entry_name(row: RowKey) -> str:
    return f"{row[1].lower()}-{row[0]}"


def entry_text(resource: str) -> str:
    return f'"heritage=external-dns,external-dns/owner=default,external-dns/resource={resource}"'


def _entries(content: set[str]) -> dict[str, str]:
    return {found[1]: found[2] for line in content if (found := ENTRY.match(line))}


def normal(content: set[str]) -> set[str]:
    """As `Verdict.lines` has it: an entry keeps the TTL that it was written with, whatever its record's is by now."""
    return {f"{line.split()[0]} * {line.split(' ', 2)[2]}" if ENTRY.match(line) else line for line in content}


def loose(own: set[str], of_records: set[str]) -> Iterator[str]:
    """What must not be seen at any moment: an entry beside nothing, and a record of nobody.

    `own`: what a zone has besides its apex and other people's records; `of_records`: names at which record objects have
    ever been, and may have an A."""
    found = [_LINE.match(line) for line in own if not ENTRY.match(line)]
    rows, entries = {(each[1], each[3]) for each in found if each}, set(_entries(own))
    for name, rdtype in rows:
        if entry_name((name, rdtype)) not in entries and not (rdtype == "A" and name in of_records):
            yield f"{name} {rdtype} without an entry"
    for entry in entries - {entry_name(row) for row in rows}:
        yield f"entry {entry} beside nothing"
