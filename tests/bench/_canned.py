"""An API server that says what it was taught, in a process of its own: what clients cost, without what a server costs.

`python -m tests.bench._canned DIRECTORY` writes a kubeconfig there and serves 10,000 objects of 2.1 KB: as a watch,
with initial events, and as the reply to any PATCH.
"""

import contextlib
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zonewright.envtest.embedded.tls import make_certificates
from zonewright.envtest.kubeconfig import write_kubeconfig

COUNT = 10_000
GROUP, VERSION, PLURAL, NAMESPACE = "bench.example.org", "v1", "widgets", "bench"
TOKEN = "bench"


def widget(number: int, version: int) -> dict[str, Any]:
    """About 2.1 KB, half of it managedFields, members in the API server's order."""
    name = f"widget-{number:06d}"
    return {
        "apiVersion": f"{GROUP}/{VERSION}",
        "kind": "Widget",
        "metadata": {
            "annotations": {"bench.example.org/owner": f"team-{number % 7}"},
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "generation": 1,
            "labels": {
                "app.kubernetes.io/instance": name,
                "app.kubernetes.io/name": "widget",
                "bench.example.org/shard": str(number % 16),
            },
            "managedFields": managed_fields(),
            "name": name,
            "namespace": NAMESPACE,
            "resourceVersion": str(version),
            "uid": f"0f5a8f0e-6c51-4a53-a6a5-{number:012d}",
        },
        "spec": spec(number),
        "status": {
            "conditions": [
                {
                    "lastTransitionTime": "2026-01-01T00:00:00Z",
                    "message": "the spec was seen",
                    "observedGeneration": 1,
                    "reason": "Reconciled",
                    "status": "True",
                    "type": "Ready",
                }
            ],
            "observedGeneration": 1,
        },
    }


def spec(number: int) -> dict[str, Any]:
    return {
        "description": "a widget stands for any custom resource; " * 3,
        "enabled": True,
        "endpoints": ["192.0.2.1", "192.0.2.2", "2001:db8::1", "a.example.org"],
        "parameters": {"algorithm": "round-robin", "retries": "3"},
        "ports": [{"name": "dns", "port": 53, "protocol": "UDP"}, {"name": "https", "port": 443, "protocol": "TCP"}],
        "replicas": number % 10,
        "revision": number,
        "title": f"widget number {number}",
        "ttl": 300,
    }


def managed_fields() -> list[dict[str, Any]]:
    owned = ("description", "enabled", "endpoints", "parameters", "ports", "replicas", "revision", "title", "ttl")
    ports: dict[str, Any] = {
        f'k:{{"name":"{name}"}}': {".": {}, "f:name": {}, "f:port": {}, "f:protocol": {}} for name in ("dns", "https")
    }
    fields: dict[str, Any] = {f"f:{name}": {} for name in owned} | {
        "f:ports": {".": {}, **ports},
        "f:parameters": {".": {}, "f:algorithm": {}, "f:retries": {}},
    }
    labels = ("app.kubernetes.io/instance", "app.kubernetes.io/name", "bench.example.org/shard")
    metadata: dict[str, Any] = {
        "f:annotations": {".": {}, "f:bench.example.org/owner": {}},
        "f:labels": {".": {}} | {f"f:{name}": {} for name in labels},
    }
    status: dict[str, Any] = {
        "f:conditions": {".": {}, 'k:{"type":"Ready"}': {".": {}, "f:message": {}, "f:status": {}, "f:type": {}}}
    }
    entry = {"apiVersion": f"{GROUP}/{VERSION}", "fieldsType": "FieldsV1", "time": "2026-01-01T00:00:00Z"}
    return [
        {
            **entry,
            "fieldsV1": {"f:metadata": metadata, "f:spec": {".": {}, **fields}},
            "manager": "loader",
            "operation": "Update",
        },
        {
            **entry,
            "fieldsV1": {"f:status": {".": {}, **status}},
            "manager": "operator",
            "operation": "Update",
            "subresource": "status",
        },
    ]


def compact(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def event_lines() -> list[bytes]:
    return [compact({"type": "ADDED", "object": widget(number, 1000 + number)}) + b"\n" for number in range(COUNT)]


def initial_end() -> bytes:
    metadata = {"resourceVersion": str(1000 + COUNT), "annotations": {"k8s.io/initial-events-end": "true"}}
    return compact({"type": "BOOKMARK", "object": {"kind": "Widget", "metadata": metadata}}) + b"\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


@contextlib.contextmanager
def canned_server() -> Iterator[Path]:
    """Runs it; yields its kubeconfig."""
    with tempfile.TemporaryDirectory() as directory:
        command = [sys.executable, "-m", "tests.bench._canned", directory]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout
                yield Path(process.stdout.readline().strip())
            finally:
                process.kill()


def main(directory: Path) -> None:
    certificates = make_certificates(directory)
    watch = b"".join(chunk(line) for line in event_lines())
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    replies = {
        b"PATCH": head + chunk(compact(widget(7, 900_000))) + chunk(b""),
        b"initial": head + watch + chunk(initial_end()),
        b"watch": head + watch + chunk(b""),
    }
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"https://127.0.0.1:{server.getsockname()[1]}"
        kubeconfig = write_kubeconfig(directory / "kubeconfig", url, certificates.ca, {"token": TOKEN})
        print(kubeconfig, flush=True)
        context = certificates.context()
        while True:
            plain, _ = server.accept()
            threading.Thread(target=serve, args=(context, plain, replies), daemon=True).start()


def serve(context: ssl.SSLContext, plain: socket.socket, replies: dict[bytes, bytes]) -> None:
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with contextlib.suppress(OSError), context.wrap_socket(plain, server_side=True) as connection:
        pending = b""
        while True:
            while (end := pending.find(b"\r\n\r\n")) < 0:
                received = connection.recv(65536)
                if not received:
                    return
                pending += received
            request, pending = pending[:end], pending[end + 4 :]
            length = content_length(request)
            while len(pending) < length:
                pending += connection.recv(65536)
            pending = pending[length:]
            kind = b"PATCH" if request.startswith(b"PATCH") else b"initial" if b"sendInitial" in request else b"watch"
            connection.sendall(replies[kind])


def content_length(request: bytes) -> int:
    _, found, rest = request.lower().partition(b"content-length:")
    return int(rest.split(b"\r\n")[0]) if found else 0


if __name__ == "__main__":
    os.nice(5)  # the client is what is measured
    main(Path(sys.argv[1]))
