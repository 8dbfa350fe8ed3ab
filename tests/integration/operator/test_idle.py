"""What the operator does when nobody changes anything: it looks at its servers' serials, and nothing else."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.support.dnsendpoints import a, change, ready, refused
from tests.support.scene import Scene, operating
from zonewright.envtest.cluster import RequestKey
from zonewright.testing import eventually

LOOKS = 10
"""Looks at the serial of each zone while nothing else may happen. The operator of these tests looks once a second."""

KINDS = {"bindy.firestoned.io", "externaldns.k8s.io"}


@pytest.fixture
def quiet(scene: Scene) -> Iterator[Scene]:
    """Two zones with endpoints that are published, and some that cannot be: those may not keep it busy either."""
    scene.create_zone()
    scene.create_zone("other", f"other-{scene.zone}")
    for name in ("zone", "other"):
        scene.wait("dnszones", name)
    with operating(scene.stage):
        scene.create_endpoints("one", a(scene, "www"), a(scene, "api"))
        scene.create_endpoints("two", {**a(scene, "www"), "dnsName": f"www.other-{scene.zone}"})
        scene.create_endpoints("bad", a(scene, "bad", "nonsense"))
        scene.create_endpoints("loser", a(scene, "www", "192.0.2.2", "192.0.2.3"))
        for name in ("one", "two"):
            ready(scene, name)
        for name, reason in (("bad", "Invalid"), ("loser", "ConflictLost")):
            refused(scene, reason, name)
        scene.caught_up()
        yield scene


def test_nothing_is_planned_sent_or_asked_when_nothing_changes(quiet: Scene):
    eventually(lambda: not _in_a_while(quiet), what=lambda: f"a while without {_in_a_while(quiet)}")
    before = _work(quiet)
    change(quiet, a(quiet, "www", "192.0.2.9"))
    quiet.served("www", "192.0.2.9")
    eventually(lambda: _work(quiet).keys() <= (_work(quiet) - before).keys(), what="all of it counted")


def _in_a_while(scene: Scene) -> Counter[str]:
    """What is done until each primary has been looked at several times for each zone."""
    before, looks = _work(scene), _looks(scene)
    eventually(lambda: all(now - then >= 2 * LOOKS for now, then in zip(_looks(scene), looks, strict=True)))
    return _work(scene) - before


def _looks(scene: Scene) -> list[int]:
    return [server.received("SOA") for server in scene.stage.primaries]


def _work(scene: Scene) -> Counter[str]:
    """How often, since the start. Whether a server is there is asked all the time, and is no plan."""
    probes = scene.metric("controller_runtime_reconcile_total", controller="bind9instance")
    return Counter(
        {
            "reconciles, with every plan": int(scene.metric("controller_runtime_reconcile_total") - probes),
            "UPDATE messages": sum(server.received("UPDATE") for server in scene.stage.primaries),
            "API requests, as the operator counts": int(scene.metric("rest_client_requests_total")),
            "API requests, as the API server counts": _requests(scene.stage.cluster.requests()),
        }
    )


def _requests(counts: Counter[RequestKey]) -> int:
    """Those about our kinds. A watch is counted when it ends; this test asks for one object by name in between."""
    return sum(count for key, count in counts.items() if key.group in KINDS and key.verb not in {"WATCH", "GET"})
