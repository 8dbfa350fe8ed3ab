"""Label and field selectors, and JSONPath, by table."""

import pytest

from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.jsonpath import find
from zonewright.envtest.embedded.selectors import field_selector, field_text, label_selector


@pytest.mark.parametrize(
    ("text", "labels", "matches"),
    [
        ("a=b", {"a": "b"}, True),
        ("a==b", {"a": "c"}, False),
        ("a!=b", {}, True),
        ("a!=b", {"a": "b"}, False),
        ("a in (b, c)", {"a": "c"}, True),
        ("a in (b,c)", {}, False),
        ("a notin (b,c)", {}, True),
        ("a notin (b,c)", {"a": "b"}, False),
        ("a", {"a": ""}, True),
        ("!a", {"a": ""}, False),
        ("a=b,c in (d,e),!f", {"a": "b", "c": "e"}, True),
        ("a=b,c in (d,e),!f", {"a": "b", "c": "e", "f": "g"}, False),
        ("app.example.org/x=y", {"app.example.org/x": "y"}, True),
        ("a=", {"a": ""}, True),
    ],
)
def test_labels_match_as_kubernetes_says(text, labels, matches):
    test = label_selector(text)
    assert test is not None
    assert test(labels) is matches


def test_an_empty_selector_is_none_because_it_matches_everything():
    assert label_selector(" ") is None
    assert field_selector("", frozenset()) is None


@pytest.mark.parametrize("text", ["a=b=c", "a in b", "a b", "=b", ",a"])
def test_a_label_selector_that_cannot_be_read_is_a_bad_request(text):
    with pytest.raises(ApiError) as refused:
        label_selector(text)
    assert refused.value.code == 400


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("metadata.name=a", True),
        ("metadata.name!=a", False),
        ("metadata.name==a,spec.on=true", True),
        ("metadata.name=a,spec.n=2", False),
        ("spec.none=", True),
    ],
)
def test_fields_match_as_text(text, matches):
    fields = {"metadata": {"name": "a"}, "spec": {"on": True, "n": 1}}
    test = field_selector(text, frozenset({"metadata.name", "spec.on", "spec.n", "spec.none"}))
    assert test is not None
    assert test(lambda path: field_text(fields, path)) is matches


def test_only_declared_fields_can_be_selected_by():
    with pytest.raises(ApiError, match=r"field label not supported: spec\.size"):
        field_selector("spec.size=1", frozenset({"metadata.name"}))


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (".spec.color", ["red"]),
        ("{.spec.color}", ["red"]),
        (".spec.none", []),
        (".spec.list[0]", [1]),
        (".spec.list[-1]", [2]),
        (".spec.list[5]", []),
        (".spec.list[*]", [1, 2]),
        (".metadata.labels['a.b/c']", ["x"]),
        (r".metadata.labels.a\.b/c", ["x"]),
        ('.status.conditions[?(@.type=="Ready")].status', ["True"]),
        (".status.conditions[?(@.type!='Ready')].status", ["False"]),
    ],
)
def test_jsonpath_finds_what_columns_ask_for(path, found):
    fields = {
        "metadata": {"labels": {"a.b/c": "x"}},
        "spec": {"color": "red", "list": [1, 2]},
        "status": {"conditions": [{"type": "Ready", "status": "True"}, {"type": "Late", "status": "False"}]},
    }
    assert list(find(path, fields)) == found


def test_a_jsonpath_that_cannot_be_read_says_where():
    with pytest.raises(ValueError, match="from"):
        list(find(".spec[?(", {}))
