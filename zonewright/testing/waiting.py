"""Waits for what will be true: the thing itself, never a moment."""

import time
from collections.abc import Callable
from typing import Any


def eventually(
    condition: Callable[[], Any],
    *,
    what: str | Callable[[], object] = "it",
    timeout: float = 120.0,
    every: float = 0.02,
    ignoring: type[Exception] | tuple[type[Exception], ...] = (),
) -> Any:
    """What the condition returns once it is true. One that raises what is `ignoring` is not true yet.

    The limit is there to find a hang, so it is far above what a busy machine needs. `what` goes into the error; a
    function is asked for it then, so that it can say how things stood at the end.
    """
    deadline = time.monotonic() + timeout
    while True:
        last: Exception | None = None
        try:
            found = condition()
        except ignoring as error:
            found, last = None, error
        if found:
            return found
        if time.monotonic() > deadline:
            said = what() if callable(what) else what
            raise TimeoutError(f"{said} did not happen within {timeout:g} s") from last
        time.sleep(every)
