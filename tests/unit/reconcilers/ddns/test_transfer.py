"""Transfers as dnspython writes them, read by our parser; and what is no transfer."""

import dns.flags
import dns.message
import dns.rdatatype as rt
import dns.rrset
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.ddns import MalformedReply, RRset, RRsetKey, parse_name, parse_rdata, parse_zone
from reconcilers.ddns.transfer import TransferReader, read_rrset
from reconcilers.ddns.wire import Reply, read_labels

ZONE = parse_zone("example.org")


def soa(serial):
    return dns.rrset.from_text(
        "Example.org.", 3600, "IN", "SOA", f"NS1.example.org. admin.example.org. {serial} 1 2 3 4"
    )


def rr(name, rdtype, *values, ttl=300):
    return dns.rrset.from_text(name, ttl, "IN", rdtype, *values)


def message(*rrsets):
    reply = dns.message.make_response(dns.message.make_query("example.org", "AXFR"))
    reply.flags |= dns.flags.AA
    reply.answer.extend(rrsets)
    return Reply.parse(reply.to_wire(max_size=65535))


def read(*messages, known=None):
    reader = TransferReader(ZONE, known)
    for each in messages:
        reader.feed(each)
    return reader.content()


def ours(name, rdtype, *values, ttl=300):
    return RRset.of(parse_name(name, ZONE), ttl, [parse_rdata(rdtype, value) for value in values])


def content(*rrsets):
    return {each.key: each for each in rrsets}


EVERY_KIND = [
    ("A", ["192.0.2.1", "192.0.2.2"]),
    ("AAAA", ["2001:db8::1"]),
    ("CAA", ['0 issue "ca.example.net"']),
    ("CNAME", ["Target.Example.org."]),
    ("DNAME", ["Target.Example.org."]),
    ("MX", ["10 Mail.Example.org.", "20 mail2.example.org."]),
    ("NAPTR", ['1 1 "S" "SIP" "" Sip.Example.org.']),
    ("NS", ["NS9.example.org."]),
    ("PTR", ["Host.Example.org."]),
    ("RP", ["Admin.Example.org. Info.Example.org."]),
    ("SRV", ["1 2 443 Srv.Example.org."]),
    ("SSHFP", ["1 1 " + "ab" * 20]),
    ("TLSA", ["3 1 1 " + "ab" * 32]),
    ("TXT", ['"Case Matters"']),
    ("HTTPS", ["1 . alpn=h2"]),
    ("TYPE65280", ["\\# 2 aabb"]),
]


@pytest.mark.parametrize(("rdtype", "values"), EVERY_KIND, ids=[kind for kind, _ in EVERY_KIND])
def test_every_kind_of_data_is_read_canonical(rdtype, values):
    found = read(message(soa(5), rr("WWW.example.org.", rdtype, *values)), message(soa(5)))
    assert found.rrsets == content(ours("www", rdtype, *values))
    assert found.serial == 5
    assert found.soa.primary.to_text() == "ns1.example.org."
    assert found.soa.ttl == 3600


def test_rrsets_may_be_spread_over_messages():
    found = read(
        message(soa(5), rr("www.example.org.", "A", "192.0.2.1")),
        message(rr("www.example.org.", "A", "192.0.2.2"), soa(5)),
    )
    assert found.rrsets == content(ours("www", "A", "192.0.2.1", "192.0.2.2"))


def test_an_empty_zone_is_read_as_empty():
    assert read(message(soa(5)), message(soa(5))).rrsets == {}


def test_signatures_are_left_out_keys_are_not():
    sig = "A 8 2 300 20300101000000 20200101000000 1 example.org. aabb"
    found = read(
        message(soa(5), rr("www.example.org.", "RRSIG", sig), rr("example.org.", "DNSKEY", "257 3 8 aabb")),
        message(soa(5)),
    )
    assert list(found.rrsets) == [RRsetKey(ZONE, rt.DNSKEY)]


@pytest.mark.parametrize(
    ("sentence", "messages"),
    [
        ("no end", [message(soa(5), rr("www.example.org.", "A", "192.0.2.1"))]),
        ("nothing at all", [message()]),
        ("more after the end", [message(soa(5)), message(soa(5)), message(soa(5))]),
        ("another SOA in the middle", [message(soa(5)), message(rr("a.example.org.", "A", "192.0.2.1"), soa(6))]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_transfer_is_never_a_zone(sentence, messages):
    with pytest.raises(MalformedReply):
        read(*messages)


OLD = read(
    message(
        soa(5),
        rr("a.example.org.", "A", "192.0.2.1", "192.0.2.2"),
        rr("b.example.org.", "A", "192.0.2.1"),
        rr("c.example.org.", "A", "192.0.2.1"),
    ),
    message(soa(5)),
)


def test_an_unchanged_zone_costs_one_record():
    reader = TransferReader(ZONE, OLD)
    reader.feed(message(soa(5)))
    assert reader.incremental
    assert reader.content() == OLD


def test_only_what_changed_is_read():
    reader = TransferReader(ZONE, OLD)
    for each in (
        message(soa(7)),
        message(soa(5)),
        message(rr("a.example.org.", "A", "192.0.2.1"), rr("b.example.org.", "A", "192.0.2.1")),
        message(soa(6)),
        message(rr("d.example.org.", "A", "192.0.2.9")),
        message(soa(6)),
        message(rr("d.example.org.", "A", "192.0.2.9")),
        message(soa(7)),
        message(rr("d.example.org.", "A", "192.0.2.10", ttl=60)),
        message(soa(7)),
    ):
        reader.feed(each)
    found = reader.content()
    assert reader.incremental
    assert found.serial == 7
    assert found.rrsets == content(
        ours("a", "A", "192.0.2.2"), ours("c", "A", "192.0.2.1"), ours("d", "A", "192.0.2.10", ttl=60)
    )


def test_a_server_may_answer_ixfr_with_the_whole_zone():
    found = read(message(soa(9), rr("z.example.org.", "A", "192.0.2.1")), message(soa(9)), known=OLD)
    assert found.rrsets == content(ours("z", "A", "192.0.2.1"))


def test_one_rrset_from_an_answer():
    reply = message(rr("WWW.example.org.", "A", "192.0.2.1"), rr("other.example.org.", "A", "192.0.2.1"))
    key = RRsetKey(parse_name("www", ZONE), rt.A)
    assert read_rrset(reply, key) == ours("www", "A", "192.0.2.1")
    assert read_rrset(message(), key) is None


def test_a_loop_of_compression_pointers_is_malformed():
    with pytest.raises(MalformedReply, match="loop"):
        read_labels(b"\0" * 12 + b"\xc0\x0c", 12)


@given(st.binary(max_size=200))
def test_garbage_is_malformed_never_a_crash(garbage):
    header = b"\0\1\x84\0\0\1\0\3\0\0\0\0"
    with pytest.raises(MalformedReply):
        read(Reply.parse(header + garbage))
