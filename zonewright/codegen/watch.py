"""`--watch`: generates again on every save. A broken CRD is told about and leaves the last good output in place."""

import queue
import threading
from collections.abc import Callable
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from zonewright.codegen.errors import CodegenError
from zonewright.codegen.load import SUFFIXES

# Reading a file is an event too; reacting to our own reads would never end.
CHANGES = {"created", "modified", "moved", "deleted", "closed"}
# Editors save in several steps (write, rename, set times); what comes within this time is one save.
QUIET_SECONDS = 0.1


class Changes(FileSystemEventHandler):
    """Puts a token into the queue for each change of a CRD file.

    A plain handler on purpose: watchdog's pattern matching misses sub-folders and the target of an atomic rename.
    """

    def __init__(self) -> None:
        self.pending: queue.SimpleQueue[None] = queue.SimpleQueue()

    def on_any_event(self, event: FileSystemEvent) -> None:
        paths = (event.src_path, event.dest_path)
        if event.event_type in CHANGES and any(Path(str(path)).suffix in SUFFIXES for path in paths):
            self.pending.put(None)

    def wait(self, timeout: float) -> bool:
        """True when something changed, and then only after the changes have come to rest."""
        if not self._next(timeout):
            return False
        while self._next(QUIET_SECONDS):
            pass
        return True

    def _next(self, timeout: float) -> bool:
        try:
            self.pending.get(timeout=timeout)
        except queue.Empty:
            return False
        return True


def watch(directory: Path, run: Callable[[], object], *, stop: threading.Event | None = None) -> None:
    """Runs once, then after every change below the directory, until `stop` is set or the user interrupts."""
    if not directory.is_dir():
        raise CodegenError("there is no such directory", file=directory)
    stop = stop or threading.Event()
    changes = Changes()
    observer = Observer()
    observer.schedule(changes, str(directory), recursive=True)
    observer.start()
    try:
        run()
        while not stop.is_set():
            if changes.wait(timeout=0.5):
                run()
    except KeyboardInterrupt:
        pass  # that is how people end it
    finally:
        observer.stop()
        observer.join()
