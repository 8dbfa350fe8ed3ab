"""The steps in their order: a CRD version's schema -> definitions for the model writer."""

from collections.abc import Mapping
from typing import Any

from zonewright.codegen.schema import hoist as hoisting
from zonewright.codegen.schema import structural
from zonewright.codegen.schema.bounds import normalise_bounds
from zonewright.codegen.schema.defaults import keep_scalar_default
from zonewright.codegen.schema.hoist import Hoisted
from zonewright.codegen.schema.keywords import keep_typing
from zonewright.codegen.schema.nullable import write_null
from zonewright.codegen.schema.patterns import translate_pattern
from zonewright.codegen.schema.root import inject_root
from zonewright.codegen.schema.scalars import name_scalars, widen_number
from zonewright.codegen.schema.shape import Shapes
from zonewright.codegen.schema.walk import Node, rewrite

# Each looks at one node whose children are done. The order matters: scalars look at formats, which keep_typing drops;
# bounds and defaults look at the one type, which widen_number makes two.
STEPS = (name_scalars, keep_typing, normalise_bounds, translate_pattern, keep_scalar_default, widen_number)


def normalise(schema: Mapping[str, Any]) -> Node:
    """The schema with everything in it that a type can say, said in one way."""
    for step in STEPS:
        schema = rewrite(schema, step)
    return dict(schema)


def prepare(
    schema: Mapping[str, Any],
    *,
    api_version: str,
    kind: str,
    root: str,
    locked: Mapping[str, str],
    shapes: Shapes,
    taken: set[str],
) -> Hoisted:
    """Definitions for one version of one kind; `taken` holds the names of its package and is added to."""
    structural.check_root(schema)
    normal = normalise(inject_root(schema, api_version=api_version, kind=kind))
    hoisted = hoisting.hoist(normal, root=root, locked=locked, shapes=shapes, taken=taken)
    return Hoisted(hoisted.root, finish(hoisted.definitions), hoisted.names)


def finish(definitions: Mapping[str, Node]) -> dict[str, Node]:
    return {name: rewrite(node, write_null) for name, node in definitions.items()}
