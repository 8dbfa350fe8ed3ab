"""Which cluster this is, as a service account may find out on a real API server: the role that is shipped, a Role of
one namespace, and neither."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from controllers.identity import NAMESPACE, cluster_uid
from zonewright import CannotStart, Client, Config, Forbidden
from zonewright.client.credentials import StaticToken
from zonewright.envtest.cluster import Cluster
from zonewright.testing import eventually

RBAC = "/apis/rbac.authorization.k8s.io/v1"
GROUP = "rbac.authorization.k8s.io"


@contextmanager
def client_of(cluster: Cluster, namespace: str, account: str) -> Iterator[Client]:
    """A client that is a new service account of the namespace."""
    path = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    cluster.create(path, {"metadata": {"name": account}})
    token = cluster.create(f"{path}/{account}/token", {"spec": {"expirationSeconds": 600}})["status"]["token"]
    config = replace(Config.load(cluster.kubeconfig), authorization=StaticToken(f"Bearer {token}"), reload=None)
    with closing(Client.from_config(config)) as client:
        yield client


def bind(cluster: Cluster, scope: str, kind: str, rules: list[dict[str, object]], namespace: str, account: str) -> None:
    name = f"{namespace}-{account}"
    cluster.create(f"{RBAC}{scope}/{kind.lower()}s", {"metadata": {"name": name}, "rules": rules})
    subject = {"kind": "ServiceAccount", "name": account, "namespace": namespace}
    body = {
        "metadata": {"name": name},
        "subjects": [subject],
        "roleRef": {"apiGroup": GROUP, "kind": kind, "name": name},
    }
    cluster.create(f"{RBAC}{scope}/{kind.lower()}bindings", body)


def uid(cluster: Cluster, namespace: str) -> str:
    return str(cluster.get(f"/api/v1/namespaces/{namespace}")["metadata"]["uid"])


@pytest.fixture
def guarded(cluster: Cluster) -> Cluster:
    if cluster.backend == "embedded":
        pytest.skip("the embedded API has no RBAC")
    return cluster


def test_the_shipped_role_is_enough_and_reads_no_other_namespace(guarded: Cluster, namespace: str) -> None:
    rules = yaml.safe_load(Path("config/rbac/role.yaml").read_text())["rules"]
    bind(guarded, "", "ClusterRole", rules, namespace, "shipped")
    with client_of(guarded, namespace, "shipped") as client:
        found = eventually(lambda: cluster_uid(client, namespace), ignoring=CannotStart)  # roles need a moment
        with pytest.raises(Forbidden):
            client.get_fields(NAMESPACE, namespace)
    assert found == uid(guarded, "kube-system")


def test_a_role_of_its_own_namespace_is_enough_in_namespaced_mode(guarded: Cluster, namespace: str) -> None:
    rules: list[dict[str, object]] = [{"apiGroups": [""], "resources": ["namespaces"], "verbs": ["get"]}]
    bind(guarded, f"/namespaces/{namespace}", "Role", rules, namespace, "confined")
    with client_of(guarded, namespace, "confined") as client:
        found = eventually(lambda: cluster_uid(client, namespace), ignoring=CannotStart)
    assert found == uid(guarded, namespace)


def test_without_either_it_says_what_is_missing(guarded: Cluster, namespace: str) -> None:
    with (
        client_of(guarded, namespace, "bare") as client,
        pytest.raises(CannotStart, match=f"allow `get` on {namespace}"),
    ):
        cluster_uid(client, namespace)
