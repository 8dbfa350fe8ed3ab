"""What goes into the engine and what comes out of it: frozen values, shared by core, engine and reconcilers.

In: servers, and whole zones with who contributed each RRset. Out: how each zone and each contributing object stands.
Knows DNS values; knows neither Kubernetes (an object is a name and a UID), nor sockets, nor threads.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import dns.name

from reconcilers.ddns.plan import Change
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.ddns.soa import Soa
from reconcilers.ddns.tsig import TsigKey
from reconcilers.reasons import Reason


class Role(StrEnum):
    """What a server is for a zone."""

    PRIMARY = "primary"
    SECONDARY = "secondary"


class ZoneKey(NamedTuple):
    """One zone on one server: the unit of every operation. `server` is "namespace/name" of its instance."""

    server: str
    zone: dns.name.Name

    def __str__(self) -> str:
        return f"{self.server}:{self.zone}"


class ZoneRef(NamedTuple):
    """One incarnation of a zone object. The UID tells a zone that was deleted and created again from its forerunner."""

    zone: dns.name.Name
    uid: str
    namespace: str = ""
    name: str = ""

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.name else f"{self.zone}({self.uid})"


class ObjectRef(NamedTuple):
    """An object that contributes to RRsets: a record, a Service, or one `part` (endpoint) of a DNSEndpoint.

    Each part has an outcome of its own: one bad endpoint of a thousand fails alone.
    """

    kind: str
    namespace: str
    name: str
    uid: str
    part: str = ""

    def __str__(self) -> str:
        whole = f"{self.kind} {self.namespace}/{self.name}"
        return f"{whole} ({self.part})" if self.part else whole


class Contributor(NamedTuple):
    """A contributing object in one version. `version` is the caller's word for "this generation" (its recordHash)."""

    ref: ObjectRef
    version: str


@dataclass(frozen=True, slots=True, eq=False)
class DesiredRRset:
    """One desired RRset and the objects it is the union of.

    Compared by identity: keep the same object for an RRset that did not change, and installing a zone of 10,000 RRsets
    with one change costs a set difference and one RRset. (An equal copy is noticed too, it only costs more.)
    `pods` counts the members that come from headless Services' EndpointSlices; it only feeds a metric.
    `planned`: an endpoint's RRset, or its registry TXT. It is published only under a current `Plan`, and then over
    whatever stands there.
    """

    rrset: RRset
    contributors: frozenset[Contributor] = frozenset()
    pods: int = 0
    planned: bool = False


@dataclass(frozen=True, slots=True)
class Bindcar:
    """Where a server's sidecar listens. Without one a server's zones are adopted: never created, never deleted."""

    url: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """A name server as its instance describes it.

    `ready` is the instance's own Ready: primaries that are not Ready do not hold up a record's Ready.
    `incarnation` is anything that changes when the server process is another one (pod UID, boot time): a change makes
    all its zones UNKNOWN at once; without it a restart is noticed by the next poll or the next failing operation.
    `identity` is what tells one server from another under whatever name ("" = not known).
    `transfer_key` is the TSIG key's name that other servers use to transfer from this one ("" = that of `key`).
    """

    name: str
    role: Role
    address: str
    port: int = 53
    key: TsigKey | None = None
    bindcar: Bindcar | None = None
    ready: bool = True
    incarnation: str = ""
    transfer_key: str = ""
    identity: str = ""

    @property
    def adopted(self) -> bool:
        """Without a sidecar its zones can be filled, never created or deleted."""
        return self.bindcar is None


