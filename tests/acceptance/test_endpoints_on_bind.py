"""DNSEndpoints, Services and Ingresses on real BIND: one test per criterion of docs/requirements.md.

First what external-dns' RFC 2136 provider does wrong there, each with the right outcome; then whose records are whose.
The zones are somebody else's and were there before: the operator adopts them.
"""

import itertools
import sys
from collections.abc import Callable

import pytest

from reconcilers.ddns import parse_zone
from reconcilers.endpoints.plan import Rules
from reconcilers.endpoints.planner import ZonePlanner
from reconcilers.endpoints.registry import TxtRegistry
from testbed.named import NameServer
from tests.support.ddns import client_of
from tests.support.tenants import (
    SOMEBODY,
    Tenant,
    Tenants,
    a,
    denials,
    endpoint,
    entry,
    erase,
    others_zone,
    updates,
    write,
)
from zonewright.testing import eventually

CONSENT = "bindy.firestoned.io/allow-mass-delete"
Servers = Callable[..., NameServer]


def primary(named: Servers) -> NameServer:
    """A server of others: it has zones, and no bindcar to make any."""
    return named("primary", bindcar=False)


@pytest.fixture
def server(named: Servers) -> NameServer:
    return primary(named)


@pytest.fixture
def tenant(tenants: Tenants, server: NameServer) -> Tenant:
    """An operator on one server, not started yet."""
    return tenants(server)


def contents(tenant: Tenant, server: NameServer | None = None) -> set[str]:
    """A transfer of the tenant's zone: `www 300 A 192.0.2.1`, without what makes it a zone."""
    lines = tenant.stage.transfer(server or tenant.stage.servers[0], tenant.zone)
    short = {line.replace(f".{tenant.zone}. ", " ", 1) for line in lines}
    return {line for line in short if not line.startswith((f"{tenant.zone}.", "ns1 ", f"{SOMEBODY} "))}


# --- what external-dns does wrong


@pytest.mark.criterion(number="EB-1")
def test_a_change_between_cname_and_a_has_no_moment_without_the_name(tenant: Tenant, server: NameServer):
    others_zone(tenant, "real 300 A 192.0.2.10")
    tenant.start()
    www = f"www.{tenant.zone}"
    forms = [a(www), endpoint(www, "CNAME", f"real.{tenant.zone}")]
    tenant.create_endpoints("www", forms[0])
    tenant.wait("dnsendpoints", "www")
    with denials(server, www) as denied:
        for number in range(1, 11):
            tenant.change_endpoints("www", forms[number % 2])
            tenant.wait("dnsendpoints", "www")
            held = {line.split()[2] for line in contents(tenant) if line.startswith("www ")}
            assert held == {forms[number % 2]["recordType"]}
    assert denied == []


@pytest.mark.criterion(number="EB-2")
def test_one_name_outside_of_the_zone_fails_alone(tenant: Tenant):
    others_zone(tenant)
    tenant.start()
    names = [f"h{number}.{tenant.zone}" for number in range(19)]
    tenant.create_endpoints("many", *map(a, names[:10]), a("www.elsewhere.example"), *map(a, names[10:]))
    message = tenant.refused("dnsendpoints", "many", "Filtered")
    assert "www.elsewhere.example" in message
    assert tenant.get("dnsendpoints", "many")["status"]["records"] == "19/20"
    assert tenant.refusals("many") == {"www.elsewhere.example A": "Filtered"}
    tenant.served("h0", "192.0.2.1")
    tenant.served("h18", "192.0.2.1")


@pytest.mark.criterion(number="EB-2")
def test_one_name_that_the_server_refuses_fails_alone_with_the_servers_answer(tenant: Tenant, server: NameServer):
    others_zone(tenant)
    bad = f"bad.{tenant.zone}"
    policy = f"update-policy {{ deny {server.key.name} name {bad}; grant {server.key.name} zonesub ANY; }};"
    configure(server, tenant.zone, policy)
    tenant.start()
    names = [f"h{number}.{tenant.zone}" for number in range(19)]
    tenant.create_endpoints("many", *map(a, names[:10]), a(bad), *map(a, names[10:]))
    assert "REFUSED" in tenant.refused("dnsendpoints", "many", "Failed")
    status = tenant.get("dnsendpoints", "many")["status"]
    assert (status["records"], tenant.refusals("many")) == ("19/20", {f"{bad} A": "Failed"})
    assert "REFUSED" in tenant.condition("dnsendpoints", "many", "Synced")["message"]
    assert {line.split()[0] for line in contents(tenant)} == {
        label for number in range(19) for label in (f"h{number}", f"a-h{number}")
    }


