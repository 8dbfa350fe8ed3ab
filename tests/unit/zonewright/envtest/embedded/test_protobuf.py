"""Built-in kinds out of protobuf, as kubectl's `create` commands send them."""

import pytest

from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.protobuf import MAGIC, decode


def field(number: int, value: bytes | str | int) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value: int) -> bytes:
    head = b""
    while value > 0x7F:
        head, value = head + bytes([value & 0x7F | 0x80]), value >> 7
    return head + bytes([value])


def envelope(api_version: str, kind: str, body: bytes) -> bytes:
    return MAGIC + field(1, field(1, api_version) + field(2, kind)) + field(2, body) + field(3, "") + field(4, "")


def test_empty_fields_that_go_writes_are_left_out():
    meta = field(1, "web") + field(2, "") + field(3, "") + field(7, 0) + field(8, b"")
    body = envelope("v1", "Namespace", field(1, meta) + field(2, b"") + field(3, field(1, "")))
    assert decode(body) == {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "web"},
        "spec": {},
        "status": {},
    }


def test_maps_of_text_and_of_bytes():
    meta = field(1, field(1, "s") + field(11, field(1, "app") + field(2, "x")))
    entry = field(2, field(1, "key") + field(2, b"\x00\xff"))
    found = decode(envelope("v1", "Secret", meta + entry + field(3, "Opaque")))
    assert found["metadata"]["labels"] == {"app": "x"}
    assert found["data"] == {"key": "AP8="}
    assert found["type"] == "Opaque"


def test_what_go_inlines_is_inlined():
    volume = field(1, "v") + field(2, field(19, field(1, field(1, "config"))))
    found = decode(envelope("v1", "Pod", field(2, field(1, volume))))
    assert found["spec"]["volumes"] == [{"name": "v", "configMap": {"name": "config"}}]


def test_numbers_or_text_and_zero_replicas():
    budget = field(3, field(1, 1) + field(3, "50%"))
    assert decode(envelope("policy/v1", "PodDisruptionBudget", field(2, budget)))["spec"] == {"maxUnavailable": "50%"}
    assert decode(envelope("apps/v1", "Deployment", field(2, field(1, 0))))["spec"] == {"replicas": 0}


@pytest.mark.parametrize(
    "body", [b"", b"{}", MAGIC, MAGIC + field(1, field(1, "v1") + field(2, "Gizmo")) + field(2, b"")]
)
def test_what_cannot_be_read_is_a_bad_request(body):
    with pytest.raises(ApiError) as refused:
        decode(body)
    assert refused.value.code == 400