@dataclass(frozen=True, slots=True)
class ZoneConfig:
    """What a zone is, apart from its records. `soa.serial` is ignored: the engine owns the serial.

    The apex NS RRset (and glue) are ordinary entries of `ZoneWanted.rrsets`, without contributors if only the zone
    itself wants them.
    """

    soa: Soa
    dnssec_policy: str = ""
    also_notify: tuple[str, ...] = ()
    allow_transfer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoneContent:
    """What the servers of a zone hold, as last read, with what the engine wrote since: what a plan is made on.

    reads    rises with every reading: what was made on an earlier one is out of date. Its own writes do not count
    known    False while a server that decides is yet to be read, or there is none: then no plan can be made
    primaries  the RRsets of each primary that has the zone. One that does not have it (yet) holds nothing, and is not
               among them
    former   the same for adopted servers that the zone left, as far as they were read
    """

    reads: int
    known: bool
    primaries: Mapping[str, Mapping[RRsetKey, RRset]]
    former: Mapping[str, Mapping[RRsetKey, RRset]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a planner made of a `ZoneContent`, the planned RRsets of `ZoneWanted.rrsets` apart.

    A plan is current as long as its `reads` are those of the zone. Then its word holds: planned RRsets are published
    over what stands there, obsolete ones are removed, each on condition that the server still holds what was read.
    While it is not current nothing is done at any of these keys. `Plan()` was made on nothing and never is.

    obsolete  what stands on primaries, is ours by the registry, and wanted by no endpoint any more. A record may want
              it: then it is published over it
    former    the same on adopted servers that the zone left: all that is ours there
    pods      members from pods that no reading has let it decide on yet: they wait for the zone, too

    Keep the same `obsolete` object while it does not change: then installing costs nothing for it.
    """

    reads: int = 0
    obsolete: frozenset[RRsetKey] = frozenset()
    former: Mapping[str, frozenset[RRsetKey]] = field(default_factory=dict)
    pods: int = 0


AdoptedClaims = Mapping[str, Collection[RRsetKey]]
"""Server -> the RRsets that our objects published in an adopted zone there."""

_NO_CLAIMS: Mapping[RRsetKey, frozenset[ObjectRef]] = {}
_NO_ADOPTED_CLAIMS: AdoptedClaims = {}


@dataclass(frozen=True, slots=True)
class ZoneWanted:
    """A zone as it should be, whole. Replaces what was wanted before; there is no way to install a part.

    rrsets         every desired RRset, the apex NS among them
    primaries      names of servers that hold the zone, with their roles
    secondaries
    former         servers that hold or may hold the zone (status.bind9Instances, ZoneStatus) and no longer should
    claimed        RRsets that our objects' metadata and status say we may have published before. Read once per server,
                   when this process first reads the zone there: what is claimed and stands there is ours to remove.
                   After that the engine's own writes tell what is ours. The refs are objects that left the RRset
                   (deleted, renamed, relabelled) and wait for `RecordState.GONE`
    adopted_claims the same for zones on servers without bindcar, by server: claims count only on the server where
                   status says the RRset was published. Anything else there is somebody else's, so an RRset that is
                   desired and not ours is published only where nothing (or the same) stands
    plan           what the planner of endpoints decided; None if there is no planner, and so no planned RRset
    unreadable     RRsets with a contributor that cannot be read: nothing is removed from these
    serial_floor   lower bound of the serial: spec.soaRecord.serial and status.serial, whichever is ahead
    consent        the annotation that lets a mass removal happen
    correlation    the id of the reconcile that asks; shows up in log lines and callbacks of what it caused
    """

    ref: ZoneRef
    generation: int
    config: ZoneConfig
    rrsets: Mapping[RRsetKey, DesiredRRset]
    primaries: frozenset[str]
    secondaries: frozenset[str] = frozenset()
    former: frozenset[str] = frozenset()
    claimed: Mapping[RRsetKey, frozenset[ObjectRef]] = field(default_factory=lambda: _NO_CLAIMS)
    adopted_claims: AdoptedClaims = field(default_factory=lambda: _NO_ADOPTED_CLAIMS)
    plan: Plan | None = None
    unreadable: frozenset[RRsetKey] = frozenset()
    serial_floor: int = 0
    consent: bool = False
    correlation: str = ""


@dataclass(frozen=True, slots=True)
class ZoneGone:
    """A zone whose object is being deleted.

    `servers` are those that hold or may hold it (spec's, status's and the engine's own) and are there as objects; one
    that is neither named here nor known to the engine is waited for no longer. `adopted_claims` are those of
    ZoneWanted: in an adopted zone just these RRsets are taken away, a zone that we created goes as a whole. With a
    `plan`, an adopted zone is left only after a current one: it says what endpoints have there.
    """

    ref: ZoneRef
    servers: frozenset[str] = frozenset()
    adopted_claims: AdoptedClaims = field(default_factory=lambda: _NO_ADOPTED_CLAIMS)
    plan: Plan | None = None
    correlation: str = ""


class RecordState(StrEnum):
    """Where an object's RRsets in one zone stand."""

    PENDING = "pending"
    PUBLISHED = "published"
    FAILED = "failed"
    REMOVING = "removing"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class RecordOutcome:
    """How one object stands in one zone.

    PENDING    not (yet) on every primary that is Ready; `reason` says why: ZoneNotReady (buffered: the zone does not
               exist yet), Progressing, ServerUnreachable, TsigVerificationFailed, NoPrimaryInstances, ...
    PUBLISHED  every Ready primary has had this `version`; reason RecordPublished. Stays so when a server dies later.
    FAILED     this version will not be published: Rejected (the rcode is in the message), RecordConflict
    REMOVING   no longer wanted, and some primary may still have it (`waiting_for`)
    GONE       nothing of it is left on any primary: its finalizer may go

    `leaving`: some primary may still have something that this object wanted before, under another name.
    `adopted`: (server, name) of its RRsets that stand in adopted zones, in whatever version. After a restart only the
    object's own status tells that they are ours.
    """

    state: RecordState
    version: str = ""
    propagated: bool = False
    reason: Reason | None = None
    message: str = ""
    last_updated: dt.datetime | None = None
    waiting_for: tuple[str, ...] = ()
    leaving: bool = False
    adopted: frozenset[tuple[str, dns.name.Name]] = frozenset()

    @property
    def ready(self) -> bool:
        """What the Ready condition says, if `version` is the object's present one."""
        return self.state is RecordState.PUBLISHED


class ClaimState(StrEnum):
    """A server's standing for a zone, in the words of the API."""

    CLAIMED = "Claimed"
    CONFIGURED = "Configured"
    FAILED = "Failed"
    UNCLAIMED = "Unclaimed"


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """One replica of a zone. `in_sync`: exactly the wanted content, verified. No `reason` when all is well.

    `adopted`: the zone there is somebody else's; None while that cannot be told."""

    name: str
    role: Role
    state: ClaimState
    serial: int | None = None
    in_sync: bool = False
    reason: Reason | None = None
    message: str = ""
    adopted: bool | None = None

    @property
    def is_held(self) -> bool:
        """Is it this zone object that has the zone there, or may have it, whether or not the server is well?"""
        return self.state is not ClaimState.UNCLAIMED and self.reason not in {Reason.DUPLICATE_ZONE, Reason.CONFLICT}


@dataclass(frozen=True, slots=True)
class MassDelete:
    """A mass removal that waits for consent: `removals` of `total` RRsets."""

    removals: int
    total: int


@dataclass(frozen=True, slots=True)
class ZoneStatus:
    """How a zone stands, over all its servers.

    `published`: every primary that is Ready has the wanted content. `propagated`: every secondary too.
    `serial` is the serial of the wanted content, None before it was published anywhere.
    `pending` and `failed` count RRsets that objects wait for, and that will not be published as they are.
    `foreign` counts RRsets in the zone that are not ours, `repaired` the changes by others to ours that were put right.
    """

    ref: ZoneRef
    generation: int
    serial: int | None
    published: bool
    propagated: bool
    servers: tuple[ServerStatus, ...]
    deleting: bool = False
    blocked_by: tuple[str, ...] = ()
    mass_delete: MassDelete | None = None
    pending: int = 0
    failed: int = 0
    foreign: int = 0
    repaired: int = 0
    last_updated: dt.datetime | None = None


class Doing(StrEnum):
    """What would be done with a zone on a server, seen as a whole."""

    CREATE = "create"
    REPLACE = "replace"
    """Deleted, and created anew: what stands there is of an earlier zone object, or in another role."""
    DELETE = "delete"
    CHANGE = "change"
    TRANSFER = "transfer"


class Setting(NamedTuple):
    """A part of a zone's configuration on a server, in words."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Intent:
    """What would be done with a zone on a server, all steps of it together: the report of a dry run.

    A secondary gets its content by transfer, so none is listed. `waits_for` is what would have to happen before. The
    serial is not part of it: it depends on when it is done.
    """

    doing: Doing
    changes: tuple[Change, ...] = ()
    settings: tuple[Setting, ...] = ()
    waits_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outlook:
    """A zone on a server in a dry run: whether it was read, and what would be done with it.

    `settled`: no more is to be expected: it was read and planned on, or could not be, more than once; then `reason` and
    `message` say why. They also tell of what was read and is left alone. `planned`: what endpoints want there is a part
    of the intent; no plan can be made while a primary that decides was not read.
    """

    key: ZoneKey
    zone: ZoneRef
    role: Role
    read: bool
    settled: bool
    planned: bool = True
    intent: Intent | None = None
    reason: Reason | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class StatusChange:
    """What a status callback gets: the zone that moved, and exactly the objects whose outcome is another one now.

    `released`: the zone is gone from every server and the engine has forgotten it; its finalizer may go. A zone with a
    plan moves also when its `reads` rise: it has to be planned again.
    """

    zone: ZoneRef
    records: tuple[ObjectRef, ...] = ()
    released: bool = False
    correlation: str = ""
