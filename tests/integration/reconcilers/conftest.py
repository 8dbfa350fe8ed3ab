"""Real BIND servers for the tests here: one per module, and a zone of its own for each test."""

import itertools
from contextlib import ExitStack

import pytest

from reconcilers.ddns import parse_zone
from testbed.named import NameServer, TsigKey
from tests.support.ddns import Zone, client_of

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def primary(background):
    """A primary that the tests of a module share."""
    server = NameServer(background, key=TsigKey.create("zonewright"), bindcar=False)
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def secondary(background, primary):
    """A secondary that may transfer from it."""
    server = NameServer(background, role="secondary", key=primary.key, bindcar=False)
    server.start()
    yield server
    server.close()


@pytest.fixture
def client():
    """Clients of servers, closed at the end: client(primary, timeout=1.0)."""
    with ExitStack() as stack:
        yield lambda server, **options: stack.enter_context(client_of(server, **options))


@pytest.fixture
def make_zone(primary, client):
    """Make zones: make_zone("www A 192.0.2.1")."""

    def make(records="", *, server=primary, serial=1):
        name = f"z{next(_numbers)}.test"
        server.add_zone(name, records, serial=serial)
        return Zone(server, parse_zone(name), client(server))

    return make


@pytest.fixture
def zone(make_zone):
    """An empty zone with ns1 as its name server."""
    return make_zone()
