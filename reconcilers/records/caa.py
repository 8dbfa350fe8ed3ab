"""CAARecord: spec -> rdata."""

from collections.abc import Iterable

from dns.name import Name

from generated.bindy_firestoned_io_v1beta1 import CAARecordSpec
from reconcilers.ddns.presentation import quoted


def rdata(spec: CAARecordSpec, _origin: Name) -> Iterable[str]:
    return [f"{spec.flags} {spec.tag} {quoted(spec.value)}"]
