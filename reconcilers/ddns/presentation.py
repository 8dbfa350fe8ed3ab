"""The text that record kinds write: names and character-strings in the presentation format of RFC 1035.

Record kinds (records/) turn a spec into text with these; selection.py has the text parsed. What a user wrote and cannot
be said in DNS raises `InvalidField`, which names the field."""

from dns.name import Name

from reconcilers.ddns.errors import InvalidName
from reconcilers.ddns.names import parse_name, parse_target


class InvalidField(ValueError):
    """A field of a record's spec that cannot become DNS data: `field` says which, the text says why."""

    def __init__(self, field: str, why: object) -> None:
        super().__init__(f"{field}: {why}")
        self.field = field


def host(field: str, text: str) -> str:
    """A name that data points at: always complete, with or without its final dot."""
    try:
        return parse_target(text).to_text()
    except InvalidName as error:
        raise InvalidField(field, error) from error


def owner(text: str, origin: Name) -> Name:
    """The name a record stands at: relative to the zone, or complete, with or without its final dot."""
    try:
        return parse_name(text, origin)
    except InvalidName as error:
        raise InvalidField("spec.name", error) from error


def quoted(text: str) -> str:
    """A character-string: printable ASCII as it is, everything else as the escaped bytes of its UTF-8."""
    return '"' + "".join(_escaped(byte) for byte in text.encode()) + '"'


def _escaped(byte: int) -> str:
    if byte in b'"\\':
        return "\\" + chr(byte)
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03d}"
