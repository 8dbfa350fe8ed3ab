"""Services, Ingresses, EndpointSlices and Namespaces as controllers find them: the same on every backend.

What is said here was read off a kube-apiserver first; run it with --backend=controlplane to see that it still holds.
"""

import ipaddress
from typing import Any

import pytest

from zonewright.envtest.cluster import Cluster

PORTS = [{"port": 80}]
BACKEND = {"service": {"name": "web", "port": {"number": 80}}}
PATH = {"path": "/", "pathType": "Prefix", "backend": BACKEND}
NETWORK = ipaddress.ip_network("10.0.0.0/16")


class Kinds:
    """Creates, changes and reads objects of one namespace by plural and name."""

    def __init__(self, cluster: Cluster, namespace: str) -> None:
        self.cluster = cluster
        self.core = f"/api/v1/namespaces/{namespace}"
        self.networking = f"/apis/networking.k8s.io/v1/namespaces/{namespace}"
        self.discovery = f"/apis/discovery.k8s.io/v1/namespaces/{namespace}"

    def service(self, name: str, **spec: Any) -> Any:
        return self.cluster.create(f"{self.core}/services", {"metadata": {"name": name}, "spec": spec})

    def change_service(self, name: str, **spec: Any) -> Any:
        path = f"{self.core}/services/{name}"
        version = self.cluster.get(path)["metadata"]["resourceVersion"]
        body = {"metadata": {"name": name, "resourceVersion": version}, "spec": spec}
        reply = self.cluster.request("PUT", path, body)
        assert reply.ok, reply.refusal
        return reply.body

    def ingress(self, name: str, **spec: Any) -> Any:
        return self.cluster.create(f"{self.networking}/ingresses", {"metadata": {"name": name}, "spec": spec})

    def refused(self, path: str, spec: dict[str, Any]) -> Any:
        reply = self.cluster.request("POST", path, {"metadata": {"name": "refused"}, "spec": spec})
        assert reply.status == 422, reply
        return reply.body["details"]["causes"]


@pytest.fixture
def kinds(cluster: Cluster, namespace: str) -> Kinds:
    return Kinds(cluster, namespace)


def test_a_service_gets_an_address_of_its_own_and_keeps_it(kinds: Kinds) -> None:
    first, second = (kinds.service(name, ports=PORTS)["spec"] for name in ("one", "two"))
    assert ipaddress.ip_address(first["clusterIP"]) in NETWORK
    assert first["clusterIPs"] == [first["clusterIP"]] != [second["clusterIP"]]
    assert first["ipFamilies"] == ["IPv4"]
    changed = kinds.change_service("one", ports=[{"port": 81}])
    assert changed["spec"]["clusterIP"] == first["clusterIP"]


def test_a_headless_service_has_none(kinds: Kinds) -> None:
    spec = kinds.service("headless", clusterIP="None", selector={"app": "web"})["spec"]
    assert (spec["clusterIP"], spec["clusterIPs"], spec["ipFamilies"]) == ("None", ["None"], ["IPv4"])


def test_an_address_that_is_taken_is_refused_and_free_again_once_its_service_is_gone(kinds: Kinds) -> None:
    address = kinds.service("first", ports=PORTS)["spec"]["clusterIP"]
    wanted = {"clusterIP": address, "ports": PORTS}
    (cause,) = kinds.refused(f"{kinds.core}/services", wanted)
    assert cause["field"] == "spec.clusterIPs"
    assert f"failed to allocate IP {address}: provided IP is already allocated" in cause["message"]
    kinds.cluster.delete(f"{kinds.core}/services/first")
    assert kinds.service("second", **wanted)["spec"]["clusterIP"] == address


def test_a_dry_run_takes_no_address(kinds: Kinds) -> None:
    spec = {"clusterIP": "10.0.0.150", "ports": PORTS}
    body = {"metadata": {"name": "dry"}, "spec": spec}
    kinds.cluster.create(f"{kinds.core}/services", body, query={"dryRun": "All"})
    assert kinds.service("wet", **spec)["spec"]["clusterIP"] == "10.0.0.150"


