"""Bytes and values: JSON in and out of requests and the store, YAML where apply patches bring it."""

from typing import Any

import msgspec
import yaml

from zonewright.envtest.embedded.errors import bad_request

_decode = msgspec.json.Decoder().decode
encode = msgspec.json.Encoder().encode
Fields = dict[str, Any]


def decode(raw: bytes) -> Any:
    """What the store holds; always well-formed."""
    return _decode(raw)


def read_json(raw: bytes) -> Any:
    try:
        return _decode(raw)
    except msgspec.DecodeError as error:
        text = raw[:200].decode(errors="replace")
        message = f"couldn't get version/kind; json parse error: {error} ({text})"
        raise bad_request(f"the object provided is unrecognized: {message}") from error


def read_yaml(raw: bytes) -> Any:
    """JSON is tried first: it is what clients send as YAML, and far quicker to read."""
    try:
        return _decode(raw)
    except msgspec.DecodeError:
        try:
            return yaml.safe_load(raw)
        except yaml.YAMLError as error:
            raise bad_request(f"error decoding YAML: {error}") from error
