"""Callbacks hear of the changes that ended, with the result of each; one that raises stops nobody."""

import threading

import pytest

from reconcilers.ddns.names import parse_zone
from reconcilers.endpoints.callbacks import SYNCED, Changes, StatusUpdates, endpoints_of
from reconcilers.endpoints.endpoint import Endpoint, ObjectReference
from reconcilers.endpoints.planner import Change
from reconcilers.engine.api import ObjectRef, RecordOutcome, RecordState, ZoneRef
from reconcilers.reasons import Reason

ZONE = ZoneRef(parse_zone("example.org"), "uid-zone", "dns", "example-org")
PUBLISHED = RecordOutcome(RecordState.PUBLISHED)
REFUSED = RecordOutcome(RecordState.FAILED, reason=Reason.REJECTED, message="p1: REFUSED")
AWAY = RecordOutcome(RecordState.PENDING, reason=Reason.SERVER_UNREACHABLE, message="p1 does not answer")
GONE = RecordOutcome(RecordState.GONE)
UNDER_WAY = RecordOutcome(RecordState.PENDING, reason=Reason.PROGRESSING)


def endpoint(name: str, kind: str = "DNSEndpoint") -> Endpoint:
    ref = ObjectReference(kind, "externaldns.k8s.io/v1alpha1", "shop", name, f"uid-{name}", "crd")
    return Endpoint(f"{name}.example.org", "A", ("192.0.2.1",), refs=(ref,))


def ref(name: str) -> ObjectRef:
    return ObjectRef("DNSEndpoint", "shop", name, f"uid-{name}", "a")


class Heard(list):
    def __call__(self, changes, results, success, message) -> None:
        self.append((changes, results, success, message))


@pytest.fixture
def updates() -> StatusUpdates:
    return StatusUpdates()


@pytest.fixture
def heard(updates: StatusUpdates) -> Heard:
    found = Heard()
    updates.register_status_update_callback(found)
    return found


def created(name: str) -> Change:
    return Change(ref(name), None, endpoint(name))


@pytest.mark.parametrize(
    ("outcome", "success", "message"),
    [(PUBLISHED, True, SYNCED), (REFUSED, False, "p1: REFUSED"), (AWAY, False, "p1 does not answer")],
    ids=["published", "refused", "away"],
)
@pytest.mark.criterion(number="EP-K1")
def test_a_change_that_ended_is_told_with_its_result(updates, heard, outcome, success, message):
    updates.planned(ZONE, [created("one")])
    updates.ended(ZONE, [ref("one")], lambda _: outcome)
    [(changes, results, succeeded, said)] = heard
    assert changes == Changes(create=(endpoint("one"),))
    assert [(each.success, each.message) for each in results] == [(success, message)]
    assert (succeeded, said) == (success, message)


def test_one_that_is_under_way_is_told_when_it_ends_and_once(updates, heard):
    updates.planned(ZONE, [created("one")])
    updates.ended(ZONE, [ref("one")], lambda _: UNDER_WAY)
    assert heard == []
    for _ in range(2):
        updates.ended(ZONE, [ref("one")], lambda _: PUBLISHED)
    assert len(heard) == 1


def test_what_nobody_planned_is_told_to_nobody(updates, heard):
    updates.ended(ZONE, [ref("one"), ObjectRef("ARecord", "shop", "www", "u")], lambda _: PUBLISHED)
    updates.planned(ZONE, [])
    assert heard == []


@pytest.mark.criterion(number="EP-K1")
def test_updates_carry_both_sides_and_deletions_the_old_one(updates, heard):
    update = Change(ref("one"), endpoint("one"), endpoint("two"))
    updates.planned(ZONE, [update, Change(ref("three"), endpoint("three"), None)])
    updates.ended(ZONE, [ref("one"), ref("three")], {ref("one"): PUBLISHED, ref("three"): GONE}.get)
    [(changes, _, success, _)] = heard
    assert changes == Changes((), (endpoint("one"),), (endpoint("two"),), (endpoint("three"),))
    assert success


def test_a_change_that_is_overtaken_is_one_from_the_first_to_the_last(updates, heard):
    updates.planned(ZONE, [Change(ref("one"), endpoint("one"), endpoint("two"))])
    updates.planned(ZONE, [Change(ref("one"), endpoint("two"), endpoint("three"))])
    updates.ended(ZONE, [ref("one")], lambda _: PUBLISHED)
    assert heard[0][0].update_old == (endpoint("one"),)
    assert heard[0][0].update_new == (endpoint("three"),)


@pytest.mark.criterion(number="EP-K2")
def test_one_that_failed_among_many_makes_the_whole_a_failure_and_keeps_its_own_message(updates, heard):
    updates.planned(ZONE, [created("one"), created("two")])
    updates.ended(ZONE, [ref("one"), ref("two")], {ref("one"): PUBLISHED, ref("two"): REFUSED}.get)
    [(_, results, success, message)] = heard
    assert sorted((each.endpoint.dns_name, each.success) for each in results) == [
        ("one.example.org", True),
        ("two.example.org", False),
    ]
    assert (success, message) == (False, "p1: REFUSED")


@pytest.mark.criterion(number="EP-K2")
def test_all_callbacks_are_called_although_one_raises(updates):
    first, last = Heard(), Heard()

    def broken(*_: object) -> None:
        raise RuntimeError("somebody's fault")

    for each in (first, broken, last):
        updates.register_status_update_callback(each)
    updates.planned(ZONE, [created("one")])
    updates.ended(ZONE, [ref("one")], lambda _: PUBLISHED)
    assert (len(first), len(last)) == (1, 1)


@pytest.mark.criterion(number="EP-K3")
def test_a_callback_can_be_registered_while_a_synchronisation_runs(updates):
    late, began, go_on = Heard(), threading.Event(), threading.Event()

    def slow(*_: object) -> None:
        began.set()
        go_on.wait(60)

    updates.register_status_update_callback(slow)
    updates.planned(ZONE, [created("one"), created("two")])
    running = threading.Thread(target=lambda: updates.ended(ZONE, [ref("one")], lambda _: PUBLISHED))
    running.start()
    assert began.wait(60)
    updates.register_status_update_callback(late)
    go_on.set()
    running.join()
    assert late == []
    updates.ended(ZONE, [ref("two")], lambda _: PUBLISHED)
    assert len(late) == 1


@pytest.mark.parametrize("where", ["create", "update_old", "update_new", "delete"])
@pytest.mark.criterion(number="EP-K5")
def test_the_objects_of_changes_are_found_wherever_they_are(where: str):
    [found] = endpoints_of(
        Changes(**{where: (endpoint("one"), endpoint("one"), endpoint("web", "Service"), Endpoint("x", "A", ()))})
    )
    assert (found.namespace, found.name) == ("shop", "one")
