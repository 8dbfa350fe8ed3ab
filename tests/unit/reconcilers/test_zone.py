"""The life of a zone: what the engine is asked for, and what is written into the object. The engine is played."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from generated.kinds import KINDS
from reconcilers.ddns.names import parse_zone
from reconcilers.desired.ownership import (
    CONSENT_ANNOTATION,
    NAME_ANNOTATION,
    OWN_ANNOTATION,
    ZONE_ANNOTATION,
    ZONE_FINALIZER,
    finalizer,
)
from reconcilers.engine.api import ClaimState, Role, ServerStatus, ZoneRef, ZoneStatus
from reconcilers.fleet.servers import NAMESPACES_ANNOTATION
from reconcilers.timing import BETWEEN_WRITES, PASSING, REST_FACTOR
from reconcilers.zone import ZoneReconciler, is_live, with_uid
from tests.support.reconcilers_world import DEEP, STATUS, World, key, zone_spec

CLAIM, STATUS_WRITE = ("DNSZone/zone", "metadata"), ("DNSZone/zone", "status")
REF = ZoneRef(parse_zone("example.org"), "uid-DNSZone-zone", "dns", "zone")
CLAIMED: dict[str, Any] = {
    "annotations": {ZONE_ANNOTATION: "example.org", NAME_ANNOTATION: "www"},
    "finalizers": [finalizer("ARecord")],
}


@pytest.fixture
def world() -> World:
    """A zone on a primary and a secondary."""
    world = World()
    world.apply_server("p1")
    world.apply_server("s1", "secondary", address="192.0.2.54")
    world.apply_zone()
    return world


def serving(world: World, *, published: bool = True, serial: int = 7) -> None:
    state, generation = ClaimState.CONFIGURED, world.get("DNSZone", "zone")["metadata"]["generation"]
    servers = (
        ServerStatus("dns/p1", Role.PRIMARY, state, serial, published),
        ServerStatus("dns/s1", Role.SECONDARY, state, serial, published),
    )
    world.engine.zones["zone"] = ZoneStatus(REF, generation, serial, published, published, servers)


def settle(world: World, zones: ZoneReconciler, name: str = "zone") -> None:
    for _ in range(5):
        result = zones.reconcile(key(name))
        if result is None or result.requeue_after is None:
            return
        world.clock.advance(result.requeue_after)
    raise AssertionError("it never comes to rest")


def served(world: World) -> ZoneReconciler:
    """A zone that is on its servers, and known to be."""
    zones = world.zones()
    serving(world)
    settle(world, zones)
    world.clock.advance(10)
    assert world.condition("DNSZone", "zone") == ("True", "ZonePublished")
    world.writes()
    return zones


def contents(world: World, name: str = "zone") -> set[str]:
    return {str(entry.rrset) for entry in world.engine.wanted[name].rrsets.values()}


def annotate(world: World, **annotations: str) -> None:
    present = world.get("DNSZone", "zone")["metadata"].get("annotations") or {}
    world.apply_zone(annotations={**present, **annotations})


# -- what the engine is asked for


def test_the_zone_claims_itself_before_the_engine_hears_of_it(world: World):
    seen: list[bool] = []
    world.api.before_patch = lambda: seen.append("zone" in world.engine.wanted)
    world.zones().reconcile(key("zone"))
    assert seen == [False]
    metadata = world.get("DNSZone", "zone")["metadata"]
    assert metadata["finalizers"] == [ZONE_FINALIZER]
    assert metadata["annotations"][OWN_ANNOTATION] == "example.org./NS ns1.example.org./A"


def test_the_engine_gets_the_whole_of_the_zone_every_time(world: World):
    world.apply_a(**CLAIMED)
    world.apply_a("second", owner="www", address="192.0.2.2", **CLAIMED)
    zones = world.zones()
    zones.reconcile(key("zone"))
    whole = {
        "example.org. 3600 IN NS ns1.example.org.",
        "ns1.example.org. 3600 IN A 192.0.2.53\nns1.example.org. 3600 IN A 192.0.2.54",
        "www.example.org. 3600 IN A 192.0.2.1\nwww.example.org. 3600 IN A 192.0.2.2",
    }
    assert contents(world) == whole
    zones.reconcile(key("zone"))
    assert contents(world) == whole


def test_the_engine_hears_which_servers_have_which_role(world: World):
    world.zones().reconcile(key("zone"))
    wanted = world.engine.wanted["zone"]
    assert wanted.primaries == {"dns/p1"}
    assert wanted.secondaries == {"dns/s1"}
    assert wanted.former == set()


def shared_server(world: World, **annotations: str) -> None:
    """A primary of namespace `other`."""
    external = {"address": "198.51.100.53", "bindcarUrl": "http://198.51.100.53:8080", "role": "primary"}
    labels = {"tier": "demo"}
    world.api.apply("Bind9Instance", "p2", {"external": external}, "other", labels=labels, annotations=annotations)


def test_an_address_of_another_namespaces_server_is_not_published_as_the_zones_own(world: World):
    sources = [{"selector": {"matchLabels": {"tier": "demo"}}, "namespaces": ["other"]}]
    world.apply_zone(spec={"bind9InstancesFrom": sources})
    shared_server(world, **{NAMESPACES_ANNOTATION: "dns"})
    world.zones().reconcile(key("zone"))
    assert world.engine.wanted["zone"].primaries == {"dns/p1", "other/p2"}
    assert "ns1.example.org. 3600 IN A 192.0.2.53\nns1.example.org. 3600 IN A 192.0.2.54" in contents(world)


def test_a_zone_without_a_primary_says_which_server_it_would_have_and_what_is_missing(world: World):
    world.api.delete("Bind9Instance", "p1")
    shared_server(world, **{NAMESPACES_ANNOTATION: "dns"})
    settle(world, world.zones())
    assert world.condition("DNSZone", "zone") == ("False", "NoPrimaryInstances")
    message = world.status("DNSZone", "zone")["conditions"][0]["message"]
    assert "Bind9Instance other/p2 matches but its namespace is not named in bind9InstancesFrom" in message


def second_name(world: World, tier: str) -> None:
    """Another instance for the server that p1 stands for."""
    external = {"address": "192.0.2.53", "bindcarUrl": "http://192.0.2.53:8080", "role": "primary"}
    later = {"creationTimestamp": "2026-02-01T00:00:00Z"}
    world.api.apply("Bind9Instance", "p2", {"external": external}, labels={"tier": tier}, **later)


def select(world: World, tier: str) -> None:
    world.apply_zone(spec={"bind9InstancesFrom": [{"selector": {"matchLabels": {"tier": tier}}}]})


def test_a_zone_has_a_server_once_however_often_it_is_registered(world: World):
    second_name(world, "demo")
    world.zones().reconcile(key("zone"))
    wanted = world.engine.wanted["zone"]
    assert wanted.primaries == {"dns/p1"}
    assert wanted.former == set()


def test_nothing_lost_server_registered_twice_is_not_left_while_a_name_of_it_is_selected(world: World):
    second_name(world, "second")
    zones = served(world)
    select(world, "second")
    zones.reconcile(key("zone"))
    wanted = world.engine.wanted["zone"]
    assert wanted.primaries == {"dns/p1"}
    assert wanted.former == {"dns/s1"}
    select(world, "nobody")
    zones.reconcile(key("zone"))
    assert world.engine.wanted["zone"].former == {"dns/p1", "dns/s1"}, "now it is left"


def test_nothing_lost_server_registered_twice_is_not_left_when_consent_to_its_first_name_is_withdrawn(world: World):
    """It must not be used any more; what is there stays, because the zone still selects that server."""
    world.api.delete("Bind9Instance", "p1")
    shared_server(world, **{NAMESPACES_ANNOTATION: "dns"})
    external = {"address": "198.51.100.53", "role": "primary"}
    later = {"creationTimestamp": "2026-02-01T00:00:00Z"}
    world.api.apply("Bind9Instance", "p2", {"external": external}, labels={"tier": "demo"}, **later)
    entry = {"namespace": "other", "name": "p2", "role": "primary", "status": "Configured"}
    world.api.patch(KINDS["DNSZone"], "zone", {"status": {"bind9Instances": [entry]}}, **STATUS)
    world.zones().reconcile(key("zone"))
    wanted = world.engine.wanted["zone"]
    assert not wanted.primaries | wanted.former


def test_nothing_lost_server_registered_twice_zone_that_was_on_the_second_is_not_deleted_through_it(world: World):
    zones = served(world)
    world.apply_server("p0")
    fields = {"external": {"address": "192.0.2.53", "role": "primary"}}
    world.api.apply("Bind9Instance", "p0", fields, labels={"tier": "x"}, creationTimestamp="2025-01-01T00:00:00Z")
    told = [{"type": "Ready", "status": "False", "reason": "DuplicateServer", "message": ""}]
    world.api.patch(KINDS["Bind9Instance"], "p1", {"status": {"conditions": told}}, **STATUS)
    zones.reconcile(key("zone"))
    wanted = world.engine.wanted["zone"]
    assert not wanted.primaries | wanted.former
    world.api.delete("DNSZone", "zone")
    zones.reconcile(key("zone"))
    assert world.engine.deleted[0].servers == {"dns/s1"}


def test_a_zone_that_selects_only_a_second_name_says_so(world: World):
    second_name(world, "second")
    select(world, "second")
    settle(world, world.zones())
    assert world.condition("DNSZone", "zone") == ("False", "NoPrimaryInstances")
    message = world.status("DNSZone", "zone")["conditions"][0]["message"]
    assert "Bind9Instance dns/p2 is a duplicate of dns/p1 and does nothing" in message


def leave_s1(world: World) -> None:
    """The zone's selector does not find it any more."""
    world.api.apply("Bind9Instance", "s1", {"external": {"address": "192.0.2.54", "role": "secondary"}}, labels={})


