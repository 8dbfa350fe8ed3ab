"""Bodies of requests: what is not understood to the last field is refused, with the field's name; nothing breaks."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from bindcar.render import zone_clause, zone_file
from bindcar.requests import CreateZoneRequest, PatchZoneRequest
from bindcar.tokens import InvalidToken

SOA = {"primaryNs": "ns1.example.net.", "adminEmail": "admin@example.net"}
GOOD: dict[str, Any] = {
    "zoneName": "example.org",
    "zoneConfig": {"soa": SOA},
    "owner": {"cluster": "cluster", "uid": "uid"},
}


def create(**config: Any) -> CreateZoneRequest:
    body = {**GOOD, "zoneConfig": {**GOOD["zoneConfig"], **config}}
    return CreateZoneRequest.model_validate_json(json.dumps(body))


def test_the_least_that_is_a_request():
    assert create().zone_name == "example.org"


@pytest.mark.parametrize(
    ("field", "config"),
    [
        ("zoneConfig.alsoNotify.0", {"alsoNotify": [{}]}),
        ("zoneConfig.alsoNotify.0", {"alsoNotify": ["192.0.2.1 " + " " * 600]}),
        ("zoneConfig.alsoNotify", {"alsoNotify": "192.0.2.1"}),
        ("zoneConfig.alsoNotify", {"alsoNotify": ["192.0.2.1"] * 2000}),
        ("zoneConfig.allowTransfer.0", {"allowTransfer": [["any"]]}),
        ("zoneConfig.nameServers", {"nameServers": ["ns1.example.net."] * 2000}),
        ("zoneConfig.nameServerIps", {"nameServerIps": [["ns1", "192.0.2.1"]]}),
        ("zoneConfig.records.0.value", {"records": [{"name": "www", "type": "A", "value": 5}]}),
        ("zoneConfig.records.0.value", {"records": [{"name": "www", "type": "TXT", "value": "x" * 300_000}]}),
        ("zoneConfig.soa.adminEmail", {"soa": {**SOA, "adminEmail": "x" * 2000}}),
        ("zoneConfig.soa.serial", {"soa": {**SOA, "serial": True}}),
        ("zoneConfig.ttl", {"ttl": "3600"}),
        ("zoneConfig.surprise", {"surprise": 1}),
    ],
)
def test_a_field_that_does_not_fit_is_named(field: str, config: dict[str, Any]):
    with pytest.raises(ValidationError) as caught:
        create(**config)
    assert ".".join(map(str, caught.value.errors()[0]["loc"])) == field


@pytest.mark.parametrize("opening", [b"[", b'{"zoneConfig":', b'{"surprise":['])
@pytest.mark.parametrize("model", [CreateZoneRequest, PatchZoneRequest])
def test_depth_is_refused(model: type[CreateZoneRequest | PatchZoneRequest], opening: bytes):
    with pytest.raises(ValidationError, match="recursion limit"):
        model.model_validate_json(opening * 100_000)


def test_the_name_of_a_key_is_not_repeated():
    """It comes from a Secret, and the operator writes complaints into status."""
    for config in ({"primaries": ["192.0.2.1 key hunter2;"]}, {"allowTransfer": ["key hunter2{"]}):
        with pytest.raises(ValidationError) as caught:
            create(**config)
        assert "hunter2" not in "".join(each["msg"] for each in caught.value.errors())
    with pytest.raises(ValidationError) as caught:
        CreateZoneRequest.model_validate({**GOOD, "updateKeyName": "hunter2;"})
    assert "hunter2" not in caught.value.errors()[0]["msg"]


def test_a_long_mailbox_is_told_and_no_accident():
    with pytest.raises(InvalidToken, match="adminEmail"):
        zone_file(create(soa={**SOA, "adminEmail": "x" * 70 + "@example.org"}))


TEXT = st.text(max_size=12) | st.text(alphabet='a1.@\\"; (){}\n\t*-_/ü\x00', max_size=14)
KINDS = (
    st.sampled_from(["A", "AAAA", "TXT", "MX", "SRV", "CAA", "CNAME", "OPT", "ANY", "TYPE65535", "LOC", "SVCB"]) | TEXT
)
DATA = TEXT | st.sampled_from(["192.0.2.1", "10 mail", "1 2 3 x.", "\\# 4 c0000201", "\\# 4 zz", '"a" "b"', '"a'])
RECORDS = st.fixed_dictionaries(
    {"name": TEXT, "type": KINDS, "value": DATA}, optional={"priority": st.integers(-1, 70000), "ttl": st.integers()}
)
TEXTS = st.lists(TEXT, max_size=2)
CONFIGS = st.fixed_dictionaries(
    {
        "soa": st.fixed_dictionaries(
            {"primaryNs": TEXT | st.just("ns1.example.net"), "adminEmail": TEXT | st.just("a@b")}
        )
    },
    optional={
        "nameServers": TEXTS,
        "nameServerIps": st.dictionaries(TEXT, TEXT | st.just("192.0.2.1"), max_size=2),
        "records": st.lists(RECORDS, max_size=2),
        "alsoNotify": TEXTS,
        "allowTransfer": TEXTS,
        "primaries": TEXTS,
    },
)


@given(CONFIGS)
@example({"soa": {"primaryNs": "ns1.example.net", "adminEmail": "x" * 70 + "@b"}})
@settings(derandomize=True, max_examples=300)
def test_a_request_is_carried_out_or_refused(config: dict[str, Any]):
    try:
        request = create(**config)
        assert "\n" not in zone_clause(request, Path("/var/cache/bind/x"))
        zone_file(request).encode("ascii")
    except (ValidationError, InvalidToken):
        return
