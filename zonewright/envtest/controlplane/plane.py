"""Starts etcd, kube-apiserver and kube-controller-manager, and gives the Cluster that stands on them.

What they are started with is in `flags`, the programs come from `binaries`, their life is the `Run`'s. One start serves
a whole test run; tests take a namespace each.
"""

from __future__ import annotations

import base64
import json
import secrets
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from zonewright.envtest import ports
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.controlplane import binaries, flags
from zonewright.envtest.controlplane.certificates import write_credentials
from zonewright.envtest.controlplane.flags import Settings
from zonewright.envtest.kubeconfig import write_kubeconfig
from zonewright.envtest.processes import Program, Run

# Much more than it takes (about 5 s on an idle machine): builds and other test runs may have the processors.
PATIENCE = 120.0

TOKENS = "/api/v1/namespaces/kube-system/serviceaccounts/envtest-admin/token"
SECRETS = "/api/v1/namespaces/kube-system/secrets"


class ControlPlane:
    """A real control plane on loopback."""

    name = "controlplane"

    def __init__(self, *, programs: Path | None = None) -> None:
        self._programs = programs
        self._run: Run | None = None

    def start(self) -> Cluster:
        """Start it; return when the API is ready and the controllers work."""
        programs = self._programs or binaries.ensure()
        self._run = run = Run()
        settings = Settings(
            directory=run.directory,
            etcd_port=ports.reserve(),
            etcd_peer_port=ports.reserve(),
            api_port=ports.reserve(),
        )
        cluster = RealCluster(
            backend=self.name,
            kubeconfig=run.directory / "kubeconfig",
            server_url=f"https://127.0.0.1:{settings.api_port}",
            ca=run.directory / "ca.crt",
            token=secrets.token_hex(16),
            run=run,
            programs=programs,
            settings=settings,
        )
        cluster.launch()
        return cluster

    def stop(self) -> None:
        """End everything and remove its directory."""
        if self._run is not None:
            self._run.close()
            self._run = None


@dataclass
class RealCluster(Cluster):
    """A Cluster whose API server can be killed, whose history can be compacted and whose tokens can be revoked."""

    run: Run
    programs: Path
    settings: Settings
    api: Program = field(init=False)
    _revocable: dict[str, str] = field(default_factory=dict, repr=False)

    def launch(self) -> None:
        """Start the three programs; the later ones wait for the earlier by themselves."""
        write_credentials(self.run.directory, flags.SERVER_NAMES, flags.SERVER_ADDRESSES)
        self._write_tokens()
        write_kubeconfig(self.kubeconfig, self.server_url, self.ca, {"token": self.token})
        etcd = self._start("etcd", flags.etcd(self.settings))
        _until(lambda: _answers(f"{self.settings.etcd_url}/health"), [etcd])
        self.start_api()
        controllers = self._start("kube-controller-manager", flags.controller_manager(self.settings, self.kubeconfig))
        _until(self._controllers_work, [etcd, self.api, controllers])

    def _write_tokens(self) -> None:
        tokens = self.run.directory / "tokens.csv"
        tokens.touch(mode=0o600)
        tokens.write_text(f'{self.token},envtest-admin,envtest-admin,"system:masters"\n')

    def _start(self, name: str, arguments: list[str]) -> Program:
        return self.run.start(name, [binaries.program(self.programs, name), *arguments])

    def start_api(self) -> None:
        """Start the API server and wait until it is ready."""
        self.api = self._start("kube-apiserver", flags.apiserver(self.settings))
        _until(lambda: self._reads("/readyz"), [self.api])

    def stop_api(self, *, kill: bool = True) -> None:
        """Take the API server away: killed, or asked to end in its own time."""
        self.api.stop(timeout=30, polite=not kill)

    def _reads(self, path: str) -> bool:
        try:
            return self.request("GET", path, timeout=5).ok
        except OSError:
            return False

    def _controllers_work(self) -> bool:
        # Made by the service account controller: without it no pod can be created in a namespace.
        return self._reads("/api/v1/namespaces/default/serviceaccounts/default")

    def compact(self) -> None:
        """Make etcd forget every revision but the present one."""
        status = _etcd(self.settings, "kv/range", {"key": base64.b64encode(b"\0").decode()})
        _etcd(self.settings, "kv/compaction", {"revision": status["header"]["revision"], "physical": True})

    def forget_history(self) -> None:
        """Compact etcd and restart the API server, whose own cache of recent events would go on serving old watches."""
        self.compact()
        self.restart_api()

    def new_token(self) -> str:
        """Issue a token of a service account with administrator's rights, bound to a Secret of its own."""
        self._ensure_account()
        name = f"token-{secrets.token_hex(4)}"
        secret = self.create(SECRETS, {"metadata": {"name": name}, "type": "Opaque"})
        bound = {"kind": "Secret", "apiVersion": "v1", "name": name, "uid": secret["metadata"]["uid"]}
        reply = self.create(TOKENS, {"spec": {"expirationSeconds": 3600, "boundObjectRef": bound}})
        token: str = reply["status"]["token"]
        self._revocable[token] = name
        return token

    def _ensure_account(self) -> None:
        self.apply(flags.ADMIN_ACCOUNT)

    def revoke_token(self, token: str) -> None:
        """Delete the Secret that a token is bound to, and wait until the API server's cache of tokens knows (10 s)."""
        self.delete(f"{SECRETS}/{self._revocable.pop(token)}")
        _until(lambda: self.request("GET", "/version", token=token).status == 401, [self.api])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:  # noqa: S310 (our own etcd, over http on loopback)
            return bool(reply.status == 200)
    except OSError:
        return False


def _etcd(settings: Settings, call: str, body: dict[str, object]) -> dict[str, dict[str, str]]:
    request = urllib.request.Request(f"{settings.etcd_url}/v3/{call}", json.dumps(body).encode())  # noqa: S310 (as above)
    with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310
        answer: dict[str, dict[str, str]] = json.load(reply)
        return answer


def _until(condition: Callable[[], bool], programs: list[Program]) -> None:
    """Wait for a condition as long as the programs live; one that ended tells why, instead of a timeout."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        for program in programs:
            program.check()
        if time.monotonic() > deadline:
            raise TimeoutError(f"{programs[-1].name} is not ready after {PATIENCE:g} s:\n{programs[-1].output(15)}")
        time.sleep(0.05)
