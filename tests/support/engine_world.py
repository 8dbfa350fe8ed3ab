"""A world for the engine's core to live in: name servers that can die, lose data and replies, and zone objects.

No threads, no sockets, no clock: time moves when a test says so. Servers behave as BIND does where it matters: an
UPDATE is atomic, a serial that does not grow is replaced by the old one plus one, a message with a bad RRset is
refused whole. Every content that ever stood under a serial is remembered, for S15.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import dns.name
import dns.rdatatype as rt

from reconcilers.ddns.names import parse_name, parse_zone
from reconcilers.ddns.plan import Change, Prerequisite
from reconcilers.ddns.rdata import parse_rdata
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.ddns.soa import Soa, serial_add, serial_gt
from reconcilers.ddns.update import Unit, split, units
from reconcilers.engine.api import (
    Bindcar,
    Contributor,
    DesiredRRset,
    ObjectRef,
    Plan,
    Role,
    ServerSpec,
    ZoneConfig,
    ZoneContent,
    ZoneRef,
    ZoneWanted,
)
from reconcilers.engine.core import sync as syncing
from reconcilers.engine.core.protocol import (
    Absent,
    Applied,
    Configure,
    Create,
    Delete,
    Failed,
    Observe,
    Op,
    Ownership,
    Present,
    Refused,
    Result,
    Sync,
    Unchanged,
    ZoneOptions,
)
from reconcilers.reasons import Reason

BAD = "192.0.2.66"
"""No server takes an RRset with this address in it."""
ODD = "192.0.2.77"
"""Some servers do not take an RRset with this address in it: those that are `strict` at the time."""

ADDRESSES = {"p1": "127.0.0.1", "p2": "127.0.0.2", "s1": "127.0.0.3", "ext": "127.0.0.4", "p1-again": "127.0.0.1"}

Records = dict[RRsetKey, RRset]


def zone_name(text: str) -> dns.name.Name:
    return parse_zone(text)


def rrset(zone: dns.name.Name, name: str, rdtype: str, *values: str, ttl: int = 300) -> RRset:
    return RRset.of(parse_name(name, zone), ttl, [parse_rdata(rdtype, value) for value in values])


def apex(zone: dns.name.Name) -> list[RRset]:
    return [rrset(zone, "@", "NS", f"ns.{zone}"), rrset(zone, "ns", "A", "192.0.2.53")]


ENDPOINTS = ("x", "y")
"""Labels of endpoints' addresses. No record has them."""


def mark(zone: dns.name.Name, label: str, owner: str = "ours") -> RRset:
    """The TXT of a registry: whose the address at `label` is."""
    return rrset(zone, f"a-{label}", "TXT", f"owner={owner}")


def address_key(zone: dns.name.Name, label: str) -> RRsetKey:
    return RRsetKey(parse_name(label, zone), rt.A)


def endpoint_ref(label: str) -> ObjectRef:
    """All are parts of one object."""
    return ObjectRef("DNSEndpoint", "default", "all", "uid-all", label)


def alias(name: dns.name.Name) -> RRsetKey:
    """Of the CNAME at `name`."""
    return RRsetKey(name, rt.CNAME)


def soa(zone: dns.name.Name, refresh: int = 3600) -> Soa:
    return Soa(parse_name("ns", zone), parse_name("admin", zone), 0, refresh=refresh)


def is_bad(value: RRset | None) -> bool:
    return _has(value, BAD)


def is_odd(value: RRset | None) -> bool:
    return _has(value, ODD)


def _has(value: RRset | None, address: str) -> bool:
    return value is not None and any(rdata.to_text() == address for rdata in value.rdatas)


@dataclass
class StoredZone:
    """A zone as a server holds it. `owner` is "" for somebody else's; `theirs` is what others put into it."""

    owner: str
    role: Role
    serial: int | None
    soa: Soa | None
    records: Records
    options: ZoneOptions | None = None
    theirs: set[RRsetKey] = field(default_factory=set)

    def content(self, *, without: Collection[RRsetKey] = ()) -> frozenset[RRset]:
        return frozenset(rrset for key, rrset in self.records.items() if key not in without)


