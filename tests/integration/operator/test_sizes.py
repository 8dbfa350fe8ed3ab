"""What is too large for DNS is refused with its field and the limit, and everything else goes on."""

import pytest

from tests.support.scene import Scene
from zonewright.envtest.errors import Refused


def test_nothing_lost_records_too_large_for_one_update_stop_nobody_else(scene: Scene):
    """Each of these ended the engine's threads, one by one, for all zones."""
    scene.create_zone()
    scene.create("TXTRecord", "text", {"name": "text", "text": ["x" * 40_000, "y" * 40_000]})
    many = [f"10.0.{number // 250}.{number % 250}" for number in range(1000)]
    scene.create(
        "ARecord", "many", {"name": "a-long-name-that-makes-each-of-the-records-larger", "ipv4Addresses": many}
    )
    scene.create_a("www")
    scene.served("www", "192.0.2.1")
    assert "spec.text: " in scene.refused("txtrecords", "text", "InvalidRecordData")
    message = scene.refused("arecords", "many", "InvalidRecordData")
    assert "spec.ipv4Addresses: " in message
    assert "at most 60,000 bytes" in message
    scene.patch("arecords", "many", {"spec": {"ipv4Addresses": ["192.0.2.7"]}})
    scene.wait("arecords", "many")


def test_nothing_lost_records_that_are_too_large_together_keep_the_oldest(scene: Scene):
    scene.create_zone()
    scene.create("TXTRecord", "first", {"name": "text", "text": ["x" * 35_000]})
    scene.wait("txtrecords", "first")
    scene.create("TXTRecord", "second", {"name": "text", "text": ["y" * 35_000]})
    scene.refused("txtrecords", "second", "RecordConflict")
    scene.delete("txtrecords", "first")
    scene.wait("txtrecords", "second")


def test_the_api_server_refuses_lists_without_end(scene: Scene):
    many = [f"10.{number // 65536}.{number // 256 % 256}.{number % 256}" for number in range(6000)]
    with pytest.raises(Refused, match="1000"):
        scene.create("ARecord", "many", {"name": "many", "ipv4Addresses": many})
