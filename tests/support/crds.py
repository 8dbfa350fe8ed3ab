"""The CRDs of config/crd as the tests here look at them: parsed, and as JSON Schema to validate manifests with.

The API server's structural schemas are nearly JSON Schema; `json_schema` bridges the difference. CEL rules are not
evaluated: tests/integration/crd has a real API server for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from tests.support import ROOT

CRD_DIRECTORY = ROOT / "config" / "crd"
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Crd:
    """One CRD file with the one version it defines."""

    path: Path
    manifest: Schema

    @property
    def kind(self) -> str:
        return str(self.manifest["spec"]["names"]["kind"])

    @property
    def version(self) -> Schema:
        (version,) = self.manifest["spec"]["versions"]
        return dict(version)

    @property
    def schema(self) -> Schema:
        return dict(self.version["schema"]["openAPIV3Schema"])

    @property
    def annotations(self) -> dict[str, str]:
        return dict(self.manifest["metadata"].get("annotations", {}))

    @property
    def rdtype(self) -> str | None:
        return self.annotations.get("zonewright/rdtype")

    @property
    def api_version(self) -> str:
        return f"{self.manifest['spec']['group']}/{self.version['name']}"

    def errors(self, manifest: Schema) -> list[str]:
        """Say what is wrong with an object, the way `kubectl apply` would, unknown fields included."""
        validator = Draft202012Validator(json_schema(self.schema), format_checker=Draft202012Validator.FORMAT_CHECKER)
        return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(manifest)]


@cache
def load_crds() -> tuple[Crd, ...]:
    """Read every CRD, in order of file name."""
    return tuple(Crd(path, yaml.safe_load(path.read_text())) for path in sorted(CRD_DIRECTORY.glob("*.yaml")))


def record_crds() -> list[Crd]:
    """Give the kinds that stand for a DNS record."""
    return [crd for crd in load_crds() if crd.rdtype]


def load_manifests(directory: Path) -> Iterator[tuple[Path, Schema]]:
    """Read every object of every YAML file below a directory."""
    for path in sorted(directory.rglob("*.yaml")):
        yield from ((path, manifest) for manifest in yaml.safe_load_all(path.read_text()))


def nodes(schema: Schema, path: str = "") -> Iterator[tuple[str, Schema]]:
    """Walk a schema: every node with its path, as `spec.nameServers[].hostname`."""
    yield path, schema
    for name, child in schema.get("properties", {}).items():
        yield from nodes(child, f"{path}.{name}" if path else name)
    if "items" in schema:
        yield from nodes(schema["items"], f"{path}[]")
    if "additionalProperties" in schema:
        yield from nodes(schema["additionalProperties"], f"{path}{{}}")


_TRANSLATED = frozenset({"nullable", "example", "properties", "items", "additionalProperties"})


def json_schema(schema: Schema) -> Schema:
    """Turn a structural schema into the JSON Schema that accepts the same objects; unknown fields are refused."""
    result = {
        key: value
        for key, value in schema.items()
        if not key.startswith("x-")
        and key not in {"nullable", "example", "properties", "items", "additionalProperties"}
    }
    if schema.get("nullable"):
        result["type"] = [schema["type"], "null"]
    if "enum" in schema and schema.get("nullable"):
        result["enum"] = [*schema["enum"], None]
    if "properties" in schema:
        result["properties"] = {name: json_schema(child) for name, child in schema["properties"].items()}
        result["additionalProperties"] = False
    if "items" in schema:
        result["items"] = json_schema(schema["items"])
    if "additionalProperties" in schema:
        result["additionalProperties"] = json_schema(schema["additionalProperties"])
    return result
