"""HTTP/1.1 on one socket: write a request, read its reply, or read a stream as it comes.

Below `transport.py`, which decides which connection to use and what a failure means. This is ours, and not
`http.client` or urllib3, because every status PATCH passes here: measured over TLS, 0.2 ms of CPU instead of 0.6 and
1.3. It speaks the part of RFC 9112 that API servers speak (Content-Length, chunked, read-until-close, 1xx, trailers)
and refuses the rest. It knows nothing of Kubernetes.
"""

import contextlib
import select
import socket
import time
from typing import Final, Protocol

# Go's net/http sends at most 1 MiB of headers; an API server sends well under 2 KiB.
MAX_HEAD: Final = 64 * 1024
# A line of a chunked body holds a size and perhaps an extension.
MAX_CHUNK_LINE: Final = 1024
# A TLS record is at most 16 KiB, so larger reads gain nothing; plain sockets do fill this.
READ_SIZE: Final = 64 * 1024
_CRLF: Final = b"\r\n"


class ConnectionLost(OSError):
    """The connection ended or broke. `answered` tells whether any part of the reply had come."""

    def __init__(self, message: str, *, answered: bool) -> None:
        super().__init__(message)
        self.answered = answered


class ProtocolError(OSError):
    """The peer does not speak HTTP/1.1 as we understand it; the connection cannot be used further."""


class Reply:
    """Status and headers of a reply, and its body when it was read whole."""

    __slots__ = ("_lower", "body", "head", "status")

    def __init__(self, status: int, head: bytes) -> None:
        self.status = status
        self.head = head
        self._lower = head.lower()
        self.body = b""

    def header(self, name: bytes) -> str:
        """The first value of a header (its name in lower case), or ""."""
        start = self._lower.find(_CRLF + name + b":")
        if start < 0:
            return ""
        start += len(name) + 3
        end = self.head.find(_CRLF, start)
        return self.head[start : end if end >= 0 else None].strip().decode("latin-1")

    @property
    def keep_alive(self) -> bool:
        """Whether the connection is good for another request once this reply was read."""
        if self.status not in {204, 304} and b"\r\ncontent-length:" not in self._lower and not self.chunked:
            return False  # the body ends with the connection
        return self.head.startswith(b"HTTP/1.1") and "close" not in self.header(b"connection").lower()

    @property
    def chunked(self) -> bool:
        return "chunked" in self.header(b"transfer-encoding").lower()


class Connection:
    """One socket and what was read from it too early. Used by one thread at a time; `shutdown` may come from any."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._buffer = b""
        self._poll: select.poll | None = None

    # --- requests with a reply that fits in memory

    def exchange(self, request: bytes, deadline: float) -> Reply:
        """Sends a request and reads the whole reply."""
        self.send(request, deadline)
        reply = self.read_head(deadline)
        reply.body = self._read_body(reply, deadline)
        return reply

    def send(self, request: bytes, deadline: float) -> None:
        try:
            self._socket.settimeout(_remaining(deadline))
            self._socket.sendall(request)
        except TimeoutError:
            raise
        except OSError as error:
            raise ConnectionLost(f"the connection broke while sending: {error}", answered=False) from error

    def read_head(self, deadline: float) -> Reply:
        """The next final reply's head; interim replies (1xx) are read and dropped."""
        while True:
            head = self._read_until_blank_line(deadline)
            reply = Reply(_status(head), head)
            if reply.status >= 200:
                return reply

    def _read_until_blank_line(self, deadline: float) -> bytes:
        searched = 0
        while (end := self._buffer.find(b"\r\n\r\n", max(0, searched - 3))) < 0:
            searched = len(self._buffer)
            if searched > MAX_HEAD:
                raise ProtocolError(f"the reply's headers are larger than {MAX_HEAD} bytes")
            self._fill(deadline, answered=searched > 0)
        head, self._buffer = self._buffer[:end], self._buffer[end + 4 :]
        return head

    def _read_body(self, reply: Reply, deadline: float) -> bytes:
        body = self.body(reply)
        data = body.read(deadline)
        if body.ended:  # the usual case: one read brought it all
            return data
        parts = [data]
        while not body.ended:
            parts.append(body.read(deadline))
        return b"".join(parts)

    def body(self, reply: Reply) -> "Body":
        """The body of `reply`, to be read as it comes."""
        if reply.status in {204, 304}:
            return Body(self, _Sized(0))
        if reply.chunked:
            return Body(self, Chunks())
        length = reply.header(b"content-length")
        return Body(self, _Sized(_length(length)) if length else _UntilClosed())

    def receive(self, deadline: float) -> bytes:
        """What has come since; b"" when the peer hung up."""
        if self._buffer:
            data, self._buffer = self._buffer, b""
            return data
        return self._receive(deadline, answered=True)

    # --- the socket

    def _fill(self, deadline: float, *, answered: bool) -> None:
        data = self._receive(deadline, answered=answered)
        if not data:
            raise ConnectionLost("the API server hung up", answered=answered)
        self._buffer = self._buffer + data if self._buffer else data

    def _receive(self, deadline: float, *, answered: bool) -> bytes:
        try:
            self._socket.settimeout(_remaining(deadline))
            return self._socket.recv(READ_SIZE)
        except TimeoutError:
            raise
        except (OSError, ValueError) as error:  # ValueError: closed under our feet by `close`
            raise ConnectionLost(f"the connection broke: {error}", answered=answered) from error

    @property
    def stale(self) -> bool:
        """Whether an idle connection was closed by the server. Nothing is due, so anything readable is its end."""
        if self._poll is None:
            self._poll = select.poll()
            self._poll.register(self._socket, select.POLLIN)
        return bool(self._buffer) or bool(self._poll.poll(0))

    def shutdown(self) -> None:
        """From any thread: a read that is blocked returns at once. The reader closes."""
        with contextlib.suppress(OSError):  # already gone, which is what was wanted
            # Not SSLSocket's own shutdown: it takes the TLS state away from under a thread that is reading.
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def close(self) -> None:
        self._socket.close()


