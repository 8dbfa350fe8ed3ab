"""The operator's command line as `Options`: for itself, and for commands that read the world as it does."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from controllers.options import (
    LEASE_NAMESPACE,
    EndpointOptions,
    InvalidOptions,
    Options,
    RegistryName,
    Source,
    sources,
    ttl,
)
from reconcilers.endpoints.plan import Policy
from reconcilers.servers.reach import Reach
from zonewright import Config, ConfigError, setup_logging
from zonewright.log import Format


def env(name: str, text: str) -> typer.models.OptionInfo:
    """A flag that is an environment variable too."""
    return typer.Option(help=text, envvar=f"ZONEWRIGHT_{name}", show_envvar=True)  # type: ignore[no-any-return] # typer


Kubeconfig = Annotated[
    Path | None, env("KUBECONFIG", "The cluster; default: $KUBECONFIG, the pod's own, ~/.kube/config.")
]
Context = Annotated[str | None, env("CONTEXT", "Which context of the kubeconfig.")]
LeaseNamespace = Annotated[
    str, env("LEASE_NAMESPACE", "The operator's own namespace: where the lease zonewright-leader lives.")
]


def printable(text: str) -> str:
    """One line for a terminal: what tenants and servers wrote may hold anything."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _items(texts: list[str] | None) -> tuple[str, ...]:
    """A flag that is given several times, or once with commas; an environment variable with either or with blanks."""
    return tuple(filter(None, (item.strip() for text in texts or () for item in text.split(","))))


