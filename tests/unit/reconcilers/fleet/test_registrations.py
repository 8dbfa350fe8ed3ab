"""Which instances are one and the same server, and which of them counts."""

import json
from typing import Any

import pytest

from generated.kinds import Bind9Instance
from reconcilers.fleet.registrations import Place, Registration, duplicates, registration_of
from zonewright.api.kind import Request
from zonewright.api.objects import Object

HERE, THERE = "192.0.2.1:53", "192.0.2.2:53"


def at(address: str = HERE, created: str = "2026-01-01", **more: Any) -> Registration:
    return Registration(address=address, created=created, **more)


@pytest.mark.parametrize(
    ("sentence", "registrations", "holding", "expected"),
    [
        ("another address", {"a": at(), "b": at(THERE)}, "", {}),
        ("the same address: the older is the first", {"b": at(), "a": at(created="2026-01-02")}, "", {"a": "b"}),
        ("of the same age, by name", {"b": at(), "a": at()}, "", {"b": "a"}),
        ("the same bindcar", {"a": at(bindcar="x:80"), "b": at(THERE, bindcar="x:80")}, "", {"b": "a"}),
        ("the same server id", {"a": at(server_id="i"), "b": at(THERE, server_id="i")}, "", {"b": "a"}),
        ("other server ids at one address", {"a": at(server_id="i"), "b": at(server_id="j")}, "", {"b": "a"}),
        ("the one with zones is the first", {"a": at(), "b": at(created="2026-01-02")}, "b", {"a": "b"}),
        ("both have zones: the older", {"a": at(), "b": at(created="2026-01-02")}, "a b", {"b": "a"}),
        ("one that was told stays a duplicate, though older", {"a": at(duplicate=True), "b": at()}, "", {"a": "b"}),
        ("and though it has zones", {"a": at(duplicate=True), "b": at()}, "a", {"a": "b"}),
        ("all were told, and the first is gone", {"a": at(duplicate=True), "b": at(duplicate=True)}, "", {"b": "a"}),
        ("one that moves here does not take over", {"a": at(moved=True), "b": at()}, "", {"a": "b"}),
        ("what it has is elsewhere", {"a": at(moved=True), "b": at()}, "a", {"a": "b"}),
        ("one that the server does not take", {"a": at(unusable=True), "b": at(moved=True)}, "", {"a": "b"}),
        ("unless it has zones", {"a": at(unusable=True), "b": at(moved=True)}, "a", {"b": "a"}),
        ("both are new", {"a": at(moved=True), "b": at(moved=True)}, "", {"b": "a"}),
        ("the first is on its way out", {"a": at(deleting=True), "b": at()}, "a", {}),
        ("no address at all", {"a": at(""), "b": at("")}, "", {}),
        ("three of one", {"a": at(), "b": at(), "c": at()}, "", {"b": "a", "c": "a"}),
        (
            "a duplicate makes no duplicate of a third",
            {"a": at(), "b": at(bindcar="x:80"), "c": at(THERE, bindcar="x:80")},
            "",
            {"b": "a"},
        ),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_duplicates(sentence: str, registrations: dict[str, Registration], holding: str, expected: dict[str, str]):
    known = {Request("dns", name): each for name, each in registrations.items()}
    found = duplicates(known, frozenset(Request("dns", name) for name in holding.split()))
    assert {key.name: each.first.name for key, each in found.items()} == expected
    assert found == duplicates(dict(reversed(known.items())), frozenset(Request("dns", n) for n in holding.split()))


def test_nothing_lost_a_server_that_says_the_id_of_another_tenants_server_disables_nobody():
    older, victim = at(created="2025-01-01", server_id="i"), at(THERE, server_id="i")
    known = {Request("rogue", "a"): older, Request("dns", "b"): victim}
    assert duplicates(known, frozenset({Request("rogue", "a")})) == {}
    same_place = {Request("rogue", "a"): older, Request("dns", "b"): at(server_id="j")}
    assert duplicates(same_place, frozenset()).keys() == {Request("dns", "b")}, "an address counts everywhere"


def test_a_duplicate_says_what_it_has_in_common():
    known = {Request("dns", name): at(server_id="i") for name in "ab"}
    (found,) = duplicates(known, frozenset()).values()
    assert str(found.place) == "address 192.0.2.1:53"
    assert found.is_certain
    assert not found._replace(place=Place("server id", "i")).is_certain


def instance(external: Any, status: Any = None, **metadata: Any) -> Object[Any]:
    fields = {
        "metadata": {"name": "a", "namespace": "dns", "generation": 3, **metadata},
        "spec": {"external": external},
        "status": status,
    }
    return Object(Bind9Instance, Request("dns", "a"), 1, 3, json.dumps(fields).encode())


@pytest.mark.parametrize(
    ("external", "address", "bindcar"),
    [
        ({"address": "192.0.2.1"}, "192.0.2.1:53", ""),
        ({"address": "192.0.2.1", "port": 5353}, "192.0.2.1:5353", ""),
        ({"address": "2001:DB8:0::1"}, "[2001:db8::1]:53", ""),
        ({"address": "::ffff:192.0.2.1"}, "192.0.2.1:53", ""),
        ({"address": "NS1.example.org."}, "ns1.example.org:53", ""),
        ({"bindcarUrl": "http://NS1.example.org.:8080/"}, "", "ns1.example.org:8080"),
        ({"bindcarUrl": "http://ns1.example.org/a/"}, "", "ns1.example.org:80/a"),
        ({"bindcarUrl": "https://[2001:DB8::1]"}, "", "[2001:db8::1]:443"),
        ({"bindcarUrl": "no url"}, "", ""),
        ({"bindcarUrl": 7, "address": 7}, "", ""),
        (None, "", ""),
    ],
)
def test_a_place_has_one_spelling(external: Any, address: str, bindcar: str):
    found = registration_of(instance(external))
    assert (found.address, found.bindcar) == (address, bindcar)


def test_status_tells_what_was_found_here_and_whether_it_is_about_this_spec():
    def known(**status: Any) -> Registration:
        return registration_of(instance({"address": "192.0.2.1"}, status))

    found = {"id": "i", "address": HERE}
    assert known(server=found, observedGeneration=3) == at(server_id="i", created="")
    assert known(server={**found, "address": THERE}).server_id == ""
    assert known(observedGeneration=2).moved
    assert known().moved
    told = [{"type": "Ready", "status": "False", "reason": "DuplicateServer"}]
    assert known(conditions=told).duplicate


@pytest.mark.parametrize(
    ("reason", "unusable"),
    [
        ("ConfigurationInvalid", True),
        ("TsigVerificationFailed", True),
        ("BindcarAuthFailed", True),
        ("ServerUnreachable", False),
        ("DuplicateServer", False),
    ],
)
def test_an_instance_that_the_server_does_not_take_is_told_from_one_whose_server_is_away(reason: str, unusable: bool):
    conditions = [{"type": "Ready", "status": "False", "reason": reason}]
    assert registration_of(instance({}, {"conditions": conditions, "observedGeneration": 3})).unusable is unusable
    assert not registration_of(instance({}, {"conditions": conditions, "observedGeneration": 2})).unusable


def test_a_server_that_turns_out_to_be_another_one_has_moved():
    assert at().found("i") == at(server_id="i")
    assert at(server_id="i").found("i") == at(server_id="i")
    assert at(server_id="i").found("j") == at(server_id="j", moved=True)
    assert at(moved=True).found("i").moved, "that it tells its id does not make it one that was here before"


def test_its_identity_is_its_id_or_else_its_address():
    assert at(server_id="i").identity == "i"
    assert at().identity == HERE
