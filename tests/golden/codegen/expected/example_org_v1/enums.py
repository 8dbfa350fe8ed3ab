# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Enums of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class EnumsSpec(Model):
    level: Literal[1, 2] | None = None
    many: list[Literal["a", "b"]] | None = None
    op: Literal["", "=", "not an identifier", "class", "yes", "2020-01-01"] | None = None


class Enums(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Enums"] = "Enums"
    spec: EnumsSpec | None = None
