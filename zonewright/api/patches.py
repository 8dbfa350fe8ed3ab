"""Merge patches: what to send so that an object becomes what it should be; None when it is so already. Pure.

Every patch names the resource version it was decided on: a merge patch replaces whole lists, so if somebody else wrote
in between, the server answers Conflict and the reconcile decides anew; nobody's finalizer or condition is lost.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from zonewright.api.identity import identify


def metadata_patch(
    subject: object,
    *,
    annotations: Mapping[str, str | None] | None = None,
    add_finalizers: Iterable[str] = (),
    remove_finalizers: Iterable[str] = (),
) -> dict[str, Any] | None:
    """The body that sets these annotations (None removes one) and finalizers; all others stay as they are."""
    who = identify(subject)
    changed = {key: value for key, value in (annotations or {}).items() if who.annotations.get(key) != value}
    removed = set(remove_finalizers)
    kept = [name for name in who.finalizers if name not in removed]
    finalizers = [*kept, *(name for name in add_finalizers if name not in kept)]
    patch: dict[str, Any] = {"annotations": changed} if changed else {}
    if finalizers != list(who.finalizers):
        patch["finalizers"] = finalizers
    return {"metadata": {"resourceVersion": who.resource_version, **patch}} if patch else None


def status_patch(subject: object, before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> dict[str, Any] | None:
    """The body that turns one status into another; send it to the status subresource."""
    present = before or {}
    if not status_differs(present, after):
        return None
    gone: dict[str, Any] = {key: None for key, value in present.items() if key not in after and value is not None}
    changed = {key: value for key, value in after.items() if present.get(key) != value}
    return {"metadata": {"resourceVersion": identify(subject).resource_version}, "status": {**gone, **changed}}


def status_differs(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether there is anything to write. A null is as good as an absent field."""
    return {key: value for key, value in before.items() if value is not None} != after
