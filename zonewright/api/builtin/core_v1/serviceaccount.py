# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""ServiceAccount of v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..core_v1.common import LocalObjectReference, ObjectReference
from ..resource import Resource


class ServiceAccount(Resource):
    """ServiceAccount binds together: * a name, understood by users, and perhaps by peripheral systems, for an identity * a principal that can be authenticated and authorized * a set of secrets"""

    api_version: Annotated[Literal["v1"], Field(alias="apiVersion")] = "v1"
    kind: Literal["ServiceAccount"] = "ServiceAccount"
    automount_service_account_token: Annotated[bool | None, Field(alias="automountServiceAccountToken")] = None
    """AutomountServiceAccountToken indicates whether pods running as this service account should have an API token automatically mounted."""
    image_pull_secrets: Annotated[list[LocalObjectReference] | None, Field(alias="imagePullSecrets")] = None
    """ImagePullSecrets is a list of references to secrets in the same namespace to use for pulling any images in pods that reference this ServiceAccount."""
    secrets: list[ObjectReference] | None = None
    """Secrets is a list of the secrets in the same namespace that pods running using this ServiceAccount are allowed to use."""
