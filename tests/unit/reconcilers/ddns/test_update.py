"""UPDATE messages: what dnspython reads in them, what stays together, where they end."""

import dns.message
import dns.rdatatype as rt
import dns.update
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.ddns import (
    Change,
    Prerequisite,
    RRset,
    RRsetKey,
    Soa,
    parse_name,
    parse_rdata,
    parse_target,
    parse_zone,
)
from reconcilers.ddns.script import nsupdate_script
from reconcilers.ddns.update import (
    budget,
    build,
    name_absent,
    outcome,
    parts,
    rrset_absent,
    rrset_exact,
    rrset_exists,
    soa_exact,
    split,
    units,
)
from reconcilers.ddns.wire import MAX_MESSAGE

ZONE = parse_zone("example.org")
SOA = Soa(parse_target("ns1.example.org"), parse_target("admin.example.org"), 42)


def rrset(name, rdtype, *values, ttl=300):
    return RRset.of(parse_name(name, ZONE), ttl, [parse_rdata(rdtype, value) for value in values])


def add(name, rdtype, *values, **fields):
    after = rrset(name, rdtype, *values)
    return Change(after.key, None, after, **fields)


def remove(name, rdtype, *values, **fields):
    before = rrset(name, rdtype, *values)
    return Change(before.key, before, None, **fields)


def replace(name, rdtype, before, after, **fields):
    old, new = rrset(name, rdtype, *before), rrset(name, rdtype, *after)
    return Change(old.key, old, new, **fields)


def lines(sections):
    """One line per record, in the order of the message: dnspython merges RRsets, so read them one by one."""
    return [line for rrset in sections for line in rrset.to_text().splitlines()]


def read(changes, **options):
    """As dnspython reads it: (prerequisites, updates)."""
    message = dns.message.from_wire(build(7, ZONE, units(changes), **options), one_rr_per_rrset=True)
    assert isinstance(message, dns.update.UpdateMessage)
    assert message.id == 7
    assert message.zone[0].name == ZONE
    return lines(message.prerequisite), lines(message.update)


