"""Names: of classes, attributes, modules and packages. Pure; the same input always gives the same name."""

import builtins
import keyword
import re
from collections.abc import Iterable, Mapping

from pydantic import BaseModel

# Acronyms keep together and take their plural s: toFQDNs is to_fqdns, HTTPServer is http_server.
WORDS = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+[a-z]*")

# In a class body an attribute hides a type of the same name from every annotation after it.
TYPE_NAMES = {"bool", "dict", "float", "int", "list", "str"}
MODEL_ATTRIBUTES = {name for name in dir(BaseModel) if not name.startswith("__")} | {"to_dict", "to_json"}
RESERVED_ATTRIBUTES = frozenset(TYPE_NAMES | MODEL_ATTRIBUTES | set(keyword.kwlist))

# What a module of models imports or may mention; a kind of the same name becomes `<Name>Model`.
RESERVED_CLASSES = frozenset(
    {"Annotated", "Any", "BaseModel", "ConfigDict", "Field", "Literal", "Model", "Resource", "RootModel"}
    | {"TypeAliasType", "TYPE_CHECKING", "IntOrString", "Quantity", "Timestamp", "Union", "Optional"}
    | {name for name in dir(builtins) if name[0].isupper()}
)


def snake(text: str) -> str:
    """A wire name as a Python attribute: lower case, words apart, never empty, never starting with a digit or `_`."""
    words = [word.lower() for word in WORDS.findall(text)]
    name = "_".join(words) or "field"
    return f"field_{name}" if name[0].isdigit() else name


def pascal(text: str) -> str:
    """A kind or a step of a path as a part of a class name; capitals inside words are kept."""
    return "".join(part[0].upper() + part[1:] for part in re.findall(r"[A-Za-z0-9]+", text))


def class_name(text: str) -> str:
    name = pascal(text)
    return f"{name}Model" if name in RESERVED_CLASSES or keyword.iskeyword(name) else name


def attributes(wire_names: Iterable[str]) -> dict[str, str]:
    """Wire name -> attribute for the fields of one class. Where two meet, the first wire name in order has the name."""
    taken: set[str] = set()
    found: dict[str, str] = {}
    for wire in sorted(wire_names):
        name = snake(wire)
        found[wire] = unused(f"{name}_" if _reserved(name) else name, taken)
        taken.add(found[wire])
    return found


def _reserved(name: str) -> bool:
    return name in RESERVED_ATTRIBUTES or name.startswith("model_")


def module_name(kind: str) -> str:
    name = kind.lower()
    return f"{name}_" if keyword.iskeyword(name) else name


def package_name(group: str, version: str) -> str:
    name = re.sub(r"[^a-z0-9]", "_", f"{group}_{version}".lower())
    return f"group_{name}" if name[0].isdigit() else name


def unused(name: str, taken: Iterable[str]) -> str:
    """The name, or the first of name2, name3 ... that nobody has."""
    used = taken if isinstance(taken, (set, frozenset, Mapping)) else set(taken)
    separator = "_" if name.islower() else ""
    candidate, number = name, 2
    while candidate in used:
        candidate, number = f"{name.rstrip('_')}{separator}{number}", number + 1
    return candidate