def test_a_server_that_the_zone_leaves_is_a_former_one(world: World):
    zones = served(world)
    leave_s1(world)
    zones.reconcile(key("zone"))
    assert world.engine.wanted["zone"].former == {"dns/s1"}


def test_an_adopted_zones_apex_is_not_claimed_even_if_it_was_elsewhere(world: World):
    zones = served(world)
    for name in ("p1", "s1"):
        world.api.delete("Bind9Instance", name)
    world.apply_server("p2", bindcarUrl=None)
    world.clock.advance(10)
    zones.reconcile(key("zone"))
    assert world.get("DNSZone", "zone")["metadata"]["annotations"][OWN_ANNOTATION] == ""
    assert world.engine.wanted["zone"].primaries == {"dns/p2"}
    assert world.engine.wanted["zone"].claimed == {}
    assert world.engine.wanted["zone"].adopted_claims == {}


def test_a_server_that_the_zone_has_left_is_forgotten(world: World):
    zones = served(world)
    leave_s1(world)
    zones.reconcile(key("zone"))
    known = world.engine.zones["zone"]
    world.engine.zones["zone"] = replace(known, servers=known.servers[:1])  # nothing of it is left on s1
    settle(world, zones)
    assert world.engine.wanted["zone"].former == set()
    assert [each["name"] for each in world.status("DNSZone", "zone")["bind9Instances"]] == ["p1"]


