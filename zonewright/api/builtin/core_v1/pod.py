# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Pod of v1."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ..base import Model, Quantity, Timestamp
from ..core_v1.common import ResourceRequirements
from ..core_v1.podspec import PodSpec
from ..resource import Resource


class ContainerExtendedResourceRequest(Model):
    """ContainerExtendedResourceRequest has the mapping of container name, extended resource name to the device request name."""

    container_name: Annotated[str, Field(alias="containerName")]
    """The name of the container requesting resources."""
    request_name: Annotated[str, Field(alias="requestName")]
    """The name of the request in the special ResourceClaim which corresponds to the extended resource."""
    resource_name: Annotated[str, Field(alias="resourceName")]
    """The name of the extended resource in that container which gets backed by DRA."""


class ContainerStateRunning(Model):
    """ContainerStateRunning is a running state of a container."""

    started_at: Annotated[Timestamp | None, Field(alias="startedAt")] = None
    """Time at which the container was last (re-)started"""


class ContainerStateTerminated(Model):
    """ContainerStateTerminated is a terminated state of a container."""

    container_id: Annotated[str | None, Field(alias="containerID")] = None
    """Container's ID in the format '<type>://<container_id>'"""
    exit_code: Annotated[int, Field(alias="exitCode")]
    """Exit status from the last termination of the container"""
    finished_at: Annotated[Timestamp | None, Field(alias="finishedAt")] = None
    """Time at which the container last terminated"""
    message: str | None = None
    """Message regarding the last termination of the container"""
    reason: str | None = None
    """(brief) reason from the last termination of the container"""
    signal: int | None = None
    """Signal from the last termination of the container"""
    started_at: Annotated[Timestamp | None, Field(alias="startedAt")] = None
    """Time at which previous execution of the container started"""


class ContainerStateWaiting(Model):
    """ContainerStateWaiting is a waiting state of a container."""

    message: str | None = None
    """Message regarding why the container is not yet running."""
    reason: str | None = None
    """(brief) reason the container is not yet running."""


class HostIP(Model):
    """HostIP represents a single IP address allocated to the host."""

    ip: str
    """IP is the IP address assigned to the host"""


class ImageVolumeStatus(Model):
    """ImageVolumeStatus represents the image-based volume status."""

    image_ref: Annotated[str, Field(alias="imageRef")]
    """ImageRef is the digest of the image used for this volume."""


class LinuxContainerUser(Model):
    """LinuxContainerUser represents user identity information in Linux containers"""

    gid: int
    """GID is the primary gid initially attached to the first process in the container"""
    supplemental_groups: Annotated[list[int] | None, Field(alias="supplementalGroups")] = None
    """SupplementalGroups are the supplemental groups initially attached to the first process in the container"""
    uid: int
    """UID is the primary uid initially attached to the first process in the container"""


class NodeAllocatableResourceClaimStatus(Model):
    """NodeAllocatableResourceClaimStatus describes the status of node allocatable resources allocated via DRA."""

    containers: list[str] | None = None
    """Containers lists the names of all containers in this pod that reference the claim."""
    resource_claim_name: Annotated[str, Field(alias="resourceClaimName")]
    """ResourceClaimName is the resource claim referenced by the pod that resulted in this node allocatable resource allocation."""
    resources: dict[str, Any] | None
    """Resources is a map of the node-allocatable resource name to the aggregate quantity allocated to the claim."""


class PodCondition(Model):
    """PodCondition contains details for the current condition of this pod."""

    last_probe_time: Annotated[Timestamp | None, Field(alias="lastProbeTime")] = None
    """Last time we probed the condition."""
    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """Last time the condition transitioned from one status to another."""
    message: str | None = None
    """Human-readable message indicating details about last transition."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """If set, this represents the .metadata.generation that the pod condition was set based upon."""
    reason: str | None = None
    """Unique, one-word, CamelCase reason for the condition's last transition."""
    status: str
    """Status is the status of the condition."""
    type: str
    """Type is the type of the condition."""


class PodExtendedResourceClaimStatus(Model):
    """PodExtendedResourceClaimStatus is stored in the PodStatus for the extended resource requests backed by DRA."""

    request_mappings: Annotated[list[ContainerExtendedResourceRequest] | None, Field(alias="requestMappings")]
    """RequestMappings identifies the mapping of <container, extended resource backed by DRA> to device request in the generated ResourceClaim."""
    resource_claim_name: Annotated[str, Field(alias="resourceClaimName")]
    """ResourceClaimName is the name of the ResourceClaim that was generated for the Pod in the namespace of the Pod."""


class PodIP(Model):
    """PodIP represents a single IP address allocated to the pod."""

    ip: str
    """IP is the IP address assigned to the pod"""


class PodResourceClaimStatus(Model):
    """PodResourceClaimStatus is stored in the PodStatus for each PodResourceClaim which references a ResourceClaimTemplate."""

    name: str
    """Name uniquely identifies this resource claim inside the pod."""
    resource_claim_name: Annotated[str | None, Field(alias="resourceClaimName")] = None
    """ResourceClaimName is the name of the ResourceClaim that was generated for the Pod in the namespace of the Pod."""


