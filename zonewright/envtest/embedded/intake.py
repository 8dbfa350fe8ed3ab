"""From a request's body to an object that may be stored: shape, unknown fields, defaults, validation. Pure.

The order is kube-apiserver's: decode, prune, default, then the verbs do their part, then validate."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from zonewright.envtest.embedded import metadata
from zonewright.envtest.embedded.builtin import object_meta
from zonewright.envtest.embedded.errors import ApiError, Cause, bad_request, invalid, invalid_value
from zonewright.envtest.embedded.resources import Fields, Resource
from zonewright.envtest.embedded.schema import Node, apply_defaults, prune
from zonewright.envtest.embedded.validation import TYPES, Causes, fits_type, quote, validate

NAMED_BY_LABEL = frozenset({"Namespace", "Service"})
GO_TYPES = {
    "string": "string",
    "integer": "int64",
    "boolean": "bool",
    "number": "float64",
    "array": "[]",
    "object": "map",
}
GO_VALUES = {"integer": "number", "boolean": "bool"}
GO_DYNAMIC = GO_TYPES | {"array": "[]interface {}", "object": "map[string]interface {}"}


@dataclass(frozen=True, slots=True)
class Options:
    """What a request's query says about how to write."""

    dry_run: bool = False
    manager: str = "unknown"
    validation: str = "Warn"
    force: bool = False
    subresource: str = ""


def take(resource: Resource, body: Any, options: Options) -> tuple[Fields, list[str]]:
    """The object in `body` without what the schema does not know, and a warning for each such field."""
    if not isinstance(body, dict):
        raise bad_request(f"the object provided is unrecognized (must be of type {resource.kind})")
    check_type_meta(resource, body)
    fields = {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": body.get("metadata") or {}} | {
        name: value for name, value in body.items() if name not in {"apiVersion", "kind", "metadata"}
    }
    check_shapes(resource, fields)
    check_kind(resource, body.get("kind", ""), fields["metadata"])
    unknown = pruned(resource, fields)
    if unknown and options.validation == "Strict":
        raise UnknownFields(resource, unknown)
    warn = unknown and options.validation != "Ignore"
    return fields, ([f'unknown field "{path}"' for path in unknown] if warn else [])


class UnknownFields(ApiError):
    """The body names fields that the schema does not, and its sender wants to know."""

    def __init__(self, resource: Resource, unknown: list[str]) -> None:
        listed = ", ".join(f'unknown field "{path}"' for path in unknown)
        super().__init__(400, "BadRequest", f"{cannot_handle(resource)}: strict decoding error: {listed}")


def cannot_handle(resource: Resource) -> str:
    return f'{resource.kind} in version "{resource.version}" cannot be handled as a {resource.kind}'


def check_type_meta(resource: Resource, body: Fields) -> None:
    kind, api_version = body.get("kind", ""), body.get("apiVersion", "")
    if not resource.custom and not kind and not api_version:
        return
    if api_version != resource.api_version:
        why = f"does not match the expected API version ({resource.api_version})"
        raise bad_request(f"the API version in the data ({api_version}) {why}")
    if kind != resource.kind and not resource.custom:
        raise bad_request(f'no kind "{kind}" is registered for version "{api_version}"')


def check_kind(resource: Resource, kind: str, meta: Fields) -> None:
    """The kind of a custom resource is a matter of validation: it comes after decoding."""
    if kind != resource.kind and resource.custom:
        cause = invalid_value("kind", quote(kind), f"must be {resource.kind}")
        raise invalid(resource.group, kind, meta.get("name", ""), [cause])


def check_shapes(resource: Resource, fields: Fields) -> None:
    """What Go would not decode is a bad request; custom resources have only their metadata decoded like that."""
    if not isinstance(fields["metadata"], dict):
        raise bad_request(f"{cannot_handle(resource)}: json: cannot unmarshal {TYPES[type(fields['metadata'])]}")
    if resource.custom:
        shape(object_meta(), fields["metadata"], resource, "ObjectMeta")
    else:
        shape(resource.schema, fields, resource, resource.kind)


def shape(node: Node, value: Any, resource: Resource, path: str) -> None:
    if not fits_type(node, value):
        found = TYPES[type(value)]
        wanted = GO_TYPES.get(node.type, node.type)
        message = f"json: cannot unmarshal {GO_VALUES.get(found, found)} into Go struct field {path} of type {wanted}"
        raise bad_request(f"{cannot_handle(resource)}: {message}")
    if isinstance(value, dict):
        drop_nulls(node, value)
        for name, item in value.items():
            child = node.properties.get(name) or node.additional
            if child is not None:
                shape(child, item, resource, f"{path}.{name}")
    elif isinstance(value, list) and node.items is not None:
        for item in value:
            shape(node.items, item, resource, path)


