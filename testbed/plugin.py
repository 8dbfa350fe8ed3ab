"""The fixture `named` for tests that need real BIND servers: `pytest_plugins = ["testbed.plugin"]`.

def test_dns(named): primary = named("primary") ...
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from testbed.named import NameServer, TsigKey
from zonewright.envtest.processes import Run


@pytest.fixture
def named(background: Run) -> Iterator[Callable[..., NameServer]]:
    """Make BIND servers: named("primary"), named("secondary", cuttable=True). Options are those of NameServer.

    All servers of a test share a key unless they are given others: that is how they transfer zones from each other.
    """
    shared = TsigKey.create("zonewright")
    with ExitStack() as stack:

        def make(role: str = "primary", **options: Any) -> NameServer:
            server = NameServer(background, role=role, **{"key": shared, **options})
            stack.callback(server.close)
            server.start()
            return server

        yield make
