"""From bytes to objects: event lines, pages, and what is cut out on the way."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zonewright.api import decode
from zonewright.api.errors import ApiError, Gone, Malformed
from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Object

WIDGET: Kind[Any] = Kind("bench.example.org", "v1", "Widget", "widgets")
MANAGED = [{"manager": "kubectl", "fieldsV1": {'k:{"name":"a"}': {".": {}}}}]


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def widget(name="a", version="7", **metadata):
    return {
        "apiVersion": "bench.example.org/v1",
        "kind": "Widget",
        "metadata": {"name": name, "namespace": "n", "resourceVersion": version, **metadata},
        "spec": {"size": 1},
    }


def line(type_, object_):
    return compact({"type": type_, "object": object_})


def event(text) -> tuple[str, Object[Any]]:
    found = decode.event(WIDGET, text)
    assert not isinstance(found, decode.Bookmark)
    return found


@pytest.mark.parametrize("type_", ["ADDED", "MODIFIED", "DELETED", "SOMETHING"])
def test_an_event_is_its_type_and_object(type_):
    kind, object_ = event(line(type_, widget(generation=3)))
    assert (kind, object_.key, object_.version, object_.generation) == (type_, Request("n", "a"), 7, 3)
    assert json.loads(object_.raw) == widget(generation=3)


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(json.dumps({"type": "ADDED", "object": widget()}).encode(), id="white space"),
        pytest.param(compact({"object": widget(), "type": "ADDED"}), id="members in another order"),
        pytest.param(line("ADDED", widget()) + b"\r", id="a carriage return at the end"),
        pytest.param(line("ADDED", widget())[:-1] + b',"more":1}', id="a member more"),
        pytest.param(line("ADDED", widget())[:-1] + b',"more":{}}', id="an object more"),
    ],
)
def test_an_event_written_otherwise_means_the_same(odd):
    type_, object_ = event(odd)
    assert type_ == "ADDED"
    assert json.loads(object_.raw) == widget()


@pytest.mark.parametrize(
    ("annotations", "initial_end"),
    [(None, False), ({}, False), ({"k8s.io/initial-events-end": "true"}, True)],
)
def test_a_bookmark_is_a_version(annotations, initial_end):
    metadata = {"resourceVersion": "99", "annotations": annotations}
    bookmark = decode.event(WIDGET, line("BOOKMARK", {"kind": "Widget", "metadata": metadata}))
    assert bookmark == decode.Bookmark("99", initial_end)


@pytest.mark.parametrize(
    ("status", "type_"),
    [
        pytest.param({"code": 410, "reason": "Expired", "message": "too old"}, Gone, id="expired"),
        pytest.param({"code": 410, "reason": "Gone"}, Gone, id="gone"),
        pytest.param({"reason": "Expired", "metadata": {}}, Gone, id="expired without a code"),
        pytest.param({"code": 500, "reason": "InternalError", "metadata": {}}, ApiError, id="anything else"),
        pytest.param(
            {"code": 500, "metadata": {"resourceVersion": "1"}}, ApiError, id="with metadata like an object's"
        ),
        pytest.param(None, ApiError, id="nothing"),
    ],
)
def test_an_error_in_the_stream_is_raised(status, type_):
    with pytest.raises(ApiError) as caught:
        decode.event(WIDGET, line("ERROR", status))
    assert type(caught.value) is type_


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"<html>", id="not JSON"),
        pytest.param(b"[]", id="not an event"),
        pytest.param(line("BOOKMARK", {}), id="a bookmark without a version"),
        pytest.param(line("ADDED", {}), id="no metadata"),
        pytest.param(line("ADDED", {"metadata": {"name": "a"}}), id="no version"),
        pytest.param(line("ADDED", widget(version="new")), id="a version that is no number"),
        pytest.param(line("ADDED", widget(name="")), id="no name"),
        pytest.param(line("ADDED", widget(generation="x")), id="metadata of the wrong type"),
    ],
)
def test_what_is_not_an_object_is_malformed(bad):
    with pytest.raises(Malformed):
        decode.event(WIDGET, bad)


@pytest.mark.parametrize(
    "metadata",
    [
        pytest.param({"managedFields": MANAGED, "name": "a", "resourceVersion": "1"}, id="first"),
        pytest.param({"name": "a", "managedFields": MANAGED, "resourceVersion": "1"}, id="in the middle"),
        pytest.param({"name": "a", "resourceVersion": "1", "managedFields": MANAGED}, id="last"),
        pytest.param({"name": "a", "resourceVersion": "1", "managedFields": []}, id="empty"),
        pytest.param(
            {
                "annotations": {"x": '"managedFields":[],'},
                "managedFields": MANAGED,
                "name": "a",
                "resourceVersion": "1",
            },
            id="when a string before it looks the same",
        ),
        pytest.param(
            {"annotations": {decode.LAST_APPLIED: "{}", "x": "y"}, "name": "a", "resourceVersion": "1"},
            id="last-applied",
        ),
        pytest.param(
            {
                "annotations": {decode.LAST_APPLIED: '{"managedFields":[]}'},
                "name": "a",
                "resourceVersion": "1",
                "managedFields": MANAGED,
            },
            id="both",
        ),
    ],
)
@pytest.mark.parametrize("encode", [compact, lambda value: json.dumps(value).encode()], ids=["compact", "spaced"])
def test_managed_fields_and_last_applied_are_cut_out(metadata, encode):
    object_ = decode.single(WIDGET, encode({"metadata": metadata, "spec": {"managedFields": MANAGED}}))
    left = json.loads(object_.raw)
    assert "managedFields" not in left["metadata"]
    assert decode.LAST_APPLIED not in left["metadata"].get("annotations", {})
    assert left["spec"] == {"managedFields": MANAGED}
    assert left["metadata"].get("annotations", {}).get("x") == metadata.get("annotations", {}).get("x")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(
    managed=st.lists(st.dictionaries(st.text(), JSON, max_size=3)),
    spec=JSON,
    annotations=st.dictionaries(st.text(), st.text()),
)
def test_cutting_is_removing_the_member_and_nothing_else(managed, spec, annotations):
    metadata = {"annotations": annotations, "managedFields": managed, "name": "a", "resourceVersion": "1"}
    cut = json.loads(decode.single(WIDGET, compact({"metadata": metadata, "spec": spec})).raw)
    del metadata["managedFields"]
    metadata["annotations"].pop(decode.LAST_APPLIED, None)
    assert cut == {"metadata": metadata, "spec": spec}


def test_a_page_holds_its_objects_and_the_way_on():
    body = compact({"metadata": {"resourceVersion": "40", "continue": "t"}, "items": [widget("a"), widget("b")]})
    page = decode.page(WIDGET, body)
    assert ([o.name for o in page.objects], page.version, page.continue_, page.malformed) == (["a", "b"], "40", "t", [])


@pytest.mark.parametrize("items", [None, []])
def test_an_empty_page(items):
    page = decode.page(WIDGET, compact({"metadata": {"resourceVersion": "40"}, "items": items}))
    assert (page.objects, page.version, page.continue_) == ([], "40", "")


def test_one_bad_item_does_not_spoil_a_page():
    body = compact({"metadata": {"resourceVersion": "40"}, "items": [widget("a"), {"metadata": {}}, widget("b")]})
    page = decode.page(WIDGET, body)
    assert [object_.name for object_ in page.objects] == ["a", "b"]
    assert len(page.malformed) == 1


def test_a_body_that_is_no_list_is_malformed():
    with pytest.raises(Malformed, match="not a list of Widget"):
        decode.page(WIDGET, b'{"kind":"Status"}')


def test_objects_of_one_namespace_share_its_name():
    one = decode.single(WIDGET, compact(widget("a")))
    other = decode.single(WIDGET, compact(widget("b")))
    assert one.key.namespace is other.key.namespace
