"""The core's rules, one sentence each. What a planner of endpoints decides, by registry TXT records in the zone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from reconcilers.ddns.plan import Change, Prerequisite
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.ddns.update import units
from reconcilers.engine.api import Contributor, DesiredRRset, ObjectRef, Plan, RecordOutcome, RecordState, ZoneKey
from reconcilers.engine.core.protocol import Applied, OpKind, Poll, Sync
from reconcilers.reasons import Reason
from tests.support.engine_rig import ADOPTED, ALL, BOTH, REF, ZONE, Rig, wanted
from tests.support.engine_world import BAD, ODD, rrset


def address(label: str, value: str = "192.0.2.1") -> RRset:
    return rrset(ZONE, label, "A", value)


def mark(label: str, owner: str = "ours") -> RRset:
    """The registry's TXT of the address at `label`."""
    return rrset(ZONE, f"a-{label}", "TXT", f"owner={owner}")


def row(*labels: str) -> frozenset[RRsetKey]:
    return frozenset(item.key for label in labels for item in (address(label), mark(label)))


def endpoint(label: str) -> ObjectRef:
    """All of them are parts of one object."""
    return ObjectRef("DNSEndpoint", "default", "all", "uid-all", label)


def planned(endpoints: dict[str, str]) -> dict[RRsetKey, DesiredRRset]:
    made = {}
    for label, value in endpoints.items():
        members = frozenset({Contributor(endpoint(label), value)})
        for item in (address(label, value), mark(label)):
            made[item.key] = DesiredRRset(item, members, planned=True)
    return made


def install(
    rig: Rig,
    endpoints: dict[str, str],
    *,
    records: dict[str, str] | None = None,
    reads: int | None = None,
    obsolete: Collection[RRsetKey] = (),
    leftovers: dict[str, frozenset[RRsetKey]] | None = None,
    **fields,
) -> None:
    """As the reconciler does; made on what was read last, unless the test says otherwise."""
    made_on = reads if reads is not None else rig.core.reads(REF) or 0
    rrsets = {**wanted(records, **fields).rrsets, **planned(endpoints)}
    rig.want(records, rrsets=rrsets, plan=Plan(made_on, frozenset(obsolete), leftovers or {}), **fields)


def outcome(rig: Rig, label: str) -> RecordOutcome:
    found = rig.core.record(REF, endpoint(label))
    assert found is not None
    return found


def standing(rig: Rig, server: str) -> frozenset[RRset]:
    """All but the apex."""
    apex = wanted().rrsets.keys()
    return frozenset(item for key, item in rig.servers[server].zones[ZONE].records.items() if key not in apex)


def rows(endpoints: dict[str, str]) -> frozenset[RRset]:
    return frozenset(entry.rrset for entry in planned(endpoints).values())


def others_write(rig: Rig, server: str, *items: RRset) -> None:
    for item in items:
        rig.servers[server].foreign_change(ZONE, item.key, item)


def left_behind(rig: Rig, server: str, *items: RRset) -> None:
    """By an earlier process: ours, though only the registry tells."""
    others_write(rig, server, *items)
    rig.servers[server].zones[ZONE].theirs.difference_update(item.key for item in items)


def notice(rig: Rig, server: str) -> None:
    """A poll finds out that somebody else wrote there."""
    rig.submit(Poll(ZoneKey(server, ZONE)))
    rig.resolve_waiting()


def settle(rig: Rig, endpoints: dict[str, str], **fields) -> None:
    """Install without a plan, let everything be read, then plan on that."""
    install(rig, {}, reads=0, **fields)
    rig.resolve_waiting()
    install(rig, endpoints, **fields)
    rig.resolve_waiting()


def content(rig: Rig):
    found = rig.core.content(REF)
    assert found is not None
    return found


def changes(rig: Rig) -> list[Change]:
    """All that were ever sent."""
    return [change for op in rig.sent if isinstance(op.payload, Sync) for change in op.payload.changes]


def restarted(rig: Rig) -> Rig:
    again = Rig()
    again.servers = rig.servers
    return again


# --- what a planner is shown -----------------------------------------------------------------------------------------


