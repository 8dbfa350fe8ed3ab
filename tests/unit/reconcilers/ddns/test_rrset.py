"""Record data and RRsets: equal when they mean the same, encoded as dnspython encodes them."""

import dns.message
import dns.rdatatype as rt
import dns.rrset
import pytest
from dns.rdtypes.ANY.TXT import TXT

from reconcilers.ddns import (
    InvalidRecordData,
    RRset,
    RRsetKey,
    parse_name,
    parse_rdata,
    parse_zone,
    rdtype_of,
    txt_rdata,
)
from reconcilers.ddns.rdata import canonical_wire, from_canonical, txt_bytes, txt_wire
from reconcilers.ddns.rrset import RRsetTooLarge

ZONE = parse_zone("example.org")
WWW = parse_name("www", ZONE)


def strings(rdata):
    assert isinstance(rdata, TXT)
    return rdata.strings


@pytest.mark.parametrize(
    ("rdtype", "one", "other"),
    [
        ("MX", "10 Mail.Example.org", "10 mail.example.org."),
        ("CNAME", "TARGET.example.com", "target.example.com."),
        ("NS", "NS1.example.org", "ns1.example.org."),
        ("PTR", "Host.Example.ORG", "host.example.org."),
        ("SRV", "1 2 443 Srv.Example.org", "1 2 443 srv.example.org."),
        ("AAAA", "2001:DB8:0::1", "2001:db8::1"),
        ("A", "192.0.2.1", "192.0.2.1"),
        ("CAA", '0 issue "ca.example.net"', "0 issue ca.example.net"),
        ("TXT", '"a" "b"', "a b"),
        ("NAPTR", '1 1 "S" "SIP" "" Sip.Example.org.', '1 1 "S" "SIP" "" sip.example.org'),
    ],
)
def test_the_same_value_in_two_spellings(rdtype, one, other):
    left, right = parse_rdata(rdtype, one), parse_rdata(rdtype, other)
    assert RRset.of(WWW, 300, [left]) == RRset.of(WWW, 300, [right])


@pytest.mark.parametrize(
    ("rdtype", "text"),
    [
        ("A", "192.0.2.256"),
        ("A", "2001:db8::1"),
        ("AAAA", "192.0.2.1"),
        ("MX", "mail.example.org"),
        ("MX", "70000 mail.example.org"),
        ("SRV", "1 2 mail.example.org"),
        ("CNAME", "a..b"),
        ("CNAME", ""),
        ("CAA", "300 issue x"),
        ("TXT", ""),
        ("BOGUS", "x"),
        ("A", "192.0.2.1\n192.0.2.2"),
        ("TXT", "one\ntwo"),
    ],
)
def test_what_is_no_data_is_refused_with_its_text(rdtype, text):
    with pytest.raises(InvalidRecordData) as refused:
        parse_rdata(rdtype, text)
    assert refused.value.reason == "InvalidRecordData"


def test_a_long_txt_is_split_into_strings_of_one_record():
    rdata = txt_rdata(["x" * 600])
    assert [len(piece) for piece in strings(rdata)] == [255, 255, 90]
    assert len(RRset.of(WWW, 300, [rdata])) == 1


def test_a_list_of_strings_is_one_record():
    assert strings(txt_rdata(["v=spf1", "-all"])) == (b"v=spf1", b"-all")
    assert strings(txt_rdata([""])) == (b"",)
    assert strings(txt_rdata(["ü"])) == ("ü".encode(),)


def test_a_long_txt_in_zone_file_text_is_split_too():
    assert len(strings(parse_rdata("TXT", '"' + "k" * 300 + '"'))) == 2


def test_canonical_bytes_can_be_read_back():
    rdata = parse_rdata("MX", "10 Mail.example.org")
    assert from_canonical(rt.MX, canonical_wire(rdata)).to_text() == "10 mail.example.org."


