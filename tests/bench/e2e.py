"""End to end on a real API server, two primaries and a secondary: records in, answers out.

How many API requests a record costs, whether ten times the records take ten times the time, and where the time of one
change goes. Requests are counted at the API server, answers are asked of the servers."""

import datetime as dt
import json
import re
import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from testbed.stage import GROUP, Stage, stage
from tests.bench._api import Api, ConditionWatch, create_all
from tests.bench._dns import Updater, when_served
from tests.bench.report import Report
from zonewright.envtest.cluster import RequestKey
from zonewright.testing import eventually

NAMESPACE = "bench"
RECORDS = f"{GROUP}/namespaces/{NAMESPACE}/arecords"
FEW, MANY, CHANGES = 1_000, 10_000, 30
MERGE = "application/merge-patch+json"
UPDATE_LINE = re.compile(r"nsupdate (\S+) at .*: NOERROR, \d+ records, ([\d.]+) ms")


@dataclass(frozen=True, slots=True)
class Batch:
    """What it took to publish a number of records that came at once."""

    records: int
    loaded: float  # seconds until the API server had them all
    published: float  # seconds until all were Ready and served by every server
    requests: int  # by the manager

    @property
    def requests_each(self) -> float:
        return self.requests / self.records

    @property
    def milliseconds_each(self) -> float:
        return self.published / self.records * 1000


@dataclass(frozen=True, slots=True)
class Change:
    """The stages of one change, in seconds; together they are the whole time."""

    patch: float
    reconcile: float
    update: float
    transfer: float

    @property
    def whole(self) -> float:
        return self.patch + self.reconcile + self.update + self.transfer


def run(report: Report) -> None:
    with stage("controlplane", primaries=2, secondaries=1) as running:
        set_up(running)
        publish(running, "warm-up", 100)
        few = publish(running, "few", FEW)
        many = publish(running, "many", MANY)
        tell_batches(report, few, many)
        changes = [change(running, "many", number) for number in range(CHANGES)]
        stages = list(with_log(changes, running.manager_log(), f"{zone_name('many')}."))
        # The bare stages, on the same servers and the same zone, with nobody else at work.
        if running.manager is not None:
            running.manager.kill()
        tell_changes(report, stages, bare_patch(running), *bare_update(running))


# -- many records at once


def set_up(running: Stage) -> None:
    running.install_crds()
    running.cluster.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    running.register_servers(NAMESPACE)
    running.start_manager()
    eventually(lambda: '"working"' in running.manager_log(), what="the manager's start", timeout=60)


def publish(running: Stage, zone: str, count: int) -> Batch:
    """Create the zone, then all its records at once; returns when everything is served and nothing moves any more."""
    running.cluster.create(f"{GROUP}/namespaces/{NAMESPACE}/dnszones", zone_body(zone))
    with ConditionWatch(running.cluster, f"{GROUP}/namespaces/{NAMESPACE}/dnszones", f"zone={zone}", "Ready") as ready:
        ready.wait(1, timeout=60)
    before = running.cluster.requests()
    with ConditionWatch(running.cluster, RECORDS, f"zone={zone}", "Propagated") as propagated:
        begun = time.perf_counter()
        create_all(running.cluster, RECORDS, [record_body(zone, number) for number in range(count)])
        loaded = time.perf_counter()
        published = propagated.wait(count, timeout=3000)
    check_served(running, zone, count)
    time.sleep(3)  # the zone's own status may be a second behind; it counts too
    spent = running.cluster.requests() - before
    return Batch(count, loaded - begun, published - begun, requests_of_manager(spent))


def requests_of_manager(counts: dict[RequestKey, int]) -> int:
    """All requests about our kinds, and events, but the loader's POSTs and the watches."""
    return sum(
        count
        for key, count in counts.items()
        if (f"/apis/{key.group}" in GROUP and key.group and key.verb not in {"POST", "WATCH"})
        or key.resource == "events"
    )


def check_served(running: Stage, zone: str, count: int) -> None:
    """Propagated said so; every server must agree at once."""
    expected = {f"r{number}.{zone_name(zone)}. 300 A {address(number)}" for number in range(count)}
    for server in running.servers:
        missing = expected - running.transfer(server, zone_name(zone))
        if missing:
            raise AssertionError(
                f"{server.name} lacks {len(missing)} records that are Propagated: {sorted(missing)[:3]}"
            )


def tell_batches(report: Report, few: Batch, many: Batch) -> None:
    for batch in (few, many):
        title = f"{batch.records:,} records at once"
        report.figure(f"{title}: accepted by the API server", batch.loaded, "s")
        report.figure(f"{title}: Ready, and served by all three servers", batch.published, "s")
        report.ratio(f"{title}: API requests per record", batch.requests_each, at_most=3, unit="")
    report.ratio(
        f"requests per record, {many.records:,} against {few.records:,}",
        many.requests_each / few.requests_each,
        at_most=1.5,
    )
    report.ratio(
        f"time per record, {many.records:,} against {few.records:,}",
        many.milliseconds_each / few.milliseconds_each,
        at_most=2,
    )


# -- one change in a large zone


@dataclass(frozen=True, slots=True)
class Observation:
    """One change as seen from outside. `wall` is the time of day at which it was acknowledged, for the log."""

    sent: float
    acknowledged: float
    wall: float
    primaries: float
    everywhere: float


