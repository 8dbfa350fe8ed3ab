# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""ConfigMap of v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..resource import Resource


class ConfigMap(Resource):
    """ConfigMap holds configuration data for pods to consume."""

    api_version: Annotated[Literal["v1"], Field(alias="apiVersion")] = "v1"
    kind: Literal["ConfigMap"] = "ConfigMap"
    binary_data: Annotated[dict[str, str] | None, Field(alias="binaryData")] = None
    """BinaryData contains the binary data."""
    data: dict[str, str] | None = None
    """Data contains the configuration data."""
    immutable: bool | None = None
    """Immutable, if set to true, ensures that data stored in the ConfigMap cannot be updated (only object metadata can be modified)."""
