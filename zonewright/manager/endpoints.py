"""What the manager serves over HTTP: /readyz, /livez, /healthz, /metrics and /debug/...

It turns what `health`, `metrics` and the debug functions say into replies. Imported only when a port is configured,
with the server itself.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from zonewright import log, metrics
from zonewright.manager.health import Health
from zonewright.manager.httpserver import HttpServer, Query, Reply

Answer: TypeAlias = Callable[[Query], Any]

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_log = log.get_logger(__name__)


def serve(address: str, *, ready: Health, live: Health, debug: Mapping[str, Answer]) -> HttpServer:
    """Started, on "host:port"; an empty host is every address of the machine."""
    host, _, port = address.rpartition(":")
    server = HttpServer(host.strip("[]"), int(port))
    for path, health in (("/readyz", ready), ("/livez", live), ("/healthz", live)):
        server.route(path, functools.partial(_health, health))
    server.route("/metrics", lambda _query: Reply(metrics.exposition(), content_type=METRICS_TYPE))
    route_debug(server, debug)
    server.start()
    _log.info("serving http", host=host, port=server.port)
    return server


def route_debug(server: HttpServer, pages: Mapping[str, Answer]) -> None:
    for path, answer in pages.items():
        server.route(f"/debug/{path}", functools.partial(_json, answer), private=True)


def _json(answer: Answer, query: Query) -> Reply:
    return Reply.json(answer(query))


def _health(health: Health, _query: Query) -> Reply:
    well, text = health.report()
    return Reply.text(text, "200 OK" if well else "503 Service Unavailable")
