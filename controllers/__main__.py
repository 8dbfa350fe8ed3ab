"""`python -m controllers`: the operator as a process."""

import os
import signal

if __name__ == "__main__":
    # Until the manager takes signals, Ctrl-C just ends the process, without a traceback out of an import.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

import sys
from pathlib import Path
from typing import Annotated

import typer

from controllers.options import LEASE_NAMESPACE, InvalidOptions, Options
from controllers.wiring import build
from reconcilers.servers.reach import Reach
from zonewright import CannotListen, Config, ConfigError, setup_logging
from zonewright.log import Format


def _env(name: str, text: str) -> typer.models.OptionInfo:
    return typer.Option(help=text, envvar=f"ZONEWRIGHT_{name}", show_envvar=True)  # type: ignore[no-any-return] # typer


def main(  # noqa: PLR0913, PLR0917 - the parameters are the command line
    cluster_name: Annotated[str, _env("CLUSTER_NAME", "Marks zones as this operator's, with the UID of the cluster.")],
    kubeconfig: Annotated[
        Path | None, _env("KUBECONFIG", "The cluster; default: $KUBECONFIG, the pod's own, ~/.kube/config.")
    ] = None,
    context: Annotated[str | None, _env("CONTEXT", "Which context of the kubeconfig.")] = None,
    namespace: Annotated[str, _env("NAMESPACE", "Watch this namespace only; default: all.")] = "",
    workers: Annotated[int, _env("WORKERS", "Concurrent reconciles per kind.")] = 4,
    operations: Annotated[int, _env("OPERATIONS", "Concurrent operations on name servers.")] = 16,
    poll_interval: Annotated[float, _env("POLL_INTERVAL", "Seconds between looks at each zone's serial.")] = 30.0,
    leader_elect: Annotated[bool, _env("LEADER_ELECT", "Only one of several replicas works.")] = True,
    lease_namespace: Annotated[
        str, _env("LEASE_NAMESPACE", "The operator's own namespace: where the lease zonewright-leader lives.")
    ] = LEASE_NAMESPACE,
    http: Annotated[str, _env("HTTP", "host:port of probes, metrics and debugging, or off.")] = "127.0.0.1:8080",
    drain_seconds: Annotated[float, _env("DRAIN_SECONDS", "How long a stop waits for work under way.")] = 20.0,
    reach: Annotated[Reach, _env("REACH", "How name servers are reached.")] = Reach.DIRECT,
    log_format: Annotated[Format, _env("LOG_FORMAT", "auto, human or json.")] = "auto",
    log_level: Annotated[str, _env("LOG_LEVEL", "debug, info, warning or error.")] = "info",
) -> None:
    """Runs zonewright: DNS zones and records of a Kubernetes cluster, on BIND9 servers."""
    try:
        options = Options(
            cluster_name=cluster_name,
            namespace=namespace,
            workers=workers,
            operations=operations,
            poll_interval=poll_interval,
            leader_elect=leader_elect,
            lease_namespace=lease_namespace,
            http=http,
            drain_seconds=drain_seconds,
            reach=reach,
        )
        setup_logging(format=log_format, level=log_level)
        config = Config.load(kubeconfig=kubeconfig, context=context)
    except (InvalidOptions, ConfigError, ValueError) as error:
        typer.echo(f"zonewright: {error}", err=True)
        raise typer.Exit(2) from error
    try:
        sys.exit(build(options, config).run())
    except CannotListen as error:
        typer.echo(
            f"zonewright: {error}; choose another address with --http (ZONEWRIGHT_HTTP), or --http off", err=True
        )
        raise typer.Exit(2) from error


if __name__ == "__main__":
    typer.run(main)
