"""DNSEndpoints in acceptance tests: made, waited for, and what stands in their way."""

import contextlib
from collections.abc import Iterator
from typing import Any

import dns.query
import dns.tsigkeyring
import dns.update

from tests.support.scene import Scene
from zonewright.testing import eventually

WELL = {
    "Accepted": ("True", "Accepted"),
    "Synced": ("True", "SyncSuccessful"),
    "Ready": ("True", "Programmed"),
}


def a(scene: Scene, name: str, *targets: str, **more: Any) -> dict[str, Any]:
    full = f"{name}.{scene.zone}"
    return {"dnsName": full, "recordType": "A", "targets": list(targets or ["192.0.2.1"]), **more}


def change(scene: Scene, *endpoints: dict[str, Any], name: str = "one") -> Any:
    """The object with another spec."""
    return scene.patch("dnsendpoints", name, {"spec": {"endpoints": list(endpoints)}})


def ready(scene: Scene, name: str = "one") -> dict[str, Any]:
    """The status, once it is Ready for the present generation."""
    status: dict[str, Any] = scene.wait("dnsendpoints", name)["status"]
    return status


def refused(scene: Scene, reason: str, name: str = "one") -> dict[str, Any]:
    """The status, once Ready is false for this reason."""
    status: dict[str, Any] = scene.wait("dnsendpoints", name, "Ready", "False", reason)["status"]
    return status


def conditions(status: dict[str, Any]) -> dict[str, tuple[str, str]]:
    assert {each["observedGeneration"] for each in status["conditions"]} == {status["observedGeneration"]}
    return {each["type"]: (each["status"], each["reason"]) for each in status["conditions"]}


def messages(status: dict[str, Any]) -> dict[str, str]:
    return {each["type"]: each["message"] for each in status["conditions"]}


def left_out(status: dict[str, Any]) -> list[tuple[str, str]]:
    """First label and reason of each endpoint that is not programmed."""
    return [(each["dnsName"].partition(".")[0], each["reason"]) for each in status["endpointStatuses"]]


def told(scene: Scene, kind: str, reason: str, message: str, name: str = "one") -> None:
    """An event of the object says so, soon."""
    path = f"/api/v1/namespaces/{scene.namespace}/events"

    def found() -> bool:
        events = scene.stage.cluster.get(path)["items"]
        mine = [each for each in events if each["involvedObject"]["name"] == name]
        return any((each["type"], each["reason"]) == (kind, reason) and message in each["message"] for each in mine)

    eventually(found, what=f"an event {kind} {reason} about {message!r}")


def by_hand(scene: Scene, change: Any) -> None:
    """An UPDATE of somebody else to every primary."""
    for server in scene.stage.primaries:
        keyring = dns.tsigkeyring.from_text({server.key.name: (server.key.algorithm, server.key.secret)})
        update = dns.update.Update(scene.zone, keyring=keyring)
        change(update)
        answer = dns.query.tcp(update, server.address, port=server.port, timeout=10)
        assert answer.rcode() == 0, answer


@contextlib.contextmanager
def frozen(scene: Scene) -> Iterator[None]:
    """The servers refuse updates of the zone."""
    for server in scene.stage.primaries:
        server.rndc("freeze", scene.zone)
    try:
        yield
    finally:
        for server in scene.stage.primaries:
            server.rndc("thaw", scene.zone)


@contextlib.contextmanager
def paused(scene: Scene) -> Iterator[None]:
    """The servers take connections and answer nothing."""
    for server in scene.stage.primaries:
        server.pause()
    try:
        yield
    finally:
        for server in scene.stage.primaries:
            server.resume()


def clock(scene: Scene) -> str:
    """The API server's time, as objects carry it."""
    name = f"now-{scene.zone.partition('.')[0]}"
    path = f"/api/v1/namespaces/{scene.namespace}/configmaps"
    made = scene.stage.cluster.create(path, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}})
    scene.stage.cluster.delete(f"{path}/{name}")
    return str(made["metadata"]["creationTimestamp"])


def gone(scene: Scene, name: str = "one") -> None:
    eventually(lambda: not scene.exists("dnsendpoints", name), what=f"the end of DNSEndpoint {name}")