@dataclass
class FakeServer:
    """One name server. What its serials stood for is in the `ledger` that all servers share."""

    spec: ServerSpec
    ledger: Ledger
    up: bool = True
    strict: bool = False
    zones: dict[dns.name.Name, StoredZone] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.spec.name

    # --- what happens to it ------------------------------------------------------------------------------------------

    def lose_everything(self) -> None:
        for name in list(self.zones):
            self._gone(name)

    def foreign_zone(self, name: dns.name.Name) -> None:
        origin = soa(name).at(7)
        self.zones[name] = StoredZone("", Role.PRIMARY, 7, origin, {item.key: item for item in apex(name)})

    def foreign_change(self, name: dns.name.Name, key: RRsetKey, value: RRset | None) -> None:
        """Somebody else's UPDATE: BIND adds one to the serial by itself."""
        zone = self.zones[name]
        if value is None:
            zone.theirs.discard(key)
        elif key not in zone.records:  # what they change of ours is still ours
            zone.theirs.add(key)
        _put(zone.records, key, value)
        zone.serial = serial_add(zone.serial or 0, 1)
        self.ledger.tainted.add(name)

    def takes(self, value: RRset | None) -> bool:
        return not is_bad(value) and not (self.strict and is_odd(value))

    def transfer_from(self, primary: FakeServer, name: dns.name.Name) -> bool:
        """What NOTIFY leads to: take the content of one of its primaries if that one's serial is ahead."""
        mine, theirs = self.zones.get(name), primary.zones.get(name)
        if not (self.up and primary.up and mine and theirs) or mine.role is Role.PRIMARY or theirs.serial is None:
            return False
        if mine.serial is not None and not serial_gt(theirs.serial, mine.serial):
            return False
        sources = mine.options.primaries if mine.options else ()
        if not any(source.startswith(f"{primary.spec.address} ") for source in sources):
            return False
        self._store(name, mine, dict(theirs.records), theirs.serial, theirs.soa)
        return True

    # --- what the engine asks of it ----------------------------------------------------------------------------------

    def carry_out(  # noqa: PLR0911 - one return per operation
        self, op: Op, next_serial: Callable[[], int], *, stop_after: int | None = None
    ) -> Result:
        """Do it. `stop_after`: the connection breaks after that many UPDATE messages."""
        if not self.up:
            return Failed(Reason.SERVER_UNREACHABLE, "connection refused", ambiguous=op.kind != "observe")
        match op.payload:
            case Observe() as request:
                return self._observe(op, request)
            case Create() as request:
                return self._create(op, request)
            case Configure() as request:
                return self._configure(op, request)
            case Sync(soa=None):
                return Applied()
            case Sync() as request:
                return self._sync(op, request, next_serial, stop_after)
            case Delete() as request:
                return self._delete(op, request)

    def _observe(self, op: Op, request: Observe) -> Result:
        zone = self.zones.get(op.key.zone)
        if zone is None:
            return Absent()
        if request.known_serial is not None and request.known_serial == zone.serial:
            return Unchanged()
        if self.spec.adopted:
            return Present(Ownership.ADOPTED, zone.serial, zone.soa, dict(zone.records))
        if not zone.owner:
            return Present(Ownership.FOREIGN, zone.serial)
        records = dict(zone.records) if request.content else None
        return Present(Ownership.OURS, zone.serial, zone.soa, records, zone.owner, zone.options)

    def _create(self, op: Op, request: Create) -> Result:
        assert not self.spec.adopted, "nothing is created on a server without bindcar"
        name = op.key.zone
        zone = self.zones.get(name)
        if zone is not None and zone.owner != op.ref.uid:
            return Failed(Reason.CONFLICT, "exists")
        if not all(self.takes(item) for item in request.content):
            return Refused(Reason.BINDCAR_BAD_REQUEST, "400: named would not load it")
        if zone is None:
            secondary = op.role is Role.SECONDARY
            serial = None if secondary else request.soa.serial
            zone = self.zones[name] = StoredZone(op.ref.uid, op.role, None, None, {}, request.options)
            if serial is not None:
                self._store(name, zone, {item.key: item for item in request.content}, serial, request.soa)
        return self._observe(op, Observe()) if op.role is Role.PRIMARY else Applied()

    def _configure(self, op: Op, request: Configure) -> Result:
        zone = self.zones.get(op.key.zone)
        if zone is None:
            return Failed(Reason.ZONE_NOT_FOUND, "no such zone")
        assert zone.owner == op.ref.uid, "only our own zones are configured"
        zone.options = request.options
        return Applied()

    def _delete(self, op: Op, request: Delete) -> Result:
        zone = self.zones.get(op.key.zone)
        if zone is None:
            return Applied()
        assert zone.owner, "somebody else's zone is never deleted"
        if zone.owner != request.uid:
            return Failed(Reason.CONFLICT, "belongs to another zone object")
        self._gone(op.key.zone)
        return Applied()

    def _sync(self, op: Op, request: Sync, next_serial: Callable[[], int], stop_after: int | None) -> Result:
        zone = self.zones.get(op.key.zone)
        if zone is None:
            return Failed(Reason.ZONE_NOT_READY, "NOTAUTH")
        if request.before is not None and request.before.serial != zone.serial:
            return Failed(Reason.PROGRESSING, "somebody else changed the zone", ambiguous=True)
        assert zone.owner or self.spec.adopted, "somebody else's zone is never written to"
        push = _Push(self, op.key.zone, zone, request, next_serial, stop_after)
        try:
            push.run()
        except ConnectionError:
            return Failed(Reason.SERVER_UNREACHABLE, "connection lost")
        return Applied(zone.serial, push.sent, tuple(push.rejected))

    def _store(self, name: dns.name.Name, zone: StoredZone, records: Records, serial: int, origin: Soa | None) -> None:
        before = zone.serial
        zone.records, zone.soa = records, origin
        zone.serial = serial if before is None or serial_gt(serial, before) else serial_add(before, 1)
        self.ledger.stood(name, zone)

    def _gone(self, name: dns.name.Name) -> None:
        self.ledger.vanished(self.name, name, self.zones.pop(name))


