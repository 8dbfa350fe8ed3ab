"""How name servers and their sidecars are reached: the one seam through which all traffic to them goes."""

from enum import StrEnum

from reconcilers.ddns.dialer import Dialer, DirectDialer


class Reach(StrEnum):
    """Straight, or through the API server from outside a cluster."""

    DIRECT = "direct"


def dialer(reach: Reach) -> Dialer:
    return {Reach.DIRECT: DirectDialer}[reach]()
