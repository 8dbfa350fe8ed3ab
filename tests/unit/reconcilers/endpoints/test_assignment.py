"""Which zone publishes which endpoint, and what happens when zones, namespaces and objects come, change and go."""

from dataclasses import replace
from typing import Any

import dns.rdatatype as rt
import pytest

from reconcilers.ddns.names import parse_name, parse_zone
from reconcilers.ddns.rdata import parse_rdata
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.desired.selection import ZoneSet
from reconcilers.endpoints.intake import Intake
from reconcilers.engine.api import Contributor, DesiredRRset, ObjectRef
from tests.support.endpoint_servers import Place, a
from tests.support.endpoints import endpoint_slice, service
from zonewright import Object, metrics

WWW = a("www.example.org")


@pytest.fixture
def place() -> Place:
    return Place()


def test_the_zone_with_the_longest_match_publishes_it(place: Place):
    outer, inner = place.zone("example.org"), place.zone("shop.example.org")
    place.ask("one", a("www.shop.example.org"), a("shop.example.org"), WWW)
    place.plan(outer)
    place.plan(inner)
    assert place.at(inner, "www.shop.example.org") == place.at(inner, "shop.example.org") == {"192.0.2.1"}
    assert place.at(outer, "www.example.org") == {"192.0.2.1"}
    assert not place.at(outer, "www.shop.example.org")


def test_a_name_that_only_ends_alike_is_in_no_zone(place: Place):
    place.zone("two.test")
    assert place.why(place.ask("one", a("x.nottwo.test"))) == ["Filtered"]


def test_another_namespaces_zone_takes_only_whom_it_selects(place: Place):
    zone = place.zone("example.org", "platform", allow={"team": "shop"})
    key = place.ask("one", WWW)
    assert place.why(key) == ["Filtered"]
    place.assignments.put_namespace("shop", {"team": "other"})
    assert place.why(key) == ["Filtered"]
    place.assignments.put_namespace("shop", {"team": "shop"})
    assert place.woken[-1] == "one"
    place.ask("one", WWW)
    place.plan(zone)
    assert place.at(zone, "www.example.org") == {"192.0.2.1"}
    place.assignments.put_namespace("shop", None)
    place.plan(zone)
    assert not place.at(zone, "www.example.org")


def test_without_a_selector_no_other_namespace_is_taken(place: Place):
    place.assignments.put_namespace("shop", {})
    place.zone("example.org", "platform")
    assert place.why(place.ask("one", WWW)) == ["Filtered"]


def test_a_longer_zone_that_does_not_take_it_is_no_match(place: Place):
    outer = place.zone("example.org")
    place.zone("www.example.org", "platform")
    place.ask("one", WWW)
    place.plan(outer)
    assert place.at(outer, "www.example.org") == {"192.0.2.1"}


def test_nothing_is_published_before_it_is_claimed(place: Place):
    zone = place.zone("example.org")
    key = place.ask("one", WWW, claimed=())
    place.plan(zone)
    assert not place.at(zone, "www.example.org")
    assert place.assignments.wanted_zones(key) == {"example.org"}


@pytest.mark.parametrize("claims", [True, False], ids=["claimed", "deleted"])
def test_what_another_process_published_for_it_stays_until_it_is_claimed(place: Place, claims: bool):
    """external-dns claims nothing: what it wrote is neither taken away nor written again."""
    before = place.zone("example.org")
    place.ask("one", WWW)
    place.plan(before)
    place = place.restarted()
    zone = place.zone("example.org")
    key = place.ask("one", WWW, claimed=())
    assert not place.plan(zone).obsolete
    assert place.at(zone, "www.example.org") == {"192.0.2.1"}
    if claims:
        place.ask("one", WWW)
        assert not place.plan(zone).obsolete
        assert place.why(key) == [""]
    else:
        place.assignments.drop(key)
        place.plan(zone)
        assert not place.at(zone, "www.example.org")


def test_it_moves_to_a_zone_that_comes_and_back_when_that_goes(place: Place):
    outer = place.zone("example.org")
    wanted = a("www.shop.example.org")
    key = place.ask("one", wanted)
    place.plan(outer)
    inner = place.zone("shop.example.org")
    assert place.woken[-1] == "one"
    place.ask("one", wanted)
    place.plan(inner)
    place.plan(outer)
    assert place.at(inner, "www.shop.example.org")
    assert not place.at(outer, "www.shop.example.org")
    assert [zone.zone.to_text() for _, zone in place.assignments.leaving(key)] == ["example.org."]
    place.assignments.drop_zone(inner.key)
    place.ask("one", wanted)
    place.plan(outer)
    assert place.at(outer, "www.shop.example.org")


