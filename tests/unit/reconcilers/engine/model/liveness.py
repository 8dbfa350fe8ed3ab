"""What must come about in the model's world once everything has healed and come to rest: L1-L4.

As in invariants.py, each class is one property and its docstring the sentence that says it.
"""

from __future__ import annotations

from collections.abc import Mapping

import dns.name

from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine.api import ObjectRef, ZoneKey
from reconcilers.engine.core.protocol import Op, OpKind
from reconcilers.reasons import Reason
from tests.support.engine_world import BAD, Records, ZoneObject, alias, apex, endpoint_ref, is_bad, rrset
from tests.unit.reconcilers.engine.model.planner import is_theirs, label_of
from tests.unit.reconcilers.engine.model.watcher import Watcher
from tests.unit.reconcilers.engine.model.world import ADOPTED, VALUES, World

MOST_STEPS = 3000
"""Many times what any history needs to come to rest."""


class L1(Watcher):
    """Every wanted zone comes to be on all its servers with exactly its records, and status says so."""

    def rested(self) -> None:
        for owner in self.world.live_objects():
            if owner.refused:
                self._duplicate(owner)
                continue
            self._zone(owner)
            for name in owner.primaries | owner.secondaries:
                zone = self.world.servers[name].zones.get(owner.zone)
                assert zone is not None, f"L1: {name} does not have {owner.ref}"
                self._content(owner, zone.records)
            for ref, (label, _) in owner.records.items():
                self._record(owner, ref, label)
            for label, value in owner.endpoints.items():
                self._endpoint(owner, label, value)

    def _duplicate(self, owner: ZoneObject) -> None:
        assert self.world.rivals(owner), f"L1: {owner.ref} is refused, and nobody else has the zone"
        assert self.world.core.zone(owner.ref) is None, f"L1: {owner.ref} is refused, and still known"
        for server in self.world.present_servers():
            zone = server.zones.get(owner.zone)
            assert zone is None or zone.owner != owner.ref.uid, f"L1: {server.name} has {owner.ref}, which is refused"

    def _zone(self, owner: ZoneObject) -> None:
        status = self.world.core.zone(owner.ref)
        assert status is not None, f"L1: {owner.ref} is not known"
        said = f"{status} {self.world.pages()}"
        assert status.published, f"L1: {owner.ref} is not published: {said}"
        assert status.propagated, f"L1: {owner.ref} has not reached its secondaries: {said}"

    def _theirs(self, owner: ZoneObject) -> Mapping[RRsetKey, RRset]:
        """What others have in the zone, if it is one of theirs now."""
        return self.world.theirs[owner.zone] if "ext" in owner.primaries else {}

    def _content(self, owner: ZoneObject, records: Records) -> None:
        expected = {entry.rrset.key: entry.rrset for entry in owner.contributions().values()}
        theirs = self._theirs(owner)
        for key, value in expected.items():
            if not is_bad(value) and not self._is_of_bad_row(owner, key) and not {key, alias(key.name)} & theirs.keys():
                assert records.get(key) == value, f"L1: {key} is {records.get(key)}, not {value}"
        surplus = records.keys() - expected.keys() - self.world.theirs_in(owner.zone)
        assert not surplus, f"L1: {surplus} should be gone"

    def _is_of_bad_row(self, owner: ZoneObject, key: RRsetKey) -> bool:
        """An endpoint's address and its TXT are published both or not at all."""
        label = label_of(owner.zone, key)
        return label is not None and owner.endpoints[label] == BAD

    def _endpoint(self, owner: ZoneObject, label: str, value: str) -> None:
        held = [self.world.servers[name].zones[owner.zone].records for name in owner.primaries]
        outcome = self.world.core.record(owner.ref, endpoint_ref(label))
        assert outcome is not None, f"L1: endpoint {label} is not known"
        if any(is_theirs(owner.zone, label, records) for records in held):
            assert label not in owner.decided, f"L1: {label} is somebody else's"
        elif value == BAD:
            assert outcome.reason in {Reason.REJECTED, Reason.RECORD_PUBLISHED}, f"L1: endpoint {label} {outcome}"
        else:
            assert label in owner.decided, f"L1: endpoint {label} was not planned"
            said = f"L1: endpoint {label} is {outcome}"
            assert outcome.ready, said
            assert outcome.propagated, said
            assert outcome.version == str(owner.versions[endpoint_ref(label)]), said

    def _record(self, owner: ZoneObject, ref: ObjectRef, label: str) -> None:
        outcome = self.world.core.record(owner.ref, ref)
        assert outcome is not None, f"L1: {ref} is not known"
        key = rrset(owner.zone, label, "A", VALUES[0]).key
        value = owner.contributions()[key].rrset
        theirs = self._theirs(owner)
        if alias(key.name) in theirs:
            assert outcome.reason == Reason.REJECTED, f"L1: {ref} {outcome}"
        elif key in theirs and theirs[key] != value:
            assert outcome.reason == Reason.RECORD_CONFLICT, f"L1: {ref} {outcome}"
        elif is_bad(value):
            assert outcome.reason in {Reason.REJECTED, Reason.RECORD_PUBLISHED}, f"L1: {ref} {outcome}"
        else:
            assert outcome.ready, f"L1: {ref} is {outcome}"
            assert outcome.propagated, f"L1: {ref} is {outcome}"
            assert outcome.version == str(owner.versions[ref]), f"L1: {ref} is {outcome}"


