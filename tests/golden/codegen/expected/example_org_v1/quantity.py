# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Quantity of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Quantity
from ..resource import Resource


class QuantityModelSpec(Model):
    q: Quantity | None = None


class QuantityModel(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Quantity"] = "Quantity"
    spec: QuantityModelSpec | None = None
