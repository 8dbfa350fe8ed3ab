"""What the server serves: one Resource per kind and version, and the registry that finds them by URL.

A resource says everything that differs between kinds, so that the verbs (verbs.py) treat all of them alike."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from zonewright.envtest.embedded.errors import Cause
from zonewright.envtest.embedded.schema import Node

Fields = dict[str, Any]
READ_WRITE = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of `kubectl get`; the value of one with `age` is a timestamp and shown as the time since."""

    name: str
    type: str
    cell: Callable[[Fields], Any]
    description: str = ""
    format: str = ""
    priority: int = 0
    age: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    spec_path: str
    status_path: str
    selector_path: str


def no_defaults(fields: Fields) -> None:
    """Most kinds have none beyond their schema."""


def no_rules(fields: Fields, before: Fields | None) -> list[Cause]:
    """Most kinds have none beyond their schema."""
    del fields, before
    return []


def no_allocation(fields: Fields, before: Fields | None) -> None:
    """Most kinds get nothing from the server but defaults."""


def unchanged(fields: Fields) -> Fields:
    return fields


@dataclass(frozen=True, slots=True)
class Resource:
    group: str
    version: str
    kind: str
    plural: str
    singular: str
    namespaced: bool
    schema: Node
    # Where its objects are kept; two resources may show the same objects (the two kinds of Event).
    collection: str
    definition: Mapping[str, Any] = field(default_factory=dict)
    list_kind: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    verbs: tuple[str, ...] = READ_WRITE
    custom: bool = False
    has_status: bool = False
    # Which top-level fields a plain write may not touch and a write to /status may.
    status_fields: tuple[str, ...] = ("status",)
    has_generation: bool = False
    scale: Scale | None = None
    columns: tuple[Column, ...] = ()
    selectable: frozenset[str] = frozenset({"metadata.name", "metadata.namespace"})
    returns_deleted: bool = False
    unconditional_update: bool = False
    defaults: Callable[[Fields], None] = no_defaults
    rules: Callable[[Fields, Fields | None], list[Cause]] = no_rules
    # What the server chooses for an object, and nobody owns: a Service's address.
    allocate: Callable[[Fields, Fields | None], None] = no_allocation
    # From the stored form to this version's and back.
    shown: Callable[[Fields], Fields] = unchanged
    stored: Callable[[Fields], Fields] = unchanged
    converts: bool = False

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def path(self) -> str:
        return f"/apis/{self.api_version}" if self.group else f"/api/{self.api_version}"


class Registry:
    """The resources being served, by (group, version, plural)."""

    def __init__(self) -> None:
        self._resources: dict[tuple[str, str, str], Resource] = {}
        # Counts changes, so that what is derived from the whole (OpenAPI, discovery) can be kept until then.
        self.changes = 0

    def add(self, resource: Resource) -> None:
        self._resources[resource.group, resource.version, resource.plural] = resource
        self.changes += 1

    def remove(self, group: str, plural: str) -> None:
        for key in [key for key in self._resources if key[0] == group and key[2] == plural]:
            del self._resources[key]
        self.changes += 1

    def find(self, group: str, version: str, plural: str) -> Resource | None:
        return self._resources.get((group, version, plural))

    def of_collection(self, collection: str) -> Resource | None:
        """The resource whose stored form is the collection's."""
        return next((one for one in self if one.collection == collection and not one.converts), None)

    def groups(self) -> dict[str, list[str]]:
        """Group names with their versions, in the order of registration."""
        found: dict[str, list[str]] = {}
        for group, version, _ in self._resources:
            versions = found.setdefault(group, [])
            if version not in versions:
                versions.append(version)
        return found

    def in_version(self, group: str, version: str) -> list[Resource]:
        return [one for one in self if one.group == group and one.version == version]

    def __iter__(self) -> Iterator[Resource]:
        return iter(list(self._resources.values()))
