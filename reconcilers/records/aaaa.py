"""AAAARecord: spec -> rdata."""

from collections.abc import Iterable

from dns.name import Name

from generated.bindy_firestoned_io_v1beta1 import AAAARecordSpec


def rdata(spec: AAAARecordSpec, _origin: Name) -> Iterable[str]:
    return [spec.ipv6_address] if spec.ipv6_address else spec.ipv6_addresses or []