def test_a_zone_that_is_not_known_has_no_content(rig):
    assert rig.core.content(REF) is None
    assert rig.core.reads(REF) is None


def test_nothing_is_known_before_every_primary_was_read(rig):
    install(rig, {}, **BOTH)
    assert not content(rig).known
    rig.finish()
    assert not content(rig).known
    rig.finish()
    assert content(rig).known


def test_a_zone_without_a_primary_is_not_known(rig):
    install(rig, {}, primaries=frozenset())
    assert not content(rig).known


def test_a_server_that_does_not_have_the_zone_yet_holds_nothing_and_is_known(rig):
    install(rig, {})
    rig.finish()
    assert content(rig).known
    assert content(rig).primaries == {}


def test_content_is_what_each_primary_holds(rig):
    settle(rig, {}, records={"r": "192.0.2.9"}, **BOTH)
    others_write(rig, "p2", address("theirs"))
    notice(rig, "p2")
    held = content(rig).primaries
    assert address("theirs").key in held["p2"]
    assert address("theirs").key not in held["p1"]
    assert held["p1"][address("r").key] == address("r", "192.0.2.9")


@pytest.mark.parametrize("where", [{}, ADOPTED], ids=["ours", "adopted"])
def test_what_record_objects_publish_is_not_shown(rig, where):
    rig.servers["ext"].foreign_zone(ZONE)
    key, server = address("r").key, "ext" if where else "p1"
    settle(rig, {}, records={"r": "192.0.2.9"}, **where)
    assert rig.core.look(REF, [key]) == [{}]
    install(rig, {}, records={}, **where)
    assert rig.core.look(REF, [key]) == [{}], "its removal is still to be sent"
    rig.resolve_waiting()
    others_write(rig, server, address("r", "192.0.2.66"))
    notice(rig, server)
    assert rig.core.look(REF, [key]) == [{key: address("r", "192.0.2.66")}]


def test_what_record_objects_published_before_the_process_began_is_not_shown(rig):
    settle(rig, {}, records={"r": "192.0.2.9"})
    again = restarted(rig)
    install(again, {}, reads=0, records={"r": "192.0.2.9"}, claimed={address("r").key: frozenset()})
    again.resolve_waiting()
    assert again.core.look(REF, [address("r").key]) == [{}]


def test_what_a_record_left_before_the_process_began_waits_for_the_first_plan(rig):
    """An endpoint may have taken it over, and then it stays."""
    settle(rig, {"a": "192.0.2.1"})
    again = restarted(rig)
    claims: dict[RRsetKey, frozenset[ObjectRef]] = {address("a").key: frozenset()}
    install(again, {}, reads=0, claimed=claims)
    again.resolve_waiting()
    assert standing(again, "p1") == rows({"a": "192.0.2.1"})
    install(again, {"a": "192.0.2.1"}, claimed=claims)
    again.resolve_waiting()
    assert standing(again, "p1") == rows({"a": "192.0.2.1"})
    assert changes(again) == []


def test_what_a_record_left_goes_with_the_first_plan_if_no_endpoint_has_it(rig):
    settle(rig, {}, records={"r": "192.0.2.9"})
    again = restarted(rig)
    install(again, {}, reads=0, claimed={address("r").key: frozenset()})
    again.resolve_waiting()
    assert standing(again, "p1") == {address("r", "192.0.2.9")}
    install(again, {}, claimed={address("r").key: frozenset()})
    again.resolve_waiting()
    assert standing(again, "p1") == frozenset()


def test_content_is_a_copy(rig):
    settle(rig, {}, records={"r": "192.0.2.9"})
    before = content(rig)
    rig.want({})
    rig.resolve_waiting()
    assert address("r").key in before.primaries["p1"]


def test_what_the_engine_writes_itself_is_no_reading(rig):
    settle(rig, {})
    before = rig.core.reads(REF)
    install(rig, {"a": "192.0.2.1"})
    rig.resolve_waiting()
    assert rig.core.reads(REF) == before
    assert address("a").key in content(rig).primaries["p1"]


def test_a_zone_that_was_just_created_does_not_have_to_be_planned_again(rig):
    install(rig, {})
    rig.finish()
    before = rig.core.reads(REF)
    rig.resolve_waiting()
    assert rig.state() == "created"
    assert rig.core.reads(REF) == before


