# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""What kinds share of batch/v1."""

from typing import Annotated

from pydantic import Field

from ..base import Model
from ..core_v1.podtemplatespec import PodTemplateSpec
from ..meta_v1.common import LabelSelector


class PodFailurePolicyOnExitCodesRequirement(Model):
    """PodFailurePolicyOnExitCodesRequirement describes the requirement for handling a failed pod based on its container exit codes."""

    container_name: Annotated[str | None, Field(alias="containerName")] = None
    """Restricts the check for exit codes to the container with the specified name."""
    operator: str
    """Represents the relationship between the container exit code(s) and the specified values. One of `In`, `NotIn`."""
    values: list[int] | None
    """Specifies the set of values."""


class PodFailurePolicyOnPodConditionsPattern(Model):
    """PodFailurePolicyOnPodConditionsPattern describes a pattern for matching an actual pod condition type."""

    status: str | None = None
    """Specifies the required Pod condition status."""
    type: str
    """Specifies the required Pod condition type."""


class PodFailurePolicyRule(Model):
    """PodFailurePolicyRule describes how a pod failure is handled when the requirements are met."""

    action: str
    """Specifies the action taken on a pod failure when the requirements are satisfied. One of `Count`, `FailIndex`, `FailJob`, `Ignore`."""
    on_exit_codes: Annotated[PodFailurePolicyOnExitCodesRequirement | None, Field(alias="onExitCodes")] = None
    """Represents the requirement on the container exit codes."""
    on_pod_conditions: Annotated[
        list[PodFailurePolicyOnPodConditionsPattern] | None, Field(alias="onPodConditions")
    ] = None
    """Represents the requirement on the pod conditions."""


class SuccessPolicyRule(Model):
    """SuccessPolicyRule describes rule for declaring a Job as succeeded."""

    succeeded_count: Annotated[int | None, Field(alias="succeededCount")] = None
    """succeededCount specifies the minimal required size of the actual set of the succeeded indexes for the Job."""
    succeeded_indexes: Annotated[str | None, Field(alias="succeededIndexes")] = None
    """succeededIndexes specifies the set of indexes which need to be contained in the actual set of the succeeded indexes for the Job."""


class PodFailurePolicy(Model):
    """PodFailurePolicy describes how failed pods influence the backoffLimit."""

    rules: list[PodFailurePolicyRule] | None
    """A list of pod failure policy rules."""


class SuccessPolicy(Model):
    """SuccessPolicy describes when a Job can be declared as succeeded based on the success of some indexes."""

    rules: list[SuccessPolicyRule] | None
    """rules represents the list of alternative rules for the declaring the Jobs as successful before `.status.succeeded >= .spec.completions`."""


class JobSpec(Model):
    """JobSpec describes how the job execution will look like."""

    active_deadline_seconds: Annotated[int | None, Field(alias="activeDeadlineSeconds")] = None
    """Specifies the duration in seconds relative to the startTime that the job may be continuously active before the system tries to terminate it; value must be positive integer."""
    backoff_limit: Annotated[int | None, Field(alias="backoffLimit")] = None
    """Specifies the number of retries before marking this job failed."""
    backoff_limit_per_index: Annotated[int | None, Field(alias="backoffLimitPerIndex")] = None
    """Specifies the limit for the number of retries within an index before marking this index as failed."""
    completion_mode: Annotated[str | None, Field(alias="completionMode")] = None
    """completionMode specifies how Pod completions are tracked. One of `Indexed`, `NonIndexed`."""
    completions: int | None = None
    """Specifies the desired number of successfully finished pods the job should be run with."""
    managed_by: Annotated[str | None, Field(alias="managedBy")] = None
    """ManagedBy field indicates the controller that manages a Job."""
    manual_selector: Annotated[bool | None, Field(alias="manualSelector")] = None
    """manualSelector controls generation of pod labels and pod selectors."""
    max_failed_indexes: Annotated[int | None, Field(alias="maxFailedIndexes")] = None
    """Specifies the maximal number of failed indexes before marking the Job as failed, when backoffLimitPerIndex is set."""
    parallelism: int | None = None
    """Specifies the maximum desired number of pods the job should run at any given time."""
    pod_failure_policy: Annotated[PodFailurePolicy | None, Field(alias="podFailurePolicy")] = None
    """Specifies the policy of handling failed pods."""
    pod_replacement_policy: Annotated[str | None, Field(alias="podReplacementPolicy")] = None
    """podReplacementPolicy specifies when to create replacement Pods. One of `Failed`, `TerminatingOrFailed`."""
    selector: LabelSelector | None = None
    """A label query over pods that should match the pod count."""
    success_policy: Annotated[SuccessPolicy | None, Field(alias="successPolicy")] = None
    """successPolicy specifies the policy when the Job can be declared as succeeded."""
    suspend: bool | None = None
    """suspend specifies whether the Job controller should create Pods or not."""
    template: PodTemplateSpec
    """Describes the pod that will be created when executing a job."""
    ttl_seconds_after_finished: Annotated[int | None, Field(alias="ttlSecondsAfterFinished")] = None
    """ttlSecondsAfterFinished limits the lifetime of a Job that has finished execution (either Complete or Failed)."""
