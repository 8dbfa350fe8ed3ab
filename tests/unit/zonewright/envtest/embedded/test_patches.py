"""The three kinds of patch on plain values."""

import pytest

from zonewright.envtest.embedded import patches
from zonewright.envtest.embedded.builtin import definition_name, node
from zonewright.envtest.embedded.errors import ApiError


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": 1}, {"a": 2}, {"a": 2}),
        ({"a": 1, "b": 2}, {"a": None}, {"b": 2}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": None}}, {"a": {"c": 2}}),
        ({"a": [1]}, {"a": [2]}, {"a": [2]}),
        ({"a": "x"}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({}, {"a": {"b": None}}, {"a": {}}),
    ],
)
def test_merge_patch_follows_rfc_7396(target, patch, result):
    assert patches.merge(target, patch) == result


@pytest.mark.parametrize(
    ("operation", "result"),
    [
        ({"op": "add", "path": "/b", "value": 2}, {"a": [1, 2], "b": 2}),
        ({"op": "add", "path": "/a/-", "value": 3}, {"a": [1, 2, 3]}),
        ({"op": "add", "path": "/a/0", "value": 0}, {"a": [0, 1, 2]}),
        ({"op": "remove", "path": "/a/0"}, {"a": [2]}),
        ({"op": "replace", "path": "/a/1", "value": 9}, {"a": [1, 9]}),
        ({"op": "replace", "path": "/new", "value": 9}, {"a": [1, 2], "new": 9}),
        ({"op": "copy", "from": "/a", "path": "/b"}, {"a": [1, 2], "b": [1, 2]}),
        ({"op": "move", "from": "/a", "path": "/b"}, {"b": [1, 2]}),
        ({"op": "test", "path": "/a/0", "value": 1}, {"a": [1, 2]}),
        ({"op": "add", "path": "/x~1y~0z", "value": 1}, {"a": [1, 2], "x/y~z": 1}),
    ],
)
def test_json_patch_follows_rfc_6902(operation, result):
    assert patches.json_patch({"a": [1, 2]}, [operation]) == result


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "path": "/none"},
        {"op": "add", "path": "/a/9", "value": 1},
        {"op": "add", "path": "/none/below", "value": 1},
        {"op": "test", "path": "/a/0", "value": 2},
        {"op": "nonsense", "path": "/a"},
        {"op": "add", "path": "no-slash", "value": 1},
    ],
)
def test_a_json_patch_that_does_not_apply_is_invalid_and_changes_nothing(operation):
    document = {"a": [1, 2]}
    with pytest.raises(ApiError) as refused:
        patches.json_patch(document, [operation])
    assert refused.value.code == 422
    assert document == {"a": [1, 2]}


def test_strategic_merge_patch_merges_lists_by_their_key():
    schema = node(definition_name("v1", "Pod"))
    pod = {"spec": {"containers": [{"name": "a", "image": "x"}, {"name": "b", "image": "y"}]}}
    change = {"spec": {"containers": [{"name": "b", "image": "z"}, {"name": "c", "image": "w"}]}}
    merged = patches.strategic(schema, pod, change)
    images = {one["name"]: one["image"] for one in merged["spec"]["containers"]}
    assert images == {"a": "x", "b": "z", "c": "w"}


def test_strategic_merge_patch_deletes_and_replaces_by_directive():
    schema = node(definition_name("v1", "Pod"))
    pod = {"metadata": {"finalizers": ["a", "b"]}, "spec": {"containers": [{"name": "a"}, {"name": "b"}]}}
    change = {
        "metadata": {"$deleteFromPrimitiveList/finalizers": ["a"]},
        "spec": {"containers": [{"name": "a", "$patch": "delete"}]},
    }
    merged = patches.strategic(schema, pod, change)
    assert merged == {"metadata": {"finalizers": ["b"]}, "spec": {"containers": [{"name": "b"}]}}
    replaced = patches.strategic(schema, pod, {"spec": {"$patch": "replace", "containers": []}})
    assert replaced["spec"] == {"containers": []}
