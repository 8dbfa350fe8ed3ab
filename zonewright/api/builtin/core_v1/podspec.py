# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""PodSpec of v1."""

from typing import Annotated

from pydantic import Field

from ..base import IntOrString, Model, Quantity
from ..core_v1.common import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    FCVolumeSource,
    FlockerVolumeSource,
    GCEPersistentDiskVolumeSource,
    HostPathVolumeSource,
    LocalObjectReference,
    NFSVolumeSource,
    NodeSelector,
    NodeSelectorTerm,
    PersistentVolumeClaimSpec,
    PhotonPersistentDiskVolumeSource,
    PortworxVolumeSource,
    QuobyteVolumeSource,
    ResourceRequirements,
    VsphereVirtualDiskVolumeSource,
)
from ..meta_v1.common import LabelSelector, ObjectMeta


class AppArmorProfile(Model):
    """AppArmorProfile defines a pod or container's AppArmor settings."""

    localhost_profile: Annotated[str | None, Field(alias="localhostProfile")] = None
    """localhostProfile indicates a profile loaded on the node that should be used."""
    type: str
    """type indicates which kind of AppArmor profile will be applied. One of `Localhost`, `RuntimeDefault`, `Unconfined`."""


class AzureFileVolumeSource(Model):
    """AzureFile represents an Azure File Service mount on the host and bind mount to the pod."""

    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly defaults to false (read/write)."""
    secret_name: Annotated[str, Field(alias="secretName")]
    """secretName is the name of secret that contains Azure Storage Account Name and Key"""
    share_name: Annotated[str, Field(alias="shareName")]
    """shareName is the azure share Name"""


class CSIVolumeSource(Model):
    """Represents a source location of a volume to mount, managed by an external CSI driver"""

    driver: str
    """driver is the name of the CSI driver that handles this volume."""
    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType to mount."""
    node_publish_secret_ref: Annotated[LocalObjectReference | None, Field(alias="nodePublishSecretRef")] = None
    """nodePublishSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI NodePublishVolume and NodeUnpublishVolume calls."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly specifies a read-only configuration for the volume."""
    volume_attributes: Annotated[dict[str, str] | None, Field(alias="volumeAttributes")] = None
    """volumeAttributes stores driver-specific properties that are passed to the CSI driver."""


class Capabilities(Model):
    """Adds and removes POSIX capabilities from running containers."""

    add: list[str] | None = None
    """Added capabilities"""
    drop: list[str] | None = None
    """Removed capabilities"""


class CephFSVolumeSource(Model):
    """Represents a Ceph Filesystem mount that lasts the lifetime of a pod Cephfs volumes do not support ownership management or SELinux relabeling."""

    monitors: list[str] | None
    """monitors is Required: Monitors is a collection of Ceph monitors More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it"""
    path: str | None = None
    """path is Optional: Used as the mounted root, rather than the full Ceph tree, default is /"""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly is Optional: Defaults to false (read/write)."""
    secret_file: Annotated[str | None, Field(alias="secretFile")] = None
    """secretFile is Optional: SecretFile is the path to key ring for User, default is /etc/ceph/user.secret More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it"""
    secret_ref: Annotated[LocalObjectReference | None, Field(alias="secretRef")] = None
    """secretRef is Optional: SecretRef is reference to the authentication secret for User, default is empty."""
    user: str | None = None
    """user is optional: User is the rados user name, default is admin More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it"""


class CinderVolumeSource(Model):
    """Represents a cinder volume resource in Openstack."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type to mount."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly defaults to false (read/write)."""
    secret_ref: Annotated[LocalObjectReference | None, Field(alias="secretRef")] = None
    """secretRef is optional: points to a secret object containing parameters used to connect to OpenStack."""
    volume_id: Annotated[str, Field(alias="volumeID")]
    """volumeID used to identify the volume in cinder."""


class ClusterTrustBundleProjection(Model):
    """ClusterTrustBundleProjection describes how to select a set of ClusterTrustBundle objects and project their contents into the pod filesystem."""

    label_selector: Annotated[LabelSelector | None, Field(alias="labelSelector")] = None
    """Select all ClusterTrustBundles that match this label selector."""
    name: str | None = None
    """Select a single ClusterTrustBundle by object name."""
    optional: bool | None = None
    """If true, don't block pod startup if the referenced ClusterTrustBundle(s) aren't available."""
    path: str
    """Relative path from the volume root to write the bundle."""
    signer_name: Annotated[str | None, Field(alias="signerName")] = None
    """Select all ClusterTrustBundles that match this signer name."""


class ConfigMapEnvSource(Model):
    """ConfigMapEnvSource selects a ConfigMap to populate the environment variables with."""

    name: str | None = None
    """Name of the referent."""
    optional: bool | None = None
    """Specify whether the ConfigMap must be defined"""


class ConfigMapKeySelector(Model):
    """Selects a key from a ConfigMap."""

    key: str
    """The key to select."""
    name: str | None = None
    """Name of the referent."""
    optional: bool | None = None
    """Specify whether the ConfigMap or its key must be defined"""


class ContainerPort(Model):
    """ContainerPort represents a network port in a single container."""

    container_port: Annotated[int, Field(alias="containerPort")]
    """Number of port to expose on the pod's IP address."""
    host_ip: Annotated[str | None, Field(alias="hostIP")] = None
    """What host IP to bind the external port to."""
    host_port: Annotated[int | None, Field(alias="hostPort")] = None
    """Number of port to expose on the host."""
    name: str | None = None
    """If specified, this must be an IANA_SVC_NAME and unique within the pod."""
    protocol: str = "TCP"
    """Protocol for port. One of `SCTP`, `TCP`, `UDP`."""


class ContainerResizePolicy(Model):
    """ContainerResizePolicy represents resource resize policy for the container."""

    resource_name: Annotated[str, Field(alias="resourceName")]
    """Name of the resource to which this resource resize policy applies."""
    restart_policy: Annotated[str, Field(alias="restartPolicy")]
    """Restart policy to apply when specified resource is resized."""


class ContainerRestartRuleOnExitCodes(Model):
    """ContainerRestartRuleOnExitCodes describes the condition for handling an exited container based on its exit codes."""

    operator: str
    """Represents the relationship between the container exit code(s) and the specified values."""
    values: list[int] | None = None
    """Specifies the set of values to check for container exit codes."""


class EmptyDirVolumeSource(Model):
    """Represents an empty directory for a pod."""

    medium: str | None = None
    """medium represents what type of storage medium should back this directory."""
    size_limit: Annotated[Quantity | None, Field(alias="sizeLimit")] = None
    """sizeLimit is the total amount of local storage required for this EmptyDir volume."""


class ExecAction(Model):
    """ExecAction describes a "run in container" action."""

    command: list[str] | None = None
    """Command is the command line to execute inside the container, the working directory for the command is root ('/') in the container's filesystem."""


class FileKeySelector(Model):
    """FileKeySelector selects a key of the env file."""

    key: str
    """The key within the env file."""
    optional: bool | None = None
    """Specify whether the file or its key must be defined."""
    path: str
    """The path within the volume from which to select the file."""
    volume_name: Annotated[str, Field(alias="volumeName")]
    """The name of the volume mount containing the env file."""


class FlexVolumeSource(Model):
    """FlexVolume represents a generic volume resource that is provisioned/attached using an exec based plugin."""

    driver: str
    """driver is the name of the driver to use for this volume."""
    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type to mount."""
    options: dict[str, str] | None = None
    """options is Optional: this field holds extra command options if any."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly is Optional: defaults to false (read/write)."""
    secret_ref: Annotated[LocalObjectReference | None, Field(alias="secretRef")] = None
    """secretRef is Optional: secretRef is reference to the secret object containing sensitive information to pass to the plugin scripts."""


class GRPCAction(Model):
    """GRPCAction specifies an action involving a GRPC service."""

    port: int
    """Port number of the gRPC service."""
    service: str | None = None
    """Service is the name of the service to place in the gRPC HealthCheckRequest (see https://github.com/grpc/grpc/blob/master/doc/health-checking.md)."""


