"""The SOA as a value, and RFC 1982 arithmetic on its serial.

A serial is a 32-bit number on a circle: "greater" means less than half the circle ahead. Who chooses the serial is
the engine's business; here is only what the words mean.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

import dns.name
import dns.rdataclass
import dns.rdatatype

from reconcilers.ddns.names import name_wire
from reconcilers.ddns.rrset import encode

SERIAL_MODULUS = 2**32
_HALF = 2**31
_NUMBERS = struct.Struct("!IIIII")


@dataclass(frozen=True, slots=True)
class Soa:
    """The fields of a zone's SOA record, in the order of RFC 1035, and the TTL of the record itself."""

    primary: dns.name.Name
    admin: dns.name.Name
    serial: int
    refresh: int = 3600
    retry: int = 600
    expire: int = 604800
    minimum: int = 300
    ttl: int = 3600

    def at(self, serial: int) -> Soa:
        """The same SOA with another serial."""
        return replace(self, serial=serial % SERIAL_MODULUS)

    def same_config(self, other: Soa) -> bool:
        """Equal in everything but the serial."""
        return self == other.at(self.serial)

    @property
    def rdata(self) -> bytes:
        """The canonical wire form of the record data."""
        numbers = _NUMBERS.pack(self.serial, self.refresh, self.retry, self.expire, self.minimum)
        return name_wire(self.primary) + name_wire(self.admin) + numbers

    def wire(self, zone: dns.name.Name) -> bytes:
        """The whole record at the apex of `zone`."""
        return encode(zone, dns.rdatatype.SOA, dns.rdataclass.IN, self.ttl, [self.rdata])


def serial_gt(left: int, right: int) -> bool:
    """RFC 1982 3.2: is `left` ahead of `right`? Two serials exactly half the circle apart are in no order: False."""
    return 0 < (left - right) % SERIAL_MODULUS < _HALF


def serial_add(serial: int, steps: int) -> int:
    """RFC 1982 3.1."""
    if not 0 <= steps < _HALF:
        raise ValueError(f"a serial can be raised by 0..{_HALF - 1}, not {steps}")
    return (serial + steps) % SERIAL_MODULUS


def serial_max(first: int, *others: int) -> int:
    """The one that is ahead of all the others."""
    highest = first
    for serial in others:
        if serial_gt(serial, highest):
            highest = serial
    return highest


def next_serial(now: float, floor: int, *seen: int) -> int:
    """The serial for a new content: max(unix time, `floor`, highest seen + 1), on the circle."""
    candidates = [int(now) % SERIAL_MODULUS, floor % SERIAL_MODULUS]
    if seen:
        candidates.append(serial_add(serial_max(*seen), 1))
    # What was seen counts first: time and floor may lie "behind" on the circle, and a serial never goes back.
    return serial_max(*reversed(candidates))