def test_a_zone_that_is_being_deleted_takes_nothing(place: Place):
    zone = place.zone("example.org")
    key = place.ask("one", WWW)
    place.plan(zone)
    place.assignments.put_zone(replace(zone, deleting=True))
    place.plan(zone)
    assert not place.at(zone, "www.example.org")
    assert place.why(key) == ["Filtered"]


def test_an_object_that_is_gone_leaves_nothing_and_wakes_its_zone(place: Place):
    zone = place.zone("example.org")
    key = place.ask("one", WWW)
    place.plan(zone)
    place.woken_zones.clear()
    place.assignments.drop(key)
    assert place.woken_zones == ["example.org"]
    place.plan(zone)
    place.plan(zone)
    assert place.servers.zone(zone.uid) == {}
    assert place.assignments.placed(key) == []


def test_whoever_loses_a_name_is_woken_when_it_is_free(place: Place):
    zone = place.zone("example.org")
    first = place.ask("first", WWW)
    place.plan(zone)
    second = place.ask("second", a("www.example.org", "192.0.2.2"))
    place.plan(zone)
    assert place.why(second) == ["ConflictLost"]
    place.woken.clear()
    place.assignments.drop(first)
    place.plan(zone)
    assert "second" in place.woken
    assert place.why(second) == [""]


def test_nothing_is_planned_before_the_servers_were_read(place: Place):
    zone = place.zone("example.org")
    place.servers.known = False
    place.ask("one", WWW)
    place.plan(zone)
    assert place.servers.zone(zone.uid) == {}
    place.servers.known = True
    place.plan(zone)
    assert place.at(zone, "www.example.org")


def test_a_server_that_cannot_be_read_again_loses_nothing(place: Place):
    zone = place.zone("example.org")
    place.ask("one", WWW)
    place.plan(zone)
    place.servers.known = False
    place.servers.reads[zone.uid] += 1
    place.plan(zone)
    assert place.at(zone, "www.example.org")


def test_a_name_that_a_record_object_leaves_is_taken_at_once_unless_it_cannot_be_read(place: Place):
    """What records have on servers the engine does not show."""
    zone = place.zone("example.org")
    key = RRsetKey(parse_name("www", parse_zone("example.org")), rt.A)
    record = ObjectRef("ARecord", "shop", "www", "uid-www")
    theirs = RRset.of(key.name, 300, [parse_rdata("A", "203.0.113.1")])
    wanted = {key: DesiredRRset(theirs, frozenset({Contributor(record, "1")}))}
    claimed, touched = {key: frozenset({record})}, frozenset({key.name})
    one = place.ask("one", WWW)
    place.plan(zone, ZoneSet(wanted, claimed, {}, frozenset(), touched))
    assert place.why(one) == ["ConflictLost"]
    place.plan(zone, ZoneSet({}, claimed, {}, frozenset({key}), touched))
    assert place.why(one) == ["ConflictLost"]
    # The object is being deleted: it wants nothing any more, and its claim stays until the servers are rid of it.
    place.plan(zone, ZoneSet({}, claimed, {}, frozenset(), touched))
    assert place.why(one) == [""]
    assert place.at(zone, "www.example.org") == {"192.0.2.1"}


def test_pods_wait_with_a_zone_that_cannot_be_read_yet_and_are_counted(place: Place):
    zone = place.zone("example.org")
    place.servers.known = False
    pods = replace(a("pods.example.org", "192.0.2.1", "192.0.2.2"), pods=2)
    place.ask("one", pods, WWW)
    assert place.plan(zone).pods == 2
    place.servers.known = True
    assert place.plan(zone).pods == 0


def test_endpoints_are_counted_by_their_source(place: Place):
    crd = metrics.gauge("zonewright_source_endpoints", "", "source").labels("crd")
    before = crd.value
    key = place.ask("one", WWW, a("api.example.org"))
    assert crd.value == before + 2
    place.ask("one", WWW)
    assert crd.value == before + 1
    place.assignments.drop(key)
    assert crd.value == before


def test_who_watches_one_namespace_says_that_zones_of_others_are_out_of_reach(caplog: pytest.LogCaptureFixture):
    place = Place(across_namespaces=False)
    place.zone("example.net", allow={"team": "shop"})
    assert "spec.allowEndpointsFrom has no effect" in caplog.text
    [placed] = place.assignments.placed(place.ask("one", WWW))
    assert placed.verdict is not None
    assert "watches this namespace only" in placed.verdict.message


