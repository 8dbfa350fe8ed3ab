"""Zones on real servers: created, changed, deleted, duplicated, adopted."""

from typing import Any

import pytest

from tests.support.scene import LABEL, Scene
from zonewright.testing import eventually


def test_a_zone_is_created_on_every_server_with_one_serial(scene: Scene):
    scene.create_zone()
    scene.wait("dnszones", "zone")

    def status() -> dict[str, Any]:
        found: dict[str, Any] = scene.get("dnszones", "zone")["status"]
        return found

    def servers() -> list[tuple[str, str]]:
        return sorted((entry["role"], entry["status"]) for entry in status()["bind9Instances"])

    primary, secondary = ("primary", "Configured"), ("secondary", "Configured")
    eventually(lambda: set(scene.serials()) == {status()["serial"]}, what=lambda: f"one serial: {scene.serials()}")
    eventually(lambda: servers() == [primary, primary, secondary], what=lambda: f"configured servers: {servers()}")


def test_soa_and_ttl_changes_reach_an_existing_zone(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("dnszones", "zone")
    scene.patch("dnszones", "zone", {"spec": {"soaRecord": {"refresh": 7777, "adminEmail": "dns.admin@example.org"}}})
    eventually(
        lambda: all(
            " 7777 " in f" {' '.join(scene.stage.ask(server, scene.zone, 'SOA'))} " for server in scene.stage.servers
        ),
        what="the new SOA on every server",
    )
    (soa,) = scene.stage.ask(scene.stage.primaries[0], scene.zone, "SOA")
    assert soa.split()[1] == "dns\\.admin.example.org."


def test_name_servers_and_their_addresses_follow_the_spec(scene: Scene):
    servers = [
        {"hostname": f"ns1.{scene.zone}.", "ipv4Address": "192.0.2.53"},
        {"hostname": f"ns2.{scene.zone}.", "ipv4Address": "192.0.2.54", "ipv6Address": "2001:db8::54"},
    ]
    scene.create_zone(nameServers=servers)
    scene.served("@", f"ns1.{scene.zone}.", f"ns2.{scene.zone}.", rdtype="NS")
    scene.served("ns2", "2001:db8::54", rdtype="AAAA")
    scene.wait("dnszones", "zone")
    scene.patch("dnszones", "zone", {"spec": {"nameServers": servers[:1]}})
    scene.served("@", f"ns1.{scene.zone}.", rdtype="NS")
    scene.served("ns2", rdtype="AAAA")
    scene.served("ns2")
    scene.served("ns1", "192.0.2.53")


def test_an_in_zone_name_server_without_an_address_gets_that_of_the_servers(scene: Scene):
    scene.create_zone()
    scene.served("ns1", "127.0.0.1")
    scene.create_a("ns1", "192.0.2.53")
    scene.served("ns1", "192.0.2.53")


def test_a_deleted_zone_is_gone_from_every_server_and_its_records_let_go(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www")
    scene.delete("dnszones", "zone")
    eventually(lambda: not scene.exists("dnszones", "zone"), what="the zone's end")
    assert scene.serials() == [None] * len(scene.stage.servers)
    eventually(lambda: not scene.get("arecords", "www")["metadata"].get("finalizers"), what="the record's release")


def test_a_zone_that_is_created_again_starts_with_a_higher_serial(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www", "Propagated")
    before = scene.serials()[0]
    scene.delete("dnszones", "zone")
    eventually(lambda: not scene.exists("dnszones", "zone"))
    scene.create_zone()
    scene.served("www", "192.0.2.1")
    (after,) = eventually(lambda: len(set(scene.serials())) == 1 and set(scene.serials()))
    assert before is not None
    assert after is not None
    assert after > before


def test_a_second_zone_of_the_same_name_on_the_same_servers_is_a_duplicate_until_the_first_goes(scene: Scene):
    scene.create_zone("first")
    scene.wait("dnszones", "first")
    scene.create_zone("second", labels={"zone": "second"})
    scene.create_a("www", labels={"zone": "second"})
    assert f"{scene.namespace}/first" in scene.refused("dnszones", "second", "DuplicateZone")
    scene.wait("dnszones", "first")
    scene.delete("dnszones", "first")
    scene.wait("dnszones", "second")
    scene.served("www", "192.0.2.1")


def test_nothing_lost_an_idle_older_zone_does_not_take_over_a_zone_that_is_served(scene: Scene):
    nowhere = [{"selector": {"matchLabels": {LABEL: "nobody"}}}]
    scene.create_zone("elder", labels={"zone": "elder"}, bind9InstancesFrom=nowhere)
    scene.create_zone("younger", labels={"zone": "younger"})
    scene.create_a("www", labels={"zone": "younger"})
    scene.wait("arecords", "www", "Propagated")
    serials = scene.serials()
    scene.patch("dnszones", "elder", {"spec": {"bind9InstancesFrom": [{"selector": {"matchLabels": {LABEL: "demo"}}}]}})
    assert f"{scene.namespace}/younger" in scene.refused("dnszones", "elder", "DuplicateZone")
    scene.caught_up()
    scene.wait("dnszones", "younger")
    scene.wait("arecords", "www")
    scene.served("www", "192.0.2.1")
    assert scene.serials() == serials
    scene.delete("dnszones", "younger")
    scene.wait("dnszones", "elder")
    scene.served("www")


def test_nothing_lost_a_zone_that_only_a_finalizer_of_others_keeps_does_not_block_its_successor(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("dnszones", "zone")
    ours = scene.get("dnszones", "zone")["metadata"]["finalizers"]
    scene.patch("dnszones", "zone", {"metadata": {"finalizers": [*ours, "example.org/hold"]}})
    scene.delete("dnszones", "zone")
    scene.create_zone("successor")
    scene.wait("dnszones", "successor")
    scene.served("www", "192.0.2.1")
    assert scene.get("dnszones", "zone")["metadata"]["finalizers"] == ["example.org/hold"]
    scene.patch("dnszones", "zone", {"metadata": {"finalizers": None}})


def test_nothing_lost_a_finalizer_taken_off_by_hand_leaves_the_name_to_the_next_zone(scene: Scene):
    scene.create_zone("first", labels={"zone": "first"})
    scene.create_a("old", labels={"zone": "first"})
    scene.wait("arecords", "old", "Propagated")
    scene.patch("dnszones", "first", {"metadata": {"finalizers": None}})
    scene.delete("dnszones", "first")
    eventually(lambda: not scene.exists("dnszones", "first"), what="the end of the object")
    scene.create_zone("second", labels={"zone": "second"})
    scene.create_a("new", labels={"zone": "second"})
    scene.wait("arecords", "new", "Propagated")
    scene.served("new", "192.0.2.1")
    scene.served("old")


def test_nothing_lost_a_duplicate_zone_leaves_records_of_other_zones_ready(scene: Scene):
    scene.create_zone("first")
    scene.create_a("www")
    scene.wait("arecords", "www")
    scene.create_zone("second")  # selects the same records
    scene.refused("dnszones", "second", "DuplicateZone")
    scene.patch("arecords", "www", {"spec": {"ipv4Address": "192.0.2.2"}})
    scene.served("www", "192.0.2.2")
    record = scene.wait("arecords", "www", "Propagated")
    assert record["status"]["observedGeneration"] == record["metadata"]["generation"]
    scene.caught_up()
    scene.wait("arecords", "www")
    scene.delete("arecords", "www")
    eventually(lambda: not scene.exists("arecords", "www"), what="the end of the record")


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("spec.nameServerIps[ns2.example.org]", {"nameServerIps": {"ns2.example.org": "192.0.2.256"}}),
        (
            "spec.soaRecord.adminEmail",
            {"soaRecord": {"primaryNs": "ns1.example.org.", "adminEmail": f"{'x' * 64}@example.org"}},
        ),
    ],
)
def test_nothing_lost_a_bad_field_of_a_zone_is_named_and_what_was_served_stays(scene: Scene, field, bad):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www", "Propagated")
    scene.patch("dnszones", "zone", {"spec": bad})
    assert field in scene.refused("dnszones", "zone", "InvalidZone")
    scene.served("www", "192.0.2.1")


def test_the_same_zone_on_different_servers_is_two_zones(scene: Scene):
    one, two = scene.stage.primaries
    for server, tier in ((one, "blue"), (two, "green")):
        scene.patch("bind9instances", server.name, {"metadata": {"labels": {LABEL: tier}}})
    for name, tier, address in (("blue", "blue", "192.0.2.1"), ("green", "green", "192.0.2.2")):
        select = [{"selector": {"matchLabels": {LABEL: tier}}}]
        scene.create_zone(name, labels={"zone": tier}, bind9InstancesFrom=select)
        record = {"name": "www", "ipv4Address": address}
        scene.create("ARecord", tier, record, labels={"zone": tier})
    for name in ("blue", "green"):
        scene.wait("arecords", name)
        scene.wait("dnszones", name)
    assert scene.stage.ask(one, f"www.{scene.zone}", "A") == {"192.0.2.1"}
    assert scene.stage.ask(two, f"www.{scene.zone}", "A") == {"192.0.2.2"}


def test_a_zone_without_primaries_says_so(scene: Scene):
    scene.create_zone(bind9InstancesFrom=[{"selector": {"matchLabels": {LABEL: "nobody"}}}])
    scene.refused("dnszones", "zone", "NoPrimaryInstances")


def test_delete_namespace_of_a_full_namespace_ends(scene: Scene):
    scene.create_zone()
    for number in range(20):
        scene.create_a(f"host{number}", f"192.0.2.{number + 1}")
    scene.wait("arecords", "host19")
    scene.stage.cluster.request("DELETE", f"/api/v1/namespaces/{scene.namespace}")
    eventually(
        lambda: scene.stage.cluster.request("GET", f"/api/v1/namespaces/{scene.namespace}").status == 404,
        what="the namespace's end",
    )


def test_mass_removal_waits_for_consent(scene: Scene):
    scene.create_zone()
    for number in range(20):
        scene.create_a(f"host{number}", f"192.0.2.{number + 1}", labels={"zone": scene.zone, "batch": "one"})
    for number in range(20):
        scene.wait("arecords", f"host{number}")
    scene.patch(
        "dnszones", "zone", {"spec": {"recordsFrom": [{"selector": {"matchLabels": {"zone": "nothing-at-all"}}}]}}
    )
    scene.refused("dnszones", "zone", "WaitingForConsent")
    scene.served("host3", "192.0.2.4")
    consent = {"metadata": {"annotations": {"bindy.firestoned.io/allow-mass-delete": "true"}}}
    scene.patch("dnszones", "zone", consent)
    scene.served("host3")
    scene.wait("dnszones", "zone")
