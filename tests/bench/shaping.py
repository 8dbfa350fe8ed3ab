"""What the options of a cache save: the memory of a process that caches Pods, with each of them.

Each shape is measured in a process of its own, on an embedded API server with the same Pods; what the process had
before the cache was filled is subtracted. Judged are ratios to the cache of everything."""

import subprocess
import sys
from typing import Any

import psutil

from tests.bench.report import Report
from zonewright import Client, Config, InformerSet
from zonewright.api.builtin import kinds
from zonewright.envtest.embedded import Embedded, EmbeddedCluster

PODS = 5000
TENTH = 10
MEBIBYTE = 1 << 20
PATH = "/api/v1/namespaces/default/pods"


def phase_and_address(fields: dict[str, Any]) -> dict[str, Any]:
    """What a controller on Pod addresses reads."""
    status = {name: fields["status"][name] for name in ("phase", "podIP") if name in fields["status"]}
    return {"metadata": fields["metadata"], "status": status}


SHAPES: dict[str, dict[str, Any]] = {
    "everything": {},
    "transform": {"transform": phase_and_address},
    "metadata_only": {"metadata_only": True},
    "label_selector": {"label_selector": "part=0"},
}
MOST = {"transform": 0.55, "metadata_only": 0.45, "label_selector": 0.2}


def run(report: Report) -> None:
    server = Embedded()
    try:
        cluster = server.start()
        for number in range(PODS):
            create(cluster, number)
        grown = {name: measured(cluster, name) for name in SHAPES}
    finally:
        server.stop()
    for name, size in grown.items():
        report.figure(f"{PODS:,} Pods cached: {name}", size / MEBIBYTE, "MiB")
    for name, most in MOST.items():
        report.ratio(f"{name} / everything", grown[name] / grown["everything"], at_most=most)


def create(cluster: EmbeddedCluster, number: int) -> None:
    """As a Deployment's Pods are: templated labels, environment, probes, volumes, a status with conditions."""
    probe = {"httpGet": {"path": "/healthz", "port": 8080}}
    container = {
        "name": "app",
        "image": "registry.example.org/team/app:1.2.3",
        "env": [{"name": f"SETTING_{index}", "value": "a value"} for index in range(8)],
        "ports": [{"name": "http", "containerPort": 8080}],
        "livenessProbe": probe,
        "readinessProbe": probe,
        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}},
        "volumeMounts": [{"name": "config", "mountPath": "/etc/app"}],
    }
    labels = {"app": "bench", "part": str(number % TENTH), "pod-template-hash": "5d8f6b7c9d"}
    spec = {"containers": [container], "volumes": [{"name": "config", "configMap": {"name": "app"}}]}
    name = f"app-5d8f6b7c9d-{number:05d}"
    cluster.create(PATH, {"metadata": {"name": name, "labels": labels}, "spec": spec})
    moment = "2026-01-01T00:00:00Z"
    conditions = [
        {"type": kind, "status": "True", "lastProbeTime": None, "lastTransitionTime": moment}
        for kind in ("PodScheduled", "Initialized", "ContainersReady", "Ready")
    ]
    status = {"phase": "Running", "podIP": f"10.1.{number // 256}.{number % 256}", "conditions": conditions}
    cluster.patch(f"{PATH}/{name}/status", {"status": status})


def measured(cluster: EmbeddedCluster, name: str) -> int:
    command = [sys.executable, "-m", "tests.bench.shaping", str(cluster.kubeconfig), name]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def grow(kubeconfig: str, name: str) -> int:
    """The bytes by which this process grows when the cache fills."""
    client = Client.from_config(Config.load(kubeconfig))
    client.list(kinds.Namespace)  # what any first request and model cost is not the cache's
    informers = InformerSet(client)
    before = psutil.Process().memory_info().rss
    informers.informer(kinds.Pod, **SHAPES[name])
    informers.start()
    if not informers.wait(60):
        raise TimeoutError("the cache was not filled")
    after = psutil.Process().memory_info().rss
    informers.stop()
    return int(after - before)


if __name__ == "__main__":
    print(grow(*sys.argv[1:]))
