"""Zones on the server: what each request means in control commands.

named is the truth about which zones exist; markers say whose they are. Every operation can be repeated, because its
caller may have lost the answer. One operation per zone at a time; different zones do not wait for each other.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bindcar.metadata import Marker, Markers
from bindcar.render import zone_clause, zone_file
from bindcar.requests import CreateZoneRequest, Owner, PatchZoneRequest, check_rewrite
from bindcar.rndc import RndcError

log = logging.getLogger("bindcar")

TIDY_EVERY = 5.0  # seconds
TIDY_FOR = 60.0  # seconds after a deletion; named's last dump was seen to come within milliseconds
# Said in every command: named has zones of its own in class CHAOS (version.bind, id.server), and would find those.
_CLASS = "IN"
_SETTINGS = frozenset({"also_notify", "allow_transfer", "allow_update", "primaries", "dnssec_policy"})


class UnknownZone(Exception):
    """named has no such zone."""


class AutomaticZone(UnknownZone):
    """One of the empty zones that named answers for by itself (RFC 6303). addzone refuses its name, and 9.18 aborts on
    delzone."""


class WrongKind(Exception):
    """The command does not apply to this kind of zone."""


class OwnedByOther(Exception):
    """The zone is there and belongs to somebody else."""


class Control(Protocol):
    """The control channel."""

    async def call(self, command: str) -> str:
        """Run a command; raises RndcError when named says no."""
        ...


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone as GET shows it."""

    name: str
    status: dict[str, str]
    marker: Marker | None

    def body(self) -> dict[str, Any]:
        """Upstream's fields, and owner and config besides."""
        serial = self.status.get("serial", "")
        request = self.marker.request if self.marker else None
        config = request.zone_config.model_dump(by_alias=True, exclude_none=True) if request else {}
        key = {"updateKeyName": request.update_key_name} if request and request.update_key_name else {}
        return {
            "name": self.name,
            "zoneType": request.zone_type if request else self.status.get("type", ""),
            "serial": int(serial) if serial.isdigit() else None,
            "filePath": self.marker.file if self.marker else self.status.get("files", ""),
            "owner": request.owner.model_dump() if request and request.owner else None,
            "config": config | key,
        }