def test_a_service_is_woken_by_its_slices(place: Place):
    """Its own changes wake its reconciler; those of its EndpointSlices do not."""
    found = service("db", {"clusterIP": "None"}, {"external-dns.kubernetes.io/hostname": "db.elsewhere.example"})
    listed: list[Object[Any]] = []
    selection: Any = None
    intake = Intake(place.assignments, selection, tuple)
    on_slice = intake.on_slice(lambda _: found, lambda _: listed)
    intake.on_service(lambda _: listed)(None, found, False)
    assert place.woken == []
    pod = {"addresses": ["10.0.0.1"], "targetRef": {"kind": "Pod", "name": "db-0"}}
    listed.append(endpoint_slice("db", "IPv4", pod))
    on_slice(None, listed[0], False)
    assert place.woken == ["db"]
    on_slice(listed[0], listed[0], False)
    assert place.woken == ["db"], "nothing changed"


class TestTypingErrors:
    """What cannot be read may still want what it has."""

    @pytest.mark.parametrize("restarted", [False, True])
    @pytest.mark.parametrize("wrong", [a("www.example.org", "no address"), a("", "192.0.2.1")], ids=["target", "name"])
    def test_what_it_has_stays_until_it_is_mended(self, wrong, restarted: bool):
        place = Place()
        zone = place.zone("example.org")
        place.ask("one", WWW)
        place.plan(zone)
        if restarted:
            place = place.restarted()
            zone = place.zone("example.org")
        key = place.ask("one", wrong, claimed=["example.org"])
        place.plan(zone)
        place.plan(zone)
        assert place.at(zone, "www.example.org") == {"192.0.2.1"}
        assert place.why(key) == ["Invalid"]
        place.ask("one", a("www.example.org", "192.0.2.2"))
        place.plan(zone)
        assert place.at(zone, "www.example.org") == {"192.0.2.2"}
        place.ask("one", wrong, claimed=["example.org"])
        place.ask("one", claimed=["example.org"])
        place.plan(zone)
        place.plan(zone)
        assert place.servers.zone(zone.uid) == {}

    def test_the_other_endpoints_of_the_object_go_on(self, place: Place):
        zone = place.zone("example.org")
        place.ask("one", WWW, a("mail.example.org"))
        place.plan(zone)
        place.ask("one", a("www.example.org", "no address"), claimed=["example.org"])
        place.plan(zone)
        place.plan(zone)
        assert place.at(zone, "www.example.org")
        assert not place.at(zone, "mail.example.org")

    @pytest.mark.parametrize("restarted", [False, True])
    @pytest.mark.parametrize("had", ["192.0.2.90", "2001:db8::90", "lb.example.net"])
    def test_a_service_keeps_what_its_targets_had_made(self, had: str, restarted: bool):
        """The type comes from the target: a bad one does not tell which type is wanted."""
        place = Place()
        zone = place.zone("example.org")
        place.put(annotated(had))
        place.plan(zone)
        before = dict(place.servers.zone(zone.uid))
        assert len(before) == 2  # with its entry
        if restarted:
            place = place.restarted()
            zone = place.zone("example.org")
        key = place.put(annotated("192.0.2.999"))
        place.plan(zone)
        place.plan(zone)
        assert place.servers.zone(zone.uid) == before
        assert place.why(key) == ["Invalid"]
        place.put(annotated("198.51.100.7"))
        place.plan(zone)
        place.plan(zone)
        assert place.at(zone, "api.example.org") == {"198.51.100.7"}
        assert len(place.servers.zone(zone.uid)) == 2


def annotated(target: str):
    hostname, targets = (f"external-dns.kubernetes.io/{word}" for word in ("hostname", "target"))
    return service("api", {"type": "LoadBalancer"}, {hostname: "api.example.org", targets: target}, namespace="shop")


def test_after_a_restart_it_is_known_through_the_registry_what_is_to_go(place: Place):
    zone = place.zone("example.org")
    place.ask("one", WWW)
    place.plan(zone)
    again = place.restarted()
    zone = again.zone("example.org")
    assert again.assignments.may_hold("example.org", "shop", "crd/shop/one"), "not read yet"
    again.plan(zone)
    assert not again.at(zone, "www.example.org")
    again.plan(zone)
    assert not again.assignments.may_hold("example.org", "shop", "crd/shop/one")
    assert "one" in again.woken
