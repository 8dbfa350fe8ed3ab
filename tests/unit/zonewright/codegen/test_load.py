"""What cannot be generated is refused with the file and the path in it; what is no CRD is left alone."""

import json
from typing import Any

import pytest
import yaml

from tests.support.building import crd, spec
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.generate import Target, generate
from zonewright.codegen.load import load

SCHEMA = "spec.versions[0].schema.openAPIV3Schema"
GOOD = crd("Widget", spec(a={"type": "string"}))


def changed(path: str, value: Any) -> dict[str, Any]:
    """The good CRD with one thing in it replaced, or removed for None."""
    document: dict[str, Any] = json.loads(json.dumps(GOOD))
    *steps, last = path.split("/")
    node: Any = document
    for step in steps:
        node = node[int(step) if step.isdigit() else step]
    if value is None:
        del node[last]
    else:
        node[last] = value
    return document


def in_schema(schema: Any) -> dict[str, Any]:
    return changed("spec/versions/0/schema/openAPIV3Schema", schema)


def in_spec(**schema: Any) -> dict[str, Any]:
    return in_schema({"type": "object", "properties": {"spec": schema}})


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (changed("apiVersion", "apiextensions.k8s.io/v1beta1"), "apiVersion: 'apiextensions.k8s.io/v1beta1' is not"),
        (changed("spec", None), "spec: is missing"),
        (changed("spec/names/kind", "No Kind"), "spec.names.kind: 'No Kind' does not match"),
        (changed("spec/names/kind", 3), "spec.names.kind: 3 does not match"),
        (changed("spec/group", "Upper.org"), "spec.group: 'Upper.org' is not a DNS name"),
        (changed("spec/scope", "Galaxy"), "spec.scope: 'Galaxy' is neither Namespaced nor Cluster"),
        (changed("spec/versions", []), "spec.versions: there is no version in it"),
        (changed("spec/versions", "v1"), "spec.versions: is str, not a list"),
        (changed("spec/versions/0/schema", None), "spec.versions[0].schema: is missing"),
        (changed("spec/versions/0/selectableFields", [{}]), "spec.versions[0].selectableFields[0].jsonPath: None is"),
        (changed("spec/versions/0/additionalPrinterColumns", [3]), "spec.versions[0].additionalPrinterColumns[0]: is"),
        (in_schema({"type": "array", "items": {}}), f"{SCHEMA}.type: the root of a CRD is an object"),
        (in_spec(type="strnig"), f"{SCHEMA}.properties.spec.type: 'strnig' is not one of array, boolean"),
        (in_spec(type=["string", "null"]), f"{SCHEMA}.properties.spec.type: ['string', 'null'] is not one of"),
        (in_spec(**{"$ref": "#/x"}), f"{SCHEMA}.properties.spec: $ref ('#/x') is not allowed in a CRD"),
        (in_spec(type="array"), f"{SCHEMA}.properties.spec: an array needs items"),
        (in_spec(type="array", items=[{}]), f"{SCHEMA}.properties.spec.items: a schema is a mapping"),
        (in_spec(type="object", properties=["a"]), f"{SCHEMA}.properties.spec.properties: is not a mapping"),
        (in_spec(type="object", properties={"a": True}), f"{SCHEMA}.properties.spec.properties.a: a schema is"),
        (in_spec(type="object", additionalProperties="x"), f"{SCHEMA}.properties.spec.additionalProperties: a sch"),
        (in_spec(type="object", required="a"), f"{SCHEMA}.properties.spec.required: is not a list of names"),
        (in_spec(type="string", enum="a"), f"{SCHEMA}.properties.spec.enum: is not a list"),
    ],
)  # fmt: skip
def test_refused(tmp_path, document, message):
    file = tmp_path / "crds/widget.yaml"
    file.parent.mkdir()
    file.write_text(yaml.safe_dump(document))
    with pytest.raises(CodegenError) as caught:
        generate(file.parent, Target.at(tmp_path / "out"))
    assert str(caught.value).startswith(f"{file}: {message}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("half.yaml", "apiVersion: [", "not valid YAML"),
        ("half.json", "{", "line 1, column 2: not valid JSON"),
        ("latin.yaml", b"a: \xe9", "is not UTF-8 text"),
    ],
)
def test_unreadable_files_are_named(tmp_path, name, text, message):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(CodegenError, match=message) as caught:
        load(tmp_path)
    assert caught.value.file == tmp_path / name


def test_a_property_name_that_yaml_took_for_a_number_is_refused(tmp_path):
    text = yaml.safe_dump(in_spec(type="object", properties={"X": {"type": "string"}})).replace("X:", "80:")
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(CodegenError, match="the property name 80 is not a string: quote it"):
        generate(tmp_path, Target.at(tmp_path / "out"))


def test_a_bottomless_schema_is_refused(tmp_path):
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(150):
        schema = {"type": "object", "properties": {"a": schema}}
    (tmp_path / "a.json").write_text(json.dumps(in_schema(schema)))
    with pytest.raises(CodegenError, match="nested more than 100 levels deep"):
        generate(tmp_path, Target.at(tmp_path / "out"))


def test_two_definitions_of_one_kind_are_refused(tmp_path):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(GOOD))
    with pytest.raises(CodegenError, match=r"b\.json: Widget of example\.org is defined in .*a\.json too"):
        load(tmp_path)


@pytest.mark.parametrize("empty", [True, False])
def test_a_directory_without_crds_is_an_error(tmp_path, empty):
    directory = tmp_path if empty else tmp_path / "missing"
    with pytest.raises(
        CodegenError, match="holds no CustomResourceDefinition" if empty else "there is no such directory"
    ):
        load(directory)


def test_crds_are_found_among_other_things(tmp_path):
    """Lists, several documents, sub-directories, other manifests, editors' leftovers."""
    listed = {"apiVersion": "v1", "kind": "List", "items": [crd("InList", spec()), {"kind": "ConfigMap"}]}
    (tmp_path / "sub/deeper").mkdir(parents=True)
    (tmp_path / "list.json").write_text(json.dumps(listed))
    (tmp_path / "sub/deeper/two.yml").write_text(
        yaml.safe_dump_all([crd("First", spec()), None, {"kind": "Namespace"}, crd("Second", spec(), scope="Cluster")])
    )
    (tmp_path / "kustomization.yaml").write_text("resources: []\n")
    (tmp_path / "README.md").write_text("kind: CustomResourceDefinition")
    (tmp_path / ".half.yaml").write_text("a: [")
    assert [(found.kind, found.namespaced) for found in load(tmp_path)] == [
        ("First", True),
        ("InList", True),
        ("Second", False),
    ]
