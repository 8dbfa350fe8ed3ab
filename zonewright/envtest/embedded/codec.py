"""Bytes and values: JSON in and out of requests and the store, YAML where apply patches bring it."""

from typing import Any

import msgspec
import yaml

from zonewright.api.nesting import is_deeper
from zonewright.envtest.embedded.errors import bad_request

MAX_DEPTH = 2_000
"""Levels of an object. A real API server takes 10,000; field ownership here costs their square. Twice what a Python
program decodes is enough to find out what it does about that."""
FRAMES_PER_LEVEL = 10
"""At most so many of Python's frames are on the stack for one level, in whatever walks an object."""

_decode = msgspec.json.Decoder().decode
encode = msgspec.json.Encoder().encode
Fields = dict[str, Any]


def decode(raw: bytes) -> Any:
    """What the store holds; always well-formed."""
    return _decode(raw)


def read_json(raw: bytes) -> Any:
    try:
        _refuse_deep(raw)
        return _decode(raw)
    except (ValueError, RecursionError) as error:
        text = raw[:200].decode(errors="replace")
        message = f"couldn't get version/kind; json parse error: {error} ({text})"
        raise bad_request(f"the object provided is unrecognized: {message}") from error


def read_yaml(raw: bytes) -> Any:
    """JSON is tried first: it is what clients send as YAML, and far quicker to read."""
    try:
        _refuse_deep(raw)
        return _decode(raw)
    except msgspec.DecodeError:
        try:
            return yaml.safe_load(raw)
        except (yaml.YAMLError, RecursionError) as error:
            raise bad_request(f"error decoding YAML: {error}") from error
    except (ValueError, RecursionError) as error:
        raise bad_request(f"error decoding YAML: {error}") from error


def _refuse_deep(raw: bytes) -> None:
    if is_deeper(raw, MAX_DEPTH):
        raise ValueError("exceeded max depth")
