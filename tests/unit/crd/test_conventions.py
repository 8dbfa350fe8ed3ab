"""What every CRD of ours has in common, so that people who know one know them all."""

from __future__ import annotations

import dns.rdatatype
import pytest

from tests.support.crds import Crd, Schema, load_crds, nodes, record_crds

ALL = pytest.mark.parametrize("crd", load_crds(), ids=lambda crd: crd.kind)
RECORDS = pytest.mark.parametrize("crd", record_crds(), ids=lambda crd: crd.kind)

# kubectl api-resources of v1.36: a custom short name that equals one of these never wins.
# fmt: off
CORE_SHORT_NAMES = frozenset({
    "cj", "cm", "cr", "crb", "crd", "crds", "cs", "csr", "deploy", "ds", "ep", "ev", "hpa", "ing", "ip",
    "limits", "netpol", "no", "ns", "pc", "pdb", "po", "pv", "pvc", "quota", "rb", "rc", "rs", "sa", "sc",
    "sts", "svc", "va", "vac",
})
# fmt: on
# Those that the API server checks; it answers any other with a warning.
KNOWN_FORMATS = frozenset({"int32", "int64", "date-time", "ipv4", "ipv6"})

COLUMNS = {
    "Bind9GlobalCluster": ["Version", "Primary", "Secondary", "Ready", "Reason", "Age"],
    "ClusterBind9Provider": ["Version", "Primary", "Secondary", "Ready", "Reason", "Age"],
    "Bind9Cluster": ["Version", "Primary", "Secondary", "Ready", "Reason", "Age"],
    "Bind9Instance": ["Cluster", "Role", "Replicas", "Zones", "Ready", "Reason", "Age"],
    "DNSZone": ["Zone", "Records", "Instances", "Serial", "Ready", "Reason", "Age"],
    "DNSEndpoint": ["Endpoints", "Accepted", "Ready", "Age"],
}


@ALL
def test_plain_kubectl_apply_can_store_it(crd: Crd) -> None:
    # kubectl keeps the whole manifest in an annotation, and all annotations together may have 256 KiB.
    assert crd.path.stat().st_size < 256 * 1024


@ALL
def test_file_is_named_after_the_plural(crd: Crd) -> None:
    names, group = crd.manifest["spec"]["names"], crd.manifest["spec"]["group"]
    assert crd.path.stem == names["plural"]
    assert crd.manifest["metadata"]["name"] == f"{names['plural']}.{group}"
    assert (names["singular"], names["listKind"]) == (crd.kind.lower(), f"{crd.kind}List")


@ALL
def test_status_is_a_subresource(crd: Crd) -> None:
    assert "status" in crd.version["subresources"]


@ALL
def test_every_field_is_documented(crd: Crd) -> None:
    silent = [path for path, node in nodes(crd.schema) if _is_named(path) and not node.get("description")]
    assert silent == []


def _is_named(path: str) -> bool:
    """Items of plain lists and values of maps are described by the field that holds them; metadata by Kubernetes."""
    return path != "metadata" and not path.endswith(("[]", "{}"))


@ALL
def test_formats_are_known_to_the_api_server(crd: Crd) -> None:
    assert {node["format"] for _, node in nodes(crd.schema) if "format" in node} <= KNOWN_FORMATS


@ALL
def test_printer_columns_are_those_of_the_api_reference(crd: Crd) -> None:
    shown = [column["name"] for column in crd.version["additionalPrinterColumns"] if not column.get("priority")]
    if crd.rdtype:
        assert shown[:2] == ["Name", "Zone"]
        assert shown[-4:] == ["TTL", "Ready", "Reason", "Age"]
    else:
        assert shown == COLUMNS[crd.kind]


@ALL
def test_conditions_are_a_map_by_type(crd: Crd) -> None:
    conditions = crd.schema["properties"]["status"]["properties"]["conditions"]
    assert conditions["x-kubernetes-list-type"] == "map"
    assert conditions["x-kubernetes-list-map-keys"] == ["type"]
    assert conditions["items"]["required"] == ["type", "status"]
    assert "observedGeneration" in conditions["items"]["properties"]


@ALL
def test_group_of_kubernetes_itself_carries_its_approval(crd: Crd) -> None:
    if crd.manifest["spec"]["group"].endswith(".k8s.io"):
        assert "api-approved.kubernetes.io" in crd.annotations


def test_short_names_collide_neither_with_core_ones_nor_with_each_other() -> None:
    taken = [name for crd in load_crds() for name in crd.manifest["spec"]["names"]["shortNames"]]
    assert len(taken) == len(set(taken))
    assert CORE_SHORT_NAMES.isdisjoint(taken)


def test_all_kinds_come_with_one_category() -> None:
    assert all("zonewright" in crd.manifest["spec"]["names"]["categories"] for crd in load_crds())


@RECORDS
def test_record_kind_names_its_dns_type(crd: Crd) -> None:
    rdtype = crd.rdtype
    assert rdtype is not None
    assert dns.rdatatype.to_text(dns.rdatatype.from_text(rdtype)) == rdtype
    assert crd.kind == f"{rdtype}Record"
    assert "dnsrecords" in crd.manifest["spec"]["names"]["categories"]


@RECORDS
def test_record_kinds_share_one_status(crd: Crd) -> None:
    first, *_ = record_crds()
    assert _status(crd) == _status(first), f"copy the status schema of {first.path.name}"


@RECORDS
def test_record_kinds_share_name_and_ttl(crd: Crd) -> None:
    fields = crd.schema["properties"]["spec"]["properties"]
    first = record_crds()[0].schema["properties"]["spec"]["properties"]
    assert _limits(fields["name"]) == _limits(first["name"])
    assert fields["ttl"] == first["ttl"]


def test_both_names_of_the_global_cluster_have_one_schema() -> None:
    one, other = (crd for crd in load_crds() if crd.kind in {"Bind9GlobalCluster", "ClusterBind9Provider"})
    assert one.schema["properties"] == other.schema["properties"]
    assert one.version["additionalPrinterColumns"] == other.version["additionalPrinterColumns"]


def _status(crd: Crd) -> Schema:
    return dict(crd.schema["properties"]["status"])


def _limits(field: Schema) -> Schema:
    """Leave the description out: each kind has an example of its own there."""
    return {key: value for key, value in field.items() if key != "description"}
