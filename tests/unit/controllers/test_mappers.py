"""Which keys a changed object wakes. Both sides count: what it was, and what it is."""

import json
from typing import Any

import pytest

from controllers.mappers import (
    namesakes_of_server,
    namesakes_of_zone,
    records_of_zone,
    registration_changed,
    server_changed,
    servers_of_zone,
    zones_of_record,
    zones_of_server,
)
from generated.kinds import KINDS
from reconcilers.desired.ownership import NAME_ANNOTATION, ZONE_ANNOTATION
from reconcilers.desired.selection import Selection
from reconcilers.fleet.servers import Fleet
from zonewright import Mapper, Object, Request
from zonewright.api import decode

ARECORD = KINDS["ARecord"]


def make(kind: str, name: str, spec: dict[str, Any], namespace: str = "dns", **parts: Any) -> Object[Any]:
    status = {"status": parts.pop("status")} if "status" in parts else {}
    metadata = {"name": name, "namespace": namespace, "uid": f"uid-{name}", "resourceVersion": "1", **parts}
    fields = {"metadata": {"creationTimestamp": "2026-01-01T00:00:00Z", **metadata}, "spec": spec, **status}
    return Object(KINDS[kind], Request(namespace, name), 1, 1, json.dumps(fields).encode())


def deep(subject: Object[Any]) -> Object[Any]:
    """The same with a field that is nested too deep."""
    raw = subject.raw.replace(b'"spec": {', b'"spec": {"more": ' + b"[" * 9_900 + b"]" * 9_900 + b", ", 1)
    return decode.single(subject.kind, raw)


def record(name: str, zone: str = "", claims: str = "") -> Object[Any]:
    annotations = {ZONE_ANNOTATION: claims, NAME_ANNOTATION: name} if claims else {}
    labels = {"zone": zone} if zone else {}
    spec = {"name": name, "ipv4Address": "192.0.2.1"}
    return make("ARecord", name, spec, labels=labels, annotations=annotations)


def zone(name: str, zone_name: str, tier: str = "one", selects: str | None = None, **more: Any) -> Object[Any]:
    spec = {
        "zoneName": zone_name,
        "soaRecord": {"primaryNs": f"ns1.{zone_name}.", "adminEmail": "admin@example.org"},
        "recordsFrom": [{"selector": {"matchLabels": {"zone": selects or name}}}],
        "bind9InstancesFrom": [{"selector": {"matchLabels": {"tier": tier}}}],
    }
    return make("DNSZone", name, spec, **more)


def server(name: str, tier: str, *, ready: bool = True, address: str = "192.0.2.53", **more: Any) -> Object[Any]:
    conditions = [{"type": "Ready", "status": str(ready)}]
    spec = {"external": {"address": address, "role": "primary"}}
    return make("Bind9Instance", name, spec, labels={"tier": tier}, status={"conditions": conditions}, **more)


@pytest.fixture
def selection() -> Selection:
    """Zones a and b, which select `zone=a` and `zone=b`."""
    selection = Selection()
    for each in (zone("a", "a.test"), zone("b", "b.test")):
        selection.on_zone(None, each, False)
    return selection


def woken(mapper: Mapper, old: Object[Any] | None, new: Object[Any] | None) -> set[str]:
    return {request.name for request in mapper(old, new)}


