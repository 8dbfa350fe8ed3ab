"""The client of bindcar, the sidecar that creates and deletes zones on a BIND9 server.

Plain HTTP/1.1 over one kept connection through the dialer, so that it works from outside a cluster too. Every answer
that is no success becomes an exception whose `reason` is the word for it in an instance's status (api.md). Not
thread-safe: one per operation or worker.
"""

from __future__ import annotations

import http.client
import json
import ssl
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import dns.name
import dns.rdatatype

from reconcilers.ddns import Dialer, DirectDialer, RRset, Soa, canonical, parse_zone
from reconcilers.reasons import Reason

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
    """Whose zone it is: the operator's cluster name and the DNSZone's UID."""

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
    config: Mapping[str, Any]

    @classmethod
    def parse(cls, body: Mapping[str, Any]) -> ZoneInfo:
        """From an entry of GET /zones."""
        owner = body.get("owner")
        return cls(
            parse_zone(body["name"]),
            body.get("zoneType", ""),
            Owner(owner["cluster"], owner["uid"]) if owner else None,
            body.get("serial"),
            body.get("config") or {},
        )


class BindcarClient:
    """One server's sidecar, e.g. at `http://10.0.0.7:8080`."""

    def __init__(self, base_url: str, token: str, *, dial: Dialer | None = None, timeout: float = 10.0) -> None:
        url = urllib.parse.urlsplit(base_url)
        if url.scheme not in {"http", "https"} or not url.hostname:
            raise ValueError(f"bindcar's address must look like http://host:8080, not {base_url!r}")
        secure = ssl.create_default_context() if url.scheme == "https" else None
        self._path = url.path.rstrip("/").removesuffix("/api/v1") + "/api/v1"
        port = url.port or (443 if secure else 80)
        self._connection = _DialedConnection(url.hostname, port, dial or DirectDialer(), timeout, secure)
        self._token = token

    def create_zone(self, request: CreateZone) -> bool:
        """Create it; True if it is new, False if it was there with the same owner. Raises ZoneExists otherwise."""
        status, _ = self._request("POST", "/zones", request.body())
        return status == 201

    def get_zone(self, zone: dns.name.Name) -> ZoneInfo | None:
        """The zone, or None if the server has none of that name."""
        try:
            _, body = self._request("GET", _zone_path(zone))
        except (ZoneNotFound, BindcarBadRequest) as error:
            if error.told in _NEVER_THERE:
                return None
            raise
        return ZoneInfo.parse(body)

    def list_zones(self) -> list[ZoneInfo]:
        """Every zone that was created through bindcar."""
        _, body = self._request("GET", "/zones")
        return [ZoneInfo.parse(entry) for entry in body["items"]]

    def delete_zone(self, zone: dns.name.Name, *, owner: Owner | None = None) -> None:
        """Delete it with file and journal; one that is not there is deleted. Another owner's raises ZoneExists."""
        query = f"?cluster={_quote(owner.cluster)}&uid={_quote(owner.uid)}" if owner else ""
        try:
            self._request("DELETE", _zone_path(zone) + query)
        except BindcarBadRequest as error:
            if error.told != _BAD_NAME:
                raise

    def patch_zone(self, zone: dns.name.Name, patch: ZonePatch) -> None:
        """Change its configuration in place; content and serial stay."""
        self._request("PATCH", _zone_path(zone), patch.body())

    def notify(self, zone: dns.name.Name) -> None:
        """Have the primary send NOTIFY again."""
        self._request("POST", _zone_path(zone) + "/notify")

    def retransfer(self, zone: dns.name.Name) -> None:
        """Have the secondary fetch the whole zone: a repair, it costs a full transfer."""
        self._request("POST", _zone_path(zone) + "/retransfer")

    def reload(self, zone: dns.name.Name) -> None:
        """Have named read the zone file again."""
        self._request("POST", _zone_path(zone) + "/reload")

    def freeze(self, zone: dns.name.Name) -> None:
        """Suspend dynamic updates."""
        self._request("POST", _zone_path(zone) + "/freeze")

    def thaw(self, zone: dns.name.Name) -> None:
        """Resume dynamic updates."""
        self._request("POST", _zone_path(zone) + "/thaw")

    def zone_status(self, zone: dns.name.Name) -> str:
        """What `rndc zonestatus` says."""
        return str(self._request("GET", _zone_path(zone) + "/status")[1].get("details", ""))

    def server_status(self) -> str:
        """What `rndc status` says."""
        return str(self._request("GET", "/server/status")[1].get("details", ""))

    def reconfig(self) -> None:
        """Have named read named.conf again (new keys and ACLs), without touching zones."""
        self._request("POST", "/server/reconfig")

    def health(self) -> bool:
        """Whether bindcar answers and named answers it."""
        try:
            status, _ = self._request("GET", "/health")
        except BindcarError:
            return False
        return status == 200

    def close(self) -> None:
        """Idempotent; the next request opens another connection."""
        self._connection.close()

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> tuple[int, Any]:
        payload = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        what = f"{method} {path.partition('?')[0]} at bindcar {self._connection.host}:{self._connection.port}"
        status, answer = self._exchange(method, self._path + path, payload, headers, what)
        if status >= 300:
            raise _error(status, answer, what)
        return status, answer

    def _exchange(
        self, method: str, path: str, payload: bytes | None, headers: Mapping[str, str], what: str
    ) -> tuple[int, Any]:
        reused = self._connection.sock is not None
        try:
            self._connection.request(method, path, payload, headers=dict(headers))
            response = self._connection.getresponse()
            return response.status, _decode(response.read())
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError) as exc:
            self._connection.close()
            if not reused:
                raise _unreachable(what, exc, method) from exc
        except (OSError, http.client.HTTPException) as exc:
            connected = self._connection.sock is not None
            self._connection.close()
            raise _unreachable(what, exc, method if connected else "GET") from exc
        # A kept connection that the server closed meanwhile. All requests are idempotent, so ask again.
        return self._exchange(method, path, payload, headers, what)


class _DialedConnection(http.client.HTTPConnection):
    """An HTTP connection whose socket comes from the dialer; with TLS by the system's authorities for https."""

    def __init__(self, host: str, port: int, dial: Dialer, timeout: float, secure: ssl.SSLContext | None) -> None:
        super().__init__(host, port, timeout=timeout)
        self._dial, self._seconds, self._secure = dial, timeout, secure

    def connect(self) -> None:
        self.sock = self._dial.connect(self.host, self.port, self._seconds)
        if self._secure is not None:
            self.sock = self._secure.wrap_socket(self.sock, server_hostname=self.host)


def _error(status: int, body: Any, what: str) -> BindcarError:
    text = body.get("message") or body.get("error") if isinstance(body, Mapping) else None
    kind = _BY_STATUS.get(status, BindcarUnreachable)
    reason = body.get("reason") if isinstance(body, Mapping) else None
    if reason == RndcAuthenticationFailed.reason:
        kind = RndcAuthenticationFailed
    told = reason if isinstance(reason, str) else ""
    return kind(f"{what}: {status}: {text or 'without a reason'}", status=status, ambiguous=status >= 500, told=told)


def _unreachable(what: str, exc: Exception, method: str) -> BindcarUnreachable:
    why = getattr(exc, "strerror", None) or str(exc) or type(exc).__name__
    return BindcarUnreachable(f"{what}: {why}", ambiguous=method != "GET")


def _decode(raw: bytes) -> Any:
    try:
        return json.loads(raw) if raw else {}
    except ValueError:
        return {"message": raw[:200].decode("utf-8", "replace")}


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
