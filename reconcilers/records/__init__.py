"""One module per record kind, named after its DNS type: `rdata(spec, origin)` says what the spec means as DNS data.

A module knows its own spec and nothing else: no zones, no servers, no Kubernetes, no other kind. This directory's
listing is the list of kinds that can be published; `handler` finds a module by its type."""

import importlib
from collections.abc import Iterable
from functools import cache
from typing import Any, Protocol, cast

from dns.name import Name

from generated.kinds import KINDS
from zonewright import CustomKind

RDTYPE_ANNOTATION = "zonewright/rdtype"  # of a CRD: ties a record kind to its DNS type

RECORD_KINDS: tuple[CustomKind[Any], ...] = tuple(
    kind for kind in KINDS.values() if RDTYPE_ANNOTATION in kind.annotations
)
"""The kinds that publish a DNS record."""


def rdtype(kind: CustomKind[Any]) -> str:
    """The DNS type that objects of a record kind publish."""
    return kind.annotations[RDTYPE_ANNOTATION]


class Handler(Protocol):
    """What each module of this package offers."""

    def rdata(self, spec: Any, origin: Name) -> Iterable[str]:
        """The data of each record in presentation format; raises InvalidField when the spec cannot say it."""
        ...


@cache
def handler(rdtype: str) -> Handler:
    return cast("Handler", importlib.import_module(f"{__name__}.{rdtype.lower()}"))
