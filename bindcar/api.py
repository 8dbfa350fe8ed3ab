"""The HTTP API: routes, who is let in, and how each failure is told.

Every answer is JSON with `success` and `message`; a failure also has a `reason`, and a message that says what named
said. Health, readiness and metrics need no token.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, TypeVar

from aiohttp import web
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, ValidationError

from bindcar.auth import Authenticator, Denied, ReviewFailed
from bindcar.metrics import Metrics
from bindcar.requests import CreateZoneRequest, Owner, PatchZoneRequest
from bindcar.rndc import RndcDenied, RndcError, RndcUnreachable
from bindcar.tokens import InvalidToken, InvalidZoneName, zone_name
from bindcar.zones import Control, OwnedByOther, UnknownZone, WrongKind, Zones

log = logging.getLogger("bindcar")

BASE = "/api/v1"
MAX_BODY = 8 * 1024 * 1024
_OPEN = frozenset({"/health", "/ready", "/metrics", f"{BASE}/health", f"{BASE}/ready", f"{BASE}/metrics"})
# What people call them -> what named calls them, and the word for the answer.
_ACTIONS = {
    "reload": "reloaded",
    "freeze": "frozen",
    "thaw": "thawed",
    "notify": "notified",
    "retransfer": "retransferring",
}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
M = TypeVar("M", bound=BaseModel)

# The most specific class first: RndcDenied is an RndcUnreachable, InvalidZoneName an InvalidToken.
_FAILURES: tuple[tuple[type[Exception], HTTPStatus, str], ...] = (
    (InvalidZoneName, HTTPStatus.BAD_REQUEST, "InvalidZoneName"),
    (InvalidToken, HTTPStatus.BAD_REQUEST, "BadRequest"),
    (WrongKind, HTTPStatus.BAD_REQUEST, "WrongKindOfZone"),
    (UnknownZone, HTTPStatus.NOT_FOUND, "ZoneNotFound"),
    (OwnedByOther, HTTPStatus.CONFLICT, "ZoneExists"),
    (ReviewFailed, HTTPStatus.SERVICE_UNAVAILABLE, "AuthenticationUnavailable"),
    (RndcDenied, HTTPStatus.BAD_GATEWAY, "RNDCAuthenticationFailed"),
    (RndcUnreachable, HTTPStatus.SERVICE_UNAVAILABLE, "NamedUnreachable"),
    (RndcError, HTTPStatus.INTERNAL_SERVER_ERROR, "NamedRefused"),
    (OSError, HTTPStatus.INTERNAL_SERVER_ERROR, "StorageError"),
)


class Api:
    """The handlers; one instance per application."""

    def __init__(self, control: Control, zones: Zones, metrics: Metrics, *, server_id: str = "") -> None:
        self._control, self._zones, self._metrics = control, zones, metrics
        self._server_id = server_id

    def routes(self) -> list[web.RouteDef]:
        """Every path of the API."""
        return [
            *[web.get(f"{prefix}/{name}", self.health) for prefix in ("", BASE) for name in ("health", "ready")],
            *[web.get(f"{prefix}/metrics", self.metrics) for prefix in ("", BASE)],
            web.get(f"{BASE}/zones", self.list_zones),
            web.post(f"{BASE}/zones", self.create_zone),
            web.get(f"{BASE}/zones/{{name}}", self.get_zone),
            web.patch(f"{BASE}/zones/{{name}}", self.patch_zone),
            web.delete(f"{BASE}/zones/{{name}}", self.delete_zone),
            web.put(f"{BASE}/zones/{{name}}/owner", self.rewrite_owner),
            web.get(f"{BASE}/zones/{{name}}/status", self.zone_status),
            web.post(f"{BASE}/zones/{{name}}/{{action}}", self.zone_action),
            web.get(f"{BASE}/server/status", self.server_status),
            web.post(f"{BASE}/server/reconfig", self.reconfig),
        ]

    async def health(self, _: web.Request) -> web.Response:
        """Healthy means that named answers us."""
        await self._control.call("status")
        return web.json_response({"success": True, "status": "healthy", "message": "named answers"})

    async def metrics(self, _: web.Request) -> web.Response:
        """For Prometheus."""
        return web.Response(body=generate_latest(self._metrics.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def list_zones(self, _: web.Request) -> web.Response:
        """Names as upstream has them, and the same entries as GET of each."""
        views = await self._zones.all()
        items = [view.body() for view in views]
        return web.json_response({"zones": [view.name for view in views], "count": len(views), "items": items})

    async def create_zone(self, request: web.Request) -> web.Response:
        """201 for a new zone, 200 if it is there as asked."""
        wanted = await _body(request, CreateZoneRequest)
        if wanted.owner is None:
            raise InvalidToken("owner: say whose zone it is, with cluster and uid")
        created, details = await self._zones.create(wanted)
        word, status = ("created", HTTPStatus.CREATED) if created else ("exists already", HTTPStatus.OK)
        return _answer(f"zone {wanted.zone_name} {word}", details, status)

    async def get_zone(self, request: web.Request) -> web.Response:
        """The zone with its owner."""
        view = await self._zones.get(_zone(request))
        return web.json_response(view.body())

    async def patch_zone(self, request: web.Request) -> web.Response:
        """Change the configuration in place."""
        zone, owner = _zone(request), _owner(request)
        details = await self._zones.patch(zone, await _body(request, PatchZoneRequest), owner)
        return _answer(f"zone {zone} modified", details)

    async def delete_zone(self, request: web.Request) -> web.Response:
        """Deleting what is not there succeeds: the caller may have lost the first answer."""
        zone, owner = _zone(request), _owner(request)
        deleted = await self._zones.delete(zone, owner)
        return _answer(f"zone {zone} {'deleted' if deleted else 'was not there'}")

    async def rewrite_owner(self, request: web.Request) -> web.Response:
        """From the owner in the query, as it has to stand there, to the one in the body."""
        zone, held = _zone(request), _owner(request)
        rewritten = await self._zones.rewrite_owner(zone, held, await _body(request, Owner))
        return _answer(f"owner of zone {zone} {'rewritten' if rewritten else 'is written so already'}")

    async def zone_status(self, request: web.Request) -> web.Response:
        """What named says of the zone."""
        zone = _zone(request)
        return _answer(f"status of zone {zone}", await self._zones.status_text(zone))

    async def zone_action(self, request: web.Request) -> web.Response:
        """One of a few commands; named's own word is the same."""
        action = request.match_info["action"]
        if action not in _ACTIONS:
            raise web.HTTPNotFound(text=f"no action {action!r}: there are {', '.join(sorted(_ACTIONS))}")
        zone = _zone(request)
        return _answer(f"zone {zone} {_ACTIONS[action]}", await self._zones.command(action, zone))

    async def server_status(self, _: web.Request) -> web.Response:
        """What named says of itself, and which server it is."""
        details = await self._control.call("status")
        body = {"success": True, "message": "server status", "details": details, "serverId": self._server_id}
        return web.json_response(body)

    async def reconfig(self, _: web.Request) -> web.Response:
        """Have named read its configuration again: new keys and ACLs, no zone is touched."""
        return _answer("configuration read", await self._control.call("reconfig"))