def test_a_zone_that_leaves_a_server_before_status_names_it_leaves_it_all_the_same(world: World):
    zones = world.zones()
    zones.reconcile(key("zone"))
    assert "status" not in world.get("DNSZone", "zone")
    serving(world)
    leave_s1(world)
    world.clock.advance(10)
    zones.reconcile(key("zone"))
    assert world.engine.wanted["zone"].former == {"dns/s1"}


@pytest.mark.parametrize(
    ("spec", "status", "floor"),
    [({}, None, 1), ({"serial": 5}, None, 5), ({}, 9, 9), ({"serial": 5}, 9, 9), ({"serial": 12}, 9, 12)],
)
def test_the_serial_never_falls_below_the_specs_or_the_last_known_one(
    world: World, spec: dict[str, int], status: int | None, floor: int
):
    soa = zone_spec("example.org")["soaRecord"] | spec
    world.apply_zone(spec={"soaRecord": soa})
    if status:
        world.api.patch(KINDS["DNSZone"], "zone", {"status": {"serial": status}}, **STATUS)
    world.zones().reconcile(key("zone"))
    assert world.engine.wanted["zone"].serial_floor == floor


def test_consent_is_passed_on(world: World):
    zones = served(world)
    zones.reconcile(key("zone"))
    assert not world.engine.wanted["zone"].consent
    annotate(world, **{CONSENT_ANNOTATION: "true"})
    zones.reconcile(key("zone"))
    assert world.engine.wanted["zone"].consent


