"""The plan of one zone, kept up to date name by name: a changed object costs its own names, whatever the zone's size.

In: candidates from the sources, what the primaries hold, and what record objects publish. Out: RRsets that the zone
wants for endpoints, RRsets that are ours and obsolete, and for each endpoint that is left out why. Not thread-safe.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import dns.rdatatype as rt
from dns.name import Name
from dns.rdatatype import RdataType

from reconcilers.ddns.plan import UNTOUCHABLE
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.plan import Candidate, NamePlan, Node, Policy, Row, Rules, Standing, Verdict, plan
from reconcilers.endpoints.registry import parse_entry, texts_in, txt_rrset
from reconcilers.engine.api import Contributor, DesiredRRset, ObjectRef
from reconcilers.reasons import Reason

Records = Mapping[RRsetKey, RRset]
"""What one primary holds."""

Look = Callable[[Collection[RRsetKey]], Sequence[Records]]
"""What each primary holds at these keys now."""

IsHeld = Callable[[str, RRsetKey], bool]
"""Whether an object (`crd/shop/www`) that cannot be read had an RRset: then it stays."""

Taken = Callable[[Name], Mapping[RdataType, str]]
"""The types that record objects or the zone itself publish at a name, and who."""


Members = Mapping[ObjectRef, Candidate]
"""The endpoints that are published."""


class Change(NamedTuple):
    """An endpoint that begins to be published, is published otherwise, or no longer."""

    ref: ObjectRef
    before: Endpoint | None
    after: Endpoint | None


@dataclass(slots=True)
class Outcome:
    """What came of planning: endpoints whose standing is another one, and what is to be done about endpoints."""

    moved: set[ObjectRef] = field(default_factory=set)
    changes: list[Change] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)  # objects (`crd/shop/www`) of which nothing is to go any more


@dataclass(slots=True)
class _NameState:
    candidates: dict[ObjectRef, Candidate] = field(default_factory=dict)
    plan: NamePlan = field(default_factory=NamePlan)
    entries: dict[RRsetKey, Sequence[Name]] = field(default_factory=dict)  # where those of its RRsets may stand

    @property
    def entry_names(self) -> set[Name]:
        return {name for names in self.entries.values() for name in names}


class ZonePlanner:
    """All names of a zone that endpoints want, or that hold something of theirs."""

    def __init__(self, origin: Name, rules: Rules, is_held: IsHeld = lambda _resource, _key: False) -> None:
        self._origin = origin
        self._rules = rules
        self._manages = rules.manages
        self._is_held = is_held
        self._names: dict[Name, _NameState] = {}
        self._where: dict[ObjectRef, Name] = {}
        self._types: dict[Name, set[RdataType]] = {}  # what stood at each name when the servers were last read
        self._dirty: set[Name] = set()
        self._entries: dict[Name, dict[RRsetKey, frozenset[str]]] = {}  # entry name -> the rows that it tells of
        self._looked_at: dict[Name, set[Name]] = {}  # entry name -> the names whose plan it is a part of
        self._wanted: dict[RRsetKey, DesiredRRset] = {}
        self._obsolete: dict[Name, dict[RRsetKey, frozenset[str]]] = {}
        self._last_obsolete = frozenset[RRsetKey]()

    # --- what changed

    def put(self, candidate: Candidate) -> bool:
        """A new endpoint, or a new version of one; of the same reference there is one. False if it is known already."""
        name = candidate.key.name
        if self._where.get(candidate.ref, name) != name:
            self.drop(candidate.ref)
        state = self._names.setdefault(name, _NameState())
        if state.candidates.get(candidate.ref) == candidate:
            return False
        state.candidates[candidate.ref] = candidate
        self._where[candidate.ref] = name
        self._dirty.add(name)
        return True

    def drop(self, ref: ObjectRef) -> None:
        """The endpoint is gone."""
        name = self._where.pop(ref, None)
        if name is not None:
            del self._names[name].candidates[ref]
            self._dirty.add(name)

    def touch(self, names: Iterable[Name]) -> None:
        """Record objects changed at these names."""
        for name in names:
            self._dirty.update(self._looked_at.get(name, ()))
            if name in self._names:
                self._dirty.add(name)

    def touch_kept(self) -> None:
        """Whether objects can be read changed: what stays because of that is decided anew."""
        self._dirty.update(
            name for name, state in self._names.items() if any(not row.members for row in state.plan.rows.values())
        )

    def read(self, primaries: Sequence[Records]) -> None:
        """The servers were read as a whole: every name that endpoints have, or may have, there is looked at again."""
        self._types = {}
        for key in {key for records in primaries for key in records}:
            if key.rdtype not in UNTOUCHABLE:
                self._types.setdefault(key.name, set()).add(key.rdtype)
        self._dirty.update(self._names)
        self._dirty.update(self._owned_names(primaries))

    def _owned_names(self, primaries: Sequence[Records]) -> Iterator[Name]:
        """Where something of ours stands that nobody may want any more."""
        for records in primaries:
            for key, rrset in records.items():
                if key.rdtype in UNTOUCHABLE or key.name in self._names or _is_registry(rrset):
                    continue
                if _entry_texts(self._entry_names(key), records):
                    yield key.name

    # --- the plan

    def plan(self, look: Look, taken: Taken) -> Outcome:
        """Decide every name that changed."""
        outcome, going = Outcome(), self._going_resources()
        self._dirty.update(self._obsolete)  # until it is seen to be gone
        while self._dirty:
            name = self._dirty.pop()
            before, after = self._plan_name(name, look, taken)
            had, has = _members(before), _members(after)
            outcome.moved |= _moved(before, after) | (had.keys() ^ has.keys())
            outcome.changes += _changes(had, has, after)
        outcome.gone = going - self._going_resources()
        return outcome

    def _plan_name(self, name: Name, look: Look, taken: Taken) -> tuple[NamePlan, NamePlan]:
        state = self._names.setdefault(name, _NameState())
        before = state.plan
        state.plan = plan(self._node(name, state, look, taken), self._rules)
        self._install(before.rows, state.plan, look)
        self._obsolete.pop(name, None)
        if going := self._going(state.plan, look):
            self._obsolete[name] = going
        elif not state.candidates and not state.plan.rows:
            self._forget(name, state)
        return before, state.plan

    def _forget(self, name: Name, state: _NameState) -> None:
        del self._names[name]
        for entry in state.entry_names:
            self._looked_at[entry].discard(name)
            if not self._looked_at[entry]:
                del self._looked_at[entry]

    def _going(self, made: NamePlan, look: Look) -> dict[RRsetKey, frozenset[str]]:
        """What is obsolete and stands there. An entry with somebody else's text beside it stays."""
        if not made.obsolete:
            return {}
        primaries = look(made.obsolete)
        return {
            key: resources
            for key, resources in made.obsolete.items()
            if any(_may_go(key, records) for records in primaries)
        }

    def _node(self, name: Name, state: _NameState, look: Look, taken: Taken) -> Node:
        types = self._types.get(name, set()) | {each.key.rdtype for each in state.candidates.values()}
        types |= {key.rdtype for key in state.plan.rows}
        keys = [RRsetKey(name, rdtype) for rdtype in sorted(types) if self._manages(RRsetKey(name, rdtype))]
        for key in keys:
            self._note_entries(key, state)
        entries = state.entry_names
        # What a record object publishes at an entry's name is no entry.
        theirs = {each: who for each in entries if (who := taken(each).get(rt.TXT))}
        texts = {RRsetKey(each, rt.TXT) for each in entries - theirs.keys()}
        primaries = look({*keys, *texts})
        others = dict(taken(name))
        if rows := self._entries.get(name):
            others.setdefault(rt.TXT, f"the registry entry of {next(iter(rows))}")
        standing = {
            key.rdtype: found
            for key in keys
            if key.rdtype not in others and (found := self._standing(key, state, primaries))
        }
        present = (state.entries[key][0] for key in keys if state.entries[key])
        occupied = {each: why for each in present if (why := self._occupied(each, primaries, theirs))}
        held = frozenset(kind for kind, each in standing.items() if self._holds(RRsetKey(name, kind), each))
        return Node(name, self._origin, tuple(state.candidates.values()), others, standing, occupied, held)

    def _holds(self, key: RRsetKey, standing: Standing) -> bool:
        resources = {entry.resource for entry in standing.entries}
        if standing.planned is not None:
            resources.update(standing.planned.resources.values())
        return any(self._is_held(resource, key) for resource in resources)

    def _note_entries(self, key: RRsetKey, state: _NameState) -> None:
        if key not in state.entries:
            state.entries[key] = self._entry_names(key)
            for entry in state.entries[key]:
                self._looked_at.setdefault(entry, set()).add(key.name)

    def _entry_names(self, key: RRsetKey) -> Sequence[Name]:
        return self._rules.registry.entries_of(key, self._origin)

    def _standing(self, key: RRsetKey, state: _NameState, primaries: Sequence[Records]) -> Standing | None:
        entries, planned = state.entries[key], state.plan.rows.get(key)
        found = [(records[key], _entry_texts(entries, records)) for records in primaries if key in records]
        if not found or all(_is_registry(rrset) for rrset, _ in found):
            return None
        ours = all(self._is_ours(rrset, texts, planned) for rrset, texts in found)
        rrset, texts = found[0]
        same = all(each == found[0] for each in found)
        agreed, going = same and len(found) == len(primaries), same and key in state.plan.obsolete
        kept = planned if planned is not None and ours and planned.rrset == rrset else None
        return Standing(rrset, texts, ours, agreed, kept, going)

    def _is_ours(self, rrset: RRset, texts: Collection[str], planned: Row | None) -> bool:
        """By its entry; without a registry, by what this process published."""
        entries = [entry for text in texts if (entry := parse_entry(text))]
        if entries:
            return all(entry.owner == self._rules.owner for entry in entries)
        return planned is not None and planned.entry is None and planned.rrset == rrset

    def _occupied(self, entry: Name, primaries: Sequence[Records], theirs: Mapping[Name, str]) -> Verdict | None:
        """What else stands where an entry would have to stand."""
        key = RRsetKey(entry, rt.TXT)
        if entry in theirs:
            text = f"{theirs[entry]} publishes {key}, where the registry entry has to stand"
            return Verdict(Reason.CONFLICT_LOST, text)
        for records in primaries:
            texts = texts_in(records[key]) if key in records else []
            owners = {found.owner for text in texts if (found := parse_entry(text))}
            if texts and owners != {self._rules.owner}:
                whose = f"owner {min(owners)[:63]!a}" if owners else "somebody else"
                text = f"{key}, where the registry entry has to stand, belongs to {whose}; it is left alone"
                return Verdict(Reason.OWNER_MISMATCH, text)
        return None

    # --- what comes of it

    def _install(self, before: Mapping[RRsetKey, Row], after: NamePlan, look: Look) -> None:
        entries = set()
        for key in before.keys() - after.rows.keys():
            del self._wanted[key]
            entries |= self._tell(before[key].entry, key, None)
        for key, row in after.rows.items():
            if (old := before.get(key)) is not None and old.entry != row.entry:
                entries |= self._tell(old.entry, key, None)
            entries |= self._tell(row.entry, key, row.texts)
            if old != row or key not in self._wanted:
                self._wanted[key] = _desired(row)
        for entry in entries:
            self._publish_entry(entry, look)

    def _tell(self, entry: Name | None, row: RRsetKey, texts: frozenset[str] | None) -> set[Name]:
        """Note what an entry says of a row; the entries that changed by that."""
        if entry is None:
            return set()
        known = self._entries.setdefault(entry, {})
        if texts is None:
            known.pop(row, None)
        else:
            known[row] = texts
        if not known:
            del self._entries[entry]
        if entry in self._names:
            self._dirty.add(entry)  # whoever wants a TXT of that name
        return {entry}

    def _publish_entry(self, entry: Name, look: Look) -> None:
        key, rows = RRsetKey(entry, rt.TXT), self._entries.get(entry, {})
        standing = next((records[key] for records in look([key]) if key in records), None)
        # Somebody else's texts beside ours stay.
        others = {text for text in texts_in(standing) if not parse_entry(text)} if standing is not None else set()
        texts = others.union(*rows.values())
        if not texts or (not rows and key not in self._wanted):
            self._wanted.pop(key, None)
            return
        given = [standing] if standing is not None else [self._row(each).rrset for each in rows]
        contributors = frozenset[Contributor]().union(*(self._row(each).contributors for each in rows))
        self._wanted[key] = DesiredRRset(
            txt_rrset(entry, min(rrset.ttl for rrset in given), texts),
            contributors,
            planned=True,
        )

    def _row(self, key: RRsetKey) -> Row:
        return self._names[key.name].plan.rows[key]

    # --- reading

    def ours(self, records: Records) -> frozenset[RRsetKey]:
        """All that is ours by the registry among these, with its entries: to go where the zone has left a server."""
        if self._rules.policy is not Policy.SYNC:
            return frozenset()
        found = set[RRsetKey]()
        for key in records:
            names = self._entry_names(key) if key.rdtype not in UNTOUCHABLE else ()
            texts = _entry_texts(names, records)
            if texts and self._manages(key) and self._is_ours(records[key], texts, None):
                entries = (RRsetKey(name, rt.TXT) for name in names)
                found.update(each for each in (key, *entries) if _may_go(each, records))
        return frozenset(found)

    @property
    def wanted(self) -> Mapping[RRsetKey, DesiredRRset]:
        """A copy that stays as it is."""
        return self._wanted.copy()

    @property
    def obsolete(self) -> frozenset[RRsetKey]:
        """Ours, and wanted by nobody; the same object until it changes. What another name needs is none (an entry)."""
        found = frozenset(key for keys in self._obsolete.values() for key in keys if key not in self._wanted)
        if found != self._last_obsolete:
            self._last_obsolete = found
        return self._last_obsolete

    @property
    def undecided_pods(self) -> int:
        """Members from pods of endpoints that no plan was made for."""
        states = [self._names[name] for name in self._dirty if name in self._names]
        return sum(
            each.endpoint.pods
            for state in states
            for each in state.candidates.values()
            if not any(each.ref in row.refs for row in state.plan.rows.values())
        )

    def verdict(self, ref: ObjectRef) -> Verdict | None:
        """Why the endpoint is left out; None if it is published, or not decided yet."""
        name = self._where.get(ref)
        return self._names[name].plan.verdicts.get(ref) if name is not None else None

    def is_going(self, resource: str) -> bool:
        """Whether something of the object (`crd/shop/www`) stands in the zone that is to go."""
        return resource in self._going_resources()

    def _going_resources(self) -> set[str]:
        return {resource for going in self._obsolete.values() for resources in going.values() for resource in resources}


