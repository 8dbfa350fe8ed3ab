"""What a zone publishes for endpoints, and what it leaves alone. Servers in memory carry out the plan at once."""

from dataclasses import replace

import dns.rdatatype as rt
import pytest

from reconcilers.endpoints.plan import Policy
from reconcilers.endpoints.registry import NoRegistry, TxtRegistry
from reconcilers.reasons import Reason
from tests.support.endpoint_zone import Zone, candidate, entry, name, rrset

WWW = candidate("www", "192.0.2.1")
ENTRY = "heritage=external-dns,external-dns/owner=default,external-dns/resource=crd/shop/one"


def test_an_endpoint_is_published_with_its_entry_and_leaves_without_a_trace():
    zone = Zone()
    assert zone.put(WWW) == {WWW.ref}
    assert zone.content == {"www A": {"192.0.2.1"}, "a-www TXT": {ENTRY}}
    zone.drop(WWW)
    zone.plan()
    assert zone.content == {}
    assert not zone.planner.is_going("crd/shop/one")


def test_the_entry_waits_with_its_record():
    zone = Zone()
    zone.put(WWW)
    refs = [{each.ref for each in desired.contributors} for desired in zone.planner.wanted.values()]
    assert refs == [{WWW.ref}, {WWW.ref}]
    assert all(desired.planned for desired in zone.planner.wanted.values())


@pytest.mark.parametrize("restarted", [False, True])
def test_what_changed_is_updated_and_nothing_else_is_sent(restarted: bool):
    zone = Zone()
    zone.put(WWW, candidate("mail", "192.0.2.9"))
    if restarted:
        zone.restart()
        zone.put(WWW, candidate("mail", "192.0.2.9"))
    zone.sent.clear()
    zone.put(candidate("www", "192.0.2.2", version="2"))
    assert zone.at("www") == {"192.0.2.2"}
    assert zone.sent == [WWW.key]


def test_a_zone_that_external_dns_wrote_is_adopted_with_an_empty_plan():
    quoted = rrset("mail", "A", "192.0.2.9", ttl=60)
    zone = Zone(rrset("www", "A", "192.0.2.1", ttl=0), entry("www"), quoted, entry("mail", of="two"))
    zone.put(WWW, candidate("mail", "192.0.2.9", of="two"))
    assert zone.sent == []
    assert zone.verdict(WWW) is None


def test_an_entry_that_says_the_same_in_other_words_stays():
    other = rrset("a-www", "TXT", f'"\\"{ENTRY}\\""')
    zone = Zone(rrset("www", "A", "192.0.2.1"), other)
    zone.put(WWW)
    assert zone.sent == []


def test_entries_of_external_dns_before_0_12_count_and_get_their_present_form():
    former = rrset("www", "TXT", f'"{ENTRY}"')
    zone = Zone(rrset("www", "A", "192.0.2.1"), former)
    zone.put(candidate("www", "192.0.2.1"))
    assert zone.sent == [entry("www").key], "the record itself is not touched, and a way back stays"
    zone.put(candidate("www", "192.0.2.2"))
    assert zone.at("www") == {"192.0.2.2"}
    zone.drop(WWW)
    zone.plan()
    assert zone.content == {}


@pytest.mark.parametrize(
    ("standing", "says"),
    [
        ([rrset("www", "A", "192.0.2.66")], "without a registry entry"),
        ([rrset("www", "A", "192.0.2.66"), entry("www", by="other")], "owner 'other'"),
        ([rrset("www", "A", "192.0.2.1")], "without a registry entry"),
        ([rrset("www", "MX", "10 mail.example.net")], "the name is left alone"),
        ([entry("www", by="other")], "owner 'other'"),
        ([rrset("a-www", "TXT", '"v=spf1 -all"')], "somebody else"),
        ([rrset("www", "A", "192.0.2.66"), entry("www", by="o" * 200 + "\x07")], "o" * 63),
    ],
    ids=["nobody's", "another owner's", "equal, but not ours", "another type", "an entry alone", "a text", "long"],
)
def test_what_somebody_else_has_is_left_alone_and_told(standing, says: str):
    zone = Zone(*standing)
    before = zone.content
    zone.put(WWW)
    found = zone.verdict(WWW)
    assert found is not None
    assert found.reason is Reason.OWNER_MISMATCH
    assert says in found.message
    assert found.message.isprintable()
    zone.drop(WWW)
    assert zone.content == before
    assert zone.sent == []


