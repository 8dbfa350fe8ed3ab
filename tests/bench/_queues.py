"""The part of `make bench ONLY=runtime` that needs no API server: the workqueue and the label index."""

import threading
import time
from collections.abc import Callable

from tests.bench.report import Report
from zonewright.api.kind import Request
from zonewright.api.selectors import LabelIndex, Selector
from zonewright.controller.workqueue import LOW_PRIORITY, WorkQueue

KEYS = [Request("bench", f"object-{number}") for number in range(10_000)]
SELECTORS = (10, 1_000, 10_000)
REPEAT = 5
# An object as people label them: what nearly all share, and what tells it apart.
LABELS = {"app.kubernetes.io/managed-by": "team", "environment": "production", "zone": "z3", "tier": "front"}


def run(report: Report) -> None:
    report.figure("queue, one thread: add, get, done", 3 * len(KEYS) / best(one_thread), "operations/s")
    report.figure("queue, 8 workers: add, get, done", 3 * len(KEYS) / best(eight_workers), "operations/s")
    times = {count: match_time(index_of(count)) for count in SELECTORS}
    for count, seconds in times.items():
        report.figure(f"LabelIndex: object against {count:,} selectors", seconds * 1e6, "µs")
    for count in SELECTORS[1:]:
        report.ratio(f"LabelIndex: {count:,} selectors against {SELECTORS[0]}", times[count] / times[10], at_most=2.0)


def best(work: Callable[[], None]) -> float:
    """The least disturbed of several runs."""
    return min(timed(work) for _ in range(REPEAT))


def timed(work: Callable[[], None]) -> float:
    started = time.process_time()  # of CPU: others may be using the machine
    work()
    return time.process_time() - started


def one_thread() -> None:
    queue: WorkQueue[Request] = WorkQueue("bench")
    for key in KEYS:
        queue.add(key, priority=LOW_PRIORITY)
    for _ in KEYS:
        queue.get()
    for key in KEYS:
        queue.done(key, forget=True)


def eight_workers() -> None:
    queue: WorkQueue[Request] = WorkQueue("bench")

    def work() -> None:
        while (key := queue.get()) is not None:
            queue.done(key, forget=True)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for key in KEYS:
        queue.add(key)
    if not queue.drain(60):
        raise RuntimeError("the queue did not drain")
    queue.shut_down()
    for thread in threads:
        thread.join()


def index_of(count: int) -> LabelIndex[int]:
    """Every selector asks for two labels: one that all objects have and one that few have; some use expressions."""
    index: LabelIndex[int] = LabelIndex()
    forms = ("environment=production,zone=z{}", "environment in (production,staging),zone=z{}", "zone in (z{})")
    for number in range(count):
        index.put(number, [Selector.parse(forms[number % len(forms)].format(number))])
    return index


def match_time(index: LabelIndex[int]) -> float:
    if index.match(LABELS) != {3}:
        raise RuntimeError("the index is wrong")
    rounds = 5_000

    def work() -> None:
        for _ in range(rounds):
            index.match(LABELS)

    return best(work) / rounds