@dataclass
class _Push:
    """UPDATE messages as ddns sends them: split, bisected when refused, each with a serial of its own."""

    server: FakeServer
    name: dns.name.Name
    zone: StoredZone
    request: Sync
    next_serial: Callable[[], int]
    stop_after: int | None
    sent: int | None = None
    offered: bool = False
    messages: int = 0
    rejected: list[tuple[RRsetKey, Reason, str]] = field(default_factory=list)

    def run(self) -> None:
        batches = list(split(units(self.request.changes), budget=syncing.MESSAGE_BYTES))
        for batch in batches or [[]]:
            self._send(batch)

    def _send(self, batch: list[Unit]) -> None:
        origin = self.request.soa
        assert origin is not None
        serial = self.next_serial() if self.offered else origin.serial
        self.offered = True
        if self.stop_after is not None and self.messages >= self.stop_after:
            raise ConnectionError
        self.messages += 1
        changes = [change for unit in batch for change in unit]
        if any(self._refused(change) for change in changes):
            self._halve(batch)
            return
        records = dict(self.zone.records)
        for change in changes:
            self.server.ledger.witness(self.server.name, self.name, change, self.zone.records)
            self.server.ledger.replaced(self.server.name, self.name, change.key, records.get(change.key))
            removes_theirs = change.after is None and change.key in self.zone.theirs
            assert not removes_theirs, f"S16: {change.key} of somebody else is removed from {self.server.name}"
            self.zone.theirs.discard(change.key)
            _put(records, change.key, change.after)
        self.server._store(self.name, self.zone, records, serial, origin.at(serial))
        self.sent = serial

    def _halve(self, batch: list[Unit]) -> None:
        if len(batch) == 1:
            lost = any(self._taken(change) for change in batch[0])
            reason = Reason.RECORD_CONFLICT if lost else Reason.REJECTED
            self.rejected += [(each.key, reason, "the server answered REFUSED") for each in batch[0]]
            return
        middle = len(batch) // 2
        self._send(batch[:middle])
        self._send(batch[middle:])

    def _refused(self, change: Change) -> bool:
        return self._taken(change) or self._aliased(change) or not self.server.takes(change.after)

    def _taken(self, change: Change) -> bool:
        standing = self.zone.records.get(change.key)
        if change.prerequisite is Prerequisite.ABSENT:
            return standing is not None
        return change.prerequisite is Prerequisite.EXACT and standing != change.before

    def _aliased(self, change: Change) -> bool:
        """Nothing stands beside a CNAME. All CNAMEs here are somebody else's."""
        return change.after is not None and alias(change.key.name) in self.zone.records