def test_an_unchanged_serial_is_no_reading(rig):
    settle(rig, {})
    before = rig.core.reads(REF)
    notice(rig, "p1")
    assert rig.core.reads(REF) == before


def reads_of(rig: Rig) -> int:
    found = rig.core.reads(REF)
    assert found is not None
    return found


def test_a_reading_a_loss_and_another_set_of_primaries_each_call_for_another_plan(rig):
    settle(rig, {}, **BOTH)
    seen = [reads_of(rig)]

    def rose() -> bool:
        seen.append(reads_of(rig))
        return seen[-1] > seen[-2]

    others_write(rig, "p1", address("theirs"))
    notice(rig, "p1")
    assert rose()
    rig.servers["p1"].lose_everything()
    notice(rig, "p1")
    assert rose()
    rig.set_server("p2", ready=False)
    assert rose()
    install(rig, {})
    assert rose()


def test_a_plan_of_a_zone_that_was_forgotten_meanwhile_is_not_current(rig):
    settle(rig, {})
    before = reads_of(rig)
    rig.delete()
    rig.resolve_waiting()
    install(rig, {}, reads=before)
    assert reads_of(rig) > before


def test_the_zone_is_reported_when_it_has_to_be_planned_again(rig):
    settle(rig, {"a": "192.0.2.1"})
    rig.changes.clear()
    others_write(rig, "p1", address("theirs"))
    notice(rig, "p1")
    assert REF in {change.zone for change in rig.changes}
    assert not rig.zone().published


def test_the_zone_is_reported_also_when_only_the_servers_that_decide_are_others(rig):
    settle(rig, {}, **BOTH)
    rig.changes.clear()
    rig.set_server("p2", ready=False)
    assert REF in {change.zone for change in rig.changes}


# --- a plan that is out of date --------------------------------------------------------------------------------------


def test_nothing_planned_is_sent_under_a_plan_that_was_made_on_an_earlier_reading(rig):
    install(rig, {}, reads=0)
    rig.resolve_waiting()
    install(rig, {"a": "192.0.2.1"}, reads=reads_of(rig) - 1, records={"r": "192.0.2.9"})
    rig.resolve_waiting()
    assert standing(rig, "p1") == {address("r", "192.0.2.9")}
    assert outcome(rig, "a").state is RecordState.PENDING
    assert outcome(rig, "a").reason == Reason.PROGRESSING
    assert rig.outcome("r").ready
    assert not rig.zone().published
    assert not rig.zone().servers[0].in_sync


def test_what_stands_there_already_is_not_published_before_the_planner_has_seen_it(rig):
    settle(rig, {"a": "192.0.2.1"})
    again = restarted(rig)
    install(again, {"a": "192.0.2.1"}, reads=0)
    again.resolve_waiting()
    assert outcome(again, "a").state is RecordState.PENDING
    install(again, {"a": "192.0.2.1"})
    again.resolve_waiting()
    assert outcome(again, "a").ready
    assert again.zone().published
    assert again.writes() == []


def test_an_endpoint_that_left_is_not_gone_before_there_is_a_current_plan(rig):
    settle(rig, {"a": "192.0.2.1"})
    others_write(rig, "p1", address("theirs"))
    notice(rig, "p1")
    install(rig, {}, reads=reads_of(rig) - 1)
    rig.resolve_waiting()
    assert outcome(rig, "a").state is RecordState.REMOVING
    assert rows({"a": "192.0.2.1"}) <= standing(rig, "p1")
    install(rig, {}, obsolete=row("a"))
    rig.resolve_waiting()
    assert outcome(rig, "a").state is RecordState.GONE
    assert standing(rig, "p1") == {address("theirs")}


