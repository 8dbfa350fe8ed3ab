"""Owner references: what garbage collection follows down, and `owns()` follows up. Pure."""

from collections.abc import Iterable
from typing import Any

from zonewright.api.identity import identify
from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Mapper, Object, OwnerReference


def owner_reference(owner: object, controller: bool = True) -> dict[str, Any]:
    """The entry for metadata.ownerReferences of what `owner` creates."""
    who = identify(owner)
    if not who.uid:
        raise ValueError(f"{who.kind} {who.name} has no uid yet: create it before what it owns")
    return {
        "apiVersion": who.api_version,
        "kind": who.kind,
        "name": who.name,
        "uid": who.uid,
        "controller": controller,
        "blockOwnerDeletion": controller,
    }


def controller_of(subject: Object[Any]) -> OwnerReference | None:
    """The one owner that manages the object; others merely keep it alive."""
    return next((owner for owner in subject.owners if owner.controller), None)


def owner_mapper(kind: Kind[Any]) -> Mapper:
    """A changed object -> its controlling owner of this kind, before and after: it may have changed hands."""

    def map_to_owner(old: Object[Any] | None, new: Object[Any] | None) -> Iterable[Request]:
        return {request for subject in (old, new) if subject is not None for request in _owner_request(kind, subject)}

    return map_to_owner


def _owner_request(kind: Kind[Any], subject: Object[Any]) -> Iterable[Request]:
    owner = controller_of(subject)
    # The version is not compared: an owner written through another version of its API is the same object.
    if owner is not None and owner.kind == kind.kind and owner.api_version.rpartition("/")[0] == kind.group:
        yield Request(subject.namespace if kind.namespaced else "", owner.name)
