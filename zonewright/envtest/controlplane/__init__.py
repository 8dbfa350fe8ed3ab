"""The controlplane backend: real etcd, kube-apiserver and kube-controller-manager on loopback.

`binaries` finds, downloads (`download`) or builds (`build`) the programs, `certificates` makes what they trust each
other by, `plane` starts them and gives the Cluster.
"""

from zonewright.envtest.controlplane.plane import ControlPlane

__all__ = ["ControlPlane"]
