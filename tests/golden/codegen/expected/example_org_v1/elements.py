# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Elements of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from ..base import Model
from ..resource import Resource

ElementsSpecLimitsValue = TypeAliasType("ElementsSpecLimitsValue", Annotated[int, Field(le=9)])


ElementsSpecNamesItem = TypeAliasType("ElementsSpecNamesItem", Annotated[str, Field(min_length=2)])


class ElementsSpec(Model):
    limits: dict[str, ElementsSpecLimitsValue] | None = None
    names: list[ElementsSpecNamesItem] | None = None


class Elements(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Elements"] = "Elements"
    spec: ElementsSpec | None = None
