"""Dynamic updates: how many records per second get into one zone, way by way, and how soon a secondary has them.

All ways run in turn, five times, against one `named`; medians are compared. The disk matters to all of them: an
UPDATE costs two fsyncs."""

import gc
import itertools
import os
import socket
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import dns.name
import dns.query
import dns.tsig
import dns.update
import dns.zone

from reconcilers.ddns import Change, DnsError, DnsServer, RRset, Soa, TsigKey, parse_name, parse_rdata, parse_zone
from testbed.named import NameServer
from tests.bench.report import Report
from zonewright.envtest.processes import Run

ROUNDS = 5
RECORDS = 10_000
"""Per round, for all ways but the slowest: long enough that one hiccup of the disk does not decide."""

_tags = itertools.count()


def run(report: Report) -> None:
    with Run() as programs, servers(programs) as (primary, secondary):
        throughput(report, primary)
        reading(report, primary)
        latency(report, primary, secondary)


@contextmanager
def servers(programs: Run) -> Iterator[tuple[NameServer, NameServer]]:
    with ExitStack() as stack:
        primary = NameServer(programs, bindcar=False)
        secondary = NameServer(programs, role="secondary", key=primary.key, bindcar=False)
        for server in (primary, secondary):
            stack.callback(server.close)
            server.start()
        yield primary, secondary


@dataclass(frozen=True, slots=True)
class Way:
    text: str
    push: Callable[[NameServer, str, int], float]
    records: int


def throughput(report: Report, primary: NameServer) -> None:
    ways = [
        Way("one nsupdate process per record", nsupdate_each, 20),
        Way("dnspython, 100 records per message", dnspython_batched, RECORDS),
        Way("one nsupdate process, 1,000 records per send", nsupdate_batched, RECORDS),
        Way("zonewright", ours, RECORDS),
        Way("zonewright, verified", ours_verified, RECORDS),
    ]
    rates: dict[str, list[float]] = {way.text: [] for way in ways}
    for _ in range(ROUNDS):
        for way in ways:
            zone = f"bench{next(_tags)}.test"
            primary.add_zone(zone)
            gc.collect()  # nobody's garbage is swept on somebody else's time
            rates[way.text].append(way.records / way.push(primary, zone, way.records))
    median = {text: statistics.median(found) for text, found in rates.items()}
    for text, rate in median.items():
        report.figure(text, rate, "records/s")
    fast = median["zonewright"]
    report.ratio("zonewright / dnspython, 100 per message", fast / median[ways[1].text], at_least=5)
    report.ratio("zonewright / one nsupdate process per record", fast / median[ways[0].text], at_least=100)
    report.ratio("zonewright / one nsupdate with 1,000 per send", fast / median[ways[2].text], at_least=0.5)


def nsupdate_each(server: NameServer, zone: str, records: int) -> float:
    started = time.perf_counter()
    for number in range(records):
        nsupdate(server, [f"zone {zone}", f"update add h{number}.{zone}. 300 A {address(number)}", "send"])
    return time.perf_counter() - started


def nsupdate_batched(server: NameServer, zone: str, records: int) -> float:
    lines = [f"zone {zone}"]
    for number in range(records):
        lines.append(f"update add h{number}.{zone}. 300 A {address(number)}")
        if number % 1000 == 999:
            lines.append("send")
    started = time.perf_counter()
    nsupdate(server, lines)
    return time.perf_counter() - started


def nsupdate(server: NameServer, lines: list[str]) -> None:
    script = "\n".join([f"server {server.address} {server.port}", *lines, ""])
    # -v: over TCP, as all the others.
    subprocess.run(["nsupdate", "-v", "-k", str(server.key_file)], input=script, text=True, check=True)


def dnspython_batched(server: NameServer, zone: str, records: int) -> float:
    key = dns.tsig.Key(server.key.name, server.key.secret, server.key.algorithm)
    with socket.create_connection((server.address, server.port)) as connection:
        started = time.perf_counter()
        for first in range(0, records, 100):
            message = dns.update.UpdateMessage(zone, keyring=key)
            for number in range(first, first + 100):
                message.add(f"h{number}", 300, "A", address(number))
            reply = dns.query.tcp(message, server.address, sock=connection, timeout=60)
            if reply.rcode():
                raise RuntimeError(f"dnspython's update was answered with {reply.rcode()}")
        return time.perf_counter() - started


def ours(server: NameServer, zone: str, records: int) -> float:
    return timed_update(server, zone, records, verify=False)


def ours_verified(server: NameServer, zone: str, records: int) -> float:
    return timed_update(server, zone, records, verify=True)


def timed_update(server: NameServer, zone: str, records: int, *, verify: bool) -> float:
    """With the bytes of each RRset kept, as the engine has them when it talks to the second server."""
    apex = parse_zone(zone)
    changes = [change(apex, f"h{number}", number) for number in range(records)]
    with client(server) as connection:
        soa = connection.soa(apex)
        started = time.perf_counter()
        result = connection.update(apex, changes, soa=soa.at(1000), verify=verify)
        elapsed = time.perf_counter() - started
    if len(result.applied) != records:
        raise RuntimeError(f"{len(result.rejected)} records were rejected")
    return elapsed


