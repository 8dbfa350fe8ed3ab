"""What a target of each type may be, and the one spelling that all targets of its meaning share."""

import contextlib
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.ddns.errors import InvalidName, InvalidRecordData
from reconcilers.endpoints.targets import RECORD_TYPES, canonical_target, complete_name, rdata_of

LONG = "x" * 300


@pytest.mark.parametrize(
    ("record_type", "target", "spelled"),
    [
        ("A", "192.0.2.1", "192.0.2.1"),
        ("AAAA", "2001:DB8:0:0::1", "2001:db8::1"),
        ("CNAME", "LB.example.org.", "lb.example.org"),
        ("CNAME", "büro.example.org", "xn--bro-hoa.example.org"),
        ("NS", "ns1.example.org", "ns1.example.org"),
        ("PTR", "host.example.org.", "host.example.org"),
        ("DNAME", "other.example.org", "other.example.org"),
        ("MX", "10 mail.example.org", "10 mail.example.org"),
        ("MX", "10   Mail.example.org.", "10 mail.example.org"),
        ("MX", "0 .", "0 ."),
        ("SRV", "0 10 80 host.example.org", "0 10 80 host.example.org"),
        ("SRV", "0 10 80 host.example.org.", "0 10 80 host.example.org"),
        (
            "NAPTR",
            '100 10 "u" "sip+E2U" "!^.*$!sip:a@example.org!" .',
            '100 10 "u" "sip+E2U" "!^.*$!sip:a@example.org!" .',
        ),
        ("NAPTR", '100 10 "s" "SIP+D2U" "" _sip.example.org', '100 10 "s" "SIP+D2U" "" _sip.example.org.'),
        ("TXT", "v=spf1 -all", '"v=spf1 -all"'),
        ("TXT", '"v=spf1 -all"', '"v=spf1 -all"'),
        ("TXT", '"one" "two"', '"one" "two"'),
        ("TXT", "v=DKIM1; k=rsa; p=MII", '"v=DKIM1; k=rsa; p=MII"'),
        ("TXT", 'say "hi" \\o/', '"say \\"hi\\" \\\\o/"'),
        ("TXT", "a\tb", '"a\\009b"'),
        ("TXT", LONG, f'"{LONG[:255]}" "{LONG[255:]}"'),
        ("TXT", f'"{LONG}"', f'"{LONG[:255]}" "{LONG[255:]}"'),
        ("TXT", "grün", '"gr\\195\\188n"'),
    ],
)
def test_a_target_has_one_spelling(record_type, target, spelled):
    assert canonical_target(record_type, target) == spelled
    assert canonical_target(record_type, spelled) == spelled
    assert rdata_of(record_type, target) == rdata_of(record_type, spelled)


@pytest.mark.parametrize(
    ("record_type", "target"),
    [
        *((record_type, "") for record_type in RECORD_TYPES),
        *((record_type, "new\nline.example.org") for record_type in RECORD_TYPES),
        *((record_type, "\x00") for record_type in RECORD_TYPES),
        ("A", "192.0.2"),
        ("A", "2001:db8::1"),
        ("A", "lb.example.org"),
        ("A", " 192.0.2.1"),
        ("A", "192.0.2.1 ; mine"),
        ("A", "\\# 4 c0000201"),
        ("AAAA", "192.0.2.1"),
        ("AAAA", "fe80::1%eth0"),
        ("CNAME", "192.0.2.1"),
        ("CNAME", "2001:db8::1"),
        ("CNAME", "@"),
        ("CNAME", "."),
        ("CNAME", "two words.example.org"),
        ("CNAME", "a\\000b.example.org"),
        ("CNAME", f"{LONG}.example.org"),
        ("CNAME", "a..example.org"),
        ("MX", "mail.example.org"),
        ("MX", "10 mail.example.org extra"),
        ("MX", "ten mail.example.org"),
        ("MX", "65536 mail.example.org"),
        ("MX", "10 192.0.2.1 ; x"),
        ("SRV", "10 80 host.example.org"),
        ("SRV", "0 10 -1 host.example.org"),
        ("NAPTR", "100 10 u"),
        ("TXT", '"open'),
        ("SPF", "v=spf1 -all"),
        ("", "192.0.2.1"),
    ],
)
def test_what_is_no_data_of_its_type_is_refused(record_type, target):
    with pytest.raises(InvalidRecordData):
        rdata_of(record_type, target)


@pytest.mark.parametrize("text", ["www.example.org", "WWW.example.org.", "*.example.org", "_sip._tcp.example.org"])
def test_a_name_is_complete_with_or_without_its_final_dot(text):
    assert complete_name(text) == complete_name(text.lower().rstrip("."))
    assert complete_name(text).is_absolute()


@pytest.mark.parametrize(
    "text", ["", "@", ".", "a b.example.org", "a\n.example.org", "a..b", f"{LONG}.org", "x." * 200, "x" * 100_000]
)
def test_what_is_no_name_is_refused(text):
    with pytest.raises(InvalidName):
        complete_name(text)


@given(st.sampled_from([*RECORD_TYPES, "SPF", "\\# 1"]), st.text() | st.text(string.printable))
def test_whatever_is_written_only_our_error_comes_out(record_type, target):
    try:
        spelled = canonical_target(record_type, target)
    except InvalidRecordData:
        return
    assert canonical_target(record_type, spelled) == spelled


@given(st.text() | st.text(".\\@*-_0123456789aé。\ud800"))
def test_whatever_is_written_is_a_name_or_an_invalid_one(text):
    with contextlib.suppress(InvalidName):
        assert complete_name(text).is_absolute()
