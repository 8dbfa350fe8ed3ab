"""`python -m controllers release`: takes our finalizers and claims off objects, so that their deletion ends.

For when the operator is gone, or has lost its permission: nobody is left who would. Nothing is removed from DNS. Knows
the API server alone, no cache and no name server."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from controllers.options import LEASE
from generated import kinds
from reconcilers.desired.ownership import NAME_ANNOTATION, OWN_ANNOTATION, ZONE_ANNOTATION, finalizer
from reconcilers.records import RECORD_KINDS
from zonewright import (
    ApiError,
    Clock,
    Conflict,
    Forbidden,
    Gone,
    Kind,
    NotFound,
    Object,
    ServerError,
    TooManyRequests,
    Unreachable,
    metadata_patch,
)
from zonewright.api.builtin.kinds import Lease

_KINDS: tuple[Kind[Any], ...] = (kinds.DNSEndpoint, kinds.DNSZone, *sorted(RECORD_KINDS, key=lambda kind: kind.kind))
MARKED_KINDS = {kind.kind: kind for kind in _KINDS}
"""Every kind that gets a finalizer of ours."""

ANNOTATIONS = (ZONE_ANNOTATION, NAME_ANNOTATION, OWN_ANNOTATION)
TRIES = 6
"""Of one write: others may write the object, and the server may be busy."""
PAUSE = 0.5
"""Seconds after the first failure, doubled each time."""
WATCHED_FOR = 5.0
"""Seconds in which a living leader renews its lease twice."""


class Objects(Protocol):
    """The part of `Client` that is needed."""

    def get_fields(self, kind: Kind[Any], name: str, namespace: str) -> dict[str, Any]: ...
    def get_object(self, kind: Kind[Any], name: str, namespace: str) -> Object[Any]: ...
    def list_objects(self, kind: Kind[Any], namespace: str) -> list[Object[Any]]: ...
    def patch(self, kind: Kind[Any], name: str, body: dict[str, Any], *, namespace: str) -> Object[Any]: ...


class InvalidChoice(ValueError):
    """The text names what is wrong with an argument."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be released. No `names`: all of the kinds, in one namespace or ("") in all."""

    kinds: tuple[Kind[Any], ...] = (kinds.DNSEndpoint,)
    namespace: str = ""
    names: tuple[str, ...] = ()
    deleting: bool = False

    def __post_init__(self) -> None:
        if self.names and len(self.kinds) > 1:
            raise InvalidChoice("names of objects need one --kind that they are of")
        for name in self.names:
            if name.count("/") > 1 or not all(name.split("/")):
                raise InvalidChoice(f"{name!r} is neither NAME nor NAMESPACE/NAME")
            if "/" not in name and not self.namespace:
                raise InvalidChoice(f"{name}: say in which namespace, with --namespace or as NAMESPACE/{name}")

    def each(self) -> Iterator[tuple[str, str]]:
        """Namespace and name of each object that was named."""
        for text in self.names:
            namespace, _, name = text.rpartition("/")
            yield namespace or self.namespace, name

    def __str__(self) -> str:
        what = ", ".join(f"{kind.kind}s" for kind in self.kinds)
        where = f"in namespace {self.namespace}" if self.namespace else "in all namespaces"
        return f"{what} {where}{', being deleted' if self.deleting else ''}"


def kinds_named(names: Iterable[str]) -> tuple[Kind[Any], ...]:
    """From the text of `--kind`; `all` is every kind."""
    found: list[Kind[Any]] = []
    known = {name.lower(): kind for name, kind in MARKED_KINDS.items()}
    for name in names:
        if name.lower() == "all":
            found += known.values()
        elif (kind := known.get(name.lower().removesuffix("s"))) is None:
            raise InvalidChoice(f"--kind: {name!r} is none of {', '.join(MARKED_KINDS)}, all")
        else:
            found.append(kind)
    return tuple(dict.fromkeys(found)) or (kinds.DNSEndpoint,)


# --- what there is


