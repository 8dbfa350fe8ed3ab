"""Status conditions: `lastTransitionTime` moves only when the status flips, and nothing else may say so.

Conditions are read as models or as dicts and returned as dicts, as a status patch carries them; what is no condition is
passed over. Messages are cut where they are set: a server's answer of 40 KB must not keep a status from being written.
Pure: the time is given.
"""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

Status = Literal["True", "False", "Unknown"]

# Bytes of a message. The API server's limit for events; conditions may have 32 times as much, and nobody reads that.
MESSAGE_LIMIT = 1024
_ELLIPSIS = "…"


def set_condition(
    conditions: Sequence[Any] | None,
    type: str,  # noqa: A002 - as the API names it
    status: Status | bool,
    reason: str,
    message: str,
    observed_generation: int,
    now: dt.datetime,
) -> list[dict[str, Any]]:
    """The conditions with this one set, in the place it had or at the end. The argument is left as it is.

    A message of more than `MESSAGE_LIMIT` bytes is cut.
    """
    wanted = {
        "type": type,
        "status": status if isinstance(status, str) else str(status),
        "reason": reason,
        "message": shortened(message),
        "observedGeneration": observed_generation,
    }
    kept = list(_known(conditions))
    before = next((condition for condition in kept if condition["type"] == type), None)
    if before is None:
        return [*kept, {**wanted, "lastTransitionTime": timestamp(now)}]
    flipped = before.get("status") != wanted["status"] or not before.get("lastTransitionTime")
    wanted["lastTransitionTime"] = timestamp(now) if flipped else before["lastTransitionTime"]
    return [wanted if condition is before else condition for condition in kept]


def find_condition(conditions: Sequence[Any] | None, type: str) -> dict[str, Any] | None:  # noqa: A002 - as the API names it
    """The condition of this type as a dict, or None."""
    return next((condition for condition in _known(conditions) if condition["type"] == type), None)


def is_true(conditions: Sequence[Any] | None, type: str) -> bool:  # noqa: A002 - as the API names it
    """Whether the condition of this type is there and True."""
    condition = find_condition(conditions, type)
    return condition is not None and condition.get("status") == "True"


def shortened(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """The text in at most so many bytes of UTF-8, cut between characters."""
    encoded = text.encode("utf-8", "replace")  # half a surrogate, out of a file name, cannot be sent
    if len(encoded) <= limit:
        return encoded.decode()
    return encoded[: limit - len(_ELLIPSIS.encode())].decode("utf-8", "ignore") + _ELLIPSIS


def timestamp(moment: dt.datetime) -> str:
    """As metav1.Time writes it: UTC, whole seconds."""
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _known(conditions: Any) -> Iterator[dict[str, Any]]:
    """What has a type. A status is plain JSON, and may be older than its schema."""
    for condition in conditions if isinstance(conditions, Sequence) else ():
        fields = _fields(condition)
        if isinstance(fields.get("type"), str):
            yield fields


def _fields(condition: Any) -> dict[str, Any]:
    if isinstance(condition, Mapping):
        return dict(condition)
    if not hasattr(condition, "model_dump"):
        return {}
    dumped: dict[str, Any] = condition.model_dump(mode="json", by_alias=True, exclude_none=True)
    moment = getattr(condition, "last_transition_time", None)
    if isinstance(moment, dt.datetime):
        dumped["lastTransitionTime"] = timestamp(moment)  # one spelling, so that an unchanged condition compares equal
    return dumped
