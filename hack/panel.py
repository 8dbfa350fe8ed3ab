"""What to try while `make run` runs, as commands that work as they stand in another terminal.

Shows only commands whose programs are here, and says which are missing. The API's token is never printed: curl reads it
from a file for its owner only."""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from testbed.named.configuration import how_to_install
from testbed.stage import GROUP, ROOT, SAMPLES, SOURCES, Stage, path
from zonewright.envtest import kubectl
from zonewright.envtest.errors import Unavailable

NAMESPACE = "dns-system"
FILES = (SAMPLES / "endpoints").relative_to(ROOT)
Which = Callable[[str], str | None]


def lines(running: Stage, *, which: Which = shutil.which) -> list[str]:
    """Commands, and comments that start with #."""
    return [
        f"cd {shlex.quote(str(ROOT))}",
        f"export KUBECONFIG={running.cluster.kubeconfig}",
        *objects(running, which),
        *servers(running, which),
        *endpoints(running, which),
        *manager(running, which),
    ]


def objects(running: Stage, which: Which) -> Iterator[str]:
    if program := find_kubectl(which):
        yield f"{program} -n {NAMESPACE} get dnsrecords,dnszones,bind9instances"
        yield f"{program} -n {NAMESPACE} wait --for=condition=Propagated arecord --all"
        return
    yield "# kubectl is not installed; these do without it:"
    yield f"{python()} -m zonewright envtest get dnszones"
    yield f"{python()} -m zonewright envtest get dnsrecords -n {NAMESPACE}"
    if which("curl"):
        yield (
            f"curl -sS --cacert {running.cluster.ca} -H @{header_file(running)} "
            f"{running.cluster.server_url}{GROUP}/namespaces/{NAMESPACE}/dnszones"
        )


def servers(running: Stage, which: Which) -> Iterator[str]:
    if not which("dig"):
        yield f"# dig is not installed: {how_to_install('dig')}; the servers are"
    for server in running.servers:
        question = f"@{server.address} -p {server.port} www.example.org A"
        yield f"dig {question}     # {server.name}" if which("dig") else f"#   {server.name}: {question}"


def endpoints(running: Stage, which: Which) -> Iterator[str]:
    """Names for which DNSEndpoints, Services and Ingresses ask."""
    yield f"# {sources()} are read too: {FILES}/ has one of each"
    if program := find_kubectl(which):
        yield f"{program} apply -f {FILES}/"
        yield f"{program} -n {NAMESPACE} wait --for=condition=Ready dnsendpoint/shop"
        yield f"{program} -n {NAMESPACE} get dnsendpoints -o wide"
    elif which("curl"):
        yield (
            f"curl -sS --cacert {running.cluster.ca} -H @{header_file(running)} -X PATCH "
            f"-H 'Content-Type: application/apply-patch+yaml' --data-binary @{FILES}/dnsendpoint.yaml "
            f"'{running.cluster.server_url}{path('dnsendpoints', 'shop', NAMESPACE)}?fieldManager=me'"
        )
        yield f"{python()} -m zonewright envtest get dnsendpoints -n {NAMESPACE}"
    if which("dig") and running.primaries:
        server = running.primaries[0]
        yield f"dig @{server.address} -p {server.port} shop.example.org A"


def sources() -> str:
    """As flags of the operator."""
    return " ".join(SOURCES)


def manager(running: Stage, which: Which) -> Iterator[str]:
    if which("curl"):
        yield f"curl -sS http://127.0.0.1:{running.http_port}/metrics | grep engine_"
    if running.manager is not None:
        yield f"tail -f {running.manager.log}"


def find_kubectl(which: Which) -> str | None:
    """The one that a person would run, else the one beside the control plane's programs."""
    if which("kubectl"):
        return "kubectl"
    try:
        return str(kubectl.find())
    except Unavailable:
        return None


def header_file(running: Stage) -> Path:
    """What `curl -H @FILE` reads."""
    path = running.run.directory / "authorization"
    path.touch(mode=0o600)
    path.write_text(f"Authorization: Bearer {running.cluster.token}\n")
    return path


def python() -> str:
    """This Python, as short as it can be said from the project's directory."""
    return os.path.relpath(sys.executable, ROOT) if Path(sys.executable).is_relative_to(ROOT) else sys.executable
