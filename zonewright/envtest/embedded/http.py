"""The HTTP side: authentication, routing, the query's options, and replies. Everything else is asked of `Api`.

Uses aiohttp's bare server: one handler, no middleware, because a create has about a millisecond in all."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web
from multidict import CIMultiDict

from zonewright.envtest.embedded import codec, deletion, discovery, errors, openapi, patches, protobuf, scales
from zonewright.envtest.embedded.api import Api
from zonewright.envtest.embedded.counters import verb_of
from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.intake import Options
from zonewright.envtest.embedded.routing import Target, find_target
from zonewright.envtest.embedded.selectors import field_selector, label_selector, selected_name
from zonewright.envtest.embedded.store import Key
from zonewright.envtest.embedded.streams import stream_watch
from zonewright.envtest.embedded.verbs import Query, Written
from zonewright.envtest.embedded.views import View, form_of

log = logging.getLogger("zonewright.envtest.embedded")
JSON = "application/json"
# etcd's limit on an object is half of this; the API server's on a request is the same.
BODY_LIMIT = 3 * 1024 * 1024
OPEN_PATHS = frozenset({"/healthz", "/livez", "/readyz"})
VERSION = {"major": "1", "minor": "36", "gitVersion": "v1.36.3+embedded", "platform": "python"}


def reply(raw: bytes, code: int = 200, warnings: tuple[str, ...] = ()) -> web.Response:
    response = web.Response(body=raw, status=code, content_type=JSON)
    for text in warnings:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        response.headers.add("Warning", f'299 - "{escaped}"')
    return response


def refusal(error: ApiError) -> web.Response:
    headers = CIMultiDict(error.headers)
    return web.Response(body=codec.encode(error.status()), status=error.code, content_type=JSON, headers=headers)


class Handler:
    def __init__(self, api: Api) -> None:
        self._api = api
        self._documents: dict[str, tuple[int, bytes]] = {}

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        if path in OPEN_PATHS:
            return web.Response(text="ok")
        try:
            self._authenticate(request)
            target = find_target(self._api.registry, path)
            if target is None:
                return await self._other(request)
        except ApiError as error:
            return refusal(error)
        return await self._counted(request, target)

    def _authenticate(self, request: web.BaseRequest) -> None:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or token not in self._api.tokens:
            raise errors.unauthorized()

    async def _counted(self, request: web.BaseRequest, target: Target) -> web.StreamResponse:
        watch = is_true(request.query.get("watch", "")) and request.method == "GET"
        verb = verb_of(request.method, target, watch=watch, apply=request.content_type == patches.APPLY)
        code = 200
        try:
            response = await (self._watch(request, target) if watch else self._answer(request, target))
            code = response.status
        except ApiError as error:
            code = error.code
            return refusal(error)
        except (asyncio.CancelledError, ConnectionError):
            raise
        except Exception as error:
            code = 500
            log.exception("cannot answer %s %s", request.method, request.path)
            return refusal(errors.internal(repr(error)))
        finally:
            self._api.counters.count(verb, target, code, dry_run="dryRun" in request.query)
        return response

    # ---- objects ----

    async def _answer(self, request: web.BaseRequest, target: Target) -> web.Response:
        method = request.method
        if target.subresource and target.subresource not in discovery.subresources(target.resource):
            if target.resource.custom:
                raise errors.not_found(target.resource.group, target.resource.plural, target.name)
            return not_found_page()
        if method == "GET":
            return self._get(request, target) if target.name else self._list(request, target)
        body = await read_body(request)
        if method == "POST" and not target.name:
            return self._create(request, target, body)
        if method == "PUT" and target.name:
            return self._update(request, target, body)
        if method == "PATCH" and target.name:
            return self._patch(request, target, body)
        if method == "DELETE" and not target.subresource:
            return self._delete(request, target, body)
        if method == "PUT":
            raise errors.bad_request("name must be provided")
        raise errors.method_not_allowed()

    def _view(self, request: web.BaseRequest, target: Target, *, many: bool = False) -> View:
        accept = request.headers.get("Accept", JSON)
        return View(form_of(accept, many=many), request.query.get("includeObject", ""), target.resource, self._api.now)

    def _get(self, request: web.BaseRequest, target: Target) -> web.Response:
        verbs = self._api.verbs
        raw = verbs.shown(target.resource, verbs.entry(target.resource, key_of(target)))
        if target.subresource == "scale":
            return reply(codec.encode(scales.read_scale(target.resource, codec.decode(raw))))
        return reply(self._view(request, target).one(raw))

    def _query(self, request: web.BaseRequest, target: Target) -> Query:
        return Query(
            target.namespace,
            label_selector(request.query.get("labelSelector", "")),
            field_selector(request.query.get("fieldSelector", ""), target.resource.selectable),
            selected_name(request.query.get("fieldSelector", "")),
        )

    def _list(self, request: web.BaseRequest, target: Target) -> web.Response:
        query, verbs = request.query, self._api.verbs
        limit, token = number(query.get("limit", "")), query.get("continue", "")
        exact = self._listed_revision(query)
        page = verbs.page(target.resource, self._query(request, target), limit=limit, token=token, exact=exact)
        meta: dict[str, Any] = {"resourceVersion": str(page.revision)}
        if page.token:
            meta["continue"] = page.token
            if not query.get("labelSelector") and not query.get("fieldSelector"):
                meta["remainingItemCount"] = page.remaining
        raws = [verbs.shown(target.resource, entry) for entry in page.entries]
        return reply(self._view(request, target, many=True).many(raws, meta))

    def _listed_revision(self, query: Mapping[str, str]) -> int:
        """The exact revision asked for, 0 for the latest, which is never older than anything."""
        asked, match = number(query.get("resourceVersion", "")), query.get("resourceVersionMatch", "")
        if query.get("continue") and asked:
            raise errors.bad_request("specifying resource version is not allowed when using continue")
        current = self._api.store.revision
        if asked > current:
            message = f"Too large resource version: {asked}, current: {current}"
            details = {"causes": [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}]}
            raise ApiError(504, "Timeout", f"Timeout: {message}", details=details | {"retryAfterSeconds": 1})
        return asked if match == "Exact" or (asked and query.get("limit") and not match) else 0

    def _options(self, request: web.BaseRequest, target: Target) -> Options:
        query = request.query
        agent = request.headers.get("User-Agent", "unknown").partition("/")[0]
        dry_run = query.get("dryRun", "")
        if dry_run not in {"", "All"}:
            raise errors.bad_request(f"invalid dryRun directive: {dry_run!r}; only All is known")
        return Options(
            dry_run=dry_run == "All",
            manager=query.get("fieldManager") or agent,
            validation=query.get("fieldValidation") or "Warn",
            force=is_true(query.get("force", "")),
            subresource=target.subresource,
        )

    def _create(self, request: web.BaseRequest, target: Target, body: bytes) -> web.Response:
        if target.resource.namespaced and not target.namespace:
            raise errors.method_not_allowed()
        fields = decode_body(request, body)
        return self._written(request, target, self._api.verbs.create(
            target.resource, target.namespace, fields, self._options(request, target)
        ))  # fmt: skip

    def _update(self, request: web.BaseRequest, target: Target, body: bytes) -> web.Response:
        fields = decode_body(request, body)
        done = self._api.verbs.update(target.resource, key_of(target), fields, self._options(request, target))
        return self._written(request, target, done)

    def _patch(self, request: web.BaseRequest, target: Target, body: bytes) -> web.Response:
        kind = request.content_type
        options = self._options(request, target)
        if kind == patches.APPLY and not request.query.get("fieldManager"):
            cause = errors.required("fieldManager", "is required for apply patch")
            raise errors.invalid("meta.k8s.io", "PatchOptions", "", [cause])
        done = self._api.verbs.patch(target.resource, key_of(target), body, kind, options)
        return self._written(request, target, done)

    def _written(self, request: web.BaseRequest, target: Target, done: Written) -> web.Response:
        raw = done.raw if target.subresource == "scale" else self._view(request, target).one(done.raw)
        return reply(raw, 201 if done.created else 200, done.warnings)

    def _delete(self, request: web.BaseRequest, target: Target, body: bytes) -> web.Response:
        given = decode_body(request, body) if body else None
        options = deletion.parse_options(given, request.query)
        if not target.name:
            return self._delete_collection(request, target, options)
        done = self._api.deleter.delete(target.resource, key_of(target), options)
        if done.gone and not target.resource.returns_deleted:
            return reply(codec.encode(success(target, codec.decode(done.raw)["metadata"]["uid"])))
        return reply(self._view(request, target).one(done.raw))

    def _delete_collection(
        self, request: web.BaseRequest, target: Target, options: deletion.DeleteOptions
    ) -> web.Response:
        if "deletecollection" not in target.resource.verbs:
            raise errors.method_not_allowed()
        raws = self._api.deleter.delete_collection(target.resource, self._query(request, target), options)
        meta = {"resourceVersion": str(self._api.store.revision)}
        return reply(self._view(request, target, many=True).many(raws, meta))

    async def _watch(self, request: web.BaseRequest, target: Target) -> web.StreamResponse:
        if target.name:
            name = target.name
            query = Query(target.namespace, None, lambda read: read("metadata.name") == name)
        else:
            query = self._query(request, target)
        self._api.counters.watching(target, 1)
        try:
            return await stream_watch(self._api, request, target.resource, query, self._view(request, target))
        finally:
            self._api.counters.watching(target, -1)

    # ---- documents ----

    async def _other(self, request: web.BaseRequest) -> web.Response:
        if request.path.startswith("/debug/envtest/") and request.method == "POST":
            return await self._debug(request)
        if request.path == "/metrics":
            return web.Response(body=self._api.counters.text(), content_type="text/plain")
        raw = self._document(request)
        return not_found_page() if raw is None else raw

    def _document(self, request: web.BaseRequest) -> web.Response | None:
        """Discovery and OpenAPI, built once per change of what is served."""
        accept = request.headers.get("Accept", "")
        combined = "as=APIGroupDiscoveryList" in accept and "v=v2" in accept.replace("v=v2beta1", "")
        name = f"{request.path} {combined}"
        changes = self._api.registry.changes
        kept = self._documents.get(name)
        if kept is None or kept[0] != changes:
            made = self._make_document(request.path, combined=combined)
            if made is None:
                return None
            kept = self._documents[name] = (changes, codec.encode(made))
        response = reply(kept[1])
        if combined and request.path in {"/api", "/apis"}:
            response.headers["Content-Type"] = discovery.AGGREGATED
        return response

    def _make_document(self, path: str, *, combined: bool) -> Any:
        registry = self._api.registry
        parts = path.strip("/").split("/")
        if path in {"/api", "/apis"} and combined:
            return discovery.aggregated(registry, core=path == "/api")
        fixed: dict[str, Callable[[], Any]] = {
            "/api": discovery.api_versions,
            "/apis": lambda: discovery.api_group_list(registry),
            "/version": lambda: VERSION,
            "/openapi/v3": lambda: openapi.v3_index(registry),
            "/openapi/v2": lambda: openapi.v2_document(registry),
        }
        if path in fixed:
            return fixed[path]()
        match parts:
            case ["api", version] | ["openapi", "v3", "api", version]:
                group = ""
            case ["apis", group]:
                return discovery.api_group(registry, group)
            case ["apis", group, version] | ["openapi", "v3", "apis", group, version]:
                pass
            case _:
                return None
        if parts[0] != "openapi":
            return discovery.api_resource_list(registry, group, version)
        return openapi.v3_document(registry, group, version) if registry.in_version(group, version) else None

    async def _debug(self, request: web.BaseRequest) -> web.Response:
        """What a test does to the server and no client of a real one could."""
        body = codec.read_json(await read_body(request) or b"{}")
        api = self._api
        match request.path.removeprefix("/debug/envtest/"):
            case "compact":
                result: Any = {"compacted": str(api.store.compact(body.get("revision")))}
            case "tokens":
                result = {"token": api.new_token()}
            case "revoke":
                api.tokens.discard(body.get("token", ""))
                result = {}
            case "drop-watches":
                api.watches.close_all()
                result = {}
            case _:
                return not_found_page()
        return reply(codec.encode(result))


def not_found_page() -> web.Response:
    return web.Response(text="404 page not found\n", status=404)


def key_of(target: Target) -> Key:
    return Key(target.namespace, target.name)


def success(target: Target, uid: str) -> dict[str, Any]:
    details = errors.named(target.resource.group, target.resource.plural, target.name, uid=uid)
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}


async def read_body(request: web.BaseRequest) -> bytes:
    body = bytearray()
    async for chunk in request.content.iter_any():
        body += chunk
        if len(body) > BODY_LIMIT:
            message = f"Request entity too large: limit is {BODY_LIMIT}"
            raise ApiError(413, "RequestEntityTooLarge", message)
    return bytes(body)


def decode_body(request: web.BaseRequest, body: bytes) -> Any:
    if "protobuf" in request.content_type:
        return protobuf.decode(body)
    return codec.read_yaml(body) if "yaml" in request.content_type else codec.read_json(body)


def is_true(text: str) -> bool:
    return text.lower() in {"1", "true", "t"}


def number(text: str) -> int:
    try:
        return int(text or 0)
    except ValueError as error:
        raise errors.bad_request(f'strconv.ParseInt: parsing "{text}": invalid syntax') from error
