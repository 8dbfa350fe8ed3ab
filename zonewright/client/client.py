"""Client: the typed Kubernetes API, for reconcilers and for whatever else reads or writes objects.

    widget = client.get(kinds.Widget, "large", "default")           # the model, or NotFound
    client.patch(kinds.Widget, "large", {"status": ...}, namespace="default", subresource="status")

Every request has a time-out, bounded by the deadline of the reconcile that sends it; every write is fenced and, once
answered, is told to the caches (`on_write`), which is what makes reads see it. Errors are the types of `errors.py`.
It knows nothing of watches: `cache/listwatch.py` does.
"""

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, cast
from urllib.parse import urlencode

import msgspec

from zonewright import metrics
from zonewright.api import decode, errors
from zonewright.api.kind import Kind
from zonewright.api.objects import Object
from zonewright.client import deadline
from zonewright.client.config import Config
from zonewright.client.http1 import Reply
from zonewright.client.transport import JSON, USER_AGENT, Call, DirectTransport, Observer, Transport

M = TypeVar("M")

TIMEOUT = 30.0
PAGE_SIZE = 500  # client-go's
LONGEST_RETRY_AFTER = 600.0  # a server may say what it likes; a key is not put off for a day because of it
FIELD_MANAGER = "zonewright"
_OBJECT_SUBRESOURCES = frozenset({None, "status"})  # those whose reply is the whole object

_ListOf: TypeAlias = list  # `list` means the method inside the class

REQUESTS = metrics.counter("rest_client_requests_total", "API requests by status code.", "code", "method", "host")
DURATION = metrics.histogram("rest_client_request_duration_seconds", "Time to an API request's reply.", "verb", "host")


class Patch(enum.Enum):
    """How a patch's body is to be understood; the value is its content type."""

    MERGE = "application/merge-patch+json"
    JSON = "application/json-patch+json"
    APPLY = "application/apply-patch+yaml"  # server-side apply; JSON is YAML too


