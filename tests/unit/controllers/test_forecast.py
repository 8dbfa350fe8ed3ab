"""What a dry run says: every change with its sign, what is left out with its reason, and never more than is known."""

from types import SimpleNamespace
from typing import Any

import pytest

from controllers.flags import printable
from controllers.forecast import NOTHING, Forecast, Note, Refusal, Sources, document, gather, text
from controllers.plan import Exit, Failures, Output, show
from reconcilers.ddns.plan import Change
from reconcilers.ddns.rrset import RRset
from reconcilers.engine import Doing, Intent, MassDelete, Outlook, Role, Setting, ZoneKey, ZoneRef
from reconcilers.reasons import Reason
from reconcilers.status.invalid_zones import InvalidZone
from tests.support.engine_world import rrset, zone_name
from zonewright import Request

ZONE, OTHER = zone_name("example.org"), zone_name("example.net")
REF = ZoneRef(ZONE, "uid-1", "dns", "example-org")


def a(label: str, *values: str, ttl: int = 300) -> RRset:
    return rrset(ZONE, label, "A", *values, ttl=ttl)


def change(before: RRset | None, after: RRset | None) -> Change:
    found = after or before
    assert found is not None
    return Change(found.key, before, after)


PLANNED = "Plan: 1 to create, 1 to change, 1 to delete (RRsets), in 1 zone on servers."
INCOMPLETE = "The plan is not complete: see above what could not be read."
CHANGES = (
    change(a("www", "192.0.2.1"), a("www", "192.0.2.2", "192.0.2.1", ttl=60)),
    change(None, a("new", "192.0.2.1")),
    change(a("old", "192.0.2.1"), None),
)


def outlook(server: str = "dns/p1", intent: Intent | None = None, **more: Any) -> Outlook:
    return Outlook(
        ZoneKey(server, ZONE), REF, **{"role": Role.PRIMARY, "read": True, "settled": True, "intent": intent, **more}
    )


REFUSAL = Refusal("DNSEndpoint", "shop", "www", "www.example.org", "A", "", "OwnerMismatch", "it belongs to others")
CHANGING = Forecast((outlook(intent=Intent(Doing.CHANGE, CHANGES)), outlook("dns/p2")))


def test_each_change_is_a_line_with_its_sign_in_the_order_of_names():
    assert list(text(CHANGING)) == [
        "~ zone example.org (DNSZone dns/example-org) on primary dns/p1 would be changed:",
        "  + new.example.org A: 300 192.0.2.1",
        "  - old.example.org A: 300 192.0.2.1",
        "  ~ www.example.org A: 300 192.0.2.1 -> 60 192.0.2.1, 192.0.2.2",
        "",
        PLANNED,
    ]


@pytest.mark.parametrize(
    ("intent", "heading"),
    [
        (Intent(Doing.CREATE), "+ {} would be created:"),
        (Intent(Doing.CREATE, waits_for=("a primary",)), "+ {} would be created (after a primary):"),
        (Intent(Doing.REPLACE), "~ {} would be deleted and created anew:"),
        (Intent(Doing.DELETE, waits_for=("a", "b")), "- {} would be deleted (after a, b):"),
        (Intent(Doing.TRANSFER), "~ {} would be transferred again:"),
    ],
)  # fmt: skip
def test_what_would_become_of_the_zone_is_the_heading(intent: Intent, heading: str):
    zone = "zone example.org (DNSZone dns/example-org) on primary dns/p1"
    assert next(text(Forecast((outlook(intent=intent),)))) == heading.format(zone)


def test_settings_are_told_before_the_changes():
    settings = (Setting("also-notify", "", "192.0.2.1 port 53"), Setting("dnssec-policy", "default", ""))
    lines = list(text(Forecast((outlook(intent=Intent(Doing.CHANGE, (), settings)),))))
    assert lines[1:3] == ["  ~ also-notify: (none) -> 192.0.2.1 port 53", "  ~ dnssec-policy: default -> (none)"]


