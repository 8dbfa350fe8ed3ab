# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""RoleBinding of rbac.authorization.k8s.io/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..rbac_v1.common import RoleRef, Subject
from ..resource import Resource


class RoleBinding(Resource):
    """RoleBinding references a role, but does not contain it."""

    api_version: Annotated[Literal["rbac.authorization.k8s.io/v1"], Field(alias="apiVersion")] = (
        "rbac.authorization.k8s.io/v1"
    )
    kind: Literal["RoleBinding"] = "RoleBinding"
    role_ref: Annotated[RoleRef, Field(alias="roleRef")]
    """RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace."""
    subjects: list[Subject] | None = None
    """Subjects holds references to the objects the role applies to."""
