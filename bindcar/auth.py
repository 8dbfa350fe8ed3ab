"""Who may call: bearer tokens from a file, or judged by the Kubernetes API (TokenReview).

Tokens are compared in constant time and never logged. A TokenReview is one plain HTTPS request with the pod's own
credentials; its outcome is kept for a short while, by the token's hash.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import ssl
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Protocol

import aiohttp

SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
ACCEPTED_FOR = 60.0
REFUSED_FOR = 10.0
_CACHE_SIZE = 1024


class Denied(Exception):
    """The caller is not let in. 401: who are you? 403: I know you, and no."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class ReviewFailed(Exception):
    """The Kubernetes API could not be asked: nobody's fault but nobody gets in."""


class Authenticator(Protocol):
    """Decides on a bearer token."""

    async def check(self, token: str) -> None:
        """Return, or raise Denied or ReviewFailed."""
        ...


class Anyone:
    """No authentication: loopback only, by explicit flag."""

    async def check(self, token: str) -> None:
        """Everybody is welcome."""


class TokenFile:
    """Tokens in a file, one per line, so that two are valid while one replaces the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._tokens: tuple[bytes, ...] = ()

    def load(self) -> None:
        """Read the file if it is not the one that was read last; an empty one lets nobody in."""
        status = self._path.stat()
        # A mounted Secret changes by a new inode behind a symlink, an edited file by its time or size.
        stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
        if stamp != self._stamp:
            lines = self._path.read_bytes().split(b"\n")
            self._tokens = tuple(line.strip() for line in lines if line.strip())
            self._stamp = stamp

    async def check(self, token: str) -> None:
        """Compare with every token, in constant time."""
        try:
            self.load()
        except OSError as exc:
            raise ReviewFailed(f"the token file cannot be read: {exc.strerror}") from exc
        # A header may have any bytes; those that are no UTF-8 come as surrogates.
        given = token.encode("utf-8", "surrogateescape")
        matches = [hmac.compare_digest(given, known) for known in self._tokens]
        if not any(matches):
            raise Denied(HTTPStatus.UNAUTHORIZED, "the bearer token is not accepted")


@dataclass(frozen=True, slots=True)
class ReviewApi:
    """Where to send TokenReviews and as whom."""

    url: str
    ca_file: Path | None
    token_file: Path

    @classmethod
    def in_cluster(cls) -> ReviewApi:
        """From what Kubernetes gives every pod."""
        host, port = os.environ.get("KUBERNETES_SERVICE_HOST"), os.environ.get("KUBERNETES_SERVICE_PORT", "443")
        if not host:
            raise ValueError("--token-review works inside a cluster only: KUBERNETES_SERVICE_HOST is not set")
        bracketed = f"[{host}]" if ":" in host else host
        return cls(f"https://{bracketed}:{port}", SERVICE_ACCOUNT / "ca.crt", SERVICE_ACCOUNT / "token")


class TokenReview:
    """Asks the Kubernetes API whose token it is, and lets the listed users in."""

    def __init__(
        self, api: ReviewApi, users: frozenset[str], *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._api, self._users, self._monotonic = api, users, monotonic
        self._known: OrderedDict[bytes, tuple[float, Denied | None]] = OrderedDict()

    async def check(self, token: str) -> None:
        """From the cache while it is fresh."""
        if not token.isascii():
            raise Denied(HTTPStatus.UNAUTHORIZED, "the bearer token is not ASCII")
        digest = hashlib.sha256(token.encode()).digest()
        until, verdict = self._known.get(digest, (0.0, None))
        if self._monotonic() >= until:
            verdict = await self._judge(token)
            self._remember(digest, verdict)
        if verdict is not None:
            raise verdict

    async def _judge(self, token: str) -> Denied | None:
        status = await self._review(token)
        user = status.get("user", {}).get("username", "")
        if not status.get("authenticated"):
            return Denied(HTTPStatus.UNAUTHORIZED, "the Kubernetes API does not know the bearer token")
        if user not in self._users:
            return Denied(HTTPStatus.FORBIDDEN, f"user {user} is not among those allowed")
        return None

    def _remember(self, digest: bytes, verdict: Denied | None) -> None:
        lifetime = ACCEPTED_FOR if verdict is None else REFUSED_FOR
        self._known[digest] = (self._monotonic() + lifetime, verdict)
        self._known.move_to_end(digest)
        while len(self._known) > _CACHE_SIZE:
            self._known.popitem(last=False)

    async def _review(self, token: str) -> dict[str, dict[str, str]]:
        body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": token}}
        try:
            tls: ssl.SSLContext | bool = True
            if self._api.ca_file:
                tls = ssl.create_default_context(cafile=str(self._api.ca_file))
            headers = {"Authorization": f"Bearer {self._api.token_file.read_text(encoding='ascii').strip()}"}
            url = f"{self._api.url}/apis/authentication.k8s.io/v1/tokenreviews"
            limit = aiohttp.ClientTimeout(total=5)
            async with (
                aiohttp.ClientSession(timeout=limit) as http,
                http.post(url, json=body, headers=headers, ssl=tls) as reply,
            ):
                if reply.status >= 300:
                    raise ReviewFailed(f"TokenReview: the Kubernetes API answered {reply.status}")
                answer = json.loads(await reply.read())
        except (OSError, aiohttp.ClientError, TimeoutError, ValueError) as exc:
            raise ReviewFailed(f"TokenReview: {str(exc) or type(exc).__name__}") from exc
        status: dict[str, dict[str, str]] = answer.get("status") or {}
        return status