def test_an_adopted_zone_keeps_its_own_apex(world: World):
    world.apply_server("p1", bindcarUrl=None)
    world.apply_a(**CLAIMED)
    world.zones().reconcile(key("zone"))
    assert contents(world) == {"www.example.org. 3600 IN A 192.0.2.1"}


def test_a_name_server_that_is_taken_out_stays_ours_until_it_is_gone(world: World):
    two = [{"hostname": f"ns{n}.example.org.", "ipv4Address": f"192.0.2.{n}"} for n in (1, 2)]
    world.apply_zone(spec={"nameServers": two})
    zones = served(world)
    serving(world, published=False)
    world.apply_zone(spec={"nameServers": two[:1]})
    zones.reconcile(key("zone"))
    gone = {str(each) for each in world.engine.wanted["zone"].claimed} - {
        str(each) for each in world.engine.wanted["zone"].rrsets
    }
    assert gone == {"ns2.example.org. A"}
    serving(world)
    zones.reconcile(key("zone"))
    assert "ns2" not in world.get("DNSZone", "zone")["metadata"]["annotations"][OWN_ANNOTATION]


# -- what is refused


@pytest.mark.parametrize(
    ("what", "spec", "says"),
    [
        ("no model", {"ttl": "soon"}, "spec.ttl"),
        ("no name of IDNA", {"zoneName": "☃.example"}, "spec.zoneName: "),
        ("nested too deep", {"more": DEEP}, "spec.more: nested deeper than 200 levels"),
        (
            "no mailbox",
            {"soaRecord": {"primaryNs": "ns1.example.org.", "adminEmail": "a..b"}},
            "spec.soaRecord.adminEmail",
        ),
        (
            "no selector",
            {"recordsFrom": [{"selector": {"matchExpressions": [{"key": "zone", "operator": "In", "values": []}]}}]},
            "needs values",
        ),
    ],
)
def test_an_invalid_zone_is_told_why_and_never_reaches_the_engine(
    world: World, what: str, spec: dict[str, Any], says: str
):
    world.apply_zone(spec=spec)
    settle(world, world.zones())
    assert world.condition("DNSZone", "zone") == ("False", "InvalidZone")
    assert says in world.status("DNSZone", "zone")["conditions"][0]["message"]
    assert world.engine.wanted == {}
    assert world.writes() == [STATUS_WRITE]


def test_the_younger_of_two_zones_on_one_server_is_a_duplicate_until_the_older_goes(world: World):
    world.apply_zone("late", creationTimestamp="2026-02-01T00:00:00Z")
    zones = world.zones()
    settle(world, zones, "late")
    assert world.condition("DNSZone", "late") == ("False", "DuplicateZone")
    assert world.invalid_zones.get(key("late"))
    assert world.woken == [key("late")]
    assert "late" not in world.engine.wanted
    world.api.delete("DNSZone", "zone")
    zones.reconcile(key("late"))
    assert world.engine.wanted["late"].primaries == {"dns/p1"}
    assert world.woken == [key("late"), key("late")]
    assert world.invalid_zones.get(key("late")) is None