def read(  # noqa: PLR0913 - the parameters are the command line
    *,
    cluster_name: Annotated[str, env("CLUSTER_NAME", "Marks zones as this operator's, with the UID of the cluster.")],
    kubeconfig: Kubeconfig = None,
    context: Context = None,
    namespace: Annotated[str, env("NAMESPACE", "Watch this namespace only; default: all.")] = "",
    workers: Annotated[int, env("WORKERS", "Concurrent reconciles per kind.")] = 4,
    operations: Annotated[int, env("OPERATIONS", "Concurrent operations on name servers.")] = 16,
    poll_interval: Annotated[float, env("POLL_INTERVAL", "Seconds between looks at each zone's serial.")] = 30.0,
    leader_elect: Annotated[bool, env("LEADER_ELECT", "Only one of several replicas works.")] = True,
    lease_namespace: LeaseNamespace = LEASE_NAMESPACE,
    http: Annotated[str, env("HTTP", "host:port of probes, metrics and debugging, or off.")] = "127.0.0.1:8080",
    drain_seconds: Annotated[float, env("DRAIN_SECONDS", "How long a stop waits for work under way.")] = 20.0,
    reach: Annotated[Reach, env("REACH", "How name servers are reached.")] = Reach.DIRECT,
    source: Annotated[list[str] | None, env("SOURCE", "crd, service, ingress; repeatable. Default: crd.")] = None,
    policy: Annotated[Policy, env("POLICY", "What may be done to RRsets that endpoints own.")] = Policy.SYNC,
    registry: Annotated[RegistryName, env("REGISTRY", "How it is remembered whose an RRset is.")] = RegistryName.TXT,
    txt_owner_id: Annotated[str, env("TXT_OWNER_ID", "Our name in the TXT registry.")] = "default",
    txt_prefix: Annotated[str, env("TXT_PREFIX", "Before names of registry records; may hold %{record_type}.")] = "",
    txt_suffix: Annotated[str, env("TXT_SUFFIX", "After their first label; not together with a prefix.")] = "",
    txt_wildcard_replacement: Annotated[
        str, env("TXT_WILDCARD_REPLACEMENT", "For an asterisk in the names of registry records.")
    ] = "",
    txt_encrypt_enabled: Annotated[
        bool, typer.Option("--txt-encrypt-enabled", envvar="ZONEWRIGHT_TXT_ENCRYPT_ENABLED", hidden=True)
    ] = False,
    txt_encrypt_aes_key: Annotated[
        str, typer.Option("--txt-encrypt-aes-key", envvar="ZONEWRIGHT_TXT_ENCRYPT_AES_KEY", hidden=True)
    ] = "",
    domain_filter: Annotated[
        list[str] | None, env("DOMAIN_FILTER", "Only endpoints in these domains; `.example.org`: only below it.")
    ] = None,
    exclude_domains: Annotated[list[str] | None, env("EXCLUDE_DOMAINS", "No endpoints in these domains.")] = None,
    regex_domain_filter: Annotated[str, env("REGEX_DOMAIN_FILTER", "In place of both lists.")] = "",
    regex_domain_exclusion: Annotated[str, env("REGEX_DOMAIN_EXCLUSION", "No endpoints with such names.")] = "",
    managed_record_types: Annotated[
        list[str] | None, env("MANAGED_RECORD_TYPES", "Only endpoints of these types; default: all.")
    ] = None,
    exclude_record_types: Annotated[list[str] | None, env("EXCLUDE_RECORD_TYPES", "None of these types.")] = None,
    target_net_filter: Annotated[list[str] | None, env("TARGET_NET_FILTER", "Only these networks' addresses.")] = None,
    exclude_target_net: Annotated[list[str] | None, env("EXCLUDE_TARGET_NET", "None of these networks.")] = None,
    nat64_networks: Annotated[
        list[str] | None, env("NAT64_NETWORKS", "Publish an A record for AAAA addresses in these networks.")
    ] = None,
    create_ptr: Annotated[bool, env("CREATE_PTR", "Publish PTR records for addresses of endpoints.")] = False,
    min_ttl: Annotated[
        str, env("MIN_TTL", "TTL of endpoints that have none: seconds, or as 5m; 0: the zone's default.")
    ] = "0",
    update_dnsendpoint_status: Annotated[
        bool, env("UPDATE_DNSENDPOINT_STATUS", "Write what became of a DNSEndpoint into its status.")
    ] = True,
    dry_run: Annotated[
        bool,
        env("DRY_RUN", "Read and plan, tell what would be done, and write nothing: not to servers, not to objects."),
    ] = False,
    log_format: Annotated[Format, env("LOG_FORMAT", "auto, human or json.")] = "auto",
    log_level: Annotated[str, env("LOG_LEVEL", "debug, info, warning or error.")] = "info",
) -> tuple[Options, Config]:
    """From the command line. Raises InvalidOptions, ConfigError or ValueError for what is wrong there."""
    if txt_encrypt_enabled or txt_encrypt_aes_key:
        raise InvalidOptions("--txt-encrypt-enabled, --txt-encrypt-aes-key: not supported yet")
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
            min_ttl=ttl(min_ttl),
            update_dnsendpoint_status=update_dnsendpoint_status,
        ),
        dry_run=dry_run,
    )
    setup_logging(format=log_format, level=log_level)
    config = Config.load(kubeconfig=kubeconfig, context=context)
    return options, config


Command = Callable[..., None]


def taking_flags(*, usage_error: int = 2, **defaults: str) -> Callable[[Command], Command]:
    """A command with the operator's flags beside its own; they come to it as `options` and `config`.

    `usage_error` is its exit code for flags that make no sense, `defaults` are its own defaults of some of them."""

    def decorate(command: Command) -> Command:
        known = inspect.signature(read, eval_str=True).parameters
        flags = {name: each.replace(default=defaults.get(name, each.default)) for name, each in known.items()}
        given = inspect.signature(command, eval_str=True).parameters
        own = {name: each for name, each in given.items() if name not in {"options", "config"}}

        def run(**values: Any) -> None:
            try:
                options, config = read(**{name: values[name] for name in flags})
            except (InvalidOptions, ConfigError, ValueError) as error:
                typer.echo(f"zonewright: {error}", err=True)
                raise typer.Exit(usage_error) from error
            command(options=options, config=config, **{name: values[name] for name in own})

        return _presented(run, command, {**flags, **own})

    return decorate


def _presented(run: Command, command: Command, parameters: Mapping[str, inspect.Parameter]) -> Command:
    """With what typer reads of a function."""
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {name: each.annotation for name, each in parameters.items()}
    by_keyword = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters.values()]
    run.__signature__ = inspect.Signature(by_keyword)  # type: ignore[attr-defined] # functions have it
    return run
