"""How a DNS type's data splits into fields, learnt from dnspython by trying: no table of types to keep up to date.

Values that are easy to recognise go in, and the presentation format that comes out tells which field is what. A type
that does not come apart that way (LOC, SVCB, APL ...) gets one field for its whole data.
"""

import base64
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, Literal

import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype

from zonewright.codegen.errors import CodegenError

FieldKind = Literal["number", "name", "hex", "base64", "text", "rdata"]

NUMBER = 1
NAME = dns.name.from_text("target.example.org.")
# As long as a SHA-1 and a SHA-256 digest: the number 1 means the one in DS and SSHFP, the other in TLSA.
BYTES = (bytes(range(1, 21)), bytes(range(1, 33)))
WIDTHS = (2**8 - 1, 2**16 - 1, 2**32 - 1)
TOO_MANY_FIELDS = 6

# For types whose data stays in one piece: the first that the type can read becomes the CRD's example.
WHOLE_EXAMPLES = (
    "52 22 23.000 N 4 53 32.000 E -2.00m",
    "1 target.example.org. alpn=h2",
    "1:192.0.2.0/24",
    "00-00-5e-00-53-2a",
    "00-00-5e-ef-10-00-00-2a",
    "10 192.0.2.1",
    "10 2001:0db8:0000:0001",
    "1 3 A NS",
    "PKIX 1 RSASHA256 AQID",
    "192.0.2.1",
    "2001:db8::1",
    '0 issue "ca.example.org"',
)

# Made by servers or part of the protocol; nobody publishes them by hand.
NOT_FOR_PEOPLE = {"SOA", "OPT", "TSIG", "TKEY", "RRSIG", "SIG", "NSEC", "NSEC3", "NSEC3PARAM"}


@dataclass(frozen=True, slots=True)
class FieldLayout:
    """One field: its wire name, what it holds, a value that works, and for numbers the largest."""

    name: str
    kind: FieldKind
    example: int | str
    maximum: int = 0


def rdata_type(text: str) -> dns.rdatatype.RdataType:
    """The type that `make new-kind` was asked for."""
    name = text.upper().removesuffix("RECORD")
    try:
        rdtype = dns.rdatatype.from_text(name)
    except (dns.rdatatype.UnknownRdatatype, ValueError) as error:
        raise CodegenError(f"{text!r} is not a DNS type, such as SSHFP or TLSA") from error
    known = _class(rdtype) is not dns.rdata.GenericRdata
    if not known or not name.isalnum() or name in NOT_FOR_PEOPLE or dns.rdatatype.is_metatype(rdtype):
        raise CodegenError(f"{name} is not a type that people publish, or dnspython does not know its format")
    return rdtype


def fields(rdtype: dns.rdatatype.RdataType) -> tuple[FieldLayout, ...]:
    probe = _Probe(_class(rdtype), rdtype)
    slots = list(signature(probe.cls.__init__).parameters)[3:]  # after self, rdclass and rdtype
    if len(slots) <= TOO_MANY_FIELDS:
        for values in _trials(len(slots)):
            found = probe.recognise(slots, values)
            if found:
                return found
    return (FieldLayout("rdata", "rdata", probe.whole_example),)


def _class(rdtype: dns.rdatatype.RdataType) -> Any:
    return dns.rdata.get_rdata_class(dns.rdataclass.IN, rdtype)  # type: ignore[no-untyped-call]  # dnspython's own


def _trials(count: int) -> Iterator[tuple[Any, ...]]:
    for sample in BYTES:
        yield from itertools.product((NUMBER, NAME, sample), repeat=count)


@dataclass(frozen=True, slots=True)
class _Probe:
    cls: Any
    rdtype: dns.rdatatype.RdataType

    @property
    def whole_example(self) -> str:
        """Data that reads as this type; where none of the examples fits, the person who adds the type writes one."""
        return next((text for text in WHOLE_EXAMPLES if self._reads(text)), "as in a zone file")

    def _reads(self, text: str) -> bool:
        try:
            dns.rdata.from_text(dns.rdataclass.IN, self.rdtype, text)
        except Exception:  # noqa: BLE001 - as in text()
            return False
        return True

    def text(self, values: Sequence[Any]) -> str | None:
        """The presentation format of a record with these values, if it can have them and be read back."""
        try:
            text = str(self.cls(dns.rdataclass.IN, self.rdtype, *values).to_text())
            dns.rdata.from_text(dns.rdataclass.IN, self.rdtype, text)
        except Exception:  # noqa: BLE001 - each type has its own way to refuse a value, and any refusal is the answer
            return None
        return text

    def recognise(self, slots: Sequence[str], values: Sequence[Any]) -> tuple[FieldLayout, ...] | None:
        """The layout, when every value came out as one token in its place."""
        tokens = (self.text(values) or "").split()
        kinds = [_kind(token, value) for token, value in zip(tokens, values, strict=False)]
        if len(tokens) != len(values) or not all(kinds):
            return None
        maxima = [self.maximum(values, index) for index in range(len(values))]
        if None in maxima:
            return None
        return tuple(
            FieldLayout(_camel(slot), kind, _example(token, kind), maximum or 0)
            for slot, kind, token, maximum in zip(slots, kinds, tokens, maxima, strict=True)
            if kind
        )

    def maximum(self, values: Sequence[Any], index: int) -> int | None:
        """The largest number in this place, 0 where there is none; None when it is no unsigned number after all."""
        if values[index] != NUMBER:
            return 0

        def accepts(number: int) -> bool:
            return self.text([number if at == index else value for at, value in enumerate(values)]) is not None

        return None if accepts(-1) else max((width for width in WIDTHS if accepts(width)), default=None)


def _kind(token: str, value: Any) -> FieldKind | None:
    """What a value of a kind was written as; None when it is not in its place."""
    if value == NUMBER:
        return "number" if token == str(NUMBER) else None
    if value == NAME:
        return "name" if token == NAME.to_text() else None
    if token.startswith('"'):
        return "text"
    written: dict[str, FieldKind] = {value.hex(): "hex", base64.b64encode(value).decode(): "base64"}
    return written.get(token)


def _example(token: str, kind: FieldKind) -> int | str:
    if kind == "number":
        return NUMBER
    return "example" if kind == "text" else token


def _camel(slot: str) -> str:
    first, *rest = slot.split("_")
    return first + "".join(word.capitalize() for word in rest)
