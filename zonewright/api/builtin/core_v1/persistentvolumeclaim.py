# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""PersistentVolumeClaim of v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Quantity, Timestamp
from ..core_v1.common import PersistentVolumeClaimSpec
from ..resource import Resource


class ModifyVolumeStatus(Model):
    """ModifyVolumeStatus represents the status object of ControllerModifyVolume operation"""

    status: str
    """status is the status of the ControllerModifyVolume operation. One of `InProgress`, `Infeasible`, `Pending`."""
    target_volume_attributes_class_name: Annotated[str | None, Field(alias="targetVolumeAttributesClassName")] = None
    """targetVolumeAttributesClassName is the name of the VolumeAttributesClass the PVC currently being reconciled"""


class PersistentVolumeClaimCondition(Model):
    """PersistentVolumeClaimCondition contains details about state of pvc"""

    last_probe_time: Annotated[Timestamp | None, Field(alias="lastProbeTime")] = None
    """lastProbeTime is the time we probed the condition."""
    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """lastTransitionTime is the time the condition transitioned from one status to another."""
    message: str | None = None
    """message is the human-readable message indicating details about last transition."""
    reason: str | None = None
    """reason is a unique, this should be a short, machine understandable string that gives the reason for condition's last transition."""
    status: str
    """Status is the status of the condition."""
    type: str
    """Type is the type of the condition."""


class PersistentVolumeClaimStatus(Model):
    """PersistentVolumeClaimStatus is the current status of a persistent volume claim."""

    access_modes: Annotated[list[str] | None, Field(alias="accessModes")] = None
    """accessModes contains the actual access modes the volume backing the PVC has."""
    allocated_resource_statuses: Annotated[dict[str, str] | None, Field(alias="allocatedResourceStatuses")] = None
    """allocatedResourceStatuses stores status of resource being resized for the given PVC."""
    allocated_resources: Annotated[dict[str, Quantity] | None, Field(alias="allocatedResources")] = None
    """allocatedResources tracks the resources allocated to a PVC including its capacity."""
    capacity: dict[str, Quantity] | None = None
    """capacity represents the actual resources of the underlying volume."""
    conditions: list[PersistentVolumeClaimCondition] | None = None
    """conditions is the current Condition of persistent volume claim."""
    current_volume_attributes_class_name: Annotated[str | None, Field(alias="currentVolumeAttributesClassName")] = None
    """currentVolumeAttributesClassName is the current name of the VolumeAttributesClass the PVC is using."""
    modify_volume_status: Annotated[ModifyVolumeStatus | None, Field(alias="modifyVolumeStatus")] = None
    """ModifyVolumeStatus represents the status object of ControllerModifyVolume operation."""
    phase: str | None = None
    """phase represents the current phase of PersistentVolumeClaim. One of `Bound`, `Lost`, `Pending`."""


class PersistentVolumeClaim(Resource):
    """PersistentVolumeClaim is a user's request for and claim to a persistent volume"""

    api_version: Annotated[Literal["v1"], Field(alias="apiVersion")] = "v1"
    kind: Literal["PersistentVolumeClaim"] = "PersistentVolumeClaim"
    spec: PersistentVolumeClaimSpec | None = None
    """spec defines the desired characteristics of a volume requested by a pod author."""
    status: PersistentVolumeClaimStatus | None = None
    """status represents the current information/status of a persistent volume claim."""
