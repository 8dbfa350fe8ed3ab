"""Reaches pods from outside their cluster: every connection is a port-forward through the API server.

For addresses that mean something only inside: a Service's name (`bind.dns.svc`) or a pod's IP. Anything else is reached
directly, so that `--reach=port-forward` also serves servers that stand outside."""

import contextlib
import ipaddress
import json
import re
import socket
import threading
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from reconcilers.ddns.dialer import DirectDialer
from reconcilers.servers.websocket import WebSocket
from zonewright import ApiError, Client, Config, Kind, NotFound

POD: Kind[dict[str, Any]] = Kind("", "v1", "Pod", "pods")
SERVICE: Kind[dict[str, Any]] = Kind("", "v1", "Service", "services")
_SERVICE_NAME = re.compile(r"^(?P<name>[a-z0-9-]+)\.(?P<namespace>[a-z0-9-]+)(\.svc(\..+)?)?$")
_PROTOCOL = "v4.channel.k8s.io"
_DATA, _ERROR = 0, 1  # the channels of the first forwarded port
_GREETING = 2  # each channel begins with the port's number, two bytes


class Target(NamedTuple):
    namespace: str
    pod: str
    port: int


class PortForwardDialer:
    """A Dialer. Its threads end with the connection they serve."""

    def __init__(self, config: Config, client: Client) -> None:
        self._config = config
        self._client = client
        self._direct = DirectDialer()

    def connect(self, address: str, port: int, timeout: float) -> socket.socket:
        try:
            target = self._resolve(address, port, timeout)
        except ApiError as error:  # callers of a Dialer expect OSError
            raise OSError(f"no port-forward: {error}") from error
        if target is None:
            return self._direct.connect(address, port, timeout)
        tunnel = self._open(target, timeout)
        ours, theirs = socket.socketpair()
        ours.settimeout(timeout)
        _pump(tunnel, theirs, str(target))
        return ours

    def _resolve(self, address: str, port: int, timeout: float) -> Target | None:
        with contextlib.suppress(ValueError):
            return self._pod_at(ipaddress.ip_address(address), port, timeout)
        found = _SERVICE_NAME.match(address)
        return self._behind(found["name"], found["namespace"], port, timeout) if found else None

    def _pod_at(self, address: Any, port: int, timeout: float) -> Target | None:
        query = {"fieldSelector": f"status.podIP={address}"}
        listed = json.loads(self._client.request("GET", POD.path(), query=query, timeout=timeout).body)
        return _first(listed["items"], port)

    def _behind(self, name: str, namespace: str, port: int, timeout: float) -> Target | None:
        try:
            service = self._client.get_fields(SERVICE, name, namespace, timeout=timeout)["spec"]
        except NotFound:
            return None
        selector = ",".join(f"{key}={value}" for key, value in sorted((service.get("selector") or {}).items()))
        if not selector:
            return None
        pods = self._client.list(POD, namespace, label_selector=selector, timeout=timeout)
        return _first(pods, _target_port(service, port))

    def _open(self, target: Target, timeout: float) -> WebSocket:
        url = urlsplit(self._config.server)
        connection = socket.create_connection((url.hostname or "", url.port or 443), timeout=timeout)
        try:
            if self._config.tls:
                connection = self._config.tls.context().wrap_socket(connection, server_hostname=url.hostname)
            tunnel = WebSocket(connection)
            path = url.path.rstrip("/") + POD.path(target.namespace, target.pod, "portforward")
            tunnel.upgrade(f"{path}?ports={target.port}", url.netloc, _PROTOCOL, self._config.authorization())
        except BaseException:
            connection.close()
            raise
        connection.settimeout(None)
        return tunnel


def _target_port(service: Mapping[str, Any], port: int) -> int:
    """The pods' number for a Service's port; a name stands for the same number."""
    for each in service.get("ports") or ():
        if each.get("port") == port and isinstance(each.get("targetPort"), int):
            return int(each["targetPort"])
    return port


def _first(pods: Iterable[Mapping[str, Any]], port: int) -> Target | None:
    running = [pod["metadata"] for pod in pods if (pod.get("status") or {}).get("phase") == "Running"]
    chosen = min(running, key=lambda metadata: str(metadata["name"]), default=None)
    return Target(chosen["namespace"], chosen["name"], port) if chosen else None


def _pump(tunnel: WebSocket, local: socket.socket, name: str) -> None:
    """Carry bytes both ways until either side ends."""
    for carry in (_inbound, _outbound):
        threading.Thread(target=carry, args=(tunnel, local), name=f"port-forward-{name}", daemon=True).start()


def _inbound(tunnel: WebSocket, local: socket.socket) -> None:
    greeted: set[int] = set()
    with contextlib.suppress(OSError):
        while (message := tunnel.receive()) is not None:
            channel, payload = message[0], message[1:]
            if channel not in greeted:
                greeted.add(channel)
                payload = payload[_GREETING:]
            if channel == _ERROR and payload:
                break  # the pod does not listen there
            if channel == _DATA and payload:
                local.sendall(payload)
    _end(tunnel, local)


def _outbound(tunnel: WebSocket, local: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while payload := local.recv(32768):
            tunnel.send(bytes([_DATA]) + payload)
    _end(tunnel, local)


def _end(tunnel: WebSocket, local: socket.socket) -> None:
    with contextlib.suppress(OSError):
        local.shutdown(socket.SHUT_RDWR)
    tunnel.close()
    local.close()
