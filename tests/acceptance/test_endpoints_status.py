"""The status of DNSEndpoints on real name servers: every reason of each condition, and the way back to Ready."""

import dns.update
import pytest

from tests.support.dnsendpoints import (
    WELL,
    a,
    by_hand,
    change,
    clock,
    conditions,
    frozen,
    gone,
    left_out,
    messages,
    paused,
    ready,
    refused,
    told,
)
from tests.support.scene import LABEL, Scene
from zonewright.testing import eventually


@pytest.fixture
def zone(scene: Scene) -> Scene:
    """A scene with a zone that is published."""
    scene.create_zone()
    scene.wait("dnszones", "zone")
    return scene


@pytest.mark.criterion(number="EP-S1")
def test_accepted_synced_and_ready_of_what_is_programmed(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"), a(zone, "api"))
    status = ready(zone)
    assert conditions(status) == WELL
    assert messages(status) == {
        "Accepted": "2 endpoints accepted",
        "Synced": "Successfully synced DNS records",
        "Ready": "2 endpoints in DNS",
    }
    assert (status["endpoints"], status["records"], status["endpointStatuses"]) == (2, "2/2", [])
    assert status["providerStatus"] == ", ".join(
        f"{zone.namespace}/{name}: NOERROR" for name in sorted(each.name for each in zone.stage.primaries)
    )
    assert status["lastSyncTime"]
    told(zone, "Normal", "RecordReady", "2 endpoints in DNS")


@pytest.mark.criterion(number="EP-S2")
def test_accepted_is_false_and_ready_invalid_for_what_cannot_be_said_in_dns(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"), a(zone, "bad", "nonsense"))
    status = refused(zone, "Invalid")
    assert conditions(status) == WELL | {"Accepted": ("False", "Invalid"), "Ready": ("False", "Invalid")}
    assert "spec.endpoints[1].targets[0]" in messages(status)["Accepted"]
    assert (status["records"], left_out(status)) == ("1/2", [("bad", "Invalid")])
    zone.served("www", "192.0.2.1")
    told(zone, "Warning", "RecordError", "spec.endpoints[1].targets[0]")
    change(zone, a(zone, "www"), a(zone, "bad"))
    assert conditions(ready(zone)) == WELL


@pytest.mark.criterion(number="EP-S3")
def test_synced_is_false_and_ready_failed_while_a_server_refuses_with_its_own_word(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"))
    ready(zone)
    with frozen(zone):
        change(zone, a(zone, "www", "192.0.2.2"))
        status = refused(zone, "Failed")
        assert conditions(status) == WELL | {"Synced": ("False", "SyncFailed"), "Ready": ("False", "Failed")}
        assert "REFUSED" in messages(status)["Synced"]
        assert left_out(status) == [("www", "Failed")]
        assert "REFUSED" in status["providerStatus"]
        told(zone, "Warning", "RecordError", "REFUSED")
        zone.served("www", "192.0.2.1")
    assert conditions(ready(zone)) == WELL
    zone.served("www", "192.0.2.2")


@pytest.mark.criterion(number="EP-S3")
def test_one_endpoint_that_the_server_refuses_fails_alone_with_the_servers_word(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"), a(zone, "not_a_host"))  # BIND's check-names
    status = refused(zone, "Failed")
    assert left_out(status) == [("not_a_host", "Failed")]
    assert "REFUSED" in status["endpointStatuses"][0]["message"]
    assert "REFUSED" in status["providerStatus"]
    assert status["records"] == "1/2"
    zone.served("www", "192.0.2.1")
    change(zone, a(zone, "www"), a(zone, "host"))
    assert conditions(ready(zone)) == WELL


@pytest.mark.criterion(number="EP-S4")
def test_ready_filtered_without_a_zone_that_takes_it(scene: Scene):
    scene.create_endpoints("one", a(scene, "www"))
    status = refused(scene, "Filtered")
    assert conditions(status) == WELL | {"Ready": ("False", "Filtered")}
    assert f"namespace {scene.namespace}" in messages(status)["Ready"]
    assert (status["endpoints"], status["records"], left_out(status)) == (0, "0/1", [("www", "Filtered")])
    told(scene, "Warning", "RecordError", "no DNSZone")
    scene.create_zone()
    assert conditions(ready(scene)) == WELL
    scene.served("www", "192.0.2.1")


@pytest.mark.criterion(number="EP-S5")
def test_ready_owner_mismatch_for_what_somebody_else_has_and_left_alone(zone: Scene):
    by_hand(zone, lambda update: update.add("www", 60, "A", "198.51.100.1"))
    zone.create_endpoints("one", a(zone, "www"))
    status = refused(zone, "OwnerMismatch")
    assert conditions(status) == WELL | {"Ready": ("False", "OwnerMismatch")}
    assert "without a registry entry" in messages(status)["Ready"]
    assert left_out(status) == [("www", "OwnerMismatch")]
    zone.served("www", "198.51.100.1")
    by_hand(zone, lambda update: update.delete("www"))
    assert conditions(ready(zone)) == WELL
    zone.served("www", "192.0.2.1")


@pytest.mark.criterion(number="EP-S5")
def test_ready_owner_mismatch_names_the_other_owner(zone: Scene):
    entry = '"heritage=external-dns,external-dns/owner=somebody,external-dns/resource=crd/x/y"'

    def theirs(update: dns.update.Update) -> None:
        update.add("www", 60, "A", "198.51.100.1")
        update.add("a-www", 60, "TXT", entry)

    by_hand(zone, theirs)
    zone.create_endpoints("one", a(zone, "www"))
    assert "belongs to owner 'somebody'" in messages(refused(zone, "OwnerMismatch"))["Ready"]
    zone.served("www", "198.51.100.1")


@pytest.mark.criterion(number="EP-S6")
def test_ready_conflict_lost_to_a_record_object_which_is_named(zone: Scene):
    zone.create_a("www", "192.0.2.9")
    zone.wait("arecords", "www")
    zone.create_endpoints("one", a(zone, "www"))
    status = refused(zone, "ConflictLost")
    assert conditions(status) == WELL | {"Ready": ("False", "ConflictLost")}
    assert f"ARecord {zone.namespace}/www" in messages(status)["Ready"]
    zone.served("www", "192.0.2.9")
    zone.delete("arecords", "www")
    assert conditions(ready(zone)) == WELL
    zone.served("www", "192.0.2.1")


@pytest.mark.criterion(number="EP-S6")
def test_ready_conflict_lost_to_another_dnsendpoint(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"))
    ready(zone)
    zone.create_endpoints("two", a(zone, "www", "192.0.2.2"))
    assert f"DNSEndpoint {zone.namespace}/one" in messages(refused(zone, "ConflictLost", "two"))["Ready"]
    zone.delete("dnsendpoints", "one")
    assert conditions(ready(zone, "two")) == WELL
    zone.served("www", "192.0.2.2")


@pytest.mark.criterion(number="EP-S7")
def test_synced_unknown_and_ready_reconciling_while_servers_take_their_time(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"))
    synced = ready(zone)["lastSyncTime"]
    with paused(zone):
        change(zone, a(zone, "www", "192.0.2.2"))
        status = refused(zone, "Reconciling")
        assert conditions(status) == WELL | {"Synced": ("Unknown", "Reconciling"), "Ready": ("False", "Reconciling")}
        assert (status["lastSyncTime"], left_out(status)) == (synced, [("www", "Reconciling")])
    assert conditions(ready(zone)) == WELL
    zone.served("www", "192.0.2.2")


@pytest.mark.criterion(number="EP-S8")
@pytest.mark.parametrize(
    ("spec", "reason", "said", "better"),
    [
        (
            {"bind9InstancesFrom": [{"selector": {"matchLabels": {"no": "such"}}}]},
            "NoPrimaryInstances",
            "no primary Bind9Instance",
            {"bind9InstancesFrom": [{"selector": {"matchLabels": {LABEL: "demo"}}}]},
        ),
        (
            {"nameServerIps": {"ns2.example.org": "192.0.2.256"}},
            "InvalidZone",
            "spec.nameServerIps[ns2.example.org]",
            {"nameServerIps": None},
        ),
    ],
    ids=["no servers", "invalid"],
)
def test_endpoints_of_a_zone_that_is_refused_name_it_and_its_reason(scene: Scene, spec, reason, said, better):
    scene.create_zone(**spec)
    scene.create_endpoints("one", a(scene, "www"))
    status = refused(scene, "Failed")
    assert conditions(status) == WELL | {"Synced": ("False", "SyncFailed"), "Ready": ("False", "Failed")}
    assert f"DNSZone {scene.namespace}/zone is not Ready ({reason})" in messages(status)["Ready"]
    assert said in messages(status)["Ready"]
    scene.patch("dnszones", "zone", {"spec": better})
    assert conditions(ready(scene)) == WELL


@pytest.mark.criterion(number="EP-S8")
def test_an_endpoint_of_a_zone_that_was_never_served_can_be_deleted(scene: Scene):
    scene.create_zone(bind9InstancesFrom=[{"selector": {"matchLabels": {"no": "such"}}}])
    scene.create_endpoints("one", a(scene, "www"))
    refused(scene, "Failed")
    scene.delete("dnsendpoints", "one")
    eventually(lambda: not scene.exists("dnsendpoints", "one"), what="the end of the DNSEndpoint")


@pytest.mark.criterion(number="EP-S8")
def test_an_endpoint_of_a_zone_that_lost_its_servers_can_be_deleted(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"))
    ready(zone)
    zone.stage.cluster.delete(zone.path("bind9instances"))
    zone.refused("dnszones", "zone", "NoPrimaryInstances")
    zone.delete("dnsendpoints", "one")
    eventually(lambda: not zone.exists("dnsendpoints", "one"), what="the end of the DNSEndpoint")


@pytest.mark.criterion(number="EP-S8")
def test_an_endpoint_is_programmed_by_one_of_two_zone_objects_of_a_name(zone: Scene):
    zone.create_zone("second")
    zone.refused("dnszones", "second", "DuplicateZone")
    zone.create_endpoints("one", a(zone, "www"))
    assert conditions(ready(zone)) == WELL
    zone.delete("dnsendpoints", "one")
    eventually(lambda: not zone.exists("dnsendpoints", "one"), what="the end of the DNSEndpoint")
    zone.served("www")


@pytest.mark.criterion(number="EP-S4")
def test_ready_filtered_when_its_zone_goes_and_programmed_when_that_comes_back(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"))
    ready(zone)
    zone.delete_zones()
    status = refused(zone, "Filtered")
    assert (status["endpoints"], left_out(status)) == (0, [("www", "Filtered")])
    metadata = zone.get("dnsendpoints", "one")["metadata"]
    assert not metadata.get("finalizers"), "nothing of it is left anywhere"
    zone.create_zone()
    assert conditions(ready(zone)) == WELL
    zone.served("www", "192.0.2.1")


@pytest.mark.criterion(number="EP-S12")
def test_a_deletion_that_waits_for_a_server_says_for_what_and_ends_when_it_is_back(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"))
    ready(zone)
    with frozen(zone):
        zone.delete("dnsendpoints", "one")
        message = zone.refused("dnsendpoints", "one", "Failed")
        assert f"still to be removed from {zone.zone}" in message
        assert "REFUSED" in message
    gone(zone)
    zone.served("www")
    zone.served("a-www", rdtype="TXT")


@pytest.mark.criterion(number="EP-S12")
def test_a_deletion_that_waits_for_consent_says_so_and_ends_with_it(zone: Scene):
    zone.create_endpoints("one", *(a(zone, f"n{number}") for number in range(20)))
    ready(zone)
    zone.delete("dnsendpoints", "one")
    message = zone.refused("dnsendpoints", "one", "Failed")
    assert f"still to be removed from {zone.zone}" in message
    assert "bindy.firestoned.io/allow-mass-delete=true" in message
    zone.served("n7", "192.0.2.1")
    zone.patch("dnszones", "zone", {"metadata": {"annotations": {"bindy.firestoned.io/allow-mass-delete": "true"}}})
    gone(zone)
    zone.served("n7")


@pytest.mark.criterion(number="EP-S9")
def test_the_time_of_the_last_synchronisation_moves_only_when_something_was_programmed(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"))
    first = ready(zone)["lastSyncTime"]
    zone.patch("dnsendpoints", "one", {"metadata": {"labels": {"touched": "yes"}}})
    change(zone, a(zone, "www"), a(zone, "bad", "nonsense"))
    assert refused(zone, "Invalid")["lastSyncTime"] == first
    eventually(lambda: clock(zone) > first, what="another second")
    change(zone, a(zone, "www", "192.0.2.2"))
    assert ready(zone)["lastSyncTime"] > first


@pytest.mark.criterion(number="EP-S10")
def test_records_count_those_that_are_programmed_of_all_each_of_the_others_with_its_reason(zone: Scene):
    zone.create_a("taken", "192.0.2.9")
    zone.wait("arecords", "taken")
    names = [a(zone, "n1"), a(zone, "n2"), a(zone, "n3"), a(zone, "taken"), a(zone, "bad", "nonsense")]
    zone.create_endpoints("one", *names)
    status = refused(zone, "Invalid")
    assert (status["endpoints"], status["records"]) == (4, "3/5")
    assert left_out(status) == [("taken", "ConflictLost"), ("bad", "Invalid")]
    assert all(each["programmed"] is False and each["message"] for each in status["endpointStatuses"])


@pytest.mark.criterion(number="EP-S11")
def test_what_is_in_sync_already_has_its_status_too(zone: Scene):
    """The seed walks the changes: an object that changes nothing would never get one."""
    zone.create_endpoints("one", a(zone, "www"))
    ready(zone)
    zone.create_endpoints("two", a(zone, "www"))
    status = ready(zone, "two")
    assert conditions(status) == WELL
