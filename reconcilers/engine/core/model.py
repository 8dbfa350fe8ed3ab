"""What the core knows: servers, zones, and zones on servers. Mutable, touched by core modules only.

Three facts are kept apart: what is wanted (`Zone.content`), what was last observed (`Replica.records`) and what
is in flight (`Replica.op`). Differences are kept, not searched: `dirty` holds the keys of RRsets that differ, so
that one change in a zone of 10,000 RRsets costs one look-up per server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

import dns.name
import dns.rdatatype as rt

from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.ddns.soa import Soa
from reconcilers.engine.api import (
    AdoptedClaims,
    DesiredRRset,
    Intent,
    ObjectRef,
    Plan,
    Role,
    ServerSpec,
    ZoneKey,
    ZoneRef,
    ZoneWanted,
)
from reconcilers.engine.core.protocol import Op, OpKind, Ownership, ZoneOptions
from reconcilers.reasons import Reason


class Known(Enum):
    """What is known of a zone on a server."""

    UNKNOWN = auto()
    ABSENT = auto()
    PRESENT = auto()


class Trouble(NamedTuple):
    """Why something does not go on: a reason for status, and a sentence."""

    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class Rejection:
    """An RRset (None: its removal) that a server will not take, and why.

    Void as soon as another RRset is wanted, or something else stands `beside` it, at its name on that server: what a
    server refuses most is data next to somebody else's CNAME.
    """

    rrset: RRset | None
    trouble: Trouble
    server: str
    beside: frozenset[RRset]


@dataclass(slots=True, eq=False)
class Zone:
    """One incarnation of a zone object, over all its servers.

    content       the RRsets every primary should hold: the desired ones, except where a server rejected one (then what
                  stood before), a mass removal waits for consent, or a contributor cannot be read
    revision      counts changes of `content` and SOA; `target` is the serial of the present one, None until one is used
    finals        serial -> revision, for serials that name a whole revision: what a secondary's serial is looked up in
    pending       objects whose version is not yet on every primary that is Ready, by RRset
    leaving       objects that left an RRset which some primary may still hold as it was; `leavers` the other way round
    unpropagated  published, but not yet on every secondary: object -> the revision that has it
    buffered      no primary is known to have the zone: RRsets wait, `since` says how long each has
    cleared       servers that turned out to have nothing of it since it is deleted: they are not looked at again
    claimed       RRsets that its objects claim on servers where the zone is ours; `adopted_claims` on each other server
    confirmed     the content at a key that every primary which decides (`Model.required`) was last known to have
    plan          the planner's word, if it has one; `awaits_plan` tells whether that still holds. `is_abandoned`: there
                  will be no other, its object went without our consent
    reads         the number of the last reading of its servers; `readers`: its primaries, and those of them that decide
    retired       planned once, and not desired any more: goes under a current plan only
    applied       the plan that the replicas' differences were last worked out with; None: none was current
    """

    ref: ZoneRef
    wanted: ZoneWanted | None = None
    deleting: bool = False
    suspended: bool = False
    roles: dict[str, Role] = field(default_factory=dict)
    former: set[str] = field(default_factory=set)
    cleared: set[str] = field(default_factory=set)
    claimed: Collection[RRsetKey] = ()
    adopted_claims: AdoptedClaims = field(default_factory=dict)
    correlation: str = ""
    floor: int = 0

    contributions: frozenset[DesiredRRset] = frozenset()
    content: dict[RRsetKey, RRset] = field(default_factory=dict)
    revision: int = 1
    target: int | None = None
    finals: dict[int, int] = field(default_factory=dict)
    bare: bool = False

    versions: dict[ObjectRef, dict[RRsetKey, str]] = field(default_factory=dict)
    pending: dict[RRsetKey, set[ObjectRef]] = field(default_factory=dict)
    leaving: dict[RRsetKey, set[ObjectRef]] = field(default_factory=dict)
    leavers: dict[ObjectRef, set[RRsetKey]] = field(default_factory=dict)
    unpropagated: dict[ObjectRef, int] = field(default_factory=dict)
    confirmed: dict[RRsetKey, RRset] = field(default_factory=dict)
    rejected: dict[RRsetKey, Rejection] = field(default_factory=dict)
    withheld: dict[RRsetKey, RRset] = field(default_factory=dict)
    buffered: bool = True
    since: dict[RRsetKey, float] = field(default_factory=dict)
    updated: dict[RRsetKey, float] = field(default_factory=dict)
    last_updated: float | None = None
    foreign: int = 0
    repaired: int = 0

    plan: Plan | None = None
    reads: int = 1
    readers: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    retired: set[RRsetKey] = field(default_factory=set)
    applied: Plan | None = None
    is_abandoned: bool = False

    @property
    def primaries(self) -> list[str]:
        """Names of the servers that take updates for it."""
        return [name for name, role in self.roles.items() if role is Role.PRIMARY]

    @property
    def secondaries(self) -> list[str]:
        """Names of the servers that transfer it."""
        return [name for name, role in self.roles.items() if role is Role.SECONDARY]

    @property
    def servers(self) -> set[str]:
        """All that hold it, should hold it, or may still hold it."""
        return {*self.roles, *self.former}

    @property
    def wanted_on(self) -> set[str]:
        """The servers that should hold it."""
        return set() if self.deleting else set(self.roles)

    @property
    def awaits_plan(self) -> bool:
        """Was anything read since the plan was made? Then nothing is done at planned keys until there is another."""
        return self.plan is not None and self.plan.reads != self.reads

    @property
    def is_unplanned(self) -> bool:
        """Has its planner not made any plan yet?"""
        return self.plan is not None and not self.plan.reads

    def obsolete_on(self, server: str) -> frozenset[RRsetKey]:
        """What the plan, current or not, calls ours and not wanted there."""
        if self.plan is None:
            return frozenset()
        return self.plan.former.get(server, frozenset()) if server in self.former else self.plan.obsolete

    def wants_planned(self, key: RRsetKey) -> bool:
        """Is an RRset desired at `key` that the planner decided on?"""
        entry = self.wanted.rrsets.get(key) if self.wanted else None
        return entry is not None and entry.planned

    def is_planned(self, key: RRsetKey, server: str) -> bool:
        """Is it the planner that decides at `key`?"""
        if self.plan is None:
            return False
        return self.wants_planned(key) or key in self.retired or key in self.obsolete_on(server)

    def is_ours_by_plan(self, key: RRsetKey, server: str) -> bool:
        """Does a current plan say that what stands at `key` is ours, or that we may publish over it?"""
        if self.plan is None or self.awaits_plan:
            return False
        wanted_here = server in self.roles and not self.deleting
        return key in self.obsolete_on(server) or (wanted_here and self.wants_planned(key))

    def set_plan(self, plan: Plan | None) -> None:
        """What is obsolete no longer may still be on its way out, or be held back: it stays the planner's."""
        before, self.plan = self.plan, plan
        if plan is None:
            self.retired.clear()
        elif before is not None and before.obsolete is not plan.obsolete:
            desired = self.wanted.rrsets if self.wanted else {}
            self.retired |= {key for key in before.obsolete - plan.obsolete if key not in desired}

    def end_with(self, plan: Plan | None) -> None:
        """Its object is being deleted. Without a plan, nobody plans for it any more: its last one is carried out as far
        as it holds."""
        self.is_abandoned = plan is None
        if plan is not None:
            self.set_plan(plan)

    def forget_server(self, name: str) -> None:
        """Nothing of it is there any more, or nobody waits for it."""
        self.roles.pop(name, None)
        self.former.discard(name)

    def new_revision(self) -> None:
        """The content is another one: it needs a serial of its own."""
        self.revision += 1
        self.target = None

    def put(self, key: RRsetKey, rrset: RRset | None) -> bool:
        """Change the content at `key`; False if it was so already."""
        if self.content.get(key) == rrset:
            return False
        if rrset is None:
            del self.content[key]
        else:
            self.content[key] = rrset
        self.new_revision()
        return True

    def contributors(self, key: RRsetKey) -> set[ObjectRef]:
        """The objects that contribute at `key`."""
        entry = self.wanted.rrsets.get(key) if self.wanted else None
        return {ref for ref, _ in entry.contributors} if entry else set()

    def unpublish(self, key: RRsetKey) -> None:
        """It is not, or not everywhere, as it was thought to be: the contributors at `key` wait again."""
        if key not in self.pending and (refs := self.contributors(key)):
            self.pending[key] = refs

    def name_final(self, serial: int, revision: int) -> None:
        """`serial` names the whole of `revision`. Only the last ones can still matter."""
        self.finals[serial] = revision
        while len(self.finals) > 64:
            del self.finals[next(iter(self.finals))]

    def leave(self, key: RRsetKey, refs: Iterable[ObjectRef]) -> None:
        """These objects no longer contribute at `key`, and wait until no primary holds it as it was."""
        for ref in refs:
            self.leaving.setdefault(key, set()).add(ref)
            self.leavers.setdefault(ref, set()).add(key)

    def left(self, key: RRsetKey, refs: Iterable[ObjectRef] | None = None) -> set[ObjectRef]:
        """The wait of these objects (default: all) at `key` is over; returns those that wait for nothing else."""
        waiting = self.leaving.get(key, set())
        over = set(waiting if refs is None else waiting.intersection(refs))
        waiting -= over
        if not waiting:
            self.leaving.pop(key, None)
        return {ref for ref in over if self._gone(ref, key)}

    def _gone(self, ref: ObjectRef, key: RRsetKey) -> bool:
        keys = self.leavers[ref]
        keys.discard(key)
        if not keys:
            del self.leavers[ref]
        return not keys


