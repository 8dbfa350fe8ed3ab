"""Zone names from the API server to named: one grammar everywhere, and whatever was let in can be deleted again."""

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import pytest
import yaml

from bindcar.tokens import InvalidZoneName, zone_name
from reconcilers.ddns import InvalidName, Soa, parse_mailbox, parse_target, parse_zone, parse_zone_name
from reconcilers.servers.bindcar import BindcarClient, CreateZone, Owner
from testbed.named import NameServer
from tests.support.crds import CRD_DIRECTORY
from tests.support.ddns import client_of
from tests.support.scene import Scene
from tests.support.zone_names import ACCEPTED, REFUSED, REFUSED_AS_INTERNATIONALISED, Accepted, Refused
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.processes import Run
from zonewright.testing import eventually

CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/dnszones.bindy.firestoned.io"
FINALIZER = "bindy.firestoned.io/dnszone-finalizer"
REFUSED_BY_BINDCAR = ("ex-.ample", "a.example/", "-clean.x", "a..b", ".", "a b.example", "x" * 300)


@contextmanager
def earlier_crd(cluster: Cluster) -> Iterator[None]:
    """The kind as a version had it that checked zone names less strictly."""
    manifest = yaml.safe_load((CRD_DIRECTORY / "dnszones.yaml").read_text())
    _replace_versions(cluster, manifest["spec"]["versions"])
    spec = manifest["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    name = spec["properties"]["zoneName"]
    strict = dict(name)
    name.clear()
    name.update(type="string", description=strict["description"])
    _replace_versions(cluster, manifest["spec"]["versions"])
    try:
        yield
    finally:
        name.update(strict)
        _replace_versions(cluster, manifest["spec"]["versions"])


def _replace_versions(cluster: Cluster, versions: list[dict[str, Any]]) -> None:
    cluster.patch(CRD, {"spec": {"versions": versions}})


def left_by_an_earlier_version(scene: Scene, name: str, zone: str) -> None:
    """A zone as an operator left it that wanted it on its servers and was refused there."""
    body = {
        "apiVersion": "bindy.firestoned.io/v1beta1",
        "kind": "DNSZone",
        "metadata": {"name": name, "finalizers": [FINALIZER]},
        "spec": {
            "zoneName": zone,
            "soaRecord": {"primaryNs": "ns1.example.net.", "adminEmail": "admin@example.net"},
            "bind9InstancesFrom": [{"selector": {}}],
        },
    }
    cluster = scene.stage.cluster
    eventually(lambda: cluster.request("POST", scene.path("dnszones"), body).ok, what=f"zone {zone}")
    failed = [
        {"namespace": scene.namespace, "name": server.name, "role": server.role, "status": "Failed"}
        for server in scene.stage.servers
    ]
    cluster.patch(f"{scene.path('dnszones', name)}/status", {"status": {"bind9Instances": failed}})


def test_nothing_lost_zone_names_that_bindcar_refuses_can_be_deleted(scene: Scene):
    cluster = scene.stage.cluster
    with ExitStack() as upgrade:
        upgrade.enter_context(earlier_crd(cluster))
        for number, zone in enumerate(REFUSED_BY_BINDCAR):
            left_by_an_earlier_version(scene, f"zone-{number}", zone)
        if cluster.backend != "embedded":  # which has no ratcheting: what does not fit cannot be changed there at all
            upgrade.close()
        scene.delete_zones()


# --- one grammar from the API server to named


@pytest.fixture(scope="module")
def server(background: Run) -> Iterator[NameServer]:
    made = NameServer(background)
    made.start()
    yield made
    made.close()


def accepted_by_the_api_server(cluster: Cluster, namespace: str, zone: str) -> bool:
    spec = {"zoneName": zone, "soaRecord": {"primaryNs": "ns1.example.net.", "adminEmail": "admin@example.net"}}
    body = {"apiVersion": "bindy.firestoned.io/v1beta1", "kind": "DNSZone", "metadata": {"name": "zone"}, "spec": spec}
    path = f"/apis/bindy.firestoned.io/v1beta1/namespaces/{namespace}/dnszones"
    answer = cluster.request("POST", path, body, query={"dryRun": "All"})
    assert answer.status in {201, 422}, answer.body
    assert answer.ok or "spec.zoneName" in answer.body["message"]
    return answer.ok


def accepted_by_the_operator(zone: str) -> str | None:
    try:
        return parse_zone_name(zone).to_text(omit_final_dot=True)
    except InvalidName:
        return None


def accepted_by_bindcar(zone: str) -> str | None:
    try:
        return zone_name(zone)
    except InvalidZoneName:
        return None


def created_by_named(server: NameServer, zone: str) -> bool:
    """Through bindcar, as the operator has it done; gone again afterwards."""
    origin = parse_zone(zone)
    soa = Soa(parse_target("ns1.example.net"), parse_mailbox("admin@example.net"), 1)
    owner = Owner("cluster", "uid")
    with closing(BindcarClient(str(server.bindcar_url), server.token, timeout=60)) as bindcar:
        wanted = CreateZone(origin, "primary", owner, soa=soa, name_servers=("ns1.example.net",))
        assert bindcar.create_zone(wanted) is True
        with client_of(server) as dns:
            assert dns.soa(origin).serial == 1
        found = bindcar.get_zone(origin)
        bindcar.delete_zone(origin, owner=owner)
        assert bindcar.get_zone(origin) is None
    return found is not None and found.owner == owner


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.why)
def test_a_zone_name_is_accepted_everywhere_and_can_be_created(
    crds: Cluster, namespace: str, server: NameServer, case: Accepted
):
    assert accepted_by_the_api_server(crds, namespace, case.name)
    assert accepted_by_the_operator(case.name) == case.meaning
    assert accepted_by_bindcar(case.name) == case.meaning
    assert created_by_named(server, case.name)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.why)
