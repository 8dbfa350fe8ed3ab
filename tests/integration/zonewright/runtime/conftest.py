"""What tests of the runtime share: a client of the cluster, and a kind that no other module has."""

import secrets

import pytest

from tests.support.gadgets import install, kind_of, uninstall
from zonewright import Client, Config


@pytest.fixture(scope="module")
def client(cluster):
    """Goes straight to the server, whatever the part under test must go through."""
    made = Client.from_config(Config.load(cluster.kubeconfig))
    yield made
    made.close()


@pytest.fixture(scope="module")
def kind(client, request):
    """A kind in a group of its own, installed for one module."""
    name = request.module.__name__.rpartition("test_")[2].replace("_", "-")
    kind = kind_of(f"{name}-{secrets.token_hex(3)}.example.org")
    install(client, kind)
    yield kind
    uninstall(client, kind)
