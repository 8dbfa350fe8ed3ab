"""What a CustomResourceDefinition says, checked and named; one value per CRD and one per version in it.

Knows the apiextensions.k8s.io/v1 format. Knows nothing of files, and of schemas only where they stand.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zonewright.codegen.errors import CodegenError

Schema = Mapping[str, Any]

API_VERSION = "apiextensions.k8s.io/v1"
KIND_NAME = re.compile(r"^[A-Za-z][A-Za-z0-9]*$")
DNS_LABEL = re.compile(r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")


@dataclass(frozen=True, slots=True)
class PrinterColumn:
    name: str
    type: str
    json_path: str
    priority: int = 0
    description: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    name: str
    schema: Schema
    served: bool
    storage: bool
    subresources: tuple[str, ...] = ()
    printer_columns: tuple[PrinterColumn, ...] = ()
    selectable_fields: tuple[str, ...] = ()
    path: str = ""
    """Where the schema stands in its file, for errors."""


@dataclass(frozen=True, slots=True)
class Crd:
    file: Path
    group: str
    kind: str
    plural: str
    namespaced: bool
    versions: tuple[Version, ...]
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)

    @property
    def preferred(self) -> Version:
        """The version that clients use unless told otherwise: the newest served one, as the API server ranks them."""
        served = [version for version in self.versions if version.served] or list(self.versions)
        return max(served, key=lambda version: rank(version.name))


def rank(version: str) -> tuple[int, int, int, str]:
    """Kubernetes' order of version names: v2 > v1 > v1beta2 > v1beta1 > v1alpha1 > anything else."""
    match = re.fullmatch(r"v(\d+)(?:(alpha|beta)(\d+))?", version)
    if not match:
        return (0, 0, 0, version)
    major, stage, minor = match.groups()
    return ({"alpha": 1, "beta": 2, None: 3}[stage], int(major), int(minor or 0), version)


def is_crd(document: Any) -> bool:
    return isinstance(document, Mapping) and document.get("kind") == "CustomResourceDefinition"


def parse(document: Mapping[str, Any], file: Path) -> Crd:
    """The CRD in a document, or a CodegenError that says where it is not one that can be generated."""
    try:
        return _parse(document, file)
    except CodegenError as error:
        raise error.within(file) from error


def _parse(document: Mapping[str, Any], file: Path) -> Crd:
    if document.get("apiVersion") != API_VERSION:
        raise CodegenError(f"{document.get('apiVersion')!r} is not supported, only {API_VERSION}", path="apiVersion")
    spec = _get(document, "spec", Mapping)
    names = _get(spec, "names", Mapping, path="spec")
    metadata = document.get("metadata") or {}
    versions = _get(spec, "versions", list, path="spec")
    if not versions:
        raise CodegenError("there is no version in it", path="spec.versions")
    return Crd(
        file=file,
        group=_group(spec),
        kind=_matching(names, "kind", KIND_NAME, path="spec.names"),
        plural=_matching(names, "plural", DNS_LABEL, path="spec.names"),
        namespaced=_namespaced(spec),
        versions=_versions(versions),
        short_names=tuple(names.get("shortNames") or ()),
        categories=tuple(names.get("categories") or ()),
        annotations=dict(sorted((metadata.get("annotations") or {}).items())),
    )


def _get(of: Mapping[str, Any], key: str, kind: type, *, path: str = "") -> Any:
    value = of.get(key)
    where = f"{path}.{key}" if path else key
    if value is None:
        raise CodegenError("is missing", path=where)
    if not isinstance(value, kind):
        raise CodegenError(f"is {type(value).__name__}, not {'a list' if kind is list else 'a mapping'}", path=where)
    return value


def _matching(of: Mapping[str, Any], key: str, pattern: re.Pattern[str], *, path: str) -> str:
    value = of.get(key)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise CodegenError(f"{value!r} does not match {pattern.pattern}", path=f"{path}.{key}")
    return value


def _group(spec: Mapping[str, Any]) -> str:
    group = spec.get("group")
    if not isinstance(group, str) or not all(DNS_LABEL.fullmatch(label) for label in group.split(".")):
        raise CodegenError(f"{group!r} is not a DNS name", path="spec.group")
    return group


def _namespaced(spec: Mapping[str, Any]) -> bool:
    scope = spec.get("scope")
    if scope not in {"Namespaced", "Cluster"}:
        raise CodegenError(f"{scope!r} is neither Namespaced nor Cluster", path="spec.scope")
    return bool(scope == "Namespaced")


def _versions(documents: Sequence[Any]) -> tuple[Version, ...]:
    versions: dict[str, Version] = {}
    for index, document in enumerate(documents):
        path = f"spec.versions[{index}]"
        if not isinstance(document, Mapping):
            raise CodegenError("is not a mapping", path=path)
        version = _version(document, path)
        if version.name in versions:
            raise CodegenError(f"the version {version.name!r} appears twice", path=f"{path}.name")
        versions[version.name] = version
    return tuple(versions.values())


def _version(document: Mapping[str, Any], path: str) -> Version:
    schema = _get(document, "schema", Mapping, path=path)
    return Version(
        name=_matching(document, "name", DNS_LABEL, path=path),
        schema=_get(schema, "openAPIV3Schema", Mapping, path=f"{path}.schema"),
        served=bool(document.get("served")),
        storage=bool(document.get("storage")),
        subresources=tuple(sorted(document.get("subresources") or {})),
        printer_columns=tuple(
            _column(column, where) for column, where in _entries(document, "additionalPrinterColumns", path)
        ),
        selectable_fields=tuple(
            _text(selectable, "jsonPath", where) for selectable, where in _entries(document, "selectableFields", path)
        ),
        path=f"{path}.schema.openAPIV3Schema",
    )


def _entries(of: Mapping[str, Any], key: str, path: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The mappings in an optional list, each with its path."""
    for index, entry in enumerate(of.get(key) or ()):
        where = f"{path}.{key}[{index}]"
        if not isinstance(entry, Mapping):
            raise CodegenError("is not a mapping", path=where)
        yield entry, where


def _text(of: Mapping[str, Any], key: str, path: str) -> str:
    value = of.get(key)
    if not isinstance(value, str):
        raise CodegenError(f"{value!r} is not a string", path=f"{path}.{key}")
    return value


def _column(column: Mapping[str, Any], path: str) -> PrinterColumn:
    return PrinterColumn(
        name=_text(column, "name", path),
        type=_text(column, "type", path),
        json_path=_text(column, "jsonPath", path),
        priority=int(column.get("priority", 0)),
        description=str(column.get("description", "")),
    )