@pytest.mark.criterion(number="EB-3")
def test_a_refused_transfer_is_never_an_empty_zone(tenant: Tenant, server: NameServer):
    others_zone(tenant)
    tenant.start()
    for name in ("stays", "goes"):
        tenant.create_endpoints(name, a(f"{name}.{tenant.zone}"))
        tenant.wait("dnsendpoints", name)
    tenant.kill()
    before, sent = contents(tenant), updates(server)
    configure(server, tenant.zone, "allow-update { zonewright; }; allow-transfer { none; };")
    tenant.delete("dnsendpoints", "goes")
    tenant.create_endpoints("new", a(f"new.{tenant.zone}"))
    tenant.start()
    assert "REFUSED" in tenant.refused("dnsendpoints", "new", "Failed")
    tenant.wait("dnsendpoints", "stays")  # what was published is not taken back by a restart
    assert server.name in tenant.get("dnsendpoints", "new")["status"]["providerStatus"]
    assert tenant.exists("dnsendpoints", "goes"), "nobody knows whether something of it is left"
    assert updates(server) == sent
    configure(server, tenant.zone, "allow-update { zonewright; };")
    assert contents(tenant) == before
    tenant.wait("dnsendpoints", "stays")
    tenant.wait("dnsendpoints", "new")
    tenant.gone("dnsendpoints", "goes")
    assert {line.split()[0] for line in contents(tenant)} == {"stays", "a-stays", "new", "a-new"}


@pytest.mark.criterion(number="EB-4")
@pytest.mark.parametrize("dead", [0, 1], ids=["the first", "the second"])
def test_one_of_two_primaries_may_be_down_and_comes_back(named: Servers, tenants: Tenants, dead: int):
    servers = [primary(named), primary(named)]
    tenant = tenants(*servers, flags=["--poll-interval=1"])
    others_zone(tenant)
    tenant.start()
    www = f"www.{tenant.zone}"
    tenant.create_endpoints("www", a(www))
    tenant.wait("dnsendpoints", "www")
    servers[dead].kill()
    tenant.patch("bind9instances", servers[dead].name, {"metadata": {"labels": {"probe": "now"}}})
    tenant.wait("bind9instances", servers[dead].name, status="False")
    tenant.change_endpoints("www", a(www, "192.0.2.2"))
    tenant.create_endpoints("new", a(f"new.{tenant.zone}"))
    for name in ("www", "new"):
        tenant.wait("dnsendpoints", name)
    living = contents(tenant, servers[1 - dead])
    assert {line for line in living if " A " in line} == {"www 300 A 192.0.2.2", "new 300 A 192.0.2.1"}
    servers[dead].restart()
    eventually(lambda: contents(tenant, servers[dead]) == living, what="the other one catching up")
    tenant.wait("dnsendpoints", "www")


@pytest.mark.criterion(number="EB-5")
def test_mx_srv_and_naptr_are_published_once_and_leave_without_a_trace(tenant: Tenant, server: NameServer):
    others_zone(tenant)
    empty = contents(tenant)
    tenant.start()
    tenant.create_endpoints(
        "mail",
        endpoint(f"mail.{tenant.zone}", "MX", "10 Mx1.example.net", "20 mx2.example.net."),
        endpoint(f"_sip._tcp.{tenant.zone}", "SRV", "1 2 5060 sip.example.net"),
        endpoint(f"sip.{tenant.zone}", "NAPTR", '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.'),
    )
    tenant.wait("dnsendpoints", "mail")
    published, sent = contents(tenant), updates(server)
    assert len(published - empty) == 7
    for _ in range(2):
        tenant.restart()
        tenant.planned()
    assert (contents(tenant), updates(server)) == (published, sent)
    tenant.delete("dnsendpoints", "mail")
    tenant.gone("dnsendpoints", "mail")
    assert contents(tenant) == empty


