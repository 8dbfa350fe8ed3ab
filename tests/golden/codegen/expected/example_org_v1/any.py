# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Any of example.org/v1."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class AnyModelSpec(Model):
    a: Any | None = None


class AnyModel(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Any"] = "Any"
    spec: AnyModelSpec | None = None
