"""How name servers and their sidecars are reached: the one seam through which all traffic to them goes."""

from enum import StrEnum

from reconcilers.ddns.dialer import Dialer, DirectDialer
from reconcilers.servers.portforward import PortForwardDialer
from zonewright import Client, Config


class Reach(StrEnum):
    """Straight, or through the API server from outside a cluster."""

    DIRECT = "direct"
    PORT_FORWARD = "port-forward"


def dialer(reach: Reach, config: Config, client: Client) -> Dialer:
    return DirectDialer() if reach is Reach.DIRECT else PortForwardDialer(config, client)