def test_what_would_not_be_published_and_what_is_left_alone_follow():
    found = Forecast((), (REFUSAL,), (Note("DNSZone dns/x", "it is not valid"),))
    assert list(text(found)) == [
        "Would not be published:",
        "  DNSEndpoint shop/www (www.example.org A): OwnerMismatch: it belongs to others",
        "",
        "Left alone:",
        "  DNSZone dns/x: it is not valid",
        "",
        NOTHING,
    ]


@pytest.mark.parametrize(
    ("forecast", "code", "last"),
    [
        (Forecast(), Exit.NOTHING, NOTHING),
        (Forecast(refusals=(REFUSAL,)), Exit.NOTHING, NOTHING),
        (CHANGING, Exit.CHANGES, PLANNED),
        (
            Forecast(problems=(Note("dnszones", "forbidden"),)),
            Exit.FAILED,
            INCOMPLETE,
        ),
        (
            Forecast(CHANGING.outlooks, problems=(Note("dnszones", "forbidden"),)),
            Exit.FAILED,
            f"{PLANNED} {INCOMPLETE}",
        ),
    ],
)
def test_the_exit_code_and_the_last_line_claim_no_more_than_is_known(forecast: Forecast, code: Exit, last: str):
    said: list[str] = []
    assert show(forecast, Output.TEXT, said.append) is code
    assert said[-1] == last
    assert show(forecast, Output.JSON, said.append) is code


def test_a_program_reads_the_same():
    found = document(Forecast(CHANGING.outlooks, (REFUSAL,), (), (Note("dnszones", "forbidden"),)))
    assert found["complete"] is False
    assert found["summary"] == {"create": 1, "change": 1, "delete": 1}
    (zone,) = found["zones"]
    assert (zone["zone"], zone["namespace"], zone["name"], zone["server"]) == (
        "example.org",
        "dns",
        "example-org",
        "dns/p1",
    )
    assert (zone["role"], zone["action"], zone["changesCount"]) == ("primary", "change", 3)
    assert zone["changes"][0] == {
        "action": "change",
        "name": "www.example.org",
        "type": "A",
        "before": {"ttl": 300, "data": ["192.0.2.1"]},
        "after": {"ttl": 60, "data": ["192.0.2.1", "192.0.2.2"]},
    }
    assert found["notPublished"] == [
        {
            "kind": "DNSEndpoint",
            "namespace": "shop",
            "name": "www",
            "dnsName": "www.example.org",
            "recordType": "A",
            "setIdentifier": "",
            "reason": "OwnerMismatch",
            "message": "it belongs to others",
        }
    ]
    assert found["unread"] == [{"about": "dnszones", "message": "forbidden"}]


def test_a_debug_page_shows_a_part_of_a_long_list_and_how_long_it_is():
    found = document(CHANGING, at_most=2)
    assert (len(found["zones"][0]["changes"]), found["zones"][0]["changesCount"]) == (2, 3)


def test_what_tenants_wrote_cannot_move_the_cursor_or_forge_a_line():
    assert printable("www\x1b[2J\nNo changes: all is well\u202e") == "www\\x1b[2J\\nNo changes: all is well\\u202e"
    said: list[str] = []
    show(
        Forecast(refusals=(Refusal("DNSEndpoint", "a", "b", "x\nNo changes.", "A", "", "Invalid", "\x9b"),)),
        Output.TEXT,
        said.append,
    )
    assert said[1] == "  DNSEndpoint a/b (x\\nNo changes. A): Invalid: \\x9b"


# --- gathering


