"""The options of a cache: which objects of a kind it holds, and what of each. Types only.

`Manager.informer`, `InformerSet.informer` and the controller's builder take them as keywords; `cache/shape.py` checks
and applies them. They are here because controllers do not import caches.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias, TypedDict

Transform: TypeAlias = Callable[[dict[str, Any]], Mapping[str, Any]]
"""An object's fields -> what is stored of them. May change what it gets; name, namespace, uid and versions stay."""


class Selection(TypedDict, total=False):
    """Which objects, and what of them."""

    namespaces: Collection[str]
    """These only, each with a watch of its own; without it the manager's, or all."""
    label_selector: str
    """As kubectl writes it: `app=web,tier!=cache`. The server selects: what does not match is never sent."""
    field_selector: str
    """As kubectl writes it: `status.phase=Running`. Which fields a kind has for this is up to the server."""
    transform: Transform
    """Called for every object before it is stored. One function is one cache: pass the same, not a lambda each time."""


class Shaping(Selection, total=False):
    """The same, and whether only metadata is asked for."""

    metadata_only: bool
    """The server sends nothing but metadata; objects are `PartialObjectMetadata`."""