@pytest.mark.criterion(number="EB-6")
def test_final_dots_and_ttls_under_the_minimum_do_not_churn(tenants: Tenants, server: NameServer):
    tenant = tenants(server, flags=["--min-ttl=60", "--poll-interval=1"])
    others_zone(tenant)
    tenant.start()
    one = [
        endpoint(f"alias.{tenant.zone}", "CNAME", "Target.example.net."),
        endpoint(f"low.{tenant.zone}.", "A", "192.0.2.1", recordTTL=30),
        endpoint(f"unset.{tenant.zone}", "A", "192.0.2.2", "192.0.2.1"),
        endpoint(f"v6.{tenant.zone}", "AAAA", "2001:DB8:0::1"),
        endpoint(f"txt.{tenant.zone}", "TXT", "v=spf1 -all", recordTTL=1),
    ]
    tenant.create_endpoints("one", *one)
    tenant.wait("dnsendpoints", "one")
    sent, serial = updates(server), tenant.serials()
    moved = tenant.get("dnsendpoints", "one")["status"]["lastSyncTime"]
    same = [{**each, "targets": [target.rstrip(".") for target in each["targets"]][::-1]} for each in one]
    for spelled in (same, one, same):
        tenant.change_endpoints("one", *spelled)  # the same in other words
        tenant.planned()
        tenant.wait("dnsendpoints", "one")
        tenant.restart()
        tenant.planned()
    assert (updates(server), tenant.serials()) == (sent, serial)
    assert tenant.get("dnsendpoints", "one")["status"]["lastSyncTime"] == moved


@pytest.mark.criterion(number="EB-7")
@pytest.mark.parametrize(
    ("rdtype", "target"),
    [
        ("A", "not-an-address"),
        ("A", "2001:db8::1"),
        ("AAAA", "192.0.2.1"),
        ("CNAME", "192.0.2.1"),
        ("MX", "mail.example.net"),
        ("SRV", "1 2 host.example.net"),
        ("NAPTR", "1 2 S"),
        ("TXT", '"no end'),
    ],
)
def test_a_target_that_makes_no_sense_is_never_a_success(tenant: Tenant, server: NameServer, rdtype: str, target: str):
    others_zone(tenant)
    tenant.start()
    tenant.create_endpoints("one", endpoint(f"bad.{tenant.zone}", rdtype, target), a(f"good.{tenant.zone}"))
    message = tenant.refused("dnsendpoints", "one", "Invalid")
    assert "spec.endpoints[0].targets[0]" in message
    assert tenant.condition("dnsendpoints", "one", "Accepted")["status"] == "False"
    assert tenant.refusals("one") == {f"bad.{tenant.zone} {rdtype}": "Invalid"}
    tenant.served("good", "192.0.2.1")
    assert not [line for line in contents(tenant) if "bad" in line.split()[0]]


@pytest.mark.criterion(number="EB-8")
def test_zones_are_matched_by_labels(tenant: Tenant, server: NameServer):
    tenant.zone = "two.test"
    others_zone(tenant)
    server.add_zone("not.two.test", f"{SOMEBODY} A 192.0.2.66")
    tenant.create_zone("below", "not.two.test", ttl=300)
    tenant.start()
    tenant.create_endpoints("one", a("x.nottwo.test"), a("x.two.test"), a("y.not.two.test"), a("x.anot.two.test"))
    tenant.refused("dnsendpoints", "one", "Filtered")
    assert tenant.refusals("one") == {"x.nottwo.test A": "Filtered"}
    assert {line for line in contents(tenant) if " A " in line} == {"x 300 A 192.0.2.1", "x.anot 300 A 192.0.2.1"}
    assert "y.not.two.test. 300 A 192.0.2.1" in tenant.stage.transfer(server, "not.two.test")


@pytest.mark.criterion(number="EB-9")
def test_four_times_the_names_take_four_times_the_work_to_read_and_plan(server: NameServer):
    small, large = (calls_to_plan(server, count) for count in (1_000, 4_000))
    assert large < 5 * small


def calls_to_plan(server: NameServer, count: int) -> int:
    """How many functions are called to read a zone of so many of our names, and to find that all are obsolete."""
    lines = [f"h{number} A 192.0.2.1\na-h{number} TXT {entry('default', 'crd/shop/www')}" for number in range(count)]
    zone = parse_zone(f"n{count}.test")
    server.add_zone(str(zone), "\n".join(lines))
    calls = itertools.count()
    with client_of(server) as client:
        sys.setprofile(lambda _frame, event, _argument: next(calls) if event in {"call", "c_call"} else None)
        try:
            held = client.transfer(zone).rrsets
            planner = ZonePlanner(zone, Rules(TxtRegistry(), "default"))
            planner.read([held])
            planner.plan(lambda keys: [{key: held[key] for key in keys if key in held}], lambda _name: {})
        finally:
            sys.setprofile(None)
    assert len(planner.obsolete) == 2 * count
    return next(calls)


# --- a zone that external-dns wrote

CRD, SERVICE, INGRESS = "crd/{}/one", "service/{}/web", "ingress/{}/web"

