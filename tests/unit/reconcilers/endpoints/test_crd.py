"""What a DNSEndpoint asks for, and what is told about each entry that asks for nonsense."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.ddns.presentation import InvalidField
from reconcilers.endpoints import crd
from reconcilers.endpoints.endpoint import Endpoint, ObjectReference, Problem
from reconcilers.endpoints.rdata import rdatas, rrset_of
from reconcilers.reasons import Reason
from tests.support.endpoints import dnsendpoint, entry
from zonewright import Object


def problem(*entries):
    """What is told about the last entry."""
    found = crd.endpoints(dnsendpoint("shop", *entries))[-1].problem
    assert found is None or found.reason == Reason.ENDPOINT_INVALID
    return found and found.message


@pytest.mark.criterion(number="EP-R1")
def test_every_field_of_an_entry_is_carried_over():
    obj = dnsendpoint(
        "shop",
        entry(
            "Shop.example.org.",
            "A",
            "192.0.2.2",
            "192.0.2.1",
            recordTTL=300,
            setIdentifier="blue",
            labels={"team": "shop", "resource": "crd/somebody/else"},
            providerSpecific=[{"name": "aws/weight", "value": "10"}, {"name": "alias", "value": "false"}],
        ),
    )
    ref = ObjectReference(
        "DNSEndpoint", "externaldns.k8s.io/v1alpha1", "default", "shop", "DNSEndpoint-default-shop", "crd"
    )
    assert crd.endpoints(obj) == [
        Endpoint(
            "Shop.example.org.",
            "A",
            ("192.0.2.1", "192.0.2.2"),
            ttl=300,
            set_identifier="blue",
            labels=(("resource", "crd/default/shop"), ("team", "shop")),
            provider_specific=(("alias", "false"), ("aws/weight", "10")),
            refs=(ref,),
        )
    ]
    assert ref.resource == "crd/default/shop"


def test_an_entry_that_makes_no_sense_stops_no_other():
    obj = dnsendpoint("shop", entry(), entry("www.example.org", "A", "nonsense"), entry("api.example.org"))
    found = crd.endpoints(obj)
    assert [each.problem is None for each in found] == [True, False, True]
    assert [each.position for each in found] == [0, 1, 2]
    assert found[1].problem == Problem(
        Reason.ENDPOINT_INVALID, "spec.endpoints[1].targets[0]: 'nonsense' is not an IPv4 address"
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (entry(""), "spec.endpoints[0].dnsName: '' is not a valid DNS name: it is empty"),
        (
            entry("a b.example.org"),
            "spec.endpoints[0].dnsName: 'a b.example.org' is not a valid DNS name: it has a blank",
        ),
        (entry("x" * 300 + ".example.org"), "spec.endpoints[0].dnsName: "),
        (entry(recordType="SPF"), "spec.endpoints[0].recordType: 'SPF' is not a record type of endpoints: A, AAAA, "),
        (entry(recordType=None), "spec.endpoints[0].recordType: '' is not a record type of endpoints"),
        (entry(targets=[]), "spec.endpoints[0].targets: there are no targets"),
        (entry(targets=None), "spec.endpoints[0].targets: there are no targets"),
        (entry(targets=["192.0.2.1", "192.0.2"]), "spec.endpoints[0].targets[1]: '192.0.2' is not an IPv4 address"),
        (entry(targets=["192.0.2.1\n"]), "spec.endpoints[0].targets[0]: "),
        (entry(recordTTL=-1), "spec.endpoints[0].recordTTL: -1 is less than 0"),
        (entry(recordTTL=2**31), "spec.endpoints[0].recordTTL: TTL 2147483648 is not within 0..2147483647"),
        (
            entry("www.example.org", "CNAME", "a.example.org", "b.example.org"),
            "spec.endpoints[0].targets: a name has one",
        ),
        (entry("www.example.org", "TXT", "x" * 70_000), "spec.endpoints[0].targets: www.example.org. TXT would have 7"),
        (entry(targets="192.0.2.1"), "spec.endpoints[0].targets: Expected `array | null`, got `str`"),
        (entry(targets=["192.0.2.1", 7]), "spec.endpoints[0].targets[1]: Expected `str`, got `int`"),
        (entry(recordTTL="300"), "spec.endpoints[0].recordTTL: Expected `int | null`, got `str`"),
        (entry(dnsName={}), "spec.endpoints[0].dnsName: Expected `str | null`, got `object`"),
        (entry(labels=["a"]), "spec.endpoints[0].labels: Expected `object | null`, got `array`"),
        (entry(providerSpecific=[None]), "spec.endpoints[0].providerSpecific[0]: Expected `object`, got `null`"),
        (None, "spec.endpoints[0]: Expected `object`, got `null`"),
        ("www.example.org", "spec.endpoints[0]: Expected `object`, got `str`"),
    ],
)
def test_what_is_wrong_is_told_with_its_field(wrong, message):
    assert problem(wrong).startswith(message)


def test_an_entry_that_cannot_be_read_is_still_told_by_name_and_type():
    (found,) = crd.endpoints(dnsendpoint("shop", entry(recordTTL="300", setIdentifier="blue")))
    assert (found.dns_name, found.record_type, found.set_identifier) == ("www.example.org", "A", "blue")
    assert [ref.name for ref in found.refs] == ["shop"]


@pytest.mark.parametrize(
    "fine",
    [
        entry("www.example.org.", "CNAME", "lb.example.org."),
        entry("www.example.org", "cname", "lb.example.org", "LB.example.org."),
        entry("example.org", "MX", "10 mail.example.org", "0 ."),
        entry("_sip._tcp.example.org", "SRV", "0 10 80 host.example.org"),
        entry("1.2.0.192.in-addr.arpa", "PTR", "host.example.org"),
        entry("*.example.org", recordTTL=0),
        entry(recordTTL=None, labels=None, providerSpecific=None, setIdentifier=None),
        entry(recordTTL=2**31 - 1, unknownField={"of": "another version"}),
    ],
)
def test_what_external_dns_accepts_is_accepted(fine):
    assert problem(fine) is None


def test_equal_targets_are_one():
    obj = dnsendpoint("shop", entry("www.example.org", "AAAA", "2001:db8::1", "2001:DB8:0::1"))
    assert [each.targets for each in crd.endpoints(obj)] == [("2001:db8::1",)]


def test_an_object_without_endpoints_asks_for_nothing():
    assert crd.endpoints(dnsendpoint("shop")) == []
    assert crd.endpoints(dnsendpoint("shop", spec=None)) == []
    assert crd.endpoints(dnsendpoint("shop", spec={})) == []


def test_an_object_that_is_being_deleted_asks_for_nothing():
    assert crd.endpoints(dnsendpoint("shop", entry(), metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})) == []


@pytest.mark.parametrize("spec", [7, "x", ["x"], {"endpoints": 7}, {"endpoints": {"a": 1}}])
def test_a_spec_of_another_shape_is_told_of_the_whole_object(spec):
    (found,) = crd.endpoints(dnsendpoint("shop", spec=spec))
    assert found.problem is not None
    assert found.dns_name == ""
    assert [ref.name for ref in found.refs] == ["shop"]


def test_an_object_that_is_nested_too_deep_is_told_as_a_whole():
    deep = '{"a":' * 300 + "1" + "}" * 300
    obj = dnsendpoint("shop", entry(labels="DEEP"))
    raw = obj.raw.replace(b'"DEEP"', deep.encode())
    (found,) = crd.endpoints(Object(obj.kind, obj.key, obj.version, 1, raw))
    assert found.problem is not None


def test_data_names_the_target_that_is_none():
    with pytest.raises(InvalidField, match=r"spec\.endpoints\[3\]\.targets\[1\]: 'x' is not an IPv4 address"):
        rdatas(Endpoint("www.example.org", "A", ("192.0.2.1", "x"), position=3))


def test_an_endpoint_without_ttl_takes_the_zones():
    assert rrset_of(Endpoint("www.example.org", "A", ("192.0.2.1",)), 600).ttl == 600
    assert rrset_of(Endpoint("www.example.org", "A", ("192.0.2.1",), ttl=60), 600).ttl == 60


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
TEXT = st.text(max_size=20) | st.sampled_from(
    ["192.0.2.1", "2001:db8::1", "www.example.org", "10 mail.example.org", '"a" "b"']
)
ENTRY = st.fixed_dictionaries(
    {},
    optional={
        "dnsName": TEXT | JSON,
        "recordType": st.sampled_from(["A", "AAAA", "CNAME", "TXT", "SRV", "MX", "NAPTR", "PTR"]) | JSON,
        "targets": st.lists(TEXT, max_size=3) | JSON,
        "recordTTL": st.integers(-(2**63), 2**63 - 1) | JSON,
        "setIdentifier": TEXT | JSON,
        "labels": st.dictionaries(TEXT, TEXT, max_size=2) | JSON,
        "providerSpecific": st.lists(st.fixed_dictionaries({"name": TEXT, "value": TEXT}), max_size=2) | JSON,
    },
)


@given(st.lists(ENTRY | JSON, max_size=4))
def test_whatever_a_spec_holds_every_entry_has_data_or_a_problem(entries):
    obj = dnsendpoint("shop", *json.loads(json.dumps(entries)))
    found = crd.endpoints(obj)
    assert [each.position for each in found] in ([0], list(range(len(entries))))
    for each in found:
        assert [ref.name for ref in each.refs] == ["shop"]
        assert each.problem or rdatas(each)
        assert each.problem or rrset_of(each)
