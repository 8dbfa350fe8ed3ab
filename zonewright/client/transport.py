"""Requests and streams to one API server, over connections of our own.

Between `http1.py` (one socket) and `client.py` (Kubernetes). Decides which connection a request takes, whether a
failed one may be sent again, and when credentials must be read again. Requests share a stack of idle connections, so
that W workers use about W of them, the warmest first; every stream (a watch) has a connection to itself.

A request is sent a second time only where that is safe: the server refused it unread (401), or an idle connection
turned out to be dead before any of the reply came and the method is idempotent.
"""

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol
from urllib.parse import urlsplit

from zonewright.api.errors import Unreachable
from zonewright.client.config import Config
from zonewright.client.http1 import Connection, ConnectionLost, Reply

USER_AGENT: Final = "python-operator"  # of those who do not say who they are
IDEMPOTENT: Final = frozenset({"GET", "PUT", "DELETE"})
CONNECT_TIMEOUT: Final = 10.0
# Between the bookmarks of a quiet kind, which come every minute, intermediaries may forget the connection.
KEEPALIVE_IDLE, KEEPALIVE_INTERVAL, KEEPALIVE_PROBES = 30, 10, 3
MAX_IDLE: Final = 32
JSON: Final = "application/json"
# Load balancers drop idle connections after minutes; a dead one costs a failed request.
MAX_IDLE_SECONDS: Final = 60.0

Observer = Callable[[str, str, float], None]
"""(method, status code or "<error>", seconds), once per request sent."""

Dial = Callable[[tuple[str, int], float], socket.socket]
"""(address, timeout) -> a connected socket, before TLS."""

Opened = Callable[[Callable[[], None]], None]
"""Told, as soon as there is a connection, what to call from another thread to interrupt whoever waits on it."""


class Stream(Protocol):
    """A reply that goes on. One thread reads and closes; any thread may interrupt it."""

    status: int

    def read(self, timeout: float) -> bytes:
        """What came next; b"" at the end. `TimeoutError` after so many seconds of silence, `Unreachable` if broken."""

    def retry_after(self) -> str:
        """The header of that name, or ""."""

    def close(self) -> None:
        """Gives the connection back, or ends it."""


class Call(NamedTuple):
    """One request, as whoever sends it sees it."""

    method: str
    target: str
    body: bytes = b""
    content_type: str = "application/json"
    timeout: float = 30.0
    accept: str = JSON
    check: Callable[[], None] | None = None
    """Called when a connection is there and the next thing is to send: raises if this must not be sent any more."""


class Transport(Protocol):
    @property
    def host(self) -> str:
        """`host:port`, for people and metrics."""

    def request(self, call: Call) -> Reply:
        """Sends and reads to the end. Any HTTP status is an answer; `Unreachable` is the lack of one."""

    def stream(self, target: str, timeout: float, opened: Opened, accept: str = JSON) -> Stream:
        """Starts a GET whose reply is read piece by piece; any status is an answer."""

    def close(self) -> None:
        """Ends the idle connections; those in use end with their request."""


def unobserved(method: str, code: str, seconds: float) -> None:
    """The observer of those who do not count."""


@dataclass(frozen=True, slots=True)
class _Route:
    """All that a request needs to know of the configuration, as one value: threads see the old one or the new one."""

    config: Config
    address: tuple[str, int]
    host: str
    prefix: str

    @classmethod
    def to(cls, config: Config) -> "_Route":
        url = urlsplit(config.server)
        address = (url.hostname or "", url.port or (443 if url.scheme == "https" else 80))
        return cls(config, address, url.netloc, url.path.rstrip("/"))

    def generation(self) -> int:
        return self.config.tls.refresh() if self.config.tls else 0


class _Idle(NamedTuple):
    """A connection that waits for its next request, and what it was made with."""

    connection: Connection
    route: _Route
    generation: int
    since: float


