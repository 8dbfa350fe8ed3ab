# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""PersistentVolume of v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Quantity, Timestamp
from ..core_v1.common import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    FCVolumeSource,
    FlockerVolumeSource,
    GCEPersistentDiskVolumeSource,
    HostPathVolumeSource,
    NFSVolumeSource,
    NodeSelector,
    ObjectReference,
    PhotonPersistentDiskVolumeSource,
    PortworxVolumeSource,
    QuobyteVolumeSource,
    VsphereVirtualDiskVolumeSource,
)
from ..resource import Resource


class AzureFilePersistentVolumeSource(Model):
    """AzureFile represents an Azure File Service mount on the host and bind mount to the pod."""

    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly defaults to false (read/write)."""
    secret_name: Annotated[str, Field(alias="secretName")]
    """secretName is the name of secret that contains Azure Storage Account Name and Key"""
    secret_namespace: Annotated[str | None, Field(alias="secretNamespace")] = None
    """secretNamespace is the namespace of the secret that contains Azure Storage Account Name and Key default is the same as the Pod"""
    share_name: Annotated[str, Field(alias="shareName")]
    """shareName is the azure Share Name"""


class GlusterfsPersistentVolumeSource(Model):
    """Represents a Glusterfs mount that lasts the lifetime of a pod."""

    endpoints: str
    """endpoints is the endpoint name that details Glusterfs topology."""
    endpoints_namespace: Annotated[str | None, Field(alias="endpointsNamespace")] = None
    """endpointsNamespace is the namespace that contains Glusterfs endpoint."""
    path: str
    """path is the Glusterfs volume path."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly here will force the Glusterfs volume to be mounted with read-only permissions."""


class LocalVolumeSource(Model):
    """Local represents directly-attached storage with node affinity"""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type to mount."""
    path: str
    """path of the full path to the volume on the node."""


class PersistentVolumeStatus(Model):
    """PersistentVolumeStatus is the current status of a persistent volume."""

    last_phase_transition_time: Annotated[Timestamp | None, Field(alias="lastPhaseTransitionTime")] = None
    """lastPhaseTransitionTime is the time the phase transitioned from one to another and automatically resets to current time everytime a volume phase transitions."""
    message: str | None = None
    """message is a human-readable message indicating details about why the volume is in this state."""
    phase: str | None = None
    """phase indicates if a volume is available, bound to a claim, or released by a claim. One of `Available`, `Bound`, `Failed`, `Pending`, `Released`."""
    reason: str | None = None
    """reason is a brief CamelCase string that describes any failure and is meant for machine parsing and tidy display in the CLI."""


class SecretReference(Model):
    """SecretReference represents a Secret Reference."""

    name: str | None = None
    """name is unique within a namespace to reference a secret resource."""
    namespace: str | None = None
    """namespace defines the space within which the secret name must be unique."""


class StorageOSPersistentVolumeSource(Model):
    """Represents a StorageOS persistent volume resource."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type to mount."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly defaults to false (read/write)."""
    secret_ref: Annotated[ObjectReference | None, Field(alias="secretRef")] = None
    """secretRef specifies the secret to use for obtaining the StorageOS API credentials."""
    volume_name: Annotated[str | None, Field(alias="volumeName")] = None
    """volumeName is the human-readable name of the StorageOS volume."""
    volume_namespace: Annotated[str | None, Field(alias="volumeNamespace")] = None
    """volumeNamespace specifies the scope of the volume within StorageOS."""


class VolumeNodeAffinity(Model):
    """VolumeNodeAffinity defines constraints that limit what nodes this volume can be accessed from."""

    required: NodeSelector | None = None
    """required specifies hard node constraints that must be met."""


class CSIPersistentVolumeSource(Model):
    """Represents storage that is managed by an external CSI volume driver"""

    controller_expand_secret_ref: Annotated[SecretReference | None, Field(alias="controllerExpandSecretRef")] = None
    """controllerExpandSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI ControllerExpandVolume call."""
    controller_publish_secret_ref: Annotated[SecretReference | None, Field(alias="controllerPublishSecretRef")] = None
    """controllerPublishSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI ControllerPublishVolume and ControllerUnpublishVolume calls."""
    driver: str
    """driver is the name of the driver to use for this volume."""
    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType to mount."""
    node_expand_secret_ref: Annotated[SecretReference | None, Field(alias="nodeExpandSecretRef")] = None
    """nodeExpandSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI NodeExpandVolume call."""
    node_publish_secret_ref: Annotated[SecretReference | None, Field(alias="nodePublishSecretRef")] = None
    """nodePublishSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI NodePublishVolume and NodeUnpublishVolume calls."""
    node_stage_secret_ref: Annotated[SecretReference | None, Field(alias="nodeStageSecretRef")] = None
    """nodeStageSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI NodeStageVolume and NodeStageVolume and NodeUnstageVolume calls."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly value to pass to ControllerPublishVolumeRequest."""
    volume_attributes: Annotated[dict[str, str] | None, Field(alias="volumeAttributes")] = None
    """volumeAttributes of the volume to publish."""
    volume_handle: Annotated[str, Field(alias="volumeHandle")]
    """volumeHandle is the unique volume name returned by the CSI volume plugin’s CreateVolume to refer to the volume on all subsequent calls."""


