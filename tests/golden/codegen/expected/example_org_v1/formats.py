# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Formats of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..resource import Resource


class FormatsSpec(Model):
    at: Timestamp | None = None
    data: str | None = None
    for_: str | None = None
    id: str | None = None
    ip: str | None = None


class Formats(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Formats"] = "Formats"
    spec: FormatsSpec | None = None