class DirectTransport:
    def __init__(
        self,
        config: Config,
        observer: Observer | None = None,
        dial: Dial | None = None,
        *,
        user_agent: str = USER_AGENT,
    ) -> None:
        self._dial = dial or _dial
        self._user_agent = user_agent
        self._route = _Route.to(config)
        self._headers: tuple[_Route, str | None, str] = (self._route, "", "")
        self._observer = observer or unobserved
        self._lock = threading.Lock()
        self._idle: list[_Idle] = []
        self._closed = False

    @property
    def host(self) -> str:
        return self._route.host

    # --- requests

    def request(self, call: Call) -> Reply:
        started = time.monotonic()
        deadline = started + call.timeout
        route = self._route
        code = "<error>"
        try:
            reply = self._attempt(route, call, deadline)
            if reply.status == 401 and (fresh := self._reload(route)):
                reply = self._attempt(fresh, call, deadline)
            code = str(reply.status)
        finally:
            self._observer(call.method, code, time.monotonic() - started)
        return reply

    def _attempt(self, route: _Route, call: Call, deadline: float) -> Reply:
        request = self._encode(route, call)
        idle = self._take_idle(route)
        if idle is not None:
            try:
                return self._exchange(route, idle, request, call, deadline)
            except Unreachable as error:
                lost = error.__cause__
                if call.method not in IDEMPOTENT or not isinstance(lost, ConnectionLost) or lost.answered:
                    raise
        return self._exchange(route, self._connect(route, deadline), request, call, deadline)

    def _exchange(self, route: _Route, connection: Connection, request: bytes, call: Call, deadline: float) -> Reply:
        try:
            if call.check is not None:
                call.check()
            reply = connection.exchange(request, deadline)
        except BaseException as error:  # whatever it was, half a reply may be left in the connection
            connection.close()
            if isinstance(error, OSError):
                raise Unreachable(f"no reply from {self.host}: {error}") from error
            raise
        self._put_idle(route, connection, reply)
        return reply

    def _encode(self, route: _Route, call: Call) -> bytes:
        common = f"{self._common_headers(route)}Accept: {call.accept}\r\n"
        head = f"{call.method} {route.prefix}{call.target} HTTP/1.1\r\n{common}"
        if call.method == "GET":
            return f"{head}\r\n".encode()
        length = len(call.body)
        return f"{head}Content-Type: {call.content_type}\r\nContent-Length: {length}\r\n\r\n".encode() + call.body

    def _common_headers(self, route: _Route) -> str:
        """Host, credentials and what never changes: formatted once per token, not once per request."""
        token = route.config.authorization()
        made_for, made_with, headers = self._headers
        if made_for is route and made_with == token:
            return headers
        headers = f"Host: {route.host}\r\nUser-Agent: {self._user_agent}\r\n"
        if token:
            headers += f"Authorization: {token}\r\n"
        self._headers = (route, token, headers)
        return headers

    # --- streams

    def stream(self, target: str, timeout: float, opened: Opened, accept: str = JSON) -> "DirectStream":
        route, call = self._route, Call("GET", target, timeout=timeout, accept=accept)
        stream = self._open_stream(route, call, opened)
        if stream.status == 401 and (fresh := self._reload(route)):
            stream.close()
            stream = self._open_stream(fresh, call, opened)
        return stream

    def _open_stream(self, route: _Route, call: Call, opened: Opened) -> "DirectStream":
        started, timeout = time.monotonic(), call.timeout
        connection = self._connect(route, started + timeout)
        code = "<error>"
        try:
            opened(connection.shutdown)
            connection.send(self._encode(route, call), started + timeout)
            reply = connection.read_head(started + timeout)
            code = str(reply.status)
        except BaseException as error:
            connection.close()
            if isinstance(error, OSError):
                raise Unreachable(f"no reply from {route.host}: {error}") from error
            raise
        finally:
            self._observer("GET", code, time.monotonic() - started)
        return DirectStream(connection, reply)

    # --- connections

    def _take_idle(self, route: _Route) -> Connection | None:
        generation = route.generation()
        while True:
            with self._lock:
                if not self._idle:
                    return None
                idle = self._idle.pop()
            fits = idle.route is route and idle.generation == generation
            if fits and time.monotonic() - idle.since < MAX_IDLE_SECONDS and not idle.connection.stale:
                return idle.connection
            idle.connection.close()

    def _put_idle(self, route: _Route, connection: Connection, reply: Reply) -> None:
        if reply.keep_alive:
            idle = _Idle(connection, route, route.generation(), time.monotonic())
            with self._lock:
                if not self._closed and len(self._idle) < MAX_IDLE:
                    self._idle.append(idle)
                    return
        connection.close()

    def _connect(self, route: _Route, deadline: float) -> Connection:
        timeout = max(0.001, min(CONNECT_TIMEOUT, deadline - time.monotonic()))
        try:
            return Connection(_secure(route, self._dial(route.address, timeout)))
        except OSError as error:
            raise Unreachable(f"cannot connect to {route.host}: {error}", sent=False) from error

    def _reload(self, refused: _Route) -> _Route | None:
        """Reads the configuration again, once for all the threads whose requests were refused with it."""
        if refused.config.reload is None:
            return None
        with self._lock:
            if self._route is refused:
                self._route = _Route.to(refused.config.reload())
                dropped, self._idle = self._idle, []
            else:
                dropped = []
            fresh = self._route
        for idle in dropped:
            idle.connection.close()
        return fresh

    def close(self) -> None:
        with self._lock:
            self._closed = True
            dropped, self._idle = self._idle, []
        for idle in dropped:
            idle.connection.close()


class DirectStream:
    """A streamed reply on a connection of its own."""

    def __init__(self, connection: Connection, reply: Reply) -> None:
        self._connection = connection
        self._reply = reply
        self._body = connection.body(reply)
        self.status = reply.status

    def read(self, timeout: float) -> bytes:
        try:
            return self._body.read(time.monotonic() + timeout)
        except TimeoutError:
            raise
        except OSError as error:
            raise Unreachable(f"the stream broke: {error}") from error

    def retry_after(self) -> str:
        return self._reply.header(b"retry-after")

    def close(self) -> None:
        self._connection.close()


def _secure(route: _Route, plain: socket.socket) -> socket.socket:
    tls = route.config.tls
    if tls is None:
        return plain
    try:
        # Raises if the peer is gone already: wrap_socket would raise too, and leave its socket open (CPython 3.11).
        plain.getpeername()
        return tls.context().wrap_socket(plain, server_hostname=tls.material.server_name or route.address[0])
    except BaseException:
        plain.close()
        raise


def _dial(address: tuple[str, int], timeout: float) -> socket.socket:
    sock = socket.create_connection(address, timeout=timeout)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        ("TCP_KEEPIDLE", KEEPALIVE_IDLE),
        ("TCP_KEEPINTVL", KEEPALIVE_INTERVAL),
        ("TCP_KEEPCNT", KEEPALIVE_PROBES),
    ):
        with contextlib.suppress(AttributeError, OSError):  # not every system has them
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
    return sock
