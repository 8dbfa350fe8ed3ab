"""Who an object is, whatever form it is held in: a cache's view, a generated model, or a plain dict.

Owner references, finalizers and events need only metadata and the kind's name; they ask here. It knows no cluster.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zonewright.api.objects import Object


@dataclass(frozen=True, slots=True)
class Identity:
    api_version: str
    kind: str
    namespace: str
    name: str
    uid: str
    resource_version: str
    finalizers: tuple[str, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict, compare=False)


def identify(subject: object) -> Identity:
    """Of an `Object`, of a model with `metadata`, or of a dict as the API writes it."""
    if isinstance(subject, Identity):
        return subject
    if isinstance(subject, Mapping):
        return _of_fields(subject)
    kind: Any = getattr(subject, "kind", "")
    if isinstance(subject, Object):
        return _of_metadata(kind.api_version, kind.kind, subject.metadata)
    return _of_metadata(getattr(subject, "api_version", "") or "", str(kind or ""), subject.metadata)  # type: ignore[attr-defined] # a model has it


def _of_metadata(api_version: str, kind: str, metadata: Any) -> Identity:
    return Identity(
        api_version,
        kind,
        metadata.namespace or "",
        metadata.name or "",
        metadata.uid or "",
        metadata.resource_version or "",
        tuple(metadata.finalizers or ()),
        getattr(metadata, "annotations", None) or {},
    )


def _of_fields(fields: Mapping[str, Any]) -> Identity:
    metadata = fields.get("metadata") or {}
    return Identity(
        fields.get("apiVersion", ""),
        fields.get("kind", ""),
        metadata.get("namespace", ""),
        metadata.get("name", ""),
        metadata.get("uid", ""),
        metadata.get("resourceVersion", ""),
        tuple(metadata.get("finalizers") or ()),
        metadata.get("annotations") or {},
    )
