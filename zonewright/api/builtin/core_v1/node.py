# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Node of v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Quantity, Timestamp
from ..resource import Resource


class AttachedVolume(Model):
    """AttachedVolume describes a volume attached to a node"""

    device_path: Annotated[str, Field(alias="devicePath")]
    """DevicePath represents the device path where the volume should be available"""
    name: str
    """Name of the attached volume"""


class ConfigMapNodeConfigSource(Model):
    """ConfigMapNodeConfigSource contains the information to reference a ConfigMap as a config source for the Node."""

    kubelet_config_key: Annotated[str, Field(alias="kubeletConfigKey")]
    """KubeletConfigKey declares which key of the referenced ConfigMap corresponds to the KubeletConfiguration structure This field is required in all cases."""
    name: str
    """Name is the metadata.name of the referenced ConfigMap."""
    namespace: str
    """Namespace is the metadata.namespace of the referenced ConfigMap."""
    resource_version: Annotated[str | None, Field(alias="resourceVersion")] = None
    """ResourceVersion is the metadata.ResourceVersion of the referenced ConfigMap."""
    uid: str | None = None
    """UID is the metadata.UID of the referenced ConfigMap."""


class ContainerImage(Model):
    """Describe a container image"""

    names: list[str] | None = None
    """Names by which this image is known. e.g. ["kubernetes.example/hyperkube:v1.0.7", "cloud-vendor.registry.example/cloud-vendor/hyperkube:v1.0.7"]"""
    size_bytes: Annotated[int | None, Field(alias="sizeBytes")] = None
    """The size of the image in bytes."""


class DaemonEndpoint(Model):
    """DaemonEndpoint contains information about a single Daemon endpoint."""

    port: Annotated[int, Field(alias="Port")]
    """Port number of the given endpoint."""


class NodeAddress(Model):
    """NodeAddress contains information for the node's address."""

    address: str
    """The node address."""
    type: str
    """Node address type, one of Hostname, ExternalIP or InternalIP."""


class NodeCondition(Model):
    """NodeCondition contains condition information for a node."""

    last_heartbeat_time: Annotated[Timestamp | None, Field(alias="lastHeartbeatTime")] = None
    """Last time we got an update on a given condition."""
    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """Last time the condition transit from one status to another."""
    message: str | None = None
    """Human readable message indicating details about last transition."""
    reason: str | None = None
    """(brief) reason for the condition's last transition."""
    status: str
    """Status of the condition, one of True, False, Unknown."""
    type: str
    """Type of node condition."""


class NodeConfigSource(Model):
    """NodeConfigSource specifies a source of node configuration."""

    config_map: Annotated[ConfigMapNodeConfigSource | None, Field(alias="configMap")] = None
    """ConfigMap is a reference to a Node's ConfigMap"""


class NodeConfigStatus(Model):
    """NodeConfigStatus describes the status of the config assigned by Node.Spec.ConfigSource."""

    active: NodeConfigSource | None = None
    """Active reports the checkpointed config the node is actively using."""
    assigned: NodeConfigSource | None = None
    """Assigned reports the checkpointed config the node will try to use."""
    error: str | None = None
    """Error describes any problems reconciling the Spec.ConfigSource to the Active config."""
    last_known_good: Annotated[NodeConfigSource | None, Field(alias="lastKnownGood")] = None
    """LastKnownGood reports the checkpointed config the node will fall back to when it encounters an error attempting to use the Assigned config."""


class NodeDaemonEndpoints(Model):
    """NodeDaemonEndpoints lists ports opened by daemons running on the Node."""

    kubelet_endpoint: Annotated[DaemonEndpoint | None, Field(alias="kubeletEndpoint")] = None
    """Endpoint on which Kubelet is listening."""


class NodeFeatures(Model):
    """NodeFeatures describes the set of features implemented by the CRI implementation."""

    supplemental_groups_policy: Annotated[bool | None, Field(alias="supplementalGroupsPolicy")] = None
    """SupplementalGroupsPolicy is set to true if the runtime supports SupplementalGroupsPolicy and ContainerUser."""


class NodeRuntimeHandlerFeatures(Model):
    """NodeRuntimeHandlerFeatures is a set of features implemented by the runtime handler."""

    recursive_read_only_mounts: Annotated[bool | None, Field(alias="recursiveReadOnlyMounts")] = None
    """RecursiveReadOnlyMounts is set to true if the runtime handler supports RecursiveReadOnlyMounts."""
    user_namespaces: Annotated[bool | None, Field(alias="userNamespaces")] = None
    """UserNamespaces is set to true if the runtime handler supports UserNamespaces, including for volumes."""


class NodeSwapStatus(Model):
    """NodeSwapStatus represents swap memory information."""

    capacity: int | None = None
    """Total amount of swap memory in bytes."""


