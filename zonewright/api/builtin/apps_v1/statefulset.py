# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""StatefulSet of apps/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import IntOrString, Model, Timestamp
from ..core_v1.persistentvolumeclaim import PersistentVolumeClaim
from ..core_v1.podtemplatespec import PodTemplateSpec
from ..meta_v1.common import LabelSelector
from ..resource import Resource


class RollingUpdateStatefulSetStrategy(Model):
    """RollingUpdateStatefulSetStrategy is used to communicate parameter for RollingUpdateStatefulSetStrategyType."""

    max_unavailable: Annotated[IntOrString | None, Field(alias="maxUnavailable")] = None
    """The maximum number of pods that can be unavailable during the update."""
    partition: int | None = None
    """Partition indicates the ordinal at which the StatefulSet should be partitioned for updates."""


class StatefulSetCondition(Model):
    """StatefulSetCondition describes the state of a statefulset at a certain point."""

    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """Last time the condition transitioned from one status to another."""
    message: str | None = None
    """A human readable message indicating details about the transition."""
    reason: str | None = None
    """The reason for the condition's last transition."""
    status: str
    """Status of the condition, one of True, False, Unknown."""
    type: str
    """Type of statefulset condition."""


class StatefulSetOrdinals(Model):
    """StatefulSetOrdinals describes the policy used for replica ordinal assignment in this StatefulSet."""

    start: int | None = None
    """start is the number representing the first replica's index."""


class StatefulSetPersistentVolumeClaimRetentionPolicy(Model):
    """StatefulSetPersistentVolumeClaimRetentionPolicy describes the policy used for PVCs created from the StatefulSet VolumeClaimTemplates."""

    when_deleted: Annotated[str | None, Field(alias="whenDeleted")] = None
    """WhenDeleted specifies what happens to PVCs created from StatefulSet VolumeClaimTemplates when the StatefulSet is deleted."""
    when_scaled: Annotated[str | None, Field(alias="whenScaled")] = None
    """WhenScaled specifies what happens to PVCs created from StatefulSet VolumeClaimTemplates when the StatefulSet is scaled down."""


class StatefulSetStatus(Model):
    """StatefulSetStatus represents the current state of a StatefulSet."""

    available_replicas: Annotated[int | None, Field(alias="availableReplicas")] = None
    """Total number of available pods (ready for at least minReadySeconds) targeted by this statefulset."""
    collision_count: Annotated[int | None, Field(alias="collisionCount")] = None
    """collisionCount is the count of hash collisions for the StatefulSet."""
    conditions: list[StatefulSetCondition] | None = None
    """Represents the latest available observations of a statefulset's current state."""
    current_replicas: Annotated[int | None, Field(alias="currentReplicas")] = None
    """currentReplicas is the number of Pods created by the StatefulSet controller from the StatefulSet version indicated by currentRevision."""
    current_revision: Annotated[str | None, Field(alias="currentRevision")] = None
    """currentRevision, if not empty, indicates the version of the StatefulSet used to generate Pods in the sequence [0,currentReplicas)."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """observedGeneration is the most recent generation observed for this StatefulSet."""
    ready_replicas: Annotated[int | None, Field(alias="readyReplicas")] = None
    """readyReplicas is the number of pods created for this StatefulSet with a Ready Condition."""
    replicas: int
    """replicas is the number of Pods created by the StatefulSet controller."""
    update_revision: Annotated[str | None, Field(alias="updateRevision")] = None
    """updateRevision, if not empty, indicates the version of the StatefulSet used to generate Pods in the sequence [replicas-updatedReplicas,replicas)"""
    updated_replicas: Annotated[int | None, Field(alias="updatedReplicas")] = None
    """updatedReplicas is the number of Pods created by the StatefulSet controller from the StatefulSet version indicated by updateRevision."""


class StatefulSetUpdateStrategy(Model):
    """StatefulSetUpdateStrategy indicates the strategy that the StatefulSet controller will use to perform updates."""

    rolling_update: Annotated[RollingUpdateStatefulSetStrategy | None, Field(alias="rollingUpdate")] = None
    """RollingUpdate is used to communicate parameters when Type is RollingUpdateStatefulSetStrategyType."""
    type: str | None = None
    """Type indicates the type of the StatefulSetUpdateStrategy. One of `OnDelete`, `RollingUpdate`."""


class StatefulSetSpec(Model):
    """A StatefulSetSpec is the specification of a StatefulSet."""

    min_ready_seconds: Annotated[int | None, Field(alias="minReadySeconds")] = None
    """Minimum number of seconds for which a newly created pod should be ready without any of its container crashing for it to be considered available."""
    ordinals: StatefulSetOrdinals | None = None
    """ordinals controls the numbering of replica indices in a StatefulSet."""
    persistent_volume_claim_retention_policy: Annotated[
        StatefulSetPersistentVolumeClaimRetentionPolicy | None, Field(alias="persistentVolumeClaimRetentionPolicy")
    ] = None
    """persistentVolumeClaimRetentionPolicy describes the lifecycle of persistent volume claims created from volumeClaimTemplates."""
    pod_management_policy: Annotated[str | None, Field(alias="podManagementPolicy")] = None
    """podManagementPolicy controls how pods are created during initial scale up, when replacing pods on nodes, or when scaling down. One of `OrderedReady`, `Parallel`."""
    replicas: int | None = None
    """replicas is the desired number of replicas of the given Template."""
    revision_history_limit: Annotated[int | None, Field(alias="revisionHistoryLimit")] = None
    """revisionHistoryLimit is the maximum number of revisions that will be maintained in the StatefulSet's revision history."""
    selector: LabelSelector
    """selector is a label query over pods that should match the replica count."""
    service_name: Annotated[str | None, Field(alias="serviceName")] = None
    """serviceName is the name of the service that governs this StatefulSet."""
    template: PodTemplateSpec
    """template is the object that describes the pod that will be created if insufficient replicas are detected."""
    update_strategy: Annotated[StatefulSetUpdateStrategy | None, Field(alias="updateStrategy")] = None
    """updateStrategy indicates the StatefulSetUpdateStrategy that will be employed to update Pods in the StatefulSet when a revision is made to Template."""
    volume_claim_templates: Annotated[list[PersistentVolumeClaim] | None, Field(alias="volumeClaimTemplates")] = None
    """volumeClaimTemplates is a list of claims that pods are allowed to reference."""


class StatefulSet(Resource):
    """StatefulSet represents a set of pods with consistent identities."""

    api_version: Annotated[Literal["apps/v1"], Field(alias="apiVersion")] = "apps/v1"
    kind: Literal["StatefulSet"] = "StatefulSet"
    spec: StatefulSetSpec | None = None
    """Spec defines the desired identities of pods in this set."""
    status: StatefulSetStatus | None = None
    """Status is the current status of Pods in this StatefulSet."""
