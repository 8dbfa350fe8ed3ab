"""Which zones select which records, and what they want published, as objects come, change and go."""

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest

from generated.kinds import KINDS
from reconcilers.desired.ownership import NAME_ANNOTATION, ZONE_ANNOTATION, finalizer
from reconcilers.desired.selection import Selection
from reconcilers.desired.views import record_view, zone_view
from zonewright.api.kind import Request
from zonewright.api.objects import Object

VERSIONS = itertools.count(1)


def _object(kind: str, name: str, metadata: dict[str, Any], **parts: Any) -> Object[Any]:
    version = next(VERSIONS)
    fields = {
        "apiVersion": "bindy.firestoned.io/v1beta1",
        "kind": kind,
        "metadata": {
            "name": name,
            "namespace": "dns",
            "uid": f"{kind}-{name}",
            "generation": 1,
            "resourceVersion": str(version),
            "creationTimestamp": "2026-01-01T00:00:00Z",
            **metadata,
        },
        **parts,
    }
    return Object(KINDS[kind], Request("dns", name), version, 1, json.dumps(fields).encode())


def zone(name: str, zone_name: str, *selectors: dict[str, Any], **metadata: Any):
    spec = {
        "zoneName": zone_name,
        "soaRecord": {"primaryNs": f"ns1.{zone_name}.", "adminEmail": "admin@example.org"},
        "recordsFrom": [{"selector": selector} for selector in selectors],
        "ttl": 600,
    }
    return zone_view(_object("DNSZone", name, metadata, spec=spec))


def record(name: str, labels: dict[str, str], *, claims: str = "", spec: dict[str, Any] | None = None, **metadata: Any):
    """A record that has claimed the zones of `claims`, comma-separated."""
    marks: dict[str, Any] = {"labels": labels}
    spec = spec or {"name": name, "ipv4Address": "192.0.2.1"}
    if claims:
        marks["annotations"] = {ZONE_ANNOTATION: claims, NAME_ANNOTATION: spec["name"]}
        marks["finalizers"] = [finalizer("ARecord")]
    return record_view(_object("ARecord", name, {**marks, **metadata}, spec=spec))


def wanted(selection: Selection, name: str) -> set[str]:
    chosen = selection.zone_set(Request("dns", name))
    assert chosen is not None
    return {str(contribution.rrset) for contribution in chosen.wanted.values()}


def owned(selection: Selection, name: str) -> set[str]:
    chosen = selection.zone_set(Request("dns", name))
    assert chosen is not None
    return {str(key) for key in chosen.claimed}


@pytest.fixture(params=["zone first", "record first"])
def both(request):
    """A zone and a claimed record, in either order of arrival."""
    selection = Selection()
    arrivals = [
        lambda: selection.put_zone(zone("a", "a.test", {"matchLabels": {"zone": "a"}})),
        lambda: selection.put_record(record("www", {"zone": "a"}, claims="a.test")),
    ]
    for arrive in arrivals if request.param == "zone first" else reversed(arrivals):
        arrive()
    return selection


def test_a_claimed_record_is_published_by_the_zone_that_selects_it(both):
    assert wanted(both, "a") == {"www.a.test. 600 IN A 192.0.2.1"}


def test_data_is_read_again_only_when_the_record_or_its_zone_means_something_else(both):
    def data() -> Any:
        (membership,) = both.memberships("dns", ("ARecord", "www"))
        return membership.rrset

    before = data()
    both.put_record(record("www", {"zone": "a", "other": "label"}, claims="a.test"))
    assert data() is before
    both.put_record(record("www", {"zone": "a"}, claims="a.test", spec={"name": "www", "ipv4Address": "192.0.2.2"}))
    assert {rdata.to_text() for rdata in data().rdatas} == {"192.0.2.2"}
    both.put_zone(replace(zone("a", "a.test", {"matchLabels": {"zone": "a"}}), ttl=77))
    assert data().ttl == 77


def test_a_record_is_not_published_before_it_is_claimed():
    selection = Selection()
    selection.put_zone(zone("a", "a.test", {"matchLabels": {"zone": "a"}}))
    selection.put_record(record("www", {"zone": "a"}))
    assert wanted(selection, "a") == set()
    assert [each.selected for each in selection.memberships("dns", ("ARecord", "www"))] == [True]


def test_a_relabelled_record_leaves_its_zone_and_stays_ours_to_remove(both):
    both.put_record(record("www", {"zone": "b"}, claims="a.test"))
    assert wanted(both, "a") == set()
    assert owned(both, "a") == {"www.a.test. A"}
    assert [each.selected for each in both.memberships("dns", ("ARecord", "www"))] == [False]


def test_what_a_zones_reader_may_still_have_of_a_record_is_known_until_it_reads_again(both):
    def in_last_snapshot() -> list[bool]:
        return [membership.in_last_snapshot for membership in both.memberships("dns", ("ARecord", "www"))]

    both.zone_set(Request("dns", "a"))
    assert in_last_snapshot() == [False]
    both.put_record(record("www", {"zone": "b"}, claims="a.test"))
    assert in_last_snapshot() == [True]
    both.zone_set(Request("dns", "a"))
    assert in_last_snapshot() == [False]


def test_a_record_being_deleted_is_no_longer_wanted_and_still_ours(both):
    both.put_record(record("www", {"zone": "a"}, claims="a.test", deletionTimestamp="2026-01-02T00:00:00Z"))
    assert wanted(both, "a") == set()
    assert owned(both, "a") == {"www.a.test. A"}


def test_a_record_that_is_gone_is_forgotten(both):
    both.drop_record("dns", ("ARecord", "www"))
    assert wanted(both, "a") == set()
    assert owned(both, "a") == set()


