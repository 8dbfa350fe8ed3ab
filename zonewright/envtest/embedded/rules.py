"""What kube-apiserver refuses of built-in kinds in Go: required and immutable fields that an operator can trip over."""

from collections.abc import Sequence
from typing import Any

from zonewright.envtest.embedded.errors import Cause, forbidden_value, invalid_value, required, unsupported
from zonewright.envtest.embedded.metadata import SUBDOMAIN, SUBDOMAIN_RULE
from zonewright.envtest.embedded.services import HEADLESS, is_address
from zonewright.envtest.embedded.validation import quote

Fields = dict[str, Any]
PATH_TYPES = ("Exact", "ImplementationSpecific", "Prefix")


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
    spec, old = fields.get("spec") or {}, (before or {}).get("spec") or {}
    address = spec.get("clusterIP") or ""
    if spec.get("type") == "ExternalName":
        return [] if spec.get("externalName") else [required("spec.externalName")]
    causes = [] if address == HEADLESS or spec.get("ports") else [required("spec.ports")]
    if address not in {"", HEADLESS} and not is_address(address):
        why = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
        causes.append(invalid_value("spec.clusterIPs[0]", quote(address), why))
    elif old.get("clusterIP") not in {None, address}:
        causes.append(invalid_value("spec.clusterIPs[0]", quote([address]), "may not change once set"))
    return causes


def ingress(fields: Fields, before: Fields | None) -> list[Cause]:
    del before
    spec = fields.get("spec") or {}
    if not spec.get("rules") and not spec.get("defaultBackend"):
        return [invalid_value("spec", "null", "either `defaultBackend` or `rules` must be specified")]
    causes = [] if "defaultBackend" not in spec else ingress_backend(spec["defaultBackend"], "spec.defaultBackend")
    for index, rule in enumerate(spec.get("rules") or ()):
        place = f"spec.rules[{index}]"
        causes += ingress_host(rule.get("host") or "", f"{place}.host")
        for number, path in enumerate(at(rule, ["http", "paths"]) or ()):
            causes += ingress_path(path, f"{place}.http.paths[{number}]")
    return causes


def ingress_host(host: str, place: str) -> list[Cause]:
    if is_address(host):
        return [invalid_value(place, quote(host), "must be a DNS name, not an IP address")]
    if not host or host.startswith("*.") or SUBDOMAIN.match(host):
        return []
    return [invalid_value(place, quote(host), SUBDOMAIN_RULE)]


def ingress_path(path: Fields, place: str) -> list[Cause]:
    kind = path.get("pathType")
    if not kind:
        return [required(f"{place}.pathType", "pathType must be specified")]
    if kind not in PATH_TYPES:
        causes = [unsupported(f"{place}.pathType", quote(kind), [quote(one) for one in PATH_TYPES])]
    elif not (path.get("path") or "").startswith("/") and (path.get("path") or kind != "ImplementationSpecific"):
        causes = [invalid_value(f"{place}.path", quote(path.get("path") or ""), "must be an absolute path")]
    else:
        causes = []
    return [*causes, *ingress_backend(path.get("backend") or {}, f"{place}.backend")]


def ingress_backend(backend: Fields, place: str) -> list[Cause]:
    if backend.get("service") or backend.get("resource"):
        return []
    return [invalid_value(place, '""', "resource or service backend is required")]


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
