# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Field of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class FieldModelSpec(Model):
    a: str | None = None
    after: list[str] | None = None
    list_: Annotated[list[str] | None, Field(alias="list")] = None


class FieldModel(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Field"] = "Field"
    spec: FieldModelSpec | None = None
