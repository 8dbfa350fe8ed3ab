"""Which records a Service asks for, by its type, annotations and EndpointSlices."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.endpoints import service
from reconcilers.endpoints.annotations import ALPHA_PREFIX, PREFIX
from reconcilers.reasons import Reason
from tests.support.endpoints import endpoint_slice
from tests.support.endpoints import service as service_object
from zonewright import Request

LOAD_BALANCER = {"type": "LoadBalancer", "clusterIP": "192.0.2.100"}
HEADLESS = {"type": "ClusterIP", "clusterIP": "None"}


def status(*entries):
    return {"loadBalancer": {"ingress": list(entries)}}


def web(spec, *slices, lb=(), **annotations):
    """The endpoints of a Service `web` with these annotations."""
    named = {PREFIX + name.replace("_", "-"): value for name, value in annotations.items()}
    return service.endpoints(service_object("web", spec, named, status=status(*lb)), slices)


def lines(endpoints):
    return [f"{each.dns_name} {each.record_type} {','.join(each.targets)}" for each in endpoints]


def pod(address, hostname=None, *, ready=None, kind="Pod"):
    member = {"addresses": [address], "targetRef": {"kind": kind, "name": "pod", "namespace": "default"}}
    if hostname:
        member["hostname"] = hostname
    if ready is not None:
        member["conditions"] = {"ready": ready}
    return member


@pytest.mark.parametrize(
    ("spec", "lb", "annotations", "expected"),
    [
        (LOAD_BALANCER, [{"ip": "192.0.2.1"}], {"hostname": "www.example.org"}, ["www.example.org A 192.0.2.1"]),
        (
            LOAD_BALANCER,
            [{"ip": "192.0.2.2"}, {"ip": "2001:DB8::1"}, {"ip": "192.0.2.1"}],
            {"hostname": "www.example.org"},
            ["www.example.org A 192.0.2.1,192.0.2.2", "www.example.org AAAA 2001:db8::1"],
        ),
        (
            LOAD_BALANCER,
            [{"hostname": "lb.example.net."}],
            {"hostname": "www.example.org"},
            ["www.example.org CNAME lb.example.net"],
        ),
        (
            LOAD_BALANCER | {"externalIPs": ["192.0.2.9"]},
            [{"ip": "192.0.2.1"}],
            {"hostname": "www.example.org"},
            ["www.example.org A 192.0.2.9"],
        ),
        (LOAD_BALANCER, [], {"hostname": "www.example.org"}, []),
        (LOAD_BALANCER, [{"ip": "192.0.2.1"}], {}, []),
        (
            LOAD_BALANCER,
            [{"ip": "192.0.2.1"}],
            {"hostname": "a.example.org,b.example.org", "internal_hostname": "c.example.org"},
            ["a.example.org A 192.0.2.1", "b.example.org A 192.0.2.1", "c.example.org A 192.0.2.100"],
        ),
        (
            LOAD_BALANCER,
            [{"ip": "192.0.2.1"}],
            {"hostname": "www.example.org", "target": "192.0.2.7, lb.example.net."},
            ["www.example.org A 192.0.2.7", "www.example.org CNAME lb.example.net"],
        ),
        (
            {"clusterIP": "192.0.2.100"},
            [],
            {"internal_hostname": "www.example.org"},
            ["www.example.org A 192.0.2.100"],
        ),
        (
            {"type": "ExternalName", "externalName": "db.example.net"},
            [],
            {"hostname": "db.example.org"},
            ["db.example.org CNAME db.example.net"],
        ),
        (
            {"type": "ExternalName", "externalName": "192.0.2.5"},
            [],
            {"hostname": "db.example.org"},
            ["db.example.org A 192.0.2.5"],
        ),
        (
            {"type": "ExternalName", "externalName": "db.example.net", "externalIPs": ["192.0.2.6"]},
            [],
            {"hostname": "db.example.org"},
            ["db.example.org A 192.0.2.6"],
        ),
        ({"type": "NodePort"}, [], {"hostname": "n.example.org", "target": "192.0.2.3"}, ["n.example.org A 192.0.2.3"]),
        ({"type": "Later"}, [], {"hostname": "www.example.org"}, []),
        (None, [], {}, []),
    ],
)
def test_a_service_asks_for_its_addresses(spec, lb, annotations, expected):
    assert lines(web(spec, lb=lb, **annotations)) == expected


@pytest.mark.parametrize(
    ("spec", "annotations", "why"),
    [
        (
            {"type": "NodePort"},
            {"hostname": "n.example.org"},
            "a NodePort Service has the addresses of nodes, which are",
        ),
        (
            {"clusterIP": "192.0.2.1"},
            {"hostname": "n.example.org"},
            "the address of a ClusterIP Service is published with",
        ),
        (
            HEADLESS,
            {"hostname": "n.example.org", "endpoints_type": "HostIP"},
            f"annotation {PREFIX}endpoints-type: asks",
        ),
    ],
)
def test_what_is_not_published_under_a_host_name_is_told(spec, annotations, why):
    (found,) = web(spec, **annotations)
    assert found.dns_name == "n.example.org"
    assert found.problem is not None
    assert (found.problem.reason, found.problem.message[: len(why)]) == (Reason.ENDPOINT_FILTERED, why)


def test_every_annotation_and_the_object_are_carried_over():
    (found,) = web(
        LOAD_BALANCER,
        lb=[{"ip": "192.0.2.1"}],
        hostname="www.example.org",
        ttl="1h30m",
        set_identifier="blue",
        aws_weight="10",
    )
    assert (found.ttl, found.set_identifier, found.provider_specific) == (5400, "blue", (("aws/weight", "10"),))
    assert found.labels == (("resource", "service/default/web"),)
    assert [(ref.kind, ref.api_version, ref.source, ref.uid) for ref in found.refs] == [
        ("Service", "v1", "service", "Service-default-web")
    ]


def test_a_ttl_that_makes_no_sense_stops_nothing_and_is_told():
    (found,) = web(LOAD_BALANCER, lb=[{"ip": "192.0.2.1"}], hostname="www.example.org", ttl="soon")
    assert (found.problem, found.ttl, len(found.warnings)) == (None, 0, 1)


def test_a_service_for_another_controller_asks_for_nothing():
    assert web(LOAD_BALANCER, lb=[{"ip": "192.0.2.1"}], hostname="www.example.org", controller="none") == []


def test_the_names_of_ready_pods_and_the_name_of_all():
    found = web(
        HEADLESS,
        endpoint_slice("web", "IPv4", pod("192.0.2.2", "web-1", ready=True), pod("192.0.2.1", "web-0")),
        endpoint_slice("web", "IPv6", pod("2001:db8::1", "web-0"), pod("2001:db8::9", "web-9", ready=False)),
        hostname="web.example.org",
    )
    assert lines(found) == [
        "web-0.web.example.org A 192.0.2.1",
        "web-0.web.example.org AAAA 2001:db8::1",
        "web-1.web.example.org A 192.0.2.2",
        "web.example.org A 192.0.2.1,192.0.2.2",
        "web.example.org AAAA 2001:db8::1",
    ]
    assert [each.pods for each in found] == [1, 1, 1, 2, 1]


@pytest.mark.parametrize(
    ("spec", "members", "expected"),
    [
        (HEADLESS, [pod("192.0.2.1", ready=False)], []),
        (
            HEADLESS | {"publishNotReadyAddresses": True},
            [pod("192.0.2.1", ready=False)],
            ["web.example.org A 192.0.2.1"],
        ),
        (HEADLESS, [pod("192.0.2.1", kind="Node")], []),
        (HEADLESS, [{"addresses": ["192.0.2.1"]}], []),
        (HEADLESS, [{"addresses": [], "targetRef": {"kind": "Pod"}}], []),
        (HEADLESS, [pod("192.0.2.1"), pod("192.0.2.1")], ["web.example.org A 192.0.2.1"]),
        (LOAD_BALANCER, [pod("192.0.2.1")], []),
    ],
)
def test_which_members_of_slices_count(spec, members, expected):
    assert lines(web(spec, endpoint_slice("web", "IPv4", *members), hostname="web.example.org")) == expected


def test_slices_of_other_services_and_of_host_names_do_not_count():
    slices = [endpoint_slice("other", "IPv4", pod("192.0.2.1")), endpoint_slice("web", "FQDN", pod("a.example.net"))]
    assert web(HEADLESS, *slices, hostname="web.example.org") == []
    assert service.service_of(slices[0]) == Request("default", "other")


def test_the_target_annotation_counts_instead_of_pods():
    found = web(HEADLESS, endpoint_slice("web", "IPv4", pod("192.0.2.1")), hostname="a.example.org", target="192.0.2.9")
    assert lines(found) == ["a.example.org A 192.0.2.9"]
    assert found[0].pods == 0


def test_the_order_of_slices_does_not_change_the_result():
    slices = [endpoint_slice("web", "IPv4", pod(f"192.0.2.{n}", f"web-{n}")) for n in (3, 1, 2)]
    results = {tuple(web(HEADLESS, *order, hostname="web.example.org")) for order in itertools.permutations(slices)}
    assert len(results) == 1


def test_five_hundred_host_names_and_one_that_is_none():
    names = [f"n{n}.example.org" for n in range(500)] + [f"{'x' * 300}.example.org", "*.example.org", "a..b"]
    found = web(LOAD_BALANCER, lb=[{"ip": "192.0.2.1"}], hostname=",".join(names))
    assert [each.position for each in found] == list(range(503))
    assert [each.dns_name for each in found if each.problem] == [names[500], names[502]]
    assert found[502].problem is not None
    assert found[502].problem.message.startswith(f"annotation {PREFIX}hostname: 'a..b' is no")


def test_targets_of_a_load_balancer_that_make_no_sense_are_told():
    (found,) = web(LOAD_BALANCER, lb=[{"hostname": "a\x00b"}], hostname="www.example.org")
    assert found.problem is not None
    assert found.problem.message.startswith("status.loadBalancer.ingress: ")


@pytest.mark.parametrize("spec", [7, [], {"type": 7}, {"type": "LoadBalancer", "externalIPs": "192.0.2.1"}])
def test_a_service_of_another_shape_is_told_as_a_whole(spec):
    (found,) = web(spec, hostname="www.example.org")
    assert found.problem is not None
    assert found.problem.reason == Reason.ENDPOINT_INVALID
    assert [ref.name for ref in found.refs] == ["web"]


def test_a_slice_of_another_shape_is_told_of_its_service():
    (found,) = web(HEADLESS, endpoint_slice("web", "IPv4", endpoints=7), hostname="www.example.org")
    assert found.problem is not None


WORDS = st.text(max_size=12) | st.sampled_from(
    ["192.0.2.1", "2001:db8::1", "www.example.org", "None", "LoadBalancer", "1,2"]
)
SPEC = st.dictionaries(
    st.sampled_from(["type", "clusterIP", "externalName", "externalIPs", "publishNotReadyAddresses"]),
    WORDS | st.lists(WORDS, max_size=2) | st.booleans() | st.sampled_from(["ClusterIP", "ExternalName", "NodePort"]),
)
ANNOTATIONS = st.dictionaries(
    st.sampled_from(
        [
            prefix + name
            for prefix in (PREFIX, ALPHA_PREFIX)
            for name in (
                "hostname",
                "internal-hostname",
                "target",
                "ttl",
                "controller",
                "endpoints-type",
                "set-identifier",
            )
        ]
    ),
    WORDS,
)


@given(SPEC, ANNOTATIONS, st.lists(st.dictionaries(st.sampled_from(["ip", "hostname"]), WORDS), max_size=3), WORDS)
def test_whatever_a_service_holds_every_host_name_has_data_or_a_problem(spec, annotations, lb, address):
    obj = service_object("web", spec, annotations, status=status(*lb))
    for each in service.endpoints(obj, [endpoint_slice("web", "IPv4", pod(address, address))]):
        assert each.problem or each.targets
        assert [ref.name for ref in each.refs] == ["web"]
