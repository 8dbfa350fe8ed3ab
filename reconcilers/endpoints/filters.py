"""Which names and types the operator manages at all: the domain and record type options. Pure.

They apply to both sides of a plan: what objects ask for, and what stands in DNS.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import dns.name
import dns.rdatatype

from reconcilers.ddns.errors import InvalidName
from reconcilers.ddns.names import CanonicalName, canonical
from reconcilers.ddns.rdata import brief
from reconcilers.ddns.rrset import RRsetKey
from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.targets import RECORD_TYPES, complete_name
from reconcilers.reasons import Reason


@dataclass(frozen=True, slots=True)
class Domain:
    """`example.org`: itself and what is below. `.example.org`: only what is below."""

    name: CanonicalName
    itself: bool

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(complete_name(text.removeprefix(".")), not text.startswith("."))

    def matches(self, name: dns.name.Name) -> bool:
        """By labels: `x.nottwo.test` is not in `two.test`."""
        return name.is_subdomain(self.name) and (self.itself or name != self.name)


@dataclass(frozen=True, slots=True)
class DomainFilter:
    """None matches all; exclusions win; a regular expression of either kind replaces both lists."""

    include: tuple[Domain, ...] = ()
    exclude: tuple[Domain, ...] = ()
    regex: re.Pattern[str] | None = None
    regex_exclusion: re.Pattern[str] | None = None

    @classmethod
    def of(
        cls,
        *,
        domain_filter: Iterable[str] = (),
        exclude_domains: Iterable[str] = (),
        regex_domain_filter: str = "",
        regex_domain_exclusion: str = "",
    ) -> Self:
        """From the text of flags. Raises ValueError, which names the flag."""
        return cls(
            _domains("--domain-filter", domain_filter),
            _domains("--exclude-domains", exclude_domains),
            _pattern("--regex-domain-filter", regex_domain_filter),
            _pattern("--regex-domain-exclusion", regex_domain_exclusion),
        )

    def matches(self, name: dns.name.Name) -> bool:
        """Whether a name, in whatever case, may be touched."""
        name = canonical(name)
        if self.regex or self.regex_exclusion:
            # Lower case, A-labels, no final dot; found anywhere. external-dns forgets the one if the other is given.
            text = name.to_text(omit_final_dot=True)
            excluded = self.regex_exclusion is not None and self.regex_exclusion.search(text)
            return not excluded and (self.regex is None or self.regex.search(text) is not None)
        return (not self.include or _any(self.include, name)) and not _any(self.exclude, name)


@dataclass(frozen=True, slots=True)
class RecordTypes:
    """The types that are managed."""

    managed: frozenset[str] = frozenset(RECORD_TYPES)

    @classmethod
    def of(cls, *, managed_record_types: Iterable[str] = (), exclude_record_types: Iterable[str] = ()) -> Self:
        """From the text of flags: all types unless some are named; exclusions win. Raises ValueError."""
        managed = _types("--managed-record-types", managed_record_types) or frozenset(RECORD_TYPES)
        return cls(managed - _types("--exclude-record-types", exclude_record_types))

    def matches(self, record_type: str) -> bool:
        return record_type in self.managed


def _any(domains: Iterable[Domain], name: dns.name.Name) -> bool:
    return any(domain.matches(name) for domain in domains)


def _domains(flag: str, texts: Iterable[str]) -> tuple[Domain, ...]:
    try:
        return tuple(Domain.of(text) for text in filter(None, map(str.strip, texts)))
    except InvalidName as error:
        raise ValueError(f"{flag}: {error}") from error


def _pattern(flag: str, text: str) -> re.Pattern[str] | None:
    try:
        return re.compile(text) if text else None
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{flag}: {brief(text)} is not a regular expression: {error}") from error


def _types(flag: str, texts: Iterable[str]) -> frozenset[str]:
    types = frozenset(filter(None, (text.strip().upper() for text in texts)))
    if unknown := types - frozenset(RECORD_TYPES):
        raise ValueError(f"{flag}: {', '.join(sorted(unknown))}: write some of {', '.join(RECORD_TYPES)}")
    return types


@dataclass(frozen=True, slots=True)
class Scope:
    """Both together: what the operator touches for endpoints."""

    domains: DomainFilter = DomainFilter()
    types: RecordTypes = RecordTypes()

    def covers(self, key: RRsetKey) -> bool:
        """Whether an RRset that stands in DNS may be ours."""
        return self.types.matches(dns.rdatatype.to_text(key.rdtype)) and self.domains.matches(key.name)

    def refuse_others(self, endpoints: Iterable[Endpoint]) -> list[Endpoint]:
        """The endpoints, those outside with the reason."""
        return [self._judged(endpoint) for endpoint in endpoints]

    def _judged(self, endpoint: Endpoint) -> Endpoint:
        if endpoint.problem is not None:
            return endpoint
        if not self.types.matches(endpoint.record_type):
            text = f"records of type {endpoint.record_type} are not managed (--managed-record-types)"
            return endpoint.refused(Reason.ENDPOINT_FILTERED, text)
        if not self.domains.matches(endpoint.name):
            text = f"{endpoint.dns_name} is outside of what --domain-filter and its like let through"
            return endpoint.refused(Reason.ENDPOINT_FILTERED, text)
        return endpoint