def test_nothing_lost_an_idle_older_zone_leaves_the_zone_to_the_one_that_serves_it(world: World):
    zones = served(world)
    world.apply_zone("older", creationTimestamp="2025-01-01T00:00:00Z")
    settle(world, zones, "older")
    settle(world, zones)
    assert world.condition("DNSZone", "older") == ("False", "DuplicateZone")
    assert "DNSZone dns/zone has the zone on dns/p1, dns/s1" in world.message("DNSZone", "older")
    assert world.condition("DNSZone", "zone") == ("True", "ZonePublished")
    assert world.engine.deleted == []
    del world.engine.zones["zone"]
    again = world.zones()
    settle(world, again, "older")
    assert world.condition("DNSZone", "older") == ("False", "DuplicateZone"), "also if the operator starts again"
    assert world.engine.deleted == []


def test_a_duplicate_says_where_something_of_it_may_stand_until_it_is_gone_from_there(world: World):
    """It was on its way there, and its status was not written yet: after a restart nothing else would tell."""
    zones = served(world)
    world.apply_zone("late", creationTimestamp="2026-02-01T00:00:00Z", finalizers=[ZONE_FINALIZER])
    late = ZoneRef(parse_zone("example.org"), "uid-DNSZone-late", "dns", "late")
    leaving = ServerStatus("dns/p1", Role.PRIMARY, ClaimState.UNCLAIMED, None, False)
    world.engine.zones["late"] = ZoneStatus(late, 1, None, False, False, (leaving,))
    settle(world, zones, "late")
    assert world.condition("DNSZone", "late") == ("False", "DuplicateZone")
    assert [each["name"] for each in world.get("DNSZone", "late")["status"]["bind9Instances"]] == ["p1"]


def test_a_zone_that_shares_one_of_its_servers_is_served_on_the_others_and_says_so(world: World):
    zones = served(world)
    other = {"address": "192.0.2.55", "bindcarUrl": "http://192.0.2.55:8080", "role": "primary"}
    world.api.apply("Bind9Instance", "p2", {"external": other}, labels={"tier": "other"})
    either = [{"selector": {"matchExpressions": [{"key": "tier", "operator": "Exists"}]}}]
    world.apply_zone("late", spec={"bind9InstancesFrom": either}, creationTimestamp="2026-02-01T00:00:00Z")
    settle(world, zones, "late")
    assert world.engine.wanted["late"].primaries == {"dns/p2"}
    assert world.engine.wanted["late"].secondaries == set()
    assert world.condition("DNSZone", "late", "Degraded") == ("True", "DuplicateZone")
    settle(world, zones)
    assert world.condition("DNSZone", "zone", "Degraded") == ("False", "AllServersHealthy")


def test_nothing_lost_a_zone_whose_finalizer_was_taken_off_by_hand_does_not_block_its_successor(world: World):
    zones = served(world)
    world.api.vanish("DNSZone", "zone")
    zones.reconcile(key("zone"))
    assert [gone.ref for gone in world.engine.deleted] == [REF]
    zones.reconcile(key("zone"))
    assert len(world.engine.deleted) == 1, "once is enough"


def test_a_zone_that_was_replaced_without_an_end_is_withdrawn_before_its_successor_comes(world: World):
    zones = served(world)
    world.api.vanish("DNSZone", "zone")
    world.apply_zone(uid="another")
    zones.reconcile(key("zone"))
    assert [gone.ref for gone in world.engine.deleted] == [REF]
    assert world.engine.wanted["zone"].ref.uid == "another"


def test_on_other_servers_the_same_zone_is_another_one(world: World):
    elsewhere = [{"selector": {"matchLabels": {"tier": "other"}}}]
    world.apply_zone("late", spec={"bind9InstancesFrom": elsewhere}, creationTimestamp="2026-02-01T00:00:00Z")
    settle(world, world.zones(), "late")
    assert world.condition("DNSZone", "late") == ("False", "NoPrimaryInstances")
    assert "late" in world.engine.wanted


