"""The rules: given what is known of a zone on a server, what to do next. Part of the core; sends nothing.

1. UNKNOWN: observe.
2. Wanted, and somebody else's zone stands there: stop. An older incarnation of ours: as 5.
3. Wanted, absent: create.
4. Wanted, present: options differ: configure; content or serial differ: sync.
5. Not wanted, present: what depends on it goes first, then delete it. Adopted: our RRsets go, the zone stays.
6. Not wanted, absent: release.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import dns.name
import dns.rdatatype as rt

from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine.api import Role, ServerSpec, ZoneKey
from reconcilers.engine.core import serials
from reconcilers.engine.core.model import Known, Model, Replica, Trouble, Zone
from reconcilers.engine.core.protocol import (
    Configure,
    Create,
    Delete,
    Now,
    Observe,
    OpKind,
    Ownership,
    ZoneOptions,
)
from reconcilers.engine.core.sync import Decision, Rest, Step, config_of, follow, removal, sync
from reconcilers.reasons import Reason

WHOLE = 20_000
"""RRsets that can be part of a request to create a zone: about 2 MB."""


def decide(model: Model, replica: Replica, now: Now) -> Decision:  # noqa: PLR0911 - one return per rule
    """What to do with this zone on this server, which has nothing in flight and no back-off running."""
    spec = model.servers[replica.key.server]
    if replica.known is Known.UNKNOWN:
        return _observe(replica)
    zone = replica.wanted
    if zone is None:
        return _unwanted(model, replica, now)
    if replica.verify:
        return _observe(replica)
    if replica.known is Known.ABSENT:
        return _absent(model, replica, zone, spec, now)
    if not replica.is_mine():
        return _in_the_way(model, replica, zone)
    options = options_for(model, zone, replica)
    if replica.options is not None and replica.options.role is not options.role:
        return OpKind.DELETE, Delete(replica.owner_uid)  # BIND reports success for such a change and does nothing
    if replica.options is not None and replica.options != options:
        return _unless_parked(replica, options, (OpKind.CONFIGURE, Configure(options)))
    if replica.role is Role.SECONDARY:
        return follow(model, replica, zone, now)
    return sync(model, replica, zone, now)


def _observe(replica: Replica) -> Step:
    return OpKind.OBSERVE, Observe(replica.serial if replica.trusted else None, content=replica.role is Role.PRIMARY)


def _unless_parked(replica: Replica, spec: object, step: Step) -> Decision:
    """What was refused is not asked again until it is asked differently."""
    if replica.parked == spec:
        return Rest.IDLE
    return step


# --- wanted ----------------------------------------------------------------------------------------------------------


def _absent(model: Model, replica: Replica, zone: Zone, spec: ServerSpec, now: Now) -> Decision:
    if spec.adopted:
        replica.trouble = Trouble(
            Reason.ZONE_NOT_SERVED, f"{spec.name} does not serve {zone.ref.zone} and has no bindcar to create it"
        )
        return Rest.IDLE
    if zone.suspended:
        return Rest.IDLE
    options = options_for(model, zone, replica)
    if replica.role is Role.SECONDARY and not _source(model, zone):
        replica.trouble = Trouble(Reason.ZONE_NOT_READY, "waits for a primary that has the zone")
        return Rest.IDLE
    if replica.parked == creation(replica, zone, options):
        return Rest.IDLE
    if zone.is_unplanned and replica.role is Role.PRIMARY and model.established(zone):
        # Others may hold what endpoints have there: without it this server would deny names that exist.
        return Rest.IDLE
    return OpKind.CREATE, _create(model, replica, zone, options, now)


def creation(replica: Replica, zone: Zone, options: ZoneOptions) -> object:
    """What a CREATE asks for, the serial apart: refused once, it is not asked for again."""
    content = frozenset(bare(zone)) if replica.role is Role.PRIMARY else frozenset()
    return config_of(zone).soa.at(0), options, content


def _source(model: Model, zone: Zone) -> bool:
    return any(
        replica.known is Known.PRESENT and replica.is_mine() for replica in model.replicas_of(zone, Role.PRIMARY)
    )


def _create(model: Model, replica: Replica, zone: Zone, options: ZoneOptions, now: Now) -> Create:
    """A new zone begins with what it cannot be without; the rest follows as changes, which can be bisected.

    Everything else would let one bad record keep the whole zone from existing. One that was served before and is lost
    here comes back whole: resolvers would believe a half-filled replica that a name does not exist. If the server does
    not take it whole, it is filled like a new one. What endpoints had there is a part of the whole also while it is
    planned again: where the zone is not, nothing of anybody else can be overwritten.
    """
    soa = config_of(zone).soa
    if replica.role is Role.SECONDARY:
        return Create(options, soa, ())
    content = tuple(bare(zone))
    if len(content) == len(zone.content) and not zone.is_unplanned:
        return Create(options, soa.at(serials.target(model, zone, now, ahead_of=None)), content)
    if not model.established(zone):
        return Create(options, soa.at(serials.allocate(model, zone, now)), content)
    if replica.incremental or len(zone.content) > WHOLE:
        return Create(options, soa.at(serials.backdated(model, zone, now)), content, backdated=True)
    everything = tuple(zone.content.values())
    return Create(options, soa.at(serials.target(model, zone, now, ahead_of=None)), everything, whole=True)


def bare(zone: Zone) -> Iterator[RRset]:
    """The apex NS, and the addresses of those that lie in the zone: BIND does not load a zone without them."""
    servers = zone.content.get(RRsetKey(zone.ref.zone, rt.NS))
    if servers is None:
        return
    yield servers
    for rdata in servers.rdatas:
        for rdtype in (rt.A, rt.AAAA):
            key = RRsetKey(rdata.target, rdtype)  # type: ignore[attr-defined]  # an NS has one
            if (glue := zone.content.get(key)) and not (zone.is_unplanned and zone.wants_planned(key)):
                yield glue


def _in_the_way(model: Model, replica: Replica, zone: Zone) -> Decision:
    """Rule 2: somebody else's zone is never touched; one of an object that is no more has to go first."""
    owner = replica.owner_uid
    live = model.zones.get(owner)
    keeps = live is not None and not live.deleting and live not in replica.former_claimants
    if replica.ownership is Ownership.FOREIGN or keeps:
        holder = _holder(replica, live)
        replica.trouble = Trouble(
            Reason.CONFLICT, f"{replica.key.server} holds {zone.ref.zone} for {holder}; it is left alone"
        )
        return Rest.IDLE
    if any(on_secondaries(model, replica)):
        return Rest.IDLE
    return OpKind.DELETE, Delete(owner, unknown=live is None)


