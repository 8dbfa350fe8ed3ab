"""The CRDs and the samples on a real API server: accepted, served, and strict where they promise to be.

What JSON Schema can say is tested without a server in tests/unit/crd; here are CEL, its cost, defaults and pruning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.support import ROOT
from tests.support.crds import CRD_DIRECTORY, Crd, load_crds
from zonewright.envtest.api import Response
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.discovery import Discovery
from zonewright.envtest.errors import Unsupported
from zonewright.testing import eventually

SAMPLES = ROOT / "config" / "samples"
GROUP = "/apis/bindy.firestoned.io/v1beta1"
SOA = {"primaryNs": "ns1.example.org.", "adminEmail": "admin@example.org"}
BY_KIND = {crd.kind: crd for crd in load_crds()}


def collection(kind: str, namespace: str) -> str:
    crd = BY_KIND[kind]
    return f"/apis/{crd.api_version}/namespaces/{namespace}/{crd.manifest['spec']['names']['plural']}"


def post(cluster: Cluster, kind: str, namespace: str, spec: Any, *, dry_run: bool = True) -> Response:
    """Create an object as kubectl does: unknown fields are errors."""
    body = {"apiVersion": BY_KIND[kind].api_version, "kind": kind, "metadata": {"name": "test"}, "spec": spec}
    query = {"fieldValidation": "Strict"} | ({"dryRun": "All"} if dry_run else {})
    return cluster.request("POST", collection(kind, namespace), body, query=query)


@pytest.fixture
def complete(crds: Cluster) -> Cluster:
    """The cluster, if its API server evaluates CEL rules and publishes whole schemas."""
    if crds.backend == "embedded":
        raise Unsupported("the embedded backend evaluates no CEL rules and publishes no descriptions")
    return crds


# --- installing


def test_crds_are_accepted_without_a_warning(cluster: Cluster) -> None:
    applied = cluster.apply(CRD_DIRECTORY)
    assert [each.warnings for each in applied] == [()] * len(load_crds())


@pytest.mark.kubectl
def test_kubectl_applies_the_crds_without_a_warning(crds: Cluster) -> None:
    done = crds.run_kubectl("apply", "--server-side", "--force-conflicts", "-f", str(CRD_DIRECTORY))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.kubectl
def test_plain_kubectl_apply_works_too(crds: Cluster) -> None:
    done = crds.run_kubectl("apply", "--dry-run=server", "-f", str(CRD_DIRECTORY))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("crd", load_crds(), ids=lambda crd: crd.kind)
def test_every_kind_is_established_under_the_names_it_asked_for(crds: Cluster, crd: Crd) -> None:
    stored = crds.get(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{crd.manifest['metadata']['name']}")
    conditions = {condition["type"]: condition["status"] for condition in stored["status"]["conditions"]}
    assert {"Established", "NamesAccepted"} <= conditions.keys()
    # A group of Kubernetes itself has a third: that its approval is told.
    assert set(conditions.values()) == {"True"}
    assert stored["spec"]["names"] == crd.manifest["spec"]["names"]


@pytest.mark.parametrize("crd", load_crds(), ids=lambda crd: crd.kind)
def test_openapi_describes_every_kind(complete: Cluster, crd: Crd) -> None:
    description = _eventually_described(complete, crd)
    assert description == crd.schema["description"]


def _eventually_described(cluster: Cluster, crd: Crd) -> str:
    """The API server publishes the schemas of new kinds a moment after it serves them."""
    found: str = eventually(lambda: _description(cluster, crd), what=f"a schema of {crd.kind}", every=0.1)
    return found


def _description(cluster: Cluster, crd: Crd) -> str | None:
    document = cluster.request("GET", f"/openapi/v3/apis/{crd.api_version}").body
    if not isinstance(document, dict):
        return None  # a group that is new: "404 page not found"
    for schema in document.get("components", {}).get("schemas", {}).values():
        if any(meta["kind"] == crd.kind for meta in schema.get("x-kubernetes-group-version-kind", [])):
            return str(schema.get("description"))
    return None


# --- samples


@pytest.fixture
def samples(crds: Cluster, namespace: str) -> Iterator[str]:
    """The samples as they are, but in a namespace that is ours; those without a namespace are removed afterwards."""
    text = "\n---\n".join(path.read_text() for path in sorted(SAMPLES.rglob("*.yaml")))
    yield re.sub(r"\bdns-system\b", namespace, text)
    for manifest in yaml.safe_load_all(text):
        crd = BY_KIND.get(manifest["kind"])
        if crd is not None and crd.manifest["spec"]["scope"] == "Cluster":
            crds.request("DELETE", f"{GROUP}/{crd.manifest['spec']['names']['plural']}/{manifest['metadata']['name']}")


def test_samples_are_accepted_without_a_warning(crds: Cluster, samples: str) -> None:
    applied = crds.apply(samples)
    assert {each.warnings for each in applied} == {()}


@pytest.mark.kubectl
def test_kubectl_applies_the_samples_without_a_warning(crds: Cluster, samples: str) -> None:
    done = crds.run_kubectl("apply", "--server-side", "-f", "-", stdin=samples)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("manifest", ["zone.yaml", "record.yaml"])
def test_manifests_of_the_seeds_are_accepted(crds: Cluster, namespace: str, manifest: str) -> None:
    found = yaml.safe_load((ROOT / "tests" / "golden" / "seed-manifests" / manifest).read_text())
    assert post(crds, found["kind"], namespace, found["spec"]).status == 201


@pytest.mark.parametrize("crd", load_crds(), ids=lambda crd: crd.kind)
def test_examples_in_the_schemas_are_accepted(crds: Cluster, namespace: str, crd: Crd) -> None:
    example = crd.schema["properties"]["spec"]["example"]
    if crd.manifest["spec"]["scope"] == "Namespaced":
        assert post(crds, crd.kind, namespace, example).status == 201
    else:
        path = f"/apis/{crd.api_version}/{crd.manifest['spec']['names']['plural']}"
        body = {"apiVersion": crd.api_version, "kind": crd.kind, "metadata": {"name": "test"}, "spec": example}
        assert crds.request("POST", path, body, query={"dryRun": "All", "fieldValidation": "Strict"}).status == 201


# --- refusals


def zone(**fields: Any) -> dict[str, Any]:
    return {"zoneName": "example.org", "soaRecord": SOA, **fields}


def selecting(**requirement: Any) -> dict[str, Any]:
    return zone(recordsFrom=[{"selector": {"matchExpressions": [{"key": "zone", **requirement}]}}])


def external(*, also: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return {"external": {"address": "192.0.2.53", "role": "primary", **fields}, **(also or {})}


REFUSED_BY_SCHEMA: dict[str, tuple[str, dict[str, Any], str]] = {
    "an A record with an IPv6 address": ("ARecord", {"name": "www", "ipv4Address": "2001:db8::1"}, "spec.ipv4Address"),
    "an A record with an IPv6 address that contains an IPv4 one": (
        "ARecord",
        {"name": "www", "ipv4Addresses": ["::ffff:192.0.2.1"]},
        "spec.ipv4Addresses[0]",
    ),
    "an AAAA record with an IPv4 address": ("AAAARecord", {"name": "www", "ipv6Address": "192.0.2.1"}, "ipv6Address"),
    "an address that only looks like IPv6": ("AAAARecord", {"name": "www", "ipv6Address": "1::2::3"}, "ipv6Address"),
    "a record without a name": ("TXTRecord", {"text": ["x"]}, "spec.name"),
    "a name with an empty label": ("TXTRecord", {"name": "a..b", "text": ["x"]}, "spec.name"),
    "a mail server without a priority": ("MXRecord", {"name": "@", "mailServer": "mail"}, "spec.priority"),
    "a port of 17 bits": (
        "SRVRecord",
        {"name": "_sip._tcp", "priority": 0, "weight": 0, "port": 65536, "target": "sip"},
        "spec.port",
    ),
    "a misspelt field": ("CNAMERecord", {"name": "www", "target": "a", "tll": 5}, 'unknown field "spec.tll"'),
    "a zone without a start of authority": ("DNSZone", {"zoneName": "example.org"}, "spec.soaRecord"),
    "a zone name with a space": ("DNSZone", zone(zoneName="example org"), "spec.zoneName"),
    "a mailbox with two at signs": ("DNSZone", zone(soaRecord=SOA | {"adminEmail": "a@b@c"}), "soaRecord.adminEmail"),
    "a serial of 33 bits": ("DNSZone", zone(soaRecord=SOA | {"serial": 2**32}), "spec.soaRecord.serial"),
    "an unknown operator": ("DNSZone", selecting(operator="Like", values=["x"]), "matchExpressions[0].operator"),
    "an external server without an address": ("Bind9Instance", {"external": {"role": "primary"}}, "external.address"),
    "a bindcar address without a scheme": ("Bind9Instance", external(bindcarUrl="192.0.2.53:80"), "bindcarUrl"),
    "a password in bindcar's address": ("Bind9Instance", external(bindcarUrl="http://me:pw@192.0.2.53"), "bindcarUrl"),
    "a query in bindcar's address": ("Bind9Instance", external(bindcarUrl="http://192.0.2.53/?token=x"), "bindcarUrl"),
    "a fragment in bindcar's address": ("Bind9Instance", external(bindcarUrl="http://192.0.2.53/#x"), "bindcarUrl"),
    "101 servers": ("Bind9Cluster", {"primary": {"replicas": 101}}, "spec.primary.replicas"),
    "an unknown HMAC": (
        "Bind9Cluster",
        {"primary": {"rndcSecretRef": {"name": "key", "algorithm": "hmac-md5"}}},
        "spec.primary.rndcSecretRef.algorithm",
    ),
}
REFUSED_BY_RULE: dict[str, tuple[str, dict[str, Any], str]] = {
    "an A record without an address": ("ARecord", {"name": "www"}, "exactly one of ipv4Address and ipv4Addresses"),
    "an A record with both forms of address": (
        "ARecord",
        {"name": "www", "ipv4Address": "192.0.2.1", "ipv4Addresses": ["192.0.2.1"]},
        "exactly one of ipv4Address and ipv4Addresses",
    ),
    "an AAAA record without an address": ("AAAARecord", {"name": "www"}, "exactly one of ipv6Address and"),
    "the operator In without values": ("DNSZone", selecting(operator="In"), "values must be given"),
    "the operator Exists with values": ("DNSZone", selecting(operator="Exists", values=["x"]), "values must be given"),
    "an instance without a cluster": ("Bind9Instance", {"role": "primary"}, "spec.clusterRef: Required"),
    "an instance without a role": ("Bind9Instance", {"clusterRef": "production"}, "spec.role: Required"),
    "an external server without a role": ("Bind9Instance", {"external": {"address": "192.0.2.53"}}, "spec.role"),
    "an external server with two roles": ("Bind9Instance", external(also={"role": "secondary"}), "external.role"),
    "an external server with a number of pods": ("Bind9Instance", external(also={"replicas": 2}), "replicas"),
}


@pytest.mark.parametrize("case", REFUSED_BY_SCHEMA)
def test_refused(crds: Cluster, namespace: str, case: str) -> None:
    kind, spec, complaint = REFUSED_BY_SCHEMA[case]
    reply = post(crds, kind, namespace, spec)
    assert reply.status in {400, 422}
    assert complaint in reply.body["message"]


@pytest.mark.parametrize("case", REFUSED_BY_RULE)
def test_refused_by_a_rule(complete: Cluster, namespace: str, case: str) -> None:
    kind, spec, complaint = REFUSED_BY_RULE[case]
    reply = post(complete, kind, namespace, spec)
    assert reply.status == 422
    assert complaint in reply.body["message"]


ACCEPTED: dict[str, tuple[str, dict[str, Any]]] = {
    "null where upstream wrote null": ("ARecord", {"name": "www", "ipv4Addresses": ["192.0.2.1"], "ttl": None}),
    "a mail server that says that there is none": ("MXRecord", {"name": "@", "priority": 0, "mailServer": "."}),
    "a reverse zone of RFC 2317": ("DNSZone", zone(zoneName="0/25.2.0.192.in-addr.arpa")),
    "a zone name with an underscore and a final dot": ("DNSZone", zone(zoneName="_tcp.example.org.")),
    "a mailbox as DNS writes it": ("DNSZone", zone(soaRecord=SOA | {"adminEmail": r"first\.last.example.org."})),
    "a selector that selects all": ("DNSZone", zone(recordsFrom=[{"selector": {}}])),
    "a selector with null values": ("DNSZone", selecting(operator="Exists", values=None)),
    "endpoints from everywhere": ("DNSZone", zone(allowEndpointsFrom={})),
    "an external server of a cluster": ("Bind9Instance", external(also={"clusterRef": "production"})),
    "an external server that has its role outside": (
        "Bind9Instance",
        {"role": "secondary", "external": {"address": "ns1.example.org"}},
    ),
    "volumes, whatever they are": (
        "Bind9Cluster",
        {"volumes": [{"name": "v", "projected": {"sources": [{"secret": {"name": "s"}}]}}]},
    ),
    "an endpoint that makes no sense": ("DNSEndpoint", {"endpoints": [{"recordType": "?", "targets": [""]}, {}]}),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted(crds: Cluster, namespace: str, case: str) -> None:
    kind, spec = ACCEPTED[case]
    reply = post(crds, kind, namespace, spec)
    assert reply.status == 201, reply.body["message"]


# --- what happens to stored objects


def test_zone_name_cannot_be_changed(complete: Cluster, namespace: str) -> None:
    assert post(complete, "DNSZone", namespace, zone(), dry_run=False).ok
    path = f"{collection('DNSZone', namespace)}/test"
    merge = "application/merge-patch+json"
    refused = complete.request("PATCH", path, {"spec": {"zoneName": "example.net"}}, content_type=merge)
    assert refused.status == 422
    assert "zoneName cannot be changed" in refused.body["message"]
    assert complete.request("PATCH", path, {"spec": {"ttl": 60}}, content_type=merge).ok


def test_start_of_authority_gets_defaults(crds: Cluster, namespace: str) -> None:
    stored = post(crds, "DNSZone", namespace, zone()).body["spec"]["soaRecord"]
    times = {"refresh": 3600, "retry": 600, "expire": 604800, "negativeTtl": 3600}
    assert stored == {**SOA, "serial": 1, **times}


def test_one_form_of_address_can_be_replaced_by_the_other(crds: Cluster, namespace: str) -> None:
    assert post(crds, "ARecord", namespace, {"name": "www", "ipv4Address": "192.0.2.1"}, dry_run=False).ok
    path = f"{collection('ARecord', namespace)}/test"
    patched = crds.patch(path, {"spec": {"ipv4Address": None, "ipv4Addresses": ["192.0.2.2"]}})
    assert patched["spec"] == {"name": "www", "ipv4Addresses": ["192.0.2.2"]}


def test_records_can_be_found_by_their_name(crds: Cluster, namespace: str) -> None:
    assert post(crds, "ARecord", namespace, {"name": "www", "ipv4Address": "192.0.2.1"}, dry_run=False).ok
    for name, found in (("www", 1), ("mail", 0)):
        page = crds.get(collection("ARecord", namespace), query={"fieldSelector": f"spec.name={name}"})
        assert len(page["items"]) == found


NOW = "2026-01-02T03:04:05Z"
READY = {
    "type": "Ready",
    "status": "True",
    "reason": "RecordPublished",
    "message": "served by 2 primaries",
    "observedGeneration": 1,
    "lastTransitionTime": NOW,
}
ZONE_REF = {
    "apiVersion": "bindy.firestoned.io/v1beta1",
    "kind": "DNSZone",
    "name": "example-org",
    "namespace": "dns-system",
    "zoneName": "example.org",
    "lastReconciledAt": NOW,
}
RECORD_REF = {"apiVersion": "bindy.firestoned.io/v1beta1", "kind": "ARecord", "name": "www", "namespace": "dns-system"}
STATUSES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ARecord": (
        {"name": "www", "ipv4Address": "192.0.2.1"},
        {
            "conditions": [READY, READY | {"type": "Propagated"}],
            "observedGeneration": 1,
            "zone": "example.org",
            "zoneRef": ZONE_REF,
            "zones": [ZONE_REF, ZONE_REF | {"zoneName": "example.net"}],
            "recordHash": "0" * 64,
            "lastUpdated": "2026-01-02T03:04:05.678901+00:00",
            "publishedName": "www.example.org.",
            "addresses": "192.0.2.1",
        },
    ),
    "DNSZone": (
        zone(),
        {
            "conditions": [READY],
            "observedGeneration": 1,
            "serial": 2**32 - 1,
            "records": [RECORD_REF | {"recordName": "www", "lastReconciledAt": NOW}],
            "recordsTruncated": False,
            "recordsCount": 2,
            "readyRecordsCount": 1,
            "bind9Instances": [
                {
                    "name": "primary-0",
                    "namespace": "dns-system",
                    "role": "primary",
                    "status": "Configured",
                    "serial": 1,
                    "message": "",
                }
            ],
            "bind9InstancesCount": 1,
        },
    ),
    "Bind9Instance": (
        external(),
        {
            "conditions": [READY, READY | {"type": "Pod-0"}],
            "replicas": 1,
            "readyReplicas": 1,
            "serviceAddress": "192.0.2.53",
            "zones": [ZONE_REF],
            "zonesCount": 1,
        },
    ),
    "Bind9Cluster": (
        {},
        {"conditions": [READY], "instanceCount": 1, "readyInstances": 1, "instances": ["production-primary-0"]},
    ),
    "DNSEndpoint": (
        {"endpoints": []},
        {
            "conditions": [READY | {"reason": "Filtered", "status": "False"}],
            "observedGeneration": 1,
            "lastSyncTime": NOW,
            "providerStatus": "NOERROR",
            "endpoints": 5,
            "records": "3/5",
            "endpointStatuses": [
                {
                    "dnsName": "shop.example.org",
                    "recordType": "A",
                    "setIdentifier": "",
                    "programmed": False,
                    "reason": "Filtered",
                    "message": "no zone",
                }
            ],
        },
    ),
}


@pytest.mark.parametrize("kind", STATUSES)
def test_full_status_is_stored_without_loss(crds: Cluster, namespace: str, kind: str) -> None:
    spec, status = STATUSES[kind]
    created = post(crds, kind, namespace, spec, dry_run=False)
    assert created.ok, created.body["message"]
    path = f"{collection(kind, namespace)}/test"
    assert eventually(lambda: replace_status(crds, path, status), what="a status that nobody wrote at once") == status


def replace_status(cluster: Cluster, path: str, status: dict[str, Any]) -> Any:
    """What is stored of a status, or nothing if an operator on the shared cluster wrote the object in between.

    A PUT replaces the whole status: its answer has no field that somebody else added.
    """
    answer = cluster.request("PUT", f"{path}/status", cluster.get(path) | {"status": status})
    if answer.status == 409:
        return None
    assert answer.ok, answer.refusal
    return answer.body["status"]


def test_short_names_are_served_and_not_those_of_kubernetes(crds: Cluster) -> None:
    discovery = Discovery(crds)
    found = {word: discovery.named(word) for word in ("ns", "nsr", "zone", "b9")}
    kinds = {word: [each.kind for each in resources] for word, resources in found.items()}
    assert kinds == {"ns": ["Namespace"], "nsr": ["NSRecord"], "zone": ["DNSZone"], "b9": ["Bind9Instance"]}


@pytest.mark.kubectl
def test_short_names_leave_those_of_kubernetes_alone(crds: Cluster, namespace: str) -> None:
    assert f"namespace/{namespace}" in crds.kubectl("get", "ns", "-o", "name")
    assert crds.kubectl("get", "nsr,zone,b9", "-n", namespace, "-o", "name") == ""
