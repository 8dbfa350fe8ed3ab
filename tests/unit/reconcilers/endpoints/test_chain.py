"""What the steps between the sources and the plan make of endpoints."""

import itertools

import pytest

from reconcilers.endpoints import crd
from reconcilers.endpoints.chain import dedup
from reconcilers.endpoints.endpoint import Endpoint, ObjectReference
from reconcilers.reasons import Reason
from tests.support.endpoints import dnsendpoint, entry


def of(*objects):
    return [endpoint for obj in objects for endpoint in crd.endpoints(obj)]


def lines(endpoints):
    """Each endpoint as a line: name, type, targets, whose."""
    return [
        f"{each.dns_name} {each.record_type} {','.join(each.targets)} <- {' '.join(ref.name for ref in each.refs)}"
        for each in endpoints
    ]


def test_endpoints_that_mean_the_same_become_one_that_both_objects_ask_for():
    a = dnsendpoint("a", entry("www.example.org", "A", "192.0.2.1", "192.0.2.2"))
    b = dnsendpoint("b", entry("WWW.example.org.", "A", "192.0.2.2", "192.0.2.1"))
    assert lines(dedup(of(b, a))) == ["www.example.org A 192.0.2.1,192.0.2.2 <- a b"]


@pytest.mark.parametrize(
    "other",
    [
        entry("www2.example.org", "A", "192.0.2.1"),
        entry("www.example.org", "A", "192.0.2.2"),
        entry("www.example.org", "TXT", "192.0.2.1"),
        entry("www.example.org", "A", "192.0.2.1", setIdentifier="blue"),
    ],
)
def test_endpoints_that_mean_something_else_stay_apart(other):
    assert len(dedup(of(dnsendpoint("a", entry()), dnsendpoint("b", other)))) == 2


def test_an_object_that_says_it_twice_asks_for_it_once():
    (found,) = dedup(of(dnsendpoint("a", entry(), entry())))
    assert [ref.name for ref in found.refs] == ["a"]
    assert found.position == 0


def test_the_first_object_by_name_says_the_ttl():
    a, b = dnsendpoint("a", entry(recordTTL=60)), dnsendpoint("b", entry(recordTTL=30))
    assert [each.ttl for each in dedup(of(b, a))] == [60]


def test_an_endpoint_that_no_source_has_checked_is_checked():
    (found,) = dedup([Endpoint("www.example.org", "A", ("lb.example.org",))])
    assert found.problem is not None
    assert found.problem.reason == Reason.ENDPOINT_INVALID


def test_refused_endpoints_stay_each_with_its_object():
    a, b = dnsendpoint("a", entry("", "A", "x")), dnsendpoint("b", entry("", "A", "x"))
    assert lines(dedup(of(a, b))) == [" A x <- a", " A x <- b"]


def test_the_order_of_objects_does_not_change_the_result():
    objects = [
        dnsendpoint("a", entry(recordTTL=60), entry("api.example.org")),
        dnsendpoint("b", entry(recordTTL=30), entry("", "A", "x")),
        dnsendpoint("c", entry("WWW.example.org"), entry("api.example.org", "A", "192.0.2.9")),
        dnsendpoint("a", entry(), namespace="other"),
    ]
    results = {tuple(dedup(of(*order))) for order in itertools.permutations(objects)}
    assert len(results) == 1


def test_a_reference_is_added_once():
    ref = ObjectReference("Service", "v1", "default", "web", "uid", "service")
    endpoint = Endpoint("www.example.org", "A", ()).with_ref_object(ref)
    assert endpoint.ref_object == ref
    assert endpoint.with_ref_object(ref) == endpoint
    assert Endpoint("www.example.org", "A", ()).ref_object is None


def test_the_first_problem_stays():
    endpoint = Endpoint("www.example.org", "A", ()).refused(Reason.ENDPOINT_INVALID, "first")
    assert endpoint.refused(Reason.ENDPOINT_FILTERED, "second") is endpoint
