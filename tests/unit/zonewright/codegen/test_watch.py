"""Which file system events count as a change of the CRDs. The loop around them is an integration test."""

import pytest
from watchdog.events import (
    DirModifiedEvent,
    FileClosedEvent,
    FileClosedNoWriteEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileOpenedEvent,
)

from zonewright.codegen.watch import Changes


@pytest.mark.parametrize(
    ("event", "counts"),
    [
        (FileModifiedEvent("a.yaml"), True),
        (FileCreatedEvent("sub/a.yml"), True),
        (FileDeletedEvent("a.json"), True),
        (FileClosedEvent("a.yaml"), True),
        (FileMovedEvent("a.yaml.tmp", "a.yaml"), True),
        (FileMovedEvent("a.yaml", "a.yaml~"), True),
        (FileOpenedEvent("a.yaml"), False),
        (FileClosedNoWriteEvent("a.yaml"), False),
        (FileModifiedEvent("notes.txt"), False),
        (DirModifiedEvent("sub"), False),
    ],
)
def test_what_counts(event, counts):
    changes = Changes()
    changes.dispatch(event)
    assert changes.wait(timeout=0) is counts


def test_a_burst_is_one_change():
    changes = Changes()
    for _ in range(5):
        changes.dispatch(FileModifiedEvent("a.yaml"))
    assert changes.wait(timeout=0)
    assert not changes.wait(timeout=0)
