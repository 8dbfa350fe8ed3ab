"""What can go wrong between us and a name server, said so that the caller knows what to do next.

Every error has a `reason` (the word that goes into an object's status) and says whether the outcome is
`ambiguous`: the server may or may not have applied what was sent, so it must be observed before anything else.
Knows nothing of objects, retries or back-off.
"""

from __future__ import annotations

import dns.rcode

from reconcilers.reasons import Reason


class DnsError(Exception):
    """The base of all of them. A class fixes its `reason`; an instance may be ambiguous."""

    reason = Reason.SERVER_UNREACHABLE

    def __init__(self, message: str, *, rcode: str = "", ambiguous: bool = False) -> None:
        super().__init__(message)
        self.rcode = rcode
        self.ambiguous = ambiguous


class InvalidRecordData(DnsError, ValueError):
    """The text is no DNS data. Nothing was sent; only a changed spec helps."""

    reason = Reason.INVALID_RECORD_DATA


class InvalidName(InvalidRecordData):
    """The text is no DNS name, or not one in this zone."""


class ServerUnreachable(DnsError):
    """No connection, or no reply in time. Ambiguous as soon as a part of an UPDATE was sent."""


class MalformedReply(ServerUnreachable):
    """The server's reply cannot be read. What it did is not known."""


class TsigFailed(DnsError):
    """The server does not accept our signature, or we do not accept its. The same key will fail again."""

    reason = Reason.TSIG_VERIFICATION_FAILED


class NotAuthoritative(DnsError):
    """The server does not serve this zone (or does not show it to us): create it, or wait for it."""

    reason = Reason.ZONE_NOT_READY


class Rejected(DnsError):
    """The server said no, and will say no to the same change again."""

    reason = Reason.REJECTED


class Refused(Rejected):
    """REFUSED: by policy (allow-update, update-policy, allow-transfer) or by check-names and integrity checks."""


class NotZone(Rejected):
    """NOTZONE: a name lies outside the zone."""


class FormatError(Rejected):
    """FORMERR: the server could not read the message."""


class ServerFailure(Rejected):
    """SERVFAIL: an RRset beyond the server's limit, a zone it cannot load, a disk it cannot write."""


class Ignored(Rejected):
    """NOERROR, and the zone still does not hold the change: BIND drops some changes in silence."""


class PrerequisiteFailed(DnsError):
    """What the change was conditional on is not so: somebody else owns the RRset, or changed it."""

    reason = Reason.RECORD_CONFLICT


_REJECTIONS: dict[int, tuple[type[DnsError], str]] = {
    dns.rcode.FORMERR: (FormatError, "it could not read the message"),
    dns.rcode.SERVFAIL: (ServerFailure, "the RRset may be too large, or the server cannot write the zone; see its log"),
    dns.rcode.REFUSED: (
        Refused,
        "check allow-update, update-policy, check-names and that in-zone targets have addresses",
    ),
    dns.rcode.NOTZONE: (NotZone, "the name lies outside the zone"),
    dns.rcode.NOTAUTH: (NotAuthoritative, "it does not serve the zone"),
    dns.rcode.NOTIMP: (Refused, "it does not take dynamic updates"),
    dns.rcode.NXDOMAIN: (PrerequisiteFailed, "a name that had to exist does not"),
    dns.rcode.YXDOMAIN: (PrerequisiteFailed, "a name that had to be free is in use"),
    dns.rcode.NXRRSET: (PrerequisiteFailed, "the RRset is not what it had to be"),
    dns.rcode.YXRRSET: (PrerequisiteFailed, "the RRset exists and is not ours"),
}


def rcode_error(rcode: int, doing: str, hint: str = "") -> DnsError:
    """The exception for a reply that is not NOERROR; `doing` says what was asked, e.g. "update of example.org."."""
    name = rcode_text(rcode)
    kind, usual = _REJECTIONS.get(rcode, (ServerFailure, "see the server's log"))
    return kind(f"{doing}: the server answered {name}: {hint or usual}", rcode=name)


def rcode_text(rcode: int) -> str:
    """The mnemonic of an rcode, e.g. NOTZONE."""
    return dns.rcode.to_text(dns.rcode.Rcode.make(rcode))