class CephFSPersistentVolumeSource(Model):
    """Represents a Ceph Filesystem mount that lasts the lifetime of a pod Cephfs volumes do not support ownership management or SELinux relabeling."""

    monitors: list[str] | None
    """monitors is Required: Monitors is a collection of Ceph monitors More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it"""
    path: str | None = None
    """path is Optional: Used as the mounted root, rather than the full Ceph tree, default is /"""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly is Optional: Defaults to false (read/write)."""
    secret_file: Annotated[str | None, Field(alias="secretFile")] = None
    """secretFile is Optional: SecretFile is the path to key ring for User, default is /etc/ceph/user.secret More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it"""
    secret_ref: Annotated[SecretReference | None, Field(alias="secretRef")] = None
    """secretRef is Optional: SecretRef is reference to the authentication secret for User, default is empty."""
    user: str | None = None
    """user is Optional: User is the rados user name, default is admin More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it"""


class CinderPersistentVolumeSource(Model):
    """Represents a cinder volume resource in Openstack."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType Filesystem type to mount."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly is Optional: Defaults to false (read/write)."""
    secret_ref: Annotated[SecretReference | None, Field(alias="secretRef")] = None
    """secretRef is Optional: points to a secret object containing parameters used to connect to OpenStack."""
    volume_id: Annotated[str, Field(alias="volumeID")]
    """volumeID used to identify the volume in cinder."""


class FlexPersistentVolumeSource(Model):
    """FlexPersistentVolumeSource represents a generic persistent volume resource that is provisioned/attached using an exec based plugin."""

    driver: str
    """driver is the name of the driver to use for this volume."""
    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the Filesystem type to mount."""
    options: dict[str, str] | None = None
    """options is Optional: this field holds extra command options if any."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly is Optional: defaults to false (read/write)."""
    secret_ref: Annotated[SecretReference | None, Field(alias="secretRef")] = None
    """secretRef is Optional: SecretRef is reference to the secret object containing sensitive information to pass to the plugin scripts."""


class ISCSIPersistentVolumeSource(Model):
    """ISCSIPersistentVolumeSource represents an ISCSI disk."""

    chap_auth_discovery: Annotated[bool | None, Field(alias="chapAuthDiscovery")] = None
    """chapAuthDiscovery defines whether support iSCSI Discovery CHAP authentication"""
    chap_auth_session: Annotated[bool | None, Field(alias="chapAuthSession")] = None
    """chapAuthSession defines whether support iSCSI Session CHAP authentication"""
    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type of the volume that you want to mount."""
    initiator_name: Annotated[str | None, Field(alias="initiatorName")] = None
    """initiatorName is the custom iSCSI Initiator Name."""
    iqn: str
    """iqn is Target iSCSI Qualified Name."""
    iscsi_interface: Annotated[str, Field(alias="iscsiInterface")] = "default"
    """iscsiInterface is the interface Name that uses an iSCSI transport."""
    lun: int
    """lun is iSCSI Target Lun number."""
    portals: list[str] | None = None
    """portals is the iSCSI Target Portal List."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly here will force the ReadOnly setting in VolumeMounts."""
    secret_ref: Annotated[SecretReference | None, Field(alias="secretRef")] = None
    """secretRef is the CHAP Secret for iSCSI target and initiator authentication"""
    target_portal: Annotated[str, Field(alias="targetPortal")]
    """targetPortal is iSCSI Target Portal."""


