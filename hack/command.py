"""How `make run` and `make demo` behave as programs: obstacles are one line, and signals end them in order.

The first Ctrl-C or SIGTERM unwinds, so that everything is stopped and waited for; the second ends the process at once.
Nothing stays behind either way: supervisors notice when this process is gone (zonewright/envtest/supervisor.py)."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console

from zonewright import ApiError, ConfigError
from zonewright.envtest.errors import ApplyFailed, Refused, Unavailable
from zonewright.envtest.processes import ProgramFailed

# OSError: no answer, no free port, no permission. What else is raised is a bug, and a traceback is right for it.
OBSTACLES = (Unavailable, ApplyFailed, Refused, ProgramFailed, ConfigError, ApiError, OSError)
INTERRUPTED = 130  # as shells say it
SIGNALS = (signal.SIGINT, signal.SIGTERM)

stopping = threading.Event()
"""Set by the first signal. Its exception may be lost in a destructor; whoever waits in a loop should look here."""


@contextmanager
def command() -> Iterator[None]:
    """Around all that a command does. Exit code 0 after a signal, 1 at an obstacle."""
    for number in SIGNALS:
        signal.signal(number, _unwind)
    try:
        yield
    except OBSTACLES as obstacle:
        if not stopping.is_set():  # else it is a part that was interrupted
            complain(str(obstacle))
            sys.exit(1)
    if stopping.is_set():
        sys.exit(0)


def complain(text: str) -> None:
    Console(stderr=True).print(text, style="red", markup=False, highlight=False, soft_wrap=True)


def _unwind(_number: int, _frame: FrameType | None) -> None:
    stopping.set()
    for number in SIGNALS:
        signal.signal(number, _end_at_once)
    sys.exit(0)


def _end_at_once(_number: int, _frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)
