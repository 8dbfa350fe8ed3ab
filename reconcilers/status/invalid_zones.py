"""Zones that are refused, and why: written by the zone reconciler, read by that of the records in them."""

import threading
from dataclasses import dataclass

from zonewright import Request


@dataclass(frozen=True, slots=True)
class Refusal:
    """`served`: servers may still have the zone as it was before; if not, nothing of its records is anywhere."""

    message: str
    served: bool


class Refusals:
    """Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._refusals: dict[Request, Refusal] = {}

    def set(self, zone: Request, refusal: Refusal | None) -> bool:
        """True if that is news."""
        with self._lock:
            if self._refusals.get(zone) == refusal:
                return False
            if refusal is None:
                del self._refusals[zone]
            else:
                self._refusals[zone] = refusal
            return True

    def get(self, zone: Request) -> Refusal | None:
        with self._lock:
            return self._refusals.get(zone)
