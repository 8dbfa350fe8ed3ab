"""The engine on real BIND servers: zones come, are filled, repaired, moved and go; status says what dig says."""

import itertools
import threading

import pytest

from reconcilers.ddns import Change
from reconcilers.engine import Plan, RecordState, Role, ServerSpec
from reconcilers.reasons import Reason
from tests.support.ddns import client_of, tsig
from tests.support.engine_stage import Stage, spec_of
from zonewright.testing import eventually

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def servers(background):
    """Two primaries and a secondary with bindcar beside each, shared by the tests of this module."""
    from testbed.named import NameServer, TsigKey

    key = TsigKey.create("zonewright")
    made = [NameServer(background, role=role, key=key) for role in ("primary", "primary", "secondary")]
    for server in made:
        server.start(wait=False)
    for server in made:
        server.wait_ready()
    yield made
    for server in made:
        server.close()


@pytest.fixture
def stage(servers):
    made = Stage()
    made.add(*servers)
    made.engine.start()
    yield made
    made.engine.stop(timeout=60)


@pytest.fixture
def wish(stage, servers):
    primary, _, secondary = servers
    return stage.wish(f"e{next(_numbers)}.test", [primary], [secondary])


def test_a_zone_with_records_is_created_filled_and_transferred(wish, servers):
    wish.put("www", "192.0.2.1").put("mail", "192.0.2.2", "192.0.2.3").install()
    status = wish.wait_propagated()
    primary, _, secondary = servers
    assert wish.content(primary) == wish.content(secondary)
    assert wish.content(primary)[0] == status.serial
    assert wish.served(secondary, "mail") == {"192.0.2.2", "192.0.2.3"}
    outcome = wish.outcome("www")
    assert (outcome.ready, outcome.propagated, outcome.reason) == (True, True, "RecordPublished")
    assert outcome.last_updated is not None


def test_a_record_that_comes_before_its_zone_exists_is_buffered_and_then_published(stage, servers):
    late = stage.wish(f"e{next(_numbers)}.test", [servers[0]])
    late.primaries = frozenset({"late/primary"})
    late.put("www", "192.0.2.1").install()
    assert late.outcome("www").reason == "ZoneNotReady"
    assert [entry["count"] for entry in stage.engine.buffered({"key": str(late.zone)})] == [3]
    spec = spec_of(servers[0])
    stage.engine.set_server(ServerSpec("late/primary", Role.PRIMARY, spec.address, spec.port, spec.key, spec.bindcar))
    late.wait_published()
    assert stage.engine.buffered({"key": str(late.zone)}) == []
    assert late.served(servers[0], "www") == {"192.0.2.1"}


def test_one_changed_record_is_one_update_with_one_new_serial(wish, servers):
    wish.put("www", "192.0.2.1").put("other", "192.0.2.9").install()
    before = wish.wait_propagated().serial
    wish.put("www", "192.0.2.7").install()
    wish.wait_ready("www")
    after = wish.wait_propagated().serial
    assert after > before
    assert wish.served(servers[2], "www") == {"192.0.2.7"}


def test_the_same_wish_again_never_moves_the_serial(wish, stage):
    wish.put("www", "192.0.2.1").install()
    before = wish.wait_propagated().serial
    for _ in range(3):
        wish.install()
        stage.poll(wish)
    stage.wait_quiet()
    assert wish.wait_propagated().serial == before


def test_a_restarted_engine_finds_what_is_there_and_changes_nothing(wish, stage, servers):
    wish.put("www", "192.0.2.1").install()
    before = wish.wait_propagated().serial
    again = Stage()
    again.add(*servers)
    wish.stage = again
    wish.serial_floor = before
    again.engine.start()
    try:
        wish.install()
        assert wish.wait_propagated().serial == before
        assert wish.outcome("www").ready
    finally:
        again.engine.stop()


def test_a_bad_record_is_rejected_alone_with_the_servers_rcode(wish, servers):
    wish.put("www", "192.0.2.1").install()
    wish.wait_propagated()
    wish.put("_bad", "192.0.2.2").put("good", "192.0.2.3").install()
    wish.wait_ready("good")
    outcome = wish.wait_outcome("_bad", state=RecordState.FAILED, reason=Reason.REJECTED)
    assert "REFUSED" in outcome.message
    wish.wait_propagated()
    assert wish.content(servers[0]) == wish.content(servers[2])


def test_a_rejected_record_is_published_once_it_is_changed(wish):
    wish.put("_bad", "192.0.2.2").install()
    wish.wait_outcome("_bad", state=RecordState.FAILED)
    wish.drop("_bad").put("good", "192.0.2.2").install()
    wish.wait_ready("good")
    wish.wait_propagated()


