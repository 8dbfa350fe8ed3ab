"""Object: a read-only view on the stored bytes of one Kubernetes object.

This is what handlers, mappers, predicates and indexes see. It is a few words of memory around the bytes that the API
server sent (managedFields removed): metadata is decoded when it is asked for, and a model is built, privately, when a
reconciler wants one. It does not know where it is cached.
"""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar, cast

import msgspec

from zonewright.api import nesting
from zonewright.api.errors import InvalidObject
from zonewright.api.kind import Kind, Request

M = TypeVar("M")
_NOTHING: Mapping[str, str] = MappingProxyType({})


class OwnerReference(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """An entry of metadata.ownerReferences."""

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool = False
    block_owner_deletion: bool = False


class Metadata(msgspec.Struct, frozen=True, rename="camel"):
    """The parts of metadata that the runtime and its users look at. A null is as good as an absent field."""

    name: str
    namespace: str | None = None
    uid: str = ""
    resource_version: str = ""
    generation: int | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    finalizers: tuple[str, ...] | None = None
    owner_references: tuple[OwnerReference, ...] | None = None
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None


class _Whole(msgspec.Struct, frozen=True):
    metadata: Metadata


_decode_whole = msgspec.json.Decoder(_Whole).decode
_decode_fields = msgspec.json.Decoder(dict[str, Any]).decode


class Object(Generic[M]):
    """One object as it was at one resource version."""

    __slots__ = ("_metadata", "_shallow", "generation", "key", "kind", "raw", "unreadable", "version")

    def __init__(
        self, kind: Kind[M], key: Request, version: int, generation: int, raw: bytes, unreadable: str | None = None
    ) -> None:
        self.kind = kind
        self.key = key
        self.version = version
        """The resource version as a number: the API guarantees that newer is greater."""
        self.generation = generation
        self.raw = raw
        self.unreadable = unreadable
        """Which fields `raw` lacks because they cannot be decoded, and why; None for almost every object."""
        self._metadata: Metadata | None = None
        self._shallow = False  # as far as anybody has looked

    @property
    def metadata(self) -> Metadata:
        """Decoded once per view, not once per attribute. Never raises: what does not fit is left out."""
        if self._metadata is None:
            try:
                self._metadata = _decode_whole(self.raw).metadata
            except (ValueError, RecursionError):
                self._metadata = self._salvaged_metadata()
        return self._metadata

    def _salvaged_metadata(self) -> Metadata:
        """Field by field: labels of the wrong type must not cost the finalizers."""
        given = self.readable_fields().get("metadata")
        known: dict[str, Any] = {}
        for field in msgspec.structs.fields(Metadata):
            with contextlib.suppress(LookupError, TypeError, ValueError):
                known[field.name] = msgspec.convert(given[field.encode_name], field.type)  # type: ignore[index] # or TypeError
        known |= {"name": self.name, "namespace": self.namespace or None, "resource_version": self.resource_version}
        return Metadata(**known)

    @property
    def namespace(self) -> str:
        """ "" for cluster-scoped kinds."""
        return self.key.namespace

    @property
    def name(self) -> str:
        """Unique for its kind in its namespace."""
        return self.key.name

    @property
    def resource_version(self) -> str:
        """The server's opaque version of this state."""
        return str(self.version)

    @property
    def uid(self) -> str:
        """Tells an object from one of the same name before or after it."""
        return self.metadata.uid

    @property
    def labels(self) -> Mapping[str, str]:
        """`metadata.labels`; empty if there are none."""
        return self.metadata.labels or _NOTHING

    @property
    def annotations(self) -> Mapping[str, str]:
        """`metadata.annotations`; empty if there are none."""
        return self.metadata.annotations or _NOTHING

    @property
    def finalizers(self) -> Sequence[str]:
        """`metadata.finalizers`; empty if there are none."""
        return self.metadata.finalizers or ()

    @property
    def owners(self) -> Sequence[OwnerReference]:
        """`metadata.ownerReferences`; empty if there are none."""
        return self.metadata.owner_references or ()

    @property
    def creation_timestamp(self) -> str | None:
        """RFC 3339, as the server wrote it."""
        return self.metadata.creation_timestamp

    @property
    def deletion_timestamp(self) -> str | None:
        """When its deletion was asked for, or None."""
        return self.metadata.deletion_timestamp

    @property
    def deleting(self) -> bool:
        """Its deletion was asked for, and finalizers hold it."""
        # Most objects are not being deleted, and a substring search is a tenth of a decode.
        return b'"deletionTimestamp"' in self.raw and self.metadata.deletion_timestamp is not None

    @property
    def error(self) -> str | None:
        """Why this object does not fit its model; None for a good one. Builds a model to find out."""
        try:
            self.model()
        except InvalidObject as error:
            return error.error
        return None

    def fields(self) -> dict[str, Any]:
        """The whole object as plain JSON values: a private copy. Raises `InvalidObject` if it cannot be decoded.

        That is what an object gets that is nested deeper than `nesting.MAX_DEPTH`: an API server stores far more
        levels than a Python program can walk.
        """
        if not self._shallow:
            self._refuse_deep()
        try:
            return _decode_fields(self.raw)
        except (ValueError, RecursionError) as error:
            raise self._invalid(str(error)) from error

    def _refuse_deep(self) -> None:
        if self.unreadable is not None or nesting.is_deeper(self.raw):
            raise self._invalid(self.unreadable or nesting.complaint(self._readable()[1]))
        self._shallow = True

    def readable_fields(self) -> dict[str, Any]:
        """As `fields`, without what cannot be decoded: enough to tell whose it is and to clean up after it."""
        try:
            return self.fields() if self.unreadable is None else _decode_fields(self.raw)
        except (InvalidObject, ValueError, RecursionError):
            return self._readable()[0]

    def status(self) -> dict[str, Any]:
        """`status` as plain JSON values, as far as it can be read; empty if there is none."""
        status = self.readable_fields().get("status")
        return status if isinstance(status, dict) else {}

    def _readable(self) -> tuple[dict[str, Any], dict[str, str]]:
        try:
            return nesting.readable(self.raw)
        except ValueError as error:  # two members of one name can leave bytes that are no object
            return {}, {"object": str(error)}

    def model(self) -> M:
        """The whole object as its model: a private copy. Raises `InvalidObject` if it does not fit."""
        if self.kind.model_path is None or self.unreadable is not None:
            return cast("M", self.fields())
        model: Any = self.kind.model()
        try:
            return cast("M", model.model_validate_json(self.raw))
        except (ValueError, RecursionError) as error:  # pydantic's ValidationError is a ValueError
            raise self._invalid(self._too_deep() or _problems(error)) from error

    def _too_deep(self) -> str | None:
        """pydantic says of it where in the bytes it gave up; people want to know the field."""
        return nesting.complaint(self._readable()[1]) if nesting.is_deeper(self.raw) else None

    def _invalid(self, error: str) -> InvalidObject:
        return InvalidObject(f"{self.kind} {self.key}", error)

    def view(self) -> "Object[M]":
        """Another view on the same bytes. What is decoded through it goes when it goes; the cache stays small."""
        view = Object(self.kind, self.key, self.version, self.generation, self.raw, self.unreadable)
        view._shallow = self._shallow
        return view

    def release(self) -> None:
        """Forgets what was decoded. The store does this once every handler has looked."""
        self._metadata = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.key} at {self.version}>"


def _problems(error: Exception) -> str:
    """Field by field, and without the values: pydantic shows them, and they may be a Secret's."""
    details: Callable[..., Any] | None = getattr(error, "errors", None)
    if details is None:
        return str(error)
    found = details(include_url=False, include_input=False, include_context=False)
    return "; ".join(": ".join(filter(None, (".".join(map(str, each["loc"])), each["msg"]))) for each in found)


Mapper: TypeAlias = Callable[[Object[Any] | None, Object[Any] | None], Iterable[Request]]
"""(old, new) -> keys to reconcile. Synchronous, no I/O; `old` is None for a new object, `new` for a deleted one."""

Predicate: TypeAlias = Callable[[Object[Any] | None, Object[Any] | None], bool]
"""(old, new) -> whether the change is worth a reconcile."""

Handler: TypeAlias = Callable[[Object[Any] | None, Object[Any] | None, bool], None]
"""(old, new, initial): `initial` marks the first list and the replay for a late handler."""
