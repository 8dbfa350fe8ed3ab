"""The clause and the zone file that named gets."""

from pathlib import Path

import dns.name
import dns.zonefile
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bindcar.render import zone_clause, zone_file
from bindcar.requests import CreateZoneRequest, PatchZoneRequest
from bindcar.tokens import InvalidToken
from bindcar.zones import patched

FILE = Path("/zones/x.zone")
SOA = {"primaryNs": "ns1.example.org", "adminEmail": "ad.min@example.org", "serial": 7}


def request(**fields):
    config = {"soa": SOA, "nameServers": ["ns1.example.net"]} | fields.pop("config", {})
    return CreateZoneRequest.model_validate({"zoneName": "Example.org", "zoneConfig": config} | fields)


@pytest.mark.parametrize(
    ("sentence", "fields", "clause"),
    [
        (
            "nobody may update or transfer unless told",
            {},
            '{ type primary; file "/zones/x.zone"; allow-transfer { none; }; allow-update { none; }; };',
        ),
        (
            "the update key may do both",
            {"updateKeyName": "upd"},
            '{ type primary; file "/zones/x.zone"; allow-transfer { key "upd"; }; allow-update { key "upd"; }; };',
        ),
        (
            "ACLs are named, so that keys rotate without modzone",
            {"config": {"allowUpdate": ["writers"], "allowTransfer": ["readers", "192.0.2.0/24"]}},
            (
                '{ type primary; file "/zones/x.zone"; allow-transfer { "readers"; 192.0.2.0/24; };'
                ' allow-update { "writers"; }; };'
            ),
        ),
        (
            "secondaries to notify, and a policy",
            {"config": {"alsoNotify": ["192.0.2.9 port 5353 key k"], "dnssecPolicy": "default", "inlineSigning": True}},
            (
                '{ type primary; file "/zones/x.zone"; allow-transfer { none; }; allow-update { none; };'
                ' dnssec-policy "default"; inline-signing yes; also-notify { 192.0.2.9 port 5353 key "k"; }; };'
            ),
        ),
        (
            "a secondary asks with the key and lets its holder notify it",
            {
                "zoneType": "secondary",
                "updateKeyName": "k",
                "config": {"primaries": ["192.0.2.1 port 5353", "192.0.2.2 key j"]},
            },
            (
                '{ type secondary; file "/zones/x.zone"; allow-transfer { key "k"; };'
                ' primaries { 192.0.2.1 port 5353 key "k"; 192.0.2.2 key "j"; }; allow-notify { key "k"; }; };'
            ),
        ),
        (
            "old words are understood",
            {"zoneType": "slave", "config": {"primaries": ["192.0.2.1"]}},
            '{ type secondary; file "/zones/x.zone"; allow-transfer { none; }; primaries { 192.0.2.1; }; };',
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value and "{" not in value else "",
)
def test_clause(sentence, fields, clause):
    assert zone_clause(request(**fields), FILE) == clause


def test_a_zone_file_has_soa_ns_glue_and_records():
    wanted = request(
        config={
            "ttl": 120,
            "nameServers": ["ns1.example.org", "ns2.example.net."],
            "nameServerIps": {"ns1.example.org": "192.0.2.1", "ns2.example.net": "192.0.2.2"},
            "records": [
                {"name": "www", "type": "A", "value": "192.0.2.3", "ttl": 60},
                {"name": "@", "type": "mx", "value": "mail.example.net", "priority": 10},
            ],
        }
    )
    assert zone_file(wanted).splitlines() == [
        "example.org. 120 IN SOA ns1.example.org. ad\\.min.example.org. 7 3600 600 604800 300",
        "example.org. 120 IN NS ns1.example.org.",
        "example.org. 120 IN NS ns2.example.net.",
        "ns1.example.org. 120 IN A 192.0.2.1",
        "www.example.org. 60 IN A 192.0.2.3",
        "example.org. 120 IN MX 10 mail.example.net.",
    ]


def test_name_servers_among_the_records_are_all_there_are():
    records = [
        {"name": "@", "type": "NS", "value": "ns2.example.org.", "ttl": 60},
        {"name": "ns2", "type": "AAAA", "value": "2001:db8::2"},
        {"name": "child", "type": "NS", "value": "ns.child.example.org."},
    ]
    text = zone_file(request(config={"nameServers": [], "records": records}))
    assert [line for line in text.splitlines() if " NS " in line] == [
        "example.org. 60 IN NS ns2.example.org.",
        "child.example.org. 3600 IN NS ns.child.example.org.",
    ]


def test_without_name_servers_the_soa_names_one():
    text = zone_file(request(config={"nameServers": [], "nameServerIps": {"ns1.example.org": "2001:db8::1"}}))
    assert "example.org. 3600 IN NS ns1.example.org." in text
    assert "ns1.example.org. 3600 IN AAAA 2001:db8::1" in text


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        ({"nameServers": ["ns1.example.org"]}, "nameServerIps"),
        ({"nameServers": ["a..b"]}, "nameServers"),
        (
            {"records": [{"name": "@", "type": "NS", "value": "ns3.example.org."}], "nameServers": []},
            "needs an address",
        ),
        ({"nameServerIps": {"ns1.example.net": "nowhere"}}, "no IP address"),
        ({"soa": SOA | {"adminEmail": "@example.org"}}, "adminEmail"),
        ({"soa": SOA | {"adminEmail": "a@b..c"}}, "adminEmail"),
        ({"records": [{"name": "x.example.net.", "type": "A", "value": "192.0.2.1"}]}, "outside"),
        ({"records": [{"name": "x", "type": "A", "value": "192.0.2.1\n@ A 192.0.2.2"}]}, "no A data"),
        ({"records": [{"name": "x", "type": "BOGUS", "value": "1"}]}, "BOGUS"),
        ({"records": [{"name": "@", "type": "CNAME", "value": "x.example.net"}]}, "CNAME"),
    ],
)
def test_a_zone_file_that_named_would_not_load_is_refused_with_the_reason(config, complaint):
    with pytest.raises(InvalidToken, match=complaint):
        zone_file(request(config=config))


