"""The embedded server against the real one: the same seeded sequence of API operations on both, the same answers.

    pytest -k differential --ops=2000 --seed=1

An operation that answers differently is shown with both answers; its number and the seed reproduce it. DIFFERENCES
lists what differs on purpose. What differs between any two runs (uids, revisions, times, generated names) is masked."""

import copy
import functools
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import yaml

from tests.support import WIDGETS
from tests.support.differential.masks import mask_object, masked
from tests.support.differential.operations import APPLY, GROUP, MERGE, Generator, simple
from tests.support.differential.sides import Answer, Fields, Operation, Recorder, Side
from zonewright.envtest import Unavailable, backend
from zonewright.testing import eventually

# They start a real control plane, whatever --backend says; that alone takes half a minute.
pytestmark = [pytest.mark.controlplane, pytest.mark.slow]

CRD = WIDGETS
LAST = "the-last-one"

# What differs on purpose, and why; masks.py takes each of these out of both answers before they are compared.
DIFFERENCES = {
    "managedFields of built-in kinds": "Go's zero values decide which empty objects count as set; custom kinds match",
    "messages of undecodable bodies": "they quote Go's JSON decoder; code and reason are the same",
    "messages of invalid objects": "they list the causes, in Go's random order; the causes are compared as a set",
    "descriptions of table columns": "prose of the Go printers",
    "clusterIP and node ports of services": "each server chooses its own; that there is one is compared",
    "service account, tolerations and token volume of pods": "they come from admission plugins",
    "multipleOf on integers": "the real server takes a factor below one for zero then; not generated",
    "true or 1.5 for an integer with a format": "the real server blames the format instead; not generated",
    "quotation of the object in a refused strict patch": "it holds uids and times",
    "service account and CA bundle of a namespace": "controllers make them, which are not there",
    "managedFields after a write whose ignored half is invalid": "the real server forgets them all; not generated",
    "warnings beside a refusal": "they depend on how far the request came",
    "an applied list that loses its last items to null": "the real server refuses the null that it made itself",
    "owner of spec.replicas": "kube-apiserver follows it through /scale only at times; not applied in the sequence",
    "times and order of managedFields": "they depend on seconds of the clock",
}


@pytest.fixture(scope="module")
def sides(request: pytest.FixtureRequest) -> Iterator[list[Side]]:
    """An embedded and a real server, the run's own `cluster` being one of them where it can be."""
    with ExitStack() as stack:
        own = request.getfixturevalue("cluster")
        clusters = []
        for name in ("embedded", "controlplane"):
            try:
                clusters.append(own if own.backend == name else stack.enter_context(backend(name)))
            except Unavailable as reason:
                pytest.skip(f"the differential test needs a real control plane: {reason}")
        made = [Side(one) for one in clusters]
        for cluster in clusters:
            cluster.apply(CRD)
        for side in made:
            serves_widgets(side)
            collects_widgets(side)
            stack.callback(side.close)
        yield made


def serves_widgets(side: Side) -> None:
    """A real API server says that a CRD is established a moment before it serves it."""
    eventually(lambda: side.send("GET", f"{GROUP}/widgets", None, "", "application/json")[0] == 200, every=0.1)


def collects_widgets(side: Side) -> None:
    """Waits until the garbage collector knows the kind.

    Until then a real one may orphan an owner's dependents without having seen them, and collect them afterwards.
    """
    path = f"{GROUP}/namespaces/default/widgets"
    parent, child = f"warm-{random.SystemRandom().randrange(10**8)}", f"cold-{random.SystemRandom().randrange(10**8)}"

    def dependent(one: Side) -> Fields:
        owner = {"apiVersion": "envtest.example.org/v1", "kind": "Widget", "name": parent}
        return simple({"name": child, "ownerReferences": [owner | {"uid": one.uid(f"{path}/{parent}")}]})

    for operation in (
        Operation("POST", path, simple({"name": parent})),
        Operation("POST", path, dependent),
        Operation("DELETE", f"{path}/{parent}"),
    ):
        assert operation.on(side)[0] in {200, 201}
    assert Operation("GET", f"{path}/{child}", until_gone=True).on(side)[0] == 404


