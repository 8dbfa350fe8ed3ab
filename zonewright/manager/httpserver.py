"""A small HTTP server on a thread, for probes, metrics and debugging: GET a path, get a text.

Built on wsgiref with a thread per request, which `prometheus_client` brings along anyway. aiohttp, which serves
the embedded API, was measured too: 25 MiB and 360 ms of start for a handful of paths that a kubelet asks for, a third
of what a whole operator may weigh. This module is imported only when a port is configured. It knows
paths and replies; what they say is given by `health`, `metrics` and `debug`.
"""

import ipaddress
import json
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from socketserver import TCPServer, ThreadingMixIn
from typing import Any, TypeAlias
from urllib.parse import parse_qsl
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from zonewright import log

_log = log.get_logger(__name__)

Query: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    body: bytes
    status: str = "200 OK"
    content_type: str = "text/plain; charset=utf-8"

    @classmethod
    def text(cls, text: str, status: str = "200 OK") -> "Reply":
        return cls(text.encode() + b"\n", status)

    @classmethod
    def json(cls, value: Any) -> "Reply":
        return cls(json.dumps(value, indent=2, default=str).encode() + b"\n", content_type="application/json")


NOT_FOUND = "404 Not Found"


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    block_on_close = False  # a client that keeps its connection open must not hold up the end of the process

    def server_bind(self) -> None:
        # Not HTTPServer's: that one asks DNS for the name of the address, and may wait for it for a long time.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment] # an IP address has both
        self.setup_environ()


class _Server6(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    timeout = 10  # of one read: an idle connection must not pin a thread

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        _log.debug("http request", request=format % args)


class CannotListen(Exception):
    """The address is taken or is not this machine's; the message says which and why."""


class HttpServer:
    """Routes are added before or after the start. `private` ones answer only to this machine (kubectl port-forward)."""

    def __init__(self, host: str, port: int) -> None:
        self._routes: dict[str, tuple[Callable[[Query], Reply], bool]] = {}
        server = _Server6 if ":" in host else _Server
        try:
            self._server = make_server(host, port, self._answer, server_class=server, handler_class=_Handler)
        except OSError as error:
            raise CannotListen(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.5,), name="http", daemon=True)

    @property
    def port(self) -> int:
        """The real one, also where 0 was asked for."""
        return int(self._server.server_port)

    def route(self, path: str, answer: Callable[[Query], Reply], *, private: bool = False) -> None:
        self._routes[path] = (answer, private)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        if self._thread.is_alive():
            self._server.shutdown()
        self._server.server_close()

    def _answer(self, environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        reply = self._reply(environ)
        headers = [("Content-Type", reply.content_type), ("Content-Length", str(len(reply.body)))]
        start_response(reply.status, [*headers, ("Cache-Control", "no-store")])
        return () if environ["REQUEST_METHOD"] == "HEAD" else (reply.body,)

    def _reply(self, environ: Mapping[str, Any]) -> Reply:
        if environ["REQUEST_METHOD"] not in {"GET", "HEAD"}:
            return Reply.text("only GET", "405 Method Not Allowed")
        path = environ["PATH_INFO"].rstrip("/") or "/"
        answer, private = self._routes.get(path, (self._index, False))
        if private and not _is_local(environ["REMOTE_ADDR"]):
            return Reply.text("only from this machine: use kubectl port-forward", "403 Forbidden")
        try:
            return answer(dict(parse_qsl(environ.get("QUERY_STRING", ""))))
        except Exception as error:  # noqa: BLE001 - a probe that raises is a failed probe, not a dead server
            _log.error("http handler failed", exc_info=error, path=path)
            return Reply.text(f"{type(error).__name__}: see the log", "500 Internal Server Error")

    def _index(self, _query: Query) -> Reply:
        return Reply.text("there is:\n" + "\n".join(sorted(self._routes)), NOT_FOUND)


def _is_local(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    # A server that listens on [::] sees IPv4 clients as ::ffff:127.0.0.1.
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback
