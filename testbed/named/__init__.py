"""Real BIND servers to test on: `NameServer` starts one, disturbs it, and `register` tells a cluster about it.

    with Run() as run:
        server = NameServer(run, role="primary")
        server.start()
        server.add_zone("example.org", "www 300 IN A 192.0.2.1")

Each server has ports, keys and a directory of its own. Knows nothing of the operator: bindcar is started beside a
server as a program, and registration is a few objects sent to an API.
"""

from testbed.named.keys import TsigKey
from testbed.named.registration import register
from testbed.named.server import NameServer

__all__ = ["NameServer", "TsigKey", "register"]