def test_an_address_outside_the_network_or_changed_is_refused(kinds: Kinds) -> None:
    (cause,) = kinds.refused(f"{kinds.core}/services", {"clusterIP": "192.0.2.7", "ports": PORTS})
    assert "the provided network does not match the current range" in cause["message"]
    kinds.service("web", ports=PORTS)
    body = {"spec": {"clusterIP": "10.0.0.199", "clusterIPs": ["10.0.0.199"]}}
    reply = kinds.cluster.request(
        "PATCH", f"{kinds.core}/services/web", body, content_type="application/merge-patch+json"
    )
    (cause,) = reply.body["details"]["causes"]
    assert (cause["field"], cause["message"]) == (
        "spec.clusterIPs[0]",
        'Invalid value: ["10.0.0.199"]: may not change once set',
    )


def test_the_type_decides_what_a_service_has(kinds: Kinds) -> None:
    spec = kinds.service("web", type="NodePort", ports=[{"name": "a", "port": 80}, {"name": "b", "port": 443}])["spec"]
    first, second = (port["nodePort"] for port in spec["ports"])
    assert first != second
    assert {first, second} <= set(range(30000, 32768))
    assert spec["externalTrafficPolicy"] == "Cluster"

    spec = kinds.change_service("web", type="NodePort", ports=[{"name": "a", "port": 80}])["spec"]
    assert [port["nodePort"] for port in spec["ports"]] == [first]

    spec = kinds.change_service("web", type="ExternalName", externalName="web.example.org")["spec"]
    assert spec == {"type": "ExternalName", "externalName": "web.example.org", "sessionAffinity": "None"}

    spec = kinds.change_service("web", ports=PORTS)["spec"]
    assert ipaddress.ip_address(spec["clusterIP"]) in NETWORK
    assert "nodePort" not in spec["ports"][0]


