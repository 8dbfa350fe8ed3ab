"""The state names of the specification, derived from facts, and the table of changes between them that may happen.

Nothing stores a state: it is read off what is wanted, observed and in flight. The table is the source of the diagram in
docs/concepts/engine.md (diagram.py) and what the model test holds every step against (S8).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from reconcilers.engine.core.model import Known, Replica
from reconcilers.engine.core.protocol import OpKind


class State(StrEnum):
    """Where a zone on one server stands."""

    NOT_STARTED = "not_started"
    CREATION_IN_PROGRESS = "creation_in_progress"
    CREATED = "created"
    UPDATE_IN_PROGRESS = "update_in_progress"
    DELETION_PENDING = "deletion_pending"
    DELETION_IN_PROGRESS = "deletion_in_progress"


def state_of(replica: Replica) -> State:
    """Derived. An operation that was begun for a deletion counts as deletion until it ends, whatever is wanted now."""
    op = replica.op
    if op and (op.kind is OpKind.DELETE or (op.removing and op.kind is OpKind.SYNC)):
        return State.DELETION_IN_PROGRESS
    if replica.wanted is None:
        return State.DELETION_PENDING
    if op and op.kind is OpKind.CREATE:
        return State.CREATION_IN_PROGRESS
    if op and op.kind in {OpKind.CONFIGURE, OpKind.SYNC}:
        return State.UPDATE_IN_PROGRESS
    return State.CREATED if replica.known is Known.PRESENT and replica.is_mine() else State.NOT_STARTED


_S = State
TRANSITIONS: Mapping[State | None, Mapping[State | None, str]] = {
    None: {
        _S.NOT_STARTED: "wanted",
        _S.DELETION_PENDING: "deleting, or no longer wanted there, at start",
    },
    _S.NOT_STARTED: {
        _S.CREATION_IN_PROGRESS: "observed absent: CREATE sent",
        _S.CREATED: "observed present, ours or adopted",
        _S.UPDATE_IN_PROGRESS: "observed present and different: CONFIGURE or SYNC sent",
        _S.DELETION_PENDING: "no longer wanted",
        _S.DELETION_IN_PROGRESS: "an older incarnation stands there: DELETE sent",
        None: "its server is gone",
    },
    _S.CREATION_IN_PROGRESS: {
        _S.CREATED: "CREATE succeeded",
        _S.UPDATE_IN_PROGRESS: "CREATE succeeded, SYNC of what was buffered sent",
        _S.NOT_STARTED: "CREATE failed, or its outcome is not known",
        _S.DELETION_IN_PROGRESS: "its object was replaced meanwhile: DELETE sent",
        _S.DELETION_PENDING: "no longer wanted",
        None: "its server is gone",
    },
    _S.CREATED: {
        _S.UPDATE_IN_PROGRESS: "content or options differ: SYNC or CONFIGURE sent",
        _S.NOT_STARTED: "lost by its server, or in doubt",
        _S.CREATION_IN_PROGRESS: "lost by its server: CREATE sent",
        _S.DELETION_PENDING: "no longer wanted",
        _S.DELETION_IN_PROGRESS: "no longer wanted, nothing blocks it: DELETE sent",
        None: "its server is gone",
    },
    _S.UPDATE_IN_PROGRESS: {
        _S.CREATED: "done, or failed without doubt",
        _S.NOT_STARTED: "outcome not known",
        _S.DELETION_PENDING: "no longer wanted",
        _S.DELETION_IN_PROGRESS: "its object was replaced meanwhile: DELETE sent",
        None: "its server is gone",
    },
    _S.DELETION_PENDING: {
        _S.DELETION_IN_PROGRESS: "nothing blocks it: DELETE (adopted: SYNC of our RRsets away) sent",
        _S.NOT_STARTED: "wanted again",
        _S.CREATION_IN_PROGRESS: "wanted again: CREATE sent",
        _S.CREATED: "wanted again",
        _S.UPDATE_IN_PROGRESS: "wanted again: SYNC sent",
        None: "observed absent, or not ours: released",
    },
    _S.DELETION_IN_PROGRESS: {
        _S.DELETION_PENDING: "failed, or its outcome is not known",
        _S.NOT_STARTED: "done; wanted again meanwhile",
        _S.CREATION_IN_PROGRESS: "done; wanted again meanwhile: CREATE sent",
        _S.CREATED: "adopted zone wanted again",
        _S.UPDATE_IN_PROGRESS: "adopted zone wanted again: SYNC sent",
        None: "done: released",
    },
}
"""before -> after -> why. None stands for "not known to the engine"."""


def is_legal(before: State | None, after: State | None) -> bool:
    """May a zone go from one to the other in one step?"""
    return before == after or after in TRANSITIONS[before]
