"""The bugs: what an engine like this has been seen to get wrong, as edits of its source.

Each names what goes wrong in the world. `equivalent` says why no test can see it, for an edit that changes nothing
anybody could notice; every other survivor fails the run.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """One edit of one file; its path is relative to reconcilers/engine. `before` must occur there exactly once."""

    name: str
    file: str
    before: str
    after: str
    equivalent: str = ""


MUTANTS = (
    Mutant(
        "records that came before the zone existed are dropped",
        "core/results.py",
        "    replica.mark_all()\n    if zone is not None and replica.is_mine():",
        "    if zone is not None and replica.is_mine():",
    ),
    Mutant(
        "a delete during a create is released before anybody looked",
        "core/decide.py",
        "    if replica.known is Known.UNKNOWN:\n        return _observe(replica)\n    zone = replica.wanted\n",
        "    zone = replica.wanted\n"
        "    if replica.known is Known.UNKNOWN and zone:\n        return _observe(replica)\n",
    ),
    Mutant(
        "a stale completion is believed",
        "core/core.py",
        "        if replica is None or replica.op is not op:",
        "        if replica is None:",
    ),
    Mutant(
        "completions are matched by nothing",
        "core/core.py",
        "        op = next((op for op in self.model.busy.values() if op.id == op_id), None)",
        "        op = next(iter(self.model.busy.values()), None)",
    ),
    Mutant(
        "a lost reply counts as a plain failure",
        "core/results.py",
        "    elif result.ambiguous:\n        in_doubt(replica, op)\n",
        "    elif result.ambiguous:\n        pass\n",
    ),
    Mutant(
        "after a lost reply the old content is trusted if the serial is the old one",
        "core/results.py",
        'stands there."""\n    replica.mark_unknown(trusted=False)\n',
        'stands there."""\n    replica.mark_unknown(trusted=True)\n',
        equivalent="a serial that did not move proves that nothing was applied: every message of ours moves it",
    ),
    Mutant(
        "churn in the records defeats the back-off",
        "core/core.py",
        " != (wanted.generation, wanted.config):",
        " != ():",
    ),
    Mutant(
        "the back-off never grows",
        "core/core.py",
        "        replica.failed = op.kind\n        replica.failures += 1\n",
        "        replica.failed = op.kind\n        replica.failures = 1\n",
    ),
    Mutant(
        "a zone is given up after two failures",
        "core/core.py",
        "        if now.mono < replica.not_before:\n            self._wake(replica, replica.not_before)\n",
        "        if now.mono < replica.not_before:\n"
        "            if replica.failures < 2:\n                self._wake(replica, replica.not_before)\n",
    ),
    Mutant(
        "a change while an operation is in flight is not looked at afterwards",
        "core/core.py",
        "        self._schedule_siblings(replica)\n        changes =",
        "        changes =",
    ),
    Mutant(
        "other replicas are not woken when the serial becomes another one",
        "core/core.py",
        "        if zone is not None and zone.target != target:",
        "        if False:",
    ),
    Mutant(
        "primaries are deleted before their secondaries",
        "core/decide.py",
        "    if any(blockers(model, replica)):\n        return Rest.IDLE\n",
        "",
    ),
    Mutant(
        "each server counts its own serial",
        "core/sync.py",
        "        return serials.target(model, zone, now, ahead_of=replica.serial)\n    return",
        "        return (replica.serial or 0) + 1\n    return",
    ),
    Mutant(
        "the first of several messages carries the serial of the whole",
        "core/sync.py",
        "    if fits_one_message(changes) and not replica.refused and not zone.awaits_plan:",
        "    if not replica.refused and not zone.awaits_plan:",
    ),
    Mutant(
        "a serial is handed out twice",
        "core/serials.py",
        "    model.highest[name] = serial\n    return serial",
        "    return serial",
    ),
    Mutant(
        "a new serial does not look at what servers have",
        "core/serials.py",
        "    if zone.target is None or (ahead_of is not None and not serial_gt(zone.target, ahead_of)):",
        "    if zone.target is None:",
    ),
    Mutant(
        "a changed content keeps its serial",
        "core/model.py",
        "        self.revision += 1\n        self.target = None",
        "        self.revision += 1",
    ),
    Mutant(
        "a primary that came back empty announces an empty zone",
        "core/decide.py",
        "    if not model.established(zone):",
        "    if True:",
    ),
    Mutant(
        "a zone that was served before comes back bit by bit",
        "core/decide.py",
        "    if replica.incremental or len(zone.content) > WHOLE:",
        "    if True:",
    ),
    Mutant(
        "a zone that is not taken as a whole is offered as a whole for ever",
        "core/results.py",
        "    replica.incremental = replica.incremental or whole\n",
        "",
    ),
    Mutant(
        "a zone that its server lost is not noticed",
        "core/results.py",
        "        replica.read_anew(model.next_reading())\n    replica.lost()\n",
        "        replica.read_anew(model.next_reading())\n    _seen(replica)\n",
    ),
    Mutant(
        "a poll does nothing",
        "core/core.py",
        "            replica.verify = True\n            self._schedule(replica)",
        "            pass",
    ),
    Mutant(
        "somebody else's zone is deleted",
        "core/decide.py",
        "    if replica.known is Known.ABSENT or replica.ownership is Ownership.FOREIGN:\n        return Rest.RELEASE",
        "    if replica.known is Known.ABSENT:\n        return Rest.RELEASE",
        equivalent="the next rule releases a zone whose owner is none of ours; bindcar refuses the deletion besides",
    ),
    Mutant(
        "an adopted zone's RRsets are overwritten",
        "core/model.py",
        "        foreign = have is not None and not ours and self.ownership is Ownership.ADOPTED",
        "        foreign = False",
    ),
    Mutant(
        "the first publish in an adopted zone has no prerequisite",
        "core/sync.py",
        "        return Prerequisite.ABSENT\n",
        "        return Prerequisite.NONE\n",
    ),
    Mutant(
        "an adopted zone is deleted with its object",
        "core/decide.py",
        "        gone = removal(model, replica, now)\n        return gone or _released(replica)\n",
        "        return OpKind.DELETE, Delete(replica.owner_uid)\n",
    ),
    Mutant(
        "our RRsets stay in an adopted zone",
        "core/decide.py",
        "        return gone or _released(replica)\n",
        "        return Rest.RELEASE\n",
    ),
    Mutant(
        "a drain goes on dispatching",
        "core/core.py",
        "        if self.draining or replica.key in",
        "        if replica.key in",
    ),
    Mutant(
        "the limit of workers is not kept",
        "core/core.py",
        "        if len(busy) >= limits.workers:",
        "        if len(busy) >= 1000:",
    ),
    Mutant(
        "the limit per server is not kept",
        "core/core.py",
        "            return busy.count(server) < limits.per_server",
        "            return True",
    ),
    Mutant(
        "two operations for one zone on one server",
        "core/core.py",
        "        if self.draining or replica.key in self.model.busy or replica.key.server",
        "        if self.draining or replica.key.server",
    ),
    Mutant(
        "a zone is released while servers still have it",
        "core/reporting.py",
        "        if zone.deleting and not zone.servers:",
        "        if zone.deleting:",
    ),
    Mutant(
        "a replaced zone object is never released",
        "core/core.py",
        "            self._release(replica, [zone for zone in replica.former_claimants if replica.is_free_of(zone)])",
        "            pass",
    ),
    Mutant(
        "deleted records stay",
        "core/model.py",
        "        if want is None and not ours:",
        "        if want is None:",
    ),
    Mutant(
        "a record is reported gone while a dead primary has it",
        "core/outcomes.py",
        "all(replica.free_of(key) for replica in holders):",
        "any(replica.free_of(key) for replica in holders):",
    ),
    Mutant(
        "a record is reported gone while an update that publishes it is in flight",
        "core/model.py",
        "        if key in self.in_flight:\n            return False\n",
        "",
    ),
    Mutant(
        "a record is Ready while another value for it is in flight",
        "core/model.py",
        "(self.dirty, self.conflicts, self.in_flight, self.refused)",
        "(self.dirty, self.conflicts, self.refused)",
    ),
    Mutant(
        "a record is Ready as soon as one primary has it",
        "core/outcomes.py",
        "and all(replica.clean(key) for replica in required)\n",
        "and any(replica.clean(key) for replica in required)\n",
    ),
    Mutant(
        "a record is propagated as soon as it is published",
        "core/outcomes.py",
        "    reached = min((_revision_at(model, zone, name) for name in zone.secondaries), default=zone.revision)",
        "    reached = zone.revision",
    ),
    Mutant(
        "a refused RRset is sent again and again",
        "core/install.py",
        "    return zone.put(key, before if others else replica.records.get(key))\n",
        "    return False\n",
    ),
    Mutant(
        "a rejection outlives the spec it was for",
        "core/install.py",
        "        return retry(zone, key, now) if rejection.rrset != rrset else set()",
        "        return set()",
    ),
    Mutant(
        "a rejection outlives what was in its way",
        "core/install.py",
        "{key for key, beside in theirs.items() if standing[key.name] != beside}",
        "set()",
    ),
    Mutant(
        "what was rejected is retried with every read",
        "core/install.py",
        "{key for key, beside in theirs.items() if standing[key.name] != beside}",
        "set(theirs)",
    ),
    Mutant(
        "records of an adopted zone give up their claims before they are taken out",
        "core/outcomes.py",
        "    state = RecordState.REMOVING if adopted else RecordState.GONE",
        "    state = RecordState.GONE",
    ),
    Mutant(
        "a deletion that the end of a server has superseded waits for it",
        "core/core.py",
        "        for name in sorted(left):",
        "        for name in ():",
    ),
    Mutant(
        "a zone that nobody wants on a server that is no more is kept",
        "core/core.py",
        "replica.former_claimants or replica.key in self.model.busy):",
        "replica.former_claimants or replica.key.server not in self.model.servers):",
    ),
    Mutant(
        "a server that cannot be spoken to is taken for one that is gone",
        "core/core.py",
        "        self.model.suspended[name] = trouble\n",
        "        pass\n",
    ),
    Mutant(
        "what was claimed elsewhere is ours in a zone that is adopted now",
        "core/model.py",
        "return zone.adopted_claims.get(self.key.server, ()) if self.ownership is Ownership.ADOPTED else zone.claimed",
        "return zone.claimed",
    ),
    Mutant(
        "what is in a zone of others that was left while nobody was there stays there",
        "core/model.py",
        "        for zone in (*self.claimants, *self.former_claimants):\n            if zone.ref.uid not in",
        "        for zone in self.claimants:\n            if zone.ref.uid not in",
    ),
    Mutant(
        "a name that we left is ours as long as its object has a claim",
        "core/model.py",
        "            if zone.ref.uid not in self.counted and self.belongs_to(zone):",
        "            if self.belongs_to(zone):",
    ),
    Mutant(
        "what is ours stays ours though somebody else took it out",
        "core/results.py",
        "    replica.owned &= records.keys()\n",
        "",
    ),
    Mutant(
        "what one server refuses is taken from those that have it",
        "core/install.py",
        "    if before == rejection.rrset and others:",
        "    if rejection is None:",
    ),
    Mutant(
        "what one server holds becomes the content of the others",
        "core/install.py",
        "zone.put(key, before if others else replica.records.get(key))",
        "zone.put(key, replica.records.get(key))",
    ),
    Mutant(
        "a server that holds less than the others does so under their serial",
        "core/sync.py",
        " and not replica.refused and not zone.awaits_plan:",
        " and not zone.awaits_plan:",
    ),
    Mutant(
        "after a restart the first server to refuse a change decides for all",
        "core/results.py",
        "            changed |= reconsider_rejected(model, zone, replica)\n",
        "",
    ),
    Mutant(
        "secondaries take their content from a server that was left out",
        "core/decide.py",
        "[name for name in zone.primaries if not _is_left_out(model, zone, name)]",
        "list(zone.primaries)",
    ),
    Mutant(
        "a zone is deleted though its object is alive and wants it there",
        "core/decide.py",
        "    if replica.ownership is Ownership.FOREIGN or keeps:",
        "    if replica.ownership is Ownership.FOREIGN:",
    ),
    Mutant(
        "an older zone object takes over what a younger one holds",
        "../desired/views.py",
        "        return server not in held\n",
        "        return junior\n",
    ),
    Mutant(
        "a zone is deleted under one name of a server and wanted under another",
        "core/decide.py",
        "    if True in same:\n        return Rest.RELEASE\n",
        "",
    ),
    Mutant(
        "what a server that joined has for others is told to nobody",
        "core/model.py",
        "            zone.unpublish(key)  # it may have been published elsewhere",
        "            pass",
    ),
    Mutant(
        "a secondary that is ahead is never superseded",
        "core/sync.py",
        "        zone.target = None\n        return Rest.IDLE\n",
        "        return Rest.IDLE\n",
    ),
    Mutant(
        "an object that is gone gets its zone all the same",
        "core/results.py",
        "            model.zones[op.ref.uid].suspended = True",
        "            pass",
    ),
    Mutant(
        "a serial moves although nothing changed",
        "core/sync.py",
        "        if zone.awaits_plan or _named(model, replica, zone):\n            return Rest.IDLE\n",
        "        if replica.serial == zone.target:\n            return Rest.IDLE\n",
    ),
    Mutant(
        "a mass removal needs no consent",
        "core/mass_delete.py",
        "    if zone.wanted is None or zone.wanted.consent:\n        return",
        "    return",
    ),
    Mutant(
        "a contributor that cannot be read loses its values",
        "core/install.py",
        "        rrset = merged(zone.content.get(key), rrset)\n",
        "        pass\n",
    ),
    Mutant(
        "a zone is deleted while its parent still delegates to it",
        "core/decide.py",
        '            yield from (f"{above.key} {key}" for key in above.delegations(replica.key))',
        "            pass",
    ),
    Mutant(
        "a plan that was made on an earlier reading holds",
        "core/model.py",
        "        return self.plan is not None and self.plan.reads != self.reads\n",
        "        return False\n",
    ),
    Mutant(
        "a server that was read again does not call for another plan",
        "core/results.py",
        "    if not as_sent:\n",
        "    if False:\n",
    ),
    Mutant(
        "a server that lost its zone does not call for another plan",
        "core/results.py",
        "        replica.read_anew(model.next_reading())\n    replica.lost()\n",
        "        pass\n    replica.lost()\n",
    ),
    Mutant(
        "a zone on other primaries does not call for another plan",
        "core/planning.py",
        "        zone.reads = model.next_reading()\n",
        "        pass\n",
    ),
    Mutant(
        "a zone that was created has to be planned again",
        "core/results.py",
        "    if not as_sent:\n",
        "    if True:\n",
    ),
    Mutant(
        "nobody is told that a zone has to be planned again",
        "core/reporting.py",
        "            zone.plan is not None and (zone.reads, zone.awaits_plan),\n",
        "",
    ),
    Mutant(
        "what was published under a plan is ours whatever is read later",
        "core/model.py",
        "            self.owned -= planned\n",
        "            pass\n",
    ),
    Mutant(
        "what differs is not compared again when a plan becomes current",
        "core/core.py",
        " and follow_plan(self.model, zone):",
        " and False:",
    ),
    Mutant(
        "changes of a planner's have no condition",
        "core/sync.py",
        "    exact = Prerequisite.EXACT if size <= MAX_BYTES else Prerequisite.NONE\n",
        "    exact = Prerequisite.NONE\n",
    ),
    Mutant(
        "a condition that no message can hold is sent all the same",
        "core/sync.py",
        "    exact = Prerequisite.EXACT if size <= MAX_BYTES else Prerequisite.NONE\n",
        "    exact = Prerequisite.EXACT\n",
    ),
    Mutant(
        "an address and its TXT are published apart",
        "core/sync.py",
        "    return Change(key, before, after, exact, _part(replica, key))\n",
        "    return Change(key, before, after, exact)\n",
    ),
    Mutant(
        "the TXT of what is obsolete goes first",
        "core/sync.py",
        "    return tuple(sorted(changes, key=_is_registry_removal))\n",
        "    return tuple(sorted(changes, key=lambda change: not _is_registry_removal(change)))\n",
    ),
    Mutant(
        "in an adopted zone the planner's word does not count",
        "core/model.py",
        "        ours = key in self.owned or self._is_ours_by_plan(key, have)\n",
        "        ours = key in self.owned\n",
    ),
    Mutant(
        "an endpoint is published before its planner has seen what stands there",
        "core/model.py",
        "        return not differing and not self.awaits_plan(key)\n",
        "        return not differing\n",
    ),
    Mutant(
        "an endpoint is gone before its planner has seen what stands there",
        "core/model.py",
        "            return not (key in self.dirty or self.awaits_plan(key)) or not self.is_mine()\n",
        "            return key not in self.dirty or not self.is_mine()\n",
    ),
    Mutant(
        "what was planned once is a record as soon as it is not planned any more",
        "core/install.py",
        "        zone.retired.add(key)\n",
        "        pass\n",
    ),
    Mutant(
        "what was held back is put back when somebody else has it",
        "core/planning.py",
        "        if zone.rejected.pop(key, None) or key in zone.content:\n            zone.put(key, None)\n",
        "        pass\n",
    ),
    Mutant(
        "what endpoints have in a zone of others is left there with it",
        "core/decide.py",
        "    return Rest.IDLE if waits else Rest.RELEASE\n",
        "    return Rest.RELEASE\n",
    ),
    Mutant(
        "the endpoints of a zone that nobody plans for any more are removed without a look",
        "core/model.py",
        "        if plan is not None:\n            self.set_plan(plan)\n",
        "        self.set_plan(plan)\n",
    ),
    Mutant(
        "a secondary that the next zone object wants too is not asked first",
        "core/decide.py",
        "(other.wanted is None or can_be_asked)",
        "other.wanted is None",
    ),
    Mutant(
        "a serial names a content that is not planned yet",
        "core/sync.py",
        "        if zone.awaits_plan or _named(model, replica, zone):\n            return Rest.IDLE\n",
        "        if _named(model, replica, zone):\n            return Rest.IDLE\n",
    ),
    Mutant(
        "a zone that comes back is announced without its endpoints",
        "core/decide.py",
        "    if zone.is_unplanned and replica.role is Role.PRIMARY and model.established(zone):",
        "    if False:",
    ),
    Mutant(
        "a condition that was lost is tried again at once",
        "core/core.py",
        " if change.prerequisite is Prerequisite.EXACT):\n        return True\n",
        " if change.prerequisite is Prerequisite.EXACT):\n        return False\n",
    ),
    Mutant(
        "after a restart a refused endpoint is taken from the servers that had it",
        "core/planning.py",
        "                zone.confirmed.setdefault(key, rrset)\n",
        "                pass\n",
    ),
    Mutant(
        "what stood where a planner's RRset is refused is forgotten",
        "core/model.py",
        "            self.found[key] = have\n",
        "            pass\n",
    ),
    Mutant(
        "a server that has let a deleted zone go is asked again and again",
        "core/core.py",
        "sorted(gone.servers - zone.servers - zone.cleared)",
        "sorted(gone.servers - zone.servers)",
    ),
    Mutant(
        "a dry run carries out what it tells",
        "core/core.py",
        "        return kind is not None\n",
        "        return False\n",
    ),
    Mutant(
        "a dry run tells the same again and again",
        "core/core.py",
        "        if found != replica.intent:\n",
        "        if found is not None:\n",
    ),
    Mutant(
        "a dry run tells how a zone would be configured, and not what would be put into it",
        "core/dryrun.py",
        "_filled(replica, _next(model, replica, now), settings)",
        "_filled(replica, None, settings)",
    ),
    Mutant(
        "a dry run says nothing of what waits for secondaries",
        "core/dryrun.py",
        "        return Intent(Doing.REPLACE, _contents(replica), waits_for=waits) if waits else None\n",
        "        return None\n",
    ),
    Mutant(
        "a dry run takes a server that it could not read for one with nothing to do",
        "core/dryrun.py",
        "    read = replica.known is not Known.UNKNOWN and not replica.verify and not suspended\n",
        "    read = True\n",
    ),
)