def test_a_serial_that_names_the_content_is_not_given_to_what_waits_for_a_plan(rig):
    settle(rig, {"a": "192.0.2.1"}, **BOTH)
    others_write(rig, "p2", address("theirs"))
    rig.servers["p2"].foreign_change(ZONE, address("a").key, None)
    notice(rig, "p2")
    install(rig, {"a": "192.0.2.1"}, reads=reads_of(rig) - 1, records={"r": "192.0.2.9"}, **BOTH)
    rig.resolve_waiting()
    assert rig.served("p2", "r") == {"192.0.2.9"}
    serials = {name: rig.servers[name].zones[ZONE].serial for name in ("p1", "p2")}
    assert serials["p1"] != serials["p2"]
    install(rig, {"a": "192.0.2.1"}, records={"r": "192.0.2.9"}, **BOTH)
    rig.resolve_waiting()
    assert rig.served("p2", "a") == {"192.0.2.1"}
    assert rig.servers["p1"].zones[ZONE].serial == rig.servers["p2"].zones[ZONE].serial
    assert rig.zone().published


def test_a_zone_that_a_server_lost_comes_back_whole_with_its_endpoints(rig):
    """Where it is not, nothing of anybody else can be overwritten: that needs no other plan."""
    settle(rig, {"a": "192.0.2.1"}, records={"r": "192.0.2.9"}, **ALL)
    rig.servers["p1"].lose_everything()
    notice(rig, "p1")
    assert standing(rig, "p1") == rows({"a": "192.0.2.1"}) | {address("r", "192.0.2.9")}
    install(rig, {"a": "192.0.2.1"}, records={"r": "192.0.2.9"}, **ALL)
    rig.resolve_waiting()
    assert standing(rig, "p1") == rows({"a": "192.0.2.1"}) | {address("r", "192.0.2.9")}
    assert rig.zone().published


def test_a_server_that_lost_a_zone_does_not_announce_it_before_its_endpoints_are_back(rig):
    settle(rig, {"a": "192.0.2.1"}, **ALL)
    rig.servers["p1"].lose_everything()
    notice(rig, "p1")
    assert rows({"a": "192.0.2.1"}) <= standing(rig, "s1")
    install(rig, {"a": "192.0.2.1"}, **ALL)
    rig.resolve_waiting()
    assert standing(rig, "p1") == standing(rig, "p2") == standing(rig, "s1") == rows({"a": "192.0.2.1"})
    assert rig.zone().propagated


def test_a_serial_is_not_given_to_a_content_without_what_the_registry_may_still_call_ours(rig):
    """After a restart nobody knows yet that endpoints were served under it."""
    settle(rig, {"a": "192.0.2.1"}, **ALL)
    serial = rig.servers["p1"].zones[ZONE].serial
    again = restarted(rig)
    again.servers["p2"].lose_everything()
    install(again, {}, reads=0, serial_floor=serial, **ALL)
    again.resolve_waiting()
    assert again.servers["p1"].zones[ZONE].serial == serial
    assert ZONE not in again.servers["p2"].zones, "without them it would deny names that exist"
    assert rows({"a": "192.0.2.1"}) <= standing(again, "s1")
    install(again, {"a": "192.0.2.1"}, **ALL)
    again.resolve_waiting()
    assert {again.servers[name].zones[ZONE].serial for name in ("p1", "p2", "s1")} == {again.zone().serial}
    assert standing(again, "p2") == rows({"a": "192.0.2.1"})


def test_glue_that_is_planned_waits_for_a_plan_too(rig):
    glue = DesiredRRset(address("ns", "192.0.2.53"), planned=True)
    rig.want(rrsets={**wanted().rrsets, glue.rrset.key: glue}, plan=Plan())
    rig.finish()
    assert glue.rrset not in rig.next_op().payload.content


# --- a plan that is current ------------------------------------------------------------------------------------------


def test_an_endpoint_and_its_registry_record_are_published(rig):
    settle(rig, {"a": "192.0.2.1"}, **ALL)
    assert standing(rig, "p1") == standing(rig, "p2") == rows({"a": "192.0.2.1"})
    assert outcome(rig, "a").ready
    assert outcome(rig, "a").propagated
    assert rig.zone().published


