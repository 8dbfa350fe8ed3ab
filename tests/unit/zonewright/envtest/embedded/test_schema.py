"""Structural schemas: pruning, defaulting and validation, each rule by a sentence."""

import pytest

from zonewright.envtest.embedded.schema import apply_defaults, compile_schema, prune
from zonewright.envtest.embedded.validation import validate

SCHEMA = {
    "type": "object",
    "required": ["color"],
    "properties": {
        "color": {"type": "string", "enum": ["red", "blue"]},
        "size": {"type": "integer", "minimum": 1, "maximum": 9, "default": 7},
        "ratio": {"type": "number", "exclusiveMinimum": True, "minimum": 0, "multipleOf": 0.5},
        "name": {"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^[a-z]+$"},
        "address": {"type": "string", "format": "ipv4"},
        "port": {"x-kubernetes-int-or-string": True},
        "note": {"type": "string", "nullable": True},
        "tags": {"type": "array", "x-kubernetes-list-type": "set", "maxItems": 2, "items": {"type": "string"}},
        "words": {"type": "array", "minItems": 1, "items": {"type": "string"}},
        "parts": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "count": {"type": "integer", "default": 1}},
            },
        },
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "limits": {"type": "object", "default": {}, "properties": {"low": {"type": "integer", "default": 0}}},
        "choice": {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        "any": {"type": "integer", "anyOf": [{"minimum": 10}, {"maximum": -10}]},
        "never": {"type": "string", "not": {"enum": ["forbidden"]}},
    },
}
NODE = compile_schema(SCHEMA)


def causes(value):
    found: list = []
    validate(NODE, value, "", found)
    return {cause.field: cause.message for cause in found}


@pytest.mark.parametrize(
    ("value", "field", "message"),
    [
        ({}, "color", "Required value"),
        ({"color": "pink"}, "color", 'Unsupported value: "pink": supported values: "red", "blue"'),
        ({"color": 3}, "color", 'Unsupported value: 3: supported values: "red", "blue"'),
        ({"size": 0}, "size", "Invalid value: 0: size in body should be greater than or equal to 1"),
        ({"size": 10}, "size", "Invalid value: 10: size in body should be less than or equal to 9"),
        ({"size": "7"}, "size", 'Invalid value: "string": size in body must be of type integer: "string"'),
        ({"ratio": 0}, "ratio", "Invalid value: 0: ratio in body should be greater than 0"),
        ({"ratio": 0.3}, "ratio", "Invalid value: 0.3: ratio in body should be a multiple of 0.5"),
        ({"name": "a"}, "name", 'Invalid value: "a": name in body should be at least 2 chars long'),
        ({"name": "abcde"}, "name", "Too long: may not be more than 4 bytes"),
        ({"name": "ABC"}, "name", "Invalid value: \"ABC\": name in body should match '^[a-z]+$'"),
        ({"name": "abc\n"}, "name", "Invalid value: \"abc\\n\": name in body should match '^[a-z]+$'"),
        ({"address": "x"}, "address", 'Invalid value: "x": address in body must be of type ipv4: "x"'),
        ({"port": 1.5}, "port", 'Invalid value: "number": port in body must be of type integer,string: "number"'),
        ({"tags": ["a", "a"]}, "tags[1]", 'Duplicate value: "a"'),
        ({"tags": ["a", "b", "c"]}, "tags", "Too many: 3: must have at most 2 items"),
        ({"words": []}, "words", "Invalid value: 0: words in body should have at least 1 items"),
        ({"parts": [{"name": "x"}, {"name": "x"}]}, "parts[1]", 'Duplicate value: {"name":"x"}'),
        ({"parts": [{}]}, "parts[0].name", "Required value"),
        ({"map": {"k": 1}}, "map.k", 'Invalid value: "integer": map.k in body must be of type string: "integer"'),
        ({"choice": {}}, "choice.a", "Required value"),
        ({"any": 0}, "<nil>", 'Invalid value: "": "any" must validate at least one schema (anyOf)'),
        ({"never": "forbidden"}, "<nil>", 'Invalid value: "": "never" must not validate the schema (not)'),
    ],
)
def test_what_is_wrong_is_said_as_kube_apiserver_says_it(value, field, message):
    assert causes({"color": "red"} | value if value else value)[field] == message


@pytest.mark.parametrize(
    "value",
    [
        {"port": 80},
        {"port": "http"},
        {"note": None},
        {"size": 3.0},
        {"ratio": 2},
        {"choice": {"b": "y"}},
        {"any": 12},
        {"free": {"x": [1, {"y": None}]}},
    ],
)
def test_what_is_right_gives_no_causes(value):
    assert causes({"color": "red"} | value) == {}


def test_pruning_drops_what_the_schema_does_not_name_and_tells_where():
    value = {"color": "red", "odd": 1, "parts": [{"name": "x", "odd": 2}], "free": {"kept": 1}, "map": {"k": "v"}}
    unknown: list[str] = []
    prune(NODE, value, "", unknown)
    assert unknown == ["odd", "parts[0].odd"]
    assert value == {"color": "red", "parts": [{"name": "x"}], "free": {"kept": 1}, "map": {"k": "v"}}


def test_defaults_fill_what_is_absent_down_to_list_items():
    value = {"parts": [{"name": "x"}]}
    apply_defaults(NODE, value)
    assert value == {"parts": [{"name": "x", "count": 1}], "size": 7, "limits": {"low": 0}}


def test_a_null_gives_way_to_a_default_and_vanishes_where_there_is_none():
    value = {"size": None, "name": None, "note": None}
    apply_defaults(NODE, value)
    assert value == {"size": 7, "note": None, "limits": {"low": 0}}


def test_a_default_is_a_copy_each_time():
    one: dict = {}
    other: dict = {}
    apply_defaults(NODE, one)
    one["limits"]["low"] = 5
    apply_defaults(NODE, other)
    assert other["limits"] == {"low": 0}


def test_references_belong_to_built_in_schemas_only():
    with pytest.raises(ValueError, match="reference"):
        compile_schema({"$ref": "#/components/schemas/x"})
