"""Names as people write them, and as DNS compares them."""

import copy
import pickle

import dns.name
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.ddns import InvalidName, canonical, parse_mailbox, parse_name, parse_target, parse_zone
from reconcilers.ddns.names import CanonicalName, name_wire

ZONE = parse_zone("example.org")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("www", "www.example.org."),
        ("WWW", "www.example.org."),
        ("@", "example.org."),
        ("", "example.org."),
        ("a.b", "a.b.example.org."),
        ("www.example.org.", "www.example.org."),
        ("www.example.org", "www.example.org."),
        ("Example.ORG", "example.org."),
        ("_sip._tcp", "_sip._tcp.example.org."),
        ("*", "*.example.org."),
        ("*.apps", "*.apps.example.org."),
        ("bücher", "xn--bcher-kva.example.org."),
        ("notexample.org", "notexample.org.example.org."),
    ],
)
def test_an_owner_name_means(written, meant):
    assert parse_name(written, ZONE).to_text() == meant


@pytest.mark.parametrize(
    "written", ["www.example.com.", "x.notexample.org.", "a..b", "a" * 64, ".".join(["x" * 60] * 5), "a\\"]
)
def test_an_owner_name_is_refused_with_its_text(written):
    with pytest.raises(InvalidName) as refused:
        parse_name(written, ZONE)
    assert refused.value.reason == "InvalidRecordData"
    assert not refused.value.ambiguous


def test_label_boundaries_count_not_suffixes():
    two = parse_zone("two.test")
    assert not parse_target("x.nottwo.test").is_subdomain(two)
    with pytest.raises(InvalidName, match="outside"):
        parse_name("x.nottwo.test.", two)


@pytest.mark.parametrize("zone", ["_acme.example.org", "0/25.2.0.192.in-addr.arpa", "EXAMPLE.org."])
def test_zones_may_have_underscores_slashes_and_a_final_dot(zone):
    assert parse_zone(zone).to_text() == zone.lower().rstrip(".") + "."


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("admin@example.org", "admin.example.org."),
        ("admin.example.org.", "admin.example.org."),
        ("admin.example.org", "admin.example.org."),
        ("first.last@example.org", "first\\.last.example.org."),
    ],
)
def test_a_mailbox_can_be_written_both_ways(written, meant):
    assert parse_mailbox(written).to_text() == meant


@pytest.mark.parametrize("written", ["@example.org", "admin@"])
def test_half_a_mail_address_is_refused(written):
    with pytest.raises(InvalidName):
        parse_mailbox(written)


def test_a_canonical_name_is_any_equal_name():
    ours, plain = parse_target("Mail.Example.org"), dns.name.from_text("mail.EXAMPLE.org.")
    assert ours == plain
    assert plain == ours
    assert not ours != plain  # noqa: SIM202 - the operator is what is tested
    assert hash(ours) == hash(plain)
    assert len({ours, plain}) == 1
    assert ours != parse_target("mail.example.com")
    assert ours != "mail.example.org."


def test_canonical_names_survive_copying_and_pickling():
    name = parse_target("mail.example.org")
    assert copy.copy(name) is name
    assert copy.deepcopy(name) is name
    assert pickle.loads(pickle.dumps(name)) == name


def test_a_relative_name_is_not_canonical():
    with pytest.raises(InvalidName, match="not absolute"):
        canonical(dns.name.from_text("www", None))


labels = st.lists(st.binary(min_size=1, max_size=20), min_size=1, max_size=6)


@given(labels)
def test_hash_equality_and_wire_are_those_of_dnspython(parts):
    name, plain = CanonicalName([*parts, b""]), dns.name.Name([*parts, b""])
    assert hash(name) == hash(plain)
    assert name == plain
    assert name_wire(name) == plain.canonicalize().to_wire()
    assert CanonicalName.trusted(name.labels) == name


def test_the_names_above_a_name_end_below_the_root():
    name = parse_zone("a.b.example.org")
    assert [str(each) for each in name.upwards()] == ["a.b.example.org.", "b.example.org.", "example.org.", "org."]
    assert list(parse_zone(".").upwards()) == []
