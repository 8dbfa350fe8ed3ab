"""Conditions, finalizers, owner references, predicates, deadlines, clocks: one table or sentence each."""

import datetime as dt
import json
import threading

import pytest
from pydantic import BaseModel, ConfigDict, Field

from zonewright.api.conditions import find_condition, is_true, set_condition
from zonewright.api.finalizers import add_finalizer, has_finalizer, remove_finalizer
from zonewright.api.identity import Identity, identify
from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Object
from zonewright.api.owners import controller_of, owner_reference
from zonewright.api.predicates import (
    all_of,
    annotations_changed,
    any_of,
    deletion_changed,
    finalizers_changed,
    generation_changed,
    labels_changed,
    negate,
)
from zonewright.client import deadline
from zonewright.clock import FakeClock, SystemClock

ZONE: Kind[dict] = Kind("bindy.firestoned.io", "v1beta1", "DNSZone", "dnszones")
NOW = dt.datetime(2026, 5, 1, 12, 0, 0, tzinfo=dt.UTC)
LATER = NOW + dt.timedelta(hours=1)


def view(generation=1, **metadata):
    fields = {"metadata": {"name": "z", "namespace": "dns", "uid": "u1", "resourceVersion": "7", **metadata}}
    return Object(ZONE, Request("dns", "z"), 7, generation, json.dumps(fields).encode())


# -- conditions


def ready(status="True", reason="Done", message="", generation=1, now=NOW, conditions=()):
    return set_condition(conditions, "Ready", status, reason, message, generation, now)


