# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""A Kubernetes object: what all kinds have in common."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from .base import Model
from .meta_v1.common import ObjectMeta


class Resource(Model):
    api_version: Annotated[str, Field(alias="apiVersion")]
    kind: str
    metadata: ObjectMeta = Field(default_factory=ObjectMeta)

    def to_dict(self, *, exclude_none: bool = False) -> dict[str, Any]:
        """The JSON value: what was read or set, with apiVersion and kind in any case."""
        body = super().to_dict(exclude_none=exclude_none)
        # Objects built in code leave these to their defaults, which count as unset.
        body.setdefault("apiVersion", self.api_version)
        body.setdefault("kind", self.kind)
        if self.metadata.model_fields_set:
            body.setdefault("metadata", self.metadata.to_dict(exclude_none=exclude_none))
        return body
