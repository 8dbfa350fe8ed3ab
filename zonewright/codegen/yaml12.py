"""YAML as Kubernetes people mean it: the YAML 1.2 core schema, on PyYAML's C parser.

PyYAML follows YAML 1.1, where `yes` is a boolean, `2020-01-01` a date, `1:30` the number 90 and a lone `=` an error. In
a CRD all of them are strings (enum values, mostly). Duplicate keys are refused: PyYAML would silently keep the last.
"""

import re
from collections.abc import Hashable, Iterator
from typing import Any

import yaml

from zonewright.codegen.errors import CodegenError

NULL = re.compile(r"^(?:~|null|Null|NULL|)$")
BOOL = re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")
INT = re.compile(r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$")
FLOAT = re.compile(
    r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
)


class Loader(yaml.CSafeLoader):
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - PyYAML's own declaration

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    raise CodegenError(f"line {key.start_mark.line + 1}: the key {key.value!r} appears twice")
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def _integer(loader: Loader, node: yaml.ScalarNode) -> int:
    text = loader.construct_scalar(node)
    # int(text, 0) refuses leading zeros; in YAML 1.2 `010` is ten.
    return int(text, 0) if text[:2] in {"0o", "0x"} else int(text)


# The order matters: a plain `1` matches both patterns and is an integer.
for _tag, _pattern, _first in (
    ("merge", re.compile(r"^<<$"), "<"),
    ("null", NULL, "~nN\0"),
    ("bool", BOOL, "tTfF"),
    ("int", INT, "-+0123456789"),
    ("float", FLOAT, "-+.0123456789"),
):
    for _character in _first:
        Loader.yaml_implicit_resolvers.setdefault("" if _character == "\0" else _character, []).append(
            (f"tag:yaml.org,2002:{_tag}", _pattern)
        )
Loader.add_constructor("tag:yaml.org,2002:int", _integer)


def documents(text: str) -> Iterator[Any]:
    """Every document of a YAML (or JSON) text; empty ones are left out."""
    try:
        for document in yaml.load_all(text, Loader=Loader):  # a safe loader, see above
            if document is not None:
                yield document
    except yaml.YAMLError as error:
        raise CodegenError(_explain(error)) from error
    except RecursionError as error:
        raise CodegenError("nested too deeply") from error


def _explain(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
    return f"{where}not valid YAML: {problem}"
