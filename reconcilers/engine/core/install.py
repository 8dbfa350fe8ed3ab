"""Installing what is wanted: from a whole desired zone to the few RRsets that became different. Part of the core.

Decides what every primary's content should be (`Zone.content`) and who waits for it; never what to send.
"""

from __future__ import annotations

from dataclasses import replace

from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine.api import DesiredRRset, ObjectRef, Role, ZoneKey, ZoneWanted
from reconcilers.engine.core.model import Model, Rejection, Replica, Zone

ADDRESSES = frozenset({1, 28})
"""A and AAAA."""


def install(zone: Zone, wanted: ZoneWanted, now: float) -> set[RRsetKey]:
    """Make `wanted` the zone's wish; returns the keys whose content or contributors became different."""
    before, zone.wanted = zone.wanted, wanted
    zone.correlation, zone.floor, zone.suspended = wanted.correlation, wanted.serial_floor, False
    # Sorted: a history of events leads to the same operations in every run.
    roles = [(wanted.secondaries, Role.SECONDARY), (wanted.primaries, Role.PRIMARY)]
    zone.roles = {name: role for names, role in roles for name in sorted(names)}
    zone.former = set(wanted.former) - zone.roles.keys()
    zone.claimed, zone.adopted_claims = wanted.claimed, wanted.adopted_claims
    if before is not None and not before.config.soa.same_config(wanted.config.soa):
        zone.new_revision()
    touched = _contributions(zone, before, wanted, now)
    zone.set_plan(wanted.plan)
    touched |= _claims(zone, before, wanted) | retry_refused_by_former(zone, now)
    if wanted.consent:
        touched |= release_withheld(zone)
    return touched


def _contributions(zone: Zone, before: ZoneWanted | None, wanted: ZoneWanted, now: float) -> set[RRsetKey]:
    # By identity: unchanged entries cost no comparison, and no hashing of names.
    present = frozenset(wanted.rrsets.values())
    changed = {entry.rrset.key for entry in present ^ zone.contributions}
    zone.contributions = present
    if before is not None and before.unreadable != wanted.unreadable:
        changed |= before.unreadable ^ wanted.unreadable
    old = before.rrsets if before else {}
    touched = set(changed)
    for key in changed:
        _members(zone, key, old.get(key), wanted.rrsets.get(key))
        _retire(zone, key, old.get(key), wanted.rrsets.get(key))
        touched |= refresh(zone, key, now)
    return touched


def _members(zone: Zone, key: RRsetKey, old: DesiredRRset | None, new: DesiredRRset | None) -> None:
    """Who contributes at `key`: the index of versions, those that wait to be published, those that wait to be gone."""
    was = dict(old.contributors) if old else {}
    now = dict(new.contributors) if new else {}
    gone = was.keys() - now.keys()
    for ref in gone:
        _forget_version(zone, ref, key)
        zone.unpropagated.pop(ref, None)
        zone.pending.get(key, set()).discard(ref)
    zone.leave(key, gone)
    for ref, version in now.items():
        zone.versions.setdefault(ref, {})[key] = version
        if was.get(ref) != version:
            zone.pending.setdefault(key, set()).add(ref)
            zone.unpropagated.pop(ref, None)
    zone.left(key, now)
    if not zone.pending.get(key):
        zone.pending.pop(key, None)


def _retire(zone: Zone, key: RRsetKey, old: DesiredRRset | None, new: DesiredRRset | None) -> None:
    """What was planned stays the planner's until it is gone."""
    if new is not None:
        zone.retired.discard(key)
    elif old is not None and old.planned:
        zone.retired.add(key)


def _forget_version(zone: Zone, ref: ObjectRef, key: RRsetKey) -> None:
    keys = zone.versions.get(ref, {})
    keys.pop(key, None)
    if not keys:
        zone.versions.pop(ref, None)


def _claims(zone: Zone, before: ZoneWanted | None, wanted: ZoneWanted) -> set[RRsetKey]:
    """Objects that wait for a removal, known from metadata: after a restart there is no other memory of them."""
    if before is not None and before.claimed is wanted.claimed:
        return set()
    known = before.claimed if before else {}
    # By identity first: what did not change costs no hashing of names. (`known` is alive, so no id is used again.)
    same = dict(zip(map(id, known.values()), known, strict=True))
    entries = ((key, refs) for key, refs in wanted.claimed.items() if same.get(id(refs)) is not key)
    fresh = {key: refs for key, refs in entries if known.get(key) != refs}
    for key, refs in fresh.items():
        zone.leave(key, (ref for ref in refs if key not in zone.versions.get(ref, ())))
    return set(fresh)


def refresh(zone: Zone, key: RRsetKey, now: float) -> set[RRsetKey]:
    """Work out the content at `key` again; returns the keys where it changed."""
    wanted = zone.wanted
    if wanted is None:
        return set()
    entry = wanted.rrsets.get(key)
    rrset = entry.rrset if entry else None
    if rejection := zone.rejected.get(key):
        return retry(zone, key, now) if rejection.rrset != rrset else set()
    if rrset is not None:
        zone.withheld.pop(key, None)
    if key in wanted.unreadable:
        rrset = merged(zone.content.get(key), rrset)
    elif key in zone.withheld:
        rrset = zone.withheld[key]
    if not zone.put(key, rrset):
        return set()
    if rrset is None:
        zone.since.pop(key, None)
        zone.updated.pop(key, None)
    elif zone.buffered:
        zone.since.setdefault(key, now)
    return {key} | _reconsider(zone, key, now)