@dataclass(slots=True, eq=False)
class Replica:
    """One zone on one server: what is observed, what is in flight, when to try again.

    claimants         zone objects that want it here; all but one are duplicates
    former_claimants  those that want it here no longer, and wait until nothing of theirs is left
    trusted           the last observed content still holds if the serial does: no write of ours is in doubt
    holder            the cluster whose marker a foreign zone has
    owned             RRsets that stand here and are ours: only these are ever removed. What was claimed when this
                      process first read the zone here, then what it writes itself
    counted           UIDs of the zone objects whose claims were taken into account here
    attempted         RRsets that we may have published, in an operation with an unknown outcome
    found             what stood here at the first look where something else was wanted
    blocked           RRsets that differ, and wait for a current plan
    refused           what this server alone refuses: others hold it, so it is left out of what they agree on
    in_flight         RRsets that the operation in flight writes
    incremental       the server did not take the zone as a whole when it was to be created again
    backdated         so it is filled bit by bit while others serve it: serials from the past until it is full
    suspect           (secondary) the serial alone does not prove its content: somebody else changed a primary
    wrong             (secondary) its content was looked at and is not that of the primaries
    catching_up       (secondary) the serial that it is being watched for; `looks` looks so far, next at `next_look`
    intent            (dry run) what would be done here
    """

    key: ZoneKey
    claimants: list[Zone] = field(default_factory=list)
    former_claimants: list[Zone] = field(default_factory=list)

    known: Known = Known.UNKNOWN
    trusted: bool = False
    ownership: Ownership = Ownership.OURS
    owner_uid: str = ""
    holder: str = ""
    serial: int | None = None
    soa: Soa | None = None
    options: ZoneOptions | None = None
    records: dict[RRsetKey, RRset] = field(default_factory=dict)
    owned: set[RRsetKey] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)
    dirty: set[RRsetKey] = field(default_factory=set)
    blocked: set[RRsetKey] = field(default_factory=set)
    conflicts: set[RRsetKey] = field(default_factory=set)
    attempted: dict[RRsetKey, RRset] = field(default_factory=dict)
    found: dict[RRsetKey, RRset] = field(default_factory=dict)
    refused: dict[RRsetKey, Rejection] = field(default_factory=dict)
    incremental: bool = False
    backdated: bool = False
    suspect: bool = False
    wrong: bool = False

    op: Op | None = None
    in_flight: frozenset[RRsetKey] = frozenset()
    verify: bool = False
    failures: int = 0
    failed: OpKind | None = None
    not_before: float = 0.0
    catching_up: int | None = None
    looks: int = 0
    next_look: float = 0.0
    parked: object | None = None
    trouble: Trouble | None = None
    wake_at: float | None = None
    intent: Intent | None = None

    @property
    def wanted(self) -> Zone | None:
        """The zone object that it is for: the one that owns what stands there, else the first that came."""
        for zone in self.claimants:
            if zone.ref.uid == self.owner_uid:
                return zone
        return self.claimants[0] if self.claimants else None

    @property
    def role(self) -> Role:
        """As the zone wants it here."""
        for zone in (*self.claimants, *self.former_claimants):
            if self.key.server in zone.roles:
                return zone.roles[self.key.server]
        return Role.PRIMARY

    @property
    def uid(self) -> str:
        """The UID that log lines and debug pages show."""
        zone = self.wanted or next(iter(self.former_claimants), None)
        return zone.ref.uid if zone else ""

    def is_present(self) -> bool:
        """Is it known to be there?"""
        return self.known is Known.PRESENT

    def is_mine(self) -> bool:
        """Does what stands there belong to the zone object that wants it (or to nobody, and we may write)?"""
        if self.ownership is Ownership.OURS:
            return self.wanted is not None and self.owner_uid == self.wanted.ref.uid
        return self.ownership is Ownership.ADOPTED

    def planners(self) -> list[Zone]:
        """The zone objects whose plan holds here: the one that it is for, else those that left."""
        zone = self.wanted
        return [each for each in ((zone,) if zone else self.former_claimants) if each.plan is not None]

    def is_planned(self, key: RRsetKey) -> bool:
        """Is it a planner that decides at `key`?"""
        return any(zone.is_planned(key, self.key.server) for zone in self.planners())

    def awaits_plan(self, key: RRsetKey) -> bool:
        """Is nothing to be done at `key` before there is a current plan?"""
        return self._may_be_of_endpoints(key) or any(
            zone.awaits_plan and zone.is_planned(key, self.key.server) for zone in self.planners()
        )

    def _may_be_of_endpoints(self, key: RRsetKey) -> bool:
        """A record object claimed it and left, and no plan was made yet: an endpoint may have it, before or since."""
        zone = self.wanted
        return zone is not None and zone.is_unplanned and key in self.owned and key not in zone.content

    def desired(self, key: RRsetKey) -> RRset | None:
        """What should stand at `key` on this server."""
        zone = self.wanted
        return zone.content.get(key) if zone else None

    def at(self, names: Collection[dns.name.Name]) -> dict[dns.name.Name, frozenset[RRset]]:
        """Whatever stands at each of these names, whoever put it there."""
        found: dict[dns.name.Name, set[RRset]] = {name: set() for name in names}
        for key, rrset in self.records.items():
            if key.name in found:
                found[key.name].add(rrset)
        return {name: frozenset(rrsets) for name, rrsets in found.items()}

    def mark(self, key: RRsetKey) -> bool:
        """Compare desired and observed at `key`; True if there is something to send, or a conflict to tell."""
        want, have = self.desired(key), self.records.get(key)
        for differing in (self.dirty, self.blocked, self.conflicts):
            differing.discard(key)
        if key in self.refused:
            if self.refused[key].rrset == want:
                return False
            del self.refused[key]
        if want is have or want == have:
            if key not in self.owned and not self.is_planned(key):
                self.owned |= self.as_wanted((key,))
            return False
        ours = key in self.owned or self._is_ours_by_plan(key, have)
        if want is None and not ours:
            return False
        # Somebody else's RRset stands where we should publish: only in a zone that we did not create.
        foreign = have is not None and not ours and self.ownership is Ownership.ADOPTED
        if self.awaits_plan(key):
            self.blocked.add(key)
        elif foreign and (zone := self.wanted):
            self.conflicts.add(key)
            zone.unpublish(key)  # it may have been published elsewhere
        else:
            self.dirty.add(key)
        return True

    def as_wanted(self, keys: Iterable[RRsetKey]) -> set[RRsetKey]:
        """What of these stands as we want it, in a zone that we created: it is ours, whoever put it there.

        In an adopted zone an RRset that is just as we want it, and that we did not put there, is somebody else's: it
        counts as published and is never taken away.
        """
        if self.ownership is not Ownership.OURS or not self.is_mine():
            return set()
        return {key for key in keys if key in self.records and self.records[key] == self.desired(key)}

    def _is_ours_by_plan(self, key: RRsetKey, have: RRset | None) -> bool:
        """Does a current plan say so? Then `have` is what was published before this process wrote there."""
        ours = any(zone.is_ours_by_plan(key, self.key.server) for zone in self.planners())
        if ours and have is not None:
            self.found[key] = have
        return ours

    def mark_all(self) -> None:
        """Compare everything; after the whole zone was read or lost."""
        for differing in (self.dirty, self.blocked, self.conflicts):
            differing.clear()
        zone = self.wanted
        obsolete = (each.obsolete_on(self.key.server) for each in self.planners())
        for key in {*(zone.content if zone else ()), *self.owned, *self.refused}.union(*obsolete):
            self.mark(key)

    def read_anew(self, number: int) -> None:
        """What a planner decides on has to be decided on again: somebody else may have it by now."""
        for zone in (*self.claimants, *self.former_claimants):
            zone.reads = number
        self.disown_planned()

    def disown_planned(self) -> None:
        """Whose a planned RRset is the plan says: of the zone object that it is for now, whichever had it published."""
        if self.planners():
            zones = (*self.claimants, *self.former_claimants)
            planned = {key for key in self.owned for zone in zones if zone.is_planned(key, self.key.server)}
            self.owned -= planned

    def count_claims(self) -> bool:
        """Once for each zone object: what it claims and what stands here is ours. True if that was news.

        Only once: an object that left an RRset keeps its claim until every server is free of it, and here somebody else
        may have published at that name since we removed ours."""
        before = len(self.owned)
        for zone in (*self.claimants, *self.former_claimants):
            if zone.ref.uid not in self.counted and self.belongs_to(zone):
                self.counted.add(zone.ref.uid)
                claims = self.records.keys() & set(self.claims_of(zone))
                self.owned |= {key for key in claims if not self.is_planned(key)} if self.planners() else claims
        return len(self.owned) != before

    def claims_of(self, zone: Zone) -> Collection[RRsetKey]:
        """What the objects of the zone claim on this server."""
        return zone.adopted_claims.get(self.key.server, ()) if self.ownership is Ownership.ADOPTED else zone.claimed

    def belongs_to(self, zone: Zone) -> bool:
        """Does what stands here belong to this zone object, or to nobody, so that we may write?"""
        if self.ownership is Ownership.OURS:
            return self.owner_uid == zone.ref.uid
        return self.ownership is Ownership.ADOPTED

    def clean(self, key: RRsetKey) -> bool:
        """Is the RRset known to be as desired, and will it stay so?"""
        if self.known is not Known.PRESENT or not self.is_mine():
            return False
        differing = any(key in keys for keys in (self.dirty, self.conflicts, self.in_flight, self.refused))
        return not differing and not self.awaits_plan(key)

    def free_of(self, key: RRsetKey) -> bool:
        """Is it known that nothing of ours stands at `key`, or is about to, that is no longer desired?"""
        if key in self.in_flight:
            return False
        if self.known is Known.PRESENT:
            return not (key in self.dirty or self.awaits_plan(key)) or not self.is_mine()
        return self.known is Known.ABSENT

    def is_free_of(self, zone: Zone) -> bool:
        """Is it known that nothing of this zone object is left here?"""
        if self.known is Known.PRESENT and self.ownership is Ownership.ADOPTED:
            return not self.dirty
        return self.known is not Known.UNKNOWN and self.owner_uid != zone.ref.uid

    def lost(self) -> None:
        """The zone is not there: whatever was known of its content is void."""
        self.known, self.trusted = Known.ABSENT, True
        self.serial = self.soa = self.options = None
        self.owner_uid, self.holder, self.ownership = "", "", Ownership.OURS
        self.backdated = self.suspect = self.wrong = False
        self.records = {}
        for known in (self.owned, self.counted, self.attempted, self.refused):
            known.clear()
        self.mark_all()

    def mark_unknown(self, *, trusted: bool) -> None:
        """What stands there has to be looked at before anything else."""
        self.known = Known.UNKNOWN
        self.trusted = self.trusted and trusted

    def delegations(self, child: ZoneKey) -> Iterator[RRsetKey]:
        """NS and DS of a child zone that stand here and are on their way out."""
        for rdtype in (rt.DS, rt.NS):
            key = RRsetKey(child.zone, rdtype)
            if key in self.dirty and self.desired(key) is None:
                yield key


