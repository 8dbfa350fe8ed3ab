"""Zones that are not served, and why: written by the zone reconciler, read by that of the records in them."""

import threading

from controllers.runtime.kind import Request


class Refusals:
    """Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reasons: dict[Request, str] = {}

    def set(self, zone: Request, reason: str | None) -> bool:
        """True if that is news."""
        with self._lock:
            if self._reasons.get(zone) == reason:
                return False
            if reason is None:
                del self._reasons[zone]
            else:
                self._reasons[zone] = reason
            return True

    def get(self, zone: Request) -> str | None:
        with self._lock:
            return self._reasons.get(zone)
