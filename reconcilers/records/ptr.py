"""PTRRecord: spec -> rdata."""

from collections.abc import Iterable

from dns.name import Name

from generated.bindy_firestoned_io_v1beta1 import PTRRecordSpec
from reconcilers.ddns.presentation import host


def rdata(spec: PTRRecordSpec, _origin: Name) -> Iterable[str]:
    return [host("spec.target", spec.target)]
