"""Secrets that instances refer to: which may be read, for what, for which host, and what is in them. Writes nothing.

Whoever may write a Bind9Instance can name any Secret of its namespace and any host. So a Secret has to say that it is
meant for this, by its type or by a label, and may say for which hosts. Read by name whenever it is needed, never listed
or watched. No error repeats anything that was read, not even a key's name: the entry may hold something else.
"""

import base64
import binascii
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as column
from enum import StrEnum
from typing import Any, Protocol

from zonewright import Kind, NotFound

SECRET: Kind[dict[str, Any]] = Kind("", "v1", "Secret", "secrets")
GROUP = "bindy.firestoned.io"
USE_LABEL = f"{GROUP}/secret-use"
HOSTS_ANNOTATION = f"{GROUP}/hosts"


class ConfigurationError(Exception):
    """The instance cannot be used as it is written; the text names the field."""


class Use(StrEnum):
    """What a Secret may be meant for: the value of its label, and the last part of its type."""

    TSIG = "tsig"
    BINDCAR_TOKEN = "bindcar-token"  # noqa: S105 - the word, not a token


class Secrets(Protocol):
    def get_fields(self, kind: Kind[Any], name: str, namespace: str = "") -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Credentials:
    """The entries of a Secret that may be used. Prints as where it is."""

    field: str
    secret: str  # namespace/name
    entries: Mapping[str, str] = column(repr=False)

    def entry(self, name: str, default: str | None = None) -> str:
        """The text of an entry. Raises ConfigurationError."""
        encoded = self.entries.get(name)
        if encoded is None and default is not None:
            return default
        if encoded is None:
            raise ConfigurationError(f"{self.field}: Secret {self.secret} has no entry {name!r}")
        try:
            return base64.b64decode(encoded, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            raise self.wrong(name, "is no text") from None

    def wrong(self, name: str, why: str) -> ConfigurationError:
        """What is wrong with an entry, in words that do not depend on its content."""
        return ConfigurationError(f"{self.field}: entry {name!r} of Secret {self.secret} {why}")


def credentials(secrets: Secrets, field: str, key: tuple[str, str], use: Use, *, host: str) -> Credentials:
    """The Secret at `key` (namespace, name), for this use and this host. Raises ConfigurationError."""
    namespace, name = key
    where = f"{namespace}/{name}"
    try:
        fields = secrets.get_fields(SECRET, name, namespace)
    except NotFound:
        raise ConfigurationError(f"{field}: there is no Secret {where}") from None
    metadata = fields.get("metadata") or {}
    label = (metadata.get("labels") or {}).get(USE_LABEL)
    if fields.get("type") != f"{GROUP}/{use}" and label != use:
        command = f"kubectl label secret {name} --namespace {namespace} {USE_LABEL}={use}"
        raise ConfigurationError(
            f"{field}: Secret {where} does not say that it may be used for this. If it may: {command}"
            + (" --overwrite" if label is not None else "")
        )
    hosts = (metadata.get("annotations") or {}).get(HOSTS_ANNOTATION)
    if hosts is not None and not any(_same_host(each, host) for each in hosts.split(",")):
        raise ConfigurationError(
            f"{field}: Secret {where} may not be used for {host}: its annotation {HOSTS_ANNOTATION} does not name it"
        )
    return Credentials(field, where, fields.get("data") or {})


def _same_host(one: str, other: str) -> bool:
    return _host(one) == _host(other)


def _host(text: str) -> str:
    """Addresses and names as they are compared: `2001:DB8::1` is `2001:db8:0::1`, `NS1.example.org.` is ns1."""
    bare = text.strip().removeprefix("[").removesuffix("]")
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        return bare.rstrip(".").lower()
