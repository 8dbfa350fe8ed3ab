# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Models of apiextensions.k8s.io/v1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .customresourcedefinition import CustomResourceColumnDefinition as CustomResourceColumnDefinition
    from .customresourcedefinition import CustomResourceConversion as CustomResourceConversion
    from .customresourcedefinition import CustomResourceDefinition as CustomResourceDefinition
    from .customresourcedefinition import CustomResourceDefinitionCondition as CustomResourceDefinitionCondition
    from .customresourcedefinition import CustomResourceDefinitionNames as CustomResourceDefinitionNames
    from .customresourcedefinition import CustomResourceDefinitionSpec as CustomResourceDefinitionSpec
    from .customresourcedefinition import CustomResourceDefinitionStatus as CustomResourceDefinitionStatus
    from .customresourcedefinition import CustomResourceDefinitionVersion as CustomResourceDefinitionVersion
    from .customresourcedefinition import CustomResourceSubresources as CustomResourceSubresources
    from .customresourcedefinition import CustomResourceSubresourceScale as CustomResourceSubresourceScale
    from .customresourcedefinition import CustomResourceValidation as CustomResourceValidation
    from .customresourcedefinition import ExternalDocumentation as ExternalDocumentation
    from .customresourcedefinition import JSONSchemaProps as JSONSchemaProps
    from .customresourcedefinition import SelectableField as SelectableField
    from .customresourcedefinition import ServiceReference as ServiceReference
    from .customresourcedefinition import ValidationRule as ValidationRule
    from .customresourcedefinition import WebhookClientConfig as WebhookClientConfig
    from .customresourcedefinition import WebhookConversion as WebhookConversion

_HOMES = {
    "CustomResourceColumnDefinition": "customresourcedefinition",
    "CustomResourceDefinitionCondition": "customresourcedefinition",
    "CustomResourceDefinitionNames": "customresourcedefinition",
    "CustomResourceDefinitionStatus": "customresourcedefinition",
    "CustomResourceSubresourceScale": "customresourcedefinition",
    "CustomResourceSubresources": "customresourcedefinition",
    "ExternalDocumentation": "customresourcedefinition",
    "SelectableField": "customresourcedefinition",
    "ServiceReference": "customresourcedefinition",
    "ValidationRule": "customresourcedefinition",
    "WebhookClientConfig": "customresourcedefinition",
    "WebhookConversion": "customresourcedefinition",
    "CustomResourceConversion": "customresourcedefinition",
    "JSONSchemaProps": "customresourcedefinition",
    "CustomResourceValidation": "customresourcedefinition",
    "CustomResourceDefinitionVersion": "customresourcedefinition",
    "CustomResourceDefinitionSpec": "customresourcedefinition",
    "CustomResourceDefinition": "customresourcedefinition",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
