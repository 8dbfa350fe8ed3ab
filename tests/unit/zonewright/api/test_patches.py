"""Merge patches: only what differs, on the version it was decided on."""

from typing import Any

import pytest

from zonewright.api.patches import metadata_patch, status_differs, status_patch

OBJECT = {"metadata": {"resourceVersion": "7", "annotations": {"a": "1"}, "finalizers": ["theirs", "ours"]}}


@pytest.mark.parametrize(
    ("sentence", "before", "after", "patch"),
    [
        ("nothing to nothing", None, {}, None),
        ("the same", {"zone": "a"}, {"zone": "a"}, None),
        ("a null is as good as nothing", {"zone": None}, {}, None),
        ("new", None, {"zone": "a"}, {"zone": "a"}),
        ("changed, and only that", {"zone": "a", "serial": 1}, {"zone": "b", "serial": 1}, {"zone": "b"}),
        ("gone", {"zone": "a", "serial": 1}, {"serial": 1}, {"zone": None}),
        ("falsy values are values", {}, {"count": 0, "cut": False}, {"count": 0, "cut": False}),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_a_status_patch_is_what_differs(sentence: str, before: Any, after: dict[str, Any], patch: Any):
    expected = None if patch is None else {"metadata": {"resourceVersion": "7"}, "status": patch}
    assert status_patch(OBJECT, before, after) == expected
    assert status_differs(before or {}, after) is (patch is not None)


@pytest.mark.parametrize(
    ("sentence", "options", "patch"),
    [
        ("nothing asked for", {}, None),
        ("all is so already", {"annotations": {"a": "1", "b": None}, "add_finalizers": ["ours"]}, None),
        ("an annotation is set", {"annotations": {"a": "2"}}, {"annotations": {"a": "2"}}),
        ("an annotation is removed", {"annotations": {"a": None}}, {"annotations": {"a": None}}),
        ("a finalizer is added behind", {"add_finalizers": ["new"]}, {"finalizers": ["theirs", "ours", "new"]}),
        ("a finalizer is removed", {"remove_finalizers": ["ours"]}, {"finalizers": ["theirs"]}),
        ("one that is not there stays away", {"remove_finalizers": ["new"]}, None),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_a_metadata_patch_is_what_differs(sentence: str, options: dict[str, Any], patch: Any):
    expected = None if patch is None else {"metadata": {"resourceVersion": "7", **patch}}
    assert metadata_patch(OBJECT, **options) == expected
