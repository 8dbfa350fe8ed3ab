"""What is going on inside, as JSON for people: queues with reasons and next retries, caches by key, reflectors,
threads.

Served to this machine only (`kubectl port-forward`). Contents of Secrets are never shown. It reads snapshots, changes
nothing, and knows the rest of the runtime only by what it asks of it.
"""

import sys
import threading
import traceback
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from zonewright.api.kind import Kind, Request
from zonewright.api.objects import Object
from zonewright.controller.controller import Controller

_SECRET_FIELDS = ("data", "stringData")
_HIDDEN = "[hidden]"


class Cache(Protocol):
    """What is asked of an informer."""

    @property
    def kind(self) -> Kind[Any]: ...
    @property
    def title(self) -> str: ...
    def object(self, request: Request) -> Object[Any] | None: ...
    def objects(self, namespace: str | None = None) -> list[Object[Any]]: ...


def queues(controllers: Iterable[Controller], query: Mapping[str, str]) -> dict[str, Any]:
    """`?controller=widget` shows one."""
    wanted = query.get("controller")
    return {each.name: _queue(each) for each in controllers if wanted in {None, each.name}}


def _queue(controller: Controller) -> list[dict[str, Any]]:
    return [
        {
            "key": str(item.key),
            "state": item.state,
            {"processing": "running_for", "delayed": "due_in"}.get(item.state, "waiting_for"): round(item.seconds, 3),
            "priority": item.priority,
            "failures": item.failures,
            "reason": item.reason,
        }
        for item in controller.queue.snapshot()
    ]


def caches(informers: Iterable[Cache], query: Mapping[str, str]) -> Any:
    """Counts; with `?kind=Widget` the keys and versions; with `&key=namespace/name` one object."""
    chosen = [each for each in informers if query.get("kind") in {None, each.kind.kind, each.kind.plural}]
    if "kind" not in query:
        return {each.title: len(each.objects()) for each in chosen}
    if "key" in query:
        return {each.title: _object(each, query["key"]) for each in chosen}
    return {each.title: {str(o.key): o.resource_version for o in each.objects()} for each in chosen}


def _object(informer: Cache, key: str) -> Any:
    namespace, _, name = key.rpartition("/")
    found = informer.object(Request(namespace, name))
    if found is None:
        return None
    fields = found.readable_fields()
    if informer.kind.group == "" and informer.kind.kind == "Secret":
        fields.update({field: _hidden(fields[field]) for field in _SECRET_FIELDS if field in fields})
    return fields if found.unreadable is None else {"unreadable": found.unreadable, **fields}


def _hidden(values: Any) -> Any:
    return dict.fromkeys(values, _HIDDEN) if isinstance(values, dict) else _HIDDEN


def threads(_query: Mapping[str, str]) -> dict[str, list[str]]:
    """Where every thread is: the first thing to look at when something hangs."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return {
        f"{names.get(ident, '?')} ({ident})": [line.rstrip() for line in traceback.format_stack(frame)]
        for ident, frame in sys._current_frames().items()  # noqa: SLF001 - documented, for debuggers
    }
