"""JSON that no decoder reads: how deep it is, what it consists of, and what can be read of it nevertheless."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zonewright.api import decode, nesting
from zonewright.api.errors import InvalidObject
from zonewright.api.kind import Kind, Request

PLAIN: Kind[Any] = Kind("bench.example.org", "v1", "Widget", "widgets")
SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text()
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=10
)


def nested(levels: int, opening: bytes = b'{"a":', closing: bytes = b"}") -> bytes:
    return opening * levels + b"1" + closing * levels


def deep_widget(levels: int, **metadata: Any) -> bytes:
    known = {"name": "a", "namespace": "n", "uid": "u", "resourceVersion": "7", **metadata}
    head = json.dumps({"metadata": known, "spec": {"size": 1}}).encode()
    return head[:-2] + b', "extra": ' + nested(levels) + b'}, "status": {"phase": "done"}}'


def depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


@given(JSON)
def test_how_deep_it_is(value):
    for text in (json.dumps(value).encode(), json.dumps(value, ensure_ascii=False).encode()):
        assert nesting.is_deeper(text, depth(value)) is False
        assert depth(value) == 0 or nesting.is_deeper(text, depth(value) - 1)


@pytest.mark.parametrize("brackets", [(b'{"a":', b"}"), (b"[", b"]"), (b'{"}":[', b"]}")], ids=["{}", "[]", "both"])
def test_the_limit_is_the_one_that_models_have(brackets, widget_kind):
    per_level = brackets[0].count(b"{") + brackets[0].count(b"[")
    levels = (nesting.MAX_DEPTH - 2) // per_level  # the object itself and its spec are two
    for more, fits in ((0, True), (1, False)):
        raw = b'{"metadata":{"name":"a","resourceVersion":"1"},"spec":{"size":1,"x":%s}}' % nested(
            levels + more, *brackets
        )
        assert nesting.is_deeper(raw) is not fits
        for kind in (PLAIN, widget_kind):
            assert (decode.single(kind, raw).error is None) is fits


@given(JSON)
def test_an_object_consists_of_its_members(value):
    for indent in (None, 1):
        whole = {"a": value, "b": [value], "c": {"d": value}}
        found = nesting.members(json.dumps(whole, indent=indent).encode())
        assert {name: json.loads(part.value) for name, part in found.items()} == whole
        assert [part.depth for part in found.values()] == [depth(each) for each in whole.values()]


@given(st.lists(JSON))
def test_an_array_consists_of_its_elements(values):
    found = nesting.parts(json.dumps(values).encode())
    assert [json.loads(part.value) for part in found] == values


@pytest.mark.parametrize("text", [b"", b"1", b'"{}"', b"{", b"}", b'{"a":1', b"{}{}", b"[1]x", b"x[1]", b'{"a":"}'])
def test_what_is_neither_is_refused(text):
    with pytest.raises(ValueError):
        nesting.parts(text)


def test_time_grows_with_size_and_not_with_its_square():
    started = time.process_time()
    for hostile in (b'{"a":"' + b'\\"' * 200_000, b'{"a":' * 200_000, b'"' * 200_001, b'{"a":' + b'"\\' * 200_000):
        with pytest.raises(ValueError):
            nesting.parts(hostile)
    assert time.process_time() - started < 10


@pytest.mark.parametrize("levels", [1_100, 9_900, 100_000])
def test_an_object_that_is_nested_too_deep_keeps_all_but_that(levels, widget_kind):
    metadata = {"labels": {"app": "x"}, "annotations": {"n": "y"}, "finalizers": ["f"], "deletionTimestamp": "now"}
    for kind in (PLAIN, widget_kind):
        found = decode.single(kind, deep_widget(levels, managedFields=[{"a": json.loads(nested(150))}], **metadata))
        assert (found.key, found.version, found.uid, found.deleting) == (Request("n", "a"), 7, "u", True)
        assert (found.labels, found.annotations, found.finalizers) == ({"app": "x"}, {"n": "y"}, ("f",))
        for read in (found.fields, found.model, found.view().fields):
            with pytest.raises(InvalidObject, match=r"Widget\S* n/a .*: spec.extra: nested deeper than 200 levels"):
                read()
        assert found.error == "spec.extra: nested deeper than 200 levels"
        left = found.readable_fields()
        assert (left["spec"], left["status"]) == ({"size": 1}, {"phase": "done"})
        assert "managedFields" not in left["metadata"]
        assert len(found.raw) < 400, "what nobody can read takes no memory"


def test_one_that_a_decoder_just_reads_is_treated_the_same(widget_kind):
    for kind in (PLAIN, widget_kind):
        found = decode.single(kind, deep_widget(300))
        assert found.error == "spec.extra: nested deeper than 200 levels"
        assert found.readable_fields()["spec"] == {"size": 1}


def test_field_owners_that_are_nested_too_deep_go_as_they_always_do():
    raw = b'{"metadata":{"managedFields":[%s],"name":"a","resourceVersion":"1"},"spec":{"size":1}}' % nested(5000)
    found = decode.single(PLAIN, raw)
    assert found.fields() == {"metadata": {"name": "a", "resourceVersion": "1"}, "spec": {"size": 1}}


def test_metadata_that_is_nested_too_deep_is_left_out_field_by_field():
    raw = b'{"metadata":{"labels":%s,"uid":"u","name":"a","resourceVersion":"1"}}' % nested(5000)
    found = decode.single(PLAIN, raw)
    assert (found.labels, found.uid) == ({}, "u")
    assert found.error == "metadata.labels: nested deeper than 200 levels"


def test_an_event_and_a_page_have_it_among_the_others():
    deep = deep_widget(9_900)
    event = decode.event(PLAIN, b'{"type":"MODIFIED","object":' + deep + b"}")
    assert not isinstance(event, decode.Bookmark)
    assert (event[0], event[1].key) == ("MODIFIED", Request("n", "a"))
    good = b'{"metadata":{"name":"b","resourceVersion":"1"}}'
    page = decode.page(PLAIN, b'{"items":[%s,%s],"metadata":{"resourceVersion":"9"}}' % (deep, good))
    assert [each.name for each in page.objects] == ["a", "b"]
    assert (page.version, page.malformed) == ("9", [])


def test_a_long_complaint_is_short():
    text = nesting.complaint({f"spec.{'x' * 1000}{n}": "why" for n in range(50)})
    assert text.endswith("; and 45 more")
    assert len(text) < 1000


def test_a_long_list_is_not_deep_and_a_string_cannot_hide_what_is():
    wide = json.dumps({"items": [{"name": f"r{n}"} for n in range(5000)]}, separators=(",", ":")).encode()
    assert not nesting.is_deeper(wide)
    hidden = b'{"},{},{},{":' * 300 + b"1" + b"}" * 300
    assert nesting.is_deeper(hidden)
    assert nesting.is_deeper(hidden, 299)
    assert not nesting.is_deeper(hidden, 300)