class GitRepoVolumeSource(Model):
    """Represents a volume that is populated with the contents of a git repository."""

    directory: str | None = None
    """directory is the target directory name."""
    repository: str
    """repository is the URL"""
    revision: str | None = None
    """revision is the commit hash for the specified revision."""


class GlusterfsVolumeSource(Model):
    """Represents a Glusterfs mount that lasts the lifetime of a pod."""

    endpoints: str
    """endpoints is the endpoint name that details Glusterfs topology."""
    path: str
    """path is the Glusterfs volume path."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly here will force the Glusterfs volume to be mounted with read-only permissions."""


class HTTPHeader(Model):
    """HTTPHeader describes a custom header to be used in HTTP probes"""

    name: str
    """The header field name."""
    value: str
    """The header field value"""


class HostAlias(Model):
    """HostAlias holds the mapping between IP and hostnames that will be injected as an entry in the pod's hosts file."""

    hostnames: list[str] | None = None
    """Hostnames for the above IP address."""
    ip: str
    """IP address of the host file entry."""


class ISCSIVolumeSource(Model):
    """Represents an ISCSI disk."""

    chap_auth_discovery: Annotated[bool | None, Field(alias="chapAuthDiscovery")] = None
    """chapAuthDiscovery defines whether support iSCSI Discovery CHAP authentication"""
    chap_auth_session: Annotated[bool | None, Field(alias="chapAuthSession")] = None
    """chapAuthSession defines whether support iSCSI Session CHAP authentication"""
    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type of the volume that you want to mount."""
    initiator_name: Annotated[str | None, Field(alias="initiatorName")] = None
    """initiatorName is the custom iSCSI Initiator Name."""
    iqn: str
    """iqn is the target iSCSI Qualified Name."""
    iscsi_interface: Annotated[str, Field(alias="iscsiInterface")] = "default"
    """iscsiInterface is the interface Name that uses an iSCSI transport."""
    lun: int
    """lun represents iSCSI Target Lun number."""
    portals: list[str] | None = None
    """portals is the iSCSI Target Portal List."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly here will force the ReadOnly setting in VolumeMounts."""
    secret_ref: Annotated[LocalObjectReference | None, Field(alias="secretRef")] = None
    """secretRef is the CHAP Secret for iSCSI target and initiator authentication"""
    target_portal: Annotated[str, Field(alias="targetPortal")]
    """targetPortal is iSCSI Target Portal."""


class ImageVolumeSource(Model):
    """ImageVolumeSource represents a image volume resource."""

    pull_policy: Annotated[str | None, Field(alias="pullPolicy")] = None
    """Policy for pulling OCI objects. One of `Always`, `IfNotPresent`, `Never`."""
    reference: str | None = None
    """Required: Image or artifact reference to be used."""


class KeyToPath(Model):
    """Maps a string key to a path within a volume."""

    key: str
    """key is the key to project."""
    mode: int | None = None
    """mode is Optional: mode bits used to set permissions on this file."""
    path: str
    """path is the relative path of the file to map the key to."""


class ObjectFieldSelector(Model):
    """ObjectFieldSelector selects an APIVersioned field of an object."""

    api_version: Annotated[str | None, Field(alias="apiVersion")] = None
    """Version of the schema the FieldPath is written in terms of, defaults to "v1"."""
    field_path: Annotated[str, Field(alias="fieldPath")]
    """Path of the field to select in the specified API version."""


class PersistentVolumeClaimTemplate(Model):
    """PersistentVolumeClaimTemplate is used to produce PersistentVolumeClaim objects as part of an EphemeralVolumeSource."""

    metadata: ObjectMeta | None = None
    """May contain labels and annotations that will be copied into the PVC when creating it."""
    spec: PersistentVolumeClaimSpec
    """The specification for the PersistentVolumeClaim."""


class PersistentVolumeClaimVolumeSource(Model):
    """PersistentVolumeClaimVolumeSource references the user's PVC in the same namespace."""

    claim_name: Annotated[str, Field(alias="claimName")]
    """claimName is the name of a PersistentVolumeClaim in the same namespace as the pod using this volume."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly Will force the ReadOnly setting in VolumeMounts."""


class PodAffinityTerm(Model):
    """Defines a set of pods (namely those matching the labelSelector relative to the given namespace(s)) that this pod should be co-located (affinity) or not co-located (anti-affinity) with, where co-located is defined as running on a node whose ..."""

    label_selector: Annotated[LabelSelector | None, Field(alias="labelSelector")] = None
    """A label query over a set of resources, in this case pods."""
    match_label_keys: Annotated[list[str] | None, Field(alias="matchLabelKeys")] = None
    """MatchLabelKeys is a set of pod label keys to select which pods will be taken into consideration."""
    mismatch_label_keys: Annotated[list[str] | None, Field(alias="mismatchLabelKeys")] = None
    """MismatchLabelKeys is a set of pod label keys to select which pods will be taken into consideration."""
    namespace_selector: Annotated[LabelSelector | None, Field(alias="namespaceSelector")] = None
    """A label query over the set of namespaces that the term applies to."""
    namespaces: list[str] | None = None
    """namespaces specifies a static list of namespace names that the term applies to."""
    topology_key: Annotated[str, Field(alias="topologyKey")]
    """This pod should be co-located (affinity) or not co-located (anti-affinity) with the pods matching the labelSelector in the specified namespaces, where co-located is defined as running on a node whose value of the label with key topologyKey ..."""


class PodCertificateProjection(Model):
    """PodCertificateProjection provides a private key and X.509 certificate in the pod filesystem."""

    certificate_chain_path: Annotated[str | None, Field(alias="certificateChainPath")] = None
    """Write the certificate chain at this path in the projected volume."""
    credential_bundle_path: Annotated[str | None, Field(alias="credentialBundlePath")] = None
    """Write the credential bundle at this path in the projected volume."""
    key_path: Annotated[str | None, Field(alias="keyPath")] = None
    """Write the key at this path in the projected volume."""
    key_type: Annotated[str, Field(alias="keyType")]
    """The type of keypair Kubelet will generate for the pod."""
    max_expiration_seconds: Annotated[int | None, Field(alias="maxExpirationSeconds")] = None
    """maxExpirationSeconds is the maximum lifetime permitted for the certificate."""
    signer_name: Annotated[str, Field(alias="signerName")]
    """Kubelet's generated CSRs will be addressed to this signer."""
    user_annotations: Annotated[dict[str, str] | None, Field(alias="userAnnotations")] = None
    """userAnnotations allow pod authors to pass additional information to the signer implementation."""


class PodDNSConfigOption(Model):
    """PodDNSConfigOption defines DNS resolver options of a pod."""

    name: str | None = None
    """Name is this DNS resolver option's name."""
    value: str | None = None
    """Value is this DNS resolver option's value."""


class PodOS(Model):
    """PodOS defines the OS parameters of a pod."""

    name: str
    """Name is the name of the operating system."""


class PodReadinessGate(Model):
    """PodReadinessGate contains the reference to a pod condition"""

    condition_type: Annotated[str, Field(alias="conditionType")]
    """ConditionType refers to a condition in the pod's condition list with matching type."""


class PodResourceClaim(Model):
    """PodResourceClaim references exactly one ResourceClaim, either directly or by naming a ResourceClaimTemplate which is then turned into a ResourceClaim for the pod."""

    name: str
    """Name uniquely identifies this resource claim inside the pod."""
    resource_claim_name: Annotated[str | None, Field(alias="resourceClaimName")] = None
    """ResourceClaimName is the name of a ResourceClaim object in the same namespace as this pod."""
    resource_claim_template_name: Annotated[str | None, Field(alias="resourceClaimTemplateName")] = None
    """ResourceClaimTemplateName is the name of a ResourceClaimTemplate object in the same namespace as this pod."""


class PodSchedulingGate(Model):
    """PodSchedulingGate is associated to a Pod to guard its scheduling."""

    name: str
    """Name of the scheduling gate."""


class PodSchedulingGroup(Model):
    """PodSchedulingGroup identifies the runtime scheduling group instance that a Pod belongs to."""

    pod_group_name: Annotated[str | None, Field(alias="podGroupName")] = None
    """PodGroupName specifies the name of the standalone PodGroup object that represents the runtime instance of this group."""