@pytest.mark.parametrize(
    "fields",
    [
        {"zoneType": "secondary"},
        {"zoneType": "forward"},
        {"unknown": 1},
        {"config": {"allowTransfers": ["any"]}},
        {"config": {"ttl": -1}},
        {"config": {"soa": None}},
        {"config": {"soa": SOA | {"primaryNs": ""}}},
        {"config": {"allowTransfer": ["any; }"]}},
        {"config": {"dnssecPolicy": 'x"'}},
        {"updateKeyName": "a b"},
        {"owner": {"cluster": "", "uid": "u"}},
    ],
)
def test_a_request_that_makes_no_sense_is_refused(fields):
    with pytest.raises(ValidationError):
        request(**fields)


def test_a_patch_must_change_something_and_replaces_what_it_names():
    with pytest.raises(ValidationError):
        PatchZoneRequest.model_validate({})
    before = request(updateKeyName="k", config={"alsoNotify": ["192.0.2.1"], "allowTransfer": ["readers"]})
    after = patched(before, PatchZoneRequest.model_validate({"alsoNotify": []}))
    assert after.zone_config.also_notify == []
    assert after.zone_config.allow_transfer == ["readers"]
    assert after.update_key_name == "k"


TEXT = st.text(alphabet=st.sampled_from(list('ab1. ";{}()\\\n$@')), max_size=12)


@given(name=TEXT, kind=st.sampled_from(["A", "TXT", "CNAME", "MX"]), value=TEXT, host=TEXT)
def test_whatever_is_sent_the_file_holds_only_records_of_this_zone(name, kind, value, host):
    config = {"records": [{"name": name, "type": kind, "value": value}], "soa": SOA | {"primaryNs": host}}
    try:
        text = zone_file(request(config=config))
    except (InvalidToken, ValidationError):
        return
    rrsets = dns.zonefile.read_rrsets(text, origin="example.org.", relativize=False, rdclass=None)
    assert len(text.splitlines()) == sum(map(len, rrsets)) == 3
    assert all(rrset.name.is_subdomain(dns.name.from_text("example.org")) for rrset in rrsets)
