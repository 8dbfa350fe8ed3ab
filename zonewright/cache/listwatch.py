"""Where a reflector gets its objects from: LIST pages and watch lines of one kind, in one scope.

Between `client.py` and `reflector.py`. A seam: tests put a model of an API server in its place. It knows the query
parameters of the API, and nothing of what happens with the objects.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol
from urllib.parse import urlencode

from zonewright.api import decode
from zonewright.api.kind import Kind
from zonewright.client.client import PAGE_SIZE, TIMEOUT, Client, error_of
from zonewright.client.http1 import Reply
from zonewright.client.transport import JSON, Opened, Stream

# A server that cannot leave out the rest sends whole objects: less is saved, and nothing goes wrong.
METADATA = f"{JSON};as=PartialObjectMetadata;g=meta.k8s.io;v=v1,{JSON}"
METADATA_LIST = f"{JSON};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,{JSON}"


class Lines(Protocol):
    """A watch under way: iterating yields the lines that have come, in batches, until the server ends it."""

    def batches(self, silence: Callable[[], float]) -> Iterator[list[bytes]]:
        """Raises `TimeoutError` after `silence()` seconds without a byte, `Unreachable` when the stream breaks."""

    def close(self) -> None:
        """By the thread that reads."""


class Source(Protocol):
    def list(self, version: str, continue_: str, *, limit: bool) -> decode.Page:
        """One page, or everything without `limit`."""

    def watch(self, version: str, *, initial: bool, seconds: int, opened: Opened) -> Lines:
        """Changes after `version`, for so many seconds; with `initial`, preceded by what exists (WatchList)."""


class ApiSource:
    """The kind's collection on the API server: of one namespace or of all, of some labels or fields or of all, whole or
    only their metadata."""

    def __init__(
        self,
        client: Client,
        kind: Kind[Any],
        *,
        namespace: str = "",
        label_selector: str | None = None,
        field_selector: str | None = None,
        metadata_only: bool = False,
    ) -> None:
        self._client = client
        self._kind = kind
        self._path = kind.path(namespace)
        selectors = {"labelSelector": label_selector, "fieldSelector": field_selector}
        self._selectors = {name: value for name, value in selectors.items() if value}
        self._list_accept, self._watch_accept = (METADATA_LIST, METADATA) if metadata_only else (JSON, JSON)

    def list(self, version: str, continue_: str, *, limit: bool) -> decode.Page:
        query = dict(self._selectors)
        if continue_:  # the token carries the version
            query["continue"] = continue_
        elif version:
            query |= {"resourceVersion": version, "resourceVersionMatch": "NotOlderThan"}
        if limit:
            query["limit"] = str(PAGE_SIZE)
        return decode.page(self._kind, self._read(query).body)

    def _read(self, query: Mapping[str, str]) -> Reply:
        return self._client.request("GET", self._path, query=query, accept=self._list_accept)

    def watch(self, version: str, *, initial: bool, seconds: int, opened: Opened) -> "ApiLines":
        query = {"watch": "1", "allowWatchBookmarks": "true", "timeoutSeconds": str(seconds), **self._selectors}
        if version:
            query["resourceVersion"] = version
        if initial:
            query |= {"sendInitialEvents": "true", "resourceVersionMatch": "NotOlderThan"}
        target = f"{self._path}?{urlencode(query)}"
        stream = self._client.transport.stream(target, TIMEOUT, opened, self._watch_accept)
        if stream.status == 200:
            return ApiLines(stream)
        try:
            raise error_of(stream.status, _drain(stream), stream.retry_after())
        finally:
            stream.close()


class ApiLines:
    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def batches(self, silence: Callable[[], float]) -> Iterator[list[bytes]]:
        tail = b""
        while piece := self._stream.read(silence()):
            lines = (tail + piece if tail else piece).split(b"\n")
            tail = lines.pop()
            if lines:
                yield lines

    def close(self) -> None:
        self._stream.close()


def _drain(stream: Stream) -> bytes:
    """The body of a refusal: a Status object, well under a megabyte."""
    body = b""
    while len(body) < 1 << 20 and (piece := stream.read(TIMEOUT)):
        body += piece
    return body