@pytest.mark.parametrize("where", [{}, ADOPTED], ids=["ours", "adopted"])
def test_the_planner_may_publish_over_what_stands_there(rig, where):
    rig.servers["ext"].foreign_zone(ZONE)
    install(rig, {}, reads=0, **where)
    rig.resolve_waiting()
    server = "ext" if where else "p1"
    others_write(rig, server, address("a", "192.0.2.50"), mark("a"), address("b", "192.0.2.50"), mark("b", "theirs"))
    notice(rig, server)
    install(rig, {"a": "192.0.2.1"}, **where)
    rig.resolve_waiting()
    theirs = {address("b", "192.0.2.50"), mark("b", "theirs")}
    assert standing(rig, server) == rows({"a": "192.0.2.1"}) | theirs
    assert outcome(rig, "a").ready


@pytest.mark.parametrize("where", [{}, ADOPTED], ids=["ours", "adopted"])
def test_what_is_obsolete_is_removed_and_nothing_else(rig, where):
    rig.servers["ext"].foreign_zone(ZONE)
    settle(rig, {"a": "192.0.2.1", "b": "192.0.2.2"}, **where)
    server = "ext" if where else "p1"
    others_write(rig, server, address("c", "192.0.2.50"), mark("c", "theirs"))
    again = restarted(rig)
    settle(again, {"b": "192.0.2.2"}, **where)
    assert rows({"a": "192.0.2.1"}) <= standing(again, server), "nobody said that it is ours"
    install(again, {"b": "192.0.2.2"}, obsolete=row("a"), **where)
    again.resolve_waiting()
    assert standing(again, server) == rows({"b": "192.0.2.2"}) | {address("c", "192.0.2.50"), mark("c", "theirs")}


def test_what_is_obsolete_on_one_of_two_primaries_is_removed_there(rig):
    settle(rig, {}, **BOTH)
    left_behind(rig, "p2", address("a"), mark("a"))
    notice(rig, "p2")
    install(rig, {}, obsolete=row("a"), **BOTH)
    rig.resolve_waiting()
    assert standing(rig, "p2") == set()
    assert rig.zone().published


def test_every_change_at_a_planned_key_is_conditional_on_what_was_read(rig):
    settle(rig, {"a": "192.0.2.1", "b": "192.0.2.1"}, records={"r": "192.0.2.9"})
    install(rig, {"a": "192.0.2.2"}, records={"r": "192.0.2.8"})
    rig.resolve_waiting()
    left_behind(rig, "p1", address("c"))
    notice(rig, "p1")
    install(rig, {"a": "192.0.2.2"}, obsolete={address("c").key}, records={"r": "192.0.2.8"})
    rig.resolve_waiting()
    of_records = {address("r").key}
    for change in changes(rig):
        expected = Prerequisite.NONE if change.key in of_records else Prerequisite.EXACT
        assert change.prerequisite is expected, change


