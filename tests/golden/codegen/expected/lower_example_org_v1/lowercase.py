# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""lowercase of lower.example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class LowercaseSpec(Model):
    a: str | None = None


class Lowercase(Resource):
    api_version: Annotated[Literal["lower.example.org/v1"], Field(alias="apiVersion")] = "lower.example.org/v1"
    kind: Literal["lowercase"] = "lowercase"
    spec: LowercaseSpec | None = None
