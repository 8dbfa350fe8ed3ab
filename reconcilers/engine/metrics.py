"""The engine's metrics, under exactly the names of docs/requirements.md (EN-8); gauges are computed at scrape.

Some of the names end in `_total` without being counters and one is a counter without that ending, which the instruments
of prometheus_client do not allow: one collector of our own says them all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from reconcilers.engine.api import Role
from reconcilers.engine.core.protocol import (
    Applied,
    CaughtUp,
    Effect,
    Failed,
    Finished,
    Flushed,
    OpKind,
    Parked,
    Refused,
    Result,
    Sync,
)
from zonewright import metrics as runtime

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

_UPDATES = runtime.counter("zonewright_ddns_updates_total", "UPDATE messages sent, by the server's rcode.", "rcode")
_UPDATE_SECONDS = runtime.histogram("zonewright_ddns_update_duration_seconds", "From UPDATE to reply.")
_BATCH = runtime.histogram(
    "zonewright_ddns_batch_records", "Records per UPDATE message.", bounds=(1, 2, 5, 10, 50, 100, 200, 500, 1000)
)
_TRANSFERS = runtime.counter("zonewright_zone_transfers_total", "Secondaries that caught up, or did not.", "result")

_INTERNAL_ERRORS = runtime.counter("zonewright_engine_internal_errors_total", "Defects of ours that were survived.")

OPERATIONS = {OpKind.CREATE: "create", OpKind.CONFIGURE: "update", OpKind.DELETE: "delete"}
Gauges = Callable[[], tuple[dict[str, int], int, int]]


def observe_update(*, rcode: str, seconds: float, records: int) -> None:
    """For ddns: one UPDATE message ended."""
    _UPDATES.labels(rcode).inc()
    _UPDATE_SECONDS.labels().observe(seconds)
    _BATCH.labels().observe(records)


def internal_error() -> None:
    """Something raised that should not."""
    _INTERNAL_ERRORS.labels().inc()


class EngineMetrics:
    """Counts effects; shows itself to Prometheus between `register` and `unregister`."""

    def __init__(self, gauges: Gauges) -> None:
        self._gauges = gauges
        self._lock = threading.Lock()
        self._registered = False
        self._operations = {(name, status): 0 for name in OPERATIONS.values() for status in ("success", "failure")}
        self._durations = {name: runtime.Histogram(runtime.SECONDS) for name in OPERATIONS.values()}
        self._retries = dict.fromkeys(OPERATIONS.values(), 0)
        self._syncs = {"success": 0, "failure": 0}
        self._sync_seconds = runtime.Histogram(runtime.SECONDS)
        self._addresses = {"add": 0, "remove": 0, "update": 0}
        self._buffer_seconds = runtime.Histogram(runtime.SECONDS)
        self._callback_failures = 0

    # --- counting ----------------------------------------------------------------------------------------------------

    def note(self, effect: Effect) -> None:
        """Count what is to be counted."""
        match effect:
            case Finished():
                with self._lock:
                    self._finished(effect)
            case Flushed(waited):
                for seconds in waited:
                    self._buffer_seconds.observe(seconds)
            case Parked():
                internal_error()
            case CaughtUp():
                _TRANSFERS.labels("success").inc()

    def callback_failed(self) -> None:
        """A status callback raised."""
        with self._lock:
            self._callback_failures += 1

    def _finished(self, done: Finished) -> None:
        op, status = done.op, _status(done.result)
        if op.kind is OpKind.SYNC:
            self._syncs[status] += 1
            self._sync_seconds.observe(done.duration)
            self._count_addresses(done)
        elif name := OPERATIONS.get(op.kind):
            self._operations[name, status] += 1
            self._durations[name].observe(done.duration)
            self._retries[name] += op.attempt > 1

    def _count_addresses(self, done: Finished) -> None:
        if not isinstance(done.op.payload, Sync) or not isinstance(done.result, Applied):
            return
        if done.op.role is Role.SECONDARY:
            _TRANSFERS.labels("repair").inc()
        rejected = {key for key, _, _ in done.result.rejected}
        for change in done.op.payload.changes:
            if change.key not in rejected:
                action = "remove" if change.after is None else "add" if change.before is None else "update"
                self._addresses[action] += 1

    # --- showing -----------------------------------------------------------------------------------------------------

    def register(self) -> None:
        """Become part of /metrics."""
        if not self._registered:
            runtime.REGISTRY.register(self)
            self._registered = True

    def unregister(self) -> None:
        """Leave it."""
        if self._registered:
            runtime.REGISTRY.unregister(self)
            self._registered = False

    def describe(self) -> list[Metric]:
        """Nothing to check for duplicates at registration."""
        return []

    def collect(self) -> Iterator[Metric]:
        """All of them, always."""
        states, endpoints, pods = self._gauges()
        yield _metric("engine_pending_service_operations", "gauge", "Zones on servers, by state.", "state", states)
        yield _plain("engine_buffered_endpoints_total", "RRsets that wait for their zone to exist, now.", endpoints)
        yield _plain("engine_buffered_pods_total", "Members from pods that wait for their zone to exist, now.", pods)
        with self._lock:
            yield from self._counters()
        yield _histogram("engine_service_operation_duration_seconds", "Slot acquired to done.", self._durations)
        yield _histogram("engine_locations_sync_duration_seconds", "Sync of records.", {"": self._sync_seconds})
        yield _histogram("engine_buffer_duration_seconds", "Wait of RRsets for their zone.", {"": self._buffer_seconds})

    def _counters(self) -> Iterator[Metric]:
        operations = _new("engine_service_operations", "counter", "Finished attempts.")
        for (name, status), value in self._operations.items():
            operations.add_sample("engine_service_operations_total", {"operation": name, "status": status}, value)
        yield operations
        yield _metric(
            "engine_operation_retries_total", "counter", "Attempts after a failure.", "operation", self._retries
        )
        yield _metric("engine_locations_sync_total", "counter", "Finished syncs of records.", "status", self._syncs)
        yield _metric("engine_location_addresses_synced", "unknown", "RRsets synced.", "action", self._addresses)
        failures = {"": self._callback_failures}
        yield _metric(
            "zonewright_engine_callback_failures_total", "counter", "Status callbacks that raised.", "", failures
        )


def _status(result: Result) -> str:
    return "failure" if isinstance(result, Failed | Refused) else "success"


def _new(name: str, kind: str, text: str) -> Metric:
    from prometheus_client.metrics_core import Metric  # noqa: PLC0415 - at the first scrape: importing it is not cheap

    return Metric(name, text, kind)


def _metric(name: str, kind: str, text: str, label: str, values: dict[str, int]) -> Metric:
    metric = _new(name.removesuffix("_total") if kind == "counter" else name, kind, text)
    for value, number in values.items():
        metric.add_sample(name, {label: value} if label else {}, number)
    return metric


def _plain(name: str, text: str, value: int) -> Metric:
    return _metric(name, "gauge", text, "", {"": value})


def _histogram(name: str, text: str, children: dict[str, runtime.Histogram]) -> Metric:
    metric = _new(name, "histogram", text)
    for operation, child in children.items():
        labels = {"operation": operation} if operation else {}
        for bound, count in child.buckets():
            metric.add_sample(f"{name}_bucket", {**labels, "le": bound}, count)
        metric.add_sample(f"{name}_count", labels, child.count)
        metric.add_sample(f"{name}_sum", labels, child.read()[1])
    return metric
