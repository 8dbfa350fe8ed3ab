"""The engine: desired x observed, one operation at a time per (server, zone). Number 7 in the flow.

Reconcilers install whole zones with `Engine.want`, and are told by callbacks which objects stand otherwise than before;
they then read `Engine.zone` and `Engine.record` and write status. The engine creates, fills, repairs and deletes
zones on name servers, and decides nothing about Kubernetes.

`core` is pure (`handle(event, now) -> effects`); `engine` gives it threads, a clock and servers; `adapter` talks to
real ones.
"""

from reconcilers.engine.api import (
    Bindcar,
    ClaimState,
    Contributor,
    DesiredRRset,
    Doing,
    Intent,
    MassDelete,
    ObjectRef,
    Outlook,
    Plan,
    RecordOutcome,
    RecordState,
    Role,
    ServerSpec,
    ServerStatus,
    Setting,
    StatusChange,
    ZoneConfig,
    ZoneContent,
    ZoneGone,
    ZoneKey,
    ZoneRef,
    ZoneStatus,
    ZoneWanted,
)
from reconcilers.engine.engine import Engine, EngineOptions, StatusCallback

__all__ = [
    "Bindcar",
    "ClaimState",
    "Contributor",
    "DesiredRRset",
    "Doing",
    "Engine",
    "EngineOptions",
    "Intent",
    "MassDelete",
    "ObjectRef",
    "Outlook",
    "Plan",
    "RecordOutcome",
    "RecordState",
    "Role",
    "ServerSpec",
    "ServerStatus",
    "Setting",
    "StatusCallback",
    "StatusChange",
    "ZoneConfig",
    "ZoneContent",
    "ZoneGone",
    "ZoneKey",
    "ZoneRef",
    "ZoneStatus",
    "ZoneWanted",
]
