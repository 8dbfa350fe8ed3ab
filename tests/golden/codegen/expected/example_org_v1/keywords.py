# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Keywords of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class KeywordsSpec(Model):
    ref: Annotated[str | None, Field(alias="$ref")] = None
    continue_: Annotated[str | None, Field(alias="continue")] = None
    copy_: Annotated[str | None, Field(alias="copy")] = None
    from_: Annotated[str | None, Field(alias="from")] = None
    json_: Annotated[str | None, Field(alias="json")] = None
    model_config_: Annotated[str | None, Field(alias="model_config")] = None
    model_dump_: Annotated[str | None, Field(alias="model_dump")] = None
    schema_: Annotated[str | None, Field(alias="schema")] = None
    to_dict_: Annotated[str | None, Field(alias="to_dict")] = None


class Keywords(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Keywords"] = "Keywords"
    spec: KeywordsSpec | None = None
