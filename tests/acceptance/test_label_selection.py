"""Label selector watches: one test per criterion of docs/requirements.md, named after it."""

import hashlib
from typing import Any

import pytest

from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.plan import Change
from reconcilers.ddns.rdata import parse_rdata
from reconcilers.ddns.rrset import RRset
from reconcilers.ddns.script import nsupdate_script
from reconcilers.desired.views import record_hash
from tests.support.scene import Scene
from zonewright import Selector
from zonewright.testing import eventually

# -- success criteria


@pytest.mark.criterion(number="LS-1")
def test_dnszone_reconciles_when_matching_record_is_created(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.served("www", "192.0.2.1")
    assert eventually(lambda: _status(scene).get("recordsCount") == 1)


@pytest.mark.criterion(number="LS-1")
def test_dnszone_reconciles_when_matching_record_is_updated(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www")
    serial = scene.wait("dnszones", "zone")["status"]["serial"]
    scene.patch("arecords", "www", {"spec": {"ipv4Address": "192.0.2.2"}})
    scene.served("www", "192.0.2.2")
    assert eventually(lambda: _status(scene)["serial"] > serial)


@pytest.mark.criterion(number="LS-1")
def test_dnszone_reconciles_when_matching_record_is_deleted(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www")
    scene.wait("dnszones", "zone")
    scene.delete("arecords", "www")
    scene.served("www")
    assert eventually(lambda: not scene.exists("arecords", "www"))
    assert eventually(lambda: _status(scene)["recordsCount"] == 0)


@pytest.mark.criterion(number="LS-2")
def test_records_get_status_zone_and_annotation_when_matched(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    record = scene.wait("arecords", "www")
    assert record["metadata"]["annotations"]["bindy.firestoned.io/zone"] == scene.zone
    assert record["status"]["zone"] == scene.zone
    assert record["status"]["zoneRef"] == {
        "apiVersion": "bindy.firestoned.io/v1beta1",
        "kind": "DNSZone",
        "name": "zone",
        "namespace": scene.namespace,
        "zoneName": scene.zone,
    }


@pytest.mark.criterion(number="LS-3")
def test_dnszone_status_records_lists_all_ready_matched_records(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.create("TXTRecord", "note", {"name": "note", "text": ["hello"]})
    scene.create_a("elsewhere", labels={"zone": "another"})
    bad = {"name": "bad.elsewhere.example.", "ipv4Address": "192.0.2.9"}
    scene.create("ARecord", "bad", bad)
    assert eventually(lambda: _listed(scene) == [("ARecord", "www"), ("TXTRecord", "note")])
    scene.refused("arecords", "bad", "InvalidRecordData")
    eventually(lambda: _counts(scene) == (3, 2), what="the zone's counts")


@pytest.mark.criterion(number="LS-4")
def test_record_changes_trigger_nsupdate_not_full_zone_reload(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www")
    loads = [server.log(10_000).count("reload") for server in scene.stage.primaries]
    updates = scene.metric("zonewright_ddns_updates_total", rcode="NOERROR")
    scene.patch("arecords", "www", {"spec": {"ipv4Address": "192.0.2.2"}})
    scene.served("www", "192.0.2.2")
    # The server answers others as soon as it has it; the manager hears of it a moment later.
    eventually(lambda: scene.metric("zonewright_ddns_updates_total", rcode="NOERROR") > updates, what="an update")
    assert [server.log(10_000).count("reload") for server in scene.stage.primaries] == loads
    eventually(lambda: "nsupdate" in scene.stage.manager_log(), what="a line about the update")


@pytest.mark.criterion(number="LS-5")
def test_zone_transfers_only_occur_when_records_actually_change(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www", "Propagated")
    eventually(lambda: _transfers(scene), what="a line about the first transfer")
    before, transfers = scene.serials(), _transfers(scene)
    scene.patch("arecords", "www", {"metadata": {"annotations": {"note": "touched"}}})
    scene.patch("arecords", "www", {"spec": {"ttl": 300}})
    scene.caught_up()
    assert (scene.serials(), _transfers(scene)) == (before, transfers)
    scene.patch("arecords", "www", {"spec": {"ipv4Address": "192.0.2.2"}})
    scene.served("www", "192.0.2.2")
    assert scene.serials() != before
    eventually(lambda: _transfers(scene) > transfers, what="a line about the transfer")


@pytest.mark.criterion(number="LS-11")
def test_metrics_expose_watch_and_nsupdate_performance(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www")
    names = (
        "zonewright_ddns_update_duration_seconds_count",
        "zonewright_ddns_batch_records_count",
        "zonewright_mapper_duration_seconds_count",
        "zonewright_reflector_watches_total",
        "controller_runtime_reconcile_total",
        "engine_service_operations_total",
    )
    # An update is counted after the server's reply, which is after the server has it.
    eventually(lambda: all(scene.metric(name) > 0 for name in names), what=scene.stage.metrics)


# -- unit test cases


@pytest.mark.criterion(number="LS-U1")
@pytest.mark.parametrize(
    ("selector", "labels", "matches"),
    [
        ({"matchLabels": {"zone": "a"}}, {"zone": "a", "x": "y"}, True),
        ({"matchLabels": {"zone": "a"}}, {"zone": "b"}, False),
        ({"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]}]}, {"zone": "b"}, True),
        ({"matchExpressions": [{"key": "zone", "operator": "NotIn", "values": ["a"]}]}, {}, True),
        ({"matchExpressions": [{"key": "zone", "operator": "Exists"}]}, {}, False),
        ({"matchExpressions": [{"key": "zone", "operator": "DoesNotExist"}]}, {}, True),
        ({}, {"anything": "goes"}, True),
    ],
)
def test_selector_matches_record(selector, labels, matches):
    assert Selector.from_fields(selector).matches(labels) is matches


@pytest.mark.criterion(number="LS-U2")
def test_find_zones_for_record(scene: Scene):
    scene.create_zone("one")
    scene.create_zone("two", zone=f"two-{scene.zone}")
    scene.create_zone("other", zone=f"other-{scene.zone}", labels={"zone": "nobody"})
    scene.create_a("www")
    annotation = ",".join(sorted([scene.zone, f"two-{scene.zone}"]))

    def found() -> tuple[list[str], str]:
        record = scene.wait("arecords", "www")
        zones = [zone["name"] for zone in record["status"]["zones"]]
        return zones, record["metadata"]["annotations"]["bindy.firestoned.io/zone"]

    eventually(lambda: found() == (["one", "two"], annotation), what=lambda: f"both zones, not {found()},")
    scene.served("www", "192.0.2.1")
    scene.served("www", "192.0.2.1", zone=f"two-{scene.zone}")


@pytest.mark.criterion(number="LS-U3")
def test_record_hash_calculation():
    spec = {"name": "www", "ipv4Address": "192.0.2.1", "ttl": 300}
    assert record_hash(spec) == record_hash(dict(reversed(spec.items())))
    assert record_hash(spec) != record_hash({**spec, "ttl": 301})
    assert len(record_hash(spec)) == len(hashlib.sha256().hexdigest())


@pytest.mark.criterion(number="LS-U4")
def test_nsupdate_command_generation():
    """The log's nsupdate script says what was sent: delete and add together, nothing in between."""
    rrset = RRset.of(parse_zone("www.example.org"), 300, [parse_rdata("A", "192.0.2.1")])
    text = nsupdate_script("192.0.2.53", 53, parse_zone("example.org"), [Change(rrset.key, rrset, rrset)], None)
    assert text.splitlines() == [
        "server 192.0.2.53 53",
        "zone example.org.",
        "update delete www.example.org. A",
        "update add www.example.org. 300 IN A 192.0.2.1",
        "send",
    ]


@pytest.mark.criterion(number="LS-U5")
def test_record_reconcile_with_hash_unchanged(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    record = scene.wait("arecords", "www", "Propagated")
    before = scene.serials()
    scene.patch("arecords", "www", {"metadata": {"labels": {"extra": "label"}}})
    scene.caught_up()
    after = scene.get("arecords", "www")
    assert after["status"] == record["status"]
    assert scene.serials() == before


@pytest.mark.criterion(number="LS-U6")
def test_record_reconcile_with_hash_changed(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    record = scene.wait("arecords", "www")
    scene.patch("arecords", "www", {"spec": {"ipv4Address": "192.0.2.2"}})
    changed = scene.wait("arecords", "www")
    assert changed["status"]["recordHash"] != record["status"]["recordHash"]
    assert changed["status"]["lastUpdated"] >= record["status"]["lastUpdated"]
    assert changed["status"]["addresses"] == "192.0.2.2"


# -- the integration scenarios, as one story


@pytest.mark.criterion(number="LS-I1")
def test_label_selector_watch_end_to_end(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    record = scene.wait("arecords", "www")
    assert eventually(lambda: _listed(scene) == [("ARecord", "www")])
    assert record["status"]["zone"] == scene.zone
    scene.patch("arecords", "www", {"spec": {"ipv4Address": "192.0.2.2"}})
    scene.served("www", "192.0.2.2")
    scene.wait("arecords", "www", "Propagated")
    scene.delete("arecords", "www")
    scene.served("www")
    assert eventually(lambda: _listed(scene) == [])


def _status(scene: Scene) -> dict[str, Any]:
    """The zone's."""
    return scene.get("dnszones", "zone").get("status") or {}


def _counts(scene: Scene) -> tuple[int, int]:
    return (_status(scene)["recordsCount"], _status(scene)["readyRecordsCount"])


def _listed(scene: Scene) -> list[tuple[str, str]]:
    return [(entry["kind"], entry["name"]) for entry in _status(scene).get("records") or ()]


def _transfers(scene: Scene) -> int:
    """How often the manager's log has told of a transfer of the scene's zone."""
    lines = scene.stage.manager_log().splitlines()
    return sum("zone transfer complete" in line and f":{scene.zone}." in line for line in lines)
