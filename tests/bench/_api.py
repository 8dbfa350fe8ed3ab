"""Load for the API server: records created over a few kept connections, and a watch that tells when they are Ready.

Cheap on purpose: the machine is shared with what is measured."""

import contextlib
import functools
import http.client
import json
import ssl
import threading
import time
import urllib.parse
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Self

import msgspec

from zonewright.envtest.cluster import Cluster

CONNECTIONS = 4


class Api:
    """One kept connection, for one thread."""

    def __init__(self, cluster: Cluster) -> None:
        self._headers = {"Authorization": f"Bearer {cluster.token}", "Accept": "application/json"}
        address = urllib.parse.urlsplit(cluster.server_url).netloc
        self._connection = http.client.HTTPSConnection(address, timeout=3600, context=_tls(str(cluster.ca)))

    def send(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> bytes:
        reply = self.open(method, path, body, content_type)
        content = reply.read()
        if reply.status >= 400:
            raise RuntimeError(f"{method} {path}: {reply.status} {content[:300]!r}")
        return content

    def open(
        self, method: str, path: str, body: Any = None, content_type: str = "application/json"
    ) -> http.client.HTTPResponse:
        payload = None if body is None else json.dumps(body)
        self._connection.request(method, path, payload, {**self._headers, "Content-Type": content_type})
        return self._connection.getresponse()

    def close(self) -> None:
        self._connection.close()


@functools.cache
def _tls(ca: str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca)


def create_all(cluster: Cluster, path: str, bodies: Sequence[dict[str, Any]]) -> None:
    """Everything at once, as fast as the API server takes it."""

    def create(share: Sequence[dict[str, Any]]) -> None:
        api = Api(cluster)
        for body in share:
            api.send("POST", path, body)
        api.close()

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(create, [bodies[number::CONNECTIONS] for number in range(CONNECTIONS)]))


class _Condition(msgspec.Struct):
    type: str
    status: str


class _Status(msgspec.Struct):
    conditions: list[_Condition] = []


class _Metadata(msgspec.Struct):
    name: str


class _Object(msgspec.Struct):
    metadata: _Metadata
    status: _Status | None = None


class _Event(msgspec.Struct):
    type: str
    object: _Object


@dataclass(slots=True)
class ConditionWatch:
    """A context. Waits until so many objects, of those that a label selects, have a condition."""

    cluster: Cluster
    path: str
    selector: str
    condition: str
    _there: set[str] = field(default_factory=set)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        threading.Thread(target=self._watch, name="condition-watch", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """The server ends the watch under way by itself, with the cluster at the latest."""
        self._over.set()

    def wait(self, count: int, *, timeout: float) -> float:
        """The moment at which the last one had it."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._there) >= count, timeout):
                raise TimeoutError(f"{len(self._there)} of {count} are {self.condition} after {timeout:g} s")
        return time.perf_counter()

    def _watch(self) -> None:
        """A watch without a version begins with everything, so one that the server ends as too slow loses nothing."""
        query = urllib.parse.urlencode({"watch": "1", "labelSelector": self.selector, "timeoutSeconds": "3600"})
        while not self._over.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                self._follow(Api(self.cluster).open("GET", f"{self.path}?{query}"))
            self._over.wait(0.1)

    def _follow(self, reply: http.client.HTTPResponse) -> None:
        decoder = msgspec.json.Decoder(_Event)
        while (line := reply.readline()) and not self._over.is_set():
            found = decoder.decode(line).object
            conditions = found.status.conditions if found.status else ()
            if any(each.type == self.condition and each.status == "True" for each in conditions):
                with self._changed:
                    self._there.add(found.metadata.name)
                    self._changed.notify_all()
