"""The one seam through which all traffic to name servers and their sidecars goes.

Direct inside a cluster; the operator may put a port-forwarding dialer here to reach pods from outside.
"""

from __future__ import annotations

import socket
from typing import Protocol


class Dialer(Protocol):
    """Opens TCP connections."""

    def connect(self, address: str, port: int, timeout: float) -> socket.socket:
        """A connected socket whose operations time out after `timeout` seconds; raises OSError."""
        ...


class DirectDialer:
    """Plain TCP."""

    def connect(self, address: str, port: int, timeout: float) -> socket.socket:
        """Connect; small requests are sent at once."""
        try:
            connection = socket.create_connection((address, port), timeout=timeout)
        except UnicodeError:  # an empty label, or one of more than 63 characters
            raise OSError(f"{address!r} is not a host name") from None
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection
