"""What goes wrong between CRDs and Python, one minimal case each.

The cases are the kinds of tests/golden/codegen/crds; they are generated once, and each test looks at its own kind."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from tests.support import ROOT
from tests.support.building import load
from zonewright.codegen.generate import Target, generate

CRDS = ROOT / "tests/golden/codegen/crds"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    directory = tmp_path_factory.mktemp("failure_classes")
    target = Target.at(directory / "out")
    generate(CRDS, target).write(target)
    return lambda module: load(directory, module)


@pytest.fixture
def models(package):
    return package("example_org_v1")


def wire(kind: str, **sections: Any) -> dict[str, Any]:
    return {"apiVersion": "example.org/v1", "kind": kind, "metadata": {"name": "x"}, **sections}


def round_trip(model: Any, value: dict[str, Any]) -> dict[str, Any]:
    """Through both doors; what comes back must be equal, and written alike."""
    read = model.model_validate_json(json.dumps(value))
    assert json.loads(read.to_json()) == read.to_dict() == model.model_validate(value).to_dict()
    found: dict[str, Any] = read.to_dict()
    return found


def same(found: Any, value: Any) -> bool:
    """Equal as JSON text: 1 and 1.0 and true are three values."""
    return json.dumps(found, sort_keys=True) == json.dumps(value, sort_keys=True)


def test_a_root_without_apiversion_kind_and_metadata_keeps_all_three(models):
    value = wire("Bare", spec={"a": "b"})
    assert same(round_trip(models.Bare, value), value)
    assert models.Bare.model_validate(value).metadata.name == "x"


def test_strings_with_a_format_keep_their_text(models):
    texts = {
        "at": "2026-01-02T03:04:05.120Z",
        "for_": "1h5m",
        "id": "NOT-a-uuid",
        "data": "AA",
        "ip": "192.000.002.001",
    }
    value = wire("Formats", spec=texts)
    assert same(round_trip(models.Formats, value), value)


def test_unknown_fields_beside_known_ones_are_kept(models):
    value = wire(
        "Preserving", extra=[1, {"a": None}], free={"x": 1.0}, any=[None], spec={"maxItems": 3, "more": {"y": []}}
    )
    assert same(round_trip(models.Preserving, value), value)


def test_an_unknown_field_spelt_like_an_attribute_keeps_its_name(models):
    value = wire("Preserving", spec={"maxItems": 3, "max_items": "mine"})
    assert same(round_trip(models.Preserving, value), value)
    assert models.Preserving.model_validate(value).spec.max_items == 3


def test_required_and_nullable_admits_null(models):
    value = wire("Nullable", spec={"must": None, "part": None, "items": [1, None], "level": None})
    assert same(round_trip(models.Nullable, value), value)
    with pytest.raises(ValidationError):
        models.Nullable.model_validate(wire("Nullable", spec={"part": None}))


def test_null_and_absent_stay_apart(models):
    for value in (wire("Bare", spec={"a": None}), wire("Bare", spec={}), wire("Bare")):
        assert same(round_trip(models.Bare, value), value)


@pytest.mark.parametrize("port", [80, "http", "50%"])
def test_int_or_string_is_either(models, port):
    value = wire("Ports", spec={"bare": port, "pattern": port})
    assert same(round_trip(models.Ports, value), value)


@pytest.mark.parametrize("quantity", [1, "1", "500m", "1Gi", "1e3"])
def test_quantities_keep_their_text(models, quantity):
    value = wire("Ports", spec={"memory": quantity})
    assert same(round_trip(models.Ports, value), value)


def test_int_or_string_refuses_anything_else(models):
    with pytest.raises(ValidationError):
        models.Ports.model_validate(wire("Ports", spec={"bare": 1.5}))


@pytest.mark.parametrize("number", [1, 1.0, 0.1, 100])
def test_numbers_stay_what_they_are(models, number):
    value = wire("Numbers", spec={"share": number})
    assert same(round_trip(models.Numbers, value), value)


@pytest.mark.parametrize("bad", [{"share": 101}, {"share": -0.5}, {"count": 0}])
def test_limits_are_checked_and_exclusive_ones_are_exclusive(models, bad):
    with pytest.raises(ValidationError):
        models.Numbers.model_validate(wire("Numbers", spec=bad))


def test_junctors_cost_no_classes_and_refuse_nothing(models):
    value = wire("Junctors", spec={"a": "z"})
    assert same(round_trip(models.Junctors, value), value)
    assert [name for name in dir(models) if name.startswith("Junctors")] == ["Junctors", "JunctorsSpec"]


def test_scalar_defaults_are_known_and_not_written(models):
    read = models.Defaults.model_validate(wire("Defaults", spec={}))
    assert read.spec.mode == "fast"
    assert read.to_dict()["spec"] == {}
    assert models.Defaults.model_validate(wire("Defaults")).spec is None


def test_what_is_put_into_a_list_with_a_default_is_written(models):
    status = models.DefaultsStatus()
    status.log = [*(status.log or ()), "line"]
    assert models.Defaults(status=status).to_dict()["status"] == {"log": ["line"]}


def test_objects_built_in_code_have_apiversion_and_kind(models):
    built = models.Bare(spec=models.BareSpec(a="b"))
    built.metadata.name = "x"
    assert built.to_dict() == wire("Bare", spec={"a": "b"})


def test_none_is_left_out_of_apply_bodies(models):
    built = models.Bare(spec=models.BareSpec(a=None))
    assert built.to_dict()["spec"] == {"a": None}
    assert built.to_dict(exclude_none=True)["spec"] == {}


@pytest.mark.parametrize(
    ("kind", "bad"), [("Numbers", {"count": "3"}), ("Bare", {"a": 1}), ("Numbers", {"count": True})]
)
def test_nothing_is_coerced(models, kind, bad):
    with pytest.raises(ValidationError):
        getattr(models, kind).model_validate(wire(kind, spec=bad))


def test_limits_on_elements_are_type_aliases(models):
    value = wire("Elements", spec={"names": ["ab"], "limits": {"x": 9}})
    read = models.Elements.model_validate(value)
    assert read.spec.names == ["ab"]
    assert read.spec.limits == {"x": 9}
    for bad in ({"names": ["a"]}, {"limits": {"x": 10}}):
        with pytest.raises(ValidationError):
            models.Elements.model_validate(wire("Elements", spec=bad))


def test_a_property_named_like_its_kind_does_not_take_the_name(models):
    assert models.Kafka.model_fields.keys() == {"api_version", "kind", "metadata", "spec"}
    assert models.KafkaSpecKafkaKafka.model_fields.keys() == {"x"}
    assert not hasattr(models, "Wrong")


def test_a_lower_case_kind_is_a_pascal_class_and_the_wire_name_stays(package):
    built = package("lower_example_org_v1").Lowercase()
    assert built.to_dict() == {"apiVersion": "lower.example.org/v1", "kind": "lowercase"}


@pytest.mark.parametrize("kind", ["Field", "Any", "Quantity"])
def test_a_kind_named_like_an_import_gets_another_class_name(models, package, kind):
    cls = getattr(models, f"{kind}Model")
    assert cls().to_dict()["kind"] == kind
    assert package("kinds").KINDS[kind].model().__name__ == f"{kind}Model"


def test_an_attribute_named_like_a_type_does_not_hide_it(models):
    read = models.FieldModel.model_validate(wire("Field", spec={"list": ["a"], "after": ["b"]}))
    assert (read.spec.list_, read.spec.after) == (["a"], ["b"])


def test_attributes_are_snake_case_and_never_collide(models):
    fields = {field.alias or name: name for name, field in models.NamingSpec.model_fields.items()}
    assert fields == {
        "toFQDNs": "to_fqdns",
        "proxyURL": "proxy_url",
        "proxyUrl": "proxy_url_2",
        "x-y": "x_y",
        "5m": "field_5m",
        "_": "field",
    }


def test_keywords_and_methods_of_models_get_an_underscore(models):
    names = ("from", "continue", "schema", "json", "copy", "model_config", "model_dump", "$ref", "to_dict")
    value = wire("Keywords", spec=dict.fromkeys(names, "x"))
    assert same(round_trip(models.Keywords, value), value)
    read = models.Keywords.model_validate(value).spec
    assert {read.from_, read.schema_, read.json_, read.copy_, read.model_config_, read.ref, read.to_dict_} == {"x"}


def test_patterns_mean_what_they_mean_in_go(models):
    with pytest.raises(ValidationError):
        models.Patterns.model_validate(wire("Patterns", spec={"digits": "\N{ARABIC-INDIC DIGIT ONE}"}))
    value = wire("Patterns", spec={"digits": "7", "quoted": "anything: the API server checks it"})
    assert same(round_trip(models.Patterns, value), value)


def test_enums_are_literals_whatever_is_in_them(models):
    for op in ("", "=", "yes", "2020-01-01", "not an identifier"):
        value = wire("Enums", spec={"op": op, "level": 2, "many": ["b"]})
        assert same(round_trip(models.Enums, value), value)
    for bad in ({"op": "x"}, {"level": 3}, {"many": ["c"]}):
        with pytest.raises(ValidationError):
            models.Enums.model_validate(wire("Enums", spec=bad))


def test_descriptions_are_docstrings(models):
    assert 'Says "hello" with \\ and """.' in models.Described.__doc__
    assert models.DescribedSpec.model_fields["a"].description is None
