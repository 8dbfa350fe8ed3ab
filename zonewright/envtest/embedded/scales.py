"""The scale subresource: one object seen as autoscaling/v1 Scale, and back. Pure."""

from typing import Any

from zonewright.envtest.embedded.errors import bad_request, internal
from zonewright.envtest.embedded.jsonpath import find
from zonewright.envtest.embedded.resources import Fields, Resource, Scale

DEPLOYMENT = Scale(".spec.replicas", ".status.replicas", "")


def read_scale(resource: Resource, fields: Fields, *, changing: bool = False) -> Fields:
    """What GET cannot show because it is not there counts as none when it is about to be written."""
    paths = resource.scale or DEPLOYMENT
    replicas = next(find(paths.spec_path, fields), None)
    if replicas is None and not changing:
        raise internal(f'the spec replicas field "{paths.spec_path}" does not exist')
    meta = {name: fields["metadata"][name] for name in KEPT if name in fields["metadata"]}
    status: Fields = {"replicas": next(find(paths.status_path, fields), 0)}
    if paths.selector_path:
        status["selector"] = next(find(paths.selector_path, fields), "")
    return {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": meta,
        "spec": {"replicas": replicas} if replicas else {},
        "status": status,
    }


KEPT = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


def spec_path(resource: Resource) -> str:
    return (resource.scale or DEPLOYMENT).spec_path


def write_scale(resource: Resource, fields: Fields, scale: Any) -> Fields:
    if not isinstance(scale, dict):
        raise bad_request("the object provided is unrecognized (must be of type Scale)")
    *parents, last = spec_path(resource).strip(".").split(".")
    place = fields
    for name in parents:
        place = place.setdefault(name, {})
    place[last] = (scale.get("spec") or {}).get("replicas", 0)
    return fields
