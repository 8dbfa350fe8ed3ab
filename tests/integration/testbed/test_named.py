"""Name servers that tests can rely on: they answer, transfer from each other, and fail the way a test asks for."""

from __future__ import annotations

import functools
import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import dns.exception
import dns.message
import dns.query
import dns.rcode
import pytest

from testbed.named import NameServer, TsigKey, register
from testbed.named.relay import Cut
from zonewright.envtest.cluster import Cluster
from zonewright.testing import eventually

Named = Callable[..., NameServer]


@pytest.fixture
def bare(named: Named) -> Named:
    """Servers without bindcar, for what is about BIND alone."""
    return functools.partial(named, bindcar=False)


def ask(server: NameServer, name: str, *, tcp: bool = False, timeout: float = 60) -> list[str]:
    query = dns.query.tcp if tcp else dns.query.udp
    answer = query(dns.message.make_query(name, "A"), server.address, port=server.port, timeout=timeout)
    return sorted(str(rdata) for rrset in answer.answer for rdata in rrset)


def test_a_server_answers_over_udp_and_tcp_as_soon_as_it_is_made(bare: Named) -> None:
    server = bare()
    server.add_zone("example.org", "www A 192.0.2.1")

    assert ask(server, "www.example.org") == ["192.0.2.1"]
    assert ask(server, "www.example.org", tcp=True) == ["192.0.2.1"]


def test_a_server_tells_what_it_has_received(bare: Named) -> None:
    server = bare()
    server.add_zone("example.org", "www A 192.0.2.1")
    before = server.received("A")
    for _ in range(2):
        ask(server, "www.example.org")

    assert server.received("A") == before + 2
    assert server.received("UPDATE") == 0


def test_updates_need_the_servers_key(bare: Named, tmp_path: Path) -> None:
    server = bare()
    server.add_zone("example.org")
    stranger = TsigKey.create("zonewright").write(tmp_path / "stranger.key")

    assert nsupdate(server, stranger) != 0
    assert nsupdate(server, server.key_file) == 0
    assert ask(server, "new.example.org") == ["192.0.2.7"]


def nsupdate(server: NameServer, key_file: Path) -> int:
    script = f"server {server.address} {server.port}\nupdate add new.example.org 300 A 192.0.2.7\nsend\n"
    done = subprocess.run(["nsupdate", "-k", key_file], input=script, text=True, capture_output=True, check=False)
    return done.returncode


def test_a_secondary_follows_its_primary_by_ports_and_key(bare: Named) -> None:
    primary, secondary = bare("primary"), bare("secondary")
    primary.add_zone("example.org", "www A 192.0.2.1")

    secondary.add_zone("example.org", primaries=[primary])

    eventually(lambda: ask(secondary, "www.example.org") == ["192.0.2.1"])


def test_a_killed_server_refuses_and_comes_back_with_its_zones(bare: Named) -> None:
    server = bare()
    server.add_zone("example.org", "www A 192.0.2.1")

    server.kill()
    with pytest.raises(OSError, match="refused"):
        ask(server, "www.example.org", tcp=True)
    server.restart()

    assert ask(server, "www.example.org") == ["192.0.2.1"]


def test_a_server_restarted_empty_has_forgotten_its_zones(bare: Named) -> None:
    server = bare()
    server.add_zone("example.org", "www A 192.0.2.1")

    server.restart(empty=True)

    answer = dns.query.udp(dns.message.make_query("www.example.org", "A"), server.address, port=server.port, timeout=60)
    assert answer.rcode() == dns.rcode.REFUSED


def test_a_paused_server_accepts_connections_and_says_nothing(bare: Named) -> None:
    server = bare()
    server.add_zone("example.org", "www A 192.0.2.1")

    server.pause()
    with pytest.raises(dns.exception.Timeout):
        ask(server, "www.example.org", tcp=True, timeout=0.3)
    server.resume()

    assert ask(server, "www.example.org") == ["192.0.2.1"]


@pytest.mark.parametrize("tcp", [False, True])
def test_a_silent_cut_loses_everything_until_it_is_restored(bare: Named, tcp: bool) -> None:
    server = bare(cuttable=True)
    server.add_zone("example.org", "www A 192.0.2.1")
    assert ask(server, "www.example.org", tcp=tcp) == ["192.0.2.1"]

    server.cut()
    with pytest.raises(dns.exception.Timeout):
        ask(server, "www.example.org", tcp=tcp, timeout=0.3)
    server.restore()

    assert ask(server, "www.example.org", tcp=tcp) == ["192.0.2.1"]


def test_a_refusing_cut_ends_connections_and_refuses_new_ones(bare: Named) -> None:
    server = bare(cuttable=True)
    server.add_zone("example.org", "www A 192.0.2.1")

    server.cut(Cut.REFUSED)
    with pytest.raises(OSError, match="refused"):
        ask(server, "www.example.org", tcp=True)
    server.restore()

    assert ask(server, "www.example.org", tcp=True) == ["192.0.2.1"]


def test_bindcar_runs_beside_a_server_and_dies_with_it(named: Named) -> None:
    server = named(cuttable=True)
    assert server.bindcar_url is not None

    assert zones(server) == []
    with pytest.raises(urllib.error.HTTPError, match="401"):
        zones(server, token="wrong")
    server.cut(Cut.REFUSED)
    with pytest.raises(OSError, match="refused"):
        zones(server)


def zones(server: NameServer, token: str | None = None) -> list[object]:
    headers = {"Authorization": f"Bearer {token or server.token}"}
    request = urllib.request.Request(f"{server.bindcar_url}/api/v1/zones", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            found: list[object] = json.load(reply)["zones"]
            return found
    except urllib.error.HTTPError as refused:
        refused.close()
        raise


def test_a_server_without_a_relay_says_how_to_get_one(bare: Named) -> None:
    with pytest.raises(ValueError, match="cuttable=True"):
        bare().cut()


def test_a_server_is_registered_with_what_an_operator_needs_to_reach_it(
    crds: Cluster, namespace: str, named: Named
) -> None:
    server = named("secondary", name="ns2")

    register(server, crds, namespace)
    again = register(server, crds, namespace)

    external = again["spec"]["external"]
    assert (external["address"], external["port"], external["role"]) == ("127.0.0.1", server.port, "secondary")
    assert again["metadata"]["labels"]["dns.example.org/tier"] == "demo"
    secrets = f"/api/v1/namespaces/{namespace}/secrets"
    assert set(crds.get(f"{secrets}/{external['tsigSecretRef']['name']}")["data"]) == {
        "key-name",
        "algorithm",
        "secret",
    }
    assert set(crds.get(f"{secrets}/{external['bindcarTokenSecretRef']['name']}")["data"]) == {"token"}


def test_secrets_are_not_shown(bare: Named) -> None:
    server = bare()

    assert server.key.secret not in repr(server.key)
    assert server.key_file.stat().st_mode & 0o077 == 0
