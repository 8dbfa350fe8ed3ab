# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""What kinds share of v1."""

from typing import Annotated

from pydantic import Field

from ..base import Model, Quantity
from ..meta_v1.common import LabelSelector


class AWSElasticBlockStoreVolumeSource(Model):
    """Represents a Persistent Disk resource in AWS."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type of the volume that you want to mount."""
    partition: int | None = None
    """partition is the partition in the volume that you want to mount."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly value true will force the readOnly setting in VolumeMounts."""
    volume_id: Annotated[str, Field(alias="volumeID")]
    """volumeID is unique ID of the persistent disk resource in AWS (Amazon EBS volume)."""


class AzureDiskVolumeSource(Model):
    """AzureDisk represents an Azure Data Disk mount on the host and bind mount to the pod."""

    caching_mode: Annotated[str, Field(alias="cachingMode")] = "ReadWrite"
    """cachingMode is the Host Caching mode: None, Read Only, Read Write. One of `None`, `ReadOnly`, `ReadWrite`."""
    disk_name: Annotated[str, Field(alias="diskName")]
    """diskName is the Name of the data disk in the blob storage"""
    disk_uri: Annotated[str, Field(alias="diskURI")]
    """diskURI is the URI of data disk in the blob storage"""
    fs_type: Annotated[str, Field(alias="fsType")] = "ext4"
    """fsType is Filesystem type to mount."""
    kind: str = "Shared"
    """kind expected values are Shared: multiple blob disks per storage account Dedicated: single blob disk per storage account Managed: azure managed data disk (only in managed availability set). defaults to shared One of `Dedicated`, `Managed`, `Shared`."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly Defaults to false (read/write)."""


class EventSource(Model):
    """EventSource contains information for an event."""

    component: str | None = None
    """Component from which the event is generated."""
    host: str | None = None
    """Node name on which the event is generated."""


class FCVolumeSource(Model):
    """Represents a Fibre Channel volume."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type to mount."""
    lun: int | None = None
    """lun is Optional: FC target lun number"""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly is Optional: Defaults to false (read/write)."""
    target_wwns: Annotated[list[str] | None, Field(alias="targetWWNs")] = None
    """targetWWNs is Optional: FC target worldwide names (WWNs)"""
    wwids: list[str] | None = None
    """wwids Optional: FC volume world wide identifiers (wwids) Either wwids or combination of targetWWNs and lun must be set, but not both simultaneously."""


class FlockerVolumeSource(Model):
    """Represents a Flocker volume mounted by the Flocker agent."""

    dataset_name: Annotated[str | None, Field(alias="datasetName")] = None
    """datasetName is Name of the dataset stored as metadata -> name on the dataset for Flocker should be considered as deprecated"""
    dataset_uuid: Annotated[str | None, Field(alias="datasetUUID")] = None
    """datasetUUID is the UUID of the dataset."""


class GCEPersistentDiskVolumeSource(Model):
    """Represents a Persistent Disk resource in Google Compute Engine."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is filesystem type of the volume that you want to mount."""
    partition: int | None = None
    """partition is the partition in the volume that you want to mount."""
    pd_name: Annotated[str, Field(alias="pdName")]
    """pdName is unique name of the PD resource in GCE."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly here will force the ReadOnly setting in VolumeMounts."""


class HostPathVolumeSource(Model):
    """Represents a host path mapped into a pod."""

    path: str
    """path of the directory on the host."""
    type: str | None = None
    """type for HostPath Volume Defaults to "" More info: https://kubernetes.io/docs/concepts/storage/volumes#hostpath One of ``, `BlockDevice`, `CharDevice`, `Directory`, `DirectoryOrCreate`, `File`, `FileOrCreate`, `Socket`."""


class LocalObjectReference(Model):
    """LocalObjectReference contains enough information to let you locate the referenced object inside the same namespace."""

    name: str | None = None
    """Name of the referent."""


