# Written by `python -m codegen` from the CRDs. Do not edit: change the CRD or codegen/, then run it again.
"""The registry: what is known about every kind without loading its models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from controllers.runtime.kind import Kind, M

if TYPE_CHECKING:
    from . import example_org_v1, lower_example_org_v1

# What Kind.model() imports; computed, because the package may live under any name.
_PACKAGE = __name__.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class PrinterColumn:
    """A column of `kubectl get`."""

    name: str
    type: str
    json_path: str
    priority: int = 0
    description: str = ""


# eq=False: kinds compare by what they name, see Kind.
@dataclass(frozen=True, slots=True, eq=False)
class CustomKind(Kind[M]):
    """A kind that a CRD defines, with what the CRD says about it."""

    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    printer_columns: tuple[PrinterColumn, ...] = ()
    selectable_fields: tuple[str, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    example: Mapping[str, Any] | None = None
    """A spec that works, from the CRD's `example`."""

    @property
    def rdtype(self) -> str | None:
        """The DNS type that objects of this kind publish (annotation `zonewright/rdtype`), or None."""
        return self.annotations.get("zonewright/rdtype")


AnyModel: CustomKind[example_org_v1.AnyModel] = CustomKind(
    group="example.org",
    version="v1",
    kind="Any",
    plural="anys",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.any:AnyModel",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Bare: CustomKind[example_org_v1.Bare] = CustomKind(
    group="example.org",
    version="v1",
    kind="Bare",
    plural="bares",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.bare:Bare",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Defaults: CustomKind[example_org_v1.Defaults] = CustomKind(
    group="example.org",
    version="v1",
    kind="Defaults",
    plural="defaultss",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.defaults:Defaults",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Described: CustomKind[example_org_v1.Described] = CustomKind(
    group="example.org",
    version="v1",
    kind="Described",
    plural="describeds",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.described:Described",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Elements: CustomKind[example_org_v1.Elements] = CustomKind(
    group="example.org",
    version="v1",
    kind="Elements",
    plural="elementss",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.elements:Elements",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Enums: CustomKind[example_org_v1.Enums] = CustomKind(
    group="example.org",
    version="v1",
    kind="Enums",
    plural="enumss",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.enums:Enums",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
FieldModel: CustomKind[example_org_v1.FieldModel] = CustomKind(
    group="example.org",
    version="v1",
    kind="Field",
    plural="fields",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.field:FieldModel",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Formats: CustomKind[example_org_v1.Formats] = CustomKind(
    group="example.org",
    version="v1",
    kind="Formats",
    plural="formatss",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.formats:Formats",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Junctors: CustomKind[example_org_v1.Junctors] = CustomKind(
    group="example.org",
    version="v1",
    kind="Junctors",
    plural="junctorss",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.junctors:Junctors",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Kafka: CustomKind[example_org_v1.Kafka] = CustomKind(
    group="example.org",
    version="v1",
    kind="Kafka",
    plural="kafkas",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.kafka:Kafka",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Keywords: CustomKind[example_org_v1.Keywords] = CustomKind(
    group="example.org",
    version="v1",
    kind="Keywords",
    plural="keywordss",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.keywords:Keywords",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Lowercase: CustomKind[lower_example_org_v1.Lowercase] = CustomKind(
    group="lower.example.org",
    version="v1",
    kind="lowercase",
    plural="lowercases",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.lower_example_org_v1.lowercase:Lowercase",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Naming: CustomKind[example_org_v1.Naming] = CustomKind(
    group="example.org",
    version="v1",
    kind="Naming",
    plural="namings",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.naming:Naming",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Nullable: CustomKind[example_org_v1.Nullable] = CustomKind(
    group="example.org",
    version="v1",
    kind="Nullable",
    plural="nullables",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.nullable:Nullable",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Numbers: CustomKind[example_org_v1.Numbers] = CustomKind(
    group="example.org",
    version="v1",
    kind="Numbers",
    plural="numberss",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.numbers:Numbers",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Patterns: CustomKind[example_org_v1.Patterns] = CustomKind(
    group="example.org",
    version="v1",
    kind="Patterns",
    plural="patternss",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.patterns:Patterns",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Ports: CustomKind[example_org_v1.Ports] = CustomKind(
    group="example.org",
    version="v1",
    kind="Ports",
    plural="portss",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.ports:Ports",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
Preserving: CustomKind[example_org_v1.Preserving] = CustomKind(
    group="example.org",
    version="v1",
    kind="Preserving",
    plural="preservings",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.preserving:Preserving",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)
QuantityModel: CustomKind[example_org_v1.QuantityModel] = CustomKind(
    group="example.org",
    version="v1",
    kind="Quantity",
    plural="quantitys",
    namespaced=True,
    subresources=frozenset([]),
    model_path=f"{_PACKAGE}.example_org_v1.quantity:QuantityModel",
    short_names=(),
    categories=(),
    printer_columns=(),
    selectable_fields=(),
    annotations={},
    example=None,
)

KINDS: Mapping[str, CustomKind[Any]] = MappingProxyType(
    {
        "Any": AnyModel,
        "Bare": Bare,
        "Defaults": Defaults,
        "Described": Described,
        "Elements": Elements,
        "Enums": Enums,
        "Field": FieldModel,
        "Formats": Formats,
        "Junctors": Junctors,
        "Kafka": Kafka,
        "Keywords": Keywords,
        "lowercase": Lowercase,
        "Naming": Naming,
        "Nullable": Nullable,
        "Numbers": Numbers,
        "Patterns": Patterns,
        "Ports": Ports,
        "Preserving": Preserving,
        "Quantity": QuantityModel,
    }
)
"""Every kind by its name; the second kind of a name by `Kind.group`, an older version by `Kind.version.group`."""

RECORD_KINDS: tuple[CustomKind[Any], ...] = tuple(kind for kind in KINDS.values() if kind.rdtype)
"""The kinds that publish a DNS record."""
