"""Record data as canonical bytes: text or dnspython rdata in, RFC 4034 section 6.2 wire form out, and back.

Two values that mean the same (`Mail.Example.org` and `mail.example.org.`, `2001:DB8::1` and `2001:db8:0::1`) have the
same bytes, so comparing RRsets is comparing sets of bytes. Knows nothing of owner names or TTLs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import dns.exception
import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import dns.rdtypes.ANY.TXT
import dns.tokenizer

from reconcilers.ddns.errors import InvalidRecordData

MAX_STRING = 255
"""RFC 1035 3.3: a character-string has a length byte."""


def rdtype_of(text: str) -> dns.rdatatype.RdataType:
    """The type for a mnemonic like `MX` or `TYPE65`."""
    try:
        return dns.rdatatype.from_text(text)
    except (dns.exception.DNSException, ValueError) as exc:
        raise InvalidRecordData(f"{brief(text)} is no record type") from exc


def parse_rdata(
    rdtype: dns.rdatatype.RdataType | str, text: str, *, origin: dns.name.Name = dns.name.root
) -> dns.rdata.Rdata:
    """Record data from its zone file text; names in it without a final dot are relative to `origin`.

    The default origin is the root, because that is what people mean in a spec: `mail.example.org` is absolute.
    TXT with an overlong string is split, as a zone file would have to.
    """
    kind = rdtype_of(rdtype) if isinstance(rdtype, str) else rdtype
    if "\n" in text:  # dnspython would read the first line and drop the rest
        raise InvalidRecordData(f"{brief(text)} is no {dns.rdatatype.to_text(kind)} data: it has several lines")
    try:
        if kind == dns.rdatatype.TXT:
            return txt_rdata(_strings(text))
        rdata = dns.rdata.from_text(dns.rdataclass.IN, kind, text, origin=origin, relativize=False)
        canonical_wire(rdata)  # some errors show only when encoded
    except (dns.exception.DNSException, ValueError, UnicodeError) as exc:
        raise InvalidRecordData(f"{brief(text)} is no {dns.rdatatype.to_text(kind)} data: {exc}") from exc
    return rdata


def txt_rdata(strings: Iterable[str | bytes]) -> dns.rdata.Rdata:
    """One TXT record of these strings; a string longer than 255 bytes is split, an empty list is refused."""
    pieces = [piece for string in strings for piece in _pieces(string)]
    if not pieces:
        raise InvalidRecordData("a TXT record needs at least one string")
    return dns.rdtypes.ANY.TXT.TXT(dns.rdataclass.IN, dns.rdatatype.TXT, pieces)


def canonical_wire(rdata: dns.rdata.Rdata) -> bytes:
    """The canonical bytes of record data."""
    return rdata.to_digestable()


def from_canonical(rdtype: dns.rdatatype.RdataType, wire: bytes) -> dns.rdata.Rdata:
    """The reverse of `canonical_wire`."""
    return dns.rdata.from_wire(dns.rdataclass.IN, rdtype, wire, 0, len(wire))


def txt_wire(text: bytes) -> bytes:
    """One text as TXT data in wire form: strings of at most 255 bytes, each with its length in front (RFC 1035 3.3)."""
    return b"".join(b"%c%s" % (len(piece), piece) for piece in _pieces(text))


def txt_bytes(wire: bytes) -> bytes:
    """The strings of TXT data in wire form, joined."""
    strings, cursor = [], 0
    while cursor < len(wire):
        end = cursor + 1 + wire[cursor]
        strings.append(wire[cursor + 1 : end])
        cursor = end
    return b"".join(strings)


def brief(text: str, most: int = 80) -> str:
    """What somebody wrote, for a message: quoted, and cut if it is long."""
    return repr(text) if len(text) <= most else f"{text[:most]!r}... ({len(text):,} characters)"


def _pieces(string: str | bytes) -> Iterator[bytes]:
    raw = string.encode() if isinstance(string, str) else string
    yield raw[:MAX_STRING]
    for start in range(MAX_STRING, len(raw), MAX_STRING):
        yield raw[start : start + MAX_STRING]


def _strings(text: str) -> list[bytes]:
    tokens = dns.tokenizer.Tokenizer(text).get_remaining()
    return [token.unescape_to_bytes().value for token in tokens]
