"""Object: a read-only view on the stored bytes of one Kubernetes object.

This is what handlers, mappers, predicates and indexes see. It is a few words of memory around the bytes that the API
server sent (managedFields removed): metadata is decoded when it is asked for, and a model is built, privately, when a
reconciler wants one. It does not know where it is cached.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar, cast

import msgspec

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


class Object(Generic[M]):
    """One object as it was at one resource version."""

    __slots__ = ("_metadata", "generation", "key", "kind", "raw", "version")

    def __init__(self, kind: Kind[M], key: Request, version: int, generation: int, raw: bytes) -> None:
        self.kind = kind
        self.key = key
        self.version = version
        """The resource version as a number: the API guarantees that newer is greater."""
        self.generation = generation
        self.raw = raw
        self._metadata: Metadata | None = None

    @property
    def metadata(self) -> Metadata:
        """Decoded once per view, not once per attribute."""
        if self._metadata is None:
            self._metadata = _decode_whole(self.raw).metadata
        return self._metadata

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
        """The whole object as plain JSON values: a private copy."""
        return cast("dict[str, Any]", msgspec.json.decode(self.raw))

    def model(self) -> M:
        """The whole object as its model: a private copy. Raises `InvalidObject` if it does not fit."""
        if self.kind.model_path is None:
            return cast("M", self.fields())
        model: Any = self.kind.model()
        try:
            return cast("M", model.model_validate_json(self.raw))
        except ValueError as error:  # pydantic's ValidationError is one
            raise InvalidObject(f"{self.kind} {self.key}", str(error)) from error

    def view(self) -> "Object[M]":
        """Another view on the same bytes. What is decoded through it goes when it goes; the cache stays small."""
        return Object(self.kind, self.key, self.version, self.generation, self.raw)

    def release(self) -> None:
        """Forgets what was decoded. The store does this once every handler has looked."""
        self._metadata = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.key} at {self.version}>"


Mapper: TypeAlias = Callable[[Object[Any] | None, Object[Any] | None], Iterable[Request]]
"""(old, new) -> keys to reconcile. Synchronous, no I/O; `old` is None for a new object, `new` for a deleted one."""

Predicate: TypeAlias = Callable[[Object[Any] | None, Object[Any] | None], bool]
"""(old, new) -> whether the change is worth a reconcile."""

Handler: TypeAlias = Callable[[Object[Any] | None, Object[Any] | None, bool], None]
"""(old, new, initial): `initial` marks the first list and the replay for a late handler."""
