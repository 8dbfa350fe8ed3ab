"""How the caches' events become the selection."""

from typing import Any

import pytest

from generated.kinds import KINDS
from reconcilers.desired.ownership import NAME_ANNOTATION, ZONE_ANNOTATION, finalizer
from tests.support.reconcilers_world import STATUS, World, key

READY = {"conditions": [{"type": "Ready", "status": "True", "reason": "RecordPublished", "message": ""}]}
CLAIMED: dict[str, Any] = {
    "annotations": {ZONE_ANNOTATION: "example.org", NAME_ANNOTATION: "www"},
    "finalizers": [finalizer("ARecord")],
}


@pytest.fixture
def world() -> World:
    world = World()
    world.apply_zone()
    world.apply_a(**CLAIMED)
    return world


def wanted(world: World) -> set[str]:
    chosen = world.selection.zone_set(key("zone"))
    assert chosen is not None
    return {str(entry.rrset) for entry in chosen.wanted.values()}


def test_a_record_comes_changes_and_goes(world: World):
    assert wanted(world) == {"www.example.org. 3600 IN A 192.0.2.1"}
    world.apply_a(address="192.0.2.2")
    assert wanted(world) == {"www.example.org. 3600 IN A 192.0.2.2"}
    world.apply_a(finalizers=[])
    world.api.delete("ARecord", "www")
    assert wanted(world) == set()


def test_a_zone_comes_changes_and_goes(world: World):
    world.apply_zone(spec={"ttl": 60})
    assert wanted(world) == {"www.example.org. 60 IN A 192.0.2.1"}
    world.api.delete("DNSZone", "zone")
    assert world.selection.zone(key("zone")) is None


def test_a_zone_that_cannot_be_read_is_not_there(world: World):
    world.api.apply("DNSZone", "broken", {"zoneName": 7})
    assert world.selection.zone(key("broken")) is None


@pytest.mark.parametrize(
    "spec",
    [
        {"ttl": "soon"},
        {"recordsFrom": [{"selector": {"matchExpressions": [{"key": "a", "operator": "In", "values": []}]}}]},
    ],
    ids=["no model", "no selector"],
)
def test_a_zone_that_cannot_be_read_any_more_stays_as_it_was_until_it_goes(world: World, spec: dict[str, Any]):
    world.apply_zone(spec=spec, finalizers=["ours"])
    assert wanted(world) == {"www.example.org. 3600 IN A 192.0.2.1"}
    world.api.delete("DNSZone", "zone")
    view = world.selection.zone(key("zone"))
    assert view is not None
    assert view.deleting


def test_another_zone_of_that_name_is_not_taken_for_the_one_before(world: World):
    world.apply_zone(spec={"ttl": "soon"}, uid="another")
    assert world.selection.zone(key("zone")) is None


def test_a_record_that_cannot_be_read_stays_in_the_selection_and_says_why(world: World):
    world.api.apply("ARecord", "www", {"name": 7})
    (membership,) = world.selection.memberships("dns", ("ARecord", "www"))
    assert membership.error is not None
    assert "spec.name" in membership.error
    assert wanted(world) == set()


def test_the_zone_is_told_when_its_count_of_ready_records_moves(world: World):
    assert world.tallies == []
    world.api.patch(KINDS["ARecord"], "www", {"status": READY}, **STATUS)
    assert world.tallies == [key("zone")]
    world.apply_a(annotations={**CLAIMED["annotations"], "note": "no change of that count"})
    assert world.tallies == [key("zone")]
    world.apply_a(labels={})
    assert world.tallies == [key("zone")] * 2


def test_a_status_of_the_zone_changes_nothing_for_records(world: World):
    before = world.selection.zone(key("zone"))
    world.api.patch(KINDS["DNSZone"], "zone", {"status": {"serial": 7}}, **STATUS)
    assert world.selection.zone(key("zone")) is before
