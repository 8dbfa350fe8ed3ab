"""TXTRecord: spec -> rdata."""

from collections.abc import Iterable

from dns.name import Name

from generated.bindy_firestoned_io_v1beta1 import TXTRecordSpec
from reconcilers.ddns.presentation import quoted


def rdata(spec: TXTRecordSpec, _origin: Name) -> Iterable[str]:
    """The strings of the list are one record; the parser cuts what is too long for one character-string."""
    return [" ".join(quoted(text) for text in spec.text)]
