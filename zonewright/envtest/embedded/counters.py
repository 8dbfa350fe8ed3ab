"""Requests counted as kube-apiserver counts them, so that one reader serves every backend."""

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from zonewright.envtest.embedded.routing import Target

LABELS = ("verb", "group", "version", "resource", "subresource", "scope", "dry_run", "code")
METHODS = {"POST": "POST", "PUT": "PUT", "PATCH": "PATCH", "DELETE": "DELETE"}


class Counters:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "apiserver_request_total", "Requests by verb, resource and code.", LABELS, registry=self._registry
        )
        self._watches = Gauge(
            "apiserver_longrunning_requests", "Watches being served.", ("resource",), registry=self._registry
        )

    def count(self, verb: str, target: Target, code: int, *, dry_run: bool = False) -> None:
        one = target.resource
        scope = "resource" if target.name else "namespace" if target.namespace else "cluster"
        labels = (
            verb,
            one.group,
            one.version,
            one.plural,
            target.subresource,
            scope,
            "All" if dry_run else "",
            str(code),
        )
        self._requests.labels(*labels).inc()

    def watching(self, target: Target, change: int) -> None:
        self._watches.labels(target.resource.plural).inc(change)

    def text(self) -> bytes:
        return generate_latest(self._registry)


def verb_of(method: str, target: Target, *, watch: bool, apply: bool) -> str:
    if method in {"GET", "HEAD"}:
        return "WATCH" if watch else "GET" if target.name else "LIST"
    if method == "PATCH" and apply:
        return "APPLY"
    if method == "DELETE" and not target.name:
        return "DELETECOLLECTION"
    return METHODS.get(method, method)