def test_a_foreign_change_inside_our_rrsets_is_repaired_and_outside_left_alone(wish, stage, servers):
    wish.put("www", "192.0.2.1").install()
    wish.wait_propagated()
    with client_of(servers[0]) as client:
        ours = Change(wish.rrset("www", "A", "192.0.2.1").key, None, wish.rrset("www", "A", "192.0.2.99"))
        theirs = Change(wish.rrset("x", "TXT", "mine").key, None, wish.rrset("_acme-challenge", "TXT", "mine"))
        client.update(wish.zone, [ours, theirs])
    stage.poll(wish)
    wish.wait_served(servers[0], "www", "192.0.2.1")
    wish.wait_propagated()
    eventually(
        lambda: (wish.status.repaired, wish.status.foreign) == (1, 1), what=lambda: f"one of each: {wish.status}"
    )
    assert wish.rrset("_acme-challenge", "TXT", "mine") in wish.content(servers[0])[1]
    assert wish.content(servers[0]) == wish.content(servers[2])


def test_a_record_rejected_beside_a_foreign_cname_is_published_once_that_is_gone(wish, stage, servers):
    wish.put("www", "192.0.2.1").install()
    wish.wait_propagated()
    theirs = wish.rrset("app", "CNAME", "www")
    with client_of(servers[0]) as client:
        client.update(wish.zone, [Change(theirs.key, None, theirs)])
    stage.poll(wish)
    wish.put("app", "192.0.2.2").install()
    assert "CNAME" in wish.wait_outcome("app", state=RecordState.FAILED).message
    with client_of(servers[0]) as client:
        client.update(wish.zone, [Change(theirs.key, theirs, None)])
    stage.poll(wish)
    wish.wait_ready("app")
    wish.wait_propagated()
    assert wish.served(servers[0], "app") == {"192.0.2.2"}


def test_a_mass_removal_waits_for_consent(wish, servers):
    for number in range(40):
        wish.put(f"h{number}", "192.0.2.1")
    wish.install()
    wish.wait_propagated()
    wish.records = {("h0", "A"): ("192.0.2.1",)}
    wish.install()
    eventually(lambda: wish.status.mass_delete is not None)
    assert wish.status.mass_delete.removals == 39
    assert wish.served(servers[0], "h7") == {"192.0.2.1"}
    assert wish.outcome("h7").reason == "WaitingForConsent"
    wish.consent = True
    wish.install()
    wish.wait_outcome("h7", state=RecordState.GONE)
    assert wish.served(servers[0], "h7") == set()


def test_a_change_of_the_soa_is_applied(wish, servers):
    wish.install()
    wish.wait_propagated()
    wish.refresh, wish.generation = 1234, 2
    wish.install()
    with client_of(servers[0]) as primary, client_of(servers[2]) as secondary:
        eventually(lambda: {client.soa(wish.zone).refresh for client in (primary, secondary)} == {1234})


def test_deletion_goes_secondaries_first_and_releases_at_the_end(wish, stage, servers):
    wish.put("www", "192.0.2.1").install()
    wish.wait_propagated()
    wish.delete()
    wish.wait_released()
    assert not any(wish.exists(server) for server in (servers[0], servers[2]))
    released = eventually(lambda: [change for change in stage.changes if change.released and change.zone == wish.ref])
    assert released[0].correlation == ""


def test_a_zone_moves_to_another_server(wish, servers):
    first, second, _ = servers
    wish.put("www", "192.0.2.1").install()
    wish.wait_propagated()
    wish.primaries, wish.former = frozenset({second.name}), frozenset({first.name})
    wish.install()
    wish.wait_propagated()
    eventually(lambda: not wish.exists(first))
    assert wish.served(second, "www") == {"192.0.2.1"}


def test_a_zone_object_that_was_replaced_starts_afresh(wish, stage, servers):
    wish.put("old", "192.0.2.1").install()
    wish.wait_propagated()
    heir = stage.wish(str(wish.zone), [servers[0]], [servers[2]])
    heir.put("new", "192.0.2.2").install()
    wish.delete()
    wish.wait_released()
    heir.wait_propagated()
    assert heir.served(servers[2], "old") == set()
    assert heir.served(servers[2], "new") == {"192.0.2.2"}


def test_somebody_elses_zone_is_left_alone(stage, servers):
    name = f"e{next(_numbers)}.test"
    servers[0].add_zone(name, "www A 192.0.2.77")
    wish = stage.wish(name, [servers[0]])
    before = wish.content(servers[0])
    wish.put("www", "192.0.2.1").install()
    eventually(lambda: wish.status.servers[0].reason == "Conflict")
    assert wish.content(servers[0]) == before
    wish.delete()
    wish.wait_released()
    assert wish.content(servers[0]) == before


