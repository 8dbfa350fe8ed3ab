"""The engine's log lines. Every one has the same fields, so that one search follows a zone from wish to server."""

from __future__ import annotations

from reconcilers.engine.api import Intent, ZoneKey
from reconcilers.engine.core.protocol import (
    Applied,
    CaughtUp,
    Effect,
    Failed,
    Finished,
    Intended,
    Op,
    OpKind,
    Parked,
    Refused,
    Result,
    Sync,
    Transition,
    Unchanged,
)
from reconcilers.reasons import Reason
from zonewright import Logger

NAMED = 10  # RRsets in a line


class OperationLog:
    """Writes a line for each effect that is worth one."""

    def __init__(self, log: Logger) -> None:
        self._log = log

    def note(self, effect: Effect) -> None:
        """One line at most."""
        match effect:
            case Transition(key, uid, before, after, op):
                self._log.debug("state changed", **_fields(key, uid, op, before=before, after=after))
            case Finished(op, result, duration, retry_in):
                self._finished(op, result, duration, retry_in)
            case Parked(key, uid, error, retry_in):
                fields = _fields(key, uid, None) | {"error": f"{Reason.INTERNAL_ERROR}: {error}", "retry_in": retry_in}
                self._log.error("a defect of the operator: the zone rests on this server", exc_info=error, **fields)
            case CaughtUp(key, uid, serial):
                self._log.info("zone transfer complete", **_fields(key, uid, None), serial=serial)
            case Intended(key, uid, intent):
                self._intended(key, uid, intent)

    def _intended(self, key: ZoneKey, uid: str, intent: Intent | None) -> None:
        """Once per change of what would be done; /debug/dry-run has the whole of it."""
        if intent is None:
            self._log.info("dry run: nothing would be done any more", **_fields(key, uid, None))
            return
        created = sum(change.before is None for change in intent.changes)
        deleted = sum(change.after is None for change in intent.changes)
        self._log.info(
            "dry run: not done",
            **_fields(key, uid, None) | {"operation": intent.doing.value},
            create=created,
            delete=deleted,
            update=len(intent.changes) - created - deleted,
            names=", ".join(str(change.key) for change in intent.changes[:NAMED]),
            settings=", ".join(setting.name for setting in intent.settings),
            waits_for=", ".join(intent.waits_for[:NAMED]),
        )

    def _finished(self, op: Op, result: Result, duration: float, retry_in: float | None) -> None:
        fields = _fields(op.key, op.ref.uid, op, duration=round(duration, 4))
        if isinstance(result, Failed | Refused):
            fields |= {"error": f"{result.reason}: {result.message}", "retry_in": retry_in}
            self._log.warning("operation failed", **fields)
            return
        if isinstance(result, Applied) and result.rejected:
            fields["error"] = "; ".join(message for _, _, message in result.rejected[:3])
        if isinstance(op.payload, Sync):
            fields |= {"changes": len(op.payload.changes), "serial": getattr(result, "serial", None)}
        quiet = op.kind is OpKind.OBSERVE or isinstance(result, Unchanged)
        (self._log.debug if quiet else self._log.info)("operation done", **fields)


def _fields(
    key: ZoneKey,
    uid: str,
    op: Op | None,
    *,
    before: str | None = None,
    after: str | None = None,
    duration: float | None = None,
) -> dict[str, object]:
    return {
        "uid": uid,
        "key": str(key),
        "operation": op.kind.value if op else None,
        "state": after,
        "from": before,
        "to": after,
        "op_id": op.id if op else None,
        "attempt": op.attempt if op else None,
        "duration": duration,
        "error": None,
        "reconcile": op.correlation if op else None,
    }
