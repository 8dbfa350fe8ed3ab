# Written by `make generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Types that CRDs share: an object of this shape, wherever it stands."""

from typing import Annotated, Any

from pydantic import Field

from .base import IntOrString, Model, Quantity, Timestamp


class OwnerReference(Model):
    """One owner of an object."""

    api_version: Annotated[str, Field(alias="apiVersion")]
    block_owner_deletion: Annotated[bool | None, Field(alias="blockOwnerDeletion")] = None
    controller: bool | None = None
    """Whether this owner is the one that manages the object."""
    kind: str
    name: str
    uid: str


class Condition(Model):
    """One observed aspect of an object."""

    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """When `status` last changed."""
    message: str | None = None
    """Why, in a sentence for people."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """The metadata.generation that the condition was decided on."""
    reason: str | None = None
    """Why, in one CamelCase word for programs."""
    status: str
    """`True`, `False` or `Unknown`."""
    type: str
    """The aspect, in CamelCase."""


class LabelSelectorRequirement(Model):
    """One requirement on a label."""

    key: str
    operator: str
    """`In`, `NotIn`, `Exists` or `DoesNotExist`."""
    values: list[str] | None = None


class LabelSelector(Model):
    """Selects objects by their labels; all requirements must hold, and none selects everything."""

    match_expressions: Annotated[list[LabelSelectorRequirement] | None, Field(alias="matchExpressions")] = None
    match_labels: Annotated[dict[str, str] | None, Field(alias="matchLabels")] = None


class SecretKeySelector(Model):
    """One key of a Secret or ConfigMap."""

    key: str
    name: str = ""
    optional: bool | None = None


class LocalObjectReference(Model):
    """An object of the same namespace."""

    name: str = ""


class ObjectReference(Model):
    """An object, or a part of one."""

    api_version: Annotated[str | None, Field(alias="apiVersion")] = None
    field_path: Annotated[str | None, Field(alias="fieldPath")] = None
    kind: str | None = None
    name: str | None = None
    namespace: str | None = None
    resource_version: Annotated[str | None, Field(alias="resourceVersion")] = None
    uid: str | None = None


class TypedLocalObjectReference(Model):
    """An object of the same namespace and any kind."""

    api_group: Annotated[str | None, Field(alias="apiGroup")] = None
    kind: str
    name: str


class KeyToPath(Model):
    """Maps a key to a path in a volume."""

    key: str
    mode: int | None = None
    path: str


class ObjectFieldSelector(Model):
    """A field of the pod itself."""

    api_version: Annotated[str | None, Field(alias="apiVersion")] = None
    field_path: Annotated[str, Field(alias="fieldPath")]


class ResourceFieldSelector(Model):
    """A resource limit or request of a container."""

    container_name: Annotated[str | None, Field(alias="containerName")] = None
    divisor: Quantity | None = None
    resource: str


class EnvVarSource(Model):
    """Where the value of an environment variable comes from."""

    config_map_key_ref: Annotated[SecretKeySelector | None, Field(alias="configMapKeyRef")] = None
    field_ref: Annotated[ObjectFieldSelector | None, Field(alias="fieldRef")] = None
    resource_field_ref: Annotated[ResourceFieldSelector | None, Field(alias="resourceFieldRef")] = None
    secret_key_ref: Annotated[SecretKeySelector | None, Field(alias="secretKeyRef")] = None


class EnvVar(Model):
    """An environment variable of a container."""

    name: str
    value: str | None = None
    value_from: Annotated[EnvVarSource | None, Field(alias="valueFrom")] = None
    """Where the value of an environment variable comes from."""


class ResourceClaim(Model):
    """A claim of the pod that a container uses."""

    name: str
    request: str | None = None


class ResourceRequirements(Model):
    """What a container may use and what it is promised."""

    claims: list[ResourceClaim] | None = None
    limits: dict[str, Quantity] | None = None
    requests: dict[str, Quantity] | None = None


class HTTPGetActionHttpHeaders(Model):
    name: str
    value: str


class HTTPGetAction(Model):
    """A probe by HTTP."""

    host: str | None = None
    http_headers: Annotated[list[HTTPGetActionHttpHeaders] | None, Field(alias="httpHeaders")] = None
    path: str | None = None
    port: IntOrString
    scheme: str | None = None


class NodeSelectorTerm(Model):
    """Requirements on a node."""

    match_expressions: Annotated[list[LabelSelectorRequirement] | None, Field(alias="matchExpressions")] = None
    match_fields: Annotated[list[LabelSelectorRequirement] | None, Field(alias="matchFields")] = None


class PodAffinityTerm(Model):
    """Pods to be near to, or far from."""

    label_selector: Annotated[LabelSelector | None, Field(alias="labelSelector")] = None
    """Selects objects by their labels; all requirements must hold, and none selects everything."""
    match_label_keys: Annotated[list[str] | None, Field(alias="matchLabelKeys")] = None
    mismatch_label_keys: Annotated[list[str] | None, Field(alias="mismatchLabelKeys")] = None
    namespace_selector: Annotated[LabelSelector | None, Field(alias="namespaceSelector")] = None
    """Selects objects by their labels; all requirements must hold, and none selects everything."""
    namespaces: list[str] | None = None
    topology_key: Annotated[str, Field(alias="topologyKey")]


class Toleration(Model):
    """A taint that a pod tolerates."""

    effect: str | None = None
    key: str | None = None
    operator: str | None = None
    toleration_seconds: Annotated[int | None, Field(alias="tolerationSeconds")] = None
    value: str | None = None


class TopologySpreadConstraint(Model):
    """How pods spread over the cluster."""

    label_selector: Annotated[LabelSelector | None, Field(alias="labelSelector")] = None
    """Selects objects by their labels; all requirements must hold, and none selects everything."""
    match_label_keys: Annotated[list[str] | None, Field(alias="matchLabelKeys")] = None
    max_skew: Annotated[int, Field(alias="maxSkew")]
    min_domains: Annotated[int | None, Field(alias="minDomains")] = None
    node_affinity_policy: Annotated[str | None, Field(alias="nodeAffinityPolicy")] = None
    node_taints_policy: Annotated[str | None, Field(alias="nodeTaintsPolicy")] = None
    topology_key: Annotated[str, Field(alias="topologyKey")]
    when_unsatisfiable: Annotated[str, Field(alias="whenUnsatisfiable")]


class ObjectMeta(Model):
    """The part of every object that the API server manages."""

    annotations: dict[str, str] | None = None
    """Notes of people and programs; not for selection."""
    creation_timestamp: Annotated[Timestamp | None, Field(alias="creationTimestamp")] = None
    deletion_grace_period_seconds: Annotated[int | None, Field(alias="deletionGracePeriodSeconds")] = None
    deletion_timestamp: Annotated[Timestamp | None, Field(alias="deletionTimestamp")] = None
    """Set: the object goes as soon as no finalizer is left."""
    finalizers: list[str] | None = None
    """Who still has to clean up before the object goes."""
    generate_name: Annotated[str | None, Field(alias="generateName")] = None
    generation: int | None = None
    """Counts the changes of the spec."""
    labels: dict[str, str] | None = None
    """What selectors look at."""
    managed_fields: Annotated[list[dict[str, Any]] | None, Field(alias="managedFields")] = None
    """Who wrote which field last."""
    name: str | None = None
    namespace: str | None = None
    owner_references: Annotated[list[OwnerReference] | None, Field(alias="ownerReferences")] = None
    """The objects that this one goes with."""
    resource_version: Annotated[str | None, Field(alias="resourceVersion")] = None
    """Changes with every write; opaque."""
    self_link: Annotated[str | None, Field(alias="selfLink")] = None
    uid: str | None = None
    """Never used again for another object."""
