"""Where requests go, and that every exchange has an end."""

import http.client
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.servers.exchange import Endpoint, Exchange, InvalidUrl, Unfinished

ENDPOINT = Endpoint("192.0.2.1", 8080, False, "")


@pytest.mark.parametrize(
    ("text", "endpoint"),
    [
        ("http://192.0.2.1:8080", ENDPOINT),
        ("http://192.0.2.1", Endpoint("192.0.2.1", 80, False, "")),
        ("https://bind.example.org/", Endpoint("bind.example.org", 443, True, "/")),
        ("HTTPS://Bind.Example.ORG:8443/car/api/v1", Endpoint("bind.example.org", 8443, True, "/car/api/v1")),
        ("http://[2001:db8::1]:8080", Endpoint("2001:db8::1", 8080, False, "")),
        ("http://bind_0.dns.svc", Endpoint("bind_0.dns.svc", 80, False, "")),
    ],
)
def test_addresses_that_can_be_used(text: str, endpoint: Endpoint):
    assert Endpoint.parse(text) == endpoint


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("http://user:hunter2@host:8080", "user or password"),
        ("http://hunter2@host", "user or password"),
        ("http://host/#hunter2", "query or fragment"),
        ("http://host/?token=hunter2", "query or fragment"),
        ("http://host?", "query or fragment"),
        ("ftp://host/hunter2", "must begin with http"),
        ("file:///etc/hunter2", "must begin with http"),
        ("gopher://host:70/hunter2", "must begin with http"),
        ("host:8080", "must begin with http"),
        ("//host", "must begin with http"),
        ("http://", "must look like"),
        ("http:///hunter2", "must look like"),
        ("http://:8080", "must look like"),
        ("http://host:0", "must look like"),
        ("http://host:99999", "cannot be read"),
        ("http://host:hunter2", "cannot be read"),
        ("http://[::1", "cannot be read"),
        ("http://[::1%25eth0]", "must look like"),
        ("http://a..b", "must look like"),
        ("http://.host", "must look like"),
        ("http://" + "a" * 64, "must look like"),
        ("http://ho st", "plain ASCII"),
        ("http://host/\r\nX: hunter2", "plain ASCII"),
        ("http://höst", "plain ASCII"),
        ("", "must begin with http"),
    ],
)
def test_addresses_that_cannot_are_told_and_not_repeated(text: str, says: str):
    with pytest.raises(InvalidUrl, match=says) as caught:
        Endpoint.parse(text)
    assert "hunter2" not in str(caught.value)


@given(st.text() | st.text(alphabet="htps:/@#?[]%.-0a").map("http://".__add__))
def test_any_text_is_an_address_or_is_not(text: str):
    try:
        endpoint = Endpoint.parse(text)
    except InvalidUrl:
        return
    assert endpoint.host
    assert 0 < endpoint.port < 65536


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class SlowSocket(io.RawIOBase):
    """A Dialer, its socket and the file of that: sends a byte a second, for ever."""

    def __init__(self, clock: Clock, script: bytes, then: bytes) -> None:
        self._clock, self._script, self._then = clock, script, then
        self._at = 0
        self.timeouts: list[float] = []

    def connect(self, _address: str, _port: int, _timeout: float) -> Any:
        return self

    def makefile(self, _mode: str, buffering: int) -> Any:
        return self

    def settimeout(self, seconds: float) -> None:
        assert seconds > 0
        self.timeouts.append(seconds)

    def send(self, data: Any) -> int:
        self._clock.now += 1
        return min(len(data), 1000)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._clock.now += 1
        text = self._script + self._then * (self._at + 1)
        buffer[:1] = text[self._at : self._at + 1]
        self._at += 1
        return 1


@pytest.mark.parametrize(
    ("script", "then"),
    [
        (b"", b"H"),
        (b"HTTP/1.1 200 OK\r\n", b"A: b\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
)
def test_an_answer_that_drips_ends_in_time_however_often_something_comes(script: bytes, then: bytes):
    clock = Clock()
    slow = SlowSocket(clock, script, then)
    exchange = Exchange(ENDPOINT, slow, 100.0, monotonic=clock)
    with pytest.raises(Unfinished, match="within 100 s"):
        exchange.ask("GET", "/", None, {}, limit=1000)
    assert clock.now <= 102
    assert not exchange.is_open
    assert slow.timeouts[-1] <= 2, "the last read may take what is left"


def test_a_request_that_is_taken_in_drips_ends_in_time():
    clock = Clock()
    exchange = Exchange(ENDPOINT, SlowSocket(clock, b"", b""), 100.0, monotonic=clock)
    with pytest.raises(Unfinished):
        exchange.ask("POST", "/", b"x" * 1_000_000, {}, limit=1000)
    assert clock.now <= 102


class FastSocket(SlowSocket):
    """As much as is asked for, for ever."""

    def readinto(self, buffer: Any) -> int:
        text = self._script or self._then * (len(buffer) // len(self._then) + 1)
        size = min(len(text), len(buffer))
        buffer[:size] = text[:size]
        self._script = self._script[size:]
        self._at += size
        return size

    @property
    def taken(self) -> int:
        return self._at


@pytest.mark.parametrize(
    ("script", "then"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"Trailer: x\r\n"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b" "),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"", b"HTTP/1.1 100 Continue\r\nA: b\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\n", b"A: b\r\n"),
        (b"", b"x"),
    ],
)
def test_an_answer_without_an_end_ends_by_its_size(script: bytes, then: bytes):
    fast = FastSocket(Clock(), script, then)
    with pytest.raises((Unfinished, http.client.HTTPException)):
        Exchange(ENDPOINT, fast, 100.0, monotonic=Clock()).ask("GET", "/", None, {}, limit=100_000)
    assert fast.taken < 500_000
