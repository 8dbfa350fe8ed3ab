"""In which form a client wants to see objects: as they are, as a Table, or their metadata only. Pure."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zonewright.envtest.embedded import codec, tables
from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.resources import Fields, Resource

PLAIN, TABLE, METADATA = "", "Table", "PartialObjectMetadata"
METADATA_LIST = "PartialObjectMetadataList"
READABLE = frozenset({"application/json", "application/yaml", "*/*", "application/*", ""})
STREAM = "application/json"


@dataclass(frozen=True, slots=True)
class View:
    form: str
    include: str
    resource: Resource
    now: Callable[[], dt.datetime]

    def one(self, raw: bytes) -> bytes:
        if self.form == PLAIN:
            return raw
        fields = codec.decode(raw)
        if self.form == METADATA:
            return codec.encode(tables.partial_metadata(fields))
        version = fields["metadata"].get("resourceVersion", "")
        return codec.encode(self._table([fields], {"resourceVersion": version}))

    def many(self, raws: Sequence[bytes], meta: Fields) -> bytes:
        if self.form == TABLE:
            return codec.encode(self._table([codec.decode(raw) for raw in raws], meta))
        if self.form == METADATA:
            raws = [codec.encode(tables.partial_metadata(codec.decode(raw))) for raw in raws]
            head = {"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": meta}
        else:
            head = {"kind": self.resource.list_kind, "apiVersion": self.resource.api_version, "metadata": meta}
            raws = raws if self.resource.custom else [without_type(self.resource, raw) for raw in raws]
        return codec.encode(head)[:-1] + b',"items":[' + b",".join(raws) + b"]}"

    def _table(self, objects: list[Fields], meta: Fields) -> Fields:
        return tables.table(self.resource, objects, meta, self.include, self.now())


def without_type(resource: Resource, raw: bytes) -> bytes:
    """Items of built-in lists do not repeat their kind; clients that expect it fail on a real server as well."""
    head = codec.encode({"apiVersion": resource.api_version, "kind": resource.kind})[:-1] + b","
    return b"{" + raw.removeprefix(head) if raw.startswith(head) else raw


def form_of(accept: str, *, many: bool) -> str:
    """The first form in an Accept header that is served here; metadata of many objects is asked for as a list."""
    for choice in accept.split(","):
        media, *parameters = (part.strip() for part in choice.split(";"))
        options: dict[str, Any] = dict(part.split("=", 1) for part in parameters if "=" in part)
        wanted = options.get("as", PLAIN)
        if media in READABLE and options.get("v", "v1") == "v1":
            if wanted in {PLAIN, TABLE}:
                return str(wanted)
            if wanted == (METADATA_LIST if many else METADATA):
                return METADATA
    message = "only the following media types are accepted: application/json"
    raise ApiError(406, "NotAcceptable", message)