# What is published, and for which object.
PUBLISHED = {
    "www A 192.0.2.1": CRD,
    "www AAAA 2001:db8::1": CRD,
    "mail MX 10 mx.example.net.": CRD,
    "*.wild A 192.0.2.3": CRD,
    "web A 192.0.2.4": SERVICE,
    "site CNAME lb.example.net.": INGRESS,
    "a.b A 192.0.2.5": CRD,
}

# Flags, and where external-dns writes its entries with them; of several the last is about more types of the name.
FORMATS: dict[str, tuple[list[str], list[list[str]]]] = {
    "current": (
        [],
        [["a-www"], ["aaaa-www"], ["mx-mail"], ["a-*.wild"], ["a-web"], ["cname-site"], ["a-a.b"]],
    ),
    "prefix": (
        ["--txt-prefix=reg-"],
        [
            ["reg-a-www"],
            ["reg-aaaa-www"],
            ["reg-mx-mail"],
            ["reg-a-*.wild"],
            ["reg-a-web"],
            ["reg-cname-site"],
            ["reg-a-a.b"],
        ],
    ),
    "prefix of labels": (
        ["--txt-prefix=_Reg."],
        [
            ["_reg.a-www"],
            ["_reg.aaaa-www"],
            ["_reg.mx-mail"],
            ["_reg.a-*.wild"],
            ["_reg.a-web"],
            ["_reg.cname-site"],
            ["_reg.a-a.b"],
        ],
    ),
    "suffix": (
        ["--txt-suffix=-reg"],
        [
            ["a-www-reg"],
            ["aaaa-www-reg"],
            ["mx-mail-reg"],
            ["a-*-reg.wild"],
            ["a-web-reg"],
            ["cname-site-reg"],
            ["a-a-reg.b"],
        ],
    ),
    "type in the prefix": (
        ["--txt-prefix=%{record_type}._reg."],
        [
            ["a._reg.www"],
            ["aaaa._reg.www"],
            ["mx._reg.mail"],
            ["a._reg.*.wild"],
            ["a._reg.web"],
            ["cname._reg.site"],
            ["a._reg.a.b"],
        ],
    ),
    "type in the suffix": (
        ["--txt-suffix=-%{record_type}-reg"],
        [
            ["www-a-reg"],
            ["www-aaaa-reg"],
            ["mail-mx-reg"],
            ["*-a-reg.wild"],
            ["web-a-reg"],
            ["site-cname-reg"],
            ["a-a-reg.b"],
        ],
    ),
    "wildcard": (
        ["--txt-wildcard-replacement=any"],
        [["a-www"], ["aaaa-www"], ["mx-mail"], ["a-any.wild"], ["a-web"], ["cname-site"], ["a-a.b"]],
    ),
    "0.12 to 0.16": (  # both forms; without a prefix a CNAME has no former one, and an AAAA never has
        ["--txt-prefix=reg-"],
        [
            ["reg-a-www", "reg-www"],
            ["reg-aaaa-www"],
            ["reg-mx-mail", "reg-mail"],
            ["reg-a-*.wild", "reg-*.wild"],
            ["reg-a-web", "reg-web"],
            ["reg-cname-site", "reg-site"],
            ["reg-a-a.b", "reg-a.b"],
        ],
    ),
}


def as_external_dns_wrote_it(tenant: Tenant, entries: list[list[str]]) -> list[str]:
    """The lines of its zone. With its default minimum the TTLs are 0."""
    lines = []
    for (record, resource), names in zip(PUBLISHED.items(), entries, strict=True):
        name, rdtype, value = record.split(" ", 2)
        lines.append(f"{name} 0 {rdtype} {value}")
        lines += [f"{each} 0 TXT {entry('default', resource.format(tenant.namespace))}" for each in names]
    return lines


def ask_for_it(tenant: Tenant) -> None:
    """The objects that external-dns has published so."""
    wanted = []
    for record, resource in PUBLISHED.items():
        name, rdtype, value = record.split(" ", 2)
        if resource == CRD:
            wanted.append(endpoint(f"{name}.{tenant.zone}", rdtype, value))
    tenant.create_endpoints("one", *wanted)
    tenant.create_service("web", f"web.{tenant.zone}", "192.0.2.4")
    tenant.create_ingress("web", f"site.{tenant.zone}", "lb.example.net")


def take_it_back(tenant: Tenant) -> None:
    """All at once: most of the zone, which takes consent."""
    tenant.patch("dnszones", "zone", {"metadata": {"annotations": {CONSENT: "true"}}})
    tenant.delete("dnsendpoints", "one")
    tenant.delete("services", "web")
    tenant.delete("ingresses", "web")
    tenant.gone("dnsendpoints", "one")
    tenant.planned()


