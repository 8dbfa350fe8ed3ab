"""A running Kubernetes API as tests and people see it: credentials, plain requests, manifests, and ways to disturb it.

Everything here goes over the public API, so it is the same on every backend and needs no kubectl; `Cluster.kubectl` is
for tests of kubectl itself. What only some backends can do (restart the API server, forget history, revoke a token)
raises `Unsupported` here and is overridden beside the backend.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import ssl
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from zonewright.envtest import kubectl as kubectl_program
from zonewright.envtest import waiting
from zonewright.envtest.api import Response
from zonewright.envtest.apply import Applied, Manifest, apply
from zonewright.envtest.errors import Refused, Unavailable, Unsupported
from zonewright.envtest.kubeconfig import write_kubeconfig

PATCH_TYPES = {
    "merge": "application/merge-patch+json",
    "json": "application/json-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "apply": "application/apply-patch+yaml",
}


class RequestKey(NamedTuple):
    """What the API server counts requests by; `verb` is its own word for it: LIST and WATCH, not GET."""

    verb: str
    group: str
    resource: str
    subresource: str
    code: str


@dataclass
class Cluster:
    """A running Kubernetes API. Made by a backend, valid until that backend stops."""

    backend: str
    kubeconfig: Path
    server_url: str
    ca: Path
    token: str = field(repr=False)

    def kubectl(self, *args: str, stdin: str | None = None, check: bool = True, timeout: float = 120) -> str:
        """Run kubectl with administrator's rights and return what it prints; its complaint becomes the exception."""
        done = self.run_kubectl(*args, stdin=stdin, timeout=timeout)
        if check and done.returncode != 0:
            raise RuntimeError(f"kubectl {' '.join(args)}: {done.stderr.strip()}")
        return done.stdout

    def run_kubectl(
        self, *args: str, stdin: str | None = None, timeout: float = 120
    ) -> subprocess.CompletedProcess[str]:
        """Run kubectl and return how it ended, whatever that is."""
        command = [str(kubectl_program.find()), *args]
        return subprocess.run(
            command, input=stdin, env=self.environment(), text=True, capture_output=True, timeout=timeout, check=False
        )

    def environment(self) -> dict[str, str]:
        """Give the environment in which any program talks to this cluster; if there is a kubectl, PATH has it first."""
        path = os.environ.get("PATH", "")
        with contextlib.suppress(Unavailable):
            path = f"{kubectl_program.find().parent}{os.pathsep}{path}"
        return {**os.environ, "KUBECONFIG": str(self.kubeconfig), "PATH": path}

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        content_type: str = "application/json",
        token: str | None = None,
        timeout: float = 30,
    ) -> Response:
        """Send one request; a refusal is a Response too, only silence (OSError) is an exception."""
        url = self.server_url + path + (f"?{urllib.parse.urlencode(query)}" if query else "")
        payload = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        headers = {"Accept": "application/json"}
        if token or self.token:  # who has a client certificate needs none
            headers["Authorization"] = f"Bearer {token or self.token}"
        if payload is not None:
            headers["Content-Type"] = content_type
        request = urllib.request.Request(url, payload, headers, method=method)  # noqa: S310 (always https, see server_url)
        try:
            with urllib.request.urlopen(request, timeout=timeout, context=self._tls) as reply:  # noqa: S310
                return Response(reply.status, _decoded(reply.read()), tuple(reply.headers.get_all("Warning", ())))
        except urllib.error.HTTPError as refused:
            with refused:
                return Response(refused.code, _decoded(refused.read()), tuple(refused.headers.get_all("Warning", ())))

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.ca))

    def get(self, path: str, **options: Any) -> Any:
        """Read a path that must be there."""
        return self._must("GET", path, **options)

    def create(self, path: str, body: Any, **options: Any) -> Any:
        """Create an object in the collection at `path`."""
        return self._must("POST", path, body, **options)

    def patch(self, path: str, body: Any, *, kind: str = "merge", **options: Any) -> Any:
        """Patch an object; `kind` is merge, json, strategic or apply."""
        return self._must("PATCH", path, body, content_type=PATCH_TYPES[kind], **options)

    def delete(self, path: str, **options: Any) -> Any:
        """Delete what is at `path`."""
        return self._must("DELETE", path, **options)

    def _must(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        reply = self.request(method, path, body, **options)
        if not reply.ok:
            raise Refused(f"{method} {path}: {reply.refusal}")
        return reply.body

    def apply(self, manifest: Manifest, *, namespace: str = "default") -> list[Applied]:
        """Apply YAML text, a file, a directory or objects, server-side; `namespace` is for objects that name none."""
        return apply(self, manifest, namespace=namespace)

    def install_crds(self, directory: Path) -> None:
        """Apply every CRD in a directory and wait until the API serves them."""
        self.apply(directory)

    def wait_for(self, path: str, condition: str = "Ready", *, timeout: float = 60) -> dict[str, Any]:
        """Return the object at `path` once a condition is true of its present generation."""
        return waiting.for_condition(self, path, condition, timeout=timeout)

    def wait_gone(self, path: str, *, timeout: float = 60) -> None:
        """Return when the object at `path` is gone."""
        waiting.for_absence(self, path, timeout=timeout)

    def requests(self) -> Counter[RequestKey]:
        """Count the requests that the API server has answered; subtract two counts to see what happened in between.

        A WATCH is counted when it ends. The controllers of the control plane count too: look at your own resources.
        """
        text = self.get("/metrics")
        return parse_request_counts(text if isinstance(text, str) else "")

    def write_kubeconfig(
        self, path: Path, *, server_url: str | None = None, token: str | None = None, token_file: Path | None = None
    ) -> Path:
        """Write a kubeconfig for this cluster with another address (a proxy's) or other credentials."""
        credentials = {"tokenFile": str(token_file)} if token_file else {"token": token or self.token}
        return write_kubeconfig(path, server_url or self.server_url, self.ca, credentials)

    def stop_api(self, *, kill: bool = True) -> None:  # noqa: ARG002 (the signature is for those who can)
        """Take the API server away: killed, or asked to end in its own time."""
        raise Unsupported(f"the {self.backend} backend cannot stop its API server")

    def start_api(self) -> None:
        """Bring it back on the same address with the same data."""
        raise Unsupported(f"the {self.backend} backend cannot start its API server")

    def restart_api(self, *, kill: bool = True, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Stop and start it; `meanwhile` runs while nothing listens."""
        self.stop_api(kill=kill)
        try:
            meanwhile()
        finally:
            self.start_api()

    def forget_history(self) -> None:
        """Make every resourceVersion up to now too old to watch from: the next such watch gets 410 Gone."""
        raise Unsupported(f"the {self.backend} backend cannot forget its history")

    def new_token(self) -> str:
        """Give one more administrator's token, valid beside the others."""
        raise Unsupported(f"the {self.backend} backend cannot issue tokens")

    def revoke_token(self, token: str) -> None:  # noqa: ARG002 (as above)
        """Return when the API refuses a token that new_token() gave."""
        raise Unsupported(f"the {self.backend} backend cannot revoke tokens")


def _decoded(body: bytes) -> Any:
    text = body.decode()
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # an object may be nested deeper than Python can follow
        return text


_COUNTER = re.compile(r"^apiserver_request_total\{(?P<labels>.*)\} (?P<value>[0-9.e+]+)$", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="([^"]*)"')


def parse_request_counts(metrics: str) -> Counter[RequestKey]:
    """Read apiserver_request_total from a page of metrics, summed over the labels that nobody asks for."""
    counts: Counter[RequestKey] = Counter()
    for found in _COUNTER.finditer(metrics):
        labels = dict(_LABEL.findall(found["labels"]))
        key = RequestKey(*(labels.get(field, "") for field in RequestKey._fields))
        counts[key] += int(float(found["value"]))
    return counts


def count(requests: Mapping[RequestKey, int], **wanted: str) -> int:
    """Sum the counts whose key has all the wanted fields: count(r, verb="PATCH", resource="widgets")."""
    return sum(n for key, n in requests.items() if all(getattr(key, field) == value for field, value in wanted.items()))
