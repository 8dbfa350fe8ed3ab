"""Releasing: what is chosen, what is taken off, and what is left when something is in the way."""

import datetime as dt
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest

from controllers.options import LEASE
from controllers.release import Choice, InvalidChoice, Order, kinds_named, operator_at_work, run
from generated import kinds
from reconcilers.desired.ownership import ZONE_ANNOTATION, finalizer
from reconcilers.records import RECORD_KINDS
from zonewright import (
    ApiError,
    Conflict,
    FakeClock,
    Forbidden,
    Gone,
    Kind,
    NotFound,
    Object,
    Request,
    TooManyRequests,
    Unreachable,
)

OURS = finalizer("DNSEndpoint")


def endpoint(name: str, namespace: str = "shop", *, kind: Kind[Any] = kinds.DNSEndpoint, **metadata: Any):
    fields = {
        "name": name,
        "namespace": namespace,
        "uid": f"uid-{name}",
        "finalizers": [finalizer(kind.kind)],
        "annotations": {ZONE_ANNOTATION: "example.org", "theirs": "stays"},
        **metadata,
    }
    return kind, fields


def deleting(name: str, namespace: str = "shop", **metadata: Any):
    return endpoint(name, namespace, deletionTimestamp="2026-01-01T00:00:00Z", **metadata)


class Api:
    """Objects in memory, with the API server's rules for finalizers. `before_patch` makes trouble."""

    def __init__(self, *objects: tuple[Kind[Any], dict[str, Any]]) -> None:
        self.stored = {(kind.kind, each["namespace"], each["name"]): (kind, each) for kind, each in objects}
        self.versions = itertools.count(1)
        for _, each in objects:
            each["resourceVersion"] = str(next(self.versions))
        self.lease: dict[str, Any] | ApiError | None = None
        self.before_patch: Callable[[str], None] = lambda _name: None
        self.before_list: Callable[[Kind[Any]], None] = lambda _kind: None
        self.patched: list[str] = []

    def get_fields(self, kind: Kind[Any], name: str, namespace: str) -> dict[str, Any]:
        assert (kind.kind, name) == ("Lease", LEASE)
        if isinstance(self.lease, ApiError):
            raise self.lease
        if self.lease is None:
            raise NotFound("no lease")
        return {"spec": self.lease}

    def get_object(self, kind: Kind[Any], name: str, namespace: str) -> Object[Any]:
        if (kind.kind, namespace, name) not in self.stored:
            raise NotFound(f'"{name}" not found')
        return self._object(kind, self.stored[kind.kind, namespace, name][1])

    def list_objects(self, kind: Kind[Any], namespace: str) -> list[Object[Any]]:
        self.before_list(kind)
        found = [fields for of, fields in self.stored.values() if of is kind and namespace in {"", fields["namespace"]}]
        return [self._object(kind, fields) for fields in found]

    def patch(self, kind: Kind[Any], name: str, body: dict[str, Any], *, namespace: str) -> Object[Any]:
        self.before_patch(name)
        self.patched.append(name)
        fields = self.get_object(kind, name, namespace).fields()["metadata"]
        change = body["metadata"]
        if change["resourceVersion"] != fields["resourceVersion"]:
            raise Conflict("it was changed")
        annotations = {**fields["annotations"], **change.get("annotations", {})}
        fields |= {"annotations": {key: value for key, value in annotations.items() if value is not None}}
        fields |= {"finalizers": change.get("finalizers", fields["finalizers"])}
        fields["resourceVersion"] = str(next(self.versions))
        self.stored[kind.kind, namespace, name] = kind, fields
        if fields.get("deletionTimestamp") and not fields["finalizers"]:
            del self.stored[kind.kind, namespace, name]
        return self._object(kind, fields)

    def touch(self, name: str, **metadata: Any) -> None:
        """Somebody else writes an object."""
        fields = self.stored["DNSEndpoint", "shop", name][1]
        fields |= {"resourceVersion": str(next(self.versions)), **metadata}

    def metadata(self, name: str, namespace: str = "shop") -> dict[str, Any]:
        return self.stored["DNSEndpoint", namespace, name][1]

    @staticmethod
    def _object(kind: Kind[Any], fields: dict[str, Any]) -> Object[Any]:
        raw = json.dumps({"metadata": fields}).encode()
        return Object(kind, Request(fields["namespace"], fields["name"]), int(fields["resourceVersion"]), 1, raw)


class Told:
    """What a run said."""

    def __init__(self, api: Api, choice: Choice | None = None, *, yes: bool = True, **order: Any) -> None:
        self.said: list[str] = []
        self.complaints: list[str] = []
        self.asked: list[str] = []

        def agree(question: str) -> bool:
            self.asked.append(question)
            return yes

        self.clock = FakeClock()
        self.code = run(
            api,
            Order(choice or Choice(), "zonewright-system", **order),
            clock=self.clock,
            say=self.said.append,
            complain=self.complaints.append,
            agree=agree,
        )


