"""The words that go into named's configuration and commands, each checked against a strict pattern.

Everything a caller sends that ends up in an rndc command passes here. What passes cannot contain a quote, brace,
semicolon, backslash or blank where it would mean something to named, so nothing needs escaping afterwards.
"""

from __future__ import annotations

import ipaddress
import re

import dns.exception
import dns.name

# Host name characters, the underscore of _tcp and friends, the slash of RFC 2317; never a dot, quote or escape.
_LABEL = re.compile(rb"[a-z0-9_]([a-z0-9_/-]*[a-z0-9_])?\Z")
_IDENTIFIER = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?\Z")
_BUILTIN_ACLS = frozenset({"any", "none", "localhost", "localnets"})


class InvalidToken(ValueError):
    """The text cannot be used; the message says which and why."""


class InvalidZoneName(InvalidToken):
    """No zone can have this name here, so none has: whoever asks for it, or deletes it, need not ask again."""


def zone_name(text: str) -> str:
    """A zone's name in lower case without its final dot.

    The grammar is that of the CRD and of the operator, neither of which can be imported here. One table of examples
    keeps the three equal: `tests/support/zone_names.py`. A name begins with no hyphen, so named takes none for an
    option of a command.
    """
    shown = repr(text[:100])
    try:
        name = dns.name.from_text(text, dns.name.root, idna_codec=dns.name.IDNA_2008_Practical)
    except (dns.exception.DNSException, UnicodeError) as exc:
        raise InvalidZoneName(f"zone name {shown} is not a DNS name: {str(exc)[:200]}") from exc
    labels = [label.lower() for label in name.labels[:-1]]
    if not labels:
        raise InvalidZoneName("the root zone cannot be managed here")
    if "\\" in text:
        raise InvalidZoneName(f"zone name {shown}: escapes are not allowed")
    for label in labels:
        if not _LABEL.match(label):
            raise InvalidZoneName(
                f"zone name {shown}: label {label.decode('ascii', 'replace')!r} may hold letters, digits, underscores, "
                "and between those hyphens and slashes"
            )
    return b".".join(labels).decode("ascii")


def identifier(text: str, what: str) -> str:
    """The name of a key, ACL or policy. The error does not repeat it: names of keys come from Secrets."""
    if not _IDENTIFIER.match(text):
        raise InvalidToken(f"{what}: a name may hold letters, digits, dots, dashes and underscores only, at most 128")
    return text


def address(text: str) -> str:
    """An IP address; a scope (`%eth0`) is not one."""
    try:
        parsed = ipaddress.ip_address(text)
    except ValueError:
        raise InvalidToken(f"{text!r} is no IP address") from None
    if "%" in text:
        raise InvalidToken(f"{text!r}: no scope allowed")
    return str(parsed)


def match_element(text: str) -> str:
    """One element of an address match list: an address or network, `key NAME`, or the name of an ACL."""
    words = text.split()
    if len(words) == 2 and words[0] == "key":
        return f'key "{identifier(words[1], "key")}"'
    if len(words) != 1 or words[0] == "key":
        raise InvalidToken(f"{words[0] if words else ''!r}... is neither an address, nor `key NAME`, nor an ACL's name")
    try:
        return str(ipaddress.ip_network(words[0], strict=False)) if "/" in words[0] else address(words[0])
    except ValueError:
        pass
    if words[0] in _BUILTIN_ACLS:
        return words[0]
    if re.fullmatch(r"[0-9a-fA-F.:%/]+", words[0]):
        raise InvalidToken(f"{text!r} looks like an address and is none")
    return f'"{identifier(words[0], "ACL")}"'


def server(text: str, default_key: str | None = None) -> str:
    """A server to transfer from or to notify: `ADDRESS [port N] [key NAME]`."""
    words = text.split()
    if not words:
        raise InvalidToken("an empty server address")
    parts = [address(words[0])]
    options = dict(zip(words[1::2], words[2::2], strict=False))
    if len(words) != 1 + 2 * len(options) or set(options) - {"port", "key"}:
        raise InvalidToken(f"what follows {words[0]} is not [port N] [key NAME]")
    if "port" in options:
        parts.append(f"port {_port(options['port'])}")
    key = options.get("key", default_key)
    if key:
        parts.append(f'key "{identifier(key, "key")}"')
    return " ".join(parts)


def _port(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 0 < int(text) < 65536:
        raise InvalidToken(f"{text!r} is no port")
    return int(text)