def test_a_name_that_somebody_takes_over_is_left_to_them():
    zone = Zone()
    zone.put(WWW)
    zone.servers[0][entry("www").key] = entry("www", by="other")
    zone.read()
    assert zone.plan() == {WWW.ref}
    assert zone.told(WWW).reason is Reason.OWNER_MISMATCH
    zone.drop(WWW)
    assert zone.at("www") == {"192.0.2.1"}


def test_a_name_that_somebody_gives_back_is_published_again():
    zone = Zone(rrset("www", "A", "192.0.2.66"))
    zone.put(WWW)
    zone.servers[0].clear()
    zone.read()
    zone.plan()
    assert zone.at("www") == {"192.0.2.1"}


def test_what_somebody_deletes_is_published_again():
    zone = Zone()
    zone.put(WWW)
    zone.servers[0].clear()
    zone.read()
    zone.plan()
    assert zone.content == {"www A": {"192.0.2.1"}, "a-www TXT": {ENTRY}}


def test_what_went_while_the_operator_was_down_is_found_through_the_registry():
    zone = Zone()
    zone.put(WWW, candidate("gone", "192.0.2.3", of="service"))
    zone.restart()
    zone.put(WWW)
    assert zone.planner.is_going("crd/shop/service") or zone.at("gone") == set()
    assert zone.at("gone") == set()
    zone.plan()
    assert not zone.planner.is_going("crd/shop/service")
    assert zone.content == {"www A": {"192.0.2.1"}, "a-www TXT": {ENTRY}}


