# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Junctors of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class JunctorsSpec(Model):
    a: str | None = None
    b: str | None = None


class Junctors(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Junctors"] = "Junctors"
    spec: JunctorsSpec | None = None
