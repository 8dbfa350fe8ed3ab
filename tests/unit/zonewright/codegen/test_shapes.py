"""Objects of a well-known shape become the shared type, and only those."""

import json
from typing import Any

import pytest

from tests.support.building import build, crd, load, spec
from zonewright.codegen.schema.prepare import normalise
from zonewright.codegen.shared import shared_types

STRING = {"type": "string"}
TIME = {"type": "string", "format": "date-time"}
INTEGER = {"type": "integer", "format": "int64", "minimum": 0}
CONDITION: dict[str, Any] = {
    "type": "object",
    "required": ["lastTransitionTime", "message", "reason", "status", "type"],
    "properties": {
        "lastTransitionTime": TIME,
        "message": {**STRING, "maxLength": 32768},
        "observedGeneration": INTEGER,
        "reason": {**STRING, "minLength": 1, "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},
        "status": {**STRING, "enum": ["True", "False", "Unknown"]},
        "type": {**STRING, "maxLength": 316},
    },
}
SELECTOR = {
    "type": "object",
    "properties": {
        "matchLabels": {"type": "object", "additionalProperties": STRING},
        "matchExpressions": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["key", "operator"],
                "properties": {"key": STRING, "operator": STRING, "values": {"type": "array", "items": STRING}},
            },
        },
    },
}


def shape(schema):
    return shared_types().shapes.match(normalise(schema))


def without(schema, name):
    return {**schema, "properties": {key: value for key, value in schema["properties"].items() if key != name}}


def test_the_common_shapes_are_recognised():
    assert shape(CONDITION) == "Condition"
    assert shape(SELECTOR) == "LabelSelector"


def test_a_nullable_optional_field_is_the_same_shape():
    nullable = {**CONDITION["properties"], "observedGeneration": {**INTEGER, "nullable": True}}
    assert shape({**CONDITION, "properties": nullable}) == "Condition"


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(without(CONDITION, "observedGeneration"), id="a field less"),
        pytest.param({**CONDITION, "properties": {**CONDITION["properties"], "x": STRING}}, id="a field more"),
        pytest.param({**CONDITION, "required": ["type"]}, id="requires less than the shared type"),
        pytest.param({**CONDITION, "properties": {**CONDITION["properties"], "reason": INTEGER}}, id="another type"),
        pytest.param(
            {**CONDITION, "properties": {**CONDITION["properties"], "reason": {**STRING, "default": "x"}}},
            id="a default",
        ),
        pytest.param(
            {**CONDITION, "properties": {**CONDITION["properties"], "status": {**STRING, "nullable": True}}},
            id="a required field that may be null",
        ),
    ],
)
def test_almost_is_not_equal(schema):
    assert shape(schema) is None


def test_a_shared_type_stands_in_the_model_and_reads_back_what_was_written(tmp_path):
    build(tmp_path, crd("Widget", spec(conditions={"type": "array", "items": CONDITION}, selector=SELECTOR)))
    module = load(tmp_path, "example_org_v1")
    assert [name for name in dir(module) if name.startswith("Widget")] == ["Widget", "WidgetSpec"]
    ready = {
        "type": "Ready",
        "status": "True",
        "reason": "A",
        "message": "",
        "lastTransitionTime": "2026-01-02T03:04:05Z",
    }
    value = {
        "conditions": [ready],
        "selector": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}], "unknown": None},
    }
    read = module.Widget.model_validate_json(json.dumps({"metadata": {}, "spec": value}))
    assert type(read.spec.conditions[0]).__name__ == "Condition"
    assert type(read.spec.selector).__name__ == "LabelSelector"
    assert read.to_dict()["spec"] == value
