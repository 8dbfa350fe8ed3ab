"""Is a value what its schema says? Every way in which it is not becomes a cause that names the field.

The messages are kube-apiserver's, word for word. Knows schemas and JSON values only."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

import msgspec

from zonewright.envtest.embedded.errors import Cause, invalid_value, required, unsupported
from zonewright.envtest.embedded.formats import FORMATS
from zonewright.envtest.embedded.schema import Node, compile_schema

TYPES: Mapping[type, str] = {
    str: "string", bool: "boolean", int: "integer", float: "number", dict: "object", list: "array", type(None): "null",
}  # fmt: skip
Causes = list[Cause]


def validate(node: Node, value: Any, path: str, causes: Causes) -> None:
    if value is None and node.nullable:
        return
    if not fits_type(node, value):
        causes.append(wrong_type(node, value, path))
        check_enum(node.checks, value, path, causes)
        return
    if node.checks:
        check_value(node, value, path, causes)
    if isinstance(value, dict):
        validate_object(node, value, path, causes)
    elif isinstance(value, list):
        validate_list(node, value, path, causes)


def fits_type(node: Node, value: Any) -> bool:
    found = TYPES[type(value)]
    if node.int_or_string:
        return found in {"integer", "string"}
    return not node.type or found == node.type or (node.type == "number" and found == "integer") or whole(node, value)


def whole(node: Node, value: Any) -> bool:
    return node.type == "integer" and isinstance(value, float) and value.is_integer()


def wrong_type(node: Node, value: Any, path: str) -> Cause:
    wanted, found = ("integer,string" if node.int_or_string else node.type), TYPES[type(value)]
    message = f'Invalid value: "{found}": {path} in body must be of type {wanted}: "{found}"'
    return Cause(path or "<nil>", "FieldValueTypeInvalid", message)


def validate_object(node: Node, value: dict[str, Any], path: str, causes: Causes) -> None:
    causes.extend(required(f"{path}.{name}" if path else name) for name in node.required if name not in value)
    for name, item in value.items():
        child = node.properties.get(name) or node.additional
        if child is not None:
            validate(child, item, f"{path}.{name}" if path else name, causes)


def validate_list(node: Node, value: list[Any], path: str, causes: Causes) -> None:
    if node.items is not None:
        for index, item in enumerate(value):
            validate(node.items, item, f"{path}[{index}]", causes)
    if node.list_type == "set":
        check_unique(value, path, causes)
    elif node.list_type == "map":
        check_unique([keys_of(node, item) for item in value], path, causes)


def keys_of(node: Node, item: Any) -> Any:
    return {key: item[key] for key in node.list_keys if key in item} if isinstance(item, dict) else item


def check_unique(items: Sequence[Any], path: str, causes: Causes) -> None:
    seen: set[str] = set()
    for index, item in enumerate(items):
        text = quote(item)
        if text in seen:
            causes.append(Cause(f"{path}[{index}]", "FieldValueDuplicate", f"Duplicate value: {text}"))
        seen.add(text)


def quote(value: Any) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def check_value(node: Node, value: Any, path: str, causes: Causes) -> None:
    checks = node.checks
    check_enum(checks, value, path, causes)
    if isinstance(value, str):
        check_string(checks, value, path, causes)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        check_number(checks, value, path, causes)
    elif isinstance(value, list):
        check_size(checks, len(value), path, causes, "Items", "items")
    elif isinstance(value, dict):
        check_size(checks, len(value), path, causes, "Properties", "properties")
    check_combinations(checks, value, path, causes)


def check_enum(checks: Mapping[str, Any], value: Any, path: str, causes: Causes) -> None:
    if "enum" in checks and value not in checks["enum"]:
        causes.append(unsupported(path, quote(value), [quote(item) for item in checks["enum"]]))


def check_string(checks: Mapping[str, Any], value: str, path: str, causes: Causes) -> None:
    if len(value) < checks.get("minLength", 0):
        why = f"{path} in body should be at least {checks['minLength']} chars long"
        causes.append(invalid_value(path, quote(value), why))
    elif "maxLength" in checks and len(value) > checks["maxLength"]:
        causes.append(Cause(path, "FieldValueTooLong", f"Too long: may not be more than {checks['maxLength']} bytes"))
    elif "pattern" in checks and not pattern(checks["pattern"]).search(value):
        causes.append(invalid_value(path, quote(value), f"{path} in body should match '{checks['pattern']}'"))
    known = FORMATS.get(checks.get("format", ""))
    if known and not known(value):
        message = f"Invalid value: {quote(value)}: {path} in body must be of type {checks['format']}: {quote(value)}"
        causes.append(Cause(path, "FieldValueTypeInvalid", message))


@lru_cache(maxsize=512)
def pattern(text: str) -> re.Pattern[str]:
    r"""Go's regular expressions, where `\z` ends the text and `$` does not match before a final newline."""
    return re.compile(re.sub(r"(?<!\\)\$(?=$|\)|\|)", r"\\Z", text.replace(r"\z", r"\Z")))


