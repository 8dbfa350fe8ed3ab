"""The embedded API server: how soon it is ready, what it weighs, and how many objects it creates in a second.

The bounds are absolute because they are the promise that people rely on. Judged is the server's own processor time:
what it would take on a machine that has a core for it; the clock on the wall is shown beside it."""

import json
import socket
import ssl
import time
from contextlib import closing
from dataclasses import dataclass

import psutil
import yaml

from tests.bench.report import Report
from tests.support import WIDGETS
from zonewright.envtest.embedded import Embedded, EmbeddedCluster

PATH = "/apis/envtest.example.org/v1/namespaces/default/widgets"
ROUNDS, BATCH, PIPELINED = 5, 2000, 50
MEBIBYTE = 1 << 20
CREATED = b"HTTP/1.1 201"


@dataclass(frozen=True, slots=True)
class Taken:
    wall: float
    processor: float


def run(report: Report) -> None:
    start = min((time_to_ready() for _ in range(3)), key=lambda taken: taken.processor)
    report.ratio("ready to answer, processor time", start.processor, at_most=1.0, unit="s")
    report.figure("ready to answer, by the clock", start.wall, "s")
    server = Embedded()
    try:
        measure(report, server.start())
    finally:
        server.stop()


def measure(report: Report, cluster: EmbeddedCluster) -> None:
    report.ratio("memory when ready", memory(cluster), at_most=80, unit="MB")
    cluster.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", yaml.safe_load(WIDGETS.read_text()))
    rounds = [create_batch(cluster, number) for number in range(ROUNDS)]
    best = min(taken.processor for taken in rounds)
    report.ratio("creates of validated objects per processor second", BATCH / best, at_least=1000, unit="/s")
    report.figure("creates by the clock", BATCH / min(taken.wall for taken in rounds), "/s")
    report.figure(f"memory with {ROUNDS * BATCH:,} objects and their history", memory(cluster), "MB")
    report.figure("list of all of them", time_of_list(cluster), "ms")


def time_to_ready() -> Taken:
    """From nothing to the first answer, certificates and the interpreter's start included."""
    server = Embedded()
    started = time.perf_counter()
    try:
        cluster = server.start()
        cluster.get("/api/v1/namespaces/default")
        return Taken(time.perf_counter() - started, processor_time(cluster))
    finally:
        server.stop()


def process(cluster: EmbeddedCluster) -> psutil.Process:
    if cluster.program is None:
        raise RuntimeError("the server was started by someone else")
    return psutil.Process(cluster.program.pid)


def processor_time(cluster: EmbeddedCluster) -> float:
    times = process(cluster).cpu_times()
    return float(times.user + times.system)


def memory(cluster: EmbeddedCluster) -> float:
    return float(process(cluster).memory_info().rss) / MEBIBYTE


def time_of_list(cluster: EmbeddedCluster) -> float:
    started = time.perf_counter()
    cluster.get(PATH)
    return (time.perf_counter() - started) * 1000


def request(cluster: EmbeddedCluster, name: str) -> bytes:
    spec = {"color": "red", "tags": ["a", "b"], "parts": [{"name": "x"}, {"name": "y"}], "selector": {"a": "b"}}
    meta = {"name": name, "labels": {"app": "bench"}}
    body = json.dumps({"apiVersion": "envtest.example.org/v1", "kind": "Widget", "metadata": meta, "spec": spec})
    head = (
        f"POST {PATH} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {cluster.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()


def create_batch(cluster: EmbeddedCluster, number: int) -> Taken:
    """Over one keep-alive connection, a batch of requests at a time: the client must not be what is measured."""
    requests = [request(cluster, f"w{number}-{index}") for index in range(BATCH)]
    with closing(connect(cluster)) as connection:
        started, before = time.perf_counter(), processor_time(cluster)
        for first in range(0, BATCH, PIPELINED):
            connection.sendall(b"".join(requests[first : first + PIPELINED]))
            read_replies(connection, PIPELINED)
        return Taken(time.perf_counter() - started, processor_time(cluster) - before)


def connect(cluster: EmbeddedCluster) -> ssl.SSLSocket:
    plain = socket.create_connection(("127.0.0.1", cluster.port), timeout=30)
    context = ssl.create_default_context(cafile=str(cluster.ca))
    return context.wrap_socket(plain, server_hostname="127.0.0.1")


def read_replies(connection: ssl.SSLSocket, count: int) -> None:
    created, tail = 0, b""
    while created < count:
        chunk = connection.recv(1 << 16)
        if not chunk:
            raise ConnectionError("the embedded API closed the connection")
        # A status line may arrive in two pieces: its beginning waits in the tail, which is too short for a whole one.
        received = tail + chunk
        created += received.count(CREATED)
        tail = received[-len(CREATED) + 1 :]
