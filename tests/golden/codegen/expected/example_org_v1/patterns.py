# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Patterns of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class PatternsSpec(Model):
    digits: Annotated[str | None, Field(pattern="^[0-9]+$")] = None
    quoted: str | None = None


class Patterns(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Patterns"] = "Patterns"
    spec: PatternsSpec | None = None
