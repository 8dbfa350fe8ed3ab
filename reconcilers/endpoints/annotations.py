"""What external-dns' annotations on Services and Ingresses say. Pure.

Two prefixes: `external-dns.kubernetes.io/`, and the older `external-dns.alpha.kubernetes.io/`. external-dns reads one
of them (the newer by default since v0.22, without a fallback; `--annotation-prefix` says which). Here both count, so
that manifests can be moved in any order; where an object has both spellings of an annotation, the newer one counts, as
it does for external-dns without options.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from reconcilers.ddns.rdata import brief
from reconcilers.ddns.rrset import MAX_TTL
from reconcilers.endpoints.endpoint import Pairs, sorted_pairs

PREFIX = "external-dns.kubernetes.io/"
ALPHA_PREFIX = "external-dns.alpha.kubernetes.io/"
CONTROLLER = "dns-controller"

RECORD_TYPE = "record-type"
"""Provider-specific setting: `ptr` asks for a reverse record, whatever the option says."""

_PROVIDERS = ("aws", "scw", "webhook", "coredns")  # `aws-weight` becomes the setting `aws/weight`
_CLOUDFLARE = "cloudflare-"  # keeps its whole key as its name

_GO_PART = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)")  # Go takes both letters mu
_GO_DURATION = re.compile(rf"[+-]?(?:{_GO_PART.pattern})+")
_GO_UNITS = {
    "h": Fraction(3600),
    "m": Fraction(60),
    "s": Fraction(1),
    "ms": Fraction(1, 1000),
    "ns": Fraction(1, 10**9),
}
_MICROSECOND = Fraction(1, 10**6)
_MOST_DIGITS = 64  # of a TTL as text: Python refuses to read a number of thousands of digits


@dataclass(frozen=True, slots=True)
class Annotations:
    """The annotations of one object, by their names without the prefix."""

    values: Mapping[str, str]
    keys: Mapping[str, str]
    """How each was written, for messages."""

    @classmethod
    def of(cls, annotations: Mapping[str, str]) -> Self:
        """Of all annotations of an object."""
        keys = {
            key.removeprefix(prefix): key
            for prefix in (ALPHA_PREFIX, PREFIX)  # the later one wins
            for key in annotations
            if key.startswith(prefix)
        }
        return cls({name: annotations[key] for name, key in keys.items()}, keys)

    @property
    def ours(self) -> bool:
        """Whether the object is for external-dns, and so for us: some are annotated for another controller."""
        return self.values.get("controller", CONTROLLER) == CONTROLLER

    def names(self, annotation: str) -> tuple[str, ...]:
        """A list (hostname, internal-hostname, target): commas between, blanks do not count, each name once."""
        words = "".join(self.values.get(annotation, "").split()).split(",")
        return tuple(dict.fromkeys(filter(None, words)))

    @property
    def set_identifier(self) -> str:
        return self.values.get("set-identifier", "")

    @property
    def ttl(self) -> int:
        """0 if there is none, or if it makes no sense: see `warnings`."""
        return self._ttl()[0]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes no sense and stops nothing: external-dns, too, publishes with the default TTL then."""
        complaint = self._ttl()[1]
        return (complaint,) if complaint else ()

    @property
    def provider_specific(self) -> Pairs:
        """Settings for DNS providers, named as external-dns names them."""
        return sorted_pairs({setting: value for setting, value in map(self._setting, self.values) if setting})

    def field(self, name: str) -> str:
        """How a message names an annotation: as the object has it, else with the newer prefix."""
        return f"annotation {self.keys.get(name, PREFIX + name)}"

    def _ttl(self) -> tuple[int, str]:
        text = self.values.get("ttl")
        if text is None:
            return 0, ""
        seconds = seconds_of(text)
        if seconds is not None and 0 < seconds <= MAX_TTL:
            return seconds, ""
        return 0, f"{self.field('ttl')}: {brief(text)} is not 1 to {MAX_TTL} seconds, as `300` or `5m`: it is ignored"

    def _setting(self, name: str) -> tuple[str, str]:
        value = self.values[name]
        if name.startswith(_CLOUDFLARE):
            return self.keys[name], value
        if name == RECORD_TYPE or (name == "alias" and value == "true"):
            return name, value
        provider, dash, attribute = name.partition("-")
        return (f"{provider}/{attribute}", value) if dash and provider in _PROVIDERS else ("", "")


def seconds_of(text: str) -> int | None:
    """Whole seconds of a number or a Go duration (`90s`, `1h30m`, `1.5m`); a fraction of a second is cut. None if it is
    neither."""
    if len(text) > _MOST_DIGITS:
        return None
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return int(text)
    if not _GO_DURATION.fullmatch(text):
        return None
    total = sum(Fraction(number) * _GO_UNITS.get(unit, _MICROSECOND) for number, unit in _GO_PART.findall(text))
    return int(-total if text.startswith("-") else total)
