"""Names once published never move: what upstream adds, removes or makes equal changes no name that is left."""

import json

import pytest

from tests.support.building import build, crd, load, spec, write_crds
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.generate import Target, generate
from zonewright.codegen.lock import FILE

STRING = {"type": "string"}


def obj(**properties):
    return {"type": "object", "properties": properties}


def names(directory, *crds):
    """Generates, and says which class stands at which path."""
    build(directory, *crds)
    return json.loads((directory / "out" / FILE).read_text())["names"]["Widget.v1.example.org"]


def test_equal_objects_share_the_class_of_the_first_path(tmp_path):
    found = names(tmp_path, crd("Widget", spec(b=obj(x=STRING), a=obj(x=STRING), c=obj(y=STRING))))
    assert found["spec.a"] == found["spec.b"] == "WidgetSpecA"
    assert found["spec.c"] == "WidgetSpecC"


def test_descriptions_do_not_make_a_difference(tmp_path):
    found = names(tmp_path, crd("Widget", spec(a=obj(x={**STRING, "description": "one"}), b=obj(x=STRING))))
    assert found["spec.a"] == found["spec.b"]


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(
            {"a": obj(x=STRING), "m": obj(x=STRING), "z": obj(y=STRING)}, id="an equal object that comes first"
        ),
        pytest.param({"m": obj(x=STRING, n=STRING), "z": obj(y=STRING)}, id="a field more"),
        pytest.param({"m": obj(x=STRING), "z": obj(x=STRING)}, id="two that become equal"),
        pytest.param({"m": obj(x=STRING), "z": obj(y=STRING), "zz": obj(q=STRING)}, id="an object more"),
    ],
)
def test_a_change_upstream_renames_nothing(tmp_path, after):
    before = names(tmp_path, crd("Widget", spec(m=obj(x=STRING), z=obj(y=STRING))))
    found = names(tmp_path, crd("Widget", spec(**after)))
    assert {path: found[path] for path in before} == before


def test_a_class_that_two_places_shared_stays_with_the_first_when_they_part(tmp_path):
    names(tmp_path, crd("Widget", spec(a=obj(x=STRING), b=obj(x=STRING))))
    found = names(tmp_path, crd("Widget", spec(a=obj(x=STRING), b=obj(x=STRING, y=STRING))))
    assert (found["spec.a"], found["spec.b"]) == ("WidgetSpecA", "WidgetSpecB")


def test_paths_that_spell_the_same_name_are_numbered_and_stay_so(tmp_path):
    before = names(tmp_path, crd("Widget", spec(aB=obj(x=STRING), a=obj(b=obj(y=STRING)))))
    assert sorted({before["spec.aB"], before["spec.a.b"]}) == ["WidgetSpecAB", "WidgetSpecAB2"]
    found = names(
        tmp_path, crd("Widget", spec(**{"a-b": obj(z=STRING), "aB": obj(x=STRING), "a": obj(b=obj(y=STRING))}))
    )
    assert {path: found[path] for path in before} == before
    assert found["spec.a-b"] == "WidgetSpecAB3"


def test_kinds_of_one_package_share_a_name_space_and_kinds_come_first(tmp_path):
    build(tmp_path, crd("Foo", {"type": "object", "properties": {"bar": obj(x=STRING)}}), crd("FooBar", spec(y=STRING)))
    module = load(tmp_path, "example_org_v1")
    assert "spec" in module.FooBar.model_fields
    assert module.FooBar2.model_fields.keys() == {"x"}


def test_kinds_of_two_groups_with_one_name_have_two_constants_and_keep_them(tmp_path):
    build(tmp_path, crd("Gateway", spec(a=STRING), group="b.example.org"))
    build(
        tmp_path, crd("Gateway", spec(a=STRING), group="a.example.org"), crd("Gateway", spec(), group="b.example.org")
    )
    kinds = load(tmp_path, "kinds")
    assert kinds.Gateway.group == "b.example.org"
    assert kinds.Gateway2.group == "a.example.org"
    assert kinds.KINDS.keys() == {"Gateway", "Gateway.a.example.org"}


def test_older_versions_have_constants_of_their_own(tmp_path):
    document = crd("Widget", spec(a=STRING), version="v1")
    (version,) = document["spec"]["versions"]
    document["spec"]["versions"] += [{**version, "name": "v1beta1"}, {**version, "name": "v2", "served": False}]
    build(tmp_path, document)
    kinds = load(tmp_path, "kinds")
    assert (kinds.Widget.version, kinds.WidgetV1beta1.version) == ("v1", "v1beta1")
    assert kinds.KINDS.keys() == {"Widget", "Widget.v1beta1.example.org"}
    assert load(tmp_path, "example_org_v2").Widget().api_version == "example.org/v2"


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 99}'])
def test_a_broken_lock_is_an_error_not_a_fresh_start(tmp_path, text):
    crds = write_crds(tmp_path / "crds", crd("Widget", spec(a=STRING)))
    target = Target.at(tmp_path / "out")
    generate(crds, target).write(target)
    (target.package / FILE).write_text(text)
    with pytest.raises(CodegenError, match="restore it from version control"):
        generate(crds, target)
