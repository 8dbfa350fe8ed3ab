"""What it costs to plan a zone of endpoints, in processor time: how it grows, and what it is when nothing is to do."""

import gc
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import count

from controllers.options import COLLECTOR, EndpointOptions
from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.desired.selection import ZoneSet
from reconcilers.desired.views import ZoneView
from reconcilers.endpoints import crd
from reconcilers.endpoints.assignment import Assignments, ObjectEndpoints, ObjectKey
from reconcilers.endpoints.planner import ZonePlanner
from reconcilers.fleet.servers import ServerChoice
from tests.bench.report import Report
from tests.support.endpoint_servers import Servers
from tests.support.endpoint_zone import candidate
from tests.support.endpoints import dnsendpoint, entry
from zonewright import Object, Request

SIZES = (1_000, 10_000, 40_000)
CHANGES = 200
ROUNDS = 3
ORIGIN = "example.org"
NO_RECORDS = ZoneSet({}, {}, {}, frozenset())

_targets = count()


@dataclass(frozen=True, slots=True)
class Costs:
    """Processor time in seconds, of one size."""

    source: float  # from cached objects to endpoints in the planner
    first: float  # plan on an empty zone
    restart: float  # plan of a new process on a zone that has everything
    nothing: float  # plan when nothing changed
    change: float  # one changed object, from the cache to the plan of the whole zone
    decision: float  # the part of it that decides

    def least(self, other: "Costs") -> "Costs":
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__slots__)
        return Costs(*map(min, pairs))


def run(report: Report) -> None:
    found = {size: measure(size) for size in SIZES}
    for size, costs in found.items():
        report.figure(f"{size:,} DNSEndpoints read and assigned", costs.source, "s of CPU")
        report.figure(f"{size:,} names: first plan", costs.first, "s of CPU")
        report.figure(f"{size:,} names: first plan of a new process, all served already", costs.restart, "s of CPU")
        report.figure(f"{size:,} names: plan when nothing changed", costs.nothing * 1000, "ms of CPU")
        report.figure(f"{size:,} names: one changed object decided", costs.decision * 1000, "ms of CPU")
        report.figure(f"{size:,} names: the same, read, and the whole zone handed on", costs.change * 1000, "ms of CPU")
    few, some, many = (found[size] for size in SIZES)
    growth = SIZES[2] / SIZES[1]
    report.ratio(f"first plan: {SIZES[1]:,} names / {SIZES[0]:,}", some.first / few.first, at_most=12)
    report.ratio(f"first plan: {SIZES[2]:,} names / {SIZES[1]:,}", many.first / some.first, at_most=growth * 1.2)
    report.ratio(f"plan of a new process: {SIZES[1]:,} names / {SIZES[0]:,}", some.restart / few.restart, at_most=12)
    report.ratio(f"one changed object: {SIZES[2]:,} names / {SIZES[0]:,}", many.decision / few.decision, at_most=2)
    report.ratio(f"nothing changed / first plan, {SIZES[2]:,} names", many.nothing / many.first, at_most=0.1)


def measure(size: int) -> Costs:
    """The best of several rounds, with the operator's garbage collection."""
    usual = gc.get_threshold()
    gc.set_threshold(*COLLECTOR)
    try:
        return reduce(Costs.least, (once(size) for _ in range(ROUNDS)))
    finally:
        gc.set_threshold(*usual)


def once(size: int) -> Costs:
    options, servers, key = EndpointOptions(), Servers(), Request("shop", "zone")
    objects = [changed(number, f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}") for number in range(size)]

    def process() -> Assignments:
        made = Assignments(options.rules, servers, wake_zone=lambda _: None, wake_object=lambda _: None)
        made.put_zone(zone())
        return made

    def read(into: Assignments, given: Iterable[Object[object]]) -> None:
        for obj in given:
            steps = tuple(options.steps(crd.endpoints(obj)))
            into.put(ObjectEndpoints(ObjectKey("DNSEndpoint", "shop", obj.name), obj.uid, steps, frozenset({ORIGIN})))

    def plan(of: Assignments) -> None:
        planned = of.plan(key, NO_RECORDS)
        assert planned is not None
        served.update({at: desired.rrset for at, desired in planned.wanted.items()})

    served = servers.zone(zone().uid)
    first, second = process(), process()
    source = seconds(lambda: read(first, objects))
    times = [source, seconds(lambda: first.plan(key, NO_RECORDS))]
    plan(first)
    assert len(served) == 2 * size  # each with its registry entry
    read(second, objects)
    times.append(seconds(lambda: second.plan(key, NO_RECORDS)))
    times.append(seconds(lambda: second.plan(key, NO_RECORDS)))

    def change() -> None:
        for number in range(CHANGES):
            read(second, [changed(number * size // CHANGES, f"192.0.2.{next(_targets) % 250}")])
            second.plan(key, NO_RECORDS)

    times += [seconds(change) / CHANGES, decision(size)]
    return Costs(*times)


def decision(size: int) -> float:
    """What one changed endpoint costs the planner of a zone."""
    planner, served = ZonePlanner(parse_zone(ORIGIN), EndpointOptions().rules), dict[RRsetKey, RRset]()

    def plan() -> None:
        planner.plan(lambda keys: [{key: served[key] for key in keys if key in served}], lambda _: {})

    def change() -> None:
        for number in range(CHANGES):
            planner.put(candidate(f"r{number * size // CHANGES}", f"192.0.2.{next(_targets) % 250}"))
            plan()

    for number in range(size):
        planner.put(candidate(f"r{number}", "192.0.2.1"))
    plan()
    served.update({key: desired.rrset for key, desired in planner.wanted.items()})
    return seconds(change) / CHANGES


def seconds(act: Callable[[], object]) -> float:
    gc.collect()
    started = time.process_time()
    act()
    return time.process_time() - started


def changed(number: int, target: str) -> Object[object]:
    return dnsendpoint(f"e{number}", entry(f"r{number}.{ORIGIN}", "A", target, recordTTL=300), namespace="shop")


def zone() -> ZoneView:
    key = Request("shop", "zone")
    choice = ServerChoice("shop", None, ())
    return ZoneView(
        key, "uid-zone", "", parse_zone(ORIGIN), (), choice, 300, endpoints_from=None, deleting=False, released=False
    )
