"""The mass-delete guard: a change that would remove much of a zone waits for consent. Part of the core.

A failed read, a broken selector or a bad merge looks like "delete everything"; people confirm that with an annotation.
"""

from __future__ import annotations

from reconcilers.ddns.rrset import RRsetKey
from reconcilers.engine.api import Role
from reconcilers.engine.core.model import Known, Model, Replica, Zone

SHARE = 0.25
COUNT = 10
"""Both have to be exceeded: a zone of three records may lose two."""


def withhold_mass_removal(model: Model, replica: Replica, zone: Zone) -> None:
    """If the changes due on this server would remove too much, keep it in the wanted content until consent is given."""
    if zone.wanted is None or zone.wanted.consent:
        return
    doomed = [key for key in replica.dirty if key in replica.records and key not in zone.content]
    if len(doomed) <= COUNT or len(doomed) <= SHARE * len(replica.records):
        return
    for key in doomed:
        if not _already_gone(model, zone, key):
            zone.withheld[key] = replica.records[key]
            zone.put(key, replica.records[key])
    for primary in model.replicas_of(zone, Role.PRIMARY):
        for key in doomed:
            primary.mark(key)


def _already_gone(model: Model, zone: Zone, key: RRsetKey) -> bool:
    """A server that missed removals which happened elsewhere just catches up: that needs no consent."""
    primaries = model.replicas_of(zone, Role.PRIMARY)
    return any(primary.known is Known.PRESENT and key not in primary.records for primary in primaries)


def drop_stale_withheld(replica: Replica, zone: Zone) -> set[RRsetKey]:
    """What this server does not hold (any more) was removed already: holding it would put it back."""
    stale = {key for key in zone.withheld if key not in replica.records}
    for key in stale:
        del zone.withheld[key]
        zone.put(key, None)
    return stale
