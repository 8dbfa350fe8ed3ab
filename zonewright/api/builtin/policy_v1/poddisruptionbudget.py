# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""PodDisruptionBudget of policy/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import IntOrString, Model, Timestamp
from ..meta_v1.common import Condition, LabelSelector
from ..resource import Resource


class PodDisruptionBudgetSpec(Model):
    """PodDisruptionBudgetSpec is a description of a PodDisruptionBudget."""

    max_unavailable: Annotated[IntOrString | None, Field(alias="maxUnavailable")] = None
    """An eviction is allowed if at most "maxUnavailable" pods selected by "selector" are unavailable after the eviction, i.e. even in absence of the evicted pod."""
    min_available: Annotated[IntOrString | None, Field(alias="minAvailable")] = None
    """An eviction is allowed if at least "minAvailable" pods selected by "selector" will still be available after the eviction, i.e. even in the absence of the evicted pod."""
    selector: LabelSelector | None = None
    """Label query over pods whose evictions are managed by the disruption budget."""
    unhealthy_pod_eviction_policy: Annotated[str | None, Field(alias="unhealthyPodEvictionPolicy")] = None
    """UnhealthyPodEvictionPolicy defines the criteria for when unhealthy pods should be considered for eviction. One of `AlwaysAllow`, `IfHealthyBudget`."""


class PodDisruptionBudgetStatus(Model):
    """PodDisruptionBudgetStatus represents information about the status of a PodDisruptionBudget."""

    conditions: list[Condition] | None = None
    """Conditions contain conditions for PDB."""
    current_healthy: Annotated[int | None, Field(alias="currentHealthy")] = None
    """current number of healthy pods"""
    desired_healthy: Annotated[int | None, Field(alias="desiredHealthy")] = None
    """minimum desired number of healthy pods"""
    disrupted_pods: Annotated[dict[str, Timestamp] | None, Field(alias="disruptedPods")] = None
    """DisruptedPods contains information about pods whose eviction was processed by the API server eviction subresource handler but has not yet been observed by the PodDisruptionBudget controller."""
    disruptions_allowed: Annotated[int | None, Field(alias="disruptionsAllowed")] = None
    """Number of pod disruptions that are currently allowed."""
    expected_pods: Annotated[int | None, Field(alias="expectedPods")] = None
    """total number of pods counted by this disruption budget"""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """Most recent generation observed when updating this PDB status."""


class PodDisruptionBudget(Resource):
    """PodDisruptionBudget is an object to define the max disruption that can be caused to a collection of pods"""

    api_version: Annotated[Literal["policy/v1"], Field(alias="apiVersion")] = "policy/v1"
    kind: Literal["PodDisruptionBudget"] = "PodDisruptionBudget"
    spec: PodDisruptionBudgetSpec | None = None
    """Specification of the desired behavior of the PodDisruptionBudget."""
    status: PodDisruptionBudgetStatus | None = None
    """Most recently observed status of the PodDisruptionBudget."""
