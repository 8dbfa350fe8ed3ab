# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""What every generated model is: strict about types, open to unknown fields, and written back as it was read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar, Self, TypeAlias

from pydantic import BaseModel, ConfigDict
from pydantic_core import to_json

IntOrString: TypeAlias = int | str
Quantity: TypeAlias = int | str
"""A resource quantity as written: `2`, `500m`, `1Gi`."""
Timestamp: TypeAlias = str
"""RFC 3339 as written; `parse_timestamp` and `format_timestamp` translate."""


class Model(BaseModel):
    """Fields go by their Python names or their wire names in code; the wire knows only its own."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        strict=True,
        extra="allow",
        defer_build=True,
        validate_by_alias=True,
        validate_by_name=True,
        serialize_by_alias=True,
        protected_namespaces=(),
        regex_engine="rust-regex",
    )

    # Names are for code: an unknown field that happens to be spelt like one of ours must come back under its own name.
    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        if options.get("by_name") is None:
            options["by_name"] = False
        return super().model_validate(obj, **options)

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        if options.get("by_name") is None:
            options["by_name"] = False
        return super().model_validate_json(json_data, **options)

    def to_dict(self, *, exclude_none: bool = False) -> dict[str, Any]:
        """The JSON value: what was read or set, and nothing else.

        With `exclude_none` a field set to None is left out rather than sent as null: for apply and status bodies.
        """
        return self.model_dump(by_alias=True, exclude_unset=True, exclude_none=exclude_none)

    def to_json(self, *, exclude_none: bool = False) -> bytes:
        return to_json(self.to_dict(exclude_none=exclude_none))


def parse_timestamp(text: Timestamp) -> datetime:
    """An aware datetime; digits beyond microseconds are cut."""
    return datetime.fromisoformat(text)


def format_timestamp(moment: datetime) -> Timestamp:
    """As Kubernetes writes metav1.Time: UTC, whole seconds, `Z`."""
    if moment.tzinfo is None:
        raise ValueError("a timestamp needs a time zone: use datetime.now(UTC)")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
