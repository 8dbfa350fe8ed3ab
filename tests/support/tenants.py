"""Operators of a test's own: for what has to be in DNS before one starts, and for flags, crashes and neighbours.

Each sees its own namespace only, in a cluster that no other test's operator watches. Fixtures `own_cluster`, `tenants`.
"""

import contextlib
import itertools
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import dns.exception
import dns.message
import dns.query
import dns.rcode
import dns.tsigkeyring
import dns.update
import pytest

from testbed.named import NameServer, register
from testbed.stage import BACKENDS, CRDS, Stage
from tests.support.scene import LABEL, Scene, is_idle
from zonewright.envtest.backend import DEFAULT, backend
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.processes import Run
from zonewright.testing import eventually

ANNOTATION = "external-dns.alpha.kubernetes.io/"
SOMEBODY = "somebody"
"""Stands in every zone that `others_zone` makes, and belongs to nobody."""

Tenants = Callable[..., "Tenant"]
_numbers = itertools.count(1)


class Tenant(Scene):
    """A namespace with an operator of its own."""

    def __init__(self, running: Stage, namespace: str, flags: Sequence[str], zone: str = "") -> None:
        super().__init__(running, namespace)
        self.zone = zone or self.zone
        self.flags = (f"--namespace={namespace}", *flags)

    # -- the operator

    def start(self, *flags: str) -> None:
        """Start it, with these flags besides its own, and wait until it works."""
        manager = self.stage.start_manager(*self.flags, *flags, cluster_name=self.namespace)

        def works() -> bool:
            manager.check()
            return '"working"' in self.stage.manager_log()

        eventually(works, what="the operator's start")

    def kill(self) -> None:
        assert self.stage.manager is not None
        self.stage.manager.kill()

    def restart(self, *flags: str) -> None:
        self.kill()
        self.start(*flags)

    # -- objects

    def change_endpoints(self, name: str, *endpoints: dict[str, Any]) -> None:
        self.patch("dnsendpoints", name, {"spec": {"endpoints": list(endpoints)}})

    def create_service(self, name: str, host: str, *addresses: str, **annotations: str) -> None:
        """A load balancer at these addresses that asks for a host name."""
        self._annotated(
            ("Service", "v1", "services"),
            name,
            {"hostname": host, **annotations},
            {"type": "LoadBalancer", "ports": [{"port": 80}], "externalIPs": list(addresses)},
        )

    def create_ingress(self, name: str, host: str, *targets: str, **annotations: str) -> None:
        """An Ingress for a host name, whose records shall have these targets."""
        backend = {"service": {"name": "any", "port": {"number": 80}}}
        paths = [{"path": "/", "pathType": "Prefix", "backend": backend}]
        self._annotated(
            ("Ingress", "networking.k8s.io/v1", "ingresses"),
            name,
            {"target": ",".join(targets), **annotations},
            {"rules": [{"host": host, "http": {"paths": paths}}]},
        )

    def _annotated(
        self, kind: tuple[str, str, str], name: str, annotations: dict[str, str], spec: dict[str, Any]
    ) -> None:
        metadata = {"name": name, "annotations": {ANNOTATION + key: value for key, value in annotations.items()}}
        body = {"apiVersion": kind[1], "kind": kind[0], "metadata": metadata, "spec": spec}
        self.stage.cluster.create(self.path(kind[2]), body)

    # -- looking

    def planned(self, zone: str = "") -> None:
        """Wait until the operator has made a plan of a zone of `others_zone`, and has nothing left to do.

        It has when it says whose a name is that somebody else has: what was asked for before is decided by then."""
        name = f"marker-{next(_numbers)}"
        self.create_endpoints(name, a(f"{SOMEBODY}.{zone or self.zone}", "192.0.2.99"))
        self.refused("dnsendpoints", name, "OwnerMismatch")
        self.delete("dnsendpoints", name)
        eventually(lambda: not self.exists("dnsendpoints", name), what="the marker's end")
        eventually(lambda: is_idle(self.stage, self.namespace), what="an idle operator")

    def gone(self, plural: str, name: str) -> None:
        eventually(
            lambda: not self.exists(plural, name), what=lambda: f"the end of {plural}/{name}: {self.get(plural, name)}"
        )

    def refusals(self, name: str) -> dict[str, str]:
        """The endpoints of a DNSEndpoint that are not programmed, by name and type, each with its reason."""
        listed = self.get("dnsendpoints", name)["status"]["endpointStatuses"]
        return {f"{each['dnsName']} {each['recordType']}": each["reason"] for each in listed}


