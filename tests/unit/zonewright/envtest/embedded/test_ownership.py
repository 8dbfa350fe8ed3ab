"""Who owns which field: updates, server-side apply, conflicts, and what goes when its owner lets go."""

import pytest

from zonewright.envtest.embedded import ownership, typed
from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.ownership import Manager
from zonewright.envtest.embedded.schema import compile_schema

TEXT = {"type": "string"}
NODE = compile_schema(
    {
        "type": "object",
        "properties": {
            "kind": TEXT,
            "spec": {
                "type": "object",
                "properties": {
                    "a": TEXT,
                    "b": TEXT,
                    "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": TEXT},
                    "whole": {"type": "object", "x-kubernetes-map-type": "atomic", "additionalProperties": TEXT},
                    "parts": {
                        "type": "array",
                        "x-kubernetes-list-type": "map",
                        "x-kubernetes-list-map-keys": ["name"],
                        "items": {"type": "object", "properties": {"name": TEXT, "value": TEXT}},
                    },
                },
            },
        },
    }
)
ALICE, BOB = Manager("alice", "Apply", "v1"), Manager("bob", "Apply", "v1")
EDITOR = Manager("editor", "Update", "v1")


def apply(live, config, shares, manager=ALICE, *, force=False):
    return ownership.apply(NODE, live, config, shares, manager, force=force, now="now")


def owned(shares, manager):
    return {ownership.spell(path) for share in shares if share.manager == manager for path in share.fields}


def test_the_creator_owns_everything_and_the_tree_is_the_same_either_way():
    fields = {"kind": "X", "spec": {"a": "1", "tags": ["t"], "parts": [{"name": "p"}], "whole": {"x": "y"}}}
    entries = ownership.after_creation(NODE, fields, EDITOR, "now")
    slow = ownership.dump(ownership.after_update(NODE, {}, fields, [], EDITOR, "now"))
    assert entries == slow
    assert entries[0]["fieldsV1"] == {
        "f:spec": {
            ".": {},
            "f:a": {},
            "f:tags": {".": {}, 'v:"t"': {}},
            "f:parts": {".": {}, 'k:{"name":"p"}': {".": {}, "f:name": {}}},
            "f:whole": {},
        }
    }


def test_trees_and_sets_are_two_spellings_of_the_same():
    fields = ownership.applied_set(NODE, {"spec": {"a": "1", "parts": [{"name": "p", "value": "v"}]}})
    assert ownership.from_tree(ownership.to_tree(fields)) == fields


def test_an_update_takes_what_it_changes_and_nothing_else():
    shares = ownership.after_update(NODE, {}, {"spec": {"a": "1", "b": "1"}}, [], ALICE, "then")
    shares = ownership.after_update(
        NODE, {"spec": {"a": "1", "b": "1"}}, {"spec": {"a": "2", "b": "1"}}, shares, EDITOR, "now"
    )
    assert owned(shares, EDITOR) == {".spec.a"}
    assert owned(shares, ALICE) == {".spec", ".spec.b"}


def test_applying_what_another_set_to_something_else_is_a_conflict_that_names_the_field():
    first = apply({"spec": {}}, {"spec": {"a": "1"}}, [])
    with pytest.raises(ApiError) as refused:
        apply(first.fields, {"spec": {"a": "2"}}, first.shares, BOB)
    assert refused.value.code == 409
    assert refused.value.message == 'Apply failed with 1 conflict: conflict with "alice": .spec.a'


def test_applying_the_same_value_shares_the_field():
    first = apply({"spec": {}}, {"spec": {"a": "1"}}, [])
    second = apply(first.fields, {"spec": {"a": "1"}}, first.shares, BOB)
    assert owned(second.shares, ALICE) == owned(second.shares, BOB) == {".spec.a"}


def test_force_takes_the_field_over():
    first = apply({"spec": {}}, {"spec": {"a": "1"}}, [])
    second = apply(first.fields, {"spec": {"a": "2"}}, first.shares, BOB, force=True)
    assert second.fields == {"spec": {"a": "2"}}
    assert owned(second.shares, ALICE) == set()


def test_what_is_no_longer_applied_goes_unless_another_holds_it():
    first = apply({"spec": {}}, {"spec": {"a": "1", "b": "1", "tags": ["x", "y"]}}, [])
    second = apply(first.fields, {"spec": {"b": "1"}}, first.shares, BOB)
    third = apply(second.fields, {"spec": {"tags": ["x"]}}, second.shares, ALICE)
    assert third.fields == {"spec": {"b": "1", "tags": ["x"]}}


def test_items_of_keyed_lists_are_merged_by_their_key():
    first = apply({"spec": {}}, {"spec": {"parts": [{"name": "p", "value": "1"}]}}, [])
    second = apply(first.fields, {"spec": {"parts": [{"name": "q", "value": "2"}]}}, first.shares, BOB)
    assert second.fields["spec"]["parts"] == [{"name": "p", "value": "1"}, {"name": "q", "value": "2"}]
    third = apply(second.fields, {"spec": {}}, second.shares, ALICE)
    assert third.fields["spec"]["parts"] == [{"name": "q", "value": "2"}]


@pytest.mark.parametrize(
    ("live", "wanted", "order"),
    [
        ("ab", "cab", "cab"),
        ("ac", "cab", "cab"),
        ("xay", "a", "xay"),
        ("xay", "ba", "xbay"),
        ("abc", "cb", "acb"),
        ("", "ab", "ab"),
        ("ab", "", "ab"),
    ],
)
def test_applied_items_keep_their_order_among_those_of_others(live, wanted, order):
    assert "".join(ownership.merged_order(list(live), list(wanted))) == order


def test_an_atomic_map_is_replaced_whole():
    first = apply({"spec": {}}, {"spec": {"whole": {"x": "1", "y": "2"}}}, [])
    second = apply(first.fields, {"spec": {"whole": {"z": "3"}}}, first.shares)
    assert second.fields == {"spec": {"whole": {"z": "3"}}}


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"spec": {"odd": 1}}, r"\.spec\.odd: field not declared in schema"),
        ({"spec": {"a": 1}}, r"\.spec\.a: expected string"),
        ({"spec": {"tags": ["x", "x"]}}, "duplicate entries"),
        ({"spec": {"parts": [{"value": "v"}]}}, "omits key field"),
    ],
)
def test_configuration_that_does_not_fit_its_types_is_refused(config, words):
    with pytest.raises(ApiError, match=words) as refused:
        typed.check(NODE, config, "ns/name; v1, Kind=X")
    assert refused.value.code == 500
