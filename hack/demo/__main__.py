"""`make demo`: a plan of steps, as a person would type them; ends at the first that does not hold.

The API and the servers' answers are the only judges. kubectl and dig do what is shown where they are installed; else it
is done over the API and with a DNS client of our own."""

import os
import signal

if __name__ == "__main__":
    # Nothing is started yet: until main() takes over, an interrupt just ends it, without a traceback out of an import.
    for _number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(_number, lambda *_: os._exit(130))

import functools
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from hack.command import command
from hack.demo import endpoints, records
from hack.demo.steps import Act, Step
from testbed.stage import Stage, stage
from zonewright.testing import eventually

LIMIT = 60  # seconds for what takes one or two
FAILURES = (TimeoutError, RuntimeError, AssertionError)
console = Console(highlight=False, soft_wrap=True)


def main(
    backend: Annotated[str, typer.Option(help="embedded or controlplane")] = "embedded",
    of_endpoints: Annotated[
        bool, typer.Option("--endpoints", help="The plan of DNSEndpoints, Services and Ingresses.")
    ] = False,
) -> None:
    """Walk the manual test plan, or that of endpoints."""
    plan = endpoints if of_endpoints else records
    with command(), ExitStack() as stack:
        running = stack.enter_context(stage(backend))
        news = stack.enter_context(plan.watch(running))
        for number, step in enumerate(plan.steps(), 1):
            take(number, step, running, news)
        console.print("all steps hold")


def take(number: int, step: Step, running: Stage, news: Iterator[str]) -> None:
    """One step, to its end; exits when it does not hold."""
    console.print(f"[bold]{number:2}  {escape(step.text)}[/]")
    try:
        for act in step.does:
            _show(act, act(running), running)
        for act in step.holds:
            _show(act, eventually(functools.partial(act, running), timeout=LIMIT, what=step.text), running)
    except FAILURES as error:
        console.print("      [red]no[/]")
        console.print(f"{error}\n{running.manager_log()[-4000:]}", markup=False)
        sys.exit(1)
    for line in news:
        console.print(f"      [cyan]{escape(line)}[/]")


def _show(act: Act, found: object, running: Stage) -> None:
    """What was typed, and what came of it."""
    if typed := act.typed(running):
        console.print(f"      {escape(typed)} [green]✓[/]")
    if isinstance(found, str):
        for line in found.splitlines():
            console.print(f"        [dim]{escape(line)}[/]")


if __name__ == "__main__":
    typer.run(main)
