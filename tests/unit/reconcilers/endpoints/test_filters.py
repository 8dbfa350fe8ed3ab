"""Which names and types are managed, by the options."""

import dns.name
import pytest

from reconcilers.endpoints.filters import DomainFilter, RecordTypes
from reconcilers.endpoints.targets import RECORD_TYPES


@pytest.mark.parametrize(
    ("flags", "matching", "others"),
    [
        ({}, ["example.org", "a.test", "."], []),
        ({"domain_filter": ["", " "]}, ["a.test"], []),
        (
            {"domain_filter": ["example.org"]},
            ["example.org", "a.example.org", "A.Example.ORG"],
            ["org", "myexample.org"],
        ),
        ({"domain_filter": ["Example.org."]}, ["a.example.org"], ["a.example.com"]),
        ({"domain_filter": [".example.org"]}, ["a.example.org", "a.b.example.org"], ["example.org", "a.myexample.org"]),
        ({"domain_filter": ["two.test"]}, ["x.two.test"], ["x.nottwo.test"]),
        ({"domain_filter": ["a.test", "b.test"]}, ["x.a.test", "b.test"], ["c.test"]),
        ({"domain_filter": ["büro.test"]}, ["x.xn--bro-hoa.test"], ["buro.test"]),
        ({"exclude_domains": ["int.example.org"]}, ["example.org", "a.test"], ["int.example.org", "a.int.example.org"]),
        ({"exclude_domains": [".int.example.org"]}, ["int.example.org"], ["a.int.example.org"]),
        (
            {"domain_filter": ["example.org", "a.int.example.org"], "exclude_domains": ["int.example.org"]},
            ["b.example.org"],
            ["a.int.example.org"],
        ),
        ({"regex_domain_filter": r"\.example\.org$"}, ["A.example.org."], ["example.org", "a.example.com"]),
        ({"regex_domain_filter": "example"}, ["myexample.org"], ["a.test"]),
        ({"regex_domain_exclusion": r"^int\."}, ["a.test"], ["int.test"]),
        (
            {"regex_domain_filter": r"\.org$", "regex_domain_exclusion": r"^int\."},
            ["a.example.org"],
            ["int.example.org", "a.test"],
        ),
        ({"regex_domain_filter": "test", "domain_filter": ["example.org"]}, ["a.test"], ["example.org"]),
        ({"regex_domain_exclusion": "x", "exclude_domains": ["a.test"]}, ["a.test"], ["x.test"]),
    ],
)
def test_names_are_managed_or_not(flags, matching, others):
    found = DomainFilter.of(**flags)
    assert [name for name in matching if not found.matches(dns.name.from_text(name))] == []
    assert [name for name in others if found.matches(dns.name.from_text(name))] == []


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"domain_filter": ["a..b"]}, "--domain-filter: 'a..b' is "),
        ({"exclude_domains": ["."]}, "--exclude-domains: '' is "),
        ({"regex_domain_filter": "("}, "--regex-domain-filter: '(' is not a regular expression: "),
        ({"regex_domain_exclusion": "a{99999999999}"}, "--regex-domain-exclusion: "),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused_by_name(flags, message):
    with pytest.raises(ValueError) as error:
        DomainFilter.of(**flags)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("flags", "managed"),
    [
        ({}, set(RECORD_TYPES)),
        ({"managed_record_types": ["A", "aaaa", " "]}, {"A", "AAAA"}),
        ({"exclude_record_types": ["TXT"]}, set(RECORD_TYPES) - {"TXT"}),
        ({"managed_record_types": ["A", "CNAME"], "exclude_record_types": ["A"]}, {"CNAME"}),
    ],
)
def test_types_are_managed_or_not(flags, managed):
    found = RecordTypes.of(**flags)
    assert {each for each in RECORD_TYPES if found.matches(each)} == managed


def test_a_type_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match=r"^--managed-record-types: SPF: write some of A, AAAA, "):
        RecordTypes.of(managed_record_types=["SPF", "A"])
