"""A small CRD for tests of the runtime, in a group of its own for each test."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

from zonewright.api.errors import NotFound
from zonewright.api.kind import Kind
from zonewright.cache.informer import Informer
from zonewright.client.client import Client
from zonewright.testing import eventually

CRD: Kind[dict] = Kind(
    "apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", namespaced=False
)


def kind_of(group: str) -> Kind[dict]:
    return Kind(group, "v1", "Gadget", "gadgets", subresources=frozenset({"status"}))


def crd_of(kind: Kind[dict]) -> dict[str, Any]:
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = {
        "type": "object",
        "properties": {"spec": {**free, "properties": {"size": {"type": "integer"}}}, "status": free},
    }
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": schema},
    }
    return {
        "metadata": {"name": kind.resource},
        "spec": {
            "group": kind.group,
            "scope": "Namespaced",
            "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"},
            "versions": [version],
        },
    }


def install(client: Client, kind: Kind[dict]) -> None:
    client.create(CRD, crd_of(kind))
    eventually(lambda: served(client, kind), what=f"{kind}")


def served(client: Client, kind: Kind[dict]) -> bool:
    try:
        client.request("GET", kind.path(), query={"limit": "1"})
    except NotFound:
        return False
    conditions = client.get(CRD, kind.resource).get("status", {}).get("conditions", [])
    return any(found["type"] == "Established" and found["status"] == "True" for found in conditions)


def uninstall(client: Client, kind: Kind[dict]) -> None:
    with contextlib.suppress(NotFound):
        client.delete(CRD, kind.resource)
        eventually(lambda: gone(client, kind), what=f"the end of {kind}")


def gone(client: Client, kind: Kind[dict]) -> bool:
    try:
        client.get(CRD, kind.resource)
    except NotFound:
        return True
    return False


def gadget(name: str, namespace: str, size: Any = 1, **metadata: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": namespace, **metadata}, "spec": {"size": size}}


def cached(informer: Informer[Any]) -> dict[str, str]:
    """What the watch has brought, by name; without the overlay of our own writes."""
    return {object_.name: object_.resource_version for object_ in informer._store.resident()}


def stored(client: Client, informer: Informer[Any], namespace: str) -> dict[str, str]:
    objects = client.list_objects(informer.kind, namespace)
    return {object_.name: object_.resource_version for object_ in objects}


@contextlib.contextmanager
def forward_proxy() -> Iterator[tuple[str, list[str]]]:
    """An HTTP proxy that knows CONNECT and nothing else: its address, and what it was asked for."""
    asked: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_serve, args=(server, asked), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", asked
        # A thread in accept() does not notice that its socket is closed.
        server.shutdown(socket.SHUT_RDWR)
    thread.join(60)


def _serve(server: socket.socket, asked: list[str]) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        threading.Thread(target=_tunnel, args=(connection, asked), daemon=True).start()


def _tunnel(connection: socket.socket, asked: list[str]) -> None:
    with connection:
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(4096)
        host, _, port = head.split()[1].decode().partition(":")
        asked.append(head.split(b"\r\n")[0].decode())
        with socket.create_connection((host, int(port))) as upstream:
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=_copy, args=(upstream, connection), daemon=True)
            back.start()
            _copy(connection, upstream)
            back.join(60)


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
