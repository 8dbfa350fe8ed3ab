"""Requests to a Kubernetes API and its replies, as the parts of envtest that need one see them. Knows no credentials.

`Cluster` is an `Api`; whoever has another way to an API server (an operator has its own client) can be one
too and use `zonewright.envtest.apply`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol


class Response(NamedTuple):
    """An HTTP reply, with its body decoded where it is JSON."""

    status: int
    body: Any
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Tell whether the request did what it asked for."""
        return self.status < 400

    @property
    def refusal(self) -> str:
        """Return the status code and the API server's message."""
        message = self.body.get("message") if isinstance(self.body, dict) else self.body
        return f"{self.status} {message}"


class Api(Protocol):
    """Something that answers requests to a Kubernetes API."""

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> Response:
        """Send one request; a refusal is a Response too, only silence (OSError) is an exception."""
