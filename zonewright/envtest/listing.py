"""Objects as a table of text, for where there is no kubectl. Reads over the API, knows no kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from zonewright.envtest.api import Api
from zonewright.envtest.discovery import Discovery
from zonewright.envtest.errors import Refused, Unavailable
from zonewright.envtest.waiting import condition

COLUMNS = ("KIND", "NAMESPACE", "NAME", "READY", "MESSAGE")
ABSENT = "-"


def rows(api: Api, word: str, namespace: str = "") -> list[Sequence[str]]:
    """Return one row per object of the resource, or of the resources of the category, that a word stands for."""
    found = Discovery(api).named(word)
    if not found:
        raise Unavailable(f"the API server serves no resource and no category {word!r}: is its CRD installed?")
    listed = []
    for resource in found:
        reply = api.request("GET", resource.path(namespace))
        if not reply.ok:
            raise Refused(f"{resource.path(namespace)}: {reply.refusal}")
        listed += [row(resource.kind, item) for item in reply.body["items"]]
    return listed


def row(kind: str, item: dict[str, Any]) -> Sequence[str]:
    """Return one object's row."""
    metadata, ready = item["metadata"], condition(item, "Ready")
    cells = (kind, metadata.get("namespace"), metadata["name"], ready.get("status"), ready.get("message"))
    return [str(cell) if cell else ABSENT for cell in cells]


def table(found: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lay rows out below their titles."""
    lines = [COLUMNS, *found]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
