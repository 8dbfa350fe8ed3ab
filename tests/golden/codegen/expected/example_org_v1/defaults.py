# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Defaults of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class DefaultsSpec(Model):
    mode: str = "fast"


class DefaultsStatus(Model):
    log: list[str] | None = None


class Defaults(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Defaults"] = "Defaults"
    spec: DefaultsSpec | None = None
    status: DefaultsStatus | None = None