class RBDPersistentVolumeSource(Model):
    """Represents a Rados Block Device mount that lasts the lifetime of a pod."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type of the volume that you want to mount."""
    image: str
    """image is the rados image name."""
    keyring: str = "/etc/ceph/keyring"
    """keyring is the path to key ring for RBDUser."""
    monitors: list[str] | None
    """monitors is a collection of Ceph monitors."""
    pool: str = "rbd"
    """pool is the rados pool name."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly here will force the ReadOnly setting in VolumeMounts."""
    secret_ref: Annotated[SecretReference | None, Field(alias="secretRef")] = None
    """secretRef is name of the authentication secret for RBDUser."""
    user: str = "admin"
    """user is the rados user name."""


class ScaleIOPersistentVolumeSource(Model):
    """ScaleIOPersistentVolumeSource represents a persistent ScaleIO volume"""

    fs_type: Annotated[str, Field(alias="fsType")] = "xfs"
    """fsType is the filesystem type to mount."""
    gateway: str
    """gateway is the host address of the ScaleIO API Gateway."""
    protection_domain: Annotated[str | None, Field(alias="protectionDomain")] = None
    """protectionDomain is the name of the ScaleIO Protection Domain for the configured storage."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly defaults to false (read/write)."""
    secret_ref: Annotated[SecretReference, Field(alias="secretRef")]
    """secretRef references to the secret for ScaleIO user and other sensitive information."""
    ssl_enabled: Annotated[bool | None, Field(alias="sslEnabled")] = None
    """sslEnabled is the flag to enable/disable SSL communication with Gateway, default false"""
    storage_mode: Annotated[str, Field(alias="storageMode")] = "ThinProvisioned"
    """storageMode indicates whether the storage for a volume should be ThickProvisioned or ThinProvisioned."""
    storage_pool: Annotated[str | None, Field(alias="storagePool")] = None
    """storagePool is the ScaleIO Storage Pool associated with the protection domain."""
    system: str
    """system is the name of the storage system as configured in ScaleIO."""
    volume_name: Annotated[str | None, Field(alias="volumeName")] = None
    """volumeName is the name of a volume already created in the ScaleIO system that is associated with this volume source."""


