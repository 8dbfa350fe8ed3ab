"""What the steps between the sources and the plan make of endpoints."""

import itertools

import pytest

from reconcilers.endpoints import crd, ingress, service
from reconcilers.endpoints.annotations import PREFIX
from reconcilers.endpoints.chain import Chain, ChainOptions, dedup, multi
from reconcilers.endpoints.endpoint import Endpoint, ObjectReference
from reconcilers.reasons import Reason
from tests.support.endpoints import dnsendpoint, endpoint_slice, entry
from tests.support.endpoints import ingress as ingress_object
from tests.support.endpoints import service as service_object


def of(*objects):
    return [endpoint for obj in objects for endpoint in crd.endpoints(obj)]


def lines(endpoints):
    """Each endpoint as a line: name, type, targets, whose."""
    return [
        f"{each.dns_name} {each.record_type} {','.join(each.targets)} <- {' '.join(ref.name for ref in each.refs)}"
        for each in endpoints
    ]


@pytest.mark.criterion(number="EP-R2")
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
        dnsendpoint("b", entry(recordTTL=30), entry("", "A", "192.0.2.1")),
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


def web(name, *addresses, namespace="default", **annotations):
    """The endpoints of a Service for www.example.org."""
    status = {"loadBalancer": {"ingress": [{"ip": address} for address in addresses]}}
    named = {PREFIX + "hostname": "www.example.org", **{PREFIX + key: value for key, value in annotations.items()}}
    obj = service_object(name, {"type": "LoadBalancer"}, named, namespace=namespace, status=status)
    return service.endpoints(obj)


def pods(name, *addresses):
    """The endpoints of a headless Service for www.example.org."""
    members = [{"addresses": [address], "targetRef": {"kind": "Pod"}} for address in addresses]
    obj = service_object(name, {"clusterIP": "None"}, {PREFIX + "hostname": "www.example.org"})
    return service.endpoints(obj, [endpoint_slice(name, "IPv4", *members)])


def shop(name, *addresses):
    """The endpoints of an Ingress for www.example.org."""
    status = {"loadBalancer": {"ingress": [{"ip": address} for address in addresses]}}
    return ingress.endpoints(ingress_object(name, {"rules": [{"host": "www.example.org"}]}, status=status))


@pytest.mark.criterion(number="EP-R2")
def test_services_that_ask_for_one_name_share_it():
    (found,) = multi(web("b", "192.0.2.2"), web("a", "192.0.2.1", "192.0.2.2"))
    assert lines([found]) == ["www.example.org A 192.0.2.1,192.0.2.2 <- a b"]
    assert found.resource == "service/default/a"


def test_shared_pods_are_counted_together():
    (found,) = multi(pods("a", "192.0.2.1", "192.0.2.2"), pods("b", "192.0.2.3"), web("c", "192.0.2.9"))
    assert (len(found.targets), found.pods) == (4, 3)


def test_a_refused_endpoint_is_shared_with_none():
    (refused,) = web("b", "192.0.2.2", namespace="other")
    found = Chain()(web("a", "192.0.2.1"), [refused.refused(Reason.ENDPOINT_FILTERED, "not from this namespace")])
    assert lines(found) == ["www.example.org A 192.0.2.1 <- a", "www.example.org A 192.0.2.2 <- b"]


@pytest.mark.parametrize(
    "others",
    [
        web("b", "192.0.2.2", ttl="60"),
        web("b", "192.0.2.2", **{"set-identifier": "blue"}),
        web("b", "2001:db8::1"),
        web("b", target="lb.example.net"),
        shop("b", "192.0.2.2"),
        of(dnsendpoint("b", entry("www.example.org", "A", "192.0.2.2"))),
    ],
)
def test_what_differs_in_more_than_targets_is_not_shared(others):
    assert len(multi(web("a", "192.0.2.1"), others)) == 2


def test_dnsendpoints_share_nothing_and_neither_do_cnames():
    objects = [dnsendpoint(name, entry("www.example.org", "A", f"192.0.2.{name}")) for name in "12"]
    assert len(multi(of(*objects))) == 2
    assert len(multi(web("a", target="a.example.net"), web("b", target="b.example.net"))) == 2


def test_too_many_addresses_together_are_told_to_all_services():
    many = [f"192.{a}.{b}.1" for a in range(10) for b in range(250)]
    (found,) = dedup(multi(web("a", *many[:1300]), web("b", *many[1300:])))
    assert found.problem is not None
    assert found.problem.message.startswith("targets: www.example.org. A would have ")
    assert [ref.name for ref in found.refs] == ["a", "b"]


