"""The built-in kinds: where they live, what is peculiar to them, and their schemas out of builtin.json.

Only kinds that the operator or kubectl's everyday commands touch; a new one is a row here and in extract.py."""

import json
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from zonewright.envtest.embedded import crds, defaults, events, rules
from zonewright.envtest.embedded.columns import COLUMNS
from zonewright.envtest.embedded.resources import READ_WRITE, Registry, Resource
from zonewright.envtest.embedded.schema import MISSING, REF, Node, fill
from zonewright.envtest.embedded.services import Allocator

SOURCE = Path(__file__).with_name("builtin.json")
META = "io.k8s.apimachinery.pkg.apis.meta.v1."
NAMES = frozenset({"metadata.name", "metadata.namespace"})
NO_COLLECTION = tuple(verb for verb in READ_WRITE if verb != "deletecollection")


@cache
def definitions() -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads(SOURCE.read_bytes())["definitions"]
    return found


@cache
def node(name: str) -> Node:
    """The compiled definition `name`; made before it is filled, because some definitions contain themselves."""
    made = NODES.get(name)
    if made is None:
        made = NODES[name] = Node()
        fill(made, definitions()[name], node)
        loosen(made)
    return made


NODES: dict[str, Node] = {}


def loosen(made: Node) -> None:
    """The zero values of Go that OpenAPI lists as defaults are none; an object without properties is any object."""
    for child in [*made.properties.values(), made.items, made.additional]:
        if child is not None:
            child.default = MISSING if child.default in ({}, [], "", 0, False) else child.default
            if child is not made:
                loosen_empty(child)
    loosen_empty(made)


def loosen_empty(made: Node) -> None:
    if not made.properties and made.additional is None and made.type in {"", "object"}:
        made.preserve = True
    made.checks = {}


def object_meta() -> Node:
    return node(META + "ObjectMeta")


def definition_name(group_version: str, kind: str) -> str:
    group, _, version = group_version.rpartition("/")
    wanted = {"group": group, "version": version, "kind": kind}
    return next(name for name, one in definitions().items() if wanted in one.get("x-kubernetes-group-version-kind", ()))


def built_in(group_version: str, kind: str, plural: str, short: str = "", **options: Any) -> Resource:
    group, _, version = group_version.rpartition("/")
    name = definition_name(group_version, kind)
    usual: dict[str, Any] = {"namespaced": True, "unconditional_update": True, "collection": f"{group}/{plural}"}
    return Resource(
        group=group,
        version=version,
        kind=kind,
        plural=plural,
        singular=kind.lower(),
        list_kind=f"{kind}List",
        short_names=tuple(short.split()),
        schema=node(name),
        definition={"$ref": REF + name},
        columns=COLUMNS[kind],
        **(usual | options),
    )


EVENT_FIELDS = NAMES | {"involvedObject.kind", "involvedObject.name", "involvedObject.namespace", "involvedObject.uid"}
EVENT_FIELDS |= {"involvedObject.apiVersion", "involvedObject.fieldPath", "reason", "source", "type"}
POD_FIELDS = NAMES | {"spec.nodeName", "spec.serviceAccountName", "spec.restartPolicy", "spec.schedulerName"}
POD_FIELDS |= {"status.phase", "status.podIP"}


def register(registry: Registry, services: Allocator) -> None:
    status = partial(built_in, has_status=True)
    all_ = ("all",)
    for resource in (
        built_in("v1", "ConfigMap", "configmaps", "cm", defaults=defaults.config_map, rules=rules.immutable_data),
        built_in("v1", "Event", "events", "ev", defaults=defaults.core_event, selectable=EVENT_FIELDS),
        status(
            "v1", "Namespace", "namespaces", "ns", namespaced=False, verbs=NO_COLLECTION,
            defaults=defaults.namespace, selectable=NAMES | {"status.phase"}, returns_deleted=True,
        ),
        status(
            "v1", "Pod", "pods", "po", categories=all_, has_generation=True, returns_deleted=True,
            defaults=defaults.pod, rules=rules.pod, selectable=POD_FIELDS,
        ),
        built_in("v1", "Secret", "secrets", defaults=defaults.secret, rules=rules.secret, selectable=NAMES | {"type"}),
        status(
            "v1", "Service", "services", "svc", categories=all_, returns_deleted=True,
            defaults=defaults.service, rules=rules.service, selectable=NAMES | {"spec.clusterIP", "spec.type"},
            allocate=services.allocate,
        ),
        built_in("v1", "ServiceAccount", "serviceaccounts", "sa", returns_deleted=True),
        status(
            "apps/v1", "Deployment", "deployments", "deploy", categories=all_, has_generation=True,
            defaults=defaults.deployment, rules=rules.deployment,
        ),
        built_in("coordination.k8s.io/v1", "Lease", "leases", unconditional_update=False),
        built_in(
            "discovery.k8s.io/v1", "EndpointSlice", "endpointslices", has_generation=True,
            defaults=defaults.endpoint_slice, rules=rules.endpoint_slice,
        ),
        built_in(
            "events.k8s.io/v1", "Event", "events", "ev", collection="/events", converts=True,
            shown=events.to_events_group, stored=events.to_core,
            defaults=defaults.core_event, selectable=EVENT_FIELDS,
        ),
        status(
            "networking.k8s.io/v1", "Ingress", "ingresses", "ing", has_generation=True,
            defaults=defaults.ingress, rules=rules.ingress,
        ),
        status(
            "policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", "pdb", has_generation=True,
            defaults=defaults.disruption_budget, unconditional_update=False,
        ),
        status(
            "apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", "crd crds",
            namespaced=False, categories=("api-extensions",), has_generation=True, unconditional_update=False,
            defaults=crds.fill_defaults, rules=crds.check,
        ),
    ):  # fmt: skip
        registry.add(resource)
