"""Which zones select which records, and what each zone is to publish: a view over the caches.

The informers keep it up to date as a view, before any controller is woken by the same event, so a reconcile that runs
after its caches have synced always finds the whole of a zone here and never a part. One changed record costs its own
decoding and the names it touches, whatever the size of the zone. Knows no API server and no DNS server."""

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from dns.name import Name

from reconcilers.ddns.errors import InvalidName
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.desired.merge import Contribution, Who, ZoneContents
from reconcilers.desired.rdata import contribution_of, data_of
from reconcilers.desired.views import RecordView, Side, ZoneView, one_of, record_view, remembered_zone, zone_view
from reconcilers.engine.api import DesiredRRset, ObjectRef
from zonewright import InvalidObject, InvalidSelector, LabelIndex, Object, Operator, Request, Selector


@dataclass(frozen=True, slots=True)
class ZoneSet:
    """All that a zone is to publish, at one moment."""

    wanted: Mapping[RRsetKey, DesiredRRset]
    claimed: Mapping[RRsetKey, frozenset[ObjectRef]]
    adopted: Mapping[str, frozenset[RRsetKey]]
    unreadable: frozenset[RRsetKey]
    touched: frozenset[Name] = frozenset()  # names decided anew, or let go, since the zone was last read


@dataclass(frozen=True, slots=True)
class Tally:
    """How many records a zone selects, how many of them are Ready, and the first of those by kind and name."""

    selected: int
    ready: int
    names: tuple[Who, ...]


@dataclass(frozen=True, slots=True)
class Membership:
    """A record's standing with one zone: selected by it, or only still holding something there."""

    zone: ZoneView
    selected: bool
    error: str | None = None  # why it cannot be published there
    winner: ObjectRef | None = None  # who is published in its place
    too_many: bool = False  # older records fill the RRset
    rrset: RRset | None = None  # its own data there, once it is claimed
    in_last_snapshot: bool = (
        False  # the zone as last read had it, so it may yet be published though it wants nothing any more
    )


class _Ordered:
    """A set in order: moving the tail of a list by one is cheaper than finding the first thousand each time."""

    def __init__(self) -> None:
        self._items: list[Who] = []

    def add(self, who: Who) -> None:
        if who not in self:
            self._items.insert(bisect_left(self._items, who), who)

    def discard(self, who: Who) -> None:
        if who in self:
            del self._items[bisect_left(self._items, who)]

    def first(self, count: int) -> tuple[Who, ...]:
        return tuple(self._items[:count])

    def __contains__(self, who: Who) -> bool:
        at = bisect_left(self._items, who)
        return at < len(self._items) and self._items[at] == who

    def __len__(self) -> int:
        return len(self._items)


@dataclass(frozen=True, slots=True)
class _Member:
    """A record in a zone. Its data is kept: most of its events are about its metadata and status."""

    selected: bool
    zone: ZoneView
    version: str
    data: RRset | None = None
    error: str | None = None

    @classmethod
    def of(cls, record: RecordView, zone: ZoneView, *, selected: bool, before: "_Member | None") -> "_Member":
        if not selected:
            return cls(False, zone, record.version)
        if before is not None and before.selected and before.version == record.version and before.zone == zone:
            return before
        return cls(True, zone, record.version, *data_of(record, zone))


@dataclass(slots=True)
class _Zone:
    view: ZoneView
    contents: ZoneContents = field(default_factory=ZoneContents)
    own: tuple[Who, ...] = ()
    members: dict[Who, _Member] = field(default_factory=dict)
    selected: set[Who] = field(default_factory=set)
    ready: _Ordered = field(default_factory=_Ordered)
    in_last_snapshot: set[Who] = field(default_factory=set)  # took their data back since the zone was last read


@dataclass(slots=True)
class _Namespace:
    """Selection never crosses namespaces, so nothing here looks at more than one."""

    zones: dict[str, _Zone] = field(default_factory=dict)
    named: dict[str, set[str]] = field(default_factory=dict)  # zone name -> its zone objects
    index: LabelIndex[str] = field(default_factory=LabelIndex)  # record's labels -> zone objects that select it
    records: dict[Who, RecordView] = field(default_factory=dict)
    labelled: dict[tuple[str, str], set[Who]] = field(default_factory=dict)
    claiming: dict[str, set[Who]] = field(default_factory=dict)  # zone name -> records that hold something there
    standing: dict[Who, set[str]] = field(default_factory=dict)  # record -> zone objects it stands in

    def file(self, record: RecordView) -> None:
        self.unfile(record.who)
        self.records[record.who] = record
        for label in record.labels.items():
            self.labelled.setdefault(label, set()).add(record.who)
        for zone_name in record.claim.zones:
            self.claiming.setdefault(zone_name, set()).add(record.who)

    def unfile(self, who: Who) -> bool:
        record = self.records.pop(who, None)
        if record is None:
            return False
        for label in record.labels.items():
            _take(self.labelled, label, who)
        for zone_name in record.claim.zones:
            _take(self.claiming, zone_name, who)
        return True

    def concerned(self, zone: ZoneView) -> set[Who]:
        """The records that a zone selects or that hold something there: found by their labels, not one by one."""
        found = set(self.claiming.get(zone.zone_name, ()))
        for selector in zone.selectors:
            found.update(who for who in self._near(selector) if selector.matches(self.records[who].labels))
        return found

    def _near(self, selector: Selector) -> Iterable[Who]:
        """A small set that has every record the selector matches."""
        options = [
            [self.labelled.get((requirement.key, value), set()) for value in requirement.values]
            for requirement in selector.requirements or ()
            if requirement.operator is Operator.IN
        ]
        if not options:
            return list(self.records)
        fewest = min(options, key=lambda sets: sum(map(len, sets)))
        return set[Who]().union(*fewest)


