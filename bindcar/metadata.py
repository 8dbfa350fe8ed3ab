"""What bindcar remembers of each zone it created: a JSON file beside the zone file.

Whose zone it is, and the request it was made from, because named wants the whole clause again for a change. Whether
the zone exists is named's to say, never a marker's: the two can differ after a crash.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from bindcar.requests import CreateZoneRequest

log = logging.getLogger("bindcar")

_SUFFIX = ".bindcar.json"
# Left behind by named beside a zone file: journal, its backup, signed copies.
_COMPANIONS = ("", ".jnl", ".jbk", ".signed", ".signed.jnl")
# Begins the name of an empty file that stands for a zone file to be removed again.
_DISCARDED = ".discarded-"


class Marker(BaseModel):
    """One zone's memory. `file` has a name of its own per incarnation."""

    model_config = ConfigDict(frozen=True)

    request: CreateZoneRequest
    file: str

    @classmethod
    def of(cls, request: CreateZoneRequest, file: Path) -> Marker:
        """Without the records, which were the zone's first and are not its last."""
        config = request.zone_config.model_copy(update={"records": []})
        return cls(request=request.model_copy(update={"zone_config": config}), file=str(file))


class Markers:
    """The markers in one directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def read(self, zone: str) -> Marker | None:
        """The zone's marker; None for a zone that bindcar did not create."""
        try:
            return Marker.model_validate_json(self._path(zone).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def write(self, marker: Marker) -> None:
        """All or nothing, also when the power goes: written aside, flushed, renamed."""
        path = self._path(marker.request.zone_name)
        aside = path.with_suffix(".new")
        with aside.open("w", encoding="utf-8") as stream:
            stream.write(marker.model_dump_json(by_alias=True))
            stream.flush()
            os.fsync(stream.fileno())
        aside.replace(path)

    def remove(self, zone: str) -> None:
        """Forget the zone."""
        self._path(zone).unlink(missing_ok=True)

    def __iter__(self) -> Iterator[Marker]:
        for path in sorted(self._directory.glob(f"*{_SUFFIX}")):
            with contextlib.suppress(FileNotFoundError, ValidationError):
                yield Marker.model_validate_json(path.read_bytes())

    def new_file(self, zone: str) -> Path:
        """A path that no zone has had before.

        named accepts two zones on one file and then fails on UPDATE, and it cleans up a deleted zone's file a moment
        after it has answered, when the next incarnation may already be there.
        """
        return self._directory / f"{_stem(zone)}.{secrets.token_hex(4)}.zone"

    def discard(self, file: str | Path) -> None:
        """Remove the files of a zone that named has let go of, and remember to look for them again.

        named dumps a secondary's transfer a moment after it: if the zone is deleted in between, the file comes back
        when everybody has already removed it (seen in 1 of 6 deletions right after a transfer). No zone ever gets this
        file again, see `new_file`.
        """
        remove_files(file)
        (self._directory / f"{_DISCARDED}{Path(file).name}").touch()

    def remove_discarded(self, before: float) -> list[str]:
        """Remove what named wrote again; stop looking for what was discarded before this moment (Unix time)."""
        returned = []
        for note in sorted(self._directory.glob(f"{_DISCARDED}*")):
            file = self._directory / note.name.removeprefix(_DISCARDED)
            try:
                if remove_files(file):
                    returned.append(file.name)
                if note.stat().st_mtime < before:
                    note.unlink(missing_ok=True)
            except OSError as exc:
                log.warning("%s of a deleted zone cannot be removed: %s", file, exc)
        return returned

    def _path(self, zone: str) -> Path:
        return self._directory / (_stem(zone) + _SUFFIX)


def remove_files(file: str | Path) -> bool:
    """The zone file and everything that named keeps beside it; True if there was any of it."""
    found = [path for companion in _COMPANIONS if (path := Path(f"{file}{companion}")).exists()]
    for path in found:
        path.unlink(missing_ok=True)
    return bool(found)


def _stem(zone: str) -> str:
    """Readable, and unique although slashes are replaced and long names are cut."""
    readable = re.sub(r"[^a-z0-9_.-]", "_", zone)[:100]
    return f"{readable}.{hashlib.sha256(zone.encode()).hexdigest()[:12]}"
