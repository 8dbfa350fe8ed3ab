"""external-dns' TXT registry: the names of its entries and what they say."""

import dns.rdatatype as rt
import pytest

from reconcilers.ddns.errors import InvalidName
from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.rrset import RRsetKey
from reconcilers.endpoints.registry import (
    Entry,
    NoRegistry,
    TxtRegistry,
    check_affixes,
    parse_entry,
    texts_in,
    txt_rrset,
)

ORIGIN = parse_zone("example.org")


def key(name: str, rdtype: rt.RdataType = rt.A) -> RRsetKey:
    return RRsetKey(parse_zone(name), rdtype)


@pytest.mark.parametrize(
    ("registry", "of", "name"),
    [
        (TxtRegistry(), key("www.example.org"), "a-www.example.org"),
        (TxtRegistry(), key("www.example.org", rt.CNAME), "cname-www.example.org"),
        (TxtRegistry(), key("a.b.example.org", rt.AAAA), "aaaa-a.b.example.org"),
        (TxtRegistry(prefix="edns-"), key("www.example.org"), "edns-a-www.example.org"),
        (TxtRegistry(prefix="edns."), key("www.example.org"), "edns.a-www.example.org"),
        (TxtRegistry(prefix="%{record_type}-edns."), key("www.example.org", rt.MX), "mx-edns.www.example.org"),
        (TxtRegistry(prefix="EDNS-"), key("www.example.org"), "edns-a-www.example.org"),
        (TxtRegistry(suffix="-edns"), key("www.example.org"), "a-www-edns.example.org"),
        (TxtRegistry(suffix=".edns"), key("www.example.org"), "a-www.edns.example.org"),
        (TxtRegistry(suffix="-%{record_type}"), key("www.example.org"), "www-a.example.org"),
        (TxtRegistry(), key("*.example.org"), "a-*.example.org"),
        (TxtRegistry(wildcard="any"), key("*.example.org"), "a-any.example.org"),
        (TxtRegistry(), key("example.org"), "a-.example.org"),
        (TxtRegistry(prefix="edns-%{record_type}."), key("example.org"), "edns-a.example.org"),
        (TxtRegistry(prefix="edns."), key("example.org"), "edns.a-.example.org"),
        (TxtRegistry(suffix="-edns"), key("example.org"), "a--edns.example.org"),
    ],
)
def test_the_name_of_an_entry_is_the_one_of_external_dns(registry: TxtRegistry, of: RRsetKey, name: str):
    found = registry.name_of(of, ORIGIN)
    assert found == parse_zone(name)
    assert found.is_subdomain(ORIGIN), "an UPDATE of the zone can write it"


@pytest.mark.parametrize(
    ("registry", "of", "former"),
    [
        (TxtRegistry(), key("www.example.org"), ["www.example.org"]),
        (TxtRegistry(prefix="edns-"), key("www.example.org", rt.CNAME), ["edns-www.example.org"]),
        (TxtRegistry(prefix="%{record_type}-x."), key("www.example.org"), ["-x.www.example.org"]),
        (TxtRegistry(), key("www.example.org", rt.AAAA), []),
        (TxtRegistry(), key("www.example.org", rt.TXT), []),
    ],
)
def test_entries_of_earlier_versions_are_looked_for_too(registry: TxtRegistry, of: RRsetKey, former: list[str]):
    names = list(registry.entries_of(of, ORIGIN))
    assert names[0] == registry.name_of(of, ORIGIN)
    assert names[1:] == [parse_zone(name) for name in former]


def test_a_name_that_an_affix_makes_too_long_is_refused():
    with pytest.raises(InvalidName, match="registry"):
        TxtRegistry(prefix="x" * 40).name_of(key(f"{'y' * 40}.example.org"), ORIGIN)


@pytest.mark.parametrize(
    ("prefix", "suffix", "wildcard"), [("a", "b", ""), ("x" * 64, "", ""), ("..", "", ""), ("", "", "a..b")]
)
def test_affixes_that_can_make_no_name_are_refused(prefix: str, suffix: str, wildcard: str):
    with pytest.raises(InvalidName):
        check_affixes(prefix, suffix, wildcard)


@pytest.mark.parametrize("prefix", ["", "edns-", "edns.", "%{record_type}-x.", "_x."])
def test_affixes_that_people_use_are_taken(prefix: str):
    check_affixes(prefix, "", "any")


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (
            "heritage=external-dns,external-dns/owner=default,external-dns/resource=crd/shop/www",
            Entry("default", "crd/shop/www"),
        ),
        (
            '"heritage=external-dns,external-dns/owner=me,external-dns/resource=ingress/a/b"',
            Entry("me", "ingress/a/b"),
        ),
        ("external-dns/owner=me,heritage=external-dns", Entry("me", "")),
        ("heritage=external-dns", Entry("", "")),
        ("heritage=somebody", None),
        ("v=spf1 -all", None),
        ("", None),
    ],
)
def test_what_an_entry_says(text: str, entry: Entry | None):
    assert parse_entry(text) == entry


def test_an_entry_is_written_with_its_keys_sorted():
    text = Entry("default", "crd/shop/www").text()
    assert text == "heritage=external-dns,external-dns/owner=default,external-dns/resource=crd/shop/www"
    assert parse_entry(text) == Entry("default", "crd/shop/www")


def test_an_rrset_tells_its_entries_whatever_stands_beside_them():
    text = Entry("default", "crd/shop/" + "w" * 300).text()  # longer than one character-string
    rrset = txt_rrset(parse_zone("a-www.example.org"), 300, [text, "v=spf1 -all"])
    assert [parse_entry(each) for each in texts_in(rrset)] == [Entry("default", "crd/shop/" + "w" * 300), None]


def test_bytes_that_are_no_text_are_nobodys_entry():
    rrset = txt_rrset(parse_zone("x.example.org"), 300, ["\udcff".encode("utf-8", "surrogateescape").decode("latin-1")])
    assert [parse_entry(each) for each in texts_in(rrset)] == [None]


def test_without_a_registry_nothing_is_written():
    assert NoRegistry().name_of(key("www.example.org"), ORIGIN) is None
    assert list(NoRegistry().entries_of(key("www.example.org"), ORIGIN)) == []