class ResourceHealth(Model):
    """ResourceHealth represents the health of a resource."""

    health: str | None = None
    """Health of the resource. can be one of: - Healthy: operates as normal - Unhealthy: reported unhealthy."""
    message: str | None = None
    """Message provides human-readable context for Health (e.g. "ECC error count exceeded threshold")."""
    resource_id: Annotated[str, Field(alias="resourceID")]
    """ResourceID is the unique identifier of the resource."""


class ResourceStatus(Model):
    """ResourceStatus represents the status of a single resource allocated to a Pod."""

    name: str
    """Name of the resource."""
    resources: list[ResourceHealth] | None = None
    """List of unique resources health."""


class VolumeStatus(Model):
    """VolumeStatus represents the status of a mounted volume."""

    image: ImageVolumeStatus | None = None
    """image represents an OCI object (a container image or artifact) pulled and mounted on the kubelet's host machine."""


class ContainerState(Model):
    """ContainerState holds a possible state of container."""

    running: ContainerStateRunning | None = None
    """Details about a running container"""
    terminated: ContainerStateTerminated | None = None
    """Details about a terminated container"""
    waiting: ContainerStateWaiting | None = None
    """Details about a waiting container"""


class ContainerUser(Model):
    """ContainerUser represents user identity information"""

    linux: LinuxContainerUser | None = None
    """Linux holds user identity information initially attached to the first process of the containers in Linux."""


class VolumeMountStatus(Model):
    """VolumeMountStatus shows status of volume mounts."""

    mount_path: Annotated[str, Field(alias="mountPath")]
    """MountPath corresponds to the original VolumeMount."""
    name: str
    """Name corresponds to the name of the original VolumeMount."""
    read_only: Annotated[bool | None, Field(alias="readOnly")] = None
    """ReadOnly corresponds to the original VolumeMount."""
    recursive_read_only: Annotated[str | None, Field(alias="recursiveReadOnly")] = None
    """RecursiveReadOnly must be set to Disabled, Enabled, or unspecified (for non-readonly mounts)."""
    volume_status: Annotated[VolumeStatus | None, Field(alias="volumeStatus")] = None
    """volumeStatus represents volume-type-specific status about the mounted volume."""


class ContainerStatus(Model):
    """ContainerStatus contains details for the current status of this container."""

    allocated_resources: Annotated[dict[str, Quantity] | None, Field(alias="allocatedResources")] = None
    """AllocatedResources represents the compute resources allocated for this container by the node."""
    allocated_resources_status: Annotated[list[ResourceStatus] | None, Field(alias="allocatedResourcesStatus")] = None
    """AllocatedResourcesStatus represents the status of various resources allocated for this Pod."""
    container_id: Annotated[str | None, Field(alias="containerID")] = None
    """ContainerID is the ID of the container in the format '<type>://<container_id>'."""
    image: str
    """Image is the name of container image that the container is running."""
    image_id: Annotated[str, Field(alias="imageID")]
    """ImageID is the image ID of the container's image."""
    last_state: Annotated[ContainerState | None, Field(alias="lastState")] = None
    """LastTerminationState holds the last termination state of the container to help debug container crashes and restarts."""
    name: str
    """Name is a DNS_LABEL representing the unique name of the container."""
    ready: bool
    """Ready specifies whether the container is currently passing its readiness check."""
    resources: ResourceRequirements | None = None
    """Resources represents the compute resource requests and limits that have been successfully enacted on the running container after it has been started or has been successfully resized."""
    restart_count: Annotated[int, Field(alias="restartCount")]
    """RestartCount holds the number of times the container has been restarted."""
    started: bool | None = None
    """Started indicates whether the container has finished its postStart lifecycle hook and passed its startup probe."""
    state: ContainerState | None = None
    """State holds details about the container's current condition."""
    stop_signal: Annotated[str | None, Field(alias="stopSignal")] = None
    """StopSignal reports the effective stop signal for this container One of `SIGABRT`, `SIGALRM`, `SIGBUS`, `SIGCHLD`, `SIGCLD`, `SIGCONT`, `SIGFPE`, `SIGHUP`, `SIGILL`, `SIGINT`, `SIGIO`, `SIGIOT`, `SIGKILL`, `SIGPIPE`, `SIGPOLL`, `SIGPROF`, `SIGPWR`, `SIGQUIT`, `SIGRTMAX`, `SIGRTMAX-1`, `SIGRTMAX-10`, `SIGRTMAX-11`, `SIGRTMAX-12`, `SIGRTMAX-13`, `SIGRTMAX-14`, `SIGRTMAX-2`, `SIGRTMAX-3`, `SIGRTMAX-4`, `SIGRTMAX-5`, `SIGRTMAX-6`, `SIGRTMAX-7`, `SIGRTMAX-8`, `SIGRTMAX-9`, `SIGRTMIN`, `SIGRTMIN+1`, `SIGRTMIN+10`, `SIGRTMIN+11`, `SIGRTMIN+12`, `SIGRTMIN+13`, `SIGRTMIN+14`, `SIGRTMIN+15`, `SIGRTMIN+2`, `SIGRTMIN+3`, `SIGRTMIN+4`, `SIGRTMIN+5`, `SIGRTMIN+6`, `SIGRTMIN+7`, `SIGRTMIN+8`, `SIGRTMIN+9`, `SIGSEGV`, `SIGSTKFLT`, `SIGSTOP`, `SIGSYS`, `SIGTERM`, `SIGTRAP`, `SIGTSTP`, `SIGTTIN`, `SIGTTOU`, `SIGURG`, `SIGUSR1`, `SIGUSR2`, `SIGVTALRM`, `SIGWINCH`, `SIGXCPU`, `SIGXFSZ`."""
    user: ContainerUser | None = None
    """User represents user identity information initially attached to the first process of the container"""
    volume_mounts: Annotated[list[VolumeMountStatus] | None, Field(alias="volumeMounts")] = None
    """Status of volume mounts."""


