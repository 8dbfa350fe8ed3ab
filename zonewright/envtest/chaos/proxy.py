"""The proxy itself: TLS towards the client, TLS towards the API server, and faults in between.

It runs an event loop in a thread of the test's own process, so that tests script it as an object. All methods may be
called from any thread."""

from __future__ import annotations

import asyncio
import concurrent.futures
import socket
import ssl
import struct
import threading
import weakref
from collections.abc import AsyncIterator, Coroutine, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

import aiohttp
import msgspec
from aiohttp import web
from yarl import URL

from zonewright.envtest import ports
from zonewright.envtest.chaos.faults import (
    WATCH_FAULTS,
    CloseHalf,
    Delay,
    DropReply,
    Duplicate,
    EndWatch,
    ExpireWatch,
    Fail,
    Fault,
    Freeze,
    Hang,
    Reset,
)
from zonewright.envtest.chaos.rules import Call, Match, Rule, RuleBook, matcher, parse_call
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.embedded.tls import make_certificates
from zonewright.envtest.kubeconfig import write_kubeconfig
from zonewright.envtest.processes import Run

ADDRESS = "127.0.0.1"
# What belongs to one connection and not to the message.
HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length", "host", "te", "trailer"})
EXPIRED = Fail(410, message="too old resource version: injected by the chaos proxy")


T = TypeVar("T")


class Broken(Exception):
    """The connection was broken on purpose; there is nothing to answer."""


