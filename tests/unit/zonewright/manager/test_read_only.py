"""A manager that only reads: it works, and nothing that it is asked to write leaves the process."""

import socket
from collections.abc import Iterator

import pytest

from zonewright import Config, FencedOff, Kind, LeaseOptions, Manager, ManagerOptions

WIDGET: Kind[dict] = Kind("example.org", "v1", "Widget", "widgets")


@pytest.fixture
def manager() -> Iterator[Manager]:
    with socket.create_server(("127.0.0.1", 0)) as listening:  # and never answers
        config = Config(f"http://127.0.0.1:{listening.getsockname()[1]}", lambda: "Bearer token")
        made = Manager(config, ManagerOptions(read_only=True), exit_process=lambda _: None)
        made.start()
        yield made
        made.stop()


def test_it_works_without_a_lease_and_every_write_is_refused(manager: Manager):
    assert manager.wait_until_working(60)
    widget = {"metadata": {"name": "a", "namespace": "b", "resourceVersion": "1"}}
    for write in (
        lambda: manager.client.create(WIDGET, widget),
        lambda: manager.client.update(WIDGET, widget),
        lambda: manager.client.update_status(WIDGET, widget),
        lambda: manager.client.patch(WIDGET, "a", {}, namespace="b"),
        lambda: manager.client.delete(WIDGET, "a", "b"),
    ):
        with pytest.raises(FencedOff, match="this process only reads: nothing may be written"):
            write()


def test_it_keeps_no_events_to_write_at_its_end(manager: Manager):
    manager.events.record(WIDGET, {"metadata": {"name": "a"}}, "Normal", "Seen", "told to nobody")
    assert manager.events.flush(0)


def test_it_takes_no_lease():
    with pytest.raises(ValueError, match="takes no lease"):
        ManagerOptions(read_only=True, leader_election=LeaseOptions("ns", "lease"))
