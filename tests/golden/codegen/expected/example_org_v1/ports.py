# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Ports of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import IntOrString, Model, Quantity
from ..resource import Resource


class PortsSpec(Model):
    bare: IntOrString | None = None
    memory: Quantity | None = None
    pattern: IntOrString | None = None


class Ports(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Ports"] = "Ports"
    spec: PortsSpec | None = None
