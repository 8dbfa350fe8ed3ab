"""external-dns as a peer: built once from its published source, kept in the cache, and run as its documents advise."""

import os
import shutil
import subprocess
from pathlib import Path

from testbed.named import NameServer
from testbed.stage import ROOT
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.errors import Unavailable
from zonewright.envtest.paths import make_cache_directory, platform_key
from zonewright.envtest.processes import Program, Run

BUILD = ROOT / "hack/peers/external-dns/build"
VERSION = "0.22.0"
MINUTES = 30  # that a build may take on a busy machine

# What its documents on rate limits say for quick reactions: events on, the interval between syncs low. With `--events`
# alone a change waits up to five seconds for others. Its client's own limit of 5 requests a second, and batches of 50,
# would be all that is measured.
QUICK = ("--events", "--min-event-sync-interval=1s", "--interval=1s")
RESTING = ("--events", "--min-event-sync-interval=1s", "--interval=1m")
LIMITS = ("--kube-api-qps=2000", "--kube-api-burst=2000", "--rfc2136-batch-change-size=200")


def program() -> Path:
    """The program, built if it is not in the cache. Raises Unavailable, which says why it cannot be built."""
    directory = make_cache_directory(f"peers/external-dns-v{VERSION}-{platform_key()}")
    built = directory / "external-dns"
    if not built.exists():
        _build(directory)
    return built


def _build(directory: Path) -> None:
    if shutil.which("go") is None:
        raise Unavailable("external-dns cannot be built: there is no Go toolchain (install Go 1.26 or newer)")
    environment = {**os.environ, "OUT": str(directory)}
    try:
        done = subprocess.run(
            [BUILD], env=environment, capture_output=True, text=True, check=False, timeout=MINUTES * 60
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"external-dns was not built within {MINUTES} minutes") from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["no message"]
        raise Unavailable(f"external-dns cannot be built: {said[-1]}")


def start(
    run: Run, cluster: Cluster, server: NameServer, *, namespace: str, zone: str, pace: tuple[str, ...]
) -> Program:
    """Publish the DNSEndpoints of a namespace in a zone of the server."""
    command = [str(program()), f"--kubeconfig={cluster.kubeconfig}", "--source=crd", f"--namespace={namespace}"]
    command += ["--provider=rfc2136", f"--rfc2136-host={server.address}", f"--rfc2136-port={server.port}"]
    command += [f"--rfc2136-zone={zone}", "--rfc2136-axfr", f"--rfc2136-tsig-keyname={server.key.name}"]
    command += [f"--rfc2136-tsig-secret-alg={server.key.algorithm}", "--registry=txt", "--txt-owner-id=bench"]
    command += [f"--domain-filter={zone}", "--policy=sync", "--metrics-address=127.0.0.1:0", *LIMITS, *pace]
    secret = {"EXTERNAL_DNS_RFC2136_TSIG_SECRET": server.key.secret}  # not where everybody's `ps` shows it
    return run.start(f"external-dns-{pace[-1].partition('=')[2]}", command, env=secret)