class PreferredSchedulingTerm(Model):
    """An empty preferred scheduling term matches all objects with implicit weight 0 (i.e. it's a no-op)."""

    preference: NodeSelectorTerm
    """A node selector term, associated with the corresponding weight."""
    weight: int
    """Weight associated with matching the corresponding nodeSelectorTerm, in the range 1-100."""


class RBDVolumeSource(Model):
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
    secret_ref: Annotated[LocalObjectReference | None, Field(alias="secretRef")] = None
    """secretRef is name of the authentication secret for RBDUser."""
    user: str = "admin"
    """user is the rados user name."""


class ResourceFieldSelector(Model):
    """ResourceFieldSelector represents container resources (cpu, memory) and their output format"""

    container_name: Annotated[str | None, Field(alias="containerName")] = None
    """Container name: required for volumes, optional for env vars"""
    divisor: Quantity | None = None
    """Specifies the output format of the exposed resources, defaults to "1\""""
    resource: str
    """Required: resource to select"""


class SELinuxOptions(Model):
    """SELinuxOptions are the labels to be applied to the container"""

    level: str | None = None
    """Level is SELinux level label that applies to the container."""
    role: str | None = None
    """Role is a SELinux role label that applies to the container."""
    type: str | None = None
    """Type is a SELinux type label that applies to the container."""
    user: str | None = None
    """User is a SELinux user label that applies to the container."""


class ScaleIOVolumeSource(Model):
    """ScaleIOVolumeSource represents a persistent ScaleIO volume"""

    fs_type: Annotated[str, Field(alias="fsType")] = "xfs"
    """fsType is the filesystem type to mount."""
    gateway: str
    """gateway is the host address of the ScaleIO API Gateway."""
    protection_domain: Annotated[str | None, Field(alias="protectionDomain")] = None
    """protectionDomain is the name of the ScaleIO Protection Domain for the configured storage."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly Defaults to false (read/write)."""
    secret_ref: Annotated[LocalObjectReference, Field(alias="secretRef")]
    """secretRef references to the secret for ScaleIO user and other sensitive information."""
    ssl_enabled: Annotated[bool | None, Field(alias="sslEnabled")] = None
    """sslEnabled Flag enable/disable SSL communication with Gateway, default false"""
    storage_mode: Annotated[str, Field(alias="storageMode")] = "ThinProvisioned"
    """storageMode indicates whether the storage for a volume should be ThickProvisioned or ThinProvisioned."""
    storage_pool: Annotated[str | None, Field(alias="storagePool")] = None
    """storagePool is the ScaleIO Storage Pool associated with the protection domain."""
    system: str
    """system is the name of the storage system as configured in ScaleIO."""
    volume_name: Annotated[str | None, Field(alias="volumeName")] = None
    """volumeName is the name of a volume already created in the ScaleIO system that is associated with this volume source."""


class SeccompProfile(Model):
    """SeccompProfile defines a pod/container's seccomp profile settings."""

    localhost_profile: Annotated[str | None, Field(alias="localhostProfile")] = None
    """localhostProfile indicates a profile defined in a file on the node should be used."""
    type: str
    """type indicates which kind of seccomp profile will be applied. One of `Localhost`, `RuntimeDefault`, `Unconfined`."""


class SecretEnvSource(Model):
    """SecretEnvSource selects a Secret to populate the environment variables with."""

    name: str | None = None
    """Name of the referent."""
    optional: bool | None = None
    """Specify whether the Secret must be defined"""


class SecretKeySelector(Model):
    """SecretKeySelector selects a key of a Secret."""

    key: str
    """The key of the secret to select from."""
    name: str | None = None
    """Name of the referent."""
    optional: bool | None = None
    """Specify whether the Secret or its key must be defined"""


class SecretProjection(Model):
    """Adapts a secret into a projected volume."""

    items: list[KeyToPath] | None = None
    """items if unspecified, each key-value pair in the Data field of the referenced Secret will be projected into the volume as a file whose name is the key and content is the value."""
    name: str | None = None
    """Name of the referent."""
    optional: bool | None = None
    """optional field specify whether the Secret or its key must be defined"""


class SecretVolumeSource(Model):
    """Adapts a Secret into a volume."""

    default_mode: Annotated[int | None, Field(alias="defaultMode")] = None
    """defaultMode is Optional: mode bits used to set permissions on created files by default."""
    items: list[KeyToPath] | None = None
    """items If unspecified, each key-value pair in the Data field of the referenced Secret will be projected into the volume as a file whose name is the key and content is the value."""
    optional: bool | None = None
    """optional field specify whether the Secret or its keys must be defined"""
    secret_name: Annotated[str | None, Field(alias="secretName")] = None
    """secretName is the name of the secret in the pod's namespace to use."""


class ServiceAccountTokenProjection(Model):
    """ServiceAccountTokenProjection represents a projected service account token volume."""

    audience: str | None = None
    """audience is the intended audience of the token."""
    expiration_seconds: Annotated[int | None, Field(alias="expirationSeconds")] = None
    """expirationSeconds is the requested duration of validity of the service account token."""
    path: str
    """path is the path relative to the mount point of the file to project the token into."""


class SleepAction(Model):
    """SleepAction describes a "sleep" action."""

    seconds: int
    """Seconds is the number of seconds to sleep."""


class StorageOSVolumeSource(Model):
    """Represents a StorageOS persistent volume resource."""

    fs_type: Annotated[str | None, Field(alias="fsType")] = None
    """fsType is the filesystem type to mount."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """readOnly defaults to false (read/write)."""
    secret_ref: Annotated[LocalObjectReference | None, Field(alias="secretRef")] = None
    """secretRef specifies the secret to use for obtaining the StorageOS API credentials."""
    volume_name: Annotated[str | None, Field(alias="volumeName")] = None
    """volumeName is the human-readable name of the StorageOS volume."""
    volume_namespace: Annotated[str | None, Field(alias="volumeNamespace")] = None
    """volumeNamespace specifies the scope of the volume within StorageOS."""


class Sysctl(Model):
    """Sysctl defines a kernel parameter to be set"""

    name: str
    """Name of a property to set"""
    value: str
    """Value of a property to set"""


class TCPSocketAction(Model):
    """TCPSocketAction describes an action based on opening a socket"""

    host: str | None = None
    """Optional: Host name to connect to, defaults to the pod IP."""
    port: IntOrString
    """Number or name of the port to access on the container."""


class Toleration(Model):
    """The pod this Toleration is attached to tolerates any taint that matches the triple <key,value,effect> using the matching operator <operator>."""

    effect: str | None = None
    """Effect indicates the taint effect to match. One of `NoExecute`, `NoSchedule`, `PreferNoSchedule`."""
    key: str | None = None
    """Key is the taint key that the toleration applies to."""
    operator: str | None = None
    """Operator represents a key's relationship to the value. One of `Equal`, `Exists`, `Gt`, `Lt`."""
    toleration_seconds: Annotated[int | None, Field(alias="tolerationSeconds")] = None
    """TolerationSeconds represents the period of time the toleration (which must be of effect NoExecute, otherwise this field is ignored) tolerates the taint."""
    value: str | None = None
    """Value is the taint value the toleration matches to."""


class TopologySpreadConstraint(Model):
    """TopologySpreadConstraint specifies how to spread matching pods among the given topology."""

    label_selector: Annotated[LabelSelector | None, Field(alias="labelSelector")] = None
    """LabelSelector is used to find matching pods."""
    match_label_keys: Annotated[list[str] | None, Field(alias="matchLabelKeys")] = None
    """MatchLabelKeys is a set of pod label keys to select the pods over which spreading will be calculated."""
    max_skew: Annotated[int, Field(alias="maxSkew")]
    """MaxSkew describes the degree to which pods may be unevenly distributed."""
    min_domains: Annotated[int | None, Field(alias="minDomains")] = None
    """MinDomains indicates a minimum number of eligible domains."""
    node_affinity_policy: Annotated[str | None, Field(alias="nodeAffinityPolicy")] = None
    """NodeAffinityPolicy indicates how we will treat Pod's nodeAffinity/nodeSelector when calculating pod topology spread skew. One of `Honor`, `Ignore`."""
    node_taints_policy: Annotated[str | None, Field(alias="nodeTaintsPolicy")] = None
    """NodeTaintsPolicy indicates how we will treat node taints when calculating pod topology spread skew. One of `Honor`, `Ignore`."""
    topology_key: Annotated[str, Field(alias="topologyKey")]
    """TopologyKey is the key of node labels."""
    when_unsatisfiable: Annotated[str, Field(alias="whenUnsatisfiable")]
    """WhenUnsatisfiable indicates how to deal with a pod if it doesn't satisfy the spread constraint. - DoNotSchedule (default) tells the scheduler not to schedule it. - ScheduleAnyway tells the scheduler to schedule the pod in any location, but ... One of `DoNotSchedule`, `ScheduleAnyway`."""


