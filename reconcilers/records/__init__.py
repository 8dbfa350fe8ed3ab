"""One module per record kind, named after its DNS type: `rdata(spec, origin)` says what the spec means as DNS data.

A module knows its own spec and nothing else: no zones, no servers, no Kubernetes, no other kind. This directory's
listing is the list of kinds that can be published; `handler` finds a module by its type."""

import importlib
from collections.abc import Iterable
from functools import cache
from typing import Any, Protocol, cast

from dns.name import Name


class Handler(Protocol):
    """What each module of this package offers."""

    def rdata(self, spec: Any, origin: Name) -> Iterable[str]:
        """The data of each record in presentation format; raises InvalidField when the spec cannot say it."""
        ...


@cache
def handler(rdtype: str) -> Handler:
    return cast("Handler", importlib.import_module(f"{__name__}.{rdtype.lower()}"))
