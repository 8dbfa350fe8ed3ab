"""Which connection a request takes, whether it may be sent again, and when credentials are read again."""

import dataclasses
from typing import Any

import pytest

from zonewright.api.errors import FencedOff, Unreachable
from zonewright.client import transport as transport_module
from zonewright.client.config import Config
from zonewright.client.credentials import StaticToken
from zonewright.client.http1 import Connection
from zonewright.client.transport import Call, DirectTransport

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CLOSE = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
REFUSED = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"


class Peer:
    """The server's end of one connection: a reply per request, then whatever comes last."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.requests = []
        self.closed = False
        self.dropped = False

    def settimeout(self, seconds):
        pass

    def sendall(self, data):
        self.requests.append(data)

    def recv(self, size):
        reply = self.replies.pop(0) if self.replies else b""
        if isinstance(reply, Exception):
            raise reply
        return reply

    def close(self):
        self.closed = True


class Network:
    def __init__(self, *peers):
        self.peers = list(peers)
        self.dialled = []

    def __call__(self, address, timeout):
        self.dialled.append(address)
        peer = self.peers.pop(0)
        if isinstance(peer, Exception):
            raise peer
        return peer


@pytest.fixture(autouse=True)
def idle_connections_look_alive(monkeypatch):
    """There is no file descriptor to poll here; a peer that `dropped` says so itself."""
    monkeypatch.setattr(Connection, "stale", property(lambda self: self._socket.dropped))


def connect(*peers, token="Bearer t", **options):
    network = Network(*peers)
    config = Config("http://api.example.org:8080/prefix", authorization=StaticToken(token), **options)
    return DirectTransport(config, dial=network), network


def get(transport):
    return transport.request(Call("GET", "/api"))


def test_a_request_says_what_http_wants_to_know():
    peer = Peer(OK)
    transport, network = connect(peer)
    reply = transport.request(Call("PATCH", "/api/v1?x=y", b"{}", "application/merge-patch+json"))
    assert reply.body == b"ok"
    assert network.dialled == [("api.example.org", 8080)]
    head, _, body = peer.requests[0].partition(b"\r\n\r\n")
    assert body == b"{}"
    assert head.split(b"\r\n") == [
        b"PATCH /prefix/api/v1?x=y HTTP/1.1",
        b"Host: api.example.org:8080",
        b"User-Agent: python-operator",
        b"Authorization: Bearer t",
        b"Accept: application/json",
        b"Content-Type: application/merge-patch+json",
        b"Content-Length: 2",
    ]


def test_without_a_token_there_is_no_authorization():
    peer = Peer(OK)
    transport, _ = connect(peer, token=None)
    get(transport)
    assert b"Authorization" not in peer.requests[0]


def test_a_connection_is_used_again():
    transport, network = connect(Peer(OK, OK, OK))
    for _ in range(3):
        get(transport)
    assert len(network.dialled) == 1


def test_a_connection_that_the_server_closes_is_not_used_again():
    first = Peer(CLOSE)
    transport, network = connect(first, Peer(OK))
    get(transport)
    get(transport)
    assert first.closed
    assert len(network.dialled) == 2


def test_an_idle_connection_that_has_ended_is_noticed_before_anything_is_sent():
    first = Peer(OK)
    transport, network = connect(first, Peer(OK))
    get(transport)
    first.dropped = True
    transport.request(Call("POST", "/api", b"{}"))
    assert len(first.requests) == 1
    assert len(network.dialled) == 2


def test_an_idle_connection_grows_old(monkeypatch):
    transport, network = connect(Peer(OK), Peer(OK))
    get(transport)
    monkeypatch.setattr(transport_module, "MAX_IDLE_SECONDS", 0.0)
    get(transport)
    assert len(network.dialled) == 2


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_an_idempotent_request_is_sent_again_when_an_idle_connection_was_dead(method):
    second = Peer(OK)
    transport, _ = connect(Peer(OK, b""), second)
    get(transport)
    assert transport.request(Call(method, "/api")).body == b"ok"
    assert len(second.requests) == 1


@pytest.mark.parametrize(
    ("method", "end"),
    [
        pytest.param("POST", b"", id="it is not idempotent"),
        pytest.param("PATCH", b"", id="a patch may not be"),
        pytest.param("GET", b"HTTP/1.1 200 OK\r\nContent", id="the reply had begun"),
        pytest.param("GET", TimeoutError("timed out"), id="the server is slow, not gone"),
    ],
)
def test_otherwise_it_is_not_sent_again(method, end):
    transport, network = connect(Peer(OK, end), Peer(OK))
    get(transport)
    with pytest.raises(Unreachable) as unreachable:
        transport.request(Call(method, "/api"))
    assert unreachable.value.sent
    assert len(network.dialled) == 1


def test_a_fresh_connection_that_dies_is_not_tried_again():
    transport, network = connect(Peer(b""), Peer(OK))
    with pytest.raises(Unreachable):
        get(transport)
    assert len(network.dialled) == 1


def test_when_nobody_listens_nothing_was_sent():
    transport, _ = connect(ConnectionRefusedError("refused"))
    with pytest.raises(Unreachable) as unreachable:
        transport.request(Call("POST", "/api", b"{}"))
    assert not unreachable.value.sent


def reloadable(*peers):
    """A transport whose configuration, read again, has a new token."""
    reloads = []

    def reload():
        reloads.append(True)
        return dataclasses.replace(config, authorization=StaticToken("Bearer new"))

    config = Config("http://api.example.org", authorization=StaticToken("Bearer old"), reload=reload)
    return DirectTransport(config, dial=Network(*peers)), reloads


def test_a_refused_token_makes_it_read_the_configuration_again_once():
    fresh = Peer(OK)
    transport, reloads = reloadable(Peer(REFUSED), fresh)
    reply = transport.request(Call("POST", "/api", b"{}"))
    assert (reply.status, reloads) == (200, [True])
    assert b"Authorization: Bearer new" in fresh.requests[0]


def test_a_token_that_is_refused_again_is_the_answer():
    transport, reloads = reloadable(Peer(REFUSED), Peer(REFUSED))
    assert (get(transport).status, reloads) == (401, [True])


def test_threads_that_were_refused_together_reload_once():
    transport, reloads = reloadable()
    refused = transport._route
    assert transport._reload(refused) is transport._reload(refused)
    assert reloads == [True]


def test_without_a_way_to_reload_401_is_the_answer():
    transport, _ = connect(Peer(REFUSED))
    assert get(transport).status == 401


def test_the_check_is_made_when_there_is_a_connection_and_before_anything_is_sent():
    peer = Peer(OK)
    transport, network = connect(peer)

    def closed():
        assert network.dialled
        raise FencedOff("not the leader")

    with pytest.raises(FencedOff):
        transport.request(Call("PATCH", "/api", b"{}", check=closed))
    assert peer.requests == []
    assert peer.closed


@pytest.mark.parametrize(
    ("peer", "code"),
    [(Peer(OK), "200"), (Peer(b""), "<error>"), (ConnectionRefusedError("refused"), "<error>")],
)
def test_every_request_is_observed(peer, code):
    seen = []
    transport = DirectTransport(
        Config("http://api.example.org"), lambda *observed: seen.append(observed[:2]), dial=Network(peer)
    )
    if code == "200":
        get(transport)
    else:
        with pytest.raises(Unreachable):
            get(transport)
    assert seen == [("GET", code)]


def test_a_closed_transport_keeps_no_connections():
    idle, late = Peer(OK), Peer(OK)
    transport, _ = connect(idle, late)
    get(transport)
    transport.close()
    assert idle.closed
    get(transport)
    assert late.closed


STREAM = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def stream(transport, opened=lambda interrupt: None):
    return transport.stream("/api?watch=1", 5.0, opened)


def test_a_stream_has_a_connection_of_its_own():
    transport, network = connect(Peer(OK), Peer(STREAM, b"1\r\na\r\n", b"1\r\nb\r\n", b"0\r\n\r\n"), Peer())
    get(transport)
    lines = stream(transport)
    assert [lines.read(5.0) for _ in range(3)] == [b"a", b"b", b""]
    assert len(network.dialled) == 2


def test_requests_and_streams_may_ask_for_another_form():
    asking, streaming = Peer(OK), Peer(STREAM, b"0\r\n\r\n")
    transport, _ = connect(asking, streaming)
    transport.request(Call("GET", "/api", accept="application/json;as=Table"))
    transport.stream("/api?watch=1", 5.0, lambda interrupt: None, "application/json;as=PartialObjectMetadata")
    assert b"\r\nAccept: application/json;as=Table\r\n" in asking.requests[0]
    assert b"\r\nAccept: application/json;as=PartialObjectMetadata\r\n" in streaming.requests[0]


def test_a_stream_that_breaks_is_unreachable_and_one_that_is_silent_times_out():
    transport, _ = connect(Peer(STREAM, TimeoutError("timed out"), b""))
    lines = stream(transport)
    with pytest.raises(TimeoutError):
        lines.read(5.0)
    with pytest.raises(Unreachable):
        lines.read(5.0)


def test_a_stream_says_how_to_interrupt_it_before_anything_is_waited_for():
    told: list[Any] = []
    transport, _ = connect(Peer(b""))
    with pytest.raises(Unreachable):
        stream(transport, told.append)
    assert len(told) == 1


def test_a_stream_is_asked_for_again_when_its_token_was_refused():
    transport, reloads = reloadable(Peer(REFUSED), Peer(STREAM))
    assert (stream(transport).status, reloads) == (200, [True])


def test_a_refused_stream_says_when_to_come_back():
    transport, _ = connect(Peer(b"HTTP/1.1 429 Too Many\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n"))
    refused = stream(transport)
    assert (refused.status, refused.retry_after()) == (429, "2")
    refused.close()
