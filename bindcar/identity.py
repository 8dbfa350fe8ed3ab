"""Who this server is: a random id in the zone directory, made once and kept.

It tells whoever reaches one server in two ways (two addresses, two names) that it is one. The id belongs to the zones:
it is lost with them, and copied with them if somebody clones the volume.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import secrets
from pathlib import Path

log = logging.getLogger("bindcar")

FILE = ".bindcar-server-id"
_ID = re.compile(r"[0-9a-f]{32}")


def server_id(directory: Path) -> str:
    """The id, made if there is none. "" if it can be neither read nor made: bindcar works without it.

    No reason to refuse to start: on a full disk, zones can still be read and deleted.
    """
    path = directory / FILE
    try:
        found = _read(path) or _make(path)
    except OSError as exc:
        log.warning("no server id: %s: %s; make the directory writable and restart bindcar", path, exc.strerror or exc)
        return ""
    if not _ID.fullmatch(found):
        log.warning("no server id: %s holds something else; remove the file and restart bindcar", path)
        return ""
    return found


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        return None


def _make(path: Path) -> str:
    """Written aside and linked: the file is complete or not there, and of two processes one makes it."""
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        with aside.open("w", encoding="ascii") as stream:
            stream.write(secrets.token_hex(16) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(aside, path)
    finally:
        with contextlib.suppress(OSError):  # the reason to report is the one from above
            aside.unlink()
    return _read(path) or ""
