"""The language between the core and the engine around it: events in, effects out. Frozen values only.

An operation is what the engine is to do on one server for one zone; a result is what came of it. Both are facts about a
moment: the core matches them by operation id and ignores what is out of date.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from reconcilers.ddns.plan import Change
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.ddns.soa import Soa
from reconcilers.engine.api import Intent, Role, ServerSpec, StatusChange, ZoneGone, ZoneKey, ZoneRef, ZoneWanted
from reconcilers.reasons import Reason


class Now(NamedTuple):
    """One moment on both clocks: `mono` for back-off and durations, `unix` for serials and dates."""

    mono: float
    unix: float


class OpKind(StrEnum):
    """What an operation does."""

    OBSERVE = "observe"
    CREATE = "create"
    CONFIGURE = "configure"
    SYNC = "sync"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class ZoneOptions:
    """How a zone is configured on one server, records apart. Equal options need no CONFIGURE.

    Peers are written as in named.conf: `192.0.2.1 port 5353 key transfer`.
    """

    role: Role
    primaries: tuple[str, ...] = ()
    also_notify: tuple[str, ...] = ()
    allow_transfer: tuple[str, ...] = ()
    dnssec_policy: str = ""


@dataclass(frozen=True, slots=True)
class Observe:
    """Look at the zone. `known_serial`: if the server still has it, nothing else need be read."""

    known_serial: int | None = None
    content: bool = True


@dataclass(frozen=True, slots=True)
class Create:
    """Create the zone with this SOA and these RRsets (apex NS and glue at least; none on a secondary).

    `whole`: that is all it should hold, because it was served before: a replica that is filled bit by bit would deny
    names that exist. `backdated`: it is filled bit by bit all the same, so its serial lies in the past until it is
    complete.
    """

    options: ZoneOptions
    soa: Soa
    content: tuple[RRset, ...]
    whole: bool = False
    backdated: bool = False


@dataclass(frozen=True, slots=True)
class Configure:
    """Give the zone these options; its records stay."""

    options: ZoneOptions


@dataclass(frozen=True, slots=True)
class Sync:
    """Make these changes, in one UPDATE where they fit, with this SOA; without changes it moves the serial only.

    Every further message of the same operation (a batch too large, or refused and bisected) asks the core for a
    serial of its own: one serial never names two contents. On a secondary (`soa` is None) it means: transfer the zone
    again.

    `before` is the SOA that the changes were decided on. A foreign UPDATE in between would be hidden by our serial for
    ever, so nothing is done if the server is not there any more; it is looked at again instead.
    """

    changes: tuple[Change, ...] = ()
    soa: Soa | None = None
    before: Soa | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete the zone, which belongs to the zone object with this UID.

    `unknown`: the core knows no such object. That it is gone has to be seen before anything is deleted."""

    uid: str
    unknown: bool = False


Payload = Observe | Create | Configure | Sync | Delete


@dataclass(frozen=True, slots=True)
class Op:
    """One operation in flight. `removing`: dispatched for a zone that nobody wants on this server any longer."""

    id: int
    key: ZoneKey
    server: ServerSpec
    kind: OpKind
    payload: Payload
    ref: ZoneRef
    role: Role
    attempt: int
    started: float
    correlation: str = ""
    removing: bool = False


# --- results ---------------------------------------------------------------------------------------------------------


class Ownership(StrEnum):
    """Whose zone stands on the server."""

    OURS = "ours"
    ADOPTED = "adopted"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class Absent:
    """The server does not have the zone."""


@dataclass(frozen=True, slots=True)
class Present:
    """The zone as it stands. `records` is None when only the serial was read; `options` None when not known.

    A secondary that has not transferred the zone yet has no serial. `holder` is the cluster in the marker of a foreign
    zone, if it has one.
    """

    ownership: Ownership
    serial: int | None
    soa: Soa | None = None
    records: Mapping[RRsetKey, RRset] | None = None
    owner_uid: str = ""
    options: ZoneOptions | None = None
    holder: str = ""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The serial is the known one."""


@dataclass(frozen=True, slots=True)
class Applied:
    """Done and verified. For a SYNC: the serial read afterwards, and what the server would not take, with the reason.

    `sent` is the serial of the last message that was accepted, None if none was; a server that shows another one was
    changed by somebody else meanwhile.
    """

    serial: int | None = None
    sent: int | None = None
    rejected: tuple[tuple[RRsetKey, Reason, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """No, and the same request will be refused again."""

    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class Failed:
    """It did not work out. `ambiguous`: it may have been done all the same."""

    reason: Reason
    message: str
    ambiguous: bool = True

    @classmethod
    def unexpectedly(cls, error: Exception) -> Failed:
        """A defect of ours. What it says may come from outside, and goes into a status: it is cut."""
        return cls(Reason.INTERNAL_ERROR, f"{type(error).__name__}: {error}"[:500])


@dataclass(frozen=True, slots=True)
class NotLive:
    """The zone's object is gone, replaced, being deleted, or without our finalizer: nothing was created."""


Result = Absent | Present | Unchanged | Applied | Refused | Failed | NotLive


# --- events ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetServer:
    """A server appeared or changed."""

    spec: ServerSpec


@dataclass(frozen=True, slots=True)
class SuspendServer:
    """Nobody can say at present how a server is reached: what is there stays there, and waits."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class RemoveServer:
    """A server's object is gone."""

    name: str


@dataclass(frozen=True, slots=True)
class Want:
    """A zone as it should be."""

    wanted: ZoneWanted


@dataclass(frozen=True, slots=True)
class Gone:
    """A zone's object is being deleted."""

    gone: ZoneGone


@dataclass(frozen=True, slots=True)
class Completed:
    """An operation ended."""

    op_id: int
    result: Result


@dataclass(frozen=True, slots=True)
class Poll:
    """Time to look whether somebody else changed this zone, or lost it."""

    key: ZoneKey


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed: back-offs may be over."""


@dataclass(frozen=True, slots=True)
class Drain:
    """Dispatch nothing from now on."""


Event = SetServer | SuspendServer | RemoveServer | Want | Gone | Completed | Poll | Tick | Drain


# --- effects ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dispatch:
    """Carry this out, then report a `Completed` with its id."""

    op: Op


@dataclass(frozen=True, slots=True)
class Notify:
    """Tell the status callbacks."""

    change: StatusChange


@dataclass(frozen=True, slots=True)
class Transition:
    """A zone on a server went from one state to another; None is "not known to the engine"."""

    key: ZoneKey
    uid: str
    before: str | None
    after: str | None
    op: Op | None


@dataclass(frozen=True, slots=True)
class Finished:
    """An operation's completion was taken into account (a stale one is not). Feeds logs and metrics."""

    op: Op
    result: Result
    duration: float
    retry_in: float | None = None


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """A secondary has the serial that the primaries have."""

    key: ZoneKey
    uid: str
    serial: int


@dataclass(frozen=True, slots=True)
class Flushed:
    """RRsets that had been waiting for their zone to exist went out; how long each waited."""

    waited: tuple[float, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Parked:
    """A rule raised: a defect of ours, shown by something unforeseen. The replica rests, everything else goes on."""

    key: ZoneKey
    uid: str
    error: Exception
    retry_in: float


@dataclass(frozen=True, slots=True)
class Intended:
    """In a dry run: what would be done is another thing now. None: nothing would be."""

    key: ZoneKey
    uid: str
    intent: Intent | None


Effect = Dispatch | Notify | Transition | Finished | CaughtUp | Flushed | Parked | Intended
