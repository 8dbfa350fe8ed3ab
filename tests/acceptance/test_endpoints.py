"""DNSEndpoints: one test per criterion of docs/requirements.md, named after it.

Status is in test_endpoints_status.py, permissions in test_endpoints_permissions.py. What the documents ask of one
function is shown by its unit test."""

from typing import Any

import pytest

from tests.support.dnsendpoints import (
    WELL,
    a,
    by_hand,
    change,
    conditions,
    frozen,
    gone,
    messages,
    paused,
    ready,
    refused,
    told,
)
from tests.support.scene import Scene, operating
from zonewright.testing import eventually

ALPHA = "external-dns.alpha.kubernetes.io"


@pytest.fixture
def zone(scene: Scene) -> Scene:
    """A scene with a zone that is published."""
    scene.create_zone()
    scene.wait("dnszones", "zone")
    return scene


# -- integration


@pytest.mark.criterion(number="EP-I1")
def test_a_dnsendpoint_is_served_tells_so_and_leaves_without_a_trace(scene: Scene):
    scene.create_zone()
    scene.create_endpoints("one", a(scene, "www"))
    scene.served("www", "192.0.2.1")
    status = ready(scene)
    assert conditions(status) == WELL
    assert (status["endpoints"], status["records"], status["endpointStatuses"]) == (1, "1/1", [])
    scene.served("a-www", entry(scene), rdtype="TXT")
    scene.delete("dnsendpoints", "one")
    gone(scene)
    scene.served("www")
    scene.served("a-www", rdtype="TXT")
    told(scene, "Normal", "RecordDeleted", "nothing of it is left")


@pytest.mark.criterion(number="EP-I2")
def test_both_outcomes_are_told_success_after_failure_and_failure_after_success(zone: Scene):
    with frozen(zone):
        zone.create_endpoints("one", a(zone, "www"))
        assert "REFUSED" in messages(refused(zone, "Failed"))["Synced"]
    assert messages(ready(zone))["Synced"] == "Successfully synced DNS records"
    with frozen(zone):
        change(zone, a(zone, "www", "192.0.2.2"))
        status = refused(zone, "Failed")
        assert conditions(status)["Synced"] == ("False", "SyncFailed")
    assert conditions(ready(zone)) == WELL


@pytest.mark.criterion(number="EP-I3")
def test_whoever_watches_status_never_sees_it_ready_before_it_is_served(zone: Scene):
    """kubectl wait goes by observedGeneration: right after a change Ready is not yet about it."""
    zone.create_endpoints("one", a(zone, "www"))
    for number in range(2, 12):
        address = f"192.0.2.{number}"
        generation = change(zone, a(zone, "www", address))["metadata"]["generation"]
        _await_ready_as_kubectl_does(zone, generation)
        answers = [zone.stage.ask(server, f"www.{zone.zone}.", "A") for server in zone.stage.primaries]
        assert answers == [{address}] * len(zone.stage.primaries)


# -- criteria of the documents


@pytest.mark.criterion(number="EP-R4")
def test_what_stands_there_already_is_up_to_date_and_nothing_is_sent(zone: Scene):
    def as_external_dns_wrote_it(update: Any) -> None:
        update.add("www", 300, "A", "192.0.2.1")
        update.add("a-www", 300, "TXT", entry(zone))

    by_hand(zone, as_external_dns_wrote_it)
    zone.create_endpoints("one", a(zone, "www", recordTTL=300))
    status = ready(zone)
    assert messages(status)["Synced"] == "All records are already up to date"
    assert "lastSyncTime" not in status


