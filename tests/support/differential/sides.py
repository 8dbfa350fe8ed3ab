"""One server in the differential test: requests to it, what is known of its objects, and the events of a long watch."""

import copy
import http.client
import json
import ssl
import threading
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

Fields = dict[str, Any]
# The real garbage collector may take half a minute to notice a new kind.
PATIENCE = 90.0
Answer = tuple[int, Any, list[str]]


class Side:
    """A server, its objects as last seen, and the events of one long watch."""

    def __init__(self, cluster: Any) -> None:
        self.name, self._cluster = cluster.backend, cluster
        self._connection = self._connect()
        # The last two states of every object by path, for revisions that are current and stale.
        self.seen: dict[str, list[Fields]] = {}
        self.tokens: dict[str, str] = {}

    def _connect(self) -> http.client.HTTPSConnection:
        url = urlsplit(self._cluster.server_url)
        tls = ssl.create_default_context(cafile=str(self._cluster.ca))
        return http.client.HTTPSConnection(url.hostname or "", url.port, timeout=60, context=tls)

    def send(self, method: str, path: str, body: Any, content_type: str, accept: str) -> Answer:
        headers = {"Authorization": f"Bearer {self._cluster.token}", "Accept": accept, "User-Agent": "differential/1"}
        payload = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        if payload is not None:
            headers["Content-Type"] = content_type
        self._connection.request(method, path, payload, headers)
        reply = self._connection.getresponse()
        raw = reply.read()
        warnings = sorted(reply.headers.get_all("Warning") or [])
        try:
            return reply.status, json.loads(raw), warnings
        except ValueError:
            return reply.status, raw.decode(), warnings

    def remember(self, path: str, fields: Any) -> None:
        if isinstance(fields, dict) and fields.get("metadata", {}).get("uid") and fields.get("kind") != "Table":
            self.seen.setdefault(path, []).append(fields)

    def revision(self, path: str, *, stale: bool) -> str:
        states = self.seen.get(path) or [{"metadata": {"resourceVersion": "1"}}]
        return str(states[0 if stale else -1]["metadata"]["resourceVersion"])

    def uid(self, path: str) -> str:
        states = self.seen.get(path) or [{"metadata": {"uid": "none"}}]
        return str(states[-1]["metadata"]["uid"])

    def watch(self, path: str) -> "Recorder":
        return Recorder(self._connect(), path, self._cluster.token)

    def close(self) -> None:
        self._connection.close()


class Recorder(threading.Thread):
    """Collects the events of a watch, by object."""

    def __init__(self, connection: http.client.HTTPSConnection, path: str, token: str) -> None:
        super().__init__(daemon=True)
        self._connection = connection
        self.events: dict[str, list[tuple[str, Fields]]] = {}
        target = f"{path}?watch=true&allowWatchBookmarks=false&timeoutSeconds=3000"
        connection.request("GET", target, headers={"Authorization": f"Bearer {token}"})
        self._reply = connection.getresponse()
        assert self._reply.status == 200
        self.start()

    def run(self) -> None:
        try:
            while line := self._reply.readline():
                event = json.loads(line)
                name = event["object"]["metadata"]["name"]
                self.events.setdefault(name, []).append((event["type"], event["object"]))
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            return  # close() below ends the read in one of these ways

    def close(self) -> None:
        if self._connection.sock is not None:
            self._connection.sock.close()
        self.join(60)


@dataclass(frozen=True)
class Operation:
    """A request in which revisions and uids are left to each side: `body` may be a function of it."""

    method: str
    path: str
    body: Any = None
    query: Fields = field(default_factory=dict)
    content_type: str = "application/json"
    accept: str = "application/json"
    # Ask again until the object is gone: garbage collection takes its time on a real cluster.
    until_gone: bool = False

    def on(self, side: Side) -> Answer:
        body = self.body(side) if callable(self.body) else copy.deepcopy(self.body)
        query = {key: value(side) if callable(value) else value for key, value in self.query.items()}
        path = self.path + (f"?{urlencode(query)}" if query else "")
        answer = side.send(self.method, path, body, self.content_type, self.accept)
        deadline = time.monotonic() + PATIENCE
        while self.until_gone and answer[0] != 404 and time.monotonic() < deadline:
            time.sleep(0.02)
            answer = side.send(self.method, path, body, self.content_type, self.accept)
        self._remember(side, answer)
        return answer

    def _remember(self, side: Side, answer: Answer) -> None:
        code, fields, _ = answer
        if code < 300 and isinstance(fields, dict) and "dryRun" not in self.query:
            meta = fields.get("metadata") or {}
            side.tokens[self.path] = meta.get("continue", "")
            path = self.path.removesuffix("/status").removesuffix("/scale")
            side.remember(path if self.method != "POST" else f"{path}/{meta.get('name')}", fields)

    def __str__(self) -> str:
        shown = "(depends on the side)" if callable(self.body) else json.dumps(self.body, default=repr)
        query = {key: value if isinstance(value, str) else "(depends)" for key, value in self.query.items()}
        return f"{self.method} {self.path} {query} {self.content_type} {shown}"
