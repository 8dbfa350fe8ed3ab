# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Numbers of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class NumbersSpec(Model):
    count: Annotated[int | None, Field(gt=0)] = None
    share: Annotated[int | float | None, Field(ge=0.0, le=100.0)] = None


class Numbers(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Numbers"] = "Numbers"
    spec: NumbersSpec | None = None
