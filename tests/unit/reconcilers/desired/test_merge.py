"""What a zone wants, given what its records contribute: unions, conflicts and who hears about them."""

import itertools
from dataclasses import replace

import dns.name
import dns.rdatatype
import pytest

from reconcilers.ddns.rdata import parse_rdata
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.desired.merge import Contribution, ZoneContents
from reconcilers.engine import ObjectRef

ZONE = dns.name.from_text("example.org")


def ref(kind: str, name: str) -> ObjectRef:
    return ObjectRef(kind=kind, namespace="default", name=name, uid=f"uid-{name}")


def contribution(
    who: str, owner: str, rdtype: str, *data: str, age: str = "2026-01-01T00:00:00Z", ttl: int = 300
) -> Contribution:
    name = dns.name.from_text(owner, ZONE)
    rrset = RRset.of(name, ttl, [parse_rdata(rdtype, text) for text in data]) if data else None
    key = RRsetKey(name, dns.rdatatype.from_text(rdtype))
    return Contribution(ref(f"{rdtype}Record", who), "v1", age, rrset, frozenset({key}))


def contents(*contributions: Contribution) -> ZoneContents:
    zone = ZoneContents()
    for each in contributions:
        zone.put(each)
    return zone


def served(zone: ZoneContents) -> set[str]:
    return {
        f"{key.name.relativize(ZONE)} {contribution.rrset.ttl} {dns.rdatatype.to_text(key.rdtype)} {rdata.to_text()}"
        for key, contribution in zone.wanted.items()
        for rdata in contribution.rrset.rdatas
    }


def test_two_objects_at_one_name_and_type_make_one_rrset():
    zone = contents(
        contribution("one", "@", "MX", "10 a.example.net."), contribution("two", "@", "MX", "20 b.example.net.")
    )
    assert served(zone) == {"@ 300 MX 10 a.example.net.", "@ 300 MX 20 b.example.net."}


@pytest.mark.parametrize(("before", "after"), [*itertools.permutations(["edge", "x", "www", "api"], 2)])
def test_a_loser_that_is_renamed_to_where_it_loses_again_hears_so_and_wins_there_in_the_end(before: str, after: str):
    zone = contents(
        contribution("first", before, "CNAME", "a.example.net.", age="2026-01-01"),
        contribution("second", after, "CNAME", "b.example.net.", age="2026-01-01"),
        contribution("loser", before, "CNAME", "c.example.net.", age="2026-01-02"),
    )
    zone.put(contribution("loser", after, "CNAME", "c.example.net.", age="2026-01-02"))
    assert zone.winner_over(("CNAMERecord", "loser")) == ref("CNAMERecord", "second")
    zone.drop(("CNAMERecord", "second"))
    assert zone.winner_over(("CNAMERecord", "loser")) is None
    assert served(zone) == {f"{before} 300 CNAME a.example.net.", f"{after} 300 CNAME c.example.net."}


def test_deleting_one_of_two_keeps_the_other():
    zone = contents(
        contribution("one", "@", "MX", "10 a.example.net."), contribution("two", "@", "MX", "20 b.example.net.")
    )
    zone.drop(("MXRecord", "one"))
    assert served(zone) == {"@ 300 MX 20 b.example.net."}


def test_the_smallest_ttl_is_the_rrsets():
    zone = contents(
        contribution("one", "www", "A", "192.0.2.1", ttl=60), contribution("two", "www", "A", "192.0.2.2", ttl=600)
    )
    assert served(zone) == {"www 60 A 192.0.2.1", "www 60 A 192.0.2.2"}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["older first", "younger first"])
def test_a_cname_beside_other_data_loses_to_the_older_object(order: tuple[int, int]):
    both = [
        contribution("host", "www", "A", "192.0.2.1", age="2026-01-01T00:00:00Z"),
        contribution("alias", "www", "CNAME", "other.example.net.", age="2026-01-02T00:00:00Z"),
    ]
    zone = contents(*(both[index] for index in order))
    assert served(zone) == {"www 300 A 192.0.2.1"}
    winner = zone.winner_over(("CNAMERecord", "alias"))
    assert winner is not None
    assert winner.name == "host"
    assert zone.winner_over(("ARecord", "host")) is None


def test_other_data_beside_an_older_cname_loses():
    zone = contents(
        contribution("alias", "www", "CNAME", "other.example.net.", age="2026-01-01T00:00:00Z"),
        contribution("host", "www", "A", "192.0.2.1", age="2026-01-02T00:00:00Z"),
        contribution("text", "www", "TXT", '"hello"', age="2026-01-03T00:00:00Z"),
    )
    assert served(zone) == {"www 300 CNAME other.example.net."}


