"""DNSEndpoints where something is missing: a permission, the CRD, the namespace. Nothing hangs without a word."""

import copy
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support import ROOT
from tests.support.dnsendpoints import WELL, a, change, conditions, gone, messages, ready, refused, told
from tests.support.scene import Scene, operating
from zonewright.testing import eventually

RBAC = "/apis/rbac.authorization.k8s.io/v1"
CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/dnsendpoints.externaldns.k8s.io"


class Account:
    """The operator's service account on a real API server, with the shipped role or a part of it."""

    def __init__(self, scene: Scene, directory: Path, *, confined: bool = False) -> None:
        self._cluster = scene.stage.cluster
        self._name = f"zonewright-{secrets.token_hex(4)}"
        self._rules = yaml.safe_load((ROOT / "config/rbac/role.yaml").read_text())["rules"]
        kind, scope = ("Role", f"/namespaces/{scene.namespace}") if confined else ("ClusterRole", "")
        if confined:  # of all namespaces it may only read its own, and no other one's objects
            own = {"apiGroups": [""], "resources": ["namespaces"], "verbs": ["get"]}
            self._rules = [own, *(rule for rule in self._rules if "namespaces" not in rule["resources"])]
        self._kind = kind.lower()
        self._path = f"{RBAC}{scope}/{self._kind}"
        accounts = f"/api/v1/namespaces/{scene.namespace}/serviceaccounts"
        self._cluster.create(accounts, {"metadata": {"name": self._name}})
        spec = {"spec": {"expirationSeconds": 3600}}
        token = self._cluster.create(f"{accounts}/{self._name}/token", spec)["status"]["token"]
        self._cluster.create(f"{self._path}s", {"metadata": {"name": self._name}, "rules": self._rules})
        subject = {"kind": "ServiceAccount", "name": self._name, "namespace": scene.namespace}
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": self._name}
        binding = {"metadata": {"name": self._name}, "subjects": [subject], "roleRef": role}
        self._cluster.create(f"{self._path}bindings", binding)
        self.kubeconfig = self._cluster.write_kubeconfig(directory / "operator", token=token)

    def forbid(self, resource: str, *verbs: str) -> None:
        """All but these verbs stays permitted."""
        rules = copy.deepcopy(self._rules)
        for rule in rules:
            if resource in rule["resources"]:
                rule["verbs"] = [verb for verb in rule["verbs"] if verb not in verbs] or ["get"]
        self._set(rules)

    def permit(self) -> None:
        """The shipped role."""
        self._set(self._rules)

    def remove(self) -> None:
        for kind in ("bindings", "s"):
            self._cluster.request("DELETE", f"{self._path}{kind}/{self._name}")

    def _set(self, rules: list[dict[str, Any]]) -> None:
        self._cluster.patch(f"{self._path}s/{self._name}", {"rules": rules})


@pytest.fixture
def account(scene: Scene, tmp_path: Path) -> Iterator[Account]:
    """The operator runs as it, and a zone is published."""
    if scene.stage.cluster.backend == "embedded":
        pytest.skip("the embedded API has no RBAC")
    account = Account(scene, tmp_path)
    with operating(scene.stage, "--kubeconfig", str(account.kubeconfig)):
        scene.create_zone()
        scene.wait("dnszones", "zone")
        yield account
        account.permit()
    account.remove()


@pytest.mark.criterion(number="EP-A1")
def test_the_shipped_role_is_enough(scene: Scene, account: Account):
    scene.create_endpoints("one", a(scene, "www"))
    assert conditions(ready(scene)) == WELL
    told(scene, "Normal", "RecordReady", "1 endpoint in DNS")
    scene.delete("dnsendpoints", "one")
    gone(scene)
    scene.served("www")


@pytest.mark.criterion(number="EP-A2")
def test_without_permission_for_status_an_event_and_the_log_say_so_and_everything_else_goes_on(
    scene: Scene, account: Account
):
    account.forbid("dnsendpoints/status", "patch", "update")
    scene.create_endpoints("one", a(scene, "www"))
    scene.create_a("beside", "192.0.2.9")
    scene.served("www", "192.0.2.1")
    scene.served("beside", "192.0.2.9")
    told(scene, "Warning", "RecordError", f"Failed to update status for DNSEndpoint {scene.namespace}/one")
    assert f"Failed to update status for DNSEndpoint {scene.namespace}/one" in scene.stage.manager_log()
    assert scene.metric("zonewright_status_update_failures_total") > 0
    assert "status" not in scene.get("dnsendpoints", "one")
    account.permit()
    assert conditions(ready(scene)) == WELL


@pytest.mark.criterion(number="EP-A3")
def test_without_permission_for_metadata_the_object_says_so_and_everything_else_goes_on(scene: Scene, account: Account):
    account.forbid("dnsendpoints", "patch", "update")
    scene.create_endpoints("one", a(scene, "www"))
    status = refused(scene, "Failed")
    assert conditions(status) == WELL | {"Synced": ("False", "SyncFailed"), "Ready": ("False", "Failed")}
    assert "may not write metadata of DNSEndpoints" in messages(status)["Ready"]
    told(scene, "Warning", "RecordError", "may not write metadata")
    scene.create_a("beside", "192.0.2.9")
    scene.served("beside", "192.0.2.9")
    scene.served("www")
    account.permit()
    assert conditions(ready(scene)) == WELL
    scene.served("www", "192.0.2.1")


