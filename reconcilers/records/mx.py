"""MXRecord: spec -> rdata."""

from collections.abc import Iterable

from dns.name import Name

from generated.bindy_firestoned_io_v1beta1 import MXRecordSpec
from reconcilers.ddns.presentation import host


def rdata(spec: MXRecordSpec, _origin: Name) -> Iterable[str]:
    return [f"{spec.priority} {host('spec.mailServer', spec.mail_server)}"]
