# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""ReplicaSet of apps/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..core_v1.podtemplatespec import PodTemplateSpec
from ..meta_v1.common import LabelSelector
from ..resource import Resource


class ReplicaSetCondition(Model):
    """ReplicaSetCondition describes the state of a replica set at a certain point."""

    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """The last time the condition transitioned from one status to another."""
    message: str | None = None
    """A human readable message indicating details about the transition."""
    reason: str | None = None
    """The reason for the condition's last transition."""
    status: str
    """Status of the condition, one of True, False, Unknown."""
    type: str
    """Type of replica set condition."""


class ReplicaSetSpec(Model):
    """ReplicaSetSpec is the specification of a ReplicaSet."""

    min_ready_seconds: Annotated[int | None, Field(alias="minReadySeconds")] = None
    """Minimum number of seconds for which a newly created pod should be ready without any of its container crashing, for it to be considered available."""
    replicas: int | None = None
    """Replicas is the number of desired pods."""
    selector: LabelSelector
    """Selector is a label query over pods that should match the replica count."""
    template: PodTemplateSpec | None = None
    """Template is the object that describes the pod that will be created if insufficient replicas are detected."""


class ReplicaSetStatus(Model):
    """ReplicaSetStatus represents the current status of a ReplicaSet."""

    available_replicas: Annotated[int | None, Field(alias="availableReplicas")] = None
    """The number of available non-terminating pods (ready for at least minReadySeconds) for this replica set."""
    conditions: list[ReplicaSetCondition] | None = None
    """Represents the latest available observations of a replica set's current state."""
    fully_labeled_replicas: Annotated[int | None, Field(alias="fullyLabeledReplicas")] = None
    """The number of non-terminating pods that have labels matching the labels of the pod template of the replicaset."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """ObservedGeneration reflects the generation of the most recently observed ReplicaSet."""
    ready_replicas: Annotated[int | None, Field(alias="readyReplicas")] = None
    """The number of non-terminating pods targeted by this ReplicaSet with a Ready Condition."""
    replicas: int
    """Replicas is the most recently observed number of non-terminating pods."""
    terminating_replicas: Annotated[int | None, Field(alias="terminatingReplicas")] = None
    """The number of terminating pods for this replica set."""


class ReplicaSet(Resource):
    """ReplicaSet ensures that a specified number of pod replicas are running at any given time."""

    api_version: Annotated[Literal["apps/v1"], Field(alias="apiVersion")] = "apps/v1"
    kind: Literal["ReplicaSet"] = "ReplicaSet"
    spec: ReplicaSetSpec | None = None
    """Spec defines the specification of the desired behavior of the ReplicaSet."""
    status: ReplicaSetStatus | None = None
    """Status is the most recently observed status of the ReplicaSet."""
