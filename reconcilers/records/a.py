"""ARecord: spec -> rdata."""

from collections.abc import Iterable

from dns.name import Name

from generated.bindy_firestoned_io_v1beta1 import ARecordSpec


def rdata(spec: ARecordSpec, _origin: Name) -> Iterable[str]:
    return [spec.ipv4_address] if spec.ipv4_address else spec.ipv4_addresses or []
