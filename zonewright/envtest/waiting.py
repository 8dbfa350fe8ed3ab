"""Waits for objects over the API, with an end: until a condition holds, until an object is gone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from zonewright.envtest.api import Api

T = TypeVar("T")

PAUSE = 0.05


def until(look: Callable[[], T | None], timeout: float) -> T | None:
    """Look again and again; return what was found, or None when the time is over."""
    deadline = time.monotonic() + timeout
    while (found := look()) is None and time.monotonic() < deadline:
        time.sleep(PAUSE)
    return found


def condition(found: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    """Return an object's condition of a type, or an empty one."""
    conditions = (found.get("status") or {}).get("conditions") or ()
    return next((each for each in conditions if each["type"] == kind), {})


def holds(found: Mapping[str, Any], kind: str) -> bool:
    """Tell whether a condition is true of the object as it is now, not of an earlier generation of it."""
    each = condition(found, kind)
    generation = found["metadata"].get("generation", 0)
    return each.get("status") == "True" and each.get("observedGeneration", generation) >= generation


def for_condition(api: Api, path: str, kind: str, *, timeout: float) -> dict[str, Any]:
    """Return the object once the condition holds; it need not be there yet."""
    last: dict[str, Any] = {}

    def look() -> dict[str, Any] | None:
        reply = api.request("GET", path)
        last.clear()
        last.update(reply.body if reply.ok else {"status": reply.refusal})
        return dict(last) if reply.ok and holds(last, kind) else None

    found = until(look, timeout)
    if found is None:
        raise TimeoutError(f"{path}: {kind} is not true after {timeout:g} s; {_present(last, kind)}")
    return found


def _present(last: Mapping[str, Any], kind: str) -> str:
    """Say what the object said last."""
    if isinstance(last.get("status"), str):
        return f"the API server says: {last['status']}"
    each = condition(last, kind)
    if not each:
        return "it has no such condition"
    return f"it is {each.get('status')}, {each.get('reason')}: {each.get('message')}"


def for_absence(api: Api, path: str, *, timeout: float) -> None:
    """Return when there is nothing at the path any more."""
    if until(lambda: True if api.request("GET", path).status == 404 else None, timeout) is None:
        raise TimeoutError(f"{path} is still there after {timeout:g} s; {_held(api.request('GET', path).body)}")


def _held(found: Any) -> str:
    finalizers = found.get("metadata", {}).get("finalizers") if isinstance(found, dict) else None
    return f"these finalizers hold it: {', '.join(finalizers)}" if finalizers else "no finalizer holds it"
