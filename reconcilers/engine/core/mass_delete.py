"""The mass-delete guard: a change that would remove much of a zone waits for consent. Part of the core.

A failed read, a broken selector or a bad merge looks like "delete everything"; people confirm that with an annotation.
"""

from __future__ import annotations

from reconcilers.ddns.rrset import RRsetKey
from reconcilers.engine.api import Role
from reconcilers.engine.core.book import Book
from reconcilers.engine.core.model import Known, Zone, ZoneOnServer

SHARE = 0.25
COUNT = 10
"""Both have to be exceeded: a zone of three records may lose two."""


def hold_mass_removal(book: Book, site: ZoneOnServer, zone: Zone) -> None:
    """If the changes due on this server would remove too much, keep it in the wanted content until consent is given."""
    if zone.wanted is None or zone.wanted.consent:
        return
    doomed = [key for key in site.dirty if key in site.records and key not in zone.content]
    if len(doomed) <= COUNT or len(doomed) <= SHARE * len(site.records):
        return
    for key in doomed:
        if not _already_gone(book, zone, key):
            zone.held[key] = site.records[key]
            zone.put(key, site.records[key])
    for primary in book.sites_of(zone, Role.PRIMARY):
        for key in doomed:
            primary.mark(key)


def _already_gone(book: Book, zone: Zone, key: RRsetKey) -> bool:
    """A server that missed removals which happened elsewhere just catches up: that needs no consent."""
    primaries = book.sites_of(zone, Role.PRIMARY)
    return any(primary.known is Known.PRESENT and key not in primary.records for primary in primaries)


def drop_stale_holds(site: ZoneOnServer, zone: Zone) -> set[RRsetKey]:
    """What this server does not hold (any more) was removed already: holding it would put it back."""
    stale = {key for key in zone.held if key not in site.records}
    for key in stale:
        del zone.held[key]
        zone.put(key, None)
    return stale