def drop_nulls(node: Node, value: Fields) -> None:
    """To Go, null and absent are the same."""
    if node.preserve and not node.properties:
        return
    for name in [name for name, item in value.items() if item is None]:
        del value[name]


def pruned(resource: Resource, fields: Fields) -> list[str]:
    unknown: list[str] = []
    if not resource.custom:
        prune(resource.schema, fields, "", unknown)
        return sorted(unknown)
    meta, root = fields["metadata"], {name: fields[name] for name in fields if name not in TYPE_META}
    prune(object_meta(), meta, "metadata", unknown)
    prune(resource.schema, root, "", unknown)
    for name in [name for name in fields if name not in TYPE_META and name not in root]:
        del fields[name]
    return sorted(unknown)


TYPE_META = ("apiVersion", "kind", "metadata")


def fill_defaults(resource: Resource, fields: Fields) -> None:
    if resource.custom:
        # The schema may describe metadata, but never gives it defaults or takes its nulls away.
        meta = fields.pop("metadata")
        apply_defaults(resource.schema, fields)
        ordered = {"apiVersion": fields.pop("apiVersion"), "kind": fields.pop("kind"), "metadata": meta, **fields}
        fields.clear()
        fields.update(ordered)
    else:
        resource.defaults(fields)


def check(resource: Resource, fields: Fields, before: Fields | None, subresource: str = "") -> None:
    """Raises Invalid with everything that is wrong with the object."""
    causes: Causes = metadata.check(fields["metadata"], labelled=resource.kind in NAMED_BY_LABEL)
    if resource.custom and subresource == "status":
        check_status(resource, fields, causes)
    elif resource.custom:
        validate(resource.schema, fields, "", causes)
        check_scale(resource, fields, causes)
    else:
        causes.extend(resource.rules(fields, before))
    if before is not None and before["metadata"].get("deletionTimestamp"):
        old, new = (one["metadata"].get("finalizers") or [] for one in (before, fields))
        causes.extend(metadata.check_new_finalizers(old, new))
    if causes:
        raise invalid(resource.group, resource.kind, fields["metadata"].get("name", ""), causes)


def check_status(resource: Resource, fields: Fields, causes: Causes) -> None:
    """A write to /status is judged by its status alone, and told so: messages name fields from there."""
    found: Causes = []
    node = resource.schema.properties.get("status")
    if node is not None and "status" in fields:
        validate(node, fields["status"], "", found)
    for cause in found:
        whole = cause.field == "<nil>"
        field = f"status.{cause.field}" if not whole else "status" if "Type" in cause.reason else "<nil>"
        causes.append(Cause(field, cause.reason, cause.message))
    if resource.scale is not None:
        causes.extend(check_replicas(resource.scale.status_path, fields))


def check_scale(resource: Resource, fields: Fields, causes: Causes) -> None:
    if resource.scale is not None:
        for path in (resource.scale.spec_path, resource.scale.status_path):
            causes.extend(check_replicas(path, fields))


def check_replicas(path: str, fields: Fields) -> Iterator[Cause]:
    """What /scale will read must be a whole number, not below zero, and reachable."""
    value: Any = fields
    for name in path.strip(".").split("."):
        if not isinstance(value, dict):
            yield invalid_value(path, "0", f"{path} accessor error: {unlike(value, 'map[string]interface{}')}")
            return
        if name not in value:
            return
        value = value[name]
    if isinstance(value, bool) or not isinstance(value, int):
        yield invalid_value(path, "0", f"{path} accessor error: {unlike(value, 'int64')}")
    elif value < 0:
        yield invalid_value(path, str(value), "should be a non-negative integer")


def unlike(value: Any, wanted: str) -> str:
    found = TYPES[type(value)]
    return f"{value} is of the type {GO_DYNAMIC.get(found, found)}, expected {wanted}"


def with_metadata(resource: Resource) -> Node:
    """The schema of the whole object; custom schemas leave metadata to the server."""
    if not resource.custom:
        return resource.schema
    text = Node(type="string")
    known = {"apiVersion": text, "kind": text, "metadata": object_meta()}
    return replace(resource.schema, properties=resource.schema.properties | known)
