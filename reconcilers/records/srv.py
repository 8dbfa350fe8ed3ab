"""SRVRecord: spec -> rdata."""

from collections.abc import Iterable

from dns.name import Name

from generated.bindy_firestoned_io_v1beta1 import SRVRecordSpec
from reconcilers.ddns.presentation import host


def rdata(spec: SRVRecordSpec, _origin: Name) -> Iterable[str]:
    return [f"{spec.priority} {spec.weight} {spec.port} {host('spec.target', spec.target)}"]
