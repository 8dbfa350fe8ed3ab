"""JSON that is nested too deep to be decoded: to find it, and to read the rest of the object that holds it.

An API server stores an object of 10,000 levels. Python's decoders recurse, and give up at about 1,000, or earlier if
the stack is deep already. What is here works on bytes, without recursion: slower, and called only for what a decoder
refused. It knows JSON, and of Kubernetes only that the members of an object's members are what people call its fields.
"""

import itertools
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec

MAX_DEPTH: Final = 200
"""Levels of an object that anybody gets to see. pydantic's own limit, so that models and plain fields agree; and what
is walked by a function with two or three frames a level (copy.deepcopy) stays below Python's limit of 1,000."""

# A string that does not end takes the rest: looked for again from each quote in it, it would take the square of the
# time. `(?s:.)` is any byte: an escaped one may be a newline.
_STRING: Final = rb'"[^"\\]*(?:\\(?s:.)[^"\\]*)*(?:"|\\?\Z)'
_TOKEN: Final = re.compile(_STRING + rb"|([{\[])|([}\]])|([:,])")
_OPENING, _CLOSING = 1, 2  # groups of it
_STRINGS: Final = re.compile(_STRING)
_NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_STEPS: Final = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}
_COLON: Final = ord(":")
# An object's members and their members: `spec.template` can be left out without losing the rest of `spec`.
_LEVELS: Final = 2
# Of a complaint: the first fields tell enough, and their names are anybody's.
_MOST_FIELDS, _LONGEST_NAME = 5, 100

_decode = msgspec.json.Decoder().decode
_decode_text = msgspec.json.Decoder(str).decode


class Part(NamedTuple):
    """A member of an object, or an element of an array, which has no key."""

    key: bytes  # as it is written: a JSON string
    value: bytes
    depth: int  # of the value; a number or a string has none


def is_deeper(raw: bytes, limit: int = MAX_DEPTH) -> bool:
    """Whether this JSON has more than `limit` levels. Cheap for objects as people write them, long lists included."""
    opened = raw.count(b"{") + raw.count(b"[")
    # Where one object follows another, as in a list, something was closed before it was opened: that adds no level.
    # Inside a string it does no harm: what is subtracted there was counted there.
    if opened <= limit or opened - raw.count(b"},{") <= limit:
        return False
    brackets = _outside_strings(raw).translate(None, _NOT_BRACKETS)
    return max(itertools.accumulate(map(_STEPS.__getitem__, brackets)), default=0) > limit


def _outside_strings(raw: bytes) -> bytes:
    if b"\\" in raw:
        return _STRINGS.sub(b"", raw)
    return b"".join(raw.split(b'"')[::2])  # three times as fast


def parts(raw: bytes) -> list[Part]:
    """What an object or an array consists of; only its outermost level is looked at. Raises ValueError."""
    found: list[Part] = []
    depth = deepest = start = 0
    key = b""
    for token in _TOKEN.finditer(raw):
        what = token.lastindex
        if what == _OPENING:
            if depth == 0:
                start = token.end()
            elif depth > deepest:
                deepest = depth
            depth += 1
        elif what == _CLOSING:
            depth -= 1
            if depth == 0:
                return _ended(raw, token.start(), [*found, Part(key, raw[start : token.start()].strip(), deepest)])
        elif depth == 1 and what is not None:
            at, text = token.start(), raw[start : token.start()].strip()
            if raw[at] == _COLON:
                key = text
            else:
                found.append(Part(key, text, deepest))
                key, deepest = b"", 0
            start = at + 1
    raise ValueError("JSON that does not end")


def _ended(raw: bytes, end: int, found: list[Part]) -> list[Part]:
    if raw[end + 1 :].strip() or raw.lstrip()[:1] not in {b"{", b"["}:
        raise ValueError("not an object or an array")
    return [] if found == [Part(b"", b"", 0)] else found


def members(raw: bytes) -> dict[str, Part]:
    """The members of an object by name. Raises ValueError."""
    return {_decode_text(part.key): part for part in parts(raw)}


def readable(raw: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    """What can be read of an object; and by field what is left out, with the reason. Raises ValueError."""
    return _readable(raw, MAX_DEPTH, _LEVELS, "")


def _readable(raw: bytes, room: int, levels: int, path: str) -> tuple[dict[str, Any], dict[str, str]]:
    known: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    for name, part in members(raw).items():
        try:
            known[name] = _value(part, room - 1)
        except (ValueError, RecursionError) as error:
            if levels == 1 or part.value[:1] != b"{":
                left_out[path + name] = str(error)
                continue
            known[name], below = _readable(part.value, room - 1, levels - 1, f"{path}{name}.")
            left_out |= below
    return known, left_out


def _value(part: Part, room: int) -> Any:
    if part.depth > room:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    return _decode(part.value)


def complaint(left_out: Mapping[str, str]) -> str:
    """What `readable` left out, as a sentence."""
    told = [f"{field[:_LONGEST_NAME]}: {reason}" for field, reason in itertools.islice(left_out.items(), _MOST_FIELDS)]
    more = len(left_out) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more else "")
