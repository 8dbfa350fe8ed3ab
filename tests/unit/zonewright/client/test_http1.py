"""HTTP/1.1 as API servers speak it, cut into pieces at every possible place."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zonewright.client.http1 import Chunks, Connection, ConnectionLost, ProtocolError

SOON = 5.0


class ScriptedSocket:
    """Gives what it was told to, piece by piece; b"" is the end, an exception is raised."""

    def __init__(self, *pieces):
        self.pieces = list(pieces)
        self.sent = b""
        self.closed = False

    def settimeout(self, seconds):
        assert seconds > 0

    def sendall(self, data):
        self.sent += data

    def recv(self, size):
        piece = self.pieces.pop(0) if self.pieces else b""
        if isinstance(piece, Exception):
            raise piece
        return piece

    def close(self):
        self.closed = True


def connected(*pieces) -> tuple[Connection, Any]:
    sock: Any = ScriptedSocket(*pieces)
    return Connection(sock), sock


def exchange(*pieces):
    connection, _ = connected(*pieces)
    return connection.exchange(b"GET / HTTP/1.1\r\n\r\n", time.monotonic() + SOON)


REPLIES = [
    pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"hello", True, id="a length"),
    pytest.param(
        b"HTTP/1.1 200 OK\r\ncontent-LENGTH:5 \r\n\r\nhello", b"hello", True, id="a header's name in any case"
    ),
    pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b"", True, id="an empty body"),
    pytest.param(b"HTTP/1.1 204 No Content\r\n\r\n", b"", True, id="no content"),
    pytest.param(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", b"hello", True, id="one chunk"
    ),
    pytest.param(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n003\r\nllo\r\n0\r\nTrailer: t\r\n\r\n",
        b"hello",
        True,
        id="several chunks, an extension and a trailer",
    ),
    pytest.param(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123\r\n6789\r\n0\r\n\r\n",
        b"0123\r\n6789",
        True,
        id="line ends inside a chunk",
    ),
    pytest.param(b"HTTP/1.1 200 OK\r\n\r\nhello", b"hello", False, id="until the connection ends"),
    pytest.param(
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello", b"hello", False, id="told to close"
    ),
    pytest.param(b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"hello", False, id="an old server"),
    pytest.param(
        b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        b"hello",
        True,
        id="an interim reply first",
    ),
]


@pytest.mark.parametrize(("wire", "body", "keep_alive"), REPLIES)
def test_a_reply_is_read_whole(wire, body, keep_alive):
    reply = exchange(wire)
    assert (reply.body, reply.keep_alive) == (body, keep_alive)


@pytest.mark.parametrize(("wire", "body", "keep_alive"), REPLIES)
def test_a_reply_is_read_whole_one_byte_at_a_time(wire, body, keep_alive):
    reply = exchange(*(wire[at : at + 1] for at in range(len(wire))))
    assert (reply.body, reply.keep_alive) == (body, keep_alive)


def test_headers_are_found_by_name():
    reply = exchange(b"HTTP/1.1 429 Too Many\r\nX-Retry-After: 9\r\nRetry-After:  3 \r\nContent-Length: 0\r\n\r\n")
    assert (reply.status, reply.header(b"retry-after"), reply.header(b"missing")) == (429, "3", "")


@pytest.mark.parametrize(
    ("pieces", "answered"),
    [
        pytest.param([b""], False, id="before the reply"),
        pytest.param([ConnectionResetError("reset")], False, id="reset before the reply"),
        pytest.param([b"HTTP/1.1 2"], True, id="in the headers"),
        pytest.param([b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"], True, id="in a body with a length"),
        pytest.param([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"], True, id="in a chunk"),
        pytest.param(
            [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"], True, id="between chunks"
        ),
    ],
)
def test_a_connection_that_ends_early_is_lost(pieces, answered):
    with pytest.raises(ConnectionLost) as lost:
        exchange(*pieces)
    assert lost.value.answered is answered


@pytest.mark.parametrize(
    "wire",
    [
        pytest.param(b"SSH-2.0-OpenSSH\r\n\r\n", id="another protocol"),
        pytest.param(b"HTTP/1.1 abc\r\n\r\n", id="no status"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", id="a negative length"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello", id="more than it says"),
        pytest.param(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", id="a chunk size that is none"),
        pytest.param(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n", id="a negative chunk size"),
        pytest.param(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", id="no chunk size"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello", id="a chunk longer than it says"
        ),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nmore", id="data after the last chunk"
        ),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 2000, id="an endless chunk line"
        ),
        pytest.param(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000, id="endless headers"),
    ],
)
def test_what_is_not_http_is_refused(wire):
    with pytest.raises(ProtocolError):
        exchange(wire)


def test_a_deadline_that_has_passed_is_a_timeout():
    with pytest.raises(TimeoutError):
        connected()[0].exchange(b"", time.monotonic() - 1)


def test_a_socket_that_times_out_is_a_timeout():
    with pytest.raises(TimeoutError):
        exchange(TimeoutError("timed out"))


def test_what_cannot_be_sent_is_a_lost_connection():
    connection, sock = connected()
    sock.sendall = lambda _: (_ for _ in ()).throw(BrokenPipeError("gone"))
    with pytest.raises(ConnectionLost) as lost:
        connection.send(b"x", time.monotonic() + SOON)
    assert not lost.value.answered


def test_a_stream_is_read_as_it_comes():
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    connection, _ = connected(head + b"2\r\nab\r\n", b"1\r", b"\nc\r\n", b"0\r\n\r\n")
    deadline = time.monotonic() + SOON
    body = connection.body(connection.read_head(deadline))
    assert [body.read(deadline), body.read(deadline), body.read(deadline), body.read(deadline)] == [
        b"ab",
        b"c",
        b"",
        b"",
    ]


def encoded(payload, sizes):
    wire, at = b"", 0
    for size in [*sizes, len(payload)]:
        if chunk := payload[at : at + size]:
            wire += b"%x\r\n%b\r\n" % (len(chunk), chunk)
            at += len(chunk)
    return wire + b"0\r\n\r\n"


@given(
    payload=st.binary(max_size=300),
    sizes=st.lists(st.integers(1, 50)),
    cuts=st.lists(st.integers(1, 40), min_size=1),
)
def test_chunks_decode_the_same_however_they_are_cut(payload, sizes, cuts):
    wire, chunks, decoded = encoded(payload, sizes), Chunks(), b""
    at = turn = 0
    while at < len(wire):
        step = cuts[turn % len(cuts)]
        decoded += chunks.feed(wire[at : at + step])
        at, turn = at + step, turn + 1
    assert decoded == payload
    assert chunks.ended