@pytest.mark.criterion(number="EB-10")
@pytest.mark.parametrize("form", FORMATS)
def test_a_zone_that_external_dns_wrote_is_adopted_without_an_update(tenants: Tenants, server: NameServer, form: str):
    flags, entries = FORMATS[form]
    tenant = tenants(server, flags=flags)
    others_zone(tenant, *as_external_dns_wrote_it(tenant, entries))
    before, sent, serials = contents(tenant), updates(server), tenant.serials()
    ask_for_it(tenant)
    tenant.start()
    status = tenant.wait("dnsendpoints", "one")["status"]
    tenant.planned()
    assert (updates(server), tenant.serials(), contents(tenant)) == (sent, serials, before)
    assert status["records"] == "5/5"
    assert "lastSyncTime" not in status, "nothing was programmed"
    assert tenant.condition("dnsendpoints", "one", "Synced")["message"] == "All records are already up to date"
    take_it_back(tenant)
    assert contents(tenant) == set(), "all of it is ours, entries of former versions included"


@pytest.mark.criterion(number="EB-11")
def test_entries_from_before_0_12_count_and_get_their_present_form(tenants: Tenants, server: NameServer):
    """As external-dns does it: records are not touched, each entry is written once more under its present name."""
    tenant = tenants(server, flags=["--txt-prefix=reg-"])
    former = [["reg-www"], [], ["reg-mail"], ["reg-*.wild"], ["reg-web"], ["reg-site"], ["reg-a.b"]]
    lines = [line for line in as_external_dns_wrote_it(tenant, former) if " AAAA " not in line]
    others_zone(tenant, *lines)
    before = contents(tenant)
    ask_for_it(tenant)
    tenant.start()
    tenant.wait("dnsendpoints", "one")
    tenant.planned()
    added = contents(tenant) - before
    assert before <= contents(tenant)
    assert {line.split()[0] for line in added if " TXT " in line} == {
        *("reg-a-www", "reg-mx-mail", "reg-a-*.wild", "reg-a-web", "reg-cname-site", "reg-a-a.b", "reg-aaaa-www")
    }
    assert {line for line in added if " TXT " not in line} == {"www 300 AAAA 2001:db8::1"}
    take_it_back(tenant)
    assert contents(tenant) == set()


# --- whose records are whose


@pytest.mark.criterion(number="EB-12")
def test_what_another_owner_has_is_left_alone_and_told(tenant: Tenant, server: NameServer):
    theirs = entry("green", "crd/shop/www")
    others_zone(tenant, "www 300 A 192.0.2.80", f"a-www 300 TXT {theirs}", f"a-free 300 TXT {theirs}")
    before, sent = contents(tenant), updates(server)
    tenant.create_endpoints("one", a(f"www.{tenant.zone}"), a(f"{SOMEBODY}.{tenant.zone}"), a(f"free.{tenant.zone}"))
    tenant.create_service("web", f"www.{tenant.zone}", "192.0.2.4")
    tenant.start()
    assert "belongs to owner 'green'" in tenant.refused("dnsendpoints", "one", "OwnerMismatch")
    said = {
        each["dnsName"]: each["message"] for each in tenant.get("dnsendpoints", "one")["status"]["endpointStatuses"]
    }
    assert "without a registry entry" in said[f"{SOMEBODY}.{tenant.zone}"]
    assert "owner 'green'" in said[f"free.{tenant.zone}"]
    eventually(lambda: "belongs to owner 'green'" in warnings(tenant, "Service"), what="an event at the Service")
    for plural, name in (("dnsendpoints", "one"), ("services", "web")):
        tenant.delete(plural, name)
        tenant.gone(plural, name)
    tenant.planned()
    assert (contents(tenant), updates(server)) == (before, sent)


def warnings(tenant: Tenant, kind: str) -> str:
    """The messages of Warning events about objects of a kind."""
    events = tenant.stage.cluster.get(f"/api/v1/namespaces/{tenant.namespace}/events")["items"]
    about = [each for each in events if each["involvedObject"]["kind"] == kind and each["type"] == "Warning"]
    return "\n".join(each["message"] for each in about)


