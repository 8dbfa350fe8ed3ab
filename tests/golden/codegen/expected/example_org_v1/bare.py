# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Bare of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class BareSpec(Model):
    a: str | None = None


class Bare(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Bare"] = "Bare"
    spec: BareSpec | None = None