class NodeSystemInfo(Model):
    """NodeSystemInfo is a set of ids/uuids to uniquely identify the node."""

    architecture: str
    """The Architecture reported by the node"""
    boot_id: Annotated[str, Field(alias="bootID")]
    """Boot ID reported by the node."""
    container_runtime_version: Annotated[str, Field(alias="containerRuntimeVersion")]
    """ContainerRuntime Version reported by the node through runtime remote API (e.g. containerd://1.4.2)."""
    kernel_version: Annotated[str, Field(alias="kernelVersion")]
    """Kernel Version reported by the node from 'uname -r' (e.g. 3.16.0-0.bpo.4-amd64)."""
    kube_proxy_version: Annotated[str, Field(alias="kubeProxyVersion")]
    """Deprecated: KubeProxy Version reported by the node."""
    kubelet_version: Annotated[str, Field(alias="kubeletVersion")]
    """Kubelet Version reported by the node."""
    machine_id: Annotated[str, Field(alias="machineID")]
    """MachineID reported by the node."""
    operating_system: Annotated[str, Field(alias="operatingSystem")]
    """The Operating System reported by the node"""
    os_image: Annotated[str, Field(alias="osImage")]
    """OS Image reported by the node from /etc/os-release (e.g. Debian GNU/Linux 7 (wheezy))."""
    swap: NodeSwapStatus | None = None
    """Swap Info reported by the node."""
    system_uuid: Annotated[str, Field(alias="systemUUID")]
    """SystemUUID reported by the node."""


class Taint(Model):
    """The node this Taint is attached to has the "effect" on any pod that does not tolerate the Taint."""

    effect: str
    """Required. One of `NoExecute`, `NoSchedule`, `PreferNoSchedule`."""
    key: str
    """Required."""
    time_added: Annotated[Timestamp | None, Field(alias="timeAdded")] = None
    """TimeAdded represents the time at which the taint was added."""
    value: str | None = None
    """The taint value corresponding to the taint key."""


class NodeRuntimeHandler(Model):
    """NodeRuntimeHandler is a set of runtime handler information."""

    features: NodeRuntimeHandlerFeatures | None = None
    """Supported features."""
    name: str | None = None
    """Runtime handler name."""


class NodeSpec(Model):
    """NodeSpec describes the attributes that a node is created with."""

    config_source: Annotated[NodeConfigSource | None, Field(alias="configSource")] = None
    """Deprecated: Previously used to specify the source of the node's configuration for the DynamicKubeletConfig feature."""
    external_id: Annotated[str | None, Field(alias="externalID")] = None
    """Deprecated."""
    pod_cidr: Annotated[str | None, Field(alias="podCIDR")] = None
    """PodCIDR represents the pod IP range assigned to the node."""
    pod_cidrs: Annotated[list[str] | None, Field(alias="podCIDRs")] = None
    """podCIDRs represents the IP ranges assigned to the node for usage by Pods on that node."""
    provider_id: Annotated[str | None, Field(alias="providerID")] = None
    """ID of the node assigned by the cloud provider in the format: <ProviderName>://<ProviderSpecificNodeID>"""
    taints: list[Taint] | None = None
    """If specified, the node's taints."""
    unschedulable: bool | None = None
    """Unschedulable controls node schedulability of new pods."""


class NodeStatus(Model):
    """NodeStatus is information about the current status of a node."""

    addresses: list[NodeAddress] | None = None
    """List of addresses reachable to the node."""
    allocatable: dict[str, Quantity] | None = None
    """Allocatable represents the resources of a node that are available for scheduling."""
    capacity: dict[str, Quantity] | None = None
    """Capacity represents the total resources of a node."""
    conditions: list[NodeCondition] | None = None
    """Conditions is an array of current observed node conditions."""
    config: NodeConfigStatus | None = None
    """Status of the config assigned to the node via the dynamic Kubelet config feature."""
    daemon_endpoints: Annotated[NodeDaemonEndpoints | None, Field(alias="daemonEndpoints")] = None
    """Endpoints of daemons running on the Node."""
    declared_features: Annotated[list[str] | None, Field(alias="declaredFeatures")] = None
    """DeclaredFeatures represents the features related to feature gates that are declared by the node."""
    features: NodeFeatures | None = None
    """Features describes the set of features implemented by the CRI implementation."""
    images: list[ContainerImage] | None = None
    """List of container images on this node"""
    node_info: Annotated[NodeSystemInfo | None, Field(alias="nodeInfo")] = None
    """Set of ids/uuids to uniquely identify the node."""
    phase: str | None = None
    """NodePhase is the recently observed lifecycle phase of the node. One of `Pending`, `Running`, `Terminated`."""
    runtime_handlers: Annotated[list[NodeRuntimeHandler] | None, Field(alias="runtimeHandlers")] = None
    """The available runtime handlers."""
    volumes_attached: Annotated[list[AttachedVolume] | None, Field(alias="volumesAttached")] = None
    """List of volumes that are attached to the node."""
    volumes_in_use: Annotated[list[str] | None, Field(alias="volumesInUse")] = None
    """List of attachable volumes in use (mounted) by the node."""


class Node(Resource):
    """Node is a worker node in Kubernetes."""

    api_version: Annotated[Literal["v1"], Field(alias="apiVersion")] = "v1"
    kind: Literal["Node"] = "Node"
    spec: NodeSpec | None = None
    """Spec defines the behavior of a node. https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status"""
    status: NodeStatus | None = None
    """Most recently observed status of the node."""
