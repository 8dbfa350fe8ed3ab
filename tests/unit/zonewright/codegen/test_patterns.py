"""RE2 patterns in Rust's syntax: each case is a text on which the engines would disagree without the translation."""

import pytest
from pydantic_core import SchemaValidator, ValidationError, core_schema

from zonewright.codegen.schema.patterns import translate


def matches(pattern: str, text: str) -> bool:
    translated = translate(pattern)
    assert translated is not None
    validator = SchemaValidator(core_schema.str_schema(pattern=translated, regex_engine="rust-regex"))
    try:
        validator.validate_python(text)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"^\d+$", "12", True),
        (r"^\d+$", "\N{ARABIC-INDIC DIGIT ONE}", False),
        (r"^\w+$", "é", False),
        (r"^[\w-]+$", "a-b_1", True),
        (r"^\s$", "\N{NO-BREAK SPACE}", False),
        (r"^\s$", "\v", False),
        (r"^\S+$", "\N{NO-BREAK SPACE}", True),
        (r"^\D$", "\N{ARABIC-INDIC DIGIT ONE}", True),
        (r"^[^\d]$", "\N{ARABIC-INDIC DIGIT ONE}", True),
        (r"^[\D]$", "5", False),
        (r"^[[a]$", "[", True),
        (r"^[a&&b]+$", "&", True),
        (r"^[a~~b]+$", "~", True),
        (r"^[*--]$", "+", True),  # a range from * to -, not a difference of sets
        (r"^[*--]$", ".", False),
        (r"^[\w-.]+$", "a-.", True),
        (r"^[a-]+$", "-", True),
        (r"^[]a]$", "]", True),
        (r"^[^]a]$", "]", False),
        (r"^[[:alpha:]]+$", "ab", True),
        (r"^a{,2}$", "a{,2}", True),
        (r"^a{,2}$", "aa", False),
        (r"^a{2}$", "aa", True),
        (r"^x{a}$", "x{a}", True),
        (r"^\<$", "<", True),
        (r"^\_\/\-\.$", "_/-.", True),
        (r"^\101$", "A", True),
        (r"^\x41\x{42}$", "AB", True),
        (r"^\pL\p{Lu}\PN$", "aBc", True),
        (r"\bfoo\b", "éfoo", True),
        (r"^a$", "a\n", False),
        (r"(?i)^abc$", "ABC", True),
        (r"^(?P<name>a)(?:b)$", "ab", True),
        (r"^[ab\]c]+$", "]", True),
    ],
)
def test_means_the_same(pattern, text, expected):
    assert matches(pattern, text) is expected


@pytest.mark.parametrize("pattern", [r"\Qa.b\E", r"\C", r"(", r"[a", r"(?=a)", r"a\1", r"\y", "\\"])
def test_what_rust_cannot_say_is_dropped(pattern):
    assert translate(pattern) is None
