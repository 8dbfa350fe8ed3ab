"""What a record holds in DNS, as its object says it: in which zones, under which names. Pure.

The claim is written into the object's metadata before anything is published, and what was confirmed stands in its
status. Both together are what is ours to remove: a crash at any point leaves something to clean up and never a name
that nobody remembers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

GROUP = "bindy.firestoned.io"
ZONE_ANNOTATION = f"{GROUP}/zone"
NAME_ANNOTATION = f"{GROUP}/published-name"
CONSENT_ANNOTATION = f"{GROUP}/allow-mass-delete"

NOTHING: frozenset[str] = frozenset()


def finalizer(kind: str) -> str:
    return f"{GROUP}/{kind.lower()}-finalizer"


@dataclass(frozen=True, slots=True)
class Claim:
    """Zones and owner names as the object writes them. `claimed` may be published; `confirmed` was."""

    claimed_zones: frozenset[str] = NOTHING
    confirmed_zones: frozenset[str] = NOTHING
    claimed_names: frozenset[str] = NOTHING
    confirmed_name: str | None = None

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "Claim":
        """Reads plain JSON values, so that an object which no longer fits its model can still be cleaned up."""
        annotations = fields["metadata"].get("annotations") or {}
        status = fields.get("status") or {}
        return cls(
            claimed_zones=_split(annotations.get(ZONE_ANNOTATION), ","),
            confirmed_zones=frozenset(entry["zoneName"] for entry in status.get("zones") or () if "zoneName" in entry),
            claimed_names=_split(annotations.get(NAME_ANNOTATION), " "),  # a name may have commas, but no spaces
            confirmed_name=status.get("publishedName"),
        )

    @property
    def zones(self) -> frozenset[str]:
        """Where there may be something of this object's."""
        return self.claimed_zones | self.confirmed_zones

    @property
    def names(self) -> frozenset[str]:
        return self.claimed_names | ({self.confirmed_name} if self.confirmed_name else NOTHING)

    @property
    def contested(self) -> bool:
        """It met somebody else's RRset: the name that was published is none."""
        return not self.confirmed_name and self.confirmed_name is not None


@dataclass(frozen=True, slots=True)
class Marks:
    """The metadata a record should carry."""

    zones: frozenset[str] = NOTHING
    names: frozenset[str] = NOTHING
    finalizer: bool = False


def next_marks(
    claim: Claim, name: str, *, selected: Iterable[str], left: Iterable[str], published: bool, behind: bool
) -> Marks:
    """The marks for a record that `selected` zones want and that still stands in the zones of `left`.

    What status already confirms need not be repeated in metadata: that saves the write that would take it out again.
    `published`: status is about to confirm the present name. `behind`: something may still stand under another one."""
    wanted = frozenset(selected)
    leaving = frozenset(left) - wanted
    if not wanted:
        return Marks(claim.claimed_zones & leaving, claim.claimed_names, finalizer=True) if leaving else Marks()
    earlier = claim.claimed_names - {claim.confirmed_name}
    if published:  # what status says now is overwritten
        earlier = claim.names if behind else NOTHING
    return Marks(wanted | (leaving - claim.confirmed_zones), frozenset({name}) | earlier, finalizer=True)


def metadata_patch(marks: Marks, kind: str, metadata: Mapping[str, Any]) -> dict[str, Any] | None:
    """A merge patch that brings metadata to the marks; None when it has them already.

    It names the resource version, because a merge patch replaces the whole list of finalizers."""
    present = metadata.get("annotations") or {}
    wanted = {ZONE_ANNOTATION: _join(marks.zones, ","), NAME_ANNOTATION: _join(marks.names, " ")}
    annotations = {key: value for key, value in wanted.items() if present.get(key) != value}
    others = [each for each in metadata.get("finalizers") or () if each != finalizer(kind)]
    finalizers = [*others, finalizer(kind)] if marks.finalizer else others
    patch: dict[str, Any] = {"annotations": annotations} if annotations else {}
    if set(finalizers) != set(metadata.get("finalizers") or ()):
        patch["finalizers"] = finalizers
    return {"metadata": {**patch, "resourceVersion": metadata["resourceVersion"]}} if patch else None


def _split(text: str | None, separator: str) -> frozenset[str]:
    return frozenset(text.split(separator)) if text else NOTHING


def _join(items: frozenset[str], separator: str) -> str | None:
    return separator.join(sorted(items)) if items else None