class VolumeDevice(Model):
    """volumeDevice describes a mapping of a raw block device within a container."""

    device_path: Annotated[str, Field(alias="devicePath")]
    """devicePath is the path inside of the container that the device will be mapped to."""
    name: str
    """name must match the name of a persistentVolumeClaim in the pod"""


class VolumeMount(Model):
    """VolumeMount describes a mounting of a Volume within a container."""

    mount_path: Annotated[str, Field(alias="mountPath")]
    """Path within the container at which the volume should be mounted."""
    mount_propagation: Annotated[str | None, Field(alias="mountPropagation")] = None
    """mountPropagation determines how mounts are propagated from the host to container and the other way around. One of `Bidirectional`, `HostToContainer`, `None`."""
    name: str
    """This must match the Name of a Volume."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """Mounted read-only if true, read-write otherwise (false or unspecified)."""
    recursive_read_only: Annotated[str | None, Field(alias="recursiveReadOnly")] = None
    """RecursiveReadOnly specifies whether read-only mounts should be handled recursively."""
    sub_path: Annotated[str | None, Field(alias="subPath")] = None
    """Path within the volume from which the container's volume should be mounted."""
    sub_path_expr: Annotated[str | None, Field(alias="subPathExpr")] = None
    """Expanded path within the volume from which the container's volume should be mounted."""


class WeightedPodAffinityTerm(Model):
    """The weights of all of the matched WeightedPodAffinityTerm fields are added per-node to find the most preferred node(s)"""

    pod_affinity_term: Annotated[PodAffinityTerm, Field(alias="podAffinityTerm")]
    """Required."""
    weight: int
    """weight associated with matching the corresponding podAffinityTerm, in the range 1-100."""


class WindowsSecurityContextOptions(Model):
    """WindowsSecurityContextOptions contain Windows-specific options and credentials."""

    gmsa_credential_spec: Annotated[str | None, Field(alias="gmsaCredentialSpec")] = None
    """GMSACredentialSpec is where the GMSA admission webhook (https://github.com/kubernetes-sigs/windows-gmsa) inlines the contents of the GMSA credential spec named by the GMSACredentialSpecName field."""
    gmsa_credential_spec_name: Annotated[str | None, Field(alias="gmsaCredentialSpecName")] = None
    """GMSACredentialSpecName is the name of the GMSA credential spec to use."""
    host_process: Annotated[bool | None, Field(alias="hostProcess")] = None
    """HostProcess determines if a container should be run as a 'Host Process' container."""
    run_as_user_name: Annotated[str | None, Field(alias="runAsUserName")] = None
    """The UserName in Windows to run the entrypoint of the container process."""


class ConfigMapProjection(Model):
    """Adapts a ConfigMap into a projected volume."""

    items: list[KeyToPath] | None = None
    """items if unspecified, each key-value pair in the Data field of the referenced ConfigMap will be projected into the volume as a file whose name is the key and content is the value."""
    name: str | None = None
    """Name of the referent."""
    optional: bool | None = None
    """optional specify whether the ConfigMap or its keys must be defined"""


class ConfigMapVolumeSource(Model):
    """Adapts a ConfigMap into a volume."""

    default_mode: Annotated[int | None, Field(alias="defaultMode")] = None
    """defaultMode is optional: mode bits used to set permissions on created files by default."""
    items: list[KeyToPath] | None = None
    """items if unspecified, each key-value pair in the Data field of the referenced ConfigMap will be projected into the volume as a file whose name is the key and content is the value."""
    name: str | None = None
    """Name of the referent."""
    optional: bool | None = None
    """optional specify whether the ConfigMap or its keys must be defined"""


class ContainerRestartRule(Model):
    """ContainerRestartRule describes how a container exit is handled."""

    action: str
    """Specifies the action taken on a container exit if the requirements are satisfied."""
    exit_codes: Annotated[ContainerRestartRuleOnExitCodes | None, Field(alias="exitCodes")] = None
    """Represents the exit codes to check on container exits."""


class DownwardAPIVolumeFile(Model):
    """DownwardAPIVolumeFile represents information to create the file containing the pod field"""

    field_ref: Annotated[ObjectFieldSelector | None, Field(alias="fieldRef")] = None
    """Required: Selects a field of the pod: only annotations, labels, name, namespace and uid are supported."""
    mode: int | None = None
    """Optional: mode bits used to set permissions on this file, must be an octal value between 0000 and 0777 or a decimal value between 0 and 511."""
    path: str
    """Required: Path is the relative path name of the file to be created."""
    resource_field_ref: Annotated[ResourceFieldSelector | None, Field(alias="resourceFieldRef")] = None
    """Selects a resource of the container: only resources limits and requests (limits.cpu, limits.memory, requests.cpu and requests.memory) are currently supported."""


class DownwardAPIVolumeSource(Model):
    """DownwardAPIVolumeSource represents a volume containing downward API info."""

    default_mode: Annotated[int | None, Field(alias="defaultMode")] = None
    """Optional: mode bits to use on created files by default."""
    items: list[DownwardAPIVolumeFile] | None = None
    """Items is a list of downward API volume file"""


class EnvFromSource(Model):
    """EnvFromSource represents the source of a set of ConfigMaps or Secrets"""

    config_map_ref: Annotated[ConfigMapEnvSource | None, Field(alias="configMapRef")] = None
    """The ConfigMap to select from"""
    prefix: str | None = None
    """Optional text to prepend to the name of each environment variable."""
    secret_ref: Annotated[SecretEnvSource | None, Field(alias="secretRef")] = None
    """The Secret to select from"""


class EnvVarSource(Model):
    """EnvVarSource represents a source for the value of an EnvVar."""

    config_map_key_ref: Annotated[ConfigMapKeySelector | None, Field(alias="configMapKeyRef")] = None
    """Selects a key of a ConfigMap."""
    field_ref: Annotated[ObjectFieldSelector | None, Field(alias="fieldRef")] = None
    """Selects a field of the pod: supports metadata.name, metadata.namespace, `metadata.labels['<KEY>']`, `metadata.annotations['<KEY>']`, spec.nodeName, spec.serviceAccountName, status.hostIP, status.podIP, status.podIPs."""
    file_key_ref: Annotated[FileKeySelector | None, Field(alias="fileKeyRef")] = None
    """FileKeyRef selects a key of the env file."""
    resource_field_ref: Annotated[ResourceFieldSelector | None, Field(alias="resourceFieldRef")] = None
    """Selects a resource of the container: only resources limits and requests (limits.cpu, limits.memory, limits.ephemeral-storage, requests.cpu, requests.memory and requests.ephemeral-storage) are currently supported."""
    secret_key_ref: Annotated[SecretKeySelector | None, Field(alias="secretKeyRef")] = None
    """Selects a key of a secret in the pod's namespace"""


class EphemeralVolumeSource(Model):
    """Represents an ephemeral volume that is handled by a normal storage driver."""

    volume_claim_template: Annotated[PersistentVolumeClaimTemplate | None, Field(alias="volumeClaimTemplate")] = None
    """Will be used to create a stand-alone PVC to provision the volume."""


class HTTPGetAction(Model):
    """HTTPGetAction describes an action based on HTTP Get requests."""

    host: str | None = None
    """Host name to connect to, defaults to the pod IP."""
    http_headers: Annotated[list[HTTPHeader] | None, Field(alias="httpHeaders")] = None
    """Custom headers to set in the request."""
    path: str | None = None
    """Path to access on the HTTP server."""
    port: IntOrString
    """Name or number of the port to access on the container."""
    scheme: str | None = None
    """Scheme to use for connecting to the host. One of `HTTP`, `HTTPS`."""


