# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Secret of v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..resource import Resource


class Secret(Resource):
    """Secret holds secret data of a certain type."""

    api_version: Annotated[Literal["v1"], Field(alias="apiVersion")] = "v1"
    kind: Literal["Secret"] = "Secret"
    data: dict[str, str] | None = None
    """Data contains the secret data."""
    immutable: bool | None = None
    """Immutable, if set to true, ensures that data stored in the Secret cannot be updated (only object metadata can be modified)."""
    string_data: Annotated[dict[str, str] | None, Field(alias="stringData")] = None
    """stringData allows specifying non-binary secret data in string form."""
    type: str | None = None
    """Used to facilitate programmatic handling of secret data."""
