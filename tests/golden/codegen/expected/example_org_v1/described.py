# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Described of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class DescribedSpec(Model):
    """The spec."""

    a: str | None = None
    """The a."""


class Described(Resource):
    """Says "hello" with \\ and \"\"\"."""

    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Described"] = "Described"
    spec: DescribedSpec | None = None
    """The spec."""