class TestConflicts:
    def test_an_object_that_has_the_name_keeps_it(self):
        zone = Zone()
        first, second = candidate("www", "192.0.2.9", of="zzz"), candidate("www", "192.0.2.1", of="aaa")
        zone.put(first)
        zone.put(second)
        assert zone.at("www") == {"192.0.2.9"}
        assert zone.told(second).reason is Reason.CONFLICT_LOST
        assert "shop/zzz" in zone.told(second).message
        zone.restart()
        zone.put(second, first)
        assert zone.at("www") == {"192.0.2.9"}, "the registry says so, also after a restart"
        zone.drop(first)
        assert zone.at("www") == {"192.0.2.1"}
        assert zone.verdict(second) is None

    @pytest.mark.parametrize(
        ("one", "other", "winner"),
        [
            (["192.0.2.1", "192.0.2.2"], ["192.0.2.9"], ["192.0.2.9"]),
            (["192.0.2.10"], ["192.0.2.9"], ["192.0.2.9"]),
        ],
        ids=["fewer targets", "addresses by value"],
    )
    def test_of_new_ones_the_smallest_wins_in_any_order(self, one, other, winner):
        for order in (1, -1):
            zone = Zone()
            zone.put(*[candidate("www", *one, of="a"), candidate("www", *other, of="b")][::order])
            assert zone.at("www") == set(winner)

    def test_who_won_is_named(self):
        zone = Zone()
        mine, theirs = candidate("www", "192.0.2.1", of="a"), candidate("www", "192.0.2.2", of="b")
        again = replace(candidate("www", "192.0.2.3", of="a"), ref=mine.ref._replace(part="www A #2"))
        zone.put(mine, theirs, again)
        assert zone.told(theirs).message == "DNSEndpoint shop/a has www.example.org. A with other targets"
        text = "another endpoint of DNSEndpoint shop/a has www.example.org. A with other targets"
        assert zone.told(again).message == text

    def test_equal_ones_are_published_together_and_outlive_each_other(self):
        zone = Zone()
        one, two = candidate("www", "192.0.2.1", of="one"), candidate("www", "192.0.2.1", of="two")
        zone.put(one, two)
        assert zone.verdict(one) is zone.verdict(two) is None
        zone.drop(one)
        assert zone.at("www") == {"192.0.2.1"}
        assert "crd/shop/two" in next(iter(zone.at("a-www", "TXT")))

    def test_a_cname_loses_to_other_types(self):
        zone = Zone()
        alias = candidate("www", "a.example.net", rdtype="CNAME", of="alias")
        zone.put(alias)
        zone.put(WWW)
        assert (zone.at("www", "CNAME"), zone.at("www")) == (set(), {"192.0.2.1"})
        assert "CNAME" in zone.told(alias).message
        zone.drop(WWW)
        assert zone.at("www", "CNAME") == {"a.example.net."}

    def test_identifiers_share_an_rrset(self):
        zone = Zone()
        one, two = (
            candidate("www", "192.0.2.1", identifier="eu"),
            candidate("www", "192.0.2.2", identifier="us", of="b"),
        )
        zone.put(one, two)
        assert zone.at("www") == {"192.0.2.1", "192.0.2.2"}
        assert len(zone.at("a-www", "TXT")) == 2
        zone.drop(two)
        assert (zone.at("www"), zone.at("a-www", "TXT")) == ({"192.0.2.1"}, {ENTRY})

    @pytest.mark.parametrize(
        ("record", "wants"),
        [
            (rrset("www", "A", "192.0.2.66"), WWW),
            (rrset("www", "CNAME", "a.example.net"), WWW),
            (rrset("www", "TXT", '"x"'), candidate("www", "a.example.net", rdtype="CNAME")),
            (rrset("a-www", "TXT", '"x"'), WWW),
        ],
        ids=["the same type", "a CNAME stands there", "a CNAME is wanted", "where the entry has to stand"],
    )
    def test_a_record_object_comes_first_and_is_named(self, record, wants):
        for record_first in (True, False):
            zone = Zone()
            if record_first:
                zone.publish_record(record)
                zone.put(wants)
            else:
                zone.put(wants)
                zone.publish_record(record)
            assert zone.told(wants).reason in {Reason.CONFLICT_LOST, Reason.OWNER_MISMATCH}
            assert zone.servers[0][record.key] == record
            zone.withdraw_record(record)
            zone.read()
            zone.plan()
            assert zone.verdict(wants) is None

    def test_a_text_of_a_record_object_proves_nothing(self):
        forged = entry("www")
        zone = Zone(rrset("www", "A", "192.0.2.66"))
        zone.publish_record(forged, "TXTRecord shop/forged")
        zone.put(WWW)
        assert zone.at("www") == {"192.0.2.66"}
        zone.restart()
        zone.plan()
        assert zone.at("www") == {"192.0.2.66"}, "not obsolete either"

    def test_a_record_object_of_another_type_is_no_rival(self):
        zone = Zone()
        zone.publish_record(rrset("www", "MX", "10 mail.example.org"))
        zone.put(WWW)
        assert zone.at("www") == {"192.0.2.1"}


class TestTtl:
    def test_one_that_is_not_given_leaves_what_stands_there(self):
        zone = Zone(rrset("www", "A", "192.0.2.9", ttl=77), entry("www"))
        zone.put(WWW)
        assert zone.servers[0][WWW.key].ttl == 77

    def test_one_that_is_given_is_applied(self):
        zone = Zone(rrset("www", "A", "192.0.2.1", ttl=77), entry("www"))
        zone.put(candidate("www", "192.0.2.1", ttl=60))
        assert zone.servers[0][WWW.key].ttl == 60


