"""The bodies of requests, checked.

The shapes are those of upstream's bindcar plus `owner`. A field that is not known is an error, not a surprise later: a
mistyped `allowTransfers` must not leave a zone open. Everything has a size; what is nested more than 200 deep is no
JSON to pydantic.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from bindcar import tokens as words

_Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
# 255 octets, each of which may be written as four characters.
_Name = Annotated[str, Field(min_length=1, max_length=1020)]
# `name/UID`, the UID being that of a Kubernetes cluster. Operators of 0.1 wrote the name alone.
_CLUSTER = re.compile(r"(?P<name>.+)/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.DOTALL)
_ITEMS = 1000  # of a list of servers or addresses: far more than named can work with


def _element(text: str) -> str:
    words.match_element(text)
    return text


def _server(text: str) -> str:
    words.server(text)
    return text


def _identifier(text: str) -> str:
    return words.identifier(text, "key or policy")


Element = Annotated[str, Field(max_length=512), AfterValidator(_element)]
Server = Annotated[str, Field(max_length=512), AfterValidator(_server)]
Identifier = Annotated[str, Field(max_length=255), AfterValidator(_identifier)]
Elements = Annotated[list[Element], Field(max_length=_ITEMS)]
Servers = Annotated[list[Server], Field(max_length=_ITEMS)]


class _Body(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, strict=True)


class Owner(_Body):
    """Whose zone it is."""

    cluster: Annotated[str, Field(min_length=1, max_length=253)]
    uid: Annotated[str, Field(min_length=1, max_length=253)]

    @property
    def cluster_name(self) -> str | None:
        """The part before the UID of the cluster; None if there is no UID."""
        found = _CLUSTER.fullmatch(self.cluster)
        return found["name"] if found else None


def check_rewrite(held: Owner, wanted: Owner) -> None:
    """An owner may get the UID of its cluster, once; raises InvalidToken for every other change of it."""
    if held.uid != wanted.uid:
        raise words.InvalidToken("owner.uid: must be the one in the query; a zone is not handed to another object")
    if held.cluster_name is not None or wanted.cluster_name != held.cluster:
        raise words.InvalidToken("owner.cluster: must be the one in the query, a slash, and the UID of the cluster")


class SoaFields(_Body):
    """The initial SOA; once the zone exists its SOA changes by DNS UPDATE."""

    primary_ns: _Name
    admin_email: _Name
    serial: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    refresh: _Number = 3600
    retry: _Number = 600
    expire: _Number = 604800
    negative_ttl: _Number = 300


class RecordFields(_Body):
    """An initial record, in words."""

    name: Annotated[str, Field(max_length=1020)]
    type: Annotated[str, Field(max_length=32)]
    value: Annotated[str, Field(max_length=4 * 65535)]
    ttl: _Number | None = None
    priority: Annotated[int, Field(ge=0, le=65535)] | None = None


class ZoneSettings(_Body):
    """zoneConfig: a primary needs `soa`, a secondary `primaries`."""

    ttl: _Number = 3600
    soa: SoaFields | None = None
    name_servers: Annotated[list[_Name], Field(max_length=_ITEMS)] = []
    name_server_ips: Annotated[dict[_Name, Annotated[str, Field(max_length=64)]], Field(max_length=_ITEMS)] = {}
    records: Annotated[list[RecordFields], Field(max_length=200_000)] = []
    also_notify: Servers = []
    allow_transfer: Elements = []
    allow_update: Elements = []
    primaries: Servers = []
    dnssec_policy: Identifier | None = None
    inline_signing: bool = False


class CreateZoneRequest(_Body):
    """POST /zones. Whoever asks has to say who owns the zone; in the markers of earlier versions it may be nobody."""

    zone_name: Annotated[_Name, AfterValidator(words.zone_name)]
    zone_type: Literal["primary", "secondary"] = "primary"
    zone_config: ZoneSettings
    update_key_name: Identifier | None = None
    owner: Owner | None = None

    @model_validator(mode="before")
    @classmethod
    def _old_words(cls, body: Any) -> Any:
        """Upstream's clients of old say master and slave."""
        old = {"master": "primary", "slave": "secondary"}
        if isinstance(body, dict) and body.get("zoneType") in old:
            return {**body, "zoneType": old[body["zoneType"]]}
        return body

    @model_validator(mode="after")
    def _complete(self) -> CreateZoneRequest:
        if self.zone_type == "primary" and self.zone_config.soa is None:
            raise ValueError("a primary zone needs zoneConfig.soa")
        if self.zone_type == "secondary" and not self.zone_config.primaries:
            raise ValueError("a secondary zone needs zoneConfig.primaries")
        return self


class PatchZoneRequest(_Body):
    """PATCH /zones/{name}: what is given replaces what was; an empty list clears it."""

    also_notify: Servers | None = None
    allow_transfer: Elements | None = None
    allow_update: Elements | None = None
    primaries: Servers | None = None
    dnssec_policy: Identifier | None = None
    update_key_name: Identifier | None = None

    @model_validator(mode="after")
    def _something(self) -> PatchZoneRequest:
        if not self.model_fields_set:
            raise ValueError("nothing to change: give at least one field")
        return self
