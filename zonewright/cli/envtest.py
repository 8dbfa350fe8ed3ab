"""`zonewright envtest up | get | install | kind | orphans`. All is done elsewhere."""

from __future__ import annotations

import queue
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from zonewright.envtest import kind, listing, orphans
from zonewright.envtest.backend import BACKENDS, DEFAULT, backend, prepare
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.controlplane import binaries
from zonewright.envtest.errors import Unavailable
from zonewright.envtest.paths import make_cache_directory

app = typer.Typer(help="A Kubernetes API to develop and test on.", no_args_is_help=True, add_completion=False)
# What a command prints belongs on stdout; what this program says goes to stderr.
console = Console(stderr=True, highlight=False)

OURS = "current-context: envtest"  # how the kubeconfig of an earlier run is known

Command = Annotated[
    list[str] | None, typer.Argument(metavar="[-- CMD...]", help="run this, then stop", show_default=False)
]
ChosenBackend = Annotated[str, typer.Option("--backend", metavar="|".join(BACKENDS), help="where the API comes from")]


@app.command()
def up(
    command: Command = None,
    name: ChosenBackend = DEFAULT,
    kubeconfig: Annotated[Path | None, typer.Option(help="write the kubeconfig here too (external: read it)")] = None,
) -> None:
    """Start a Kubernetes API; run CMD with KUBECONFIG set, or wait for Ctrl-C."""
    make_cache_directory()
    with ExitStack() as stack:
        if kubeconfig is not None and name != "external":
            _refuse_to_overwrite(kubeconfig)
            stack.callback(kubeconfig.unlink, missing_ok=True)
        prepare(name)  # with its own progress, not behind the line below
        with console.status(f"starting {name}"):
            cluster = stack.enter_context(_start(name, kubeconfig))
        if kubeconfig is not None and name != "external":
            kubeconfig.touch(mode=0o600)
            shutil.copyfile(cluster.kubeconfig, kubeconfig)
        if command is None:
            console.print(f"[bold]{name}[/bold] is up at {cluster.server_url}; Ctrl-C ends it")
            console.print(f"  export KUBECONFIG={kubeconfig.resolve() if kubeconfig else cluster.kubeconfig}")
        status = run_or_wait(command, cluster.environment())
    raise typer.Exit(status)


def _start(name: str, kubeconfig: Path | None) -> AbstractContextManager[Cluster]:
    return backend(name, kubeconfig=kubeconfig) if name == "external" else backend(name)


def _refuse_to_overwrite(path: Path) -> None:
    if path.exists() and OURS not in path.read_text():
        raise Unavailable(f"{path} is another cluster's kubeconfig: choose a new file")


@app.command()
def install() -> None:
    """Get the real control plane's programs now: downloaded or built with Go, once for this machine."""
    make_cache_directory()
    try:
        found = binaries.ensure()
    except KeyboardInterrupt as interrupt:
        console.print("interrupted: the same command goes on where this one stopped")
        raise typer.Exit(130) from interrupt
    console.print(f"the control plane's programs are in {found}", markup=False, soft_wrap=True)


@app.command()
def get(
    word: Annotated[str, typer.Argument(metavar="RESOURCE", help="pods, namespaces, your own kinds, or a category")],
    namespace: Annotated[str, typer.Option("--namespace", "-n", help="this one only; default: all")] = "",
    context: Annotated[str | None, typer.Option(help="of the kubeconfig; default: the current one")] = None,
) -> None:
    """List objects of the cluster of KUBECONFIG, where there is no kubectl: name, Ready and its message."""
    with backend("external", context=context) as cluster:
        rows = listing.rows(cluster, word, namespace)
    for line in listing.table(rows):
        typer.echo(line)


kind_app = typer.Typer(help="A kind cluster that stays until it is deleted.", no_args_is_help=True)
app.add_typer(kind_app, name="kind")


@kind_app.command("up")
def kind_up(
    image: Annotated[str | None, typer.Option(envvar="KIND_IMAGE", help="node image; default: kind's own")] = None,
) -> None:
    """Create the cluster and put its context into KUBECONFIG."""
    created = kind.up(image)
    console.print(
        f"kind cluster {kind.CLUSTER_NAME} {'is up' if created else 'was up already'}: context kind-{kind.CLUSTER_NAME}"
    )


@kind_app.command("down")
def kind_down() -> None:
    """Delete the cluster."""
    kind.down()


@app.command("orphans")
def show_orphans() -> None:
    """Tell what earlier test runs left behind; exit with 1 if there is anything."""
    found = orphans.find()
    for orphan in found:
        console.print(f"{orphan.what}\n  end it with: {orphan.remedy}")
    if found:
        raise typer.Exit(1)
    console.print("nothing was left behind")


def run_or_wait(command: list[str] | None, environment: Mapping[str, str]) -> int:
    """Run a command and return its exit status, or wait for Ctrl-C."""
    if command:
        return _run(command, environment)
    # Not an event: a handler that interrupts its wait would wait for the lock that the wait holds.
    stopped: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _frame: stopped.put(number))
    stopped.get()
    return 0


def _run(command: list[str], environment: Mapping[str, str]) -> int:
    """Run a command in the foreground. Ctrl-C is for it; we stay to tidy up after it."""
    program = shutil.which(command[0], path=environment.get("PATH"))
    if program is None:
        console.print(f"{command[0]}: no such program")
        return 127
    child = subprocess.Popen([program, *command[1:]], env=environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    status = child.wait()
    return 128 - status if status < 0 else status  # as shells say "ended by a signal"
