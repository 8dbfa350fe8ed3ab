"""A zone in memory for tests of the endpoint plan: servers that carry out what a planner decides, at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import dns.rdatatype as rt
from dns.name import Name
from dns.rdatatype import RdataType

from reconcilers.ddns.names import parse_name, parse_zone
from reconcilers.ddns.rdata import parse_rdata
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.plan import Candidate, Policy, Rules, Verdict
from reconcilers.endpoints.planner import Change, ZonePlanner
from reconcilers.endpoints.registry import Entry, Registry, TxtRegistry, txt_rrset
from reconcilers.engine.api import ObjectRef

ORIGIN = parse_zone("example.org")
OWNER = "default"


def name(text: str) -> Name:
    return parse_name(text, ORIGIN)


def rrset(owner: str, rdtype: str, *values: str, ttl: int = 300) -> RRset:
    return RRset.of(name(owner), ttl, [parse_rdata(rdtype, value) for value in values])


def candidate(
    owner: str,
    *targets: str,
    of: str = "one",
    rdtype: str = "A",
    ttl: int | None = None,
    identifier: str = "",
    version: str = "1",
) -> Candidate:
    """An endpoint of DNSEndpoint shop/`of`."""
    ref = ObjectRef("DNSEndpoint", "shop", of, f"uid-{of}", f"{owner} {rdtype} {identifier}".strip())
    data = rrset(owner, rdtype, *targets, ttl=300 if ttl is None else ttl)
    labels = (("resource", f"crd/shop/{of}"),)
    dns_name = name(owner).to_text(omit_final_dot=True)
    return Candidate(ref, version, data, Endpoint(dns_name, rdtype, tuple(targets), ttl or 0, identifier, labels))


def entry(
    owner: str, rdtype: str = "A", *, by: str = OWNER, of: str = "one", registry: Registry | None = None
) -> RRset:
    """The registry's RRset beside an RRset."""
    key = RRsetKey(name(owner), rt.from_text(rdtype))
    where = (registry or TxtRegistry()).name_of(key, ORIGIN)
    assert where is not None
    return txt_rrset(where, 300, [Entry(by, f"crd/shop/{of}").text()])


class Zone:
    """Servers, record objects, and the planner between them."""

    def __init__(
        self,
        *standing: RRset,
        policy: Policy = Policy.SYNC,
        registry: Registry | None = None,
        servers: int = 1,
    ) -> None:
        self.rules = Rules(registry or TxtRegistry(), OWNER, policy)
        self.servers: list[dict[RRsetKey, RRset]] = [{each.key: each for each in standing} for _ in range(servers)]
        self.records: dict[RRsetKey, str] = {}
        self.sent: list[RRsetKey] = []
        self.changes: list[Change] = []
        self.restart()

    def restart(self) -> None:
        """A new process: all that it knows is what stands there."""
        self.planner = ZonePlanner(ORIGIN, self.rules)
        self.published: set[RRsetKey] = set()
        self.planner.read(self.servers)

    def read(self) -> None:
        """Somebody else changed something: the engine has read the servers again."""
        self.published.clear()
        self.planner.read(self.servers)

    def look(self, keys: Collection[RRsetKey]) -> Sequence[Mapping[RRsetKey, RRset]]:
        return [{key: server[key] for key in keys if key in server} for server in self.servers]

    def taken(self, at: Name) -> Mapping[RdataType, str]:
        return {key.rdtype: who for key, who in self.records.items() if key.name == at}

    def plan(self) -> set[ObjectRef]:
        """Plan, and carry it out as the engine does."""
        outcome = self.planner.plan(self.look, self.taken)
        self.changes += outcome.changes
        wanted = {key: desired.rrset for key, desired in self.planner.wanted.items()}
        for server in self.servers:
            for key in (self.published - wanted.keys()) | self.planner.obsolete:
                if key not in self.records and server.pop(key, None) is not None:
                    self.sent.append(key)
            for key, each in wanted.items():
                if key not in self.records and server.get(key) != each:
                    server[key] = each
                    self.sent.append(key)
        self.published = (self.published | wanted.keys()) - self.records.keys()
        return outcome.moved

    def put(self, *candidates: Candidate) -> set[ObjectRef]:
        for each in candidates:
            self.planner.put(each)
        return self.plan()

    def drop(self, *candidates: Candidate) -> set[ObjectRef]:
        for each in candidates:
            self.planner.drop(each.ref)
        return self.plan()

    def publish_record(self, each: RRset, who: str = "ARecord shop/record") -> None:
        """A record object does."""
        self.records[each.key] = who
        for server in self.servers:
            server[each.key] = each
        self.planner.touch([each.name])
        self.plan()

    def withdraw_record(self, each: RRset) -> None:
        del self.records[each.key]
        for server in self.servers:
            del server[each.key]
        self.planner.touch([each.name])
        self.plan()

    def at(self, owner: str, rdtype: str = "A") -> set[str]:
        """What the first server holds there."""
        found = self.servers[0].get(RRsetKey(name(owner), rt.from_text(rdtype)))
        return {rdata.to_text().strip('"') for rdata in found.rdatas} if found else set()

    def verdict(self, of: Candidate) -> Verdict | None:
        return self.planner.verdict(of.ref)

    def told(self, of: Candidate) -> Verdict:
        """Why it is left out, which it has to be."""
        found = self.verdict(of)
        assert found is not None, f"{of.key} is published"
        return found

    @property
    def content(self) -> dict[str, set[str]]:
        return {
            f"{key.name.relativize(ORIGIN)} {rt.to_text(key.rdtype)}": self.at(str(key.name), rt.to_text(key.rdtype))
            for key in self.servers[0]
        }