@dataclass
class Ledger:
    """What stood where, over all time. `tainted` zones were written to by others: their serials prove nothing.

    `contested` ones had two live objects, each with serials of its own on its own servers. The `witness` sees each
    change before it is made, with what the zone holds."""

    contents: dict[tuple[dns.name.Name, int], frozenset[RRset]] = field(default_factory=dict)
    last_held: dict[tuple[str, dns.name.Name, RRset], int] = field(default_factory=dict)
    desired: set[RRset] = field(default_factory=set)
    tainted: set[dns.name.Name] = field(default_factory=set)
    contested: set[dns.name.Name] = field(default_factory=set)
    step: int = 0
    witness: Callable[[str, dns.name.Name, Change, Records], None] = lambda *_: None

    def stood(self, name: dns.name.Name, zone: StoredZone) -> None:
        content = zone.content()
        assert content <= self.desired or name in self.tainted, f"S13: never desired: {content - self.desired}"
        if name in self.tainted or name in self.contested or zone.serial is None:
            return
        known = self.contents.setdefault((name, zone.serial), content)
        assert known == content, f"S15: serial {zone.serial} of {name} names two contents: {known ^ content}"

    def replaced(self, server: str, name: dns.name.Name, key: RRsetKey, before: RRset | None) -> None:
        if before is not None:
            self.last_held[server, name, before] = self.step

    def vanished(self, server: str, name: dns.name.Name, zone: StoredZone) -> None:
        for value in zone.records.values():
            self.last_held[server, name, value] = self.step


