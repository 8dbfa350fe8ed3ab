"""Walking a structural schema: the three places where a schema stands inside another one."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Node = dict[str, Any]
Change = Callable[[Node], Node]


def rewrite(schema: Mapping[str, Any], change: Change) -> Node:
    """A copy of the schema in which every node has gone through `change`, children first."""
    node = dict(schema)
    if "properties" in node:
        node["properties"] = {name: rewrite(child, change) for name, child in node["properties"].items()}
    for keyword in ("items", "additionalProperties"):
        if isinstance(node.get(keyword), Mapping):
            node[keyword] = rewrite(node[keyword], change)
    return change(node)


def children(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each schema directly inside this one with its step: `name`, `[]` for items, `{}` for map values."""
    yield from (schema.get("properties") or {}).items()
    if isinstance(schema.get("items"), Mapping):
        yield "[]", schema["items"]
    if isinstance(schema.get("additionalProperties"), Mapping):
        yield "{}", schema["additionalProperties"]
