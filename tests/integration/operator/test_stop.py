"""A manager that is told to stop: what is under way ends, and status tells of it, before the process does."""

import signal
import urllib.error
import urllib.request

import pytest

from testbed.stage import Stage
from tests.support.scene import Scene, debug, start_manager
from zonewright.testing import eventually


@pytest.fixture
def manager(operator: Stage):
    """A manager instead of the session's, to be stopped. It polls no zone, so only changes are under way."""
    assert operator.manager is not None
    operator.manager.stop(timeout=120)
    start_manager(operator, poll_interval=3600)
    yield operator.manager
    operator.manager.kill()
    start_manager(operator)


def updates_under_way(scene: Scene) -> set[str]:
    """The servers that an UPDATE of the scene's zone is in flight to, as the engine sees it."""
    updates = (
        each["key"]
        for each in debug(scene.stage, "difftracker/services")
        if each["op"] and each["op"]["kind"] == "sync"
    )
    found = (key.removeprefix(f"{scene.namespace}/").partition(":") for key in updates)
    return {server for server, _, zone in found if zone == f"{scene.zone}."}


def readiness(running: Stage) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{running.http_port}/readyz", timeout=60) as reply:
            return str(reply.read().decode())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.read().decode()


def test_an_update_under_way_at_a_stop_ends_and_is_told_in_status(scene: Scene, manager):
    scene.create_zone()
    scene.create_a("www", "192.0.2.1")
    scene.wait("arecords", "www")
    slow = scene.stage.primaries[0]
    slow.pause()
    try:
        scene.patch("arecords", "www", {"spec": {"ipv4Address": "192.0.2.2"}})
        eventually(lambda: updates_under_way(scene) == {slow.name}, what="an update of the slow server alone")
        manager.signal(signal.SIGTERM)
        eventually(
            lambda: "stopping" in readiness(scene.stage),
            what=lambda: f"the beginning of the stop (threads: {debug(scene.stage, 'threads')})",
        )
        assert updates_under_way(scene) == {slow.name}
    finally:
        slow.resume()
    # Had the manager not waited for the server, nobody would be left to write the status.
    assert manager.wait(120) == 0
    assert scene.stage.ask(slow, f"www.{scene.zone}", "A") == {"192.0.2.2"}
    record, ready = scene.get("arecords", "www"), scene.condition("arecords", "www")
    assert (ready["status"], ready["observedGeneration"]) == ("True", record["metadata"]["generation"])
