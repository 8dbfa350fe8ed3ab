"""Everything the core knows, with the look-ups its rules need: who else has this zone, which serial comes next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import dns.name

from reconcilers.ddns.soa import next_serial, serial_add, serial_gt
from reconcilers.engine.api import Role, ServerSpec, ZoneKey
from reconcilers.engine.core.model import Known, Trouble, Zone, ZoneOnServer
from reconcilers.engine.core.protocol import Now, Op

PAST = 2**30
"""How far back the serials of a zone lie that is created again while others serve it.

Far enough that no secondary takes the half-filled zone for news, near enough (RFC 1982: less than half the circle)
that the present serial is ahead of it.
"""

LEAP = 100
"""More serials than the process before this one handed out for a zone since it last wrote one into its status."""


@dataclass(slots=True)
class Book:
    """Servers, zones, and zones on servers.

    `busy` holds every operation in flight by key, also those whose completion will be stale: a second one for the same
    zone on the same server must wait for it. `highest` is the highest serial seen or handed out, per zone name;
    `former` is that of zones which are gone, until the clock is past it: created again, they must not start lower.
    `begun` are the zone names that this process has handed out a serial for. `suspended` are servers that cannot be
    spoken to, and why.
    """

    servers: dict[str, ServerSpec] = field(default_factory=dict)
    suspended: dict[str, Trouble] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    sites: dict[ZoneKey, ZoneOnServer] = field(default_factory=dict)
    by_name: dict[dns.name.Name, set[ZoneKey]] = field(default_factory=dict)
    busy: dict[ZoneKey, Op] = field(default_factory=dict)
    highest: dict[dns.name.Name, int] = field(default_factory=dict)
    former: dict[dns.name.Name, int] = field(default_factory=dict)
    begun: set[dns.name.Name] = field(default_factory=set)

    def site(self, key: ZoneKey) -> ZoneOnServer:
        """The zone on that server, UNKNOWN if it is new here."""
        found = self.sites.get(key)
        if found is None:
            found = self.sites[key] = ZoneOnServer(key)
            self.by_name.setdefault(key.zone, set()).add(key)
        return found

    def forget_site(self, key: ZoneKey) -> None:
        """Nobody wants it, nobody waits for it."""
        del self.sites[key]
        siblings = self.by_name[key.zone]
        siblings.discard(key)
        if not siblings:
            del self.by_name[key.zone]
            self.begun.discard(key.zone)
            if (serial := self.highest.pop(key.zone, None)) is not None:
                self.former[key.zone] = serial

    def siblings(self, name: dns.name.Name) -> Iterator[ZoneOnServer]:
        """The same zone name on all servers."""
        for key in self.by_name.get(name, ()):
            yield self.sites[key]

    def sites_of(self, zone: Zone, role: Role | None = None) -> Iterator[ZoneOnServer]:
        """The zone on the servers that should hold it."""
        for server, its in zone.roles.items():
            if role in {None, its} and (site := self.sites.get(ZoneKey(server, zone.ref.zone))):
                yield site

    def required(self, zone: Zone) -> list[ZoneOnServer]:
        """The primaries that decide whether a record is Ready: those that are Ready themselves, if there are any."""
        primaries = list(self.sites_of(zone, Role.PRIMARY))
        ready = [site for site in primaries if (server := self.servers.get(site.key.server)) and server.ready]
        return ready or primaries

    def claims_count(self, zone: Zone, server: str) -> bool:
        """Is what the zone's objects claim ours on this server, whatever stands there?

        In a zone that we created, yes. One that was adopted in this process's time has other people's data at claimed
        names: the claims come from the servers that had the zone before.
        """
        spec = self.servers.get(server)
        return server in zone.holders or (spec is not None and not spec.adopted)

    # --- serials -----------------------------------------------------------------------------------------------------

    def saw(self, name: dns.name.Name, serial: int) -> None:
        """A serial in use somewhere: what is handed out later lies ahead of it."""
        highest = self.highest.get(name)
        if highest is None or serial_gt(serial, highest):
            self.highest[name] = serial

    def allocate(self, zone: Zone, now: Now) -> int:
        """A serial that was never used for this zone name: max(unix time, lower bound, highest seen + 1)."""
        name = zone.ref.zone
        if name in self.former:
            self.saw(name, self.former.pop(name))
        self.former = {gone: serial for gone, serial in self.former.items() if serial >= int(now.unix)}
        serial = next_serial(now.unix, zone.floor, self.highest.get(name, zone.floor))
        if name not in self.begun and zone.floor and self._may_be_behind(zone):
            serial = serial_add(serial, LEAP)
        self.begun.add(name)
        self.highest[name] = serial
        return serial

    def _may_be_behind(self, zone: Zone) -> bool:
        """A primary that was not seen yet may have serials of an earlier process that nobody else knows."""
        primaries = self.sites_of(zone, Role.PRIMARY)
        return any(site.known is Known.UNKNOWN and site.serial is None for site in primaries)

    def target(self, zone: Zone, now: Now, *, ahead_of: int | None) -> int:
        """The serial of the zone's present version, which must lie ahead of what the server has now."""
        if zone.target is None or (ahead_of is not None and not serial_gt(zone.target, ahead_of)):
            zone.target = self.allocate(zone, now)
            zone.name_final(zone.target, zone.version)
        return zone.target

    def past(self, zone: Zone, now: Now) -> int:
        """A serial for a content that nobody should take for news; as unique as those of the present."""
        return (self.allocate(zone, now) - PAST) % 2**32

    def established(self, zone: Zone) -> bool:
        """Does (or did) anybody serve this zone? Then a new copy must not announce itself before it is complete."""
        if zone.floor:
            return True
        return any(site.known is Known.PRESENT and site.is_mine() for site in self.sites_of(zone))
