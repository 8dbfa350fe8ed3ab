"""Telling bad changes from good ones, on a server made of rules.

The rules are those of dns.md's table of what BIND answers; the real one is asked in tests/integration/reconcilers.
"""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.ddns import (
    Change,
    Ignored,
    NotAuthoritative,
    NotZone,
    PrerequisiteFailed,
    Refused,
    RRset,
    ServerFailure,
    ServerUnreachable,
    parse_name,
    parse_rdata,
    parse_zone,
)
from reconcilers.ddns.push import Push
from reconcilers.ddns.update import outcome, units

ZONE = parse_zone("example.org")


def add(name, rdtype="A", value="192.0.2.1"):
    after = RRset.of(parse_name(name, ZONE), 300, [parse_rdata(rdtype, value)])
    return Change(after.key, None, after)


@dataclass
class Server:
    """Refuses a whole message for one bad name in it, and drops what is in `ignores` without a word."""

    bad: dict = field(default_factory=dict)
    ignores: frozenset = frozenset()
    needs: dict = field(default_factory=dict)
    closed: Exception | None = None
    holds: set = field(default_factory=set)
    sent: int = 0
    checks: int = 0

    def send(self, batch):
        self.sent += 1
        changes = [change for unit in batch for change in unit]
        names = {change.key.name.labels[0].decode() for change in changes}
        present = {change.key.name.labels[0].decode() for change in self.holds} | names
        for name in sorted(names):
            if name in self.bad:
                raise self.bad[name]
            if self.needs.get(name, name) not in present:
                raise Refused("needs its target", rcode="REFUSED")
        self.holds |= {change for change in changes if change.key.name.labels[0].decode() not in self.ignores}

    def probe(self):
        if self.closed:
            raise self.closed

    def check(self, prerequisites):
        self.checks += 1
        made = {outcome(change) for change in self.holds}
        if not set(prerequisites) <= made:
            raise PrerequisiteFailed("not so", rcode="NXRRSET")


def run(server, changes):
    push = Push(ZONE, server, 60_000)
    push.run(units(changes))
    push.verify()
    return push


def names(changes):
    return sorted(change.key.name.labels[0].decode() for change in changes)


def test_all_good_is_one_message_and_one_check():
    server = Server()
    push = run(server, [add(f"h{i}") for i in range(100)])
    assert len(push.applied) == 100
    assert (server.sent, server.checks) == (1, 1)


def test_one_bad_change_blocks_no_other():
    server = Server(bad={"h250": NotZone("outside", rcode="NOTZONE")})
    push = run(server, [add(f"h{i}") for i in range(500)])
    assert len(push.applied) == 499
    assert [(change.key.name.labels[0], error.rcode) for change, error in push.rejected] == [(b"h250", "NOTZONE")]
    assert server.sent <= 2 * 9 + 1, "a binary search, not one by one"


@given(st.sets(st.integers(0, 39)), st.sets(st.integers(0, 39)))
def test_exactly_the_bad_and_the_ignored_are_rejected(bad, dropped):
    server = Server(
        bad={f"h{i}": Refused("bad", rcode="REFUSED") for i in bad}, ignores=frozenset(f"h{i}" for i in dropped)
    )
    push = run(server, [add(f"h{i}") for i in range(40)])
    assert names(change for change, _ in push.rejected) == sorted(f"h{i}" for i in bad | dropped)
    assert names(push.applied) == names(server.holds)


def test_a_silently_dropped_change_is_found():
    push = run(Server(ignores=frozenset({"alias"})), [add("a"), add("alias", "CNAME", "a.example.org"), add("b")])
    [(change, error)] = push.rejected
    assert change.key.name == parse_name("alias", ZONE)
    assert isinstance(error, Ignored)
    assert "CNAME" in str(error)
    assert error.reason == "Rejected"


def test_what_depends_on_another_change_gets_a_second_chance():
    server = Server(bad={"z": NotZone("outside")}, needs={"a": "y"})
    push = run(server, [add("a"), add("b"), add("y"), add("z")])
    assert names(push.applied) == ["a", "b", "y"]
    assert names(change for change, _ in push.rejected) == ["z"]


def test_a_server_that_takes_nothing_is_asked_twice_not_a_thousand_times():
    refusal = Refused("no updates from us", rcode="REFUSED")
    server = Server(bad={f"h{i}": refusal for i in range(100)}, closed=refusal)
    with pytest.raises(Refused):
        run(server, [add(f"h{i}") for i in range(100)])
    assert server.sent == 1


def test_a_failing_server_is_not_a_hundred_bad_records():
    server = Server(bad={f"h{i}": ServerFailure("disk full", rcode="SERVFAIL") for i in range(8)})
    with pytest.raises(ServerFailure):
        run(server, [add(f"h{i}") for i in range(8)])


def test_one_failing_record_among_good_ones_is_its_own_fault():
    push = run(Server(bad={"big": ServerFailure("101st record")}), [add("big"), add("b"), add("c")])
    assert names(push.applied) == ["b", "c"]


@pytest.mark.parametrize("error", [ServerUnreachable("gone", ambiguous=True), NotAuthoritative("no such zone")])
def test_what_concerns_the_whole_zone_is_raised_at_once(error):
    server = Server(bad={"a": error})
    with pytest.raises(type(error)):
        run(server, [add("a"), add("b")])
    assert server.sent == 1


def test_a_swap_to_a_cname_is_rejected_as_a_whole():
    old = RRset.of(parse_name("www", ZONE), 300, [parse_rdata("A", "192.0.2.1")])
    swap = [Change(old.key, old, None), add("www", "CNAME", "bad.example.net")]
    push = run(Server(bad={"www": Refused("policy")}), swap)
    assert [change for change, _ in push.rejected] == swap, "never the removal alone: that would be an outage"


def test_two_types_at_one_name_are_told_apart():
    @dataclass
    class NoText(Server):
        def send(self, batch):
            if any(change.key.rdtype.name == "TXT" for unit in batch for change in unit):
                raise Refused("no text here")
            super().send(batch)

    push = run(NoText(), [add("www"), add("www", "TXT", "x")])
    assert [change.key.rdtype.name for change in push.applied] == ["A"]
    assert [change.key.rdtype.name for change, _ in push.rejected] == ["TXT"]
