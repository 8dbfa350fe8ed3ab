"""Go's RE2 syntax -> the Rust regex engine that pydantic uses. What cannot be said there is left to the API server.

Python's `re` is no choice: it disagrees with RE2 too, and backtracks for ever on patterns of real CRDs. The two linear
engines differ in small ways, each of which changes what matches:

    \\d \\w \\s \\b     ASCII in RE2, Unicode in Rust
    [[a] [a&&b]     a literal bracket and ampersands in RE2, set operations in Rust
    a{,2}           the literal text in RE2, a repetition in Rust
    \\<              a literal in RE2, the start of a word in Rust
    \\Q..\\E \\C      only in RE2: dropped
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from pydantic_core import SchemaError, SchemaValidator, core_schema

from zonewright.codegen.schema.walk import Node

ASCII_CLASSES = {"d": "0-9", "w": "0-9A-Za-z_", "s": r"\t\n\f\r "}
# What a class escape is written as inside brackets: many characters, which cannot start a range.
MANY = frozenset({*ASCII_CLASSES.values(), *(f"[^{members}]" for members in ASCII_CLASSES.values())})
REPETITION = re.compile(r"\{\d+(,\d*)?\}")
POSIX_CLASS = re.compile(r"\[:\^?[a-z]+:\]")
# Letters that mean the same after a backslash in both engines.
SHARED_ESCAPES = frozenset("afnrtvAz")
# Followed by an argument (\x41, \x{1F600}, \pL, \p{Greek}), which is copied as it stands.
WITH_ARGUMENT = re.compile(
    r"\\(?:x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]+\}|[pP][A-Za-z]|[pP]\{\^?[A-Za-z_]+\}|0[0-7]{0,2}|[1-7][0-7]{1,2})"
)
# ASCII punctuation that needs its backslash; the rest is written bare, because Rust gives `\<` a meaning of its own.
META = frozenset(r".+*?()|[]{}^$\#&-~")


class Untranslatable(ValueError):
    """RE2 syntax that the Rust engine has no words for."""


def translate_pattern(node: Node) -> Node:
    """The node with its pattern in Rust's syntax, or without one."""
    if "pattern" not in node:
        return node
    pattern = translate(node["pattern"])
    if pattern is None:
        return {keyword: value for keyword, value in node.items() if keyword != "pattern"}
    return {**node, "pattern": pattern}


@cache
def translate(pattern: str) -> str | None:
    """The same language in Rust's syntax; None when there is no such pattern."""
    try:
        translated = _Translation(pattern).run()
        SchemaValidator(core_schema.str_schema(pattern=translated, regex_engine="rust-regex"))
    except (Untranslatable, SchemaError):
        return None
    return translated


@dataclass(slots=True)
class _Translation:
    text: str
    at: int = 0

    def run(self) -> str:
        return "".join(self._until(lambda: self.at >= len(self.text), self._outside))

    def _until(self, done: Callable[[], bool], step: Callable[[], str]) -> list[str]:
        parts: list[str] = []
        while not done():
            parts.append(step())
        return parts

    def _outside(self) -> str:
        character = self.text[self.at]
        if character == "\\":
            return self._escape(inside=False)
        if character == "[":
            return self._class()
        self.at += 1
        if character == "{" and not REPETITION.match(self.text, self.at - 1):
            return r"\{"
        return character

    def _class(self) -> str:
        """A bracket expression, from `[` to its `]`."""
        opening = re.compile(r"\[\^?\]?").match(self.text, self.at)
        assert opening  # noqa: S101 - the caller has seen the bracket
        self.at = opening.end()
        start = opening.group().replace("]", r"\]")
        members = self._until(lambda: self.text[self.at : self.at + 1] == "]", self._inside)
        self.at += 1
        return f"{start}{''.join(members)}]"

    def _inside(self) -> str:
        """One member: a named class, a character, or a range."""
        posix = POSIX_CLASS.match(self.text, self.at)
        if posix:
            self.at = posix.end()
            return posix.group()
        low = self._member()
        rest = self.text[self.at : self.at + 2]
        if low in MANY or rest[:1] != "-" or rest == "-]":
            return low
        self.at += 1
        return f"{low}-{self._member()}"

    def _member(self) -> str:
        if self.at >= len(self.text):
            raise Untranslatable("a class without its end")
        character = self.text[self.at]
        if character == "\\":
            return self._escape(inside=True)
        self.at += 1
        # Rust reads set operations where RE2 sees plain characters: [[a] [a&&b] [a--b] [a~~b].
        return f"\\{character}" if character in "[]&~^-" else character

    def _escape(self, *, inside: bool) -> str:
        argument = WITH_ARGUMENT.match(self.text, self.at)
        if argument:
            return self._argument(argument)
        letter = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        if letter.lower() in ASCII_CLASSES and letter:
            members = ASCII_CLASSES[letter.lower()]
            return members if inside and letter.islower() else f"[{'' if letter.islower() else '^'}{members}]"
        if letter in {"b", "B"} and not inside:
            return rf"(?-u:\{letter})"
        if letter in SHARED_ESCAPES:
            return f"\\{letter}"
        if letter and letter.isascii() and not letter.isalnum():
            return f"\\{letter}" if letter in META else letter
        raise Untranslatable(f"\\{letter}")

    def _argument(self, match: re.Match[str]) -> str:
        self.at = match.end()
        text = match.group()
        # RE2 reads \101 as an octal number, Rust as a back reference, which it does not have.
        return f"\\x{{{int(text[1:], 8):x}}}" if text[1].isdigit() else text