@pytest.mark.parametrize(
    ("sentence", "changes", "prerequisites", "updates"),
    [
        ("an addition is only added", [add("www", "A", "192.0.2.1")], [], ["www.example.org. 300 IN A 192.0.2.1"]),
        ("a removal is of the RRset", [remove("www", "A", "192.0.2.1")], [], ["www.example.org. ANY A"]),
        (
            "a replacement is both in one message",
            [replace("www", "A", ["192.0.2.1"], ["192.0.2.2"])],
            [],
            ["www.example.org. ANY A", "www.example.org. 300 IN A 192.0.2.2"],
        ),
        (
            "all removals come before all additions",
            [add("www", "CNAME", "a.example.net"), remove("www", "A", "192.0.2.1")],
            [],
            ["www.example.org. ANY A", "www.example.org. 300 IN CNAME a.example.net."],
        ),
        (
            "an addition with a prerequisite must find nothing",
            [add("www", "A", "192.0.2.1", prerequisite=Prerequisite.ABSENT)],
            ["www.example.org. NONE A"],
            ["www.example.org. 300 IN A 192.0.2.1"],
        ),
        (
            "an exact prerequisite without a before means nothing too",
            [add("www", "A", "192.0.2.1", prerequisite=Prerequisite.EXACT)],
            ["www.example.org. NONE A"],
            ["www.example.org. 300 IN A 192.0.2.1"],
        ),
        (
            "a compare-and-set names what was read",
            [replace("www", "A", ["192.0.2.1"], ["192.0.2.2"], prerequisite=Prerequisite.EXACT)],
            ["www.example.org. 0 IN A 192.0.2.1"],
            ["www.example.org. ANY A", "www.example.org. 300 IN A 192.0.2.2"],
        ),
        (
            "apex NS are exchanged one by one, the new ones first",
            [replace("@", "NS", ["ns1.example.net", "ns2.example.net"], ["ns2.example.net", "ns3.example.net"])],
            [],
            [
                "example.org. 300 IN NS ns2.example.net.",
                "example.org. 300 IN NS ns3.example.net.",
                "example.org. 0 NONE NS ns1.example.net.",
            ],
        ),
        (
            "a delegation's NS are replaced like anything else",
            [replace("sub", "NS", ["ns1.example.net"], ["ns2.example.net"])],
            [],
            ["sub.example.org. ANY NS", "sub.example.org. 300 IN NS ns2.example.net."],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_message_says(sentence, changes, prerequisites, updates):
    assert read(changes) == (prerequisites, updates)


def test_the_soa_comes_last():
    _, updates = read([add("www", "A", "192.0.2.1")], soa=SOA)
    assert updates[-1] == "example.org. 3600 IN SOA ns1.example.org. admin.example.org. 42 3600 600 604800 300"


def test_an_soa_alone_is_an_update():
    prerequisites, updates = read([], soa=SOA)
    assert not prerequisites
    assert len(updates) == 1


def test_prerequisites_of_the_whole_call():
    key = RRsetKey(parse_name("www", ZONE), rt.A)
    found, _ = read(
        [],
        prerequisites=[
            rrset_absent(key),
            rrset_exists(key),
            rrset_exact(rrset("b", "A", "192.0.2.1")),
            name_absent(key.name),
        ],
    )
    assert found == [
        "www.example.org. NONE A",
        "www.example.org. ANY A",
        "b.example.org. 0 IN A 192.0.2.1",
        "www.example.org. NONE ANY",
    ]


def test_the_outcome_of_a_change_can_be_asked_for():
    assert outcome(add("b", "A", "192.0.2.1")) == rrset_exact(rrset("b", "A", "192.0.2.1"))
    assert outcome(remove("b", "A", "192.0.2.1")) == rrset_absent(rrset("b", "A", "192.0.2.1").key)


def test_one_name_is_one_unit():
    changes = [remove("a", "A", "192.0.2.1"), add("b", "A", "192.0.2.1"), add("a", "CNAME", "b.example.org")]
    assert units(changes) == [(changes[0], changes[2]), (changes[1],)]


def test_what_belongs_together_is_one_unit_whatever_the_names():
    address, mark = add("www", "A", "192.0.2.1", together=1), add("a-www", "TXT", "ours", together=1)
    other, its_mark = add("www", "AAAA", "2001:db8::1", together=2), add("aaaa-www", "TXT", "ours", together=2)
    alone = add("alone", "A", "192.0.2.1")
    assert units([mark, alone, address]) == [(mark, address), (alone,)]
    assert [set(unit) for unit in units([mark, its_mark, alone, address, other])] == [
        {mark, its_mark, address, other},
        {alone},
    ]


def test_what_belongs_together_is_not_taken_apart():
    address, mark = add("www", "A", "192.0.2.1", together=1), add("a-www", "TXT", "ours", together=1)
    other = add("www", "AAAA", "2001:db8::1")
    assert parts((address, mark)) == [(address, mark)]
    assert parts((address, other, mark)) == [(address, mark), (other,)]


def test_a_unit_is_taken_apart_only_without_a_cname():
    swap = (remove("a", "A", "192.0.2.1"), add("a", "CNAME", "b.example.org"))
    pair = (add("a", "A", "192.0.2.1"), add("a", "TXT", "x"))
    assert parts(swap) == [swap]
    assert parts(pair) == [(pair[0],), (pair[1],)]


def test_messages_end_at_the_number_of_records():
    changes = [add(f"h{i}", "A", "192.0.2.1", "192.0.2.2") for i in range(10)]
    assert [len(batch) for batch in split(units(changes), budget=60_000, records=6)] == [3, 3, 3, 1]


def test_messages_end_at_64_kilobytes_and_a_name_is_never_split():
    changes = [add(f"h{i}", "TXT", "x" * 200) for i in range(600)] + [
        add(f"h{i}", "A", "192.0.2.1") for i in range(600)
    ]
    room = budget(ZONE, soa=SOA, signing=100)
    batches = list(split(units(changes), budget=room, records=10_000))
    assert len(batches) > 1
    assert [unit for batch in batches for unit in batch] == units(changes)
    assert all(len(build(1, ZONE, batch, soa=SOA)) + 100 <= MAX_MESSAGE for batch in batches)


def test_only_a_name_that_is_too_large_for_one_message_is_separated_removals_first():
    addresses = [f"10.0.{number // 256}.{number % 256}" for number in range(1500)]
    pair = (add("a", "TXT", "x" * 40_000), add("a", "A", *addresses), remove("a", "CNAME", "b.example.org"))
    batches = list(split([pair], budget=budget(ZONE, soa=SOA, signing=100)))
    assert batches == [[(pair[2],), (pair[0],)], [(pair[1],)]]
    assert all(len(build(1, ZONE, batch, soa=SOA)) + 100 <= MAX_MESSAGE for batch in batches)


LONG = ".".join(["x" * 62] * 3)


@pytest.mark.parametrize("rdtype", ["TXT", "NS"])
def test_the_largest_rrset_fits_one_message_under_the_longest_names(rdtype):
    zone = parse_zone(LONG)
    soa = Soa(parse_target(f"a.{LONG}"), parse_target(f"b.{LONG}"), 42)
    name = zone if rdtype == "NS" else parse_name("n" * 60, zone)
    sizes = {"TXT": ["x" * 59_000], "NS": [f"h{number}.{LONG}" for number in range(75)]}

    def largest(prefix):
        return RRset.of(name, 300, [parse_rdata(rdtype, prefix + value) for value in sizes[rdtype]])

    before, after = largest("a"), largest("b")
    assert after.size > after.limit * 0.98
    change = Change(after.key, before, after)
    fixed = (soa_exact(zone, soa), rrset_absent(after.key))
    message = build(1, zone, [(change,)], soa=soa, prerequisites=fixed)
    assert len(message) + 255 + 255 + 100 <= MAX_MESSAGE  # a signature with the longest key name


KINDS = st.sampled_from([add, remove])


@given(
    st.lists(
        st.tuples(KINDS, st.integers(0, 20), st.sampled_from(list(Prerequisite))),
        max_size=60,
        unique_by=lambda row: row[1],
    )
)
def test_the_size_estimate_is_never_too_small(rows):
    changes = [kind(f"h{number}", "TXT", "x" * 250, prerequisite=prerequisite) for kind, number, prerequisite in rows]
    room = budget(ZONE, soa=None)
    limit = 2_000
    for batch in split(units(changes), budget=limit):
        size = len(build(1, ZONE, batch)) - (MAX_MESSAGE - room)
        assert size <= limit or len(batch) == 1


def test_a_message_can_be_tried_by_hand():
    changes = [
        replace("www", "A", ["192.0.2.1"], ["192.0.2.2"], prerequisite=Prerequisite.EXACT),
        add("new", "A", "192.0.2.3", prerequisite=Prerequisite.ABSENT),
        replace("@", "NS", ["ns1.example.net"], ["ns2.example.net"]),
    ]
    assert nsupdate_script("192.0.2.53", 5353, ZONE, changes, SOA).splitlines() == [
        "server 192.0.2.53 5353",
        "zone example.org.",
        "prereq yxrrset www.example.org. A 192.0.2.1",
        "prereq nxrrset new.example.org. A",
        "update delete www.example.org. A",
        "update add www.example.org. 300 IN A 192.0.2.2",
        "update add new.example.org. 300 IN A 192.0.2.3",
        "update add example.org. 300 IN NS ns2.example.net.",
        "update delete example.org. NS ns1.example.net.",
        "update add example.org. 3600 IN SOA ns1.example.org. admin.example.org. 42 3600 600 604800 300",
        "send",
    ]
