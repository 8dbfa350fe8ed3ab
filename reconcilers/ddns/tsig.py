"""TSIG (RFC 8945) over assembled bytes: sign a request, verify replies.

dnspython can sign only messages it built itself, which costs forty times the assembling; the signature itself is one
HMAC over the bytes. Nothing of a key is ever shown: where it was read, a name may be a secret put into the wrong place.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import hmac
import struct
from dataclasses import dataclass, field
from typing import Final, Literal

import dns.name
import dns.rcode

from reconcilers.ddns.errors import InvalidName, InvalidRecordData, MalformedReply, TsigFailed
from reconcilers.ddns.names import CanonicalName, name_wire, parse_target

FUDGE: Final = 300
"""Seconds by which clocks may differ, the value RFC 8945 section 10 recommends."""

ALGORITHMS: Final = {
    "hmac-md5.sig-alg.reg.int": "md5",
    "hmac-sha1": "sha1",
    "hmac-sha224": "sha224",
    "hmac-sha256": "sha256",
    "hmac-sha384": "sha384",
    "hmac-sha512": "sha512",
}

_TIME = struct.Struct("!HIH")  # 48 bits of seconds, fudge
_HEADER = struct.Struct("!HHHHHH")
_TYPE_TSIG, _CLASS_ANY = 250, 255
_ERRORS = {
    dns.rcode.BADSIG: "BADSIG: the secrets differ",
    dns.rcode.BADKEY: "BADKEY: the server does not know the key, or not with this algorithm",
    dns.rcode.BADTIME: f"BADTIME: the clocks differ by more than {FUDGE} s",
}


class InvalidTsigKey(InvalidRecordData):
    """`part` of the text is no part of a key; `why` repeats nothing of it."""

    def __init__(self, part: Literal["name", "algorithm", "secret"], why: str) -> None:
        super().__init__(f"the {part} of the TSIG key {why}")
        self.part, self.why = part, why


@dataclass(frozen=True, slots=True)
class TsigKey:
    """A shared secret. Made from text with `TsigKey.of`; prints without any part of it."""

    name: CanonicalName = field(repr=False)
    algorithm: str = field(repr=False)
    secret: bytes = field(repr=False)

    @classmethod
    def of(cls, name: str, algorithm: str, secret: str) -> TsigKey:
        """From the text of a Secret or of named.conf; `secret` is base64. Raises InvalidTsigKey."""
        digest = algorithm.strip().lower().rstrip(".")
        digest = "hmac-md5.sig-alg.reg.int" if digest == "hmac-md5" else digest
        if digest not in ALGORITHMS:
            raise InvalidTsigKey("algorithm", f"is not one of {', '.join(sorted(ALGORITHMS))}")
        try:
            raw = base64.b64decode(secret.strip(), validate=True)
        except (binascii.Error, ValueError):
            raise InvalidTsigKey("secret", "is not base64") from None
        if not raw:
            raise InvalidTsigKey("secret", "is empty")
        try:
            parsed = parse_target(name.strip())
        except InvalidName:
            raise InvalidTsigKey("name", "is not a DNS name") from None
        if parsed == dns.name.root:
            raise InvalidTsigKey("name", "is empty")
        return cls(parsed, digest, raw)

    def mac(self, *parts: bytes) -> bytes:
        """The HMAC of the concatenated parts."""
        return hmac.digest(self.secret, b"".join(parts), ALGORITHMS[self.algorithm])

    @property
    def digest_size(self) -> int:
        """Bytes in a MAC."""
        return _digest_size(self.algorithm)

    @property
    def algorithm_wire(self) -> bytes:
        """The algorithm as the name it is on the wire."""
        return _algorithm_wire(self.algorithm)

    @property
    def overhead(self) -> int:
        """How many bytes signing adds to a message."""
        return len(name_wire(self.name)) + 10 + len(self.algorithm_wire) + 16 + self.digest_size


@functools.cache
def _digest_size(algorithm: str) -> int:
    return hashlib.new(ALGORITHMS[algorithm], usedforsecurity=False).digest_size


@functools.cache
def _algorithm_wire(algorithm: str) -> bytes:
    return name_wire(dns.name.from_text(algorithm))


def sign(message: bytes, key: TsigKey, now: float) -> tuple[bytes, bytes]:
    """The signed message and its MAC, which is needed to verify the reply."""
    time = _time(now)
    mac = key.mac(message, _variables(key, time))
    message_id, flags, *counts, additional = _HEADER.unpack_from(message)
    fields = time + struct.pack("!H", len(mac)) + mac + struct.pack("!HHH", message_id, 0, 0)
    rdata = key.algorithm_wire + fields
    record = name_wire(key.name) + struct.pack("!HHIH", _TYPE_TSIG, _CLASS_ANY, 0, len(rdata)) + rdata
    header = _HEADER.pack(message_id, flags, *counts, additional + 1)
    return header + message[12:] + record, mac


@dataclass(slots=True)
class Verifier:
    """Checks the replies to one signed request, in order: one for a query or UPDATE, many for a transfer."""

    key: TsigKey
    prior_mac: bytes
    now: float
    _first: bool = field(default=True, init=False)
    _unsigned: list[bytes] = field(default_factory=list, init=False)

    def check(self, message: bytes, signature: Signature | None, *, doing: str) -> None:
        """Raise TsigFailed unless the message is authentic; in a stream, messages between signed ones may be bare."""
        if signature is None:
            if self._first:
                raise TsigFailed(f"{doing}: the reply is not signed by our key", ambiguous=True)
            self._unsigned.append(message)
            if len(self._unsigned) > 99:  # RFC 8945 5.3.1: at least every 100th message is signed
                raise TsigFailed(f"{doing}: too many unsigned messages in the transfer", ambiguous=True)
            return
        signature.raise_for_error(doing)
        self._compare(message, signature, doing)

    def finish(self, doing: str) -> None:
        """The last message of a stream must have been signed."""
        if self._unsigned:
            raise TsigFailed(f"{doing}: the end of the transfer is not signed", ambiguous=True)

    def _compare(self, message: bytes, signature: Signature, doing: str) -> None:
        _, flags, *counts, additional = _HEADER.unpack_from(message)
        header = _HEADER.pack(signature.original_id, flags, *counts, additional - 1)
        bare = header + message[12 : signature.start]
        prior = struct.pack("!H", len(self.prior_mac)) + self.prior_mac
        variables = _variables(self.key, signature.time, signature.error) if self._first else signature.time
        expected = self.key.mac(prior, *self._unsigned, bare, variables)
        if not hmac.compare_digest(expected, signature.mac):
            raise TsigFailed(f"{doing}: the reply's signature by our key is wrong", ambiguous=True)
        if abs(self.now - signature.seconds) > FUDGE:
            raise TsigFailed(f"{doing}: the reply is not from now: the clocks differ", rcode="BADTIME", ambiguous=True)
        self._first, self.prior_mac = False, signature.mac
        self._unsigned.clear()


@dataclass(frozen=True, slots=True)
class Signature:
    """The TSIG record at the end of a reply; `start` is its offset."""

    start: int
    time: bytes
    mac: bytes
    original_id: int
    error: int

    @classmethod
    def parse(cls, start: int, rdata: bytes) -> Signature:
        """From the record's data, whose first part is the (never compressed) algorithm name."""
        try:
            cursor = _skip_name(rdata)
            (size,) = struct.unpack_from("!H", rdata, cursor + 8)
            mac = rdata[cursor + 10 : cursor + 10 + size]
            original_id, error, _ = struct.unpack_from("!HHH", rdata, cursor + 10 + size)
        except (struct.error, IndexError) as exc:
            raise MalformedReply("the reply's TSIG record cannot be read", ambiguous=True) from exc
        return cls(start, rdata[cursor : cursor + 8], mac, original_id, error)

    @property
    def seconds(self) -> int:
        """When it was signed, in unix time."""
        return int.from_bytes(self.time[:6], "big")

    def raise_for_error(self, doing: str) -> None:
        """RFC 8945 5.3.2: the server tells here why it did not accept our signature. It did nothing then."""
        if self.error:
            why = _ERRORS.get(dns.rcode.Rcode.make(self.error), f"error {self.error}")
            raise TsigFailed(f"{doing}: the server does not accept our key: {why}", rcode=why.partition(":")[0])


def _time(now: float) -> bytes:
    seconds = int(now)
    return _TIME.pack(seconds >> 32, seconds & 0xFFFFFFFF, FUDGE)


def _variables(key: TsigKey, time: bytes, error: int = 0) -> bytes:
    """RFC 8945 4.3.3. No "other data": only BADTIME replies have it, and those are told apart before."""
    head = name_wire(key.name) + struct.pack("!HI", _CLASS_ANY, 0) + key.algorithm_wire
    return head + time + struct.pack("!HH", error, 0)


def _skip_name(wire: bytes) -> int:
    cursor = 0
    while wire[cursor]:
        cursor += wire[cursor] + 1
    return cursor + 1
