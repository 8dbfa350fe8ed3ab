"""DNSEndpoints: what a plan costs, and zonewright beside external-dns on the same API server and the same BIND.

One after the other, so that neither takes the other's processor: 1,000 objects at once, one change among 10,000, and
a minute in which nothing changes, with none and with 10,000 objects. Requests are counted at the API server, UPDATE
messages at the name server, and what is served is asked of it."""

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psutil

from testbed.named import NameServer
from testbed.stage import Stage, path, stage
from tests.bench import _external_dns, _planner
from tests.bench._api import Api, create_all
from tests.bench._dns import Asker, when_served
from tests.bench.report import Report
from zonewright.envtest.cluster import RequestKey
from zonewright.envtest.errors import Unavailable
from zonewright.envtest.processes import Program
from zonewright.testing import eventually

FEW, MANY, CHANGES = 1_000, 10_000, 10
IDLE = 60.0  # seconds in which nothing changes
A_FEW_TICKS = 0.1  # seconds
PATIENCE = 1800.0
SAMPLE = 10  # every tenth name is asked for while waiting; the whole zone is looked at when they are there
MERGE = "application/merge-patch+json"
GROUPS = {"bindy.firestoned.io", "externaldns.k8s.io"}


@dataclass(frozen=True, slots=True)
class Batch:
    """What it took to publish objects that came at once."""

    served: float  # seconds until the name server had all of them
    requests: int
    updates: int


@dataclass(frozen=True, slots=True)
class Rest:
    """A time in which nothing changed: a minute's share of it."""

    cpu: float  # seconds
    requests: int
    updates: int
    reconciles: int


@dataclass(frozen=True, slots=True)
class Measured:
    """All of one operator."""

    batch: Batch
    change: float  # seconds, median
    without: Rest
    with_objects: Rest


@dataclass(slots=True)
class Site:
    """One operator's namespace and zone."""

    stage: Stage
    namespace: str
    reconciles: Callable[[], int] = lambda: 0  # as the operator counts them; every plan is made in one

    @property
    def zone(self) -> str:
        return f"{self.namespace}.test"

    @property
    def server(self) -> NameServer:
        return self.stage.primaries[0]

    @property
    def objects(self) -> str:
        return path("dnsendpoints", "", self.namespace)

    def create(self, first: int, last: int) -> None:
        create_all(self.stage.cluster, self.objects, [self.body(number) for number in range(first, last)])

    def body(self, number: int) -> dict[str, Any]:
        endpoint = {"dnsName": self.name(number), "recordType": "A", "targets": [address(number)], "recordTTL": 300}
        return {
            "apiVersion": "externaldns.k8s.io/v1alpha1",
            "kind": "DNSEndpoint",
            "metadata": {"name": f"r{number}"},
            "spec": {"endpoints": [endpoint]},
        }

    def name(self, number: int) -> str:
        return f"r{number}.{self.zone}"

    def served(self, count: int) -> float:
        """The moment at which the first `count` names were all there."""
        for number in [*range(0, count, SAMPLE), count - 1]:
            self._wait(number)
        expected = {f"{self.name(number)}. 300 A {address(number)}" for number in range(count)}
        moment = time.perf_counter()
        while expected - self.stage.transfer(self.server, self.zone):
            moment = time.perf_counter()
        return moment

    def _wait(self, number: int) -> None:
        asker, deadline = Asker(self.server, f"{self.name(number)}."), time.monotonic() + PATIENCE
        while asker.address() != address(number):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.name(number)} is not served after {PATIENCE:g} s")
            time.sleep(0.002)
        asker.close()

    # -- what it costs

    def counts(self) -> Counter[str]:
        """API requests but the loader's POSTs and the watches, UPDATE messages, and reconciles."""
        return Counter(
            requests=requests_of_operator(self.stage.cluster.requests()),
            updates=self.server.received("UPDATE"),
            reconciles=self.reconciles(),
        )

    def settled(self) -> Counter[str]:
        """The counts, when they have stood still for three seconds."""
        before, counts = None, self.counts()
        while counts != before:
            time.sleep(3)
            before, counts = counts, self.counts()
        return counts


def run(report: Report) -> None:
    _planner.run(report)
    with stage("controlplane", primaries=1, secondaries=0) as running:
        running.install_crds()
        ours = of_zonewright(running)
        tell(report, "zonewright", ours)
        try:
            _external_dns.program()
        except Unavailable as why:
            report.absent("external-dns", str(why))
            theirs = None
        else:
            theirs = of_external_dns(running)
            tell(report, "external-dns", theirs)
    judge(report, ours, theirs)


# -- the two


def of_zonewright(running: Stage) -> Measured:
    site = new_site(running, "ours")
    running.register_servers(site.namespace)
    running.start_manager("--namespace", site.namespace)
    eventually(lambda: '"working"' in running.manager_log(), what="the manager's start", timeout=60)
    running.cluster.create(path("dnszones", "", site.namespace), zone_body(site.zone))
    running.cluster.wait_for(path("dnszones", "zone", site.namespace))
    manager = running.manager
    assert manager is not None
    site.reconciles = lambda: reconciles(running.metrics())
    measured = measure(site, lambda _pace: manager)
    manager.kill()
    return measured


def of_external_dns(running: Stage) -> Measured:
    site = new_site(running, "theirs")
    site.server.add_zone(site.zone)
    started: list[Program] = []

    def start(pace: tuple[str, ...]) -> Program:
        for each in started:
            each.kill()
        started.append(
            _external_dns.start(
                running.run, running.cluster, site.server, namespace=site.namespace, zone=site.zone, pace=pace
            )
        )
        return started[-1]

    measured = measure(site, start)
    started[-1].kill()
    return measured