class LifecycleHandler(Model):
    """LifecycleHandler defines a specific action that should be taken in a lifecycle hook."""

    exec: ExecAction | None = None
    """Exec specifies a command to execute in the container."""
    http_get: Annotated[HTTPGetAction | None, Field(alias="httpGet")] = None
    """HTTPGet specifies an HTTP GET request to perform."""
    sleep: SleepAction | None = None
    """Sleep represents a duration that the container should sleep."""
    tcp_socket: Annotated[TCPSocketAction | None, Field(alias="tcpSocket")] = None
    """Deprecated."""


class NodeAffinity(Model):
    """Node affinity is a group of node affinity scheduling rules."""

    preferred_during_scheduling_ignored_during_execution: Annotated[
        list[PreferredSchedulingTerm] | None, Field(alias="preferredDuringSchedulingIgnoredDuringExecution")
    ] = None
    """The scheduler will prefer to schedule pods to nodes that satisfy the affinity expressions specified by this field, but it may choose a node that violates one or more of the expressions."""
    required_during_scheduling_ignored_during_execution: Annotated[
        NodeSelector | None, Field(alias="requiredDuringSchedulingIgnoredDuringExecution")
    ] = None
    """If the affinity requirements specified by this field are not met at scheduling time, the pod will not be scheduled onto the node."""


class PodAffinity(Model):
    """Pod affinity is a group of inter pod affinity scheduling rules."""

    preferred_during_scheduling_ignored_during_execution: Annotated[
        list[WeightedPodAffinityTerm] | None, Field(alias="preferredDuringSchedulingIgnoredDuringExecution")
    ] = None
    """The scheduler will prefer to schedule pods to nodes that satisfy the affinity expressions specified by this field, but it may choose a node that violates one or more of the expressions."""
    required_during_scheduling_ignored_during_execution: Annotated[
        list[PodAffinityTerm] | None, Field(alias="requiredDuringSchedulingIgnoredDuringExecution")
    ] = None
    """If the affinity requirements specified by this field are not met at scheduling time, the pod will not be scheduled onto the node."""


class PodAntiAffinity(Model):
    """Pod anti affinity is a group of inter pod anti affinity scheduling rules."""

    preferred_during_scheduling_ignored_during_execution: Annotated[
        list[WeightedPodAffinityTerm] | None, Field(alias="preferredDuringSchedulingIgnoredDuringExecution")
    ] = None
    """The scheduler will prefer to schedule pods to nodes that satisfy the anti-affinity expressions specified by this field, but it may choose a node that violates one or more of the expressions."""
    required_during_scheduling_ignored_during_execution: Annotated[
        list[PodAffinityTerm] | None, Field(alias="requiredDuringSchedulingIgnoredDuringExecution")
    ] = None
    """If the anti-affinity requirements specified by this field are not met at scheduling time, the pod will not be scheduled onto the node."""


class PodDNSConfig(Model):
    """PodDNSConfig defines the DNS parameters of a pod in addition to those generated from DNSPolicy."""

    nameservers: list[str] | None = None
    """A list of DNS name server IP addresses."""
    options: list[PodDNSConfigOption] | None = None
    """A list of DNS resolver options."""
    searches: list[str] | None = None
    """A list of DNS search domains for host-name lookup."""


class PodSecurityContext(Model):
    """PodSecurityContext holds pod-level security attributes and common container settings."""

    app_armor_profile: Annotated[AppArmorProfile | None, Field(alias="appArmorProfile")] = None
    """appArmorProfile is the AppArmor options to use by the containers in this pod."""
    fs_group: Annotated[int | None, Field(alias="fsGroup")] = None
    """A special supplemental group that applies to all containers in a pod."""
    fs_group_change_policy: Annotated[str | None, Field(alias="fsGroupChangePolicy")] = None
    """fsGroupChangePolicy defines behavior of changing ownership and permission of the volume before being exposed inside Pod. One of `Always`, `OnRootMismatch`."""
    run_as_group: Annotated[int | None, Field(alias="runAsGroup")] = None
    """The GID to run the entrypoint of the container process."""
    run_as_non_root: Annotated[bool | None, Field(alias="runAsNonRoot")] = None
    """Indicates that the container must run as a non-root user."""
    run_as_user: Annotated[int | None, Field(alias="runAsUser")] = None
    """The UID to run the entrypoint of the container process."""
    se_linux_change_policy: Annotated[str | None, Field(alias="seLinuxChangePolicy")] = None
    """seLinuxChangePolicy defines how the container's SELinux label is applied to all volumes used by the Pod."""
    se_linux_options: Annotated[SELinuxOptions | None, Field(alias="seLinuxOptions")] = None
    """The SELinux context to be applied to all containers."""
    seccomp_profile: Annotated[SeccompProfile | None, Field(alias="seccompProfile")] = None
    """The seccomp options to use by the containers in this pod."""
    supplemental_groups: Annotated[list[int] | None, Field(alias="supplementalGroups")] = None
    """A list of groups applied to the first process run in each container, in addition to the container's primary GID and fsGroup (if specified)."""
    supplemental_groups_policy: Annotated[str | None, Field(alias="supplementalGroupsPolicy")] = None
    """Defines how supplemental groups of the first container processes are calculated. One of `Merge`, `Strict`."""
    sysctls: list[Sysctl] | None = None
    """Sysctls hold a list of namespaced sysctls used for the pod."""
    windows_options: Annotated[WindowsSecurityContextOptions | None, Field(alias="windowsOptions")] = None
    """The Windows specific settings applied to all containers."""


class Probe(Model):
    """Probe describes a health check to be performed against a container to determine whether it is alive or ready to receive traffic."""

    exec: ExecAction | None = None
    """Exec specifies a command to execute in the container."""
    failure_threshold: Annotated[int | None, Field(alias="failureThreshold")] = None
    """Minimum consecutive failures for the probe to be considered failed after having succeeded."""
    grpc: GRPCAction | None = None
    """GRPC specifies a GRPC HealthCheckRequest."""
    http_get: Annotated[HTTPGetAction | None, Field(alias="httpGet")] = None
    """HTTPGet specifies an HTTP GET request to perform."""
    initial_delay_seconds: Annotated[int | None, Field(alias="initialDelaySeconds")] = None
    """Number of seconds after the container has started before liveness probes are initiated."""
    period_seconds: Annotated[int | None, Field(alias="periodSeconds")] = None
    """How often (in seconds) to perform the probe."""
    success_threshold: Annotated[int | None, Field(alias="successThreshold")] = None
    """Minimum consecutive successes for the probe to be considered successful after having failed."""
    tcp_socket: Annotated[TCPSocketAction | None, Field(alias="tcpSocket")] = None
    """TCPSocket specifies a connection to a TCP port."""
    termination_grace_period_seconds: Annotated[int | None, Field(alias="terminationGracePeriodSeconds")] = None
    """Optional duration in seconds the pod needs to terminate gracefully upon probe failure."""
    timeout_seconds: Annotated[int | None, Field(alias="timeoutSeconds")] = None
    """Number of seconds after which the probe times out."""


class SecurityContext(Model):
    """SecurityContext holds security configuration that will be applied to a container."""

    allow_privilege_escalation: Annotated[bool | None, Field(alias="allowPrivilegeEscalation")] = None
    """AllowPrivilegeEscalation controls whether a process can gain more privileges than its parent process."""
    app_armor_profile: Annotated[AppArmorProfile | None, Field(alias="appArmorProfile")] = None
    """appArmorProfile is the AppArmor options to use by this container."""
    capabilities: Capabilities | None = None
    """The capabilities to add/drop when running containers."""
    privileged: bool | None = None
    """Run container in privileged mode."""
    proc_mount: Annotated[str | None, Field(alias="procMount")] = None
    """procMount denotes the type of proc mount to use for the containers. One of `Default`, `Unmasked`."""
    read_only_root_filesystem: Annotated[bool | None, Field(alias="readOnlyRootFilesystem")] = None
    """Whether this container has a read-only root filesystem."""
    run_as_group: Annotated[int | None, Field(alias="runAsGroup")] = None
    """The GID to run the entrypoint of the container process."""
    run_as_non_root: Annotated[bool | None, Field(alias="runAsNonRoot")] = None
    """Indicates that the container must run as a non-root user."""
    run_as_user: Annotated[int | None, Field(alias="runAsUser")] = None
    """The UID to run the entrypoint of the container process."""
    se_linux_options: Annotated[SELinuxOptions | None, Field(alias="seLinuxOptions")] = None
    """The SELinux context to be applied to the container."""
    seccomp_profile: Annotated[SeccompProfile | None, Field(alias="seccompProfile")] = None
    """The seccomp options to use by this container."""
    windows_options: Annotated[WindowsSecurityContextOptions | None, Field(alias="windowsOptions")] = None
    """The Windows specific settings applied to all containers."""