class NFSVolumeSource(Model):
    """Represents an NFS mount that lasts the lifetime of a pod."""

    path: str
    """path that is exported by the NFS server."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly here will force the NFS export to be mounted with read-only permissions."""
    server: str
    """server is the hostname or IP address of the NFS server."""


class NodeSelectorRequirement(Model):
    """A node selector requirement is a selector that contains values, a key, and an operator that relates the key and values."""

    key: str
    """The label key that the selector applies to."""
    operator: str
    """Represents a key's relationship to a set of values. One of `DoesNotExist`, `Exists`, `Gt`, `In`, `Lt`, `NotIn`."""
    values: list[str] | None = None
    """An array of string values."""


class NodeSelectorTerm(Model):
    """A null or empty node selector term matches no objects."""

    match_expressions: Annotated[list[NodeSelectorRequirement] | None, Field(alias="matchExpressions")] = None
    """A list of node selector requirements by node's labels."""
    match_fields: Annotated[list[NodeSelectorRequirement] | None, Field(alias="matchFields")] = None
    """A list of node selector requirements by node's fields."""


class ObjectReference(Model):
    """ObjectReference contains enough information to let you inspect or modify the referred object."""

    api_version: Annotated[str | None, Field(alias="apiVersion")] = None
    """API version of the referent."""
    field_path: Annotated[str | None, Field(alias="fieldPath")] = None
    """If referring to a piece of an object instead of an entire object, this string should contain a valid JSON/Go field access statement, such as desiredState.manifest.containers[2]."""
    kind: str | None = None
    """Kind of the referent."""
    name: str | None = None
    """Name of the referent."""
    namespace: str | None = None
    """Namespace of the referent."""
    resource_version: Annotated[str | None, Field(alias="resourceVersion")] = None
    """Specific resourceVersion to which this reference is made, if any."""
    uid: str | None = None
    """UID of the referent."""


class PhotonPersistentDiskVolumeSource(Model):
    """Represents a Photon Controller persistent disk resource."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type to mount."""
    pd_id: Annotated[str, Field(alias="pdID")]
    """pdID is the ID that identifies Photon Controller persistent disk"""


class PortworxVolumeSource(Model):
    """PortworxVolumeSource represents a Portworx volume resource."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fSType represents the filesystem type to mount Must be a filesystem type supported by the host operating system."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly defaults to false (read/write)."""
    volume_id: Annotated[str, Field(alias="volumeID")]
    """volumeID uniquely identifies a Portworx volume"""


class QuobyteVolumeSource(Model):
    """Represents a Quobyte mount that lasts the lifetime of a pod."""

    group: str | None = None
    """group to map volume access to Default is no group"""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly here will force the Quobyte volume to be mounted with read-only permissions."""
    registry: str
    """registry represents a single or multiple Quobyte Registry services specified as a string as host:port pair (multiple entries are separated with commas) which acts as the central registry for volumes"""
    tenant: str | None = None
    """tenant owning the given Quobyte volume in the Backend Used with dynamically provisioned Quobyte volumes, value is set by the plugin"""
    user: str | None = None
    """user to map volume access to Defaults to serivceaccount user"""
    volume: str
    """volume is a string that references an already created Quobyte volume by name."""


class ResourceClaim(Model):
    """ResourceClaim references one entry in PodSpec.ResourceClaims."""

    name: str
    """Name must match the name of one entry in pod.spec.resourceClaims of the Pod where this field is used."""
    request: str | None = None
    """Request is the name chosen for a request in the referenced claim."""


class ResourceRequirements(Model):
    """ResourceRequirements describes the compute resource requirements."""

    claims: list[ResourceClaim] | None = None
    """Claims lists the names of resources, defined in spec.resourceClaims, that are used by this container."""
    limits: dict[str, Quantity] | None = None
    """Limits describes the maximum amount of compute resources allowed."""
    requests: dict[str, Quantity] | None = None
    """Requests describes the minimum amount of compute resources required."""


class TypedLocalObjectReference(Model):
    """TypedLocalObjectReference contains enough information to let you locate the typed referenced object inside the same namespace."""

    api_group: Annotated[str | None, Field(alias="apiGroup")] = None
    """APIGroup is the group for the resource being referenced."""
    kind: str
    """Kind is the type of resource being referenced"""
    name: str
    """Name is the name of resource being referenced"""


class TypedObjectReference(Model):
    """TypedObjectReference contains enough information to let you locate the typed referenced object"""

    api_group: Annotated[str | None, Field(alias="apiGroup")] = None
    """APIGroup is the group for the resource being referenced."""
    kind: str
    """Kind is the type of resource being referenced"""
    name: str
    """Name is the name of resource being referenced"""
    namespace: str | None = None
    """Namespace is the namespace of resource being referenced Note that when a namespace is specified, a gateway.networking.k8s.io/ReferenceGrant object is required in the referent namespace to allow that namespace's owner to accept the ..."""


