"""The whole operator for tests: two primaries, a secondary, the manager as a process.

Fixtures `operator`, `scene`, `neighbour`."""

import json
import secrets
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from testbed.stage import Stage, path, stage
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.processes import Run
from zonewright.testing import eventually

LABEL = "dns.example.org/tier"


class Scene:
    """One test's part of the stage: a namespace with the servers in it, and a zone name of its own."""

    def __init__(self, running: Stage, namespace: str) -> None:
        self.stage = running
        self.namespace = namespace
        self.zone = f"z{secrets.token_hex(3)}.test"

    # -- doing

    def create_zone(
        self, name: str = "zone", zone: str | None = None, labels: dict[str, str] | None = None, **spec: Any
    ):
        zone = zone or self.zone
        body = {
            "zoneName": zone,
            "soaRecord": {"primaryNs": f"ns1.{zone}.", "adminEmail": f"admin@{zone}"},
            "recordsFrom": [{"selector": {"matchLabels": {"zone": self.zone} if labels is None else labels}}],
            "bind9InstancesFrom": [{"selector": {"matchLabels": {LABEL: "demo"}}}],
            **spec,
        }
        return self._create("DNSZone", "dnszones", name, body)

    def create(self, kind: str, name: str, spec: dict[str, Any], labels: dict[str, str] | None = None):
        return self._create(kind, f"{kind.lower()}s", name, spec, {"zone": self.zone} if labels is None else labels)

    def create_a(self, name: str, address: str = "192.0.2.1", **options: Any):
        return self.create("ARecord", name, {"name": name, "ipv4Address": address, "ttl": 300}, **options)

    def patch(self, plural: str, name: str, body: dict[str, Any]):
        return self.stage.cluster.patch(self.path(plural, name), body)

    def delete(self, plural: str, name: str) -> None:
        self.stage.cluster.delete(self.path(plural, name))

    def delete_zones(self) -> None:
        """All of them, and wait until the servers are rid of them."""
        self.stage.cluster.delete(self.path("dnszones"))
        eventually(lambda: not self.stage.cluster.get(self.path("dnszones"))["items"], what="the end of the zones")

    def _create(self, kind: str, plural: str, name: str, spec: dict[str, Any], labels: dict[str, str] | None = None):
        body = {"apiVersion": "bindy.firestoned.io/v1beta1", "kind": kind, "spec": spec}
        return self.stage.cluster.create(
            self.path(plural), {**body, "metadata": {"name": name, "labels": labels or {}}}
        )

    def create_endpoints(self, name: str, *endpoints: dict[str, Any]):
        """A DNSEndpoint."""
        body = {"apiVersion": "externaldns.k8s.io/v1alpha1", "kind": "DNSEndpoint", "metadata": {"name": name}}
        return self.stage.cluster.create(self.path("dnsendpoints"), {**body, "spec": {"endpoints": list(endpoints)}})

    def path(self, plural: str, name: str = "") -> str:
        return path(plural, name, self.namespace)

    # -- looking

    def get(self, plural: str, name: str) -> dict[str, Any]:
        return self.stage.object(plural, name, self.namespace)

    def exists(self, plural: str, name: str) -> bool:
        return self.stage.cluster.request("GET", self.path(plural, name)).ok

    def condition(self, plural: str, name: str, kind: str = "Ready") -> dict[str, Any]:
        return _condition(self.get(plural, name), kind)

    def wait(
        self, plural: str, name: str, kind: str = "Ready", status: str = "True", reason: str = ""
    ) -> dict[str, Any]:
        """The object, once the condition holds for its present generation; with this reason, if one is given.

        A condition that is false has its reason from the start: on a slow machine status tells of states on the way.
        """

        def holds() -> dict[str, Any] | None:
            item = self.get(plural, name)
            found = _condition(item, kind)
            current = found.get("observedGeneration") == item["metadata"]["generation"]
            wanted = found.get("status") == status and reason in {"", found.get("reason")}
            return item if current and wanted else None

        found: dict[str, Any] = eventually(
            holds, what=lambda: f"{plural}/{name} {kind}={status} {reason}, not {self.get(plural, name).get('status')},"
        )
        return found

    def refused(self, plural: str, name: str, reason: str, kind: str = "Ready") -> str:
        """The message of the condition, once it is false for this reason."""
        return str(_condition(self.wait(plural, name, kind, "False", reason), kind)["message"])

    def answers(self, name: str, rdtype: str = "A", *, zone: str | None = None) -> list[set[str]]:
        full = f"{name}.{zone or self.zone}." if name != "@" else f"{zone or self.zone}."
        return [self.stage.ask(server, full, rdtype) for server in self.stage.servers]

    def served(self, name: str, *values: str, rdtype: str = "A", zone: str | None = None) -> None:
        """Every server answers exactly this, soon."""
        eventually(
            lambda: self.answers(name, rdtype, zone=zone) == [set(values)] * len(self.stage.servers),
            what=lambda: f"{name} {rdtype} {values} on every server, not {self.answers(name, rdtype, zone=zone)},",
        )

    def serials(self) -> list[int | None]:
        return [self.stage.serial(server, self.zone) for server in self.stage.servers]

    def caught_up(self) -> None:
        """Wait until the manager has dealt with all changes of records that were made before this call.

        A watch keeps their order, so it has heard of them when it has written a status for a record made after them.
        """
        name = f"marker-{secrets.token_hex(3)}"
        self.create_a(name, labels={"zone": "nobody"})
        self.refused("arecords", name, "NotSelected")
        eventually(lambda: is_idle(self.stage, self.namespace), what="an idle manager")

    def metric(self, name: str, **labels: str) -> float:
        """The sum of a metric's series that have these labels, as the manager exposes it."""
        total = 0.0
        for line in self.stage.metrics().splitlines():
            series, _, value = line.rpartition(" ")
            wanted = all(f'{key}="{value_}"' in series for key, value_ in labels.items())
            if series.partition("{")[0] == name and wanted:
                total += float(value)
        return total


