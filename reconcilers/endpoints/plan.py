"""What endpoints want at one name of a zone against what stands there: what is published, removed, and told. Pure.

Endpoints of one type are told apart by set identifier, and the RRset is their union. Decided name by name, so that a
changed object costs the names that it touches:

1. A record object (a CR) that has the name and type, or a CNAME that cannot stand beside, wins over every endpoint.
2. A CNAME loses to other types (RFC 1034 3.6.2).
3. Of several candidates for a row, the one that the registry names stays; else the smallest wins.
4. What stands there and is not ours by the registry is left alone, and whoever wants that name is told whose it is.
5. What is ours and nobody wants any more is obsolete, if the policy lets it go.

Knows neither servers nor Kubernetes. Planner (planner.py) keeps the names of a zone and asks for those that changed.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

import dns.rdatatype as rt
from dns.name import Name
from dns.rdatatype import RdataType

from reconcilers.ddns.errors import InvalidName
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.registry import Entry, Registry, parse_entry
from reconcilers.engine.api import Contributor, ObjectRef
from reconcilers.reasons import Reason


class Policy(StrEnum):
    """What may be done to RRsets that endpoints own."""

    SYNC = "sync"
    UPSERT_ONLY = "upsert-only"
    CREATE_ONLY = "create-only"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One endpoint as DNS data. Where it gives no TTL, `rrset` has the zone's default."""

    ref: ObjectRef
    version: str
    rrset: RRset
    endpoint: Endpoint

    @property
    def resource(self) -> str:
        """The object that it is of, as the registry names it: `crd/shop/www`."""
        return self.endpoint.resource

    @property
    def key(self) -> RRsetKey:
        """Name and type."""
        return self.rrset.key


@dataclass(frozen=True, slots=True)
class Rules:
    """How to plan: what the operator was started with."""

    registry: Registry
    owner: str
    policy: Policy = Policy.SYNC
    manages: Callable[[RRsetKey], bool] = lambda _key: True


class Verdict(NamedTuple):
    """Why an endpoint is not published as it is."""

    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class Row:
    """One type at one name, as it is to be: the RRset, its registry text, and the endpoints that it is the union of."""

    rrset: RRset
    entry: Name | None  # where the registry's text stands; None without a registry
    texts: frozenset[str]
    resources: Mapping[str, str]  # set identifier -> the object that has it
    members: tuple[Candidate, ...] = ()  # none for what the policy keeps
    stands: bool = False  # the servers have all of it already

    @property
    def refs(self) -> frozenset[ObjectRef]:
        return frozenset(each.ref for each in self.members)

    @property
    def contributors(self) -> frozenset[Contributor]:
        return frozenset(Contributor(each.ref, each.version) for each in self.members)

    @property
    def pods(self) -> int:
        return sum(each.endpoint.pods for each in self.members)


@dataclass(frozen=True, slots=True)
class Standing:
    """An RRset that stands at the name on the servers."""

    rrset: RRset
    texts: frozenset[str] = frozenset()  # its registry entries
    ours: bool = False
    agreed: bool = True  # every server has the same
    planned: Row | None = None  # as this process wanted it last
    going: bool = False  # it was agreed, and is being removed: some servers are rid of it, the others have it unchanged

    @property
    def entries(self) -> list[Entry]:
        return [entry for text in sorted(self.texts) if (entry := parse_entry(text))]


@dataclass(frozen=True, slots=True)
class NamePlan:
    """What came of one name."""

    rows: Mapping[RRsetKey, Row] = field(default_factory=dict)
    obsolete: Mapping[RRsetKey, frozenset[str]] = field(default_factory=dict)  # with the objects that had it
    verdicts: Mapping[ObjectRef, Verdict] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Node:
    """All that a plan of one name is made of."""

    name: Name
    origin: Name
    candidates: Sequence[Candidate]
    taken: Mapping[RdataType, str]  # types that others of ours publish here (record objects, the zone itself), and who
    standing: Mapping[RdataType, Standing]
    occupied: Mapping[Name, Verdict] = field(default_factory=dict)  # entries that cannot stand there, and why
    held: frozenset[RdataType] = frozenset()  # of objects that cannot be read: perhaps they still want it


def plan(node: Node, rules: Rules) -> NamePlan:
    """Decide one name."""
    verdicts: dict[ObjectRef, Verdict] = {}
    contenders = _beside_records(node, verdicts)
    contenders = _without_cname(contenders, verdicts)
    rows: dict[RRsetKey, Row] = {}
    for rdtype, members in _by_type(contenders):
        row = _row(node, rdtype, members, rules, verdicts)
        if row is not None:
            rows[RRsetKey(node.name, rdtype)] = row
    kept = _kept(node, rows, rules)
    return NamePlan(rows | kept, dict(_obsolete(node, {**rows, **kept}, rules)), verdicts)


def _by_type(candidates: Iterable[Candidate]) -> Iterator[tuple[RdataType, list[Candidate]]]:
    ordered = sorted(candidates, key=lambda each: each.key.rdtype)
    for rdtype, members in groupby(ordered, key=lambda each: each.key.rdtype):
        yield rdtype, list(members)