def test_a_record_may_take_over_what_is_obsolete_in_an_adopted_zone(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    settle(rig, {"a": "192.0.2.1"}, **ADOPTED)
    again = restarted(rig)
    settle(again, {}, records={"a": "192.0.2.7"}, **ADOPTED)
    assert again.outcome("a").reason == Reason.RECORD_CONFLICT
    install(again, {}, records={"a": "192.0.2.7"}, obsolete=row("a"), **ADOPTED)
    again.resolve_waiting()
    assert again.served("ext", "a") == {"192.0.2.7"}
    assert again.outcome("a").ready


# --- what this process published -------------------------------------------------------------------------------------


def test_an_address_and_the_mark_that_it_is_ours_come_and_go_in_one_message(rig):
    """Else a crash in between leaves an address that is nobody's."""
    settle(rig, {"a": "192.0.2.1", "b": "192.0.2.2", "c": "192.0.2.3"})
    install(rig, {})
    rig.resolve_waiting()
    for op in rig.sent:
        if isinstance(op.payload, Sync):
            names = [{change.key.name for change in unit} for unit in units(op.payload.changes)]
            for label in ("a", "b", "c"):
                assert {address(label).name, mark(label).name} in names or not op.payload.changes


def test_of_what_is_obsolete_the_mark_that_it_is_ours_goes_last(rig):
    settle(rig, {})
    left_behind(rig, "p1", *(item for label in "abc" for item in (address(label), mark(label))))
    notice(rig, "p1")
    install(rig, {}, obsolete=row("a", "b", "c"))
    types = [change.key.rdtype for change in rig.next_op().payload.changes]
    assert types == sorted(types), "A is 1, TXT is 16"


def test_what_is_too_large_to_be_named_is_guarded_by_the_soa_of_the_zone(rig):
    settle(rig, {})
    large = rrset(ZONE, "a", "TXT", *(f"{number:05}{'x' * 240}" for number in range(150)))
    left_behind(rig, "p1", large)
    notice(rig, "p1")
    other = rrset(ZONE, "a", "TXT", *(f"{number:05}{'y' * 240}" for number in range(150)))
    entry = DesiredRRset(other, planned=True)
    rig.want(rrsets={**wanted().rrsets, other.key: entry}, plan=Plan(reads_of(rig)))
    payload = rig.next_op().payload
    assert [change.prerequisite for change in payload.changes] == [Prerequisite.NONE]
    assert payload.before is not None


def test_what_this_process_published_goes_though_no_reading_has_shown_it(rig):
    settle(rig, {"a": "192.0.2.1", "b": "192.0.2.2"})
    install(rig, {"b": "192.0.2.2"})
    rig.resolve_waiting()
    assert standing(rig, "p1") == rows({"b": "192.0.2.2"})
    assert outcome(rig, "a").state is RecordState.GONE


def test_what_somebody_took_over_since_is_his(rig):
    settle(rig, {"a": "192.0.2.1"})
    taken = {address("a", "192.0.2.50"), mark("a", "theirs")}
    others_write(rig, "p1", *taken)
    notice(rig, "p1")
    assert standing(rig, "p1") == taken, "it is not repaired as a record would be"
    install(rig, {})
    rig.resolve_waiting()
    assert standing(rig, "p1") == taken
    assert outcome(rig, "a").state is RecordState.GONE
    assert rig.zone().published


def test_what_a_lost_reply_may_have_published_is_for_the_planner_to_judge(rig):
    settle(rig, {})
    install(rig, {"a": "192.0.2.1"})
    rig.servers["p1"].carry_out(rig.next_op(), lambda: 1)
    rig.fail(ambiguous=True)
    install(rig, {}, reads=reads_of(rig))
    rig.resolve_waiting()
    assert standing(rig, "p1") == rows({"a": "192.0.2.1"})
    install(rig, {}, obsolete=row("a"))
    rig.resolve_waiting()
    assert standing(rig, "p1") == set()
    assert outcome(rig, "a").state is RecordState.GONE


def test_what_was_planned_and_is_gone_is_forgotten(rig):
    settle(rig, {"a": "192.0.2.1"})
    install(rig, {})
    rig.resolve_waiting()
    install(rig, {})
    rig.resolve_waiting()
    assert not rig.core.model.zones[REF.uid].retired


# --- somebody is faster ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", [{}, ADOPTED], ids=["ours", "adopted"])
def test_who_writes_between_the_plan_and_the_update_is_not_overwritten(rig, where):
    rig.servers["ext"].foreign_zone(ZONE)
    server = "ext" if where else "p1"
    settle(rig, {}, **where)
    install(rig, {"a": "192.0.2.1"}, **where)
    taken = {address("a", "192.0.2.50"), mark("a", "theirs")}
    others_write(rig, server, *taken)
    rig.resolve_waiting()
    assert standing(rig, server) == taken
    assert outcome(rig, "a").state is RecordState.PENDING
    assert outcome(rig, "a").reason == Reason.PROGRESSING


def test_a_condition_that_fails_has_the_zone_read_and_planned_again_after_a_pause(rig):
    """Though the serial did not move. No record hears of a conflict, and it is not tried in a hot loop."""
    settle(rig, {})
    for attempt in (1, 2, 3):
        before = reads_of(rig)
        install(rig, {"a": "192.0.2.1"})
        key = address("a").key
        op = rig.next_op()
        assert op.kind is OpKind.SYNC
        lost = tuple((key, Reason.RECORD_CONFLICT, "NXRRSET") for key in row("a"))
        rig.finish(op, Applied(op.payload.before.serial, None, lost))
        assert outcome(rig, "a").state is RecordState.PENDING
        assert outcome(rig, "a").reason != Reason.RECORD_CONFLICT
        began = rig.now.mono
        rig.resolve_waiting()
        assert rig.now.mono - began >= 2.0 ** (attempt - 1)
        assert reads_of(rig) > before
        assert key not in rig.servers["p1"].zones[ZONE].records
    install(rig, {"a": "192.0.2.1"})
    rig.resolve_waiting()
    assert outcome(rig, "a").ready


def test_an_update_under_a_plan_that_went_out_of_date_meanwhile_may_still_arrive(rig):
    """It was decided on what still stood there; what came of it is looked at by the next plan."""
    settle(rig, {}, **BOTH)
    install(rig, {"a": "192.0.2.1"}, **BOTH)
    first, second = sorted(rig.flight.values(), key=lambda op: op.key.server)
    others_write(rig, "p2", address("theirs"))
    rig.finish(second)
    rig.finish(first)
    rig.resolve_waiting()
    assert outcome(rig, "a").state is RecordState.PENDING
    install(rig, {"a": "192.0.2.1"}, **BOTH)
    rig.resolve_waiting()
    assert rows({"a": "192.0.2.1"}) <= standing(rig, "p1") & standing(rig, "p2")
    assert outcome(rig, "a").ready


# --- one of many -----------------------------------------------------------------------------------------------------


def test_what_a_server_refuses_is_told_to_its_own_endpoint_only(rig):
    settle(rig, {"good": "192.0.2.1", "bad": BAD, "fine": "192.0.2.3"})
    assert outcome(rig, "bad").state is RecordState.FAILED
    assert outcome(rig, "bad").reason == Reason.REJECTED
    assert outcome(rig, "good").ready
    assert outcome(rig, "fine").ready
    assert standing(rig, "p1") == rows({"good": "192.0.2.1", "fine": "192.0.2.3"}), "and nothing marks it as ours"


def test_parts_of_one_object_are_told_apart():
    assert str(endpoint("a")) == "DNSEndpoint default/all (a)"
    assert str(endpoint("")) == "DNSEndpoint default/all"
    assert endpoint("a") != endpoint("b")


def test_what_one_of_two_primaries_refuses_goes_back_on_both_to_what_stood_there(rig):
    settle(rig, {"a": "192.0.2.1"}, **BOTH)
    again = restarted(rig)
    again.servers["p2"].strict = True
    settle(again, {"a": ODD}, **BOTH)
    assert outcome(again, "a").reason == Reason.REJECTED
    assert again.served("p1", "a") == again.served("p2", "a") == {"192.0.2.1"}


def test_what_one_of_two_primaries_refuses_and_the_other_has_stays(rig):
    settle(rig, {"a": ODD}, primaries=frozenset({"p1"}))
    again = restarted(rig)
    again.servers["p2"].strict = True
    settle(again, {"a": ODD}, **BOTH)
    install(again, {"a": ODD}, **BOTH)
    again.resolve_waiting()
    assert again.served("p1", "a") == {ODD}
    assert again.served("p2", "a") == set()


def many(count: int) -> dict[str, str]:
    return {f"h{number}": "192.0.2.1" for number in range(count)}


def test_a_mass_removal_of_what_is_obsolete_waits_for_consent(rig):
    settle(rig, many(20))
    again = restarted(rig)
    install(again, {}, reads=0)
    again.resolve_waiting()
    install(again, {}, obsolete=row(*many(20)))
    again.resolve_waiting()
    assert again.zone().mass_delete is not None
    assert len(standing(again, "p1")) == 40
    install(again, {}, obsolete=row(*many(20)), consent=True)
    again.resolve_waiting()
    assert standing(again, "p1") == set()


def test_what_is_held_back_and_taken_over_meanwhile_is_not_put_back(rig):
    settle(rig, many(20))
    install(rig, {})
    rig.resolve_waiting()
    assert outcome(rig, "h0").reason == Reason.WAITING_FOR_CONSENT
    taken = {address("h0", "192.0.2.50"), mark("h0", "theirs")}
    others_write(rig, "p1", *taken)
    notice(rig, "p1")
    assert taken <= standing(rig, "p1")
    left = {f"h{number}": "192.0.2.1" for number in range(1, 20)}
    install(rig, {}, obsolete=row(*left))
    rig.resolve_waiting()
    assert standing(rig, "p1") == taken | rows(left)
    assert outcome(rig, "h0").state is RecordState.GONE
    assert outcome(rig, "h1").reason == Reason.WAITING_FOR_CONSENT
    install(rig, {}, obsolete=row(*left), consent=True)
    rig.resolve_waiting()
    assert standing(rig, "p1") == taken


# --- leaving ---------------------------------------------------------------------------------------------------------


def delete(rig: Rig, **fields) -> None:
    made_on = reads_of(rig)
    rig.delete(plan=Plan(**{"reads": made_on, **fields}))
    rig.resolve_waiting()


def test_an_adopted_zone_that_is_deleted_is_left_after_a_current_plan(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    settle(rig, {"a": "192.0.2.1"}, **ADOPTED)
    others_write(rig, "ext", address("theirs"))
    again = restarted(rig)
    again.delete(servers=frozenset({"ext"}), plan=Plan())
    again.resolve_waiting()
    assert again.core.zone(REF) is not None
    assert again.writes() == []
    assert REF in {change.zone for change in again.changes}
    delete(again, obsolete=row("a"))
    assert again.core.zone(REF) is None
    assert standing(again, "ext") == {address("theirs")}


def test_an_adopted_zone_that_is_deleted_without_a_planner_is_left_at_once(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    settle(rig, {"a": "192.0.2.1"}, **ADOPTED)
    rig.delete()
    rig.resolve_waiting()
    assert rig.core.zone(REF) is None
    assert standing(rig, "ext") == set()


def test_a_zone_that_we_created_needs_no_plan_to_go(rig):
    settle(rig, {"a": "192.0.2.1"})
    rig.delete(plan=Plan())
    rig.resolve_waiting()
    assert rig.core.zone(REF) is None
    assert ZONE not in rig.servers["p1"].zones


LEFT: dict[str, Any] = {"former": frozenset({"ext"})}


def test_what_the_process_published_on_a_server_of_others_goes_when_the_zone_leaves_it(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    settle(rig, {"a": "192.0.2.1"}, **ADOPTED)
    install(rig, {"a": "192.0.2.1"}, **LEFT)
    rig.resolve_waiting()
    assert rows({"a": "192.0.2.1"}) == standing(rig, "ext"), "the primaries are others now: that takes another plan"
    install(rig, {"a": "192.0.2.1"}, **LEFT)
    rig.resolve_waiting()
    assert standing(rig, "ext") == set()
    assert standing(rig, "p1") == rows({"a": "192.0.2.1"})
    assert rig.zone().published


def test_what_only_the_registry_knows_on_a_server_that_the_zone_left_goes_when_the_planner_says_so(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    settle(rig, {"a": "192.0.2.1"}, **ADOPTED)
    taken = {address("b", "192.0.2.50"), mark("b", "theirs")}
    others_write(rig, "ext", *taken)
    again = restarted(rig)
    install(again, {}, reads=0, **LEFT)
    again.resolve_waiting()
    assert content(again).former["ext"].keys() >= row("a", "b")
    assert again.zone().servers[0].name == "ext"
    install(again, {"a": "192.0.2.1"}, leftovers={"ext": row("a")}, **LEFT)
    again.resolve_waiting()
    assert standing(again, "ext") == taken
    assert standing(again, "p1") == rows({"a": "192.0.2.1"})
    assert [server.name for server in again.zone().servers] == ["p1"]


def test_a_zone_that_has_left_all_its_servers_is_known_when_these_were_read(rig):
    rig.servers["ext"].foreign_zone(ZONE)
    settle(rig, {"a": "192.0.2.1"}, **ADOPTED)
    again = restarted(rig)
    install(again, {}, reads=0, primaries=frozenset(), **LEFT)
    assert not content(again).known
    again.resolve_waiting()
    assert content(again).known
    install(again, {}, leftovers={"ext": row("a")}, primaries=frozenset(), **LEFT)
    again.resolve_waiting()
    assert standing(again, "ext") == set()
    assert again.zone().servers == ()