def test_an_adopted_zone_gets_our_records_and_keeps_its_own(stage, servers):
    name = f"e{next(_numbers)}.test"
    servers[0].add_zone(name, "theirs A 192.0.2.77")
    adopted = ServerSpec("adopted", Role.PRIMARY, servers[0].address, servers[0].port, tsig(servers[0]))
    stage.engine.set_server(adopted)
    wish = stage.wish(name, [])
    wish.primaries, wish.apex = frozenset({"adopted"}), False
    wish.put("ours", "192.0.2.1").put("theirs", "192.0.2.2").install()
    wish.wait_ready("ours")
    wish.wait_outcome("theirs", reason=Reason.RECORD_CONFLICT)
    assert wish.served(servers[0], "theirs") == {"192.0.2.77"}
    wish.delete()
    wish.wait_released()
    assert wish.exists(servers[0])
    assert wish.served(servers[0], "ours") == set()
    assert wish.served(servers[0], "theirs") == {"192.0.2.77"}


def test_endpoints_are_published_and_removed_as_their_registry_in_the_zone_says(stage, servers):
    name = f"e{next(_numbers)}.test"
    rows = "old A 192.0.2.5\na-old TXT owner=ours\ntheirs A 192.0.2.77\na-theirs TXT owner=theirs"
    servers[0].add_zone(name, rows)
    stage.engine.set_server(ServerSpec("adopted", Role.PRIMARY, servers[0].address, servers[0].port, tsig(servers[0])))
    wish = stage.wish(name, [], apex=False, plan=Plan())
    wish.primaries = frozenset({"adopted"})
    wish.install()
    eventually(lambda: (content := stage.engine.content(wish.ref)) and content.known, what="the first reading")
    content = stage.engine.content(wish.ref)
    old = frozenset({wish.rrset("old", "A", "192.0.2.5").key, wish.rrset("a-old", "TXT", "owner=ours").key})
    assert content.primaries["adopted"].keys() >= old
    wish.planned = {("www", "A"): ("192.0.2.1",), ("a-www", "TXT"): ("owner=ours",)}
    wish.plan = Plan(content.reads, old)
    wish.install()
    wish.wait_ready("www")
    wish.wait_ready("a-www", "TXT")
    wish.wait_served(servers[0], "old")
    assert wish.served(servers[0], "theirs") == {"192.0.2.77"}
    assert stage.engine.reads(wish.ref) == content.reads

    taken = [("www", "A", "192.0.2.1", "192.0.2.50"), ("a-www", "TXT", "owner=ours", "owner=theirs")]
    rrsets = [(wish.rrset(*at, before), wish.rrset(*at, after)) for *at, before, after in taken]
    with client_of(servers[0]) as client:
        client.update(wish.zone, [Change(before.key, before, after) for before, after in rrsets])
    stage.poll(wish)
    eventually(lambda: stage.engine.reads(wish.ref) > content.reads, what="the next reading")
    wish.planned, wish.plan = {}, Plan(stage.engine.reads(wish.ref))
    wish.install()
    wish.wait_outcome("www", state=RecordState.GONE)
    wish.wait_published()
    assert wish.served(servers[0], "www") == {"192.0.2.50"}
    assert wish.served(servers[0], "a-www", "TXT") == {'"owner=theirs"'}


def test_a_key_that_the_server_does_not_know_is_named_as_the_reason(stage, servers):
    from testbed.named import TsigKey

    wrong = TsigKey.create("stranger")
    spec = spec_of(servers[0])
    key = tsig(type("Holder", (), {"key": wrong}))
    stage.engine.set_server(ServerSpec("keyless", Role.PRIMARY, spec.address, spec.port, key, spec.bindcar))
    wish = stage.wish(f"e{next(_numbers)}.test", [])
    wish.primaries = frozenset({"keyless"})
    wish.put("www", "192.0.2.1").install()
    wish.wait_outcome("www", reason=Reason.TSIG_VERIFICATION_FAILED)
    stage.engine.set_server(ServerSpec("keyless", Role.PRIMARY, spec.address, spec.port, spec.key, spec.bindcar))
    wish.wait_published()


def test_callbacks_are_isolated_from_each_other(stage, wish):
    heard = threading.Event()

    def broken(change):
        raise RuntimeError("a fault in somebody's callback")

    stage.engine.register_status_callback(broken)
    stage.engine.register_status_callback(lambda change: heard.set())
    wish.install()
    wish.wait_propagated()
    assert heard.wait(60)
    assert stage.engine.metrics._callback_failures >= 1


@pytest.mark.slow
def test_two_hundred_zones_come_and_go_three_times(stage, servers):
    for _ in range(3):
        wishes = [stage.wish(f"n{number}.bulk.test", [servers[0]]) for number in range(200)]
        for wish in wishes:
            wish.put("www", "192.0.2.1").install()
        for wish in wishes:
            wish.wait_published()
        for wish in wishes:
            wish.delete()
        for wish in wishes:
            wish.wait_released()
    assert stage.engine.services({}) == []
    assert stage.engine.buffered({}) == []