def test_what_is_ours_goes_and_what_is_others_stays():
    api = Api(
        deleting("a"), deleting("b", finalizers=["other/one", OURS]), endpoint("c"), endpoint("d", "blog"),
        endpoint("never-ours", finalizers=["other/one"], annotations={"theirs": "stays"}),
    )  # fmt: skip
    told = Told(api)
    assert told.code == 0
    assert sorted(key[2] for key in api.stored) == ["b", "c", "d", "never-ours"]
    assert (api.metadata("b")["finalizers"], api.metadata("b")["annotations"]) == (["other/one"], {"theirs": "stays"})
    assert (api.metadata("c")["finalizers"], api.metadata("c")["annotations"]) == ([], {"theirs": "stays"})
    marks = f"finalizer {OURS}, {ZONE_ANNOTATION}=example.org"
    assert told.said == [
        f"released DNSEndpoint shop/a: {marks}; its deletion ends with that",
        f"released DNSEndpoint shop/b: {marks}; its deletion waits for other/one",
        f"released DNSEndpoint shop/c: {marks}; it stays, for it is not being deleted",
        f"released DNSEndpoint blog/d: {marks}; it stays, for it is not being deleted",
        "4 released, 0 gone, 0 left",
    ]
    (question,) = told.asked
    assert question.startswith("Release 4 objects, 2 of which not being deleted? What they have in DNS stays there")


@pytest.mark.parametrize(
    ("choice", "released"),
    [
        (Choice(), ["a", "b", "d"]),
        (Choice(namespace="blog"), ["d"]),
        (Choice(deleting=True), ["a", "d"]),
        (Choice(namespace="shop", deleting=True), ["a"]),
        (Choice(names=("shop/b", "blog/d")), ["b", "d"]),
        (Choice(namespace="shop", names=("b", "blog/d")), ["b", "d"]),
    ],
)
def test_only_what_was_chosen_is_touched(choice: Choice, released: list[str]):
    api = Api(deleting("a"), endpoint("b"), deleting("d", "blog"))
    assert Told(api, choice).code == 0
    assert sorted(api.patched) == released


