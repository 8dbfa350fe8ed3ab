"""A small model for tests, importable by the path that a Kind names."""

from pydantic import BaseModel, ConfigDict


class Spec(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    size: int


class Widget(BaseModel):
    model_config = ConfigDict(extra="allow")
    metadata: dict[str, object]
    spec: Spec

    def to_dict(self) -> dict[str, object]:
        return self.model_dump()
