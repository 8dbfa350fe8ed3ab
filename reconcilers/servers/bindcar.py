"""The client of bindcar, the sidecar that creates and deletes zones on a BIND9 server.

Plain HTTP/1.1 over one kept connection through the dialer, so that it works from outside a cluster too. Every answer
that is no success becomes an exception whose `reason` is the word for it in an instance's status, and so does one that
no bindcar gives: nothing but `BindcarError` is raised, whatever the other side sends. Not thread-safe: one per
operation or worker.
"""

from __future__ import annotations

import http.client
import json
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import dns.name
import dns.rdatatype
import msgspec

from reconcilers.ddns import Dialer, DirectDialer, InvalidName, RRset, Soa, canonical, parse_zone
from reconcilers.reasons import Reason
from reconcilers.servers.answers import (
    ANSWER_BYTES,
    LIST_BYTES,
    Done,
    Malformed,
    Refusal,
    ServerFields,
    ZoneFields,
    ZoneList,
    ZoneSettings,
    parse,
    shortened,
)
from reconcilers.servers.exchange import Endpoint, Exchange

ZoneType = Literal["primary", "secondary"]


class BindcarError(Exception):
    """A request failed. `ambiguous`: it may have been carried out all the same, so look before going on.

    `told` is the reason that bindcar itself gave; empty if the answer came from something in between.
    """

    reason = Reason.BINDCAR_UNREACHABLE

    def __init__(self, message: str, *, status: int = 0, ambiguous: bool = False, told: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.ambiguous = ambiguous
        self.told = told


class BindcarUnreachable(BindcarError):
    """No connection, no reply, or an answer that no bindcar gives."""


class BindcarBadRequest(BindcarError):
    """400: the same request will fail again."""

    reason = Reason.BINDCAR_BAD_REQUEST


class BindcarAuthFailed(BindcarError):
    """401 or 403: the token is wrong or missing."""

    reason = Reason.BINDCAR_AUTH_FAILED


class ZoneNotFound(BindcarError):
    """404: no such zone on this server, if bindcar told so."""

    reason = Reason.ZONE_NOT_FOUND


class ZoneExists(BindcarError):
    """409: the zone exists under another owner. No failure of the pod."""

    reason = Reason.CONFLICT


class TooManyRequests(BindcarError):
    """429: try later. No failure of the pod."""

    reason = Reason.BINDCAR_BUSY


class BindcarInternalError(BindcarError):
    """500: its message says what rndc said."""

    reason = Reason.BINDCAR_INTERNAL_ERROR


class BindcarNotImplemented(BindcarError):
    """501."""

    reason = Reason.BINDCAR_NOT_IMPLEMENTED


class GatewayError(BindcarError):
    """502, 503, 504: bindcar answers but named does not."""

    reason = Reason.GATEWAY_ERROR


class RndcAuthenticationFailed(GatewayError):
    """502 with this reason in its body: named does not accept bindcar's control key."""

    reason = Reason.RNDC_AUTHENTICATION_FAILED


_BY_STATUS: dict[int, type[BindcarError]] = {
    400: BindcarBadRequest,
    401: BindcarAuthFailed,
    403: BindcarAuthFailed,
    404: ZoneNotFound,
    409: ZoneExists,
    429: TooManyRequests,
    500: BindcarInternalError,
    501: BindcarNotImplemented,
    502: GatewayError,
    503: GatewayError,
    504: GatewayError,
}


_BAD_NAME = "InvalidZoneName"
# Reasons for which a zone that is asked for is not there, and never was if its name is one that bindcar does not take.
# A bindcar of 0.1 says BadRequest of such a name; a GET has nothing else that could be wrong.
_NEVER_THERE = frozenset({ZoneNotFound.reason, _BAD_NAME, "BadRequest"})


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose zone it is: the operator's cluster (`ClusterId`) and the DNSZone's UID."""

    cluster: str
    uid: str


@dataclass(frozen=True, slots=True)
class CreateZone:
    """A zone to create. A primary needs `soa` and name servers, by name or among its records; a secondary `primaries`.

    Addresses may carry a port and a TSIG key, as in named.conf: `192.0.2.1 port 5353 key transfer`.
    """

    zone: dns.name.Name
    type: ZoneType
    owner: Owner
    ttl: int = 3600
    soa: Soa | None = None
    name_servers: tuple[str, ...] = ()
    name_server_ips: Mapping[str, str] = field(default_factory=dict)
    records: tuple[RRset, ...] = ()
    also_notify: tuple[str, ...] = ()
    allow_transfer: tuple[str, ...] = ()
    allow_update: tuple[str, ...] = ()
    primaries: tuple[str, ...] = ()
    dnssec_policy: str | None = None
    update_key: str | None = None

    def body(self) -> dict[str, Any]:
        """As bindcar's CreateZoneRequest."""
        request: dict[str, Any] = {
            "zoneName": _zone_text(self.zone),
            "zoneType": self.type,
            "zoneConfig": self.config(),
            "owner": {"cluster": self.owner.cluster, "uid": self.owner.uid},
        }
        return request | ({"updateKeyName": self.update_key} if self.update_key else {})

    def config(self) -> dict[str, Any]:
        """The zoneConfig; what is not set is left out."""
        config: dict[str, Any] = {
            "ttl": self.ttl,
            "soa": _soa_fields(self.soa) if self.soa else None,
            "nameServers": list(self.name_servers),
            "nameServerIps": dict(self.name_server_ips),
            "records": [fields for rrset in self.records for fields in _record_fields(rrset)],
            "alsoNotify": list(self.also_notify),
            "allowTransfer": list(self.allow_transfer),
            "allowUpdate": list(self.allow_update),
            "primaries": list(self.primaries),
            "dnssecPolicy": self.dnssec_policy,
        }
        return {name: value for name, value in config.items() if value not in (None, [], {})}


@dataclass(frozen=True, slots=True)
class ZonePatch:
    """What may change on an existing zone; None leaves it as it is."""

    also_notify: tuple[str, ...] | None = None
    allow_transfer: tuple[str, ...] | None = None
    allow_update: tuple[str, ...] | None = None
    primaries: tuple[str, ...] | None = None
    dnssec_policy: str | None = None
    update_key: str | None = None

    def body(self) -> dict[str, Any]:
        """As bindcar's PATCH body."""
        fields: dict[str, Sequence[str] | str | None] = {
            "alsoNotify": self.also_notify,
            "allowTransfer": self.allow_transfer,
            "allowUpdate": self.allow_update,
            "primaries": self.primaries,
            "dnssecPolicy": self.dnssec_policy,
            "updateKeyName": self.update_key,
        }
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True, slots=True)
class ZoneInfo:
    """A zone as bindcar knows it. `owner` is None for a zone that bindcar did not create."""

    zone: dns.name.Name
    type: str
    owner: Owner | None
    serial: int | None
    config: ZoneSettings

    @classmethod
    def of(cls, fields: ZoneFields) -> ZoneInfo:
        """From an entry of GET /zones. Raises Malformed."""
        try:
            zone = parse_zone(fields.name)
        except InvalidName:
            raise Malformed("its name is not a DNS name") from None
        owner = Owner(fields.owner.cluster, fields.owner.uid) if fields.owner else None
        return cls(zone, fields.zone_type, owner, fields.serial, fields.config)


