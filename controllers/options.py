"""How the operator is run. Each option is a flag or an environment variable, and is checked before anything starts."""

import re
from dataclasses import dataclass

from reconcilers.servers.cluster_id import InvalidClusterId, check_name
from reconcilers.servers.reach import Reach
from zonewright import LeaseOptions, ManagerOptions

COMPONENT = "zonewright"  # user agent, and the source of events
LEASE = "zonewright-leader"
LEASE_NAMESPACE = "zonewright-system"
_LISTEN = re.compile(r"^(\[[0-9a-fA-F:]+\]|[^:\s]*):(\d{1,5})$")


class InvalidOptions(ValueError):
    """The text names the flag and says what would be right."""


@dataclass(frozen=True, slots=True)
class Options:
    cluster_name: str
    namespace: str = ""
    workers: int = 4
    operations: int = 16
    poll_interval: float = 30.0
    leader_elect: bool = True
    lease_namespace: str = LEASE_NAMESPACE
    http: str = "127.0.0.1:8080"
    drain_seconds: float = 20.0
    reach: Reach = Reach.DIRECT

    def __post_init__(self) -> None:
        try:
            check_name(self.cluster_name)
        except InvalidClusterId as error:
            raise InvalidOptions(f"--cluster-name: {error}") from error
        if not 1 <= self.workers <= 256:
            raise InvalidOptions(f"--workers: {self.workers} is not within 1..256")
        if not 1 <= self.operations <= 1024:
            raise InvalidOptions(f"--operations: {self.operations} is not within 1..1024")
        if self.poll_interval < 1:
            raise InvalidOptions(f"--poll-interval: {self.poll_interval:g} s is less than a second")
        if self.drain_seconds < 0:
            raise InvalidOptions(f"--drain-seconds: {self.drain_seconds:g} is negative")
        if self.http != "off":
            _check_listen(self.http)

    @property
    def manager(self) -> ManagerOptions:
        return ManagerOptions(
            namespace=self.namespace,
            leader_election=LeaseOptions(self.lease_namespace, LEASE) if self.leader_elect else None,
            http=None if self.http == "off" else self.http,
            drain_timeout=self.drain_seconds,
            component=COMPONENT,
        )


def _check_listen(text: str) -> None:
    found = _LISTEN.match(text)
    if not found or int(found[2]) > 65535:
        raise InvalidOptions(f"--http: {text!r} is not host:port, like 127.0.0.1:8080, nor off")