@pytest.mark.timeout(3600)  # 2,000 operations take a few minutes: a real namespace ends in its own time
def test_differential_sequence(sides: list[Side], request: pytest.FixtureRequest) -> None:
    seed, count = request.config.getoption("--seed"), request.config.getoption("--ops")
    namespace = f"diff-{random.SystemRandom().randrange(10**8)}"
    for side in sides:
        assert (
            side.send("POST", "/api/v1/namespaces", {"metadata": {"name": namespace}}, "application/json", "")[0] == 201
        )
    generator = Generator(seed, namespace)
    recorders = [side.watch(generator.widgets) for side in sides]
    parted: set[str] = set()
    try:
        for number, operation in enumerate(generator.operations(count)):
            embedded, real = (masked(operation.on(side)) for side in sides)
            if trips_over_own_null(operation, real):
                parted.add(start_again(sides, operation.path))
                continue
            assert embedded == real, f"operation {number} of seed {seed}: {operation}"
        for side, recorder in zip(sides, recorders, strict=True):
            # A watch keeps the order of changes: when this one has come, all the others have.
            assert Operation("POST", generator.widgets, simple({"name": LAST})).on(side)[0] == 201
            eventually(lambda recorder=recorder: LAST in recorder.events, what="the last event")  # type: ignore[misc]
    finally:
        for recorder in recorders:
            recorder.close()
    assert_same_events(recorders[0], recorders[1], parted)


def trips_over_own_null(operation: Operation, real: Answer) -> bool:
    """See DIFFERENCES: an apply takes the last items out of a list whose list another manager owns."""
    code, body, _ = real
    applied = operation.content_type == APPLY and code == 422
    return applied and any("must be of type array" in cause and "null" in cause for cause in body["causes"])


def start_again(sides: list[Side], path: str) -> str:
    """Deletes what the two no longer agree about, and names it."""
    for side in sides:
        for step in (
            Operation("PATCH", path, {"metadata": {"finalizers": None}}, {}, MERGE),
            Operation("DELETE", path),
        ):
            step.on(side)
    return path.rpartition("/")[2]


def assert_same_events(embedded: Recorder, real: Recorder, parted: set[str]) -> None:
    """Objects went through the same states, each seen by a watcher from the first to the last."""
    for name in sorted((embedded.events.keys() | real.events.keys()) - parted):
        if not name.startswith("made-"):
            histories = [seen(recorder.events.get(name, [])) for recorder in (embedded, real)]
            assert histories[0] == histories[1], f"the events of {name}"


def seen(events: list[tuple[str, Fields]]) -> list[tuple[str, Fields]]:
    """The events, masked; a change of nothing but what is masked is none."""
    for _, fields in events:
        mask_object(fields)
    return [
        (change, fields)
        for number, (change, fields) in enumerate(events)
        if number == 0 or change != "MODIFIED" or fields != events[number - 1][1]
    ]


def test_differential_definitions_are_judged_alike(sides: list[Side]) -> None:
    """What is wrong with a CRD is wrong on both."""
    crd = yaml.safe_load(CRD.read_text())
    version = crd["spec"]["versions"][0]
    wrong: list[Callable[[Fields], Any]] = [
        lambda one: one["metadata"].update(name="other.envtest.example.org"),
        lambda one: one["spec"]["versions"][0].pop("schema"),
        lambda one: one["spec"]["versions"][0].update(storage=False),
        lambda one: one["spec"].pop("names"),
        lambda one: one["spec"].update(scope="Everywhere"),
        lambda one: one["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"].pop("type"),
    ]
    assert version["storage"]
    for change in wrong:
        body = copy.deepcopy(crd)
        change(body)
        operation = Operation(
            "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body, {"dryRun": "All"}
        )
        embedded, real = (operation.on(side) for side in sides)
        assert (embedded[0], embedded[1]["reason"]) == (real[0], real[1]["reason"]), (embedded[1], real[1])


def post_when_served(side: Side, path: str, body: Fields) -> Answer | None:
    """The answer; none from a server that does not serve the kind yet."""
    answer = side.send("POST", path, body, "application/json", "")
    return None if answer[0] in {404, 429, 503} else answer


def test_differential_versions_of_a_definition(sides: list[Side]) -> None:
    """A definition's defaults reach what is stored, in every served version."""
    crd = yaml.safe_load(CRD.read_text())
    crd["metadata"]["name"] = "twins.envtest.example.org"
    crd["spec"]["names"] = {"plural": "twins", "kind": "Twin"}
    older = crd["spec"]["versions"][0]
    older.pop("selectableFields")
    newer = copy.deepcopy(older) | {"name": "v2", "storage": False}
    newer["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["size"]["default"] = 42
    crd["spec"]["versions"] = [older, newer]
    answers = []
    for side in sides:
        crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        assert side.send("POST", crds, crd, "application/json", "")[0] == 201
        one = {
            "apiVersion": "envtest.example.org/v2",
            "kind": "Twin",
            "metadata": {"name": "t"},
            "spec": {"color": "red"},
        }
        path = "/apis/envtest.example.org/{}/namespaces/default/twins"
        made = eventually(functools.partial(post_when_served, side, path.format("v2"), one), every=0.1)
        read = [side.send("GET", path.format(version) + "/t", None, "", "") for version in ("v1", "v2")]
        gone = side.send("DELETE", f"{crds}/twins.envtest.example.org", None, "", "")
        answers.append([masked(answer)[:2] for answer in (made, *read)] + [(gone[0], gone[1].get("kind"))])
    assert answers[0] == answers[1]