@pytest.mark.criterion(number="EB-13")
@pytest.mark.parametrize(
    ("policy", "changed", "left"),
    [
        ("sync", "192.0.2.2", set()),
        ("upsert-only", "192.0.2.2", {"www", "a-www", "other", "a-other"}),
        ("create-only", "192.0.2.1", {"www", "a-www", "other", "a-other"}),
    ],
)
def test_policies_say_what_may_be_done(tenants: Tenants, server: NameServer, policy: str, changed: str, left: set[str]):
    tenant = tenants(server, flags=[f"--policy={policy}"])
    others_zone(tenant)
    tenant.start()
    www, other = f"www.{tenant.zone}", f"other.{tenant.zone}"
    tenant.create_endpoints("one", a(www), a(other))
    tenant.wait("dnsendpoints", "one")
    tenant.served("www", "192.0.2.1")
    tenant.change_endpoints("one", a(www, "192.0.2.2"), a(other))
    if policy == "create-only":
        assert "create-only" in tenant.refused("dnsendpoints", "one", "Filtered")
    else:
        tenant.wait("dnsendpoints", "one")
    tenant.served("www", changed)
    tenant.restart()
    tenant.planned()
    tenant.served("www", changed)
    tenant.delete("dnsendpoints", "one")
    tenant.gone("dnsendpoints", "one")
    tenant.planned()
    assert {line.split()[0] for line in contents(tenant)} == left


@pytest.mark.criterion(number="EB-14")
def test_without_a_registry_a_restart_makes_everything_somebody_elses(tenants: Tenants, server: NameServer):
    tenant = tenants(server, flags=["--registry=noop"])
    others_zone(tenant)
    tenant.start()
    www = f"www.{tenant.zone}"
    tenant.create_endpoints("one", a(www))
    tenant.wait("dnsendpoints", "one")
    tenant.change_endpoints("one", a(www, "192.0.2.2"))
    tenant.wait("dnsendpoints", "one")
    assert contents(tenant) == {"www 300 A 192.0.2.2"}
    tenant.create_endpoints("two", a(f"two.{tenant.zone}"))
    tenant.wait("dnsendpoints", "two")
    tenant.delete("dnsendpoints", "two")
    tenant.gone("dnsendpoints", "two")
    assert contents(tenant) == {"www 300 A 192.0.2.2"}
    tenant.restart()
    assert "without a registry entry" in tenant.refused("dnsendpoints", "one", "OwnerMismatch")
    tenant.delete("dnsendpoints", "one")
    tenant.gone("dnsendpoints", "one")
    tenant.planned()
    assert contents(tenant) == {"www 300 A 192.0.2.2"}


@pytest.mark.criterion(number="EB-15")
def test_a_removal_of_most_of_a_zone_waits_for_consent(tenant: Tenant):
    others_zone(tenant)
    tenant.start()
    many = [a(f"h{number}.{tenant.zone}") for number in range(20)]
    tenant.create_endpoints("many", *many)
    tenant.wait("dnsendpoints", "many")
    full = contents(tenant)
    tenant.change_endpoints("many", *many[:2])
    tenant.refused("dnszones", "zone", "WaitingForConsent")
    tenant.planned()
    assert contents(tenant) == full
    tenant.restart()
    tenant.refused("dnszones", "zone", "WaitingForConsent")
    tenant.planned()
    assert contents(tenant) == full
    tenant.patch("dnszones", "zone", {"metadata": {"annotations": {CONSENT: "true"}}})
    eventually(
        lambda: {line.split()[0] for line in contents(tenant)} == {"h0", "a-h0", "h1", "a-h1"},
        what=lambda: f"the end of the others, not {contents(tenant)},",
    )
    tenant.wait("dnsendpoints", "many")


@pytest.mark.criterion(number="EB-16")
def test_what_somebody_writes_between_reading_and_writing_is_not_overwritten(tenants: Tenants, server: NameServer):
    tenant = tenants(server, flags=["--poll-interval=3600"])  # it reads the zone once
    others_zone(tenant)
    tenant.start()
    www, mine = f"www.{tenant.zone}", f"mine.{tenant.zone}"
    tenant.create_endpoints("mine", a(mine))
    tenant.wait("dnsendpoints", "mine")
    write(server, tenant.zone, "www 300 A 192.0.2.80")
    tenant.create_endpoints("www", a(www))
    assert "without a registry entry" in tenant.refused("dnsendpoints", "www", "OwnerMismatch")
    tenant.served("www", "192.0.2.80")
    assert not [line for line in contents(tenant) if line.startswith("a-www")]

    erase(server, tenant.zone, "mine A", "a-mine TXT")
    write(server, tenant.zone, "mine 300 A 192.0.2.81", f"a-mine 300 TXT {entry('green', 'crd/shop/mine')}")
    tenant.change_endpoints("mine", a(mine, "192.0.2.2"))
    assert "owner 'green'" in tenant.refused("dnsendpoints", "mine", "OwnerMismatch")
    tenant.served("mine", "192.0.2.81")

    tenant.delete("dnsendpoints", "mine")
    tenant.gone("dnsendpoints", "mine")
    tenant.served("mine", "192.0.2.81")


