"""The worked example of the documentation, run as people run it: a process on a cluster, ended with a signal."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controllers.runtime import Config, Kind, Manager, ManagerOptions, Request
from envtest.cluster import Cluster
from hack.stage import eventually
from tests.documents import blocks, execute, substitute

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE, WIRING = blocks("docs/how-to/write-a-controller.md", "python")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture
def process(cluster: Cluster, namespace: str, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    # A test has no business in other tests' namespaces, and port 8080 may be taken: the only two changes.
    options = f'ManagerOptions(namespace="{namespace}", http="127.0.0.1:{free_port()}")'
    text = substitute(EXAMPLE.text, {'ManagerOptions(http="127.0.0.1:8080")': options})
    script = tmp_path / "checksum.py"
    script.write_text(text)
    environment = {**os.environ, "KUBECONFIG": str(cluster.kubeconfig), "PYTHONPATH": str(ROOT)}
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen([sys.executable, script], env=environment, cwd=ROOT, stderr=log)
    yield running
    running.kill()
    running.wait()
    print((tmp_path / "log").read_text())


def annotation(cluster: Cluster, maps: str) -> Any:
    return cluster.get(f"{maps}/greeting")["metadata"].get("annotations", {}).get("example.org/checksum")


def wait_for_another(cluster: Cluster, maps: str, before: str | None) -> str:
    for _ in range(600):
        now = annotation(cluster, maps)
        if now is not None and now != before:
            return str(now)
        time.sleep(0.05)
    raise AssertionError("the annotation did not change within 30 s")


def test_the_example_of_the_guide_works_and_ends_cleanly(cluster, namespace, process):
    maps = f"/api/v1/namespaces/{namespace}/configmaps"
    cluster.create(maps, {"metadata": {"name": "greeting"}, "data": {"text": "hello"}})
    first = wait_for_another(cluster, maps, None)
    cluster.patch(f"{maps}/greeting", {"data": {"text": "good-bye"}})
    assert wait_for_another(cluster, maps, first) != first
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0


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
from controllers.runtime import Config, Kind, Manager, ManagerOptions
class Stuck:
    def reconcile(self, request):
        print("in work", flush=True)
        threading.Event().wait()
manager = Manager(Config.load(), ManagerOptions(namespace=sys.argv[1]))
manager.controller("stuck", Stuck()).for_(Kind("", "v1", "ConfigMap", "configmaps"))
sys.exit(manager.run())
"""


def test_a_second_signal_ends_the_process_at_once(cluster, namespace):
    cluster.create(f"/api/v1/namespaces/{namespace}/configmaps", {"metadata": {"name": "greeting"}})
    environment = {**os.environ, "KUBECONFIG": str(cluster.kubeconfig)}
    command = [sys.executable, "-c", STUCK, namespace]
    with subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"in work\n"
            process.send_signal(signal.SIGINT)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.5)  # it drains, which will take its whole time
            process.send_signal(signal.SIGTERM)
            assert process.wait(10) == 128 + signal.SIGTERM
            assert process.stderr is not None
            assert b"second signal" in process.stderr.read()
        finally:
            process.kill()
