"""Label selectors, forwards and backwards: does it match these labels, and which ones match these labels?

`Selector` follows the API: an empty selector selects everything, a missing one (None) nothing, and NotIn and
DoesNotExist also match where the label is absent. `LabelIndex` answers the second question, for mappers: in time that
grows with the labels of the object and with the selectors that match, not with the selectors that exist. Pure.
"""

import re
import threading
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class Operator(StrEnum):
    """How a requirement compares a label, in the API's words."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"


class InvalidSelector(ValueError):
    """A selector that the API server would refuse too."""


@dataclass(frozen=True, slots=True)
class Requirement:
    key: str
    operator: Operator
    values: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        takes_values = self.operator in {Operator.IN, Operator.NOT_IN}
        if takes_values != bool(self.values):
            raise InvalidSelector(f"{self.operator} on {self.key!r} {'needs' if takes_values else 'takes no'} values")

    def matches(self, labels: Mapping[str, str]) -> bool:
        match self.operator:
            case Operator.IN:
                return labels.get(self.key) in self.values
            case Operator.NOT_IN:
                return labels.get(self.key) not in self.values
            case Operator.EXISTS:
                return self.key in labels
            case Operator.DOES_NOT_EXIST:
                return self.key not in labels

    def __str__(self) -> str:
        values = ",".join(sorted(self.values))
        match self.operator:
            case Operator.IN:
                return f"{self.key}={values}" if len(self.values) == 1 else f"{self.key} in ({values})"
            case Operator.NOT_IN:
                return f"{self.key}!={values}" if len(self.values) == 1 else f"{self.key} notin ({values})"
            case Operator.EXISTS:
                return self.key
            case Operator.DOES_NOT_EXIST:
                return f"!{self.key}"


@dataclass(frozen=True, slots=True)
class Selector:
    """All requirements must hold. `None` for them is the selector that is not there, and selects nothing."""

    requirements: tuple[Requirement, ...] | None = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether an object with these labels is selected."""
        if self.requirements is None:
            return False
        return all(requirement.matches(labels) for requirement in self.requirements)

    @classmethod
    def from_fields(cls, fields: Any) -> "Selector":
        """Of a metav1.LabelSelector: a dict, a model, or None."""
        if fields is None:
            return cls(None)
        labels, expressions = (
            _part(fields, "matchLabels", "match_labels"),
            _part(fields, "matchExpressions", "match_expressions"),
        )
        return cls(
            (
                *(Requirement(key, Operator.IN, frozenset((value,))) for key, value in (labels or {}).items()),
                *(_requirement(expression) for expression in expressions or ()),
            )
        )

    @classmethod
    def parse(cls, text: str) -> "Selector":
        """Of the form kubectl takes: `app=web,tier!=cache,env in (a,b),!legacy,team`."""
        return cls(tuple(_parse_requirement(part) for part in _COMMA.split(text) if part.strip()))

    def __str__(self) -> str:
        """As `labelSelector=` takes it."""
        return ",".join(map(str, self.requirements or ()))


# A comma that is not inside parentheses.
_COMMA = re.compile(r",(?![^()]*\))")
_SET = re.compile(r"^(?P<key>\S+)\s+(?P<operator>in|notin)\s*\((?P<values>[^()]*)\)$")
_EQUALITY = re.compile(r"^(?P<key>[^=!\s]+)\s*(?P<operator>==|=|!=)\s*(?P<value>[^=!\s]*)$")
_EXISTENCE = re.compile(r"^(?P<absent>!?)\s*(?P<key>[^=!\s(),]+)$")


def _parse_requirement(text: str) -> Requirement:
    text = text.strip()
    if found := _SET.match(text):
        values = frozenset(value.strip() for value in found["values"].split(","))
        return Requirement(found["key"], Operator.IN if found["operator"] == "in" else Operator.NOT_IN, values)
    if found := _EQUALITY.match(text):
        operator = Operator.NOT_IN if found["operator"] == "!=" else Operator.IN
        return Requirement(found["key"], operator, frozenset((found["value"],)))
    if found := _EXISTENCE.match(text):
        return Requirement(found["key"], Operator.DOES_NOT_EXIST if found["absent"] else Operator.EXISTS)
    raise InvalidSelector(f"{text!r} is not a label requirement: write key=value, key in (a,b), key or !key")


