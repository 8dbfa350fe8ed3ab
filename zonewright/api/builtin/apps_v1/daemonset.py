# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""DaemonSet of apps/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import IntOrString, Model, Timestamp
from ..core_v1.podtemplatespec import PodTemplateSpec
from ..meta_v1.common import LabelSelector
from ..resource import Resource


class DaemonSetCondition(Model):
    """DaemonSetCondition describes the state of a DaemonSet at a certain point."""

    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """Last time the condition transitioned from one status to another."""
    message: str | None = None
    """A human readable message indicating details about the transition."""
    reason: str | None = None
    """The reason for the condition's last transition."""
    status: str
    """Status of the condition, one of True, False, Unknown."""
    type: str
    """Type of DaemonSet condition."""


class DaemonSetStatus(Model):
    """DaemonSetStatus represents the current status of a daemon set."""

    collision_count: Annotated[int | None, Field(alias="collisionCount")] = None
    """Count of hash collisions for the DaemonSet."""
    conditions: list[DaemonSetCondition] | None = None
    """Represents the latest available observations of a DaemonSet's current state."""
    current_number_scheduled: Annotated[int, Field(alias="currentNumberScheduled")]
    """The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon pod."""
    desired_number_scheduled: Annotated[int, Field(alias="desiredNumberScheduled")]
    """The total number of nodes that should be running the daemon pod (including nodes correctly running the daemon pod)."""
    number_available: Annotated[int | None, Field(alias="numberAvailable")] = None
    """The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and available (ready for at least spec.minReadySeconds)"""
    number_misscheduled: Annotated[int, Field(alias="numberMisscheduled")]
    """The number of nodes that are running the daemon pod, but are not supposed to run the daemon pod."""
    number_ready: Annotated[int, Field(alias="numberReady")]
    """numberReady is the number of nodes that should be running the daemon pod and have one or more of the daemon pod running with a Ready Condition."""
    number_unavailable: Annotated[int | None, Field(alias="numberUnavailable")] = None
    """The number of nodes that should be running the daemon pod and have none of the daemon pod running and available (ready for at least spec.minReadySeconds)"""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """The most recent generation observed by the daemon set controller."""
    updated_number_scheduled: Annotated[int | None, Field(alias="updatedNumberScheduled")] = None
    """The total number of nodes that are running updated daemon pod"""


class RollingUpdateDaemonSet(Model):
    """Spec to control the desired behavior of daemon set rolling update."""

    max_surge: Annotated[IntOrString | None, Field(alias="maxSurge")] = None
    """The maximum number of nodes with an existing available DaemonSet pod that can have an updated DaemonSet pod during during an update."""
    max_unavailable: Annotated[IntOrString | None, Field(alias="maxUnavailable")] = None
    """The maximum number of DaemonSet pods that can be unavailable during the update."""


class DaemonSetUpdateStrategy(Model):
    """DaemonSetUpdateStrategy is a struct used to control the update strategy for a DaemonSet."""

    rolling_update: Annotated[RollingUpdateDaemonSet | None, Field(alias="rollingUpdate")] = None
    """Rolling update config params."""
    type: str | None = None
    """Type of daemon set update. One of `OnDelete`, `RollingUpdate`."""


class DaemonSetSpec(Model):
    """DaemonSetSpec is the specification of a daemon set."""

    min_ready_seconds: Annotated[int | None, Field(alias="minReadySeconds")] = None
    """The minimum number of seconds for which a newly created DaemonSet pod should be ready without any of its container crashing, for it to be considered available."""
    revision_history_limit: Annotated[int | None, Field(alias="revisionHistoryLimit")] = None
    """The number of old history to retain to allow rollback."""
    selector: LabelSelector
    """A label query over pods that are managed by the daemon set."""
    template: PodTemplateSpec
    """An object that describes the pod that will be created."""
    update_strategy: Annotated[DaemonSetUpdateStrategy | None, Field(alias="updateStrategy")] = None
    """An update strategy to replace existing DaemonSet pods with new pods."""


class DaemonSet(Resource):
    """DaemonSet represents the configuration of a daemon set."""

    api_version: Annotated[Literal["apps/v1"], Field(alias="apiVersion")] = "apps/v1"
    kind: Literal["DaemonSet"] = "DaemonSet"
    spec: DaemonSetSpec | None = None
    """The desired behavior of this daemon set."""
    status: DaemonSetStatus | None = None
    """The current status of this daemon set."""
