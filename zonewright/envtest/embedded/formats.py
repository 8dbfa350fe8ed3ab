"""The string formats that Kubernetes checks, as predicates; a format that is not listed is not checked, as there."""

import base64
import binascii
import datetime as dt
import ipaddress
import re
import uuid
from collections.abc import Callable
from urllib.parse import urlsplit

HOSTNAME = re.compile(r"(?=.{1,255}\Z)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9-]{1,63})*\.?\Z")
DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)\Z")
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\Z")
MAC = re.compile(r"([0-9A-Fa-f]{2}[:-]){5}([0-9A-Fa-f]{2})\Z")
DURATION = re.compile(r"[+-]?(\d+(\.\d*)?\s*(ns|us|µs|ms|s|m|h|d|w|[a-z]+)\s*)+\Z")


def parses(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return True

    return check


def date_time(text: str) -> object:
    if not DATE_TIME.match(text):
        raise ValueError(text)
    return dt.datetime.fromisoformat(text.upper())


def network(text: str) -> object:
    if "/" not in text:
        raise ValueError(text)
    return ipaddress.ip_network(text, strict=False)


def octets(text: str) -> object:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(text) from error


FORMATS: dict[str, Callable[[str], bool]] = {
    "byte": parses(octets),
    "cidr": parses(network),
    "date": parses(dt.date.fromisoformat),
    "date-time": parses(date_time),
    "datetime": parses(date_time),
    "duration": lambda text: bool(DURATION.match(text)),
    "email": lambda text: bool(EMAIL.match(text)),
    "hostname": lambda text: bool(HOSTNAME.match(text)),
    "ipv4": parses(ipaddress.IPv4Address),
    "ipv6": parses(ipaddress.IPv6Address),
    "mac": lambda text: bool(MAC.match(text)),
    "uri": lambda text: bool(urlsplit(text).scheme),
    "uuid": parses(uuid.UUID),
}
