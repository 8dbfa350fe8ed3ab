"""Which cluster an operator works for: the first half of the owner that bindcar keeps for every zone. Pure.

A name alone is not enough: people choose it, and two clusters with one name would delete each other's zones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_UID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
LONGEST_NAME = 216
"""bindcar takes 253 characters for a cluster; a slash and a UID have 37."""


class InvalidClusterId(ValueError):
    """The text says what is wrong."""


@dataclass(frozen=True, slots=True)
class ClusterId:
    """The name that people gave, and the UID that Kubernetes gave. Written `name/UID`."""

    name: str
    uid: str

    def __post_init__(self) -> None:
        check_name(self.name)
        if not is_uid(self.uid):
            raise InvalidClusterId(f"{self.uid!r} is not a UUID, as Kubernetes makes them")

    def __str__(self) -> str:
        return f"{self.name}/{self.uid}"


def is_uid(text: str) -> bool:
    """Whether it is a UUID in lower case: what every Kubernetes API server makes."""
    return _UID.fullmatch(text) is not None


def check_name(name: str) -> None:
    """Raises InvalidClusterId for a name that cannot be part of an owner."""
    if not name.strip():
        raise InvalidClusterId("must not be empty; it marks the zones that are this operator's")
    if len(name) > LONGEST_NAME:
        raise InvalidClusterId(f"has {len(name)} characters; at most {LONGEST_NAME} fit into the marker of a zone")
    if "/" in name and is_uid(name.rpartition("/")[2]):
        raise InvalidClusterId("ends like the marker of another cluster; leave the slash and the UID out")
