"""Discovery: what kubectl reads to learn which kinds there are. The classic documents and the aggregated ones. Pure."""

from typing import Any

from zonewright.envtest.embedded.resources import Registry, Resource

Fields = dict[str, Any]
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
SUBRESOURCE_VERBS = ["get", "patch", "update"]


def api_versions() -> Fields:
    return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []}


def api_group(registry: Registry, group: str) -> Fields | None:
    versions = registry.groups().get(group)
    if not group or not versions:
        return None
    listed = [{"groupVersion": f"{group}/{version}", "version": version} for version in versions]
    return {"kind": "APIGroup", "apiVersion": "v1", "name": group, "versions": listed, "preferredVersion": listed[0]}


def api_group_list(registry: Registry) -> Fields:
    groups = [api_group(registry, group) for group in registry.groups() if group]
    return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}


def api_resource_list(registry: Registry, group: str, version: str) -> Fields | None:
    found = registry.in_version(group, version)
    if not found:
        return None
    resources = [entry for one in sorted(found, key=lambda one: one.plural) for entry in classic(one)]
    group_version = f"{group}/{version}" if group else version
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": resources}


def classic(one: Resource) -> list[Fields]:
    entry: Fields = {
        "name": one.plural,
        "singularName": one.singular,
        "namespaced": one.namespaced,
        "kind": one.kind,
        "verbs": list(one.verbs),
    }
    if one.short_names:
        entry["shortNames"] = list(one.short_names)
    if one.categories:
        entry["categories"] = list(one.categories)
    return [entry, *(classic_subresource(one, name) for name in subresources(one))]


def subresources(one: Resource) -> list[str]:
    scaled = one.scale is not None or one.kind == "Deployment"
    return [name for name, there in (("status", one.has_status), ("scale", scaled)) if there]


def classic_subresource(one: Resource, name: str) -> Fields:
    entry: Fields = {"name": f"{one.plural}/{name}", "singularName": "", "namespaced": one.namespaced}
    if name == "scale":
        return entry | {"group": "autoscaling", "version": "v1", "kind": "Scale", "verbs": SUBRESOURCE_VERBS}
    return entry | {"kind": one.kind, "verbs": SUBRESOURCE_VERBS}


def aggregated(registry: Registry, *, core: bool) -> Fields:
    """Everything about the core group, or about all others, in one document."""
    groups = [(group, versions) for group, versions in registry.groups().items() if bool(group) is not core]
    items = [
        {
            "metadata": {"name": group} if group else {},
            "versions": [aggregated_version(registry, group, version) for version in versions],
        }
        for group, versions in groups
    ]
    return {
        "kind": "APIGroupDiscoveryList",
        "apiVersion": "apidiscovery.k8s.io/v2",
        "metadata": {},
        "items": items,
    }


def aggregated_version(registry: Registry, group: str, version: str) -> Fields:
    found = sorted(registry.in_version(group, version), key=lambda one: one.plural)
    return {"version": version, "resources": [aggregated_resource(one) for one in found], "freshness": "Current"}


def aggregated_resource(one: Resource) -> Fields:
    return {
        "resource": one.plural,
        "responseKind": {"group": one.group, "version": one.version, "kind": one.kind},
        "scope": "Namespaced" if one.namespaced else "Cluster",
        "singularResource": one.singular,
        "verbs": list(one.verbs),
        "shortNames": list(one.short_names),
        "categories": list(one.categories),
        "subresources": [aggregated_subresource(one, name) for name in subresources(one)],
    }


def aggregated_subresource(one: Resource, name: str) -> Fields:
    kind = {"group": one.group, "version": one.version, "kind": one.kind}
    if name == "scale":
        kind = {"group": "autoscaling", "version": "v1", "kind": "Scale"}
    return {"subresource": name, "responseKind": kind, "verbs": SUBRESOURCE_VERBS}