def _requirement(expression: Any) -> Requirement:
    operator = _part(expression, "operator", "operator")
    try:
        known = Operator(getattr(operator, "value", operator))
    except ValueError:
        raise InvalidSelector(f"{operator!r} is not one of {', '.join(Operator)}") from None
    return Requirement(_part(expression, "key", "key"), known, frozenset(_part(expression, "values", "values") or ()))


def _part(subject: Any, field: str, attribute: str) -> Any:
    return subject.get(field) if isinstance(subject, Mapping) else getattr(subject, attribute, None)


# What a selector is filed under: (label, value) for In, (label, None) for Exists.
_Anchor = tuple[str, str | None]


class LabelIndex(Generic[K]):
    """Labels -> the keys whose selectors match. A key has several selectors; one that matches is enough.

    Each selector is filed under one of its requirements only (In under each of its values), the one that fewest others
    use: of `app=web, team=payments` a thousand selectors share the first, so the second decides. What has nothing to
    be filed under (empty, NotIn, DoesNotExist) is looked at every time. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._selectors: dict[K, tuple[tuple[Selector, tuple[_Anchor, ...]], ...]] = {}
        self._filed: dict[_Anchor, dict[tuple[K, int], Selector]] = {}
        self._unfiled: dict[tuple[K, int], Selector] = {}
        self._popularity: dict[_Anchor, int] = {}  # how many selectors could be filed there

    def put(self, key: K, selectors: Iterable[Selector]) -> None:
        """The selectors of this key, in place of those it had."""
        with self._lock:
            self._remove(key)
            placed = []
            for at, selector in enumerate(s for s in selectors if s.requirements is not None):
                for anchor in _all_anchors(selector):
                    self._popularity[anchor] = self._popularity.get(anchor, 0) + 1
                anchors = self._choose(selector)
                for anchor in anchors:
                    self._filed.setdefault(anchor, {})[key, at] = selector
                if not anchors:
                    self._unfiled[key, at] = selector
                placed.append((selector, anchors))
            self._selectors[key] = tuple(placed)

    def remove(self, key: K) -> None:
        """Forget the selectors of this key."""
        with self._lock:
            self._remove(key)

    def match(self, labels: Mapping[str, str]) -> set[K]:
        """The keys one of whose selectors matches these labels."""
        with self._lock:
            return {key for (key, _), selector in self._candidates(labels) if selector.matches(labels)}

    def __len__(self) -> int:
        return len(self._selectors)

    def __contains__(self, key: K) -> bool:
        return key in self._selectors

    def _candidates(self, labels: Mapping[str, str]) -> Iterator[tuple[tuple[K, int], Selector]]:
        yield from self._unfiled.items()
        for label, value in labels.items():
            for anchor in ((label, value), (label, None)):
                filed = self._filed.get(anchor)
                if filed:
                    yield from filed.items()

    def _choose(self, selector: Selector) -> tuple[_Anchor, ...]:
        options = [anchors for r in selector.requirements or () if (anchors := _anchors(r))]
        return min(options, key=lambda anchors: sum(self._popularity[a] for a in anchors), default=())

    def _remove(self, key: K) -> None:
        for at, (selector, anchors) in enumerate(self._selectors.pop(key, ())):
            for anchor in _all_anchors(selector):
                self._popularity[anchor] -= 1
                if not self._popularity[anchor]:
                    del self._popularity[anchor]
            for anchor in anchors:
                del self._filed[anchor][key, at]
                if not self._filed[anchor]:
                    del self._filed[anchor]
            self._unfiled.pop((key, at), None)


def _anchors(requirement: Requirement) -> tuple[_Anchor, ...]:
    match requirement.operator:
        case Operator.IN:
            return tuple((requirement.key, value) for value in requirement.values)
        case Operator.EXISTS:
            return ((requirement.key, None),)
        case _:
            return ()


def _all_anchors(selector: Selector) -> Iterator[_Anchor]:
    for requirement in selector.requirements or ():
        yield from _anchors(requirement)
