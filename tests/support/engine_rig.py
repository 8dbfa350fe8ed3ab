"""The core with fake servers, stepped by hand: for tests of one behaviour; the model test is about all at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from reconcilers.engine.api import (
    Contributor,
    DesiredRRset,
    ObjectRef,
    RecordOutcome,
    Role,
    StatusChange,
    ZoneConfig,
    ZoneGone,
    ZoneKey,
    ZoneRef,
    ZoneStatus,
    ZoneWanted,
)
from reconcilers.engine.core.core import Core, Limits
from reconcilers.engine.core.lifecycle import state_of
from reconcilers.engine.core.protocol import (
    Completed,
    Dispatch,
    Effect,
    Event,
    Failed,
    Finished,
    Gone,
    Notify,
    Now,
    Op,
    OpKind,
    Result,
    SetServer,
    Tick,
    Want,
)
from reconcilers.reasons import Reason
from tests.support.engine_world import FakeServer, Ledger, apex, rrset, server_spec, soa, zone_name

ZONE = zone_name("example.org")
CHILD = zone_name("child.example.org")
REF = ZoneRef(ZONE, "uid-1", "default", "example-org")

BOTH: dict[str, Any] = {"primaries": frozenset({"p1", "p2"})}
ALL: dict[str, Any] = {**BOTH, "secondaries": frozenset({"s1"})}
ADOPTED: dict[str, Any] = {"primaries": frozenset({"ext"})}


def record(label: str) -> ObjectRef:
    return ObjectRef("ARecord", "default", label, f"uid-{label}")


def wanted(records: dict[str, str] | None = None, *, zone=ZONE, ref=REF, version: str = "1", **fields) -> ZoneWanted:
    """A zone with one A record per label. A record's version is made of its value and `version`."""
    entries = {item.key: DesiredRRset(item) for item in apex(zone)}
    for label, value in (records or {}).items():
        item = rrset(zone, label, "A", *value.split())
        entries[item.key] = DesiredRRset(item, frozenset({Contributor(record(label), f"{value} {version}")}))
    defaults = {"generation": 1, "config": ZoneConfig(soa(zone)), "primaries": frozenset({"p1"})}
    return ZoneWanted(**{"ref": ref, "rrsets": entries, **defaults, **fields})


def claimed(*labels: str) -> dict[str, Any]:
    """Fields of a zone whose records of these labels say in their metadata that they may have been published."""
    return {"claimed": {rrset(ZONE, label, "A", "192.0.2.1").key: frozenset({record(label)}) for label in labels}}


def adopted_claims(*labels: str) -> dict[str, Any]:
    """Fields of a zone whose records of these labels say in status that they were published on ext."""
    return {"adopted_claims": {"ext": {rrset(ZONE, label, "A", "192.0.2.1").key for label in labels}}}


class Rig:
    """Servers p1 and p2 (primaries), s1 (secondary), ext (adopted); nothing fails unless a test makes it."""

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        known: Collection[str] = ("p1", "p2", "s1", "ext"),
        dry_run: bool = False,
    ) -> None:
        self.core = Core(limits or Limits(backoff_base=1.0, backoff_cap=8.0), dry_run=dry_run)
        self.now = Now(0.0, 1_700_000_000.0)
        self.ledger = Ledger(tainted={ZONE, CHILD})
        roles = {"p1": Role.PRIMARY, "p2": Role.PRIMARY, "s1": Role.SECONDARY}
        self.servers = {name: FakeServer(server_spec(name, role), self.ledger) for name, role in roles.items()}
        self.servers["ext"] = FakeServer(server_spec("ext", adopted=True), self.ledger)
        self.flight: dict[int, Op] = {}
        self.sent: list[Op] = []
        self.effects: list[Effect] = []
        self.changes: list[StatusChange] = []
        for name in known:
            self.submit(SetServer(self.servers[name].spec))

    def submit(self, event: Event) -> list[Effect]:
        effects = self.core.handle(event, self.now)
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Dispatch):
                self.flight[effect.op.id] = effect.op
                self.sent.append(effect.op)
            if isinstance(effect, Notify):
                self.changes.append(effect.change)
        return effects

    def want(self, records: dict[str, str] | None = None, **fields) -> list[Effect]:
        return self.submit(Want(wanted(records, **fields)))

    def delete(self, ref: ZoneRef = REF, servers: frozenset[str] = frozenset(), **fields) -> list[Effect]:
        return self.submit(Gone(ZoneGone(ref, servers, **fields)))

    def set_server(self, name: str, **fields) -> None:
        server = self.servers[name]
        server.spec = replace(server.spec, **fields)
        self.submit(SetServer(server.spec))

    def next_op(self) -> Op:
        return min(self.flight.values(), key=lambda op: op.id)

    def finish(self, op: Op | None = None, result: Result | None = None) -> list[Effect]:
        """Carry out the oldest operation (or this one), or let it end with `result`."""
        op = op or self.next_op()
        del self.flight[op.id]
        outcome = result or self.servers[op.key.server].carry_out(op, lambda: self.core.allocate(op.id, self.now))
        return self.submit(Completed(op.id, outcome))

    def fail(self, *, ambiguous: bool = False, reason: Reason = Reason.SERVER_UNREACHABLE) -> list[Effect]:
        return self.finish(result=Failed(reason, "no reply", ambiguous=ambiguous))

    def advance(self, seconds: float) -> None:
        self.now = Now(self.now.mono + seconds, self.now.unix + seconds)
        self.submit(Tick())

    def step(self) -> None:
        """One operation ends, or time passes until the next timer."""
        if self.flight:
            self.finish()
            return
        wake = self.core.next_wake()
        assert wake is not None, "nothing will ever happen again"
        self.advance(max(0.0, wake - self.now.mono))

    def resolve_waiting(self) -> None:
        """Until nothing is in flight and no timer is left; NOTIFY works."""
        for _ in range(500):
            if self.flight:
                self.finish()
                continue
            names = {key.zone for key in self.core.model.replicas}
            moved = [
                self.servers["s1"].transfer_from(self.servers[primary], name)
                for primary in ("p1", "p2")
                for name in names
            ]
            wake = self.core.next_wake()
            if wake is None and not any(moved):
                return
            self.advance(max(0.0, (wake or 0.0) - self.now.mono))
        raise AssertionError("no rest")

    def kinds(self, server: str = "") -> list[str]:
        return [op.kind.value for op in self.sent if not server or op.key.server == server]

    def writes(self) -> list[Op]:
        return [op for op in self.sent if op.kind is not OpKind.OBSERVE]

    def failures(self) -> list[Finished]:
        return [effect for effect in self.effects if isinstance(effect, Finished) and isinstance(effect.result, Failed)]

    def state(self, server: str = "p1", zone=ZONE) -> str | None:
        replica = self.core.model.replicas.get(ZoneKey(server, zone))
        return state_of(replica).value if replica else None

    def zone(self, ref: ZoneRef = REF) -> ZoneStatus:
        status = self.core.zone(ref)
        assert status is not None
        return status

    def outcome(self, label: str, ref: ZoneRef = REF) -> RecordOutcome:
        outcome = self.core.record(ref, record(label))
        assert outcome is not None
        return outcome

    def served(self, server: str, label: str, zone=ZONE) -> set[str]:
        stored = self.servers[server].zones.get(zone)
        value = stored.records.get(rrset(zone, label, "A", "192.0.2.1").key) if stored else None
        return {rdata.to_text() for rdata in value.rdatas} if value else set()
