# Written by `make generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Typed access to the shared informers: `Informers(manager).aaaarecord.get(request)` is a model or None."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from . import kinds

if TYPE_CHECKING:
    from zonewright import Informer, Kind

    from . import bindy_firestoned_io_v1beta1, externaldns_k8s_io_v1alpha1


M = TypeVar("M")


class InformerSource(Protocol):
    """Whoever keeps one shared informer per kind: the manager, or an informer set."""

    def informer(self, kind: Kind[M]) -> Informer[M]: ...


class Informers:
    """One property per kind. An informer starts to exist when it is first asked for."""

    def __init__(self, source: InformerSource) -> None:
        self._source = source

    @property
    def aaaarecord(self) -> Informer[bindy_firestoned_io_v1beta1.AAAARecord]:
        return self._source.informer(kinds.AAAARecord)

    @property
    def arecord(self) -> Informer[bindy_firestoned_io_v1beta1.ARecord]:
        return self._source.informer(kinds.ARecord)

    @property
    def bind9cluster(self) -> Informer[bindy_firestoned_io_v1beta1.Bind9Cluster]:
        return self._source.informer(kinds.Bind9Cluster)

    @property
    def bind9globalcluster(self) -> Informer[bindy_firestoned_io_v1beta1.Bind9GlobalCluster]:
        return self._source.informer(kinds.Bind9GlobalCluster)

    @property
    def bind9instance(self) -> Informer[bindy_firestoned_io_v1beta1.Bind9Instance]:
        return self._source.informer(kinds.Bind9Instance)

    @property
    def caarecord(self) -> Informer[bindy_firestoned_io_v1beta1.CAARecord]:
        return self._source.informer(kinds.CAARecord)

    @property
    def cnamerecord(self) -> Informer[bindy_firestoned_io_v1beta1.CNAMERecord]:
        return self._source.informer(kinds.CNAMERecord)

    @property
    def clusterbind9provider(self) -> Informer[bindy_firestoned_io_v1beta1.ClusterBind9Provider]:
        return self._source.informer(kinds.ClusterBind9Provider)

    @property
    def dnsendpoint(self) -> Informer[externaldns_k8s_io_v1alpha1.DNSEndpoint]:
        return self._source.informer(kinds.DNSEndpoint)

    @property
    def dnszone(self) -> Informer[bindy_firestoned_io_v1beta1.DNSZone]:
        return self._source.informer(kinds.DNSZone)

    @property
    def mxrecord(self) -> Informer[bindy_firestoned_io_v1beta1.MXRecord]:
        return self._source.informer(kinds.MXRecord)

    @property
    def nsrecord(self) -> Informer[bindy_firestoned_io_v1beta1.NSRecord]:
        return self._source.informer(kinds.NSRecord)

    @property
    def ptrrecord(self) -> Informer[bindy_firestoned_io_v1beta1.PTRRecord]:
        return self._source.informer(kinds.PTRRecord)

    @property
    def srvrecord(self) -> Informer[bindy_firestoned_io_v1beta1.SRVRecord]:
        return self._source.informer(kinds.SRVRecord)

    @property
    def txtrecord(self) -> Informer[bindy_firestoned_io_v1beta1.TXTRecord]:
        return self._source.informer(kinds.TXTRecord)