def _holder(replica: Replica, live: Zone | None) -> str:
    if live is not None:
        return f"DNSZone {live.ref}"
    return f"cluster {replica.holder}, not this one" if replica.holder else "somebody else"


def options_for(model: Model, zone: Zone, replica: Replica) -> ZoneOptions:
    """How the zone should be configured on this server. Sorted, so that equal means equal."""
    config = config_of(zone)
    present = replica.options or ZoneOptions(replica.role)
    if replica.role is Role.SECONDARY:
        sources = [name for name in zone.primaries if not _is_left_out(model, zone, name)]
        return ZoneOptions(Role.SECONDARY, primaries=_peers(model, sources, present.primaries, keyed=True))
    notified = frozenset(present.also_notify) - frozenset(config.also_notify)
    followers = [] if replica.refused else zone.secondaries
    return ZoneOptions(
        Role.PRIMARY,
        also_notify=_peers(model, followers, notified, keyed=False) + config.also_notify,
        allow_transfer=tuple(sorted(config.allow_transfer)),
        dnssec_policy=config.dnssec_policy,
    )


def _is_left_out(model: Model, zone: Zone, server: str) -> bool:
    """A primary that refuses what the others hold: no secondary may take its content for theirs."""
    replica = model.replicas.get(ZoneKey(server, zone.ref.zone))
    return replica is not None and bool(replica.refused)


def _peers(model: Model, names: Collection[str], present: Iterable[str], *, keyed: bool) -> tuple[str, ...]:
    """A server that is not known yet keeps its place: after a start they become known one by one."""
    known = {_peer(model.servers[name], keyed=keyed) for name in names if name in model.servers}
    kept = () if all(name in model.servers for name in names) else present
    return tuple(sorted(known.union(kept)))


