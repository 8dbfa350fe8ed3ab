"""A dry run sends nothing but looks, and what it says would be done is what another run then does."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import dns.name
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.engine.api import Doing, Intent, Outlook, Role, ZoneConfig, ZoneGone, ZoneKey
from reconcilers.engine.core.protocol import Gone, Intended, OpKind, Poll
from reconcilers.reasons import Reason
from tests.support.engine_rig import ADOPTED, ALL, BOTH, REF, ZONE, Rig, adopted_claims, claimed, wanted
from tests.support.engine_world import rrset, soa, zone_name
from tests.unit.reconcilers.engine.test_core_planned import install, left_behind, mark, row, rows

Held = Mapping[tuple[str, dns.name.Name], Mapping[RRsetKey, RRset]]
"""What each server holds of each zone."""

A = {"a": "192.0.2.1"}
AB = {**A, "b": "192.0.2.2"}


def dry(rig: Rig) -> Rig:
    """Another process, on the same servers."""
    again = Rig(dry_run=True)
    again.servers = copy.deepcopy(rig.servers)
    return again


def restarted(rig: Rig) -> Rig:
    again = Rig()
    again.servers = rig.servers
    return again


def held(rig: Rig) -> Held:
    return {
        (server.name, name): dict(zone.records)
        for server in rig.servers.values()
        for name, zone in server.zones.items()
    }


def intents(rig: Rig) -> dict[str, Intent]:
    return {each.key.server: each.intent for each in rig.core.outlook() if each.intent is not None}


def outlook(rig: Rig, server: str = "p1") -> Outlook:
    (found,) = (each for each in rig.core.outlook() if each.key == ZoneKey(server, ZONE))
    return found


def told(rig: Rig) -> list[Intended]:
    return [effect for effect in rig.effects if isinstance(effect, Intended)]


def lines(intent: Intent) -> list[str]:
    """`+`, `-` or `~`, and the first label."""
    signs = {(False, True): "+", (True, False): "-", (True, True): "~"}
    return [
        f"{signs[change.before is not None, change.after is not None]}{change.key.name.labels[0].decode()}"
        for change in intent.changes
    ]


def foretold(rig: Rig) -> Held:
    """What the primaries hold once all is done that a dry run says would be."""
    after: dict[tuple[str, dns.name.Name], dict[RRsetKey, RRset]] = {key: dict(it) for key, it in held(rig).items()}
    for each in rig.core.outlook():
        if each.intent is None or each.key.server == "s1":  # which has moved on by itself
            continue
        place = after.setdefault((each.key.server, each.key.zone), {})
        for change in each.intent.changes:
            assert place.get(change.key) == change.before
            place.pop(change.key, None)
            if change.after is not None:
                place[change.key] = change.after
        if each.intent.doing is Doing.DELETE:
            del after[each.key.server, each.key.zone]
    return after


def primaries(found: Held) -> Held:
    return {key: content for key, content in found.items() if key[0] != "s1"}


def published(rig: Rig, records: dict[str, str] | None = None, **fields: Any) -> Rig:
    rig.want(records, **fields)
    rig.resolve_waiting()
    return restarted(rig)


def nothing_yet(rig: Rig) -> Rig:
    return rig


def with_a(rig: Rig) -> Rig:
    return published(rig, A, **ALL)


def of_an_earlier_object(rig: Rig) -> Rig:
    return published(rig, A, ref=REF._replace(uid="uid-0"), **ALL)


def adopted(rig: Rig) -> Rig:
    rig.servers["ext"].foreign_zone(ZONE)
    return published(rig, AB, **ADOPTED)


def lost_on_one(rig: Rig) -> Rig:
    rig = published(rig, AB, **ALL)
    rig.servers["p2"].lose_everything()
    return rig


def changed_by_others(rig: Rig) -> Rig:
    rig = published(rig, AB, **ALL)
    rig.servers["p1"].foreign_change(ZONE, rrset(ZONE, "a", "A", "192.0.2.9").key, rrset(ZONE, "a", "A", "192.0.2.9"))
    return rig


def wants(records: dict[str, str], **fields: Any) -> Callable[[Rig], object]:
    return lambda rig: rig.want(records, **fields)


def goes(**fields: Any) -> Callable[[Rig], object]:
    return lambda rig: rig.submit(Gone(ZoneGone(REF, **fields)))


@pytest.mark.parametrize(
    ("before", "event", "doing"),
    [
        (nothing_yet, wants(AB, **ALL), {"p1": "create", "p2": "create", "s1": "create"}),
        (with_a, wants(A, **ALL), {}),
        (with_a, wants({"a": "192.0.2.7", "b": "192.0.2.2"}, **ALL), {"p1": "change", "p2": "change"}),
        (with_a, wants({"b": "192.0.2.2"}, **claimed("a"), **ALL), {"p1": "change", "p2": "change"}),
        (with_a, wants(A, config=ZoneConfig(soa(ZONE, refresh=99)), **ALL), {"p1": "change", "p2": "change"}),
        (with_a, goes(servers=frozenset({"p1", "p2", "s1"})), {"p1": "delete", "p2": "delete", "s1": "delete"}),
        (of_an_earlier_object, wants(AB, **ALL), {"p1": "replace", "p2": "replace", "s1": "replace"}),
        (adopted, wants({"b": "192.0.2.7"}, **adopted_claims("a", "b"), **ADOPTED), {"ext": "change"}),
        (adopted, goes(servers=frozenset({"ext"}), **adopted_claims("a", "b")), {"ext": "change"}),
        (lost_on_one, wants(AB, **ALL), {"p2": "create"}),
        (changed_by_others, wants(AB, **ALL), {"p1": "change", "p2": "change"}),
    ],
)  # fmt: skip
def test_what_is_foretold_is_what_happens(
    before: Callable[[Rig], Rig], event: Callable[[Rig], object], doing: dict[str, str]
):
    real = before(Rig())
    prophet = dry(real)
    for rig in (prophet, real):
        event(rig)
        rig.resolve_waiting()
    assert prophet.kinds().count("observe") == len(prophet.sent), "a dry run only looks"
    found = {server: intent.doing.value for server, intent in intents(prophet).items()}
    assert found == doing
    assert primaries(foretold(prophet)) == primaries(held(real))


LABELS = st.sampled_from(["a", "b", "c", "d"])
VALUES = st.sampled_from(["192.0.2.1", "192.0.2.2", "192.0.2.3"])
RECORDS = st.dictionaries(LABELS, VALUES)
CHANGES = st.tuples(st.sampled_from(["p1", "p2"]), LABELS, st.none() | VALUES)
PLACES = st.sampled_from([{"primaries": frozenset({"p1"})}, {"primaries": frozenset({"p2"})}, BOTH, ALL])


@given(
    first=st.tuples(RECORDS, PLACES),
    foreign=st.lists(CHANGES, max_size=3, unique_by=lambda each: each[:2]),
    lost=st.sampled_from(["", "p1", "p2", "s1"]),
    then=st.tuples(RECORDS, PLACES) | st.none(),
    claims=st.booleans(),
    other_object=st.booleans(),
)
def test_whatever_happened_before_the_foretold_happens(first, foreign, lost, then, claims, other_object):
    """Records come, change and go, others write, servers lose everything, zones move, are deleted, or made anew."""
    real = published(Rig(), first[0], **first[1])
    for server, label, value in foreign:
        if ZONE in real.servers[server].zones:
            item = rrset(ZONE, label, "A", value or "192.0.2.1")
            real.servers[server].foreign_change(ZONE, item.key, item if value else None)
    if lost:
        real.servers[lost].lose_everything()
    stood = frozenset({"p1", "p2", "s1"})
    prophet = dry(real)
    for rig in (prophet, real):
        if then is None:
            rig.submit(Gone(ZoneGone(REF, stood)))
        else:
            ref = REF._replace(uid="uid-2") if other_object else REF
            places = {"former": stood - then[1]["primaries"] - then[1].get("secondaries", frozenset()), **then[1]}
            rig.want(then[0], ref=ref, **places, **claimed(*(first[0] if claims else ())))
        rig.resolve_waiting()
    assert prophet.kinds().count("observe") == len(prophet.sent)
    assert primaries(foretold(prophet)) == primaries(held(real))
    secondary = next((each.intent for each in prophet.core.outlook() if each.key.server == "s1"), None)
    stands = ("s1", ZONE) in held(prophet)
    if secondary is not None and secondary.doing in {Doing.CREATE, Doing.DELETE}:
        stands = secondary.doing is Doing.CREATE
    assert stands == (("s1", ZONE) in held(real))


def test_a_new_zone_is_told_whole_with_what_its_endpoints_want():
    rig = Rig(dry_run=True)
    install(rig, {"www": "192.0.2.1"}, records=A, reads=0)
    rig.resolve_waiting()
    install(rig, {"www": "192.0.2.1"}, records=A)
    rig.resolve_waiting()
    (intent,) = intents(rig).values()
    assert intent.doing is Doing.CREATE
    assert {change.after for change in intent.changes} >= {
        *rows({"www": "192.0.2.1"}),
        rrset(ZONE, "a", "A", "192.0.2.1"),
    }
    assert rig.writes() == []


def test_what_endpoints_left_behind_would_go():
    real = published(Rig(), A)
    left_behind(real, "p1", rrset(ZONE, "old", "A", "192.0.2.1"), mark("old"))
    rig = dry(real)
    install(rig, {}, records=A, reads=0)
    rig.resolve_waiting()
    assert (outlook(rig).planned, outlook(rig).settled, intents(rig)) == (False, False, {})
    install(rig, {}, records=A, obsolete=row("old"))
    rig.resolve_waiting()
    assert (outlook(rig).planned, outlook(rig).settled) == (True, True)
    assert sorted(lines(intents(rig)["p1"])) == ["-a-old", "-old"]


def test_it_is_told_once_until_it_is_another_thing():
    rig = dry(published(Rig(), A))
    rig.want(AB)
    rig.resolve_waiting()
    for _ in range(3):
        rig.submit(Poll(ZoneKey("p1", ZONE)))
        rig.resolve_waiting()
    assert [lines(each.intent) for each in told(rig) if each.intent] == [["+b"]]
    rig.want({**AB, "c": "192.0.2.3"})
    rig.want(A)
    assert [lines(each.intent) if each.intent else [] for each in told(rig)] == [["+b"], ["+b", "+c"], []]


def test_a_mass_removal_that_would_wait_for_consent_is_not_foretold():
    many = {f"r{number}": "192.0.2.1" for number in range(20)}
    real = published(Rig(), many)
    for consent in (False, True):
        rig = dry(real)
        rig.want(A, consent=consent, **claimed(*many))
        rig.resolve_waiting()
        removed = [line for line in lines(intents(rig)["p1"]) if line.startswith("-")]
        assert (len(removed), bool(rig.zone().mass_delete)) == ((20, False) if consent else (0, True))


def test_a_server_that_does_not_answer_has_an_outlook_without_an_intent():
    rig = dry(published(Rig(), A, **BOTH))
    rig.want(AB, **BOTH)
    rig.fail(reason=Reason.SERVER_UNREACHABLE)
    while rig.flight:
        rig.finish()
    assert not outlook(rig, "p1").settled, "once may be an accident"
    rig.advance(1.0)
    rig.fail(reason=Reason.SERVER_UNREACHABLE)
    one, two = outlook(rig, "p1"), outlook(rig, "p2")
    assert (one.read, one.settled, one.reason, one.message) == (False, True, Reason.SERVER_UNREACHABLE, "no reply")
    assert (two.read, two.settled, two.role) == (True, True, Role.PRIMARY)
    assert list(intents(rig)) == ["p2"]


def test_somebody_elses_zone_is_left_alone_and_told():
    rig = Rig(dry_run=True)
    rig.servers["p1"].foreign_zone(ZONE)
    rig.want(A)
    rig.resolve_waiting()
    found = outlook(rig)
    assert (found.read, found.intent, found.reason) == (True, None, Reason.CONFLICT)


def test_a_delegation_goes_before_the_zone_below_it():
    child = zone_name("child.example.org")
    delegation = {rrset(ZONE, "child", "NS", "ns.child.example.org.").key: rrset(ZONE, "child", "NS", "ns1")}
    real = Rig()
    below = REF._replace(zone=child, uid="uid-2")
    above = wanted(A)
    with_child = {
        **above.rrsets,
        **{key: type(next(iter(above.rrsets.values())))(it) for key, it in delegation.items()},
    }
    real.want(A, rrsets=with_child)
    real.want({}, zone=child, ref=below)
    real.resolve_waiting()
    rig = dry(restarted(real))
    rig.want(A, claimed=dict.fromkeys(delegation, frozenset()))
    rig.submit(Gone(ZoneGone(below, frozenset({"p1"}))))
    rig.resolve_waiting()
    found = {each.key.zone: each.intent for each in rig.core.outlook() if each.intent}
    assert found[ZONE].doing is Doing.CHANGE
    assert (found[child].doing, found[child].waits_for) == (Doing.DELETE, ("p1:example.org. child.example.org. NS",))


def test_a_plan_on_an_earlier_reading_foretells_nothing_at_its_keys():
    rig = dry(published(Rig(), A))
    install(rig, {"www": "192.0.2.1"}, records=A, reads=0)
    rig.resolve_waiting()
    assert (outlook(rig).planned, intents(rig)) == (False, {})


def test_only_looks_are_dispatched_whatever_happens():
    rig = Rig(dry_run=True)
    rig.want(AB, **ALL)
    rig.resolve_waiting()
    rig.delete()
    rig.resolve_waiting()
    assert {op.kind for op in rig.sent} == {OpKind.OBSERVE}
    assert not any(server.zones for server in rig.servers.values())
