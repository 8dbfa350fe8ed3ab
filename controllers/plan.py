"""`python -m controllers plan`: the operator in a dry run, until it has read and planned everything, and what it found.

One process, one look: it starts what the operator starts, on the same flags, until no more is to be expected."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import Any

from controllers.flags import printable
from controllers.forecast import Forecast, Note, document, gather, text
from controllers.options import Options
from controllers.wiring import Parts, assemble
from reconcilers.timing import LONGEST_REST, MOMENT
from zonewright import ApiError, Config, Forbidden, Kind, Manager, NotFound, Request
from zonewright.log import without_secrets

QUIET = LONGEST_REST + 2 * MOMENT
"""Seconds in which no reconcile is due: what reconciles and the engine cause among themselves comes sooner."""

LOOK = 0.02
"""Seconds between looks whether all is done."""

TRIES = 3
"""What failed once may be well in a moment: an API server that starts, a CRD that is new."""

ASKING = 5.0
"""Seconds for one more question to an API server that has answered before."""

SERVERS = "bind9instance"
"""The controller that the engine hears of servers from."""


class Output(StrEnum):
    """How it is told."""

    TEXT = "text"
    JSON = "json"


class Exit(IntEnum):
    """As `terraform plan -detailed-exitcode` has it."""

    NOTHING = 0
    FAILED = 1
    CHANGES = 2


def plan(options: Options, config: Config, timeout: float) -> Forecast:
    """Read, plan, and stop. What does not come in `timeout` seconds is a problem of the forecast."""
    quiet = replace(options, dry_run=True, http="off", drain_seconds=0.0)
    parts = assemble(quiet, config)
    failures = Failures()
    for controller in parts.manager.controllers:
        controller.observer = failures.of(controller.name)
    parts.manager.start()
    try:
        return _Planning(parts, failures, time.monotonic() + timeout, timeout).forecast()
    finally:
        parts.manager.stop()


def show(forecast: Forecast, output: Output, say: Callable[[str], None]) -> Exit:
    """The exit code says of an incomplete plan that it failed, whatever is known to change."""
    if output is Output.JSON:
        say(json.dumps(document(forecast), indent=2))
    else:
        for line in text(forecast):
            say(printable(line))
    if not forecast.complete:
        return Exit.FAILED
    return Exit.CHANGES if forecast.changing else Exit.NOTHING


class Failures:
    """Reconciles that failed since they last succeeded: what they were about may be missing. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._errors: dict[tuple[str, Request], tuple[str, int]] = {}

    def of(self, controller: str) -> "_Observer":
        return _Observer(self, controller)

    def note(self, controller: str, request: Request, error: BaseException | None = None, failures: int = 0) -> None:
        with self._lock:
            if error is None:
                self._errors.pop((controller, request), None)
            else:
                text = f"{type(error).__name__}: {without_secrets(str(error))}"
                self._errors[controller, request] = text, failures

    def keep(self, controller: str) -> set[str]:
        """The objects of a controller that keep failing."""
        with self._lock:
            errors = list(self._errors.items())
        return {str(request) for (of, request), (_, failures) in errors if of == controller and failures >= TRIES}

    def problems(self) -> Iterator[Note]:
        with self._lock:
            errors = sorted(self._errors.items())
        for (controller, request), (error, _) in errors:
            yield Note(f"{controller} {request}", f"cannot be reconciled: {error}")


@dataclass(frozen=True, slots=True)
class _Observer:
    """Of one controller."""

    failures: Failures
    controller: str

    def succeeded(self, request: Request) -> None:
        self.failures.note(self.controller, request)

    def failed(self, request: Request, error: BaseException, failures: int, *, final: bool) -> None:
        self.failures.note(self.controller, request, error, TRIES if final else failures)


@dataclass(frozen=True, slots=True)
class _Planning:
    parts: Parts
    failures: Failures
    deadline: float
    timeout: float

    def forecast(self) -> Forecast:
        if problems := self._not_started():
            return Forecast(problems=tuple(problems))
        settled = self._settled()
        found = gather(self.parts.sources)
        problems = [*found.problems, *self.failures.problems()]
        if not settled:
            problems.append(Note("the plan", f"not everything was looked at within {self.timeout:g} s (--timeout)"))
        return replace(found, problems=tuple(problems))

    # -- reading objects

    def _not_started(self) -> list[Note]:
        """Without all objects there is nothing to plan: what is missing would look like what is to be removed."""
        manager = self.parts.manager
        while not manager.wait_until_working(LOOK):
            if manager.failure:
                return [Note("the operator", f"cannot start: {manager.failure}")]
            states = {each.kind: each.state() for each in manager.informers.informers()}
            unread = {kind: state for kind, state in states.items() if not state.synced}
            if unread and all(state.failures >= TRIES for state in unread.values()):
                return [Note(kind.resource, _why(manager, kind, state.last_error)) for kind, state in unread.items()]
            if time.monotonic() >= self.deadline:
                late = f"was not read within {self.timeout:g} s (--timeout)"
                errors = [Note(kind.resource, state.last_error or late) for kind, state in unread.items()]
                return errors or [Note("the API server", late)]
        return []

    # -- reading servers

    def _settled(self) -> bool:
        """Seen twice: what one part does last may wake another."""
        seen = 0
        while seen < 2:
            if time.monotonic() >= self.deadline:
                return False
            seen = seen + 1 if self._is_done() else 0
            time.sleep(LOOK)
        return True

    def _is_done(self) -> bool:
        parts, hopeless = self.parts, self.failures.keep(SERVERS)
        settled = all(each.settled or each.key.server in hopeless for each in parts.engine.outlook())
        done = settled and parts.engine.flush(QUIET)
        return done and all(each.queue.is_quiet(QUIET) for each in parts.manager.controllers)


def _why(manager: Manager, kind: Kind[Any], last_error: str) -> str:
    """Why a kind cannot be read, and what to do: its cache only knows what the API server said."""
    try:
        manager.client.request("GET", kind.path(manager.options.namespace), query={"limit": "1"}, timeout=ASKING)
    except NotFound as error:
        return f"the cluster does not serve this kind, is its CRD installed (config/crd)? {error}"
    except Forbidden as error:
        return f"it takes get, list and watch on this kind (config/rbac/role.yaml): {error}"
    except ApiError as error:
        return str(error)
    return last_error
