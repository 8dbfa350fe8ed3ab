"""A small Kubernetes API server: what kubectl and an operator's manager need, in one Python process.

From the outside in: server (process), http (requests), verbs and deletion (what they do), intake (what may be stored),
store (where it is), watches (who hears of it), garbage and custom (what follows). Kinds are data: resources, builtin,
crds."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zonewright.envtest.embedded.backend import Embedded, EmbeddedCluster

__all__ = ["Embedded", "EmbeddedCluster"]


def __getattr__(name: str) -> Any:
    # Late, because the server's own process imports this package and needs none of its owner's side.
    if name not in __all__:
        raise AttributeError(name)
    from zonewright.envtest.embedded import backend  # noqa: PLC0415 (see above)

    return getattr(backend, name)
