"""What comes out beside the models: registry, informers, RBAC and the reference."""

import re

import pytest
import yaml

from tests.support.building import build, crd, load, spec
from zonewright.api.kind import Kind
from zonewright.codegen import rbac
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.generate import Target, generate

STRING = {"type": "string"}
SCHEMA = {
    "type": "object",
    "description": "A widget.",
    "properties": {
        "spec": {
            "type": "object",
            "required": ["name"],
            "example": {"name": "www", "parts": [{"size": 1}]},
            "x-kubernetes-validations": [{"rule": "self.name != ''", "message": "a name is needed"}],
            "properties": {
                "name": {**STRING, "description": "Its | name.", "maxLength": 9},
                "mode": {**STRING, "enum": ["on", "off"], "default": "on"},
                "parts": {"type": "array", "items": {"type": "object", "properties": {"size": {"type": "integer"}}}},
            },
        },
    },
}
WIDGET = crd(
    "Widget", SCHEMA,
    annotations={"example.org/size": "A"}, shortNames=["w"], subresources={"status": {}, "scale": {}},
    additionalPrinterColumns=[{"name": "Name", "type": "string", "jsonPath": ".spec.name", "priority": 1}],
    selectableFields=[{"jsonPath": ".spec.name"}],
)  # fmt: skip
CLUSTER = crd("Galaxy", spec(a=STRING), scope="Cluster")


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    directory = tmp_path_factory.mktemp("registry")
    build(directory, WIDGET, CLUSTER)
    return directory


def test_a_kind_knows_what_its_crd_says(output):
    kind = load(output, "kinds").Widget
    assert kind == Kind("example.org", "v1", "Widget", "widgets")
    assert (kind.namespaced, kind.subresources, kind.short_names) == (True, {"status", "scale"}, ("w",))
    assert (kind.annotations["example.org/size"], kind.selectable_fields) == ("A", (".spec.name",))
    assert [(column.name, column.json_path, column.priority) for column in kind.printer_columns] == [
        ("Name", ".spec.name", 1)
    ]
    assert kind.model().model_validate({"metadata": {}, "spec": kind.example}).spec.parts[0].size == 1
    assert kind.path("ns", "x", "status") == "/apis/example.org/v1/namespaces/ns/widgets/x/status"


def test_the_registry_has_every_kind(output):
    assert list(load(output, "kinds").KINDS) == ["Galaxy", "Widget"]


def test_informers_ask_their_source_for_the_kind(output):
    class Source:
        def informer(self, kind):
            return kind.kind

    informers = load(output, "informers").Informers(Source())
    assert (informers.widget, informers.galaxy) == ("Widget", "Galaxy")


def test_the_role_has_a_rule_for_every_kind_and_subresource(output):
    role = yaml.safe_load((output / "out/role.yaml").read_text())
    rules = {
        (rule["apiGroups"][0], resource): rule["verbs"] for rule in role["rules"] for resource in rule["resources"]
    }
    assert rules["example.org", "widgets"] == ["get", "list", "watch", "patch", "update"]
    assert rules["example.org", "widgets/status"] == rules["example.org", "widgets/scale"] == ["get", "patch", "update"]
    assert rules["example.org", "galaxys"] == rules["example.org", "widgets"]
    assert ("example.org", "galaxys/status") not in rules
    assert (rules["", "events"], rules["coordination.k8s.io", "leases"]) == (
        ["create", "patch"],
        ["create", "get", "update"],
    )
    assert {group for group, _ in rules} == {"example.org", "", "coordination.k8s.io"}
    assert role["metadata"]["name"] == "operator"


def test_a_project_names_its_role_and_adds_rules_of_its_own(tmp_path, output):
    file = tmp_path / "rules.yaml"
    wanted = [
        {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get"]},
        {"apiGroups": [""], "resources": ["namespaces"], "resourceNames": ["kube-system"], "verbs": ["get"]},
    ]
    file.write_text(yaml.safe_dump(wanted))
    target = Target.at(tmp_path / "other", name="my-operator", rules=rbac.read(file))
    role = yaml.safe_load(generate(output / "crds", target).tree["role.yaml"])
    assert role["metadata"] == {"name": "my-operator", "labels": {"app.kubernetes.io/name": "my-operator"}}
    assert all(rule in role["rules"] for rule in wanted)


@pytest.mark.parametrize(
    "text", ["- {verbs: [get]}", "just text", "[1]", "{apiGroups: [], resources: [], verbs: [], resourceName: [typo]}"]
)
def test_what_is_not_a_rule_is_refused_by_its_place(tmp_path, text):
    file = tmp_path / "rules.yaml"
    file.write_text(text)
    with pytest.raises(CodegenError, match=r"rules.yaml: \[0\]: is not a rule"):
        rbac.read(file)


def test_nothing_of_this_repositorys_operator_is_in_the_output(output):
    """Besides imports of the framework and the name of the command."""
    for file in (output / "out").rglob("*.*"):
        if "__pycache__" not in file.parts:
            text = re.sub(r"zonewright generate|from zonewright (import)?", "", file.read_text())
            assert not re.search("zonewright|bindy|dns|record", text, re.IGNORECASE), file


def test_the_reference_shows_fields_rules_and_example(output):
    text = (output / "out/api.md").read_text()
    assert "| `spec.name` (required) | string |  | Its \\| name. _at most 9 characters_ |" in text
    assert "| `spec.mode` | string | `on` |  _one of `on`, `off`_ |" in text
    assert "| `spec.parts[].size` | integer |  |  |" in text
    assert "- `spec`: a name is needed" in text
    assert "kind: Widget\nmetadata:\n  name: example\nspec:\n  name: www\n" in text


def test_modules_load_on_first_use_only(output):
    import sys

    kinds = load(output, "kinds")
    package = kinds.__name__.rpartition(".")[0]
    loaded = [name for name in sys.modules if name.startswith(package)]
    assert loaded == [package, f"{package}.kinds"]
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        load(output, "example_org_v1").Nothing  # noqa: B018 - asking is the test
