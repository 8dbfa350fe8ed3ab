"""Small CRDs and the packages made of them, for tests that look at what comes out."""

import importlib
import itertools
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from zonewright.codegen.generate import Result, Target, generate

_numbers = itertools.count()


def crd(
    kind: str, schema: dict[str, Any], *, group: str = "example.org", version: str = "v1", **extra: Any
) -> dict[str, Any]:
    """A CRD with one version. `schema` is that of the whole object."""
    plural = f"{kind.lower()}s"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}", "annotations": extra.pop("annotations", {})},
        "spec": {
            "group": group,
            "scope": extra.pop("scope", "Namespaced"),
            "names": {"kind": kind, "plural": plural, "shortNames": extra.pop("shortNames", [])},
            "versions": [
                {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, **extra}
            ],
        },
    }


def spec(**properties: Any) -> dict[str, Any]:
    """A schema whose spec has these properties; `required=[...]` is about them."""
    required = properties.pop("required", [])
    return {
        "type": "object",
        "properties": {"spec": {"type": "object", "properties": properties, "required": required}},
    }


def write_crds(directory: Path, *crds: dict[str, Any]) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    for document in crds:
        (directory / f"{document['metadata']['name']}.json").write_text(json.dumps(document))
    return directory


def build(directory: Path, *crds: dict[str, Any]) -> Result:
    """Generates into `<directory>/<a fresh package name>`, which `load` imports from."""
    target = Target.at(directory / "out")
    result = generate(write_crds(directory / "crds", *crds), target)
    result.write(target)
    return result


def load(directory: Path, module: str) -> ModuleType:
    """A module of a generated package, under a name that no other test has used."""
    package = f"generated_for_test_{next(_numbers)}"
    (directory / package).symlink_to(directory / "out")
    sys.path.insert(0, str(directory))
    try:
        importlib.invalidate_caches()
        return importlib.import_module(f"{package}.{module}")
    finally:
        sys.path.remove(str(directory))


def model(directory: Path, kind: str, schema: dict[str, Any]) -> Any:
    """The model of a kind with this schema."""
    build(directory, crd(kind, schema))
    return getattr(load(directory, "example_org_v1"), kind)
