# Written by `make generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Models of bindy.firestoned.io/v1beta1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .aaaarecord import AAAARecord as AAAARecord
    from .aaaarecord import AAAARecordSpec as AAAARecordSpec
    from .aaaarecord import AAAARecordSpecIpv6AddressesItem as AAAARecordSpecIpv6AddressesItem
    from .aaaarecord import AAAARecordStatus as AAAARecordStatus
    from .aaaarecord import AAAARecordStatusZoneRef as AAAARecordStatusZoneRef
    from .aaaarecord import AAAARecordStatusZones as AAAARecordStatusZones
    from .aaaarecord import AAAARecordStatusZonesAdopted as AAAARecordStatusZonesAdopted
    from .arecord import ARecord as ARecord
    from .arecord import ARecordSpec as ARecordSpec
    from .arecord import ARecordSpecIpv4AddressesItem as ARecordSpecIpv4AddressesItem
    from .arecord import ARecordStatus as ARecordStatus
    from .arecord import ARecordStatusZoneRef as ARecordStatusZoneRef
    from .arecord import ARecordStatusZones as ARecordStatusZones
    from .arecord import ARecordStatusZonesAdopted as ARecordStatusZonesAdopted
    from .bind9cluster import Bind9Cluster as Bind9Cluster
    from .bind9cluster import Bind9ClusterSpec as Bind9ClusterSpec
    from .bind9cluster import Bind9ClusterSpecConfigMapRefs as Bind9ClusterSpecConfigMapRefs
    from .bind9cluster import Bind9ClusterSpecGlobal as Bind9ClusterSpecGlobal
    from .bind9cluster import Bind9ClusterSpecGlobalBindcarConfig as Bind9ClusterSpecGlobalBindcarConfig
    from .bind9cluster import Bind9ClusterSpecGlobalDnssec as Bind9ClusterSpecGlobalDnssec
    from .bind9cluster import Bind9ClusterSpecGlobalDnssecSigning as Bind9ClusterSpecGlobalDnssecSigning
    from .bind9cluster import Bind9ClusterSpecGlobalDnssecSigningKeysFrom as Bind9ClusterSpecGlobalDnssecSigningKeysFrom
    from .bind9cluster import (
        Bind9ClusterSpecGlobalDnssecSigningKeysFromSecretRef as Bind9ClusterSpecGlobalDnssecSigningKeysFromSecretRef,
    )
    from .bind9cluster import Bind9ClusterSpecGlobalRndcSecretRef as Bind9ClusterSpecGlobalRndcSecretRef
    from .bind9cluster import Bind9ClusterSpecImage as Bind9ClusterSpecImage
    from .bind9cluster import Bind9ClusterSpecPrimary as Bind9ClusterSpecPrimary
    from .bind9cluster import Bind9ClusterSpecPrimaryRndcKey as Bind9ClusterSpecPrimaryRndcKey
    from .bind9cluster import Bind9ClusterSpecPrimaryRndcKeySecret as Bind9ClusterSpecPrimaryRndcKeySecret
    from .bind9cluster import (
        Bind9ClusterSpecPrimaryRndcKeySecretMetadata as Bind9ClusterSpecPrimaryRndcKeySecretMetadata,
    )
    from .bind9cluster import Bind9ClusterSpecPrimaryService as Bind9ClusterSpecPrimaryService
    from .bind9cluster import Bind9ClusterStatus as Bind9ClusterStatus
    from .bind9globalcluster import Bind9GlobalCluster as Bind9GlobalCluster
    from .bind9globalcluster import Bind9GlobalClusterSpec as Bind9GlobalClusterSpec
    from .bind9globalcluster import Bind9GlobalClusterSpecConfigMapRefs as Bind9GlobalClusterSpecConfigMapRefs
    from .bind9globalcluster import Bind9GlobalClusterSpecGlobal as Bind9GlobalClusterSpecGlobal
    from .bind9globalcluster import (
        Bind9GlobalClusterSpecGlobalBindcarConfig as Bind9GlobalClusterSpecGlobalBindcarConfig,
    )
    from .bind9globalcluster import Bind9GlobalClusterSpecGlobalDnssec as Bind9GlobalClusterSpecGlobalDnssec
    from .bind9globalcluster import (
        Bind9GlobalClusterSpecGlobalDnssecSigning as Bind9GlobalClusterSpecGlobalDnssecSigning,
    )
    from .bind9globalcluster import (
        Bind9GlobalClusterSpecGlobalDnssecSigningKeysFrom as Bind9GlobalClusterSpecGlobalDnssecSigningKeysFrom,
    )
    from .bind9globalcluster import (
        Bind9GlobalClusterSpecGlobalDnssecSigningKeysFromSecretRef as Bind9GlobalClusterSpecGlobalDnssecSigningKeysFromSecretRef,
    )
    from .bind9globalcluster import (
        Bind9GlobalClusterSpecGlobalRndcSecretRef as Bind9GlobalClusterSpecGlobalRndcSecretRef,
    )
    from .bind9globalcluster import Bind9GlobalClusterSpecImage as Bind9GlobalClusterSpecImage
    from .bind9globalcluster import Bind9GlobalClusterSpecPrimary as Bind9GlobalClusterSpecPrimary
    from .bind9globalcluster import Bind9GlobalClusterSpecPrimaryRndcKey as Bind9GlobalClusterSpecPrimaryRndcKey
    from .bind9globalcluster import (
        Bind9GlobalClusterSpecPrimaryRndcKeySecret as Bind9GlobalClusterSpecPrimaryRndcKeySecret,
    )
    from .bind9globalcluster import (
        Bind9GlobalClusterSpecPrimaryRndcKeySecretMetadata as Bind9GlobalClusterSpecPrimaryRndcKeySecretMetadata,
    )
    from .bind9globalcluster import Bind9GlobalClusterSpecPrimaryService as Bind9GlobalClusterSpecPrimaryService
    from .bind9globalcluster import Bind9GlobalClusterStatus as Bind9GlobalClusterStatus
    from .bind9instance import Bind9Instance as Bind9Instance
    from .bind9instance import Bind9InstanceSpec as Bind9InstanceSpec
    from .bind9instance import Bind9InstanceSpecBindcarConfig as Bind9InstanceSpecBindcarConfig
    from .bind9instance import Bind9InstanceSpecConfig as Bind9InstanceSpecConfig
    from .bind9instance import Bind9InstanceSpecConfigDnssec as Bind9InstanceSpecConfigDnssec
    from .bind9instance import Bind9InstanceSpecConfigDnssecSigning as Bind9InstanceSpecConfigDnssecSigning
    from .bind9instance import (
        Bind9InstanceSpecConfigDnssecSigningKeysFrom as Bind9InstanceSpecConfigDnssecSigningKeysFrom,
    )
    from .bind9instance import (
        Bind9InstanceSpecConfigDnssecSigningKeysFromSecretRef as Bind9InstanceSpecConfigDnssecSigningKeysFromSecretRef,
    )
    from .bind9instance import Bind9InstanceSpecConfigMapRefs as Bind9InstanceSpecConfigMapRefs
    from .bind9instance import Bind9InstanceSpecExternal as Bind9InstanceSpecExternal
    from .bind9instance import (
        Bind9InstanceSpecExternalBindcarTokenSecretRef as Bind9InstanceSpecExternalBindcarTokenSecretRef,
    )
    from .bind9instance import Bind9InstanceSpecExternalTsigSecretRef as Bind9InstanceSpecExternalTsigSecretRef
    from .bind9instance import Bind9InstanceSpecImage as Bind9InstanceSpecImage
    from .bind9instance import Bind9InstanceSpecRndcKey as Bind9InstanceSpecRndcKey
    from .bind9instance import Bind9InstanceSpecRndcKeySecret as Bind9InstanceSpecRndcKeySecret
    from .bind9instance import Bind9InstanceSpecRndcKeySecretMetadata as Bind9InstanceSpecRndcKeySecretMetadata
    from .bind9instance import Bind9InstanceSpecRndcSecretRef as Bind9InstanceSpecRndcSecretRef
    from .bind9instance import Bind9InstanceSpecStorage as Bind9InstanceSpecStorage
    from .bind9instance import (
        Bind9InstanceSpecStoragePersistentVolumeClaim as Bind9InstanceSpecStoragePersistentVolumeClaim,
    )
    from .bind9instance import Bind9InstanceStatus as Bind9InstanceStatus
    from .bind9instance import Bind9InstanceStatusClusterRef as Bind9InstanceStatusClusterRef
    from .bind9instance import Bind9InstanceStatusRndcKeyRotation as Bind9InstanceStatusRndcKeyRotation
    from .bind9instance import Bind9InstanceStatusServer as Bind9InstanceStatusServer
    from .bind9instance import Bind9InstanceStatusZones as Bind9InstanceStatusZones
    from .caarecord import CAARecord as CAARecord
    from .caarecord import CAARecordSpec as CAARecordSpec
    from .caarecord import CAARecordStatus as CAARecordStatus
    from .caarecord import CAARecordStatusZoneRef as CAARecordStatusZoneRef
    from .caarecord import CAARecordStatusZones as CAARecordStatusZones
    from .caarecord import CAARecordStatusZonesAdopted as CAARecordStatusZonesAdopted
    from .clusterbind9provider import ClusterBind9Provider as ClusterBind9Provider
    from .clusterbind9provider import ClusterBind9ProviderSpec as ClusterBind9ProviderSpec
    from .clusterbind9provider import ClusterBind9ProviderSpecConfigMapRefs as ClusterBind9ProviderSpecConfigMapRefs
    from .clusterbind9provider import ClusterBind9ProviderSpecGlobal as ClusterBind9ProviderSpecGlobal
    from .clusterbind9provider import (
        ClusterBind9ProviderSpecGlobalBindcarConfig as ClusterBind9ProviderSpecGlobalBindcarConfig,
    )
    from .clusterbind9provider import ClusterBind9ProviderSpecGlobalDnssec as ClusterBind9ProviderSpecGlobalDnssec
    from .clusterbind9provider import (
        ClusterBind9ProviderSpecGlobalDnssecSigning as ClusterBind9ProviderSpecGlobalDnssecSigning,
    )
    from .clusterbind9provider import (
        ClusterBind9ProviderSpecGlobalDnssecSigningKeysFrom as ClusterBind9ProviderSpecGlobalDnssecSigningKeysFrom,
    )
    from .clusterbind9provider import (
        ClusterBind9ProviderSpecGlobalDnssecSigningKeysFromSecretRef as ClusterBind9ProviderSpecGlobalDnssecSigningKeysFromSecretRef,
    )
    from .clusterbind9provider import (
        ClusterBind9ProviderSpecGlobalRndcSecretRef as ClusterBind9ProviderSpecGlobalRndcSecretRef,
    )
    from .clusterbind9provider import ClusterBind9ProviderSpecImage as ClusterBind9ProviderSpecImage
    from .clusterbind9provider import ClusterBind9ProviderSpecPrimary as ClusterBind9ProviderSpecPrimary
    from .clusterbind9provider import ClusterBind9ProviderSpecPrimaryRndcKey as ClusterBind9ProviderSpecPrimaryRndcKey
    from .clusterbind9provider import (
        ClusterBind9ProviderSpecPrimaryRndcKeySecret as ClusterBind9ProviderSpecPrimaryRndcKeySecret,
    )
    from .clusterbind9provider import (
        ClusterBind9ProviderSpecPrimaryRndcKeySecretMetadata as ClusterBind9ProviderSpecPrimaryRndcKeySecretMetadata,
    )
    from .clusterbind9provider import ClusterBind9ProviderSpecPrimaryService as ClusterBind9ProviderSpecPrimaryService
    from .clusterbind9provider import ClusterBind9ProviderStatus as ClusterBind9ProviderStatus
    from .cnamerecord import CNAMERecord as CNAMERecord
    from .cnamerecord import CNAMERecordSpec as CNAMERecordSpec
    from .cnamerecord import CNAMERecordStatus as CNAMERecordStatus
    from .cnamerecord import CNAMERecordStatusZoneRef as CNAMERecordStatusZoneRef
    from .cnamerecord import CNAMERecordStatusZones as CNAMERecordStatusZones
    from .cnamerecord import CNAMERecordStatusZonesAdopted as CNAMERecordStatusZonesAdopted
    from .dnszone import DNSZone as DNSZone
    from .dnszone import DNSZoneSpec as DNSZoneSpec
    from .dnszone import DNSZoneSpecAllowEndpointsFrom as DNSZoneSpecAllowEndpointsFrom
    from .dnszone import DNSZoneSpecBind9InstancesFrom as DNSZoneSpecBind9InstancesFrom
    from .dnszone import DNSZoneSpecBind9InstancesFromNamespacesItem as DNSZoneSpecBind9InstancesFromNamespacesItem
    from .dnszone import DNSZoneSpecNameServers as DNSZoneSpecNameServers
    from .dnszone import DNSZoneSpecRecordsFrom as DNSZoneSpecRecordsFrom
    from .dnszone import DNSZoneSpecSoaRecord as DNSZoneSpecSoaRecord
    from .dnszone import DNSZoneStatus as DNSZoneStatus
    from .dnszone import DNSZoneStatusBind9Instances as DNSZoneStatusBind9Instances
    from .dnszone import DNSZoneStatusDnssec as DNSZoneStatusDnssec
    from .dnszone import DNSZoneStatusRecords as DNSZoneStatusRecords
    from .mxrecord import MXRecord as MXRecord
    from .mxrecord import MXRecordSpec as MXRecordSpec
    from .mxrecord import MXRecordStatus as MXRecordStatus
    from .mxrecord import MXRecordStatusZoneRef as MXRecordStatusZoneRef
    from .mxrecord import MXRecordStatusZones as MXRecordStatusZones
    from .mxrecord import MXRecordStatusZonesAdopted as MXRecordStatusZonesAdopted
    from .nsrecord import NSRecord as NSRecord
    from .nsrecord import NSRecordSpec as NSRecordSpec
    from .nsrecord import NSRecordStatus as NSRecordStatus
    from .nsrecord import NSRecordStatusZoneRef as NSRecordStatusZoneRef
    from .nsrecord import NSRecordStatusZones as NSRecordStatusZones
    from .nsrecord import NSRecordStatusZonesAdopted as NSRecordStatusZonesAdopted
    from .ptrrecord import PTRRecord as PTRRecord
    from .ptrrecord import PTRRecordSpec as PTRRecordSpec
    from .ptrrecord import PTRRecordStatus as PTRRecordStatus
    from .ptrrecord import PTRRecordStatusZoneRef as PTRRecordStatusZoneRef
    from .ptrrecord import PTRRecordStatusZones as PTRRecordStatusZones
    from .ptrrecord import PTRRecordStatusZonesAdopted as PTRRecordStatusZonesAdopted
    from .srvrecord import SRVRecord as SRVRecord
    from .srvrecord import SRVRecordSpec as SRVRecordSpec
    from .srvrecord import SRVRecordStatus as SRVRecordStatus
    from .srvrecord import SRVRecordStatusZoneRef as SRVRecordStatusZoneRef
    from .srvrecord import SRVRecordStatusZones as SRVRecordStatusZones
    from .srvrecord import SRVRecordStatusZonesAdopted as SRVRecordStatusZonesAdopted
    from .txtrecord import TXTRecord as TXTRecord
    from .txtrecord import TXTRecordSpec as TXTRecordSpec
    from .txtrecord import TXTRecordSpecTextItem as TXTRecordSpecTextItem
    from .txtrecord import TXTRecordStatus as TXTRecordStatus
    from .txtrecord import TXTRecordStatusZoneRef as TXTRecordStatusZoneRef
    from .txtrecord import TXTRecordStatusZones as TXTRecordStatusZones
    from .txtrecord import TXTRecordStatusZonesAdopted as TXTRecordStatusZonesAdopted