class VolumeResourceRequirements(Model):
    """VolumeResourceRequirements describes the storage resource requirements for a volume."""

    limits: dict[str, Quantity] | None = None
    """Limits describes the maximum amount of compute resources allowed."""
    requests: dict[str, Quantity] | None = None
    """Requests describes the minimum amount of compute resources required."""


class VsphereVirtualDiskVolumeSource(Model):
    """Represents a vSphere volume resource."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is filesystem type to mount."""
    storage_policy_id: Annotated[str | None, Field(alias="storagePolicyID")] = None
    """storagePolicyID is the storage Policy Based Management (SPBM) profile ID associated with the StoragePolicyName."""
    storage_policy_name: Annotated[str | None, Field(alias="storagePolicyName")] = None
    """storagePolicyName is the storage Policy Based Management (SPBM) profile name."""
    volume_path: Annotated[str, Field(alias="volumePath")]
    """volumePath is the path that identifies vSphere volume vmdk"""


class NodeSelector(Model):
    """A node selector represents the union of the results of one or more label queries over a set of nodes; that is, it represents the OR of the selectors represented by the node selector terms."""

    node_selector_terms: Annotated[list[NodeSelectorTerm] | None, Field(alias="nodeSelectorTerms")]
    """Required."""


class PersistentVolumeClaimSpec(Model):
    """PersistentVolumeClaimSpec describes the common attributes of storage devices and allows a Source for provider-specific attributes"""

    access_modes: Annotated[list[str] | None, Field(alias="accessModes")] = None
    """accessModes contains the desired access modes the volume should have."""
    data_source: Annotated[TypedLocalObjectReference | None, Field(alias="dataSource")] = None
    """dataSource field can be used to specify either: * An existing VolumeSnapshot object (snapshot.storage.k8s.io/VolumeSnapshot) * An existing PVC (PersistentVolumeClaim) If the provisioner or an external controller can support the specified ..."""
    data_source_ref: Annotated[TypedObjectReference | None, Field(alias="dataSourceRef")] = None
    """dataSourceRef specifies the object from which to populate the volume with data, if a non-empty volume is desired."""
    resources: VolumeResourceRequirements | None = None
    """resources represents the minimum resources the volume should have."""
    selector: LabelSelector | None = None
    """selector is a label query over volumes to consider for binding."""
    storage_class_name: Annotated[str | None, Field(alias="storageClassName")] = None
    """storageClassName is the name of the StorageClass required by the claim."""
    volume_attributes_class_name: Annotated[str | None, Field(alias="volumeAttributesClassName")] = None
    """volumeAttributesClassName may be used to set the VolumeAttributesClass used by this claim."""
    volume_mode: Annotated[str | None, Field(alias="volumeMode")] = None
    """volumeMode defines what type of volume is required by the claim. One of `Block`, `Filesystem`."""
    volume_name: Annotated[str | None, Field(alias="volumeName")] = None
    """volumeName is the binding reference to the PersistentVolume backing this claim."""
