"""`python -m controllers`: the operator as a process, and what people need beside it."""

import os
import signal

if __name__ == "__main__":
    # Until the manager takes signals, Ctrl-C just ends the process, without a traceback out of an import.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

import contextlib
import gc
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from controllers import plan as planning
from controllers import release as releasing
from controllers.flags import Context, Kubeconfig, LeaseNamespace, printable, taking_flags
from controllers.options import COLLECTOR, COMPONENT, LEASE_NAMESPACE, Options, spelled
from controllers.wiring import build
from zonewright import CannotListen, Client, Config, ConfigError, SystemClock, get_logger

log = get_logger("controllers")


class Commands(TyperGroup):
    """Without the name of a command it is the operator that is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        args = spelled(args)
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=Commands,
    help="zonewright: DNS zones and records of a Kubernetes cluster, on BIND9 servers.",
    epilog="Without a command: run. Its flags: python -m controllers run --help",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class Plan(TyperCommand):
    """Its exit code 2 means changes: a command line that makes no sense is an error like others."""

    def make_context(self, *args: Any, **more: Any) -> Any:
        try:
            return super().make_context(*args, **more)
        except Exception as error:
            if hasattr(error, "exit_code"):
                error.exit_code = planning.Exit.FAILED.value
            raise


@app.command()
@taking_flags()
def run(options: Options, config: Config) -> None:
    """Run the operator. This is what happens without a command, too."""
    if options.dry_run:
        log.warning("dry run: nothing is written, neither to name servers nor to objects; /debug/dry-run has the plan")
    try:
        sys.exit(build(options, config).run())
    except CannotListen as error:
        typer.echo(
            f"zonewright: {error}; choose another address with --http (ZONEWRIGHT_HTTP), or --http off", err=True
        )
        raise typer.Exit(2) from error


@app.command(cls=Plan)
@taking_flags(usage_error=planning.Exit.FAILED, log_level="error", log_format="auto")
def plan(
    options: Options,
    config: Config,
    timeout: Annotated[float, typer.Option(min=1.0, help="Seconds until what was not read is given up.")] = 60.0,
    output: Annotated[planning.Output, typer.Option("--output", "-o", help="For people, or for programs.")] = (
        planning.Output.TEXT
    ),
) -> None:
    """Print what the operator would change, on the same flags, and change nothing.

    Reads the cluster and its name servers once, as the operator does, also while one is at work. Per zone and server
    `+` is an RRset that would be created, `-` deleted, `~` changed; then what would not be published, and why. Nothing
    is written: no UPDATE, no zone, no lease, no status, no finalizer, no event. All of the operator's flags are known
    here; --http, --drain-seconds and --leader-elect have no effect.

    The exit code is 0 when nothing would change, 2 when something would, 1 for an error, and when something could not
    be read: then the plan is not complete.
    """
    forecast = planning.plan(options, config, timeout)
    raise typer.Exit(planning.show(forecast, output, typer.echo))


@app.command()
def release(  # noqa: PLR0913, PLR0917 - the parameters are the command line
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="NAME, or NAMESPACE/NAME; default: all of the kind.")
    ] = None,
    namespace: Annotated[str, typer.Option("--namespace", "-n", help="Only there; default: all namespaces.")] = "",
    kind: Annotated[
        list[str] | None,
        typer.Option(help="dnsendpoint (the default), dnszone, a record kind like arecord, or all; repeatable."),
    ] = None,
    deleting: Annotated[bool, typer.Option("--deleting", help="Only objects that are being deleted.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be released, and write nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Also while an operator holds the leader lease.")] = False,
    lease_namespace: LeaseNamespace = LEASE_NAMESPACE,
    kubeconfig: Kubeconfig = None,
    context: Context = None,
) -> None:
    """Take zonewright's finalizers and claims off objects, so that deletions end without the operator.

    For when the operator was uninstalled, or lost its permission: objects with its finalizer can be deleted, and stay.
    Nothing is removed from DNS. While an operator is at work this refuses: it ends deletions by itself.

    The exit code is 0 when nothing is left, 1 when something is, 2 for a command line that makes no sense.
    """
    try:
        choice = releasing.Choice(releasing.kinds_named(kind or ()), namespace, tuple(names or ()), deleting)
        config = Config.load(kubeconfig=kubeconfig, context=context)
    except (releasing.InvalidChoice, ConfigError, ValueError) as error:
        typer.echo(f"zonewright: {error}", err=True)
        raise typer.Exit(2) from error
    with contextlib.closing(Client.from_config(config, user_agent=COMPONENT)) as client:
        code = releasing.run(
            client,
            releasing.Order(choice, lease_namespace, dry_run=dry_run, force=force),
            clock=SystemClock(),
            say=lambda line: typer.echo(printable(line)),
            complain=lambda line: typer.echo(printable(line), err=True),
            agree=lambda question: yes or _asked(question),
        )
    raise typer.Exit(code)


def _asked(question: str) -> bool:
    """On a terminal. Nobody else can answer."""
    if not sys.stdin.isatty():
        typer.echo(f"{question} There is no terminal to ask on: give --yes, or --dry-run to see which", err=True)
        return False
    return typer.confirm(question)


if __name__ == "__main__":
    gc.set_threshold(*COLLECTOR)
    app(prog_name="python -m controllers")