class Affinity(Model):
    """Affinity is a group of affinity scheduling rules."""

    node_affinity: Annotated[NodeAffinity | None, Field(alias="nodeAffinity")] = None
    """Describes node affinity scheduling rules for the pod."""
    pod_affinity: Annotated[PodAffinity | None, Field(alias="podAffinity")] = None
    """Describes pod affinity scheduling rules (e.g. co-locate this pod in the same node, zone, etc. as some other pod(s))."""
    pod_anti_affinity: Annotated[PodAntiAffinity | None, Field(alias="podAntiAffinity")] = None
    """Describes pod anti-affinity scheduling rules (e.g. avoid putting this pod in the same node, zone, etc. as some other pod(s))."""


class DownwardAPIProjection(Model):
    """Represents downward API info for projecting into a projected volume."""

    items: list[DownwardAPIVolumeFile] | None = None
    """Items is a list of DownwardAPIVolume file"""


class EnvVar(Model):
    """EnvVar represents an environment variable present in a Container."""

    name: str
    """Name of the environment variable."""
    value: str | None = None
    """Variable references $(VAR_NAME) are expanded using the previously defined environment variables in the container and any service environment variables."""
    value_from: Annotated[EnvVarSource | None, Field(alias="valueFrom")] = None
    """Source for the environment variable's value."""


class Lifecycle(Model):
    """Lifecycle describes actions that the management system should take in response to container lifecycle events."""

    post_start: Annotated[LifecycleHandler | None, Field(alias="postStart")] = None
    """PostStart is called immediately after a container is created."""
    pre_stop: Annotated[LifecycleHandler | None, Field(alias="preStop")] = None
    """PreStop is called immediately before a container is terminated due to an API request or management event such as liveness/startup probe failure, preemption, resource contention, etc."""
    stop_signal: Annotated[str | None, Field(alias="stopSignal")] = None
    """StopSignal defines which signal will be sent to a container when it is being stopped. One of `SIGABRT`, `SIGALRM`, `SIGBUS`, `SIGCHLD`, `SIGCLD`, `SIGCONT`, `SIGFPE`, `SIGHUP`, `SIGILL`, `SIGINT`, `SIGIO`, `SIGIOT`, `SIGKILL`, `SIGPIPE`, `SIGPOLL`, `SIGPROF`, `SIGPWR`, `SIGQUIT`, `SIGRTMAX`, `SIGRTMAX-1`, `SIGRTMAX-10`, `SIGRTMAX-11`, `SIGRTMAX-12`, `SIGRTMAX-13`, `SIGRTMAX-14`, `SIGRTMAX-2`, `SIGRTMAX-3`, `SIGRTMAX-4`, `SIGRTMAX-5`, `SIGRTMAX-6`, `SIGRTMAX-7`, `SIGRTMAX-8`, `SIGRTMAX-9`, `SIGRTMIN`, `SIGRTMIN+1`, `SIGRTMIN+10`, `SIGRTMIN+11`, `SIGRTMIN+12`, `SIGRTMIN+13`, `SIGRTMIN+14`, `SIGRTMIN+15`, `SIGRTMIN+2`, `SIGRTMIN+3`, `SIGRTMIN+4`, `SIGRTMIN+5`, `SIGRTMIN+6`, `SIGRTMIN+7`, `SIGRTMIN+8`, `SIGRTMIN+9`, `SIGSEGV`, `SIGSTKFLT`, `SIGSTOP`, `SIGSYS`, `SIGTERM`, `SIGTRAP`, `SIGTSTP`, `SIGTTIN`, `SIGTTOU`, `SIGURG`, `SIGUSR1`, `SIGUSR2`, `SIGVTALRM`, `SIGWINCH`, `SIGXCPU`, `SIGXFSZ`."""


class VolumeProjection(Model):
    """Projection that may be projected along with other supported volume types."""

    cluster_trust_bundle: Annotated[ClusterTrustBundleProjection | None, Field(alias="clusterTrustBundle")] = None
    """ClusterTrustBundle allows a pod to access the `.spec.trustBundle` field of ClusterTrustBundle objects in an auto-updating file."""
    config_map: Annotated[ConfigMapProjection | None, Field(alias="configMap")] = None
    """configMap information about the configMap data to project"""
    downward_api: Annotated[DownwardAPIProjection | None, Field(alias="downwardAPI")] = None
    """downwardAPI information about the downwardAPI data to project"""
    pod_certificate: Annotated[PodCertificateProjection | None, Field(alias="podCertificate")] = None
    """Projects an auto-rotating credential bundle (private key and certificate chain) that the pod can use either as a TLS client or server."""
    secret: SecretProjection | None = None
    """secret information about the secret data to project"""
    service_account_token: Annotated[ServiceAccountTokenProjection | None, Field(alias="serviceAccountToken")] = None
    """serviceAccountToken is information about the serviceAccountToken data to project"""


class Container(Model):
    """A single application container that you want to run within a pod."""

    args: list[str] | None = None
    """Arguments to the entrypoint."""
    command: list[str] | None = None
    """Entrypoint array."""
    env: list[EnvVar] | None = None
    """List of environment variables to set in the container."""
    env_from: Annotated[list[EnvFromSource] | None, Field(alias="envFrom")] = None
    """List of sources to populate environment variables in the container."""
    image: str | None = None
    """Container image name."""
    image_pull_policy: Annotated[str | None, Field(alias="imagePullPolicy")] = None
    """Image pull policy. One of `Always`, `IfNotPresent`, `Never`."""
    lifecycle: Lifecycle | None = None
    """Actions that the management system should take in response to container lifecycle events."""
    liveness_probe: Annotated[Probe | None, Field(alias="livenessProbe")] = None
    """Periodic probe of container liveness."""
    name: str
    """Name of the container specified as a DNS_LABEL."""
    ports: list[ContainerPort] | None = None
    """List of ports to expose from the container."""
    readiness_probe: Annotated[Probe | None, Field(alias="readinessProbe")] = None
    """Periodic probe of container service readiness."""
    resize_policy: Annotated[list[ContainerResizePolicy] | None, Field(alias="resizePolicy")] = None
    """Resources resize policy for the container."""
    resources: ResourceRequirements | None = None
    """Compute Resources required by this container."""
    restart_policy: Annotated[str | None, Field(alias="restartPolicy")] = None
    """RestartPolicy defines the restart behavior of individual containers in a pod."""
    restart_policy_rules: Annotated[list[ContainerRestartRule] | None, Field(alias="restartPolicyRules")] = None
    """Represents a list of rules to be checked to determine if the container should be restarted on exit."""
    security_context: Annotated[SecurityContext | None, Field(alias="securityContext")] = None
    """SecurityContext defines the security options the container should be run with."""
    startup_probe: Annotated[Probe | None, Field(alias="startupProbe")] = None
    """StartupProbe indicates that the Pod has successfully initialized."""
    stdin: bool | None = None
    """Whether this container should allocate a buffer for stdin in the container runtime."""
    stdin_once: Annotated[bool | None, Field(alias="stdinOnce")] = None
    """Whether the container runtime should close the stdin channel after it has been opened by a single attach."""
    termination_message_path: Annotated[str | None, Field(alias="terminationMessagePath")] = None
    """Optional: Path at which the file to which the container's termination message will be written is mounted into the container's filesystem."""
    termination_message_policy: Annotated[str | None, Field(alias="terminationMessagePolicy")] = None
    """Indicate how the termination message should be populated. One of `FallbackToLogsOnError`, `File`."""
    tty: bool | None = None
    """Whether this container should allocate a TTY for itself, also requires 'stdin' to be true."""
    volume_devices: Annotated[list[VolumeDevice] | None, Field(alias="volumeDevices")] = None
    """volumeDevices is the list of block devices to be used by the container."""
    volume_mounts: Annotated[list[VolumeMount] | None, Field(alias="volumeMounts")] = None
    """Pod volumes to mount into the container's filesystem."""
    working_dir: Annotated[str | None, Field(alias="workingDir")] = None
    """Container's working directory."""