class ChaosProxy:
    """A second address for a cluster, with faults. `cluster` and `kubeconfig` are for whoever shall suffer them."""

    def __init__(self, upstream: Cluster, *, seed: int = 1) -> None:
        self._upstream = upstream
        self._rules = RuleBook(seed)
        self._watches: set[asyncio.Event] = set()
        self._calls: list[Call] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="chaos-proxy", daemon=True)
        self._run: Run | None = None
        self._port = 0

    # ---- scripting ----

    def add(
        self,
        fault: Fault,
        match: Match | None = None,
        *,
        times: int | None = None,
        probability: float = 1.0,
        skip: int = 0,
        **wanted: str,
    ) -> Rule:
        """Let `fault` befall the calls that `match` and whose fields are as `wanted` (verb="PATCH", name="x").

        At most `times` times, each time with `probability`, not the first `skip` ones. Several rules add up.
        """
        rule = Rule(fault, matcher(match, wanted), times, probability, skip)
        self._rules.add(rule)
        return rule

    def remove(self, rule: Rule) -> None:
        """End one rule; what is hanging stays so."""
        self._rules.remove(rule)

    def clear(self) -> None:
        """End all rules."""
        self._rules.clear()

    def drop_watches(self) -> int:
        """Break every open watch now, and return how many there were."""
        return self._call(self._drop_watches())

    @property
    def calls(self) -> list[Call]:
        """Every request that came in so far, in order."""
        return list(self._calls)

    # ---- life ----

    def start(self) -> Self:
        self._run = Run()
        self._port = ports.reserve(ADDRESS)
        self._certificates = make_certificates(self._run.directory, (ADDRESS, "localhost"))
        self._thread.start()
        self._call(self._open())
        return self

    def stop(self) -> None:
        run, self._run = self._run, None
        if run is None:
            return
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        run.close()
        ports.release(self._port)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"https://{ADDRESS}:{self._port}"

    @property
    def kubeconfig(self) -> Path:
        return self.cluster.kubeconfig

    @property
    def cluster(self) -> Cluster:
        """The same cluster through the proxy."""
        if self._run is None:
            raise RuntimeError("the chaos proxy is not started")
        token = self._upstream.token
        path = self._run.directory / "kubeconfig"
        if not path.exists():
            write_kubeconfig(path, self.url, self._certificates.ca, {"token": token})
        return Cluster(f"{self._upstream.backend}, chaotic", path, self.url, self._certificates.ca, token)

    def _call(self, work: Coroutine[Any, Any, T]) -> T:
        future: concurrent.futures.Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result(timeout=30)

    async def _open(self) -> None:
        context = ssl.create_default_context(cafile=str(self._upstream.ca))
        # No pooling towards the API server: a fault must not reach another call through a shared connection.
        connector = aiohttp.TCPConnector(ssl=context, force_close=True, limit=0)
        self._session = aiohttp.ClientSession(
            connector=connector, timeout=aiohttp.ClientTimeout(total=None), auto_decompress=False
        )
        self._stopping = asyncio.Event()
        self._server = Connections(self._handle, access_log=None, handler_cancellation=True)
        self._runner = web.ServerRunner(self._server, shutdown_timeout=0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, ADDRESS, self._port, ssl_context=self._certificates.context())
        await site.start()

    async def _close(self) -> None:
        self._stopping.set()
        await self._drop_watches()
        await self._runner.cleanup()
        await self._session.close()
        self._server.abort()
        # Transports of TLS connections to the API server close in the next turns of the loop.
        await asyncio.sleep(0.05)

    async def _drop_watches(self) -> int:
        dropped = list(self._watches)
        for watch in dropped:
            watch.set()
        return len(dropped)

    # ---- one request ----

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        call = parse_call(request.method, request.path, request.query)
        self._calls.append(call)
        faults = self._rules.decide(call)
        try:
            early = await self._before(request, faults)
            return early or await self._forward(request, call, faults)
        except Broken:
            abort(request)
            return web.Response(status=500)

    async def _before(self, request: web.BaseRequest, faults: Sequence[Fault]) -> web.Response | None:
        """What happens instead of asking the API server, or before it."""
        for fault in faults:
            if isinstance(fault, Delay):
                await asyncio.sleep(fault.seconds)
            elif isinstance(fault, Hang):
                await request.read()
                await self._stopping.wait()
                raise Broken
            elif isinstance(fault, Reset):
                raise Broken
            elif isinstance(fault, Fail):
                await request.read()
                return failure(fault)
        return None

    async def _forward(self, request: web.BaseRequest, call: Call, faults: Sequence[Fault]) -> web.StreamResponse:
        headers = [(name, value) for name, value in request.headers.items() if name.lower() not in HOP_BY_HOP]
        target = URL(self._upstream.server_url + request.raw_path, encoded=True)
        body = await request.content.read()
        try:
            async with self._session.request(request.method, target, headers=headers, data=body or None) as reply:
                if call.verb == "WATCH" and reply.status == 200:
                    return await self._stream(request, reply, [one for one in faults if isinstance(one, WATCH_FAULTS)])
                return await answer(request, reply, faults)
        except aiohttp.ClientError as error:
            # The API server is away: to the client that is a broken connection, as it would be without the proxy.
            raise Broken from error

    async def _stream(
        self, request: web.BaseRequest, reply: aiohttp.ClientResponse, faults: Sequence[Fault]
    ) -> web.StreamResponse:
        response = web.StreamResponse(status=reply.status, headers=passed_on(reply))
        response.enable_chunked_encoding()
        # Before the client hears anything: who has read the head of a reply may have its watch dropped.
        dropped = asyncio.Event()
        self._watches.add(dropped)
        try:
            await response.prepare(request)
            await relay(Watching(request, response, dropped, self._stopping), reply, faults)
        finally:
            self._watches.discard(dropped)
        return response