def a(name: str, *targets: str, **more: Any) -> dict[str, Any]:
    """An A endpoint."""
    return endpoint(name, "A", *(targets or ("192.0.2.1",)), **more)


def endpoint(name: str, rdtype: str, *targets: str, **more: Any) -> dict[str, Any]:
    return {"dnsName": name, "recordType": rdtype, "targets": list(targets), **more}


@pytest.fixture(scope="module")
def own_cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """A cluster that only the operators of one module's tests watch."""
    asked = request.config.getoption("--backend")
    with backend(asked if asked in BACKENDS else DEFAULT) as cluster:
        cluster.install_crds(CRDS)
        yield cluster


@pytest.fixture
def tenants(own_cluster: Cluster, background: Run) -> Iterator[Tenants]:
    """Make tenants: tenants(server, other, flags=["--registry=noop"], zone="example.org"); none runs yet."""
    with ExitStack() as stack:

        def make(*servers: NameServer, flags: Iterable[str] = (), zone: str = "") -> Tenant:
            number = next(_numbers)
            namespace = f"tenant-{number}"
            own_cluster.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
            running = Stage(own_cluster, background, list(servers), _starts=1000 * number)
            for server in servers:
                register(server, own_cluster, namespace, labels={LABEL: "demo", "name": server.name})
            stack.callback(_stop, running)
            return Tenant(running, namespace, list(flags), zone)

        yield make


def _stop(running: Stage) -> None:
    if running.manager is not None and running.manager.running:
        running.manager.stop(timeout=25)


# -- what others do to a zone


def others_zone(tenant: Scene, *lines: str) -> None:
    """A zone of somebody else's on all servers, with these lines in it, and the DNSZone that hands it to the tenant."""
    for server in tenant.stage.servers:
        server.add_zone(tenant.zone, f"{SOMEBODY} A 192.0.2.66")
        if lines:
            write(server, tenant.zone, *lines)
    tenant.create_zone(ttl=300)


def write(server: NameServer, zone: str, *lines: str) -> None:
    """Add records, as others do: write(server, "example.org", "www 300 A 192.0.2.1")."""
    update = _update(server, zone)
    for line in lines:
        name, ttl, rdtype, value = line.split(" ", 3)
        update.add(name, int(ttl), rdtype, value)
    _send(server, update)


def erase(server: NameServer, zone: str, *rrsets: str) -> None:
    """Remove RRsets, as others do: erase(server, "example.org", "www A")."""
    update = _update(server, zone)
    for rrset in rrsets:
        update.delete(*rrset.split())
    _send(server, update)


def _update(server: NameServer, zone: str) -> dns.update.UpdateMessage:
    keys = dns.tsigkeyring.from_text({server.key.name: (server.key.algorithm, server.key.secret)})
    return dns.update.UpdateMessage(zone, keyring=keys)


def _send(server: NameServer, update: dns.update.UpdateMessage) -> None:
    reply = dns.query.tcp(update, server.address, port=server.port, timeout=60)
    if reply.rcode() != dns.rcode.NOERROR:
        raise AssertionError(f"{server.name} answers {dns.rcode.to_text(reply.rcode())} to\n{update}")


def entry(owner: str, resource: str) -> str:
    """The registry's text as it is written into a zone file."""
    return f'"heritage=external-dns,external-dns/owner={owner},external-dns/resource={resource}"'


def updates(server: NameServer) -> int:
    """How many UPDATE messages the server has got since it was started."""
    server.rndc("stats")
    dump = (server.directory / "data" / "named.stats").read_text().rpartition("+++ Statistics Dump +++")[2]
    found = re.search(r"^ +(\d+) UPDATE$", dump, re.MULTILINE)
    return int(found[1]) if found else 0


@contextmanager
def denials(server: NameServer, name: str) -> Iterator[list[str]]:
    """Ask for the addresses of a name all the while; the list has an entry for each answer that had nothing in it."""
    found: list[str] = []
    asked, over = itertools.count(), threading.Event()
    question = dns.message.make_query(name, "A")  # a CNAME would be in the answer, too

    def ask() -> None:
        while not over.is_set():
            with contextlib.suppress(OSError, dns.exception.DNSException):
                answer = dns.query.udp(question, server.address, port=server.port, timeout=1)
                next(asked)
                if not answer.answer:
                    found.append(str(answer))

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield found
    finally:
        over.set()
        asker.join()
        assert next(asked) > 0, "nobody answered"