class EphemeralContainer(Model):
    """An EphemeralContainer is a temporary container that you may add to an existing Pod for user-initiated activities such as debugging."""

    args: list[str] | None = None
    """Arguments to the entrypoint."""
    command: list[str] | None = None
    """Entrypoint array."""
    env: list[EnvVar] | None = None
    """List of environment variables to set in the container."""
    env_from: Annotated[list[EnvFromSource] | None, Field(alias="envFrom")] = None
    """List of sources to populate environment variables in the container."""
    image: str | None = None
    """Container image name."""
    image_pull_policy: Annotated[str | None, Field(alias="imagePullPolicy")] = None
    """Image pull policy. One of `Always`, `IfNotPresent`, `Never`."""
    lifecycle: Lifecycle | None = None
    """Lifecycle is not allowed for ephemeral containers."""
    liveness_probe: Annotated[Probe | None, Field(alias="livenessProbe")] = None
    """Probes are not allowed for ephemeral containers."""
    name: str
    """Name of the ephemeral container specified as a DNS_LABEL."""
    ports: list[ContainerPort] | None = None
    """Ports are not allowed for ephemeral containers."""
    readiness_probe: Annotated[Probe | None, Field(alias="readinessProbe")] = None
    """Probes are not allowed for ephemeral containers."""
    resize_policy: Annotated[list[ContainerResizePolicy] | None, Field(alias="resizePolicy")] = None
    """Resources resize policy for the container."""
    resources: ResourceRequirements | None = None
    """Resources are not allowed for ephemeral containers."""
    restart_policy: Annotated[str | None, Field(alias="restartPolicy")] = None
    """Restart policy for the container to manage the restart behavior of each container within a pod."""
    restart_policy_rules: Annotated[list[ContainerRestartRule] | None, Field(alias="restartPolicyRules")] = None
    """Represents a list of rules to be checked to determine if the container should be restarted on exit."""
    security_context: Annotated[SecurityContext | None, Field(alias="securityContext")] = None
    """Optional: SecurityContext defines the security options the ephemeral container should be run with."""
    startup_probe: Annotated[Probe | None, Field(alias="startupProbe")] = None
    """Probes are not allowed for ephemeral containers."""
    stdin: bool | None = None
    """Whether this container should allocate a buffer for stdin in the container runtime."""
    stdin_once: Annotated[bool | None, Field(alias="stdinOnce")] = None
    """Whether the container runtime should close the stdin channel after it has been opened by a single attach."""
    target_container_name: Annotated[str | None, Field(alias="targetContainerName")] = None
    """If set, the name of the container from PodSpec that this ephemeral container targets."""
    termination_message_path: Annotated[str | None, Field(alias="terminationMessagePath")] = None
    """Optional: Path at which the file to which the container's termination message will be written is mounted into the container's filesystem."""
    termination_message_policy: Annotated[str | None, Field(alias="terminationMessagePolicy")] = None
    """Indicate how the termination message should be populated. One of `FallbackToLogsOnError`, `File`."""
    tty: bool | None = None
    """Whether this container should allocate a TTY for itself, also requires 'stdin' to be true."""
    volume_devices: Annotated[list[VolumeDevice] | None, Field(alias="volumeDevices")] = None
    """volumeDevices is the list of block devices to be used by the container."""
    volume_mounts: Annotated[list[VolumeMount] | None, Field(alias="volumeMounts")] = None
    """Pod volumes to mount into the container's filesystem."""
    working_dir: Annotated[str | None, Field(alias="workingDir")] = None
    """Container's working directory."""


class ProjectedVolumeSource(Model):
    """Represents a projected volume source"""

    default_mode: Annotated[int | None, Field(alias="defaultMode")] = None
    """defaultMode are the mode bits used to set permissions on created files by default."""
    sources: list[VolumeProjection] | None = None
    """sources is the list of volume projections."""


class Volume(Model):
    """Volume represents a named volume in a pod that may be accessed by any container in the pod."""

    aws_elastic_block_store: Annotated[AWSElasticBlockStoreVolumeSource | None, Field(alias="awsElasticBlockStore")] = (
        None
    )
    """awsElasticBlockStore represents an AWS Disk resource that is attached to a kubelet's host machine and then exposed to the pod."""
    azure_disk: Annotated[AzureDiskVolumeSource | None, Field(alias="azureDisk")] = None
    """azureDisk represents an Azure Data Disk mount on the host and bind mount to the pod."""
    azure_file: Annotated[AzureFileVolumeSource | None, Field(alias="azureFile")] = None
    """azureFile represents an Azure File Service mount on the host and bind mount to the pod."""
    cephfs: CephFSVolumeSource | None = None
    """cephFS represents a Ceph FS mount on the host that shares a pod's lifetime."""
    cinder: CinderVolumeSource | None = None
    """cinder represents a cinder volume attached and mounted on kubelets host machine."""
    config_map: Annotated[ConfigMapVolumeSource | None, Field(alias="configMap")] = None
    """configMap represents a configMap that should populate this volume"""
    csi: CSIVolumeSource | None = None
    """csi (Container Storage Interface) represents ephemeral storage that is handled by certain external CSI drivers."""
    downward_api: Annotated[DownwardAPIVolumeSource | None, Field(alias="downwardAPI")] = None
    """downwardAPI represents downward API about the pod that should populate this volume"""
    empty_dir: Annotated[EmptyDirVolumeSource | None, Field(alias="emptyDir")] = None
    """emptyDir represents a temporary directory that shares a pod's lifetime."""
    ephemeral: EphemeralVolumeSource | None = None
    """ephemeral represents a volume that is handled by a cluster storage driver."""
    fc: FCVolumeSource | None = None
    """fc represents a Fibre Channel resource that is attached to a kubelet's host machine and then exposed to the pod."""
    flex_volume: Annotated[FlexVolumeSource | None, Field(alias="flexVolume")] = None
    """flexVolume represents a generic volume resource that is provisioned/attached using an exec based plugin."""
    flocker: FlockerVolumeSource | None = None
    """flocker represents a Flocker volume attached to a kubelet's host machine."""
    gce_persistent_disk: Annotated[GCEPersistentDiskVolumeSource | None, Field(alias="gcePersistentDisk")] = None
    """gcePersistentDisk represents a GCE Disk resource that is attached to a kubelet's host machine and then exposed to the pod."""
    git_repo: Annotated[GitRepoVolumeSource | None, Field(alias="gitRepo")] = None
    """gitRepo represents a git repository at a particular revision."""
    glusterfs: GlusterfsVolumeSource | None = None
    """glusterfs represents a Glusterfs mount on the host that shares a pod's lifetime."""
    host_path: Annotated[HostPathVolumeSource | None, Field(alias="hostPath")] = None
    """hostPath represents a pre-existing file or directory on the host machine that is directly exposed to the container."""
    image: ImageVolumeSource | None = None
    """image represents an OCI object (a container image or artifact) pulled and mounted on the kubelet's host machine."""
    iscsi: ISCSIVolumeSource | None = None
    """iscsi represents an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod."""
    name: str
    """name of the volume."""
    nfs: NFSVolumeSource | None = None
    """nfs represents an NFS mount on the host that shares a pod's lifetime More info: https://kubernetes.io/docs/concepts/storage/volumes#nfs"""
    persistent_volume_claim: Annotated[
        PersistentVolumeClaimVolumeSource | None, Field(alias="persistentVolumeClaim")
    ] = None
    """persistentVolumeClaimVolumeSource represents a reference to a PersistentVolumeClaim in the same namespace."""
    photon_persistent_disk: Annotated[PhotonPersistentDiskVolumeSource | None, Field(alias="photonPersistentDisk")] = (
        None
    )
    """photonPersistentDisk represents a PhotonController persistent disk attached and mounted on kubelets host machine."""
    portworx_volume: Annotated[PortworxVolumeSource | None, Field(alias="portworxVolume")] = None
    """portworxVolume represents a portworx volume attached and mounted on kubelets host machine."""
    projected: ProjectedVolumeSource | None = None
    """projected items for all in one resources secrets, configmaps, and downward API"""
    quobyte: QuobyteVolumeSource | None = None
    """quobyte represents a Quobyte mount on the host that shares a pod's lifetime."""
    rbd: RBDVolumeSource | None = None
    """rbd represents a Rados Block Device mount on the host that shares a pod's lifetime."""
    scale_io: Annotated[ScaleIOVolumeSource | None, Field(alias="scaleIO")] = None
    """scaleIO represents a ScaleIO persistent volume attached and mounted on Kubernetes nodes."""
    secret: SecretVolumeSource | None = None
    """secret represents a secret that should populate this volume."""
    storageos: StorageOSVolumeSource | None = None
    """storageOS represents a StorageOS volume attached and mounted on Kubernetes nodes."""
    vsphere_volume: Annotated[VsphereVirtualDiskVolumeSource | None, Field(alias="vsphereVolume")] = None
    """vsphereVolume represents a vSphere volume attached and mounted on kubelets host machine."""


