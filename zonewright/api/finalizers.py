"""Finalizers: what keeps an object until its clean-up is done. `metadata_patch` does the same beside annotations."""

from typing import Any

from zonewright.api.identity import identify
from zonewright.api.patches import metadata_patch


def has_finalizer(subject: object, finalizer: str) -> bool:
    """Whether the object carries this finalizer."""
    return finalizer in identify(subject).finalizers


def add_finalizer(subject: object, finalizer: str) -> dict[str, Any] | None:
    """The body of a merge patch; None when the finalizer is there."""
    return metadata_patch(subject, add_finalizers=[finalizer])


def remove_finalizer(subject: object, finalizer: str) -> dict[str, Any] | None:
    """The body of a merge patch; None when the finalizer is not there."""
    return metadata_patch(subject, remove_finalizers=[finalizer])
