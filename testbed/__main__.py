"""`python -m testbed`: real BIND servers in the foreground, to try things on."""

import contextlib
import os
import sys
from contextlib import ExitStack
from typing import Annotated

import typer
from rich.table import Table

from testbed.named import NameServer, TsigKey, register
from testbed.named import console as trouble
from zonewright.cli import reporting_obstacles
from zonewright.cli.envtest import Command, console, run_or_wait
from zonewright.envtest.backend import backend
from zonewright.envtest.processes import Run


def main(
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
            status = run_or_wait(command, {**os.environ, **_variables(servers)})
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


if __name__ == "__main__":
    with reporting_obstacles():
        typer.run(main)