_HOMES = {
    "AAAARecordSpecIpv6AddressesItem": "aaaarecord",
    "AAAARecordStatusZoneRef": "aaaarecord",
    "AAAARecordStatusZonesAdopted": "aaaarecord",
    "AAAARecordSpec": "aaaarecord",
    "AAAARecordStatusZones": "aaaarecord",
    "AAAARecordStatus": "aaaarecord",
    "AAAARecord": "aaaarecord",
    "ARecordSpecIpv4AddressesItem": "arecord",
    "ARecordStatusZoneRef": "arecord",
    "ARecordStatusZonesAdopted": "arecord",
    "ARecordSpec": "arecord",
    "ARecordStatusZones": "arecord",
    "ARecordStatus": "arecord",
    "ARecord": "arecord",
    "Bind9ClusterSpecConfigMapRefs": "bind9cluster",
    "Bind9ClusterSpecGlobalBindcarConfig": "bind9cluster",
    "Bind9ClusterSpecGlobalDnssecSigningKeysFromSecretRef": "bind9cluster",
    "Bind9ClusterSpecGlobalRndcSecretRef": "bind9cluster",
    "Bind9ClusterSpecImage": "bind9cluster",
    "Bind9ClusterSpecPrimaryRndcKeySecretMetadata": "bind9cluster",
    "Bind9ClusterSpecPrimaryService": "bind9cluster",
    "Bind9ClusterStatus": "bind9cluster",
    "Bind9ClusterSpecGlobalDnssecSigningKeysFrom": "bind9cluster",
    "Bind9ClusterSpecPrimaryRndcKeySecret": "bind9cluster",
    "Bind9ClusterSpecGlobalDnssecSigning": "bind9cluster",
    "Bind9ClusterSpecPrimaryRndcKey": "bind9cluster",
    "Bind9ClusterSpecGlobalDnssec": "bind9cluster",
    "Bind9ClusterSpecPrimary": "bind9cluster",
    "Bind9ClusterSpecGlobal": "bind9cluster",
    "Bind9ClusterSpec": "bind9cluster",
    "Bind9Cluster": "bind9cluster",
    "Bind9GlobalClusterSpecConfigMapRefs": "bind9globalcluster",
    "Bind9GlobalClusterSpecGlobalBindcarConfig": "bind9globalcluster",
    "Bind9GlobalClusterSpecGlobalDnssecSigningKeysFromSecretRef": "bind9globalcluster",
    "Bind9GlobalClusterSpecGlobalRndcSecretRef": "bind9globalcluster",
    "Bind9GlobalClusterSpecImage": "bind9globalcluster",
    "Bind9GlobalClusterSpecPrimaryRndcKeySecretMetadata": "bind9globalcluster",
    "Bind9GlobalClusterSpecPrimaryService": "bind9globalcluster",
    "Bind9GlobalClusterStatus": "bind9globalcluster",
    "Bind9GlobalClusterSpecGlobalDnssecSigningKeysFrom": "bind9globalcluster",
    "Bind9GlobalClusterSpecPrimaryRndcKeySecret": "bind9globalcluster",
    "Bind9GlobalClusterSpecGlobalDnssecSigning": "bind9globalcluster",
    "Bind9GlobalClusterSpecPrimaryRndcKey": "bind9globalcluster",
    "Bind9GlobalClusterSpecGlobalDnssec": "bind9globalcluster",
    "Bind9GlobalClusterSpecPrimary": "bind9globalcluster",
    "Bind9GlobalClusterSpecGlobal": "bind9globalcluster",
    "Bind9GlobalClusterSpec": "bind9globalcluster",
    "Bind9GlobalCluster": "bind9globalcluster",
    "Bind9InstanceSpecBindcarConfig": "bind9instance",
    "Bind9InstanceSpecConfigDnssecSigningKeysFromSecretRef": "bind9instance",
    "Bind9InstanceSpecRndcSecretRef": "bind9instance",
    "Bind9InstanceSpecConfigMapRefs": "bind9instance",
    "Bind9InstanceSpecExternalBindcarTokenSecretRef": "bind9instance",
    "Bind9InstanceSpecExternalTsigSecretRef": "bind9instance",
    "Bind9InstanceSpecImage": "bind9instance",
    "Bind9InstanceSpecRndcKeySecretMetadata": "bind9instance",
    "Bind9InstanceSpecStoragePersistentVolumeClaim": "bind9instance",
    "Bind9InstanceStatusClusterRef": "bind9instance",
    "Bind9InstanceStatusRndcKeyRotation": "bind9instance",
    "Bind9InstanceStatusServer": "bind9instance",
    "Bind9InstanceStatusZones": "bind9instance",
    "Bind9InstanceSpecConfigDnssecSigningKeysFrom": "bind9instance",
    "Bind9InstanceSpecExternal": "bind9instance",
    "Bind9InstanceSpecRndcKeySecret": "bind9instance",
    "Bind9InstanceSpecStorage": "bind9instance",
    "Bind9InstanceStatus": "bind9instance",
    "Bind9InstanceSpecConfigDnssecSigning": "bind9instance",
    "Bind9InstanceSpecRndcKey": "bind9instance",
    "Bind9InstanceSpecConfigDnssec": "bind9instance",
    "Bind9InstanceSpecConfig": "bind9instance",
    "Bind9InstanceSpec": "bind9instance",
    "Bind9Instance": "bind9instance",
    "CAARecordSpec": "caarecord",
    "CAARecordStatusZoneRef": "caarecord",
    "CAARecordStatusZonesAdopted": "caarecord",
    "CAARecordStatusZones": "caarecord",
    "CAARecordStatus": "caarecord",
    "CAARecord": "caarecord",
    "CNAMERecordSpec": "cnamerecord",
    "CNAMERecordStatusZoneRef": "cnamerecord",
    "CNAMERecordStatusZonesAdopted": "cnamerecord",
    "CNAMERecordStatusZones": "cnamerecord",
    "CNAMERecordStatus": "cnamerecord",
    "CNAMERecord": "cnamerecord",
    "ClusterBind9ProviderSpecConfigMapRefs": "clusterbind9provider",
    "ClusterBind9ProviderSpecGlobalBindcarConfig": "clusterbind9provider",
    "ClusterBind9ProviderSpecGlobalDnssecSigningKeysFromSecretRef": "clusterbind9provider",
    "ClusterBind9ProviderSpecGlobalRndcSecretRef": "clusterbind9provider",
    "ClusterBind9ProviderSpecImage": "clusterbind9provider",
    "ClusterBind9ProviderSpecPrimaryRndcKeySecretMetadata": "clusterbind9provider",
    "ClusterBind9ProviderSpecPrimaryService": "clusterbind9provider",
    "ClusterBind9ProviderStatus": "clusterbind9provider",
    "ClusterBind9ProviderSpecGlobalDnssecSigningKeysFrom": "clusterbind9provider",
    "ClusterBind9ProviderSpecPrimaryRndcKeySecret": "clusterbind9provider",
    "ClusterBind9ProviderSpecGlobalDnssecSigning": "clusterbind9provider",
    "ClusterBind9ProviderSpecPrimaryRndcKey": "clusterbind9provider",
    "ClusterBind9ProviderSpecGlobalDnssec": "clusterbind9provider",
    "ClusterBind9ProviderSpecPrimary": "clusterbind9provider",
    "ClusterBind9ProviderSpecGlobal": "clusterbind9provider",
    "ClusterBind9ProviderSpec": "clusterbind9provider",
    "ClusterBind9Provider": "clusterbind9provider",
    "DNSZoneSpecAllowEndpointsFrom": "dnszone",
    "DNSZoneSpecBind9InstancesFromNamespacesItem": "dnszone",
    "DNSZoneSpecNameServers": "dnszone",
    "DNSZoneSpecRecordsFrom": "dnszone",
    "DNSZoneSpecSoaRecord": "dnszone",
    "DNSZoneStatusBind9Instances": "dnszone",
    "DNSZoneStatusDnssec": "dnszone",
    "DNSZoneStatusRecords": "dnszone",
    "DNSZoneSpecBind9InstancesFrom": "dnszone",
    "DNSZoneStatus": "dnszone",
    "DNSZoneSpec": "dnszone",
    "DNSZone": "dnszone",
    "MXRecordSpec": "mxrecord",
    "MXRecordStatusZoneRef": "mxrecord",
    "MXRecordStatusZonesAdopted": "mxrecord",
    "MXRecordStatusZones": "mxrecord",
    "MXRecordStatus": "mxrecord",
    "MXRecord": "mxrecord",
    "NSRecordSpec": "nsrecord",
    "NSRecordStatusZoneRef": "nsrecord",
    "NSRecordStatusZonesAdopted": "nsrecord",
    "NSRecordStatusZones": "nsrecord",
    "NSRecordStatus": "nsrecord",
    "NSRecord": "nsrecord",
    "PTRRecordSpec": "ptrrecord",
    "PTRRecordStatusZoneRef": "ptrrecord",
    "PTRRecordStatusZonesAdopted": "ptrrecord",
    "PTRRecordStatusZones": "ptrrecord",
    "PTRRecordStatus": "ptrrecord",
    "PTRRecord": "ptrrecord",
    "SRVRecordSpec": "srvrecord",
    "SRVRecordStatusZoneRef": "srvrecord",
    "SRVRecordStatusZonesAdopted": "srvrecord",
    "SRVRecordStatusZones": "srvrecord",
    "SRVRecordStatus": "srvrecord",
    "SRVRecord": "srvrecord",
    "TXTRecordSpecTextItem": "txtrecord",
    "TXTRecordStatusZoneRef": "txtrecord",
    "TXTRecordStatusZonesAdopted": "txtrecord",
    "TXTRecordSpec": "txtrecord",
    "TXTRecordStatusZones": "txtrecord",
    "TXTRecordStatus": "txtrecord",
    "TXTRecord": "txtrecord",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