def test_a_zone_name_is_refused_everywhere(crds: Cluster, namespace: str, case: Refused):
    assert accepted_by_the_operator(case.name) is None
    assert accepted_by_bindcar(case.name) is None
    if crds.backend != "embedded" or not case.by_rule:
        assert not accepted_by_the_api_server(crds, namespace, case.name)


@pytest.mark.parametrize("case", REFUSED_AS_INTERNATIONALISED, ids=lambda case: case.why)
def test_what_only_idna_can_tell_is_told_by_the_operator_and_can_be_deleted(scene: Scene, case: Refused):
    assert accepted_by_the_operator(case.name) is None
    assert accepted_by_bindcar(case.name) is None
    scene.create_zone(zone=case.name, soaRecord={"primaryNs": "ns1.example.net.", "adminEmail": "a@example.net"})
    scene.refused("dnszones", "zone", "InvalidZone")
    scene.delete("dnszones", "zone")
    eventually(lambda: not scene.exists("dnszones", "zone"), what="the end of the zone")


@pytest.mark.parametrize("zone", ["a.example/", "-clean.x", "ex-.ample", "a..b"])
def test_bindcar_says_of_a_name_that_it_cannot_have_the_zone(server: NameServer, zone: str):
    """Also of one that the operator of today never sends."""
    for method, query in (("GET", ""), ("DELETE", "?cluster=cluster&uid=uid"), ("PATCH", "?cluster=cluster&uid=uid")):
        status, answer = ask_bindcar(server, method, f"/zones/{urllib.parse.quote(zone, safe='')}{query}")
        assert (status, answer["reason"]) == (400, "InvalidZoneName")


def ask_bindcar(server: NameServer, method: str, path: str) -> tuple[int, dict[str, Any]]:
    url = f"{server.bindcar_url}/api/v1{path}"
    request = urllib.request.Request(url, method=method, headers={"Authorization": f"Bearer {server.token}"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)
