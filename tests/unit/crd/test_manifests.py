"""Every manifest that people meet is valid: the seeds', the samples, the examples in the schemas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT
from tests.support.crds import Crd, load_crds, load_manifests
from zonewright.api.builtin import kinds as builtin_kinds

SEEDS = ROOT / "tests" / "golden" / "seed-manifests"
SAMPLES = ROOT / "config" / "samples"
BY_TYPE = {(crd.api_version, crd.kind): crd for crd in load_crds()}
BUILTIN = {(kind.api_version, kind.kind): kind for kind in builtin_kinds.KINDS.values()}
MANIFESTS = [(path, found) for directory in (SEEDS, SAMPLES) for path, found in load_manifests(directory)]


def _crd(manifest: dict[str, Any]) -> Crd | None:
    return BY_TYPE.get((manifest["apiVersion"], manifest["kind"]))


def _without_metadata(manifest: dict[str, Any]) -> dict[str, Any]:
    """Leave out what Kubernetes itself checks: the CRDs say nothing about metadata."""
    return {key: value for key, value in manifest.items() if key != "metadata"}


@pytest.mark.parametrize(("path", "manifest"), MANIFESTS, ids=lambda value: getattr(value, "name", None))
def test_manifest_is_valid(path: Path, manifest: dict[str, Any]) -> None:
    crd = _crd(manifest)
    if crd is not None:
        assert crd.errors(_without_metadata(manifest)) == []
        return
    builtin = BUILTIN.get((manifest["apiVersion"], manifest["kind"]))
    assert builtin is not None, f"{path.name} has a {manifest['kind']}, which nothing here describes"
    assert builtin.model().model_validate(manifest).to_dict() == manifest, "what the kind does not have is dropped"


@pytest.mark.parametrize("crd", load_crds(), ids=lambda crd: crd.kind)
def test_example_in_the_schema_is_valid(crd: Crd) -> None:
    example = crd.schema["properties"]["spec"]["example"]
    assert crd.errors({"apiVersion": crd.api_version, "kind": crd.kind, "spec": example}) == []


@pytest.mark.parametrize("group", ["bindy.firestoned.io/v1beta1", "externaldns.k8s.io/v1alpha1"])
def test_samples_show_every_kind_that_users_of_upstream_know(group: str) -> None:
    golden = (ROOT / "tests" / "golden" / "upstream-fields.txt").read_text()
    known = {kind for version, kind in BY_TYPE if version == group and f"\n{kind} " in golden}
    shown = {manifest["kind"] for _, manifest in load_manifests(SAMPLES) if manifest["apiVersion"] == group}
    assert known - shown == set()


def test_samples_use_only_names_and_addresses_that_are_reserved_for_examples() -> None:
    text = "".join(path.read_text() for path in SAMPLES.rglob("*.yaml"))
    assert "example.com" not in text
    assert "10.0." not in text


def test_sample_records_are_all_selected_by_a_sample_zone() -> None:
    manifests = [manifest for _, manifest in load_manifests(SAMPLES)]
    zones = [manifest["spec"] for manifest in manifests if manifest["kind"] == "DNSZone"]
    selected = {source["selector"]["matchLabels"]["zone"] for zone in zones for source in zone["recordsFrom"]}
    for manifest in manifests:
        if manifest["kind"].endswith("Record"):
            assert manifest["metadata"]["labels"]["zone"] in selected, manifest["metadata"]["name"]


REFUSED = {
    "an address that is none": ("ARecord", {"name": "www", "ipv4Address": "192.0.2.256"}, "ipv4Address"),
    "an address with leading zeros": ("ARecord", {"name": "www", "ipv4Address": "192.0.2.010"}, "ipv4Address"),
    "an empty list of addresses": ("AAAARecord", {"name": "www", "ipv6Addresses": []}, "ipv6Addresses"),
    "an empty label": ("ARecord", {"name": "a..b", "ipv4Address": "192.0.2.1"}, "name"),
    "a label of 64 characters": ("ARecord", {"name": "a" * 64, "ipv4Address": "192.0.2.1"}, "name"),
    "a space in a name": ("CNAMERecord", {"name": "a b", "target": "www"}, "name"),
    "a target that is the zone itself": ("CNAMERecord", {"name": "www", "target": "@"}, "target"),
    "a negative TTL": ("TXTRecord", {"name": "@", "text": ["x"], "ttl": -1}, "ttl"),
    "a TTL as text": ("TXTRecord", {"name": "@", "text": ["x"], "ttl": "300"}, "ttl"),
    "no text at all": ("TXTRecord", {"name": "@", "text": []}, "text"),
    "a priority of 17 bits": ("MXRecord", {"name": "@", "priority": 65536, "mailServer": "mail"}, "priority"),
    "a tag with a hyphen": ("CAARecord", {"name": "@", "flags": 0, "tag": "is-sue", "value": ";"}, "tag"),
    "a misspelt field": ("PTRRecord", {"name": "1", "target": "www", "tll": 1}, "tll"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    kind, spec, field = REFUSED[case]
    (crd,) = (crd for crd in load_crds() if crd.kind == kind)
    errors = crd.errors({"apiVersion": crd.api_version, "kind": kind, "spec": spec})
    assert errors
    assert all(field in error for error in errors)


ACCEPTED = {
    "the zone itself": "@",
    "a wildcard": "*.dev",
    "a service": "_sip._tcp",
    "a name with its final dot": "www.example.org.",
    "a delegation of RFC 2317": "0/25",
    "an internationalised name": "bücher",
    "an escaped dot": r"first\.last",
    "a label of 63 characters": "a" * 63,
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_names_that_are_allowed(case: str) -> None:
    (crd,) = (crd for crd in load_crds() if crd.kind == "TXTRecord")
    spec = {"name": ACCEPTED[case], "text": ["x"]}
    assert crd.errors({"apiVersion": crd.api_version, "kind": "TXTRecord", "spec": spec}) == []
