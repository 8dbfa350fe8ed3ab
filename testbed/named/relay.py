"""A network that can be cut: forwards TCP and UDP from one loopback port to another until it is told not to.

Cut SILENT is a pulled cable: packets vanish, open connections hang and go on after the cable is back. Cut REFUSED is a
host that lives without the service: connections are reset and new ones refused. No privileges and no packet filter are
needed. It runs in a thread of this process, so it ends with it.
"""

from __future__ import annotations

import asyncio
import enum
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, cast

T = TypeVar("T")

HOST = "127.0.0.1"
CHUNK = 65536
UDP_PATIENCE = 10.0  # seconds that an answer to a datagram may take


class Cut(enum.Enum):
    """How a network can fail."""

    SILENT = "silent"
    REFUSED = "refused"


class Route(NamedTuple):
    """From the port that others know to the one that the server listens on."""

    listen: int
    target: int
    udp: bool = True


class Relay:
    """Forwards until cut. All methods may be called from any thread and return when it is done."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = routes
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay", daemon=True)
        self._lines = _Lines()

    def start(self) -> None:
        """Listen."""
        self._thread.start()
        self._call(self._lines.open(self._routes))

    def cut(self, how: Cut = Cut.SILENT) -> None:
        """Stop forwarding."""
        self._call(self._lines.silence() if how is Cut.SILENT else self._lines.close())

    def restore(self) -> None:
        """Forward again."""
        self._call(self._lines.open(self._routes))

    def close(self) -> None:
        """Close every socket and end the thread."""
        if not self._loop.is_running():
            return
        self._call(self._lines.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _call(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=10)


@dataclass
class _Lines:
    """The sockets and what flows between them; lives in the relay's loop."""

    flowing: asyncio.Event = field(default_factory=asyncio.Event)
    servers: list[asyncio.Server] = field(default_factory=list)
    datagrams: list[asyncio.DatagramTransport] = field(default_factory=list)
    pumps: set[asyncio.Task[None]] = field(default_factory=set)

    async def open(self, routes: Sequence[Route]) -> None:
        self.flowing.set()
        if self.servers:
            return
        loop = asyncio.get_running_loop()
        for route in routes:
            self.servers.append(await asyncio.start_server(self._connected(route.target), HOST, route.listen))
            if route.udp:
                transport, _ = await loop.create_datagram_endpoint(
                    lambda target=route.target: _Datagrams(target, self.flowing),  # type: ignore[misc]
                    local_addr=(HOST, route.listen),
                )
                self.datagrams.append(transport)

    async def silence(self) -> None:
        self.flowing.clear()

    async def close(self) -> None:
        for server in self.servers:
            server.close()
        for transport in self.datagrams:
            transport.abort()
        for pump in self.pumps:
            pump.cancel()
        await asyncio.gather(*self.pumps, return_exceptions=True)
        self.servers.clear()
        self.datagrams.clear()

    def _connected(self, target: int) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]:
        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._connection(reader, writer, target))
            self.pumps.add(task)
            task.add_done_callback(self.pumps.discard)

        return connected

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: int) -> None:
        """Join a client and the server until either side ends."""
        writers = [writer]
        try:
            await self.flowing.wait()
            server_reader, server_writer = await asyncio.open_connection(HOST, target)
            writers.append(server_writer)
            await asyncio.gather(self._pump(reader, server_writer), self._pump(server_reader, writer))
        except OSError:
            pass  # one side reset the connection or nobody listens: the other side sees it end just below
        finally:
            for each in writers:
                each.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while content := await reader.read(CHUNK):
            await self.flowing.wait()
            writer.write(content)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()


class _Datagrams(asyncio.DatagramProtocol):
    """One UDP port: each datagram gets a socket of its own to the server, by which the answer finds its way back."""

    def __init__(self, target: int, flowing: asyncio.Event) -> None:
        self._target = target
        self._flowing = flowing
        self._tasks: set[asyncio.Task[None]] = set()
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        if self._flowing.is_set():
            task = asyncio.create_task(self._exchange(data, addr))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (the protocol's signature)
        for task in self._tasks:
            task.cancel()

    async def _exchange(self, question: bytes, client: tuple[str, int]) -> None:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[bytes] = loop.create_future()
        transport, _ = await loop.create_datagram_endpoint(lambda: _Answer(answer), remote_addr=(HOST, self._target))
        try:
            transport.sendto(question)
            content = await asyncio.wait_for(answer, UDP_PATIENCE)
            if self._flowing.is_set() and self._transport is not None:
                self._transport.sendto(content, client)
        except (TimeoutError, OSError):
            pass  # lost, as datagrams are
        finally:
            transport.abort()


class _Answer(asyncio.DatagramProtocol):
    def __init__(self, answer: asyncio.Future[bytes]) -> None:
        self._answer = answer

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:  # noqa: ARG002 (the protocol's signature)
        if not self._answer.done():
            self._answer.set_result(data)

    def error_received(self, exc: Exception) -> None:
        if not self._answer.done():
            self._answer.set_exception(exc)
