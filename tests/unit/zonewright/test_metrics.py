"""Instruments count, exist at zero and read in Prometheus's format; what may not be needed is not imported."""

import subprocess
import sys

import pytest

from zonewright import metrics
from zonewright.metrics import REGISTRY


def value(name: str, **labels: str) -> float | None:
    return REGISTRY.get_sample_value(name, labels)


def test_a_counter_counts():
    family = metrics.counter("test_requests_total", "Requests.", "code")
    family.labels("200").inc()
    family.labels("200").inc(2)
    assert value("test_requests_total", code="200") == 3


def test_a_family_without_labels_exists_at_zero():
    metrics.counter("test_plain_total", "Nothing yet.")
    metrics.gauge("test_plain", "Nothing yet.")
    assert value("test_plain_total") == 0
    assert value("test_plain") == 0


def test_a_gauge_goes_both_ways_or_is_computed():
    gauge = metrics.gauge("test_depth", "Depth.", "queue").labels("a")
    gauge.set(5)
    gauge.inc()
    gauge.dec(2)
    assert value("test_depth", queue="a") == 4
    gauge.set_function(lambda: 9)
    assert value("test_depth", queue="a") == 9


def test_a_histogram_has_cumulative_buckets():
    histogram = metrics.histogram("test_seconds", "Time.", "kind", bounds=(0.1, 1.0)).labels("a")
    for seconds in (0.05, 0.1, 0.5, 7.0):
        histogram.observe(seconds)
    assert value("test_seconds_bucket", kind="a", le="0.1") == 2
    assert value("test_seconds_bucket", kind="a", le="1.0") == 3
    assert value("test_seconds_bucket", kind="a", le="+Inf") == 4
    assert value("test_seconds_count", kind="a") == 4
    assert value("test_seconds_sum", kind="a") == pytest.approx(7.65)
    assert histogram.count == 4


def test_the_same_name_is_the_same_family():
    family = metrics.counter("test_same_total", "Same.", "a")
    assert metrics.counter("test_same_total", "Same.", "a") is family
    with pytest.raises(ValueError, match="exists with the labels"):
        metrics.counter("test_same_total", "Same.", "b")
    with pytest.raises(ValueError, match="has the labels"):
        family.labels("x", "y")


def test_a_series_can_be_forgotten():
    family = metrics.gauge("test_gone", "Gone.", "zone")
    family.labels("a").set(1)
    family.remove("a")
    family.remove("never was")
    assert value("test_gone", zone="a") is None


def test_the_exposition_is_text_and_holds_the_process_too():
    metrics.counter("test_exposed_total", 'With "quotes".', "name").labels('a"b').inc()
    text = metrics.exposition().decode()
    assert 'test_exposed_total{name="a\\"b"} 1.0' in text
    assert "# TYPE test_exposed_total counter" in text
    assert "process_resident_memory_bytes" in text


def test_there_is_nothing_else_by_getattr():
    with pytest.raises(AttributeError):
        metrics.NONSENSE  # noqa: B018


@pytest.mark.parametrize("module", ["prometheus_client", "http.server", "kubernetes", "urllib3", "aiohttp", "pydantic"])
def test_wiring_a_controller_does_not_import(module):
    code = (
        "import sys; from zonewright import Manager, ManagerOptions, Kind, Request; "
        f"sys.exit({module!r} in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
