"""A whole operator on one machine: a Kubernetes API, real name servers, CRDs, and the manager as a process.

`make run`, `make demo`, the tests of the seeds, chaos and the end-to-end benchmark all play on this stage. Everything
it starts ends with it, also when it is killed."""

import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dns.exception
import dns.message
import dns.name
import dns.query
import dns.rdatatype
import dns.rrset
import dns.tsigkeyring
import dns.zone

from testbed.named import NameServer, TsigKey, register
from zonewright.envtest.backend import backend
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.errors import Unavailable
from zonewright.envtest.ports import reserve
from zonewright.envtest.processes import Program, Run

ROOT = Path(__file__).parent.parent
CRDS = ROOT / "config/crd"
SAMPLES = ROOT / "config/samples"
# Those of envtest that start a cluster of their own: nobody's real one gets samples and servers by mistake.
BACKENDS = ("embedded", "controlplane")
GROUP = "/apis/bindy.firestoned.io/v1beta1"
_GROUPS = {
    "dnsendpoints": "/apis/externaldns.k8s.io/v1alpha1",
    "services": "/api/v1",
    "ingresses": "/apis/networking.k8s.io/v1",
    "endpointslices": "/apis/discovery.k8s.io/v1",
}
SOURCES = ("--source=crd", "--source=service", "--source=ingress")


def path(plural: str, name: str, namespace: str) -> str:
    """Where an object of ours is in the API; without a name, all of them in the namespace."""
    group = _GROUPS.get(plural, GROUP)
    return f"{group}/namespaces/{namespace}/{plural}" + (f"/{name}" if name else "")


@dataclass(slots=True)
class Stage:
    """Made by `stage`; valid inside it."""

    cluster: Cluster
    run: Run
    primaries: list[NameServer] = field(default_factory=list)
    secondaries: list[NameServer] = field(default_factory=list)
    manager: Program | None = None
    http_port: int = 0
    _starts: int = 0

    @property
    def servers(self) -> list[NameServer]:
        return [*self.primaries, *self.secondaries]

    # -- the API

    def install_crds(self, directory: Path = CRDS) -> None:
        self.cluster.install_crds(directory)

    def register_servers(self, namespace: str, *, labels: Mapping[str, str] | None = None) -> None:
        for server in self.servers:
            register(server, self.cluster, namespace, labels=labels)

    def apply(self, *objects: Mapping[str, Any]) -> None:
        self.cluster.apply(objects)

    def object(self, plural: str, name: str, namespace: str) -> dict[str, Any]:
        found: dict[str, Any] = self.cluster.get(path(plural, name, namespace))
        return found

    # -- the manager

    def start_manager(self, *flags: str, cluster_name: str = "stage", root: Path = ROOT) -> Program:
        """Start it; it works on its own from here. Its log is JSON, one line an event."""
        self._starts += 1
        self.http_port = self.http_port or reserve()
        command = [sys.executable, "-m", "controllers", "--cluster-name", cluster_name, "--no-leader-elect"]
        command += [
            "--kubeconfig",
            str(self.cluster.kubeconfig),
            "--http",
            f"127.0.0.1:{self.http_port}",
            *SOURCES,
            *flags,
        ]
        self.manager = self.run.start(f"manager-{self._starts}", command, cwd=root)
        return self.manager

    def manager_log(self) -> str:
        return self.manager.output() if self.manager else ""

    def metrics(self) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.http_port}/metrics", timeout=60) as reply:
            return str(reply.read().decode())

    # -- DNS

    def ask(self, server: NameServer, name: str, rdtype: str) -> set[str]:
        """The values of that type in the answer; nothing when there is none."""
        try:
            answers = self.answers(server, name, rdtype)
        except (OSError, dns.exception.DNSException):
            return set()
        wanted = dns.rdatatype.from_text(rdtype)
        return {item.to_text() for rrset in answers for item in rrset if rrset.rdtype == wanted}

    def answers(self, server: NameServer, name: str, rdtype: str) -> list[dns.rrset.RRset]:
        """What `dig` shows in its answer section. Raises OSError or DNSException if the server does not answer."""
        question = dns.message.make_query(name, rdtype)
        return list(dns.query.tcp(question, server.address, port=server.port, timeout=5).answer)

    def transfer(self, server: NameServer, zone: str) -> set[str]:
        """Every record of a zone but its SOA, as text; raises if the server does not give it."""
        return self.contents(server, zone)[1]

    def contents(self, server: NameServer, zone: str) -> tuple[int, set[str]]:
        """The serial and every record but the SOA, of one moment."""
        secret = dns.tsigkeyring.from_text({server.key.name: (server.key.algorithm, server.key.secret)})
        name = dns.name.from_text(zone)
        query = dns.message.make_query(name, "AXFR")
        query.use_tsig(secret)
        loaded = dns.zone.Zone(name, relativize=False)
        dns.query.inbound_xfr(server.address, loaded, query, port=server.port, timeout=30)
        records = {
            f"{owner} {rdataset.ttl} {dns.rdatatype.to_text(rdataset.rdtype)} {item.to_text()}"
            for owner, rdataset in loaded.iterate_rdatasets()
            for item in rdataset
            if rdataset.rdtype != dns.rdatatype.SOA
        }
        return loaded.get_soa().serial, records

    def serial(self, server: NameServer, zone: str) -> int | None:
        found = self.ask(server, zone, "SOA")
        return int(found.pop().split()[2]) if found else None


@contextmanager
def stage(
    backend_name: str,
    *,
    primaries: int = 1,
    secondaries: int = 1,
    cluster: Cluster | None = None,
    run: Run | None = None,
    cuttable: bool = False,
    bindcar: bool | None = None,
) -> Iterator[Stage]:
    """A stage with name servers running and the API ready; no CRDs, no manager yet. `bindcar`: as NameServer has it."""
    if cluster is None and backend_name not in BACKENDS:
        raise Unavailable(f"no backend is called {backend_name} here: choose {' or '.join(BACKENDS)}")
    with ExitStack() as stack:
        running = cluster or stack.enter_context(backend(backend_name))
        set_up = Stage(running, run or stack.enter_context(Run()))
        key = TsigKey.create("zonewright")
        for role, count, made in (
            ("primary", primaries, set_up.primaries),
            ("secondary", secondaries, set_up.secondaries),
        ):
            for number in range(count):
                # In a run that others share, names must differ; on a stage of its own, they shall be nice.
                name = None if run is not None else f"{role}-{number}"
                server = NameServer(set_up.run, role=role, name=name, key=key, cuttable=cuttable, bindcar=bindcar)
                stack.callback(server.close)
                server.start()
                made.append(server)
        try:
            yield set_up
        finally:
            if set_up.manager is not None and set_up.manager.running:
                set_up.manager.stop(timeout=25)
