"""Valid objects for a structural schema: random ones for Hypothesis, and one that has every field.

Written from the rules of the API server (null only where nullable, unknown fields only where preserved), and on purpose
without anything of codegen: it is the other opinion about what a schema means.
"""

import re
from typing import Any

from hypothesis import strategies as st

PRESERVE = "x-kubernetes-preserve-unknown-fields"
INT_OR_STRING = "x-kubernetes-int-or-string"
TIMESTAMPS = [
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05.123456789Z",
    "2026-01-02T03:04:05+02:00",
    "2026-01-02t03:04:05z",
]
NUMBERS = [0, 1, -1, 1.0, 0.1, 1e21, 2**53 + 1]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(NUMBERS) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=5,
)
metadata = st.fixed_dictionaries(
    {"name": st.just("example")},
    optional={
        "labels": st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2),
        "annotations": st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2),
        "creationTimestamp": st.none() | st.sampled_from(TIMESTAMPS),
        "finalizers": st.lists(st.text(max_size=4), max_size=2),
        "unknownToUs": json_values,
    },
)


def objects(schema: dict[str, Any], api_version: str, kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """Whole objects of a kind: as the API server would hand them out."""
    sections = {name: child for name, child in schema.get("properties", {}).items() if name not in IMPLIED}
    body = values({**schema, "type": "object", "properties": sections, "required": _required(schema, sections)})
    return st.tuples(body, metadata).map(
        lambda parts: {"apiVersion": api_version, "kind": kind, "metadata": parts[1], **parts[0]}
    )


IMPLIED = ("apiVersion", "kind", "metadata")


def _required(schema: dict[str, Any], names: Any) -> list[str]:
    return [name for name in schema.get("required", []) if name in names]


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    found = _values(schema)
    return st.none() | found if schema.get("nullable") else found


def _values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:  # noqa: PLR0911 - one line per type
    if schema.get(INT_OR_STRING):
        return st.integers() | st.sampled_from(["80%", "http", "1Gi", "500m", "0"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type", "object" if "properties" in schema else None):
        case "object":
            return _object(Quiet(schema))
        case "array":
            low = schema.get("minItems", 0)
            return st.lists(values(schema["items"]), min_size=low, max_size=min(schema.get("maxItems", 9), low + 2))
        case "string":
            return _string(schema)
        case "integer":
            return st.integers(schema.get("minimum", -5), schema.get("maximum", 2**63 - 1))
        case "number":
            low, high = schema.get("minimum", -1e300), schema.get("maximum", 1e300)
            return st.floats(low, high) | st.sampled_from([n for n in NUMBERS if low <= n <= high] or [low])
        case "boolean":
            return st.booleans()
        case _:
            return json_values


class Quiet(dict[str, Any]):
    """A schema that Hypothesis does not print: some are half a megabyte long."""

    def __repr__(self) -> str:
        return "schema"


@st.composite
def _object(draw: st.DrawFn, schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    required = _required(schema, properties)
    optional = sorted(set(properties) - set(required))
    # A few of the optional fields at a time: an object with all of them would be too large to vary.
    chosen = draw(st.lists(st.sampled_from(optional), unique=True, max_size=4)) if optional else []
    found = {name: draw(values(properties[name])) for name in [*required, *chosen]}
    if isinstance(schema.get("additionalProperties"), dict) and not properties:
        found |= draw(st.dictionaries(st.text(max_size=6), values(schema["additionalProperties"]), max_size=2))
    elif schema.get(PRESERVE) or schema.get("additionalProperties") is True:
        unknown = draw(st.dictionaries(st.text(max_size=6), json_values, max_size=2))
        found |= {name: value for name, value in unknown.items() if name not in properties}
    return found


def _string(schema: dict[str, Any]) -> st.SearchStrategy[str]:
    if schema.get("format") == "date-time":
        return st.sampled_from(TIMESTAMPS)
    low, high = schema.get("minLength", 0), schema.get("maxLength", 2**31)
    pattern = _python_pattern(schema["pattern"]) if "pattern" in schema else None
    if pattern is None:
        return st.text(min_size=low, max_size=min(high, low + 8))
    return st.from_regex(pattern).filter(lambda text: low <= len(text) <= high and "\v" not in text)


def _python_pattern(pattern: str) -> re.Pattern[str]:
    r"""RE2 in Python's words: ASCII classes, `$` only at the very end, no \PC and \Q..\E, and nothing for (?i)."""
    text = pattern.replace(r"\z", r"\Z").replace(r"\PC", r"[^\x00-\x1f\x7f-\x9f]").replace("(?i)", "")
    text = re.sub(r"\\Q(.*?)\\E", lambda quoted: re.escape(quoted[1]), text)
    return re.compile(re.sub(r"(?<!\\)\$(?=\)|\||$)", r"\\Z", text), re.ASCII)