@dataclass(slots=True)
class Found:
    """Objects with marks of ours, and what could not be looked at."""

    objects: list[Object[Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def find(api: Objects, choice: Choice) -> Found:
    """Read, and nothing else."""
    found = Found()
    for kind in choice.kinds:
        for obj in _named(api, kind, choice, found) if choice.names else _listed(api, kind, choice, found):
            if choice.deleting and not obj.deleting:
                continue
            if release_patch(obj) is not None:
                found.objects.append(obj)
    return found


def _listed(api: Objects, kind: Kind[Any], choice: Choice, found: Found) -> list[Object[Any]]:
    for attempt in range(TRIES):
        try:
            return api.list_objects(kind, choice.namespace)
        except NotFound:
            found.notes.append(f"the cluster has no {kind.kind}s: their CRD is not installed")
            return []
        except Gone as error:  # a page of a list that the server has forgotten meanwhile
            if attempt == TRIES - 1:
                found.problems.append(f"{kind.kind}s cannot be listed: {error}")
        except ApiError as error:
            found.problems.append(f"{kind.kind}s cannot be listed: {error}")
            return []
    return []


def _named(api: Objects, kind: Kind[Any], choice: Choice, found: Found) -> Iterator[Object[Any]]:
    for namespace, name in choice.each():
        try:
            yield api.get_object(kind, name, namespace)
        except NotFound as error:
            found.problems.append(f"{kind.kind} {namespace}/{name} is not there: {error}")
        except ApiError as error:
            found.problems.append(f"{kind.kind} {namespace}/{name} cannot be read: {error}")


# --- what is done about it


class Did(StrEnum):
    """What became of an object."""

    RELEASED = "released"
    GONE = "gone"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one object, in words."""

    did: Did
    subject: str
    detail: str

    def __str__(self) -> str:
        return f"{self.did} {self.subject}: {self.detail}"


def release_patch(obj: Object[Any]) -> dict[str, Any] | None:
    """Takes off what is ours; None if it has nothing of ours."""
    return metadata_patch(obj, annotations=dict.fromkeys(ANNOTATIONS), remove_finalizers=[finalizer(obj.kind.kind)])


def marks(obj: Object[Any]) -> str:
    """What of ours is on an object, for people."""
    ours = [f"finalizer {name}" for name in obj.finalizers if name == finalizer(obj.kind.kind)]
    ours += [f"{name}={obj.annotations[name]}" for name in ANNOTATIONS if name in obj.annotations]
    return ", ".join(ours)


def subject(obj: Object[Any]) -> str:
    return f"{obj.kind.kind} {obj.namespace}/{obj.name}"


def release(api: Objects, objects: Sequence[Object[Any]], clock: Clock) -> Iterator[Outcome]:
    """One after the other. An API server that is not there is asked once."""
    away = ""
    for obj in objects:
        if away:
            yield Outcome(Did.LEFT, subject(obj), f"not tried: {away}")
            continue
        try:
            yield _release(api, obj, clock)
        except Unreachable as error:
            away = str(error)
            yield Outcome(Did.LEFT, subject(obj), away)
        except Forbidden as error:
            text = f"{error}; it takes the verb patch on {obj.kind.resource}"
            yield Outcome(Did.LEFT, subject(obj), text)
        except ApiError as error:
            yield Outcome(Did.LEFT, subject(obj), str(error))


def _release(api: Objects, obj: Object[Any], clock: Clock) -> Outcome:
    """Decided anew when somebody else was faster; an object that was replaced is another one."""
    name, taken = subject(obj), marks(obj)
    for attempt in range(TRIES):
        try:
            if attempt:
                fresh = api.get_object(obj.kind, obj.name, obj.namespace)
                if fresh.uid != obj.uid:
                    return Outcome(Did.GONE, name, "it was deleted, and another one created in its place")
                obj = fresh
            patch = release_patch(obj)
            if patch is None:
                return Outcome(Did.RELEASED, name, "it is done already")
            written = api.patch(obj.kind, obj.name, patch, namespace=obj.namespace)
        except NotFound:
            return Outcome(Did.GONE, name, "it was deleted meanwhile")
        except (Conflict, TooManyRequests, ServerError) as error:
            if attempt == TRIES - 1:
                raise
            clock.sleep(max(PAUSE * 2.0**attempt, getattr(error, "retry_after", 0.0)))
        else:
            return Outcome(Did.RELEASED, name, taken + _afterwards(written))
    raise AssertionError("the last try returns or raises")


def _afterwards(written: Object[Any]) -> str:
    if not written.deleting:
        return "; it stays, for it is not being deleted"
    others = ", ".join(written.finalizers)
    return f"; its deletion waits for {others}" if others else "; its deletion ends with that"


# --- whether somebody is at work


def operator_at_work(api: Objects, namespace: str, clock: Clock) -> str:
    """Who holds the leader lease and renews it, "" if nobody does. Raises ApiError if that cannot be told.

    The clocks of two machines may differ: one that looks stale is watched for as long as a renewal takes."""
    lease = _lease(api, namespace)
    holder = str(lease.get("holderIdentity") or "")
    if not holder or _is_fresh(lease, clock.now()):
        return holder
    clock.sleep(WATCHED_FOR)
    later = _lease(api, namespace)
    return str(later.get("holderIdentity") or "") if later.get("renewTime") != lease.get("renewTime") else ""


def _lease(api: Objects, namespace: str) -> dict[str, Any]:
    try:
        return dict(api.get_fields(Lease, LEASE, namespace).get("spec") or {})
    except NotFound:
        return {}


def _is_fresh(lease: dict[str, Any], now: dt.datetime) -> bool:
    try:
        renewed = dt.datetime.fromisoformat(str(lease.get("renewTime")))
        return now < renewed + dt.timedelta(seconds=float(lease.get("leaseDurationSeconds") or 0))
    except (ValueError, TypeError, OverflowError):  # anybody may write a Lease
        return False


# --- the command


@dataclass(frozen=True, slots=True)
class Order:
    """How it is asked for."""

    choice: Choice
    lease_namespace: str
    dry_run: bool = False
    force: bool = False


def run(
    api: Objects,
    order: Order,
    *,
    clock: Clock,
    say: Callable[[str], None],
    complain: Callable[[str], None],
    agree: Callable[[str], bool],
) -> int:
    """The exit code: 0 when nothing of ours is left on what was chosen, else 1. `agree` asks somebody."""
    found = find(api, order.choice)
    for note in found.notes:
        say(note)
    for problem in found.problems:
        complain(problem)
    if not found.objects:
        say(f"nothing to release: no finalizer and no claim of zonewright on {order.choice}")
        return 1 if found.problems else 0
    if order.dry_run:
        for obj in found.objects:
            say(f"would release {subject(obj)}: {marks(obj)}")
        return 1 if found.problems else 0
    if not order.force and (obstacle := _obstacle(api, order.lease_namespace, clock)):
        complain(obstacle)
        return 1
    if not agree(_question(found.objects)):
        complain("nothing was released")
        return 1
    outcomes = _told(release(api, found.objects, clock), say, complain)
    left = outcomes.count(Did.LEFT)
    say(f"{outcomes.count(Did.RELEASED)} released, {outcomes.count(Did.GONE)} gone, {left} left")
    return 1 if left or found.problems else 0


def _told(outcomes: Iterable[Outcome], say: Callable[[str], None], complain: Callable[[str], None]) -> list[Did]:
    found = []
    for outcome in outcomes:
        (complain if outcome.did is Did.LEFT else say)(str(outcome))
        found.append(outcome.did)
    return found


def _obstacle(api: Objects, namespace: str, clock: Clock) -> str:
    """Why nothing may be released: an operator at work puts its marks on again, and forgets what it has in DNS."""
    lease = f"lease {namespace}/{LEASE}"
    try:
        holder = operator_at_work(api, namespace, clock)
    except ApiError as error:
        return f"whether an operator is at work cannot be told from {lease}: {error}; --force does without"
    if not holder:
        return ""
    return (
        f"an operator is at work: {holder} holds {lease}. It ends deletions by itself; stop it first "
        "(or wait until its lease has run out), or use --force"
    )


def _question(objects: Sequence[Object[Any]]) -> str:
    live = sum(not obj.deleting for obj in objects)
    what = f"Release {len(objects)} object{'s' if len(objects) > 1 else ''}"
    also = f", {live} of which not being deleted" if live else ""
    return f"{what}{also}? What they have in DNS stays there, and nobody remembers that it is theirs."
