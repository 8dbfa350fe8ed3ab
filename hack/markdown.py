"""A Markdown document as `make docs` looks at it: the anchors of its headings, its links and its blocks of code.

It only parses: docs.py says what is wrong, tests/support/documents.py hands the blocks to the tests that run them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Link:
    """A link or an image; the target as written, still percent-encoded."""

    line: int
    target: str


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code. The language is empty for an indented block and for a fence that names none."""

    document: str
    line: int
    language: str
    marks: tuple[str, ...]
    text: str

    def mark(self, name: str) -> str | None:
        """The value of a mark: with `test=FILE` in the info string, mark("test") is FILE."""
        return next((mark.partition("=")[2] for mark in self.marks if mark.startswith(f"{name}=")), None)


@dataclass(frozen=True, slots=True)
class Document:
    """One file, by its path from the root of the repository."""

    path: str
    anchors: frozenset[str]
    links: tuple[Link, ...]
    undefined: tuple[Link, ...]
    blocks: tuple[Block, ...]


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def parse(path: str, text: str) -> Document:
    tokens = _parser().parse(text)
    return Document(
        path,
        anchors=frozenset(slugs(_headings(tokens))),
        links=tuple(_links(tokens)),
        undefined=tuple(_undefined(tokens)),
        blocks=tuple(_blocks(path, tokens)),
    )


def slugs(headings: Iterable[str]) -> Iterator[str]:
    """The anchors that GitHub gives to headings: a repeated one gets -1, -2 and so on."""
    taken: set[str] = set()
    for heading in headings:
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        free = next(each for each in _numbered(slug) if each not in taken)
        taken.add(free)
        yield free


def _numbered(slug: str) -> Iterator[str]:
    yield slug
    number = 0
    while True:
        number += 1
        yield f"{slug}-{number}"


def _headings(tokens: list[Token]) -> Iterator[str]:
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            yield "".join(child.content for child in inline.children or () if child.type in {"text", "code_inline"})


def _links(tokens: list[Token]) -> Iterator[Link]:
    for line, token in _inline(tokens):
        target = token.attrGet("src" if token.type == "image" else "href")
        if target is not None:
            yield Link(line, str(target))


def _undefined(tokens: list[Token]) -> Iterator[Link]:
    """References such as `[text][label]` without a definition of the label: the parser leaves them as text."""
    for line, token in _inline(tokens):
        if token.type == "text":
            yield from (Link(line, found[1]) for found in re.finditer(r"\[[^\[\]]+\]\[([^\[\]]+)\]", token.content))


def _inline(tokens: list[Token]) -> Iterator[tuple[int, Token]]:
    """The parts of running text, each with its line: that of the last block or row before it, and the breaks since."""
    line = 0
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        breaks = 0
        for child in token.children or ():
            breaks += child.type in {"softbreak", "hardbreak"}
            yield line + breaks, child


def _blocks(path: str, tokens: list[Token]) -> Iterator[Block]:
    for token in tokens:
        if token.type in {"fence", "code_block"} and token.map:
            language, *marks = token.info.split() or [""]
            yield Block(path, token.map[0] + 1, language, tuple(marks), token.content)