class Framing(Protocol):
    """How a body is told from what comes after it: a decoder that is fed whatever arrived."""

    ended: bool

    def feed(self, data: bytes) -> bytes:
        """The part of the body in `data`; b"" as data is the end of the connection."""


class Body:
    """A body that is read as it comes."""

    __slots__ = ("_connection", "_framing")

    def __init__(self, connection: Connection, framing: Framing) -> None:
        self._connection = connection
        self._framing = framing

    @property
    def ended(self) -> bool:
        return self._framing.ended

    def read(self, deadline: float) -> bytes:
        """At least one byte, as soon as there is one; b"" at the end."""
        framing = self._framing
        while not framing.ended:
            if payload := framing.feed(self._connection.receive(deadline)):
                return payload
        return b""


class _Sized:
    def __init__(self, length: int) -> None:
        self._left = length
        self.ended = length == 0

    def feed(self, data: bytes) -> bytes:
        if not data:
            raise ConnectionLost("the API server hung up in the middle of a reply", answered=True)
        self._left -= len(data)
        if self._left < 0:
            raise ProtocolError("the reply is longer than it says")
        self.ended = self._left == 0
        return data


class _UntilClosed:
    ended = False

    def feed(self, data: bytes) -> bytes:
        self.ended = not data
        return data


class Chunks:
    """The chunked coding (RFC 9112, 7.1), fed in pieces of any size.

    One call decodes every chunk that has arrived: an API server sends a chunk per watch event, and eight events or
    more come with one read.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._left = 0  # bytes of the current chunk still to come
        self._expect_crlf = False
        self._last = False
        self.ended = False

    def feed(self, data: bytes) -> bytes:
        if not data:
            raise ConnectionLost("the API server hung up in the middle of a reply", answered=True)
        if self._rest:
            data = self._rest + data
        payload: list[bytes] = []
        at = self._decode(data, payload)
        self._rest = data[at:]
        if self.ended and self._rest:
            raise ProtocolError("data after the last chunk")
        return payload[0] if len(payload) == 1 else b"".join(payload)

    def _decode(self, data: bytes, payload: list[bytes]) -> int:
        """Appends what can be decoded to `payload`; returns where it stopped."""
        at, size = 0, len(data)
        while not self.ended:
            if self._left:
                payload.append(data[at : at + self._left])
                at += self._left
                if at > size:
                    self._left = at - size
                    return size
                self._left, self._expect_crlf = 0, True
            if self._expect_crlf:
                if size - at < 2:
                    return at
                if data[at : at + 2] != _CRLF:
                    raise ProtocolError("a chunk does not end where it says")
                at, self._expect_crlf = at + 2, False
            end = data.find(_CRLF, at)
            if end < 0:
                if size - at > MAX_CHUNK_LINE:
                    raise ProtocolError("a line of the chunked coding does not end")
                return at
            self._line(data[at:end])
            at = end + 2
        return at

    def _line(self, line: bytes) -> None:
        if self._last:  # a trailer, or the empty line after the last of them
            self.ended = not line
            return
        self._left = _chunk_size(line)
        self._last = self._left == 0


def _chunk_size(line: bytes) -> int:
    digits = line.partition(b";")[0].strip() if b";" in line else line
    if not digits or len(digits) > 15 or digits.translate(None, b"0123456789abcdefABCDEF"):
        raise ProtocolError(f"not a chunk size: {line[:40]!r}")
    return int(digits, 16)


def _status(head: bytes) -> int:
    if not head.startswith((b"HTTP/1.1 ", b"HTTP/1.0 ")) or not head[9:12].isdigit():
        raise ProtocolError(f"not an HTTP/1.1 reply: {head[:40]!r}")
    return int(head[9:12])


def _length(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ProtocolError(f"not a Content-Length: {text[:40]!r}")
    return int(text)


def _remaining(deadline: float) -> float:
    remaining = deadline - time.monotonic()
    if remaining <= 0:
        raise TimeoutError("the API server did not answer in time")
    return remaining
