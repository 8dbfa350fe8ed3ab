"""A bindcar that lies: everything goes through to a real one, and what it answers is replaced as the test says."""

import http.client
import itertools
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from testbed.named import NameServer

Nonsense = Callable[[str, str, bytes], Iterable[bytes] | None]
"""Method, path and the true body -> the bytes of a whole answer, or None for the true one."""


class HostileBindcar:
    """Stands where a server's bindcar is thought to be."""

    def __init__(self, behind: NameServer) -> None:
        self.nonsense: Nonsense = lambda _method, _path, _body: None
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self._behind = behind
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.over = threading.Event()
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()

    def _forward(self, method: str, path: str, payload: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self._behind.bindcar_port, timeout=60)
        try:
            connection.request(method, path, payload, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                payload = self.rfile.read(length) if length else None
                given = {name: self.headers[name] for name in ("Authorization", "Content-Type") if name in self.headers}
                outer.requests.append((self.command, self.path, dict(self.headers)))
                status, body = outer._forward(self.command, self.path, payload, given)
                nonsense = outer.nonsense(self.command, self.path, body)
                if nonsense is None:
                    self.wfile.write(answer(body, status=status))
                    return
                self.close_connection = True
                try:
                    for piece in nonsense:
                        self.wfile.write(piece)
                        self.wfile.flush()
                except OSError:
                    pass  # the client has had enough

            do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815 - as the base class wants them

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's word
                pass

        return Handler


@contextmanager
def hostile_bindcar(behind: NameServer) -> Iterator[HostileBindcar]:
    made = HostileBindcar(behind)
    try:
        yield made
    finally:
        made.close()


def answer(body: bytes, *, status: int = 200, headers: str = "Content-Type: application/json\r\n") -> bytes:
    return f"HTTP/1.1 {status} X\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body


def changed(body: bytes, **fields: Any) -> bytes:
    return answer(json.dumps({**json.loads(body), **fields}).encode())


def configured(body: bytes, **config: Any) -> bytes:
    return changed(body, config={**json.loads(body).get("config", {}), **config})


def drip(over: threading.Event, head: bytes, piece: bytes = b" ", every: float = 0.2) -> Iterator[bytes]:
    """Never ends, and never is silent for long."""
    yield head
    while not over.wait(every):
        yield piece


def flood(head: bytes, piece: bytes) -> Iterator[bytes]:
    """Never ends, as fast as it goes."""
    yield head
    yield from itertools.repeat(piece)
