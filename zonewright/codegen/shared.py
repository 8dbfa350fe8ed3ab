"""shapes.yaml -> the shared types: as shapes to look for in CRDs, and as definitions for the model writer."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from zonewright.codegen import yaml12
from zonewright.codegen.schema.hoist import hoist
from zonewright.codegen.schema.prepare import finish, normalise
from zonewright.codegen.schema.shape import Shapes
from zonewright.codegen.schema.walk import Node

FILE = Path(__file__).with_name("shapes.yaml")


@dataclass(frozen=True, slots=True)
class SharedTypes:
    shapes: Shapes
    definitions: Mapping[str, Node]


@cache
def shared_types() -> SharedTypes:
    """Each type is named; what stands inside one and has a name of its own becomes a reference to it."""
    (document,) = yaml12.documents(FILE.read_text(encoding="utf-8"))
    nodes = {name: normalise(schema) for name, schema in document.items()}
    shapes = Shapes.of(nodes)
    definitions: dict[str, Node] = {}
    taken = set(nodes)
    for name, node in nodes.items():
        definitions |= hoist(node, root=name, locked={}, shapes=shapes, taken=taken).definitions
    return SharedTypes(shapes, finish(definitions))