def check_number(checks: Mapping[str, Any], value: float, path: str, causes: Causes) -> None:
    def refuse(why: str) -> None:
        causes.append(invalid_value(path, quote(value), f"{path} in body should be {why}"))

    low, high = checks.get("minimum"), checks.get("maximum")
    if high is not None and checks.get("exclusiveMaximum") and value >= high:
        refuse(f"less than {high}")
    elif high is not None and value > high:
        refuse(f"less than or equal to {high}")
    if low is not None and checks.get("exclusiveMinimum") and value <= low:
        refuse(f"greater than {low}")
    elif low is not None and value < low:
        refuse(f"greater than or equal to {low}")
    if "multipleOf" in checks and Decimal(str(value)) % Decimal(str(checks["multipleOf"])):
        refuse(f"a multiple of {checks['multipleOf']}")


def check_size(checks: Mapping[str, Any], size: int, path: str, causes: Causes, suffix: str, noun: str) -> None:
    if "max" + suffix in checks and size > (most := checks["max" + suffix]):
        causes.append(Cause(path, "FieldValueTooMany", f"Too many: {size}: must have at most {most} items"))
    if "min" + suffix in checks and size < (least := checks["min" + suffix]):
        causes.append(invalid_value(path, str(size), f"{path} in body should have at least {least} {noun}"))


def check_combinations(checks: Mapping[str, Any], value: Any, path: str, causes: Causes) -> None:
    for part in checks.get("allOf", ()):
        causes.extend(failures(part, value, path))
    if "anyOf" in checks:
        check_alternatives(checks["anyOf"], value, path, causes, "at least one schema (anyOf)", lambda n: n > 0)
    if "oneOf" in checks:
        check_alternatives(checks["oneOf"], value, path, causes, "one and only one schema (oneOf)", lambda n: n == 1)
    if "not" in checks and not failures(checks["not"], value, path):
        causes.append(combination(f'"{path}" must not validate the schema (not)'))


def check_alternatives(
    parts: Sequence[Any], value: Any, path: str, causes: Causes, rule: str, enough: Callable[[int], bool]
) -> None:
    results = [failures(part, value, path) for part in parts]
    valid = results.count([])
    if enough(valid):
        return
    found = f"Found {valid} valid alternatives" if valid else "Found none valid"
    exactly_one = "oneOf" in rule
    causes.append(combination(f'"{path}" must validate {rule}' + (f". {found}" if exactly_one else "")))
    if not valid:
        nearest: Causes = min(results, key=len)
        causes.extend(nearest)


def combination(message: str) -> Cause:
    return Cause("<nil>", "FieldValueInvalid", f'Invalid value: "": {message}')


def failures(part: Mapping[str, Any], value: Any, path: str) -> Causes:
    causes: Causes = []
    validate(compiled(json.dumps(part, sort_keys=True)), value, path, causes)
    return causes


@lru_cache(maxsize=512)
def compiled(text: str) -> Node:
    return compile_schema(json.loads(text))
