"""What can break. Values only; proxy.py carries them out."""

from dataclasses import dataclass
from typing import Any

REASONS = {
    400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 409: "Conflict", 410: "Expired",
    429: "TooManyRequests", 500: "InternalError", 503: "ServiceUnavailable", 504: "Timeout",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to misbehave."""


@dataclass(frozen=True, slots=True)
class Fail(Fault):
    """Answer with an error; the API server never sees the request."""

    code: int
    retry_after: int | None = None
    message: str = "injected by the chaos proxy"

    def status(self) -> dict[str, Any]:
        return {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
            "reason": REASONS.get(self.code, ""),
            "code": self.code,
        }


@dataclass(frozen=True, slots=True)
class Delay(Fault):
    """Wait before passing the request on."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Hang(Fault):
    """Take the request and never answer; the connection stays open."""


@dataclass(frozen=True, slots=True)
class Reset(Fault):
    """Break the connection instead of answering; the API server never sees the request."""


@dataclass(frozen=True, slots=True)
class DropReply(Fault):
    """Let the API server do it, then break the connection: the client cannot know whether it was done."""


@dataclass(frozen=True, slots=True)
class CloseHalf(Fault):
    """Pass on the head and the first `after` events (or bytes of a body), then send a FIN and keep listening."""

    after: int = 0


@dataclass(frozen=True, slots=True)
class EndWatch(Fault):
    """End the watch after so many events, in good order, as a server does when its time is up."""

    after: int = 0


@dataclass(frozen=True, slots=True)
class Freeze(Fault):
    """Keep the watch open after so many events and pass on nothing more, not even bookmarks."""

    after: int = 0


@dataclass(frozen=True, slots=True)
class ExpireWatch(Fault):
    """After so many events, say in the stream that history is gone (410), and end."""

    after: int = 0


@dataclass(frozen=True, slots=True)
class Duplicate(Fault):
    """Send each event of the watch this many times."""

    times: int = 2


WATCH_FAULTS = (EndWatch, Freeze, ExpireWatch, Duplicate, CloseHalf)
