"""CNAMERecord: spec -> rdata."""

from collections.abc import Iterable

from dns.name import Name

from generated.bindy_firestoned_io_v1beta1 import CNAMERecordSpec
from reconcilers.ddns.presentation import host


def rdata(spec: CNAMERecordSpec, _origin: Name) -> Iterable[str]:
    return [host("spec.target", spec.target)]
