"""`--reach=port-forward`: bytes through the API server to a pod. The API is a stand-in that speaks its protocol.

Only a kubelet can carry a port-forward, and neither the embedded API nor the bare control plane has one; on kind the
end-to-end tests go through a real one."""

import asyncio
import socket
import threading
from collections.abc import Iterator

import pytest
from aiohttp import WSMsgType, web

from reconcilers.servers.portforward import PortForwardDialer, Target
from reconcilers.servers.websocket import UpgradeRefused
from zonewright import Client, Config

POD = {"metadata": {"name": "bind-0", "namespace": "dns"}, "status": {"phase": "Running", "podIP": "10.1.2.3"}}
SERVICE = {"spec": {"selector": {"app": "bind"}, "ports": [{"port": 53, "targetPort": 5353}]}}


class Api:
    """Echoes what is sent to port 5353 of the pod, and refuses other ports as a kubelet does."""

    def __init__(self) -> None:
        self.forwarded: list[str] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(60)

    async def _start(self) -> int:
        app = web.Application()
        pods = "/api/v1/namespaces/dns/pods"
        app.router.add_get("/api/v1/pods", self._pods_by_address)
        app.router.add_get(pods, self._pods)
        app.router.add_get("/api/v1/namespaces/dns/services/bind", self._service)
        app.router.add_get(f"{pods}/bind-0/portforward", self._forward)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        return int(self._runner.addresses[0][1])

    async def _pods_by_address(self, request: web.Request) -> web.Response:
        if request.query["fieldSelector"] == "status.podIP=10.9.9.9":
            return web.json_response({"kind": "Status", "message": "pods is forbidden"}, status=403)
        here = request.query["fieldSelector"] == "status.podIP=10.1.2.3"
        return web.json_response({"items": [POD] if here else []})

    async def _pods(self, _request: web.Request) -> web.Response:
        pod = {**POD, "metadata": {"name": "bind-0", "namespace": "dns", "resourceVersion": "1"}}
        return web.json_response({"metadata": {"resourceVersion": "1"}, "items": [pod]})

    async def _service(self, _request: web.Request) -> web.Response:
        return web.json_response({"metadata": {"name": "bind", "namespace": "dns", "resourceVersion": "1"}, **SERVICE})

    async def _forward(self, request: web.Request) -> web.WebSocketResponse:
        port = int(request.query["ports"])
        self.forwarded.append(f"{request.query['ports']} {request.headers['Authorization']}")
        answer = web.WebSocketResponse(protocols=["v4.channel.k8s.io"])
        await answer.prepare(request)
        for channel in (0, 1):
            await answer.send_bytes(bytes([channel]) + port.to_bytes(2, "little"))
        if port != 5353:
            await answer.send_bytes(b"\x01connection refused")
        async for message in answer:
            if message.type is WSMsgType.BINARY:
                await answer.send_bytes(message.data)
        return answer

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        self._loop.close()


@pytest.fixture
def api() -> Iterator[Api]:
    running = Api()
    yield running
    running.stop()


@pytest.fixture
def dial(api: Api) -> Iterator[PortForwardDialer]:
    config = Config(f"http://127.0.0.1:{api.port}", lambda: "Bearer token")
    client = Client.from_config(config)
    yield PortForwardDialer(config, client)
    client.close()


@pytest.mark.parametrize(
    ("address", "port"), [("bind.dns.svc", 53), ("bind.dns.svc.cluster.local", 53), ("10.1.2.3", 5353)]
)
def test_bytes_travel_both_ways(api: Api, dial: PortForwardDialer, address: str, port: int):
    large = bytes(range(256)) * 1024
    with dial.connect(address, port, 60) as connection:
        connection.sendall(large)
        received = b""
        while len(received) < len(large):
            received += connection.recv(65536)
    assert received == large
    assert api.forwarded == ["5353 Bearer token"]


def test_a_port_that_nobody_listens_on_ends_the_connection(dial: PortForwardDialer):
    with dial.connect("10.1.2.3", 9, 60) as connection:
        assert connection.recv(1) == b""


def test_an_address_that_is_no_pods_is_reached_directly(dial: PortForwardDialer):
    listener = socket.create_server(("127.0.0.1", 0))
    with listener, dial.connect("127.0.0.1", listener.getsockname()[1], 60) as connection:
        accepted, _ = listener.accept()
        with accepted:
            connection.sendall(b"straight")
            assert accepted.recv(8) == b"straight"


def test_a_refused_upgrade_says_what_the_server_said(dial: PortForwardDialer):
    with pytest.raises(UpgradeRefused, match="404"):
        dial._open(Target("dns", "gone", 1), 60)


def test_an_api_server_that_says_no_is_a_failed_connection_like_any_other(dial: PortForwardDialer):
    with pytest.raises(OSError, match=r"no port-forward: .*forbidden"):
        dial.connect("10.9.9.9", 53, 60)
