"""What can go wrong between a reconciler and the API server, as types: `except NotFound` says it all.

An exception's type decides what happens next (`controller.py`): an `ApiError` is retried with back-off, a
`TerminalError` is not. Knows neither HTTP nor the cluster; `client.py` makes the errors, from replies.
"""

from collections.abc import Mapping
from typing import Any


class ConfigError(Exception):
    """No usable way to an API server; the message says what was tried."""


class TerminalError(Exception):
    """Raised by a reconciler: trying again cannot help until the object changes."""


class FencedOff(Exception):
    """The lease's deadline has passed: another replica may lead, so nothing may be written."""


class InvalidObject(Exception):
    """An object does not fit its model: it was stored before its schema was tightened, or past validation."""

    def __init__(self, what: str, error: str) -> None:
        super().__init__(f"{what} does not fit its schema: {error}")
        self.error = error


class ApiError(Exception):
    """The API server refused a request. `reason` and `message` are the server's own; `details` its machine part."""

    def __init__(
        self, message: str, *, status: int = 0, reason: str = "", details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.reason = reason
        self.details: Mapping[str, Any] = details or {}


class NotFound(ApiError):
    """No such object, or no such resource: a CRD may not be installed."""


class AlreadyExists(ApiError):
    """An object of this name is there already."""


class Conflict(ApiError):
    """The object changed since it was read (or another field manager owns the field): read again and decide again."""


class Gone(ApiError):
    """The resource version or the continue token is older than what the server remembers: list again."""


class TooManyRequests(ApiError):
    """The server is busy, or a fresh CRD is not served yet. `retry_after` is what it asked for, in seconds."""

    def __init__(self, message: str, *, retry_after: float = 1.0, **rest: Any) -> None:
        super().__init__(message, **rest)
        self.retry_after = retry_after


class Invalid(ApiError):
    """The object breaks its schema or a validation rule: sending it again cannot help."""


class Forbidden(ApiError):
    """The service account may not do this: look at its roles."""


class Unauthorized(ApiError):
    """The credentials were refused, also after they were read again."""


class ServerError(ApiError):
    """The server failed (5xx)."""


class Malformed(ApiError):
    """The server's answer holds no usable object. A write that was answered so has happened nevertheless."""


class Unreachable(ApiError):
    """No complete reply came. If `sent`, a write is ambiguous: it may have happened. Read before you write again."""

    def __init__(self, message: str, *, sent: bool = True) -> None:
        super().__init__(message)
        self.sent = sent
