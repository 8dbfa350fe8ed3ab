"""One HTTP/1.1 exchange at a time over one kept connection, with an end to everything: time, bytes, redirects.

Below the client of bindcar; knows neither JSON nor bindcar. Nothing is read from the environment: a proxy or a `.netrc`
must not get what is meant for the server. A redirect is an answer like any other and is not followed. Not thread-safe.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import re
import socket
import ssl
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from reconcilers.ddns.dialer import Dialer

_HEAD = 256 * 1024
"""Bytes that status line, headers and framing may have beside the body; http.client allows 100 headers of 64 KiB."""

_PIECE = 65536
_HOST = re.compile(r"([A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?\Z")


class InvalidUrl(ValueError):
    """The address cannot be used. The text never repeats it: there may be a password in it."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to connect, and what every path begins with."""

    host: str
    port: int
    secure: bool
    path: str

    @classmethod
    def parse(cls, text: str) -> Endpoint:
        """From `http://host:8080/path` or `https://...`, and nothing that would have no effect."""
        if not text.isascii() or not text.isprintable() or " " in text:
            raise InvalidUrl("must be plain ASCII without blanks")
        try:
            url = urllib.parse.urlsplit(text)
            port = url.port
        except ValueError:
            raise InvalidUrl("is not a URL: its host or port cannot be read") from None
        if url.scheme not in {"http", "https"}:
            raise InvalidUrl("must begin with http:// or https://")
        if "@" in url.netloc:
            raise InvalidUrl("must not have a user or password: the token comes from a Secret")
        if "?" in text or "#" in text:
            raise InvalidUrl("must not have a query or fragment")
        if not url.hostname or not _is_host(url.hostname) or port == 0:
            raise InvalidUrl("must look like http://host:8080")
        return cls(url.hostname, port or (443 if url.scheme == "https" else 80), url.scheme == "https", url.path)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def _is_host(text: str) -> bool:
    if ":" not in text:
        return bool(_HOST.match(text))
    try:
        return ipaddress.IPv6Address(text).scope_id is None
    except ValueError:
        return False


class Unfinished(OSError):
    """The answer has no end, in time or in bytes."""


class Exchange:
    """A connection to one endpoint, opened when needed. `timeout` is for sending a request and again for the answer."""

    def __init__(
        self,
        endpoint: Endpoint,
        dial: Dialer,
        timeout: float,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connection = _Connection(endpoint, dial, timeout, monotonic)

    @property
    def is_open(self) -> bool:
        return self._connection.sock is not None

    def open(self) -> None:
        """Connect, unless it is. Raises OSError."""
        if not self.is_open:
            self._connection.connect()

    def close(self) -> None:
        """Idempotent; the next exchange opens another connection."""
        self._connection.close()

    def ask(
        self, method: str, path: str, payload: bytes | None, headers: Mapping[str, str], *, limit: int
    ) -> tuple[int, bytes]:
        """Status and body. Raises OSError or HTTPException; the connection is closed then."""
        try:
            self._connection.request(method, path, payload, headers=dict(headers))
            self._connection.expect(limit + _HEAD)
            response = self._connection.getresponse()
            body = _body(response, limit)
        except ValueError:  # http.client reads a chunk's size with a sign, and stumbles over it later
            self.close()
            raise http.client.HTTPException("the answer's framing makes no sense") from None
        except BaseException:
            self.close()
            raise
        return response.status, body


def _body(response: http.client.HTTPResponse, limit: int) -> bytes:
    body = bytearray()
    while piece := response.read(min(_PIECE, limit + 1 - len(body))):
        body += piece
        if len(body) > limit:
            raise Unfinished(f"the answer has more than {limit} bytes")
    if response.length:  # what Content-Length still promises: a short read is not an error to http.client
        raise http.client.IncompleteRead(b"", response.length)
    return bytes(body)


class _Connection(http.client.HTTPConnection):
    """Its socket comes from the dialer; with TLS by the system's authorities for https."""

    def __init__(self, endpoint: Endpoint, dial: Dialer, timeout: float, monotonic: Callable[[], float]) -> None:
        super().__init__(endpoint.host, endpoint.port, timeout=timeout)
        self._dial, self._seconds, self._monotonic = dial, timeout, monotonic
        self._secure = ssl.create_default_context() if endpoint.secure else None

    def connect(self) -> None:
        plain = self._dial.connect(self.host, self.port, self._seconds)
        try:
            dialled = self._secure.wrap_socket(plain, server_hostname=self.host) if self._secure else plain
        except BaseException:
            plain.close()
            raise
        self.sock = _Bounded(dialled, self._seconds, self._monotonic)

    def expect(self, limit: int) -> None:
        """From here on the answer has its time and so many bytes."""
        cast("_Bounded", self.sock).begin(limit)

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        cast("_Bounded", self.sock).sendall(data)


class _Bounded:
    """The part of a socket that http.client uses, with a deadline over many reads or writes instead of one for each."""

    def __init__(self, connection: socket.socket, seconds: float, monotonic: Callable[[], float]) -> None:
        self._socket, self._seconds, self._monotonic = connection, seconds, monotonic
        self._deadline = monotonic() + seconds
        self._bytes = 0

    def begin(self, limit: int) -> None:
        self._deadline, self._bytes = self._monotonic() + self._seconds, limit

    def sendall(self, data: bytes) -> None:
        self._deadline = self._monotonic() + self._seconds
        rest = memoryview(data)
        while rest:
            with self.in_time():
                rest = rest[self._socket.send(rest[:_PIECE]) :]

    @contextmanager
    def in_time(self) -> Iterator[None]:
        """What is done inside may take what is left of the time."""
        late = Unfinished(f"no complete answer within {self._seconds:g} s")
        left = self._deadline - self._monotonic()
        if left <= 0:
            raise late
        self._socket.settimeout(left)
        try:
            yield
        except TimeoutError:
            raise late from None

    def took(self, count: int) -> None:
        self._bytes -= count
        if self._bytes < 0:
            raise Unfinished("the answer has no end")

    def makefile(self, _mode: str) -> io.BufferedReader:
        # The socket's own file counts references: http.client closes the socket before it has read the last answer.
        return io.BufferedReader(_Reader(self._socket.makefile("rb", buffering=0), self))

    def close(self) -> None:
        self._socket.close()


class _Reader(io.RawIOBase):
    def __init__(self, raw: io.RawIOBase, bounds: _Bounded) -> None:
        self._raw, self._bounds = raw, bounds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        with self._bounds.in_time():
            count = cast("int | None", self._raw.readinto(buffer))
        self._bounds.took(count or 0)
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()
