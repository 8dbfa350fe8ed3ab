"""Which cluster this is, for the owner markers of zones: the UID of a namespace that lives as long as the cluster.

Kubernetes gives a cluster no UID of its own; that of kube-system stands for it, as elsewhere in the ecosystem. An
operator that is confined to some namespaces may not read it, and takes the namespace of its lease.
"""

from typing import Any, Protocol

from reconcilers.servers.cluster_id import is_uid
from zonewright import CannotStart, Forbidden, Kind, NotFound, get_logger

log = get_logger(__name__)

NAMESPACE: Kind[dict[str, Any]] = Kind("", "v1", "Namespace", "namespaces", namespaced=False)
SYSTEM = "kube-system"
TIMEOUT = 10.0
"""A start that is stopped waits for the request that is under way."""


class Namespaces(Protocol):
    """The part of `Client` that is needed."""

    def get_fields(self, kind: Kind[Any], name: str, namespace: str = "", *, timeout: float) -> dict[str, Any]: ...


def cluster_uid(namespaces: Namespaces, own_namespace: str) -> str:
    """Raises CannotStart if it may not be read; whatever else goes wrong is an ApiError, and worth another try."""
    try:
        name, uid = SYSTEM, _uid(namespaces, SYSTEM)
    except Forbidden:
        name, uid = own_namespace, _own_uid(namespaces, own_namespace)
    log.info("cluster identified", namespace=name, uid=uid)
    return uid


def _own_uid(namespaces: Namespaces, name: str) -> str:
    try:
        return _uid(namespaces, name)
    except Forbidden as error:
        raise CannotStart(
            f"the service account may get neither namespace {SYSTEM} nor {name} (--lease-namespace), and the UID of "
            f"one of them marks the zones of this cluster: apply config/rbac/role.yaml, or allow `get` on {name}"
        ) from error
    except NotFound as error:
        raise CannotStart(
            f"namespace {name} (--lease-namespace) does not exist, and the service account may not get {SYSTEM}: the "
            f"UID of one of them marks the zones of this cluster; create {name}, or apply config/rbac/role.yaml"
        ) from error


def _uid(namespaces: Namespaces, name: str) -> str:
    uid = str(namespaces.get_fields(NAMESPACE, name, timeout=TIMEOUT)["metadata"].get("uid"))
    if not is_uid(uid):
        raise CannotStart(
            f"namespace {name} has the UID {uid!r}, and a UUID is needed to mark the zones of this cluster"
        )
    return uid
