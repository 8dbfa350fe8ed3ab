# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Models of example.org/v1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .any import AnyModel as AnyModel
    from .any import AnyModelSpec as AnyModelSpec
    from .bare import Bare as Bare
    from .bare import BareSpec as BareSpec
    from .defaults import Defaults as Defaults
    from .defaults import DefaultsSpec as DefaultsSpec
    from .defaults import DefaultsStatus as DefaultsStatus
    from .described import Described as Described
    from .described import DescribedSpec as DescribedSpec
    from .elements import Elements as Elements
    from .elements import ElementsSpec as ElementsSpec
    from .elements import ElementsSpecLimitsValue as ElementsSpecLimitsValue
    from .elements import ElementsSpecNamesItem as ElementsSpecNamesItem
    from .enums import Enums as Enums
    from .enums import EnumsSpec as EnumsSpec
    from .field import FieldModel as FieldModel
    from .field import FieldModelSpec as FieldModelSpec
    from .formats import Formats as Formats
    from .formats import FormatsSpec as FormatsSpec
    from .junctors import Junctors as Junctors
    from .junctors import JunctorsSpec as JunctorsSpec
    from .kafka import Kafka as Kafka
    from .kafka import KafkaSpec as KafkaSpec
    from .kafka import KafkaSpecKafka as KafkaSpecKafka
    from .kafka import KafkaSpecKafkaKafka as KafkaSpecKafkaKafka
    from .keywords import Keywords as Keywords
    from .keywords import KeywordsSpec as KeywordsSpec
    from .naming import Naming as Naming
    from .naming import NamingSpec as NamingSpec
    from .nullable import Nullable as Nullable
    from .nullable import NullableSpec as NullableSpec
    from .nullable import NullableSpecPart as NullableSpecPart
    from .numbers import Numbers as Numbers
    from .numbers import NumbersSpec as NumbersSpec
    from .patterns import Patterns as Patterns
    from .patterns import PatternsSpec as PatternsSpec
    from .ports import Ports as Ports
    from .ports import PortsSpec as PortsSpec
    from .preserving import Preserving as Preserving
    from .preserving import PreservingSpec as PreservingSpec
    from .quantity import QuantityModel as QuantityModel
    from .quantity import QuantityModelSpec as QuantityModelSpec

_HOMES = {
    "AnyModelSpec": "any",
    "AnyModel": "any",
    "BareSpec": "bare",
    "Bare": "bare",
    "DefaultsSpec": "defaults",
    "DefaultsStatus": "defaults",
    "Defaults": "defaults",
    "DescribedSpec": "described",
    "Described": "described",
    "ElementsSpecLimitsValue": "elements",
    "ElementsSpecNamesItem": "elements",
    "ElementsSpec": "elements",
    "Elements": "elements",
    "EnumsSpec": "enums",
    "Enums": "enums",
    "FieldModelSpec": "field",
    "FieldModel": "field",
    "FormatsSpec": "formats",
    "Formats": "formats",
    "JunctorsSpec": "junctors",
    "Junctors": "junctors",
    "KafkaSpecKafkaKafka": "kafka",
    "KafkaSpecKafka": "kafka",
    "KafkaSpec": "kafka",
    "Kafka": "kafka",
    "KeywordsSpec": "keywords",
    "Keywords": "keywords",
    "NamingSpec": "naming",
    "Naming": "naming",
    "NullableSpecPart": "nullable",
    "NullableSpec": "nullable",
    "Nullable": "nullable",
    "NumbersSpec": "numbers",
    "Numbers": "numbers",
    "PatternsSpec": "patterns",
    "Patterns": "patterns",
    "PortsSpec": "ports",
    "Ports": "ports",
    "PreservingSpec": "preserving",
    "Preserving": "preserving",
    "QuantityModelSpec": "quantity",
    "QuantityModel": "quantity",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