class Client:
    """Thread-safe. `fence` is called just before each write is sent, and raises if it must not be."""

    def __init__(
        self,
        transport: Transport,
        *,
        fence: Callable[[], None] | None = None,
        on_write: Callable[[Object[Any]], None] | None = None,
    ) -> None:
        self.transport = transport
        self.fence = fence
        self.on_write = on_write

    @classmethod
    def from_config(
        cls,
        config: Config,
        *,
        fence: Callable[[], None] | None = None,
        on_write: Callable[[Object[Any]], None] | None = None,
        user_agent: str = USER_AGENT,
    ) -> "Client":
        """A client with connections of its own; `fence` is asked before every write, `on_write` told of its reply."""
        counter = _Counter()
        client = cls(transport(config, counter, user_agent), fence=fence, on_write=on_write)
        counter.host = client.transport.host
        return client

    def close(self) -> None:
        """End the idle connections."""
        self.transport.close()

    # --- reads

    def get(self, kind: Kind[M], name: str, namespace: str = "", *, timeout: float = TIMEOUT) -> M:
        """From the API server, not from a cache. Raises `NotFound`."""
        return self.get_object(kind, name, namespace, timeout=timeout).model()

    def get_fields(
        self, kind: Kind[Any], name: str, namespace: str = "", *, timeout: float = TIMEOUT
    ) -> dict[str, Any]:
        """As plain JSON values, also for a kind that has a model."""
        return self.get_object(kind, name, namespace, timeout=timeout).fields()

    def get_object(self, kind: Kind[M], name: str, namespace: str = "", *, timeout: float = TIMEOUT) -> Object[M]:
        """The object as it is now, read past the cache."""
        return decode.single(kind, self.request("GET", kind.path(namespace, name), timeout=timeout).body)

    def list(
        self, kind: Kind[M], namespace: str = "", *, label_selector: str | None = None, timeout: float = TIMEOUT
    ) -> _ListOf[M]:
        """All of a namespace, or of the cluster. Reconcilers read the informer instead: a LIST is dear."""
        found = self.list_objects(kind, namespace, label_selector=label_selector, timeout=timeout)
        return [object_.model() for object_ in found]

    def list_objects(
        self, kind: Kind[M], namespace: str = "", *, label_selector: str | None = None, timeout: float = TIMEOUT
    ) -> _ListOf[Object[M]]:
        """As views: one object that does not fit its model does not spoil the others."""
        objects: list[Object[M]] = []
        query = {"limit": str(PAGE_SIZE)}
        if label_selector:
            query["labelSelector"] = label_selector
        while True:
            page = decode.page(kind, self.request("GET", kind.path(namespace), query=query, timeout=timeout).body)
            objects += page.objects
            if not page.continue_:
                return objects
            query["continue"] = page.continue_

    # --- writes

    def create(self, kind: Kind[M], obj: M | Mapping[str, Any], *, timeout: float = TIMEOUT) -> M:
        """Raises `AlreadyExists`, `Invalid`."""
        fields = _fields(kind, obj)
        path = kind.path(_metadata(fields).get("namespace"))
        return self._write(kind, "POST", path, decode.encode(fields), "application/json", {}, timeout).model()

    def update(self, kind: Kind[M], obj: M | Mapping[str, Any], *, timeout: float = TIMEOUT) -> M:
        """Replaces the object. Raises `Conflict` if it carries a resource version that is not the newest."""
        return self._replace(kind, obj, None, timeout)

    def update_status(self, kind: Kind[M], obj: M | Mapping[str, Any], *, timeout: float = TIMEOUT) -> M:
        """As `update`, for the status: what else differs is ignored by the server."""
        return self._replace(kind, obj, "status", timeout)

    def patch(  # noqa: PLR0913 - the API's own options, all by keyword
        self,
        kind: Kind[M],
        name: str,
        body: Mapping[str, Any] | Sequence[Any] | bytes,
        *,
        namespace: str = "",
        type: Patch = Patch.MERGE,  # noqa: A002 - what the API calls it
        subresource: str | None = None,
        field_manager: str = FIELD_MANAGER,
        force: bool = False,
        timeout: float = TIMEOUT,
    ) -> Object[M]:
        """Returns a view on the patched object; ask it for the model if you need one. `force` is for APPLY."""
        query = {"fieldManager": field_manager}
        if force:
            query["force"] = "true"
        path = kind.path(namespace, name, subresource)
        encoded = body if isinstance(body, bytes) else decode.encode(body)
        return self._write(kind, "PATCH", path, encoded, type.value, query, timeout, subresource)

    def delete(
        self,
        kind: Kind[Any],
        name: str,
        namespace: str = "",
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        propagation: str | None = None,
        grace_period: int | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        """Returns when the deletion is accepted; finalizers may keep the object for longer. Raises `NotFound`.

        `uid` and `resource_version` are preconditions, answered by `Conflict`; `propagation` is Foreground, Background
        or Orphan.
        """
        preconditions = {"uid": uid, "resourceVersion": resource_version}
        options: dict[str, Any] = {
            "preconditions": {name: value for name, value in preconditions.items() if value} or None,
            "propagationPolicy": propagation,
            "gracePeriodSeconds": grace_period,
        }
        body = {name: value for name, value in options.items() if value is not None}
        encoded = decode.encode({"apiVersion": "v1", "kind": "DeleteOptions", **body}) if body else b""
        self.request("DELETE", kind.path(namespace, name), encoded, timeout=timeout)

    def _replace(self, kind: Kind[M], obj: M | Mapping[str, Any], subresource: str | None, timeout: float) -> M:
        fields = _fields(kind, obj)
        metadata = _metadata(fields)
        path = kind.path(metadata.get("namespace"), metadata.get("name", ""), subresource)
        return self._write(kind, "PUT", path, decode.encode(fields), "application/json", {}, timeout).model()

    def _write(
        self,
        kind: Kind[M],
        method: str,
        path: str,
        body: bytes,
        content_type: str,
        query: Mapping[str, str],
        timeout: float,
        subresource: str | None = None,
    ) -> Object[M]:
        query = query or {"fieldManager": FIELD_MANAGER}
        reply = self.request(method, path, body, query=query, content_type=content_type, timeout=timeout)
        written = decode.single(kind, reply.body)
        if self.on_write is not None and subresource in _OBJECT_SUBRESOURCES:
            self.on_write(written)
        return written

    # --- anything else

    def request(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        *,
        query: Mapping[str, str] | None = None,
        content_type: str = JSON,
        accept: str = JSON,
        timeout: float = TIMEOUT,
    ) -> Reply:
        """Any request; raises an `ApiError` for a status of 400 or more. Everything but GET is fenced."""
        target = f"{path}?{urlencode(query)}" if query else path
        check = self.fence if method != "GET" else None
        reply = self.transport.request(
            Call(method, target, body, content_type, deadline.remaining(timeout), accept, check)
        )
        if reply.status >= 400:
            raise error_of(reply.status, reply.body, reply.header(b"retry-after"))
        return reply


class _Counter:
    """Counts requests in the process's metrics."""

    host = ""

    def __call__(self, method: str, code: str, seconds: float) -> None:
        REQUESTS.labels(code, method, self.host).inc()
        DURATION.labels(method, self.host).observe(seconds)


_BY_STATUS: Mapping[int, type[errors.ApiError]] = {
    401: errors.Unauthorized,
    403: errors.Forbidden,
    404: errors.NotFound,
    409: errors.Conflict,
    410: errors.Gone,
    422: errors.Invalid,
}


def error_of(status: int, body: bytes, retry_after: str = "") -> errors.ApiError:
    """The exception for a reply that is an error. The body is a Status object, or a proxy's page."""
    try:
        fields = msgspec.json.decode(body)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        fields = {"message": body[:200].decode("utf-8", "replace").strip()}
    reason = str(fields.get("reason") or "")
    message = str(fields.get("message") or f"HTTP status {status}")
    details = fields.get("details")
    if not isinstance(details, dict):
        details = {}
    if status == 429:
        seconds = retry_after or details.get("retryAfterSeconds") or 1
        return errors.TooManyRequests(
            message, retry_after=_seconds(seconds), status=status, reason=reason, details=details
        )
    if status == 409 and reason == "AlreadyExists":
        type_: type[errors.ApiError] = errors.AlreadyExists
    else:
        type_ = _BY_STATUS.get(status, errors.ServerError if status >= 500 else errors.ApiError)
    return type_(message, status=status, reason=reason, details=details)


def _seconds(text: Any) -> float:
    try:
        seconds = float(text)
    except (TypeError, ValueError):  # the header may be a date; API servers send seconds
        return 1.0
    return min(max(0.0, seconds), LONGEST_RETRY_AFTER)


def _fields(kind: Kind[Any], obj: Any) -> dict[str, Any]:
    """An object as what is sent: a model says so itself, a mapping need not repeat its kind."""
    fields = obj if isinstance(obj, Mapping) else obj.to_dict()
    return {"apiVersion": kind.api_version, "kind": kind.kind, **fields}


def _metadata(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", fields.get("metadata") or {})


def transport(config: Config, observer: Observer | None = None, user_agent: str = USER_AGENT) -> Transport:
    """The transport that `config` needs."""
    if config.pool is None:
        return DirectTransport(config, observer, user_agent=user_agent)
    from zonewright.client.proxy import PooledTransport  # noqa: PLC0415 - brings urllib3, for proxies only

    return PooledTransport(config, observer, user_agent=user_agent)
