"""Getting a set of changes into a zone when some of them may be bad.

Changes go out in messages; a refused message is halved until only the bad changes are left, so that one name outside
the zone cannot block nineteen good ones. Then everything that was accepted is checked, because BIND answers NOERROR
to some changes that it drops. Knows how to search, not how to talk: it is given `send` and `check`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import dns.name
import dns.rdatatype as rt

from reconcilers.ddns.errors import DnsError, Ignored, PrerequisiteFailed, Refused, Rejected, ServerFailure
from reconcilers.ddns.plan import Change
from reconcilers.ddns.update import Unit, outcome, parts, split, units
from reconcilers.ddns.wire import Section

Rejection = tuple[Change, DnsError]


class Sender(Protocol):
    """The talking part."""

    def send(self, batch: Sequence[Unit]) -> None:
        """One UPDATE; raises the exception of its rcode."""
        ...

    def probe(self) -> None:
        """One UPDATE with nothing in it but what holds for all: raises if no change at all can get through."""
        ...

    def check(self, prerequisites: Sequence[Section]) -> None:
        """One UPDATE without changes; raises PrerequisiteFailed when one of them does not hold."""
        ...


@dataclass(slots=True)
class Push:
    """One run: what went in, and what did not and why."""

    zone: dns.name.Name
    sender: Sender
    budget: int
    applied: list[Change] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)
    _probed: bool = False

    def run(self, batch: Sequence[Unit]) -> None:
        """Send everything; raises only for what concerns the server or zone as a whole."""
        for message in split(batch, budget=self.budget):
            self._send(message)
        self._retry_dependents()
        self._raise_if_hopeless()

    def verify(self) -> None:
        """Move what the zone does not hold after all from `applied` to `rejected`."""
        wrong = {id(change) for change in self._unmet(self.applied)}
        self.rejected += [(change, ignored(self.zone, change)) for change in self.applied if id(change) in wrong]
        self.applied = [change for change in self.applied if id(change) not in wrong]

    def _send(self, batch: Sequence[Unit]) -> None:
        try:
            self.sender.send(batch)
        except (Rejected, PrerequisiteFailed) as error:
            if isinstance(error, PrerequisiteFailed):
                self.sender.probe()  # each time: the zone may have been changed by others since the last message
            elif isinstance(error, Refused):
                self._probe()
            self._halve(batch, error)
        else:
            self.applied += [change for unit in batch for change in unit]

    def _halve(self, batch: Sequence[Unit], error: DnsError) -> None:
        if len(batch) == 1:
            smaller = parts(batch[0])
            if len(smaller) == 1:
                self.rejected += [(change, error) for change in batch[0]]
                return
            batch = smaller
        middle = len(batch) // 2
        self._send(batch[:middle])
        self._send(batch[middle:])

    def _probe(self) -> None:
        """An empty UPDATE tells "this server takes nothing from us" apart from "this change is bad"."""
        if not self._probed:
            self._probed = True
            self.sender.probe()

    def _retry_dependents(self) -> None:
        """An MX may have been refused only because its target's address stood in the other half."""
        waiting = [change for change, error in self.rejected if isinstance(error, Refused)]
        if not waiting or not self.applied:
            return
        self.rejected = [(change, error) for change, error in self.rejected if not isinstance(error, Refused)]
        for message in split(units(waiting), budget=self.budget):
            self._send(message)

    def _raise_if_hopeless(self) -> None:
        """SERVFAIL to everything is the server's trouble, not that of a hundred records."""
        failures = [error for _, error in self.rejected if isinstance(error, ServerFailure)]
        if not self.applied and len(failures) > 1 and len(failures) == len(self.rejected):
            raise failures[0]

    def _unmet(self, changes: Sequence[Change]) -> Iterator[Change]:
        for batch in _chunks(changes, self.budget):
            yield from self._search(batch)

    def _search(self, changes: Sequence[Change]) -> Iterator[Change]:
        try:
            self.sender.check([outcome(change) for change in changes])
        except PrerequisiteFailed:
            if len(changes) == 1:
                yield changes[0]
                return
            middle = len(changes) // 2
            yield from self._search(changes[:middle])
            yield from self._search(changes[middle:])


def ignored(zone: dns.name.Name, change: Change) -> Ignored:
    """What to tell about a change that the server accepted and did not make."""
    return Ignored(
        f"{change.key}: the server answered NOERROR and left it as it was: {_why(zone, change)}", rcode="NOERROR"
    )


def _why(zone: dns.name.Name, change: Change) -> str:
    at_apex = change.key.name == zone
    reasons: list[tuple[bool, str]] = [
        (at_apex and change.key.rdtype == rt.NS and not change.after, "the last NS of a zone cannot be removed"),
        (change.key.rdtype == rt.CNAME and at_apex, "a CNAME cannot stand at the apex, beside SOA and NS"),
        (change.key.rdtype == rt.CNAME, "a CNAME cannot stand beside other data at its name"),
        (change.key.rdtype == rt.DS, "a DS needs an NS beside it and cannot stand at the apex"),
        (change.key.rdtype == rt.NS and change.key.name.is_wild(), "a wildcard cannot be delegated"),
        (change.after is not None, "a CNAME may stand at the name, or somebody else changed it since"),
    ]
    return next((why for applies, why in reasons if applies), "somebody else put it there since")


def _chunks(changes: Sequence[Change], budget: int) -> Iterator[list[Change]]:
    current: list[Change] = []
    size = 0
    for change in changes:
        length = len(outcome(change).wire)
        if current and size + length > budget:
            yield current
            current, size = [], 0
        current.append(change)
        size += length
    if current:
        yield current
