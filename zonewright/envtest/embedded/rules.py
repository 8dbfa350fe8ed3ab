"""What kube-apiserver refuses of built-in kinds in Go: required and immutable fields that an operator can trip over."""

from collections.abc import Sequence
from typing import Any

from zonewright.envtest.embedded.errors import Cause, forbidden_value, invalid_value, required
from zonewright.envtest.embedded.validation import quote

Fields = dict[str, Any]


def unchanged(fields: Fields, before: Fields | None, path: Sequence[str]) -> list[Cause]:
    """The value at `path` may be set once."""
    if before is None:
        return []
    now, then = (at(one, path) for one in (fields, before))
    return [] if now == then else [invalid_value(".".join(path), quote(now), "field is immutable")]


def at(fields: Any, path: Sequence[str]) -> Any:
    for part in path:
        fields = (fields or {}).get(part)
    return fields


def immutable_data(fields: Fields, before: Fields | None) -> list[Cause]:
    """ConfigMaps and Secrets may be frozen; then only their metadata can change."""
    if before is None or not before.get("immutable"):
        return []
    why = "field is immutable when `immutable` is set"
    names = ("data", "binaryData", "immutable")
    return [forbidden_value(name, why) for name in names if fields.get(name) != before.get(name)]


def secret(fields: Fields, before: Fields | None) -> list[Cause]:
    return [*unchanged(fields, before, ["type"]), *immutable_data(fields, before)]


def pod(fields: Fields, before: Fields | None) -> list[Cause]:
    if before is None and not at(fields, ["spec", "containers"]):
        return [required("spec.containers")]
    return []


def service(fields: Fields, before: Fields | None) -> list[Cause]:
    spec = fields.get("spec") or {}
    if spec.get("type") != "ExternalName" and spec.get("clusterIP") != "None" and not spec.get("ports"):
        return [required("spec.ports")]
    del before
    return []


def deployment(fields: Fields, before: Fields | None) -> list[Cause]:
    spec = fields.get("spec") or {}
    causes = unchanged(fields, before, ["spec", "selector"])
    if not spec.get("selector"):
        causes.append(required("spec.selector"))
    wanted = at(spec, ["selector", "matchLabels"]) or {}
    labels = at(spec, ["template", "metadata", "labels"]) or {}
    if any(labels.get(key) != value for key, value in wanted.items()):
        why = "`selector` does not match template `labels`"
        causes.append(invalid_value("spec.template.metadata.labels", quote(labels), why))
    if not at(spec, ["template", "spec", "containers"]):
        causes.append(required("spec.template.spec.containers"))
    return causes


def endpoint_slice(fields: Fields, before: Fields | None) -> list[Cause]:
    if not fields.get("addressType"):
        return [required("addressType")]
    return unchanged(fields, before, ["addressType"])
