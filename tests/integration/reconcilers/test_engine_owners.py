"""Whose zone it is, with real servers: two engines of one cluster name, and markers that version 0.1 wrote."""

import itertools
import json
import secrets
from contextlib import closing, contextmanager

import pytest

from reconcilers.reasons import Reason
from reconcilers.servers.bindcar import BindcarClient, Owner
from tests.support.engine_stage import CLUSTER_UID, Stage
from zonewright.testing import eventually

OTHER_UID = "11111111-9d3b-4c55-8a51-1f0c7e2b9d10"
_numbers = itertools.count(1)


@pytest.fixture
def servers(named):
    return named("primary"), named("secondary")


@contextmanager
def running(servers, cluster_uid=CLUSTER_UID):
    stage = Stage(cluster_uid=cluster_uid)
    stage.add(*servers)
    stage.engine.start()
    try:
        yield stage
    finally:
        stage.engine.stop(timeout=60)


def wish(stage, servers, name, uid=None):
    """A zone object of the stage's cluster, with a UID as only Kubernetes makes them."""
    made = stage.wish(name, servers[:1], servers[1:])
    made.uid = uid or secrets.token_hex(8)
    return made.put("www", f"192.0.2.{next(_numbers)}")


def owner(server, zone):
    with closing(BindcarClient(server.bindcar_url, server.token, timeout=60)) as bindcar:
        info = bindcar.get_zone(zone)
        return info and info.owner


def age(server, zone):
    """Make the zone's marker one of version 0.1."""
    (marker,) = (server.directory / "data").glob(f"{zone.to_text(omit_final_dot=True)}.*.bindcar.json")
    fields = json.loads(marker.read_text())
    fields["request"]["owner"]["cluster"] = "test-cluster"
    marker.write_text(json.dumps(fields))


def marked(servers, zone, *owners):
    eventually(
        lambda: [owner(server, zone) for server in servers] == list(owners),
        what=lambda: f"markers {owners}, not {[owner(server, zone) for server in servers]},",
    )


def conflicts(made):
    return eventually(
        lambda: (
            (status := made.status)
            and all(each.reason == Reason.CONFLICT for each in status.servers)
            and [each.message for each in status.servers]
        ),
        what=lambda: f"conflicts: {made.status}",
    )


def test_nothing_lost_two_operators_with_one_cluster_name(servers):
    with running(servers) as first, running(servers, OTHER_UID) as second:
        held = wish(first, servers, "held.test").install()
        held.wait_propagated()
        before = [held.content(server) for server in servers]
        asked = wish(second, servers, "held.test").install()
        for message in conflicts(asked):
            assert f"for cluster test-cluster/{CLUSTER_UID}, not this one; it is left alone" in message
        asked.delete()
        asked.wait_released()
        assert [held.content(server) for server in servers] == before

        held.put("more", "192.0.2.200").install().wait_propagated()
        held.delete()
        held.wait_released()
        assert not any(held.exists(server) for server in servers), "whose it is can still change and delete it"


def test_nothing_lost_an_operator_that_starts_later_meets_zones_of_the_same_cluster_name(servers):
    with running(servers) as first:
        held = wish(first, servers, "kept.test").install()
        held.wait_propagated()
        before = [held.content(server) for server in servers]
    with running(servers, OTHER_UID) as second:
        conflicts(wish(second, servers, "kept.test").install())
    assert [held.content(server) for server in servers] == before
    assert [owner(server, held.zone) for server in servers] == [Owner(f"test-cluster/{CLUSTER_UID}", held.uid)] * 2


def test_markers_of_0_1_are_adopted_and_rewritten_although_the_zone_does_not_change(servers):
    with running(servers) as first:
        held = wish(first, servers, "aged.test").install()
        held.wait_propagated()
    before = [held.content(server) for server in servers]
    for server in servers:
        age(server, held.zone)
    ours = Owner(f"test-cluster/{CLUSTER_UID}", held.uid)
    with running(servers) as again:
        same = wish(again, servers, "aged.test", held.uid)
        same.records = dict(held.records)
        same.install().wait_propagated()
        marked(servers, held.zone, ours, ours)
        assert [held.content(server) for server in servers] == before, "content and serial stay"
    for server in servers:
        server.restart()
    marked(servers, held.zone, ours, ours)
    with running(servers, OTHER_UID) as second:
        conflicts(wish(second, servers, "aged.test").install())
    assert [held.content(server) for server in servers] == before


def test_a_zone_with_a_marker_of_0_1_can_be_deleted(servers):
    with running(servers) as first:
        held = wish(first, servers, "old.test").install()
        held.wait_propagated()
    for server in servers:
        age(server, held.zone)
    with running(servers) as again:
        same = wish(again, servers, "old.test", held.uid)
        same.delete()
        same.wait_released()
    assert not any(held.exists(server) for server in servers)


def test_a_marker_that_became_old_again_is_rewritten_with_the_next_change(servers):
    """Somebody put an old backup of the directory back: the engine knows the zone, and does not look again."""
    with running(servers) as stage:
        held = wish(stage, servers, "backup.test").install()
        held.wait_propagated()
        for server in servers:
            age(server, held.zone)
        held.delete()
        held.wait_released()
    assert not any(held.exists(server) for server in servers)