def reading(report: Report, primary: NameServer, records: int = 20_000) -> None:
    """A whole zone, and the same zone again when nothing changed."""
    primary.add_zone("large.test", "\n".join(f"h{number} A {address(number)}" for number in range(records)))
    apex = parse_zone("large.test")
    key = dns.tsig.Key(primary.key.name, primary.key.secret, primary.key.algorithm)
    with client(primary) as connection:
        known = connection.transfer(apex)
        whole = median_seconds(lambda: connection.transfer(apex), 3)
        unchanged = median_seconds(lambda: connection.transfer(apex, known), 20)
    peer = median_seconds(lambda: axfr_dnspython(primary, apex, key), 1)
    report.figure(f"AXFR of {records:,} records", whole * 1000, "ms")
    report.figure("the same zone, unchanged (IXFR)", unchanged * 1000, "ms")
    report.ratio("dnspython's time for the AXFR / zonewright's", peer / whole, at_least=3)
    report.ratio("whole zone / unchanged zone", whole / unchanged, at_least=20)


def axfr_dnspython(server: NameServer, apex: dns.name.Name, key: dns.tsig.Key) -> None:
    dns.zone.from_xfr(dns.query.xfr(server.address, apex, port=server.port, keyring={key.name: key}, lifetime=120))


def latency(report: Report, primary: NameServer, secondary: NameServer, rounds: int = 60) -> None:
    """From the acknowledgement of an UPDATE until the secondary answers with its serial."""
    apex = parse_zone("latency.test")
    replicated(primary, secondary, "latency.test")
    acknowledged: list[float] = []
    with ExitStack() as stack:
        writer = stack.enter_context(client(primary, observer=lambda **_: acknowledged.append(time.perf_counter())))
        reader = stack.enter_context(client(secondary))
        soa = writer.soa(apex)
        wait_for(reader, apex, soa)
        serials = itertools.count(1000)

        def delay() -> float:
            wanted = soa.at(next(serials))
            writer.update(apex, [change(apex, f"h{wanted.serial}", wanted.serial)], soa=wanted, verify=False)
            wait_for(reader, apex, wanted)
            return time.perf_counter() - acknowledged[-1]

        delays, round_trips, fsyncs = [], [], []
        for _ in range(rounds):
            delays.append(delay())
            # What cannot be avoided is measured in the same moment: a busy machine is slow at all of it.
            round_trips.append(median_seconds(lambda: reader.soa(apex), 3))
            fsyncs.append(fsync_seconds(primary))
            time.sleep(0.02)  # until both are done with it: named is not through when it answers
        in_a_row = statistics.median(delay() for _ in range(rounds))
    round_trip, fsync = statistics.median(round_trips), statistics.median(fsyncs)
    report.figure("UPDATE acknowledged -> served by the secondary, median", statistics.median(delays) * 1000, "ms")
    report.figure("the same, worst", max(delays) * 1000, "ms")
    report.figure("the same, one right after another, median", in_a_row * 1000, "ms")
    report.figure("one SOA round trip", round_trip * 1000, "ms")
    report.figure("one fsync", fsync * 1000, "ms")
    report.ratio(
        "latency / (SOA round trip + 2 fsync)", statistics.median(delays) / (round_trip + 2 * fsync), at_most=5
    )


def replicated(primary: NameServer, secondary: NameServer, zone: str) -> None:
    primary.add_zone(zone)
    key = primary.key.name
    also_notify = f'also-notify {{ 127.0.0.1 port {secondary.port} key "{key}"; }};'
    clause = f'{{ type primary; file "{zone}.zone"; allow-update {{ key "{key}"; }}; {also_notify} }};'
    primary.rndc("modzone", zone, clause)
    secondary.add_zone(zone, primaries=[primary])


def wait_for(reader: DnsServer, apex: dns.name.Name, wanted: Soa, patience: float = 30.0) -> None:
    deadline = time.perf_counter() + patience
    while True:
        try:
            if reader.soa(apex).serial == wanted.serial:
                return
        except DnsError:  # before its first transfer a secondary has nothing to answer with
            time.sleep(0.01)
        time.sleep(0.0002)  # asking without a pause would take the processor from those who are to answer
        if time.perf_counter() > deadline:
            raise TimeoutError(f"the secondary never had serial {wanted.serial}")


def fsync_seconds(server: NameServer) -> float:
    """On the file system that named writes its journals to."""
    path = server.directory / "data" / "fsync"
    with path.open("wb", buffering=0) as stream:

        def write() -> None:
            stream.write(b"x" * 200)
            os.fsync(stream.fileno())

        return median_seconds(write, 3)


def median_seconds(act: Callable[[], object], times: int) -> float:
    found = []
    for _ in range(times):
        started = time.perf_counter()
        act()
        found.append(time.perf_counter() - started)
    return statistics.median(found)


def client(server: NameServer, **options: object) -> DnsServer:
    key = TsigKey.of(server.key.name, server.key.algorithm, server.key.secret)
    return DnsServer(server.address, server.port, key=key, timeout=60, **options)  # type: ignore[arg-type]


def change(apex: dns.name.Name, name: str, number: int) -> Change:
    rrset = RRset.of(parse_name(name, apex), 300, [parse_rdata("A", address(number))])
    assert rrset.wire  # encoded now, not while the clock runs
    return Change(rrset.key, None, rrset)


def address(number: int) -> str:
    return f"192.0.{number // 250 % 250}.{number % 250 + 1}"
