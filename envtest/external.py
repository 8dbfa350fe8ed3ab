"""The external backend: a cluster of your own, as a kubeconfig describes it. Starts and stops nothing.

The current context is used, with its token or client certificate; tests make namespaces in it and delete them again.
"""

from __future__ import annotations

import base64
import os
import ssl
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from envtest import kubectl
from envtest.cluster import Cluster
from envtest.errors import Unavailable
from envtest.processes import Run


class External:
    """Somebody else's cluster."""

    name = "external"

    def __init__(self, *, kubeconfig: str | Path | None = None, context: str | None = None) -> None:
        self._kubeconfig = kubeconfig or os.environ.get("KUBECONFIG")
        self._context = context
        self._run: Run | None = None

    def start(self) -> Cluster:
        """Read the kubeconfig and check that the API answers."""
        source = Path(self._kubeconfig or Path.home() / ".kube" / "config")
        if not source.exists():
            raise Unavailable(f"no cluster: {source} is not there (set KUBECONFIG)")
        self._run = Run()
        cluster = from_kubeconfig(source, self._run.directory, backend=self.name, context=self._context)
        try:
            cluster.get("/version")
        except OSError as silence:
            raise Unavailable(f"the cluster at {cluster.server_url} does not answer: {silence}") from silence
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


def from_kubeconfig(source: Path, directory: Path, *, backend: str, context: str | None = None) -> Cluster:
    """Read a kubeconfig with kubectl, which knows every form such a file may have, and unpack its credentials."""
    config = _flattened(source, context)
    server, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
    token = Path(user["tokenFile"]).read_text().strip() if "tokenFile" in user else user.get("token", "")
    if not token and "client-certificate-data" not in user:
        raise Unavailable(f"{source} has neither a token nor a client certificate, which tests need")
    return CertificateCluster(
        backend=backend,
        kubeconfig=_write(directory / "kubeconfig", yaml.safe_dump(config).encode()),
        server_url=server["server"],
        ca=_decoded(server, "certificate-authority-data", directory / "ca.crt") or _system_authorities(),
        token=token,
        certificate=_decoded(user, "client-certificate-data", directory / "client.crt"),
        key=_decoded(user, "client-key-data", directory / "client.key"),
    )


def _flattened(source: Path, context: str | None) -> dict[str, Any]:
    command = [str(kubectl.find()), "config", "view", "--kubeconfig", str(source), "--minify", "--flatten", "--raw"]
    chosen = ["--context", context] if context else []
    done = subprocess.run([*command, *chosen, "-o", "yaml"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Unavailable(f"{source} cannot be used: {done.stderr.strip()}")
    config: dict[str, Any] = yaml.safe_load(done.stdout)
    return config


def _system_authorities() -> Path:
    return Path(ssl.get_default_verify_paths().cafile or "")


def _decoded(fields: dict[str, str], name: str, path: Path) -> Path | None:
    return _write(path, base64.b64decode(fields[name])) if name in fields else None


def _write(path: Path, content: bytes) -> Path:
    path.touch(mode=0o600)
    path.write_bytes(content)
    return path