class L2(Watcher):
    """Every deleted zone goes from its servers and its object is released; where a zone left, nothing of ours stays."""

    def released(self, owner: ZoneObject) -> None:
        assert owner.deleting, "L2: released without being deleted"

    def rested(self) -> None:
        world = self.world
        assert not [owner for owner in world.objects.values() if owner.deleting], "L2: a deleted zone is still there"
        for server in world.present_servers():
            for zone in server.zones.values():
                owner = world.objects.get(zone.owner)
                names = {each.name for each in world.registrations(server.name)}
                stray = owner is not None and not names & (owner.primaries | owner.secondaries)
                assert not stray, f"L2: {server.name} still has {zone.owner}: {world.pages()}"
                left = zone.owner in world.vanished - world.forgotten
                assert not left, f"L2: {server.name} still has {zone.owner}: {world.pages()}"
        for name in ADOPTED if world.has_adopted else ():
            records = world.servers["ext"].zones[name].records
            theirs = {item.key for item in apex(name)} | world.theirs[name].keys()
            used = any(owner.zone == name and "ext" in owner.primaries for owner in world.objects.values())
            ours = {key for key in records.keys() - theirs if not self._is_for_nobody_to_judge(name, key)}
            assert used or not ours, f"L2: {name} still has {ours}"

    def _is_for_nobody_to_judge(self, zone: dns.name.Name, key: RRsetKey) -> bool:
        """An endpoint's, of a zone object that went without our consent: the next planner of the zone will find it."""
        return bool(self.world.vanished) and label_of(zone, key) is not None


class L3(Watcher):
    """Everything comes to rest in a bounded number of steps, and no timer is left."""

    def waited(self, times: int) -> None:
        assert times < MOST_STEPS, f"L3: no rest: {self.world.pages()}"

    def rested(self) -> None:
        assert self.world.core.next_wake() is None, "L3: a timer is left"


class L4(Watcher):
    """L1-L3 hold after crashes, drains and restarts too: a new process looks at each replica before it writes there."""

    # Crashes and drains are rules like others: the end of every history is checked, however many it had.

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.observed: set[ZoneKey] = set()

    def restarted(self) -> None:
        self.observed.clear()

    def dispatched(self, op: Op) -> None:
        first = op.key not in self.observed
        assert not first or op.kind is OpKind.OBSERVE, f"L4: {op.kind} of {op.key} before anybody looked"
        self.observed.add(op.key)


LIVENESS: tuple[type[Watcher], ...] = (L1, L2, L3, L4)
