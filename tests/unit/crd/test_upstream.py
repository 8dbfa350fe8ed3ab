"""Drop-in means: what people wrote for bindy and external-dns applies unchanged.

tests/golden/upstream-fields.txt has every field they could use. Ours may allow more, and may refuse only what could
never have worked; each such refusal is listed here with its reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT
from tests.support.crds import Crd, Schema, load_crds, nodes

STRICTER = {
    "bindcarConfig.port": "a port has 16 bits",
    "signing.nsec3Iterations": "upstream's format uint32, said as a maximum",
    "matchExpressions[].operator": "any other operator selected nothing",
}
OURS_BY_NAME = {crd.kind: crd for crd in load_crds()}


@dataclass(frozen=True, slots=True)
class Field:
    """One line of the golden file."""

    kind: str
    path: str
    type: str
    flags: frozenset[str]
    limits: dict[str, str]

    def __str__(self) -> str:
        return f"{self.kind}.{self.path}"


def _parse(line: str) -> Field:
    kind, path, type_, *rest = line.split()
    limits = dict(word.split("=", 1) for word in rest if "=" in word)
    return Field(kind, path, type_, frozenset(word for word in rest if "=" not in word), limits)


def _fields(golden: Path = ROOT / "tests" / "golden" / "upstream-fields.txt") -> list[Field]:
    return [_parse(line) for line in golden.read_text().splitlines() if line and not line.startswith("#")]


EVERY = pytest.mark.parametrize("kind", sorted({field.kind for field in _fields()}))


def _pairs(kind: str) -> list[tuple[Field, Schema]]:
    """Put each upstream field beside ours; one that we lack fails by name."""
    ours = dict(nodes(OURS_BY_NAME[kind].schema))
    fields = [field for field in _fields() if field.kind == kind]
    assert [str(field) for field in fields if field.path not in ours] == []
    return [(field, ours[field.path]) for field in fields]


def _type(node: Schema) -> str:
    if node["type"] == "array":
        return f"[]{_type(node['items'])}"
    if "additionalProperties" in node:
        return f"map[string]{_type(node['additionalProperties'])}"
    return str(node["type"])


@EVERY
def test_every_field_is_there_with_its_type(kind: str) -> None:
    assert [str(field) for field, node in _pairs(kind) if _type(node) != field.type] == []


@EVERY
def test_what_may_be_null_still_may(kind: str) -> None:
    assert [str(f) for f, node in _pairs(kind) if "nullable" in f.flags and not node.get("nullable")] == []


@EVERY
def test_what_may_be_left_out_still_may(kind: str) -> None:
    required_upstream = {field.path for field, _ in _pairs(kind) if "required" in field.flags}
    ours = {_child(path, name) for path, node in nodes(OURS_BY_NAME[kind].schema) for name in node.get("required", [])}
    added = {path for path in ours - required_upstream if path in {field.path for field, _ in _pairs(kind)}}
    assert added == set()


def _child(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


@EVERY
def test_what_had_a_default_has_the_same(kind: str) -> None:
    differing = [
        str(field)
        for field, node in _pairs(kind)
        if "default" in field.limits and field.limits["default"] != _text(node.get("default"))
    ]
    assert differing == []


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@EVERY
def test_limits_are_no_tighter(kind: str) -> None:
    tighter = [str(f) for f, node in _pairs(kind) if _is_tighter(f, node) and not _is_explained(f.path)]
    assert tighter == []


def _is_tighter(field: Field, node: Schema) -> bool:
    upstream = field.limits
    if "enum" in node:
        return not set(upstream.get("enum", "").split(",")) <= set(node["enum"]) or "enum" not in upstream
    low, high = float(upstream.get("minimum", "-inf")), float(upstream.get("maximum", "inf"))
    return bool(node.get("minimum", float("-inf")) > low or node.get("maximum", float("inf")) < high)


def _is_explained(path: str) -> bool:
    # What only the operator writes cannot break anybody's manifest.
    return path.startswith("status.") or any(path.endswith(known) for known in STRICTER)


def test_every_reason_to_be_stricter_is_still_needed() -> None:
    tighter = [f.path for kind in {f.kind for f in _fields()} for f, node in _pairs(kind) if _is_tighter(f, node)]
    assert [known for known in STRICTER if not any(path.endswith(known) for path in tighter)] == []


@EVERY
def test_whole_core_types_are_kept_as_they_are(kind: str) -> None:
    for field, node in _pairs(kind):
        if "opaque" in field.flags:
            held = node["items"] if field.type.startswith("[]") else node
            assert held.get("x-kubernetes-preserve-unknown-fields"), str(field)


PATTERNS = {
    "DNSZone spec.zoneName": ["example.org", "Example.ORG", "a", "2.0.192.in-addr.arpa", "xn--mnchen-3ya.example"],
    "DNSZone spec.soaRecord.primaryNs": ["ns1.example.org.", "ns."],
    "DNSZone spec.soaRecord.adminEmail": ["admin.example.org.", "hostmaster."],
    "DNSZone spec.nameServers[].hostname": ["ns1.example.org.", "NS1.EXAMPLE.org."],
    "DNSZone spec.nameServers[].ipv4Address": ["192.0.2.1", "0.0.0.0", "255.255.255.255"],
    "DNSZone spec.nameServers[].ipv6Address": ["2001:db8::1", "::", "::1", "2001:db8:0:0:0:0:0:1", "fe80::"],
    "DNSZone spec.dnssecPolicy": ["default", "my-policy_1"],
    "Bind9Cluster spec.global.dnssec.signing.algorithm": ["ECDSAP256SHA256"],
    "Bind9Cluster spec.global.dnssec.signing.kskLifetime": ["365d", "unlimited"],
}


@pytest.mark.parametrize("field", PATTERNS)
def test_patterns_accept_what_upstream_accepts(field: str) -> None:
    kind, path = field.split()
    pattern = dict(nodes(OURS_BY_NAME[kind].schema))[path]["pattern"]
    assert [value for value in PATTERNS[field] if not re.search(pattern, value)] == []


# fmt: off
UPSTREAM_SHORT_NAMES = [
    "b9c", "b9cs", "b9", "b9s", "cb9p", "cb9ps", "zone", "zones", "dz", "dzs",
    "a", "aaaa", "caa", "cname", "mx", "srv", "txt",
]
# fmt: on


def test_short_names_of_upstream_work_except_the_one_that_hid_namespaces() -> None:
    used = [name for crd in load_crds() for name in _short_names(crd)]
    assert set(UPSTREAM_SHORT_NAMES) <= set(used)
    assert "ns" not in used


def _short_names(crd: Crd) -> list[str]:
    return list(crd.manifest["spec"]["names"]["shortNames"])