class World:
    """The parts of an operator that are asked, with nothing in them until a test says so."""

    def __init__(self, *outlooks: Outlook) -> None:
        self.outlooks = list(outlooks)
        self.zones: dict[str, Any] = {}
        self.invalid: dict[Request, InvalidZone] = {}
        self.objects: list[Any] = []

    def zone(self, name: str, *roles: Role, deleting: bool = False, held: MassDelete | None = None) -> None:
        key = Request("dns", name)
        servers = [SimpleNamespace(role=role) for role in roles]
        self.zones[f"uid-{name}"] = SimpleNamespace(servers=servers, mass_delete=held)
        self.objects.append(SimpleNamespace(key=key, namespace="dns", name=name, deleting=deleting))

    def gather(self) -> Forecast:
        ref = {each.key: SimpleNamespace(ref=SimpleNamespace(uid=f"uid-{each.name}")) for each in self.objects}
        sources: Any = SimpleNamespace(
            engine=SimpleNamespace(outlook=lambda: self.outlooks, zone=lambda found: self.zones.get(found.uid)),
            assignments=SimpleNamespace(objects=list),
            selection=SimpleNamespace(zone=ref.get),
            invalid_zones=SimpleNamespace(get=self.invalid.get),
            zones=SimpleNamespace(objects=lambda: self.objects),
            records=[],
        )
        return gather(Sources(**vars(sources)))


def test_a_server_that_was_not_read_is_a_problem_with_its_reason():
    world = World(
        outlook(read=False, reason=Reason.SERVER_UNREACHABLE, message="timed out"), outlook("dns/p2", read=False)
    )
    assert [str(each) for each in world.gather().problems] == [
        "zone example.org (DNSZone dns/example-org) on server dns/p1: ServerUnreachable: timed out",
        "zone example.org (DNSZone dns/example-org) on server dns/p2: it did not answer in time",
    ]


def test_a_fault_of_the_operator_and_a_plan_that_could_not_be_made_are_problems_too():
    fault = outlook(reason=Reason.INTERNAL_ERROR, message="KeyError: 'x'")
    world = World(fault, outlook("dns/p2", planned=False), outlook("dns/p3", planned=False))
    assert [each.message for each in world.gather().problems] == [
        "InternalError: KeyError: 'x'",
        "what endpoints would publish cannot be told: not every server that decides could be read",
    ]


def test_somebody_elses_zone_is_left_alone():
    world = World(outlook(reason=Reason.CONFLICT, message="dns/p1 holds example.org for somebody else"))
    found = world.gather()
    assert found.complete
    assert [each.message for each in found.notes] == ["Conflict: dns/p1 holds example.org for somebody else"]


def test_zones_that_would_not_be_published_say_why():
    world = World()
    world.zone("well", Role.PRIMARY, Role.SECONDARY)
    world.zone("nowhere", Role.SECONDARY)
    world.zone("going", deleting=True)
    world.zone("wrong")
    world.invalid[Request("dns", "wrong")] = InvalidZone("spec.zoneName: a label is too long", served=False)
    world.zone("emptied", Role.PRIMARY, held=MassDelete(20, 22))
    assert [str(each) for each in world.gather().notes] == [
        "DNSZone dns/emptied: 20 of 22 RRsets would be removed at once, if somebody agreed",
        "DNSZone dns/nowhere: would not be published: it selects no primary Bind9Instance that can be used",
        "DNSZone dns/wrong: would not be published: spec.zoneName: a label is too long",
    ]


def test_reconciles_that_keep_failing_are_problems_until_they_succeed():
    failures = Failures()
    zones, servers = failures.of("dnszone"), failures.of("bind9instance")
    zones.failed(Request("dns", "a"), OSError("no"), 3, final=False)
    servers.failed(Request("dns", "p1"), KeyError("x"), 1, final=True)
    assert [str(each) for each in failures.problems()] == [
        "bind9instance dns/p1: cannot be reconciled: KeyError: 'x'",
        "dnszone dns/a: cannot be reconciled: OSError: no",
    ]
    assert (failures.keep("dnszone"), failures.keep("bind9instance")) == ({"dns/a"}, {"dns/p1"})
    zones.succeeded(Request("dns", "a"))
    zones.failed(Request("dns", "b"), OSError("no"), 1, final=False)
    assert failures.keep("dnszone") == set(), "once may be an accident"
    assert len(list(failures.problems())) == 2