class Zones:
    """The operations."""

    def __init__(self, control: Control, directory: Path) -> None:
        self._control = control
        self._markers = Markers(directory)
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    async def create(self, request: CreateZoneRequest) -> tuple[bool, str]:
        """(True, what named said) for a new zone; (False, ...) if it was there under the same owner."""
        async with self._only(request.zone_name):
            try:
                await self._loaded_status(request.zone_name)
            except AutomaticZone as exc:
                raise OwnedByOther(f"{exc}: set `empty-zones-enable no;` in its options") from exc
            except UnknownZone:
                return True, await self._add(request)
            return False, await self._recreate(request)

    async def delete(self, zone: str, owner: Owner) -> bool:
        """Delete the zone with its file and journal; False if there was none."""
        async with self._only(zone):
            marker = self._markers.read(zone)
            exists = await self._exists(zone)
            if exists:
                self._owned(zone, owner)
                await self._remove(zone)
            if marker:
                self._markers.discard(marker.file)
                self._markers.remove(zone)
            return exists

    async def keep_tidy(self, every: float = TIDY_EVERY) -> None:
        """Remove files of deleted zones that named wrote afterwards, again and again until this is cancelled."""
        while True:
            returned = await asyncio.to_thread(self._markers.remove_discarded, time.time() - TIDY_FOR)
            if returned:
                log.info("removed files of deleted zones that named wrote again: %s", ", ".join(returned))
            await asyncio.sleep(every)

    async def patch(self, zone: str, patch: PatchZoneRequest, owner: Owner) -> str:
        """Change the zone's clause; content and serial stay."""
        async with self._only(zone):
            await self._loaded_status(zone)
            marker = self._owned(zone, owner)
            return await self._modify(marker, patched(marker.request, patch))

    async def rewrite_owner(self, zone: str, held: Owner, wanted: Owner) -> bool:
        """Add the UID of the cluster to the owner; False if it is there already. named has no part in it.

        Only whoever knows the owner as it stands can ask for this, and it stays the same operator's zone.
        """
        check_rewrite(held, wanted)
        async with self._only(zone):
            marker = self._markers.read(zone)
            if marker is None:
                raise UnknownZone(f"zone {zone} was not created through bindcar")
            if marker.request.owner == wanted:
                return False
            self._owned(zone, held)
            owned = marker.request.model_copy(update={"owner": wanted})
            self._markers.write(Marker.of(owned, Path(marker.file)))
            return True

    async def get(self, zone: str) -> ZoneView:
        """The zone, as named and the marker know it."""
        return ZoneView(zone, await self._loaded_status(zone), self._markers.read(zone))

    async def all(self) -> list[ZoneView]:
        """Every zone created through bindcar that named still has."""
        views = []
        for marker in list(self._markers):
            name = marker.request.zone_name
            with contextlib.suppress(UnknownZone):
                views.append(ZoneView(name, await self._loaded_status(name), marker))
        return views

    async def status(self, zone: str) -> dict[str, str]:
        """`rndc zonestatus`, as a table; raises UnknownZone."""
        return _table(await self.status_text(zone))

    async def status_text(self, zone: str) -> str:
        """`rndc zonestatus`, as it comes."""
        return await self.command("zonestatus", zone)

    async def command(self, verb: str, zone: str) -> str:
        """A command about one zone, e.g. `notify`."""
        try:
            return await self._control.call(f"{verb} {zone} {_CLASS}")
        except RndcError as exc:
            if _means_missing(exc):
                raise UnknownZone(f"zone {zone} is not on this server") from exc
            if "inappropriate zone type" in str(exc):
                raise WrongKind(f"{verb} makes no sense for zone {zone}: {exc}") from exc
            if str(exc).startswith("dynamic zone"):
                raise WrongKind(f"zone {zone} takes dynamic updates: freeze it, edit the file, thaw it") from exc
            raise

    async def _loaded_status(self, zone: str) -> dict[str, str]:
        """Empty for a zone that is there and has no content: a secondary before its first transfer."""
        try:
            found = await self.status(zone)
        except RndcError as exc:
            if "not loaded" in str(exc):
                return {}
            raise
        if _is_automatic(found):
            raise AutomaticZone(f"named answers for {zone} with an empty zone of its own")
        return found

    async def _exists(self, zone: str) -> bool:
        try:
            await self._loaded_status(zone)
        except UnknownZone:
            return False
        return True

    async def _add(self, request: CreateZoneRequest) -> str:
        zone = request.zone_name
        if left_over := self._markers.read(zone):
            self._markers.discard(left_over.file)
        file = self._markers.new_file(zone)
        clause = zone_clause(request, file)
        if request.zone_type == "primary":
            # Elsewhere: twenty thousand records take a second, and the health check is not to wait for them.
            text = await asyncio.to_thread(zone_file, request)
            file.write_text(text, encoding="ascii")
        # The marker comes first: after a crash in between, a zone without an owner would be nobody's for ever.
        self._markers.write(Marker.of(request, file))
        try:
            return await self._control.call(f'addzone "{zone}" {_CLASS} {clause}')
        except RndcError as exc:
            if str(exc).startswith("already exists") and str(file) in await self.command("showzone", zone):
                return "exists"  # the command went through twice, because the first answer was lost
            self._markers.discard(file)
            self._markers.remove(zone)
            raise

    async def _recreate(self, request: CreateZoneRequest) -> str:
        """The answer to the first request may have been lost: same owner, so bring its settings up to date."""
        marker = self._owned(request.zone_name, request.owner)
        if marker.request.zone_type != request.zone_type:
            raise OwnedByOther(f"zone {request.zone_name} exists with another type: delete it first")
        old = zone_clause(marker.request, Path(marker.file))
        if old == zone_clause(request, Path(marker.file)):
            return "exists"
        return await self._modify(marker, request)

    async def _modify(self, marker: Marker, request: CreateZoneRequest) -> str:
        clause = zone_clause(request, Path(marker.file))
        text = await self._control.call(f'modzone "{request.zone_name}" {_CLASS} {clause}')
        self._markers.write(Marker.of(request, Path(marker.file)))
        return text or "modified"

    async def _remove(self, zone: str) -> None:
        # -clean: without it the journal stays, and a zone made again fails with "journal out of sync".
        await self.command("delzone -clean", zone)
        for _ in range(100):  # named answers before it is done
            if not await self._exists(zone):
                return
            await asyncio.sleep(0.02)
        raise RndcError(f"named still has zone {zone} after delzone")

    def _owned(self, zone: str, owner: Owner | None) -> Marker:
        """The marker of a zone that exists, if it is this owner's: nobody else changes or deletes it."""
        marker = self._markers.read(zone)
        if marker is None:
            raise OwnedByOther(f"zone {zone} exists and was not created through bindcar")
        held = marker.request.owner
        if held is None or held != owner:
            whose = f"cluster {held.cluster}, uid {held.uid}" if held else "nobody in particular"
            raise OwnedByOther(f"zone {zone} exists and belongs to {whose}")
        return marker

    @contextlib.asynccontextmanager
    async def _only(self, zone: str) -> AsyncIterator[None]:
        """One operation per zone; the lock goes when nobody waits for it."""
        lock, users = self._locks.get(zone, (asyncio.Lock(), 0))
        self._locks[zone] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks[zone]
            if users == 1:
                del self._locks[zone]
            else:
                self._locks[zone] = (lock, users - 1)


def _is_automatic(status: dict[str, str]) -> bool:
    """It has no file. One that was never loaded has no serial either."""
    return status.get("type") == "primary" and status.get("serial") == "0" and "files" not in status


def patched(request: CreateZoneRequest, patch: PatchZoneRequest) -> CreateZoneRequest:
    """The request that would have created the zone as it is to be; raises ValidationError if none could have."""
    given = {name: getattr(patch, name) for name in patch.model_fields_set}
    settings = {name: value for name, value in given.items() if name in _SETTINGS}
    config = request.zone_config.model_copy(update=settings)
    changed = request.model_copy(
        update={"zone_config": config, "update_key_name": given.get("update_key_name") or request.update_key_name}
    )
    return CreateZoneRequest.model_validate(changed.model_dump(by_alias=True))


def _table(text: str) -> dict[str, str]:
    pairs = re.findall(r"^([a-z ]+): (.*)$", text, re.MULTILINE)
    return dict(pairs)


def _means_missing(error: RndcError) -> bool:
    return str(error).startswith("not found") or "no matching zone" in str(error)
