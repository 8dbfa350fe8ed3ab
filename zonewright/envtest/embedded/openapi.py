"""OpenAPI: the schemas that kubectl explains and validates with. v3 per group and version, v2 as one document. Pure.

Paths carry what kubectl looks for and no more: the kind behind a path, and that PATCH takes `fieldValidation`."""

import hashlib
from collections.abc import Mapping
from typing import Any

from zonewright.envtest.embedded import codec
from zonewright.envtest.embedded.builtin import META, definitions
from zonewright.envtest.embedded.extract import closure
from zonewright.envtest.embedded.resources import Registry, Resource
from zonewright.envtest.embedded.schema import REF

Fields = dict[str, Any]
PARAMETERS = [
    {"name": name, "in": "query", "schema": {"type": "string", "uniqueItems": True}}
    for name in ("dryRun", "fieldManager", "fieldValidation", "force")
]


def v3_index(registry: Registry) -> Fields:
    paths = {}
    for group, versions in registry.groups().items():
        for version in versions:
            name = f"apis/{group}/{version}" if group else f"api/{version}"
            digest = hashlib.sha256(codec.encode(v3_document(registry, group, version))).hexdigest().upper()
            paths[name] = {"serverRelativeURL": f"/openapi/v3/{name}?hash={digest}"}
    return {"paths": paths}


def v3_document(registry: Registry, group: str, version: str) -> Fields:
    found = registry.in_version(group, version)
    schemas: Fields = {}
    paths: Fields = {}
    for one in found:
        name = schema_name(one)
        schemas[name] = object_schema(one)
        schemas[f"{name}List"] = list_schema(one, name)
        paths |= paths_of(one, name)
    roots = [META + name for name in ("ObjectMeta", "ListMeta", "DeleteOptions")]
    schemas |= closure(dict(definitions()) | schemas, [*schemas, *roots])
    return {
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": "embedded"},
        "paths": paths,
        "components": {"schemas": dict(sorted(schemas.items())), "securitySchemes": {}},
    }


def schema_name(one: Resource) -> str:
    if not one.custom:
        return str(one.definition["$ref"]).removeprefix(REF)
    return ".".join([*reversed(one.group.split(".")), one.version, one.kind])


def gvk(one: Resource, suffix: str = "") -> Fields:
    return {"group": one.group, "version": one.version, "kind": one.kind + suffix}


def object_schema(one: Resource) -> Fields:
    if not one.custom:
        found: Fields = definitions()[schema_name(one)]
        return found
    text = {"type": "string"}
    properties = dict(one.definition.get("properties") or {})
    properties |= {"apiVersion": text, "kind": text, "metadata": {"allOf": [{"$ref": REF + META + "ObjectMeta"}]}}
    return dict(one.definition) | {"properties": properties, "x-kubernetes-group-version-kind": [gvk(one)]}


def list_schema(one: Resource, name: str) -> Fields:
    text = {"type": "string"}
    return {
        "type": "object",
        "required": ["items"],
        "properties": {
            "apiVersion": text,
            "kind": text,
            "metadata": {"allOf": [{"$ref": REF + META + "ListMeta"}]},
            "items": {"type": "array", "items": {"$ref": REF + name}},
        },
        "x-kubernetes-group-version-kind": [gvk(one, "List")],
    }


def paths_of(one: Resource, name: str) -> Fields:
    place = f"{one.path}/namespaces/{{namespace}}/{one.plural}" if one.namespaced else f"{one.path}/{one.plural}"
    content = {"application/json": {"schema": {"$ref": REF + name}}}
    found = {place: {"get": operation(one, "list", content), "post": operation(one, "post", content)}}
    single = {"get": "get", "put": "put", "patch": "patch", "delete": "delete"}
    found[f"{place}/{{name}}"] = {method: operation(one, action, content) for method, action in single.items()}
    return found


def operation(one: Resource, action: str, content: Fields) -> Fields:
    made: Fields = {
        "operationId": f"{action}{one.kind}",
        "responses": {"200": {"description": "OK", "content": content}},
        "x-kubernetes-action": action,
        "x-kubernetes-group-version-kind": gvk(one),
    }
    return made | ({"parameters": PARAMETERS} if action in {"post", "put", "patch"} else {})


def v2_document(registry: Registry) -> Fields:
    """For older clients: all groups in one Swagger document."""
    schemas: Fields = {}
    paths: Fields = {}
    for group, versions in registry.groups().items():
        for version in versions:
            document = v3_document(registry, group, version)
            schemas |= document["components"]["schemas"]
            paths |= document["paths"]
    return {
        "swagger": "2.0",
        "info": {"title": "Kubernetes", "version": "embedded"},
        "paths": {path: v2_path(item) for path, item in paths.items()},
        "definitions": v2_schema(schemas),
    }


def v2_path(item: Mapping[str, Any]) -> Fields:
    return {method: v2_operation(one) for method, one in item.items()}


def v2_operation(one: Fields) -> Fields:
    parameters = [{"name": p["name"], "in": "query", "type": "string"} for p in one.get("parameters", ())]
    return one | {"responses": {"200": {"description": "OK"}}} | ({"parameters": parameters} if parameters else {})


def v2_schema(schema: Any) -> Any:
    """References point elsewhere in v2, and it knows neither alternatives nor `nullable`."""
    if isinstance(schema, list):
        return [v2_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if len(schema.get("allOf", ())) == 1 and "$ref" in schema["allOf"][0]:
        return v2_schema(schema["allOf"][0])
    if isinstance(schema.get("$ref"), str):
        return {"$ref": schema["$ref"].replace(REF, "#/definitions/")}
    dropped = {"oneOf", "anyOf", "not", "nullable"}
    return {name: v2_schema(value) for name, value in schema.items() if name not in dropped or isinstance(value, str)}