A = TypeVar("A", bound=msgspec.Struct)


class BindcarClient:
    """One server's sidecar, e.g. at `http://10.0.0.7:8080`.

    `timeout` is what sending a request may take, and again what its whole answer may take.
    """

    def __init__(self, base_url: str, token: str, *, dial: Dialer | None = None, timeout: float = 10.0) -> None:
        """Raises ValueError for an address or a token that cannot be used; it repeats neither."""
        endpoint = Endpoint.parse(base_url)
        if not is_token(token):
            raise ValueError("the bearer token is not one line of printable ASCII")
        self._where = f"bindcar {endpoint}"
        self._path = endpoint.path.rstrip("/").removesuffix("/api/v1") + "/api/v1"
        self._exchange = Exchange(endpoint, dial or DirectDialer(), timeout)
        self._token = token

    def create_zone(self, request: CreateZone) -> bool:
        """Create it; True if it is new, False if it was there with the same owner. Raises ZoneExists otherwise."""
        return self._change("POST", "/zones", request.body()) == 201

    def get_zone(self, zone: dns.name.Name) -> ZoneInfo | None:
        """The zone, or None if the server has none of that name."""
        path = _zone_path(zone)
        try:
            fields = self._get(path, ZoneFields)
        except (ZoneNotFound, BindcarBadRequest) as error:
            if error.told in _NEVER_THERE:
                return None
            raise
        info = self._info(fields, path)
        if info.zone != canonical(zone):
            raise self._malformed("GET", path, "it is about another zone")
        return info

    def list_zones(self) -> list[ZoneInfo]:
        """Every zone that was created through bindcar."""
        return [self._info(fields, "/zones") for fields in self._get("/zones", ZoneList, limit=LIST_BYTES).items]

    def delete_zone(self, zone: dns.name.Name, *, owner: Owner) -> None:
        """Delete it with file and journal; one that is not there is deleted. Another owner's raises ZoneExists."""
        try:
            self._change("DELETE", _zone_path(zone) + _query(owner))
        except BindcarBadRequest as error:
            if error.told != _BAD_NAME:
                raise

    def patch_zone(self, zone: dns.name.Name, patch: ZonePatch, *, owner: Owner) -> None:
        """Change its configuration in place; content and serial stay. Another owner's raises ZoneExists."""
        # The owner is in the query, where a bindcar of 0.1, which does not ask for it, does not stumble over it.
        self._change("PATCH", _zone_path(zone) + _query(owner), patch.body())

    def rewrite_owner(self, zone: dns.name.Name, held: Owner, wanted: Owner) -> bool:
        """Add the UID of the cluster to the owner `held`. False for a bindcar of 0.1, which cannot do that.

        Raises ZoneExists if the zone has another owner by now.
        """
        body = {"cluster": wanted.cluster, "uid": wanted.uid}
        try:
            self._change("PUT", _zone_path(zone) + "/owner" + _query(held), body)
        except BindcarError as error:
            if error.status == http.HTTPStatus.METHOD_NOT_ALLOWED:
                return False
            raise
        return True

    def notify(self, zone: dns.name.Name) -> None:
        """Have the primary send NOTIFY again."""
        self._change("POST", _zone_path(zone) + "/notify")

    def retransfer(self, zone: dns.name.Name) -> None:
        """Have the secondary fetch the whole zone: a repair, it costs a full transfer."""
        self._change("POST", _zone_path(zone) + "/retransfer")

    def reload(self, zone: dns.name.Name) -> None:
        """Have named read the zone file again."""
        self._change("POST", _zone_path(zone) + "/reload")

    def freeze(self, zone: dns.name.Name) -> None:
        """Suspend dynamic updates."""
        self._change("POST", _zone_path(zone) + "/freeze")

    def thaw(self, zone: dns.name.Name) -> None:
        """Resume dynamic updates."""
        self._change("POST", _zone_path(zone) + "/thaw")

    def zone_status(self, zone: dns.name.Name) -> str:
        """What `rndc zonestatus` says."""
        return self._get(_zone_path(zone) + "/status", Done).details

    def server_status(self) -> ServerFields:
        """What `rndc status` says, in `details`, and which server it is."""
        return self._get("/server/status", ServerFields)

    def reconfig(self) -> None:
        """Have named read named.conf again (new keys and ACLs), without touching zones."""
        self._change("POST", "/server/reconfig")

    def health(self) -> bool:
        """Whether bindcar answers and named answers it."""
        try:
            return self._get("/health", Done).success
        except BindcarError:
            return False

    def close(self) -> None:
        """Idempotent; the next request opens another connection."""
        self._exchange.close()

    # --- requests and answers

    def _get(self, path: str, kind: type[A], *, limit: int = ANSWER_BYTES) -> A:
        _, raw = self._request("GET", path, None, limit)
        return self._read("GET", path, raw, kind)

    def _change(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> int:
        """The status, once bindcar itself says that it is done: whatever else answers 200 has done nothing."""
        status, raw = self._request(method, path, body, ANSWER_BYTES)
        if not self._read(method, path, raw, Done).success:
            raise self._malformed(method, path, "it does not say that it is done")
        return status

    def _read(self, method: str, path: str, raw: bytes, kind: type[A]) -> A:
        try:
            return parse(raw, kind)
        except Malformed as error:
            raise self._malformed(method, path, str(error)) from error

    def _info(self, fields: ZoneFields, path: str) -> ZoneInfo:
        try:
            return ZoneInfo.of(fields)
        except Malformed as error:
            raise self._malformed("GET", path, str(error)) from error

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None, limit: int) -> tuple[int, bytes]:
        payload = None if body is None else json.dumps(body).encode()
        status, raw = self._ask(method, path, payload, limit)
        if not 200 <= status < 300:
            raise self._error(status, raw, self._what(method, path))
        return status, raw

    def _ask(self, method: str, path: str, payload: bytes | None, limit: int) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        reused = self._exchange.is_open
        connected = reused
        try:
            if not reused:
                self._exchange.open()
                connected = True
            return self._exchange.ask(method, self._path + path, payload, headers, limit=limit)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError) as exc:
            if not reused:
                raise self._unreachable(method, path, exc, ambiguous=connected and method != "GET") from exc
        except (OSError, http.client.HTTPException) as exc:
            raise self._unreachable(method, path, exc, ambiguous=connected and method != "GET") from exc
        # A kept connection that the server closed meanwhile. All requests are idempotent, so ask again.
        return self._ask(method, path, payload, limit)

    # --- what went wrong

    def _what(self, method: str, path: str) -> str:
        return f"{method} {path.partition('?')[0]} at {self._where}"

    def _error(self, status: int, raw: bytes, what: str) -> BindcarError:
        """What is not bindcar's is not repeated: it may be anything that the address leads to."""
        try:
            refusal = parse(raw, Refusal)
        except Malformed:
            refusal = Refusal()
        kind = _BY_STATUS.get(status, BindcarUnreachable)
        if refusal.reason == RndcAuthenticationFailed.reason:
            kind = RndcAuthenticationFailed
        text = refusal.text.replace(self._token, "(token)") or "without a reason"
        return kind(f"{what}: {status}: {text}", status=status, ambiguous=status >= 500, told=refusal.reason)

    def _malformed(self, method: str, path: str, why: str) -> BindcarUnreachable:
        text = f"{self._what(method, path)}: the answer is not one of bindcar's: {why}"
        return BindcarUnreachable(text, ambiguous=method != "GET")

    def _unreachable(self, method: str, path: str, exc: Exception, *, ambiguous: bool) -> BindcarUnreachable:
        return BindcarUnreachable(f"{self._what(method, path)}: {_why(exc)}", ambiguous=ambiguous)