@pytest.mark.parametrize("text", [b"", b"v=spf1 -all", b"k" * 255, b"k" * 256, b"k" * 1000, b"\xff\x00"])
def test_a_text_is_the_same_data_with_and_without_dnspython(text: bytes):
    wire = canonical_wire(txt_rdata([text]))
    assert txt_wire(text) == wire
    assert txt_bytes(wire) == text


def test_an_rrset_of_bytes_is_that_of_their_records():
    made = RRset.of_wire(WWW, rt.TXT, 300, [txt_wire(b"x"), txt_wire(b"y")])
    assert made == RRset.of(WWW, 300, [txt_rdata(["x"]), txt_rdata(["y"])])
    with pytest.raises(InvalidRecordData):
        RRset.of_wire(WWW, rt.TXT, 300, [])


def test_an_rrset_has_one_type_and_at_least_one_record():
    with pytest.raises(InvalidRecordData):
        RRset.of(WWW, 300, [parse_rdata("A", "192.0.2.1"), parse_rdata("TXT", "x")])
    with pytest.raises(InvalidRecordData):
        RRset.of(WWW, 300, [])


@pytest.mark.parametrize("ttl", [-1, 2**31])
def test_a_ttl_outside_rfc_2181_is_refused(ttl):
    with pytest.raises(InvalidRecordData, match="TTL"):
        RRset.of(WWW, ttl, [parse_rdata("A", "192.0.2.1")])


@pytest.mark.parametrize(
    ("rdtype", "values"),
    [
        ("A", [f"10.0.{number // 256}.{number % 256}" for number in range(6000)]),
        ("TXT", ["x" * 70_000]),
        ("NS", [f"{'n' * 60}{number}.example.org" for number in range(500)]),
    ],
)
def test_an_rrset_that_fits_no_update_is_refused_with_its_size_and_the_limit(rdtype, values):
    with pytest.raises(RRsetTooLarge, match=r"would have [0-9,]+ bytes in [0-9,]+ records; at most [36]0,000 bytes"):
        RRset.of(parse_zone("www.example.org"), 300, [parse_rdata(rdtype, value) for value in values])


def test_its_size_is_that_of_its_wire_form():
    rrset = RRset.of(parse_zone("www.example.org"), 300, [parse_rdata("A", f"192.0.2.{number}") for number in range(9)])
    assert rrset.size == len(rrset.wire)


def test_order_and_repetition_do_not_matter():
    one, two = parse_rdata("A", "192.0.2.1"), parse_rdata("A", "192.0.2.2")
    assert RRset.of(WWW, 300, [one, two]) == RRset.of(WWW, 300, [two, one, two])
    assert hash(RRset.of(WWW, 300, [one, two])) == hash(RRset.of(WWW, 300, [two, one]))
    assert RRset.of(WWW, 300, [one]) != RRset.of(WWW, 301, [one])


def test_wire_is_what_dnspython_reads():
    rrset = RRset.of(WWW, 300, [parse_rdata("MX", "10 mail.example.org"), parse_rdata("MX", "20 mx2.example.org")])
    header = b"\0\1" + b"\x84\0" + b"\0\0" + b"\0\2" + b"\0\0\0\0"
    answer = dns.message.from_wire(header + rrset.wire).answer
    assert answer == [
        dns.rrset.from_text("www.example.org.", 300, "IN", "MX", "10 mail.example.org.", "20 mx2.example.org.")
    ]
    assert rrset.wire is rrset.wire, "encoded once"


def test_an_rrset_prints_as_zone_file_lines():
    rrset = RRset.of(WWW, 300, [parse_rdata("A", "192.0.2.2"), parse_rdata("A", "192.0.2.1")])
    assert str(rrset) == "www.example.org. 300 IN A 192.0.2.1\nwww.example.org. 300 IN A 192.0.2.2"
    assert str(rrset.key) == "www.example.org. A"
    assert rrset.key == RRsetKey(WWW, rt.A)
    assert rdtype_of("TYPE65280") == 65280