SOURCES = [
    of(
        dnsendpoint("a", entry("a.example.org", "A", "192.0.2.1", recordTTL=60), entry("", "A", "192.0.2.1")),
        dnsendpoint("b", entry("A.example.org", "A", "192.0.2.1", recordTTL=30), entry("t.example.org", "TXT", "x y")),
    ),
    web("web", "192.0.2.1", "2001:db8:64::c000:207"),
    web("web", "192.0.2.8", namespace="other", **{"record-type": "PTR", "aws-weight": "1"}),
    web("late", "192.0.2.1", ttl="soon"),
    shop("shop", "192.0.2.3"),
    pods("pods", "192.0.2.4", "198.51.100.1"),
]
OPTIONS = ChainOptions.of(
    nat64_networks=["2001:db8:64::/96"],
    target_net_filter=["192.0.2.0/24", "2001:db8::/32"],
    exclude_target_net=["192.0.2.3/32"],
    create_ptr=True,
    min_ttl=300,
)


@pytest.mark.criterion(number="EP-R2")
def test_the_whole_chain():
    told = "the operator's target filters exclude"
    found = [
        f"{each.dns_name} {each.ttl} {each.record_type} {','.join(each.targets)}"
        f" <- {' '.join(ref.resource for ref in each.refs)}{f' ! {each.problem.message}' if each.problem else ''}"
        for each in Chain(OPTIONS)(*SOURCES)
    ]
    services = "service/default/late service/default/pods service/default/web service/other/web"
    assert sorted(found) == sorted(
        [
            " 300 A 192.0.2.1 <- crd/default/a ! spec.endpoints[1].dnsName: '' is not a valid DNS name: it is empty",
            "a.example.org 60 A 192.0.2.1 <- crd/default/a crd/default/b",
            f't.example.org 300 TXT "x y" <- crd/default/b ! {told} \'"x y"\'',
            f"www.example.org 300 A 192.0.2.1,192.0.2.4,192.0.2.8 <- {services}",
            "www.example.org 300 AAAA 2001:db8:64::c000:207 <- service/default/web",
            "www.example.org 300 A 192.0.2.7 <- service/default/web",
            f"www.example.org 300 A 192.0.2.3 <- ingress/default/shop ! {told} '192.0.2.3'",
            f"1.2.0.192.in-addr.arpa 60 PTR a.example.org,www.example.org <- crd/default/a crd/default/b {services}",
            f"4.2.0.192.in-addr.arpa 300 PTR www.example.org <- {services}",
            f"8.2.0.192.in-addr.arpa 300 PTR www.example.org <- {services}",
            "7.2.0.192.in-addr.arpa 300 PTR www.example.org <- service/default/web",
            (
                "7.0.2.0.0.0.0.c.0.0.0.0.0.0.0.0.0.0.0.0.4.6.0.0.8.b.d.0.1.0.0.2.ip6.arpa 300 PTR www.example.org"
                " <- service/default/web"
            ),
        ]
    )


def test_targets_that_are_left_out_are_told_although_the_rest_is_published():
    (found,) = [each for each in Chain(OPTIONS)(*SOURCES) if any(ref.name == "pods" for ref in each.refs) and each.pods]
    assert found.pods == 2
    assert "the operator's target filters exclude '198.51.100.1'" in found.warnings
    assert len(found.warnings) == 2


def test_the_order_of_sources_and_objects_does_not_change_the_result_of_the_chain():
    results = {tuple(Chain(OPTIONS)(*order)) for order in itertools.permutations(SOURCES)}
    assert len(results) == 1


def test_without_options_the_chain_only_merges():
    found = Chain()(*SOURCES)
    assert [each.targets for each in found] == [each.targets for each in dedup(multi(*SOURCES))]
    assert {each.record_type for each in found} == {"A", "AAAA", "TXT"}


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"nat64_networks": ["64:ff9b::/64"]}, "--nat64-networks: 64:ff9b::/64 is not an IPv6 network of 96 bits"),
        ({"nat64_networks": ["192.0.2.0/24"]}, "--nat64-networks: 192.0.2.0/24 is not an IPv6 network of 96 bits"),
        ({"target_net_filter": ["nonsense"]}, "--target-net-filter: 'nonsense' is not a network: write 192.0.2.0/24"),
        ({"exclude_target_net": ["192.0.2.0/33"]}, "--exclude-target-net: '192.0.2.0/33' is not a network"),
        ({"min_ttl": -1}, "--min-ttl: -1 is not within 0..2147483647"),
    ],
)
def test_a_flag_that_makes_no_sense_is_refused_by_name(flags, message):
    with pytest.raises(ValueError) as error:
        ChainOptions.of(**flags)
    assert str(error.value).startswith(message)


def test_blank_networks_are_none():
    assert ChainOptions.of(target_net_filter=["", " "]) == ChainOptions()