class Connections(web.Server):
    """Knows its connections until they are closed: TLS waits for the other side's farewell, which may never come."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._transports: weakref.WeakSet[asyncio.Transport] = weakref.WeakSet()

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        self._transports.add(transport)

    def abort(self) -> None:
        """All of them, in the next turn of the loop."""
        for transport in list(self._transports):
            transport.abort()


class Watching:
    """The client's end of one watch."""

    def __init__(
        self, request: web.BaseRequest, response: web.StreamResponse, dropped: asyncio.Event, stopping: asyncio.Event
    ) -> None:
        self.request, self.response = request, response
        self._dropped, self._stopping = dropped, stopping

    async def lines(self, reply: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
        """Events from the API server until it ends or the watch is dropped, which breaks the connection."""
        buffered = b""
        dropped = asyncio.ensure_future(self._dropped.wait())
        read: asyncio.Future[bytes] | None = None
        try:
            while True:
                read = asyncio.ensure_future(reply.content.readany())
                await asyncio.wait({read, dropped}, return_when=asyncio.FIRST_COMPLETED)
                if dropped.done():
                    raise Broken
                chunk = read.result()
                if not chunk:
                    return
                *complete, buffered = (buffered + chunk).split(b"\n")
                for line in complete:
                    yield line + b"\n"
        finally:
            dropped.cancel()
            if read is not None:
                read.cancel()

    async def stay_silent(self) -> None:
        """Until the watch is dropped or the proxy stops."""
        waits = [asyncio.ensure_future(one.wait()) for one in (self._dropped, self._stopping)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waits:
                one.cancel()
        raise Broken


async def relay(watching: Watching, reply: aiohttp.ClientResponse, faults: Sequence[Fault]) -> None:
    copies = next((fault.times for fault in faults if isinstance(fault, Duplicate)), 1)
    last = next((fault for fault in faults if isinstance(fault, EndWatch | Freeze | ExpireWatch | CloseHalf)), None)
    left = last.after if last else -1
    if left == 0 and last is not None:
        await finish(watching, last)
        return
    async for line in watching.lines(reply):
        await watching.response.write(line * copies)
        left -= 1
        if left == 0 and last is not None:
            await finish(watching, last)
            return
    await watching.response.write_eof()


async def finish(watching: Watching, fault: Fault) -> None:
    if isinstance(fault, ExpireWatch):
        line = msgspec.json.encode({"type": "ERROR", "object": EXPIRED.status()}) + b"\n"
        await watching.response.write(line)
    elif isinstance(fault, Freeze):
        await watching.stay_silent()
    elif isinstance(fault, CloseHalf):
        close_half(watching.request)
        await watching.stay_silent()
    await watching.response.write_eof()


async def answer(
    request: web.BaseRequest, reply: aiohttp.ClientResponse, faults: Sequence[Fault]
) -> web.StreamResponse:
    body = await reply.read()
    for fault in faults:
        if isinstance(fault, DropReply):
            raise Broken
        if isinstance(fault, CloseHalf):
            await send_part(request, reply, body[: fault.after], len(body))
    return web.Response(status=reply.status, headers=passed_on(reply), body=body)


async def send_part(request: web.BaseRequest, reply: aiohttp.ClientResponse, part: bytes, whole: int) -> None:
    response = web.StreamResponse(status=reply.status, headers=passed_on(reply))
    response.content_length = whole
    await response.prepare(request)
    if part:
        await response.write(part)
    close_half(request)
    # The client notices and goes away, which cancels this request.
    await asyncio.Event().wait()


def failure(fault: Fail) -> web.Response:
    headers = {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}
    body = msgspec.json.encode(fault.status())
    return web.Response(status=fault.code, headers=headers, body=body, content_type="application/json")


def passed_on(reply: aiohttp.ClientResponse) -> dict[str, str]:
    return {name: value for name, value in reply.headers.items() if name.lower() not in HOP_BY_HOP}


def abort(request: web.BaseRequest) -> None:
    """A reset, not an orderly close: what a killed process or a lost route looks like."""
    if request.transport is not None:
        plain = request.transport.get_extra_info("socket")
        if plain is not None:
            # Lingering for no time makes the kernel send RST instead of FIN.
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        request.transport.abort()


def close_half(request: web.BaseRequest) -> None:
    """A FIN below TLS, without its farewell; the other direction stays open."""
    plain = request.transport.get_extra_info("socket") if request.transport is not None else None
    if plain is not None:
        plain.shutdown(socket.SHUT_WR)