class PodStatus(Model):
    """PodStatus represents information about the status of a pod."""

    allocated_resources: Annotated[dict[str, Quantity] | None, Field(alias="allocatedResources")] = None
    """AllocatedResources is the total requests allocated for this pod by the node."""
    conditions: list[PodCondition] | None = None
    """Current service state of pod."""
    container_statuses: Annotated[list[ContainerStatus] | None, Field(alias="containerStatuses")] = None
    """Statuses of containers in this pod."""
    ephemeral_container_statuses: Annotated[list[ContainerStatus] | None, Field(alias="ephemeralContainerStatuses")] = (
        None
    )
    """Statuses for any ephemeral containers that have run in this pod."""
    extended_resource_claim_status: Annotated[
        PodExtendedResourceClaimStatus | None, Field(alias="extendedResourceClaimStatus")
    ] = None
    """Status of extended resource claim backed by DRA."""
    host_ip: Annotated[str | None, Field(alias="hostIP")] = None
    """hostIP holds the IP address of the host to which the pod is assigned."""
    host_ips: Annotated[list[HostIP] | None, Field(alias="hostIPs")] = None
    """hostIPs holds the IP addresses allocated to the host."""
    init_container_statuses: Annotated[list[ContainerStatus] | None, Field(alias="initContainerStatuses")] = None
    """Statuses of init containers in this pod."""
    message: str | None = None
    """A human readable message indicating details about why the pod is in this condition."""
    node_allocatable_resource_claim_statuses: Annotated[
        list[NodeAllocatableResourceClaimStatus] | None, Field(alias="nodeAllocatableResourceClaimStatuses")
    ] = None
    """NodeAllocatableResourceClaimStatuses contains the status of node-allocatable resources that were allocated for this pod through DRA claims."""
    nominated_node_name: Annotated[str | None, Field(alias="nominatedNodeName")] = None
    """nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled right away as preemption victims receive their graceful termination periods."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """If set, this represents the .metadata.generation that the pod status was set based upon."""
    phase: str | None = None
    """The phase of a Pod is a simple, high-level summary of where the Pod is in its lifecycle. One of `Failed`, `Pending`, `Running`, `Succeeded`, `Unknown`."""
    pod_ip: Annotated[str | None, Field(alias="podIP")] = None
    """podIP address allocated to the pod."""
    pod_ips: Annotated[list[PodIP] | None, Field(alias="podIPs")] = None
    """podIPs holds the IP addresses allocated to the pod."""
    qos_class: Annotated[str | None, Field(alias="qosClass")] = None
    """The Quality of Service (QOS) classification assigned to the pod based on resource requirements See PodQOSClass type for available QOS classes More info: https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/#quality-of-service-classes One of `BestEffort`, `Burstable`, `Guaranteed`."""
    reason: str | None = None
    """A brief CamelCase message indicating details about why the pod is in this state. e.g. 'Evicted'"""
    resize: str | None = None
    """Status of resources resize desired for pod's containers."""
    resource_claim_statuses: Annotated[list[PodResourceClaimStatus] | None, Field(alias="resourceClaimStatuses")] = None
    """Status of resource claims."""
    resources: ResourceRequirements | None = None
    """Resources represents the compute resource requests and limits that have been applied at the pod level if pod-level requests or limits are set in PodSpec.Resources"""
    start_time: Annotated[Timestamp | None, Field(alias="startTime")] = None
    """RFC 3339 date and time at which the object was acknowledged by the Kubelet."""


class Pod(Resource):
    """Pod is a collection of containers that can run on a host."""

    api_version: Annotated[Literal["v1"], Field(alias="apiVersion")] = "v1"
    kind: Literal["Pod"] = "Pod"
    spec: PodSpec | None = None
    """Specification of the desired behavior of the pod."""
    status: PodStatus | None = None
    """Most recently observed status of the pod."""
