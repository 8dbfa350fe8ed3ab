"""A dry run: what the next operation on a zone on a server begins, told as a whole. Part of the core; sends nothing.

The rules decide one step at a time: a zone is created bare, configured, then filled. People ask what comes of it all.
What is refused only when it is sent cannot be told.
"""

from __future__ import annotations

from collections.abc import Iterator

from reconcilers.ddns.plan import Change, plan
from reconcilers.ddns.soa import Soa
from reconcilers.engine.api import Doing, Intent, Outlook, Role, Setting
from reconcilers.engine.core.decide import blockers, on_secondaries
from reconcilers.engine.core.model import Known, Model, Replica, Trouble
from reconcilers.engine.core.protocol import Configure, Now, OpKind, Ownership, Payload, Sync, ZoneOptions
from reconcilers.engine.core.sync import Decision, Rest, sync
from reconcilers.reasons import Reason

TRIES = 2
"""A server that did not answer once may just have been busy."""

_OPTIONS = ("primaries", "also_notify", "allow_transfer")


def intent(model: Model, replica: Replica, decision: Decision, now: Now) -> Intent | None:
    """What `decision`, which is not to look at the server, leads to."""
    match decision:
        case (kind, payload):
            return _begun(model, replica, kind, payload, now)
        case Rest.RELEASE:
            return None
    return _waiting(model, replica)


def _begun(model: Model, replica: Replica, kind: OpKind, payload: Payload, now: Now) -> Intent:
    if kind is OpKind.CREATE:
        return Intent(Doing.CREATE, _contents(replica))
    if kind is OpKind.DELETE:
        return Intent(Doing.REPLACE if replica.wanted else Doing.DELETE, _contents(replica))
    if isinstance(payload, Configure):
        settings = tuple(_differing(replica.options, payload.options))
        return _filled(replica, _next(model, replica, now), settings)
    return Intent(Doing.TRANSFER) if replica.role is Role.SECONDARY else _filled(replica, payload, ())


def _filled(replica: Replica, payload: Payload | None, settings: tuple[Setting, ...]) -> Intent:
    changes = payload.changes if isinstance(payload, Sync) else ()
    if isinstance(payload, Sync) and payload.soa is not None and replica.soa is not None:
        settings += tuple(_differing_soa(replica.soa, payload.soa, serial=not changes))
    return Intent(Doing.CHANGE, changes, settings)


def _next(model: Model, replica: Replica, now: Now) -> Payload | None:
    """What follows when a primary is configured."""
    zone = replica.wanted
    match sync(model, replica, zone, now) if zone and replica.role is Role.PRIMARY else None:
        case (_, payload):
            return payload
    return None


def _contents(replica: Replica) -> tuple[Change, ...]:
    """From all that stands there to all that should."""
    if replica.role is Role.SECONDARY and replica.wanted is not None:
        return ()
    return plan(replica.wanted.content if replica.wanted else {}, replica.records)


def _differing(before: ZoneOptions | None, after: ZoneOptions) -> Iterator[Setting]:
    for name in _OPTIONS:
        was, becomes = (", ".join(getattr(options, name)) if options else "" for options in (before, after))
        if was != becomes:
            yield Setting(name.replace("_", "-"), was, becomes)
    if before is not None and before.dnssec_policy != after.dnssec_policy:
        yield Setting("dnssec-policy", before.dnssec_policy, after.dnssec_policy)


def _differing_soa(before: Soa, after: Soa, *, serial: bool) -> Iterator[Setting]:
    """With every change the serial moves; it is told only where nothing else would be."""
    if not before.same_config(after):
        yield Setting("SOA", _text(before), _text(after))
    elif serial:
        yield Setting("serial", "behind", "that of the zone")


def _text(soa: Soa) -> str:
    return f"{soa.ttl} {soa.primary} {soa.admin} {soa.refresh} {soa.retry} {soa.expire} {soa.minimum}"


def _waiting(model: Model, replica: Replica) -> Intent | None:
    """Nothing is begun now; what would be once other servers have done their part?"""
    zone = replica.wanted
    if zone is None:
        going = replica.is_present() and replica.ownership is Ownership.OURS
        waits = tuple(sorted(blockers(model, replica))) if going else ()
        return Intent(Doing.DELETE, _contents(replica), waits_for=waits) if waits else None
    trouble = replica.trouble.reason if replica.trouble else None
    if replica.is_present() and not replica.is_mine() and trouble is not Reason.CONFLICT:
        waits = tuple(sorted(str(other.key) for other in on_secondaries(model, replica)))
        return Intent(Doing.REPLACE, _contents(replica), waits_for=waits) if waits else None
    if replica.known is Known.ABSENT and replica.role is Role.SECONDARY and trouble is Reason.ZONE_NOT_READY:
        return Intent(Doing.CREATE, waits_for=("a primary that has the zone",))
    return None


def outlook(model: Model, replica: Replica) -> Outlook:
    """The zone on that server, for people."""
    zone = replica.wanted or replica.former_claimants[0]
    trouble = model.suspended.get(replica.key.server) or replica.trouble or Trouble(Reason.PROGRESSING, "")
    suspended = replica.key.server in model.suspended
    read = replica.known is not Known.UNKNOWN and not replica.verify and not suspended
    idle = replica.op is None and replica.key.server in model.servers
    readable = all(each.known is not Known.UNKNOWN for each in model.required(zone))
    planned = not zone.awaits_plan or zone.is_abandoned
    done = read and idle and (planned or not readable)
    return Outlook(
        replica.key,
        zone.ref,
        replica.role,
        read=read,
        settled=done or suspended or replica.failures >= TRIES,
        planned=planned,
        intent=replica.intent if read else None,
        reason=trouble.reason if trouble.message else None,
        message=trouble.message,
    )
