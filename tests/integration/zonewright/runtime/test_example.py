"""The worked example of the documentation, run as people run it: a process on a cluster, ended with a signal."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT
from tests.support.documents import blocks, execute, substitute
from zonewright import Config, Kind, Manager, ManagerOptions, Request
from zonewright.envtest import ports
from zonewright.envtest.cluster import Cluster
from zonewright.testing import eventually

EXAMPLE, WIRING = blocks("docs/how-to/write-a-controller.md", "python")


@pytest.fixture
def process(cluster: Cluster, namespace: str, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    # A test has no business in other tests' namespaces, and port 8080 may be taken: the only two changes.
    port = ports.reserve()
    options = f'ManagerOptions(namespace="{namespace}", http="127.0.0.1:{port}")'
    text = substitute(EXAMPLE.text, {'ManagerOptions(http="127.0.0.1:8080")': options})
    script = tmp_path / "checksum.py"
    script.write_text(text)
    environment = {**os.environ, "KUBECONFIG": str(cluster.kubeconfig), "PYTHONPATH": str(ROOT)}
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen([sys.executable, script], env=environment, cwd=ROOT, stderr=log)
    yield running
    running.kill()
    running.wait()
    ports.release(port)
    print((tmp_path / "log").read_text())


def annotation(cluster: Cluster, maps: str) -> Any:
    return cluster.get(f"{maps}/greeting")["metadata"].get("annotations", {}).get("example.org/checksum")


def test_the_example_of_the_guide_works_and_ends_cleanly(cluster, namespace, process):
    maps = f"/api/v1/namespaces/{namespace}/configmaps"
    cluster.create(maps, {"metadata": {"name": "greeting"}, "data": {"text": "hello"}})
    first = eventually(lambda: annotation(cluster, maps), what="the checksum")
    cluster.patch(f"{maps}/greeting", {"data": {"text": "good-bye"}})
    eventually(lambda: annotation(cluster, maps) != first, what="another checksum")
    process.send_signal(signal.SIGTERM)
    assert process.wait(120) == 0


def test_the_example_is_as_short_as_promised():
    lines = [line for line in EXAMPLE.text.splitlines() if line.strip()]
    assert len(lines) <= 40


class Recorder:
    """Remembers what it was asked to reconcile."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def reconcile(self, request: Request) -> None:
        self.seen.add(request.name)


def test_the_wiring_of_the_guide_wakes_the_zone_that_a_record_left_and_the_one_that_it_joined(cluster, namespace):
    # Any kinds will do: a Lease is the zone, a Secret the record.
    zone: Kind[dict] = Kind("coordination.k8s.io", "v1", "Lease", "leases")
    maps: Kind[dict] = Kind("", "v1", "ConfigMap", "configmaps")
    record: Kind[dict] = Kind("", "v1", "Secret", "secrets")
    manager = Manager(Config.load(cluster.kubeconfig), ManagerOptions(namespace=namespace))
    reconciler = Recorder()
    execute(WIRING, manager=manager, reconciler=reconciler, ZONE=zone, CONFIG_MAP=maps, RECORD=record)
    manager.start()
    try:
        cluster.create(record.path(namespace), {"metadata": {"name": "www", "labels": {"zone": "one"}}})
        eventually(lambda: reconciler.seen == {"one"})
        reconciler.seen.clear()
        cluster.patch(record.path(namespace, "www"), {"metadata": {"labels": {"zone": "two"}}})
        eventually(lambda: reconciler.seen == {"one", "two"})
    finally:
        manager.stop()


STUCK = """
import sys, threading
from zonewright import Config, Kind, Manager, ManagerOptions
class Stuck:
    def reconcile(self, request):
        print("in work", flush=True)
        threading.Event().wait()
options = ManagerOptions(namespace=sys.argv[1], http=f"127.0.0.1:{sys.argv[2]}", drain_timeout=120)
manager = Manager(Config.load(), options)
manager.controller("stuck", Stuck()).for_(Kind("", "v1", "ConfigMap", "configmaps"))
sys.exit(manager.run())
"""


def test_a_second_signal_ends_the_process_at_once(cluster, namespace):
    cluster.create(f"/api/v1/namespaces/{namespace}/configmaps", {"metadata": {"name": "greeting"}})
    environment = {**os.environ, "KUBECONFIG": str(cluster.kubeconfig)}
    port = ports.reserve()
    command = [sys.executable, "-c", STUCK, namespace, str(port)]
    with subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"in work\n"
            process.send_signal(signal.SIGINT)
            eventually(lambda: "stopping" in readiness(port), what="the beginning of the drain")
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 128 + signal.SIGTERM, "not the end of the drain"
            assert process.stderr is not None
            assert b"second signal" in process.stderr.read()
        finally:
            process.kill()
            ports.release(port)


def readiness(port: int) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=60) as reply:
            return str(reply.read().decode())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.read().decode()
