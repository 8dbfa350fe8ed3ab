"""Short words for tests that talk to a real BIND."""

from dataclasses import dataclass

import dns.name

from reconcilers import ddns
from reconcilers.ddns import Change, DnsServer, RRset, RRsetKey, parse_name, parse_rdata, parse_zone, rdtype_of
from testbed.named import NameServer


@dataclass
class Zone:
    """A zone on a server, and short words to talk about it."""

    server: NameServer
    name: dns.name.Name
    client: DnsServer

    def rrset(self, name, rdtype, *values, ttl=300):
        owner = parse_zone(name) if name.endswith(".") else parse_name(name, self.name)
        return RRset.of(owner, ttl, [parse_rdata(rdtype, value.replace("ZONE", str(self.name))) for value in values])

    def change(self, name, rdtype, *values, ttl=300, before=None, **fields):
        """`name` gets these values; none at all: the RRset goes. `before` is what stood there."""
        after = self.rrset(name, rdtype, *values, ttl=ttl) if values else None
        old = self.rrset(name, rdtype, *before) if before else None
        owner = parse_zone(name) if name.endswith(".") else parse_name(name, self.name)
        return Change(RRsetKey(owner, rdtype_of(rdtype)), old, after, **fields)

    def update(self, *changes, **options):
        return self.client.update(self.name, changes, **options)

    @property
    def serial(self):
        return self.client.soa(self.name).serial

    @property
    def soa(self):
        return self.client.soa(self.name)

    @property
    def content(self):
        return self.client.transfer(self.name)

    def served(self, name, rdtype):
        """The values that a resolver gets, as a set of texts."""
        rrset = self.client.rrset(RRsetKey(parse_name(name, self.name), rdtype_of(rdtype)))
        return {rdata.to_text() for rdata in rrset.rdatas} if rrset else set()

    def ttl(self, name, rdtype):
        rrset = self.client.rrset(RRsetKey(parse_name(name, self.name), rdtype_of(rdtype)))
        return rrset.ttl if rrset else None


def tsig(server):
    """The server's key as ddns wants it."""
    return ddns.TsigKey.of(server.key.name, server.key.algorithm, server.key.secret)


def client_of(server, **options):
    return DnsServer(server.address, server.port, **{"key": tsig(server), "timeout": 60.0, **options})


def rejected(result):
    """{name: rcode} of what did not go in."""
    return {str(change.key): error.rcode for change, error in result.rejected}
