"""Which changes are worth a reconcile: pure functions of the object before and after.

Objects that appear or disappear always are. Labels, annotations and finalizers do not move the generation, so kinds
that are selected by label need `any_of(generation_changed, labels_changed, deletion_changed)`: with the generation
alone an object that is relabelled away from its selector is never noticed. They know nothing of queues.
"""

from typing import Any

from zonewright.api.objects import Object, Predicate

_Any = Object[Any] | None


def generation_changed(old: _Any, new: _Any) -> bool:
    """The spec changed: own status writes are not heard."""
    return old is None or new is None or old.generation != new.generation


def labels_changed(old: _Any, new: _Any) -> bool:
    """A label was added, changed or removed: selectors may choose otherwise."""
    return old is None or new is None or old.labels != new.labels


def annotations_changed(old: _Any, new: _Any) -> bool:
    """An annotation was added, changed or removed."""
    return old is None or new is None or old.annotations != new.annotations


def finalizers_changed(old: _Any, new: _Any) -> bool:
    """A finalizer was added or removed."""
    return old is None or new is None or tuple(old.finalizers) != tuple(new.finalizers)


def deletion_changed(old: _Any, new: _Any) -> bool:
    """Somebody asked for the object to be deleted, and its finalizers hold it."""
    return old is None or new is None or old.deleting != new.deleting


def any_of(*predicates: Predicate) -> Predicate:
    """At least one of them holds."""
    return lambda old, new: any(predicate(old, new) for predicate in predicates)


def all_of(*predicates: Predicate) -> Predicate:
    """Every one of them holds."""
    return lambda old, new: all(predicate(old, new) for predicate in predicates)


def negate(predicate: Predicate) -> Predicate:
    """It does not hold."""
    return lambda old, new: not predicate(old, new)
