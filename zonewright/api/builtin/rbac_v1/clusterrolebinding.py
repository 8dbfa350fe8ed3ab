# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""ClusterRoleBinding of rbac.authorization.k8s.io/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..rbac_v1.common import RoleRef, Subject
from ..resource import Resource


class ClusterRoleBinding(Resource):
    """ClusterRoleBinding references a ClusterRole, but not contain it."""

    api_version: Annotated[Literal["rbac.authorization.k8s.io/v1"], Field(alias="apiVersion")] = (
        "rbac.authorization.k8s.io/v1"
    )
    kind: Literal["ClusterRoleBinding"] = "ClusterRoleBinding"
    role_ref: Annotated[RoleRef, Field(alias="roleRef")]
    """RoleRef can only reference a ClusterRole in the global namespace."""
    subjects: list[Subject] | None = None
    """Subjects holds references to the objects the role applies to."""
