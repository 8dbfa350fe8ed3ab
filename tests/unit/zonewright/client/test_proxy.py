"""The way through a proxy: the same answers as the direct one, from the official client's pool."""

import dataclasses
from typing import Any

import pytest
import urllib3

from zonewright.api.errors import FencedOff, Unreachable
from zonewright.client.client import transport
from zonewright.client.config import Config
from zonewright.client.credentials import StaticToken
from zonewright.client.proxy import PooledTransport
from zonewright.client.transport import Call


class Pool:
    """Answers from a list, and remembers what it was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.cleared = False

    def request(self, method, url, **options):
        self.asked.append((method, url, options))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def clear(self):
        self.cleared = True


def response(status=200, body=b"ok", **headers):
    return urllib3.HTTPResponse(body, headers=headers, status=status)


def made(*answers, **options) -> tuple[Any, Pool]:
    pool = Pool(*answers)
    config = Config("https://api.example.org", authorization=StaticToken("Bearer t"), pool=pool, **options)
    return transport(config), pool


def test_a_configuration_with_a_pool_is_served_by_it():
    assert isinstance(made()[0], PooledTransport)


def test_a_request():
    through, pool = made(response(**{"Retry-After": "3"}))
    reply = through.request(Call("PATCH", "/api", b"{}", "application/merge-patch+json", 7.0))
    assert (reply.status, reply.body, reply.header(b"retry-after")) == (200, b"ok", "3")
    ((method, url, options),) = pool.asked
    assert (method, url, options["body"], options["timeout"].read_timeout) == (
        "PATCH",
        "https://api.example.org/api",
        b"{}",
        7.0,
    )
    assert options["headers"] == {
        "Accept": "application/json",
        "User-Agent": "python-operator",
        "Content-Type": "application/merge-patch+json",
        "Authorization": "Bearer t",
    }


@pytest.mark.parametrize("failure", [urllib3.exceptions.ProtocolError("broken"), OSError("gone")])
def test_no_reply_is_unreachable(failure):
    with pytest.raises(Unreachable):
        made(failure)[0].request(Call("GET", "/api"))


def test_writes_are_checked_before_they_are_sent():
    def closed():
        raise FencedOff("not the leader")

    through, pool = made(response())
    with pytest.raises(FencedOff):
        through.request(Call("PATCH", "/api", check=closed))
    assert pool.asked == []


def test_a_refused_token_makes_it_read_the_configuration_again():
    fresh = Pool(response())

    def reload():
        return dataclasses.replace(through._config, authorization=StaticToken("Bearer new"), pool=fresh)

    through, _ = made(response(401), reload=reload)
    assert through.request(Call("GET", "/api")).status == 200
    assert fresh.asked[0][2]["headers"]["Authorization"] == "Bearer new"


@pytest.mark.parametrize(
    "reload", [None, lambda: Config("https://api.example.org")], ids=["no way", "no proxy any more"]
)
def test_otherwise_401_is_the_answer(reload):
    through, _ = made(response(401), reload=reload)
    assert through.request(Call("GET", "/api")).status == 401


class Streamed:
    """A urllib3 response as far as a stream needs it."""

    status = 200
    connection = None

    def __init__(self, *pieces):
        self.pieces = list(pieces)
        self.headers = {"Retry-After": "2"}
        self.ended = []

    def read1(self, size):
        piece = self.pieces.pop(0)
        if isinstance(piece, Exception):
            raise piece
        return piece

    def shutdown(self):
        self.ended.append("shutdown")

    def close(self):
        self.ended.append("closed")


def test_a_stream():
    pool: Any = None
    source = Streamed(
        b"a",
        urllib3.exceptions.ReadTimeoutError(pool, "", "silent"),
        urllib3.exceptions.ProtocolError("broken"),
    )
    interrupts: list[Any] = []
    stream = made(source)[0].stream("/api?watch=1", 5.0, interrupts.append)
    assert stream.read(5.0) == b"a"
    with pytest.raises(TimeoutError):
        stream.read(5.0)
    with pytest.raises(Unreachable):
        stream.read(5.0)
    assert stream.retry_after() == "2"
    interrupts[0]()
    stream.close()
    assert source.ended == ["shutdown", "closed"]


def test_a_stream_may_ask_for_another_form():
    through, pool = made(Streamed())
    through.stream("/api?watch=1", 5.0, lambda _: None, "application/json;as=PartialObjectMetadata")
    assert pool.asked[0][2]["headers"]["Accept"] == "application/json;as=PartialObjectMetadata"


def test_closing_it_clears_the_pool():
    through, pool = made()
    through.close()
    assert pool.cleared
