# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""IngressClass of networking.k8s.io/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class IngressClassParametersReference(Model):
    """IngressClassParametersReference identifies an API object."""

    api_group: Annotated[str | None, Field(alias="apiGroup")] = None
    """apiGroup is the group for the resource being referenced."""
    kind: str
    """kind is the type of resource being referenced."""
    name: str
    """name is the name of resource being referenced."""
    namespace: str | None = None
    """namespace is the namespace of the resource being referenced."""
    scope: str | None = None
    """scope represents if this refers to a cluster or namespace scoped resource."""


class IngressClassSpec(Model):
    """IngressClassSpec provides information about the class of an Ingress."""

    controller: str | None = None
    """controller refers to the name of the controller that should handle this class."""
    parameters: IngressClassParametersReference | None = None
    """parameters is a link to a custom resource containing additional configuration for the controller."""


class IngressClass(Resource):
    """IngressClass represents the class of the Ingress, referenced by the Ingress Spec."""

    api_version: Annotated[Literal["networking.k8s.io/v1"], Field(alias="apiVersion")] = "networking.k8s.io/v1"
    kind: Literal["IngressClass"] = "IngressClass"
    spec: IngressClassSpec | None = None
    """spec is the desired state of the IngressClass."""
