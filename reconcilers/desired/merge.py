"""What one zone wants published: the union of what its records contribute, with conflicts settled. Pure.

selection.py puts in one `Piece` per record of the zone; zone.py hands `wanted` and `owned` to the engine. The RRset is
the unit: two MX objects at one name make one RRset. A name that carries a CNAME carries nothing else (RFC 1034 3.6.2),
and BIND would ignore the second one in silence, so it is decided here: the oldest object wins, the others are told."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dns.name import Name
from dns.rdatatype import CNAME

from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine.api import Contribution, Contributor, ObjectRef


@dataclass(frozen=True, slots=True)
class Piece:
    """One record's part in one zone."""

    ref: ObjectRef
    version: str  # recordHash; "" for what the zone itself wants: nobody waits to hear about it
    age: str  # creationTimestamp: RFC 3339 in UTC sorts as text
    rrset: RRset | None  # None: nothing to publish (not claimed yet, deleting, or it cannot be read)
    owned: frozenset[RRsetKey] = frozenset()  # ours to remove when nobody wants it any more
    readable: bool = True
    fallback: bool = False  # only where nobody else has anything to say at the name

    @property
    def seniority(self) -> tuple[str, str, str, str]:
        return (self.age, self.ref.namespace, self.ref.name, self.ref.kind)


Who = tuple[str, str]  # (kind, name) of a record: a zone and its records share a namespace


@dataclass(frozen=True, slots=True)
class Settled:
    wanted: Mapping[RRsetKey, Contribution]
    lost: Mapping[ObjectRef, ObjectRef]  # loser -> winner


@dataclass(slots=True)
class _Spot:
    """One name of the zone: who has something to say there, and what came of it."""

    pieces: dict[Who, Piece] = field(default_factory=dict)
    settled: Settled = field(default_factory=lambda: Settled({}, {}))


class ZoneContents:
    """Kept up to date piece by piece, at a cost that depends on the name that changed and not on the zone's size."""

    def __init__(self) -> None:
        self._pieces: dict[Who, Piece] = {}
        self._spots: dict[Name, _Spot] = {}
        self._owners: dict[RRsetKey, frozenset[ObjectRef]] = {}
        self._owned: Mapping[RRsetKey, frozenset[ObjectRef]] | None = None  # a copy of it, once somebody asked
        self._unreadable: Counter[RRsetKey] = Counter()
        self._wanted: dict[RRsetKey, Contribution] = {}

    def put(self, piece: Piece) -> bool:
        """True if this changed anything."""
        before = self._pieces.get(_who(piece.ref))
        if before == piece:
            return False
        self._replace(_who(piece.ref), before, piece)
        return True

    def drop(self, who: Who) -> None:
        if before := self._pieces.get(who):
            self._replace(who, before, None)

    def _replace(self, who: Who, before: Piece | None, after: Piece | None) -> None:
        if after is not None:
            self._pieces[who] = after
        else:
            del self._pieces[who]
        self._own(before, after)
        if before is not None and not before.readable:
            _subtract(self._unreadable, before.owned)
        if after is not None and not after.readable:
            self._unreadable.update(after.owned)
        if before is not None and before.rrset is not None:
            del self._spots[before.rrset.name].pieces[who]
        if after is not None and after.rrset is not None:
            self._spots.setdefault(after.rrset.name, _Spot()).pieces[who] = after
        for name in {piece.rrset.name for piece in (before, after) if piece is not None and piece.rrset is not None}:
            self._settle(name)

    def _own(self, before: Piece | None, after: Piece | None) -> None:
        """Most changes are of a value: then nobody owns anything else than before."""
        had = {(key, before.ref) for key in before.owned} if before else set()
        has = {(key, after.ref) for key in after.owned} if after else set()
        for key, ref in had - has:
            others = self._owners[key] - {ref}
            self._owners[key] = others
            if not others:
                del self._owners[key]
        for key, ref in has - had:
            self._owners[key] = self._owners.get(key, frozenset()) | {ref}
        if had != has:
            self._owned = None

    @property
    def wanted(self) -> Mapping[RRsetKey, Contribution]:
        """A copy that stays as it is. `dict.copy` keeps the hashes: 10,000 names cost a tenth of a millisecond."""
        return self._wanted.copy()

    @property
    def owned(self) -> Mapping[RRsetKey, frozenset[ObjectRef]]:
        """The same copy until it changes: by that the engine sees that there is nothing to compare."""
        if self._owned is None:
            self._owned = self._owners.copy()
        return self._owned

    @property
    def unreadable(self) -> frozenset[RRsetKey]:
        return frozenset(self._unreadable)

    def winner_over(self, who: Who) -> ObjectRef | None:
        """The object that keeps this one from being published, if one does."""
        piece = self._pieces.get(who)
        if piece is None or piece.rrset is None:
            return None
        return self._spots[piece.rrset.name].settled.lost.get(piece.ref)

    def rrset_of(self, who: Who) -> RRset | None:
        """What one record contributes by itself."""
        piece = self._pieces.get(who)
        return piece.rrset if piece else None

    def __len__(self) -> int:
        return len(self._pieces)

    def _settle(self, name: Name) -> None:
        """Decide one name anew."""
        spot, before = self._spots[name], self._spots[name].settled
        spot.settled = _reuse(before, settle(spot.pieces.values()))
        # What stays is replaced in place: a dict full of holes is copied entry by entry.
        for key in before.wanted.keys() - spot.settled.wanted.keys():
            del self._wanted[key]
        self._wanted.update(spot.settled.wanted)
        if not spot.pieces:
            del self._spots[name]