def test_a_load_balancer_tells_its_address_in_status_only(kinds: Kinds) -> None:
    made = kinds.service("lb", type="LoadBalancer", ports=PORTS, allocateLoadBalancerNodePorts=False)
    assert made["status"] == {"loadBalancer": {}}
    assert "nodePort" not in made["spec"]["ports"][0]
    points = {"status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}, {"hostname": "lb.example.org"}]}}}
    ignored = kinds.cluster.patch(f"{kinds.core}/services/lb", points)
    assert ignored["status"] == {"loadBalancer": {}}
    told = kinds.cluster.patch(f"{kinds.core}/services/lb/status", points)
    expected = [{"ip": "192.0.2.1", "ipMode": "VIP"}, {"hostname": "lb.example.org"}]
    assert told["status"]["loadBalancer"]["ingress"] == expected


def test_an_external_name_needs_a_name(kinds: Kinds) -> None:
    (cause,) = kinds.refused(f"{kinds.core}/services", {"type": "ExternalName"})
    assert (cause["field"], cause["reason"]) == ("spec.externalName", "FieldValueRequired")


def test_an_ingress_has_a_status_of_its_own_and_counts_generations(kinds: Kinds) -> None:
    made = kinds.ingress("web", rules=[{"host": "web.example.org", "http": {"paths": [PATH]}}])
    assert (made["metadata"]["generation"], made["status"]) == (1, {"loadBalancer": {}})
    path = f"{kinds.networking}/ingresses/web"
    points = {"status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}}
    assert kinds.cluster.patch(path, points)["status"] == {"loadBalancer": {}}
    told = kinds.cluster.patch(f"{path}/status", points | {"spec": {"ingressClassName": "other"}})
    assert (told["metadata"]["generation"], told["status"]) == (1, points["status"])
    assert "ingressClassName" not in told["spec"]
    changed = kinds.cluster.patch(path, {"spec": {"ingressClassName": "public"}})
    assert (changed["metadata"]["generation"], changed["status"]) == (2, points["status"])


@pytest.mark.parametrize(
    ("rule", "field", "message"),
    [
        ({"host": "192.0.2.1"}, "host", 'Invalid value: "192.0.2.1": must be a DNS name, not an IP address'),
        ({"host": "A_b"}, "host", 'Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of'),
        ({"http": {"paths": [{"backend": BACKEND}]}}, "http.paths[0].pathType", "pathType must be specified"),
        (
            {"http": {"paths": [PATH | {"pathType": "Nope"}]}},
            "http.paths[0].pathType",
            'supported values: "Exact", "ImplementationSpecific", "Prefix"',
        ),
        ({"http": {"paths": [PATH | {"path": "x"}]}}, "http.paths[0].path", "must be an absolute path"),
        ({"http": {"paths": [PATH | {"backend": {}}]}}, "http.paths[0].backend", "service backend is required"),
    ],
)
def test_a_wrong_rule_is_refused(kinds: Kinds, rule: dict[str, Any], field: str, message: str) -> None:
    (cause,) = kinds.refused(f"{kinds.networking}/ingresses", {"rules": [rule]})
    assert cause["field"] == f"spec.rules[0].{field}"
    assert message in cause["message"]


def test_an_ingress_without_rules_or_backend_is_refused(kinds: Kinds) -> None:
    (cause,) = kinds.refused(f"{kinds.networking}/ingresses", {})
    assert cause["message"] == "Invalid value: null: either `defaultBackend` or `rules` must be specified"


def test_an_endpoint_slice_counts_generations_and_keeps_its_address_type(kinds: Kinds) -> None:
    path = f"{kinds.discovery}/endpointslices"
    meta = {"name": "web-1", "labels": {"kubernetes.io/service-name": "web"}}
    endpoint = {"addresses": ["192.0.2.10"], "conditions": {"ready": True}}
    made = kinds.cluster.create(
        path, {"metadata": meta, "addressType": "IPv4", "endpoints": [endpoint], "ports": PORTS}
    )
    assert (made["metadata"]["generation"], made["ports"]) == (1, [{"name": "", "port": 80, "protocol": "TCP"}])
    more = {"endpoints": [endpoint, {"addresses": ["192.0.2.11"]}]}
    assert kinds.cluster.patch(f"{path}/web-1", more)["metadata"]["generation"] == 2
    reply = kinds.cluster.request(
        "PATCH", f"{path}/web-1", {"addressType": "IPv6"}, content_type="application/merge-patch+json"
    )
    assert reply.status == 422
    selected = kinds.cluster.get(path, query={"labelSelector": "kubernetes.io/service-name=web"})
    assert [item["metadata"]["name"] for item in selected["items"]] == ["web-1"]


def test_a_namespace_carries_its_name_as_a_label_and_a_phase(cluster: Cluster, namespace: str) -> None:
    found = cluster.get(f"/api/v1/namespaces/{namespace}")
    assert found["metadata"]["labels"] == {"kubernetes.io/metadata.name": namespace}
    assert (found["spec"], found["status"]) == ({"finalizers": ["kubernetes"]}, {"phase": "Active"})
    listed = cluster.get("/api/v1/namespaces", query={"fieldSelector": f"metadata.name={namespace}"})
    assert [item["metadata"]["name"] for item in listed["items"]] == [namespace]


@pytest.mark.kubectl
def test_kubectl_get_shows_them(kinds: Kinds, namespace: str) -> None:
    rules = [{"host": f"{name}.example.org"} for name in ("a", "b", "c", "d")]
    kinds.ingress("web", ingressClassName="public", tls=[{"hosts": ["a.example.org"]}], rules=rules)
    kinds.ingress("plain", defaultBackend=BACKEND)
    points = {"status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}, {"hostname": "lb.example.org"}]}}}
    kinds.cluster.patch(f"{kinds.networking}/ingresses/web/status", points)
    kinds.service("lb", type="LoadBalancer", ports=PORTS, allocateLoadBalancerNodePorts=False)
    kinds.service("ext", type="ExternalName", externalName="web.example.org")

    def rows(plural: str) -> list[list[str]]:
        text = kinds.cluster.kubectl("get", plural, "-n", namespace, "--no-headers")
        return [[cell for cell in line.split("  ") if cell.strip()][:-1] for line in text.splitlines()]

    hosts = "a.example.org,b.example.org,c.example.org + 1 more..."
    trimmed = [[cell.strip() for cell in row] for row in rows("ingresses")]
    assert trimmed == [
        ["plain", "<none>", "*", "80"],
        ["web", "public", hosts, "192.0.2.1,lb.example.org", "80, 443"],
    ]
    services = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows("services")}
    assert services["ext"] == ["ExternalName", "<none>", "web.example.org", "<none>"]
    assert services["lb"][2:] == ["<pending>", "80/TCP"]
