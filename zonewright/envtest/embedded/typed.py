"""Applied configuration must fit its schema before anything else is looked at, because fields are owned by their type.

kube-apiserver answers 500 where it does not fit; this says the same in the same words. Pure."""

from collections.abc import Iterator
from typing import Any

from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.ownership import element_of, spell
from zonewright.envtest.embedded.schema import Node
from zonewright.envtest.embedded.validation import fits_type

Path = tuple[str, ...]


def check(root: Node, config: dict[str, Any], what: str) -> None:
    found = list(misfits(root, config, ()))
    if found:
        listed = found[0] if len(found) == 1 else "errors:\n" + "\n".join(f"  {one}" for one in found)
        raise ApiError(500, "", f"failed to create typed patch object ({what}): {listed}")


def misfits(node: Node, value: Any, path: Path) -> Iterator[str]:
    if value is None:
        return
    if node.int_or_string:
        return
    if not fits_type(node, value):
        yield f"{spell(path)}: expected {node.type or 'integer or string'}, got {value!r}"
    elif isinstance(value, dict):
        yield from misfits_of_object(node, value, path)
    elif isinstance(value, list) and node.items is not None:
        yield from misfits_of_list(node, value, path)


def misfits_of_object(node: Node, value: dict[str, Any], path: Path) -> Iterator[str]:
    for name, item in value.items():
        place = (*path, f"f:{name}")
        child = node.properties.get(name) or node.additional
        if child is not None:
            yield from misfits(child, item, place)
        elif not node.preserve and not node.embedded:
            yield f"{spell(place)}: field not declared in schema"


def misfits_of_list(node: Node, value: list[Any], path: Path) -> Iterator[str]:
    seen: set[str] = set()
    for item in value:
        if node.list_type == "map" and isinstance(item, dict) and not item.keys() & set(node.list_keys):
            yield f"{spell(path)}: element 0: associative list with keys has an element that omits key field"
            continue
        element = element_of(node, item)
        if node.list_type in {"set", "map"} and element in seen:
            yield f"{spell(path)}: duplicate entries for key {spell((element,))}"
        seen.add(element)
        if node.items is not None:
            yield from misfits(node.items, item, (*path, element))