class PersistentVolumeSpec(Model):
    """PersistentVolumeSpec is the specification of a persistent volume."""

    access_modes: Annotated[list[str] | None, Field(alias="accessModes")] = None
    """accessModes contains all ways the volume can be mounted."""
    aws_elastic_block_store: Annotated[AWSElasticBlockStoreVolumeSource | None, Field(alias="awsElasticBlockStore")] = (
        None
    )
    """awsElasticBlockStore represents an AWS Disk resource that is attached to a kubelet's host machine and then exposed to the pod."""
    azure_disk: Annotated[AzureDiskVolumeSource | None, Field(alias="azureDisk")] = None
    """azureDisk represents an Azure Data Disk mount on the host and bind mount to the pod."""
    azure_file: Annotated[AzureFilePersistentVolumeSource | None, Field(alias="azureFile")] = None
    """azureFile represents an Azure File Service mount on the host and bind mount to the pod."""
    capacity: dict[str, Quantity] | None = None
    """capacity is the description of the persistent volume's resources and capacity."""
    cephfs: CephFSPersistentVolumeSource | None = None
    """cephFS represents a Ceph FS mount on the host that shares a pod's lifetime."""
    cinder: CinderPersistentVolumeSource | None = None
    """cinder represents a cinder volume attached and mounted on kubelets host machine."""
    claim_ref: Annotated[ObjectReference | None, Field(alias="claimRef")] = None
    """claimRef is part of a bi-directional binding between PersistentVolume and PersistentVolumeClaim."""
    csi: CSIPersistentVolumeSource | None = None
    """csi represents storage that is handled by an external CSI driver."""
    fc: FCVolumeSource | None = None
    """fc represents a Fibre Channel resource that is attached to a kubelet's host machine and then exposed to the pod."""
    flex_volume: Annotated[FlexPersistentVolumeSource | None, Field(alias="flexVolume")] = None
    """flexVolume represents a generic volume resource that is provisioned/attached using an exec based plugin."""
    flocker: FlockerVolumeSource | None = None
    """flocker represents a Flocker volume attached to a kubelet's host machine and exposed to the pod for its usage."""
    gce_persistent_disk: Annotated[GCEPersistentDiskVolumeSource | None, Field(alias="gcePersistentDisk")] = None
    """gcePersistentDisk represents a GCE Disk resource that is attached to a kubelet's host machine and then exposed to the pod."""
    glusterfs: GlusterfsPersistentVolumeSource | None = None
    """glusterfs represents a Glusterfs volume that is attached to a host and exposed to the pod."""
    host_path: Annotated[HostPathVolumeSource | None, Field(alias="hostPath")] = None
    """hostPath represents a directory on the host."""
    iscsi: ISCSIPersistentVolumeSource | None = None
    """iscsi represents an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod."""
    local: LocalVolumeSource | None = None
    """local represents directly-attached storage with node affinity"""
    mount_options: Annotated[list[str] | None, Field(alias="mountOptions")] = None
    """mountOptions is the list of mount options, e.g. ["ro", "soft"]."""
    nfs: NFSVolumeSource | None = None
    """nfs represents an NFS mount on the host."""
    node_affinity: Annotated[VolumeNodeAffinity | None, Field(alias="nodeAffinity")] = None
    """nodeAffinity defines constraints that limit what nodes this volume can be accessed from."""
    persistent_volume_reclaim_policy: Annotated[str | None, Field(alias="persistentVolumeReclaimPolicy")] = None
    """persistentVolumeReclaimPolicy defines what happens to a persistent volume when released from its claim. One of `Delete`, `Recycle`, `Retain`."""
    photon_persistent_disk: Annotated[PhotonPersistentDiskVolumeSource | None, Field(alias="photonPersistentDisk")] = (
        None
    )
    """photonPersistentDisk represents a PhotonController persistent disk attached and mounted on kubelets host machine."""
    portworx_volume: Annotated[PortworxVolumeSource | None, Field(alias="portworxVolume")] = None
    """portworxVolume represents a portworx volume attached and mounted on kubelets host machine."""
    quobyte: QuobyteVolumeSource | None = None
    """quobyte represents a Quobyte mount on the host that shares a pod's lifetime."""
    rbd: RBDPersistentVolumeSource | None = None
    """rbd represents a Rados Block Device mount on the host that shares a pod's lifetime."""
    scale_io: Annotated[ScaleIOPersistentVolumeSource | None, Field(alias="scaleIO")] = None
    """scaleIO represents a ScaleIO persistent volume attached and mounted on Kubernetes nodes."""
    storage_class_name: Annotated[str | None, Field(alias="storageClassName")] = None
    """storageClassName is the name of StorageClass to which this persistent volume belongs."""
    storageos: StorageOSPersistentVolumeSource | None = None
    """storageOS represents a StorageOS volume that is attached to the kubelet's host machine and mounted into the pod."""
    volume_attributes_class_name: Annotated[str | None, Field(alias="volumeAttributesClassName")] = None
    """Name of VolumeAttributesClass to which this persistent volume belongs."""
    volume_mode: Annotated[str | None, Field(alias="volumeMode")] = None
    """volumeMode defines if a volume is intended to be used with a formatted filesystem or to remain in raw block state. One of `Block`, `Filesystem`."""
    vsphere_volume: Annotated[VsphereVirtualDiskVolumeSource | None, Field(alias="vsphereVolume")] = None
    """vsphereVolume represents a vSphere volume attached and mounted on kubelets host machine."""


class PersistentVolume(Resource):
    """PersistentVolume (PV) is a storage resource provisioned by an administrator."""

    api_version: Annotated[Literal["v1"], Field(alias="apiVersion")] = "v1"
    kind: Literal["PersistentVolume"] = "PersistentVolume"
    spec: PersistentVolumeSpec | None = None
    """spec defines a specification of a persistent volume owned by the cluster."""
    status: PersistentVolumeStatus | None = None
    """status represents the current information/status for the persistent volume."""
