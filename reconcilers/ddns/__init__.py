"""ddns (8): names, RRsets and zones as values, and one name server spoken to with RFC 2136 updates and transfers.

Knows dnspython and sockets; never Kubernetes, threads, or who wants which record. Start reading at `client.py`.
"""

from reconcilers.ddns.client import DnsServer, UpdateResult
from reconcilers.ddns.dialer import Dialer, DirectDialer
from reconcilers.ddns.errors import (
    DnsError,
    FormatError,
    Ignored,
    InvalidName,
    InvalidRecordData,
    MalformedReply,
    NotAuthoritative,
    NotZone,
    PrerequisiteFailed,
    Refused,
    Rejected,
    ServerFailure,
    ServerUnreachable,
    TsigFailed,
)
from reconcilers.ddns.names import canonical, parse_mailbox, parse_name, parse_target, parse_zone, parse_zone_name
from reconcilers.ddns.plan import Change, Prerequisite, plan
from reconcilers.ddns.rdata import parse_rdata, rdtype_of, txt_rdata
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.ddns.session import SerialSource, UpdateObserver
from reconcilers.ddns.soa import Soa, next_serial, serial_add, serial_gt, serial_max
from reconcilers.ddns.transfer import ZoneContent
from reconcilers.ddns.tsig import TsigKey

__all__ = [
    "Change",
    "Dialer",
    "DirectDialer",
    "DnsError",
    "DnsServer",
    "FormatError",
    "Ignored",
    "InvalidName",
    "InvalidRecordData",
    "MalformedReply",
    "NotAuthoritative",
    "NotZone",
    "Prerequisite",
    "PrerequisiteFailed",
    "RRset",
    "RRsetKey",
    "Refused",
    "Rejected",
    "SerialSource",
    "ServerFailure",
    "ServerUnreachable",
    "Soa",
    "TsigFailed",
    "TsigKey",
    "UpdateObserver",
    "UpdateResult",
    "ZoneContent",
    "canonical",
    "next_serial",
    "parse_mailbox",
    "parse_name",
    "parse_rdata",
    "parse_target",
    "parse_zone",
    "parse_zone_name",
    "plan",
    "rdtype_of",
    "serial_add",
    "serial_gt",
    "serial_max",
    "txt_rdata",
]
