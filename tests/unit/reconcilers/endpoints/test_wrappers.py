"""The steps of the chain one by one: what each adds, changes, refuses and keeps."""

from dataclasses import replace
from ipaddress import IPv6Network, ip_network

import pytest

from reconcilers.endpoints.endpoint import Endpoint, ObjectReference, Problem
from reconcilers.endpoints.wrappers import filter_targets, nat64, post_process, with_ptr
from reconcilers.reasons import Reason

REF = ObjectReference("Service", "v1", "default", "web", "uid", "service")
OTHER = ObjectReference("DNSEndpoint", "externaldns.k8s.io/v1alpha1", "default", "shop", "uid", "crd")
A = Endpoint(
    "www.example.org", "A", ("192.0.2.1", "192.0.2.2"), ttl=300, labels=(("resource", REF.resource),), refs=(REF,)
)
AAAA = Endpoint(
    "www.example.org", "AAAA", ("2001:db8::1", "64:ff9b::c000:201"), ttl=300, set_identifier="x", refs=(REF,)
)
CNAME = Endpoint("alias.example.org", "CNAME", ("www.example.org",), refs=(REF,))
TXT = Endpoint("www.example.org", "TXT", ('"192.0.2.1"',), refs=(REF,))
REFUSED = Endpoint("", "A", ("x",), refs=(REF,), problem=Problem(Reason.ENDPOINT_INVALID, "no name"))
ALL = [A, AAAA, CNAME, TXT, REFUSED]
NAT64 = [IPv6Network("64:ff9b::/96")]
NETS = (ip_network("192.0.2.0/31"), ip_network("2001:db8::/32"))

STEPS = [
    lambda endpoints: nat64(endpoints, NAT64),
    lambda endpoints: filter_targets(endpoints, NETS, ()),
    lambda endpoints: filter_targets(endpoints, (), NETS),
    lambda endpoints: with_ptr(endpoints, default=True),
    lambda endpoints: post_process(endpoints, min_ttl=60, provider="rfc2136"),
]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.criterion(number="EP-R2")
def test_every_step_keeps_references_and_refused_endpoints(step):
    found = step(ALL)
    assert all(each.refs == (REF,) for each in found)
    assert [each.problem.message for each in found if each.dns_name == "" and each.problem] == ["no name"]
    assert len(found) >= len(ALL)


@pytest.mark.parametrize("step", STEPS)
def test_every_step_takes_what_it_gives(step):
    assert step([]) == []
    assert all(isinstance(each, Endpoint) for each in step(step(ALL)))


def test_nat64_adds_the_ipv4_address_that_an_ipv6_address_stands_for():
    assert nat64([AAAA], NAT64) == [AAAA, replace(AAAA, record_type="A", targets=("192.0.2.1",))]
    assert nat64([AAAA], []) == [AAAA]
    assert nat64([A, CNAME], NAT64) == [A, CNAME]


@pytest.mark.parametrize(
    ("endpoint", "include", "exclude", "kept"),
    [
        (A, (), (), A.targets),
        (A, NETS, (), ("192.0.2.1",)),
        (A, (), NETS, ("192.0.2.2",)),
        (A, NETS, NETS, ()),
        (A, NETS[1:], (), ()),
        (AAAA, NETS, (), ("2001:db8::1",)),
        (CNAME, NETS, (), ()),
        (CNAME, (), NETS, CNAME.targets),
        (TXT, NETS, (), ()),
    ],
)
def test_networks_choose_targets(endpoint, include, exclude, kept):
    (found,) = filter_targets([endpoint], include, exclude)
    if kept:
        assert (found.targets, found.problem) == (kept, None)
        assert bool(found.warnings) == (kept != endpoint.targets)
    else:
        assert found.problem is not None
        assert found.problem.reason == Reason.ENDPOINT_FILTERED


def test_a_message_names_only_a_few_of_many_targets():
    many = replace(A, targets=tuple(f"192.0.2.{n}" for n in range(100, 200)))
    (found,) = filter_targets([many], NETS, ())
    assert found.problem is not None
    assert found.problem.message.endswith("exclude '192.0.2.100', '192.0.2.101', '192.0.2.102' and 97 more")


def pointers(endpoints, *, default=True):
    return [
        f"{each.dns_name} {each.ttl} {','.join(each.targets)} <- {' '.join(ref.name for ref in each.refs)}"
        for each in with_ptr(endpoints, default=default)
        if each.record_type == "PTR"
    ]


def test_each_address_gets_a_pointer_to_all_its_names():
    other = replace(A, dns_name="Api.example.org.", targets=("192.0.2.2",), ttl=60, refs=(OTHER,))
    assert pointers([A, other]) == [
        "1.2.0.192.in-addr.arpa 300 www.example.org <- web",
        "2.2.0.192.in-addr.arpa 60 api.example.org,www.example.org <- web shop",
    ]


def test_a_ttl_that_nobody_asked_for_is_not_the_least():
    other = replace(A, dns_name="api.example.org", targets=("192.0.2.2",), ttl=0, refs=(OTHER,))
    assert pointers([A, other])[1].split()[1] == "300"


@pytest.mark.parametrize(
    ("default", "asked", "expected"),
    [(False, None, 0), (True, None, 2), (False, "ptr", 2), (False, "PTR", 2), (True, "a", 0)],
)
def test_an_object_can_ask_for_pointers_or_against_them(default, asked, expected):
    settings = (("alias", "true"), ("record-type", asked)) if asked else ()
    found = with_ptr([replace(A, provider_specific=settings)], default=default)
    assert len([each for each in found if each.record_type == "PTR"]) == expected
    assert found[0].provider_specific == settings[:1]


def test_wildcards_and_other_types_get_no_pointers():
    assert pointers([replace(A, dns_name="*.example.org"), CNAME, TXT, REFUSED]) == []


def test_a_pointer_belongs_to_the_first_object():
    pointer = with_ptr([A], default=True)[1]
    assert pointer.resource == "service/default/web"


def test_an_endpoint_without_ttl_gets_the_default_and_one_with_a_ttl_keeps_it():
    found = post_process([A, CNAME, replace(A, ttl=1)], min_ttl=60, provider="rfc2136")
    assert [each.ttl for each in found] == [300, 60, 1]


def test_settings_of_other_providers_are_left_out_and_the_rest_is_sorted():
    settings = (
        ("rfc2136/x", "1"),
        ("aws/weight", "10"),
        ("alias", "true"),
        ("external-dns.kubernetes.io/cloudflare-x", ""),
    )
    (found,) = post_process([replace(A, provider_specific=settings)], min_ttl=0, provider="rfc2136")
    assert found.provider_specific == (("alias", "true"), ("rfc2136/x", "1"))


def test_a_pointer_with_very_many_names_is_refused_in_good_time():
    many = [replace(A, dns_name=f"n{n}.example.org", refs=(replace(REF, name=f"web{n}"),)) for n in range(3_000)]
    pointer = with_ptr(many, default=True)[-1]
    assert len(pointer.refs) == 3_000
    assert pointer.problem is not None
    assert "bytes fit one DNS message" in pointer.problem.message