UNREADABLE = pytest.mark.parametrize("spec", [{"ttl": "soon"}, {"more": DEEP}], ids=["no model", "nested too deep"])


@UNREADABLE
def test_a_served_zone_that_becomes_invalid_still_says_where_it_is(world: World, spec: dict[str, Any]):
    zones = served(world)
    world.apply_zone(spec=spec)
    settle(world, zones)
    assert [entry["name"] for entry in world.status("DNSZone", "zone")["bind9Instances"]] == ["p1", "s1"]
    assert world.status("DNSZone", "zone")["serial"] == 7


# -- how often status is written


def test_a_new_zone_is_written_twice(world: World):
    served(world)
    fresh = World()
    fresh.apply_server("p1")
    fresh.apply_zone()
    zones = fresh.zones()
    zones.reconcile(key("zone"))
    serving(fresh)
    settle(fresh, zones)
    assert fresh.writes() == [CLAIM, STATUS_WRITE]


def test_nothing_is_written_when_nothing_changed(world: World):
    zones = served(world)
    for reconciler in (zones, world.zones()):
        settle(world, reconciler)
    assert world.writes() == []


def test_a_burst_of_changes_is_one_write_a_second(world: World):
    zones = served(world)
    world.clock.advance(10)
    for serial in range(8, 48):
        serving(world, serial=serial)
        zones.reconcile(key("zone"))
        world.clock.advance(0.1)
    assert len(world.writes()) == 4  # in four seconds


def test_the_last_of_a_burst_is_written_in_the_end(world: World):
    zones = served(world)
    serving(world, serial=8)
    zones.reconcile(key("zone"))
    serving(world, serial=9)
    result = zones.reconcile(key("zone"))
    assert result is not None
    assert result.requeue_after == pytest.approx(BETWEEN_WRITES)
    world.clock.advance(BETWEEN_WRITES)
    zones.reconcile(key("zone"))
    assert world.status("DNSZone", "zone")["serial"] == 9


def test_a_change_under_way_is_told_only_if_it_lasts(world: World):
    zones = served(world)
    serving(world, published=False)
    result = zones.reconcile(key("zone"))
    assert result is not None
    assert result.requeue_after == pytest.approx(PASSING)
    assert world.writes() == []
    world.clock.advance(PASSING)
    zones.reconcile(key("zone"))
    assert world.condition("DNSZone", "zone") == ("False", "Progressing")


def test_in_a_burst_a_zone_waits_for_its_turn(world: World, monkeypatch: pytest.MonkeyPatch):
    zones = served(world)
    monkeypatch.setattr(world.engine, "want", lambda _: world.clock.advance(0.01))
    zones.reconcile(key("zone"))
    result = zones.reconcile(key("zone"))
    assert result is not None
    assert result.requeue_after == pytest.approx(REST_FACTOR * 0.01)
    world.clock.advance(REST_FACTOR * 0.01)
    before = world.clock.monotonic()
    zones.reconcile(key("zone"))
    assert world.clock.monotonic() > before


def test_an_api_server_that_takes_its_time_with_the_status_does_not_hold_up_the_next_change(world: World):
    zones = served(world)
    serving(world, serial=8)
    world.api.before_patch = lambda: world.clock.advance(0.1)
    zones.reconcile(key("zone"))
    assert world.writes() == [("DNSZone/zone", "status")]
    handed_over = world.engine.wanted.pop("zone")
    zones.reconcile(key("zone"))
    assert world.engine.wanted["zone"].rrsets == handed_over.rrsets


# -- the end


