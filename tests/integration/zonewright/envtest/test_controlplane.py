"""The cluster fixture gives what a real Kubernetes API gives; what only the real one can do skips elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support import WIDGETS
from zonewright.envtest.backend import backend
from zonewright.envtest.cluster import Cluster, count
from zonewright.envtest.errors import ApplyFailed, Refused
from zonewright.testing import eventually


def config_map(name: str, **data: str) -> dict[str, object]:
    return {"metadata": {"name": name}, "data": data}


@pytest.mark.kubectl
def test_kubectl_and_plain_requests_see_the_same_objects(cluster: Cluster, namespace: str) -> None:
    cluster.create(f"/api/v1/namespaces/{namespace}/configmaps", config_map("greeting", text="hello"))

    shown = cluster.kubectl("get", "configmap", "greeting", "-n", namespace, "-o", "json")

    assert json.loads(shown)["data"] == {"text": "hello"}


def test_a_refusal_is_a_response_and_an_exception_where_success_was_asked_for(cluster: Cluster, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/configmaps/none"
    assert cluster.request("GET", path).status == 404
    assert cluster.request("GET", "/api/v1/namespaces", token="wrong").status == 401
    with pytest.raises(Refused, match=f"GET {path}: 404 configmaps .none. not found"):
        cluster.get(path)


@pytest.mark.kubectl
def test_kubectls_complaints_are_exceptions(cluster: Cluster, namespace: str) -> None:
    with pytest.raises(RuntimeError, match="not found"):
        cluster.kubectl("get", "configmap", "none", "-n", namespace)


def test_manifests_are_applied_in_an_order_that_works(cluster: Cluster, namespace: str) -> None:
    space, suffix = f"{namespace}-more", namespace.removeprefix("test-")
    crd = yaml.safe_load(WIDGETS.read_text().replace("envtest.example", f"e{suffix}.test"))
    api_version = f"{crd['spec']['group']}/v1"
    widget = {"apiVersion": api_version, "kind": "Widget", "metadata": {"name": "w", "namespace": space}}
    objects = [{**widget, "spec": {"color": "red"}}, crd]
    objects += [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}}]
    try:
        cluster.apply(yaml.safe_dump_all(objects))

        stored = cluster.get(f"/apis/{api_version}/namespaces/{space}/widgets/w")
        assert stored["spec"]["color"] == "red"
        assert stored["metadata"]["managedFields"][0]["manager"] == "envtest"
    finally:
        cluster.request("DELETE", f"/api/v1/namespaces/{space}")
        path = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{crd['metadata']['name']}"
        cluster.request("DELETE", path)
        cluster.wait_gone(path)


def test_a_manifest_that_is_refused_names_its_file_and_object(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: not-there}\n")

    with pytest.raises(ApplyFailed, match=r'bad\.yaml: ConfigMap not-there/a: 404 namespaces "not-there" not found'):
        cluster.apply(file)


def test_requests_are_counted_by_verb_and_resource(cluster: Cluster, namespace: str) -> None:
    before = cluster.requests()
    for number in range(3):
        cluster.create(f"/api/v1/namespaces/{namespace}/configmaps", config_map(f"number-{number}"))

    def made() -> int:
        return count(cluster.requests() - before, verb="POST", resource="configmaps", code="201")

    eventually(lambda: made() >= 3, what="a count of the requests")  # they are counted after they are answered


def test_namespaces_end_and_take_their_objects_along(cluster: Cluster, namespace: str) -> None:
    cluster.create(f"/api/v1/namespaces/{namespace}/configmaps", config_map("doomed"))

    cluster.delete(f"/api/v1/namespaces/{namespace}")

    cluster.wait_gone(f"/api/v1/namespaces/{namespace}")
    assert cluster.request("GET", f"/api/v1/namespaces/{namespace}/configmaps/doomed").status == 404


def test_what_is_owned_goes_with_its_owner(cluster: Cluster, namespace: str) -> None:
    maps = f"/api/v1/namespaces/{namespace}/configmaps"
    owner = cluster.create(maps, config_map("owner"))
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"]}
    cluster.create(maps, {"metadata": {"name": "owned", "ownerReferences": [reference]}})

    cluster.delete(f"{maps}/owner")

    cluster.wait_gone(f"{maps}/owned")


def test_rbac_refuses_whom_nobody_allowed(cluster: Cluster, namespace: str) -> None:
    if cluster.backend == "embedded":
        pytest.skip("the embedded API leaves RBAC out")
    accounts = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    cluster.create(accounts, {"metadata": {"name": "nobody"}})
    token = cluster.create(f"{accounts}/nobody/token", {"spec": {"expirationSeconds": 3600}})["status"]["token"]

    assert cluster.request("GET", "/api/v1/secrets", token=token).status == 403


def test_the_api_server_comes_back_with_its_data(cluster: Cluster, namespace: str) -> None:
    maps = f"/api/v1/namespaces/{namespace}/configmaps"
    cluster.create(maps, config_map("kept", text="still here"))

    def nothing_listens() -> None:
        with pytest.raises(OSError, match="refused"):
            cluster.request("GET", "/version")

    cluster.restart_api(meanwhile=nothing_listens)

    assert cluster.get(f"{maps}/kept")["data"] == {"text": "still here"}


def test_forgotten_history_makes_old_watches_end_with_410(cluster: Cluster, namespace: str) -> None:
    maps = f"/api/v1/namespaces/{namespace}/configmaps"
    old = cluster.create(maps, config_map("first"))["metadata"]["resourceVersion"]
    cluster.create(maps, config_map("second"))

    cluster.forget_history()
    watch = cluster.request("GET", maps, query={"watch": "1", "resourceVersion": old, "timeoutSeconds": "30"})

    assert watch.body.get("object", watch.body)["code"] == 410  # as a status of its own or inside the stream


def test_tokens_can_be_added_and_revoked_one_by_one(cluster: Cluster) -> None:
    first, second = cluster.new_token(), cluster.new_token()
    assert cluster.request("GET", "/api/v1/secrets", token=first).ok

    cluster.revoke_token(first)

    assert cluster.request("GET", "/api/v1/secrets", token=first).status == 401
    assert cluster.request("GET", "/api/v1/secrets", token=second).ok


def test_a_kubeconfig_may_name_a_token_file(cluster: Cluster, tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    token_file.write_text(cluster.token)

    other = cluster.write_kubeconfig(tmp_path / "kubeconfig", token_file=token_file)

    with backend("external", kubeconfig=other) as same:
        assert same.get("/api/v1/namespaces/default")["metadata"]["name"] == "default"


@pytest.mark.kubectl
def test_kubectl_reads_a_kubeconfig_with_a_token_file(cluster: Cluster, tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    token_file.write_text(cluster.token)

    other = cluster.write_kubeconfig(tmp_path / "kubeconfig", token_file=token_file)

    assert "default" in cluster.kubectl("--kubeconfig", str(other), "get", "namespaces")


def test_programs_started_beside_the_cluster_find_it(cluster: Cluster) -> None:
    program = "import os; print(open(os.environ['KUBECONFIG']).read())"
    done = subprocess.run([sys.executable, "-c", program], env=cluster.environment(), capture_output=True, check=True)

    assert cluster.server_url in done.stdout.decode()
