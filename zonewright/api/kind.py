"""What a resource kind is: its names, its paths, its model. Knows no cluster.

`generated/` writes one `Kind` per CRD, and people write one by hand for built-in kinds:

    CONFIG_MAP = Kind("", "v1", "ConfigMap", "configmaps")      # no model: objects are plain dicts
"""

import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar, cast
from urllib.parse import quote

M = TypeVar("M")


class Request(NamedTuple):
    """The key of one object: all that a reconciler is told. `namespace` is "" for cluster-scoped kinds."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


# eq=False: two kinds are the same when they name the same resource, whatever else a subclass knows about it.
# Subclasses need eq=False too, or their dataclass decorator writes a field-by-field __eq__ again.
@dataclass(frozen=True, slots=True, eq=False)
class Kind(Generic[M]):
    """A resource kind. `M` is the type of its objects: a pydantic model, or `dict` when `model_path` is None."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool = True
    subresources: frozenset[str] = frozenset()
    model_path: str | None = None
    """`package.module:Class`, imported on first use: a process that never reads a kind never pays for its model."""

    @property
    def api_version(self) -> str:
        """`group/version`, as manifests write it."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def resource(self) -> str:
        """`plural.group`, as kubectl and RBAC name it; what metrics and logs carry."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    def path(self, namespace: str | None = None, name: str | None = None, subresource: str | None = None) -> str:
        """The URL path of the collection (of one namespace or of all), of an object, or of its subresource."""
        parts = [f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"]
        if namespace and self.namespaced:
            parts.append(f"namespaces/{_segment(namespace)}")
        parts.append(self.plural)
        if name is not None:
            if self.namespaced and not namespace:
                raise ValueError(f"{self.kind} {name!r} lives in a namespace: say which")
            parts.append(_segment(name))
        if subresource:
            parts.append(subresource)
        return "/".join(parts)

    def model(self) -> type[M]:
        """The class of this kind's objects, imported on first use."""
        return cast("type[M]", _load(self.model_path)) if self.model_path else cast("type[M]", dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Kind):
            return NotImplemented
        return (self.group, self.version, self.kind) == (other.group, other.version, other.kind)

    def __hash__(self) -> int:
        return hash((self.group, self.version, self.kind))

    def __str__(self) -> str:
        return f"{self.kind}.{self.group}" if self.group else self.kind


@dataclass(frozen=True, slots=True)
class PrinterColumn:
    """A column of `kubectl get`."""

    name: str
    type: str
    json_path: str
    priority: int = 0
    description: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class CustomKind(Kind[M]):
    """A kind that a CRD defines, with what the CRD says about it."""

    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    printer_columns: tuple[PrinterColumn, ...] = ()
    selectable_fields: tuple[str, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    example: Mapping[str, Any] | None = None
    """A spec that works, from the CRD's `example`."""


def _segment(text: str) -> str:
    """One path segment. A name is data: it must not be able to point the request at another resource."""
    if text in {"", ".", ".."}:
        raise ValueError(f"{text!r} cannot name an object")
    return quote(text, safe=":")


@functools.cache
def _load(path: str) -> type[Any]:
    module, _, name = path.partition(":")
    return cast("type[Any]", getattr(importlib.import_module(module), name))
