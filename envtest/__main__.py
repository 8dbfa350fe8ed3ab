"""The command line: `python -m envtest up | get | install | named | kind | orphans`. All is done elsewhere."""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from envtest import kind, listing, orphans
from envtest.backend import BACKENDS, DEFAULT, backend, prepare
from envtest.cluster import Cluster
from envtest.controlplane import binaries
from envtest.errors import ApplyFailed, Refused, Unavailable
from envtest.named import NameServer, TsigKey, register
from envtest.named import console as trouble
from envtest.paths import make_cache_directory
from envtest.processes import ProgramFailed, Run

app = typer.Typer(
    help="A Kubernetes API and name servers to develop and test on.", no_args_is_help=True, add_completion=False
)
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
        status = _run_or_wait(command, cluster.environment())
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
    word: Annotated[str, typer.Argument(metavar="RESOURCE", help="dnszones, arecords, namespaces ..., or a category")],
    namespace: Annotated[str, typer.Option("--namespace", "-n", help="this one only; default: all")] = "",
    context: Annotated[str | None, typer.Option(help="of the kubeconfig; default: the current one")] = None,
) -> None:
    """List objects of the cluster of KUBECONFIG, where there is no kubectl: name, Ready and its message."""
    with backend("external", context=context) as cluster:
        rows = listing.rows(cluster, word, namespace)
    for line in listing.table(rows):
        typer.echo(line)


@app.command()
def named(
    command: Command = None,
    primaries: Annotated[int, typer.Option(min=0, help="how many primaries")] = 1,
    secondaries: Annotated[int, typer.Option(min=0, help="how many secondaries")] = 1,
    zone: Annotated[str | None, typer.Option(help="serve this zone on all of them from the start")] = None,
    namespace: Annotated[
        str | None, typer.Option(help="register them as external Bind9Instances here, with KUBECONFIG")
    ] = None,
) -> None:
    """Start BIND servers; run CMD with NAMED_0_PORT and so on set, or take orders (kill, cut ...) until Ctrl-C."""
    with ExitStack() as stack:
        run = stack.enter_context(Run())
        servers = _start_servers(stack, run, primaries, secondaries)
        if zone is not None:
            _serve(zone, servers)
        if namespace is not None:
            cluster = stack.enter_context(backend("external"))
            for server in servers:
                register(server, cluster, namespace)
        _show(servers)
        if command is None and sys.stdin.isatty():
            _take_orders(servers)
        else:
            status = _run_or_wait(command, {**os.environ, **_variables(servers)})
            raise typer.Exit(status)


def _take_orders(servers: list[NameServer]) -> None:
    """Do to the servers what is typed, until Ctrl-C or Ctrl-D."""
    console.print(f"type what shall happen; Ctrl-C ends it:  {trouble.usage(servers)}", markup=False)
    with contextlib.suppress(KeyboardInterrupt):
        for line in sys.stdin:
            console.print(trouble.obey(line, servers), markup=False)


def _start_servers(stack: ExitStack, run: Run, primaries: int, secondaries: int) -> list[NameServer]:
    key = TsigKey.create("zonewright")
    names = [("primary", number) for number in range(primaries)] + [("secondary", n) for n in range(secondaries)]
    servers = [NameServer(run, role=role, name=f"{role}-{number}", key=key, cuttable=True) for role, number in names]
    for server in servers:
        stack.callback(server.close)
        server.start(wait=False)
    for server in servers:
        server.wait_ready()
    return servers


def _serve(zone: str, servers: list[NameServer]) -> None:
    sources = [server for server in servers if server.role == "primary"]
    for server in servers:
        server.add_zone(zone, primaries=() if server.role == "primary" else sources)


def _show(servers: list[NameServer]) -> None:
    table = Table("server", "DNS", "bindcar", box=None)
    for server in servers:
        table.add_row(server.name, f"{server.address} -p {server.port}", server.bindcar_url or "-")
    console.print(table)
    for server in servers[:1]:  # all have the same key
        console.print(f"key: nsupdate -k {server.key_file}", soft_wrap=True)


def _variables(servers: list[NameServer]) -> dict[str, str]:
    variables = {}
    for number, server in enumerate(servers):
        variables[f"NAMED_{number}_PORT"] = str(server.port)
        variables[f"NAMED_{number}_KEY_FILE"] = str(server.key_file)
    return variables


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


def _run_or_wait(command: list[str] | None, environment: Mapping[str, str]) -> int:
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


def main() -> None:
    """Run the command line; what cannot be had is one line and exit code 1, not a traceback."""
    try:
        app()
    except (Unavailable, ProgramFailed, ApplyFailed, Refused, OSError) as obstacle:
        console.print(str(obstacle), style="red", markup=False, soft_wrap=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