def debug(running: Stage, page: str) -> Any:
    """What the manager shows at /debug/..."""
    with urllib.request.urlopen(f"http://127.0.0.1:{running.http_port}/debug/{page}", timeout=60) as reply:
        return json.load(reply)


def is_idle(running: Stage, namespace: str) -> bool:
    """Whether the manager has nothing to do in a namespace, now or later, but to look at its servers."""
    queues, services = debug(running, "queues"), debug(running, "difftracker/services")
    del queues["bind9instance"]  # each of them waits for its next probe
    keys = {item["key"] for items in queues.values() for item in items}
    changing = {each["key"] for each in services if each["op"] and each["op"]["kind"] != "observe"}
    return not any(key.startswith(f"{namespace}/") for key in keys | changing)


def _condition(item: dict[str, Any], kind: str) -> dict[str, Any]:
    conditions = (item.get("status") or {}).get("conditions") or ()
    return next((each for each in conditions if each["type"] == kind), {})


def start_manager(running: Stage, *flags: str, poll_interval: int = 1) -> None:
    """Start it, and wait until it works."""
    manager = running.start_manager("--poll-interval", str(poll_interval), *flags)

    def works() -> bool:
        manager.check()
        return '"working"' in running.manager_log()

    eventually(works, what="the manager's start")


@contextmanager
def operating(running: Stage, *flags: str) -> Iterator[None]:
    """The operator with other flags; afterwards it is as before."""
    _restart(running, *flags)
    try:
        yield
    finally:
        _restart(running)


def _restart(running: Stage, *flags: str) -> None:
    if running.manager is not None:
        running.manager.stop(timeout=25)
    start_manager(running, *flags)


@pytest.fixture(scope="session")
def operator(cluster: Cluster, background: Run) -> Iterator[Stage]:
    """The operator for every test of a run: a second manager would be a second owner of the same objects."""
    with stage("", primaries=2, secondaries=1, cluster=cluster, run=background) as running:
        running.install_crds()
        start_manager(running)
        yield running
        assert running.manager is not None
        running.manager.check()


@pytest.fixture
def scene(operator: Stage, namespace: str) -> Iterator[Scene]:
    operator.register_servers(namespace)
    yield Scene(operator, namespace)
    _unregister_servers(operator, namespace)


@pytest.fixture
def neighbour(operator: Stage) -> Iterator[Scene]:
    """Another tenant of the same cluster, without servers yet."""
    name = f"test-{secrets.token_hex(4)}"
    operator.cluster.create("/api/v1/namespaces", {"metadata": {"name": name}})
    yield Scene(operator, name)
    _unregister_servers(operator, name)
    operator.cluster.request("DELETE", f"/api/v1/namespaces/{name}")


def _unregister_servers(running: Stage, namespace: str) -> None:
    """A namespace takes a real API server minutes to delete when others are before it, and as long as the instances in
    it are there, those of the next test are duplicates."""
    running.cluster.request("DELETE", Scene(running, namespace).path("bind9instances"))