class TestPolicies:
    def test_upsert_only_deletes_nothing(self):
        for restarted in (False, True):
            zone = Zone(policy=Policy.UPSERT_ONLY)
            zone.put(WWW)
            zone.put(candidate("www", "192.0.2.2"))
            if restarted:
                zone.restart()
            zone.drop(WWW)
            zone.plan()
            assert zone.at("www") == {"192.0.2.2"}
            assert not zone.planner.is_going("crd/shop/one")

    def test_create_only_changes_nothing_and_says_so(self):
        zone = Zone(policy=Policy.CREATE_ONLY)
        zone.put(WWW)
        changed = candidate("www", "192.0.2.2")
        zone.put(changed)
        assert zone.at("www") == {"192.0.2.1"}
        assert zone.told(changed).reason is Reason.ENDPOINT_FILTERED
        zone.drop(changed)
        assert zone.at("www") == {"192.0.2.1"}


@pytest.mark.parametrize("policy", Policy)
def test_a_record_object_takes_what_endpoints_had_before_the_process_began(policy: Policy):
    zone = Zone(rrset("www", "A", "192.0.2.1"), entry("www"), policy=policy)
    zone.records[WWW.key] = "ARecord shop/record"
    zone.restart()
    zone.put(WWW)
    assert zone.told(WWW).reason is Reason.CONFLICT_LOST
    assert zone.at("a-www", "TXT") == set()
    assert WWW.key not in zone.planner.wanted
    zone = Zone(rrset("www", "A", "192.0.2.1"), entry("www"), policy=policy)
    zone.records[WWW.key] = "ARecord shop/record"
    zone.restart()
    zone.planner.plan(zone.look, zone.taken)
    assert zone.planner.obsolete == {WWW.key, entry("www").key}, "the engine publishes the record over it"


class TestServersThatDiffer:
    def test_nothing_is_deleted_where_they_do(self):
        zone = Zone(rrset("old", "A", "192.0.2.1"), entry("old"), servers=2)
        del zone.servers[1][rrset("old", "A", "192.0.2.1").key]
        zone.restart()
        zone.plan()
        assert zone.at("old") == {"192.0.2.1"}

    def test_a_removal_that_one_has_seen_is_finished(self):
        """The process was killed between two servers, and the object is gone."""
        zone = Zone(rrset("old", "A", "192.0.2.1"), entry("old"), servers=2)
        zone.servers[1].clear()
        zone.restart()
        zone.plan()
        assert zone.content == {}

    def test_a_removal_that_one_has_carried_out_goes_on_at_the_other(self):
        zone = Zone(rrset("old", "A", "192.0.2.1"), entry("old"), servers=2)
        zone.planner.plan(zone.look, zone.taken)
        for key in zone.planner.obsolete:
            del zone.servers[0][key]
        zone.planner.plan(zone.look, zone.taken)
        assert zone.planner.obsolete == zone.servers[1].keys()

    def test_a_removal_stops_where_somebody_changes_what_is_to_go(self):
        zone = Zone(rrset("old", "A", "192.0.2.1"), entry("old"), servers=2)
        zone.planner.plan(zone.look, zone.taken)
        changed = rrset("old", "A", "192.0.2.2")
        zone.servers[1][changed.key] = changed
        zone.read()
        zone.planner.plan(zone.look, zone.taken)
        assert zone.planner.obsolete == frozenset()

    def test_one_that_is_behind_is_brought_up(self):
        zone = Zone(rrset("www", "A", "192.0.2.9"), entry("www"), servers=2)
        zone.servers[1].clear()
        zone.restart()
        zone.put(WWW)
        assert zone.servers[0] == zone.servers[1]

    def test_what_is_somebody_elses_on_one_is_left_alone_on_all(self):
        zone = Zone(rrset("www", "A", "192.0.2.9"), entry("www"), servers=2)
        zone.servers[1][entry("www").key] = entry("www", by="other")
        zone.restart()
        zone.put(WWW)
        assert zone.told(WWW).reason is Reason.OWNER_MISMATCH
        assert zone.sent == []