@pytest.mark.criterion(number="EP-R7")
def test_observed_generation_follows_the_spec_in_status_and_each_condition(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"))
    for address in ("192.0.2.2", "nonsense", "192.0.2.3"):
        generation = change(zone, a(zone, "www", address))["metadata"]["generation"]
        _await_observed(zone, generation)


@pytest.mark.criterion(number="EP-R8")
def test_services_and_ingresses_are_published_and_get_events_and_no_status(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"))
    _create_service(zone, "web", f"web.{zone.zone}", "192.0.2.7")
    _create_ingress(zone, "shop", f"shop.{zone.zone}", "192.0.2.8")
    zone.served("web", "192.0.2.7")
    zone.served("shop", "192.0.2.8")
    told(zone, "Normal", "RecordReady", "1 endpoint in DNS", name="web")
    told(zone, "Normal", "RecordReady", "1 endpoint in DNS", name="shop")
    assert zone.get("services", "web")["status"] == {"loadBalancer": {}}
    assert zone.get("ingresses", "shop")["status"] == {"loadBalancer": {"ingress": [{"ip": "192.0.2.8"}]}}
    assert not zone.get("services", "web")["metadata"].get("finalizers")
    assert conditions(ready(zone)) == WELL


@pytest.mark.criterion(number="EP-R8")
def test_a_service_is_told_what_of_it_makes_no_sense_although_it_is_published(zone: Scene):
    _create_service(zone, "web", f"web.{zone.zone}", "192.0.2.7", ttl="soon")
    zone.served("web", "192.0.2.7")
    told(zone, "Normal", "RecordReady", "'soon' is not", name="web")


@pytest.mark.criterion(number="EP-K8")
def test_the_log_tells_of_the_registration_at_the_start(scene: Scene):
    assert "Registered DNSEndpoint status update callback" in scene.stage.manager_log()


@pytest.mark.criterion(number="EP-K8")
def test_the_log_tells_of_each_update_with_its_outcome(zone: Scene):
    with operating(zone.stage, "--log-level", "debug"):
        zone.create_endpoints("one", a(zone, "www"))
        ready(zone)
        written = f"Updated status of DNSEndpoint {zone.namespace}/one: success=true"
        eventually(
            lambda: "Updating status for 1 DNSEndpoint(s)" in zone.stage.manager_log(), what="the callback's line"
        )
        eventually(lambda: written in zone.stage.manager_log(), what="the line about the write")


# -- what can be turned off


@pytest.mark.criterion(number="EP-O1")
def test_with_update_dnsendpoint_status_false_no_status_is_written(zone: Scene):
    with operating(zone.stage, "--update-dnsendpoint-status=false"):
        assert "Registered DNSEndpoint status update callback" not in zone.stage.manager_log()
        zone.create_endpoints("one", a(zone, "www"), a(zone, "bad", "nonsense"))
        zone.served("www", "192.0.2.1")
        change(zone, a(zone, "www", "192.0.2.2"))
        zone.served("www", "192.0.2.2")
        zone.caught_up()
        assert "status" not in zone.get("dnsendpoints", "one")
        zone.delete("dnsendpoints", "one")
        gone(zone)
        zone.served("www")


@pytest.mark.criterion(number="EP-O2")
def test_without_the_crd_source_nothing_is_registered_and_dnsendpoints_are_left_alone(zone: Scene, monkeypatch):
    monkeypatch.setattr("testbed.stage.SOURCES", ())
    with operating(zone.stage, "--source=service"):
        zone.create_endpoints("one", a(zone, "www"))
        _create_service(zone, "web", f"web.{zone.zone}", "192.0.2.7")
        zone.served("web", "192.0.2.7")
        zone.caught_up()
        assert "Registered DNSEndpoint status update callback" not in zone.stage.manager_log()
        assert "status" not in zone.get("dnsendpoints", "one")
        assert not zone.get("dnsendpoints", "one")["metadata"].get("finalizers")
        zone.served("www")
        monkeypatch.undo()
    ready(zone)


# -- backward compatibility


@pytest.mark.criterion(number="EP-B1")
def test_a_manifest_of_external_dns_with_all_its_fields_is_taken_as_it_is(zone: Scene):
    full = a(
        zone,
        "www",
        recordTTL=180,
        setIdentifier="blue",
        labels={"team": "shop"},
        providerSpecific=[{"name": "aws/weight", "value": "10"}],
    )
    mail = {"dnsName": zone.zone, "recordType": "MX", "targets": ["10 mail.example.net."], "recordTTL": 0}
    zone.create_endpoints("one", full, mail)
    assert conditions(ready(zone)) == WELL
    zone.served("www", "192.0.2.1")
    zone.served("@", "10 mail.example.net.", rdtype="MX")
    assert zone.get("dnsendpoints", "one")["spec"]["endpoints"] == [full, mail]


@pytest.mark.criterion(number="EP-B1")
def test_the_status_that_external_dns_wrote_is_completed(zone: Scene):
    with operating(zone.stage, "--update-dnsendpoint-status=false"):
        zone.create_endpoints("one", a(zone, "www"))
        path = f"{zone.path('dnsendpoints', 'one')}/status"
        zone.stage.cluster.patch(path, {"status": {"observedGeneration": 1}})
    assert conditions(ready(zone)) == WELL


@pytest.mark.criterion(number="EP-B2")
def test_after_a_restart_nothing_is_sent_and_no_status_is_written(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"), a(zone, "api"))
    before, serials = (ready(zone), zone.get("dnsendpoints", "one")["metadata"]["resourceVersion"]), zone.serials()
    with operating(zone.stage):
        zone.caught_up()
        after = ready(zone), zone.get("dnsendpoints", "one")["metadata"]["resourceVersion"]
        assert (after, zone.serials()) == (before, serials)


@pytest.mark.criterion(number="EP-B2")
def test_after_a_restart_nothing_is_taken_back_while_the_servers_do_not_answer(zone: Scene):
    zone.create_endpoints("one", a(zone, "www"))
    before, version = ready(zone), zone.get("dnsendpoints", "one")["metadata"]["resourceVersion"]
    with paused(zone), operating(zone.stage):
        zone.create_endpoints("late", a(zone, "late"))
        refused(zone, "Failed", "late")
        assert (ready(zone), zone.get("dnsendpoints", "one")["metadata"]["resourceVersion"]) == (before, version)
    ready(zone, "late")
    zone.served("late", "192.0.2.1")
    assert ready(zone) == before


# -- what headless Services have


@pytest.mark.criterion(number="EP-P1")
def test_pods_wait_and_are_counted_while_their_zone_does_not_exist(scene: Scene):
    scene.create_zone(bind9InstancesFrom=[{"selector": {"matchLabels": {"no": "such"}}}])
    scene.refused("dnszones", "zone", "NoPrimaryInstances")
    before = scene.metric("engine_buffered_pods_total")
    endpoints = scene.metric("zonewright_source_endpoints", source="service")
    _create_headless(scene, "pods", f"pods.{scene.zone}", "192.0.2.21", "192.0.2.22")
    eventually(lambda: scene.metric("engine_buffered_pods_total") == before + 2, what="two pods that wait")
    assert scene.metric("zonewright_source_endpoints", source="service") == endpoints + 1
    scene.patch(
        "dnszones",
        "zone",
        {"spec": {"bind9InstancesFrom": [{"selector": {"matchLabels": {"dns.example.org/tier": "demo"}}}]}},
    )
    scene.served("pods", "192.0.2.21", "192.0.2.22")
    eventually(lambda: scene.metric("engine_buffered_pods_total") == before, what="no pods that wait")


# -- Services and Ingresses on their way out


@pytest.mark.criterion(number="EP-D1")
@pytest.mark.parametrize("kind", ["services", "ingresses"])
def test_what_is_being_deleted_stays_published_until_it_is_gone(zone: Scene, kind: str):
    """As external-dns has it: a load balancer that is drained by somebody's finalizer still answers."""
    create = _create_service if kind == "services" else _create_ingress
    create(zone, "web", f"web.{zone.zone}", "192.0.2.7", finalizers=["example.org/drain"])
    zone.served("web", "192.0.2.7")
    zone.delete(kind, "web")
    assert zone.get(kind, "web")["metadata"]["deletionTimestamp"]
    zone.caught_up()
    zone.served("web", "192.0.2.7")
    zone.patch(kind, "web", {"metadata": {"finalizers": None}})
    zone.served("web")
    zone.served("a-web", rdtype="TXT")


# -- what the tests are made of


def entry(scene: Scene, name: str = "one") -> str:
    return f'"heritage=external-dns,external-dns/owner=default,external-dns/resource=crd/{scene.namespace}/{name}"'


def _await_ready_as_kubectl_does(scene: Scene, generation: int) -> None:
    def holds() -> bool:
        found = scene.condition("dnsendpoints", "one")
        return found.get("status") == "True" and found.get("observedGeneration") == generation

    eventually(holds, what=f"Ready of generation {generation}")


def _await_observed(scene: Scene, generation: int) -> None:
    """In status and in each condition."""

    def holds() -> bool:
        status = scene.get("dnsendpoints", "one").get("status") or {}
        observed = [each.get("observedGeneration") for each in status.get("conditions") or ()]
        return {status.get("observedGeneration"), *observed} == {generation}

    eventually(holds, what=f"generation {generation} everywhere in status")


def _create_service(
    scene: Scene, name: str, host: str, address: str, ttl: str = "60", finalizers: list[str] | None = None
) -> None:
    annotations = {f"{ALPHA}/hostname": host, f"{ALPHA}/ttl": ttl}
    spec = {"type": "LoadBalancer", "ports": [{"port": 80}], "externalIPs": [address]}
    metadata = {"name": name, "annotations": annotations, "finalizers": finalizers or []}
    scene.stage.cluster.create(scene.path("services"), {"metadata": metadata, "spec": spec})


def _create_ingress(scene: Scene, name: str, host: str, address: str, finalizers: list[str] | None = None) -> None:
    backend = {"service": {"name": "web", "port": {"number": 80}}}
    rule = {"host": host, "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": backend}]}}
    metadata = {"name": name, "finalizers": finalizers or []}
    scene.stage.cluster.create(scene.path("ingresses"), {"metadata": metadata, "spec": {"rules": [rule]}})
    status = {"status": {"loadBalancer": {"ingress": [{"ip": address}]}}}
    scene.stage.cluster.patch(f"{scene.path('ingresses', name)}/status", status)


def _create_headless(scene: Scene, name: str, host: str, *addresses: str) -> None:
    metadata = {"name": name, "annotations": {f"{ALPHA}/hostname": host}}
    spec = {"clusterIP": "None", "ports": [{"port": 80}]}
    scene.stage.cluster.create(scene.path("services"), {"metadata": metadata, "spec": spec})
    members = [
        {"addresses": [address], "targetRef": {"kind": "Pod", "name": f"pod-{number}"}}
        for number, address in enumerate(addresses)
    ]
    labels = {"kubernetes.io/service-name": name}
    slices = {"metadata": {"name": name, "labels": labels}, "addressType": "IPv4", "endpoints": members, "ports": []}
    scene.stage.cluster.create(scene.path("endpointslices"), slices)
