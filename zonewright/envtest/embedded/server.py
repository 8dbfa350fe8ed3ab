"""The running server: a listener that can be taken away and brought back, and the files its clients need.

SIGUSR1 closes the listener and every connection, SIGUSR2 opens it again on the same port with the same objects: to a
client that is an API server that was killed and restarted. SIGTERM and SIGINT end the process."""

import asyncio
import gc
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from zonewright.envtest.embedded.api import LEFT_OUT, Api
from zonewright.envtest.embedded.http import Handler
from zonewright.envtest.embedded.tls import Certificates, make_certificates, write_private
from zonewright.envtest.kubeconfig import write_kubeconfig


@dataclass(frozen=True, slots=True)
class Settings:
    directory: Path
    port: int = 0
    host: str = "127.0.0.1"
    history: int = 10_000


class Listener:
    """One TLS listener; `open` and `close` may alternate."""

    def __init__(self, handler: Handler, certificates: Certificates, host: str, port: int) -> None:
        self._handler, self._certificates = handler, certificates
        self._host, self.port = host, port
        self._runner: web.ServerRunner | None = None

    async def open(self) -> None:
        if self._runner is not None:
            return
        # A client that goes away ends its request at once: nothing here is worth finishing for nobody.
        server = web.Server(self._handler.handle, access_log=None, handler_cancellation=True, keepalive_timeout=600)
        self._runner = web.ServerRunner(server, shutdown_timeout=0)
        await self._runner.setup()
        context = self._certificates.context()
        await web.TCPSite(self._runner, self._host, self.port, ssl_context=context, reuse_address=True).start()
        self.port = self._runner.addresses[0][1]

    async def close(self) -> None:
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()


class Soon:
    """Runs work in the next turn of the loop; one failure is told and does not stop the rest."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def __call__(self, work: Callable[[], None]) -> None:
        self._loop.call_soon(work)


async def serve(settings: Settings) -> None:
    """Returns when a signal ends it. The token comes from the file `token`, or is made and written there."""
    loop = asyncio.get_running_loop()
    api = Api(Soon(loop), history=settings.history)
    certificates = make_certificates(settings.directory, (settings.host, "localhost"))
    listener = Listener(Handler(api), certificates, settings.host, settings.port)
    token = take_token(settings.directory / "token", api)
    if not settings.port:
        await listener.open()
    url = f"https://{settings.host}:{listener.port}"
    kubeconfig = write_kubeconfig(settings.directory / "kubeconfig", url, certificates.ca, {"token": token})
    # Everything so far stays for good; the collector need not look at it again.
    gc.collect()
    gc.freeze()
    await listener.open()
    print(f"embedded Kubernetes API on {url}, KUBECONFIG={kubeconfig}; left out: {LEFT_OUT}", flush=True)
    await until_ended(loop, listener, api)


def take_token(path: Path, api: Api) -> str:
    if path.exists():
        token = path.read_text().strip()
        api.tokens.add(token)
    else:
        token = api.new_token()
        write_private(path, token.encode())
    return token


async def until_ended(loop: asyncio.AbstractEventLoop, listener: Listener, api: Api) -> None:
    orders: asyncio.Queue[signal.Signals] = asyncio.Queue()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2):
        loop.add_signal_handler(number, orders.put_nowait, number)
    while (order := await orders.get()) not in {signal.SIGTERM, signal.SIGINT}:
        if order is signal.SIGUSR1:
            api.watches.close_all()
            await listener.close()
        else:
            await listener.open()
    api.watches.close_all()
    await listener.close()
