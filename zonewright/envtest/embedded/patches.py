"""JSON merge patch (RFC 7396), JSON patch (RFC 6902) and strategic merge patch, on plain values. Pure."""

from copy import deepcopy
from typing import Any

from zonewright.envtest.embedded.errors import ApiError, bad_request
from zonewright.envtest.embedded.schema import Node

MERGE = "application/merge-patch+json"
JSON = "application/json-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
APPLY = "application/apply-patch+yaml"


def merge(target: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge(result.get(name), value)
    return result


def refused() -> ApiError:
    """kube-apiserver gives no more than this for a JSON patch that does not apply."""
    message = "the server rejected our request due to an error in our request"
    return ApiError(422, "Invalid", message, details={})


def json_patch(document: Any, operations: Any) -> Any:
    if not isinstance(operations, list):
        raise bad_request("error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch")
    document = deepcopy(document)
    for operation in operations:
        try:
            document = apply_operation(document, operation)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise refused() from error
    return document


def apply_operation(document: Any, operation: dict[str, Any]) -> Any:
    name, path = operation["op"], operation["path"]
    if name == "test":
        if read(document, path) != operation.get("value"):
            raise ValueError(path)
    elif name == "remove":
        remove(document, path)
    elif name == "replace":
        # kube-apiserver's library replaces what is not there as well, as long as its parent is.
        document = add(document, path, operation["value"], replace=True)
    elif name == "add":
        document = add(document, path, operation["value"])
    elif name == "copy":
        document = add(document, path, deepcopy(read(document, operation["from"])))
    elif name == "move":
        value = read(document, operation["from"])
        remove(document, operation["from"])
        document = add(document, path, value)
    else:
        raise ValueError(name)
    return document


def tokens(pointer: str) -> list[str]:
    if pointer and not pointer.startswith("/"):
        raise ValueError(pointer)
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def child(container: Any, token: str) -> Any:
    return container[index(container, token)] if isinstance(container, list) else container[token]


def index(container: list[Any], token: str) -> int:
    position = int(token)
    if not -len(container) <= position < len(container):
        raise IndexError(token)
    return position


def read(document: Any, pointer: str) -> Any:
    for token in tokens(pointer):
        document = child(document, token)
    return document


def parent(document: Any, pointer: str) -> tuple[Any, str]:
    *path, last = tokens(pointer)
    for token in path:
        document = child(document, token)
    return document, last


def remove(document: Any, pointer: str) -> None:
    container, last = parent(document, pointer)
    del container[index(container, last) if isinstance(container, list) else last]


def add(document: Any, pointer: str, value: Any, *, replace: bool = False) -> Any:
    if not tokens(pointer):
        return value
    container, last = parent(document, pointer)
    if not isinstance(container, list):
        container[last] = value
    elif replace:
        container[index(container, last)] = value
    elif last == "-":
        container.append(value)
    else:
        position = int(last)
        if position > len(container):
            raise IndexError(last)
        container.insert(position, value)
    return document


def strategic(node: Node | None, target: Any, patch: Any) -> Any:
    """Merge with the schema's help: a list with a merge key merges by it. Knows $patch and $deleteFromPrimitiveList."""
    if not isinstance(patch, dict):
        return patch
    if patch.get("$patch") == "replace":
        return {name: value for name, value in patch.items() if name != "$patch"}
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if name.startswith("$deleteFromPrimitiveList/"):
            field = name.partition("/")[2]
            result[field] = [item for item in result.get(field) or [] if item not in value]
        elif value is None or (isinstance(value, dict) and value.get("$patch") == "delete"):
            result.pop(name, None)
        elif not name.startswith("$"):
            below = (node.properties.get(name) or node.additional) if node else None
            result[name] = strategic_value(below, result.get(name), value)
    return result


def strategic_value(node: Node | None, target: Any, value: Any) -> Any:
    if isinstance(value, list) and node is not None and node.merges:
        return strategic_list(node, target if isinstance(target, list) else [], value)
    return strategic(node, target, value)


def strategic_list(node: Node, target: list[Any], patch: list[Any]) -> list[Any]:
    if not node.merge_key:
        return [*target, *(item for item in patch if item not in target)]
    if any(item.get("$patch") == "replace" for item in patch):
        return [item for item in patch if item.get("$patch") != "replace"]
    result = list(target)
    for item in patch:
        key = item.get(node.merge_key)
        if key is None:
            raise bad_request(f"map: {item} does not contain declared merge key: {node.merge_key}")
        place = next((i for i, one in enumerate(result) if one.get(node.merge_key) == key), None)
        if item.get("$patch") == "delete":
            result = [one for one in result if one.get(node.merge_key) != key]
        elif place is None:
            result.append(strategic(node.items, {}, item))
        else:
            result[place] = strategic(node.items, result[place], item)
    return result
