"""The bugs: what an engine like this has been seen to get wrong, as edits of its source.

Each names what goes wrong in the world. `equivalent` says why no test can see it, for an edit that changes nothing
anybody could notice; every other survivor fails the run.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """One edit of one file in reconcilers/engine. `before` must occur there exactly once."""

    name: str
    file: str
    before: str
    after: str
    equivalent: str = ""


MUTANTS = (
    Mutant(
        "records that came before the zone existed are dropped",
        "core/results.py",
        "    site.mark_all()\n    if zone is not None and site.is_mine():",
        "    if zone is not None and site.is_mine():",
    ),
    Mutant(
        "a delete during a create is released before anybody looked",
        "core/decide.py",
        "    if site.known is Known.UNKNOWN:\n        return _observe(site)\n    zone = site.wanted\n",
        "    zone = site.wanted\n    if site.known is Known.UNKNOWN and zone:\n        return _observe(site)\n",
    ),
    Mutant(
        "a stale completion is believed",
        "core/core.py",
        "        if site is None or site.op is not op:",
        "        if site is None:",
    ),
    Mutant(
        "completions are matched by nothing",
        "core/core.py",
        "        op = next((op for op in self.book.busy.values() if op.id == op_id), None)",
        "        op = next(iter(self.book.busy.values()), None)",
    ),
    Mutant(
        "a lost reply counts as a plain failure",
        "core/results.py",
        "    elif result.ambiguous:\n        site.doubted(trusted=False)",
        "    elif result.ambiguous:\n        pass",
    ),
    Mutant(
        "after a lost reply the old content is trusted if the serial is the old one",
        "core/results.py",
        "    elif result.ambiguous:\n        site.doubted(trusted=False)",
        "    elif result.ambiguous:\n        site.doubted(trusted=True)",
        equivalent="a serial that did not move proves that nothing was applied: every message of ours moves it",
    ),
    Mutant(
        "churn in the records defeats the back-off",
        "core/core.py",
        " != (wanted.generation, wanted.config):",
        " != ():",
    ),
    Mutant("the back-off never grows", "core.py", "        site.failures += 1\n", "        site.failures = 1\n"),
    Mutant(
        "a zone is given up after two failures",
        "core/core.py",
        "        if now.mono < site.not_before:\n            self._wake(site, site.not_before)\n",
        "        if now.mono < site.not_before:\n"
        "            if site.failures < 2:\n                self._wake(site, site.not_before)\n",
    ),
    Mutant(
        "a change while an operation is in flight is not looked at afterwards",
        "core/core.py",
        "        self._stir_siblings(site)\n        changes =",
        "        changes =",
    ),
    Mutant(
        "other copies are not woken when the serial becomes another one",
        "core/core.py",
        "        if zone is not None and zone.target != target:",
        "        if False:",
    ),
    Mutant(
        "primaries are deleted before their secondaries",
        "core/decide.py",
        "    if any(blockers(book, site)):\n        return Rest.IDLE\n",
        "",
    ),
    Mutant(
        "each server counts its own serial",
        "core/sync.py",
        "    if fits_one_message(changes):\n        return book.target(zone, now, ahead_of=site.serial)\n",
        "    if fits_one_message(changes):\n        return (site.serial or 0) + 1\n",
    ),
    Mutant(
        "the first of several messages carries the serial of the whole",
        "core/sync.py",
        "    if fits_one_message(changes):",
        "    if changes or not changes:",
    ),
    Mutant(
        "a serial is handed out twice",
        "core/book.py",
        "        self.highest[name] = serial\n        return serial",
        "        return serial",
    ),
    Mutant(
        "a new serial does not look at what servers have",
        "core/book.py",
        "        if zone.target is None or (ahead_of is not None and not serial_gt(zone.target, ahead_of)):",
        "        if zone.target is None:",
    ),
    Mutant(
        "a changed content keeps its serial",
        "core/model.py",
        "        self.version += 1\n        self.target = None",
        "        self.version += 1",
    ),
    Mutant(
        "a primary that came back empty announces an empty zone",
        "core/decide.py",
        "    if not book.established(zone):",
        "    if True:",
    ),
    Mutant(
        "a zone that was served before comes back bit by bit",
        "core/decide.py",
        "    if site.piecemeal or len(zone.content) > WHOLE:",
        "    if True:",
    ),
    Mutant(
        "a zone that is not taken as a whole is offered as a whole for ever",
        "core/results.py",
        "    site.piecemeal = site.piecemeal or whole\n",
        "",
    ),
    Mutant(
        "a zone that its server lost is not noticed",
        "core/results.py",
        "        case Absent():\n            site.lost()",
        "        case Absent():\n            _seen(site)",
    ),
    Mutant(
        "a poll does nothing",
        "core/core.py",
        "            site.verify = True\n            self._touch(site)",
        "            pass",
    ),
    Mutant(
        "somebody else's zone is deleted",
        "core/decide.py",
        "    if site.known is Known.ABSENT or site.ownership is Ownership.FOREIGN:\n        return Rest.RELEASE",
        "    if site.known is Known.ABSENT:\n        return Rest.RELEASE",
        equivalent="the next rule releases a zone whose owner is none of ours; bindcar refuses the deletion besides",
    ),
    Mutant(
        "an adopted zone's RRsets are overwritten",
        "core/model.py",
        "        foreign = have is not None and key not in self.owned and self.ownership is Ownership.ADOPTED",
        "        foreign = False",
    ),
    Mutant(
        "the first publish in an adopted zone has no prerequisite",
        "core/sync.py",
        "        return Guard.ABSENT\n",
        "        return Guard.NONE\n",
    ),
    Mutant(
        "an adopted zone is deleted with its object",
        "core/decide.py",
        "        gone = removal(book, site, now)\n        return gone or Rest.RELEASE\n",
        "        return OpKind.DELETE, Delete(site.owner_uid)\n",
    ),
    Mutant(
        "our RRsets stay in an adopted zone",
        "core/decide.py",
        "        return gone or Rest.RELEASE\n",
        "        return Rest.RELEASE\n",
    ),
    Mutant(
        "a drain goes on dispatching", "core.py", "        if self.draining or site.key in", "        if site.key in"
    ),
    Mutant(
        "the limit of workers is not kept",
        "core/core.py",
        "        return len(self.book.busy) < self.limits.workers and running < self.limits.per_server",
        "        return running < self.limits.per_server",
    ),
    Mutant(
        "the limit per server is not kept",
        "core/core.py",
        "        return len(self.book.busy) < self.limits.workers and running < self.limits.per_server",
        "        return len(self.book.busy) < self.limits.workers",
    ),
    Mutant(
        "two operations for one zone on one server",
        "core/core.py",
        "        if self.draining or site.key in self.book.busy or site.key.server",
        "        if self.draining or site.key.server",
    ),
    Mutant(
        "a zone is released while servers still have it",
        "core/core.py",
        "        if zone.deleting and not zone.servers:",
        "        if zone.deleting:",
    ),
    Mutant(
        "a replaced zone object is never released",
        "core/core.py",
        "            self._release(site, [zone for zone in site.leaving if site.is_free_of(zone)])",
        "            pass",
    ),
    Mutant(
        "deleted records stay",
        "core/model.py",
        "        if want is have or want == have or (want is None and key not in self.owned):",
        "        if want is have or want == have or want is None:",
    ),
    Mutant(
        "a record is reported gone while a dead primary has it",
        "core/outcomes.py",
        "all(site.free_of(key) for site in primaries):",
        "any(site.free_of(key) for site in primaries):",
    ),
    Mutant(
        "a record is reported gone while an update that publishes it is in flight",
        "core/model.py",
        "        if key in self.flying:\n            return False\n",
        "",
    ),
    Mutant(
        "a record is Ready while another value for it is in flight",
        "core/model.py",
        "key not in self.conflicts and key not in self.flying",
        "key not in self.conflicts",
    ),
    Mutant(
        "a record is Ready as soon as one primary has it",
        "core/outcomes.py",
        "and required and all(site.clean(key) for site in required):",
        "and required and any(site.clean(key) for site in required):",
    ),
    Mutant(
        "a record is propagated as soon as it is published",
        "core/outcomes.py",
        "    reached = min((_version_at(book, zone, name) for name in zone.secondaries), default=zone.version)",
        "    reached = zone.version",
    ),
    Mutant(
        "a refused RRset is sent again and again",
        "core/install.py",
        "    zone.put(key, site.records.get(key))\n",
        "",
    ),
    Mutant(
        "a rejection outlives the spec it was for",
        "core/install.py",
        "    if rejection and rejection.rrset != rrset:\n        del zone.rejected[key]\n    elif rejection:",
        "    if rejection:",
    ),
    Mutant(
        "a rejection outlives what was in its way",
        "core/install.py",
        "    free = {key for key, beside in theirs.items() if standing[key.name] != beside}",
        "    free = set[RRsetKey]()",
    ),
    Mutant(
        "what was rejected is retried with every read",
        "core/install.py",
        "    free = {key for key, beside in theirs.items() if standing[key.name] != beside}",
        "    free = set(theirs)",
    ),
    Mutant(
        "records of an adopted zone give up their claims before they are taken out",
        "core/outcomes.py",
        "    state = RecordState.REMOVING if adopted else RecordState.GONE",
        "    state = RecordState.GONE",
    ),
    Mutant(
        "a deletion that the end of a server has overtaken waits for it",
        "core/core.py",
        "        for name in zone.servers - gone.servers - self.book.servers.keys() - self.book.suspended.keys():",
        "        for name in ():",
    ),
    Mutant(
        "a zone that nobody wants on a server that is no more is kept",
        "core/core.py",
        "        if not (site.claimants or site.leaving or site.key in self.book.busy):",
        "        if not (site.claimants or site.leaving or site.key.server not in self.book.servers):",
    ),
    Mutant(
        "a server that cannot be spoken to is taken for one that is gone",
        "core/core.py",
        "        self.book.suspended[name] = trouble\n",
        "        pass\n",
    ),
    Mutant(
        "what was claimed elsewhere is ours in a zone that is adopted now",
        "core/book.py",
        "        return server in zone.holders or (spec is not None and not spec.adopted)",
        "        return True",
    ),
    Mutant(
        "what is in a zone of others that was left while nobody was there stays there",
        "core/core.py",
        "*(zone.former if before is None else ())",
        "*()",
    ),
    Mutant(
        "what a server that joined has for others is told to nobody",
        "core/model.py",
        "            zone.unpublish(key)  # it may have been published elsewhere",
        "            pass",
    ),
    Mutant(
        "a secondary that is ahead is never overtaken",
        "core/sync.py",
        "        zone.target = None\n        return Rest.IDLE\n",
        "        return Rest.IDLE\n",
    ),
    Mutant(
        "an object that is gone gets its zone all the same",
        "core/results.py",
        "            book.zones[op.ref.uid].suspended = True",
        "            pass",
    ),
    Mutant(
        "a serial moves although nothing changed",
        "core/sync.py",
        "        if _named(book, site, zone):\n            return Rest.IDLE\n",
        "        if site.serial == zone.target:\n            return Rest.IDLE\n",
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
        '            yield from (f"{above.key} {key}" for key in above.delegations(site.key))',
        "            pass",
    ),
)