def is_token(text: str) -> bool:
    """Whether it can be a bearer token. An HTTP client's own complaint about a header would repeat it."""
    return text.isascii() and text.isprintable() and " " not in text and 0 < len(text) <= 8192


def _why(exc: Exception) -> str:
    """Of what http.client found wrong with an answer only the kind: its text repeats the answer."""
    if isinstance(exc, OSError):
        return shortened(exc.strerror or str(exc) or type(exc).__name__)
    if isinstance(exc, http.client.IncompleteRead):
        return "the answer ended too early"
    return f"the answer is not HTTP ({type(exc).__name__})"


def _query(owner: Owner) -> str:
    return f"?cluster={_quote(owner.cluster)}&uid={_quote(owner.uid)}"


def _record_fields(rrset: RRset) -> list[dict[str, Any]]:
    owner, kind = rrset.name.to_text(), dns.rdatatype.to_text(rrset.rdtype)
    values = sorted(rdata.to_text() for rdata in rrset.rdatas)
    return [{"name": owner, "type": kind, "value": value, "ttl": rrset.ttl} for value in values]


def _soa_fields(soa: Soa) -> dict[str, Any]:
    return {
        "primaryNs": soa.primary.to_text(),
        "adminEmail": soa.admin.to_text(),
        "serial": soa.serial,
        "refresh": soa.refresh,
        "retry": soa.retry,
        "expire": soa.expire,
        "negativeTtl": soa.minimum,
    }


def _zone_text(zone: dns.name.Name) -> str:
    return canonical(zone).to_text(omit_final_dot=True)


def _zone_path(zone: dns.name.Name) -> str:
    # RFC 2317 zones have a slash in their name.
    return "/zones/" + _quote(_zone_text(zone))


def _quote(text: str) -> str:
    return urllib.parse.quote(text, safe="")
