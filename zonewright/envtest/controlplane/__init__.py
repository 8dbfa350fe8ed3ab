"""The controlplane backend: real etcd, kube-apiserver and kube-controller-manager on loopback.

`binaries` finds, downloads (`download`) or builds (`build`) the programs, `certificates` makes what they trust each
other by, `plane` starts them and gives the Cluster.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zonewright.envtest.controlplane.plane import ControlPlane

__all__ = ["ControlPlane"]


def __getattr__(name: str) -> Any:
    # Late, because certificates need the extra `envtest`, and getting the programs does not.
    if name not in __all__:
        raise AttributeError(name)
    from zonewright.envtest.controlplane import plane  # noqa: PLC0415 (see above)

    return getattr(plane, name)