class PodSpec(Model):
    """PodSpec is a description of a pod."""

    active_deadline_seconds: Annotated[int | None, Field(alias="activeDeadlineSeconds")] = None
    """Optional duration in seconds the pod may be active on the node relative to StartTime before the system will actively try to mark it failed and kill associated containers."""
    affinity: Affinity | None = None
    """If specified, the pod's scheduling constraints"""
    automount_service_account_token: Annotated[bool | None, Field(alias="automountServiceAccountToken")] = None
    """AutomountServiceAccountToken indicates whether a service account token should be automatically mounted."""
    containers: list[Container] | None
    """List of containers belonging to the pod."""
    dns_config: Annotated[PodDNSConfig | None, Field(alias="dnsConfig")] = None
    """Specifies the DNS parameters of a pod."""
    dns_policy: Annotated[str | None, Field(alias="dnsPolicy")] = None
    """Set DNS policy for the pod. One of `ClusterFirst`, `ClusterFirstWithHostNet`, `Default`, `None`."""
    enable_service_links: Annotated[bool | None, Field(alias="enableServiceLinks")] = None
    """EnableServiceLinks indicates whether information about services should be injected into pod's environment variables, matching the syntax of Docker links."""
    ephemeral_containers: Annotated[list[EphemeralContainer] | None, Field(alias="ephemeralContainers")] = None
    """List of ephemeral containers run in this pod."""
    host_aliases: Annotated[list[HostAlias] | None, Field(alias="hostAliases")] = None
    """HostAliases is an optional list of hosts and IPs that will be injected into the pod's hosts file if specified."""
    host_ipc: Annotated[bool | None, Field(alias="hostIPC")] = None
    """Use the host's ipc namespace."""
    host_network: Annotated[bool | None, Field(alias="hostNetwork")] = None
    """Host networking requested for this pod."""
    host_pid: Annotated[bool | None, Field(alias="hostPID")] = None
    """Use the host's pid namespace."""
    host_users: Annotated[bool | None, Field(alias="hostUsers")] = None
    """Use the host's user namespace."""
    hostname: str | None = None
    """Specifies the hostname of the Pod If not specified, the pod's hostname will be set to a system-defined value."""
    hostname_override: Annotated[str | None, Field(alias="hostnameOverride")] = None
    """HostnameOverride specifies an explicit override for the pod's hostname as perceived by the pod."""
    image_pull_secrets: Annotated[list[LocalObjectReference] | None, Field(alias="imagePullSecrets")] = None
    """ImagePullSecrets is an optional list of references to secrets in the same namespace to use for pulling any of the images used by this PodSpec."""
    init_containers: Annotated[list[Container] | None, Field(alias="initContainers")] = None
    """List of initialization containers belonging to the pod."""
    node_name: Annotated[str | None, Field(alias="nodeName")] = None
    """NodeName indicates in which node this pod is scheduled."""
    node_selector: Annotated[dict[str, str] | None, Field(alias="nodeSelector")] = None
    """NodeSelector is a selector which must be true for the pod to fit on a node."""
    os: PodOS | None = None
    """Specifies the OS of the containers in the pod."""
    overhead: dict[str, Quantity] | None = None
    """Overhead represents the resource overhead associated with running a pod for a given RuntimeClass."""
    preemption_policy: Annotated[str | None, Field(alias="preemptionPolicy")] = None
    """PreemptionPolicy is the Policy for preempting pods with lower priority. One of `Never`, `PreemptLowerPriority`."""
    priority: int | None = None
    """The priority value."""
    priority_class_name: Annotated[str | None, Field(alias="priorityClassName")] = None
    """If specified, indicates the pod's priority."""
    readiness_gates: Annotated[list[PodReadinessGate] | None, Field(alias="readinessGates")] = None
    """If specified, all readiness gates will be evaluated for pod readiness."""
    resource_claims: Annotated[list[PodResourceClaim] | None, Field(alias="resourceClaims")] = None
    """ResourceClaims defines which ResourceClaims must be allocated and reserved before the Pod is allowed to start."""
    resources: ResourceRequirements | None = None
    """Resources is the total amount of CPU and Memory resources required by all containers in the pod."""
    restart_policy: Annotated[str | None, Field(alias="restartPolicy")] = None
    """Restart policy for all containers within the pod. One of `Always`, `Never`, `OnFailure`."""
    runtime_class_name: Annotated[str | None, Field(alias="runtimeClassName")] = None
    """RuntimeClassName refers to a RuntimeClass object in the node.k8s.io group, which should be used to run this pod."""
    scheduler_name: Annotated[str | None, Field(alias="schedulerName")] = None
    """If specified, the pod will be dispatched by specified scheduler."""
    scheduling_gates: Annotated[list[PodSchedulingGate] | None, Field(alias="schedulingGates")] = None
    """SchedulingGates is an opaque list of values that if specified will block scheduling the pod."""
    scheduling_group: Annotated[PodSchedulingGroup | None, Field(alias="schedulingGroup")] = None
    """SchedulingGroup provides a reference to the immediate scheduling runtime grouping object that this Pod belongs to."""
    security_context: Annotated[PodSecurityContext | None, Field(alias="securityContext")] = None
    """SecurityContext holds pod-level security attributes and common container settings."""
    service_account: Annotated[str | None, Field(alias="serviceAccount")] = None
    """DeprecatedServiceAccount is a deprecated alias for ServiceAccountName."""
    service_account_name: Annotated[str | None, Field(alias="serviceAccountName")] = None
    """ServiceAccountName is the name of the ServiceAccount to use to run this pod."""
    set_hostname_as_fqdn: Annotated[bool | None, Field(alias="setHostnameAsFQDN")] = None
    """If true the pod's hostname will be configured as the pod's FQDN, rather than the leaf name (the default)."""
    share_process_namespace: Annotated[bool | None, Field(alias="shareProcessNamespace")] = None
    """Share a single process namespace between all of the containers in a pod."""
    subdomain: str | None = None
    """If specified, the fully qualified Pod hostname will be "<hostname>.<subdomain>.<pod namespace>.svc.<cluster domain>"."""
    termination_grace_period_seconds: Annotated[int | None, Field(alias="terminationGracePeriodSeconds")] = None
    """Optional duration in seconds the pod needs to terminate gracefully."""
    tolerations: list[Toleration] | None = None
    """If specified, the pod's tolerations."""
    topology_spread_constraints: Annotated[
        list[TopologySpreadConstraint] | None, Field(alias="topologySpreadConstraints")
    ] = None
    """TopologySpreadConstraints describes how a group of pods ought to spread across topology domains."""
    volumes: list[Volume] | None = None
    """List of volumes that can be mounted by containers belonging to the pod."""