def test_every_kind_with_a_finalizer_of_ours_can_be_released():
    assert {kind.kind for kind in kinds_named(["all"])} == {
        "DNSEndpoint", "DNSZone", *(kind.kind for kind in RECORD_KINDS)
    }  # fmt: skip
    assert [kind.kind for kind in kinds_named(["ARecord", "dnszones", "arecord"])] == ["ARecord", "DNSZone"]
    zone, record = endpoint("z", kind=kinds.DNSZone), endpoint("r", kind=kinds.ARecord)
    api = Api(zone, record, endpoint("e"))
    assert Told(api, Choice(kinds_named(["all"]))).code == 0
    assert sorted(api.patched) == ["e", "r", "z"]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: kinds_named(["service"]), "--kind: 'service' is none of DNSEndpoint, DNSZone"),
        (lambda: Choice(names=("www",)), "say in which namespace"),
        (lambda: Choice(names=("a/b/c",)), "neither NAME nor NAMESPACE/NAME"),
        (lambda: Choice(namespace="shop", names=("",)), "neither NAME nor NAMESPACE/NAME"),
        (lambda: Choice(kinds_named(["all"]), "shop", ("a",)), "need one --kind"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(make: Callable[[], object], text: str):
    with pytest.raises(InvalidChoice, match=text):
        make()


def test_a_dry_run_asks_nobody_and_writes_nothing():
    api = Api(deleting("a"), endpoint("b"))
    told = Told(api, dry_run=True)
    assert (told.code, api.patched, told.asked) == (0, [], [])
    assert [line.partition(":")[0] for line in told.said] == [
        "would release DNSEndpoint shop/a", "would release DNSEndpoint shop/b"
    ]  # fmt: skip


def test_nobody_agrees_nothing_is_written():
    api = Api(deleting("a"))
    told = Told(api, yes=False)
    assert (told.code, api.patched, told.complaints) == (1, [], ["nothing was released"])


def test_nothing_to_do_is_success():
    told = Told(Api(), Choice(namespace="shop", deleting=True))
    assert told.code == 0
    assert told.said == [
        "nothing to release: no finalizer and no claim of zonewright on DNSEndpoints in namespace shop, being deleted"
    ]


# --- what is in the way


def test_a_conflict_is_decided_anew_on_what_stands_there_now():
    api = Api(deleting("a"))
    others = iter([["other/one", OURS]])

    def faster(name: str) -> None:
        for each in others:
            api.touch(name, finalizers=each)

    api.before_patch = faster
    assert Told(api).code == 0
    assert api.metadata("a")["finalizers"] == ["other/one"]


def test_conflicts_without_an_end_are_told():
    api = Api(deleting("a"), deleting("b"))
    api.before_patch = lambda name: api.touch(name) if name == "a" else None
    told = Told(api)
    assert (told.code, sorted(key[2] for key in api.stored)) == (1, ["a"])
    assert told.complaints == ["left DNSEndpoint shop/a: it was changed"]
    assert told.said[-1] == "1 released, 0 gone, 1 left"


def test_a_busy_server_is_given_the_time_that_it_asks_for():
    api = Api(deleting("a"))
    busy = iter([TooManyRequests("busy", retry_after=7.0)])

    def trouble(_name: str) -> None:
        for error in busy:
            raise error

    api.before_patch = trouble
    told = Told(api)
    assert (told.code, told.clock.monotonic()) == (0, 7.0)


def test_what_vanishes_meanwhile_is_gone_and_what_took_its_place_is_not_touched():
    api = Api(deleting("a"), deleting("b"), deleting("c"))

    def others(name: str) -> None:
        if name == "a":
            del api.stored["DNSEndpoint", "shop", "a"]
        if name == "b":
            api.touch("b", uid="another one")

    api.before_patch = others
    told = Told(api)
    assert (told.code, [key[2] for key in api.stored]) == (0, ["b"])
    assert api.metadata("b")["finalizers"] == [OURS]
    assert [line.partition(":")[0] for line in told.said] == [
        "gone DNSEndpoint shop/a",
        "gone DNSEndpoint shop/b",
        "released DNSEndpoint shop/c",
        "1 released, 2 gone, 0 left",
    ]


def test_without_permission_each_object_says_what_is_missing():
    api = Api(deleting("a"), deleting("b"))

    def forbid(_name: str) -> None:
        raise Forbidden("patch is not allowed")

    api.before_patch = forbid
    told = Told(api)
    assert told.code == 1
    assert told.complaints == [
        f"left DNSEndpoint shop/{name}: patch is not allowed; it takes the verb patch on "
        "dnsendpoints.externaldns.k8s.io"
        for name in "ab"
    ]


def test_an_api_server_that_went_away_is_not_asked_for_each_object():
    api = Api(*(deleting(f"e{number}") for number in range(3)))
    tried: list[str] = []

    def away(name: str) -> None:
        tried.append(name)
        raise Unreachable("connection refused")

    api.before_patch = away
    told = Told(api)
    assert (told.code, len(tried)) == (1, 1)
    assert told.complaints[1:] == [f"left DNSEndpoint shop/e{n}: not tried: connection refused" for n in (1, 2)]


def test_a_list_that_expired_on_the_way_is_begun_again():
    api = Api(deleting("a"))
    expired = iter([Gone("the continue token is too old")])

    def trouble(_kind: Kind[Any]) -> None:
        for error in expired:
            raise error

    api.before_list = trouble
    assert Told(api).code == 0
    assert not api.stored


def test_a_missing_crd_is_nothing_to_release_and_a_forbidden_list_is_a_failure():
    api = Api(endpoint("r", kind=kinds.ARecord))

    def trouble(kind: Kind[Any]) -> None:
        if kind is kinds.DNSEndpoint:
            raise NotFound("the server could not find the requested resource")
        if kind is kinds.DNSZone:
            raise Forbidden("may not list")

    api.before_list = trouble
    assert Told(api).code == 0
    told = Told(api, Choice((kinds.DNSEndpoint, kinds.DNSZone, kinds.ARecord)))
    assert (told.code, api.patched) == (1, ["r"])
    assert told.said[0] == "the cluster has no DNSEndpoints: their CRD is not installed"
    assert told.complaints == ["DNSZones cannot be listed: may not list"]


def test_a_name_that_is_not_there_is_a_failure_and_the_others_are_released():
    api = Api(deleting("a"))
    told = Told(api, Choice(namespace="shop", names=("b", "a")))
    assert (told.code, api.patched) == (1, ["a"])
    assert told.complaints == ['DNSEndpoint shop/b is not there: "b" not found']


# --- the operator at work


def lease(seconds_ago: float, holder: str | None = "pod-1_abc") -> dict[str, Any]:
    renewed = FakeClock().now() - dt.timedelta(seconds=seconds_ago)
    return {"holderIdentity": holder, "leaseDurationSeconds": 15, "renewTime": renewed.isoformat()}


@pytest.mark.parametrize(
    ("found", "refused"),
    [
        (None, False),
        (lease(3600), False),
        (lease(3600, None), False),
        (lease(1, None), False),
        ({"holderIdentity": "pod-1_abc", "renewTime": "yesterday"}, False),
        (lease(1), True),
        (lease(-3600), True),
    ],
)
def test_it_refuses_while_an_operator_holds_the_lease(found: dict[str, Any] | None, refused: bool):
    api = Api(deleting("a"))
    api.lease = found
    told = Told(api)
    assert (told.code == 1, "a" in api.patched) == (refused, not refused)
    if refused:
        assert told.complaints[0].startswith(
            "an operator is at work: pod-1_abc holds lease zonewright-system/zonewright"
        )
        assert Told(api, force=True).code == 0


def test_a_lease_that_looks_stale_and_is_renewed_is_held():
    """The clock of this machine is an hour ahead."""
    api = Api()
    api.lease = lease(3600)

    class Watching(FakeClock):
        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            api.lease = lease(3595)

    assert operator_at_work(api, "zonewright-system", Watching()) == "pod-1_abc"


def test_whether_somebody_is_at_work_must_be_known():
    api = Api(deleting("a"))
    api.lease = Forbidden("leases may not be read")
    told = Told(api)
    assert (told.code, api.patched) == (1, [])
    assert "leases may not be read; --force does without" in told.complaints[0]
