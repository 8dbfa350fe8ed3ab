"""Exactly the metric names that dashboards expect, and debug pages that a person can read."""

import json

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from reconcilers.engine import debug
from reconcilers.engine.api import DesiredRRset, Plan, ZoneKey
from reconcilers.engine.core.lifecycle import State
from reconcilers.engine.core.protocol import Poll, Refused
from reconcilers.engine.metrics import EngineMetrics
from reconcilers.reasons import Reason
from tests.support.engine_rig import ZONE, Rig, wanted
from tests.support.engine_world import rrset

NAMES = [
    "engine_service_operations_total",
    "engine_service_operation_duration_seconds",
    "engine_pending_service_operations",
    "engine_buffered_endpoints_total",
    "engine_buffered_pods_total",
    "engine_buffer_duration_seconds",
    "engine_locations_sync_total",
    "engine_locations_sync_duration_seconds",
    "engine_location_addresses_synced",
    "engine_operation_retries_total",
]


@pytest.fixture
def rig():
    return Rig()


class Scrape:
    """What Prometheus would read."""

    def __init__(self, rig):
        metrics = EngineMetrics(lambda: debug.gauges(rig.core.model))
        for effect in rig.effects:
            metrics.note(effect)
        registry = CollectorRegistry(auto_describe=False)
        registry.register(metrics)
        self.text = generate_latest(registry).decode()
        lines = [line.rpartition(" ") for line in self.text.splitlines() if not line.startswith("#")]
        self.values = {name: float(value) for name, _, value in lines}

    def __getitem__(self, name):
        return self.values[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_name_is_there_before_anything_happened(rig, name):
    assert any(line.startswith(name) for line in Scrape(rig).values)


def test_all_states_are_always_present(rig):
    scrape = Scrape(rig)
    for state in State:
        assert scrape[f'engine_pending_service_operations{{state="{state.value}"}}'] == 0


def test_operations_are_counted_once_each(rig):
    rig.want({"a": "192.0.2.1"})
    rig.finish()
    rig.fail(ambiguous=False)
    rig.resolve_waiting()
    rig.delete()
    rig.resolve_waiting()
    scrape = Scrape(rig)
    assert scrape['engine_service_operations_total{operation="create",status="failure"}'] == 1
    assert scrape['engine_service_operations_total{operation="create",status="success"}'] == 1
    assert scrape['engine_service_operations_total{operation="delete",status="success"}'] == 1
    assert scrape['engine_operation_retries_total{operation="create"}'] == 1
    assert scrape['engine_service_operation_duration_seconds_count{operation="create"}'] == 2
    assert scrape['engine_locations_sync_total{status="success"}'] == 1


def test_synced_rrsets_are_counted_by_what_happened_to_them(rig):
    rig.want({"a": "192.0.2.1", "b": "192.0.2.2"})
    rig.resolve_waiting()
    rig.want({"a": "192.0.2.9"}, version="2")
    rig.resolve_waiting()
    scrape = Scrape(rig)
    assert scrape['engine_location_addresses_synced{action="add"}'] == 2
    assert scrape['engine_location_addresses_synced{action="update"}'] == 1
    assert scrape['engine_location_addresses_synced{action="remove"}'] == 1


def test_what_waits_for_its_zone_is_counted_now_and_its_wait_when_it_ends(rig):
    pods = rrset(ZONE, "pods", "A", "192.0.2.10", "192.0.2.11")
    base = wanted({"a": "192.0.2.1"})
    rig.want(rrsets={**base.rrsets, pods.key: DesiredRRset(pods, pods=2)}, plan=Plan(pods=3))
    waiting = Scrape(rig)
    assert waiting["engine_buffered_endpoints_total"] == 3
    assert waiting["engine_buffered_pods_total"] == 5, "those that no plan was made for, too"
    rig.advance(5.0)
    rig.resolve_waiting()
    done = Scrape(rig)
    assert done["engine_buffered_endpoints_total"] == done["engine_buffered_pods_total"] == 0
    assert done["engine_buffer_duration_seconds_count"] == 4
    assert done["engine_buffer_duration_seconds_sum"] == pytest.approx(20.0)


def test_services_shows_what_runs_waits_and_why(rig):
    rig.want({"a": "192.0.2.1"})
    entry = debug.services(rig.core.model, {"key": f"p1:{ZONE}"}, rig.now)[0]
    assert entry["op"] == {"id": entry["op"]["id"], "kind": "observe", "age": 0.0}
    assert (entry["state"], entry["wanted"], entry["observed"]) == ("not_started", True, "unknown")
    rig.fail()
    rig.advance(0.5)
    entry = debug.services(rig.core.model, {"key": f"p1:{ZONE}"}, rig.now)[0]
    assert entry["retries"] == 1
    assert entry["next_retry_at"] == "2023-11-14T22:13:21.000+00:00"
    assert entry["last_error"] == "ServerUnreachable: no reply"
    rig.want({"a": "192.0.2.1"}, secondaries=frozenset({"s1"}))
    rig.resolve_waiting()
    rig.delete()
    entry = debug.services(rig.core.model, {"key": f"p1:{ZONE}"}, rig.now)[0]
    assert entry["blocked_by"] == [f"s1:{ZONE}"]
    assert entry["state"] == "deletion_pending"


def test_services_shows_a_parked_zone(rig):
    rig.want()
    rig.finish()
    rig.finish(result=Refused(Reason.BINDCAR_BAD_REQUEST, "400"))
    assert debug.services(rig.core.model, {}, rig.now)[0]["parked_reason"] == "BindcarBadRequest"


def test_buffered_lists_items_with_their_age(rig):
    rig.want({"a": "192.0.2.1"})
    rig.advance(3.0)
    entry = debug.buffered(rig.core.model, {"key": "uid-1"}, rig.now)[0]
    assert entry["count"] == 3
    assert {(item["id"], item["kind"]) for item in entry["items"]} >= {("a.example.org.", "A"), ("example.org.", "NS")}
    assert {item["since"] for item in entry["items"]} == {"2023-11-14T22:13:20.000+00:00"}
    assert debug.buffered(rig.core.model, {"key": "another"}, rig.now) == []


def test_the_pages_are_json_and_never_show_a_secret(rig):
    rig.want({"a": "192.0.2.1"})
    rig.resolve_waiting()
    rig.submit(Poll(ZoneKey("p1", ZONE)))
    text = json.dumps([debug.services(rig.core.model, {}, rig.now), debug.buffered(rig.core.model, {}, rig.now)])
    assert "token" not in text
