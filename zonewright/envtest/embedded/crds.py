"""CustomResourceDefinitions: what is right in one, and the resources that it defines. Pure; custom.py serves them."""

from collections.abc import Callable, Mapping
from typing import Any

from zonewright.envtest.embedded import defaults, jsonpath
from zonewright.envtest.embedded.columns import CREATED, NAME
from zonewright.envtest.embedded.errors import Cause, invalid_value, required, unsupported
from zonewright.envtest.embedded.resources import Column, Fields, Resource, Scale
from zonewright.envtest.embedded.schema import compile_schema
from zonewright.envtest.embedded.validation import quote

CLEANUP = "customresourcecleanup.apiextensions.k8s.io"
PLURAL = "customresourcedefinitions"
COLLECTION = f"apiextensions.k8s.io/{PLURAL}"
METADATA = frozenset({"metadata.name", "metadata.namespace"})


def fill_defaults(fields: Fields) -> None:
    defaults.crd(fields)
    status = fields.setdefault("status", {})
    versions = (fields.get("spec") or {}).get("versions") or []
    stored = list(status.get("storedVersions") or ())
    stored += [one["name"] for one in versions if one.get("storage") and one.get("name") not in stored]
    status["storedVersions"] = stored
    status.setdefault("conditions", [])
    status.setdefault("acceptedNames", {"plural": "", "kind": ""})


def check(fields: Fields, before: Fields | None) -> list[Cause]:
    del before
    spec = fields.get("spec") or {}
    names, versions = spec.get("names") or {}, spec.get("versions") or []
    causes = [required(f"spec.{name}") for name in ("group", "scope") if not spec.get(name)]
    causes += [required(f"spec.names.{name}") for name in ("plural", "kind") if not names.get(name)]
    expected = f"{names.get('plural', '')}.{spec.get('group', '')}"
    if fields["metadata"].get("name") != expected:
        name = quote(fields["metadata"].get("name", ""))
        causes.append(invalid_value("metadata.name", name, 'must be spec.names.plural+"."+spec.group'))
    if spec.get("scope") and spec["scope"] not in {"Cluster", "Namespaced"}:
        causes.append(unsupported("spec.scope", quote(spec["scope"]), ['"Cluster"', '"Namespaced"']))
    if sum(bool(one.get("storage")) for one in versions) != 1:
        why = "must have exactly one version marked as storage version"
        causes.append(invalid_value("spec.versions", quote(versions), why))
    return causes + [cause for index, one in enumerate(versions) for cause in check_version(index, one)]


def check_version(index: int, version: Mapping[str, Any]) -> list[Cause]:
    path = f"spec.versions[{index}]"
    root = (version.get("schema") or {}).get("openAPIV3Schema")
    if root is None:
        return [required(f"{path}.schema.openAPIV3Schema", "schemas are required")]
    return check_structural(f"{path}.schema.openAPIV3Schema", root)


def check_structural(path: str, schema: Mapping[str, Any]) -> list[Cause]:
    """Every place needs a type, unless it says that it takes anything."""
    loose = schema.get("x-kubernetes-int-or-string") or schema.get("x-kubernetes-preserve-unknown-fields")
    causes = (
        []
        if schema.get("type") or loose
        else [required(f"{path}.type", "must not be empty for specified object fields")]
    )
    if schema.get("type") == "array" and not isinstance(schema.get("items"), dict):
        causes.append(required(f"{path}.items", "must be specified"))
    for name, part in (schema.get("properties") or {}).items():
        causes.extend(check_structural(f"{path}.properties[{name}]", part))
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            causes.extend(check_structural(f"{path}.{name}", schema[name]))
    return causes


def collection_of(crd: Fields) -> str:
    return f"{crd['spec']['group']}/{crd['spec']['names']['plural']}"


def resources_of(crd: Fields) -> list[Resource]:
    """One per served version. Versions differ in apiVersion and schema only: there are no conversion webhooks here."""
    storage = next(one["name"] for one in crd["spec"]["versions"] if one.get("storage"))
    return [resource_of(crd, one, storage) for one in crd["spec"]["versions"] if one.get("served")]


def resource_of(crd: Fields, version: Mapping[str, Any], storage: str) -> Resource:
    spec, names = crd["spec"], crd["spec"]["names"]
    subresources = version.get("subresources") or {}
    definition = version["schema"]["openAPIV3Schema"]
    group = spec["group"]
    return Resource(
        group=group,
        version=version["name"],
        kind=names["kind"],
        plural=names["plural"],
        singular=names["singular"],
        list_kind=names["listKind"],
        namespaced=spec["scope"] == "Namespaced",
        schema=compile_schema(definition),
        definition=definition,
        collection=collection_of(crd),
        short_names=tuple(names.get("shortNames") or ()),
        categories=tuple(names.get("categories") or ()),
        custom=True,
        has_status="status" in subresources,
        has_generation=True,
        scale=scale_of(subresources.get("scale")),
        columns=columns_of(version),
        selectable=METADATA | {one["jsonPath"].lstrip(".") for one in version.get("selectableFields") or ()},
        converts=version["name"] != storage,
        shown=as_version(f"{group}/{version['name']}"),
        stored=as_version(f"{group}/{storage}"),
    )


def as_version(api_version: str) -> Callable[[Fields], Fields]:
    return lambda fields: fields | {"apiVersion": api_version}


def scale_of(scale: Mapping[str, str] | None) -> Scale | None:
    if scale is None:
        return None
    return Scale(scale["specReplicasPath"], scale["statusReplicasPath"], scale.get("labelSelectorPath", ""))


def columns_of(version: Mapping[str, Any]) -> tuple[Column, ...]:
    found = version.get("additionalPrinterColumns") or ()
    return (NAME, *(column_of(one) for one in found)) if found else (NAME, AGE)


AGE = Column("Age", "date", CREATED, age=True)


def column_of(one: Mapping[str, Any]) -> Column:
    return Column(
        name=one["name"],
        type=one["type"],
        cell=cell_at(one["jsonPath"], one["type"]),
        description=one.get(
            "description", f"Custom resource definition column (in JSONPath format): {one['jsonPath']}"
        ),
        format=one.get("format", ""),
        priority=one.get("priority", 0),
        age=one["type"] == "date",
    )


def cell_at(path: str, kind: str) -> Callable[[Fields], Any]:
    def cell(fields: Fields) -> Any:
        # Of several values a table shows the first.
        value = next(jsonpath.find(path, fields), None)
        return quote(value) if kind == "string" and value is not None and not isinstance(value, str) else value

    return cell


def established(crd: Fields, now: str) -> Fields:
    """The status of a CRD whose names are accepted and whose objects are served."""
    names = crd["spec"]["names"]
    previous = {one["type"]: one for one in (crd.get("status") or {}).get("conditions") or ()}
    found = [
        {"type": "NamesAccepted", "reason": "NoConflicts", "message": "no conflicts found"},
        {"type": "Established", "reason": "InitialNamesAccepted", "message": "the initial names have been accepted"},
    ]
    conditions = [previous.get(one["type"]) or {"status": "True", "lastTransitionTime": now} | one for one in found]
    return (crd.get("status") or {}) | {"conditions": conditions, "acceptedNames": dict(names)}