def change(running: Stage, zone: str, number: int) -> Observation:
    name, value = f"r{number * 7}", f"198.51.100.{number + 1}"
    api = Api(running.cluster)
    api.send("GET", f"{RECORDS}/{zone}-{name}")  # so that the connection is there
    sent = time.perf_counter()
    api.send("PATCH", f"{RECORDS}/{zone}-{name}", {"spec": {"ipv4Address": value}}, MERGE)
    acknowledged, wall = time.perf_counter(), time.time()
    moments = when_served(running.servers, f"{name}.{zone_name(zone)}.", value)
    api.close()
    time.sleep(0.5)  # its status is written, and the zone's is under way: one change at a time
    primaries = max(moments[server.name] for server in running.primaries)
    return Observation(sent, acknowledged, wall, primaries, max(moments.values()))


def with_log(seen: Iterable[Observation], log: str, zone: str) -> Iterator[Change]:
    """The moment of the first UPDATE is known to the manager only."""
    updates = list(update_moments(log, zone))
    for each in seen:
        started = min(moment for moment in updates if moment > each.wall - 0.001) - each.wall + each.acknowledged
        started = max(each.acknowledged, min(started, each.primaries))
        yield Change(
            patch=each.acknowledged - each.sent,
            reconcile=started - each.acknowledged,
            update=each.primaries - started,
            transfer=each.everywhere - each.primaries,
        )


def update_moments(log: str, zone: str) -> Iterator[float]:
    """When each UPDATE of the zone was sent."""
    for line in log.splitlines():
        found = UPDATE_LINE.search(line)
        if found and found[1] == zone:
            moment = dt.datetime.fromisoformat(json.loads(line)["time"])
            yield moment.timestamp() - float(found[2]) / 1000


def bare_patch(running: Stage) -> float:
    """The median of the same PATCH with no operator listening."""
    api, times = Api(running.cluster), []
    for number in range(CHANGES):
        path = f"{RECORDS}/many-r{number * 7 + 1}"
        api.send("GET", path)
        begun = time.perf_counter()
        api.send("PATCH", path, {"spec": {"ipv4Address": f"198.51.100.{number + 1}"}}, MERGE)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def bare_update(running: Stage) -> tuple[float, float]:
    """The medians of one UPDATE, and of what follows it: NOTIFY, the secondary's question, its transfer."""
    primary, secondary = running.primaries[0], running.secondaries[0]
    updater, updates, transfers = Updater(primary, zone_name("many")), [], []
    for number in range(CHANGES):
        name, value = f"r{number * 7 + 2}.{zone_name('many')}.", f"198.51.100.{number + 1}"
        updates.append(updater.replace(name, value))
        acknowledged = time.perf_counter()
        transfers.append(when_served([secondary], name, value)[secondary.name] - acknowledged)
        time.sleep(0.1)
    updater.close()
    return statistics.median(updates), statistics.median(transfers)


def tell_changes(report: Report, changes: list[Change], patch: float, update: float, notify: float) -> None:
    whole = statistics.median(each.whole for each in changes)
    report.figure(f"one change among {MANY:,}: PATCH sent to served everywhere, median", whole * 1000, "ms")
    names = {
        "patch": "PATCH",
        "reconcile": "watch and reconcile",
        "update": "UPDATE",
        "transfer": "NOTIFY and transfer",
    }
    for field, title in names.items():
        shares = [getattr(each, field) / each.whole for each in changes]
        report.figure(f"  of that: {title}", statistics.mean(shares) * 100, "%")
        report.figure(f"  {title}, median", statistics.median(getattr(each, field) for each in changes) * 1000, "ms")
    for title, seconds in (("PATCH", patch), ("UPDATE", update), ("NOTIFY and transfer", notify)):
        report.figure(f"bare {title}, median", seconds * 1000, "ms")
    report.ratio("one change against its bare PATCH + UPDATE + NOTIFY", whole / (patch + update + notify), at_most=3)


# -- what is created


def zone_name(zone: str) -> str:
    return f"{zone}.test"


def address(number: int) -> str:
    return f"10.0.{number // 250}.{number % 250 + 1}"


def record_body(zone: str, number: int) -> dict[str, Any]:
    return {
        "apiVersion": "bindy.firestoned.io/v1beta1",
        "kind": "ARecord",
        "metadata": {"name": f"{zone}-r{number}", "labels": {"zone": zone}},
        "spec": {"name": f"r{number}", "ipv4Address": address(number), "ttl": 300},
    }


def zone_body(zone: str) -> dict[str, Any]:
    name = zone_name(zone)
    return {
        "apiVersion": "bindy.firestoned.io/v1beta1",
        "kind": "DNSZone",
        "metadata": {"name": zone, "labels": {"zone": zone}},
        "spec": {
            "zoneName": name,
            "soaRecord": {"primaryNs": f"ns1.{name}.", "adminEmail": f"admin@{name}"},
            "recordsFrom": [{"selector": {"matchLabels": {"zone": zone}}}],
            "bind9InstancesFrom": [{"selector": {"matchLabels": {"dns.example.org/tier": "demo"}}}],
        },
    }
