"""An engine on real name servers, and short words to drive it: what the reconcilers do, without a cluster."""

import contextlib
import threading
from dataclasses import dataclass, field

import dns.name

from reconcilers.ddns import DnsError, parse_name, parse_rdata, parse_zone
from reconcilers.ddns.rrset import RRset
from reconcilers.ddns.soa import Soa
from reconcilers.engine import (
    Bindcar,
    Contributor,
    DesiredRRset,
    Engine,
    EngineOptions,
    ObjectRef,
    Plan,
    RecordState,
    Role,
    ServerSpec,
    StatusChange,
    ZoneConfig,
    ZoneGone,
    ZoneKey,
    ZoneRef,
    ZoneWanted,
)
from tests.support.ddns import client_of, tsig
from zonewright.testing import eventually

CLUSTER_UID = "6f1c2a04-9d3b-4c55-8a51-1f0c7e2b9d10"


def spec_of(server, **options):
    car = Bindcar(server.bindcar_url, server.token) if server.bindcar_url else None
    return ServerSpec(server.name, Role(server.role), server.address, server.port, tsig(server), car, **options)


@dataclass
class Wish:
    """A zone object with its records: label and type to values. `install` hands the whole of it to the engine.

    `planned` are RRsets of endpoints, decided by the `plan`."""

    stage: "Stage"
    zone: dns.name.Name
    uid: str
    primaries: frozenset[str]
    secondaries: frozenset[str]
    records: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    planned: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    plan: Plan | None = None
    claimed: dict = field(default_factory=dict)
    former: frozenset[str] = frozenset()
    generation: int = 1
    refresh: int = 3600
    consent: bool = False
    serial_floor: int = 0
    apex: bool = True
    entries: dict[tuple[str, str], tuple[tuple[str, ...], DesiredRRset]] = field(default_factory=dict)

    @property
    def ref(self):
        return ZoneRef(self.zone, self.uid, "default", f"zone-{self.uid}")

    def rrset(self, label, rdtype, *values, ttl=300):
        return RRset.of(parse_name(label, self.zone), ttl, [parse_rdata(rdtype, value) for value in values])

    def object(self, label, rdtype="A"):
        return ObjectRef(f"{rdtype}Record", "default", f"{label}-{rdtype}".lower(), f"{label}-{rdtype}")

    def put(self, label, *values, rdtype="A"):
        self.records[label, rdtype] = values
        return self

    def drop(self, label, rdtype="A"):
        del self.records[label, rdtype]
        return self

    def _entry(self, label, rdtype, values):
        known = self.entries.get((label, rdtype))
        if known and known[0] == values:
            return known[1]
        version = Contributor(self.object(label, rdtype), "|".join(values))
        planned = (label, rdtype) in self.planned
        entry = DesiredRRset(self.rrset(label, rdtype, *values), frozenset({version}), planned=planned)
        self.entries[label, rdtype] = (values, entry)
        return entry

    def rrsets(self):
        entries = [
            self._entry(label, rdtype, values)
            for (label, rdtype), values in (*self.records.items(), *self.planned.items())
        ]
        if self.apex:
            entries += [
                self.entries.setdefault(("", kind), ((), DesiredRRset(self.rrset(label, kind, value))))[1]
                for label, kind, value in (("@", "NS", f"ns1.{self.zone}"), ("ns1", "A", "192.0.2.53"))
            ]
        return {entry.rrset.key: entry for entry in entries}

    def install(self):
        soa = Soa(parse_name("ns1", self.zone), parse_name("admin", self.zone), 0, refresh=self.refresh)
        self.stage.engine.want(
            ZoneWanted(
                self.ref,
                self.generation,
                ZoneConfig(soa),
                self.rrsets(),
                self.primaries,
                self.secondaries,
                former=self.former,
                claimed=dict(self.claimed),
                plan=self.plan,
                consent=self.consent,
                serial_floor=self.serial_floor,
                correlation="test",
            )
        )
        return self

    def delete(self):
        servers = self.primaries | self.secondaries | self.former
        self.stage.engine.delete(ZoneGone(self.ref, servers))

    @property
    def status(self):
        return self.stage.engine.zone(self.ref)

    def outcome(self, label, rdtype="A"):
        return self.stage.engine.record(self.ref, self.object(label, rdtype))

    def wait_published(self):
        return eventually(lambda: self.status and self.status.published, what=lambda: f"publication: {self.status}")

    def wait_propagated(self):
        eventually(
            lambda: (status := self.status) and status.propagated and not status.pending,
            what=lambda: f"propagation: {self.status}",
        )
        return self.status

    def wait_released(self):
        eventually(lambda: self.status is None, what=lambda: f"release: {self.status}")

    def wait_ready(self, label, rdtype="A"):
        self.wait_outcome(label, rdtype, state=RecordState.PUBLISHED)

    def wait_outcome(self, label, rdtype="A", **wanted):
        """Until the record's outcome has these values; returns it."""

        def outcome():
            found = self.outcome(label, rdtype)
            return found if all(getattr(found, name) == value for name, value in wanted.items()) else None

        return eventually(outcome, what=lambda: f"{label} {rdtype} {wanted}, not {self.outcome(label, rdtype)},")

    def wait_served(self, server, label, *values):
        eventually(
            lambda: self.served(server, label) == set(values),
            what=lambda: f"{label} {values} on {server.name}, not {self.served(server, label)},",
        )

    def content(self, server):
        """serial and RRsets by AXFR."""
        with client_of(server) as client:
            content = client.transfer(self.zone)
            return content.serial, frozenset(content.rrsets.values())

    def served(self, server, label, rdtype="A"):
        """The values that the server answers with; none while it does not have the zone."""
        with client_of(server) as client, contextlib.suppress(DnsError):
            rrset = client.rrset(self.rrset(label, rdtype, "192.0.2.1").key)
            return {rdata.to_text() for rdata in rrset.rdatas} if rrset else set()
        return set()

    def exists(self, server):
        with client_of(server) as client, contextlib.suppress(DnsError):
            return bool(client.soa(self.zone))
        return False


class Stage:
    """The engine, what it said, and its servers."""

    def __init__(self, *, cluster_uid=CLUSTER_UID, **options):
        defaults = {"poll_interval": 0.5, "backoff_base": 0.1, "backoff_cap": 1.0, "timeout": 60.0}
        self.engine = Engine(EngineOptions("test-cluster", **{**defaults, **options}))
        self.engine.identify(cluster_uid)
        self.changes: list[StatusChange] = []
        self.lock = threading.Lock()
        self.engine.register_status_callback(self._changed)
        self._uids = 0

    def _changed(self, change):
        with self.lock:
            self.changes.append(change)

    def add(self, *servers, **options):
        for server in servers:
            self.engine.set_server(spec_of(server, **options))

    def wish(self, name, primaries, secondaries=(), **fields):
        self._uids += 1
        first, second = (frozenset(server.name for server in group) for group in (primaries, secondaries))
        return Wish(self, parse_zone(name), f"uid-{self._uids}", first, second, **fields)

    def wait_quiet(self):
        """Until nothing is in flight and the engine's messenger, a thread of its own, has told everything."""
        eventually(lambda: not any(entry["op"] for entry in self.engine.services({})), what="an idle engine")
        told = threading.Event()
        self.engine._mail.put(told)  # as drain does: it comes after all that was posted before
        assert told.wait(60)

    def poll(self, wish):
        for name in wish.primaries | wish.secondaries:
            self.engine.poll(ZoneKey(name, wish.zone))
