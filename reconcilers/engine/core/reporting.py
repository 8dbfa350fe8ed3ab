"""Who is to hear of an event. Part of the core.

While an event is handled the core notes which replicas, zones and objects it touched; at the end just these are
compared with what was reported last. So an event costs what it changed, however many zones and records there are.
"""

from __future__ import annotations

from collections.abc import Iterator

from reconcilers.engine.api import ObjectRef, Role, StatusChange, ZoneKey
from reconcilers.engine.core.lifecycle import State, state_of
from reconcilers.engine.core.model import Model, Replica, Zone
from reconcilers.engine.core.protocol import Effect, Flushed, Notify, Now, Op, Transition


class Reporter:
    """Notes what one event touches, then says what changed by it.

    From event to event it keeps the state of each replica at its last Transition, and what the status of each zone
    showed at its last Notify.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._replicas: dict[ZoneKey, Op | None] = {}
        self._zones: set[str] = set()
        self._records: dict[str, set[ObjectRef]] = {}
        self._states: dict[ZoneKey, State] = {}
        self._last_reported: dict[str, object] = {}

    # --- while an event is handled -----------------------------------------------------------------------------------

    def replica_touched(self, replica: Replica) -> None:
        """Its state may be another one, and so may the status of the zone objects that it concerns."""
        self._replicas.setdefault(replica.key, None)
        self._zones.update(zone.ref.uid for zone in (*replica.claimants, *replica.former_claimants))

    def operation_touched(self, op: Op) -> None:
        """It began or ended: a change of its replica's state is its doing."""
        self._replicas[op.key] = op

    def zone_touched(self, zone: Zone) -> None:
        """Its status may be another one."""
        self._zones.add(zone.ref.uid)

    def records_changed(self, zone: Zone, refs: set[ObjectRef]) -> None:
        """These objects have another outcome in the zone."""
        if refs:
            self._records.setdefault(zone.ref.uid, set()).update(refs)

    def touched(self) -> list[Zone]:
        """The zones that something happened to, in a stable order."""
        uids = sorted(self._zones | self._records.keys())
        return [zone for uid in uids if (zone := self._model.zones.get(uid))]

    # --- at its end --------------------------------------------------------------------------------------------------

    def effects(self, now: Now) -> list[Effect]:
        """What there is to report; the next event starts afresh. A zone that is released by it is forgotten."""
        replicas, self._replicas = self._replicas, {}
        zones, self._zones = self._zones, set()
        records, self._records = self._records, {}
        found = list(self._transitions(replicas))
        for uid in sorted(zones | records.keys()):
            if zone := self._model.zones.get(uid):
                found += self._status(zone, tuple(sorted(records.get(uid, ()))), now)
        return found

    def _transitions(self, touched: dict[ZoneKey, Op | None]) -> Iterator[Effect]:
        for key, op in touched.items():
            replica = self._model.replicas.get(key)
            before, after = self._states.get(key), state_of(replica) if replica else None
            if before == after:
                continue
            if after is None:
                del self._states[key]
            else:
                self._states[key] = after
            yield Transition(key, replica.uid if replica else "", before, after, op)

    def _status(self, zone: Zone, records: tuple[ObjectRef, ...], now: Now) -> Iterator[Effect]:
        uid = zone.ref.uid
        if zone.deleting and not zone.servers:
            del self._model.zones[uid]
            self._last_reported.pop(uid, None)
            yield Notify(StatusChange(zone.ref, records, True, zone.correlation))
            return
        yield from self._flushed(zone, now)
        shown = self._shown(zone)
        if records or self._last_reported.get(uid) != shown:
            self._last_reported[uid] = shown
            yield Notify(StatusChange(zone.ref, records, False, zone.correlation))

    def _flushed(self, zone: Zone, now: Now) -> Iterator[Effect]:
        """Did the zone come into existence, or go out of it? That ends, or begins, the wait of its RRsets."""
        primaries = self._model.replicas_of(zone, Role.PRIMARY)
        buffered = not any(replica.is_present() and replica.is_mine() for replica in primaries)
        if zone.buffered and not buffered and zone.since:
            yield Flushed(tuple(now.mono - since for since in zone.since.values()))
        if buffered != zone.buffered:
            zone.buffered = buffered
            zone.since = dict.fromkeys(zone.content, now.mono) if buffered else {}

    def _shown(self, zone: Zone) -> object:
        """What the status of the zone object shows: it hears from us only when this changes."""
        replicas = (self._model.replicas.get(ZoneKey(name, zone.ref.zone)) for name in sorted(zone.servers))
        return (
            tuple(
                (
                    replica.key.server,
                    replica.known,
                    replica.serial,
                    replica.trouble,
                    bool(replica.dirty),
                    replica.wrong,
                    replica.suspect,
                )
                for replica in replicas
                if replica
            ),
            zone.target,
            zone.deleting,
            len(zone.withheld),
            len(zone.rejected),
            bool(zone.pending),
            zone.foreign,
            zone.plan is not None and (zone.reads, zone.awaits_plan),
        )
