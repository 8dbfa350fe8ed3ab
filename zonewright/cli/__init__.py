"""The command `zonewright`: `generate`, `envtest`, `version`. What each does is in the module of its name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer
from rich.console import Console

import zonewright
from zonewright.cli import envtest, generate
from zonewright.envtest.errors import ApplyFailed, Refused, Unavailable
from zonewright.envtest.processes import ProgramFailed

app = typer.Typer(
    help="Kubernetes operators in Python: code from CRDs, and a Kubernetes API to develop on.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("generate")(generate.command)
app.add_typer(envtest.app, name="envtest")


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(zonewright.__version__)


@contextmanager
def reporting_obstacles() -> Iterator[None]:
    """What cannot be had is one line and exit code 1, not a traceback."""
    try:
        yield
    except (Unavailable, ProgramFailed, ApplyFailed, Refused, OSError) as obstacle:
        _complain(str(obstacle))


def _complain(text: str) -> NoReturn:
    Console(stderr=True, highlight=False).print(text, style="red", markup=False, soft_wrap=True)
    sys.exit(1)


def main() -> None:
    with reporting_obstacles():
        app(prog_name="zonewright")