def retry(zone: Zone, key: RRsetKey, now: float) -> set[RRsetKey]:
    """What was refused at `key` may pass now; returns the keys where the content changed by that.

    An endpoint's address and its TXT were refused as one and are tried again as one."""
    refs = zone.contributors(key) if zone.wants_planned(key) else ()
    keys = {key, *(each for ref in refs for each in zone.versions.get(ref, ()) if each in zone.rejected)}
    for each in keys:
        zone.rejected.pop(each, None)
    return {changed for each in keys for changed in refresh(zone, each, now)}


def _reconsider(zone: Zone, key: RRsetKey, now: float) -> set[RRsetKey]:
    """An address appeared: what was refused because it points there (BIND checks MX and NS targets) may pass now."""
    if key.rdtype not in ADDRESSES:
        return set()
    target = b"".join(bytes((len(label),)) + label for label in key.name.labels)
    again = [
        other
        for other, rejection in zone.rejected.items()
        if rejection.rrset and any(data.endswith(target) for data in rejection.rrset.data)
    ]
    return {changed for other in again for changed in retry(zone, other, now)}


def merged(known: RRset | None, desired: RRset | None) -> RRset | None:
    """Nothing is taken away while a contributor cannot be read: what stands, and what is added to it."""
    if known is None or desired is None:
        return desired or known
    if desired.data >= known.data:
        return desired
    return replace(desired, data=desired.data | known.data)


def release_withheld(zone: Zone) -> set[RRsetKey]:
    """Consent was given: the removals that waited may happen."""
    keys = set(zone.withheld)
    zone.withheld.clear()
    for key in keys:
        zone.put(key, None)
    return keys


def reject(model: Model, zone: Zone, replica: Replica, key: RRsetKey, rejection: Rejection) -> bool:
    """A server will not take the RRset at `key`; True if the wanted content changed by that.

    One serial must name one content everywhere, so what one primary does not take, none may keep: all go back to what
    the zone published before. What one server holds never becomes the content of others. If they cannot go back,
    because what it refuses is what was published before, it is left out of what they agree on.
    """
    others = [each for each in model.replicas_of(zone, Role.PRIMARY) if each is not replica]
    before = _published_before(model, zone, key)
    if before == rejection.rrset and others:
        replica.refused[key] = rejection
        replica.mark(key)
        return False
    zone.rejected[key] = rejection
    zone.unpublish(key)
    return zone.put(key, before if others else replica.records.get(key))


def _published_before(model: Model, zone: Zone, key: RRsetKey) -> RRset | None:
    """As this process saw it published; else what all primaries held when this process first read them."""
    if key in zone.confirmed:
        return zone.confirmed[key]
    primaries = model.replicas_of(zone, Role.PRIMARY)
    found = {each.found.get(key) for each in primaries if zone.ref.uid in each.counted}
    return found.pop() if len(found) == 1 else None


def reconsider_rejected(model: Model, zone: Zone, replica: Replica) -> set[RRsetKey]:
    """A primary was read for the first time: what it holds may be what was published before another one refused a
    change. Returns the keys whose wanted content changed by that."""
    changed = set()
    for key, rejection in list(zone.rejected.items()):
        if replica.records.get(key) == rejection.rrset:
            del zone.rejected[key]
            refuser = model.replicas[ZoneKey(rejection.server, zone.ref.zone)]
            refuser.refused[key] = rejection
            before = rejection.rrset
        else:
            before = _published_before(model, zone, key)
        if zone.put(key, before):
            changed.add(key)
    return changed


def retry_refused_by_former(zone: Zone, now: float) -> set[RRsetKey]:
    """What only a server refused that is no longer among the primaries may pass now. Returns what is retried."""
    keys = {key for key, each in zone.rejected.items() if zone.roles.get(each.server) is not Role.PRIMARY}
    return keys.union(*(retry(zone, key, now) for key in keys))


def retry_all_rejected(zone: Zone, replica: Replica, now: float) -> set[RRsetKey]:
    """What this server refused may pass now. Returns what is retried."""
    keys = {key for key, each in zone.rejected.items() if each.server == replica.key.server}
    return _retry(zone, replica, keys | replica.refused.keys(), now)


def retry_rejected(zone: Zone, replica: Replica, now: float) -> set[RRsetKey]:
    """The server holds something else now: what it refused at a name that changed may pass. Returns what is retried."""
    theirs = {key: each.beside for key, each in zone.rejected.items() if each.server == replica.key.server}
    theirs |= {key: each.beside for key, each in replica.refused.items()}
    if not theirs:
        return set()
    standing = replica.at({key.name for key in theirs})
    return _retry(zone, replica, {key for key, beside in theirs.items() if standing[key.name] != beside}, now)


def _retry(zone: Zone, replica: Replica, keys: set[RRsetKey], now: float) -> set[RRsetKey]:
    again = set(keys)
    for key in keys:
        replica.refused.pop(key, None)
        if key in zone.rejected:
            again |= retry(zone, key, now)
        replica.mark(key)
    return again
