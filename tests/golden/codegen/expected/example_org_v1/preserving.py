# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Preserving of example.org/v1."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class PreservingSpec(Model):
    max_items: Annotated[int | None, Field(alias="maxItems")] = None


class Preserving(Resource):
    any: Any | None = None
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    free: dict[str, Any] | None = None
    kind: Literal["Preserving"] = "Preserving"
    spec: PreservingSpec | None = None