@pytest.mark.criterion(number="EB-17")
@pytest.mark.parametrize("when", ["at once", "before a restart", "while it is down"])
def test_a_record_object_wins_and_the_endpoint_comes_back_when_it_goes(tenant: Tenant, server: NameServer, when: str):
    others_zone(tenant)
    tenant.start()
    tenant.create_endpoints("one", a(f"www.{tenant.zone}"), a(f"api.{tenant.zone}"))
    tenant.wait("dnsendpoints", "one")
    with denials(server, f"www.{tenant.zone}") as denied:
        if when == "while it is down":
            tenant.kill()
        tenant.create_a("www", "192.0.2.50")
        if when == "while it is down":
            tenant.start()
        message = tenant.refused("dnsendpoints", "one", "ConflictLost")
        assert f"ARecord {tenant.namespace}/www" in message
        tenant.wait("arecords", "www")
        tenant.served("www", "192.0.2.50")
    assert denied == []
    assert {line for line in contents(tenant) if line.startswith("a-www")} == set()
    if when == "before a restart":
        tenant.restart()
        tenant.planned()
        tenant.served("www", "192.0.2.50")
    with denials(server, f"www.{tenant.zone}") as denied:
        tenant.delete("arecords", "www")
        tenant.wait("dnsendpoints", "one")
        tenant.served("www", "192.0.2.1")
    assert denied == []
    tenant.gone("arecords", "www")
    assert {line.split()[0] for line in contents(tenant)} == {"www", "a-www", "api", "a-api"}


@pytest.mark.criterion(number="EB-18")
def test_a_text_that_a_record_object_publishes_proves_nothing(tenant: Tenant):
    others_zone(tenant, "www 300 A 192.0.2.80", "old 300 A 192.0.2.81")
    for name in ("www", "old"):
        resource = f"crd/{tenant.namespace}/{name}"
        tenant.create("TXTRecord", f"a-{name}", {"name": f"a-{name}", "text": [entry("default", resource).strip('"')]})
    tenant.start()
    for name in ("a-www", "a-old"):
        tenant.wait("txtrecords", name)
    tenant.create_endpoints("www", a(f"www.{tenant.zone}"))
    tenant.refused("dnsendpoints", "www", "OwnerMismatch")
    for _ in range(2):
        tenant.planned()
        tenant.served("www", "192.0.2.80")
        tenant.served("old", "192.0.2.81")
        tenant.restart()
    for plural, name in (("dnsendpoints", "www"), ("txtrecords", "a-www"), ("txtrecords", "a-old")):
        tenant.delete(plural, name)
        tenant.gone(plural, name)
    tenant.planned()
    assert contents(tenant) == {"www 300 A 192.0.2.80", "old 300 A 192.0.2.81"}


@pytest.mark.criterion(number="EB-19")
@pytest.mark.parametrize("differs", ["old A", "a-old TXT"])
def test_where_primaries_differ_nothing_is_deleted(named: Servers, tenants: Tenants, differs: str):
    one, two = primary(named), primary(named)
    tenant = tenants(one, two, flags=["--poll-interval=1"])
    mine = entry("default", f"service/{tenant.namespace}/gone")
    others_zone(
        tenant, "old 300 A 192.0.2.1", f"a-old 300 TXT {mine}", "same 300 A 192.0.2.1", f"a-same 300 TXT {mine}"
    )
    erase(two, tenant.zone, differs)
    held = contents(tenant, two)
    tenant.start()
    eventually(lambda: not any(tenant.answers("same")), what="the end of what they agree on")
    tenant.planned()
    for _ in range(2):
        assert {line.split()[0] for line in contents(tenant, one)} == {"old", "a-old"}
        assert contents(tenant, two) == {line for line in held if "old" in line.split()[0]}
        tenant.restart()
        tenant.planned()
    write(two, tenant.zone, "old 300 A 192.0.2.1" if differs == "old A" else f"a-old 300 TXT {mine}")
    eventually(lambda: contents(tenant, one) | contents(tenant, two) == set(), what="the end of what they agree on")


