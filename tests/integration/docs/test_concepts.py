"""The snippets of docs/concepts that show how a part is used, run as they stand but for addresses and names."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from generated import kinds
from tests.support import ROOT, WIDGETS
from tests.support.documents import blocks, execute, shell, substitute
from zonewright import Config, Kind, Manager, ManagerOptions, Object, Request, find_condition
from zonewright.envtest.cluster import Cluster
from zonewright.testing import eventually

CACHES, PARTS = blocks("docs/concepts/caches.md", "python")
(FAILURES,) = blocks("docs/concepts/controllers.md", "python")
MODELS, BUILTIN = blocks("docs/concepts/codegen.md", "python")
(OTHER_CRDS,) = blocks("docs/concepts/codegen.md", "sh")
(UPDATE,) = blocks("docs/concepts/dns-updates.md", "python")


def test_an_informer_is_made_filled_and_read(crds: Cluster, namespace: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KUBECONFIG", str(crds.kubeconfig))
    zone = {
        "apiVersion": kinds.DNSZone.api_version,
        "kind": "DNSZone",
        "metadata": {"name": "example-org", "labels": {"class": "internal"}},
        "spec": {
            "zoneName": "example.org",
            "soaRecord": {"primaryNs": "ns1.example.org.", "adminEmail": "a@example.org"},
        },
    }
    crds.create(kinds.DNSZone.path(namespace), zone)

    made = execute(CACHES, {'"dns"': f'"{namespace}"'})

    try:
        # The first list is at version 0: from the API server's watch cache, which may be a moment behind.
        read = eventually(lambda: made["zones"].get(made["Request"](namespace, "example-org")), what="the zone")
        assert read.spec.zone_name == "example.org"
        assert namespace in {view.namespace for view in made["zones"].by_index("class", "internal")}
    finally:
        made["informers"].stop()
        made["client"].close()


def test_caches_hold_a_part_of_a_kind(cluster: Cluster, namespace: str):
    class Recorder:
        def __init__(self) -> None:
            self.seen: set[Request] = set()

        def reconcile(self, request: Request) -> None:
            self.seen.add(request)

    recorder = Recorder()
    cluster.create(f"/api/v1/namespaces/{namespace}/configmaps", {"metadata": {"name": "settings"}, "data": {"a": "b"}})
    manager = Manager(Config.load(cluster.kubeconfig), ManagerOptions(namespace=namespace))

    def mapper(_old: Object[Any] | None, new: Object[Any] | None) -> list[Request]:
        return [new.key] if new else []

    made = execute(PARTS, {'"web"]': f'"{namespace}"]'}, manager=manager, reconciler=recorder, mapper=mapper)
    manager.start()
    try:
        assert manager.wait_until_working(60)
        key = Request(namespace, "settings")
        eventually(lambda: key in recorder.seen, what="the reconcile that the metadata wakes")
        assert made["settings"].get(key).to_dict().keys() == {"apiVersion", "kind", "metadata"}
        assert len(manager.informers.informers()) == 4
        assert made["address"]({"metadata": {}, "spec": {}, "status": {"podIP": "192.0.2.1"}}) == {
            "metadata": {},
            "status": {"podIP": "192.0.2.1"},
        }
    finally:
        manager.stop()


def test_a_failure_that_lasts_is_told(crds: Cluster, namespace: str):
    class Failing:
        def reconcile(self, request: Request) -> None:
            raise KeyError(request.name)

    crds.install_crds(WIDGETS)
    # A kind that no operator of another test reconciles.
    kind: Kind[Any] = Kind("envtest.example.org", "v1", "Widget", "widgets", subresources=frozenset({"status"}))
    manager = Manager(Config.load(crds.kubeconfig), ManagerOptions(namespace=namespace))
    execute(FAILURES, manager=manager, reconciler=Failing(), kinds=SimpleNamespace(DNSZone=kind))
    widget = {"metadata": {"name": "example-org"}, "spec": {"size": 1, "color": "red"}}
    crds.create(kind.path(namespace), {"apiVersion": kind.api_version, "kind": kind.kind, **widget})
    manager.start()
    try:
        path = kind.path(namespace, "example-org")
        eventually(lambda: find_condition(crds.get(path).get("status", {}).get("conditions"), "Ready"), what="Ready")
        ready = find_condition(crds.get(path)["status"]["conditions"], "Ready") or {}
        assert ready["reason"] == "ReconcileError"  # a widget's condition has no message
    finally:
        manager.stop()


def test_models_are_written_and_read():
    made = execute(MODELS)

    assert made["ARecord"].model_validate_json(made["record"].to_json()) == made["record"]
    assert f"# {made['kinds'].ARecord.path('default')}" in MODELS.text


def test_built_in_kinds_are_typed():
    made = execute(BUILTIN)

    assert made["service"].to_dict()["spec"] == {"ports": [{"port": 80, "targetPort": "http"}]}
    assert f"# {made['kinds'].Service.path('default')}" in BUILTIN.text
    assert made["kinds"].Deployment.subresources == {"scale", "status"}


def test_code_is_generated_for_other_crds(tmp_path: Path):
    package = tmp_path / "package"
    shell(substitute(OTHER_CRDS.text, {"DIR": "tests/golden/codegen/crds", "PACKAGE": str(package)}))

    assert {"__init__.py", "kinds.py", "informers.py", "role.yaml", "api.md"} <= {
        each.name for each in package.iterdir()
    }
    assert ROOT not in package.parents


def test_one_update_puts_a_record_into_a_zone(named):
    server = named("primary", bindcar=False)
    server.add_zone("example.org")

    made = execute(UPDATE, {'"192.0.2.53", 53': f'"{server.address}", {server.port}'}, secret=server.key.secret)

    result, www = made["result"], made["www"]
    assert [change.key for change in result.applied] == [www.key]
    assert result.rejected == ()
    with made["server"] as again:
        assert again.rrset(www.key) == www
        assert again.soa(made["zone"]).serial == result.serial == 2
