"""The same requests and streams as `transport.py`, over the official client's urllib3 pool.

For API servers behind a proxy, which that pool knows how to pass (HTTP, HTTPS, SOCKS, no_proxy). It costs several times
the CPU per request, so nothing else takes this way.
"""

import contextlib
import threading
import time

import urllib3
from urllib3.exceptions import HTTPError, ReadTimeoutError

from zonewright.api.errors import Unreachable
from zonewright.client.config import Config
from zonewright.client.http1 import READ_SIZE, Reply
from zonewright.client.transport import CONNECT_TIMEOUT, JSON, USER_AGENT, Call, Observer, Opened, unobserved


class PooledTransport:
    def __init__(self, config: Config, observer: Observer | None = None, *, user_agent: str = USER_AGENT) -> None:
        self._user_agent = user_agent
        self._config = config
        self._observer = observer or unobserved
        self._lock = threading.Lock()
        self.host = config.server.partition("://")[2]

    def request(self, call: Call) -> Reply:
        response = self._send(call, stream=False)
        return _reply(response, response.data)

    def stream(self, target: str, timeout: float, opened: Opened, accept: str = JSON) -> "PooledStream":
        stream = PooledStream(self._send(Call("GET", target, timeout=timeout, accept=accept), stream=True))
        opened(stream.interrupt)
        return stream

    def _send(self, call: Call, *, stream: bool) -> urllib3.BaseHTTPResponse:
        config = self._config
        response = self._once(config, call, stream=stream)
        if response.status == 401 and (fresh := self._reload(config)):
            response.release_conn()
            response = self._once(fresh, call, stream=stream)
        return response

    def _once(self, config: Config, call: Call, *, stream: bool) -> urllib3.BaseHTTPResponse:
        headers = {"Accept": call.accept, "User-Agent": self._user_agent}
        if call.body:
            headers["Content-Type"] = call.content_type
        if token := config.authorization():
            headers["Authorization"] = token
        if call.check is not None:
            call.check()
        started, code = time.monotonic(), "<error>"
        try:
            response: urllib3.BaseHTTPResponse = config.pool.request(
                call.method,
                config.server + call.target,
                body=call.body or None,
                headers=headers,
                timeout=urllib3.Timeout(connect=min(call.timeout, CONNECT_TIMEOUT), read=call.timeout),
                retries=False,
                preload_content=not stream,
            )
            code = str(response.status)
        except (HTTPError, OSError) as error:
            raise Unreachable(f"no reply from {self.host} through its proxy: {error}") from error
        finally:
            self._observer(call.method, code, time.monotonic() - started)
        return response

    def _reload(self, refused: Config) -> Config | None:
        if refused.reload is None:
            return None
        with self._lock:
            if self._config is refused:
                fresh = refused.reload()
                if fresh.pool is None:
                    return None  # no proxy any more: a restart will find the direct way
                self._config = fresh
            return self._config

    def close(self) -> None:
        self._config.pool.clear()


class PooledStream:
    def __init__(self, response: urllib3.BaseHTTPResponse) -> None:
        self._response = response
        self.status = response.status

    def read(self, timeout: float) -> bytes:
        try:
            self._set_timeout(timeout)
            return bytes(self._response.read1(READ_SIZE))
        except (ReadTimeoutError, TimeoutError) as error:
            raise TimeoutError("the stream is silent") from error
        except (HTTPError, OSError, ValueError) as error:
            raise Unreachable(f"the stream broke: {error}") from error

    def _set_timeout(self, timeout: float) -> None:
        """The response keeps the time-out that the request was sent with; a stream's silence may last longer."""
        connection = self._response.connection
        sock = getattr(connection, "sock", None)
        if sock is not None:
            sock.settimeout(timeout)

    def retry_after(self) -> str:
        return self._response.headers.get("Retry-After", "")

    def interrupt(self) -> None:
        with contextlib.suppress(RuntimeError, ValueError, OSError):  # it has ended by itself
            self._response.shutdown()

    def close(self) -> None:
        self._response.close()


def _reply(response: urllib3.BaseHTTPResponse, body: bytes) -> Reply:
    """Headers in the form that `http1.Reply` reads them."""
    head = "".join(f"\r\n{name}: {value}" for name, value in response.headers.items())
    reply = Reply(response.status, b"HTTP/1.1 " + head.encode("latin-1", "replace"))
    reply.body = body
    return reply