class Selection:
    """Thread-safe. Reflectors write, reconcilers and mappers read.

    `on_ready_count` hears of zones whose count of Ready records moved: their status is due, but there is no hurry.
    `dry_run`: nobody writes claims, so what would be claimed is taken for claimed.
    """

    def __init__(
        self, on_ready_count: Callable[[Request], None] = lambda _zone: None, *, dry_run: bool = False
    ) -> None:
        self._on_ready_count = on_ready_count
        self._dry_run = dry_run
        self._lock = threading.Lock()
        self._namespaces: dict[str, _Namespace] = {}
        self._named: dict[Name, set[Request]] = {}  # zone objects of one name, in all namespaces

    # -- kept up to date by the informers, as views: before any controller is woken by the same event. They do not
    # raise: of an object that cannot be read its own reconcile says why.

    def on_zone(self, old: Side, new: Side, initial: bool) -> None:  # noqa: ARG002 - a Handler
        if new is None:
            self.drop_zone(one_of(old, new).key)
            return
        try:
            self.put_zone(zone_view(new))
        except (InvalidObject, InvalidName, InvalidSelector):
            self._keep_zone(new)

    def on_record(self, old: Side, new: Side, initial: bool) -> None:  # noqa: ARG002 - a Handler
        if new is None:
            gone = one_of(old, new)
            self.drop_record(gone.namespace, (gone.kind.kind, gone.name))
            return
        for zone in self.put_record(record_view(new)):
            self._on_ready_count(zone)

    def _keep_zone(self, unreadable: Object[Any]) -> None:
        """As it last was, or as far as it can be read: records must not let go of what they hold in a zone that may be
        served."""
        known = self.zone(unreadable.key)
        if known is not None and known.uid == unreadable.uid:
            kept: ZoneView | None = replace(known, deleting=unreadable.deleting)
        else:
            kept = remembered_zone(unreadable)
        if kept is not None:
            self.put_zone(kept)
        else:
            self.drop_zone(unreadable.key)

    def put_zone(self, view: ZoneView) -> None:
        with self._lock:
            here = self._namespaces.setdefault(view.key.namespace, _Namespace())
            zone = here.zones.get(view.key.name)
            if zone is not None and zone.view == view:
                return  # only its status or other metadata changed
            if zone is None or zone.view.uid != view.uid:  # new, or deleted and created again between two events
                self._drop_zone(view.key)
                zone = here.zones[view.key.name] = _Zone(view)
                here.named.setdefault(view.zone_name, set()).add(view.key.name)
                self._named.setdefault(view.origin, set()).add(view.key)
            zone.view = view
            here.index.put(view.key.name, () if view.deleting else view.selectors)
            for who in here.concerned(view) | zone.members.keys():
                _place(here, here.records[who], dry_run=self._dry_run)

    def drop_zone(self, key: Request) -> None:
        with self._lock:
            self._drop_zone(key)
            self._forget_if_empty(key.namespace)

    def put_record(self, view: RecordView) -> list[Request]:
        """The zones whose count of Ready records that changed."""
        with self._lock:
            here = self._namespaces.setdefault(view.key.namespace, _Namespace())
            here.file(view)
            return [Request(view.key.namespace, name) for name in _place(here, view, dry_run=self._dry_run)]

    def drop_record(self, namespace: str, who: Who) -> None:
        with self._lock:
            here = self._namespaces.get(namespace)
            if here is not None and here.unfile(who):
                for name in here.standing.pop(who, ()):
                    _leave(here.zones[name], who)
            self._forget_if_empty(namespace)

    def set_own(self, key: Request, contributions: Iterable[Contribution]) -> None:
        """What the zone itself wants beyond its records: the apex NS, and addresses for them."""
        with self._lock:
            zone = self._zone(key)
            if zone is None:
                return
            mine = {(contribution.ref.kind, contribution.ref.name): contribution for contribution in contributions}
            for who in zone.own:
                if who not in mine:
                    zone.contents.drop(who)
            for contribution in mine.values():
                zone.contents.put(contribution)
            zone.own = tuple(mine)

    # -- read by mappers and reconcilers

    def memberships(self, namespace: str, who: Who) -> list[Membership]:
        """The zones that select a record, and those that still hold something of it, in a stable order."""
        with self._lock:
            here = self._namespaces.get(namespace)
            if here is None:
                return []
            zones = (here.zones[name] for name in sorted(here.standing.get(who, ())))
            return [_membership(zone, who) for zone in zones]

    def zone(self, key: Request) -> ZoneView | None:
        with self._lock:
            zone = self._zone(key)
            return zone.view if zone else None

    def namesakes(self, view: ZoneView) -> list[ZoneView]:
        """The other zone objects for the same zone, in any namespace."""
        with self._lock:
            keys = self._named.get(view.origin, set()) - {view.key}
            return [zone.view for zone in map(self._zone, keys) if zone is not None]

    def zones(self) -> list[ZoneView]:
        with self._lock:
            return [zone.view for here in self._namespaces.values() for zone in here.zones.values()]

    def zone_set(self, key: Request) -> ZoneSet | None:
        """The zone as it is now. Whoever asks again has done with what it got before."""
        with self._lock:
            zone = self._zone(key)
            if zone is None:
                return None
            zone.in_last_snapshot.clear()
            contents = zone.contents
            touched = contents.take_touched()
            return ZoneSet(contents.wanted, contents.owned, contents.adopted, contents.unreadable, touched)

    def zones_for(self, namespace: str, labels: Mapping[str, str], zone_names: Iterable[str]) -> set[Request]:
        """The zones that select these labels, and those of these names."""
        with self._lock:
            here = self._namespaces.get(namespace)
            if here is None:
                return set()
            names = here.index.match(labels).union(*(here.named.get(name, set()) for name in zone_names))
            return {Request(namespace, name) for name in names}

    def concerned(self, zone: ZoneView) -> set[Who]:
        """Every record that the zone selects, or that holds something there."""
        with self._lock:
            here = self._namespaces.get(zone.key.namespace)
            return here.concerned(zone) if here else set()

    def tally(self, key: Request, at_most: int) -> Tally:
        with self._lock:
            zone = self._zone(key)
            if zone is None:
                return Tally(0, 0, ())
            return Tally(len(zone.selected), len(zone.ready), zone.ready.first(at_most))

    def _zone(self, key: Request) -> _Zone | None:
        here = self._namespaces.get(key.namespace)
        return here.zones.get(key.name) if here else None

    def _drop_zone(self, key: Request) -> None:
        zone = self._zone(key)
        if zone is None:
            return
        here = self._namespaces[key.namespace]
        del here.zones[key.name]
        _take(here.named, zone.view.zone_name, key.name)
        _take(self._named, zone.view.origin, key)
        here.index.remove(key.name)
        for who in zone.members:
            here.standing[who].discard(key.name)

    def _forget_if_empty(self, namespace: str) -> None:
        here = self._namespaces.get(namespace)
        if here is not None and not here.zones and not here.records:
            del self._namespaces[namespace]


