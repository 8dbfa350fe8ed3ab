"""The external backend: a cluster of your own, as a kubeconfig describes it. Starts and stops nothing.

The current context is used, with its token or client certificate; tests make namespaces in it and delete them again.
kubectl is not needed: `zonewright.envtest.kubeconfig` reads the file.
"""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from zonewright.envtest.cluster import Cluster
from zonewright.envtest.errors import Unavailable
from zonewright.envtest.kubeconfig import read_kubeconfig, write_document
from zonewright.envtest.processes import Run

PATIENCE = 10.0  # seconds for the first answer


class External:
    """Somebody else's cluster."""

    name = "external"

    def __init__(self, *, kubeconfig: str | Path | None = None, context: str | None = None) -> None:
        self._kubeconfig = kubeconfig or os.environ.get("KUBECONFIG")
        self._context = context
        self._run: Run | None = None

    def start(self) -> Cluster:
        """Read the kubeconfig and check that the API answers."""
        source = self._kubeconfig or Path.home() / ".kube" / "config"
        self._run = Run()
        cluster = from_kubeconfig(source, self._run.directory, backend=self.name, context=self._context)
        try:
            reply = cluster.request("GET", "/version", timeout=PATIENCE)
        except OSError as silence:
            reason = getattr(silence, "reason", silence)
            raise Unavailable(f"the cluster of {source} at {cluster.server_url} does not answer: {reason}") from silence
        if not reply.ok:
            raise Unavailable(f"the cluster of {source} at {cluster.server_url} refuses: {reply.refusal}")
        return cluster

    def stop(self) -> None:
        """Remove the copy of the credentials; the cluster stays as it is."""
        if self._run is not None:
            self._run.close()
            self._run = None


@dataclass
class CertificateCluster(Cluster):
    """A Cluster whose administrator has a client certificate, as kind's has."""

    certificate: Path | None = None
    key: Path | None = field(default=None, repr=False)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=str(self.ca))
        if self.certificate is not None:
            context.load_cert_chain(self.certificate, self.key)
        return context


def from_kubeconfig(source: str | Path, directory: Path, *, backend: str, context: str | None = None) -> Cluster:
    """Read a kubeconfig and unpack its credentials into a directory; the copy refers to nothing outside it."""
    access = read_kubeconfig(source, context)
    return CertificateCluster(
        backend=backend,
        kubeconfig=write_document(directory / "kubeconfig", access.document()),
        server_url=access.server_url,
        ca=_write(directory / "ca.crt", access.ca) or _system_authorities(),
        token=access.token,
        certificate=_write(directory / "client.crt", access.certificate),
        key=_write(directory / "client.key", access.key),
    )


def _system_authorities() -> Path:
    return Path(ssl.get_default_verify_paths().cafile or "")


def _write(path: Path, content: bytes | None) -> Path | None:
    if content is None:
        return None
    path.touch(mode=0o600)
    path.write_bytes(content)
    return path