def test_a_deleted_zone_waits_for_the_engine_and_is_then_released(world: World):
    zones = served(world)
    world.apply_a(**CLAIMED)
    world.api.delete("DNSZone", "zone")
    zones.reconcile(key("zone"))
    (gone,) = world.engine.deleted
    assert gone.ref == REF
    assert gone.servers == {"dns/p1", "dns/s1"}
    assert world.writes() == []
    zones.released(REF)
    zones.reconcile(key("zone"))
    assert world.api.object("DNSZone", key("zone")) is None
    zones.reconcile(key("zone"))
    assert zones._released._uids == {}


def test_a_deletion_that_lasts_says_what_it_waits_for(world: World):
    zones = served(world)
    world.api.delete("DNSZone", "zone")
    zones.reconcile(key("zone"))
    known = world.engine.zones["zone"]
    world.engine.zones["zone"] = replace(known, deleting=True, blocked_by=("dns/s1:example.org.",))
    result = zones.reconcile(key("zone"))
    assert world.writes() == []
    assert result is not None
    assert result.requeue_after is not None
    world.clock.advance(result.requeue_after)
    zones.reconcile(key("zone"))
    assert world.writes() == [STATUS_WRITE]
    assert world.condition("DNSZone", "zone") == ("False", "Deleting")
    zones.released(REF)
    zones.reconcile(key("zone"))
    assert world.api.object("DNSZone", key("zone")) is None


def test_servers_that_only_status_remembers_are_cleaned_too(world: World):
    zones = served(world)
    del world.engine.zones["zone"]  # a new process
    leave_s1(world)
    world.api.delete("DNSZone", "zone")
    zones.reconcile(key("zone"))
    assert world.engine.deleted[0].servers == {"dns/p1", "dns/s1"}


def test_nobody_waits_for_a_server_whose_object_is_gone(world: World):
    zones = served(world)
    world.api.delete("Bind9Instance", "s1")
    zones.reconcile(key("zone"))
    assert world.engine.wanted["zone"].former == set()
    world.api.delete("DNSZone", "zone")
    zones.reconcile(key("zone"))
    assert world.engine.deleted[0].servers == {"dns/p1"}


def test_servers_that_only_the_engine_knows_of_are_cleaned_too(world: World):
    zones = world.zones()
    zones.reconcile(key("zone"))
    serving(world)
    leave_s1(world)
    world.api.delete("DNSZone", "zone")
    world.clock.advance(10)
    zones.reconcile(key("zone"))
    assert world.engine.deleted[0].servers == {"dns/p1", "dns/s1"}


def test_the_release_of_an_earlier_zone_of_this_name_is_not_this_ones(world: World):
    zones = served(world)
    zones.released(REF._replace(uid="of an earlier one"))
    world.api.delete("DNSZone", "zone")
    zones.reconcile(key("zone"))
    assert world.api.object("DNSZone", key("zone")) is not None


def test_a_duplicate_that_was_never_served_goes_without_dns_work(world: World):
    zones = served(world)
    world.apply_zone("late", creationTimestamp="2026-02-01T00:00:00Z", finalizers=[ZONE_FINALIZER])
    settle(world, zones, "late")
    world.api.delete("DNSZone", "late")
    zones.reconcile(key("late"))
    assert world.engine.deleted == []
    assert world.api.object("DNSZone", key("late")) is None


@UNREADABLE
@pytest.mark.parametrize("restarted", [False, True], ids=["in one process", "after a restart"])
def test_a_zone_that_was_served_and_became_invalid_is_cleaned_up_all_the_same(
    world: World, restarted: bool, spec: dict[str, Any]
):
    zones = served(world)
    world.apply_zone(spec=spec)
    if restarted:
        world.restart()
        zones = world.zones()
    settle(world, zones)
    world.api.delete("DNSZone", "zone")
    zones.reconcile(key("zone"))
    (gone,) = world.engine.deleted
    assert gone.ref == REF
    assert gone.servers == {"dns/p1", "dns/s1"}
    assert world.api.object("DNSZone", key("zone")) is not None


