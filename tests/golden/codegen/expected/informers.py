# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Typed access to the shared informers: `Informers(manager).anymodel.get(request)` is a model or None."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from . import kinds

if TYPE_CHECKING:
    from zonewright import Informer, Kind

    from . import example_org_v1, lower_example_org_v1


M = TypeVar("M")


class InformerSource(Protocol):
    """Whoever keeps one shared informer per kind: the manager, or an informer set."""

    def informer(self, kind: Kind[M]) -> Informer[M]: ...


class Informers:
    """One property per kind. An informer starts to exist when it is first asked for."""

    def __init__(self, source: InformerSource) -> None:
        self._source = source

    @property
    def anymodel(self) -> Informer[example_org_v1.AnyModel]:
        return self._source.informer(kinds.AnyModel)

    @property
    def bare(self) -> Informer[example_org_v1.Bare]:
        return self._source.informer(kinds.Bare)

    @property
    def defaults(self) -> Informer[example_org_v1.Defaults]:
        return self._source.informer(kinds.Defaults)

    @property
    def described(self) -> Informer[example_org_v1.Described]:
        return self._source.informer(kinds.Described)

    @property
    def elements(self) -> Informer[example_org_v1.Elements]:
        return self._source.informer(kinds.Elements)

    @property
    def enums(self) -> Informer[example_org_v1.Enums]:
        return self._source.informer(kinds.Enums)

    @property
    def fieldmodel(self) -> Informer[example_org_v1.FieldModel]:
        return self._source.informer(kinds.FieldModel)

    @property
    def formats(self) -> Informer[example_org_v1.Formats]:
        return self._source.informer(kinds.Formats)

    @property
    def junctors(self) -> Informer[example_org_v1.Junctors]:
        return self._source.informer(kinds.Junctors)

    @property
    def kafka(self) -> Informer[example_org_v1.Kafka]:
        return self._source.informer(kinds.Kafka)

    @property
    def keywords(self) -> Informer[example_org_v1.Keywords]:
        return self._source.informer(kinds.Keywords)

    @property
    def lowercase(self) -> Informer[lower_example_org_v1.Lowercase]:
        return self._source.informer(kinds.Lowercase)

    @property
    def naming(self) -> Informer[example_org_v1.Naming]:
        return self._source.informer(kinds.Naming)

    @property
    def nullable(self) -> Informer[example_org_v1.Nullable]:
        return self._source.informer(kinds.Nullable)

    @property
    def numbers(self) -> Informer[example_org_v1.Numbers]:
        return self._source.informer(kinds.Numbers)

    @property
    def patterns(self) -> Informer[example_org_v1.Patterns]:
        return self._source.informer(kinds.Patterns)

    @property
    def ports(self) -> Informer[example_org_v1.Ports]:
        return self._source.informer(kinds.Ports)

    @property
    def preserving(self) -> Informer[example_org_v1.Preserving]:
        return self._source.informer(kinds.Preserving)

    @property
    def quantitymodel(self) -> Informer[example_org_v1.QuantityModel]:
        return self._source.informer(kinds.QuantityModel)
