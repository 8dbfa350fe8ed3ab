"""Is the process ready, is it alive? Named checks, each of which says what is wrong, or None.

/readyz: traffic may come, caches are complete and fresh. /livez and /healthz: no restart is needed. What is checked is
added by the manager; a check that raises has failed.
"""

import threading
from collections.abc import Callable

from zonewright.cache.reflector import SILENCE, ReflectorState

Check = Callable[[], str | None]


class Health:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._checks: dict[str, Check] = {}

    def add(self, name: str, check: Check) -> None:
        with self._lock:
            self._checks[name] = check

    def complaints(self) -> dict[str, str | None]:
        """Every check's answer; all None is well."""
        with self._lock:
            checks = dict(self._checks)
        return {name: _ask(check) for name, check in checks.items()}

    def report(self) -> tuple[bool, str]:
        """As the API server writes it: one line per check, `[+]` or `[-]`."""
        answers = self.complaints()
        lines = [f"[-]{name}: {answer}" if answer else f"[+]{name} ok" for name, answer in answers.items()]
        return not any(answers.values()), "\n".join(lines) or "ok"


def _ask(check: Check) -> str | None:
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is not well
        return f"{type(error).__name__}: {error}"


# Bookmarks come every minute and the reflector reconnects after 90 s of silence: after twice that it is cut off.
STALE_AFTER = 2 * SILENCE[1]


def cache_complaint(state: ReflectorState) -> str | None:
    if not state.synced:
        return f"not synced yet: {state.last_error or 'waiting for the first list'}"
    if state.seconds_since_activity > STALE_AFTER:
        why = state.last_error or "the API server is silent"
        return f"nothing heard for {state.seconds_since_activity:.0f} s: {why}"
    return None
