"""What external-dns' RFC 2136 provider does wrong on a real BIND, each shown right here."""

import itertools
import sys
import threading

import dns.message
import dns.query
import pytest

from reconcilers.ddns import (
    InvalidName,
    InvalidRecordData,
    Refused,
    ServerUnreachable,
    parse_name,
    parse_rdata,
    parse_zone,
    plan,
)
from tests.support.ddns import rejected


def synced(zone, *rrsets):
    """Publish these and say what a second sync would do."""
    desired = {rrset.key: rrset for rrset in rrsets}
    result = zone.update(*plan(desired, zone.content.rrsets, set(desired)))
    assert not result.rejected
    return plan(desired, zone.content.rrsets, set(desired))


@pytest.mark.parametrize("first", ["A", "CNAME"])
def test_a_change_between_cname_and_a_never_leaves_nxdomain(make_zone, first):
    zone = make_zone("www CNAME ns1" if first == "CNAME" else "www A 192.0.2.1")
    to_a = [zone.change("www", "CNAME", before=["ns1.ZONE"]), zone.change("www", "A", "192.0.2.1")]
    to_cname = [zone.change("www", "A", before=["192.0.2.1"]), zone.change("www", "CNAME", "ns1.ZONE")]
    asked, gaps, over = [], [], threading.Event()
    question = dns.message.make_query(parse_name("www", zone.name), "A")  # a CNAME would be the answer, too

    def watch():
        while not over.is_set():
            answer = dns.query.tcp(question, zone.server.address, port=zone.server.port, timeout=60)
            asked.append(answer)
            if not answer.answer:
                gaps.append(str(answer))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        swaps = itertools.cycle([to_a, to_cname] if first == "CNAME" else [to_cname, to_a])
        for number, swap in enumerate(swaps):
            assert not zone.update(*swap).rejected
            if number >= 40 and len(asked) > 10:
                break
    finally:
        over.set()
        thread.join()
    assert gaps == []


def test_one_out_of_zone_name_does_not_block_19_good_ones(zone):
    changes = [zone.change(f"h{i}", "A", "192.0.2.1") for i in range(19)]
    result = zone.update(*changes, zone.change("www.elsewhere.example.", "A", "192.0.2.1"))
    assert list(rejected(result).values()) == ["NOTZONE"]
    assert len(result.applied) == 19


def test_a_refused_axfr_is_an_error_never_an_empty_zone(zone, client):
    with pytest.raises(Refused):
        client(zone.server, key=None).transfer(zone.name)


def test_a_dead_first_server_does_not_hide_the_second(zone, primary, background, client):
    from testbed.named import NameServer

    dead = NameServer(background, key=primary.key, bindcar=False)  # never started: nobody listens on its port
    answers = []
    for server in (dead, primary):
        try:
            answers.append(client(server).soa(zone.name).serial)
        except ServerUnreachable as error:
            answers.append(error.reason)
    dead.close()
    assert answers == ["ServerUnreachable", 1]


@pytest.mark.parametrize(
    ("rdtype", "value"),
    [
        ("MX", "10 Mail.example.net"),
        ("SRV", "1 2 443 srv.example.net"),
        ("NAPTR", '1 1 "S" "SIP+D2U" "" sip.example.net'),
    ],
)
def test_mx_srv_and_naptr_are_published_once_and_can_be_deleted(zone, rdtype, value):
    assert synced(zone, zone.rrset("rec", rdtype, value)) == ()
    serial = zone.serial
    assert synced(zone, zone.rrset("rec", rdtype, value)) == ()
    assert zone.serial == serial
    zone.update(zone.change("rec", rdtype, before=[value]))
    assert zone.served("rec", rdtype) == set()


@pytest.mark.parametrize("target", ["target.example.net", "target.example.net.", "TARGET.Example.net."])
def test_a_final_dot_or_capitals_do_not_churn(zone, target):
    assert synced(zone, zone.rrset("alias", "CNAME", target)) == ()


@pytest.mark.parametrize("ttl", [0, 1, 59])
def test_a_ttl_under_the_minimum_does_not_churn(zone, ttl):
    assert synced(zone, zone.rrset("www", "A", "192.0.2.1", ttl=ttl)) == ()


@pytest.mark.parametrize(
    ("rdtype", "target"), [("A", "not-an-address"), ("MX", "no-preference.example.net"), ("SRV", "1 2")]
)
def test_an_unparseable_target_is_an_error_with_its_text(rdtype, target):
    with pytest.raises(InvalidRecordData, match=target):
        parse_rdata(rdtype, target)


def test_zones_are_matched_by_labels_not_by_suffix():
    with pytest.raises(InvalidName):
        parse_name("x.nottwo.test.", parse_zone("two.test"))


def test_four_times_the_names_take_four_times_the_work(make_zone):
    """external-dns merges what it reads name by name, each time through all of them: 16 times the work."""
    small, large = (calls_to_read(make_zone, count) for count in (1000, 4000))
    assert large < 5 * small


def calls_to_read(make_zone, count):
    """How many functions are called to read a zone of so many names and to find nothing to do."""
    zone = make_zone("\n".join(f"host{number} A 192.0.2.{number % 250 + 1}" for number in range(count)))
    calls = itertools.count()
    sys.setprofile(lambda _frame, event, _argument: next(calls) if event in {"call", "c_call"} else None)
    try:
        content = zone.content
        changes = plan(content.rrsets, dict(content.rrsets))
    finally:
        sys.setprofile(None)
    assert len(content.rrsets) == count + 2
    assert changes == ()
    return next(calls)