@dataclass(slots=True)
class Model:
    """Everything the core knows, with the look-ups its rules need.

    `busy` holds every operation in flight by key, also those whose completion will be stale: a second one for the same
    zone on the same server must wait for it. `highest` is the highest serial seen or handed out, per zone name;
    `former` is that of zones which are gone, until the clock is past it: created again, they must not start lower.
    `begun` are the zone names that this process has handed out a serial for. `suspended` are servers that cannot be
    spoken to, and why. `identities` tells of each that was ever spoken to which server it is: one may have two names.
    `answers`: did a server answer when it was last asked? `readings` numbers what servers are found to hold, over all
    zones: a zone that was forgotten and is known again meets no plan of before that looks current.
    """

    servers: dict[str, ServerSpec] = field(default_factory=dict)
    suspended: dict[str, Trouble] = field(default_factory=dict)
    identities: dict[str, str] = field(default_factory=dict)
    answers: dict[str, bool] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    replicas: dict[ZoneKey, Replica] = field(default_factory=dict)
    by_name: dict[dns.name.Name, set[ZoneKey]] = field(default_factory=dict)
    busy: dict[ZoneKey, Op] = field(default_factory=dict)
    highest: dict[dns.name.Name, int] = field(default_factory=dict)
    former: dict[dns.name.Name, int] = field(default_factory=dict)
    begun: set[dns.name.Name] = field(default_factory=set)
    readings: int = 0

    def next_reading(self) -> int:
        """Never 0: that is what a plan has that was made on nothing."""
        self.readings += 1
        return self.readings

    def replica(self, key: ZoneKey) -> Replica:
        """The zone on that server, UNKNOWN if it is new here."""
        found = self.replicas.get(key)
        if found is None:
            found = self.replicas[key] = Replica(key)
            self.by_name.setdefault(key.zone, set()).add(key)
        return found

    def forget_replica(self, key: ZoneKey) -> None:
        """Nobody wants it, nobody waits for it."""
        del self.replicas[key]
        siblings = self.by_name[key.zone]
        siblings.discard(key)
        if not siblings:
            del self.by_name[key.zone]
            self.begun.discard(key.zone)
            if (serial := self.highest.pop(key.zone, None)) is not None:
                self.former[key.zone] = serial

    def siblings(self, name: dns.name.Name) -> Iterator[Replica]:
        """The same zone name on all servers."""
        for key in self.by_name.get(name, ()):
            yield self.replicas[key]

    def replicas_of(self, zone: Zone, role: Role | None = None) -> Iterator[Replica]:
        """The zone on the servers that should hold it, except where they have it for another zone object."""
        for server, its in zone.roles.items():
            replica = self.replicas.get(ZoneKey(server, zone.ref.zone)) if role in {None, its} else None
            if replica is not None and replica.wanted in {zone, None}:
                yield replica

    def required(self, zone: Zone) -> list[Replica]:
        """The primaries that decide whether a record is Ready: those that are Ready themselves, if there are any."""
        primaries = list(self.replicas_of(zone, Role.PRIMARY))
        agreeing = [replica for replica in primaries if not replica.refused]
        ready = [replica for replica in agreeing if (server := self.servers.get(replica.key.server)) and server.ready]
        return ready or agreeing or primaries

    def established(self, zone: Zone) -> bool:
        """Does (or did) anybody serve this zone? Then a new replica must not announce itself before it is complete."""
        if zone.floor:
            return True
        return any(replica.known is Known.PRESENT and replica.is_mine() for replica in self.replicas_of(zone))