# --- who may have the name


def _beside_records(node: Node, verdicts: dict[ObjectRef, Verdict]) -> list[Candidate]:
    """Those that no record object keeps out."""
    left = []
    for candidate in node.candidates:
        rival = _rival(node.taken, candidate.key.rdtype)
        if rival is None:
            left.append(candidate)
        else:
            text = f"{node.taken[rival]} publishes {node.name} {rt.to_text(rival)}, and comes before endpoints"
            verdicts[candidate.ref] = Verdict(Reason.CONFLICT_LOST, text)
    return left


def _rival(taken: Iterable[RdataType], rdtype: RdataType) -> RdataType | None:
    """The type among these that this one cannot be or stand beside."""
    types = set(taken)
    if rdtype in types:
        return rdtype
    if rt.CNAME in types:
        return rt.CNAME
    return min(types, default=None) if rdtype == rt.CNAME else None


def _without_cname(candidates: list[Candidate], verdicts: dict[ObjectRef, Verdict]) -> list[Candidate]:
    others = [each for each in candidates if each.key.rdtype != rt.CNAME]
    if not others or len(others) == len(candidates):
        return candidates
    winner = min(others, key=_order)
    for each in candidates:
        if each.key.rdtype == rt.CNAME:
            text = f"{winner.ref} has {winner.key}: a CNAME can stand beside nothing else"
            verdicts[each.ref] = Verdict(Reason.CONFLICT_LOST, text)
    return others


def _order(candidate: Candidate) -> tuple[int, list[tuple[bool, object, str]], str, str]:
    """Fewest targets first; addresses before host names and by value; then by the object, so that it is the same in
    every run."""
    targets = sorted(map(_target_order, candidate.endpoint.targets))
    return (len(targets), targets, candidate.resource, candidate.ref.part)


def _target_order(target: str) -> tuple[bool, object, str]:
    try:
        address = ipaddress.ip_address(target)
    except ValueError:
        return (True, (), target.lower())
    return (False, (address.version, int(address)), "")


# --- one type at the name


def _row(
    node: Node, rdtype: RdataType, members: list[Candidate], rules: Rules, verdicts: dict[ObjectRef, Verdict]
) -> Row | None:
    key = RRsetKey(node.name, rdtype)
    standing = node.standing.get(rdtype)
    entry, why = _entry(node, key, rules)
    if (why := _foreign(node, key, standing) or why) is not None:
        verdicts.update(dict.fromkeys((each.ref for each in members), why))
        return None
    before = _resources(standing)
    winners: dict[str, list[Candidate]] = {}
    for identifier, rivals in groupby(sorted(members, key=_identifier), key=_identifier):
        winners[identifier] = _choose(list(rivals), before.get(identifier), verdicts)
    row = _union(winners, standing, entry, rules)
    if rules.policy is Policy.CREATE_ONLY and standing is not None and standing.rrset != row.rrset:
        text = f"{key} stands there already, and policy create-only changes nothing"
        verdicts.update(dict.fromkeys(row.refs, Verdict(Reason.ENDPOINT_FILTERED, text)))
        return _as_it_stands(node, key, standing, rules)
    return row


def _identifier(candidate: Candidate) -> str:
    return candidate.endpoint.set_identifier


def _entry(node: Node, key: RRsetKey, rules: Rules) -> tuple[Name | None, Verdict | None]:
    """Where the registry's text of an RRset is to stand, and why it cannot."""
    try:
        entry = rules.registry.name_of(key, node.origin)
    except InvalidName as error:
        return None, Verdict(Reason.ENDPOINT_INVALID, str(error))
    return entry, node.occupied.get(entry) if entry is not None else None


def _foreign(node: Node, key: RRsetKey, standing: Standing | None) -> Verdict | None:
    """What stands at the name and is somebody else's, so that nobody's endpoint can have this type there."""
    if standing is not None and not standing.ours:
        return Verdict(Reason.OWNER_MISMATCH, f"{key} {_whose(standing)}; it is left alone")
    if standing is None:
        for rdtype, other in node.standing.items():
            # external-dns does not share a name with somebody else either.
            if not other.ours:
                text = f"{node.name} {rt.to_text(rdtype)} {_whose(other)}; the name is left alone"
                return Verdict(Reason.OWNER_MISMATCH, text)
    return None


def _whose(standing: Standing) -> str:
    owners = sorted({entry.owner for entry in standing.entries})
    if not owners:
        return "stands there without a registry entry, so it is somebody else's"
    return f"belongs to owner {', '.join(map(_shown, owners))}"


def _shown(text: str) -> str:
    """What others wrote into DNS: short and printable."""
    return ascii(text[:63])


def _resources(standing: Standing | None) -> Mapping[str, str]:
    """Set identifier -> the object that has the row. The registry does not know identifiers."""
    if standing is None:
        return {}
    if standing.planned is not None:
        return standing.planned.resources
    return {"": standing.entries[0].resource} if standing.entries else {}


