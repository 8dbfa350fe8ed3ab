"""What a zone publishes by itself: its SOA, the NS records of its apex and addresses for those."""

from typing import Any

import pytest

from generated.bindy_firestoned_io_v1beta1 import DNSZoneSpec
from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.presentation import InvalidField
from reconcilers.desired.apex import own_contributions, zone_config
from reconcilers.desired.views import ZoneView
from reconcilers.fleet.servers import ServerChoice
from zonewright.api.kind import Request

VIEW = ZoneView(
    key=Request("dns", "zone"),
    uid="uid",
    created="2026-01-01T00:00:00Z",
    origin=parse_zone("example.org"),
    selectors=(),
    servers=ServerChoice("dns", None, ()),
    ttl=600,
    deleting=False,
    released=False,
)


def spec(**more: Any) -> DNSZoneSpec:
    soa = {"primaryNs": "ns1.example.org.", "adminEmail": "dns.admin@example.org"}
    return DNSZoneSpec.model_validate({"zoneName": "example.org", "soaRecord": soa, **more})


def published(zone: DNSZoneSpec, *addresses: str) -> set[str]:
    contributions = own_contributions(zone, VIEW, addresses)
    return {
        line for contribution in contributions if contribution.rrset for line in str(contribution.rrset).splitlines()
    }


def test_the_soa_has_the_specs_words_and_sensible_defaults():
    soa = zone_config(spec(), 600).soa
    assert (soa.primary.to_text(), soa.admin.to_text()) == ("ns1.example.org.", "dns\\.admin.example.org.")
    assert (soa.refresh, soa.retry, soa.expire, soa.minimum, soa.ttl) == (3600, 600, 604800, 3600, 600)


@pytest.mark.parametrize("email", ["admin@example.org", "admin.example.org.", "admin.example.org"])
def test_both_spellings_of_the_mailbox_mean_the_same(email: str):
    zone = spec(soaRecord={"primaryNs": "ns1.example.org", "adminEmail": email})
    assert zone_config(zone, 600).soa.admin.to_text() == "admin.example.org."


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("spec.soaRecord.adminEmail", {"soaRecord": {"primaryNs": "ns1", "adminEmail": f"{'x' * 64}@example.org"}}),
        ("spec.nameServerIps[a..b]", {"nameServerIps": {"a..b": "192.0.2.1"}}),
        ("spec.nameServerIps[ns1.example.org]", {"nameServerIps": {"ns1.example.org": "192.0.2.256"}}),
        ("spec.nameServerIps[ns1]", {"nameServerIps": {"ns1": "fe80::1%eth0 "}}),
    ],
)
def test_what_cannot_be_published_is_refused_with_its_field(field: str, bad: dict[str, Any]):
    with pytest.raises(InvalidField) as refusal:
        (zone_config(spec(**bad), 600), own_contributions(spec(**bad), VIEW, ()))
    assert refusal.value.field == field


def test_the_primary_is_always_a_name_server():
    assert published(spec(soaRecord={"primaryNs": "ns.example.net", "adminEmail": "a@example.net"})) == {
        "example.org. 600 IN NS ns.example.net."
    }


def test_name_servers_of_both_spellings_are_published_with_their_addresses():
    zone = spec(
        nameServers=[{"hostname": "ns2.example.org.", "ipv4Address": "192.0.2.2", "ipv6Address": "2001:db8::2"}],
        nameServerIps={"ns1.example.org.": "192.0.2.1"},
    )
    assert published(zone) == {
        "example.org. 600 IN NS ns1.example.org.",
        "example.org. 600 IN NS ns2.example.org.",
        "ns1.example.org. 600 IN A 192.0.2.1",
        "ns2.example.org. 600 IN A 192.0.2.2",
        "ns2.example.org. 600 IN AAAA 2001:db8::2",
    }


def test_an_in_zone_server_without_an_address_falls_back_to_the_servers_own():
    contributions = own_contributions(spec(), VIEW, ["192.0.2.53", "2001:db8::53", "bind.example.net"])
    fallback = [str(contribution.rrset) for contribution in contributions if contribution.fallback]
    assert fallback == ["ns1.example.org. 600 IN A 192.0.2.53", "ns1.example.org. 600 IN AAAA 2001:db8::53"]


def test_an_out_of_zone_server_gets_no_address():
    zone = spec(soaRecord={"primaryNs": "ns.example.net", "adminEmail": "a@example.net"})
    assert published(zone, "192.0.2.53") == {"example.org. 600 IN NS ns.example.net."}