@dataclass
class ZoneObject:
    """A DNSZone with its records, as the API server has it.

    `claims` is what the records' metadata says may have been published, `adopted` what their status says they have on
    servers of others: (server, name) of each, and `published` in which version they were last published.
    `selected` is what the spec says; `primaries` and `secondaries` are those of them that no rival has. `held` is what
    status says of it, `forged` what somebody wrote into a record's status: names on a server that the zone is not on.
    `endpoints` are addresses by label; which of them are `decided` to be published, the `plan` says that was made on
    `content`. Without a planner there is no plan.
    """

    ref: ZoneRef
    primaries: frozenset[str]
    secondaries: frozenset[str]
    generation: int = 1
    refresh: int = 3600
    records: dict[ObjectRef, tuple[str, str]] = field(default_factory=dict)
    versions: dict[ObjectRef, int] = field(default_factory=dict)
    claims: dict[RRsetKey, set[ObjectRef]] = field(default_factory=dict)
    adopted: dict[ObjectRef, frozenset[tuple[str, dns.name.Name]]] = field(default_factory=dict)
    published: dict[ObjectRef, str] = field(default_factory=dict)
    former: set[str] = field(default_factory=set)
    joined: dict[str, int] = field(default_factory=dict)
    selected: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    forged: frozenset[RRsetKey] = frozenset()
    claimed_servers: bool = False
    deleting: bool = False
    serial: int = 0
    installed: dict[ObjectRef, int] = field(default_factory=dict)
    endpoints: dict[str, str] = field(default_factory=dict)
    decided: frozenset[str] = frozenset()
    plan: Plan | None = None
    content: ZoneContent | None = None
    cache: dict[RRsetKey, DesiredRRset] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.selected = self.selected or self.primaries | self.secondaries

    @property
    def zone(self) -> dns.name.Name:
        return self.ref.zone

    @property
    def seniority(self) -> tuple[bool, int]:
        """As ZoneView's: with its finalizer on, then by age."""
        return (not self.claimed_servers, int(self.ref.uid.removeprefix("uid-")))

    @property
    def refused(self) -> bool:
        """A duplicate: rivals have every server of it."""
        return bool(self.selected) and not self.primaries

    @property
    def servers(self) -> frozenset[str]:
        """All that hold it, or may."""
        return self.primaries | self.secondaries | self.former

    def contributions(self) -> dict[RRsetKey, DesiredRRset]:
        """The union of the records, RRset by RRset; unchanged entries stay the same objects."""
        made = {item.key: DesiredRRset(item) for item in apex(self.zone)}
        by_name: dict[str, list[ObjectRef]] = {}
        for ref, (label, _) in self.records.items():
            by_name.setdefault(label, []).append(ref)
        for label, refs in by_name.items():
            value = rrset(self.zone, label, "A", *sorted({self.records[ref][1] for ref in refs}))
            members = frozenset(Contributor(ref, str(self.versions[ref])) for ref in refs)
            made[value.key] = DesiredRRset(value, members)
        for label in self.decided & self.endpoints.keys():
            member = frozenset({Contributor(endpoint_ref(label), str(self.versions[endpoint_ref(label)]))})
            for item in (rrset(self.zone, label, "A", self.endpoints[label]), mark(self.zone, label)):
                made[item.key] = DesiredRRset(item, member, planned=True)
        self.cache = {key: _same(self.cache.get(key), entry) for key, entry in made.items()}
        return self.cache

    def claimed(self) -> dict[RRsetKey, frozenset[ObjectRef]]:
        """What may be ours on servers where the zone is."""
        return {key: frozenset(refs) for key, refs in self.claims.items()}

    def adopted_claims(self) -> dict[str, set[RRsetKey]]:
        """What is ours on servers where the zone is somebody else's."""
        found: dict[str, set[RRsetKey]] = {}
        for standing in self.adopted.values():
            for server, name in standing:
                found.setdefault(server, set()).add(RRsetKey(name, rt.A))
        if self.forged:
            found.setdefault("ext", set()).update(self.forged)
        return found

    def wanted(self) -> ZoneWanted:
        rrsets = self.contributions()
        return ZoneWanted(
            ref=self.ref,
            generation=self.generation,
            config=ZoneConfig(soa(self.zone, self.refresh)),
            rrsets=dict(rrsets),
            primaries=self.primaries,
            secondaries=self.secondaries,
            former=frozenset(self.former),
            claimed=self.claimed(),
            adopted_claims=self.adopted_claims(),
            plan=self.plan,
            serial_floor=self.serial,
        )


def _same(known: DesiredRRset | None, entry: DesiredRRset) -> DesiredRRset:
    if known is not None and (known.rrset, known.contributors) == (entry.rrset, entry.contributors):
        return known
    return entry


def _put(records: Records, key: RRsetKey, value: RRset | None) -> None:
    if value is None:
        records.pop(key, None)
    else:
        records[key] = value


def server_spec(name: str, role: Role = Role.PRIMARY, *, adopted: bool = False) -> ServerSpec:
    car = None if adopted else Bindcar("http://127.0.0.1:8080", "token")
    return ServerSpec(name, role, ADDRESSES.get(name, "127.0.0.9"), 53, bindcar=car)
