"""DNSEndpoints: one test per criterion of docs/requirements.md, named after it."""

from typing import Any

import pytest

from tests.support.scene import Scene
from zonewright.testing import eventually


@pytest.mark.criterion(number="EP-I1")
def test_a_dnsendpoint_is_served_tells_so_and_leaves_without_a_trace(scene: Scene):
    scene.create_zone()
    scene.create_endpoints("one", www(scene))
    scene.served("www", "192.0.2.1")
    status = scene.wait("dnsendpoints", "one")["status"]
    assert {each["type"]: (each["status"], each["reason"]) for each in status["conditions"]} == {
        "Accepted": ("True", "Accepted"),
        "Synced": ("True", "SyncSuccessful"),
        "Ready": ("True", "Programmed"),
    }
    assert (status["endpoints"], status["records"], status["endpointStatuses"]) == (1, "1/1", [])
    entry = f"heritage=external-dns,external-dns/owner=default,external-dns/resource=crd/{scene.namespace}/one"
    scene.served("a-www", f'"{entry}"', rdtype="TXT")
    scene.delete("dnsendpoints", "one")
    eventually(lambda: not scene.exists("dnsendpoints", "one"), what="the end of the DNSEndpoint")
    scene.served("www")
    scene.served("a-www", rdtype="TXT")


def www(scene: Scene, *targets: str, **more: Any) -> dict[str, Any]:
    """An endpoint."""
    return {"dnsName": f"www.{scene.zone}", "recordType": "A", "targets": list(targets or ["192.0.2.1"]), **more}