def settle(pieces: Iterable[Piece]) -> Settled:
    """Which of the pieces at one name are published together."""
    everyone = list(pieces)
    spoken_for = any(not piece.fallback for piece in everyone)
    chosen: list[Piece] = []
    lost: dict[ObjectRef, ObjectRef] = {}
    for piece in sorted(everyone, key=lambda piece: piece.seniority):
        if piece.fallback and spoken_for:
            continue
        rival = next((other for other in chosen if _clash(piece, other)), None)
        if rival is None:
            chosen.append(piece)
        else:
            lost[piece.ref] = rival.ref
    return Settled(_union(chosen), lost)


def _clash(one: Piece, other: Piece) -> bool:
    """A CNAME bears no company but its own equal."""
    if one.rrset is None or other.rrset is None or CNAME not in {one.rrset.rdtype, other.rrset.rdtype}:
        return False
    return one.rrset.rdtype != other.rrset.rdtype or one.rrset.data != other.rrset.data


def _union(pieces: Iterable[Piece]) -> dict[RRsetKey, Contribution]:
    together: dict[RRsetKey, list[Piece]] = {}
    for piece in pieces:
        if piece.rrset is not None:
            together.setdefault(piece.rrset.key, []).append(piece)
    return {key: _contribution(members) for key, members in together.items()}


def _contribution(members: list[Piece]) -> Contribution:
    """RFC 2181 5.2: all records of an RRset have one TTL; the smallest, so that nobody's is exceeded."""
    rrsets = [piece.rrset for piece in members if piece.rrset is not None]
    first = rrsets[0]
    if len(rrsets) > 1:
        data = frozenset[bytes]().union(*(rrset.data for rrset in rrsets))
        first = RRset(first.name, first.rdtype, min(rrset.ttl for rrset in rrsets), data)
    return Contribution(first, frozenset(Contributor(piece.ref, piece.version) for piece in members if piece.version))


def _reuse(before: Settled, after: Settled) -> Settled:
    """The engine tells what changed by identity: what says the same stays the same object."""
    wanted = {key: _same(before.wanted.get(key), contribution) for key, contribution in after.wanted.items()}
    return Settled(wanted, after.lost)


def _same(before: Contribution | None, after: Contribution) -> Contribution:
    unchanged = before and before.rrset == after.rrset and before.contributors == after.contributors
    return before if before and unchanged else after


def _who(ref: ObjectRef) -> Who:
    return (ref.kind, ref.name)


def _subtract(counter: Counter[RRsetKey], keys: Iterable[RRsetKey]) -> None:
    for key in keys:
        counter[key] -= 1
        if not counter[key]:
            del counter[key]
