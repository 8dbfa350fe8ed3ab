"""The TXT registry of external-dns: which RRsets in a zone were published for endpoints, and by whom. Pure.

Beside each RRset stands a TXT record whose name is made of the RRset's name and type, and whose text names an owner and
the object that wanted it:

    www.example.org    A    192.0.2.10
    a-www.example.org  TXT  "heritage=external-dns,external-dns/owner=default,external-dns/resource=crd/shop/www"

Names and texts are external-dns' own, so that one can take over from the other. Before 0.12 it left the type out of the
name; such entries are read and never written. An RRset without an entry belongs to somebody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

import dns.exception
import dns.rdatatype as rt
from dns.name import Name

from reconcilers.ddns.errors import InvalidName
from reconcilers.ddns.names import CanonicalName, parse_zone
from reconcilers.ddns.rdata import txt_bytes, txt_wire
from reconcilers.ddns.rrset import RRset, RRsetKey

HERITAGE = "heritage=external-dns"
_OWNER, _RESOURCE = "external-dns/owner", "external-dns/resource"
_TYPE = "%{record_type}"


class Entry(NamedTuple):
    """What a registry record says: who published something, and for which object (`crd/shop/www`)."""

    owner: str
    resource: str

    def text(self) -> str:
        """As external-dns writes it: the keys sorted."""
        return f"{HERITAGE},{_OWNER}={self.owner},{_RESOURCE}={self.resource}"


@lru_cache(maxsize=256)  # one name's entry is asked for several times while it is planned
def parse_entry(text: str) -> Entry | None:
    """None for a text that is nobody's registry record. Some providers leave the quotes of the text in it."""
    fields = text.strip('"').split(",")
    if HERITAGE not in fields:
        return None
    values = dict(field.split("=", 1) for field in fields if "=" in field)
    return Entry(values.get(_OWNER, ""), values.get(_RESOURCE, ""))


def texts_in(rrset: RRset) -> list[str]:
    """The records of a TXT RRset, each with its character-strings joined, in a stable order."""
    return sorted(txt_bytes(wire).decode("utf-8", "replace") for wire in rrset.data)


def txt_rrset(name: Name, ttl: int, texts: Iterable[str]) -> RRset:
    """The TXT RRset of these texts."""
    return RRset.of_wire(name, rt.TXT, ttl, (txt_wire(text.encode()) for text in texts))


class Registry(Protocol):
    """How ownership is remembered in the zone."""

    def name_of(self, key: RRsetKey, origin: Name) -> Name | None:
        """Where the entry of an RRset stands; None if this registry writes none. Raises InvalidName."""
        ...

    def entries_of(self, key: RRsetKey, origin: Name) -> Sequence[Name]:
        """All names at which an entry of the RRset may stand, the present one first."""
        ...


@dataclass(frozen=True, slots=True)
class NoRegistry:
    """Nothing in DNS says whose an RRset is (`--registry=noop`): what stands there already is somebody else's."""

    def name_of(self, key: RRsetKey, origin: Name) -> Name | None:  # noqa: ARG002 - a Registry
        """None: nothing is written."""
        return None

    def entries_of(self, key: RRsetKey, origin: Name) -> Sequence[Name]:  # noqa: ARG002 - a Registry
        """Nowhere."""
        return ()


@dataclass(frozen=True, slots=True)
class TxtRegistry:
    """external-dns' mapping from an RRset to the name of its entry; prefix or suffix may hold `%{record_type}`.

    At the apex of a zone external-dns puts it beside the zone, where no UPDATE of the zone can: `a-example.org`. Ours
    stands below, as if the apex had an empty first label: `a-.example.org`.
    """

    prefix: str = ""
    suffix: str = ""
    wildcard: str = ""

    def name_of(self, key: RRsetKey, origin: Name) -> Name | None:
        """Where the entry of an RRset stands. Raises InvalidName if prefix or suffix make it too long."""
        return self._name(key, origin, typed=True)

    def entries_of(self, key: RRsetKey, origin: Name) -> Sequence[Name]:
        """The present name, and that of external-dns before 0.12, which had no type in it."""
        names = []
        for typed in (True, False):
            try:
                names.append(self._name(key, origin, typed=typed))
            except InvalidName:
                continue  # nobody can have published it
        # A former entry of a name was that of its A or CNAME; an AAAA never had one, a TXT would have been its own.
        return names[:1] if key.rdtype in {rt.AAAA, rt.TXT} else list(dict.fromkeys(names))

    def _name(self, key: RRsetKey, origin: Name, *, typed: bool) -> Name:
        kind = _mnemonic(key.rdtype)
        apex = key.name == origin
        first, rest = (b"", key.name.labels) if apex else (key.name.labels[0], key.name.labels[1:])
        if self.wildcard and first == b"*":
            first = self.wildcard.encode()
        if typed and _TYPE not in self.prefix + self.suffix:
            first = kind.encode() + b"-" + first
        shown = kind if typed else ""
        prefix, suffix = (affix.replace(_TYPE, shown) for affix in (self.prefix, self.suffix))
        return _joined(prefix, first, suffix, rest)


@cache
def _mnemonic(rdtype: rt.RdataType) -> str:
    return rt.to_text(rdtype).lower()


def _joined(prefix: str, first: bytes, suffix: str, rest: tuple[bytes, ...]) -> Name:
    """An affix may hold dots (`_registry.`): then it makes labels of its own."""
    above, _, head = prefix.encode().rpartition(b".")
    tail, _, below = suffix.encode().partition(b".")
    labels = [*above.split(b"."), head + first + tail, *below.split(b"."), *rest[:-1]]
    try:
        return CanonicalName([*filter(None, labels), b""])
    except dns.exception.DNSException as error:
        raise InvalidName(
            f"the registry's name for {first.decode('ascii', 'replace')!r} is no DNS name: {error}"
        ) from error


def check_affixes(prefix: str, suffix: str, wildcard: str) -> None:
    """Raises InvalidName for what could never be a part of a name."""
    if prefix and suffix:
        raise InvalidName("only one of prefix and suffix can be used")
    for text in (prefix, suffix, wildcard):
        parse_zone(f"x{text.replace(_TYPE, 'naptr')}x" if text else "x")
