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

from controllers.options import (
    LEASE_NAMESPACE,
    EndpointOptions,
    InvalidOptions,
    Options,
    RegistryName,
    Source,
    sources,
)
from controllers.wiring import build
from reconcilers.endpoints.plan import Policy
from reconcilers.servers.reach import Reach
from zonewright import CannotListen, Config, ConfigError, setup_logging
from zonewright.log import Format


def _env(name: str, text: str) -> typer.models.OptionInfo:
    return typer.Option(help=text, envvar=f"ZONEWRIGHT_{name}", show_envvar=True)  # type: ignore[no-any-return] # typer


def _items(texts: list[str] | None) -> tuple[str, ...]:
    """A flag that is given several times, or once with commas; an environment variable with either or with blanks."""
    return tuple(filter(None, (item.strip() for text in texts or () for item in text.split(","))))


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
    source: Annotated[list[str] | None, _env("SOURCE", "crd, service, ingress; repeatable. Default: crd.")] = None,
    policy: Annotated[Policy, _env("POLICY", "What may be done to RRsets that endpoints own.")] = Policy.SYNC,
    registry: Annotated[RegistryName, _env("REGISTRY", "How it is remembered whose an RRset is.")] = RegistryName.TXT,
    txt_owner_id: Annotated[str, _env("TXT_OWNER_ID", "Our name in the TXT registry.")] = "default",
    txt_prefix: Annotated[str, _env("TXT_PREFIX", "Before names of registry records; may hold %{record_type}.")] = "",
    txt_suffix: Annotated[str, _env("TXT_SUFFIX", "After their first label; not together with a prefix.")] = "",
    txt_wildcard_replacement: Annotated[
        str, _env("TXT_WILDCARD_REPLACEMENT", "For an asterisk in the names of registry records.")
    ] = "",
    txt_encrypt_enabled: Annotated[
        bool, typer.Option("--txt-encrypt-enabled", envvar="ZONEWRIGHT_TXT_ENCRYPT_ENABLED", hidden=True)
    ] = False,
    txt_encrypt_aes_key: Annotated[
        str, typer.Option("--txt-encrypt-aes-key", envvar="ZONEWRIGHT_TXT_ENCRYPT_AES_KEY", hidden=True)
    ] = "",
    domain_filter: Annotated[
        list[str] | None, _env("DOMAIN_FILTER", "Only endpoints in these domains; `.example.org`: only below it.")
    ] = None,
    exclude_domains: Annotated[list[str] | None, _env("EXCLUDE_DOMAINS", "No endpoints in these domains.")] = None,
    regex_domain_filter: Annotated[str, _env("REGEX_DOMAIN_FILTER", "In place of both lists.")] = "",
    regex_domain_exclusion: Annotated[str, _env("REGEX_DOMAIN_EXCLUSION", "No endpoints with such names.")] = "",
    managed_record_types: Annotated[
        list[str] | None, _env("MANAGED_RECORD_TYPES", "Only endpoints of these types; default: all.")
    ] = None,
    exclude_record_types: Annotated[list[str] | None, _env("EXCLUDE_RECORD_TYPES", "None of these types.")] = None,
    target_net_filter: Annotated[list[str] | None, _env("TARGET_NET_FILTER", "Only these networks' addresses.")] = None,
    exclude_target_net: Annotated[list[str] | None, _env("EXCLUDE_TARGET_NET", "None of these networks.")] = None,
    nat64_networks: Annotated[
        list[str] | None, _env("NAT64_NETWORKS", "Publish an A record for AAAA addresses in these networks.")
    ] = None,
    create_ptr: Annotated[bool, _env("CREATE_PTR", "Publish PTR records for addresses of endpoints.")] = False,
    min_ttl: Annotated[int, _env("MIN_TTL", "TTL of endpoints that have none; 0: the zone's default.")] = 0,
    update_dnsendpoint_status: Annotated[
        bool, _env("UPDATE_DNSENDPOINT_STATUS", "Write what became of a DNSEndpoint into its status.")
    ] = True,
    log_format: Annotated[Format, _env("LOG_FORMAT", "auto, human or json.")] = "auto",
    log_level: Annotated[str, _env("LOG_LEVEL", "debug, info, warning or error.")] = "info",
) -> None:
    """Runs zonewright: DNS zones and records of a Kubernetes cluster, on BIND9 servers."""
    if txt_encrypt_enabled or txt_encrypt_aes_key:
        typer.echo("zonewright: --txt-encrypt-enabled, --txt-encrypt-aes-key: not supported yet", err=True)
        raise typer.Exit(2)
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
            endpoints=EndpointOptions(
                sources=sources(_items(source) or (Source.CRD,)),
                policy=policy,
                registry=registry,
                txt_owner_id=txt_owner_id,
                txt_prefix=txt_prefix,
                txt_suffix=txt_suffix,
                txt_wildcard_replacement=txt_wildcard_replacement,
                domain_filter=_items(domain_filter),
                exclude_domains=_items(exclude_domains),
                regex_domain_filter=regex_domain_filter,
                regex_domain_exclusion=regex_domain_exclusion,
                managed_record_types=_items(managed_record_types),
                exclude_record_types=_items(exclude_record_types),
                target_net_filter=_items(target_net_filter),
                exclude_target_net=_items(exclude_target_net),
                nat64_networks=_items(nat64_networks),
                create_ptr=create_ptr,
                min_ttl=min_ttl,
                update_dnsendpoint_status=update_dnsendpoint_status,
            ),
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