@pytest.mark.criterion(number="EP-A3")
def test_what_is_published_follows_its_object_without_permission_for_metadata(scene: Scene, account: Account):
    scene.create_endpoints("one", a(scene, "www"))
    ready(scene)
    account.forbid("dnsendpoints", "patch", "update")
    change(scene, a(scene, "www", "192.0.2.2"))
    scene.served("www", "192.0.2.2")
    assert conditions(ready(scene)) == WELL


@pytest.mark.criterion(number="EP-A4")
def test_a_deletion_that_lacks_the_permission_says_so_and_ends_when_it_returns(scene: Scene, account: Account):
    scene.create_endpoints("one", a(scene, "www"))
    ready(scene)
    account.forbid("dnsendpoints", "patch", "update")
    scene.delete("dnsendpoints", "one")
    scene.served("www")
    message = scene.refused("dnsendpoints", "one", "Failed")
    assert "may not write metadata of DNSEndpoints, so it cannot end" in message
    account.permit()
    gone(scene)
    told(scene, "Normal", "RecordDeleted", "nothing of it is left")


@pytest.mark.criterion(number="EP-A7")
def test_an_operator_of_one_namespace_needs_a_role_there_and_says_that_it_reads_no_others(scene: Scene, tmp_path: Path):
    flags = ["--namespace", scene.namespace, "--lease-namespace", scene.namespace]
    confined = None
    if scene.stage.cluster.backend != "embedded":
        confined = Account(scene, tmp_path, confined=True)
        flags += ["--kubeconfig", str(confined.kubeconfig)]
    with operating(scene.stage, *flags):
        scene.create_zone(allowEndpointsFrom={"matchLabels": {"team": "shop"}})
        scene.create_endpoints("one", a(scene, "www"))
        assert conditions(ready(scene)) == WELL
        assert "spec.allowEndpointsFrom has no effect" in scene.stage.manager_log()
        scene.create_endpoints("two", {"dnsName": "www.nowhere.test", "recordType": "A", "targets": ["192.0.2.1"]})
        assert "the operator watches this namespace only" in messages(refused(scene, "Filtered", "two"))["Ready"]
        for name in ("one", "two"):
            scene.delete("dnsendpoints", name)
            gone(scene, name)
    if confined is not None:
        confined.remove()


@pytest.mark.criterion(number="EP-A5")
def test_the_crd_can_be_deleted_while_objects_exist_and_come_back(scene: Scene):
    scene.create_zone()
    scene.create_endpoints("one", a(scene, "www"))
    scene.create_endpoints("two", a(scene, "api"))
    ready(scene)
    ready(scene, "two")
    cluster = scene.stage.cluster
    cluster.delete(CRD)
    eventually(lambda: cluster.request("GET", CRD).status == 404, what="the end of the CRD")
    for name in ("www", "api"):
        scene.served(name)
        scene.served(f"a-{name}", rdtype="TXT")
    scene.create_a("beside", "192.0.2.9")
    scene.served("beside", "192.0.2.9")
    scene.stage.install_crds()
    scene.create_endpoints("one", a(scene, "www"))
    assert conditions(ready(scene)) == WELL
    scene.served("www", "192.0.2.1")


@pytest.mark.criterion(number="EP-A6")
def test_a_namespace_can_be_deleted_and_its_endpoints_leave_the_zone_of_another(scene: Scene, neighbour: Scene):
    cluster = scene.stage.cluster
    cluster.patch(f"/api/v1/namespaces/{neighbour.namespace}", {"metadata": {"labels": {"team": scene.zone}}})
    scene.create_zone(allowEndpointsFrom={"matchLabels": {"team": scene.zone}})
    neighbour.zone = scene.zone
    neighbour.create_endpoints("one", a(scene, "www"))
    scene.create_endpoints("one", a(scene, "own", "192.0.2.2"))
    ready(neighbour)
    ready(scene)
    cluster.delete(f"/api/v1/namespaces/{neighbour.namespace}")
    path = f"/api/v1/namespaces/{neighbour.namespace}"
    eventually(lambda: cluster.request("GET", path).status == 404, what="the end of the namespace", timeout=300)
    scene.served("www")
    scene.served("a-www", rdtype="TXT")
    scene.served("own", "192.0.2.2")


@pytest.mark.criterion(number="EP-A6")
def test_a_namespace_can_be_deleted_with_zone_servers_and_endpoints(neighbour: Scene):
    cluster = neighbour.stage.cluster
    neighbour.stage.register_servers(neighbour.namespace)
    neighbour.create_zone()
    neighbour.create_endpoints("one", a(neighbour, "www"))
    ready(neighbour)
    path = f"/api/v1/namespaces/{neighbour.namespace}"
    cluster.delete(path)
    eventually(lambda: cluster.request("GET", path).status == 404, what="the end of the namespace", timeout=300)
