"""What bindcar answers, read strictly: types, sizes, depth. Pure.

A sidecar may be broken, compromised, or no bindcar at all. Whatever it sends becomes one of the values here or raises
`Malformed`, whose text says where the fault is and repeats nothing of what was sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar, cast

import msgspec
from msgspec import Meta

# Bytes that an answer may have. About a zone: its configuration, without records. All zones: 20,000 of those.
ANSWER_BYTES = 1024 * 1024
LIST_BYTES = 32 * 1024 * 1024
_MESSAGE = 300

_Word = Annotated[str, Meta(max_length=255)]
_Item = Annotated[str, Meta(max_length=512)]
_Items = Annotated[tuple[_Item, ...], Meta(max_length=1000)]
_ServerId = Annotated[str, Meta(max_length=64, pattern=r"^[0-9a-f-]*\Z")]
_Serial = Annotated[int, Meta(ge=0, le=2**32 - 1)]


class Malformed(ValueError):
    """The answer is none of bindcar's."""


class OwnerFields(msgspec.Struct, frozen=True):
    """Whose zone it is."""

    cluster: _Word
    uid: _Word


class ZoneSettings(msgspec.Struct, frozen=True, rename="camel"):
    """How a zone is configured, as far as it can be changed; what else is remembered with it is of no use here."""

    ttl: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None
    also_notify: _Items | None = None
    allow_transfer: _Items | None = None
    allow_update: _Items | None = None
    primaries: _Items | None = None
    dnssec_policy: _Word | None = None
    update_key_name: _Word | None = None


class ZoneFields(msgspec.Struct, frozen=True, rename="camel"):
    """An entry of GET /zones, and GET /zones/{name}."""

    name: _Item
    zone_type: _Word = ""
    owner: OwnerFields | None = None
    serial: _Serial | None = None
    config: ZoneSettings = msgspec.field(default_factory=ZoneSettings)


class ZoneList(msgspec.Struct, frozen=True):
    """GET /zones."""

    items: tuple[ZoneFields, ...]


class Done(msgspec.Struct, frozen=True):
    """What every change and command is answered with."""

    success: bool
    message: str = ""
    details: str = ""


class ServerFields(msgspec.Struct, frozen=True, rename="camel"):
    """GET /server/status. Without an id if bindcar has none, or is older than ids."""

    success: bool
    details: str = ""
    server_id: _ServerId = ""


class Refusal(msgspec.Struct, frozen=True):
    """Why not. Upstream's bindcar has `error`, ours `message` and `reason`."""

    message: str = ""
    error: str = ""
    reason: _Word = ""

    @property
    def text(self) -> str:
        return shortened(self.message or self.error)


A = TypeVar("A", bound=msgspec.Struct)

# Made here, in one thread: msgspec works out a struct on its first use, and two threads that do so at the same moment
# can crash the process (seen with 0.22, on 1 start in 15: the workers' first answers come at the same moment).
DECODERS: Mapping[type[msgspec.Struct], msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(kind) for kind in (ZoneFields, ZoneList, Done, ServerFields, Refusal)
}


def parse(raw: bytes, kind: type[A]) -> A:
    """Raises Malformed, and nothing else."""
    try:
        return cast("A", DECODERS[kind].decode(raw))
    except msgspec.ValidationError as error:
        # Its text has types and places only; the names of fields in a place are those of our own structs.
        raise Malformed(shortened(str(error))) from None
    except RecursionError:
        raise Malformed("it is nested too deeply") from None
    except ValueError:  # no JSON, or no UTF-8: msgspec's own errors are of this class too
        raise Malformed("it is not JSON") from None


def shortened(text: str) -> str:
    """What somebody else said, fit for a status: one line, not long."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * _MESSAGE]).split())
    return line if len(line) <= _MESSAGE else line[: _MESSAGE - 1] + "…"
