"""From a request's path to what it is about. Pure."""

from dataclasses import dataclass

from zonewright.envtest.embedded.resources import Registry, Resource


@dataclass(frozen=True, slots=True)
class Target:
    """A collection (`name` is empty), an object, or a subresource of one."""

    resource: Resource
    namespace: str = ""
    name: str = ""
    subresource: str = ""


def find_target(registry: Registry, path: str) -> Target | None:
    parts = path.strip("/").split("/")
    if parts[0] == "api" and len(parts) > 2:
        group, version, rest = "", parts[1], parts[2:]
    elif parts[0] == "apis" and len(parts) > 3:
        group, version, rest = parts[1], parts[2], parts[3:]
    else:
        return None
    namespace = ""
    # /namespaces/NAME/status is about the namespace itself, /namespaces/NAME/pods about what is in it.
    if rest[0] == "namespaces" and len(rest) > 2 and rest[2] not in {"status", "finalize"}:
        namespace, rest = rest[1], rest[2:]
    resource = registry.find(group, version, rest[0])
    if resource is None or len(rest) > 3 or (namespace and not resource.namespaced):
        return None
    name, subresource = (*rest[1:], "", "")[:2]
    if resource.namespaced and not namespace and name:
        return None
    return Target(resource, namespace, name, subresource)
