"""Zones that are refused, and why: written by the zone reconciler, read by that of the records in them."""

import threading
from dataclasses import dataclass

from zonewright import Request


@dataclass(frozen=True, slots=True)
class InvalidZone:
    """`served`: servers may still have the zone as it was before; if not, nothing of its records is anywhere.

    `duplicate`: another zone object serves the name, so this one is no zone of its records."""

    message: str
    served: bool
    duplicate: bool = False


class InvalidZones:
    """Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._invalid_zones: dict[Request, InvalidZone] = {}

    def set(self, zone: Request, refusal: InvalidZone | None) -> bool:
        """True if that is news."""
        with self._lock:
            if self._invalid_zones.get(zone) == refusal:
                return False
            if refusal is None:
                del self._invalid_zones[zone]
            else:
                self._invalid_zones[zone] = refusal
            return True

    def get(self, zone: Request) -> InvalidZone | None:
        with self._lock:
            return self._invalid_zones.get(zone)
