"""Zonewright's adapter for the peers benchmark: an ordinary controller, written with the facade and nothing else."""

import sys
import time
from typing import Any

import progress  # type: ignore[import-not-found] # the benchmark puts it on PYTHONPATH

from zonewright import Config, Kind, Manager, ManagerOptions, Request, generation_changed, setup_logging

WIDGET: Kind[dict[str, Any]] = Kind("bench.example.org", "v1", "Widget", "widgets", subresources=frozenset({"status"}))


class WidgetReconciler:
    """Says in status that the spec was seen."""

    def __init__(self, manager: Manager) -> None:
        self._widgets = manager.informer(WIDGET)
        self._client = manager.client

    def reconcile(self, request: Request) -> None:
        start = time.monotonic_ns()
        widget = self._widgets.get(request)
        if widget is None:
            return
        generation = widget["metadata"]["generation"]
        progress.event(request.name, generation, start)
        if progress.PATCH and not progress.is_current(widget.get("status", {}), generation):
            body = {"status": progress.status_of(generation)}
            self._client.patch(WIDGET, request.name, body, namespace=request.namespace, subresource="status")
        progress.done(request.name)


def main() -> int:
    setup_logging(level="warning")
    manager = Manager(Config.load(), ManagerOptions(namespace=progress.NAMESPACE))
    reconciler = WidgetReconciler(manager)
    manager.controller("widget", reconciler, workers=progress.WORKERS).for_(WIDGET, predicate=generation_changed)
    return manager.run()


if __name__ == "__main__":
    sys.exit(main())
