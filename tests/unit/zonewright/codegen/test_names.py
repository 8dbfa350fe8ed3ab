"""Names in Python: words stay whole, and nothing that Python or pydantic needs is taken."""

import pytest

from zonewright.codegen.crd import rank
from zonewright.codegen.names import attributes, class_name, module_name, package_name, pascal, snake, unused


@pytest.mark.parametrize(
    ("wire", "attribute"),
    [
        ("name", "name"), ("observedGeneration", "observed_generation"), ("ipv4Address", "ipv4_address"),
        ("toFQDNs", "to_fqdns"), ("clusterIPs", "cluster_ips"), ("allowedCIDRsOnly", "allowed_cidrs_only"),
        ("proxyURL", "proxy_url"), ("HTTPServer", "http_server"), ("enableHTTP2", "enable_http2"),
        ("sha256Sum", "sha256_sum"), ("fpType", "fp_type"), ("podCIDR", "pod_cidr"), ("size-1Gi", "size_1_gi"),
        ("x-y.z/w", "x_y_z_w"), ("_private", "private"), ("5m", "field_5m"), ("$", "field"), ("", "field"),
        ("é", "field"),
    ],
)  # fmt: skip
def test_snake(wire, attribute):
    assert snake(wire) == attribute
    assert attribute.isidentifier()


def test_attributes_that_meet_are_told_apart_in_a_fixed_order():
    names = ["proxyUrl", "proxyURL", "proxy_url", "from"]
    found = attributes(names)
    assert found == {"proxyURL": "proxy_url", "proxyUrl": "proxy_url_2", "proxy_url": "proxy_url_3", "from": "from_"}
    assert attributes(reversed(names)) == found


@pytest.mark.parametrize("name", ["copy", "json", "schema", "class", "modelDump", "model_x", "str", "toDict", "dict"])
def test_reserved_attributes_get_an_underscore(name):
    assert attributes([name])[name].endswith("_")


def test_type_is_no_reserved_attribute():
    assert attributes(["type"]) == {"type": "type"}


@pytest.mark.parametrize(
    ("kind", "name"),
    [("ARecord", "ARecord"), ("postgresql", "Postgresql"), ("Field", "FieldModel"), ("Exception", "ExceptionModel")],
)
def test_class_names(kind, name):
    assert class_name(kind) == name


def test_modules_and_packages():
    assert module_name("DNSZone") == "dnszone"
    assert module_name("Import") == "import_"
    assert package_name("cert-manager.io", "v1") == "cert_manager_io_v1"
    assert package_name("3scale.net", "v1") == "group_3scale_net_v1"
    assert pascal("hugepages-1Gi") == "Hugepages1Gi"


def test_unused_counts_on():
    assert unused("Name", {"Name", "Name2"}) == "Name3"
    assert unused("name", {"name"}) == "name_2"


def test_versions_rank_as_the_api_server_ranks_them():
    versions = ["v1", "v10", "v2", "v1beta2", "v1beta1", "v11alpha1", "foo1"]
    assert sorted(versions, key=rank, reverse=True) == ["v10", "v2", "v1", "v1beta2", "v1beta1", "v11alpha1", "foo1"]