@pytest.mark.criterion(number="EB-20")
def test_what_was_deleted_while_the_operator_was_down_is_found_through_the_registry(tenant: Tenant):
    others_zone(tenant)
    tenant.start()
    tenant.create_service("goes", f"goes.{tenant.zone}", "192.0.2.1", "2001:db8::1")
    tenant.create_ingress("goes", f"site.{tenant.zone}", "lb.example.net")
    tenant.create_service("stays", f"stays.{tenant.zone}", "192.0.2.2")
    tenant.create_service("loses", f"loses.{tenant.zone}", "192.0.2.3")
    for name in ("goes", "stays", "loses"):
        eventually(lambda name=name: all(tenant.answers(name)), what=f"{name} being served")  # type: ignore[misc]
    tenant.served("site", "lb.example.net.", rdtype="CNAME")
    tenant.kill()
    tenant.delete("services", "goes")
    tenant.delete("ingresses", "goes")
    tenant.patch("services", "loses", {"metadata": {"annotations": None}})
    tenant.start()
    tenant.planned()
    eventually(
        lambda: {line.split()[0] for line in contents(tenant)} == {"stays", "a-stays"},
        what=lambda: f"the end of what was deleted, not {contents(tenant)},",
    )


@pytest.mark.criterion(number="EB-21")
def test_two_operators_share_a_zone_under_two_owner_ids(tenants: Tenants, server: NameServer):
    blue = tenants(server, flags=["--txt-owner-id=blue", "--poll-interval=1"])
    green = tenants(server, flags=["--txt-owner-id=green", "--poll-interval=1"], zone=blue.zone)
    others_zone(blue)
    green.create_zone(ttl=300)
    blue.start()
    blue.create_endpoints("one", a(f"blue.{blue.zone}"), a(f"both.{blue.zone}"))
    blue.wait("dnsendpoints", "one")
    green.start()
    green.create_endpoints("one", a(f"green.{blue.zone}", "192.0.2.2"), a(f"both.{blue.zone}", "192.0.2.2"))
    assert "owner 'blue'" in green.refused("dnsendpoints", "one", "OwnerMismatch")
    blue.served("green", "192.0.2.2")
    blue.served("both", "192.0.2.1")
    for each in (blue, green):
        each.restart()
        each.planned()
    assert {line for line in contents(blue) if " A " in line} == {
        *("blue 300 A 192.0.2.1", "both 300 A 192.0.2.1", "green 300 A 192.0.2.2")
    }
    blue.delete("dnsendpoints", "one")
    blue.gone("dnsendpoints", "one")
    green.wait("dnsendpoints", "one")
    assert {line for line in contents(blue) if " A " in line} == {"both 300 A 192.0.2.2", "green 300 A 192.0.2.2"}
    green.delete("dnsendpoints", "one")
    green.gone("dnsendpoints", "one")
    assert contents(blue) == set()


@pytest.mark.criterion(number="EB-22")
def test_two_zones_on_two_servers_do_not_mix(named: Servers, tenants: Tenants):
    one, two = primary(named), primary(named)
    tenant = tenants(one, two)
    zones = {one: "one.test", two: "two.test"}
    for name, (server, zone) in zip(("first", "second"), zones.items(), strict=True):
        server.add_zone(zone, f"{SOMEBODY} A 192.0.2.66")
        selected = {"selector": {"matchLabels": {"name": server.name}}}
        tenant.create_zone(name, zone, ttl=300, bind9InstancesFrom=[selected])
    tenant.start()
    tenant.create_endpoints("both", a("www.one.test"), a("www.two.test", "192.0.2.2"))
    tenant.create_endpoints("two", a("api.two.test"))
    for name in ("both", "two"):
        tenant.wait("dnsendpoints", name)
    sent = {server: updates(server) for server in zones}
    assert tenant.stage.ask(one, "www.one.test", "A") == {"192.0.2.1"}
    assert tenant.stage.ask(two, "www.two.test", "A") == {"192.0.2.2"}
    two.kill()
    tenant.change_endpoints("both", a("www.one.test", "192.0.2.3"), a("www.two.test", "192.0.2.2"))
    eventually(lambda: tenant.stage.ask(one, "www.one.test", "A") == {"192.0.2.3"}, what="the change on the other one")
    two.restart()
    tenant.delete("dnsendpoints", "both")
    tenant.gone("dnsendpoints", "both")
    assert sent[one] < updates(one)
    assert {line.split()[0] for line in tenant.stage.transfer(one, "one.test")} == {
        *("one.test.", "ns1.one.test.", f"{SOMEBODY}.one.test.")
    }
    assert "api.two.test. 300 A 192.0.2.1" in tenant.stage.transfer(two, "two.test")
    assert not any("www" in line for line in tenant.stage.transfer(two, "two.test"))


def configure(server: NameServer, zone: str, options: str) -> None:
    """Give a zone of `others_zone` other options."""
    server.rndc("modzone", zone, f'{{ type primary; file "{zone}.zone"; {options} }};')