def _desired(row: Row) -> DesiredRRset:
    return DesiredRRset(row.rrset, row.contributors, pods=row.pods, planned=True)


def _entry_texts(names: Iterable[Name], records: Records) -> frozenset[str]:
    """The registry's texts about an RRset: those at the present name of its entry, else those of earlier versions."""
    for name in names:
        rrset = records.get(RRsetKey(name, rt.TXT))
        texts = frozenset(text for text in texts_in(rrset) if parse_entry(text)) if rrset is not None else None
        if texts:
            return texts
    return frozenset()


def _may_go(key: RRsetKey, records: Records) -> bool:
    return key in records and (key.rdtype != rt.TXT or not _is_mixed(records[key]))


def _is_mixed(rrset: RRset) -> bool:
    """A registry entry with other texts beside it."""
    entries = [parse_entry(text) is not None for text in texts_in(rrset)]
    return any(entries) and not all(entries)


def _is_registry(rrset: RRset) -> bool:
    return rrset.rdtype == rt.TXT and all(parse_entry(text) for text in texts_in(rrset))


def _moved(before: NamePlan, after: NamePlan) -> set[ObjectRef]:
    """The endpoints that have another verdict."""
    refs = {*before.verdicts, *after.verdicts}
    return {ref for ref in refs if before.verdicts.get(ref) != after.verdicts.get(ref)}


def _changes(had: Members, has: Members, after: NamePlan) -> Iterator[Change]:
    """What stands there already as it is to be is no change."""
    standing = {ref for row in after.rows.values() if row.stands for ref in row.refs}
    for ref in had.keys() | has.keys():
        old, new = had.get(ref), has.get(ref)
        if (old is None or new is None or old.version != new.version) and ref not in standing:
            yield Change(ref, old.endpoint if old else None, new.endpoint if new else None)


def _members(made: NamePlan) -> Members:
    return {each.ref: each for row in made.rows.values() for each in row.members}
