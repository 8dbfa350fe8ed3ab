"""Shape: which part of a kind a cache holds, and what of each object. Equal shapes share a cache.

The server does the selecting. Here objects are cut down before they are stored: to their metadata, where a reply was
asked for without the header that makes the server do it, and by the caller's `transform`. Knows no threads.
"""

import dataclasses
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from zonewright import metrics
from zonewright.api import decode
from zonewright.api.errors import InvalidObject
from zonewright.api.kind import Kind
from zonewright.api.objects import Object
from zonewright.api.selectors import InvalidSelector, Selector
from zonewright.api.shaping import Shaping, Transform
from zonewright.log import get_logger

M = TypeVar("M")
T = TypeVar("T")

_log = get_logger(__name__)

TRANSFORM_ERRORS = metrics.counter(
    "zonewright_cache_transform_errors_total", "Objects that were stored whole because a transform raised.", "kind"
)
PARTIAL_MODEL: Final = "zonewright.api.partial:PartialObjectMetadata"
# As API servers write it; what is written otherwise goes the long way.
_PARTIAL_HEAD: Final = b'{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",'
# The store tells objects apart by these, so no transform takes them away.
_IDENTITY: Final = ("name", "namespace", "uid", "resourceVersion", "generation")
# "" is all of them. Otherwise an RFC 1123 label.
_NAMESPACE: Final = re.compile(r"|[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_FIELD_COMMA: Final = re.compile(r"(?<!\\),")  # a backslash takes a comma into a value


@dataclass(frozen=True, slots=True)
class Shape:
    """The plain one holds everything of every object."""

    namespaces: tuple[str, ...] = ("",)
    """"" is all namespaces, or a kind that has none."""
    label_selector: str = ""
    field_selector: str = ""
    transform: Transform | None = None
    metadata_only: bool = False

    @property
    def reduces(self) -> bool:
        """Whether what is stored is less than the object."""
        return self.metadata_only or self.transform is not None

    def kind(self, kind: Kind[Any]) -> Kind[Any]:
        """The kind with the model that its objects have in this cache."""
        return dataclasses.replace(kind, model_path=PARTIAL_MODEL) if self.metadata_only else kind

    def reduce(self, object_: Object[M], kind: Kind[M]) -> Object[M]:
        """What is stored of an object. Never raises: an object that cannot be cut down is stored as it is."""
        if self.metadata_only:
            object_ = _metadata_of(object_, kind)
        if self.transform is not None and object_.unreadable is None:
            object_ = _transformed(object_, kind, self.transform)
        return object_

    def __str__(self) -> str:
        """For people: in health checks and on debug pages."""
        parts = [",".join(self.namespaces), self.label_selector, self.field_selector]
        parts.append(getattr(self.transform, "__name__", "transform") if self.transform else "")
        parts.append("metadata" if self.metadata_only else "")
        return " ".join(part for part in parts if part) or "all namespaces"


def shape_of(kind: Kind[Any], options: Shaping, namespace: str = "") -> Shape:
    """What these options ask for; `namespace` is watched where they name none. Raises for what cannot be meant."""
    if unknown := options.keys() - Shaping.__annotations__.keys():
        raise TypeError(f"unknown option {min(unknown)!r}: a cache takes {', '.join(sorted(Shaping.__annotations__))}")
    return Shape(
        namespaces=_namespaces(kind, options.get("namespaces"), namespace),
        label_selector=_label_selector(options.get("label_selector", "")),
        field_selector=_field_selector(options.get("field_selector", "")),
        transform=_transform(options.get("transform")),
        metadata_only=_typed("metadata_only", options.get("metadata_only", False), bool, "True or False"),
    )


def _namespaces(kind: Kind[Any], names: Collection[str] | None, default: str) -> tuple[str, ...]:
    if names is None:
        return (default if kind.namespaced else "",)
    if isinstance(names, str):
        raise TypeError(f"namespaces takes a collection of names: [{names!r}], not {names!r}")
    if not kind.namespaced:
        raise ValueError(f"namespaces cannot be chosen for {kind}: it is cluster-scoped")
    if not names:
        raise ValueError(f"namespaces is empty: leave it out to watch {kind} in all of them")
    for name in names:
        # A namespace that does not exist is listed as an empty one: nobody else would notice the mistake.
        if not _NAMESPACE.fullmatch(_typed("namespaces", name, str, "names")):
            raise ValueError(f"namespaces: {name!r} is not the name of a namespace")
    return ("",) if "" in names else tuple(sorted(set(names)))


def _label_selector(text: str) -> str:
    try:
        Selector.parse(_typed("label_selector", text, str, "text such as 'app=web,tier!=cache'"))
    except InvalidSelector as error:
        raise ValueError(f"label_selector: {error}") from None
    return text.strip()


def _field_selector(text: str) -> str:
    terms = _FIELD_COMMA.split(_typed("field_selector", text, str, "text such as 'status.phase=Running'"))
    for term in terms:
        if term.strip() and "=" not in term:
            raise ValueError(f"field_selector: {term!r} compares nothing: write field=value or field!=value")
    return text.strip()


def _transform(function: Transform | None) -> Transform | None:
    if function is None:
        return None
    if not callable(function):
        raise TypeError(f"transform takes a function of an object's fields, not {function!r}")
    try:
        hash(function)
    except TypeError:
        raise TypeError(f"transform must be hashable, to tell who shares a cache; {function!r} is not") from None
    return function


def _typed(argument: str, value: T, type_: type, wanted: str) -> T:
    if not isinstance(value, type_):
        raise TypeError(f"{argument} takes {wanted}, not {value!r}")
    return value


def _metadata_of(object_: Object[M], kind: Kind[M]) -> Object[M]:
    """Of the object's own kind again: the server calls every one of them a PartialObjectMetadata."""
    named = {"apiVersion": kind.api_version, "kind": kind.kind}
    if object_.raw.startswith(_PARTIAL_HEAD):
        raw = decode.encode(named)[:-1] + b"," + object_.raw[len(_PARTIAL_HEAD) :]
    else:
        raw = decode.encode({**named, "metadata": object_.readable_fields().get("metadata")})
    return Object(kind, object_.key, object_.version, object_.generation, raw)


def _transformed(object_: Object[M], kind: Kind[M], transform: Transform) -> Object[M]:
    try:
        fields = object_.fields()
        identity = {name: fields["metadata"][name] for name in _IDENTITY if name in fields["metadata"]}
        kept = dict(transform(fields))
        kept["metadata"] = {**(kept.get("metadata") or {}), **identity}
        return Object(kind, object_.key, object_.version, object_.generation, decode.encode(kept))
    except InvalidObject:
        return object_  # nested too deep to be looked at; readers are told so
    except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's code: one odd object must not stop the watch
        TRANSFORM_ERRORS.labels(kind.resource).inc()
        _log.error("transform failed", exc_info=error, kind=kind.resource, key=object_.key)
        return object_
