"""A manager that is told to stop: what is under way ends, and status tells of it, before the process does."""

import json
import signal
import time
import urllib.request

import pytest

from hack.stage import Stage, eventually
from tests.scene import Scene, start_manager


@pytest.fixture
def manager(operator: Stage):
    """A manager instead of the session's, to be stopped. It polls no zone, so only changes are under way."""
    assert operator.manager is not None
    operator.manager.stop(timeout=25)
    start_manager(operator, poll_interval=3600)
    yield operator.manager
    operator.manager.kill()
    start_manager(operator)


def updates_under_way(running: Stage) -> set[str]:
    """ "server:zone" of each UPDATE in flight, as the engine sees it."""
    url = f"http://127.0.0.1:{running.http_port}/debug/difftracker/services"
    with urllib.request.urlopen(url, timeout=10) as reply:
        return {each["key"] for each in json.load(reply) if each["op"] and each["op"]["kind"] == "sync"}


def test_an_update_under_way_at_a_stop_ends_and_is_told_in_status(scene: Scene, manager):
    scene.create_zone()
    scene.create_a("www", "192.0.2.1")
    scene.wait("arecords", "www")
    slow = scene.stage.primaries[0]
    slow.pause()
    try:
        scene.patch("arecords", "www", {"spec": {"ipv4Address": "192.0.2.2"}})
        eventually(lambda: any(f":{scene.zone}" in key for key in updates_under_way(scene.stage)), every=0.005)
        manager.signal(signal.SIGTERM)
        time.sleep(0.5)  # whatever does not wait for the server is over by then
        assert manager.running
    finally:
        slow.resume()
    assert manager.wait(25) == 0
    assert scene.stage.ask(slow, f"www.{scene.zone}", "A") == {"192.0.2.2"}
    record, ready = scene.get("arecords", "www"), scene.condition("arecords", "www")
    assert (ready["status"], ready["observedGeneration"]) == ("True", record["metadata"]["generation"])