def test_a_new_condition_is_added_at_the_end():
    other = {"type": "Other", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    conditions = ready(conditions=[other])
    assert conditions[0] == other
    assert conditions[1] == {
        "type": "Ready", "status": "True", "reason": "Done", "message": "", "observedGeneration": 1,
        "lastTransitionTime": "2026-05-01T12:00:00Z",
    }  # fmt: skip


TRANSITIONS = {
    "nothing changed": ({}, False),
    "the message changed": ({"message": "still"}, False),
    "the reason changed": ({"reason": "Other"}, False),
    "the generation changed": ({"generation": 2}, False),
    "the status flipped": ({"status": "False"}, True),
    "the status is unknown now": ({"status": "Unknown"}, True),
    "a bool says the same": ({"status": True}, False),
    "a bool flips it": ({"status": False}, True),
}


@pytest.mark.parametrize(("change", "moved"), TRANSITIONS.values(), ids=TRANSITIONS.keys())
def test_the_transition_time_moves_only_when_the_status_flips(change, moved):
    before = ready()
    after = ready(**change, now=LATER, conditions=before)
    assert (after[0]["lastTransitionTime"] != before[0]["lastTransitionTime"]) is moved
    assert before == ready(), "the argument is left as it was"


class Condition(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="allow")
    type: str
    status: str
    last_transition_time: dt.datetime = Field(alias="lastTransitionTime")


def test_conditions_may_be_models():
    models = [Condition.model_validate(condition) for condition in ready()]
    assert ready(conditions=models, now=LATER) == ready()
    assert is_true(models, "Ready")


def test_a_condition_without_a_time_gets_one():
    assert ready(conditions=[{"type": "Ready", "status": "True"}])[0]["lastTransitionTime"]


def test_conditions_that_are_not_there():
    assert find_condition(None, "Ready") is None
    assert not is_true([], "Ready")
    assert not is_true(ready(status="False"), "Ready")


@pytest.mark.parametrize(
    "odd", [7, "Ready", {"type": "Ready"}, [None], ["Ready"], [{}], [{"type": 7}], [{"status": "True"}], [[]]], ids=str
)
def test_what_is_no_condition_is_passed_over(odd):
    assert find_condition(odd, "Ready") is None
    assert ready(conditions=odd) == ready()


MESSAGES = {
    "short ones stay": ("all is well", "all is well"),
    "as long as may be": ("x" * 1024, "x" * 1024),
    "a byte more": ("x" * 1025, "x" * 1021 + "…"),
    "cut between characters": ("ü" * 1000, "ü" * 510 + "…"),
    "of four bytes too": ("𝄞" * 1000, "𝄞" * 255 + "…"),
    "half a surrogate cannot be sent": ("a\ud800b", "a?b"),
}


@pytest.mark.parametrize(("given", "stored"), MESSAGES.values(), ids=MESSAGES.keys())
def test_messages_are_cut(given, stored):
    conditions = ready(message=given)
    assert conditions[0]["message"] == stored
    assert len(stored.encode()) <= 1024
    assert ready(message=given, conditions=conditions, now=LATER) == conditions, "the same message again is no news"


# -- finalizers, owners, identity


class Model(BaseModel):
    model_config = ConfigDict(extra="allow")

    class Meta(BaseModel):
        name: str
        namespace: str | None = None
        uid: str | None = None
        resource_version: str | None = Field(None, alias="resourceVersion")
        finalizers: list[str] | None = None

    api_version: str = Field("v1", alias="apiVersion")
    kind: str = "ConfigMap"
    metadata: Meta


FIELDS = {
    "apiVersion": "bindy.firestoned.io/v1beta1",
    "kind": "DNSZone",
    "metadata": {"name": "z", "namespace": "dns", "uid": "u1", "resourceVersion": "7", "finalizers": ["a"]},
}
FORMS = {"a view": view(finalizers=["a"]), "a model": Model.model_validate(FIELDS), "a dict": FIELDS}


@pytest.mark.parametrize("subject", FORMS.values(), ids=FORMS.keys())
def test_every_form_of_an_object_has_the_same_identity(subject):
    wanted = Identity("bindy.firestoned.io/v1beta1", "DNSZone", "dns", "z", "u1", "7", ("a",))
    assert identify(subject) == wanted
    assert identify(wanted) is wanted


@pytest.mark.parametrize("subject", FORMS.values(), ids=FORMS.keys())
def test_finalizers_are_patched_with_the_resource_version(subject):
    assert has_finalizer(subject, "a")
    assert not has_finalizer(subject, "b")
    assert add_finalizer(subject, "b") == {"metadata": {"resourceVersion": "7", "finalizers": ["a", "b"]}}
    assert remove_finalizer(subject, "a") == {"metadata": {"resourceVersion": "7", "finalizers": []}}


def test_no_patch_where_nothing_changes():
    assert add_finalizer(FIELDS, "a") is None
    assert remove_finalizer(FIELDS, "b") is None


def test_an_owner_reference_names_the_owner():
    assert owner_reference(view()) == {
        "apiVersion": "bindy.firestoned.io/v1beta1", "kind": "DNSZone", "name": "z", "uid": "u1",
        "controller": True, "blockOwnerDeletion": True,
    }  # fmt: skip
    assert owner_reference(view(), controller=False)["controller"] is False


def test_an_object_without_a_uid_cannot_own():
    with pytest.raises(ValueError, match="create it before"):
        owner_reference(Model.model_validate({"metadata": {"name": "new"}}))


def test_the_controlling_owner_is_found_among_others():
    owners = [{"apiVersion": "v1", "kind": "A", "name": str(n), "uid": "1", "controller": n == 1} for n in range(3)]
    found = controller_of(view(ownerReferences=owners))
    assert found is not None
    assert found.name == "1"
    assert controller_of(view()) is None


# -- predicates

PLAIN = view()
CHANGES = {
    "generation": view(generation=2),
    "labels": view(labels={"a": "b"}),
    "annotations": view(annotations={"a": "b"}),
    "finalizers": view(finalizers=["a"]),
    "deletion": view(deletionTimestamp="2026-01-01T00:00:00Z"),
    "nothing": view(),
}
PREDICATES = {
    "generation": generation_changed,
    "labels": labels_changed,
    "annotations": annotations_changed,
    "finalizers": finalizers_changed,
    "deletion": deletion_changed,
}


@pytest.mark.parametrize("name", PREDICATES)
@pytest.mark.parametrize("change", CHANGES)
def test_a_predicate_hears_its_own_change_and_no_other(name, change):
    assert PREDICATES[name](PLAIN, CHANGES[change]) is (name == change)


@pytest.mark.parametrize("predicate", PREDICATES.values(), ids=PREDICATES.keys())
def test_creation_and_deletion_are_always_heard(predicate):
    assert predicate(None, PLAIN)
    assert predicate(PLAIN, None)


def test_predicates_combine():
    either = any_of(generation_changed, labels_changed)
    both = all_of(generation_changed, labels_changed)
    assert either(PLAIN, CHANGES["labels"])
    assert not either(PLAIN, CHANGES["annotations"])
    assert not both(PLAIN, CHANGES["labels"])
    assert both(PLAIN, view(generation=2, labels={"a": "b"}))
    assert negate(both)(PLAIN, PLAIN)


# -- time


def test_without_a_deadline_timeouts_are_as_asked():
    assert deadline.remaining(30) == 30
    assert not deadline.expired()


def test_a_deadline_bounds_every_timeout_inside():
    with deadline.within(1000):
        assert 500 < deadline.remaining(2000) <= 1000
        assert deadline.remaining(1) == 1
    with deadline.within(-1):
        assert deadline.expired()
        assert deadline.remaining(30) == 0.001
    assert deadline.remaining(30) == 30


def test_a_fake_clock_moves_only_when_told():
    clock, event = FakeClock(), threading.Event()
    assert clock.monotonic() == 0
    clock.sleep(2)
    assert not clock.wait(event, 3)
    assert clock.monotonic() == 5
    assert clock.now() == dt.datetime(2026, 1, 1, 0, 0, 5, tzinfo=dt.UTC)
    event.set()
    assert clock.wait(event, 3)
    assert clock.monotonic() == 5


def test_the_system_clock_tells_the_time():
    clock = SystemClock()
    assert clock.now().tzinfo is dt.UTC
    assert clock.monotonic() <= clock.monotonic()
    assert not clock.wait(threading.Event(), 0)