def application(api: Api, auth: Authenticator, metrics: Metrics, *, max_in_flight: int) -> web.Application:
    """Everything put together; the first middleware is the outermost."""
    app = web.Application(
        middlewares=[_measured(metrics), _told, _limited(max_in_flight), _authenticated(auth)], client_max_size=MAX_BODY
    )
    app.add_routes(api.routes())
    return app


def _authenticated(auth: Authenticator) -> Any:
    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path not in _OPEN:
            scheme, _, token = request.headers.get("Authorization", "").partition(" ")
            await auth.check(token.strip() if scheme.lower() == "bearer" else "")
        return await handler(request)

    return middleware


def _limited(max_in_flight: int) -> Any:
    in_flight = 0

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        nonlocal in_flight
        if in_flight >= max_in_flight:
            response = _failure(HTTPStatus.TOO_MANY_REQUESTS, "Busy", f"{in_flight} requests are being worked on")
            response.headers["Retry-After"] = "1"
            return response
        in_flight += 1
        try:
            return await handler(request)
        finally:
            in_flight -= 1

    return middleware


@web.middleware
async def _told(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Every failure becomes a body that says why."""
    try:
        return await handler(request)
    except Denied as exc:
        response = _failure(exc.status, "Unauthorized", str(exc))
        response.headers["WWW-Authenticate"] = "Bearer"
        return response
    except ValidationError as exc:
        return _failure(HTTPStatus.BAD_REQUEST, "BadRequest", _complaint(exc))
    except tuple(kind for kind, _, _ in _FAILURES) as exc:
        status, reason = next((status, reason) for kind, status, reason in _FAILURES if isinstance(exc, kind))
        return _failure(status, reason, str(exc))
    except web.HTTPException as exc:
        return _failure(HTTPStatus(exc.status), exc.reason, exc.text or exc.reason)
    except Exception as exc:
        log.exception("%s %s failed", request.method, request.path)
        return _failure(HTTPStatus.INTERNAL_SERVER_ERROR, "InternalError", f"{type(exc).__name__}: {exc}")


def _measured(metrics: Metrics) -> Any:
    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        started = time.perf_counter()
        status = int(HTTPStatus.INTERNAL_SERVER_ERROR)
        try:
            response = await handler(request)
            status = response.status
            return response
        finally:
            resource = request.match_info.route.resource
            # The route's pattern, never the path: a path holds zone names, one time series for each.
            route = resource.canonical if resource else "unknown"
            metrics.request(request.method, route, status, time.perf_counter() - started)

    return middleware


async def _body(request: web.Request, model: type[M]) -> M:
    return model.model_validate_json(await request.read())


def _zone(request: web.Request) -> str:
    return zone_name(request.match_info["name"])


def _owner(request: web.Request) -> Owner:
    """Who asks for a change; raises InvalidToken or ValidationError when it is not said."""
    if "cluster" not in request.query or "uid" not in request.query:
        raise InvalidToken("owner: say whose zone it is, with ?cluster=...&uid=...")
    return Owner(cluster=request.query["cluster"], uid=request.query["uid"])


def _answer(message: str, details: str = "", status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    return web.json_response({"success": True, "message": message, "details": details}, status=status)


def _failure(status: HTTPStatus, reason: str, message: str) -> web.Response:
    return web.json_response({"success": False, "message": message, "reason": reason}, status=status)


def _complaint(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, item['loc'])) or 'body'}: {item['msg'].removeprefix('Value error, ')}"
        for item in error.errors(include_url=False, include_input=False)
    )
