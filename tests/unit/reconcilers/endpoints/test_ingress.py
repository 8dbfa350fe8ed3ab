"""Which records an Ingress asks for, by its rules, annotations and status."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.endpoints import ingress
from reconcilers.endpoints.annotations import ALPHA_PREFIX, PREFIX
from reconcilers.reasons import Reason
from tests.support.endpoints import ingress as ingress_object

SPEC = {
    "rules": [{"host": "www.example.org"}, {"host": ""}, {}],
    "tls": [{"hosts": ["www.example.org", "tls.example.org"]}, {}],
}


def shop(spec, *lb, **annotations):
    """The endpoints of an Ingress `shop`."""
    named = {PREFIX + name.replace("_", "-"): value for name, value in annotations.items()}
    return ingress.endpoints(ingress_object("shop", spec, named, status={"loadBalancer": {"ingress": list(lb)}}))


def lines(endpoints):
    return [f"{each.dns_name} {each.record_type} {','.join(each.targets)}" for each in endpoints]


@pytest.mark.parametrize(
    ("annotations", "names"),
    [
        ({}, ["www.example.org", "tls.example.org"]),
        ({"hostname": "a.example.org, www.example.org"}, ["a.example.org", "tls.example.org", "www.example.org"]),
        (
            {"hostname": "a.example.org", "ingress_hostname_source": "defined-hosts-only"},
            ["www.example.org", "tls.example.org"],
        ),
        ({"hostname": "a.example.org", "ingress_hostname_source": "Annotation-Only"}, ["a.example.org"]),
        ({"ingress_hostname_source": "annotation-only"}, []),
        ({"controller": "none"}, []),
    ],
)
def test_host_names_come_from_rules_tls_and_the_annotation(annotations, names):
    found = shop(SPEC, {"ip": "192.0.2.1"}, **annotations)
    assert sorted(lines(found)) == sorted(f"{name} A 192.0.2.1" for name in names)


def test_a_hostname_source_that_there_is_not_is_told():
    (found,) = shop(SPEC, {"ip": "192.0.2.1"}, ingress_hostname_source="both")
    assert found.problem is not None
    assert found.problem.message.startswith(f"annotation {PREFIX}ingress-hostname-source: 'both' is not ")


@pytest.mark.parametrize(
    ("lb", "annotations", "expected"),
    [
        ([], {}, []),
        ([{"hostname": "lb.example.net"}], {}, ["CNAME lb.example.net"]),
        ([{"ip": "192.0.2.1", "hostname": "lb.example.net"}], {}, ["A 192.0.2.1", "CNAME lb.example.net"]),
        ([{"ip": "192.0.2.1"}], {"target": "2001:db8::1"}, ["AAAA 2001:db8::1"]),
        ([], {"target": "lb.example.net"}, ["CNAME lb.example.net"]),
    ],
)
def test_targets_come_from_the_annotation_or_else_from_status(lb, annotations, expected):
    found = shop({"rules": [{"host": "www.example.org"}]}, *lb, **annotations)
    assert lines(found) == [f"www.example.org {line}" for line in expected]


def test_two_host_names_of_a_load_balancer_are_one_too_many():
    (found,) = shop(
        {"rules": [{"host": "www.example.org"}]}, {"hostname": "a.example.net"}, {"hostname": "b.example.net"}
    )
    assert found.problem is not None
    assert found.problem.message == "status.loadBalancer.ingress: a name has one CNAME, not 2"


def test_every_annotation_and_the_object_are_carried_over():
    (found,) = shop({"rules": [{"host": "www.example.org"}]}, {"ip": "192.0.2.1"}, ttl="60", set_identifier="blue")
    assert (found.ttl, found.set_identifier) == (60, "blue")
    assert found.labels == (("resource", "ingress/default/shop"),)
    assert [(ref.kind, ref.api_version, ref.source) for ref in found.refs] == [
        ("Ingress", "networking.k8s.io/v1", "ingress")
    ]


def test_a_host_that_is_no_name_is_told_with_its_field():
    (found,) = shop({"rules": [{"host": "a b.example.org"}]}, {"ip": "192.0.2.1"})
    assert found.problem is not None
    assert found.problem.reason == Reason.ENDPOINT_INVALID
    assert found.problem.message.startswith("spec.rules[0].host: ")


@pytest.mark.parametrize("spec", [7, {"rules": 7}, {"rules": [7]}])
def test_an_ingress_of_another_shape_is_told_as_a_whole(spec):
    (found,) = shop(spec)
    assert found.problem is not None


def test_an_ingress_without_spec_asks_for_nothing():
    assert shop(None, {"ip": "192.0.2.1"}) == []


WORDS = st.text(max_size=12) | st.sampled_from(["192.0.2.1", "www.example.org", "annotation-only"])
NAMES = ["hostname", "target", "ttl", "controller", "ingress-hostname-source"]


@given(
    st.lists(st.dictionaries(st.just("host"), WORDS), max_size=3),
    st.dictionaries(
        st.sampled_from([*(PREFIX + name for name in NAMES), *(ALPHA_PREFIX + name for name in NAMES)]), WORDS
    ),
    st.lists(st.dictionaries(st.sampled_from(["ip", "hostname"]), WORDS), max_size=3),
)
def test_whatever_an_ingress_holds_every_host_name_has_data_or_a_problem(rules, annotations, lb):
    obj = ingress_object("shop", {"rules": rules}, annotations, status={"loadBalancer": {"ingress": lb}})
    for each in ingress.endpoints(obj):
        assert each.problem or each.targets
        assert [ref.name for ref in each.refs] == ["shop"]
