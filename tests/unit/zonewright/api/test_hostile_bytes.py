"""Whatever an API server, or what stands before it, sends: only errors of our own come out."""

import contextlib
import json
import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zonewright.api import decode, nesting, predicates
from zonewright.api.errors import ApiError, InvalidObject, Malformed
from zonewright.api.kind import Kind
from zonewright.api.objects import Object
from zonewright.client.client import error_of

PLAIN: Kind[Any] = Kind("bench.example.org", "v1", "Widget", "widgets")
TYPED: Kind[Any] = Kind("bench.example.org", "v1", "Widget", "widgets", model_path="tests.support.widgets:Widget")

DEEP = b'{"a":' * 1100 + b"1" + b"}" * 1100
DEEPER = b"[" * 9900 + b"]" * 9900
FRAGMENTS = [
    *(b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x00", b'"\\ud800"', b'"\\', b"\\u12"),
    *(b"1e400", b"-1e400", b"NaN", b"1" * 400, b"1" * 5000, b"-0", b"0x1", b'"1_0"', b'"-5"', b'""'),
    *(b"null", b"true", b"[]", b"{}", b"[[]]", b'{"":{}}', b'"' + b"x" * 100_000 + b'"'),
    *(b'"metadata":{"name":"b"},', b'"object":{},', b'"type":"ADDED",', b'"resourceVersion":5,'),
    *(b',"object":{"metadata":{"name":"b","resourceVersion":"9"}}', b'"managedFields":', decode.LAST_APPLIED.encode()),
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\n", b"\r", b" "),
    *(DEEP, DEEPER, b"[" * 1100, b'{"a":' * 9900),
]
SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=5)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
METADATA = {
    "name": "a",
    "namespace": "n",
    "uid": "u",
    "resourceVersion": "7",
    "generation": 1,
    "labels": {"app": "x"},
    "annotations": {"note": "y", decode.LAST_APPLIED: "{}"},
    "finalizers": ["f"],
    "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "o", "controller": True}],
    "creationTimestamp": "2026-01-01T00:00:00Z",
    "deletionTimestamp": "2026-01-02T00:00:00Z",
    "managedFields": [{"manager": "m", "fieldsV1": {"f:spec": {".": {}}}}],
}


@st.composite
def objects(draw):
    """An object whose members are now and then something else, or missing."""
    metadata: Any = dict(METADATA)
    for name in draw(st.sets(st.sampled_from(sorted(METADATA)), max_size=3)):
        metadata[name] = draw(JSON)
    for name in draw(st.sets(st.sampled_from(sorted(METADATA)), max_size=1)):
        del metadata[name]
    whole: Any = {"apiVersion": "v1", "kind": "Widget", "metadata": metadata, "spec": {"size": 1}, "status": {}}
    for name in draw(st.sets(st.sampled_from(sorted(whole)), max_size=1)):
        whole[name] = draw(JSON)
    return whole


def spoilt(text: bytes, seed: int) -> bytes:
    """The bytes with a few cut out, repeated, changed, or with something hostile put among them."""
    chance = random.Random(seed)
    for _ in range(chance.randint(0, 3)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 1, 2, 10, 50]))
        put = chance.choice([b"", text[start:end] * 2, bytes([chance.randrange(256)]), chance.choice(FRAGMENTS)])
        text = text[:start] + put + text[end:]
    return text.replace(b"\n", b" ") or b" "


def exercise(object_: Object[Any]) -> None:
    """What the store, handlers, predicates and mappers do with an object: none of it may raise."""
    for view in (object_, object_.view()):
        assert view.metadata.name == view.name
        assert (view.metadata.namespace or "") == view.namespace
        assert (view.uid, view.deleting, view.deletion_timestamp) is not None
        assert all(isinstance(text, str) for text in (*view.labels.values(), *view.annotations.values()))
        assert all(isinstance(name, str) for name in view.finalizers)
        assert all(isinstance(owner.name, str) for owner in view.owners)
        assert isinstance(view.readable_fields(), dict)
        for changed in (predicates.labels_changed, predicates.annotations_changed, predicates.finalizers_changed):
            assert changed(view, object_) is False
        for read in (view.fields, view.model):
            with contextlib.suppress(InvalidObject):
                read()


@settings(max_examples=400)
@given(kind=st.sampled_from([PLAIN, TYPED]), type_=st.text(max_size=3), whole=objects(), seed=st.integers(0, 2**32))
@example(kind=PLAIN, type_="ADDED", whole={"metadata": {**METADATA, "labels": []}}, seed=0)
@example(kind=PLAIN, type_="ADDED", whole={"metadata": {**METADATA, "annotations": [decode.LAST_APPLIED]}}, seed=0)
@example(kind=PLAIN, type_="ADDED", whole={"metadata": {**METADATA, "resourceVersion": 7}}, seed=0)
@example(kind=PLAIN, type_="BOOKMARK", whole={"metadata": {"resourceVersion": "x", "annotations": []}}, seed=0)
@example(kind=PLAIN, type_="ERROR", whole={"code": "410", "reason": [], "message": {}, "details": []}, seed=0)
@example(kind=PLAIN, type_="ERROR", whole={"metadata": []}, seed=0)
def test_a_watch_line_gives_an_object_or_an_error_of_ours(kind, type_, whole, seed):
    named = random.Random(seed).choice(["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR", type_])
    line = spoilt(json.dumps({"type": named, "object": whole}, separators=(",", ":")).encode(), seed)
    try:
        found = decode.event(kind, line)
    except ApiError:
        return
    if isinstance(found, decode.Bookmark):
        assert int(found.version) is not None
    else:
        exercise(found[1])


@settings(max_examples=200)
@given(kind=st.sampled_from([PLAIN, TYPED]), items=st.lists(objects(), max_size=3), seed=st.integers(0, 2**32))
def test_a_list_gives_a_page_or_an_error_of_ours(kind, items, seed):
    body = {"kind": "List", "metadata": {"resourceVersion": "40", "continue": "t"}, "items": items}
    try:
        page = decode.page(kind, spoilt(json.dumps(body, separators=(",", ":")).encode(), seed))
    except Malformed:
        return
    for object_ in page.objects:
        exercise(object_)


@settings(max_examples=200)
@given(status=st.sampled_from([400, 409, 410, 429, 500]), body=JSON, details=JSON, seed=st.integers(0, 2**32))
def test_a_refusal_is_an_error_of_ours(status, body, details, seed):
    for text in (body, {"reason": details, "message": details, "details": details}):
        assert isinstance(error_of(status, spoilt(json.dumps(text).encode(), seed), "soon"), ApiError)


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: repr(fragment[:20]))
def test_the_scanner_ends_and_says_what_it_found(fragment):
    for text in (fragment, b'{"a":' + fragment + b"}", b"[" + fragment, fragment + b"]"):
        try:
            nesting.parts(text)
        except ValueError:
            continue
