# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Deployment of apps/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import IntOrString, Model, Timestamp
from ..core_v1.podtemplatespec import PodTemplateSpec
from ..meta_v1.common import LabelSelector
from ..resource import Resource


class DeploymentCondition(Model):
    """DeploymentCondition describes the state of a deployment at a certain point."""

    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """Last time the condition transitioned from one status to another."""
    last_update_time: Annotated[Timestamp | None, Field(alias="lastUpdateTime")] = None
    """The last time this condition was updated."""
    message: str | None = None
    """A human readable message indicating details about the transition."""
    reason: str | None = None
    """The reason for the condition's last transition."""
    status: str
    """Status of the condition, one of True, False, Unknown."""
    type: str
    """Type of deployment condition."""


class DeploymentStatus(Model):
    """DeploymentStatus is the most recently observed status of the Deployment."""

    available_replicas: Annotated[int | None, Field(alias="availableReplicas")] = None
    """Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment."""
    collision_count: Annotated[int | None, Field(alias="collisionCount")] = None
    """Count of hash collisions for the Deployment."""
    conditions: list[DeploymentCondition] | None = None
    """Represents the latest available observations of a deployment's current state."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """The generation observed by the deployment controller."""
    ready_replicas: Annotated[int | None, Field(alias="readyReplicas")] = None
    """Total number of non-terminating pods targeted by this Deployment with a Ready Condition."""
    replicas: int | None = None
    """Total number of non-terminating pods targeted by this deployment (their labels match the selector)."""
    terminating_replicas: Annotated[int | None, Field(alias="terminatingReplicas")] = None
    """Total number of terminating pods targeted by this deployment."""
    unavailable_replicas: Annotated[int | None, Field(alias="unavailableReplicas")] = None
    """Total number of unavailable pods targeted by this deployment."""
    updated_replicas: Annotated[int | None, Field(alias="updatedReplicas")] = None
    """Total number of non-terminating pods targeted by this deployment that have the desired template spec."""


class RollingUpdateDeployment(Model):
    """Spec to control the desired behavior of rolling update."""

    max_surge: Annotated[IntOrString | None, Field(alias="maxSurge")] = None
    """The maximum number of pods that can be scheduled above the desired number of pods."""
    max_unavailable: Annotated[IntOrString | None, Field(alias="maxUnavailable")] = None
    """The maximum number of pods that can be unavailable during the update."""


class DeploymentStrategy(Model):
    """DeploymentStrategy describes how to replace existing pods with new ones."""

    rolling_update: Annotated[RollingUpdateDeployment | None, Field(alias="rollingUpdate")] = None
    """Rolling update config params."""
    type: str | None = None
    """Type of deployment. One of `Recreate`, `RollingUpdate`."""


class DeploymentSpec(Model):
    """DeploymentSpec is the specification of the desired behavior of the Deployment."""

    min_ready_seconds: Annotated[int | None, Field(alias="minReadySeconds")] = None
    """Minimum number of seconds for which a newly created pod should be ready without any of its container crashing, for it to be considered available."""
    paused: bool | None = None
    """Indicates that the deployment is paused."""
    progress_deadline_seconds: Annotated[int | None, Field(alias="progressDeadlineSeconds")] = None
    """The maximum time in seconds for a deployment to make progress before it is considered to be failed."""
    replicas: int | None = None
    """Number of desired pods."""
    revision_history_limit: Annotated[int | None, Field(alias="revisionHistoryLimit")] = None
    """The number of old ReplicaSets to retain to allow rollback."""
    selector: LabelSelector
    """Label selector for pods."""
    strategy: DeploymentStrategy | None = None
    """The deployment strategy to use to replace existing pods with new ones."""
    template: PodTemplateSpec
    """Template describes the pods that will be created."""


class Deployment(Resource):
    """Deployment enables declarative updates for Pods and ReplicaSets."""

    api_version: Annotated[Literal["apps/v1"], Field(alias="apiVersion")] = "apps/v1"
    kind: Literal["Deployment"] = "Deployment"
    spec: DeploymentSpec | None = None
    """Specification of the desired behavior of the Deployment."""
    status: DeploymentStatus | None = None
    """Most recently observed status of the Deployment."""
