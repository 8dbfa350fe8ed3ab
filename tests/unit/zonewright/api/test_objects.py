"""Views on stored bytes: what they show, and that what they give away is the caller's own."""

import json
from typing import Any

import pytest

from zonewright.api import decode
from zonewright.api.errors import InvalidObject
from zonewright.api.kind import Kind, Request

WIDGET: Kind[Any] = Kind("bench.example.org", "v1", "Widget", "widgets")


def raw(**metadata):
    return json.dumps(
        {
            "metadata": {"name": "a", "namespace": "n", "resourceVersion": "7", **metadata},
            "spec": {"size": 3},
        }
    ).encode()


def view(kind=WIDGET, **metadata):
    return decode.single(kind, raw(**metadata))


def test_a_view_shows_the_metadata():
    object_ = view(
        uid="u",
        generation=4,
        labels={"app": "x"},
        annotations={"note": "y"},
        finalizers=["f"],
        ownerReferences=[{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "o", "controller": True}],
        creationTimestamp="2026-01-01T00:00:00Z",
        deletionTimestamp="2026-01-02T00:00:00Z",
    )
    assert (object_.key, object_.namespace, object_.name) == (Request("n", "a"), "n", "a")
    assert (object_.uid, object_.resource_version, object_.version, object_.generation) == ("u", "7", 7, 4)
    assert (dict(object_.labels), dict(object_.annotations)) == ({"app": "x"}, {"note": "y"})
    assert list(object_.finalizers) == ["f"]
    assert [(owner.kind, owner.name, owner.controller) for owner in object_.owners] == [("Pod", "p", True)]
    assert object_.creation_timestamp == "2026-01-01T00:00:00Z"
    assert object_.deletion_timestamp == "2026-01-02T00:00:00Z"
    assert object_.deleting


@pytest.mark.parametrize("nothing", [{}, {"labels": None, "annotations": None, "finalizers": None, "generation": None}])
def test_what_is_absent_or_null_is_empty(nothing):
    object_ = view(**nothing)
    assert not object_.labels
    assert not object_.annotations
    assert not object_.finalizers
    assert not object_.owners
    assert not object_.deleting
    assert object_.generation == 0


def test_the_word_deletion_timestamp_elsewhere_does_not_make_it_deleting():
    assert not view(annotations={"deletionTimestamp": "no"}).deleting


def test_what_a_view_gives_away_is_private():
    object_ = view()
    object_.fields()["spec"]["size"] = 99
    object_.model()["spec"]["size"] = 99
    assert object_.fields()["spec"]["size"] == 3


def test_released_or_viewed_again_it_shows_the_same():
    object_ = view(labels={"a": "b"})
    assert dict(object_.view().labels) == dict(object_.labels) == {"a": "b"}
    object_.release()
    assert dict(object_.labels) == {"a": "b"}


def test_a_kind_with_a_model_gives_models(widget_kind):
    object_ = decode.single(widget_kind, raw())
    assert object_.model().spec.size == 3
    assert object_.error is None


def test_an_object_that_does_not_fit_says_why_and_stays_readable(widget_kind):
    poison = decode.single(widget_kind, raw().replace(b"3", b'"three"'))
    with pytest.raises(InvalidObject, match=r"Widget\.bench\.example\.org n/a does not fit its schema"):
        poison.model()
    assert "spec.size" in str(poison.error)
    assert poison.fields()["spec"]["size"] == "three"


def test_it_is_recognisable_in_logs():
    assert repr(view()) == "<Widget.bench.example.org n/a at 7>"
