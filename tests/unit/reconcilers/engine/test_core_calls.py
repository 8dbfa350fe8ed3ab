"""The core's rules, one sentence each. The engine's calls, each in every state."""

from __future__ import annotations

import pytest

from reconcilers.engine.api import DesiredRRset
from reconcilers.engine.core.protocol import (
    Absent,
)
from tests.support.engine_rig import REF, ZONE, wanted
from tests.support.engine_world import rrset


def at_not_started(rig):
    rig.want({"a": "192.0.2.1"})


def at_creation(rig):
    at_not_started(rig)
    rig.finish(result=Absent())


def at_created(rig):
    at_not_started(rig)
    rig.resolve_waiting()


def at_update(rig):
    at_created(rig)
    rig.want({"a": "192.0.2.2"})


def at_deletion_pending(rig):
    rig.want({"a": "192.0.2.1"}, secondaries=frozenset({"s1"}))
    rig.resolve_waiting()
    rig.delete()


def at_deletion(rig):
    at_created(rig)
    rig.delete()


STATES = {
    "not_started": at_not_started,
    "creation_in_progress": at_creation,
    "created": at_created,
    "update_in_progress": at_update,
    "deletion_pending": at_deletion_pending,
    "deletion_in_progress": at_deletion,
}


@pytest.mark.parametrize("state", STATES)
def test_every_state_can_be_reached(rig, state):
    STATES[state](rig)
    assert rig.state() == state


def add_service(rig):
    rig.want({"a": "192.0.2.1"})


def update_endpoints(rig):
    rig.want({"a": "192.0.2.7", "b": "192.0.2.8"})


def delete_service(rig):
    rig.delete()


def creation_complete(rig):
    if rig.flight:
        rig.finish()


def check_pending_deletions(rig):
    rig.advance(60.0)


def pod(*addresses):
    item = rrset(ZONE, "pods", "A", *addresses)
    return {item.key: DesiredRRset(item, pods=len(addresses))}


def add_pod(rig):
    base = wanted({"a": "192.0.2.1"})
    rig.want(rrsets={**base.rrsets, **pod("192.0.2.10")})


def update_pod(rig):
    base = wanted({"a": "192.0.2.1"})
    rig.want(rrsets={**base.rrsets, **pod("192.0.2.10", "192.0.2.11")})


def delete_pod(rig):
    rig.want({"a": "192.0.2.1"})


EVENTS = {
    "AddService": add_service,
    "UpdateEndpoints": update_endpoints,
    "DeleteService": delete_service,
    "OnServiceCreationComplete": creation_complete,
    "CheckPendingDeletions": check_pending_deletions,
    "AddPod": add_pod,
    "UpdatePod": update_pod,
    "DeletePod": delete_pod,
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("event", EVENTS)
def test_every_event_in_every_state_ends_as_wanted(rig, event, state):
    STATES[state](rig)
    deleting = rig.zone().deleting or event == "DeleteService"
    EVENTS[event](rig)
    rig.resolve_waiting()
    if deleting:
        assert rig.core.zone(REF) is None
        assert rig.servers["p1"].zones == {}
        assert rig.core.model.replicas == {}
    else:
        assert rig.zone().published
        assert {rr.key for rr in rig.servers["p1"].zones[ZONE].content()} == set(rig.core.model.zones["uid-1"].content)
