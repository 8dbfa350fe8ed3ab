"""A model of an API server, as far as a reflector sees it: versions, history, compaction, pages, and streams that fail.

It is a `Source`: no sockets, no threads. Every watch delivers what there is and then ends, in the way asked for.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from zonewright.api import decode
from zonewright.api.errors import Gone, Invalid, Unreachable
from zonewright.api.kind import Kind, Request

WIDGET: Kind[Any] = Kind("bench.example.org", "v1", "Widget", "widgets")
PAGE = 2


@dataclass(frozen=True)
class Stored:
    name: str
    uid: str
    version: int
    value: int = 0
    labels: tuple[tuple[str, str], ...] = ()

    def fields(self):
        metadata = {
            "labels": dict(self.labels),
            "managedFields": [{"manager": "m"}],
            "name": self.name,
            "namespace": "n",
            "resourceVersion": str(self.version),
            "uid": self.uid,
        }
        return {"metadata": metadata, "spec": {"value": self.value}}

    def raw(self):
        return json.dumps(self.fields(), separators=(",", ":")).encode()

    def object(self):
        return decode.single(WIDGET, self.raw())


def key(name):
    return Request("n", name)


@dataclass
class Faults:
    """How the next stream misbehaves. The defaults are a good server."""

    watch_list: bool = True  # the server knows streaming lists
    duplicate: bool = False  # the older half of the events comes once more, late
    # Neighbouring events of different objects change places. Never together with a cut: versions say how far a watch
    # has come, so one that reorders *and* breaks in between cannot be resumed by anybody.
    swap: bool = False
    cut_after: int | None = None  # the connection breaks after so many lines
    end: str = "closed"  # closed | silent | broken | expired | error
    expired_as: str = "status"  # how a 410 comes: status | stream
    noise: bool = False  # lines that are no objects, and types nobody knows
    stale: int = 0  # a read that allows it is served from a cache so many versions old

    def __post_init__(self):
        if self.swap:
            self.cut_after = None


@dataclass
class ModelServer:
    version: int = 100
    objects: dict[str, Stored] = field(default_factory=dict)
    log: list[tuple[str, Stored]] = field(default_factory=list)
    compacted: int = 0
    faults: Faults = field(default_factory=Faults)
    created: int = 0
    requests: list[tuple] = field(default_factory=list)

    # --- what users do

    def put(self, name, value=0, labels=()):
        self.version += 1
        known = self.objects.get(name)
        if known is None:
            self.created += 1
        uid = known.uid if known else f"u{self.created}"
        stored = Stored(name, uid, self.version, value, labels)
        self.objects[name] = stored
        self.log.append(("MODIFIED" if known else "ADDED", stored))
        return stored

    def delete(self, name):
        self.version += 1
        gone = self.objects.pop(name)
        self.log.append(("DELETED", Stored(gone.name, gone.uid, self.version, gone.value, gone.labels)))

    def compact(self):
        self.compacted = self.version

    # --- what a reflector asks

    def list(self, version, continue_, *, limit):
        self.requests.append(("list", version, continue_, limit))
        at, start = map(int, continue_.split("/")) if continue_ else (self._snapshot_at(version), 0)
        if continue_ and at < self.compacted:
            raise Gone("the continue token has expired", status=410)
        items = sorted(self.state(at).values(), key=lambda stored: stored.name)
        end = start + PAGE if limit else len(items)
        page = items[start:end]
        rest = f"{at}/{end}" if end < len(items) else ""
        return decode.Page([stored.object() for stored in page], str(at), rest, [])

    def watch(self, version, *, initial, seconds, opened):
        self.requests.append(("watch", version, initial))
        faults, self.faults = self.faults, Faults(watch_list=self.faults.watch_list)
        opened(lambda: None)
        if initial and not faults.watch_list:
            raise Invalid("sendInitialEvents is forbidden", status=422)
        if not initial and int(version) < self.compacted:
            if faults.expired_as == "status":
                raise Gone("too old resource version", status=410)
            return ModelLines([line("ERROR", {"code": 410, "reason": "Expired", "metadata": {}})], Faults())
        return ModelLines(self._lines(version, initial, faults), faults)

    def _snapshot_at(self, version):
        """A read may be as old as the asker allows: "" is the newest, "0" anything, else no older than that."""
        if version == "":
            return self.version
        oldest = max(self.compacted, int(version), 100)
        return max(oldest, self.version - self.faults.stale)

    def state(self, at):
        """Everything as of a version, from the history."""
        found: dict[str, Stored] = {}
        for type_, stored in self.log:
            if stored.version > at:
                break
            if type_ == "DELETED":
                found.pop(stored.name)
            else:
                found[stored.name] = stored
        return found

    def _lines(self, version, initial, faults):
        lines = []
        if initial:
            at = self._snapshot_at(version)
            lines += [line("ADDED", stored.fields()) for stored in self.state(at).values()]
            lines.append(bookmark(at, {"k8s.io/initial-events-end": "true"}))
            version = str(at)
        events = [(type_, stored) for type_, stored in self.log if stored.version > int(version)]
        lines += [line(type_, stored.fields()) for type_, stored in disordered(events, faults)]
        if faults.noise:
            lines = [noise for event in lines for noise in (event, b"not json", line("ODD", {"metadata": {}}))]
        if faults.cut_after is None and not faults.swap:
            lines.append(bookmark(self.version))
        if faults.end == "expired":
            lines.append(line("ERROR", {"code": 410, "reason": "Expired", "metadata": {}}))
        if faults.end == "error":
            lines.append(line("ERROR", {"code": 500, "reason": "InternalError", "metadata": {}}))
        return lines


def disordered(events, faults):
    if faults.swap:
        events = list(events)
        for at in range(0, len(events) - 1, 2):
            if events[at][1].name != events[at + 1][1].name:
                events[at], events[at + 1] = events[at + 1], events[at]
    return [*events, *events[: (len(events) + 1) // 2]] if faults.duplicate else events


class ModelLines:
    def __init__(self, lines, faults):
        self.lines = lines
        self.faults = faults
        self.closed = False

    def batches(self, silence):
        lines = self.lines if self.faults.cut_after is None else self.lines[: self.faults.cut_after]
        for at in range(0, len(lines), 3):
            yield lines[at : at + 3]
        if self.faults.end == "silent":
            raise TimeoutError("silence")
        if self.faults.end == "broken" or self.faults.cut_after is not None:
            raise Unreachable("the stream broke")

    def close(self):
        self.closed = True


def line(type_, object_):
    return json.dumps({"type": type_, "object": object_}, separators=(",", ":")).encode()


def bookmark(version, annotations=None):
    return line("BOOKMARK", {"metadata": {"resourceVersion": str(version), "annotations": annotations or {}}})