@pytest.mark.parametrize(
    ("sentence", "old", "new", "zones"),
    [
        ("a new record", None, record("www", "a"), {"a"}),
        ("a changed record", record("www", "a"), record("www", "a"), {"a"}),
        ("a deleted record", record("www", "a"), None, {"a"}),
        ("a relabelled record wakes both zones", record("www", "a"), record("www", "b"), {"a", "b"}),
        ("one that loses its label wakes the zone it left", record("www", "a"), record("www"), {"a"}),
        ("one that nobody selects", None, record("www", "c"), set()),
        ("one that only still holds something", None, record("www", "b", claims="a.test"), {"a", "b"}),
        ("one whose marks are taken off", record("www", claims="a.test,b.test"), record("www"), {"a", "b"}),
        ("one that holds something in a zone that is gone", None, record("www", claims="c.test"), set()),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_zones_of(sentence: str, selection: Selection, old: Any, new: Any, zones: set[str]):
    assert woken(zones_of_record(selection), old, new) == zones


def test_a_record_wakes_no_zone_of_another_namespace(selection: Selection):
    stranger = make("ARecord", "www", {"name": "www", "ipv4Address": "192.0.2.1"}, "elsewhere", labels={"zone": "a"})
    assert woken(zones_of_record(selection), None, stranger) == set()


def test_a_record_that_cannot_be_read_wakes_its_zone_all_the_same(selection: Selection):
    poison = make("ARecord", "www", {"name": 7}, labels={"zone": "a"})
    assert woken(zones_of_record(selection), None, poison) == {"a"}


def test_what_is_nested_too_deep_wakes_whom_it_concerns_all_the_same(selection: Selection):
    poison = deep(record("www", "a", claims="b.test"))
    assert woken(zones_of_record(selection), None, poison) == {"a", "b"}
    assert woken(zones_of_record(selection), poison, None) == {"a", "b"}
    assert woken(zones_of_server(selection), None, deep(server("p1", "one"))) == {"a", "b"}
    assert not server_changed(server("p1", "one"), deep(server("p1", "one"))), "it serves what it served"
    for mapper in (records_of_zone(selection, "ARecord"), namesakes_of_zone(selection), servers_of_zone([])):
        assert woken(mapper, deep(zone("a", "a.test")), None) == set()


def test_a_zone_wakes_the_records_it_selected_selects_and_holds(selection: Selection):
    feed = selection.on_record
    for each in (record("in", "a"), record("new", "c"), record("held", "z", claims="a.test"), record("out", "b")):
        feed(None, each, False)
    mapper = records_of_zone(selection, "ARecord")
    assert woken(mapper, zone("a", "a.test"), zone("a", "a.test", selects="c")) == {"in", "new", "held"}
    assert woken(mapper, zone("a", "a.test"), None) == {"in", "held"}
    assert woken(records_of_zone(selection, "MXRecord"), zone("a", "a.test"), None) == set()


def test_a_zone_wakes_its_namesakes_in_every_namespace(selection: Selection):
    twin = zone("twin", "a.test", namespace="elsewhere")
    selection.on_zone(None, twin, False)
    assert woken(namesakes_of_zone(selection), zone("a", "a.test"), None) == {"twin"}
    assert woken(namesakes_of_zone(selection), None, twin) == {"a"}
    assert woken(namesakes_of_zone(selection), None, zone("b", "b.test")) == set()


def test_a_zone_that_cannot_be_read_wakes_nobody_and_stops_nothing(selection: Selection):
    broken = make("DNSZone", "broken", {"zoneName": 7})
    for mapper in (records_of_zone(selection, "ARecord"), namesakes_of_zone(selection), servers_of_zone([])):
        assert woken(mapper, broken, broken) == set()


def test_a_server_wakes_the_zones_it_left_and_those_it_came_to(selection: Selection):
    selection.on_zone(None, zone("c", "c.test", tier="two"), False)
    mapper = zones_of_server(selection)
    assert woken(mapper, None, server("p1", "one")) == {"a", "b"}
    assert woken(mapper, server("p1", "one"), server("p1", "two")) == {"a", "b", "c"}
    assert woken(mapper, server("p1", "two"), None) == {"c"}


def test_a_server_that_lacks_only_the_zones_consent_wakes_it_to_say_so(selection: Selection):
    allows = {"bindy.firestoned.io/allow-zone-namespaces": "dns"}
    mapper = zones_of_server(selection)
    assert woken(mapper, None, server("p1", "one", namespace="other", annotations=allows)) == {"a", "b"}
    assert woken(mapper, None, server("p1", "one", namespace="other")) == set()


def test_a_zone_wakes_the_servers_it_left_and_those_it_came_to():
    fleet = Fleet()
    for each in (server("p1", "one"), server("p2", "two"), server("p3", "three")):
        fleet.on_instance(None, each, False)
    mapper = servers_of_zone(fleet)
    assert woken(mapper, zone("a", "a.test"), zone("a", "a.test", tier="two")) == {"p1", "p2"}


def test_a_server_wakes_the_others_that_stand_or_stood_for_the_same_one():
    fleet = Fleet()
    here, there = server("p1", "one"), server("p3", "one", address="192.0.2.54")
    for each in (here, server("p2", "two", namespace="other"), there):
        fleet.on_instance(None, each, False)
    mapper = namesakes_of_server(fleet)
    assert woken(mapper, None, here) == {"p2"}
    assert woken(mapper, here, None) == {"p2"}
    assert woken(mapper, here, server("p1", "one", address="192.0.2.54")) == {"p2", "p3"}
    assert woken(mapper, None, server("p4", "one", address="192.0.2.55")) == set()


@pytest.mark.parametrize(
    ("sentence", "new", "matters"),
    [
        ("it is gone", None, True),
        ("it is on its way out", server("p1", "one", deletionTimestamp="2026-01-01T00:00:00Z"), True),
        ("it moved", server("p1", "one", address="192.0.2.54"), True),
        ("it became ready", server("p1", "one", ready=True), False),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_others_for_the_same_server_notice_when(sentence: str, new: Any, matters: bool):
    assert registration_changed(server("p1", "one", ready=False), new) is matters


@pytest.mark.parametrize(
    ("sentence", "old", "new", "matters"),
    [
        ("it is new", None, server("p1", "one"), True),
        ("it is gone", server("p1", "one"), None, True),
        ("it became ready", server("p1", "one", ready=False), server("p1", "one"), True),
        ("it moved", server("p1", "one"), server("p1", "one", address="192.0.2.54"), True),
        ("it is labelled otherwise", server("p1", "one"), server("p1", "two"), True),
        ("somebody left a note", server("p1", "one"), server("p1", "one", annotations={"note": "x"}), False),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_zones_notice_a_server_when(sentence: str, old: Any, new: Any, matters: bool):
    assert server_changed(old, new) is matters
