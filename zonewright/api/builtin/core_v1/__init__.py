# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Models of v1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .common import AWSElasticBlockStoreVolumeSource as AWSElasticBlockStoreVolumeSource
    from .common import AzureDiskVolumeSource as AzureDiskVolumeSource
    from .common import EventSource as EventSource
    from .common import FCVolumeSource as FCVolumeSource
    from .common import FlockerVolumeSource as FlockerVolumeSource
    from .common import GCEPersistentDiskVolumeSource as GCEPersistentDiskVolumeSource
    from .common import HostPathVolumeSource as HostPathVolumeSource
    from .common import LocalObjectReference as LocalObjectReference
    from .common import NFSVolumeSource as NFSVolumeSource
    from .common import NodeSelector as NodeSelector
    from .common import NodeSelectorRequirement as NodeSelectorRequirement
    from .common import NodeSelectorTerm as NodeSelectorTerm
    from .common import ObjectReference as ObjectReference
    from .common import PersistentVolumeClaimSpec as PersistentVolumeClaimSpec
    from .common import PhotonPersistentDiskVolumeSource as PhotonPersistentDiskVolumeSource
    from .common import PortworxVolumeSource as PortworxVolumeSource
    from .common import QuobyteVolumeSource as QuobyteVolumeSource
    from .common import ResourceClaim as ResourceClaim
    from .common import ResourceRequirements as ResourceRequirements
    from .common import TypedLocalObjectReference as TypedLocalObjectReference
    from .common import TypedObjectReference as TypedObjectReference
    from .common import VolumeResourceRequirements as VolumeResourceRequirements
    from .common import VsphereVirtualDiskVolumeSource as VsphereVirtualDiskVolumeSource
    from .configmap import ConfigMap as ConfigMap
    from .event import Event as Event
    from .event import EventSeries as EventSeries
    from .namespace import Namespace as Namespace
    from .namespace import NamespaceCondition as NamespaceCondition
    from .namespace import NamespaceSpec as NamespaceSpec
    from .namespace import NamespaceStatus as NamespaceStatus
    from .node import AttachedVolume as AttachedVolume
    from .node import ConfigMapNodeConfigSource as ConfigMapNodeConfigSource
    from .node import ContainerImage as ContainerImage
    from .node import DaemonEndpoint as DaemonEndpoint
    from .node import Node as Node
    from .node import NodeAddress as NodeAddress
    from .node import NodeCondition as NodeCondition
    from .node import NodeConfigSource as NodeConfigSource
    from .node import NodeConfigStatus as NodeConfigStatus
    from .node import NodeDaemonEndpoints as NodeDaemonEndpoints
    from .node import NodeFeatures as NodeFeatures
    from .node import NodeRuntimeHandler as NodeRuntimeHandler
    from .node import NodeRuntimeHandlerFeatures as NodeRuntimeHandlerFeatures
    from .node import NodeSpec as NodeSpec
    from .node import NodeStatus as NodeStatus
    from .node import NodeSwapStatus as NodeSwapStatus
    from .node import NodeSystemInfo as NodeSystemInfo
    from .node import Taint as Taint
    from .persistentvolume import AzureFilePersistentVolumeSource as AzureFilePersistentVolumeSource
    from .persistentvolume import CephFSPersistentVolumeSource as CephFSPersistentVolumeSource
    from .persistentvolume import CinderPersistentVolumeSource as CinderPersistentVolumeSource
    from .persistentvolume import CSIPersistentVolumeSource as CSIPersistentVolumeSource
    from .persistentvolume import FlexPersistentVolumeSource as FlexPersistentVolumeSource
    from .persistentvolume import GlusterfsPersistentVolumeSource as GlusterfsPersistentVolumeSource
    from .persistentvolume import ISCSIPersistentVolumeSource as ISCSIPersistentVolumeSource
    from .persistentvolume import LocalVolumeSource as LocalVolumeSource
    from .persistentvolume import PersistentVolume as PersistentVolume
    from .persistentvolume import PersistentVolumeSpec as PersistentVolumeSpec
    from .persistentvolume import PersistentVolumeStatus as PersistentVolumeStatus
    from .persistentvolume import RBDPersistentVolumeSource as RBDPersistentVolumeSource
    from .persistentvolume import ScaleIOPersistentVolumeSource as ScaleIOPersistentVolumeSource
    from .persistentvolume import SecretReference as SecretReference
    from .persistentvolume import StorageOSPersistentVolumeSource as StorageOSPersistentVolumeSource
    from .persistentvolume import VolumeNodeAffinity as VolumeNodeAffinity
    from .persistentvolumeclaim import ModifyVolumeStatus as ModifyVolumeStatus
    from .persistentvolumeclaim import PersistentVolumeClaim as PersistentVolumeClaim
    from .persistentvolumeclaim import PersistentVolumeClaimCondition as PersistentVolumeClaimCondition
    from .persistentvolumeclaim import PersistentVolumeClaimStatus as PersistentVolumeClaimStatus
    from .pod import ContainerExtendedResourceRequest as ContainerExtendedResourceRequest
    from .pod import ContainerState as ContainerState
    from .pod import ContainerStateRunning as ContainerStateRunning
    from .pod import ContainerStateTerminated as ContainerStateTerminated
    from .pod import ContainerStateWaiting as ContainerStateWaiting
    from .pod import ContainerStatus as ContainerStatus
    from .pod import ContainerUser as ContainerUser
    from .pod import HostIP as HostIP
    from .pod import ImageVolumeStatus as ImageVolumeStatus
    from .pod import LinuxContainerUser as LinuxContainerUser
    from .pod import NodeAllocatableResourceClaimStatus as NodeAllocatableResourceClaimStatus
    from .pod import Pod as Pod
    from .pod import PodCondition as PodCondition
    from .pod import PodExtendedResourceClaimStatus as PodExtendedResourceClaimStatus
    from .pod import PodIP as PodIP
    from .pod import PodResourceClaimStatus as PodResourceClaimStatus
    from .pod import PodStatus as PodStatus
    from .pod import ResourceHealth as ResourceHealth
    from .pod import ResourceStatus as ResourceStatus
    from .pod import VolumeMountStatus as VolumeMountStatus
    from .pod import VolumeStatus as VolumeStatus
    from .podspec import Affinity as Affinity
    from .podspec import AppArmorProfile as AppArmorProfile
    from .podspec import AzureFileVolumeSource as AzureFileVolumeSource
    from .podspec import Capabilities as Capabilities
    from .podspec import CephFSVolumeSource as CephFSVolumeSource
    from .podspec import CinderVolumeSource as CinderVolumeSource
    from .podspec import ClusterTrustBundleProjection as ClusterTrustBundleProjection
    from .podspec import ConfigMapEnvSource as ConfigMapEnvSource
    from .podspec import ConfigMapKeySelector as ConfigMapKeySelector
    from .podspec import ConfigMapProjection as ConfigMapProjection
    from .podspec import ConfigMapVolumeSource as ConfigMapVolumeSource
    from .podspec import Container as Container
    from .podspec import ContainerPort as ContainerPort
    from .podspec import ContainerResizePolicy as ContainerResizePolicy
    from .podspec import ContainerRestartRule as ContainerRestartRule
    from .podspec import ContainerRestartRuleOnExitCodes as ContainerRestartRuleOnExitCodes
    from .podspec import CSIVolumeSource as CSIVolumeSource
    from .podspec import DownwardAPIProjection as DownwardAPIProjection
    from .podspec import DownwardAPIVolumeFile as DownwardAPIVolumeFile
    from .podspec import DownwardAPIVolumeSource as DownwardAPIVolumeSource
    from .podspec import EmptyDirVolumeSource as EmptyDirVolumeSource
    from .podspec import EnvFromSource as EnvFromSource
    from .podspec import EnvVar as EnvVar
    from .podspec import EnvVarSource as EnvVarSource
    from .podspec import EphemeralContainer as EphemeralContainer
    from .podspec import EphemeralVolumeSource as EphemeralVolumeSource
    from .podspec import ExecAction as ExecAction
    from .podspec import FileKeySelector as FileKeySelector
    from .podspec import FlexVolumeSource as FlexVolumeSource
    from .podspec import GitRepoVolumeSource as GitRepoVolumeSource
    from .podspec import GlusterfsVolumeSource as GlusterfsVolumeSource
    from .podspec import GRPCAction as GRPCAction
    from .podspec import HostAlias as HostAlias
    from .podspec import HTTPGetAction as HTTPGetAction
    from .podspec import HTTPHeader as HTTPHeader
    from .podspec import ImageVolumeSource as ImageVolumeSource
    from .podspec import ISCSIVolumeSource as ISCSIVolumeSource
    from .podspec import KeyToPath as KeyToPath
    from .podspec import Lifecycle as Lifecycle
    from .podspec import LifecycleHandler as LifecycleHandler
    from .podspec import NodeAffinity as NodeAffinity
    from .podspec import ObjectFieldSelector as ObjectFieldSelector
    from .podspec import PersistentVolumeClaimTemplate as PersistentVolumeClaimTemplate
    from .podspec import PersistentVolumeClaimVolumeSource as PersistentVolumeClaimVolumeSource
    from .podspec import PodAffinity as PodAffinity
    from .podspec import PodAffinityTerm as PodAffinityTerm
    from .podspec import PodAntiAffinity as PodAntiAffinity
    from .podspec import PodCertificateProjection as PodCertificateProjection
    from .podspec import PodDNSConfig as PodDNSConfig
    from .podspec import PodDNSConfigOption as PodDNSConfigOption
    from .podspec import PodOS as PodOS
    from .podspec import PodReadinessGate as PodReadinessGate
    from .podspec import PodResourceClaim as PodResourceClaim
    from .podspec import PodSchedulingGate as PodSchedulingGate
    from .podspec import PodSchedulingGroup as PodSchedulingGroup
    from .podspec import PodSecurityContext as PodSecurityContext
    from .podspec import PodSpec as PodSpec
    from .podspec import PreferredSchedulingTerm as PreferredSchedulingTerm
    from .podspec import Probe as Probe
    from .podspec import ProjectedVolumeSource as ProjectedVolumeSource
    from .podspec import RBDVolumeSource as RBDVolumeSource
    from .podspec import ResourceFieldSelector as ResourceFieldSelector
    from .podspec import ScaleIOVolumeSource as ScaleIOVolumeSource
    from .podspec import SeccompProfile as SeccompProfile
    from .podspec import SecretEnvSource as SecretEnvSource
    from .podspec import SecretKeySelector as SecretKeySelector
    from .podspec import SecretProjection as SecretProjection
    from .podspec import SecretVolumeSource as SecretVolumeSource
    from .podspec import SecurityContext as SecurityContext
    from .podspec import SELinuxOptions as SELinuxOptions
    from .podspec import ServiceAccountTokenProjection as ServiceAccountTokenProjection
    from .podspec import SleepAction as SleepAction
    from .podspec import StorageOSVolumeSource as StorageOSVolumeSource
    from .podspec import Sysctl as Sysctl
    from .podspec import TCPSocketAction as TCPSocketAction
    from .podspec import Toleration as Toleration
    from .podspec import TopologySpreadConstraint as TopologySpreadConstraint
    from .podspec import Volume as Volume
    from .podspec import VolumeDevice as VolumeDevice
    from .podspec import VolumeMount as VolumeMount
    from .podspec import VolumeProjection as VolumeProjection
    from .podspec import WeightedPodAffinityTerm as WeightedPodAffinityTerm
    from .podspec import WindowsSecurityContextOptions as WindowsSecurityContextOptions
    from .podtemplatespec import PodTemplateSpec as PodTemplateSpec
    from .secret import Secret as Secret
    from .service import ClientIPConfig as ClientIPConfig
    from .service import LoadBalancerIngress as LoadBalancerIngress
    from .service import LoadBalancerStatus as LoadBalancerStatus
    from .service import PortStatus as PortStatus
    from .service import Service as Service
    from .service import ServicePort as ServicePort
    from .service import ServiceSpec as ServiceSpec
    from .service import ServiceStatus as ServiceStatus
    from .service import SessionAffinityConfig as SessionAffinityConfig
    from .serviceaccount import ServiceAccount as ServiceAccount

