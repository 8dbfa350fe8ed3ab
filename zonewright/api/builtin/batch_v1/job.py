# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Job of batch/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..batch_v1.common import JobSpec
from ..resource import Resource


class JobCondition(Model):
    """JobCondition describes current state of a job."""

    last_probe_time: Annotated[Timestamp | None, Field(alias="lastProbeTime")] = None
    """Last time the condition was checked."""
    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """Last time the condition transit from one status to another."""
    message: str | None = None
    """Human readable message indicating details about last transition."""
    reason: str | None = None
    """(brief) reason for the condition's last transition."""
    status: str
    """Status of the condition, one of True, False, Unknown."""
    type: str
    """Type of job condition, Complete or Failed."""


class UncountedTerminatedPods(Model):
    """UncountedTerminatedPods holds UIDs of Pods that have terminated but haven't been accounted in Job status counters."""

    failed: list[str] | None = None
    """failed holds UIDs of failed Pods."""
    succeeded: list[str] | None = None
    """succeeded holds UIDs of succeeded Pods."""


class JobStatus(Model):
    """JobStatus represents the current state of a Job."""

    active: int | None = None
    """The number of pending and running pods which are not terminating (without a deletionTimestamp)."""
    completed_indexes: Annotated[str | None, Field(alias="completedIndexes")] = None
    """completedIndexes holds the completed indexes when .spec.completionMode = "Indexed" in a text format."""
    completion_time: Annotated[Timestamp | None, Field(alias="completionTime")] = None
    """Represents time when the job was completed."""
    conditions: list[JobCondition] | None = None
    """The latest available observations of an object's current state."""
    failed: int | None = None
    """The number of pods which reached phase Failed."""
    failed_indexes: Annotated[str | None, Field(alias="failedIndexes")] = None
    """FailedIndexes holds the failed indexes when spec.backoffLimitPerIndex is set."""
    ready: int | None = None
    """The number of active pods which have a Ready condition and are not terminating (without a deletionTimestamp)."""
    start_time: Annotated[Timestamp | None, Field(alias="startTime")] = None
    """Represents time when the job controller started processing a job."""
    succeeded: int | None = None
    """The number of pods which reached phase Succeeded."""
    terminating: int | None = None
    """The number of pods which are terminating (in phase Pending or Running and have a deletionTimestamp)."""
    uncounted_terminated_pods: Annotated[UncountedTerminatedPods | None, Field(alias="uncountedTerminatedPods")] = None
    """uncountedTerminatedPods holds the UIDs of Pods that have terminated but the job controller hasn't yet accounted for in the status counters."""


class Job(Resource):
    """Job represents the configuration of a single job."""

    api_version: Annotated[Literal["batch/v1"], Field(alias="apiVersion")] = "batch/v1"
    kind: Literal["Job"] = "Job"
    spec: JobSpec | None = None
    """Specification of the desired behavior of a job."""
    status: JobStatus | None = None
    """Current status of a job."""
