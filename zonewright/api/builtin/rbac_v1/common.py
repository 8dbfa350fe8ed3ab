# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""What kinds share of rbac.authorization.k8s.io/v1."""

from typing import Annotated

from pydantic import Field

from ..base import Model


class PolicyRule(Model):
    """PolicyRule holds information that describes a policy rule, but does not contain information about who the rule applies to or which namespace the rule applies to."""

    api_groups: Annotated[list[str] | None, Field(alias="apiGroups")] = None
    """APIGroups is the name of the APIGroup that contains the resources."""
    non_resource_urls: Annotated[list[str] | None, Field(alias="nonResourceURLs")] = None
    """NonResourceURLs is a set of partial urls that a user should have access to."""
    resource_names: Annotated[list[str] | None, Field(alias="resourceNames")] = None
    """ResourceNames is an optional white list of names that the rule applies to."""
    resources: list[str] | None = None
    """Resources is a list of resources this rule applies to. '*' represents all resources."""
    verbs: list[str] | None
    """Verbs is a list of Verbs that apply to ALL the ResourceKinds contained in this rule. '*' represents all verbs."""


class RoleRef(Model):
    """RoleRef contains information that points to the role being used"""

    api_group: Annotated[str | None, Field(alias="apiGroup")] = None
    """APIGroup is the group for the resource being referenced"""
    kind: str
    """Kind is the type of resource being referenced"""
    name: str
    """Name is the name of resource being referenced"""


class Subject(Model):
    """Subject contains a reference to the object or user identities a role binding applies to."""

    api_group: Annotated[str | None, Field(alias="apiGroup")] = None
    """APIGroup holds the API group of the referenced subject."""
    kind: str
    """Kind of object being referenced."""
    name: str
    """Name of the object being referenced."""
    namespace: str | None = None
    """Namespace of the referenced object."""
