"""When something breaks: rules that match calls, count, and roll dice from a seed. Pure, but for the lock.

Every random draw happens in the order of the calls, so one seed and one order of calls give one outcome."""

import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from zonewright.envtest.chaos.faults import Fault

VERBS = {"POST": "POST", "PUT": "PUT", "PATCH": "PATCH", "DELETE": "DELETE"}


@dataclass(frozen=True, slots=True)
class Call:
    """One request, as rules and tests see it; `verb` is GET, LIST, WATCH, POST, PUT, PATCH or DELETE."""

    method: str
    path: str
    verb: str
    group: str = ""
    resource: str = ""
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    query: Mapping[str, str] = field(default_factory=dict)


def parse_call(method: str, path: str, query: Mapping[str, str]) -> Call:
    parts = path.strip("/").split("/")
    group, rest = ("", parts[2:]) if parts[0] == "api" else (parts[1], parts[3:]) if len(parts) > 2 else ("", [])
    namespace = ""
    if len(rest) > 2 and rest[0] == "namespaces" and rest[2] not in {"status", "finalize"}:
        namespace, rest = rest[1], rest[2:]
    resource, name, subresource = (*rest, "", "", "")[:3]
    watch = query.get("watch", "").lower() in {"1", "true"}
    verb = VERBS.get(method, "WATCH" if watch else "GET" if name or not resource else "LIST")
    return Call(method, path, verb, group, resource, namespace, name, subresource, dict(query))


Match = Callable[[Call], bool]


@dataclass(slots=True, eq=False)
class Rule:
    """A fault and the calls it befalls. `hits` counts how often it did."""

    fault: Fault
    match: Match
    times: int | None = None
    probability: float = 1.0
    skip: int = 0
    hits: int = 0

    def strikes(self, call: Call, dice: random.Random) -> bool:
        if (self.times is not None and self.hits >= self.times) or not self.match(call):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.probability < 1.0 and dice.random() >= self.probability:
            return False
        self.hits += 1
        return True


def matcher(match: Match | None, wanted: Mapping[str, str]) -> Match:
    """All of `wanted` (fields of Call) and `match`."""
    if unknown := wanted.keys() - set(Call.__dataclass_fields__):
        raise TypeError(f"a call has no {', '.join(sorted(unknown))}")

    def matches(call: Call) -> bool:
        named = all(getattr(call, name) == value for name, value in wanted.items())
        return named and (match is None or match(call))

    return matches


class RuleBook:
    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)  # noqa: S311 (repeatable on purpose)
        self._rules: list[Rule] = []
        self._lock = threading.Lock()

    def add(self, rule: Rule) -> None:
        with self._lock:
            self._rules.append(rule)

    def remove(self, rule: Rule) -> None:
        with self._lock:
            self._rules.remove(rule)

    def clear(self) -> None:
        with self._lock:
            self._rules.clear()

    def decide(self, call: Call) -> list[Fault]:
        """The faults that befall this call, in the order in which their rules were added."""
        with self._lock:
            return [rule.fault for rule in self._rules if rule.strikes(call, self._dice)]
