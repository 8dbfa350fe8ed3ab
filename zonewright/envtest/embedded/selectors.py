"""Label and field selectors of a request, parsed into predicates. Knows text and mappings, no objects."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from zonewright.envtest.embedded import errors

Labels = Mapping[str, str]
LabelTest = Callable[[Labels], bool]
SET = re.compile(r"\s*(?P<key>[^\s!=,()]+)\s+(?P<op>in|notin)\s*\((?P<values>[^()]*)\)\s*\Z")
EQUALITY = re.compile(r"\s*(?P<key>[^\s!=,()]+)\s*(?P<op>==|=|!=)\s*(?P<value>[^\s!=,()]*)\s*\Z")
EXISTS = re.compile(r"\s*(?P<op>!?)\s*(?P<key>[^\s!=,()]+)\s*\Z")
# A comma separates requirements unless it stands inside the parentheses of a set.
COMMA = re.compile(r",(?![^(]*\))")


def label_selector(text: str) -> LabelTest | None:
    """A predicate on labels; None when everything matches."""
    if not text.strip():
        return None
    tests = [requirement(part) for part in COMMA.split(text)]
    return lambda labels: all(test(labels) for test in tests)


def requirement(text: str) -> LabelTest:
    if found := SET.match(text):
        values = frozenset(value.strip() for value in found["values"].split(","))
        return membership(found["key"], values, wanted=found["op"] == "in")
    if found := EQUALITY.match(text):
        return membership(found["key"], frozenset({found["value"]}), wanted=found["op"] != "!=")
    if found := EXISTS.match(text):
        key, absent = found["key"], found["op"] == "!"
        return lambda labels: (key not in labels) if absent else (key in labels)
    raise errors.bad_request(f"unable to parse requirement: {text!r} is not a label selector")


def membership(key: str, values: frozenset[str], *, wanted: bool) -> LabelTest:
    """`notin` and `!=` also match objects without the label, as in Kubernetes."""
    if wanted:
        return lambda labels: labels.get(key) in values
    return lambda labels: labels.get(key) not in values


FieldTest = Callable[[Callable[[str], str]], bool]
FIELD_TERM = re.compile(r"(?P<path>[^!=,]+?)(?P<op>!=|==|=)(?P<value>.*)\Z", re.DOTALL)


def field_selector(text: str, supported: frozenset[str]) -> FieldTest | None:
    """A predicate on a function that reads a field by its path; only `supported` paths may be named."""
    if not text.strip():
        return None
    terms = [field_term(part, supported) for part in split_terms(text)]
    return lambda read: all(test(read) for test in terms)


def selected_name(text: str) -> str:
    """The one name that a field selector asks for, if it does."""
    terms = [FIELD_TERM.match(part) for part in split_terms(text)]
    return next((one["value"] for one in terms if one and one["path"] == "metadata.name" and one["op"] != "!="), "")


def split_terms(text: str) -> list[str]:
    r"""Terms between commas; a backslash takes the next character as it is."""
    return [part for part in re.split(r"(?<!\\),", text) if part]


def field_term(text: str, supported: frozenset[str]) -> FieldTest:
    found = FIELD_TERM.match(text)
    if found is None:
        raise errors.bad_request(f"invalid selector: '{text}'; can't understand '{text}'")
    path, equal = found["path"], found["op"] != "!="
    if path not in supported:
        raise errors.bad_request(f"field label not supported: {path}")
    value = re.sub(r"\\([,=\\])", r"\1", found["value"])
    return lambda read: (read(path) == value) is equal


def field_text(fields: Mapping[str, Any], path: str) -> str:
    """What a field selector compares: the scalar at a dotted path as text, "" where there is none."""
    value: Any = fields
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
