"""Finalizers as merge patches: what to send so that an object cannot vanish before its clean-up, or at last can.

A merge patch replaces the whole list, so it carries the resource version: if somebody else changed the object meanwhile
the server answers Conflict instead of losing their finalizer. Pure; it sends nothing.
"""

from typing import Any

from zonewright.api.identity import Identity, identify


def has_finalizer(subject: object, finalizer: str) -> bool:
    """Whether the object carries this finalizer."""
    return finalizer in identify(subject).finalizers


def add_finalizer(subject: object, finalizer: str) -> dict[str, Any] | None:
    """The body of a merge patch; None when the finalizer is there."""
    who = identify(subject)
    return None if finalizer in who.finalizers else _patch(who, (*who.finalizers, finalizer))


def remove_finalizer(subject: object, finalizer: str) -> dict[str, Any] | None:
    """The body of a merge patch; None when the finalizer is not there."""
    who = identify(subject)
    kept = tuple(name for name in who.finalizers if name != finalizer)
    return None if kept == who.finalizers else _patch(who, kept)


def _patch(who: Identity, finalizers: tuple[str, ...]) -> dict[str, Any]:
    return {"metadata": {"resourceVersion": who.resource_version, "finalizers": list(finalizers)}}
