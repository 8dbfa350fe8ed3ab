# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Nullable of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class NullableSpecPart(Model):
    x: str | None = None


class NullableSpec(Model):
    items: list[int | None] | None = None
    level: Literal["low"] | None = "low"
    must: str | None
    part: NullableSpecPart | None


class Nullable(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Nullable"] = "Nullable"
    spec: NullableSpec | None = None
