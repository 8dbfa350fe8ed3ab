"""Status as a merge patch: only what differs, and nothing when nothing does. Pure."""

from collections.abc import Mapping
from typing import Any


def status_patch(metadata: Mapping[str, Any], before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> Any:
    """The body that turns one status into another; None when they are equal.

    It names the resource version: whoever wrote in between is not overwritten, the reconcile runs again instead."""
    present = before or {}
    if not differs(present, after):
        return None
    gone: dict[str, Any] = {key: None for key, value in present.items() if key not in after and value is not None}
    changed = {key: value for key, value in after.items() if present.get(key) != value}
    return {"metadata": {"resourceVersion": metadata["resourceVersion"]}, "status": {**gone, **changed}}


def differs(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether there is anything to write. A null is as good as an absent field."""
    return {key: value for key, value in before.items() if value is not None} != after
