"""In which form a client wants to see objects: as they are, as a Table, or their metadata only. Pure."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from envtest.embedded import codec, tables
from envtest.embedded.errors import ApiError
from envtest.embedded.resources import Fields, Resource

PLAIN, TABLE, METADATA = "", "Table", "PartialObjectMetadata"
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
        return codec.encode(head)[:-1] + b',"items":[' + b",".join(raws) + b"]}"

    def _table(self, objects: list[Fields], meta: Fields) -> Fields:
        return tables.table(self.resource, objects, meta, self.include, self.now())


def form_of(accept: str) -> str:
    """The first form in an Accept header that is served here."""
    for choice in accept.split(","):
        media, *parameters = (part.strip() for part in choice.split(";"))
        options: dict[str, Any] = dict(part.split("=", 1) for part in parameters if "=" in part)
        wanted = options.get("as", PLAIN).removesuffix("List")
        if media in READABLE and wanted in {PLAIN, TABLE, METADATA} and options.get("v", "v1") == "v1":
            return str(wanted)
    message = "only the following media types are accepted: application/json"
    raise ApiError(406, "NotAcceptable", message)