_HOMES = {
    "AWSElasticBlockStoreVolumeSource": "common",
    "AzureDiskVolumeSource": "common",
    "EventSource": "common",
    "FCVolumeSource": "common",
    "FlockerVolumeSource": "common",
    "GCEPersistentDiskVolumeSource": "common",
    "HostPathVolumeSource": "common",
    "LocalObjectReference": "common",
    "NFSVolumeSource": "common",
    "NodeSelectorRequirement": "common",
    "NodeSelectorTerm": "common",
    "ObjectReference": "common",
    "PhotonPersistentDiskVolumeSource": "common",
    "PortworxVolumeSource": "common",
    "QuobyteVolumeSource": "common",
    "ResourceClaim": "common",
    "ResourceRequirements": "common",
    "TypedLocalObjectReference": "common",
    "TypedObjectReference": "common",
    "VolumeResourceRequirements": "common",
    "VsphereVirtualDiskVolumeSource": "common",
    "NodeSelector": "common",
    "PersistentVolumeClaimSpec": "common",
    "ConfigMap": "configmap",
    "EventSeries": "event",
    "Event": "event",
    "NamespaceCondition": "namespace",
    "NamespaceSpec": "namespace",
    "NamespaceStatus": "namespace",
    "Namespace": "namespace",
    "AttachedVolume": "node",
    "ConfigMapNodeConfigSource": "node",
    "ContainerImage": "node",
    "DaemonEndpoint": "node",
    "NodeAddress": "node",
    "NodeCondition": "node",
    "NodeConfigSource": "node",
    "NodeConfigStatus": "node",
    "NodeDaemonEndpoints": "node",
    "NodeFeatures": "node",
    "NodeRuntimeHandlerFeatures": "node",
    "NodeSwapStatus": "node",
    "NodeSystemInfo": "node",
    "Taint": "node",
    "NodeRuntimeHandler": "node",
    "NodeSpec": "node",
    "NodeStatus": "node",
    "Node": "node",
    "AzureFilePersistentVolumeSource": "persistentvolume",
    "GlusterfsPersistentVolumeSource": "persistentvolume",
    "LocalVolumeSource": "persistentvolume",
    "PersistentVolumeStatus": "persistentvolume",
    "SecretReference": "persistentvolume",
    "StorageOSPersistentVolumeSource": "persistentvolume",
    "VolumeNodeAffinity": "persistentvolume",
    "CSIPersistentVolumeSource": "persistentvolume",
    "CephFSPersistentVolumeSource": "persistentvolume",
    "CinderPersistentVolumeSource": "persistentvolume",
    "FlexPersistentVolumeSource": "persistentvolume",
    "ISCSIPersistentVolumeSource": "persistentvolume",
    "RBDPersistentVolumeSource": "persistentvolume",
    "ScaleIOPersistentVolumeSource": "persistentvolume",
    "PersistentVolumeSpec": "persistentvolume",
    "PersistentVolume": "persistentvolume",
    "ModifyVolumeStatus": "persistentvolumeclaim",
    "PersistentVolumeClaimCondition": "persistentvolumeclaim",
    "PersistentVolumeClaimStatus": "persistentvolumeclaim",
    "PersistentVolumeClaim": "persistentvolumeclaim",
    "ContainerExtendedResourceRequest": "pod",
    "ContainerStateRunning": "pod",
    "ContainerStateTerminated": "pod",
    "ContainerStateWaiting": "pod",
    "HostIP": "pod",
    "ImageVolumeStatus": "pod",
    "LinuxContainerUser": "pod",
    "NodeAllocatableResourceClaimStatus": "pod",
    "PodCondition": "pod",
    "PodExtendedResourceClaimStatus": "pod",
    "PodIP": "pod",
    "PodResourceClaimStatus": "pod",
    "ResourceHealth": "pod",
    "ResourceStatus": "pod",
    "VolumeStatus": "pod",
    "ContainerState": "pod",
    "ContainerUser": "pod",
    "VolumeMountStatus": "pod",
    "ContainerStatus": "pod",
    "PodStatus": "pod",
    "Pod": "pod",
    "AppArmorProfile": "podspec",
    "AzureFileVolumeSource": "podspec",
    "CSIVolumeSource": "podspec",
    "Capabilities": "podspec",
    "CephFSVolumeSource": "podspec",
    "CinderVolumeSource": "podspec",
    "ClusterTrustBundleProjection": "podspec",
    "ConfigMapEnvSource": "podspec",
    "ConfigMapKeySelector": "podspec",
    "ContainerPort": "podspec",
    "ContainerResizePolicy": "podspec",
    "ContainerRestartRuleOnExitCodes": "podspec",
    "EmptyDirVolumeSource": "podspec",
    "ExecAction": "podspec",
    "FileKeySelector": "podspec",
    "FlexVolumeSource": "podspec",
    "GRPCAction": "podspec",
    "GitRepoVolumeSource": "podspec",
    "GlusterfsVolumeSource": "podspec",
    "HTTPHeader": "podspec",
    "HostAlias": "podspec",
    "ISCSIVolumeSource": "podspec",
    "ImageVolumeSource": "podspec",
    "KeyToPath": "podspec",
    "ObjectFieldSelector": "podspec",
    "PersistentVolumeClaimTemplate": "podspec",
    "PersistentVolumeClaimVolumeSource": "podspec",
    "PodAffinityTerm": "podspec",
    "PodCertificateProjection": "podspec",
    "PodDNSConfigOption": "podspec",
    "PodOS": "podspec",
    "PodReadinessGate": "podspec",
    "PodResourceClaim": "podspec",
    "PodSchedulingGate": "podspec",
    "PodSchedulingGroup": "podspec",
    "PreferredSchedulingTerm": "podspec",
    "RBDVolumeSource": "podspec",
    "ResourceFieldSelector": "podspec",
    "SELinuxOptions": "podspec",
    "ScaleIOVolumeSource": "podspec",
    "SeccompProfile": "podspec",
    "SecretEnvSource": "podspec",
    "SecretKeySelector": "podspec",
    "SecretProjection": "podspec",
    "SecretVolumeSource": "podspec",
    "ServiceAccountTokenProjection": "podspec",
    "SleepAction": "podspec",
    "StorageOSVolumeSource": "podspec",
    "Sysctl": "podspec",
    "TCPSocketAction": "podspec",
    "Toleration": "podspec",
    "TopologySpreadConstraint": "podspec",
    "VolumeDevice": "podspec",
    "VolumeMount": "podspec",
    "WeightedPodAffinityTerm": "podspec",
    "WindowsSecurityContextOptions": "podspec",
    "ConfigMapProjection": "podspec",
    "ConfigMapVolumeSource": "podspec",
    "ContainerRestartRule": "podspec",
    "DownwardAPIVolumeFile": "podspec",
    "DownwardAPIVolumeSource": "podspec",
    "EnvFromSource": "podspec",
    "EnvVarSource": "podspec",
    "EphemeralVolumeSource": "podspec",
    "HTTPGetAction": "podspec",
    "LifecycleHandler": "podspec",
    "NodeAffinity": "podspec",
    "PodAffinity": "podspec",
    "PodAntiAffinity": "podspec",
    "PodDNSConfig": "podspec",
    "PodSecurityContext": "podspec",
    "Probe": "podspec",
    "SecurityContext": "podspec",
    "Affinity": "podspec",
    "DownwardAPIProjection": "podspec",
    "EnvVar": "podspec",
    "Lifecycle": "podspec",
    "VolumeProjection": "podspec",
    "Container": "podspec",
    "EphemeralContainer": "podspec",
    "ProjectedVolumeSource": "podspec",
    "Volume": "podspec",
    "PodSpec": "podspec",
    "PodTemplateSpec": "podtemplatespec",
    "Secret": "secret",
    "ClientIPConfig": "service",
    "PortStatus": "service",
    "ServicePort": "service",
    "SessionAffinityConfig": "service",
    "LoadBalancerIngress": "service",
    "LoadBalancerStatus": "service",
    "ServiceSpec": "service",
    "ServiceStatus": "service",
    "Service": "service",
    "ServiceAccount": "serviceaccount",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
