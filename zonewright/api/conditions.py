"""Status conditions: `lastTransitionTime` moves only when the status flips, and nothing else may say so.

Conditions are read as models or as dicts and returned as dicts, as a status patch carries them. Pure: the time is
given.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Literal

Status = Literal["True", "False", "Unknown"]


def set_condition(
    conditions: Sequence[Any] | None,
    type: str,  # noqa: A002 - as the API names it
    status: Status | bool,
    reason: str,
    message: str,
    observed_generation: int,
    now: dt.datetime,
) -> list[dict[str, Any]]:
    """The conditions with this one set, in the place it had or at the end. The argument is left as it is."""
    wanted = {
        "type": type,
        "status": status if isinstance(status, str) else str(status),
        "reason": reason,
        "message": message,
        "observedGeneration": observed_generation,
    }
    kept = [_fields(condition) for condition in conditions or ()]
    before = next((condition for condition in kept if condition["type"] == type), None)
    if before is None:
        return [*kept, {**wanted, "lastTransitionTime": timestamp(now)}]
    flipped = before.get("status") != wanted["status"] or not before.get("lastTransitionTime")
    wanted["lastTransitionTime"] = timestamp(now) if flipped else before["lastTransitionTime"]
    return [wanted if condition is before else condition for condition in kept]


def find_condition(conditions: Sequence[Any] | None, type: str) -> dict[str, Any] | None:  # noqa: A002 - as the API names it
    """The condition of this type as a dict, or None."""
    fields = (_fields(condition) for condition in conditions or ())
    return next((condition for condition in fields if condition["type"] == type), None)


def is_true(conditions: Sequence[Any] | None, type: str) -> bool:  # noqa: A002 - as the API names it
    """Whether the condition of this type is there and True."""
    condition = find_condition(conditions, type)
    return condition is not None and condition.get("status") == "True"


def timestamp(moment: dt.datetime) -> str:
    """As metav1.Time writes it: UTC, whole seconds."""
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _fields(condition: Any) -> dict[str, Any]:
    if isinstance(condition, Mapping):
        return dict(condition)
    dumped: dict[str, Any] = condition.model_dump(mode="json", by_alias=True, exclude_none=True)
    moment = getattr(condition, "last_transition_time", None)
    if isinstance(moment, dt.datetime):
        dumped["lastTransitionTime"] = timestamp(moment)  # one spelling, so that an unchanged condition compares equal
    return dumped
