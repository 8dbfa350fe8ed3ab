"""Is the process ready, is it alive? Named checks, each of which says what is wrong, or None.

/readyz: traffic may come, caches are complete and fresh. /livez and /healthz: no restart is needed. What is checked is
added by the manager; a check that raises has failed.
"""

import threading
from collections.abc import Callable

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
