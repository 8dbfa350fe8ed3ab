"""Where a Kubernetes API comes from: the backends by name, and the default.

A backend is imported only when it is asked for, so that the embedded one needs nothing of the others. This module knows
no process and no certificate.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast

from zonewright import extras
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.errors import Unavailable

BACKENDS = {
    "controlplane": "zonewright.envtest.controlplane:ControlPlane",
    "embedded": "zonewright.envtest.embedded:Embedded",
    "kind": "zonewright.envtest.kind:Kind",
    "external": "zonewright.envtest.external:External",
}
# It starts in a second everywhere. What needs a build or a download first is taken when it is asked for.
DEFAULT = "embedded"

# The others take a cluster that is there, or that a program makes.
OWN = frozenset({"controlplane", "embedded"})


class Backend(Protocol):
    """Makes one cluster and takes it away again. Instances are used once."""

    @property
    def name(self) -> str: ...

    def start(self) -> Cluster:
        """Return when the API answers; raise Unavailable when it cannot be had here."""

    def stop(self) -> None:
        """Leave nothing behind. Safe to call twice, and after a failed start."""


@contextmanager
def backend(name: str, **options: Any) -> Iterator[Cluster]:
    """Give a running cluster for the length of the block; `options` are those of the backend's class."""
    running = make_backend(name, **options)
    try:
        yield running.start()
    finally:
        running.stop()


def prepare(name: str) -> None:
    """Get what a backend needs from outside this machine, before anything waits for it. Tells how far it is."""
    if name == "controlplane":
        _require_extra(name)  # before the minutes that a build may take
        from zonewright.envtest.controlplane import binaries  # noqa: PLC0415 (as above: only who asks for it needs it)

        binaries.ensure()


def make_backend(name: str, **options: Any) -> Backend:
    """Make a backend that is not started yet."""
    if name not in BACKENDS:
        raise Unavailable(f"no backend is called {name}: choose one of {', '.join(BACKENDS)}")
    _require_extra(name)
    module, _, attribute = BACKENDS[name].partition(":")
    return cast("Backend", getattr(importlib.import_module(module), attribute)(**options))


def _require_extra(name: str) -> None:
    if name in OWN and (obstacle := extras.missing("envtest")):
        raise Unavailable(obstacle)
