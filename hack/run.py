"""`make run`: the operator at work. On a cluster if you have one, else on an API and name servers of its own.

With KUBECONFIG or --context the manager runs against that cluster. Without, an embedded API (or a real control plane
with --backend controlplane), a primary and a secondary BIND server, the CRDs and the samples are set up, and a live
summary shows zones and records until Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table

from generated.kinds import RECORD_KINDS
from hack.stage import CRDS, GROUP, SAMPLES, Stage, stage

NAMESPACE = "dns-system"
console = Console()


def main(
    backend: Annotated[str, typer.Option(help="embedded or controlplane, when there is no cluster.")] = "",
    context: Annotated[str, typer.Option(help="Run against this context of your kubeconfig.")] = "",
    install_crds: Annotated[bool, typer.Option(help="Apply config/crd to your cluster first.")] = False,
    cluster_name: Annotated[str, typer.Option(help="Marks zones as this operator's.")] = "make-run",
    seconds: Annotated[float, typer.Option(help="Stop by itself after this long; 0: when you press Ctrl-C.")] = 0.0,
) -> None:
    """Run zonewright."""
    if not backend and (context or os.environ.get("KUBECONFIG")):
        sys.exit(on_your_cluster(context, cluster_name, install=install_crds))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        on_its_own(backend or "embedded", cluster_name, seconds)
    except KeyboardInterrupt:
        console.print("stopped")


def on_your_cluster(context: str, cluster_name: str, *, install: bool) -> int:
    """The manager in the foreground, as it would run in a pod."""
    chosen = ["--context", context] if context else []
    if install:
        subprocess.run(["kubectl", *chosen, "apply", "--server-side", "-f", str(CRDS)], check=True)
    command = [sys.executable, "-m", "controllers", "--cluster-name", cluster_name, "--no-leader-elect", *chosen]
    return subprocess.run(command, check=False).returncode


def on_its_own(backend: str, cluster_name: str, seconds: float) -> None:
    with ExitStack() as stack:
        with console.status("starting the API and the name servers"):
            running = stack.enter_context(stage(backend))
            prepare(running, cluster_name)
        console.print(instructions(running))
        watch(running, seconds)


def prepare(running: Stage, cluster_name: str) -> None:
    running.install_crds()
    running.cluster.kubectl("apply", "-f", str(SAMPLES))
    running.register_servers(NAMESPACE)
    running.start_manager(cluster_name=cluster_name)


def instructions(running: Stage) -> Panel:
    primary, secondary = running.primaries[0], running.secondaries[0]
    lines = [
        f"export KUBECONFIG={running.cluster.kubeconfig}",
        f"kubectl -n {NAMESPACE} get dnsrecords,dnszones,bind9instances",
        f"kubectl -n {NAMESPACE} wait --for=condition=Propagated arecord --all",
        f"dig @{primary.address} -p {primary.port} www.example.org A     # the primary",
        f"dig @{secondary.address} -p {secondary.port} www.example.org A     # the secondary",
        f"curl -s http://127.0.0.1:{running.http_port}/metrics | grep engine_",
        f"tail -f {running.manager.log if running.manager else ''}",
    ]
    return Panel("\n".join(lines), title="try, in another terminal", expand=False)


def watch(running: Stage, seconds: float) -> None:
    deadline = time.monotonic() + seconds if seconds else float("inf")
    if not console.is_terminal:
        console.print("Ctrl-C stops everything")
    with Live(console=console, refresh_per_second=2, auto_refresh=False) as live:
        while time.monotonic() < deadline:
            if running.manager is not None:
                running.manager.check()
            live.update(summary(running), refresh=console.is_terminal)
            time.sleep(0.5)


def summary(running: Stage) -> Group:
    return Group(zones(running), records(running))


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
            value = status.get("addresses") or _message(status)
            table.add_row(kind.kind, item["spec"]["name"], value, _mark(status, "Ready"), _mark(status, "Propagated"))
    return table


def _items(running: Stage, plural: str) -> list[dict[str, Any]]:
    return list(running.cluster.get(f"{GROUP}/{plural}")["items"])


def _condition(status: dict[str, Any], kind: str) -> dict[str, Any]:
    return next((each for each in status.get("conditions") or () if each["type"] == kind), {})


def _mark(status: dict[str, Any], kind: str) -> str:
    return {"True": "[green]yes[/]", "False": "[red]no[/]"}.get(_condition(status, kind).get("status", ""), "[dim]…[/]")


def _message(status: dict[str, Any]) -> str:
    return str(_condition(status, "Ready").get("message", ""))


if __name__ == "__main__":
    typer.run(main)
