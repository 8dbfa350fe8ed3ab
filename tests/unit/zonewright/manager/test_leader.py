"""Leader election against an API in memory: who holds the lease, until when, and what if it cannot be kept."""

import copy
import math
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from zonewright.api.errors import AlreadyExists, Conflict, FencedOff, NotFound, Unreachable
from zonewright.clock import FakeClock, SystemClock
from zonewright.manager.fence import Fence
from zonewright.manager.leader import Election, LeaderElector, LeaseOptions, default_identity
from zonewright.metrics import REGISTRY
from zonewright.testing import eventually


class MemoryLeases:
    """One Lease with optimistic concurrency, as the API server keeps it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.lease: dict[str, Any] | None = None
        self.version = 0
        self.calls: list[str] = []
        self.error: Exception | None = None
        self.timeouts: list[float] = []

    def get_fields(self, kind, name, namespace="", *, timeout):
        self._enter("get", timeout)
        if self.lease is None:
            raise NotFound("no such lease")
        return copy.deepcopy(self.lease)

    def create(self, kind, obj, *, timeout):
        self._enter("create", timeout)
        if self.lease is not None:
            raise AlreadyExists("there is one")
        return self._store(obj)

    def update(self, kind, obj, *, timeout):
        self._enter("update", timeout)
        if self.lease is None or obj["metadata"]["resourceVersion"] != self.lease["metadata"]["resourceVersion"]:
            raise Conflict("changed")
        return self._store(obj)

    def _enter(self, call, timeout):
        self.calls.append(call)
        self.timeouts.append(timeout)
        if self.error is not None:
            raise self.error

    def _store(self, obj):
        with self.lock:
            self.version += 1
            self.lease = copy.deepcopy(obj)
            self.lease["metadata"]["resourceVersion"] = str(self.version)
            return copy.deepcopy(self.lease)

    @property
    def spec(self) -> Any:
        assert self.lease is not None
        return self.lease["spec"]


def options(identity: str = "a", **changes: Any) -> LeaseOptions:
    return LeaseOptions(namespace="dns", name="test", identity=identity, **changes)


class Replica:
    def __init__(self, leases: MemoryLeases, clock: FakeClock, identity: str) -> None:
        self.fence = Fence(clock)
        self.election = Election(leases, options(identity), self.fence, clock)

    def attempt(self) -> bool:
        return self.election.attempt(5.0)


class World:
    def __init__(self) -> None:
        self.clock, self.leases = FakeClock(), MemoryLeases()
        self.a, self.b = (Replica(self.leases, self.clock, name) for name in "ab")


@pytest.fixture
def world() -> World:
    return World()


def test_the_first_replica_creates_the_lease_and_leads(world):
    assert world.a.attempt()
    assert world.leases.spec["holderIdentity"] == "a"
    assert world.leases.spec["leaseDurationSeconds"] == 15
    assert world.leases.spec["leaseTransitions"] == 0
    assert world.leases.spec["renewTime"] == "2026-01-01T00:00:00.000000Z"


def test_a_second_replica_does_not(world):
    world.a.attempt()
    assert not world.b.attempt()
    assert world.b.election.holder == "a"
    assert not world.b.fence.is_open


def test_the_holder_renews_with_one_put_and_no_read(world):
    world.a.attempt()
    world.leases.calls.clear()
    world.clock.advance(2)
    assert world.a.attempt()
    assert world.leases.calls == ["update"]
    assert world.leases.spec["renewTime"] == "2026-01-01T00:00:02.000000Z"
    assert world.leases.spec["acquireTime"] == "2026-01-01T00:00:00.000000Z"


def test_the_fence_closes_a_renew_deadline_after_the_renewal_was_sent(world):
    world.a.attempt()
    world.clock.advance(9.9)
    world.a.fence.check()
    assert world.a.fence.remaining() == pytest.approx(0.1)
    world.clock.advance(0.1)
    with pytest.raises(FencedOff):
        world.a.fence.check()


def test_a_slow_reply_does_not_hold_the_fence_open_for_longer(world):
    answer = world.leases._store

    def slow(obj):
        world.clock.advance(4)
        return answer(obj)

    world.leases._store = slow
    world.a.attempt()
    assert world.a.fence.remaining() == pytest.approx(6)


def test_another_replica_waits_a_whole_lease_by_its_own_clock(world):
    world.a.attempt()
    world.clock.advance(100)  # the lease is long out of date, but b has not watched it being so
    assert not world.b.attempt()
    world.clock.advance(14.9)
    assert not world.b.attempt()
    world.clock.advance(0.1)
    assert world.b.attempt()
    assert world.leases.spec["holderIdentity"] == "b"
    assert world.leases.spec["leaseTransitions"] == 1


def test_a_renewal_starts_the_wait_anew(world):
    world.a.attempt()
    world.b.attempt()
    world.clock.advance(14)
    world.a.attempt()
    world.clock.advance(14)
    assert not world.b.attempt()


def test_the_fence_of_the_old_leader_closes_before_the_new_one_can_lead(world):
    world.a.attempt()
    world.b.attempt()
    while not world.b.attempt():
        world.clock.advance(0.5)
    assert not world.a.fence.is_open
    assert world.b.fence.is_open


def test_who_lost_the_lease_notices_at_its_next_renewal(world):
    world.a.attempt()
    world.b.attempt()
    world.clock.advance(15)
    assert world.b.attempt()
    assert not world.a.attempt()
    assert world.a.election.holder == "b"


def test_a_renewal_that_arrived_but_was_not_answered_is_no_loss(world):
    world.a.attempt()
    world.leases._store(world.leases.lease)  # our own PUT, whose reply we never saw
    assert world.a.attempt()


def test_two_that_create_at_once_have_one_winner(world):
    get = world.leases.get_fields

    def meanwhile(*args, **kwargs):
        world.leases.get_fields = get
        try:
            return get(*args, **kwargs)
        finally:
            world.a.attempt()

    world.leases.get_fields = meanwhile
    assert not world.b.attempt()
    assert world.leases.spec["holderIdentity"] == "a"


def test_a_released_lease_can_be_taken_at_once(world):
    world.a.attempt()
    world.b.attempt()
    world.a.election.release(5.0)
    assert "holderIdentity" not in world.leases.spec
    assert world.b.attempt()
    assert world.leases.spec["leaseTransitions"] == 1


def test_releasing_what_is_not_held_writes_nothing(world):
    world.a.attempt()
    world.b.attempt()
    world.leases.calls.clear()
    world.b.election.release(5.0)
    assert world.leases.calls == []


def test_a_lease_without_a_spec_can_be_taken(world):
    world.leases._store({"metadata": {"name": "test", "namespace": "dns"}})
    assert world.a.attempt()


def test_the_timing_must_make_sense():
    with pytest.raises(ValueError, match="renew_deadline < lease_duration"):
        options(renew_deadline=15.0)


def test_every_request_times_out_below_the_renew_deadline():
    assert options().request_timeout < options().renew_deadline


def test_identities_are_unique():
    assert default_identity() != default_identity()


def test_a_fence_is_closed_when_made_and_for_good_when_closed():
    fence = Fence()
    assert not fence.is_open
    fence.open_until(math.inf)
    fence.check()
    fence.close()
    fence.open_until(math.inf)
    assert not fence.is_open
    assert fence.remaining() == 0


# -- the threads around it, with a real clock and short times

# Renewed often; lost soon only where the test is about the loss, because a busy machine may stand still for a while.
STEADY = {"lease_duration": 40.0, "renew_deadline": 20.0, "retry_period": 0.02}
FLEETING = {"lease_duration": 0.6, "renew_deadline": 0.3, "retry_period": 0.02}


class Candidate:
    def __init__(self, leases: MemoryLeases, identity: str = "a", timing: Mapping[str, float] = STEADY) -> None:
        self.lost = threading.Event()
        self.fence = Fence()
        self.elector = LeaderElector(
            leases,
            options(identity, **timing),
            self.fence,
            on_lost=self.lost.set,
            clock=SystemClock(),
            chance=lambda: 0,
        )


@pytest.fixture
def leases() -> MemoryLeases:
    return MemoryLeases()


def status() -> float | None:
    return REGISTRY.get_sample_value("leader_election_master_status", {"name": "test"})


def test_a_leader_keeps_its_lease_and_gives_it_back_when_it_stops(leases):
    leader = Candidate(leases)
    leader.elector.start()
    assert leader.elector.wait(60)
    assert leader.elector.is_leader
    assert leader.elector.alive()
    assert leader.elector.holder == "a"
    assert leader.elector.state()["leading"] is True
    assert 0 < leader.elector.state()["may_write_for"] <= 20
    assert status() == 1
    eventually(lambda: leases.version >= 3)
    leader.elector.stop()
    assert "holderIdentity" not in leases.spec
    assert not leader.fence.is_open
    assert not leader.lost.is_set()
    assert leader.elector.alive()
    assert status() == 0


def test_a_standby_takes_over_when_the_leader_stops(leases):
    first, second = Candidate(leases, "a"), Candidate(leases, "b")
    first.elector.start()
    assert first.elector.wait(60)
    second.elector.start()
    eventually(lambda: second.elector.holder == "a", what="a try that fails")
    assert not second.elector.wait(0)
    first.elector.stop()
    assert second.elector.wait(60)
    second.elector.stop()


def test_a_standby_that_stops_leaves_the_lease_alone(leases):
    first, second = Candidate(leases, "a"), Candidate(leases, "b")
    first.elector.start()
    assert first.elector.wait(60)
    second.elector.start()
    eventually(lambda: second.elector.holder == "a", what="a try that fails")
    second.elector.stop()
    assert leases.spec["holderIdentity"] == "a"
    first.elector.stop()


def test_a_leader_that_cannot_renew_is_told_and_fenced(leases):
    leader = Candidate(leases, timing=FLEETING)
    leader.elector.start()
    assert leader.elector.wait(60)
    leases.error = Unreachable("no reply")
    assert leader.lost.wait(60)
    assert not leader.fence.is_open
    assert not leader.elector.is_leader
    assert status() == 0
    leases.error = None
    held = copy.deepcopy(leases.lease)
    leader.elector.stop()
    assert leases.lease == held, "a lease that was lost is not released: it may be another's"


def test_a_request_that_hangs_does_not_hold_the_fence_open(leases):
    leader, release = Candidate(leases, timing=FLEETING), threading.Event()
    leader.elector.start()
    assert leader.elector.wait(60)
    leases.update = lambda *args, **kwargs: release.wait(60)
    assert leader.lost.wait(60)
    assert not leader.fence.is_open
    release.set()
    leader.elector.stop()


def test_a_leader_whose_lease_was_taken_is_told_at_once(leases):
    leader = Candidate(leases)
    leader.elector.start()
    assert leader.elector.wait(60)
    with_other = copy.deepcopy(leases.lease)
    with_other["spec"]["holderIdentity"] = "b"
    leases._store(with_other)
    assert leader.lost.wait(60)
    assert leader.elector.holder == "b"
    leader.elector.stop()


def test_an_api_that_fails_at_first_only_delays_the_leader(leases):
    leases.error = Unreachable("no reply")
    leader = Candidate(leases)
    leader.elector.start()
    eventually(lambda: len(leases.calls) >= 3)
    leases.error = None
    assert leader.elector.wait(60)
    leader.elector.stop()


def test_a_lease_that_cannot_be_released_is_left_to_expire(leases, caplog):
    leader = Candidate(leases)
    leader.elector.start()
    assert leader.elector.wait(60)
    leases.error = Unreachable("no reply")
    leader.elector.stop()
    assert "it will expire" in caplog.text


ODD_LEASES = {
    "a duration that is no number": {"spec": {"holderIdentity": "b", "leaseDurationSeconds": "soon"}},
    "no spec": {"spec": "odd"},
    "transitions that are no number": {"spec": {"holderIdentity": "", "leaseTransitions": "many"}},
}


@pytest.mark.parametrize("odd", ODD_LEASES.values(), ids=ODD_LEASES.keys())
def test_a_lease_that_makes_no_sense_does_not_end_the_election(odd, leases):
    leases._store({"metadata": {"name": "test", "namespace": "dns"}, **odd})
    candidate = Candidate(leases)
    candidate.elector.start()
    eventually(lambda: len(leases.calls) >= 4, what="another try")
    assert candidate.elector.alive()
    leases._store({"metadata": {"name": "test", "namespace": "dns"}, "spec": {}})
    assert candidate.elector.wait(60), "it leads once somebody has mended the lease"
    candidate.elector.stop()
