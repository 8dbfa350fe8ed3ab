# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Role of rbac.authorization.k8s.io/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..rbac_v1.common import PolicyRule
from ..resource import Resource


class Role(Resource):
    """Role is a namespaced, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding."""

    api_version: Annotated[Literal["rbac.authorization.k8s.io/v1"], Field(alias="apiVersion")] = (
        "rbac.authorization.k8s.io/v1"
    )
    kind: Literal["Role"] = "Role"
    rules: list[PolicyRule] | None = None
    """Rules holds all the PolicyRules for this Role"""
