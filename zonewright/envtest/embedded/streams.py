"""One watch over HTTP: where it starts, its bookmarks, and when it ends."""

import asyncio
import random
from collections.abc import Mapping

from aiohttp import web

from zonewright.envtest.embedded import codec, errors
from zonewright.envtest.embedded.api import Api
from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.resources import Resource
from zonewright.envtest.embedded.verbs import Query
from zonewright.envtest.embedded.views import View
from zonewright.envtest.embedded.watches import Watch

# As kube-apiserver: about a minute between bookmarks, and half an hour to an hour for a watch that asks for nothing.
BOOKMARK_EVERY = 60.0
LIFETIME = (1800.0, 3600.0)


async def stream_watch(
    api: Api, request: web.BaseRequest, resource: Resource, query: Query, view: View
) -> web.StreamResponse:
    watch = Watch(resource, query, api.verbs, view.one)
    start = begin(api, watch, request.query, query)
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.enable_chunked_encoding()
    api.watches.add(watch)
    try:
        await response.prepare(request)
        if start is not None:
            await response.write(error_line(start))
        else:
            await follow(api, watch, response, request.query)
        await response.write_eof()
    finally:
        api.watches.discard(watch)
    return response


def begin(api: Api, watch: Watch, options: Mapping[str, str], query: Query) -> ApiError | None:
    """Queues what the watcher missed. History that is gone is told in the stream, as kube-apiserver does it."""
    asked = options.get("resourceVersion", "")
    initial = options.get("sendInitialEvents", "").lower() == "true"
    if "sendInitialEvents" in options and options.get("resourceVersionMatch") != "NotOlderThan":
        cause = errors.forbidden_value(
            "resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
        )
        raise errors.invalid("meta.k8s.io", "ListOptions", "", [cause])
    if initial or (asked in {"", "0"} and "sendInitialEvents" not in options):
        watch.initial(api.verbs.page(watch.resource, query).entries)
        if initial and is_on(options, "allowWatchBookmarks"):
            watch.bookmark(api.store.revision, initial_end=True)
        return None
    if asked in {"", "0"}:
        return None
    try:
        for event in api.store.since(int(asked)):
            watch.offer(event)
    except ValueError as error:
        raise errors.bad_request(f"invalid resource version {asked!r}: {error}") from error
    except ApiError as error:
        return error
    return None


def is_on(options: Mapping[str, str], name: str) -> bool:
    return options.get(name, "").lower() in {"1", "true"}


def error_line(error: ApiError) -> bytes:
    return codec.encode({"type": "ERROR", "object": error.status()}) + b"\n"


async def follow(api: Api, watch: Watch, response: web.StreamResponse, options: Mapping[str, str]) -> None:
    loop = asyncio.get_running_loop()
    bookmarks = is_on(options, "allowWatchBookmarks")
    lifetime = float(options.get("timeoutSeconds") or 0) or random.uniform(*LIFETIME)  # noqa: S311 (spreads load)
    end, next_bookmark = loop.time() + lifetime, loop.time() + BOOKMARK_EVERY
    while not watch.closed and loop.time() < end:
        lines = await watch.lines(min(end, next_bookmark) - loop.time())
        if lines:
            await response.write(lines)
        if bookmarks and loop.time() >= min(end, next_bookmark) and not watch.closed:
            watch.bookmark(api.store.revision)
            await response.write(await watch.lines(0))
            next_bookmark = loop.time() + BOOKMARK_EVERY