def _membership(zone: _Zone, who: Who) -> Membership:
    contents, member = zone.contents, zone.members[who]
    return Membership(
        zone.view,
        member.selected,
        member.error,
        winner=contents.winner_over(who),
        too_many=contents.is_too_many(who),
        rrset=contents.rrset_of(who),
        in_last_snapshot=who in zone.in_last_snapshot,
    )


def _place(here: _Namespace, record: RecordView, *, dry_run: bool) -> list[str]:
    """Bring one record's standing in every zone up to date; names the zones whose count of Ready records moved."""
    who = record.who
    selecting = set() if record.deleting else here.index.match(record.labels)
    holding = {name for zone_name in record.claim.zones for name in here.named.get(zone_name, ())}
    before, now = here.standing.get(who, set()), selecting | holding
    was_ready = {name for name in before if who in here.zones[name].ready}
    for name in before - now:
        _leave(here.zones[name], who)
    for name in now:
        _join(here.zones[name], record, selected=name in selecting, dry_run=dry_run)
    here.standing[who] = now
    is_ready = {name for name in now if who in here.zones[name].ready}
    return sorted(was_ready ^ is_ready)


def _join(zone: _Zone, record: RecordView, *, selected: bool, dry_run: bool) -> None:
    who = record.who
    member = _Member.of(record, zone.view, selected=selected, before=zone.members.get(who))
    if dry_run and selected and member.error is None:
        record = record.as_claimed(zone.view)
    contribution = contribution_of(record, zone.view, member.data, readable=member.error is None)
    if contribution.rrset is None and zone.contents.rrset_of(who) is not None:
        zone.in_last_snapshot.add(who)
    zone.contents.put(contribution)
    zone.members[who] = member
    _mark(zone.selected, who, present=selected)
    _mark(zone.ready, who, present=selected and record.is_ready)


def _leave(zone: _Zone, who: Who) -> None:
    zone.contents.drop(who)
    zone.in_last_snapshot.discard(who)
    del zone.members[who]
    _mark(zone.selected, who, present=False)
    _mark(zone.ready, who, present=False)


K = TypeVar("K")
V = TypeVar("V")


def _take(sets: dict[K, set[V]], key: K, item: V) -> None:
    sets[key].discard(item)
    if not sets[key]:
        del sets[key]


def _mark(marked: set[Who] | _Ordered, who: Who, *, present: bool) -> None:
    if present:
        marked.add(who)
    else:
        marked.discard(who)
