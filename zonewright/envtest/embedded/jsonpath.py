"""The part of JSONPath that CRDs use for columns and selectable fields: names, indexes, wildcards, equality filters."""

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

Step = Callable[[Any], Iterator[Any]]
TOKEN = re.compile(
    r"""\.?\[\?\(@\.(?P<filter>[^=!<>\s]+)\s*(?P<op>==|!=)\s*(?P<value>'[^']*'|"[^"]*"|[^)\s]+)\s*\)\]"""
    r"""|\.?\[['"](?P<quoted>[^'"]+)['"]\]|\.?\[(?P<index>-?\d+)\]|\.?(?P<all>\[\*\]|\*)"""
    r"""|\.?(?P<name>(?:\\.|[^.\[\]\\])+)"""
)


@lru_cache(maxsize=512)
def compile_path(path: str) -> tuple[Step, ...]:
    text = path.strip().removeprefix("{").removesuffix("}").removeprefix("$")
    steps: list[Step] = []
    position = 0
    while position < len(text):
        found = TOKEN.match(text, position)
        if found is None or found.end() == position:
            raise ValueError(f"cannot read the JSONPath {path!r} from {text[position:]!r} on")
        steps.append(step(found))
        position = found.end()
    return tuple(steps)


def step(found: re.Match[str]) -> Step:
    if found["filter"]:
        return matching(found["filter"], found["op"], literal(found["value"]))
    if found["index"]:
        return element(int(found["index"]))
    if found["all"]:
        return every
    name = found["quoted"] or re.sub(r"\\(.)", r"\1", found["name"])
    return member(name)


def literal(text: str) -> Any:
    if text[0] in "'\"":
        return text[1:-1]
    try:
        return json.loads(text)
    except ValueError:
        return text


def member(name: str) -> Step:
    def values(value: Any) -> Iterator[Any]:
        if isinstance(value, dict) and name in value:
            yield value[name]

    return values


def element(index: int) -> Step:
    def values(value: Any) -> Iterator[Any]:
        if isinstance(value, list) and -len(value) <= index < len(value):
            yield value[index]

    return values


def every(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def matching(path: str, operator: str, wanted: Any) -> Step:
    def values(value: Any) -> Iterator[Any]:
        for item in value if isinstance(value, list) else ():
            if (next(find("." + path, item), None) == wanted) is (operator == "=="):
                yield item

    return values


def find(path: str, value: Any) -> Iterator[Any]:
    """All values at `path`."""
    found = [value]
    for one in compile_path(path):
        found = [result for item in found for result in one(item)]
    return iter(found)