def _peer(spec: ServerSpec, *, keyed: bool) -> str:
    key = spec.transfer_key or (spec.key.name.to_text(omit_final_dot=True) if spec.key else "")
    return f"{spec.address} port {spec.port}" + (f" key {key}" if keyed and key else "")


# --- not wanted ------------------------------------------------------------------------------------------------------


def _unwanted(model: Model, replica: Replica, now: Now) -> Decision:
    """Rules 5 and 6."""
    if replica.known is Known.ABSENT or replica.ownership is Ownership.FOREIGN:
        return Rest.RELEASE
    if (rest := _under_another_name(model, replica)) is not None:
        return rest
    if replica.ownership is Ownership.ADOPTED:
        # The zone is not ours: what we put there goes, the zone stays.
        gone = removal(model, replica, now)
        return gone or _released(replica)
    if replica.owner_uid not in {zone.ref.uid for zone in replica.former_claimants}:
        return Rest.RELEASE
    if any(blockers(model, replica)):
        return Rest.IDLE
    return _unless_parked(replica, replica.owner_uid, (OpKind.DELETE, Delete(replica.owner_uid)))


def _released(replica: Replica) -> Rest:
    """What endpoints have there only a current plan can tell. Where nobody makes one any more, it stays: whoever has
    the zone next finds it through the registry."""
    waits = any(zone.awaits_plan and not zone.is_abandoned for zone in replica.former_claimants)
    return Rest.IDLE if waits else Rest.RELEASE


def _under_another_name(model: Model, replica: Replica) -> Rest | None:
    """What is wanted here under another name of the server stays; what may be, waits. What stands here for another
    zone object has to go, whoever else left."""
    mine = [zone for zone in replica.former_claimants if replica.owner_uid in {"", zone.ref.uid}]
    same = {_is_same_server(model, replica, name) for zone in mine for name in zone.wanted_on}
    if True in same:
        return Rest.RELEASE
    return Rest.IDLE if None in same else None


def _is_same_server(model: Model, replica: Replica, name: str) -> bool | None:
    """Is `name` another name of this replica's server? None while it is not known which server that is.

    Names become known one by one after a start, and bindcar tells which server it is only when it is asked."""
    identity, other = model.identities.get(replica.key.server), model.identities.get(name)
    return None if other is None else bool(identity) and identity == other


def blockers(model: Model, replica: Replica) -> Iterator[str]:
    """What has to go before this replica: a delegation to the zone that we manage, then its replicas on secondaries.

    Only delegations of the same namespace: no tenant can hold up what another one deletes."""
    mine = _namespaces(replica)
    for parent in _ancestors(replica.key.zone):
        for above in model.siblings(parent):
            if mine & _namespaces(above):
                yield from (f"{above.key} {key}" for key in above.delegations(replica.key))
    yield from (str(other.key) for other in on_secondaries(model, replica))


def on_secondaries(model: Model, replica: Replica) -> Iterator[Replica]:
    """The replicas of the zone that stands here, or that may be: a CREATE whose reply was lost may have made one.

    One that another zone object wants on a server which cannot be asked does not hold that object up here."""
    for other in model.siblings(replica.key.zone):
        can_be_asked = other.key.server in model.servers and not other.failures
        unknown = other.known is Known.UNKNOWN and (other.wanted is None or can_be_asked)
        if _goes_first(other, replica) and (unknown or _holds(other, replica.owner_uid)):
            yield other


def _namespaces(replica: Replica) -> set[str]:
    return {zone.ref.namespace for zone in (*replica.claimants, *replica.former_claimants)}


def _ancestors(name: dns.name.Name) -> Iterator[dns.name.Name]:
    while name != dns.name.root:
        name = name.parent()
        yield name


def _goes_first(other: Replica, replica: Replica) -> bool:
    """Is `other` a secondary's replica of the same zone object's zone?"""
    if other is replica or replica.role is Role.SECONDARY or other.role is Role.PRIMARY:
        return False
    mine = {*replica.claimants, *replica.former_claimants}
    return any(zone in mine for zone in (*other.claimants, *other.former_claimants))


def _holds(other: Replica, uid: str) -> bool:
    """Does it hold this zone object's zone, which has to go? One that is wanted there stays."""
    if other.known is not Known.PRESENT or other.ownership is not Ownership.OURS or other.owner_uid != uid:
        return False
    return other.wanted is None or other.wanted.ref.uid != uid