def new_site(running: Stage, namespace: str) -> Site:
    running.cluster.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
    return Site(running, namespace)


def measure(site: Site, start: Callable[[tuple[str, ...]], Program]) -> Measured:
    without = rest(site, start(_external_dns.RESTING))
    operator = start(_external_dns.QUICK)
    batch = publish(site, FEW)
    site.create(FEW, MANY)
    site.served(MANY)
    site.settled()
    delays = [change(site, number) for number in range(CHANGES)]
    operator.check()
    with_objects = rest(site, start(_external_dns.RESTING))
    return Measured(batch, statistics.median(delays), without, with_objects)


def publish(site: Site, count: int) -> Batch:
    before, begun = site.settled(), time.perf_counter()
    site.create(0, count)
    served = site.served(count) - begun
    spent = site.settled() - before
    return Batch(served, spent["requests"], spent["updates"])


def change(site: Site, number: int) -> float:
    """Seconds from the acknowledged PATCH to the answer."""
    name, target = f"r{number * 7}", f"198.51.100.{number + 1}"
    endpoint = {**site.body(number * 7)["spec"]["endpoints"][0], "targets": [target]}
    api = Api(site.stage.cluster)
    api.send("PATCH", f"{site.objects}/{name}", {"spec": {"endpoints": [endpoint]}}, MERGE)
    acknowledged = time.perf_counter()
    moments = when_served([site.server], f"{name}.{site.zone}.", target, timeout=PATIENCE)
    api.close()
    time.sleep(1.37)  # its status is written; and no step with anybody's seconds
    return moments[site.server.name] - acknowledged


def rest(site: Site, operator: Program) -> Rest:
    before = site.settled()
    with processor_time(operator) as spent:
        time.sleep(IDLE)
    counted = site.counts() - before
    return Rest(spent[0] * 60 / IDLE, counted["requests"], counted["updates"], counted["reconciles"])


@contextmanager
def processor_time(program: Program) -> Iterator[list[float]]:
    """Of the process with all its threads, in seconds; there when the context ends."""
    process, spent = psutil.Process(program.pid), list[float]()
    before = process.cpu_times()
    yield spent
    after = process.cpu_times()
    spent.append(round(after.user + after.system - before.user - before.system, 2))  # it is told in steps of 0.01


def reconciles(metrics: str) -> int:
    """All but the probes of name servers, which go on whatever happens."""
    counts = (
        line.rpartition(" ") for line in metrics.splitlines() if line.startswith("controller_runtime_reconcile_total{")
    )
    return sum(int(float(value)) for series, _, value in counts if 'controller="bind9instance"' not in series)


def requests_of_operator(counts: dict[RequestKey, int]) -> int:
    """About DNSEndpoints and our kinds, and events; the rest is the control plane's own."""
    return sum(
        count
        for key, count in counts.items()
        if (key.group in GROUPS or key.resource == "events") and key.verb not in {"POST", "WATCH"}
    )


# -- what is told


def tell(report: Report, who: str, measured: Measured) -> None:
    batch = measured.batch
    report.figure(f"{who}: {FEW:,} DNSEndpoints applied at once, until all are served", batch.served, "s")
    report.figure(f"{who}: API requests for them", batch.requests, "")
    report.figure(f"{who}: UPDATE messages for them", batch.updates, "")
    report.figure(f"{who}: one change among {MANY:,} names, PATCH to served, median", measured.change * 1000, "ms")
    for text, each in (("no DNSEndpoint", measured.without), (f"{MANY:,} DNSEndpoints", measured.with_objects)):
        report.figure(f"{who}: a minute without changes, {text}: CPU", each.cpu, "s")
        report.figure(f"{who}: the same: API requests but watches", each.requests, "")
        report.figure(f"{who}: the same: UPDATE messages", each.updates, "")


def judge(report: Report, ours: Measured, theirs: Measured | None) -> None:
    rested = ours.with_objects
    report.ratio("nothing changes: reconciles, with every plan", rested.reconciles, at_most=0, unit="")
    report.ratio("nothing changes: API requests but lease and watch", rested.requests, at_most=0, unit="")
    report.ratio("nothing changes: UPDATE messages", rested.updates, at_most=0, unit="")
    more = round(rested.cpu - ours.without.cpu, 2)
    report.ratio("nothing changes: CPU beyond that without DNSEndpoints", more, at_most=A_FEW_TICKS, unit="s")
    if theirs is None:
        return
    flags = " ".join(_external_dns.QUICK)
    report.ratio(f"one change: external-dns {flags} / zonewright", theirs.change / ours.change, at_least=10)
    report.figure("all served: external-dns / zonewright", theirs.batch.served / ours.batch.served, "x")


# -- what is created


def address(number: int) -> str:
    return f"10.0.{number // 250}.{number % 250 + 1}"


def zone_body(zone: str) -> dict[str, Any]:
    return {
        "apiVersion": "bindy.firestoned.io/v1beta1",
        "kind": "DNSZone",
        "metadata": {"name": "zone"},
        "spec": {
            "zoneName": zone,
            "soaRecord": {"primaryNs": f"ns1.{zone}.", "adminEmail": f"admin@{zone}"},
            "bind9InstancesFrom": [{"selector": {"matchLabels": {"dns.example.org/tier": "demo"}}}],
        },
    }
