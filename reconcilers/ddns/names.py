"""DNS names as values: text in, absolute lower-case `dns.name.Name` out.

Names are compared by labels, never as strings: `Mail.Example.org` and `mail.example.org.` are one name, and
`x.nottwo.test` is not in `two.test`. Everything else in ddns works on what this module returns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import cast

import dns.exception
import dns.name

from reconcilers.ddns.errors import InvalidName

# Host name characters, the underscore of _tcp and friends, the slash of RFC 2317; no hyphen or slash at either end.
_ZONE_LABEL = re.compile(rb"[a-z0-9_]([a-z0-9_/-]*[a-z0-9_])?\Z")


class CanonicalName(dns.name.Name):
    """A name whose labels are lower-case, with its hash and wire form kept.

    dnspython walks every byte of a name for each hash and comparison; zones of 100,000 names are compared by
    dictionary look-ups, so that is most of the cost of a plan. Equal to, and hashes like, any equal `Name`.
    """

    __slots__ = ("_hash", "_wire")
    _hash: int | None
    _wire: bytes | None

    def __init__(self, labels: Iterable[bytes | str]) -> None:
        lowered = [label.lower() if isinstance(label, bytes) else label.lower().encode() for label in labels]
        super().__init__(lowered)
        object.__setattr__(self, "_hash", None)
        object.__setattr__(self, "_wire", None)

    @classmethod
    def trusted(cls, labels: tuple[bytes, ...]) -> CanonicalName:
        """From labels that are known to be lower-case and valid, e.g. from a reply: no checks."""
        name = cls.__new__(cls)
        object.__setattr__(name, "labels", labels)
        object.__setattr__(name, "_hash", None)
        object.__setattr__(name, "_wire", None)
        return name

    def upwards(self) -> Iterator[CanonicalName]:
        """The name, and every name above it but the root."""
        if len(self.labels) > 1:
            yield self
        for above in range(1, len(self.labels) - 1):
            yield CanonicalName.trusted(self.labels[above:])

    @property
    def wire(self) -> bytes:
        """Uncompressed; encoded on first use."""
        if self._wire is None:
            object.__setattr__(self, "_wire", b"".join([b"%c%s" % (len(label), label) for label in self.labels]))
        return cast("bytes", self._wire)

    def __hash__(self) -> int:
        known = self._hash
        if known is None:
            known = super().__hash__()
            object.__setattr__(self, "_hash", known)
        return known

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CanonicalName):
            return bool(self.labels == other.labels)
        return bool(super().__eq__(other))  # type: ignore[no-untyped-call]  # dnspython leaves it untyped

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __copy__(self) -> CanonicalName:
        return self

    def __deepcopy__(self, memo: object) -> CanonicalName:
        return self

    def __reduce__(self) -> tuple[type[CanonicalName], tuple[tuple[bytes, ...]]]:
        return CanonicalName, (self.labels,)


def canonical(name: dns.name.Name) -> CanonicalName:
    """The same name in lower case; must be absolute."""
    if isinstance(name, CanonicalName):
        return name
    if not name.is_absolute():
        raise InvalidName(f"{name.to_text()!r} is not absolute: give it an origin")
    return CanonicalName(name.labels)


def name_wire(name: dns.name.Name) -> bytes:
    """An absolute name in canonical wire form."""
    return canonical(name).wire


def parse_zone_name(text: str) -> CanonicalName:
    """A zone's name as a DNSZone may have it: the grammar of its CRD and of bindcar, neither of which this can import.

    What keeps the three equal is one table of examples, `tests/support/zone_names.py`, which also says why. A name that
    passes here can be created on every server.
    """
    name = parse_zone(text)
    if name == dns.name.root:
        raise InvalidName(f"{text!r} is not a zone name: the root zone cannot be managed here")
    if "\\" in text:
        raise InvalidName(f"{text!r} is not a zone name: escapes are not allowed")
    for label in name.labels[:-1]:
        if not _ZONE_LABEL.match(label):
            raise InvalidName(
                f"{text!r} is not a zone name: label {label.decode('ascii', 'replace')!r} may hold letters, digits, "
                "underscores, and between those hyphens and slashes"
            )
    return name


def parse_zone(text: str) -> CanonicalName:
    """Any complete name, the final dot is optional: for names that are in use already, on servers or in metadata."""
    return _parse(text, dns.name.root)


def parse_name(text: str, origin: dns.name.Name) -> CanonicalName:
    """An owner name as people write it in a record of zone `origin`: relative, `@`, or absolute with a final dot.

    A name that already ends in the zone (`www.example.org` in `example.org`) is taken as absolute: that is what its
    writer means, and `www.example.org.example.org.` never is.
    """
    name = _parse(text, origin)
    if not text.endswith("."):
        whole = _parse(text, dns.name.root) if text not in {"", "@"} else name
        name = whole if whole.is_subdomain(origin) else name
    if not name.is_subdomain(origin):
        raise InvalidName(f"{text!r} lies outside zone {origin.to_text()!r}")
    return name


def parse_target(text: str) -> CanonicalName:
    """A name that a record points at (CNAME, MX, NS, SRV, PTR targets): absolute, the final dot is optional."""
    return _parse(text, dns.name.root)


def parse_mailbox(text: str) -> CanonicalName:
    """The SOA's mailbox: `admin@example.org` and `admin.example.org.` both work; dots before the @ stay one label."""
    local, at, domain = text.partition("@")
    if not at:
        return parse_target(text)
    if not local or not domain:
        raise InvalidName(f"{text!r} is no mail address: write admin@example.org")
    try:
        return CanonicalName([local.encode(), *parse_target(domain).labels])
    except dns.exception.DNSException as exc:  # more than 63 bytes before the @
        raise InvalidName(f"{text!r} is no mailbox: {exc}") from exc


def _parse(text: str, origin: dns.name.Name) -> CanonicalName:
    try:
        name = dns.name.from_text(text or "@", origin, idna_codec=dns.name.IDNA_2008_Practical)
        return CanonicalName(name.labels)
    except (dns.exception.DNSException, UnicodeError) as exc:
        raise InvalidName(f"{text!r} is no DNS name: {exc}") from exc