@pytest.mark.parametrize(("name", "cleaned"), [("ex-.ample", True), (".", False), ("a..b", False), ("x" * 300, False)])
def test_a_zone_of_a_name_that_no_new_one_may_have_is_cleaned_up_where_it_could_have_been(
    world: World, name: str, cleaned: bool
):
    """An earlier version took more names, and published in such a zone where it was adopted."""
    world.apply_zone("odd", name, finalizers=[ZONE_FINALIZER])
    holders = {"bind9Instances": [{"namespace": "dns", "name": "p1"}]}
    world.api.patch(KINDS["DNSZone"], "odd", {"status": holders}, **STATUS)
    zones = world.zones()
    settle(world, zones, "odd")
    assert world.condition("DNSZone", "odd") == ("False", "InvalidZone")
    assert "spec.zoneName: " in world.status("DNSZone", "odd")["conditions"][0]["message"]
    world.api.delete("DNSZone", "odd")
    zones.reconcile(key("odd"))
    assert [gone.ref.zone.to_text() for gone in world.engine.deleted] == (["ex-.ample."] if cleaned else [])
    assert (world.api.object("DNSZone", key("odd")) is not None) == cleaned


def test_a_zone_that_is_gone_leaves_nothing_behind(world: World):
    world.apply_zone("late", creationTimestamp="2026-02-01T00:00:00Z")
    zones = world.zones()
    settle(world, zones, "late")
    world.api.delete("DNSZone", "late")
    zones.reconcile(key("late"))
    assert world.invalid_zones._invalid_zones == {}
    assert (zones._debounce._wrote, zones._debounce._unpublished) == ({}, {})


# -- the last look before a zone is created


@pytest.mark.parametrize(
    ("what", "change", "live"),
    [
        ("it is as it was", lambda world: None, True),
        ("it is being deleted", lambda world: world.api.delete("DNSZone", "zone"), False),
        ("it is another object", lambda world: world.apply_zone(uid="another"), False),
        ("its finalizer is gone", lambda world: world.apply_zone(finalizers=["theirs"]), False),
    ],
)
def test_a_zone_is_live(world: World, what: str, change: Any, live: bool):
    served(world)
    change(world)
    api: Any = world.api
    assert is_live(api)(REF) is live


def test_a_zone_that_is_not_there_is_not_live():
    api: Any = World().api
    assert is_live(api)(REF) is False


# -- what records have in zones of others


@pytest.mark.parametrize(
    ("sentence", "entry", "counts"),
    [
        ("version 0.1 wrote the entry: all claims count", {}, True),
        ("records remember by themselves what is theirs", {"adopted": True}, False),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_a_claim_that_was_never_published_on_a_server_of_others_counts_there_only_if_nobody_wrote_where(
    world: World, sentence: str, entry: dict[str, Any], counts: bool
):
    world.apply_server("p1", bindcarUrl=None)
    world.apply_a(**CLAIMED)
    held = {"namespace": "dns", "name": "p1", "role": "primary", "status": "Configured", **entry}
    world.api.patch(KINDS["DNSZone"], "zone", {"status": {"bind9Instances": [held]}}, **STATUS)
    world.zones().reconcile(key("zone"))
    claims = world.engine.wanted["zone"].adopted_claims
    assert {server: {str(each.name) for each in keys} for server, keys in claims.items()} == (
        {"dns/p1": {"www.example.org."}} if counts else {}
    )


# -- the last look before a zone is deleted as one of an object that is gone


@pytest.mark.parametrize(
    ("what", "change", "found"),
    [
        ("it is there", lambda world: None, key("zone")),
        ("it is being deleted", lambda world: world.api.delete("DNSZone", "zone"), None),
        ("it is another object", lambda world: world.apply_zone(uid="another"), None),
    ],
)
def test_the_object_that_a_zone_belongs_to_is(world: World, what: str, change: Any, found: Any):
    served(world)
    change(world)
    informer: Any = SimpleNamespace(objects=lambda: [world.api.object("DNSZone", key("zone"))])
    assert with_uid(informer)(REF.uid) == found