def test_a_zone_that_selects_otherwise_lets_go(both):
    both.put_zone(zone("a", "a.test", {"matchLabels": {"zone": "other"}}))
    assert wanted(both, "a") == set()
    assert owned(both, "a") == {"www.a.test. A"}


def test_a_renamed_record_owns_its_old_name_and_its_new_one():
    selection = Selection()
    selection.put_zone(zone("a", "a.test", {"matchLabels": {"zone": "a"}}))
    spec = {"name": "web", "ipv4Address": "192.0.2.1"}
    marks = {ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "web www"}
    selection.put_record(record("www", {"zone": "a"}, claims="a.test", spec=spec, annotations=marks))
    assert wanted(selection, "a") == {"web.a.test. 600 IN A 192.0.2.1"}
    assert owned(selection, "a") == {"web.a.test. A", "www.a.test. A"}


def test_several_zones_may_publish_one_record():
    selection = Selection()
    selection.put_zone(zone("a", "a.test", {}))
    selection.put_zone(zone("b", "b.test", {"matchExpressions": [{"key": "zone", "operator": "Exists"}]}))
    selection.put_record(record("www", {"zone": "x"}, claims="a.test,b.test"))
    assert wanted(selection, "a") == {"www.a.test. 600 IN A 192.0.2.1"}
    assert wanted(selection, "b") == {"www.b.test. 600 IN A 192.0.2.1"}


def test_bad_data_says_which_field_and_blocks_removals_only_of_its_own():
    selection = Selection()
    selection.put_zone(zone("a", "a.test", {}))
    spec = {"name": "www.elsewhere.test.", "ipv4Address": "192.0.2.1"}
    marks = {ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "www"}
    selection.put_record(record("www", {}, claims="a.test", spec=spec, annotations=marks))
    (membership,) = selection.memberships("dns", ("ARecord", "www"))
    assert membership.error is not None
    assert membership.error.startswith("spec.name")
    chosen = selection.zone_set(Request("dns", "a"))
    assert chosen is not None
    assert {str(key) for key in chosen.unreadable} == {"www.a.test. A"}


def test_a_zone_that_was_deleted_and_created_again_starts_from_what_is_there(both):
    both.put_zone(zone("a", "a.test", {"matchLabels": {"zone": "a"}}, uid="another"))
    assert wanted(both, "a") == {"www.a.test. 600 IN A 192.0.2.1"}


def test_namesakes_are_found_across_namespaces():
    selection = Selection()
    first, second = zone("a", "a.test"), zone("b", "a.test")
    selection.put_zone(first)
    selection.put_zone(second)
    assert selection.namesakes(first) == [second]
    selection.drop_zone(second.key)
    assert selection.namesakes(first) == []


def test_ready_records_are_counted_and_the_zone_is_told_when_that_moves(both):
    key = Request("dns", "a")
    fields = {"conditions": [{"type": "Ready", "status": "True", "reason": "RecordPublished"}]}
    ready = record_view(
        _object(
            "ARecord",
            "www",
            {
                "labels": {"zone": "a"},
                "annotations": {ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "www"},
                "finalizers": [finalizer("ARecord")],
            },
            spec={"name": "www", "ipv4Address": "192.0.2.1"},
            status=fields,
        )
    )
    assert both.put_record(ready) == [key]
    assert both.put_record(ready) == []
    tally = both.tally(key, 10)
    assert (tally.selected, tally.ready, tally.names) == (1, 1, (("ARecord", "www"),))


def test_everything_gone_leaves_nothing_behind(both):
    both.drop_record("dns", ("ARecord", "www"))
    both.drop_zone(Request("dns", "a"))
    assert both._namespaces == {}
    assert both._named == {}


# --- in a dry run nobody writes claims


@pytest.fixture
def dry() -> Selection:
    selection = Selection(dry_run=True)
    selection.put_zone(zone("a", "a.test", {"matchLabels": {"zone": "a"}}))
    selection.put_zone(zone("b", "b.test", {"matchLabels": {"zone": "b"}}))
    return selection


def test_what_would_be_claimed_is_taken_for_claimed(dry):
    dry.put_record(record("www", {"zone": "a"}))
    assert wanted(dry, "a") == {"www.a.test. 600 IN A 192.0.2.1"}
    assert owned(dry, "a") == {"www.a.test. A"}
    assert (wanted(dry, "b"), owned(dry, "b")) == (set(), set())


def test_what_was_claimed_before_is_still_ours_to_remove(dry):
    dry.put_record(
        record("www", {"zone": "a"}, claims="a.test,b.test", spec={"name": "www", "ipv4Address": "192.0.2.1"})
    )
    renamed = {"name": "web", "ipv4Address": "192.0.2.1"}
    moved = replace(record("www", {"zone": "a"}, claims="a.test,b.test"), name="web", version="2")
    dry.put_record(replace(moved, spec=record("x", {}, spec=renamed).spec))
    assert wanted(dry, "a") == {"web.a.test. 600 IN A 192.0.2.1"}
    assert owned(dry, "a") == {"www.a.test. A", "web.a.test. A"}
    assert (wanted(dry, "b"), owned(dry, "b")) == (set(), {"www.b.test. A"})


def test_what_cannot_be_read_or_is_being_deleted_would_claim_nothing(dry):
    dry.put_record(record("bad", {"zone": "a"}, spec={"name": "bad", "ipv4Address": "not an address"}))
    dry.put_record(record("gone", {"zone": "a"}, deletionTimestamp="2026-01-01T00:00:00Z"))
    assert (wanted(dry, "a"), owned(dry, "a")) == (set(), set())
