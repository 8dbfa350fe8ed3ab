# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Naming of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class NamingSpec(Model):
    field_5m: Annotated[str | None, Field(alias="5m")] = None
    field: Annotated[str | None, Field(alias="_")] = None
    proxy_url: Annotated[str | None, Field(alias="proxyURL")] = None
    proxy_url_2: Annotated[str | None, Field(alias="proxyUrl")] = None
    to_fqdns: Annotated[list[str] | None, Field(alias="toFQDNs")] = None
    x_y: Annotated[str | None, Field(alias="x-y")] = None


class Naming(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Naming"] = "Naming"
    spec: NamingSpec | None = None
