"""A reconcile that keeps raising, on a real API server: the object says so, and says so no more once it is mended."""

import pytest

from tests.support.gadgets import gadget
from zonewright import (
    Config,
    Forbidden,
    Manager,
    ManagerOptions,
    Request,
    find_condition,
    set_condition,
    status_patch,
)
from zonewright.clock import SystemClock
from zonewright.envtest.cluster import Cluster, count
from zonewright.testing import eventually


class Moody:
    """Sets Ready and Synced; raises what it is told to, for the names it is told to."""

    def __init__(self, manager, kind):
        self.informer, self.client, self.kind = manager.informer(kind), manager.client, kind
        self.errors: dict[str, Exception] = {}

    def reconcile(self, request):
        found = self.informer.object(request)
        if found is None:
            return
        if request.name in self.errors:
            raise self.errors[request.name]
        before = found.fields().get("status") or {}
        conditions = before.get("conditions")
        for type_ in ("Synced", "Ready"):
            now = SystemClock().now()
            conditions = set_condition(conditions, type_, True, "Done", "all is well", found.generation, now)
        patch = status_patch(found, before, {"conditions": conditions})
        if patch is not None:
            self.client.patch(self.kind, found.name, patch, namespace=found.namespace, subresource="status")


@pytest.fixture
def start(cluster: Cluster, kind, namespace):
    """No predicate: every write of status wakes the key, so that a write per failure would never end."""
    manager = Manager(Config.load(cluster.kubeconfig), ManagerOptions(namespace=namespace))
    reconciler = Moody(manager, kind)
    manager.controller("moody", reconciler, workers=2).for_(kind).on_error(condition="Ready", reason="ReconcileError")
    manager.start()
    assert manager.wait_until_working(60)
    yield manager, reconciler
    manager.stop()


def condition(client, kind, name, namespace, type_="Ready"):
    status = client.get_fields(kind, name, namespace).get("status") or {}
    return find_condition(status.get("conditions"), type_) or {}


def writes(cluster, kind):
    """Of status, as the API server counts them."""
    return count(cluster.requests(), verb="PATCH", group=kind.group, resource=kind.plural, subresource="status")


def test_nothing_lost_an_unexpected_exception_becomes_a_condition(client, cluster, kind, namespace, start):
    manager, reconciler = start
    client.create(kind, gadget("steady", namespace))
    client.create(kind, gadget("moody", namespace))
    eventually(lambda: condition(client, kind, "steady", namespace).get("reason") == "Done")
    eventually(lambda: condition(client, kind, "moody", namespace).get("reason") == "Done")
    synced = condition(client, kind, "moody", namespace, "Synced")
    before = writes(cluster, kind)

    reconciler.errors["moody"] = KeyError("x" * 5000)
    changed = client.patch(kind, "moody", {"spec": {"size": 2}}, namespace=namespace)
    eventually(lambda: condition(client, kind, "moody", namespace).get("reason") == "ReconcileError")
    found = condition(client, kind, "moody", namespace)
    assert (found["status"], found["observedGeneration"]) == ("False", changed.generation)
    assert found["message"].startswith("KeyError: 'xxx")
    assert len(found["message"].encode()) == 1024
    assert condition(client, kind, "moody", namespace, "Synced") == synced, "the others are as they were"
    eventually(lambda: manager.controllers[0].queue.failures(Request(namespace, "moody")) >= 9)
    assert writes(cluster, kind) - before == 1, "one write, however often it fails"

    client.patch(kind, "steady", {"spec": {"size": 3}}, namespace=namespace)
    eventually(lambda: condition(client, kind, "steady", namespace).get("observedGeneration") == 2)

    reconciler.errors.clear()
    client.patch(kind, "moody", {"spec": {"size": 3}}, namespace=namespace)
    eventually(lambda: condition(client, kind, "moody", namespace).get("reason") == "Done")
    assert condition(client, kind, "moody", namespace)["status"] == "True"


def test_a_success_without_any_change_takes_it_back(client, kind, namespace, start):
    manager, reconciler = start
    reconciler.errors["moody"] = Forbidden("nobody may do this")
    client.create(kind, gadget("moody", namespace))
    eventually(lambda: condition(client, kind, "moody", namespace).get("message") == "Forbidden: nobody may do this")
    reconciler.errors.clear()
    manager.controllers[0].enqueue(Request(namespace, "moody"))
    eventually(lambda: condition(client, kind, "moody", namespace).get("reason") == "Done")
