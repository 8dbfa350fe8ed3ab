"""How the operator is run. Each option is a flag or an environment variable, and is checked before anything starts."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from reconcilers.ddns.errors import InvalidName
from reconcilers.endpoints.annotations import seconds_of
from reconcilers.endpoints.chain import Chain, ChainOptions
from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.filters import DomainFilter, RecordTypes, Scope
from reconcilers.endpoints.plan import Policy, Rules
from reconcilers.endpoints.registry import NoRegistry, TxtRegistry, check_affixes
from reconcilers.servers.cluster_id import InvalidClusterId, check_name
from reconcilers.servers.reach import Reach
from zonewright import LeaseOptions, ManagerOptions

COMPONENT = "zonewright"  # user agent, and the source of events
LEASE = "zonewright-leader"
LEASE_NAMESPACE = "zonewright-system"
# Thresholds of Python's garbage collector. Nearly all that a start makes stays: with the usual 700 the collector looked
# at it again and again, for a third of the time that the first plan of 40,000 names took.
COLLECTOR = (10_000, 10, 10)
_SWITCHES = re.compile(r"^--(leader-elect|create-ptr|update-dnsendpoint-status|dry-run)=(true|false)$")
_LISTEN = re.compile(r"^(\[[0-9a-fA-F:]+\]|[^:\s]*):(\d{1,5})$")


class InvalidOptions(ValueError):
    """The text names the flag and says what would be right."""


class Source(StrEnum):
    """Where endpoints come from."""

    CRD = "crd"
    SERVICE = "service"
    INGRESS = "ingress"


class RegistryName(StrEnum):
    """How it is remembered whose an RRset is."""

    TXT = "txt"
    NOOP = "noop"


@dataclass(frozen=True)
class EndpointOptions:
    """What external-dns' flags say; the names are theirs. Raises InvalidOptions for what cannot work."""

    sources: tuple[Source, ...] = (Source.CRD,)
    policy: Policy = Policy.SYNC
    registry: RegistryName = RegistryName.TXT
    txt_owner_id: str = "default"
    txt_prefix: str = ""
    txt_suffix: str = ""
    txt_wildcard_replacement: str = ""
    domain_filter: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
    regex_domain_filter: str = ""
    regex_domain_exclusion: str = ""
    managed_record_types: tuple[str, ...] = ()
    exclude_record_types: tuple[str, ...] = ()
    target_net_filter: tuple[str, ...] = ()
    exclude_target_net: tuple[str, ...] = ()
    nat64_networks: tuple[str, ...] = ()
    create_ptr: bool = False
    min_ttl: int = 0
    update_dnsendpoint_status: bool = True

    def __post_init__(self) -> None:
        if self.registry is RegistryName.TXT and (not self.txt_owner_id or "," in self.txt_owner_id):
            raise InvalidOptions(f"--txt-owner-id: {self.txt_owner_id!r} is empty or has a comma")
        try:
            check_affixes(self.txt_prefix, self.txt_suffix, self.txt_wildcard_replacement)
        except InvalidName as error:
            raise InvalidOptions(f"--txt-prefix, --txt-suffix, --txt-wildcard-replacement: {error}") from error
        try:
            self.scope, self.chain  # noqa: B018 - made here, so that mistakes are told at the start
        except ValueError as error:
            raise InvalidOptions(str(error)) from error

    @cached_property
    def rules(self) -> Rules:
        registry = TxtRegistry(self.txt_prefix, self.txt_suffix, self.txt_wildcard_replacement)
        chosen = NoRegistry() if self.registry is RegistryName.NOOP else registry
        return Rules(chosen, self.txt_owner_id, self.policy, self.scope.covers)

    @cached_property
    def scope(self) -> Scope:
        domains = DomainFilter.of(
            domain_filter=self.domain_filter,
            exclude_domains=self.exclude_domains,
            regex_domain_filter=self.regex_domain_filter,
            regex_domain_exclusion=self.regex_domain_exclusion,
        )
        types = RecordTypes.of(
            managed_record_types=self.managed_record_types, exclude_record_types=self.exclude_record_types
        )
        return Scope(domains, types)

    def steps(self, endpoints: Iterable[Endpoint]) -> list[Endpoint]:
        """What happens to an object's endpoints before the plan."""
        return self.scope.refuse_others(self.chain(endpoints))

    @cached_property
    def chain(self) -> Chain:
        options = ChainOptions.of(
            nat64_networks=self.nat64_networks,
            target_net_filter=self.target_net_filter,
            exclude_target_net=self.exclude_target_net,
            create_ptr=self.create_ptr,
            min_ttl=self.min_ttl,
        )
        return Chain(options)


def sources(names: Iterable[str]) -> tuple[Source, ...]:
    """From the text of `--source`, each once."""
    found = []
    for name in names:
        if name not in list(Source):
            known = ", ".join(Source)
            later = ": Gateway API routes are not supported yet" if name.startswith("gateway") else ""
            raise InvalidOptions(f"--source: {name!r} is none of {known}{later}")
        found.append(Source(name))
    return tuple(dict.fromkeys(found))


def ttl(text: str) -> int:
    """From the text of `--min-ttl`: seconds, or a duration as external-dns takes it."""
    seconds = seconds_of(text)
    if seconds is None:
        raise InvalidOptions(f"--min-ttl: {text!r} is neither seconds nor a duration, as 300 or 5m")
    return seconds


@dataclass(frozen=True, slots=True)
class Options:
    cluster_name: str
    namespace: str = ""
    workers: int = 4
    operations: int = 16
    poll_interval: float = 30.0
    leader_elect: bool = True
    lease_namespace: str = LEASE_NAMESPACE
    http: str = "127.0.0.1:8080"
    drain_seconds: float = 20.0
    reach: Reach = Reach.DIRECT
    endpoints: EndpointOptions = field(default_factory=EndpointOptions)
    dry_run: bool = False

    def __post_init__(self) -> None:
        try:
            check_name(self.cluster_name)
        except InvalidClusterId as error:
            raise InvalidOptions(f"--cluster-name: {error}") from error
        if not 1 <= self.workers <= 256:
            raise InvalidOptions(f"--workers: {self.workers} is not within 1..256")
        if not 1 <= self.operations <= 1024:
            raise InvalidOptions(f"--operations: {self.operations} is not within 1..1024")
        if self.poll_interval < 1:
            raise InvalidOptions(f"--poll-interval: {self.poll_interval:g} s is less than a second")
        if self.drain_seconds < 0:
            raise InvalidOptions(f"--drain-seconds: {self.drain_seconds:g} is negative")
        if self.http != "off":
            _check_listen(self.http)

    @property
    def manager(self) -> ManagerOptions:
        leads = self.leader_elect and not self.dry_run  # a dry run may look beside the operator at work
        return ManagerOptions(
            namespace=self.namespace,
            leader_election=LeaseOptions(self.lease_namespace, LEASE) if leads else None,
            read_only=self.dry_run,
            http=None if self.http == "off" else self.http,
            drain_timeout=self.drain_seconds,
            component=COMPONENT,
        )


def spelled(words: Iterable[str]) -> list[str]:
    """A command line with `--flag=false`, as programs in Go take it, the way that this one does: `--no-flag`."""
    return [_SWITCHES.sub(lambda found: f"--{'' if found[2] == 'true' else 'no-'}{found[1]}", word) for word in words]


def _check_listen(text: str) -> None:
    found = _LISTEN.match(text)
    if not found or int(found[2]) > 65535:
        raise InvalidOptions(f"--http: {text!r} is not host:port, like 127.0.0.1:8080, nor off")
