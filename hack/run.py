"""`make run`: the operator at work. On a cluster if you have one, else on an API and name servers of its own.

With KUBECONFIG or --context the manager runs against that cluster. Without, an embedded API (or a real control plane
with --backend controlplane), a primary and a secondary BIND server, the CRDs and the samples are set up, and a live
summary shows zones and records until Ctrl-C. kubectl is not needed for any of it."""

import os
import signal

if __name__ == "__main__":
    # Nothing is started yet: until main() takes over, an interrupt just ends it, without a traceback out of an import.
    for _number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(_number, lambda *_: os._exit(130))

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from generated import kinds
from hack import panel, yours
from hack.command import command, stopping
from reconcilers.records import RECORD_KINDS
from testbed.stage import GROUP, SAMPLES, Stage, stage
from zonewright import envtest

console = Console()


def main(
    backend: Annotated[str, typer.Option(help="embedded or controlplane, when there is no cluster.")] = "",
    context: Annotated[str, typer.Option(help="Run against this context of your kubeconfig.")] = "",
    install_crds: Annotated[bool, typer.Option(help="Apply config/crd to your cluster first.")] = False,
    cluster_name: Annotated[str, typer.Option(help="Marks zones as this operator's.")] = "make-run",
    seconds: Annotated[float, typer.Option(help="Stop by itself after this long; 0: when you press Ctrl-C.")] = 0.0,
) -> None:
    """Run zonewright."""
    with command():
        if not backend and (context or os.environ.get("KUBECONFIG")):
            yours.run(context, cluster_name, install=install_crds)
        else:
            on_its_own(backend or "embedded", cluster_name, seconds)


def on_its_own(backend: str, cluster_name: str, seconds: float) -> None:
    envtest.prepare(backend)
    with ExitStack() as stack:
        with console.status("starting the API and the name servers"):
            running = stack.enter_context(stage(backend))
            deploy(running, cluster_name)
        show_panel(running)
        watch(running, seconds)


def deploy(running: Stage, cluster_name: str) -> None:
    running.install_crds()
    running.cluster.apply(SAMPLES)
    running.register_servers(panel.NAMESPACE)
    running.start_manager(cluster_name=cluster_name)


def show_panel(running: Stage) -> None:
    """Without a frame and without wrapping: the lines are for copying."""
    console.rule("try, in another terminal", align="left")
    for line in panel.lines(running):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.rule("Ctrl-C stops everything", align="left")


def watch(running: Stage, seconds: float) -> None:
    deadline = time.monotonic() + seconds if seconds else float("inf")
    with ExitStack() as stack:
        live = stack.enter_context(Live(console=console, auto_refresh=False)) if console.is_terminal else None
        while time.monotonic() < deadline and not stopping.is_set():
            if running.manager is not None:
                running.manager.check()
            if live is not None:
                live.update(summary(running), refresh=True)
            time.sleep(0.5)


def summary(running: Stage) -> Group:
    return Group(zones(running), records(running), *endpoints(running))


def zones(running: Stage) -> Table:
    table = Table("zone", "records", "ready", "serial", "state", title="DNSZones", title_justify="left")
    for item in _items(running, "dnszones"):
        status = item.get("status") or {}
        counts = f"{status.get('readyRecordsCount', 0)}/{status.get('recordsCount', 0)}"
        serial = str(status.get("serial", ""))
        table.add_row(item["spec"]["zoneName"], counts, _mark(status, "Ready"), serial, _message(status))
    return table


def records(running: Stage) -> Table:
    table = Table("kind", "name", "value", "ready", "propagated", title="records", title_justify="left")
    for kind in RECORD_KINDS:
        for item in _items(running, kind.plural):
            status = item.get("status") or {}
            value = escape(status.get("addresses") or "") or _message(status)
            table.add_row(kind.kind, item["spec"]["name"], value, _mark(status, "Ready"), _mark(status, "Propagated"))
    return table


def endpoints(running: Stage) -> Iterator[Table]:
    """Those of DNSEndpoints; no table while there are none."""
    found = running.cluster.get(kinds.DNSEndpoint.path(""))["items"]
    if not found:
        return
    table = Table("namespace", "name", "programmed", "ready", "why", title="DNSEndpoints", title_justify="left")
    for item in found:
        status, meta = item.get("status") or {}, item["metadata"]
        why = _message(status)
        table.add_row(meta["namespace"], meta["name"], status.get("records", ""), _mark(status, "Ready"), why)
    yield table


def _items(running: Stage, plural: str) -> list[dict[str, Any]]:
    return list(running.cluster.get(f"{GROUP}/{plural}")["items"])


def _condition(status: dict[str, Any], kind: str) -> dict[str, Any]:
    return next((each for each in status.get("conditions") or () if each["type"] == kind), {})


def _mark(status: dict[str, Any], kind: str) -> str:
    return {"True": "[green]yes[/]", "False": "[red]no[/]"}.get(_condition(status, kind).get("status", ""), "[dim]…[/]")


def _message(status: dict[str, Any]) -> str:
    return escape(str(_condition(status, "Ready").get("message", "")))


if __name__ == "__main__":
    typer.run(main)