class TestWithoutARegistry:
    def test_nothing_but_the_record_is_written_and_it_goes_again(self):
        zone = Zone(registry=NoRegistry())
        zone.put(WWW)
        assert zone.content == {"www A": {"192.0.2.1"}}
        zone.drop(WWW)
        assert zone.content == {}

    def test_after_a_restart_what_stands_there_is_somebody_elses(self):
        zone = Zone(registry=NoRegistry())
        zone.put(WWW)
        zone.restart()
        zone.put(WWW)
        assert zone.told(WWW).reason is Reason.OWNER_MISMATCH
        zone.drop(WWW)
        assert zone.at("www") == {"192.0.2.1"}


def test_an_entry_that_two_names_share_stays_until_both_are_gone():
    registry = TxtRegistry(wildcard="any")
    star, literal = candidate("*", "192.0.2.1"), candidate("any", "192.0.2.2", of="two")
    zone = Zone(registry=registry)
    zone.put(star, literal)
    assert len(zone.at("a-any", "TXT")) == 2
    zone.drop(star)
    zone.plan()
    assert zone.at("any") == {"192.0.2.2"}
    assert len(zone.at("a-any", "TXT")) == 1
    zone.drop(literal)
    zone.plan()
    assert zone.content == {}


def test_somebody_elses_text_beside_an_entry_stays():
    mixed = rrset("a-www", "TXT", f'"{ENTRY}"', '"theirs"')
    zone = Zone(rrset("www", "A", "192.0.2.9"), mixed)
    zone.put(WWW)
    assert zone.at("a-www", "TXT") == {ENTRY, "theirs"}
    zone.drop(WWW)
    zone.plan()
    assert zone.at("www") == set()
    assert "theirs" in zone.at("a-www", "TXT")


@pytest.mark.parametrize("theirs", ['"\\255"', '"in" "pieces"'])
def test_what_stands_beside_an_entry_and_is_no_text_of_ours_is_not_written_again(theirs: str):
    zone = Zone(rrset("www", "A", "192.0.2.1"), rrset("a-www", "TXT", f'"{ENTRY}"', theirs))
    zone.put(WWW)
    assert zone.sent == []


def test_what_a_zone_wants_is_the_same_object_until_something_is_planned():
    zone = Zone()
    zone.put(WWW)
    wanted = zone.planner.wanted
    zone.plan()
    assert zone.planner.wanted is wanted
    zone.put(candidate("mail", "192.0.2.9"))
    assert len(zone.planner.wanted) == 4
    assert len(wanted) == 2


def test_unmanaged_types_are_none_of_our_business():
    zone = Zone(rrset("www", "TXT", '"theirs"'), rrset("old", "MX", "10 m.example.net"), entry("old", "MX"))
    zone.rules = replace(zone.rules, manages=lambda key: key.rdtype == rt.A)
    zone.restart()
    zone.put(WWW)
    zone.plan()
    assert zone.at("www") == {"192.0.2.1"}
    assert zone.at("old", "MX")
    assert zone.at("www", "TXT") == {"theirs"}


def test_the_names_and_types_that_dnssec_makes_are_not_looked_at():
    zone = Zone(rrset("www", "A", "192.0.2.1"), entry("www"), rrset("www", "NSEC", "x.example.org. A"))
    zone.put(WWW)
    assert zone.verdict(WWW) is None
    assert name("www")


@pytest.mark.parametrize("taken", [False, True])
def test_an_entry_of_ours_goes_where_a_record_object_has_what_it_was_about(taken: bool):
    """It took over on one server, and the process was killed. What records have the engine does not show."""
    zone = Zone(rrset("www", "A", "192.0.2.1"), entry("www"))
    if taken:
        zone.records[WWW.key] = "ARecord shop/record"
    del zone.servers[0][WWW.key]
    zone.planner.plan(zone.look, zone.taken)
    assert zone.planner.obsolete == {entry("www").key}
    zone.plan()
    assert zone.at("a-www", "TXT") == set()
