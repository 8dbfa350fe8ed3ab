"""`make bench ONLY=runtime`: what the runtime costs beside the official client, on the same bytes in the same run."""

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import kubernetes

from tests.bench import _queues
from tests.bench._canned import COUNT, GROUP, NAMESPACE, PLURAL, VERSION, canned_server, event_lines
from tests.bench.report import Report
from zonewright.api import decode
from zonewright.api.kind import Kind, Request
from zonewright.cache.informer import Informer
from zonewright.cache.informers import InformerSet
from zonewright.cache.store import Store
from zonewright.client.client import Client
from zonewright.client.config import Config

WIDGET: Kind[dict[str, Any]] = Kind(GROUP, VERSION, "Widget", PLURAL, subresources=frozenset({"status"}))
ROUNDS = 3
PATCHES = 300
STATUS = {"status": {"observedGeneration": 1, "conditions": [{"type": "Ready", "status": "True", "message": "seen"}]}}


def run(report: Report) -> None:
    with canned_server() as kubeconfig:
        watches(report, kubeconfig)
        patches(report, kubeconfig)
    memory(report)
    _queues.run(report)


def watches(report: Report, kubeconfig: Path) -> None:
    """10,000 events over TLS, stored and mapped to a key."""
    rounds = [our_watch(kubeconfig) for _ in range(ROUNDS)]
    ours = min(cpu for cpu, _ in rounds) / COUNT
    theirs = min(official_watch(kubeconfig) for _ in range(ROUNDS)) / COUNT
    report.figure(f"sync of {COUNT:,} objects, handlers included", min(wall for _, wall in rounds), "s")
    report.figure("watch event stored and mapped: runtime", ours * 1e6, "µs of CPU")
    report.figure("watch event stored and mapped: kubernetes.watch.Watch", theirs * 1e6, "µs of CPU")
    report.ratio("watch event: official client / runtime", theirs / ours, at_least=5.0)


def our_watch(kubeconfig: Path) -> tuple[float, float]:
    client = Client.from_config(Config.load(kubeconfig))
    informers = InformerSet(client, namespace=NAMESPACE)
    informer = informers.informer(WIDGET)
    mapped: set[Request] = set()
    informer.add_handler(lambda _, new, initial: mapped.add(new.key) if new else None)
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    informers.start()
    assert informers.wait(120)
    spent = time.process_time() - cpu, time.perf_counter() - wall
    informers.stop()
    client.close()
    assert len(mapped) == len(informer) == COUNT
    return spent


def official_watch(kubeconfig: Path) -> float:
    api, watch = official(kubeconfig), kubernetes.watch.Watch()
    store: dict[tuple[str, str], Any] = {}
    mapped: set[tuple[str, str]] = set()
    gc.collect()
    cpu = time.process_time()
    for event in watch.stream(api.list_namespaced_custom_object, GROUP, VERSION, NAMESPACE, PLURAL):
        metadata = event["object"]["metadata"]
        key = metadata["namespace"], metadata["name"]
        store[key] = event["object"]
        mapped.add(key)
        if len(mapped) == COUNT:
            watch.stop()
            break
    return time.process_time() - cpu


def patches(report: Report, kubeconfig: Path) -> None:
    """One status PATCH after another over TLS, the reply read as far as each client reads it."""
    client, api = Client.from_config(Config.load(kubeconfig)), official(kubeconfig)
    informer: Informer[dict[str, Any]] = InformerSet(client).informer(WIDGET)
    client.on_write = informer.wrote

    def ours() -> None:
        client.patch(WIDGET, "widget-000007", STATUS, namespace=NAMESPACE, subresource="status")

    def theirs() -> None:
        api.patch_namespaced_custom_object_status(GROUP, VERSION, NAMESPACE, PLURAL, "widget-000007", STATUS)

    our_cost, their_cost = cost(ours), cost(theirs)
    client.close()
    report.figure("status PATCH: runtime, with the overlay", our_cost * 1e6, "µs of CPU")
    report.figure("status PATCH: official client", their_cost * 1e6, "µs of CPU")
    report.ratio("status PATCH: runtime / official client", our_cost / their_cost, at_most=1 / 3)


def cost(call: Callable[[], None]) -> float:
    call()  # connects
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        for _ in range(PATCHES):
            call()
        best = min(best, time.process_time() - started)
    return best / PATCHES


def memory(report: Report) -> None:
    """What the cache takes, all in: bytes, keys, views, tables."""
    lines = event_lines()
    gc.collect()
    tracemalloc.start()
    store: Store[dict[str, Any]] = Store()
    store.replace(objects(lines), 1000 + COUNT)
    gc.collect()
    held = tracemalloc.get_traced_memory()[0] / COUNT
    tracemalloc.stop()
    assert len(store) == COUNT
    report.figure("object on the wire", sum(map(len, lines)) / COUNT, "bytes")
    report.ratio("cached object, all in", held, at_most=1536, unit="bytes")


def objects(lines: list[bytes]) -> Iterator[Any]:
    for line in lines:
        event = decode.event(WIDGET, line)
        assert not isinstance(event, decode.Bookmark)
        yield event[1]


def official(kubeconfig: Path) -> Any:
    configuration = kubernetes.client.Configuration()
    kubernetes.config.load_kube_config(str(kubeconfig), client_configuration=configuration)
    return kubernetes.client.CustomObjectsApi(kubernetes.client.ApiClient(configuration))
