"""Reads built-in kinds from protobuf, which kubectl's `create` commands send; they take JSON as a reply. Pure.

The field numbers are in protobuf.json, the shape of the JSON in builtin.json: a field that the shape does not have is
one that Go inlines. Fields that Go writes although they are empty are left out."""

import base64
import datetime as dt
import json
import struct
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from zonewright.envtest.embedded import codec
from zonewright.envtest.embedded.builtin import definition_name, definitions
from zonewright.envtest.embedded.errors import bad_request

SOURCE = Path(__file__).with_name("protobuf.json")
MAGIC = b"k8s\x00"
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
META, UTIL = "io.k8s.apimachinery.pkg.apis.meta.v1.", "io.k8s.apimachinery.pkg."
Message = dict[int, list[Any]]


@cache
def tables() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = json.loads(SOURCE.read_bytes())
    return found


def decode(body: bytes) -> dict[str, Any]:
    """The object in a request's body, as JSON would have brought it."""
    if not body.startswith(MAGIC):
        raise bad_request("the body does not begin as a Kubernetes protobuf message does")
    try:
        envelope = fields_of(body[len(MAGIC) :])
        type_meta = fields_of(envelope[1][0])
        api_version, kind = (type_meta[number][0].decode() for number in (1, 2))
        found = message(definition_name(api_version, kind), envelope[2][0])
    except (KeyError, IndexError, StopIteration, struct.error) as error:
        raise bad_request(f"cannot read the protobuf message: {error!r}") from error
    return {"apiVersion": api_version, "kind": kind, **found}


def fields_of(data: bytes) -> Message:
    found: Message = {}
    for number, value in wire(data):
        found.setdefault(number, []).append(value)
    return found


def wire(data: bytes) -> Iterator[tuple[int, Any]]:
    position = 0
    while position < len(data):
        tag, position = varint(data, position)
        kind = tag & 7
        value: Any
        if kind == VARINT:
            value, position = varint(data, position)
        elif kind == BYTES:
            length, position = varint(data, position)
            value, position = data[position : position + length], position + length
        else:
            size = 8 if kind == FIXED64 else 4
            value, position = (
                struct.unpack("<d" if size == 8 else "<f", data[position : position + size])[0],
                position + size,
            )
        yield tag >> 3, value


def varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if byte < 0x80:
            return value, position


def message(name: str, data: bytes) -> dict[str, Any]:
    properties = definitions().get(name, {}).get("properties", {})
    result: dict[str, Any] = {}
    raw = fields_of(data)
    for number, (field, kind, label) in tables().get(name, {}).items():
        values = [convert(kind, value) for value in raw.get(int(number), ())] if label != "map" else []
        if label == "map" and int(number) in raw:
            result[field] = dict(pair(kind, entry) for entry in raw[int(number)])
        elif label == "repeated" and values:
            result[field] = values
        elif values and not is_nothing(field, values[-1]):
            if properties and field not in properties and isinstance(values[-1], dict):
                result |= values[-1]
            else:
                result[field] = values[-1]
    return result


def is_nothing(field: str, value: Any) -> bool:
    """Go writes plain fields even when they are empty. A number of replicas is a pointer: written, it is meant."""
    return value is None or (value in ("", 0) and not isinstance(value, bool) and field != "replicas")


def pair(kind: str, entry: bytes) -> tuple[str, Any]:
    raw = fields_of(entry)
    empty: Any = 0 if kind in NUMBERS else b""
    return raw.get(1, [b""])[0].decode(), convert(kind, raw.get(2, [empty])[0])


NUMBERS = frozenset({"bool", "int32", "int64", "double"})


def convert(kind: str, value: Any) -> Any:
    if kind == "string":
        return value.decode()
    if kind == "bytes":
        return base64.b64encode(value).decode()
    if kind == "bool":
        return bool(value)
    if kind in {"int32", "int64"}:
        return value - (1 << 64) if value >= 1 << 63 else value
    return (
        SPECIAL[kind](fields_of(value)) if kind in SPECIAL else message(kind, value) if kind not in NUMBERS else value
    )


def timestamp(raw: Message) -> str | None:
    if 1 not in raw:
        return None
    return dt.datetime.fromtimestamp(raw[1][0], dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def micro_timestamp(raw: Message) -> str | None:
    whole = timestamp(raw)
    return whole and f"{whole[:-1]}.{raw.get(2, [0])[0] // 1000:06d}Z"


def int_or_string(raw: Message) -> int | str:
    if raw.get(1, [0])[0]:
        return str(raw.get(3, [b""])[0].decode())
    return int(raw.get(2, [0])[0])


SPECIAL: dict[str, Callable[[Message], Any]] = {
    META + "Time": timestamp,
    META + "MicroTime": micro_timestamp,
    META + "FieldsV1": lambda raw: codec.decode(raw[1][0]),
    UTIL + "util.intstr.IntOrString": int_or_string,
    UTIL + "api.resource.Quantity": lambda raw: raw.get(1, [b"0"])[0].decode(),
    UTIL + "runtime.RawExtension": lambda raw: codec.decode(raw[1][0]),
}
