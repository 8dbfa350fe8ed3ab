"""What the model's world tells those who watch it: the properties in invariants.py and liveness.py."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import dns.name

from reconcilers.ddns.plan import Change
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine.api import ObjectRef, RecordOutcome, ZoneKey
from reconcilers.engine.core.protocol import Effect, Op
from tests.support.engine_world import Records, ZoneObject

if TYPE_CHECKING:
    from tests.unit.reconcilers.engine.model.world import World


class Watcher:
    """Hears of what happens in its world, before the world's own books do."""

    def __init__(self, world: World) -> None:
        self.world = world

    def effect(self, effect: Effect) -> None:
        """The core asked for something; also called for what has a method of its own below."""

    def dispatched(self, op: Op) -> None:
        """An operation begins."""

    def published(self, owner: ZoneObject, ref: ObjectRef, outcome: RecordOutcome) -> None:
        """A record's status is about to say that it is published."""

    def gone(self, owner: ZoneObject, ref: ObjectRef, key: RRsetKey) -> None:
        """A record is about to give up its claim at `key`."""

    def placed(self, owner: ZoneObject, lost: Collection[str]) -> None:
        """A reconcile leaves those of a zone's servers to rivals."""

    def released(self, owner: ZoneObject) -> None:
        """A zone object is about to lose its finalizer."""

    def respecified(self, keys: Sequence[ZoneKey]) -> None:
        """The spec of these zones, or of their server, changes."""

    def transferred(self, source: str, zone: dns.name.Name, before: Sequence[RRset]) -> None:
        """The secondary took the zone from `source`; it held `before`."""

    def redelivered(self, before: list[dict[str, Any]], effects: list[Effect]) -> None:
        """A completion came once more, with these effects; `before` is what the debug page had shown."""

    def writing(self, server: str, zone: dns.name.Name, change: Change, records: Records) -> None:
        """A server that holds these records is about to make this change."""

    def planned(self, owner: ZoneObject) -> None:
        """Its planner decided anew."""

    def drained(self) -> None:
        """A drain is over."""

    def restarted(self) -> None:
        """A new process begins."""

    def stepped(self) -> None:
        """A rule was carried out."""

    def waited(self, times: int) -> None:
        """At the end everything heals, and the world waits for rest: so often by now."""

    def rested(self) -> None:
        """Nothing moves any more."""