def _choose(rivals: list[Candidate], incumbent: str | None, verdicts: dict[ObjectRef, Verdict]) -> list[Candidate]:
    """The winner of a row, those that share it, and those that want the very same."""
    if len(rivals) == 1:
        return rivals
    groups = _sharing(rivals)
    winner = min(groups, key=lambda group: (all(each.resource != incumbent for each in group), _order_of(group)))
    together = sorted(winner, key=lambda each: each.resource != incumbent)
    first, data = together[0], _data(together)
    for each in (each for group in groups if group is not winner for each in group):
        if each.rrset.data == data:
            together.append(each)
        else:
            text = f"{first.ref} has {first.key} with other targets"
            verdicts[each.ref] = Verdict(Reason.CONFLICT_LOST, text)
    return together


def _sharing(rivals: Iterable[Candidate]) -> list[list[Candidate]]:
    """Services of one namespace that ask for one name share it, as do Ingresses, and whoever has an address shares its
    PTR. DNSEndpoints share nothing that they ask for by name.

    external-dns lets those of all namespaces share: then one tenant could have a part of another's visitors."""
    groups: dict[object, list[Candidate]] = {}
    for each in sorted(rivals, key=_order):
        shared = each.ref.kind in {"Service", "Ingress"} or each.endpoint.derived
        kind = "" if each.endpoint.derived else each.ref.kind
        groups.setdefault((kind, each.ref.namespace) if shared else each.ref, []).append(each)
    return list(groups.values())


def _data(group: Iterable[Candidate]) -> frozenset[bytes]:
    return frozenset[bytes]().union(*(each.rrset.data for each in group))


def _order_of(group: Sequence[Candidate]) -> tuple[object, ...]:
    targets = {target for each in group for target in each.endpoint.targets}
    return (len(targets), *_order(group[0])[1:])


def _union(winners: Mapping[str, list[Candidate]], standing: Standing | None, entry: Name | None, rules: Rules) -> Row:
    members = [each for together in winners.values() for each in together]
    data = _data(members)
    resources = {identifier: together[0].resource for identifier, together in winners.items()}
    texts = _texts(resources.values(), standing, rules)
    rrset = replace(members[0].rrset, ttl=_ttl(members, standing), data=data)
    return Row(
        stands=standing is not None and standing.agreed and (standing.rrset, standing.texts) == (rrset, texts),
        rrset=rrset,
        entry=entry,
        texts=texts,
        resources=resources,
        members=tuple(sorted(members, key=lambda each: each.ref)),
    )


def _ttl(members: list[Candidate], standing: Standing | None) -> int:
    """The smallest that anybody gave; where nobody did, what stands there stays (RFC 2181 5.2: one TTL per RRset)."""
    given = [each.endpoint.ttl for each in members if each.endpoint.ttl]
    if given:
        return min(given)
    return standing.rrset.ttl if standing is not None else members[0].rrset.ttl


def _texts(resources: Collection[str], standing: Standing | None, rules: Rules) -> frozenset[str]:
    """What stands there already in other words (quotes, more labels) and says the same stays as it is."""
    wanted = {Entry(rules.owner, resource) for resource in resources}
    known = {parse_entry(text): text for text in standing.texts} if standing else {}
    return frozenset(known.get(entry) or entry.text() for entry in wanted)


def _as_it_stands(node: Node, key: RRsetKey, standing: Standing, rules: Rules) -> Row:
    if standing.planned is not None:
        return replace(standing.planned, members=())
    entry = rules.registry.name_of(key, node.origin)
    return Row(standing.rrset, entry, standing.texts, _resources(standing))


# --- what is left of earlier plans


def _kept(node: Node, rows: Mapping[RRsetKey, Row], rules: Rules) -> dict[RRsetKey, Row]:
    """What nobody asks for any more and stays all the same, as it is: because the policy lets nothing go, or because
    the object that had it cannot be read."""
    kept = {}
    for rdtype, standing in node.standing.items():
        key = RRsetKey(node.name, rdtype)
        by_policy = rules.policy is not Policy.SYNC and standing.planned is not None
        if key not in rows and standing.ours and (by_policy or rdtype in node.held):
            kept[key] = _as_it_stands(node, key, standing, rules)
    return kept


def _obsolete(node: Node, rows: Mapping[RRsetKey, Row], rules: Rules) -> Iterator[tuple[RRsetKey, frozenset[str]]]:
    """Our RRsets that nobody wants, with their entries. Where the servers differ, nothing is known well enough."""
    if rules.policy is not Policy.SYNC:
        return
    ours = {RRsetKey(node.name, rdtype): each for rdtype, each in node.standing.items() if each.ours}
    going = {key: each for key, each in ours.items() if key not in rows and (each.agreed or each.going)}
    for key, standing in going.items():
        resources = frozenset(entry.resource for entry in standing.entries)
        entries = list(rules.registry.entries_of(key, node.origin))
        # An entry of external-dns before 0.12 is about all types of the name.
        last = not rows and len(going) == len(ours)
        for name in entries if last else entries[:1]:
            yield RRsetKey(name, rt.TXT), resources
        yield key, resources
