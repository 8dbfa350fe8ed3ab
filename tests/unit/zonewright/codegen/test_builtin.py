"""OpenAPI definitions become models under Kubernetes' own names, one module to a kind."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from zonewright.codegen import builtin
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.generate import Result, Target

META = "io.k8s.apimachinery.pkg.apis.meta.v1."
CORE = "io.k8s.api.core.v1."


def ref(name: str, **more: Any) -> dict[str, Any]:
    """As OpenAPI writes it: wrapped, because a reference can have no description."""
    return {"allOf": [{"$ref": f"#/components/schemas/{name}"}], "default": {}, **more}


def definition(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties}


def root(**properties: Any) -> dict[str, Any]:
    text = {"type": "string"}
    return definition(apiVersion=text, kind=text, metadata=ref(META + "ObjectMeta"), **properties)


DEFINITIONS: dict[str, Any] = {
    META + "ObjectMeta": definition(name={"type": "string"}, creationTimestamp=ref(META + "Time")),
    META + "Time": {"type": "string", "format": "date-time"},
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
    CORE + "PodSpec": definition(host=ref(CORE + "Shared")),
    CORE + "PodTemplateSpec": definition(spec=ref(CORE + "PodSpec")),
    CORE + "Shared": definition("items", items={"type": "array", "items": {"type": "string", "default": ""}}),
    CORE + "Port": definition(
        "port",
        port={"type": "integer", "default": 0},
        protocol={"type": "string", "default": "TCP", "enum": ["TCP", "UDP"], "description": "How."},
        target=ref("io.k8s.apimachinery.pkg.util.intstr.IntOrString"),
        since=ref(META + "Time"),
    ),
    CORE + "Service": root(ports={"type": "array", "items": ref(CORE + "Port")}, shared=ref(CORE + "Shared")),
    "io.k8s.api.apps.v1.Deployment": root(template=ref(CORE + "PodTemplateSpec"), more=ref(CORE + "Shared")),
}
RESOURCES = {
    "v1": {
        "Service": {
            "definition": CORE + "Service",
            "plural": "services",
            "namespaced": True,
            "subresources": ["status"],
        }
    },
    "apps/v1": {
        "Deployment": {
            "definition": "io.k8s.api.apps.v1.Deployment",
            "plural": "deployments",
            "namespaced": True,
            "subresources": [],
        }
    },
}


def generated(directory: Path, definitions: dict[str, Any] = DEFINITIONS) -> Result:
    source = directory / "openapi.json"
    source.write_text(json.dumps({"version": "v9.9.9", "resources": RESOURCES, "definitions": definitions}))
    return builtin.generate(source, Target(directory / "builtin", command="make generate"))


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return generated(tmp_path_factory.mktemp("builtin"))


def classes(result: Result, file: str) -> set[str]:
    return {node.name for node in ast.parse(result.tree[file]).body if isinstance(node, ast.ClassDef)}


def test_a_module_holds_what_only_its_kind_needs(result: Result) -> None:
    assert classes(result, "core_v1/service.py") == {"Port", "Service"}
    assert classes(result, "core_v1/podspec.py") == {"PodSpec"}
    assert classes(result, "core_v1/common.py") == {"Shared"}
    assert classes(result, "apps_v1/deployment.py") == {"Deployment"}


def test_no_module_imports_a_pod_spec_that_does_not_need_it(result: Result) -> None:
    assert "podspec" not in result.tree["core_v1/service.py"] + result.tree["core_v1/common.py"]


def test_the_registry_knows_scope_plural_and_subresources(result: Result) -> None:
    text = result.tree["kinds.py"]
    assert 'subresources=frozenset(["status"])' in text
    assert 'model_path=f"{_PACKAGE}.core_v1.service:Service"' in text


def test_every_file_says_where_it_comes_from(result: Result) -> None:
    files = {name: text for name, text in result.tree.items() if name.endswith(".py")}
    assert all(text.startswith("# Generated from the OpenAPI of Kubernetes v9.9.9.") for text in files.values())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("port: int\n", "a zero that Go would write is no default"),
        ('protocol: str = "TCP"\n', "a newer server may know another value: an enum is text"),
        ('"""How. One of `TCP`, `UDP`."""', "the values that are known are in the docstring"),
        ("target: IntOrString | None = None", "int-or-string"),
        ("since: Timestamp | None = None", "a time keeps its text"),
        ('kind: Literal["Service"] = "Service"', "the kind itself is no text"),
    ],
)
def test_a_field_is_typed_so_that_other_versions_can_be_read(result: Result, line: str, why: str) -> None:
    assert line in result.tree["core_v1/service.py"], why


def test_a_required_list_may_be_null(result: Result) -> None:
    assert "items: list[str] | None\n" in result.tree["core_v1/common.py"]


def test_the_same_input_gives_the_same_output(result: Result, tmp_path: Path) -> None:
    backwards = dict(reversed(list(DEFINITIONS.items())))
    assert generated(tmp_path, backwards).tree == result.tree


def test_two_definitions_of_one_name_in_one_module_are_refused(tmp_path: Path) -> None:
    twin = {"io.k8s.api.apps.v1.Shared": definition("a", a={"type": "string"})}
    both = {"io.k8s.api.apps.v1.Deployment": root(one=ref(CORE + "Shared"), two=ref("io.k8s.api.apps.v1.Shared"))}
    with pytest.raises(CodegenError, match="two definitions of one name"):
        generated(tmp_path, DEFINITIONS | twin | both)