def test_two_different_cnames_at_one_name_conflict_and_two_equal_ones_do_not():
    first = contribution("one", "www", "CNAME", "a.example.net.", age="2026-01-01T00:00:00Z")
    other = contribution("two", "www", "CNAME", "b.example.net.", age="2026-01-02T00:00:00Z")
    equal = contribution("two", "www", "CNAME", "A.example.NET.", age="2026-01-02T00:00:00Z")
    assert contents(first, other).winner_over(("CNAMERecord", "two")) is not None
    assert contents(first, equal).winner_over(("CNAMERecord", "two")) is None


def test_records_that_do_not_fit_the_rrset_are_left_out_the_youngest_first():
    """25,000 bytes each: two of them fit one UPDATE."""
    ages = {"first": "2026-01-01", "second": "2026-01-02", "third": "2026-01-03"}
    zone = contents(*(contribution(who, "@", "TXT", who[0] * 25_000, age=age) for who, age in ages.items()))

    def left_out() -> list[str]:
        return [who for who in ages if zone.is_too_many(("TXTRecord", who))]

    assert (left_out(), len(served(zone))) == (["third"], 2)
    zone.drop(("TXTRecord", "first"))
    assert (left_out(), len(served(zone))) == ([], 2)


def test_the_loser_is_published_when_the_winner_goes():
    zone = contents(
        contribution("host", "www", "A", "192.0.2.1", age="2026-01-01T00:00:00Z"),
        contribution("alias", "www", "CNAME", "other.example.net.", age="2026-01-02T00:00:00Z"),
    )
    zone.drop(("ARecord", "host"))
    assert served(zone) == {"www 300 CNAME other.example.net."}
    assert zone.winner_over(("CNAMERecord", "alias")) is None


def test_what_an_object_claims_stays_ours_until_it_goes():
    zone = contents(contribution("one", "www", "A"))
    key = RRsetKey(dns.name.from_text("www", ZONE), dns.rdatatype.A)
    assert key in zone.owned
    assert key not in zone.wanted
    zone.drop(("ARecord", "one"))
    assert key not in zone.owned


def test_a_copy_taken_earlier_does_not_change():
    zone = contents(contribution("one", "www", "A", "192.0.2.1"))
    earlier = zone.wanted
    zone.drop(("ARecord", "one"))
    assert len(earlier) == 1
    assert not zone.wanted


def test_putting_the_same_piece_again_changes_nothing():
    zone = ZoneContents()
    assert zone.put(contribution("one", "www", "A", "192.0.2.1"))
    assert not zone.put(contribution("one", "www", "A", "192.0.2.1"))


def test_a_changed_value_changes_nothing_of_what_is_owned():
    zone = contents(contribution("one", "www", "A", "192.0.2.1"), contribution("two", "api", "A", "192.0.2.1"))
    before = zone.owned
    zone.put(contribution("one", "www", "A", "192.0.2.2"))
    assert zone.owned is before
    zone.put(contribution("one", "web", "A", "192.0.2.2"))
    assert {str(key) for key in zone.owned} == {"web.example.org. A", "api.example.org. A"}
    assert {str(key) for key in before} == {"www.example.org. A", "api.example.org. A"}


def test_an_object_that_was_created_again_owns_in_its_own_name():
    zone = contents(contribution("one", "www", "A", "192.0.2.1"))
    again = contribution("one", "www", "A", "192.0.2.1")
    zone.put(replace(again, ref=again.ref._replace(uid="another")))
    assert {owner.uid for owners in zone.owned.values() for owner in owners} == {"another"}


def test_what_did_not_change_stays_the_same_object():
    zone = contents(contribution("one", "www", "A", "192.0.2.1"), contribution("two", "www", "TXT", '"x"'))
    before = zone.wanted
    zone.put(contribution("one", "www", "A", "192.0.2.2"))
    same = [key.rdtype.name for key, entry in zone.wanted.items() if entry is before[key]]
    assert same == ["TXT"]


def test_a_name_is_touched_when_an_object_lets_go_of_what_it_had_there():
    zone = contents(contribution("one", "www", "A", "192.0.2.1"))
    zone.put(contribution("one", "www", "A"))
    zone.take_touched()
    zone.drop(("ARecord", "one"))
    assert zone.take_touched() == {dns.name.from_text("www", ZONE)}
